"""The thirteen traps of Numberplace City: what players and programs get wrong most easily.

Seats of four players, clockwise, and their blocks: 0 south 4678, 1 west 0346, 2 north 0124, 3 east 2458. Block 4 is
everybody's. Where nothing else is said seat 0 starts, and whom a test does not name passes with an empty hand.
"""

import random

import pytest
from numberplace_city_model import (
    EMPTY,
    at,
    built,
    every_tile,
    flat,
    of_board,
    penalties,
    points,
    read,
    ready,
    revealed,
    seat,
    statuses,
)
from playing import choices, play

from ziggurat.errors import IllegalActionError


@pytest.fixture
def game(load):
    return load("numberplace_city")


# Trap 1.


def test_nc_3_2_of_three_equal_tiles_on_a_cell_the_last_is_built(game):
    state = revealed(game, EMPTY, "r5c5=5", "r5c5=5", "r5c5=5")
    assert built(state) == {"r5c5": 5}
    assert penalties(state) == ["5", "5", "", ""]


# Trap 2.


def test_nc_3_2_another_number_between_two_equal_ones_is_a_penalty(game):
    state = revealed(game, EMPTY, "r5c5=5", "r5c5=7", "r5c5=5")
    assert built(state) == {"r5c5": 5}
    assert penalties(state) == ["5", "7", "", ""]
    assert read(state).discard == ""


def test_nc_3_2_the_first_tile_says_which_number_a_cell_gets(game):
    assert built(revealed(game, EMPTY, "r5c5=5", "r5c5=7")) == {"r5c5": 5}
    state = revealed(game, EMPTY, "r5c5=7", "r5c5=5", "r5c5=5")
    assert built(state) == {"r5c5": 7}
    assert penalties(state) == ["", "5", "5", ""]


# Trap 3.


@pytest.mark.parametrize("cell", ["r4c6", "r6c4", "r5c5"])
def test_nc_3_2_the_earlier_of_two_that_clash_is_built_and_the_later_costs_one_tile(game, cell):
    state = revealed(game, EMPTY, "r4c4=5", f"{cell}=5")
    assert built(state) == {"r4c4": 5}
    assert penalties(state) == ["", "5", "", ""]


def test_nc_3_2_equal_tiles_on_no_common_line_are_both_built(game):
    state = revealed(game, EMPTY, "r4c4=5", "r1c1=5")
    assert built(state) == {"r4c4": 5, "r1c1": 5}
    assert penalties(state) == [""] * 4


# Trap 4.

FIVE_IN_THE_ROW = """
    ... ... ...
    ... ... ...
    ... ... ...

    ... ... ..5
    ... ... ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... ...
"""


def test_nc_3_3_a_tile_against_the_board_costs_two(game):
    state = revealed(game, FIVE_IN_THE_ROW, "pass", "r4c1=5")
    assert built(state) == {}
    assert penalties(state) == ["", "55", "", ""]


def test_nc_3_3_the_same_number_beside_the_row_is_built(game):
    state = revealed(game, FIVE_IN_THE_ROW, "pass", "r5c1=5")
    assert built(state) == {"r4c9": 5, "r5c1": 5}
    assert penalties(state) == [""] * 4


# Trap 5.

FIVE_BELOW = """
    ... ... ...
    ... ... ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... ...

    ... ... ...
    ... 5.. ...
    ... ... ...
"""


def test_nc_3_2_tiles_of_the_round_are_compared_before_the_board(game):
    state = revealed(game, FIVE_BELOW, "r4c4=5", "r4c6=5")
    assert built(state) == {}
    assert penalties(state) == ["55", "5", "", ""]


def test_nc_3_2_without_the_tile_that_breaks_the_board_the_other_one_is_built(game):
    state = revealed(game, FIVE_BELOW, "pass", "r4c6=5")
    assert built(state) == {"r8c4": 5, "r4c6": 5}
    state = revealed(game, FIVE_BELOW, "r4c6=5", "r4c4=5")  # and if it comes second, it is the one that goes out first
    assert built(state) == {"r8c4": 5, "r4c6": 5}
    assert penalties(state) == ["", "5", "", ""]


# Trap 6.


