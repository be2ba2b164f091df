"""What is written once for all games: turns, perft, returns, random play-outs.

The functions here work on a module of rules and its plain positions; `api.py` wraps them for callers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from ziggurat.reference.random import CHANCE, CHOICES, Stream, stream_key

Turn = tuple[int, ...]


class Words(tuple[str, ...]):
    """The values of an option, some of which have other words on input: `synonyms` leads from these to the values."""

    synonyms: dict[str, str]

    def __new__(cls, values: tuple[str, ...], synonyms: dict[str, str]) -> "Words":
        """The values with their synonyms."""
        words = super().__new__(cls, values)
        words.synonyms = synonyms
        return words


class Text(tuple[str, ...]):
    """The values of an option that is a text: examples, the default first, each as `read` gives it.

    `read` turns a text into its canonical form; ValueError says what is wrong with it. `allowed` is what may be given,
    in words.
    """

    allowed: str
    read: Callable[[str], str]

    def __new__(cls, examples: tuple[str, ...], allowed: str, read: Callable[[str], str]) -> "Text":
        """The examples, with what there is besides."""
        text = super().__new__(cls, examples)
        text.allowed, text.read = allowed, read
        return text


class Rules(Protocol):
    """What a module of rules offers. A position is a value of its class `State`."""

    Options: Any
    OPTION_VALUES: dict[str, tuple[Any, ...] | range]
    PRESETS: dict[str, dict[str, Any]]
    LAW_OPTIONS: list[dict[str, Any]]
    ANALYSES: dict[str, Callable[[Any], list[Any]]]  # of a position: flat lists
    TABLES: dict[str, Callable[[Any], list[Any]]]  # of options: flat lists

    def canonical(self, options: Any) -> Any:
        """The options as they are written; ValueError if they contradict each other."""
        ...

    def initial(self, options: Any, key: int) -> Any:
        """The start of a game; the key is that of its chance stream."""
        ...

    def num_players(self, options: Any) -> int:
        """The number of players."""
        ...

    def num_actions(self, options: Any) -> int:
        """The number of action ids."""
        ...

    def to_move(self, s: Any) -> int:
        """The player to move."""
        ...

    def is_terminal(self, s: Any) -> bool:
        """Whether the game is over."""
        ...

    def in_turn(self, s: Any) -> bool:
        """Whether a turn has been begun and not ended."""
        ...

    def legal_actions(self, s: Any) -> list[int]:
        """The ids of the legal actions, ascending."""
        ...

    def is_legal(self, s: Any, action: int) -> bool:
        """Whether an action is legal, asked of that action alone."""
        ...

    def why_illegal(self, s: Any, action: int) -> str:
        """The reason why an action is illegal; empty if it is legal."""
        ...

    def apply(self, s: Any, action: int) -> Any:
        """The position after a legal action."""
        ...

    def winners(self, s: Any) -> list[int]:
        """The players who have won; nobody before the end."""
        ...

    def scores(self, s: Any) -> list[int]:
        """The points of each player."""
        ...

    def unlimited(self, s: Any) -> Any:
        """The position without a limit of turns."""
        ...

    def encode(self, options: Any, move: Any) -> int:
        """The id of a move."""
        ...

    def decode(self, options: Any, action: int) -> Any:
        """The move of an id."""
        ...

    def is_pass(self, options: Any, action: int) -> bool:
        """Whether an action is a pass."""
        ...

    def is_closing(self, options: Any, action: int) -> bool:
        """Whether an action is left out of the text of a turn."""
        ...

    def action_to_text(self, options: Any, action: int) -> str:
        """The text of an action."""
        ...

    def text_to_action(self, options: Any, text: str) -> int:
        """The action of a text; ParseError."""
        ...

    def observe(self, s: Any, viewer: int) -> list[float]:
        """What a player sees, in C order."""
        ...

    def observe_compact(self, s: Any, viewer: int) -> list[float]:
        """What a player sees, in one row."""
        ...

    def observation_shape(self, options: Any) -> tuple[int, ...]:
        """The shape of an observation."""
        ...

    def to_text(self, s: Any) -> str:
        """The text of a position."""
        ...

    def parse(self, options: Any, text: str) -> Any:
        """The position of a text; ParseError."""
        ...

    def num_symmetries(self, options: Any) -> int:
        """The number of symmetries."""
        ...

    def transform(self, s: Any, k: int) -> Any:
        """The position seen through a symmetry."""
        ...

    def transform_action(self, options: Any, action: int, k: int) -> int:
        """The action seen through a symmetry."""
        ...

    def max_game_length(self, options: Any) -> int | None:
        """An upper bound of the number of actions."""
        ...


# What a module of rules may offer besides.


@runtime_checkable
class Secrets(Protocol):
    """Of a game in which players do not see everything."""

    def information_state(self, s: Any, viewer: int) -> str:
        """What a player knows, as text."""
        ...

    def determinize(self, s: Any, viewer: int, stream: Stream) -> Any:
        """The position with all that a player does not see drawn anew."""
        ...


@runtime_checkable
class Viewed(Protocol):
    """Of a game with arrays that are a player's."""

    VIEWS: dict[str, Callable[[Any, int], list[int]]]  # of a position and a player: flat lists


@runtime_checkable
class Counted(Protocol):
    """Of a game in which play-outs count events."""

    COUNTERS: tuple[str, ...]  # their names

    def count_action(self, s: Any, action: int) -> list[str]:
        """The names of what is counted when an action is played in a position."""
        ...

    def count_end(self, s: Any) -> list[str]:
        """The names of what is counted when the game is over."""
        ...


