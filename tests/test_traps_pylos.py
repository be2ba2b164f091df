"""The traps of Pylos and the clauses of `cpp/games/pylos/RULES.md`, one test each.

Boards are drawn level by level; in a level the front row comes first, as in the text of a position.
"""

import copy
import math
import pickle
import random
from itertools import pairwise

import pytest
from playing import choices, refuses

from ziggurat.errors import IllegalActionError, ParseError

EMPTY = "................/........./..../."


def board(*levels):
    """The text of a board; rows of a level may be separated by spaces, levels that are left out are empty."""
    given = [level.replace(" ", "") for level in levels]
    base = math.isqrt(len(given[0]))
    sides = range(base - len(given), 0, -1)
    return "/".join(given + ["." * side * side for side in sides])


def at(game, levels, rest="L - 0"):
    """The state of a position."""
    return game.deserialize(f"{game} {levels} {rest}")


def play(state, *turns):
    """Play some turns, given as texts."""
    for turn in turns:
        for action in state.string_to_turn(turn):
            state.apply_action(action)
    return state


def act(state, *actions):
    """Play some actions, given as texts."""
    for action in actions:
        state.apply_action(state.string_to_action(action))
    return state


def raises_of(state):
    """The texts of the legal raises."""
    return {text for text in choices(state) if ">" in text}


def turns_of(engine, state):
    """The texts of the legal turns."""
    counts = engine.perft(state, 1, divide=True)
    assert set(counts.values()) <= {1}
    return set(counts)


def position_of(state):
    """The fields of the text of a position."""
    return state.serialize().split(" ")[1:]


def plane(state, viewer, number):
    """The cells where a plane of an observation is not zero, with their values: {(level, row, column): value}."""
    base = state.get_game().options["base"]
    values = list(flat(state.observation_tensor(viewer)))[number * base**3 : (number + 1) * base**3]
    places = [(i, j, k) for i in range(base) for j in range(base) for k in range(base)]
    return {place: value for place, value in zip(places, values, strict=True) if value}


def value_of(state, viewer, number):
    """The value that a plane has wherever it is not zero."""
    (value,) = set(plane(state, viewer, number).values())
    return value


def flat(tensor):
    """The numbers of an observation in C order, whatever holds them."""
    return [float(value) for value in (tensor.ravel() if hasattr(tensor, "ravel") else tensor)]


# A square that light completes on 1d4, and a light ball on top of three light ones and a dark one:
#
#   L L . .        L . .
#   L D . .        . . .
#   . . L L        . . .
#   . . L .
TOWER = board("LL.. LD.. ..LL ..L.", "L.. ... ...")

# Light completes two squares at once on 1b2.
#
#   L L L .
#   L . L .
TWO_SQUARES = board("LLL. L.L. .... ....")

# Levels 1 and 2 full, with 13 light balls and 12 dark ones.
FULL = ("LDLD DLDL LDLD DLDL", "LDL DLD LDL")

# Everything but the apex, which is for the last dark ball; level 3 is dark.
APEX = board("LDLD DLDL LDLD DLLL", "LDL LDL LDL", "DDDD")


# Traps


def test_py_2_2_raise_onto_own_support_or_sideways_is_illegal(load):
    game = load("pylos")
    state = at(game, board("LD.. DL.. .... ...."))
    assert raises_of(state) == set()
    with pytest.raises(ParseError):
        game.string_to_action("1a1>2a1")
    with pytest.raises(ParseError):
        game.string_to_action("1a1>1d4")
    state = at(game, board("LD.. DL.. .... ...L"))
    assert raises_of(state) == {"1d4>2a1"}
    with pytest.raises(ParseError):
        game.string_to_action("2a1>1c1")


def test_py_1_4_a_covered_ball_is_neither_raised_nor_taken_until_it_is_freed(load):
    state = at(load("pylos"), TOWER)
    assert refuses(state, "1a1>2b1")
    act(state, "1d4")
    assert choices(state) == {"-2a1", "-1c3", "-1d3", "-1c4", "-1d4", "stop"}
    assert refuses(state, "-1a1")
    act(state, "-2a1")
    assert choices(state) == {"-1a1", "-1b1", "-1a2", "stop"}
    act(state, "-1a1")
    assert position_of(state) == [*board(".L.. LD.. ..LL ..LL").split(" "), "D", "-", "1"]


def test_py_1_4_a_covered_ball_is_not_raised(load):
    #   L L L .     D . .
    #   D L D .
    state = at(load("pylos"), board("LLL. DLD. .... ....", "D.. ... ..."))
    assert raises_of(state) == set()  # 1a1, 1b1 and 1b2 are covered; 1c1 carries 2b1
    state = at(load("pylos"), board("LLL. DLD. .... ...."))
    assert raises_of(state) == {"1a1>2b1", "1c1>2a1"}


