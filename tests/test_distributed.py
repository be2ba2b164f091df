"""`simulate` and `perft` on executors: the same bytes as on one thread, and no failure that goes unseen."""

import multiprocessing
import os
import pickle
import re
import signal
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.pool import ThreadPool
from pathlib import Path

import numpy as np
import pytest
from common import GAMES, SETS_OF_ACTIONS, ctrl_c

import ziggurat as zg
from ziggurat import distributed
from ziggurat.distributed import Job, ShardError, run_jobs


class Direct:
    """Runs each job where it is submitted: all that an executor must have."""

    def __init__(self):
        self.calls = []

    def submit(self, work, *arguments):
        self.calls.append((work, arguments))
        future = Future()
        try:
            work, arguments = pickle.loads(pickle.dumps((work, arguments)))  # as if it went to another computer
            future.set_result(work(*arguments))
        except BaseException as error:
            future.set_exception(error)
        return future


class Idle:
    """Takes jobs and never begins one of them, but for the first few."""

    def __init__(self, begun=0):
        self.futures, self.begun = [], begun

    def submit(self, work, *arguments):
        future = Future()
        self.futures.append(future)
        if len(self.futures) <= self.begun:
            future.set_result(work(*arguments))
        return future


class Unreliable(Direct):
    """Fails by the rule `fails(number of the call, arguments)`, which may raise."""

    def __init__(self, fails):
        super().__init__()
        self.fails = fails

    def submit(self, work, *arguments):
        return super().submit(Failing(self.fails, len(self.calls), work), *arguments)


class Failing:
    def __init__(self, fails, call, work):
        self.parts = fails, call, work

    def __call__(self, *arguments):
        fails, call, work = self.parts
        fails(call, arguments)
        return work(*arguments)

    def __reduce__(self):
        return kept, (keep(self),)


KEPT = []


def keep(thing):
    KEPT.append(thing)
    return len(KEPT) - 1


def kept(place):
    return KEPT[place]


@pytest.fixture
def short_jobs(monkeypatch):
    """Jobs of seven games, so that a small run has many, however fast the games are."""
    monkeypatch.setattr(distributed, "_games_of_a_job", lambda *arguments: 7)


def same(one, other):
    """Whether two runs are the same to the last byte."""
    assert (one.game, one.seed, one.first, one.uniform) == (other.game, other.seed, other.first, other.uniform)
    assert list(one.columns()) == list(other.columns())
    for name, column in one.columns().items():
        twin = other.columns()[name]
        assert (column.dtype, column.shape, column.tobytes()) == (twin.dtype, twin.shape, twin.tobytes()), name


# Games


@pytest.mark.parametrize("uniform", ["action", "turn"])
@pytest.mark.parametrize("text", SETS_OF_ACTIONS)
def test_games_of_an_executor_are_the_same(short_jobs, text, uniform):
    game, executor = zg.load_game(text), Direct()
    many = zg.simulate(game, 30, 2**64 - 1, uniform, first=11, executor=executor)
    same(many, zg.simulate(game, 30, 2**64 - 1, uniform, threads=1, first=11))
    assert [arguments[3:5] for _, arguments in executor.calls] == [(11, 7), (18, 7), (25, 7), (32, 7), (39, 2)]


@pytest.mark.parametrize("games", [0, 1, 6, 7, 8])
def test_few_games(short_jobs, games):
    game = zg.load_game("blox", max_turns=60)
    same(zg.simulate(game, games, 3, executor=Direct()), zg.simulate(game, games, 3))


def test_games_of_threads_and_processes(monkeypatch):
    monkeypatch.setattr(distributed, "_games_of_a_job", lambda *arguments: 500)
    game = zg.load_game("numberplace_city", players=3)
    wanted = zg.simulate(game, 20_000, 8, threads=1)
    with ThreadPoolExecutor(2) as threads:
        same(zg.simulate(game, 20_000, 8, executor=threads), wanted)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as processes:
        same(zg.simulate(game, 20_000, 8, executor=processes), wanted)
        state = zg.load_game("pylos").new_initial_state()
        assert zg.perft(state, 6, divide=True, executor=processes) == zg.perft(state, 6, divide=True)