def test_nc_3_2_a_tile_that_was_knocked_out_defeats_nobody(game):
    state = revealed(game, EMPTY, "r4c4=5", "r4c6=5", "r1c6=5")
    assert built(state) == {"r4c4": 5, "r1c6": 5}
    assert penalties(state) == ["", "5", "", ""]


def test_nc_3_2_a_tile_that_stands_does_defeat_the_third(game):
    state = revealed(game, EMPTY, "pass", "r4c6=5", "r1c6=5")
    assert built(state) == {"r4c6": 5}
    assert penalties(state) == ["", "", "5", ""]


# Trap 7.

EIGHT_IN_THE_ROW = """
    ... ... ...
    ... ... ...
    ... ... ...

    123 4.6 789
    ... ... ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... ...
"""


def test_nc_3_4_no_point_for_a_line_that_is_broken_in_the_same_reveal(game):
    state = revealed(game, EIGHT_IN_THE_ROW, "r4c5=5", "pass", "pass", "r1c7=7")
    assert built(state) == {**of_board(EIGHT_IN_THE_ROW.replace("7", ".")), "r4c5": 5}
    assert points(state) == [0, 0, 0, 0]
    assert penalties(state) == ["", "", "", "77"]


def test_nc_3_4_a_point_where_the_other_tile_breaks_nothing(game):
    state = revealed(game, EIGHT_IN_THE_ROW, "r4c5=5", "pass", "pass", "r1c8=7")
    assert built(state) == {**of_board(EIGHT_IN_THE_ROW), "r4c5": 5, "r1c8": 7}
    assert points(state) == [1, 0, 0, 0]


# Trap 8.


def test_nc_3_8_the_bonus_goes_to_the_lowest_tile_that_was_built(game):
    state = revealed(game, FIVE_IN_THE_ROW.replace("5", "1"), "r4c4=1", "r5c2=2", "r1c1=3")
    assert read(state).bonus == "1:2"
    assert state.current_player() == 1
    state = revealed(game, FIVE_IN_THE_ROW.replace("5", "1"), "r5c4=1", "r5c2=2", "r1c1=3")
    assert read(state).bonus == "0:1"


# Trap 9.


def test_nc_3_6_a_win_comes_before_elimination(load):
    game = load("numberplace_city", players=2)
    facts = {"seats": {0: seat(penalties="111222", points=2)}}
    state = revealed(game, EIGHT_IN_THE_ROW, "pass=9", "pass", "pass", "r4c5=5", **facts)
    assert (read(state).end, state.winners(), points(state)) == ("points:0", [0], [3, 0])
    assert penalties(state)[0] == "1112229"
    assert statuses(state) == ["in", "in"]
    state = revealed(game, EIGHT_IN_THE_ROW, "pass=9", "pass", "pass", "r5c5=5", **facts)
    assert (read(state).end, state.winners(), points(state)) == ("last:1", [1], [2, 0])


def test_nc_3_7_nobody_wins_where_all_are_eliminated_together(game):
    seats = {player: seat(penalties=str(player + 1) * 4) for player in range(4)}
    state = revealed(game, EMPTY, "pass=9", "pass=9", "pass=9", "pass=9", seats=seats)
    assert (read(state).end, state.winners(), state.is_terminal()) == ("nobody", [], True)
    assert statuses(state) == ["out"] * 4
    assert flat(state.returns()) == [0, 0, 0, 0]


# Trap 10.


def test_nc_2_4_one_out_and_two_passed_the_one_who_is_left_must_still_earn_his_win(game):
    seats = {0: seat(penalties="11122", status="out"), 1: seat(status="passed"), 2: seat(status="passed")}
    state = revealed(game, EMPTY, "r5c5=5", seats=seats, start=3)
    assert not state.is_terminal()
    assert points(state) == [0, 0, 0, 1]
    assert state.current_player() == 3
    state = revealed(game, EMPTY, "r5c5=5", seats={**seats, 3: seat(points=2)}, start=3)
    assert (read(state).end, state.winners()) == ("points:3", [3])


def test_nc_3_7_three_out_the_last_one_wins_at_once(game):
    seats = {0: seat(penalties="11122", status="out"), 1: seat(penalties="22233", status="out")}
    state = revealed(game, EMPTY, "r5c5=5", "r5c5=7", seats={**seats, 3: seat(penalties="3344")}, start=2)
    assert (read(state).end, state.winners()) == ("last:2", [2])
    assert points(state) == [0, 0, 0, 0]
    assert statuses(state) == ["out", "out", "in", "out"]


