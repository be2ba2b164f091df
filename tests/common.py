"""What several tests share: the games to test, random walks, and all that can be read off a state."""

import os
import random
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

import ziggurat as zg
from ziggurat import _core, reference
from ziggurat.reference.api import find_rules

COLUMNS = ("scores", "returns", "winners", "plies", "turns", "legal_total", "legal_max", "forced_passes")


def settings_of(name: str) -> list[str]:
    """The canonical texts of a game: its defaults, each preset, and the law options of both implementations."""
    family = _core.families[name]
    games = [zg.load_game(name)]
    games += [zg.load_game(name, preset) for preset in family["presets"]]
    games += [zg.load_game(f"{name}({settings})") for settings in family["law_options"]]
    games += [zg.load_game(name, **options) for options in find_rules(name).LAW_OPTIONS]
    return list(dict.fromkeys(str(game) for game in games))


GAMES = [text for name in zg.games() for text in settings_of(name)]


def is_quick(text: str) -> bool:
    """Whether the reference says all about a position within a few milliseconds: not on large boards."""
    return bool(zg.load_game(text).num_distinct_actions() < 3000)


QUICK = [text for text in GAMES if is_quick(text)]
LONG = [text for text in GAMES if text not in QUICK]


def one_each(*options: str) -> list[str]:
    """Of the games that have the same values of some options the first one; options that a game lacks are None."""
    found: dict[tuple[Any, ...], str] = {}
    for text in GAMES:
        game = zg.load_game(text)
        found.setdefault((game.name, *map(game.options.get, options)), text)
    return list(found.values())


SETS_OF_ACTIONS = one_each("base", "board", "pieces", "pawns")  # a game for each numbering of actions


def both(text: str) -> tuple[Any, Any]:
    """A game in the native engine and in the reference."""
    return zg.load_game(text), reference.load_game(text)


# Games of whose actions some kinds are rare: what tells the kind in the text of an action, and how often a walk chooses
# a kind first and then an action of it.
KINDS: dict[str, tuple[Callable[[str], str], float]] = {
    "blox": (lambda text: next((sign for sign in "@x~-db" if sign in text), text), 0.8),
    "numberplace_city": (lambda text: "lay" if re.match(r"r\d", text) else text.partition("=")[0], 0.3),
}


@cache
def kinds(text: str) -> list[str]:
    """The kind of each action of a game."""
    game = zg.load_game(text)
    kind, _ = KINDS[game.name]
    return [kind(game.action_to_string(action)) for action in range(game.num_distinct_actions())]


def chosen(rng: random.Random, state: Any) -> int:
    """A random legal action; where some kinds of them are rare, often of a random kind."""
    legal = [int(action) for action in state.legal_actions()]
    game = state.get_game()
    if game.name not in KINDS or rng.random() >= KINDS[game.name][1]:
        return rng.choice(legal)
    of = kinds(str(game))
    kind = rng.choice(sorted({of[action] for action in legal}))
    return rng.choice([action for action in legal if of[action] == kind])


def walk(game: Any, seed: int, limit: int = 400) -> Iterator[Any]:
    """The states of a random game, from its start to its end or to the limit: one object that is played on."""
    rng = random.Random(f"{game} {seed}")
    state = game.new_initial_state(seed)
    yield state
    for _ in range(limit):
        if state.is_terminal():
            return
        state.apply_action(chosen(rng, state))
        yield state


def positions(game: Any, seeds: range, limit: int = 400) -> Iterator[Any]:
    """The states of some random games; each time a copy of its own."""
    for seed in seeds:
        for state in walk(game, seed, limit):
            yield state.clone()


def has_secrets(game: Any) -> bool:
    """Whether players do not see everything, and chance has a part in the game."""
    return hides_something(str(game.name))


@cache
def hides_something(name: str) -> bool:
    """Whether what a player knows at the start of a game is not the whole position."""
    state = zg.load_game(name).new_initial_state()
    return bool(state.information_state_string(0) != state.serialize().removeprefix(f"{state.get_game()} "))