def test_threads_of_a_job():
    game = zg.load_game("pylos")
    for threads, of_a_job in ((0, 1), (1, 1), (3, 3)):
        executor = Direct()
        same(zg.simulate(game, 50, threads=threads, executor=executor), zg.simulate(game, 50))
        assert {arguments[6] for _, arguments in executor.calls} == {of_a_job}


def test_size_of_jobs():
    """About a second where there is much to do; else work for all, but not too little at once."""
    game = zg.load_game("blox")
    speed = 1000.0

    def size(games, threads=1):
        return distributed._games_of_a_job(game, games, 0, 0, "action", threads)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distributed, "_speed", lambda *arguments: speed)
        assert size(10**9) == 1000
        assert size(10**9, threads=4) == 4000
        assert size(100_000) == round(100_000 / distributed.IN_FLIGHT)
        assert size(1000) == 50
        speed = 10.0**7
        assert size(10**9) == distributed.JOB_GAMES
        speed = 0.001
        assert size(10**9) == size(1) == 1


def test_speed_is_measured_with_games_that_are_asked_for():
    """A run of one game plays no other one: those could be slow."""
    game = zg.load_game("pylos")
    assert 10 < distributed._speed(game, 1, 0, 0, "action") < 1e7
    assert 1000 < distributed._speed(game, 10**6, 0, 0, "action") < 1e7


def test_speed_is_not_that_of_a_moment(monkeypatch):
    """A pause of the computer during the first game would make a thousand times as many jobs."""
    play, pauses = distributed._play, [0.05]

    def paused(*arguments):
        if pauses:
            time.sleep(pauses.pop())
        return play(*arguments)

    monkeypatch.setattr(distributed, "_play", paused)
    assert distributed._speed(zg.load_game("pylos"), 10**6, 0, 0, "action") > 1000
    assert pauses == []


def test_progress_of_games(short_jobs):
    heard = []
    with ThreadPoolExecutor(3) as executor:
        zg.simulate(zg.load_game("blokus"), 100, progress=lambda *told: heard.append(told), executor=executor)
    done = [number for number, _ in heard]
    assert done == sorted(set(done))
    assert done[-1] == 100
    assert len(done) == 15
    assert {total for _, total in heard} == {100}


def test_progress_bar(short_jobs, capsys):
    assert len(zg.simulate(zg.load_game("pylos"), 30, progress=True, executor=Direct())) == 30


# Counts


def positions():
    """A game for each numbering of actions, from its start and from the middle of a turn if it has turns of several."""
    for text in SETS_OF_ACTIONS:
        state = zg.load_game(text).new_initial_state(1)
        yield state
        for action in (int(a) for a in state.legal_actions()):
            child = state.clone()
            child.apply_action(action)
            if child.in_turn():
                yield child
                break


@pytest.mark.parametrize("state", list(positions()), ids=lambda state: state.serialize()[:60])
@pytest.mark.parametrize("unit", ["turn", "action"])
def test_counts_of_an_executor_are_the_same(monkeypatch, state, unit):
    monkeypatch.setattr(distributed, "IN_FLIGHT", 40)
    depth = 3 if state.count_legal() < 60 else 2
    wanted = zg.perft(state, depth, unit, divide=True)
    found = zg.perft(state, depth, unit, divide=True, executor=Direct())
    assert list(found.items()) == list(wanted.items())
    assert zg.perft(state, depth, unit, executor=Direct()) == sum(wanted.values())


LIMITED = [text for text in GAMES if "max_turns" in zg.load_game(text).options]


@pytest.mark.parametrize("text", LIMITED)
def test_counts_know_no_limit_of_turns(text):
    """[PY-4.4] [BX-4.2] [NC-5.2] The limit is reached inside of the tree, above the branches, or at the root."""
    game = zg.load_game(text, max_turns=1)
    state = game.new_initial_state()
    assert zg.perft(state, 2, divide=True, executor=Direct()) == zg.perft(state, 2, divide=True)
    while not state.is_terminal():
        state.apply_action(int(state.legal_actions()[0]))
    found = zg.perft(state, 2, executor=Direct())
    assert found == zg.perft(state, 2)
    assert found > 0 or "blocks_per_colour=1" in text  # the only one that ends so soon by its rules


