"""Little room: small stacks, few threads, large tables, and signals while the engine works."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import ziggurat as zg


def run_limited(limits: str, code: str) -> str:
    """What the code prints in a process with limits of the shell."""
    command = ["bash", "-c", f'{limits}; exec "$0" -c "$1"', sys.executable, code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_deep_perft_needs_little_stack():
    code = """
import signal, ziggurat as zg
class Enough(Exception): pass
def stop(*_): raise Enough
signal.signal(signal.SIGALRM, stop)
signal.setitimer(signal.ITIMER_REAL, 1.0)
try:
    zg.perft(zg.load_game("blokus").new_initial_state(), 300)
except Enough:
    print("stopped")
"""
    assert run_limited("ulimit -s 512", code) == "stopped"


def test_fewer_threads_than_asked_for_do_the_work():
    code = """
import ziggurat as zg
print(zg.simulate(zg.load_game("pylos"), 50_000, seed=4, threads=1000).plies.sum())
"""
    alone = zg.simulate(zg.load_game("pylos"), 50_000, seed=4, threads=1).plies.sum()
    assert run_limited("ulimit -v 3000000", code) == str(alone)


def test_an_error_of_a_worker_comes_through():
    code = """
import ziggurat as zg
try:
    zg.perft(zg.load_game("pylos").new_initial_state(), 6, hash_mb=1_000_000, threads=2)
except MemoryError:
    print("no memory for the table")
"""
    assert run_limited("ulimit -v 4000000", code) == "no memory for the table"


class InterruptedByTestError(Exception):
    pass


@pytest.fixture
def interrupt():
    """A signal whose handler raises after some seconds, as Ctrl-C does."""

    def raise_it(*_):
        raise InterruptedByTestError

    old = signal.signal(signal.SIGALRM, raise_it)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, old)


@pytest.mark.parametrize(("name", "hash_mb"), [("pylos", 0), ("pylos", 2000), ("blox", 0), ("numberplace_city", 0)])
def test_a_signal_stops_perft_within_a_second(interrupt, name, hash_mb):
    state = zg.load_game(name).new_initial_state()
    start = time.perf_counter()
    interrupt(0.3)
    with pytest.raises(InterruptedByTestError):
        zg.perft(state, 40, hash_mb=hash_mb, threads=2)
    assert time.perf_counter() - start < 1.3


@pytest.mark.parametrize(
    ("name", "uniform"), [("blokus", "action"), ("blox", "action"), ("blox", "turn"), ("numberplace_city", "action")]
)
def test_a_signal_stops_play_outs_within_a_second(interrupt, name, uniform):
    start = time.perf_counter()
    interrupt(0.3)
    with pytest.raises(InterruptedByTestError):
        zg.simulate(zg.load_game(name), 10_000_000, uniform=uniform, threads=2)
    assert time.perf_counter() - start < 1.3


def test_many_threads_on_a_wide_position_split_with_measure():
    """232 first placements and 64 threads: the tree is not split into millions of tasks."""
    state = zg.load_game("blokus", start="any_corner").new_initial_state()
    assert zg.perft(state, 3, threads=64) == 4682688


def test_an_exception_in_progress_comes_through():
    def fail(done, total):
        raise LookupError(f"{done} of {total}")

    with pytest.raises(LookupError, match="of 10000000"):
        zg.simulate(zg.load_game("blokus"), 10_000_000, threads=2, progress=fail)


def test_progress_counts_up_to_the_games():
    seen = []
    zg.simulate(zg.load_game("blokus"), 20_000, threads=2, progress=lambda done, total: seen.append((done, total)))
    dones = [done for done, _ in seen]
    assert dones == sorted(dones)
    assert {total for _, total in seen} == {20_000}
    assert all(0 <= done <= 20_000 for done in dones)


def test_integers_beyond_64_bits_are_value_errors():
    state = zg.load_game("pylos").new_initial_state()
    blox = zg.load_game("blox").new_initial_state()
    city = zg.load_game("numberplace_city").new_initial_state()
    for call in (
        lambda: state.information_state_string(2**64),
        lambda: state.resample(2**64),
        lambda: state.resample(0, 2**64),
        lambda: blox.resample(0, seed=-(2**70)),
        lambda: blox.reachable(2**64),
        lambda: blox.hand(-(2**64)),
        lambda: city.candidates(2**64),
        lambda: city.events(2**64),
        lambda: state.events(-(2**64)),
        lambda: city.observation_string(2**64),
        lambda: state.apply_action(2**64),
        lambda: state.is_legal(-(2**70)),
        lambda: state.transformed(2**70),
        lambda: state.legal_actions(2**64),
        lambda: state.observation_tensor(2**64),
        lambda: zg.perft(state, 2**64),
        lambda: zg.perft(state, 2, threads=2**64),
        lambda: zg.simulate(state.get_game(), 2**64),
        lambda: zg.simulate(state.get_game(), 1, first=2**64),
        lambda: state.get_game().new_initial_state(2**64),
    ):
        with pytest.raises(ValueError, match=r"\d{20}"):
            call()


def test_numpy_integers_are_integers():
    game = zg.load_game("pylos", max_turns=np.int16(40))
    assert game.options["max_turns"] == 40
    state = game.new_initial_state(np.uint64(2**63))
    state.apply_action(np.int64(3))
    assert zg.perft(state, np.int8(1)) == 15
    assert len(zg.simulate(game, np.int32(3), seed=np.int64(1))) == 3


def test_an_unaligned_array_is_refused():
    state = zg.load_game("pylos").new_initial_state()
    shape = state.get_game().observation_tensor_shape()
    odd = np.zeros(4 * int(np.prod(shape)) + 1, np.uint8)[1:].view(np.float32).reshape(shape)
    with pytest.raises(ValueError, match="aligned"):
        state.observation_tensor(0, out=odd)


def test_other_types_decide_about_equality():
    class Anything:
        def __eq__(self, other):
            return True

        __hash__ = None

    state = zg.load_game("pylos").new_initial_state()
    assert state == Anything()
    assert state.get_game() == Anything()
    assert state != 5
    assert state.get_game() != "pylos()"


def test_arguments_are_checked_at_the_door():
    state = zg.load_game("pylos").new_initial_state()
    for call in (
        lambda: zg.restore_state(5),
        lambda: zg.rules([]),
        lambda: zg.describe(5),
        lambda: zg.perft(state, 1, progress=5),
        lambda: zg.perft(state, 1, divide="no"),
        lambda: zg.simulate(state.get_game(), 1, progress="x"),
        lambda: zg.perft("pylos", 1),
        lambda: zg.simulate("pylos", 1),
    ):
        with pytest.raises(TypeError):
            call()
