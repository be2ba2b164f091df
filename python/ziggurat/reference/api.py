"""The public classes and functions, written once over the modules of rules."""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from operator import index
from typing import Any, SupportsIndex, cast

from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.reference import engine
from ziggurat.reference.engine import Results, Rules, Text, Words
from ziggurat.reference.random import CHANCE, DETERMINIZE, Stream, stream_key

NAMES = ("blokus", "blox", "numberplace_city", "pylos")  # the registry: a game is the module of this name
TERMINAL_PLAYER = -4  # OpenSpiel's kTerminalPlayerId
UNITS = ("turn", "action")


@dataclass(frozen=True)
class Game:
    """A game with its options: an immutable value. Made by `load_game`."""

    name: str
    _options: Any

    def __str__(self) -> str:
        """The canonical text: only the options that differ from the default."""
        defaults = asdict(type(self._options)())
        changed = [f"{key}={value_text(value)}" for key, value in self.options.items() if value != defaults[key]]
        return f"{self.name}({','.join(changed)})"

    def __repr__(self) -> str:
        return f"load_game({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (str(self),)

    @property
    def rules(self) -> Rules:
        """The module of rules."""
        return find_rules(self.name)

    @property
    def options(self) -> dict[str, str | int | bool]:
        """All options, in order."""
        return asdict(self._options)

    def num_players(self) -> int:
        """The number of players."""
        return self.rules.num_players(self._options)

    def num_distinct_actions(self) -> int:
        """The number of action ids."""
        return self.rules.num_actions(self._options)

    def observation_tensor_shape(self) -> tuple[int, ...]:
        """The shape of an observation."""
        return self.rules.observation_shape(self._options)

    def max_game_length(self) -> int | None:
        """An upper bound of the number of actions of a game; None if there is none."""
        return self.rules.max_game_length(self._options)

    def new_initial_state(self, seed: int = 0) -> "State":
        """The start of a game; the seed decides its chance, if it has any."""
        key = stream_key(checked_seed(seed), 0, CHANCE)
        return State(self, self.rules.initial(self._options, key))

    def deserialize(self, text: str) -> "State":
        """The state that `State.serialize` has written."""
        prefix = f"{self} "
        if not checked_type("text", text, str).startswith(prefix):
            raise ParseError(f"'{text}' is not a state of this game; expected it to begin with '{prefix}'")
        return State(self, self.rules.parse(self._options, text[len(prefix) :]))

    def action_to_string(self, action: SupportsIndex) -> str:
        """The text of an action."""
        return self.rules.action_to_text(self._options, self.checked_action(action))

    def string_to_action(self, text: str) -> int:
        """The action that has a text."""
        return self.rules.text_to_action(self._options, checked_type("text", text, str))

    def num_symmetries(self) -> int:
        """The number of symmetries, the identity included."""
        return self.rules.num_symmetries(self._options)

    def transform_action(self, action: SupportsIndex, k: int) -> int:
        """An action seen through a symmetry."""
        return self.rules.transform_action(self._options, self.checked_action(action), self.checked_symmetry(k))

    def table(self, name: str) -> list[int]:
        """A table of the rules page, flat, in C order."""
        check_choice("table", name, tuple(self.rules.TABLES))
        return self.rules.TABLES[name](self._options)

    def checked_action(self, action: SupportsIndex) -> int:
        """The action, if it has an id of this game."""
        if not 0 <= index(action) < self.num_distinct_actions():
            raise ValueError(f"action {action} is not in 0 .. {self.num_distinct_actions() - 1}")
        return index(action)

    def checked_player(self, player: SupportsIndex) -> int:
        """The player, if this game has them."""
        if not 0 <= index(player) < self.num_players():
            raise ValueError(f"player {player} is not in 0 .. {self.num_players() - 1}")
        return index(player)

    def checked_symmetry(self, k: int) -> int:
        """The symmetry, if this game has it."""
        if not 0 <= index(k) < self.num_symmetries():
            raise ValueError(f"symmetry {k} is not in 0 .. {self.num_symmetries() - 1}")
        return index(k)