def test_counts_of_each_depth():
    state = zg.load_game("pylos", "mini").new_initial_state()
    for depth in range(6):
        assert zg.perft(state, depth, executor=Direct()) == zg.perft(state, depth)
    with pytest.raises(ValueError, match="depth of at least 1"):
        zg.perft(state, 0, divide=True, executor=Direct())


def test_counts_after_the_end():
    game = zg.load_game("pylos", "mini")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(int(state.legal_actions()[0]))
    for depth in (0, 1, 3):
        assert zg.perft(state, depth, executor=Direct()) == zg.perft(state, depth)
    assert zg.perft(state, 3, divide=True, executor=Direct()) == {}


def test_jobs_of_counts(monkeypatch):
    """Few first turns are split further, many branches share a job; table and threads are those of a job."""
    monkeypatch.setattr(distributed, "IN_FLIGHT", 10)
    executor, heard = Direct(), []
    state = zg.load_game("pylos").new_initial_state()
    count = zg.perft(state, 5, threads=2, hash_mb=3, progress=lambda *told: heard.append(told), executor=executor)
    assert count == 524376
    assert len(executor.calls) == 8
    assert sum(len(arguments[1]) for _, arguments in executor.calls) == 16
    assert {arguments[3:5] for _, arguments in executor.calls} == {(2, 3)}
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert heard[-1] == (524376, 0)
    monkeypatch.setattr(distributed, "IN_FLIGHT", 20)
    lines, branches = distributed._split(state, 5, "turn")
    assert (len(lines), len(branches)) == (16, 240)
    monkeypatch.setattr(distributed, "FINE", 11)
    assert len(distributed._split(state, 5, "turn")[1]) == 16


def test_counts_that_are_too_large(monkeypatch):
    state = zg.load_game("pylos", "mini").new_initial_state()
    monkeypatch.setattr(distributed, "IN_FLIGHT", 20)  # so that each line has several branches
    branches = distributed._split(state, 3, "turn")[1]
    assert [branch.line for branch in branches] == [line for line in range(9) for _ in range(8)]
    assert zg.perft(state, 3, executor=Counting({0: 2**60 - 1, 8: 2**60})) == 2**64 - 8
    for divide in (False, True):
        with pytest.raises(OverflowError, match="2\\^64"):
            zg.perft(state, 3, divide=divide, executor=Counting({4: 2**61}))
    counts = zg.perft(state, 3, divide=True, executor=Counting({0: 2**60, 1: 2**61 - 1}))
    assert list(counts.values())[:3] == [2**63, 2**64 - 8, 0]
    with pytest.raises(OverflowError, match="2\\^64"):
        zg.perft(state, 3, executor=Counting({0: 2**60, 1: 2**61 - 1}))

    def overflow(call, arguments):
        raise OverflowError("perft: the count is 2^64 or more")

    executor = Unreliable(overflow)
    with pytest.raises(OverflowError, match="2\\^64"):
        zg.perft(state, 2, executor=executor)
    assert len(executor.calls) == 9  # nothing was tried again


class Counting:
    """Has one count for every branch of a line, by its number."""

    def __init__(self, counts):
        self.counts = counts

    def submit(self, work, version, branches, *arguments):
        future = Future()
        future.set_result([(line, self.counts.get(line, 0)) for _, _, line in branches])
        return future


class Altering(Direct):
    """Does the work, but gives `change(answer)` for the job of a number instead of its answer."""

    def __init__(self, change, job=0):
        super().__init__()
        self.change, self.job = change, job

    def submit(self, work, *arguments):
        future = super().submit(work, *arguments)
        if len(self.calls) - 1 != self.job:
            return future
        changed = Future()
        changed.set_result(self.change(future.result()))
        return changed


