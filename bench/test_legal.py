"""Legal actions of four positions of one random game: lists, counts and masks."""

import numpy as np
import pytest
from harness import load

import ziggurat as zg
from ziggurat import reference

pytestmark = pytest.mark.benchmark(group="legal")


def lists(states) -> list[list[int]]:
    """The legal actions of each position."""
    return [[int(action) for action in state.legal_actions()] for state in states]


@pytest.fixture
def positions(name, texts, states):
    """The positions; both engines list the same actions in them."""
    native, slow = load(zg, name), load(reference, name)
    assert lists(native.deserialize(text) for text in texts) == lists(slow.deserialize(text) for text in texts)
    return states


def test_legal_actions(measure, side, positions):
    nodes = sum(map(len, lists(positions)))
    measure(lambda: [state.legal_actions() for state in positions], side, positions=len(positions), nodes=nodes)


def test_count_legal(measure, side, positions):
    assert [state.count_legal() for state in positions] == [len(actions) for actions in lists(positions)]
    measure(lambda: [state.count_legal() for state in positions], side, positions=len(positions))


def test_legal_actions_mask(measure, side, positions):
    for state, actions in zip(positions, lists(positions), strict=True):
        assert np.flatnonzero(state.legal_actions_mask()).tolist() == actions
    measure(lambda: [state.legal_actions_mask() for state in positions], side, positions=len(positions))


def test_legal_actions_mask_into_an_array(measure, name, positions, side):
    if side == "reference":
        pytest.skip("the reference has no out=")
    out = np.zeros(load(zg, name).num_distinct_actions(), np.uint8)
    assert all(np.array_equal(state.legal_actions_mask(out), state.legal_actions_mask()) for state in positions)
    measure(lambda: [state.legal_actions_mask(out) for state in positions], side, positions=len(positions))
