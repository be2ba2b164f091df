"""Perft: how many sequences of turns there are from the start."""

from functools import cache

import pytest
from harness import load

import ziggurat as zg
from ziggurat import reference

pytestmark = pytest.mark.benchmark(group="perft")

# The reference needs about a second at most.
DEPTHS = {
    "pylos": 3,
    "blokus": 2,
    "blokus duo": 1,
    "blox": 1,
    "blox ravensburger2008": 2,
    "numberplace_city": 2,
    "numberplace_city players=2": 2,
}
LARGE = [
    ("blokus", 4, 11316496),
    ("blokus duo", 3, 89204762),
    ("pylos", 7, 61599168),
    ("blox", 3, 2395631),
    ("blox ravensburger2008", 4, 114357328),
    ("numberplace_city", 4, 359838912),
    ("numberplace_city players=2", 4, 1317690000),
]  # the counts are those of one thread of this engine


@cache
def expected(name: str, depth: int) -> int:
    """The reference's count."""
    return reference.perft(load(reference, name).new_initial_state(), depth)


def test_perft(measure, name, side, engine):
    depth = DEPTHS.get(name, 1)
    state = load(engine, name).new_initial_state()
    assert zg.perft(load(zg, name).new_initial_state(), depth) == expected(name, depth)
    measure(lambda: engine.perft(state, depth), side, nodes=expected(name, depth))


@pytest.mark.large
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("large", "depth", "leaves"), LARGE, ids=[f"{name}-{depth}" for name, depth, _ in LARGE])
def test_large_perft(measure, large, depth, leaves, threads):
    state = load(zg, large).new_initial_state()
    assert zg.perft(state, depth, threads=threads) == leaves
    measure(lambda: zg.perft(state, depth, threads=threads), "large", nodes=leaves)