# Arguments


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"games": -1}, "games"),
        ({"games": 2**60 + 1}, "games"),
        ({"games": 10**30}, "games"),
        ({"games": 1, "first": -1}, "first"),
        ({"games": 1, "first": 2**60}, "first"),
        ({"games": 1, "threads": -1}, "threads"),
        ({"games": 1, "threads": 1025}, "threads"),
        ({"games": 1, "uniform": "ply"}, "uniform"),
        ({"games": 1, "seed": -1}, "seed"),
        ({"games": 1, "seed": 2**64}, "seed"),
        ({"games": "1"}, ""),
        ({"games": 1.0}, ""),
        ({"games": 1, "seed": 1.0}, ""),
        ({"games": 1, "first": None}, ""),
        ({"games": 1, "threads": None}, ""),
        ({"games": 1, "progress": "yes"}, "progress"),
    ],
)
def test_bad_arguments_of_simulate_are_told_before_anything_is_submitted(arguments, told):
    executor = Direct()
    with pytest.raises((TypeError, ValueError)) as caught:
        zg.simulate(zg.load_game("pylos"), **arguments, executor=executor)
    assert told in str(caught.value)
    assert executor.calls == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"depth": -1}, "depth"),
        ({"depth": 1001}, "depth"),
        ({"depth": 10**30}, "depth"),
        ({"depth": 2.0}, ""),
        ({"depth": "2"}, ""),
        ({"depth": 2, "unit": "ply"}, "unit"),
        ({"depth": 2, "divide": 1}, "divide"),
        ({"depth": 2, "threads": -1}, "threads"),
        ({"depth": 2, "hash_mb": -1}, "hash_mb"),
        ({"depth": 2, "hash_mb": 2**21}, "hash_mb"),
        ({"depth": 2, "progress": 1}, "progress"),
    ],
)
def test_bad_arguments_of_perft_are_told_before_anything_is_submitted(arguments, told):
    executor = Direct()
    with pytest.raises((TypeError, ValueError)) as caught:
        zg.perft(zg.load_game("pylos").new_initial_state(), **arguments, executor=executor)
    assert told in str(caught.value)
    assert executor.calls == []


@pytest.mark.parametrize("executor", [1, "threads", object(), ThreadPoolExecutor, [], True])
def test_what_is_no_executor(executor):
    game = zg.load_game("pylos")
    for ask in (
        lambda: zg.simulate(game, 3, executor=executor),
        lambda: zg.perft(game.new_initial_state(), 3, executor=executor),
    ):
        with pytest.raises(TypeError, match="executor has a method submit"):
            ask()


def test_more_games_than_fit_into_memory():
    executor = Direct()
    with pytest.raises((MemoryError, ValueError)):
        zg.simulate(zg.load_game("pylos"), 2**60, executor=executor)
    assert executor.calls == []


# Failures


def test_failed_jobs_are_submitted_again(short_jobs):
    def fails(call, arguments):
        if arguments[-1] < distributed.RETRIES:
            raise [OSError("gone"), SystemExit(1)][arguments[-1]]

    game, executor, heard = zg.load_game("pylos"), Unreliable(fails), []
    many = zg.simulate(game, 30, 4, progress=lambda *told: heard.append(told), executor=executor)
    same(many, zg.simulate(game, 30, 4))
    assert len(executor.calls) == 5 * (1 + distributed.RETRIES)
    assert heard == [(7, 30), (14, 30), (21, 30), (28, 30), (30, 30)]


def test_games_that_cannot_be_played_are_reported(short_jobs):
    def fails(call, arguments):
        if arguments[3] == 14:
            raise MemoryError("of the worker")

    executor = Unreliable(fails)
    with pytest.raises(ShardError) as caught:
        zg.simulate(zg.load_game("pylos"), 30, executor=executor)
    assert str(caught.value) == (
        "games 14 to 20 of pylos() are missing: the job failed 3 times, at last with MemoryError: of the worker"
    )
    assert caught.value.missing == range(14, 21)
    assert isinstance(caught.value.__cause__, MemoryError)
    assert sum(arguments[3] == 14 for _, arguments in executor.calls) == 1 + distributed.RETRIES
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.missing) == (str(caught.value), caught.value.missing)


def test_counts_that_cannot_be_found_are_reported(monkeypatch):
    def fails(call, arguments):
        raise RuntimeError

    monkeypatch.setattr(distributed, "IN_FLIGHT", 8)
    with pytest.raises(ShardError) as caught:
        zg.perft(zg.load_game("pylos").new_initial_state(), 3, executor=Unreliable(fails))
    assert str(caught.value) == (
        "counts below 1a1 to 1b1 are missing: the job failed 3 times, at last with RuntimeError"
    )
    assert caught.value.missing == ["1a1", "1b1"]