def test_py_3_1_a_square_of_two_colours_carries_and_gives_nothing(load):
    #   L L
    #   D .
    state = at(load("pylos"), board("LL.. D... .... ...."))
    act(state, "1b2")
    assert not state.in_turn()
    assert state.current_player() == 1
    assert "2a1" in choices(state)


def test_py_3_1_a_square_completed_by_raising_counts(load):
    #   D D D .     L L .
    #   D D D .     L . .
    #   D D D .
    #   . . . L
    state = at(load("pylos"), board("DDD. DDD. DDD. ...L", "LL. L.. ..."))
    act(state, "1d4>2b2")
    assert state.in_turn()
    assert choices(state) == {"-2a1", "-2b1", "-2a2", "-2b2", "stop"}


def test_py_3_1_a_square_that_is_only_uncovered_gives_nothing(load):
    #   L L . .     L . .     . .
    #   L L D D     . D D     . .
    #   . D D D     . D D
    #   . D D D
    state = at(load("pylos"), board("LL.. LLDD .DDD .DDD", "L.. .DD .DD"))
    act(state, "2a1>3b2")
    assert not state.in_turn()
    assert state.current_player() == 1


def test_py_3_2_two_squares_at_once_give_two_balls(engine):
    state = at(engine.load_game("pylos"), TWO_SQUARES)
    turns = {turn for turn in turns_of(engine, state) if turn.startswith("1b2")}
    assert len(turns) == 1 + 6 + 15  # none, one or two of six balls
    assert max(turn.count("-") for turn in turns) == 2
    act(state, "1b2", "-1a1", "-1b1")
    assert not state.in_turn()
    assert state.current_player() == 1


def test_py_3_3_the_ball_just_placed_may_be_taken_back(engine):
    game = engine.load_game("pylos")
    state = at(game, board("LL.. L... .... ...."))
    assert {"1b2-1b2", "1b2-1a1-1b2"} <= turns_of(engine, state)
    play(state, "1b2-1b2")
    assert state == at(game, board("LL.. L... .... ...."), "D - 1")


def test_py_4_3_with_an_empty_reserve_raising_goes_on(load):
    levels = board("LLLL LLLL LLLL LLLD")
    state = at(load("pylos"), levels)
    assert not state.is_terminal()
    assert choices(state) == raises_of(state)
    assert "1a1>2b2" in choices(state)
    assert refuses(state, "2a1")
    assert at(load("pylos", empty_reserve="loses"), levels).winners() == [1]
    assert not at(load("pylos", empty_reserve="loses"), levels, "D - 0").is_terminal()


def test_py_4_2_who_has_nothing_left_loses_or_is_skipped(load):
    #   L L
    #   D .    dark fills the last cell of level 3
    before = board(*FULL, "LLD.")
    state = act(at(load("pylos"), before, "D - 9"), "3b2")
    assert state.is_terminal()
    assert state.winners() == [1]
    assert position_of(state) == [board(*FULL, "LLDD"), "L", "-", "10"]
    state = act(at(load("pylos", no_move="passes"), before, "D - 9"), "3b2")
    assert state.current_player() == 1
    assert position_of(state) == [board(*FULL, "LLDD"), "D", "-", "10"]  # the skipped turn is not counted
    assert choices(state) == {"4a1"}
    act(state, "4a1")
    assert state.winners() == [1]
    assert position_of(state) == [board(*FULL, "LLDD", "D"), "L", "-", "11"]


@pytest.mark.parametrize("preset", ["standard", "expert"])
@pytest.mark.parametrize("removal", ["optional", "mandatory"])
def test_py_4_1_the_apex_ends_the_game_and_gives_nothing_back(load, preset, removal):
    state = at(load("pylos", preset=preset, removal=removal), APEX, "D - 0")
    act(state, "4a1")
    assert state.is_terminal()
    assert not state.in_turn()
    assert state.current_player() == -4
    assert list(state.legal_actions()) == []
    assert state.winners() == [1]
    with pytest.raises(IllegalActionError):
        state.apply_action(state.string_to_action("stop"))


