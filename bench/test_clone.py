"""Cloning positions: a copy of some bytes, and a Python object for it."""

import os

import pytest

pytestmark = pytest.mark.benchmark(group="clone")

# Of a native clone, called from Python, by the fastest round. The short run does not hold it: it runs on busy machines.
MOST_NANOSECONDS = dict.fromkeys(
    ("blox", "blox ravensburger2008", "numberplace_city", "numberplace_city players=2"), 300
)


def test_clone(measure, benchmark, name, side, states):
    clones = [state.clone() for state in states]
    assert clones == states
    assert all(one is not other for one, other in zip(clones, states, strict=True))
    measure(lambda: [state.clone() for state in states], side, clones=len(states))
    is_timed = benchmark.stats is not None and os.environ.get("ZIGGURAT_BENCH") != "short"
    if side == "native" and is_timed and name in MOST_NANOSECONDS:
        assert benchmark.stats.stats.min / len(states) * 1e9 < MOST_NANOSECONDS[name]
