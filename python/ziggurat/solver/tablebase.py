"""Tables of solved games: found in the user's cache folder, mapped into memory, asked about any position."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ziggurat._core import _native
from ziggurat.api import Progress, checked_progress, load_game
from ziggurat.errors import ParseError
from ziggurat.protocols import Game, State
from ziggurat.solver.files import beside, checked_path, command_of, part_of, table_files
from ziggurat.solver.general import Probe

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


FAR = 1 << 20  #: more turns than any distance


class TableProbe(NamedTuple):
    """What a table says of a position."""

    value: int  #: for the player to move: +1: he wins, -1: he loses, 0: neither can force a win
    distance: int | None  #: turns of both sides to the end; None where value is 0 or the table has no distances
    best_turns: list[list[int]]  #: as `Tablebase.best_turns`


class JudgedTurn(NamedTuple):
    """A legal turn, and what it comes to under perfect play."""

    actions: list[int]  #: inside a turn: of the rest of it
    value: int  #: for the player who plays it
    distance: int | None  #: turns of both sides to the end, this one included; None as in `TableProbe`

    @property
    def merit(self) -> int:
        """A number that is greater the better a turn is: quick wins, slow wins, draws, slow losses, quick losses."""
        return merit(self.value, self.distance)


class Tablebase:
    """Every position of a game under perfect play. `load` finds one, `build` makes one.

    Distances count the turns of both sides, where the winner plays for the shortest game and the loser for the longest.
    A finished game has distance 0; a turn that a player must skip is not counted. Value 0 is endless play: neither can
    force a win. Limits on the length of a game are ignored, so one table serves them all.

    The files are mapped into memory, not read: opening one costs nothing. Every part of them has a checksum that is
    looked at when it is first used: ValueError where one is damaged. Files that are open may be removed or replaced by
    others, as `build` does, but not be written to or cut in place. A table never changes; copies are the same object,
    and pickles open the files again.
    """

    def __init__(
        self, game: Game, wdl: str | os.PathLike[str], distances: str | os.PathLike[str] | None = None
    ) -> None:
        """Open the file of a game's values, and that of its distances if it is given.

        ParseError for a file that is no table, that is damaged or truncated, or made of another game or by another
        version; OSError for one that cannot be read.
        """
        self.wdl_file = Path(checked_path("wdl", wdl))
        self.distances_file = None if distances is None else Path(checked_path("distances", distances))
        files = [str(self.wdl_file), "" if self.distances_file is None else str(self.distances_file)]
        try:
            self._native = _native.Tablebase(as_game(game), *files)
        except ValueError as error:
            where = " and ".join(filter(None, files))
            raise ParseError(f"{where}: {error}; `{command_of(game)} --anew` makes a new table") from error
        self._game = load_game(self._native.game)

    def __repr__(self) -> str:
        kind = "values and distances" if self.has_distances else "values"
        return f"<table of {self.game}: {kind} of {self.summary['positions']} positions>"

    def __copy__(self) -> Tablebase:
        return self

    def __deepcopy__(self, memory: object) -> Tablebase:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Tablebase, (self.game, self.wdl_file, self.distances_file)

    @property
    def game(self) -> Game:
        """The game of the table, with the usual limit of turns."""
        return self._game

    @property
    def has_distances(self) -> bool:
        """Does the table know distances?"""
        return self._native.has_distances

    @property
    def summary(self) -> dict[str, Any]:
        """What the table holds.

        "positions", "wins", "draws" and "losses" for the player to move; "by_balls", a list of (wins, draws, losses) by
        balls on the board; "passes": a list of dicts with "distance", "win" and "positions": how many positions of an
        unfinished pyramid are won, or lost, in so many turns.
        """
        return self._native.summary

    def probe(self, state: State) -> TableProbe:
        """The value of a state, its distance from the end, and the best turns.

        Inside a turn the value is that of the best way to finish it, which counts as one turn. Raises ValueError for a
        state of another game, TypeError for what is no state of the native engine, and ValueError where the file is
        damaged.
        """
        return TableProbe(*self.value_and_distance(state), self.best_turns(state))

    def value_and_distance(self, state: State) -> Probe:
        """The value and the distance of `probe`, without looking for turns: some microseconds."""
        value, distance = self._native.probe(_checked(state))
        return Probe(value, _known(distance))

    def best_turns(self, state: State) -> list[list[int]]:
        """The turns that keep the value, a win by the shortest way and a loss by the longest; all that keep a draw.

        Each is a list of action ids; inside a turn, of those that finish it. They ascend; after the end there are none.
        Without distances all turns that keep the value are best, but for those that the rules alone tell to be quicker
        or slower. Raises as `probe` does.
        """
        return self._native.best_turns(_checked(state))

    def turns(self, state: State) -> list[JudgedTurn]:
        """Every legal turn (inside a turn: every way to finish it) with what it comes to, ascending by actions.

        None after the end. Raises as `probe` does.
        """
        turns = self._native.turns(_checked(state))
        return [JudgedTurn(actions, value, _known(distance)) for actions, value, distance in turns]

    def probe_batch(
        self,
        own: NDArray[np.uint32],
        other: NDArray[np.uint32],
        values: NDArray[np.int8] | None = None,
        distances: NDArray[np.int16] | None = None,
        threads: int = 1,
    ) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
        """(values, distances), int8[n] and int16[n], of n positions between turns.

        `own` and `other`, contiguous uint32[n], are the balls of the player to move and those of the other: bit i
        stands for cell i; `pack` makes them from states. The distance is -1 where `probe` has none. Written into
        `values` and `distances` if given; nothing is written where there is an error. `threads=0`: all cores.
        ValueError names the first row that is no position; ValueError or TypeError for arrays that do not fit. Ctrl-C
        stops it.
        """
        import numpy as np

        for argument, array in (("own", own), ("other", other)):
            if not isinstance(array, np.ndarray):
                raise TypeError(f"{argument} is an array of uint32, not {array!r}")
        return self._native.probe_batch(own, other, values, distances, threads)

    def pack(self, states: Iterable[State]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """(own, other), uint32[n] each, of states between turns: what `probe_batch` takes.

        Raises as `probe` does, and ValueError for a state inside a turn.
        """
        return self._native.pack(_checked(state) for state in states)

    def unpack(self, threads: int = 0, progress: Progress | None = None) -> None:
        """Decode the whole table into memory, for very many probes: each is then a look-up.

        That takes a byte for every four positions, and with distances one for every position (0.5 and 2.1 GB for all of
        Pylos). ValueError where a file is damaged.
        """
        self._native.unpack(threads, checked_progress(progress))

    def excerpt(self, most_balls: int, wdl: str | os.PathLike[str], distances: str | os.PathLike[str]) -> None:
        """Write tables of the positions with up to `most_balls` balls on the board to two files.

        Probes of other positions raise ValueError there. ValueError for a table without distances and for a number that
        is not from 0 to the cells of the pyramid less two; OSError where a file cannot be written.
        """
        paths = [Path(checked_path("wdl", wdl)), Path(checked_path("distances", distances))]
        parts = [part_of(path) for path in paths]
        try:
            self._native.excerpt(most_balls, *map(str, parts))
            for part, path in zip(parts, paths, strict=True):
                part.replace(path)
        finally:
            for part in parts:
                part.unlink(missing_ok=True)

    def verify(self, progress: Progress | None = None) -> None:
        """Look at every checksum; ValueError names a damaged part. `progress(done, total)` is called all the while."""
        self._native.verify(checked_progress(progress))

    def self_check(
        self, samples: int = 10_000, seed: int = 0, threads: int = 0, progress: Progress | None = None
    ) -> dict[str, Any]:
        """Compare random positions with what follows from the positions that their turns lead to.

        The turns are those of the ordinary rules, which had no part in making the table. ValueError names a position
        that is wrong.
        """
        return self._native.self_check(samples, seed, threads, checked_progress(progress))


def load(
    game: str | Game = "pylos",
    preset: str | None = None,
    path: str | os.PathLike[str] | None = None,
    distances: bool = True,
    **options: str | int | bool,
) -> Tablebase:
    """The table of a game, which `ziggurat solve` or `build` made.

    `game`, `preset` and `options` are those of `load_game`; a limit of turns makes no difference. `path` is the folder
    of tables, or one of a table's files; without one it is the cache folder (`ZIGGURAT_CACHE`, else the user's; extra
    `solver`). Without `distances` only who wins is looked at. Raises FileNotFoundError, which tells the command to run,
    where there is no table; ParseError for a damaged file and for one of another game or version.
    """
    chosen = as_game(game, preset, options)
    if not isinstance(distances, bool):
        raise TypeError(f"distances is True or False, not {distances!r}")
    wdl, far = _places(chosen, path)
    if not wdl.exists():
        words = f"there is no table of {chosen}: run `{command_of(chosen)}` first"
        raise FileNotFoundError(errno.ENOENT, words, str(wdl))
    if distances and not far.exists():
        words = f"the table of {chosen} has no distances: say distances=False, or run `{command_of(chosen)} --anew`"
        raise FileNotFoundError(errno.ENOENT, words, str(far))
    return Tablebase(chosen, wdl, far if distances else None)


def as_game(game: str | Game, preset: str | None = None, options: dict[str, Any] | None = None) -> Game:
    """A game, or the one of a name; TypeError or ValueError for what is none."""
    if isinstance(game, str):
        return load_game(game, preset, **(options or {}))
    if getattr(game, "_simulate", None) is None:
        raise TypeError(f"game is a name or what load_game returns, not {game!r}")
    if preset is not None or options:
        raise TypeError(f"a preset and options go with a game's name, not with {game!r}")
    return game


def merit(value: int, distance: int | None) -> int:
    """A number that is greater the better a result is for its player; an unknown distance is far."""
    return value * (FAR - (FAR - 1 if distance is None else distance))


def _places(game: Game, path: str | os.PathLike[str] | None) -> tuple[Path, Path]:
    """Where the two files of a table should be."""
    if path is None or Path(checked_path("path", path)).is_dir():
        files = table_files(game, path)
        return files.wdl, files.distances
    return beside(Path(path))


def _checked(state: State) -> State:
    if getattr(state, "_perft", None) is None:
        raise TypeError(f"state is a state of a game of load_game, not {state!r}")
    return state


def _known(distance: int) -> int | None:
    return None if distance < 0 else distance