@pytest.mark.parametrize("preset", ["standard", "expert", "mini"])
def test_py_1_1_no_ball_is_lost_and_none_hangs(load, preset):
    game = load("pylos", preset=preset)
    balls = 15 if preset != "mini" else 7
    choose = random.Random(5)
    for _ in range(3):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose.choice(list(state.legal_actions())))
            levels = position_of(state)[0].split("/")
            for player, letter in enumerate("LD"):
                reserve = set(plane(state, player, 6).values()) or {0.0}
                assert len(reserve) == 1
                on_board = "".join(levels).count(letter)
                assert on_board + round(reserve.pop() * balls) == balls
            assert_carried(levels)


def assert_carried(levels):
    """Every ball lies on four."""
    rows = [[level[i : i + side] for i in range(0, side * side, side)] for level, side in with_sides(levels)]
    for below, above in pairwise(rows):
        for i, row in enumerate(above):
            for j, ball in enumerate(row):
                if ball != ".":
                    assert "." not in below[i][j : j + 2] + below[i + 1][j : j + 2]


def with_sides(levels):
    """The levels with the lengths of their sides."""
    return [(level, math.isqrt(len(level))) for level in levels]


def test_py_3_6_no_pair_is_counted_in_both_orders(engine):
    state = at(engine.load_game("pylos"), TOWER)
    pairs = [frozenset(turn.split("-")[1:]) for turn in turns_of(engine, state) if turn.count("-") == 2]
    # Ten pairs of the five free balls, three more of 2a1 with a ball that it has covered.
    assert len(pairs) == len(set(pairs)) == 10 + 3
    act(state, "1d4", "-1d3")
    assert choices(state) == {"-1c4", "-1d4", "-2a1", "stop"}
    assert refuses(state, "-1c3")


# 1. Material


@pytest.mark.parametrize(("base", "levels"), [(4, (16, 9, 4, 1)), (3, (9, 4, 1))])
def test_py_1_1_levels_and_cells(load, base, levels):
    state = load("pylos", base=base).new_initial_state()
    assert tuple(len(level) for level in position_of(state)[0].split("/")) == levels
    assert state.count_legal() == levels[0]


def test_py_1_1_seven_balls_each_on_base_3(load):
    full = board("LDL DLD LDL", "LL ..")  # light has 7 balls there
    state = at(load("pylos", base=3), full)
    assert choices(state) == raises_of(state)
    with pytest.raises(ParseError):
        at(load("pylos", base=3), board("LDL DLD LDL", "LL L."))


def test_py_1_2_light_starts(load):
    state = load("pylos").new_initial_state()
    assert state.current_player() == 0
    act(state, "1b2")
    assert position_of(state) == [board(".... .L.. .... ...."), "D", "-", "1"]
    assert state.current_player() == 1


def test_py_1_3_cell_ids(load):
    game = load("pylos")
    texts = {0: "1a1", 1: "1b1", 4: "1a2", 15: "1d4", 16: "2a1", 24: "2c3", 25: "3a1", 28: "3b2", 29: "4a1"}
    assert {cell: game.action_to_string(cell) for cell in texts} == texts
    game = load("pylos", base=3)
    texts = {0: "1a1", 8: "1c3", 9: "2a1", 10: "2b1", 12: "2b2", 13: "3a1"}
    assert {cell: game.action_to_string(cell) for cell in texts} == texts


# 2. Place or raise


def test_py_2_1_placing_needs_four_balls_of_any_colour_and_an_empty_cell(load):
    #   L D D
    #   D D .
    state = at(load("pylos"), board("LDD. DD.. .... ...."))
    assert "2a1" in choices(state)
    assert refuses(state, "2b1")
    assert refuses(state, "1a1")
    assert state.count_legal() == 11 + 1  # the empty cells of level 1, and 2a1; 1a1 carries 2a1


def test_py_2_2_raise_by_two_levels_anywhere(load):
    #   D D D L     D D .
    #   D D D L     D D .
    #   D D D .
    state = at(load("pylos"), board("DDDL DDDL DDD. ....", "DD. DD. ..."))
    assert raises_of(state) == {"1d1>3a1", "1d2>3a1"}  # 2c1 would lose its support 1d1 or 1d2
    act(state, "1d1>3a1")
    assert position_of(state)[:2] == [board("DDD. DDDL DDD. ....", "DD. DD. ...", "L..."), "D"]


def test_py_2_2_a_raise_costs_no_ball(load):
    state = at(load("pylos"), board("DD.. DD.. .... ...L"))
    before = plane(state, 0, 6)
    act(state, "1d4>2a1")
    assert plane(state, 0, 6) == before


def test_py_2_2_a_dark_ball_is_not_raised_by_light(load):
    state = at(load("pylos"), board("DD.. DD.. .... ...D"))
    assert raises_of(state) == set()
    assert refuses(state, "1d4>2a1")


