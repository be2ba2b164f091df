"""What the trap tests of every game do with a state, through the public API alone."""

import pytest

from ziggurat.errors import IllegalActionError


def choices(state):
    """The texts of the legal actions."""
    return {state.action_to_string(action) for action in state.legal_actions()}


def refuses(state, text):
    """Whether an action that has an id is refused, and the state left alone."""
    before = state.serialize()
    action = state.string_to_action(text)
    assert not state.is_legal(action)
    assert action not in list(state.legal_actions())
    with pytest.raises(IllegalActionError, match=state.action_to_string(action)):
        state.apply_action(action)
    return state.serialize() == before


def play(state, *moves):
    """Play some moves, given as texts, and return the state."""
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


def played(game, *moves):
    """The state after some moves from the start."""
    return play(game.new_initial_state(), *moves)


def at(game, *fields):
    """The state of a position, given as the fields of its text."""
    return game.deserialize(" ".join([str(game), *fields]))
