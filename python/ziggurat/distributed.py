"""`simulate` and `perft` on the workers of any executor: processes, threads, or the computers of a cluster.

An executor is whatever has `submit(function, *arguments)` that returns a future as those of `concurrent.futures` are.
Work is cut into jobs that depend on their arguments alone, so that what comes back does not depend on who did it, in
which order, or how often it was tried.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from itertools import islice
from operator import index
from queue import SimpleQueue
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from ziggurat import _core, protocols

if TYPE_CHECKING:  # as in protocols.py
    from numpy.typing import NDArray

Report = Callable[[int, int], object]
Unit = Literal["turn", "action"]

RETRIES = 2  #: how often a job that failed is submitted again
IN_FLIGHT = 1024  #: jobs that are in the executor's hands at once, at most
JOB_SECONDS = (0.05, 1.0)  #: the least and the most that a job of `simulate` takes, by the speed of the calling thread
JOB_GAMES = 1 << 17  #: the most games of a job: some megabytes of results
TRIAL_SECONDS = 0.02  #: how long games are played at first to know that speed
MOST_GAMES = 1 << 60
MOST_DEPTH = 1000
FINE = 32  #: a tree is not split further where it would make more than this times IN_FLIGHT branches


class ShardError(RuntimeError):
    """A job failed for good, or its answer is not that of the job, so that the whole is not complete.

    The cause is what its last attempt raised, if it did.
    """

    def __init__(self, message: str, missing: Sequence[Any] = ()) -> None:
        super().__init__(message)
        #: what that job would have done: the indices of games as a range, or the texts of first turns (or actions)
        self.missing = missing


@dataclass(frozen=True)
class Job:
    """A call that a worker makes: a function of a module, and arguments that can be pickled."""

    name: str  #: what is missing without it, for messages
    covers: Sequence[Any]
    work: Callable[..., Any]
    arguments: tuple[Any, ...]

    def error(self, why: str) -> ShardError:
        """What is raised where this job cannot be done."""
        return ShardError(f"{self.name}: {why}", self.covers)


# Jobs


def check_executor(executor: Any) -> None:
    """TypeError for what takes no jobs."""
    if isinstance(executor, type) or not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor has a method submit, like those of concurrent.futures, or is None, not {executor!r}")


def run_jobs(executor: Any, jobs: Iterable[Job], accept: Callable[[Job, Any], object]) -> None:
    """Have all jobs done; each is passed with its result to `accept`, in the order in which they end.

    A job that fails is submitted again, `RETRIES` times at most; then ShardError tells which one it was, and why.
    OverflowError is an answer and raised as it is. However this ends, jobs that have not begun are cancelled.
    """
    flight = _Flight(executor)
    waiting = iter(jobs)
    try:
        for job in islice(waiting, IN_FLIGHT):
            flight.submit(job)
        while flight.jobs:
            accept(*flight.next_result())
            for job in islice(waiting, 1):
                flight.submit(job)
    finally:
        flight.cancel()


class _Flight:
    """The jobs that an executor has in its hands, each with the number of its attempts that failed."""

    def __init__(self, executor: Any) -> None:
        self.jobs: dict[Any, tuple[Job, int]] = {}  # by future
        self._executor = executor
        self._ended: SimpleQueue[Any] = SimpleQueue()  # of futures

    def submit(self, job: Job, failed: int = 0) -> None:
        """Hand a job over. Its attempt is an argument, too: Dask takes equal calls for one and the same."""
        try:
            future = self._executor.submit(job.work, *job.arguments, failed)
        except Exception as error:
            raise job.error(f"the executor takes no jobs: {_told(error)}") from error
        self.jobs[future] = job, failed
        future.add_done_callback(self._ended.put)

    def next_result(self) -> tuple[Job, Any]:
        """Wait for the next job that ends well."""
        while True:
            future = self._ended.get()
            job, failed = self.jobs.pop(future)
            try:
                return job, future.result()
            except (KeyboardInterrupt, OverflowError):
                raise
            except BaseException as error:  # whatever a worker raises, as SystemExit, is a failure of the job alone
                self._try_again(job, failed + 1, error)

    def _try_again(self, job: Job, failed: int, error: BaseException) -> None:
        if isinstance(error, BrokenExecutor):
            raise job.error(f"the executor is broken and takes no jobs any more: {_told(error)}") from error
        if failed > RETRIES:
            raise job.error(f"the job failed {failed} times, at last with {_told(error)}") from error
        self.submit(job, failed)

    def cancel(self) -> None:
        for future in self.jobs:
            future.cancel()


def _told(error: BaseException) -> str:
    """The kind of an error, and its message if it has one."""
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def _short(thing: Any) -> str:
    """A text of a thing of any size, for messages."""
    return reprlib.repr(thing)


def _check_version(version: str) -> None:
    """The first thing that a worker does: no other version is sure to play the same games."""
    from ziggurat import __version__

    if version != __version__:
        raise RuntimeError(f"the worker has ziggurat {__version__}, the caller has {version}")


def _version() -> str:
    from ziggurat import __version__

    return __version__


def _native(unit: Unit) -> Any:
    return getattr(_core.Unit, unit.upper())


def _whole(name: str, value: int, highest: int) -> int:
    """A number from 0 to `highest`; ValueError, or TypeError for what is no number."""
    number = index(value)
    if not 0 <= number <= highest:
        raise ValueError(f"{name} is an integer from 0 to {highest}, not {number}")
    return number


# Games


def simulate(
    game: protocols.Game,
    games: int,
    seed: int,
    uniform: Unit,
    threads: int,
    report: Report | None,
    first: int,
    executor: Any,
) -> dict[str, NDArray[Any]]:
    """The columns of `ziggurat.simulate`, played by the workers of an executor.

    `threads` is the number of threads of each job, at least 1. Raises ShardError for games that could not be played.
    """
    check_executor(executor)
    games, first, seed = _whole("games", games, MOST_GAMES), index(first), index(seed)
    none = _play(game, seed, first, 0, uniform, threads)  # whatever is wrong with the arguments is told here
    _whole("first + games", first + games, MOST_GAMES)
    columns = _empty_columns(none, games)
    done = 0

    def accept(job: Job, part: Any) -> None:
        nonlocal done
        rows = slice(job.covers[0] - first, job.covers[-1] + 1 - first)
        places = {name: column[rows] for name, column in columns.items()}
        _check_columns(job, part, places)
        for name, place in places.items():
            place[:] = part[name]
        done += len(job.covers)
        if report is not None:
            report(done, games)

    if games > 0:
        size = _games_of_a_job(game, games, seed, first, uniform, max(1, threads))
        run_jobs(executor, _game_jobs(game, games, seed, first, uniform, max(1, threads), size), accept)
    return columns


def play_games(
    version: str, game: str, seed: int, first: int, games: int, uniform: Unit, threads: int, failed: int
) -> dict[str, NDArray[Any]]:
    """What a worker does for `simulate`: the columns of the games of a range of indices."""
    from ziggurat.api import load_game

    _check_version(version)
    return _play(load_game(game), seed, first, games, uniform, threads)


def _play(
    game: protocols.Game, seed: int, first: int, games: int, uniform: Unit, threads: int
) -> dict[str, NDArray[Any]]:
    run: Any = game
    columns: dict[str, NDArray[Any]] = run._simulate(games, seed, first, _native(uniform), threads, None)
    return columns


def _game_jobs(
    game: protocols.Game, games: int, seed: int, first: int, uniform: Unit, threads: int, size: int
) -> Iterator[Job]:
    version, text = _version(), str(game)
    for start in range(first, first + games, size):
        covers = range(start, min(start + size, first + games))
        arguments = version, text, seed, start, len(covers), uniform, threads
        yield Job(f"games {covers[0]} to {covers[-1]} of {text} are missing", covers, play_games, arguments)


def _games_of_a_job(game: protocols.Game, games: int, seed: int, first: int, uniform: Unit, threads: int) -> int:
    """So many that a job takes about a second; fewer where there would not be work for all, but not too few."""
    shortest, longest = JOB_SECONDS
    speed = threads * _speed(game, games, seed, first, uniform)
    wanted = min(max(games / IN_FLIGHT, speed * shortest), speed * longest, JOB_GAMES)
    return max(1, round(wanted))


def _speed(game: protocols.Game, games: int, seed: int, first: int, uniform: Unit) -> float:
    """Games a second on one thread, as the first ones are played here."""

    def seconds(count: int) -> float:
        start = perf_counter()
        _play(game, seed, first, count, uniform, 1)
        return max(perf_counter() - start, 1e-6)

    count = 1
    while True:
        found = seconds(count)
        if found >= TRIAL_SECONDS:
            found = min(found, seconds(count))  # something else may have had the processor
        if found >= TRIAL_SECONDS or count == games:
            return count / found
        count = min(2 * count, games)


def _check_columns(job: Job, part: Any, places: dict[str, NDArray[Any]]) -> None:
    """ShardError for an answer that is not the columns of this job's games."""
    import numpy as np

    if not isinstance(part, dict):
        raise job.error(f"a worker gave no columns, but {_short(part)}")
    if part.keys() != places.keys():
        raise job.error(f"a worker gave the columns {_short(list(part))}, not {', '.join(places)}")
    for name, place in places.items():
        values = part[name]
        if not isinstance(values, np.ndarray):
            raise job.error(f"a worker gave no array of {name}, but {_short(values)}")
        kind = values.dtype.newbyteorder("=")  # other processors may have another order of bytes
        if (kind, values.shape) != (place.dtype, place.shape):
            wanted = f"{place.dtype} {place.shape}"
            raise job.error(f"a worker gave {values.dtype} {values.shape} values of {name}, not {wanted}")