# 3. Take back


def test_py_3_1_lines_count_where_the_option_says_so(load):
    row = board("LLL. .... .... ....")
    assert not act(at(load("pylos"), row), "1d1").in_turn()
    assert act(at(load("pylos", patterns="lines"), row), "1d1").in_turn()
    column = board("L... L... .... L...")
    assert act(at(load("pylos", patterns="lines"), column), "1a3").in_turn()
    diagonal = board("L... .L.. ..L. ....")
    assert not act(at(load("pylos", patterns="lines"), diagonal), "1d4").in_turn()
    three = board("LL.. .... .... ....")
    assert not act(at(load("pylos", patterns="lines"), three), "1c1").in_turn()


def test_py_3_1_lines_count_on_level_2_and_not_on_level_3(load):
    game = load("pylos", patterns="lines")
    # Light makes a row of three on level 2; then one of two on level 3.
    assert act(at(game, board("DDDD DDDD .... ....", "LL. ... ...")), "2c1").in_turn()
    levels = board("DDDD LLLD DDDD ....", "DLD LDL ...", "L...")
    assert not act(at(game, levels), "3b1").in_turn()


def test_py_3_1_squares_count_where_lines_do(load):
    assert act(at(load("pylos", patterns="lines"), GAP), "1b2").in_turn()


def test_py_3_1_no_pattern_where_the_option_says_so(load):
    state = act(at(load("pylos", patterns="none"), board("LL.. L... .... ....")), "1b2")
    assert not state.in_turn()


def test_py_3_1_an_old_square_gives_nothing(load):
    state = act(at(load("pylos"), board("LL.. LL.. .... ....")), "1d4")
    assert not state.in_turn()


def test_py_3_1_the_square_may_be_on_level_3(load):
    levels = board("LDLD DLDL LDLD DLDD", "LDL DLD LDD", "LLL.")
    state = act(at(load("pylos"), levels), "3b2")
    assert choices(state) == {"-3a1", "-3b1", "-3a2", "-3b2", "stop"}


def test_py_3_2_balls_come_back_from_any_level_into_the_reserve(engine):
    state = act(at(engine.load_game("pylos"), TOWER), "1d4", "-1c3", "-2a1")
    assert position_of(state)[:2] == [board("LL.. LD.. ...L ..LL"), "D"]
    assert value_of(state, 0, 6) == pytest.approx(9 / 15)


def test_py_3_3_the_ball_of_this_turn_stays_where_the_option_says_so(load):
    state = act(at(load("pylos", remove_placed=False), TWO_SQUARES), "1b2")
    assert choices(state) == {"-1a1", "-1b1", "-1c1", "-1a2", "-1c2", "stop"}
    assert refuses(state, "-1b2")
    act(state, "-1a2")
    assert choices(state) == {"-1c2", "stop"}
    assert refuses(state, "-1b2")


def test_py_3_4_a_ball_that_was_covered_stays_where_the_option_says_so(load):
    state = act(at(load("pylos", chain_removal=False), TOWER), "1d4", "-2a1")
    assert choices(state) == {"stop"}
    assert refuses(state, "-1a1")


def test_py_3_4_a_freed_ball_may_be_the_second_and_not_the_first(engine):
    turns = turns_of(engine, at(engine.load_game("pylos"), TOWER))
    assert {"1d4-2a1-1a1", "1d4-2a1-1b1", "1d4-2a1-1a2"} <= turns
    assert not any("-1a1-" in turn or turn.endswith("1d4-1a1") for turn in turns)


def test_py_3_5_removal_may_be_mandatory(engine):
    levels = board("LL.. L... .... ....")
    optional = turns_of(engine, at(engine.load_game("pylos"), levels))
    mandatory = turns_of(engine, at(engine.load_game("pylos", removal="mandatory"), levels))
    assert optional - mandatory == {"1b2"}
    assert mandatory < optional


def test_py_3_7_stop_is_offered_before_the_first_take_back_only_where_optional(load):
    levels = board("LL.. L... .... ....")
    state = act(at(load("pylos"), levels), "1b2")
    assert "stop" in choices(state)
    assert position_of(act(state, "stop"))[1:3] == ["D", "-"]
    state = act(at(load("pylos", removal="mandatory"), levels), "1b2")
    assert refuses(state, "stop")
    act(state, "-1b2")
    assert choices(state) == {"stop"}  # offered, although nothing else is left


