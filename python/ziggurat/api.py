"""The functions of the public API over the native engine."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from operator import index
from typing import Any, Literal, TypeAlias, overload

from ziggurat import _core
from ziggurat.about import build_info
from ziggurat.errors import ParseError
from ziggurat.protocols import Game, State
from ziggurat.results import Results

Progress: TypeAlias = Callable[[int, int], object]  #: called with (done, total); total is 0 where it is not known
Unit: TypeAlias = Literal["turn", "action"]


def games() -> list[str]:
    """The names of all games."""
    return sorted(_core.families)


def load_game(name: str, preset: str | None = None, **options: str | int | bool) -> Game:
    """The game `name` with a preset and options, each over the one before.

    `name` may also be a game's canonical text, such as `"pylos(removal=mandatory)"`. `describe(name)` lists options and
    presets. Raises ValueError for an unknown game, preset, option or value (the message says what there is) and
    TypeError for a value of the wrong type.
    """
    _check_text("name", name)
    base, settings = _split(name)
    game: Game = _family(base)["make"](preset, settings, options)
    return game


def _split(name: str) -> tuple[str, str]:
    """The name and the settings of a canonical text."""
    match = re.fullmatch(r"([^()]*)\((.*)\)", name)
    return (match[1], match[2]) if match else (name, "")


def restore_state(text: str, version: int = 1) -> State:
    """The state of any game that `State.serialize` wrote.

    Pickles are calls of it, with the version of their form: 1 is the only one so far, and those that name none are of
    it, too. Raises ParseError for text that is malformed, and for another version.
    """
    if not isinstance(version, int) or version != 1:
        raise ParseError(f"a state of version {version!r} cannot be read: this ziggurat knows version 1")
    _check_text("text", text)
    end = text.find(") ") + 1
    return _game_of(text[:end] if end else text).deserialize(text)


@lru_cache(maxsize=64)
def _game_of(text: str) -> Game:
    """The game of a canonical text, kept for the next state of it: games never change."""
    return load_game(text)


def rules(name: str) -> str:
    """The rules page of a game: Markdown, with numbered clauses. Raises ValueError for an unknown game."""
    from importlib import resources  # costs 10 ms, which nobody should pay on import

    _family(name)
    return (resources.files("ziggurat") / "rules" / f"{name}.md").read_text(encoding="utf-8")


def describe(name: str) -> dict[str, Any]:
    """The options and presets of a game, and the arrays it offers. Raises ValueError for an unknown game.

    "options" is a list of dicts with "name", "default", "allowed" (in words) and "about"; "presets", "analyses"
    (of `State.analysis`), "tables" (of `Game.table`) and "views" (methods of a state that take a player) map names to
    words; "counters" is a list of the names in `Results.counters`.
    """
    family = _family(name)
    options = [dict(option) for option in family["options"]]
    named = {key: dict(family[key]) for key in ("presets", "analyses", "tables", "views")}
    return {"options": options, **named, "counters": list(family["counters"])}


def _family(name: str) -> dict[str, Any]:
    _check_text("name", name)
    if name not in _core.families:
        raise ValueError(f"unknown game {name!r}; there are: {', '.join(games())}")
    family: dict[str, Any] = _core.families[name]
    return family


def _check_text(argument: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{argument} is a string, not {value!r}")


@overload
def perft(
    state: State,
    depth: int,
    unit: Unit = "turn",
    divide: Literal[False] = False,
    threads: int = 1,
    hash_mb: int = 0,
    progress: Progress | None = None,
    executor: Any = None,
) -> int: ...


@overload
def perft(
    state: State,
    depth: int,
    unit: Unit = "turn",
    *,
    divide: Literal[True],
    threads: int = 1,
    hash_mb: int = 0,
    progress: Progress | None = None,
    executor: Any = None,
) -> dict[str, int]: ...


@overload
def perft(
    state: State,
    depth: int,
    unit: Unit = "turn",
    divide: bool = False,
    threads: int = 1,
    hash_mb: int = 0,
    progress: Progress | None = None,
    executor: Any = None,
) -> int | dict[str, int]: ...


def perft(
    state: State,
    depth: int,
    unit: Unit = "turn",
    divide: bool = False,
    threads: int = 1,
    hash_mb: int = 0,
    progress: Progress | None = None,
    executor: Any = None,
) -> int | dict[str, int]:
    """The number of sequences of exactly `depth` turns (or actions); a finished game counts 0 beyond its end.

    With `divide` (depth >= 1) a dict from the text of each first turn (or action) to what is below it. `threads=0` uses
    all cores. `hash_mb` megabytes of transposition table, for all threads together, never change a result.
    `progress(leaves, 0)` is called about 20 times a second. Limits on the length of a game are ignored. `executor`
    shares the work out, as in `simulate`; `threads` (0: one) and `hash_mb` are then those of each job. Raises
    ValueError for bad numbers, TypeError for wrong types and OverflowError for counts of 2**64 or more.
    """
    count = getattr(state, "_perft", None)
    if count is None:
        raise TypeError(f"state is a state of a game of load_game, not {state!r}")
    if not isinstance(divide, bool):
        raise TypeError(f"divide is True or False, not {divide!r}")
    checked_progress(progress)
    native_unit = _unit("unit", unit)
    if executor is not None:
        from ziggurat import distributed

        return distributed.perft(state, depth, unit, divide, threads, hash_mb, progress, executor)
    found: int | dict[str, int] = count(depth, native_unit, divide, threads, hash_mb, progress)
    return found


def simulate(
    game: Game,
    games: int = 100_000,
    seed: int = 0,
    uniform: Unit = "action",
    threads: int = 0,
    progress: bool | Progress = False,
    first: int = 0,
    executor: Any = None,
) -> Results:
    """Play uniform random games and return their `Results`.

    Game i has index `first + i` and depends on (game, seed, index, uniform) alone, not on threads or on how a run is
    split. `uniform` tells what is drawn: single actions, or whole turns. `threads=0` uses all cores. `progress=True`
    shows a bar (extra `cli`), a function is called with (games done, games). Ctrl-C stops within a second.

    `executor`, like those of `concurrent.futures` (all that is needed is `submit`), has the games played by processes
    or other computers; `threads` (0: one) are then those of each job. Raises ValueError for bad numbers, TypeError for
    wrong types and `ziggurat.distributed.ShardError` for games that the executor could not have played.
    """
    run = getattr(game, "_simulate", None)
    if run is None:
        raise TypeError(f"game is what load_game returns, not {game!r}")
    unit = _unit("uniform", uniform)
    with _progress_bar(progress, index(games)) as report:
        if executor is None:
            columns = run(games, seed, first, unit, threads, report)
        else:
            from ziggurat import distributed

            columns = distributed.simulate(game, games, seed, uniform, threads, report, first, executor)
    counts = columns.pop("counts")
    counters = {name: counts[:, i].copy() for i, name in enumerate(_core.families[game.name]["counters"])}
    about = str(game), index(seed), index(first), uniform
    return Results(*about, counters=counters, build=build_info(), **columns)


def checked_progress(progress: Progress | None) -> Progress | None:
    """A function or None; TypeError for anything else."""
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is a function or None, not {progress!r}")
    return progress


def _unit(argument: str, value: str) -> Any:
    if value not in ("turn", "action"):
        raise ValueError(f"{argument} is 'turn' or 'action', not {value!r}")
    return _core.Unit.TURN if value == "turn" else _core.Unit.ACTION


def _progress_bar(progress: bool | Progress, total: int) -> AbstractContextManager[Progress | None]:
    """What reports progress: the caller's function, a bar, or nothing."""
    if callable(progress):
        return nullcontext(progress)
    if not isinstance(progress, bool):
        raise TypeError(f"progress is True, False or a function, not {progress!r}")
    if not progress:
        return nullcontext(None)
    from ziggurat.cli.bar import progress_bar

    return progress_bar(total)
