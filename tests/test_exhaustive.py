"""Every position that can be reached on tiny boards of Blokus, in both implementations and by a plain look."""

import blokus_model as model
import pytest
from common import arrays, both, facts

import ziggurat as zg

# How many positions there are with `pass_mode=action` and with `skip`: both implementations count so many.
TINY = {
    "board=5,colours=1,pieces=up_to_3": (1062, 1062),
    "board=5,colours=1,pieces=up_to_2,copies=2": (232, 232),
    "board=5,colours=1,starts=c3,pieces=1+P+W": (910, 910),
    "board=5,colours=2,start=any_corner,starts=b2+d4,pieces=up_to_2": (633, 633),
    "board=5,colours=2,starts=b2+b3,pieces=1,copies=2,scoring=basic": (23, 23),
    "board=5,colours=2,starts=c3+b2,pieces=O+F+X": (567, 551),
    "board=5,colours=3,start=any_corner,starts=a1+a2+b1,pieces=1+V3": (951, 858),
    "board=5,sharing=fourth,pieces=up_to_2": (575, 537),
    "board=5,sharing=pairs,start=any_corner,pieces=1,copies=2": (161, 161),
}
LARGER = {
    "blokus(board=5,colours=2,pieces=1+I3+V3)": 2012,
    "blokus(board=5,colours=2,pieces=1+I3+V3,pass_mode=skip)": 1875,
    "blokus(board=5,colours=2,pieces=1+2+V3)": 6872,
}


def after(state, action):
    """The state after an action."""
    played = state.clone()
    played.apply_action(action)
    return played


def compare(native, slow):
    """Both say the same about a position, and it can be written and read."""
    assert facts(native) == facts(slow)
    assert arrays(native) == arrays(slow)
    assert native._broken_invariant() == ""
    assert native.get_game().deserialize(native.serialize()) == native
    assert slow.get_game().deserialize(native.serialize()) == slow


def look(state):
    """The legal actions found by looking at every placement."""
    options, text = state.get_game().options, state.serialize()
    letters = model.LETTERS[: options["colours"]]
    own = model.possible_cells(options, text, model.fields(state)[1])
    if own or not any(model.possible(options, text, letter) for letter in letters):
        return [model.text_of(cells, options["board"]) for cells in own]
    return ["pass"]


def next_level(level, seen):
    """The positions one action on: text -> (both states, number of ways that lead there)."""
    found = {}
    for native, slow, ways in level.values():
        for action in native.legal_actions():
            pair = after(native, action), after(slow, int(action))
            text = pair[0].serialize()
            assert text == pair[1].serialize()
            found[text] = (*pair, ways + found.get(text, (0, 0, 0))[2])
    for text in found.keys() - seen:
        native, slow, _ = found[text]
        compare(native, slow)
        assert [native.action_to_string(action) for action in native.legal_actions()] == look(native)
    return found


def walk_everything(text):
    """All positions, level by level; how many ways there are to each depth is what perft says."""
    start = [game.new_initial_state() for game in both(text)]
    compare(*start)
    level, seen, depth = {start[0].serialize(): (*start, 1)}, {start[0].serialize()}, 0
    while level:
        assert sum(ways for _, _, ways in level.values()) == zg.perft(start[0], depth)
        level, depth = next_level(level, seen), depth + 1
        seen |= level.keys()
    assert zg.perft(start[0], depth) == 0
    return seen


@pytest.mark.parametrize("pass_mode", ["action", "skip"])
@pytest.mark.parametrize("settings", TINY)
def test_every_position_of_a_tiny_game(settings, pass_mode):
    game = zg.load_game(f"blokus({settings})", pass_mode=pass_mode)
    assert len(walk_everything(str(game))) == TINY[settings][pass_mode == "skip"]


@pytest.mark.slow
@pytest.mark.parametrize("text", LARGER)
def test_every_position_of_a_small_game(text):
    assert len(walk_everything(text)) == LARGER[text]
