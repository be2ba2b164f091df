"""Pickling positions and reading them again: what every task pays that goes to another process."""

import os
import pickle
import random

import pytest
from harness import load

import ziggurat as zg

pytestmark = pytest.mark.benchmark(group="pickle")

ACTIONS = 20  # of the random game that leads to the position
COPIES = 50
# Of a native state, a second, by the fastest round. The short run does not hold it: it runs on busy machines.
LEAST_ROUND_TRIPS = dict.fromkeys(("pylos", "blokus", "blokus duo", "blox", "numberplace_city"), 200_000)


@pytest.fixture
def state(name, engine):
    """The position after some random actions, the same for both sides."""
    rng, played = random.Random(1), load(zg, name).new_initial_state(seed=1)
    for _ in range(ACTIONS):
        played.apply_action(int(rng.choice(played.legal_actions())))
    return load(engine, name).deserialize(played.serialize())


def test_pickle_round_trip(measure, benchmark, name, side, state):
    dumps, loads = pickle.dumps, pickle.loads
    again = loads(dumps(state, 5))
    assert again == state
    assert again.serialize() == state.serialize()
    measure(lambda: [loads(dumps(one, 5)) for one in [state] * COPIES], side, round_trips=COPIES)
    is_timed = benchmark.stats is not None and os.environ.get("ZIGGURAT_BENCH") != "short"
    if side == "native" and is_timed and name in LEAST_ROUND_TRIPS:
        assert COPIES / benchmark.stats.stats.min >= LEAST_ROUND_TRIPS[name]