def knowing(game: Any) -> range:
    """The players whose knowledge is looked at: where there are no secrets one is enough."""
    return range(0 if has_secrets(game) else game.num_players() - 1, game.num_players())


def single_actions(game: Any) -> bool:
    """Whether every turn of the game is one action."""
    return game.name in ("blokus", "numberplace_city")


def is_costly(game: Any) -> bool:
    """Whether games have thousands of actions, each of which costs the reference milliseconds: fewer are compared."""
    return str(game.name) == "blox"


def is_long(game: Any) -> bool:
    """Whether a game has so many actions that not every position is looked at."""
    return is_costly(game) and game.options["max_turns"] > 100


def ended_by_the_rules(state: Any) -> bool:
    """Whether a game that is over did not just reach its limit of turns."""
    game, fields = state.get_game(), state.serialize().split(" ")
    if game.name == "blox":
        return bool(fields[6:8] == ["4+", "0"])  # [BX-4.1]
    if game.name == "numberplace_city":
        return bool(fields[9] != "-")  # [NC-8.3]
    return bool(game.options.get("max_turns", 0) in (0, 2000) or state.winners())


def facts(state: Any) -> dict[str, Any]:
    """All that an implementation says about a state, in plain values; turns are counted apart: that can be slow."""
    game = state.get_game()
    legal = [int(action) for action in state.legal_actions()]
    return {
        "text": state.serialize(),
        "player": state.current_player(),
        "in turn": state.in_turn(),
        "terminal": state.is_terminal(),
        "winners": state.winners(),
        "scores": [int(x) for x in state.scores()],
        "returns": [float(x) for x in state.returns()],
        "legal": legal,
        "texts": [state.action_to_string(action) for action in legal],
        "mask": np.flatnonzero(state.legal_actions_mask()).tolist(),
        "count": state.count_legal(),
        "others": [len(state.legal_actions(p)) for p in range(game.num_players())],
        "observations": [seen(state, p) for p in range(game.num_players())],
        "known": [state.information_state_string(p) for p in knowing(game)],
    }


def arrays(state: Any) -> dict[str, bytes]:
    """All analyses of a state."""
    names = zg.describe(state.get_game().name)["analyses"]
    return {name: np.asarray(state.analysis(name), np.float32).tobytes() for name in names}


def views(state: Any) -> dict[tuple[str, int], list[int]]:
    """All arrays of each player."""
    names, players = zg.describe(state.get_game().name)["views"], range(state.get_game().num_players())
    return {(name, p): np.ravel(getattr(state, name)(p)).tolist() for name in names for p in players}


def samples(state: Any, seeds: range) -> list[str]:
    """The texts of what each player could as well believe to be the state."""
    players = range(state.get_game().num_players())
    return [state.resample(player, seed).serialize() for player in players for seed in seeds]


def seen(state: Any, player: int) -> bytes:
    """The observations of a player, in both encodings, as bytes."""
    whole, row = (state.observation_tensor(player, encoding=encoding) for encoding in ("planes", "compact"))
    return np.asarray(whole, np.float32).tobytes() + np.asarray(row, np.float32).tobytes()


def columns(results: Any) -> dict[str, list[Any]]:
    """The columns of a run as lists."""
    own = {name: np.asarray(getattr(results, name)).tolist() for name in COLUMNS}
    return own | {f"counter {name}": np.asarray(column).tolist() for name, column in results.counters.items()}


# A few games for what costs too much with all of them: each kind, short, with and without secrets.
SOME = [
    "blokus(sharing=fourth)",
    "blokus(board=8,colours=2,starts=c6+f3,pieces=up_to_4,scoring=basic)",
    "blox(players=3,hand=2,max_turns=30)",
    "numberplace_city(players=3,max_turns=30)",
    "pylos()",
]
SECRETIVE = [text for text in SOME if has_secrets(zg.load_game(text))]


@contextmanager
def ctrl_c(seconds: float = 0.3) -> Iterator[None]:
    """Somebody interrupts the block after a while."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)