def test_an_interrupted_worker_interrupts():
    def fails(call, arguments):
        raise KeyboardInterrupt

    executor = Unreliable(fails)
    with pytest.raises(KeyboardInterrupt):
        zg.simulate(zg.load_game("pylos"), 3, executor=executor)
    assert len(executor.calls) == 1


def test_workers_have_the_same_version(monkeypatch):
    class Older(Direct):
        def submit(self, work, version, *arguments):
            return super().submit(work, "0.0.1", *arguments)

    with pytest.raises(ShardError, match=rf"the worker has ziggurat {zg.__version__}, the caller has 0\.0\.1"):
        zg.simulate(zg.load_game("pylos"), 3, executor=Older())
    with pytest.raises(ShardError, match=rf"the worker has ziggurat {zg.__version__}, the caller has 0\.0\.1"):
        zg.perft(zg.load_game("pylos").new_initial_state(), 3, executor=Older())


def without(columns, name):
    return {key: values for key, values in columns.items() if key != name}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda part: None, "a worker gave no columns, but None"),
        (lambda part: list(part.values()), "a worker gave no columns, but [array"),
        (lambda part: {}, "a worker gave the columns [], not "),
        (lambda part: without(part, "plies"), "a worker gave the columns ["),
        (lambda part: part | {"more": part["plies"]}, "a worker gave the columns ["),
        (lambda part: without(part, "plies") | {"Plies": part["plies"]}, "a worker gave the columns ["),
        (lambda part: part | {"plies": None}, "a worker gave no array of plies, but None"),
        (lambda part: part | {"plies": part["plies"].tolist()}, "a worker gave no array of plies, but ["),
        (lambda part: part | {"plies": part["plies"] + 0.5}, "a worker gave float64 (7,) values of plies, not int32"),
        (lambda part: part | {"plies": part["plies"].astype("int64")}, "a worker gave int64 (7,) values of plies"),
        (lambda part: part | {"plies": part["plies"].astype(object)}, "a worker gave object (7,) values of plies"),
        (lambda part: part | {"plies": part["plies"].astype("uint32")}, "a worker gave uint32 (7,) values of plies"),
        (lambda part: part | {"plies": part["plies"][:1]}, "a worker gave int32 (1,) values of plies, not int32 (7,)"),
        (lambda part: part | {"scores": part["scores"][:, :1]}, "a worker gave int32 (7, 1) values of scores"),
        (lambda part: {name: values[1:] for name, values in part.items()}, "a worker gave int32 (6, 2) values of"),
    ],
)
@pytest.mark.parametrize("job", [0, 3])
def test_columns_that_are_not_those_of_the_job_are_refused(short_jobs, change, told, job):
    executor = Altering(change, job)
    with pytest.raises(ShardError) as caught:
        zg.simulate(zg.load_game("pylos"), 35, first=2, executor=executor)
    start = 2 + 7 * job
    assert str(caught.value).startswith(f"games {start} to {start + 6} of pylos() are missing: ")
    assert told in str(caught.value)
    assert len(str(caught.value)) < 600
    assert caught.value.missing == range(start, start + 7)
    assert len(executor.calls) == 5  # it was not asked again