@pytest.mark.parametrize("removal", ["optional", "mandatory"])
def test_py_3_7_after_the_first_take_back_stop_is_always_offered(load, removal):
    state = act(at(load("pylos", removal=removal), TWO_SQUARES), "1b2", "-1a1")
    assert "stop" in choices(state)
    assert len(choices(state)) == 6
    act(state, "stop")
    assert position_of(state)[:2] == [board(".LL. LLL. .... ...."), "D"]


def test_py_3_7_a_pattern_without_a_ball_to_take(load):
    # One dark ball lies on two of the three balls of the line that light completes on 1c1, which must stay itself:
    #
    #   L L .     D .
    #   D D .     . .
    #   . . .
    levels = board("LL. DD. ...", "D. ..")
    options = {"base": 3, "patterns": "lines", "remove_placed": False}
    state = act(at(load("pylos", **options), levels), "1c1")
    assert choices(state) == {"stop"}
    act(state, "stop")
    assert state.current_player() == 1
    state = act(at(load("pylos", removal="mandatory", **options), levels), "1c1")
    assert not state.in_turn()
    assert state.current_player() == 1


# 4. End


def test_py_4_2_passing_is_for_the_skipped_turn_only(load):
    # Dark leaves light a cell, so light is not skipped.
    state = act(at(load("pylos", no_move="passes"), board(*FULL, "LD..")), "3b2")
    assert state.current_player() == 1


@pytest.mark.parametrize("no_move", ["loses", "passes"])
def test_py_4_3_an_empty_reserve_loses_at_the_start_of_a_turn(load, no_move):
    game = load("pylos", no_move=no_move, empty_reserve="loses")
    levels = board("LLDL LDLD LLDL LLDL", "L.. ... ...")  # light has 12 balls there
    assert not at(game, levels).is_terminal()
    state = at(game, board("LLDL LDLD LLDL LLDL", "LLL ... ..."))  # and 14 there
    act(state, "2a2")
    assert not state.is_terminal()  # his reserve is empty, but it is dark's turn
    act(state, "2c3")
    assert state.is_terminal()
    assert state.winners() == [1]


def test_py_4_4_the_limit_is_a_draw(engine):
    game = engine.load_game("pylos", max_turns=2)
    state = play(game.new_initial_state(), "1a1")
    assert not state.is_terminal()
    play(state, "1b1")
    assert state.is_terminal()
    assert state.winners() == []
    assert list(state.returns()) == [0, 0]
    assert list(state.scores()) == [0, 0]
    assert position_of(state)[1:] == ["L", "-", "2"]
    assert game.max_game_length() == 6
    assert engine.perft(game.new_initial_state(), 3) == 3360
    assert engine.perft(state, 1) == 14  # perft ignores the limit


def test_py_4_4_a_decision_in_the_last_turn_counts(load):
    state = act(at(load("pylos", max_turns=7), APEX, "D - 6"), "4a1")
    assert state.winners() == [1]


def test_py_4_4_the_last_turn_ends_with_its_last_action(load):
    state = act(at(load("pylos", max_turns=7), TWO_SQUARES, "L - 6"), "1b2")
    assert not state.is_terminal()
    act(state, "-1a1")
    assert not state.is_terminal()
    act(state, "stop")
    assert state.is_terminal()


def test_py_4_4_without_a_limit_nothing_is_counted(load):
    game = load("pylos", max_turns=0)
    assert game.max_game_length() is None
    start = at(game, board("LL.. L... DDD. ...."))
    state = play(start.clone(), "1b2-1b2", "1d4", "1b2-1b2")
    assert state == at(game, board("LL.. L... DDD. ...D"), "D - 0")
    assert hash(state) == hash(at(game, board("LL.. L... DDD. ...D"), "D - 0"))


def test_py_4_5_scores_and_returns(load):
    state = at(load("pylos"), APEX, "D - 0")
    assert list(state.scores()) == [0, 0]
    assert list(state.returns()) == [0, 0]
    assert state.winners() == []
    act(state, "4a1")
    assert list(state.scores()) == [0, 1]
    assert list(state.returns()) == [-1, 1]


# 5. Actions


@pytest.mark.parametrize(
    ("base", "blocks"),
    [
        (4, {0: "1a1", 30: "1a1>2b1", 185: "2c3>3a2", 186: "-1a1", 215: "-4a1", 216: "stop"}),
        (3, {0: "1a1", 14: "1a1>2b1", 33: "1c3>2a2", 34: "-1a1", 47: "-3a1", 48: "stop"}),
    ],
)
def test_py_5_1_action_ids(load, base, blocks):
    game = load("pylos", base=base)
    assert game.num_distinct_actions() == max(blocks) + 1
    texts = {action: game.action_to_string(action) for action in blocks}
    assert texts == blocks
    for action in range(game.num_distinct_actions()):
        assert game.string_to_action(game.action_to_string(action)) == action


