"""Records of games of all kinds as JSON: the game, the seed and the actions, which decide everything.

What the actions made public follows from them. Where a game has something to tell it is written as well, for readers
without an engine; it is no part of a `Record`, so that two records of the same game are equal.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import index
from typing import Any, SupportsIndex, TypeAlias

from ziggurat import __version__, load_game
from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.formats.errors import RecordError, decoded, shortened
from ziggurat.protocols import Game, State

FORMAT = "ziggurat-record"
FORMAT_VERSION = 1
FIELDS = ("format", "format_version", "version", "game", "seed", "actions")
HAS = f"a record has {', '.join(FIELDS)}"
EVENTS = "events"  #: the field that may be missing
Events: TypeAlias = list[dict[str, Any]]  #: of one action
LINE_BREAK = re.compile(b"\n")
LONGEST_NUMBER = 20  #: digits of 2**64 - 1


@dataclass(frozen=True)
class Record:
    """A game that was played. RecordError if the game is unknown, or a field is not of its type.

    `game` is the canonical text of a game, `seed` what its initial state was made with, `actions` are the texts of its
    actions and `version` is that of the engine that wrote it. Whether the actions are legal is looked at by `replay`.
    """

    game: str
    seed: int
    actions: tuple[str, ...]
    version: str = __version__

    def __post_init__(self) -> None:
        is_seed = isinstance(self.seed, int) and not isinstance(self.seed, bool) and 0 <= self.seed < 2**64
        check(is_text(self.version), "version is a text", self.version)
        check(is_text(self.game), "game is a text", self.game)
        check(is_seed, "seed is a whole number from 0 to 2**64 - 1", self.seed)
        check(isinstance(self.actions, tuple), "actions is a tuple of texts", self.actions)
        for number, action in enumerate(self.actions):
            check(is_text(action), f"action {number} is a text", action)
        check(self.game == str(self.load_game()), f"the game is written {self.load_game()}", self.game)

    @classmethod
    def of(cls, game: Game, seed: SupportsIndex, actions: Iterable[SupportsIndex | str]) -> "Record":
        """The record of a game, its seed and its actions, ids or texts. ValueError for an id that the game lacks."""
        if isinstance(actions, str):
            raise TypeError(f"actions is several ids or texts, not the one text {actions!r}")
        texts = [action if isinstance(action, str) else game.action_to_string(index(action)) for action in actions]
        return cls(str(game), index(seed), tuple(texts))

    @classmethod
    def from_json(cls, text: str | bytes) -> "Record":
        """The record that a text says: all of it, and nothing else. RecordError, with a line if JSON gives one.

        Events must have their form. Whether they are those of the actions is not looked at: `events` tells them.
        """
        fields = parsed(text)
        check(isinstance(fields, dict), "a record is an object", fields)
        check_format(fields)
        for name in FIELDS:
            check(name in fields, HAS, f"a record without {name}")
        for name in fields:
            check(name in FIELDS or name == EVENTS, f"{HAS} and may have {EVENTS}", name)
        actions = fields["actions"]
        check(isinstance(actions, list), "actions is a list of texts", actions)
        if EVENTS in fields:
            check_events(fields[EVENTS], len(actions))
        return cls(fields["game"], fields["seed"], tuple(actions), fields["version"])

    def to_json(self, indent: int | None = None) -> str:
        """The text that `from_json` reads: one line, or with an indent many.

        Of a game that tells events it has them, too: the game is played for that, RecordError as `states`.
        """
        values = (FORMAT, FORMAT_VERSION, self.version, self.game, self.seed, list(self.actions))
        fields: dict[str, Any] = dict(zip(FIELDS, values, strict=True))
        if self.tells_events():
            fields[EVENTS] = list(self.events())
        return json.dumps(fields, ensure_ascii=False, indent=indent)

    def load_game(self) -> Game:
        """The game. RecordError if there is none that is written so."""
        try:
            return load_game(self.game)
        except (ValueError, TypeError) as error:
            raise RecordError(f"'{shortened(self.game)}' is not a game: {error}", text=self.game) from error

    def states(self) -> Iterator[State]:
        """The state at the start and after each action, each the caller's own.

        RecordError at the first action that is not legal: the message has its index and text.
        """
        yield self.load_game().new_initial_state(self.seed)
        for _, _, after in self.plays():
            yield after

    def events(self) -> Iterator[Events]:
        """What each action has made public, a list each, as `State.events` tells; RecordError as `states`."""
        for before, action, _ in self.plays():
            yield before.events(action)

    def tells_events(self) -> bool:
        """Does the game tell what its actions make public? Nothing is played: the first action that is legal tells."""
        state = self.load_game().new_initial_state(self.seed)
        return any(state.events(int(action)) for action in state.legal_actions()[:1])

    def plays(self) -> Iterator[tuple[State, int, State]]:
        """For each action the state before it, its id, and the state after it; RecordError as `states`."""
        state = self.load_game().new_initial_state(self.seed)
        for number, text in enumerate(self.actions):
            before = state.clone()
            try:
                action = state.string_to_action(text)
                state.apply_action(action)
            except (IllegalActionError, ParseError) as error:
                raise RecordError(f"action {number}, '{shortened(text)}': {error}", text=text) from error
            yield before, action, state.clone()

    def replay(self) -> State:
        """The state after all actions; RecordError as `states`."""
        *_, last = self.states()
        return last


# The rest is private to this module.


def check(holds: bool, rule: str, value: object) -> None:
    """Refuse a value that breaks a rule."""
    if not holds:
        raise RecordError(f"{rule}, not {told(value)}")


def is_text(value: object) -> bool:
    """Is this a text, of characters that Unicode has?"""
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def check_events(events: Any, actions: int) -> None:
    """Refuse what is no list of events for each action: each event a flat object that begins with its name."""
    form = "events is a list of lists of objects, a list for each action"
    check(isinstance(events, list), form, events)
    check(len(events) == actions, f"events has a list for each of {actions} actions", len(events))
    for number, told_by_action in enumerate(events):
        check(isinstance(told_by_action, list), f"events of action {number} are a list", told_by_action)
        for event in told_by_action:
            check_event(event, f"an event of action {number}")


def check_event(event: Any, what: str) -> None:
    """Refuse what is no event."""
    check(isinstance(event, dict), f"{what} is an object", event)
    check(is_text(event.get("event")), f"{what} has its name as the text 'event'", event.get("event"))
    for key, value in event.items():
        check(is_text(key), f"{what} has texts as keys", key)
        check(is_text(value) or type(value) is int, f"{what} has texts and whole numbers as values", value)


def told(value: object) -> str:
    """A value as a message tells it."""
    if isinstance(value, (list, tuple, dict)):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) >= 2**65:
        return "a number of more digits"
    return shortened(repr(value))


def check_format(fields: dict[str, Any]) -> None:
    """Refuse what another program, or a later version of this one, has written: its fields may be others."""
    form, version = fields.get("format"), fields.get("format_version")
    check(form == FORMAT, f"the format is {FORMAT!r}", form)
    check(isinstance(version, int) and not isinstance(version, bool), "format_version is a whole number", version)
    check(version == FORMAT_VERSION, f"the only format_version that this program reads is {FORMAT_VERSION}", version)


def parsed(text: str | bytes) -> Any:
    """The value of a JSON text. RecordError for what is not, or should not be in a record: floats, huge numbers."""
    try:
        return json.loads(
            text if isinstance(text, str) else decoded(text, LINE_BREAK),
            object_pairs_hook=once,
            parse_int=whole_number,
            parse_float=no_number,
            parse_constant=no_number,
        )
    except json.JSONDecodeError as error:
        raise RecordError(f"not JSON: {error.msg}", line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise RecordError("lists or objects lie too deep in each other; expected a record") from error


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, if each of its keys stands in it once."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        check(key not in found, "a key stands in an object once", key)
        found[key] = value
    return found


def whole_number(text: str) -> int:
    check(len(text) <= LONGEST_NUMBER, "a number has 64 bits", text)
    return int(text)


def no_number(text: str) -> Any:
    raise RecordError(f"all numbers are whole, not {shortened(text)}")