def _empty_columns(none: dict[str, NDArray[Any]], games: int) -> dict[str, NDArray[Any]]:
    """Columns like those of no games at all, with room for `games` rows."""
    import numpy as np

    return {name: np.empty((games, *column.shape[1:]), column.dtype) for name, column in none.items()}


# Counts


@dataclass(frozen=True)
class _Branch:
    """A part of the tree: what is `depth` deep below a state belongs to a line of `divide`."""

    state: Any
    depth: int
    line: int


def perft(
    state: protocols.State,
    depth: int,
    unit: Unit,
    divide: bool,
    threads: int,
    hash_mb: int,
    report: Report | None,
    executor: Any,
) -> int | dict[str, int]:
    """The counts of `ziggurat.perft`, by the workers of an executor; `threads` and `hash_mb` are those of each job.

    Raises ShardError for what could not be counted.
    """
    check_executor(executor)
    depth = index(depth)
    if depth < 2:  # there is nothing to share out
        few: int | dict[str, int] = _count(state, depth, unit, divide, threads, hash_mb)
        return few
    _whole("depth", depth, MOST_DEPTH)
    _count(state, 0, unit, False, threads, hash_mb)  # whatever is wrong with the other arguments is told here
    lines, branches = _split(state, depth, unit)
    totals = [0] * len(lines)

    def accept(job: Job, counts: Any) -> None:
        _check_counts(job, counts)
        for line, count in counts:
            totals[line] += count
        if report is not None:
            report(sum(totals), 0)

    run_jobs(executor, _count_jobs(lines, branches, unit, max(1, threads), hash_mb), accept)
    found = dict(zip(lines, map(_fits, totals), strict=True))
    return found if divide else _fits(sum(totals))


