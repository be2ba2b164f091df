"""Uniform random games."""

from functools import cache

import numpy as np
import pytest
from harness import load, load_shorter

import ziggurat as zg
from ziggurat import reference

pytestmark = pytest.mark.benchmark(group="playout")

# Else one: the reference needs about half a second at most.
GAMES = {"pylos": 20, "numberplace_city": 20, "numberplace_city players=2": 20}
MANY = {
    "pylos": 20_000,
    "blokus": 5_000,
    "blokus duo": 10_000,
    "blox": 200,
    "blox ravensburger2008": 200,
    "numberplace_city": 100_000,
    "numberplace_city players=2": 100_000,
}
SEED = 1


@cache
def expected(name: str, games: int, uniform: str):
    """The reference's games."""
    return reference.simulate(load_shorter(reference, name), games, seed=SEED, uniform=uniform)


def same(results, slow) -> bool:
    """Whether every column of a native run is the reference's."""
    counters = slow.counters
    return list(results.counters) == list(counters) and all(
        np.array_equal(column, counters[label] if label in counters else getattr(slow, label))
        for label, column in results.columns().items()
    )


def same_columns(one, other) -> bool:
    """Whether two native runs are the same games."""
    return all(np.array_equal(column, other.columns()[label]) for label, column in one.columns().items())


@pytest.mark.parametrize("uniform", ["action", "turn"])
def test_playouts(measure, name, side, engine, uniform):
    games = GAMES.get(name, 1)
    if uniform == "turn" and name.startswith(("blokus", "numberplace_city")):
        pytest.skip("a turn is one action")
    native = zg.simulate(load_shorter(zg, name), games, seed=SEED, uniform=uniform, threads=1)
    assert same(native, expected(name, games, uniform))
    options = {"threads": 1} if side == "native" else {}
    game, plies = load_shorter(engine, name), int(native.plies.sum())
    measure(lambda: engine.simulate(game, games, seed=SEED, uniform=uniform, **options), side, games=games, plies=plies)


@pytest.mark.large
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("many", "uniform"), [*((name, "action") for name in MANY), ("pylos", "turn"), ("blox", "turn")]
)
def test_many_playouts(measure, many, uniform, threads):
    game, games = load(zg, many), MANY[many]
    one = zg.simulate(game, games, seed=SEED, uniform=uniform, threads=1)
    assert same_columns(zg.simulate(game, games, seed=SEED, uniform=uniform, threads=threads), one)
    plies = int(one.plies.sum())
    run = lambda: zg.simulate(game, games, seed=SEED, uniform=uniform, threads=threads)  # noqa: E731
    measure(run, "large", games=games, plies=plies)