def test_columns_of_another_order_of_bytes(short_jobs):
    """As they come from another processor: the same numbers."""

    def swap(part):
        return {name: values.astype(values.dtype.newbyteorder(">")) for name, values in part.items()}

    game = zg.load_game("blox", max_turns=60)
    same(zg.simulate(game, 30, 5, executor=Altering(swap, 1)), zg.simulate(game, 30, 5))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda counts: None, "a worker gave no list of (line, count), but None"),
        (lambda counts: 7, "a worker gave no list of (line, count), but 7"),
        (dict, "a worker gave no list of (line, count), but {"),
        (lambda counts: [line for line, _ in counts], "a worker gave no list of (line, count), but [1, 1"),
        (lambda counts: [*counts[:-1], None], "a worker gave no list of"),
        (lambda counts: [(line, float(count)) for line, count in counts], "a worker gave no list of"),
        (lambda counts: [(line, str(count)) for line, count in counts], "a worker gave no list of"),
        (lambda counts: [(line, True) for line, _ in counts], "a worker gave no list of"),
        (lambda counts: [(line, -count) for line, count in counts], "a worker gave no list of"),
        (lambda counts: [(line, 2**64) for line, count in counts], "a worker gave no list of"),
        (lambda counts: [(line, count, 0) for line, count in counts], "a worker gave no list of"),
        (lambda counts: [], "a worker gave counts of the lines [], not [1, 1, 1, 1]"),
        (lambda counts: counts[:-1], "a worker gave counts of the lines [1, 1, 1], not [1, 1, 1, 1]"),
        (lambda counts: counts + counts[:1], "a worker gave counts of the lines [1, 1, 1, 1, 1], not"),
        (lambda counts: [(-1, count) for _, count in counts], "a worker gave counts of the lines [-1, -1"),
        (lambda counts: [(99, count) for _, count in counts], "a worker gave counts of the lines [99, 99"),
        (lambda counts: [(0, count) for _, count in counts], "a worker gave counts of the lines [0, 0"),
    ],
)
@pytest.mark.parametrize("divide", [False, True])
def test_counts_that_are_not_those_of_the_job_are_refused(monkeypatch, change, told, divide):
    monkeypatch.setattr(distributed, "IN_FLIGHT", 20)
    state, executor = zg.load_game("pylos", "mini").new_initial_state(), Altering(change, 2)
    with pytest.raises(ShardError) as caught:
        zg.perft(state, 3, divide=divide, executor=executor)
    lines = list(zg.perft(state, 1, divide=True))
    assert str(caught.value).startswith(f"counts below {lines[1]} are missing: ")
    assert told in str(caught.value)
    assert caught.value.missing == [lines[1]]
    assert len(executor.calls) == 18


def test_executor_of_the_documentation():
    """For pools like Ray's: those of the standard library have the same methods."""
    text = (Path(__file__).parents[1] / "docs" / "distribution.md").read_text(encoding="utf-8")
    names = {}
    exec(re.search(r"```python\n(import concurrent\.futures\n.*?)```", text, re.DOTALL)[1], names)
    game, gate = zg.load_game("pylos"), threading.Event()
    with ThreadPool(1) as pool:
        executor = names["RayExecutor"](pool)
        same(zg.simulate(game, 50, executor=executor), zg.simulate(game, 50))
        assert isinstance(executor.submit(divmod, 1, 0).exception(timeout=60), ZeroDivisionError)
        first, *others = [executor.submit(gate.wait, 60), executor.submit(divmod, 1, 0), executor.submit(divmod, 1, 1)]
        assert [future.cancel() for future in others] == [True, True]
        gate.set()
        assert first.result(timeout=60) is True
        assert executor.submit(divmod, 7, 2).result(timeout=60) == (3, 1)  # the pool has lived through that


def test_closed_executor():
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(
        ShardError, match=r"games 0 to 2 of .* the executor takes no jobs: RuntimeError: cannot schedule"
    ):
        zg.simulate(zg.load_game("pylos"), 3, executor=executor)