def count_branches(
    version: str, branches: list[tuple[str, int, int]], unit: Unit, threads: int, hash_mb: int, failed: int
) -> list[tuple[int, int]]:
    """What a worker does for `perft`: (line, count) for each (text of a state, depth, line)."""
    from ziggurat.api import restore_state

    _check_version(version)
    return [(line, _count(restore_state(text), depth, unit, False, threads, hash_mb)) for text, depth, line in branches]


def _check_counts(job: Job, counts: Any) -> None:
    """ShardError for an answer that is not (line, count) for each branch of this job, in their order."""
    _, branches, *_ = job.arguments
    wanted = [line for _, _, line in branches]
    if not isinstance(counts, list) or not all(_is_counted(pair) for pair in counts):
        raise job.error(f"a worker gave no list of (line, count), but {_short(counts)}")
    if (lines := [line for line, _ in counts]) != wanted:
        raise job.error(f"a worker gave counts of the lines {_short(lines)}, not {_short(wanted)}")


def _is_counted(pair: Any) -> bool:
    """Whether it is two integers, the second one a count that the engine can give."""
    return isinstance(pair, tuple) and [type(part) for part in pair] == [int, int] and 0 <= pair[1] < 1 << 64


def _count(state: Any, depth: int, unit: Unit, divide: bool, threads: int, hash_mb: int) -> Any:
    return state._perft(depth, _native(unit), divide, threads, hash_mb, None)