# Trap 11.


@pytest.mark.parametrize("start", [0, 1])
def test_nc_2_1_two_players_act_in_the_order_first_second_second_first(load, start):
    game = load("numberplace_city", players=2)
    state, acts = ready(game, EMPTY, ["r5c5=5", "r5c6=6", "r5c4=4", "r4c4=1"], start=start)
    movers = []
    for act in acts:
        movers.append(state.current_player())
        play(state, act)
    assert movers == [start, 1 - start, 1 - start, start]


def test_nc_3_2_own_tiles_clash_with_each_other(load):
    game = load("numberplace_city", players=2)
    state = revealed(game, EMPTY, "r5c5=5", "r1c1=5", "r9c9=5", "r5c1=5")
    assert built(state) == {"r5c5": 5, "r1c1": 5, "r9c9": 5}
    assert penalties(state) == ["5", ""]
    state = revealed(game, EMPTY, "r5c5=5", "r1c1=7", "r1c2=7", "r5c5=5")
    assert built(state) == {"r5c5": 5, "r1c1": 7}
    assert penalties(state) == ["5", "7"]


# Trap 12.


def hidden_pairs(game):
    """Pairs of states of which the second hides a lay of seat 0 that the board contradicts, with the viewer."""
    for board in (FIVE_IN_THE_ROW, FIVE_BELOW):
        pair = []
        for hidden, other in (("7", "5"), ("5", "7")):
            seats = {0: seat(other), 1: seat("456"), 2: seat("89"), 3: seat("123")}
            pair.append(at(game, board, seats, laid=f"0:r4c4={hidden}", place=1))
        for viewer in (1, 2, 3):
            yield *pair, viewer


def errors(state):
    """What is said about the illegal actions of the player to move."""
    found = []
    for action in range(0, 836, 5):
        if not state.is_legal(action):
            with pytest.raises(IllegalActionError) as caught:
                state.apply_action(action)
            found.append(str(caught.value))
    return found


def test_nc_6_1_nothing_tells_whether_a_hidden_lay_of_another_is_legal(game):
    for legal, illegal, viewer in hidden_pairs(game):
        assert legal != illegal
        assert legal.information_state_string(viewer) == illegal.information_state_string(viewer)
        assert flat(legal.observation_tensor(viewer)) == flat(illegal.observation_tensor(viewer))
        assert flat(legal.legal_actions_mask()) == flat(illegal.legal_actions_mask())
        for wanted in ("built", "laid", "penalties"):
            assert flat(legal.analysis(wanted)) == flat(illegal.analysis(wanted))
        for wanted in ("layable", "candidates", "gain"):
            assert all(flat(legal.view(wanted, p)) == flat(illegal.view(wanted, p)) for p in range(4))
        assert legal.information_state_string(0) != illegal.information_state_string(0)
    assert errors(legal) == errors(illegal)
    assert len(errors(legal)) > 100


def test_nc_2_2_own_lays_may_break_the_rule_too(game):
    state, _ = ready(game, FIVE_IN_THE_ROW, ["r4c4=5"])
    assert {"r4c4=5", "r5c5=5"} <= choices(state)


# Trap 13.


@pytest.mark.parametrize("recycle", [True, False])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("scope", ["own", "all_up_to"])
def test_nc_4_5_games_end_where_tiles_run_out_and_no_tile_is_lost(load, players, recycle, scope):
    game = load("numberplace_city", players=players, tiles_per_number=1, recycle=recycle, bonus_scope=scope, out_at=127)
    rng, ends, ran_out = random.Random(5), set(), False
    for seed in range(3):
        state, steps = game.new_initial_state(seed), 0
        while not state.is_terminal():
            state.apply_action(rng.choice([int(action) for action in state.legal_actions()]))
            assert every_tile(state) == "123456789"
            now, steps = read(state), steps + 1
            ran_out = ran_out or not (now.supply or (recycle and now.discard))
            assert steps < 2500
        ends.add(read(state).end.partition(":")[0])
    assert ran_out
    assert ends & {"count", "points", "bonus"}