@pytest.mark.parametrize(("base", "expected"), [(4, {"12": 108, "13": 28, "23": 20}), (3, {"12": 20})])
def test_py_5_1_raises_by_level_in_order(load, base, expected):
    game = load("pylos", base=base)
    texts = [game.action_to_string(action) for action in range(game.num_distinct_actions())]
    pairs = [tuple(text.split(">")) for text in texts if ">" in text]
    counted = {}
    for source, target in pairs:
        counted[source[0] + target[0]] = counted.get(source[0] + target[0], 0) + 1
    assert counted == expected
    ids = [(game.string_to_action(source), game.string_to_action(target)) for source, target in pairs]
    assert ids == sorted(ids)


def test_py_5_1_a_raise_has_an_id_outside_the_cone_only(load):
    game = load("pylos")
    texts = [game.action_to_string(action) for action in range(game.num_distinct_actions())]
    # The cone of 3b2 on level 1 is the square b2 to d4; what is left is the front row and the left column.
    sources = {text.split(">")[0] for text in texts if text.startswith("1") and text.endswith(">3b2")}
    assert sources == {"1a1", "1b1", "1c1", "1d1", "1a2", "1a3", "1a4"}


def test_py_5_2_text_of_a_turn(load):
    state = at(load("pylos"), TOWER)
    for text, actions in {
        "1b3": ["1b3"],
        "1d4": ["1d4", "stop"],
        "1d4-1c3": ["1d4", "-1c3", "stop"],
        "1d4-2a1-1a1": ["1d4", "-2a1", "-1a1"],
    }.items():
        turn = [state.string_to_action(action) for action in actions]
        assert list(state.string_to_turn(text)) == turn
        assert list(state.string_to_turn(text.upper())) == turn
        assert state.turn_to_string(turn) == text
    for text in ["1d4-1d3-1c3", "1b3-1b3", "1a1", "1d4-1a1", "", "hello", "1d4 "]:
        with pytest.raises(ParseError):
            state.string_to_turn(text)


def test_py_5_2_text_of_the_rest_of_a_turn(load):
    state = act(at(load("pylos"), TOWER), "1d4", "-1c3")
    stop = state.string_to_action("STOP")
    assert list(state.string_to_turn("")) == [stop]
    assert state.turn_to_string([stop]) == ""
    assert state.count_turns() == state.count_legal()


# 6. Position text


def test_py_6_1_levels(load):
    state = play(load("pylos", max_turns=0).new_initial_state(), "1a1", "1b1", "1a2", "1b2", "2a1")
    assert state.serialize() == "pylos(max_turns=0) LD..LD........../L......../..../. D - 0"
    assert load("pylos").new_initial_state().serialize() == f"pylos() {EMPTY} L - 0"


def test_py_6_2_side_after_the_end(load):
    state = act(at(load("pylos"), APEX, "D - 0"), "4a1")
    assert position_of(state)[1] == "L"


def test_py_6_3_turn(load):
    game = load("pylos")
    state = act(at(game, TOWER), "1d4")
    assert position_of(state)[1:] == ["L", "1d4", "0"]
    assert game.deserialize(state.serialize()) == state
    act(state, "-2a1")
    assert position_of(state)[1:] == ["L", "1d4-2a1", "0"]
    assert game.deserialize(state.serialize()) == state
    assert choices(game.deserialize(state.serialize())) == choices(state)


def test_py_6_3_the_ball_of_the_turn_may_be_the_one_taken(load):
    game = load("pylos")
    state = act(at(game, board("LL.. L... .... ....")), "1b2", "-1b2")
    assert position_of(state)[1:] == ["L", "1b2-1b2", "0"]
    assert game.deserialize(state.serialize()) == state


def test_py_6_4_turns(load):
    state = play(load("pylos").new_initial_state(), "1a1", "1b1", "1c1")
    assert position_of(state)[3] == "3"


LINE = board("LLLL .... .... ....")
SQUARE = board("LL.. LL.. .... ....")
GAP = board("LL.. L... .... ....")