def _fits(count: int) -> int:
    """The count, if it is one that the engine can give."""
    if count >= 1 << 64:
        raise OverflowError("perft: the count is 2^64 or more")
    return count


def _split(state: Any, depth: int, unit: Unit) -> tuple[list[str], list[_Branch]]:
    """The texts of the first turns (or actions), as in `divide`, and branches enough to share out."""
    root = state._unlimited()  # no branch ends by a limit that perft does not know
    lines: list[str] = []
    branches: list[_Branch] = []
    for actions, child in _first_units(root, unit):
        branches.append(_Branch(child, depth - 1, len(lines)))
        lines.append(root.turn_to_string(actions) if unit == "turn" else root.action_to_string(actions[0]))
    while len(branches) < IN_FLIGHT and (finer := _finer(branches, unit)):
        branches = finer
    return lines, branches


def _children(state: Any) -> Iterator[tuple[int, Any]]:
    """Each legal action, ascending, and the state after it."""
    for action in state.legal_actions().tolist():
        child = state.clone()
        child.apply_action(action)
        yield action, child


def _first_units(state: Any, unit: Unit) -> Iterator[tuple[list[int], Any]]:
    """Each first turn (or action) as actions, and the state after it."""
    for action, child in _children(state):
        if unit == "turn" and child.in_turn():
            yield from (([action, *actions], end) for actions, end in _first_units(child, unit))
        else:
            yield [action], child


def _finer(branches: list[_Branch], unit: Unit) -> list[_Branch]:
    """The same with one more action everywhere; empty if that is not possible, or would be too many."""
    children = sum(branch.state.count_legal() for branch in branches if branch.depth > 1)
    if not 0 < children <= FINE * IN_FLIGHT:
        return []
    finer = []
    for branch in branches:
        if branch.depth == 1:
            finer.append(branch)
            continue
        for _, child in _children(branch.state):
            left = branch.depth if unit == "turn" and child.in_turn() else branch.depth - 1
            finer.append(_Branch(child, left, branch.line))
    return finer


def _count_jobs(lines: list[str], branches: list[_Branch], unit: Unit, threads: int, hash_mb: int) -> Iterator[Job]:
    """Jobs of neighbouring branches."""
    version, size = _version(), -(-len(branches) // IN_FLIGHT) or 1
    for start in range(0, len(branches), size):
        part = branches[start : start + size]
        covers = list(dict.fromkeys(lines[branch.line] for branch in part))
        name = f"counts below {' to '.join(dict.fromkeys((covers[0], covers[-1])))} are missing"
        texts = [(branch.state.serialize(), branch.depth, branch.line) for branch in part]
        yield Job(name, covers, count_branches, (version, texts, unit, threads, hash_mb))
