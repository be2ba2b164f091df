"""Playing actions in copies of positions."""

import pytest
from harness import load

import ziggurat as zg
from ziggurat import reference

pytestmark = pytest.mark.benchmark(group="apply")


def spread(actions) -> list[int]:
    """Up to three of the actions: the first, the middle and the last."""
    return [int(action) for action in dict.fromkeys((actions[0], actions[len(actions) // 2], actions[-1]))]


def choices(states):
    """Positions with an action each."""
    return [(state, action) for state in states for action in spread(state.legal_actions())]


def after(state, action):
    """The position after an action, in a copy."""
    copy = state.clone()
    copy.apply_action(action)
    return copy


def played(game, texts) -> list[str]:
    """The serialized positions after the choices."""
    return [after(*choice).serialize() for choice in choices(game.deserialize(text) for text in texts)]


def test_clone_and_apply_action(measure, name, side, texts, states):
    assert played(load(zg, name), texts) == played(load(reference, name), texts)
    todo = choices(states)
    measure(lambda: [after(state, action) for state, action in todo], side, actions=len(todo))