def test_pool_whose_process_dies(short_jobs):
    """A broken pool cannot be used again: that is said, with what is missing."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        pids = []

        def kill(done, games):
            if not pids:
                pids.extend(executor._processes)
                os.kill(pids[0], signal.SIGKILL)

        with pytest.raises(ShardError, match=r"games \d+ to \d+ of .* are missing: the executor ") as caught:
            zg.simulate(zg.load_game("blokus"), 100_000, progress=kill, executor=executor)
    assert isinstance(caught.value.__cause__, BrokenProcessPool)
    assert pids


def test_broken_executor_is_not_asked_again(short_jobs):
    def fails(call, arguments):
        raise BrokenProcessPool("gone")

    executor = Unreliable(fails)
    with pytest.raises(
        ShardError, match=r"games 0 to 6 of .* the executor is broken and takes no jobs any more: Broken"
    ):
        zg.simulate(zg.load_game("pylos"), 14, executor=executor)
    assert len(executor.calls) == 2


# What is in flight


def test_bounded_number_in_flight(monkeypatch):
    monkeypatch.setattr(distributed, "IN_FLIGHT", 5)
    drawn, most = [], []

    def jobs():
        for number in range(300):
            drawn.append(number)
            yield Job(str(number), range(1), pow, (2,))

    def accept(job, result):
        done.append(job.name)
        most.append(len(drawn) - len(done))

    done = []
    with ThreadPoolExecutor(2) as executor:
        run_jobs(executor, jobs(), accept)
    assert sorted(done, key=int) == [str(number) for number in range(300)]
    assert max(most) <= 5


def test_jobs_are_made_when_they_are_needed():
    """However many there are."""

    def jobs():
        for number in range(10**12):
            drawn.append(number)
            yield Job("", range(1), pow, (2,))

    def stop(job, result):
        raise InterruptedError

    drawn, executor = [], Direct()
    with pytest.raises(InterruptedError):
        run_jobs(executor, jobs(), stop)
    assert len(drawn) == distributed.IN_FLIGHT


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_what_has_not_begun_is_cancelled(short_jobs, error):
    def progress(done, games):
        raise error

    executor = Idle(begun=2)
    with pytest.raises(error):
        zg.simulate(zg.load_game("pylos"), 70, progress=progress, executor=executor)
    assert [future.cancelled() for future in executor.futures] == [False] * 2 + [True] * 8


def test_failure_cancels_the_rest(short_jobs):
    class Broken(Idle):
        def submit(self, work, *arguments):
            if len(self.futures) == 5:
                raise RuntimeError("full")
            return super().submit(work, *arguments)

    executor = Broken()
    with pytest.raises(ShardError, match=r"games 35 to 41 of .* the executor takes no jobs: RuntimeError: full"):
        zg.simulate(zg.load_game("pylos"), 70, executor=executor)
    assert all(future.cancelled() for future in executor.futures)


def test_jobs_that_others_cancel(short_jobs):
    class Cancelling(Executor):
        def submit(self, work, *arguments):
            future = Future()
            future.cancel()
            return future

    with pytest.raises(ShardError, match="the job failed 3 times, at last with CancelledError"):
        zg.simulate(zg.load_game("pylos"), 70, executor=Cancelling())


def test_ctrl_c_while_waiting(short_jobs):
    executor = Idle()
    start = time.perf_counter()
    with ctrl_c(), pytest.raises(KeyboardInterrupt):
        zg.simulate(zg.load_game("pylos"), 70, executor=executor)
    assert time.perf_counter() - start < 5
    assert len(executor.futures) == 10
    assert all(future.cancelled() for future in executor.futures)


# A cluster


def works_at_last(failed):
    if failed < distributed.RETRIES:
        raise OSError("not yet")
    return os.getpid()


def test_cluster_of_which_a_worker_is_killed(monkeypatch):
    """Three processes, one of which dies in the middle of the run with jobs in its hands: nothing is missing."""
    from distributed import Client, LocalCluster

    monkeypatch.setattr(distributed, "_games_of_a_job", lambda *arguments: 250)
    game, killed = zg.load_game("blokus"), []

    def kill(done, games):
        if not killed:
            workers = cluster.scheduler.workers
            busiest = max(workers, key=lambda address: len(workers[address].processing))
            killed.append((done, len(workers[busiest].processing), pids[busiest]))
            os.kill(pids[busiest], signal.SIGKILL)

    with (
        LocalCluster(
            n_workers=3,
            processes=True,
            threads_per_worker=1,
            dashboard_address=":0",  # its port is free, even where other clusters run
            silence_logs=50,
        ) as cluster,
        Client(cluster) as client,
    ):
        pids = client.run(os.getpid)
        assert len(set(pids.values()) - {os.getpid()}) == 3
        executor = client.get_executor()
        many = zg.simulate(game, 30_000, 6, executor=executor, progress=kill)
        answered = []
        run_jobs(executor, [Job("a job", range(1), works_at_last, ())], lambda job, pid: answered.append(pid))
        state = zg.load_game("pylos", "mini").new_initial_state()
        assert zg.perft(state, 4, divide=True, executor=executor) == zg.perft(state, 4, divide=True)
    same(many, zg.simulate(game, 30_000, 6))
    [(done, in_hand, pid)] = killed
    assert 0 < done < 30_000
    assert in_hand > 0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert answered
    assert answered[0] not in (os.getpid(), pid)


def test_columns_are_arrays_of_their_own(short_jobs):
    results = zg.simulate(zg.load_game("pylos"), 20, executor=Direct())
    for column in results.columns().values():
        assert column.flags.writeable
        assert column.flags.c_contiguous
        assert isinstance(column, np.ndarray)