@pytest.mark.parametrize(
    ("options", "position"),
    [
        ({}, f"{board('L... .... .... ....', 'L.. ... ...')} L - 0"),  # no support
        ({}, f"{board('LLLL LLLL LLLL LLLL')} D - 0"),  # 16 balls
        ({"max_turns": 9}, f"{EMPTY} L - 10"),
        ({"max_turns": 0}, f"{EMPTY} L - 1"),
        ({}, f"{SQUARE} L 1c3 0"),  # an empty cell
        ({}, f"{SQUARE} D 1a1 0"),  # the other's ball
        ({}, f"{LINE} L 1a1 0"),  # no pattern
        ({"patterns": "none"}, f"{SQUARE} L 1a1 0"),
        ({}, f"{board('LL.. LL.. .... ....', 'D.. ... ...')} L 1a1 0"),  # covered: not the last one played
        ({"max_turns": 5}, f"{SQUARE} L 1a1 5"),  # the game was over
        ({}, f"{SQUARE} L 1a1-1b1 0"),  # the ball taken is still there
        ({}, f"{GAP} L 1a1-1c3 0"),  # no pattern, with 1c3 put back
        ({"remove_placed": False}, f"{GAP} L 1b2-1b2 0"),
        ({}, f"{board('LL.. LL.. .... ....', 'D.. ... ...')} L 1a1-1c1 0"),
        ({}, f"{board('LLLL LLLL LLLL LLL.')} L 1a1-1d4 0"),  # 16 balls, with 1d4 put back
        ({}, f"{SQUARE} L 1a1-1c1-1c2 0"),
        (
            {"base": 3, "patterns": "lines", "remove_placed": False, "removal": "mandatory"},
            f"{board('LLL DD. ...', 'D. ..')} L 1c1 0",  # nothing to decide
        ),
        ({}, f"{board('LDLD DLDL LDLD DLDL', 'LDL LDL LDL', 'DDDD', 'L')} L 4a1 0"),
        ({}, f"{EMPTY} W - 0"),
        ({}, f"{EMPTY} L - 0 "),
        ({}, f"{EMPTY}  L - 0"),
        ({}, f"{EMPTY} L - -1"),
        ({}, f"{EMPTY} L - 00"),
        ({}, f"{EMPTY} L 0"),
        ({}, f"{EMPTY[:-2]} L - 0"),
        ({}, f"{EMPTY.replace('.', 'X', 1)} L - 0"),
        ({"base": 3}, f"{EMPTY} L - 0"),
    ],
)
def test_py_6_5_a_wrong_text_is_refused(load, options, position):
    game = load("pylos", **options)
    with pytest.raises(ParseError):
        game.deserialize(f"{game} {position}")


def test_py_6_5_a_text_of_another_game_is_refused(load):
    state = load("pylos", removal="mandatory").new_initial_state()
    with pytest.raises(ParseError):
        load("pylos").deserialize(state.serialize())
    with pytest.raises(ParseError):
        load("blokus").deserialize(state.serialize())


def test_py_6_5_right_texts_like_the_wrong_ones_are_read(load):
    assert at(load("pylos"), SQUARE, "L 1a1 0").in_turn()
    assert at(load("pylos"), GAP, "L 1b2-1b2 0").in_turn()
    assert at(load("pylos", patterns="lines"), LINE, "L 1a1 0").in_turn()
    assert at(load("pylos", max_turns=5), SQUARE, "L 1a1 4").in_turn()
    assert at(load("pylos", max_turns=5), SQUARE, "L - 5").is_terminal()


# 7. Observation planes


def test_py_7_planes_between_turns(load):
    state = at(load("pylos"), board("LL.. LD.. .... ...D", "L.. ... ..."), "D - 0")
    light, dark = {(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)}, {(0, 1, 1), (0, 3, 3)}
    cells = {(i, j, k) for i in range(4) for j in range(4 - i) for k in range(4 - i)}
    empty = {cell for cell in cells if cell[0] == 0} - light - dark
    for viewer, own, other in ((0, light, dark), (1, dark, light)):
        assert set(plane(state, viewer, 0)) == own
        assert set(plane(state, viewer, 1)) == other
        assert set(plane(state, viewer, 2)) == empty
        assert set(plane(state, viewer, 5)) == (cells if viewer == 1 else set())
        assert set(plane(state, viewer, 6)) == set(plane(state, viewer, 7)) == cells
        for number in (8, 9, 10, 11):
            assert plane(state, viewer, number) == {}
    assert plane(state, 0, 3) == plane(state, 1, 4) == {(1, 0, 0): 1}
    assert plane(state, 1, 3) == plane(state, 0, 4) == {(0, 3, 3): 1}
    assert value_of(state, 0, 6) == value_of(state, 1, 7) == pytest.approx(11 / 15)
    assert value_of(state, 0, 7) == value_of(state, 1, 6) == pytest.approx(13 / 15)
    assert value_of(state, 0, 0) == value_of(state, 1, 5) == 1