class State:
    """A position that is played on in place. Made by `Game.new_initial_state` and `Game.deserialize`."""

    def __init__(self, game: Game, position: Any) -> None:
        self._game = game
        self._position = position

    def __str__(self) -> str:
        return self.serialize()

    def __repr__(self) -> str:
        if not isinstance(self._rules, engine.Secrets):
            return f"<{self.serialize()}>"
        return (
            f"<{self._game}{' after the end' if self.is_terminal() else f', player {self.current_player()} to move'}>"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (self._game, self._position) == (other._game, other._position)

    def __hash__(self) -> int:
        return hash((self._game, self._position))

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (str(self._game), self.serialize())

    def __getattr__(self, name: str) -> Callable[[SupportsIndex], list[int]]:
        """An array of a player that the rules page names: a method that takes the player."""
        if name.startswith("_") or name not in engine.views(self._rules):
            raise AttributeError(f"'State' object has no attribute '{name}'")
        return partial(self.view, name)

    def view(self, name: str, player: SupportsIndex) -> list[int]:
        """An array of a player that the rules page names, flat, in C order."""
        views = engine.views(self._rules)
        check_choice("view", name, tuple(views))
        return views[name](self._position, self._game.checked_player(player))

    @property
    def _rules(self) -> Rules:
        return self._game.rules

    @property
    def _options(self) -> Any:
        return self._game._options

    def get_game(self) -> Game:
        """The game."""
        return self._game

    def current_player(self) -> int:
        """The player to move; -4 after the end."""
        return TERMINAL_PLAYER if self.is_terminal() else self._rules.to_move(self._position)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._rules.is_terminal(self._position)

    def in_turn(self) -> bool:
        """Whether a turn has been begun and not ended."""
        return self._rules.in_turn(self._position)

    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """The ids of the legal actions, ascending; none for anyone but the player to move, such as TERMINAL_PLAYER."""
        if player is not None and index(player) != TERMINAL_PLAYER:
            self._game.checked_player(player)
        if player is not None and index(player) != self.current_player():
            return []
        return self._rules.legal_actions(self._position)

    def legal_actions_mask(self) -> list[int]:
        """1 for every legal action, 0 for every other."""
        legal = set(self.legal_actions())
        return [int(action in legal) for action in range(self._game.num_distinct_actions())]

    def count_legal(self) -> int:
        """The number of legal actions."""
        return len(self.legal_actions())

    def is_legal(self, action: SupportsIndex) -> bool:
        """Whether an action is legal."""
        return self._rules.is_legal(self._position, self._game.checked_action(action))

    def count_turns(self) -> int:
        """The number of legal turns; inside a turn the number of ways to finish it."""
        return sum(1 for _ in engine.turns(self._rules, self._position))

    def apply_action(self, action: SupportsIndex) -> None:
        """Play a legal action; otherwise IllegalActionError, and nothing is changed."""
        self._position = self._rules.apply(self._position, self._legal_action(action))

    def events(self, action: SupportsIndex) -> list[dict[str, int | str]]:
        """What a legal action makes public, in order: nothing is played. IllegalActionError if it is not legal."""
        return engine.events(self._rules, self._position, self._legal_action(action))

    def _legal_action(self, action: SupportsIndex) -> int:
        """The action, if it is legal."""
        if not self.is_legal(action):
            raise IllegalActionError(self._refusal(index(action)))
        return index(action)

    def _refusal(self, action: int) -> str:
        """What is wrong with an illegal action."""
        reason = self._rules.why_illegal(self._position, action)
        text = self.action_to_string(action)
        return f"action {action} ({text}) is not legal for player {self.current_player()}: {reason}"

    def clone(self) -> "State":
        """A state of its own that is equal to this one."""
        return State(self._game, self._position)

    def returns(self) -> list[float]:
        """What each player has won or lost; 0 before the end."""
        return engine.returns(self.winners(), self._game.num_players())

    def scores(self) -> list[int]:
        """The points of the game, for each player."""
        return self._rules.scores(self._position)

    def winners(self) -> list[int]:
        """The players who have won; nobody before the end."""
        return self._rules.winners(self._position)

    def action_to_string(self, action: SupportsIndex) -> str:
        """The text of an action."""
        return self._game.action_to_string(action)

    def string_to_action(self, text: str) -> int:
        """The action that has a text."""
        return self._game.string_to_action(text)

    def turn_to_string(self, actions: list[int]) -> str:
        """The text of a turn."""
        turn = tuple(self._game.checked_action(action) for action in actions)
        return engine.turn_text(self._rules, self._options, turn)

    def string_to_turn(self, text: str) -> list[int]:
        """The legal turn that has a text."""
        wanted = self._canonical_text(checked_type("text", text, str))
        for turn, _ in engine.turns(self._rules, self._position):
            if engine.turn_text(self._rules, self._options, turn) == wanted:
                return list(turn)
        raise ParseError(f"'{text}' is not a legal turn for player {self.current_player()}")

    def _canonical_text(self, text: str) -> str:
        """The text of a turn as it would be written: an action may be written in other ways."""
        try:
            return self.action_to_string(self.string_to_action(text))
        except ParseError:
            return text.lower() if text.isascii() else text

    def serialize(self) -> str:
        """The game and the position as text."""
        return f"{self._game} {self._rules.to_text(self._position)}"

    def observation_tensor(self, player: SupportsIndex, encoding: str = "planes") -> list[float]:
        """What a player sees, in C order of `Game.observation_tensor_shape`; "compact": in one row."""
        observe = self._rules.observe_compact if encoding == "compact" else self._rules.observe
        return observe(self._position, self._game.checked_player(player))

    def information_state_string(self, player: SupportsIndex) -> str:
        """What a player knows, as one line."""
        return engine.information_state(self._rules, self._position, self._game.checked_player(player))

    def resample(self, player: SupportsIndex, seed: int = 0) -> "State":
        """A state in which all that a player does not see is drawn anew from a seed."""
        viewer, stream = self._game.checked_player(player), Stream(stream_key(checked_seed(seed), 0, DETERMINIZE))
        return State(self._game, engine.determinize(self._rules, self._position, viewer, stream))

    def transformed(self, k: int) -> "State":
        """This state seen through a symmetry."""
        return State(self._game, self._rules.transform(self._position, self._game.checked_symmetry(k)))

    def canonical(self) -> tuple["State", int]:
        """The image of this state that has the least text, and the least symmetry that leads to it."""
        images = [self.transformed(k) for k in range(self._game.num_symmetries())]
        k = min(range(len(images)), key=lambda k: images[k].serialize())
        return images[k], k

    def analysis(self, name: str) -> list[int] | list[float]:
        """An analysis of the rules page, flat, in C order."""
        check_choice("analysis", name, tuple(self._rules.ANALYSES))
        return self._rules.ANALYSES[name](self._position)


def games() -> list[str]:
    """The names of the games."""
    return list(NAMES)


def load_game(name: str, preset: str | None = None, **options: str | int | bool) -> Game:
    """A game by its name, or by its canonical text; options given by name come on top of those of the preset."""
    matched = re.fullmatch(r"([^()]*)(?:\((.*)\))?", checked_type("name", name, str), re.DOTALL)
    if matched is None:
        raise ValueError(f"'{name}' is not a game; expected a text like pylos or pylos(removal=mandatory)")
    rules = find_rules(matched[1])
    chosen = {**preset_options(rules, preset), **text_options(rules, matched[2] or ""), **options}
    checked = {key: checked_option(rules, key, value) for key, value in chosen.items()}
    return Game(matched[1], rules.canonical(rules.Options(**checked)))


def perft(state: State, depth: int, unit: str = "turn", divide: bool = False) -> int | dict[str, int]:
    """The number of sequences of exactly `depth` turns or actions; with `divide` for each first one.

    The limit of turns is lifted first. Nothing is counted beyond the end of a game.
    """
    if index(depth) < 0:
        raise ValueError(f"depth {depth} is negative")
    if divide and index(depth) == 0:
        raise ValueError("divide needs a depth of at least 1")
    check_choice("unit", unit, UNITS)
    game, rules = state.get_game(), state.get_game().rules
    root = rules.unlimited(state._position)
    if not divide:
        return engine.perft(rules, root, depth, unit)
    return engine.divide(rules, root, game._options, depth, unit)


def simulate(game: Game, games: int, seed: int = 0, uniform: str = "action") -> Results:
    """Play random games: every action, or every turn, is chosen uniformly."""
    if index(games) < 0:
        raise ValueError(f"number of games {games} is negative")
    check_choice("uniform", uniform, UNITS)
    results = Results(counters={name: [] for name in engine.counters(game.rules)})
    for i in range(games):
        entry = engine.play_out(game.rules, game._options, checked_seed(seed), i, uniform)
        for name, number in entry.pop("counters").items():
            results.counters[name].append(number)
        for column, value in entry.items():
            getattr(results, column).append(value)
    return results


# The rest is private to this module.


def restored(game: str, text: str) -> State:
    """The state of a pickle."""
    return load_game(game).deserialize(text)


def find_rules(name: str) -> Rules:
    """The module of rules of a game."""
    check_choice("game", name, NAMES)
    return cast(Rules, import_module(f"ziggurat.reference.{name}"))


def preset_options(rules: Rules, preset: str | None) -> dict[str, Any]:
    """The options of a preset."""
    if preset is None:
        return {}
    check_choice("preset", preset, tuple(rules.PRESETS))
    return rules.PRESETS[preset]


def text_options(rules: Rules, text: str) -> dict[str, Any]:
    """The options of a canonical text: what stands between the brackets."""
    chosen: dict[str, Any] = {}
    for part in text.split(",") if text else []:
        key, equals, value = part.partition("=")
        if not equals or key in chosen:
            raise ValueError(f"'{part}' is not an option; expected every option once, as name=value")
        check_choice("option", key, tuple(rules.OPTION_VALUES))
        chosen[key] = option_value(rules, key, value)
    return chosen


def option_value(rules: Rules, key: str, text: str) -> Any:
    """The value of an option that has a text; a value that is a text itself is checked later."""
    if isinstance(rules.OPTION_VALUES[key][0], str):
        return text
    for value in rules.OPTION_VALUES[key]:
        if value_text(value) == text:
            return value
    raise ValueError(f"{key}='{text}' is not allowed; expected {allowed_text(rules.OPTION_VALUES[key])}")


def value_text(value: str | int | bool) -> str:
    """The text of the value of an option."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def allowed_text(allowed: tuple[Any, ...] | range) -> str:
    """The values that are allowed, in words."""
    if isinstance(allowed, Text):
        return allowed.allowed
    if isinstance(allowed, range):
        return f"{allowed.start} .. {allowed.stop - 1}"
    return "one of " + ", ".join(value_text(value) for value in allowed)


def checked_option(rules: Rules, key: str, value: Any) -> Any:
    """The value of an option, if there is the option and the value is allowed and of its type."""
    check_choice("option", key, tuple(rules.OPTION_VALUES))
    allowed = rules.OPTION_VALUES[key]
    wanted = checked_type(key, value, type(allowed[0]))
    if isinstance(allowed, Text):
        return read_option(key, allowed, wanted)
    if isinstance(allowed, Words):
        wanted = allowed.synonyms.get(wanted, wanted)
    if wanted not in allowed:
        raise ValueError(f"{key}={value_text(wanted)} is not allowed; expected {allowed_text(allowed)}")
    return allowed[allowed.index(wanted)]


def read_option(key: str, allowed: Text, text: str) -> str:
    """The canonical form of the value of an option that is a text."""
    try:
        return allowed.read(text)
    except ValueError as error:
        raise ValueError(f"{key}='{text}' is not allowed; expected {allowed.allowed}: {error}") from None


def check_choice(what: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Refuse a word that is not one of some words."""
    if checked_type(what, value, str) not in allowed:
        raise ValueError(
            f"unknown {what} '{value}'; {f'expected {allowed_text(allowed)}' if allowed else 'there is none'}"
        )


def checked_type(what: str, value: Any, wanted: type) -> Any:
    """The value, if it is of the type: any integer but a boolean is an int."""
    fits = hasattr(value, "__index__") and not isinstance(value, bool) if wanted is int else isinstance(value, wanted)
    if not fits:
        raise TypeError(f"{what} is {value!r}; expected {wanted.__name__}")
    return index(value) if wanted is int else value


def checked_seed(seed: int) -> int:
    """The seed, if it has 64 bits."""
    if not 0 <= index(seed) < 2**64:
        raise ValueError(f"seed {seed} is not in 0 .. 2**64 - 1")
    return index(seed)