@runtime_checkable
class Telling(Protocol):
    """Of a game in which actions make public more than what they are."""

    def events(self, s: Any, action: int) -> list[dict[str, int | str]]:
        """What a legal action makes public, in order; each with the key `event`."""
        ...


def information_state(rules: Rules, s: Any, viewer: int) -> str:
    """What a player knows, as text: where there are no secrets, the position."""
    return rules.information_state(s, viewer) if isinstance(rules, Secrets) else rules.to_text(s)


def determinize(rules: Rules, s: Any, viewer: int, stream: Stream) -> Any:
    """The position with all that a player does not see drawn anew: where there are no secrets, the same."""
    return rules.determinize(s, viewer, stream) if isinstance(rules, Secrets) else s


def views(rules: Rules) -> dict[str, Callable[[Any, int], list[int]]]:
    """The arrays of a player by name."""
    return rules.VIEWS if isinstance(rules, Viewed) else {}


def counters(rules: Rules) -> tuple[str, ...]:
    """The names of what play-outs count."""
    return rules.COUNTERS if isinstance(rules, Counted) else ()


def events(rules: Rules, s: Any, action: int) -> list[dict[str, int | str]]:
    """What a legal action makes public besides what it is."""
    return rules.events(s, action) if isinstance(rules, Telling) else []


@dataclass
class Results:
    """What came of some play-outs: columns with one entry a game."""

    scores: list[list[int]] = field(default_factory=list)  # one a player
    returns: list[list[float]] = field(default_factory=list)  # one a player
    winners: list[int] = field(default_factory=list)  # a bit mask
    plies: list[int] = field(default_factory=list)  # actions played
    turns: list[int] = field(default_factory=list)
    legal_total: list[int] = field(default_factory=list)  # choices (actions or turns), summed over the decisions
    legal_max: list[int] = field(default_factory=list)
    forced_passes: list[int] = field(default_factory=list)  # plies at which a pass was the only legal action
    counters: dict[str, list[int]] = field(default_factory=dict)  # events by name


def returns(winners: list[int], players: int) -> list[float]:
    """1/w for each of w winners, -1/(n-w) for each other of n players; 0 for all if nobody or everybody has won."""
    if len(winners) in (0, players):
        return [0.0] * players
    lost = -1.0 / (players - len(winners))
    return [1.0 / len(winners) if player in winners else lost for player in range(players)]


def turns(rules: Rules, s: Any) -> Iterator[tuple[Turn, Any]]:
    """The legal turns with the positions after them, in lexicographic order; inside a turn the ways to finish it."""
    for action in rules.legal_actions(s):
        after = rules.apply(s, action)
        if rules.in_turn(after):
            for rest, end in turns(rules, after):
                yield (action, *rest), end
        else:
            yield (action,), after


def actions(rules: Rules, s: Any) -> Iterator[tuple[Turn, Any]]:
    """The legal actions with the positions after them, in the form of `turns`."""
    for action in rules.legal_actions(s):
        yield (action,), rules.apply(s, action)


STEPS = {"turn": turns, "action": actions}


def turn_text(rules: Rules, options: Any, turn: Turn) -> str:
    """The text of a turn: the texts of its actions, without the closing one."""
    return "".join(rules.action_to_text(options, action) for action in turn if not rules.is_closing(options, action))


def perft(rules: Rules, s: Any, depth: int, unit: str) -> int:
    """The number of sequences of exactly `depth` units from a position."""
    if depth == 0:
        return 1
    return sum(perft(rules, after, depth - 1, unit) for _, after in STEPS[unit](rules, s))


def divide(rules: Rules, s: Any, options: Any, depth: int, unit: str) -> dict[str, int]:
    """Perft for each first unit."""
    text = turn_text if unit == "turn" else lambda rules, options, step: rules.action_to_text(options, step[0])
    return {text(rules, options, step): perft(rules, after, depth - 1, unit) for step, after in STEPS[unit](rules, s)}


def choices(rules: Rules, s: Any, unit: str) -> list[Turn]:
    """What a play-out chooses from: whole turns, or single actions."""
    if unit == "turn":
        return [turn for turn, _ in turns(rules, s)]
    return [(action,) for action in rules.legal_actions(s)]


def play_out(rules: Rules, options: Any, seed: int, index: int, uniform: str) -> dict[str, Any]:
    """Play a random game as `docs/random-stream.md` lays down: its entry in each column of the results."""
    stream = Stream(stream_key(seed, index, CHOICES))
    s = rules.initial(options, stream_key(seed, index, CHANCE))
    plies = whole_turns = passes = 0
    counts = []
    events: list[str] = []
    counted = rules if isinstance(rules, Counted) else None
    while not rules.is_terminal(s):
        steps = choices(rules, s, uniform)
        counts.append(len(steps))
        for action in steps[stream.bounded(len(steps))]:
            passes += rules.is_pass(options, action) and rules.legal_actions(s) == [action]
            events += counted.count_action(s, action) if counted else ()
            s = rules.apply(s, action)
            plies += 1
        whole_turns += not rules.in_turn(s)
    events += counted.count_end(s) if counted else ()
    return {
        "scores": rules.scores(s),
        "returns": returns(rules.winners(s), rules.num_players(options)),
        "winners": sum(1 << player for player in rules.winners(s)),
        "plies": plies,
        "turns": whole_turns,
        "legal_total": sum(counts),
        "legal_max": max(counts, default=0),
        "forced_passes": passes,
        "counters": {name: events.count(name) for name in counters(rules)},
    }