def test_py_7_planes_inside_a_turn(load):
    game = load("pylos")
    state = act(at(game, board("LL.. ..L. .LL. ....")), "1b2")
    assert game.observation_tensor_shape() == (12, 4, 4, 4)
    for viewer in (0, 1):
        assert len(plane(state, viewer, 8)) == 30
        assert plane(state, viewer, 9) == plane(state, viewer, 11) == {}
        assert plane(state, viewer, 10) == {(0, 1, 1): 1}
    act(state, "-1c2")
    for viewer in (0, 1):
        assert plane(state, viewer, 8) == {}
        assert len(plane(state, viewer, 9)) == 30
        assert plane(state, viewer, 10) == {(0, 1, 1): 1}
        assert plane(state, viewer, 11) == {(0, 1, 2): 1}
        assert len(plane(state, viewer, 5)) == (30 if viewer == 0 else 0)


def test_py_7_nobody_is_to_move_after_the_end(load):
    state = act(at(load("pylos"), APEX, "D - 0"), "4a1")
    assert plane(state, 0, 5) == plane(state, 1, 5) == plane(state, 0, 6) == {}


# 8. Presets and options


def test_py_8_presets_and_options(load):
    assert load("pylos").options == {
        "base": 4,
        "patterns": "squares",
        "removal": "optional",
        "remove_placed": True,
        "chain_removal": True,
        "no_move": "loses",
        "empty_reserve": "continues",
        "max_turns": 2000,
    }
    assert list(load("pylos").options)[:3] == ["base", "patterns", "removal"]
    assert str(load("pylos", preset="standard")) == "pylos()"
    assert str(load("pylos", preset="children")) == "pylos(patterns=none)"
    assert str(load("pylos", preset="expert")) == "pylos(patterns=lines)"
    assert str(load("pylos", preset="mini")) == "pylos(base=3)"
    assert str(load("pylos", max_turns=50, remove_placed=False)) == "pylos(remove_placed=false,max_turns=50)"
    for options in ({"base": 5}, {"patterns": "circles"}, {"max_turns": 65536}, {"max_turns": -1}, {"size": 4}):
        with pytest.raises(ValueError, match=next(iter(options))):
            load("pylos", **options)
    for options in ({"base": "4"}, {"remove_placed": "true"}, {"max_turns": 1.5}):
        with pytest.raises(TypeError):
            load("pylos", **options)


# 9. Symmetries


def test_py_9_1_order_of_the_bits(load):
    game = load("pylos")
    cell = game.string_to_action("1b1")
    images = {k: game.action_to_string(game.transform_action(cell, k)) for k in range(8)}
    assert images == {0: "1b1", 1: "1c1", 2: "1b4", 3: "1c4", 4: "1a2", 5: "1a3", 6: "1d2", 7: "1d3"}
    assert game.num_symmetries() == 8
    with pytest.raises(ValueError, match="8"):
        game.transform_action(cell, 8)


@pytest.mark.parametrize("preset", ["expert", "mini"])
def test_py_9_1_symmetries_commute_between_turns(engine, preset):
    game = engine.load_game("pylos", preset=preset)
    state, choose = game.new_initial_state(), random.Random(11)
    while not state.is_terminal():
        actions = list(state.legal_actions())
        action = choose.choice(actions)
        for k in range(8):
            image = state.transformed(k)
            if not state.in_turn():
                assert sorted(game.transform_action(a, k) for a in actions) == list(image.legal_actions())
                image.apply_action(game.transform_action(action, k))
                after = state.clone()
                after.apply_action(action)
                assert image == after.transformed(k)
        state.apply_action(action)


def test_py_9_1_the_sets_that_can_be_taken_are_symmetric(engine):
    game = engine.load_game("pylos")
    state = act(at(game, TOWER), "1d4")

    def sets(s):
        return {frozenset(turn.split("-")) for turn in turns_of(engine, s)}

    def image(cell, k):
        return game.action_to_string(game.transform_action(game.string_to_action(cell), k)) if cell else cell

    for k in range(8):
        assert {frozenset(image(cell, k) for cell in taken) for taken in sets(state)} == sets(state.transformed(k))


# Copies


@pytest.mark.parametrize("actions", [[], ["1d4"], ["1d4", "-2a1"]])
def test_py_6_3_copies_are_equal_and_their_own(load, actions):
    state = act(at(load("pylos", chain_removal=True, max_turns=80), TOWER, "L - 3"), *actions)
    for other in (state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other == state
        assert hash(other) == hash(state)
        assert other.get_game() == state.get_game()
        other.apply_action(other.legal_actions()[0])
        assert other != state
