"""The reveal of Numberplace City: clauses 3.1 to 3.7.

Seats of four players, clockwise, and their blocks: 0 south 4678, 1 west 0346, 2 north 0124, 3 east 2458. Where nothing
else is said seat 0 starts, and whom a test does not name passes with an empty hand.
"""

import pytest
from numberplace_city_model import (
    EMPTY,
    OUT,
    SOLVED,
    area,
    at,
    built,
    city,
    fill,
    name,
    of_board,
    penalties,
    points,
    read,
    redrawn,
    revealed,
    seat,
    statuses,
)
from playing import play

# [NC-3.2] Within the round.


@pytest.mark.parametrize(("first", "second"), [("r4c4", "r4c1"), ("r4c4", "r8c4"), ("r8c9", "r9c7"), ("r4c4", "r6c6")])
def test_nc_3_2_an_equal_number_on_a_common_line(load, first, second):
    # South first, then whoever may lay on the second cell; the others pass.
    game = city(load, areas="012345678+012345678+0+0")
    state = revealed(game, EMPTY, f"{first}=5", f"{second}=5")
    assert built(state) == {first: 5}
    assert penalties(state) == ["", "5", "", ""]
    state = revealed(game, EMPTY, f"{first}=5", f"{second}=6")
    assert built(state) == {first: 5, second: 6}


def test_nc_3_2_a_cell_of_a_tile_that_was_knocked_out_is_free_for_a_later_one(load):
    state = revealed(city(load), EMPTY, "r4c4=5", "r4c6=5", "r4c6=7")
    assert built(state) == {"r4c4": 5, "r4c6": 7}
    assert penalties(state) == ["", "5", "", ""]
    state = revealed(city(load), EMPTY, "r4c4=5", "r4c6=5", "r4c6=7", "r4c6=7")
    assert built(state) == {"r4c4": 5, "r4c6": 7}
    assert penalties(state) == ["", "5", "7", ""]


def test_nc_3_2_a_second_tile_on_such_a_cell_is_compared_again(load):
    state = revealed(city(load), EMPTY, "r4c4=5", "r4c6=5", "r4c6=5")
    assert built(state) == {"r4c4": 5}
    assert penalties(state) == ["", "5", "5", ""]


def test_nc_3_2_another_number_on_a_claimed_cell_is_a_penalty_and_claims_nothing(load):
    state = revealed(city(load), EMPTY, "r4c4=5", "r4c4=7", "r4c6=7")
    assert built(state) == {"r4c4": 5, "r4c6": 7}
    assert penalties(state) == ["", "7", "", ""]


def test_nc_3_2_who_takes_over_a_claim_is_its_builder(load):
    # The ninth cell of row 4 is claimed by south, and taken over by north, who gets the point.
    state = revealed(city(load), ROW_4, "r4c5=5", "pass", "r4c5=5")
    assert points(state) == [0, 0, 1, 0]
    assert penalties(state) == ["5", "", "", ""]


ROW_4 = """
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

FIVE_BETWEEN = """
    ... ... ...
    ... ... ...
    ... ... ...

    5.. ... ...
    ... ... ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... ...
"""


def test_nc_3_2_a_claim_that_is_taken_over_keeps_its_place_before_the_board(load):
    # r4c5 and r7c1 both clash with the 5 on r4c1: the first claim takes it, although its tile was laid last.
    state = revealed(city(load), FIVE_BETWEEN, "r4c5=5", "r7c1=5", "r4c5=5")
    assert built(state) == {}
    assert penalties(state) == ["5", "5", "55", ""]
    state = revealed(city(load), FIVE_BETWEEN, "pass", "r7c1=5", "r4c5=5")
    assert penalties(state) == ["", "55", "5", ""]


def test_nc_3_2_a_claim_that_is_taken_over_is_built_in_its_place(load):
    # Two cells of row 4 are left. South's tile comes last, but the claim that it takes over was the first: east scores.
    board = ROW_4.replace("4.6 789", "4.6 .89")
    state = revealed(city(load), board, "r4c5=5", "r4c7=7", "r4c5=5", start=2)
    assert points(state) == [0, 0, 0, 1]
    state = revealed(city(load), board, "pass", "r4c7=7", "r4c5=5", start=2)
    assert points(state) == [1, 0, 0, 0]


# [NC-3.3] Against the board.

THREE_FIVES = """
    ... .5. ...
    ... ... ...
    ... ... ...

    ... 5.. ...
    5.. ... ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... ...
"""


@pytest.mark.parametrize(
    ("cell", "taken"),
    [
        ("r9c4", ["r4c4"]),  # by its column
        ("r6c5", ["r1c5", "r4c4"]),  # by its column and its block
        ("r5c5", ["r1c5", "r4c4", "r5c1"]),  # by column, block and row
    ],
)
def test_nc_3_3_all_contradicting_tiles_are_taken(load, cell, taken):
    state = revealed(city(load), THREE_FIVES, f"{cell}=5")
    assert built(state) == {at: 5 for at in of_board(THREE_FIVES) if at not in taken}
    assert penalties(state) == ["5" * (1 + len(taken)), "", "", ""]


@pytest.mark.parametrize(("cell", "taken"), [("r9c4", "r4c4"), ("r6c5", "r1c5"), ("r5c5", "r1c5")])
def test_nc_3_3_or_the_first_by_cell(load, cell, taken):
    state = revealed(city(load, board_conflict="one"), THREE_FIVES, f"{cell}=5")
    assert built(state) == {at: 5 for at in of_board(THREE_FIVES) if at != taken}
    assert penalties(state) == ["55", "", "", ""]


def test_nc_3_3_a_claim_falls_also_by_a_tile_that_an_earlier_claim_has_taken(load):
    # r4c5 takes the 5 on r4c1; r7c1 falls by it nevertheless, and takes nothing.
    for how in ("all", "one"):
        game = city(load, board_conflict=how)
        state = revealed(game, FIVE_BETWEEN, "r4c5=5", "r7c1=5")
        assert built(state) == {}
        assert penalties(state) == ["55", "5", "", ""]


TWO_FIVES = """
    ... ... ..5
    ... ... ...
    ... ... ...

    5.. ... ...
    ... ... ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... ...
"""


def test_nc_3_3_one_is_the_first_that_is_not_yet_taken(load):
    # r7c1 takes r4c1; r4c9 clashes with r1c9 and r4c1, and takes r1c9. So it does where it comes first.
    game = city(load, board_conflict="one")
    state = revealed(game, TWO_FIVES, "pass", "r7c1=5", "pass", "r4c9=5")
    assert (built(state), penalties(state)) == ({}, ["", "55", "", "55"])
    state = revealed(game, TWO_FIVES, "r4c9=5", "pass", "r7c1=5", "pass", start=3)
    assert (built(state), penalties(state)) == ({}, ["", "55", "", "55"])


def test_nc_3_3_one_passes_over_a_taken_tile_that_comes_first(load):
    # South's 5 on r9c9 takes r1c9, the only tile that it clashes with. West's 5 on r1c1 clashes with r1c9, which is the
    # first by cell but taken, and with r4c1: it takes r4c1.
    game = city(load, board_conflict="one")
    state = revealed(game, TWO_FIVES, "r9c9=5", "r1c1=5")
    assert built(state) == {}
    assert penalties(state) == ["55", "55", "", ""]
    state = revealed(city(load), TWO_FIVES, "pass", "r1c1=5")
    assert penalties(state) == ["", "555", "", ""]


def test_nc_3_3_the_board_is_looked_at_as_it_stood_before_the_round(load):
    # The first claim removes the 5 on r4c1 and does not stand itself: the tile on r9c4 is free of both.
    state = revealed(city(load), FIVE_BETWEEN, "r9c4=5", "r4c5=5")
    assert built(state) == {"r9c4": 5}
    assert penalties(state) == ["", "55", "", ""]


# [NC-3.4] Points.

COLUMN = fill(EMPTY, *(f"r{row}c5={digit}" for row, digit in zip((1, 2, 3, 4, 6, 7, 8, 9), "12346789", strict=True)))
ROW = fill(EMPTY, *(f"r5c{column}={digit}" for column, digit in zip((1, 2, 3, 4, 6, 7, 8, 9), "67814932", strict=True)))
BLOCK = fill(EMPTY, "r4c4=1", "r4c5=2", "r4c6=3", "r5c4=4", "r5c6=6", "r6c4=7", "r6c5=8", "r6c6=9")
ALL = fill(
    BLOCK,
    *("r5c1=7", "r5c2=8", "r5c3=9", "r5c7=1", "r5c8=2", "r5c9=3"),
    *("r1c5=1", "r2c5=3", "r3c5=4", "r7c5=6", "r8c5=7", "r9c5=9"),
)


@pytest.mark.parametrize(("board", "gained"), [(COLUMN, 1), (ROW, 1), (BLOCK, 1), (ALL, 3), (EMPTY, 0)])
def test_nc_3_4_a_point_for_each_line(load, board, gained):
    state = revealed(city(load, points_to_win=9), board, "r5c5=5")
    assert built(state) == {**of_board(board), "r5c5": 5}
    assert points(state) == [gained, 0, 0, 0]


# Row 8, column 5 and block 7 lack the cell r8c5. Block 7 is exclusive to south.
SOUTH = fill(
    EMPTY,
    *("r7c4=1", "r7c5=2", "r7c6=3", "r8c4=4", "r8c6=6", "r9c4=7", "r9c5=8", "r9c6=9"),
)
SOUTH_ALL = fill(
    SOUTH,
    *("r8c1=7", "r8c2=8", "r8c3=9", "r8c7=1", "r8c8=2", "r8c9=3"),
    *("r1c5=1", "r2c5=3", "r3c5=4", "r4c5=6", "r5c5=7", "r6c5=9"),
)


@pytest.mark.parametrize(
    ("board", "options", "gained"),
    [
        (SOUTH, {}, 2),
        (SOUTH, {"players": 3}, 2),
        (SOUTH, {"players": 2}, 2),
        (SOUTH, {"areas": "4678+07+0124+2458"}, 1),
        (SOUTH_ALL, {}, 4),
        (SOUTH_ALL, {"areas": "4678+07+0124+2458"}, 3),
    ],
)
def test_nc_3_4_two_points_for_an_exclusive_block(load, board, options, gained):
    game = city(load, points_to_win=9, **options)
    state = revealed(game, board, "r8c5=5")
    assert points(state)[0] == gained
    assert sum(points(state)) == gained


def test_nc_3_4_the_tile_that_fills_a_line_scores_not_those_before_it(load):
    board = ROW_4.replace("4.6 789", "4.6 .89")
    assert points(revealed(city(load), board, "r4c5=5", "pass", "pass", "r4c7=7")) == [0, 0, 0, 1]
    assert points(revealed(city(load), board, "r4c7=7", "r4c5=5", start=3)) == [1, 0, 0, 0]


def test_nc_3_4_points_are_never_taken_back(load):
    # South fills row 4; in the next round west's 5 takes a tile out of it again, and south fills it once more.
    state, game = revealed(city(load), ROW_4, "r4c5=5"), city(load)
    assert points(state) == [1, 0, 0, 0]
    board = redrawn(read(state).board)
    state = revealed(game, board, "pass", "r7c2=2", seats={0: seat(points=1)})
    assert "r4c2" not in built(state)
    assert (points(state), penalties(state)) == ([1, 0, 0, 0], ["", "22", "", ""])
    board = redrawn(read(state).board)
    state = revealed(game, board, "pass", "r4c2=2", seats={0: seat(points=1)})
    assert points(state) == [1, 1, 0, 0]


# [NC-3.6] Wins.


def test_nc_3_6_three_points_win_at_once(load):
    state = revealed(city(load), ALL, "r5c5=5", "r1c1=2", "r1c4=5")
    assert (read(state).end, state.winners(), points(state)) == ("points:0", [0], [3, 0, 0, 0])
    assert state.is_terminal()
    assert state.current_player() == -4
    assert built(state) == {**of_board(ALL), "r5c5": 5}
    assert read(state).laid == ["1:r1c1=2", "2:r1c4=5"]  # claims that were not built yet
    for viewer in range(4):
        assert "1:r1c1=2,2:r1c4=5" in state.information_state_string(viewer)


def test_nc_3_6_only_claims_stay_laid(load):
    state = revealed(city(load), ALL, "r5c5=5", "r1c1=2", "r1c2=2", "r3c7=9")
    assert read(state).laid == ["1:r1c1=2", "3:r3c7=9"]
    assert penalties(state) == ["", "", "2", ""]


def test_nc_3_6_they_stay_in_laying_order_whatever_place_they_inherited(load):
    state = revealed(city(load, points_to_win=1), ROW, "r5c5=5", "r4c4=2", "r1c4=9", "r4c4=2")
    assert (read(state).end, read(state).laid) == ("points:0", ["2:r1c4=9", "3:r4c4=2"])
    assert penalties(state) == ["", "2", "", ""]


def test_nc_3_6_of_two_equal_tiles_of_a_player_on_a_cell_one_stays_laid(load):
    state = revealed(city(load, players=2, points_to_win=1), ROW, "r5c5=5", "r1c9=9", "r1c9=9", "r9c1=8")
    assert (read(state).end, read(state).laid) == ("points:0", ["1:r1c9=9", "0:r9c1=8"])
    assert penalties(state) == ["", "9"]


def test_nc_3_6_more_than_enough_points_win_too(load):
    state = revealed(city(load), SOUTH_ALL, "r8c5=5", seats={0: seat(points=2)})
    assert (read(state).end, points(state)) == ("points:0", [6, 0, 0, 0])


def test_nc_3_6_not_enough_points_do_not(load):
    state = revealed(city(load, points_to_win=4), ALL, "r5c5=5")
    assert (read(state).end, points(state)) == ("-", [3, 0, 0, 0])
    assert points(revealed(city(load, points_to_win=1), ROW, "r5c5=5")) == [1, 0, 0, 0]
    assert read(revealed(city(load, points_to_win=1), ROW, "r5c5=5")).end == "points:0"


def test_nc_3_6_the_builder_of_an_earlier_claim_wins_although_another_would_too(load):
    # Two lines, each lacking one cell; both players need a point.
    board = fill(ROW_4, *("r7c1=7", "r7c2=8", "r7c3=9", "r8c1=5", "r8c2=1", "r8c3=6", "r9c1=3", "r9c2=4"))
    seats = {0: seat(points=2), 1: seat(points=2)}
    state = revealed(city(load), board, "r4c5=5", "r9c3=2", seats=seats)
    assert (read(state).end, read(state).laid) == ("points:0", ["1:r9c3=2"])
    state = revealed(city(load), board, "r9c3=2", "pass", "pass", "r4c5=5", seats=seats, start=1)
    assert (read(state).end, read(state).laid) == ("points:1", ["0:r4c5=5"])


# Block 4 lacks its middle. With these areas it fills whole areas.


def test_nc_3_6_a_full_area_wins(load):
    game = city(load, players=3, areas="4+0+28", points_to_win=99)
    state = revealed(game, BLOCK, "r5c5=5", "r1c1=5", "r2c8=5")
    assert (read(state).end, state.winners()) == ("area:0", [0])
    assert read(state).laid == ["1:r1c1=5", "2:r2c8=5"]


def test_nc_3_6_points_come_before_the_area(load):
    state = revealed(city(load, players=3, areas="4+0+28", points_to_win=2), BLOCK, "r5c5=5")
    assert read(state).end == "points:0"
    state = revealed(city(load, players=3, areas="4+0+28", points_to_win=3), BLOCK, "r5c5=5")
    assert read(state).end == "area:0"


@pytest.mark.parametrize(
    ("areas", "start", "builder", "winner"),
    [
        ("4+4+4+4", 0, 1, 1),  # the builder first, although seat 0 starts
        ("4+4+4+4", 2, 1, 1),
        ("04+4+4+4", 0, 0, 1),  # the builder's area is not full: from the start player
        ("04+4+4+4", 2, 0, 2),
        ("04+4+4+4", 3, 0, 3),
        ("4+4+4+48", 3, 3, 0),
        ("4+04+04+04", 1, 1, 0),  # somebody else's area alone
        ("4+4+04+4", 2, 2, 3),
    ],
)
def test_nc_3_6_areas_of_others_are_looked_at_too(load, areas, start, builder, winner):
    game = city(load, areas=areas, points_to_win=99)
    acts = ["pass"] * 4
    acts[(builder - start) % 4] = "r5c5=5"
    state = revealed(game, BLOCK, *acts, start=start)
    assert (read(state).end, state.winners()) == (f"area:{winner}", [winner])


def test_nc_3_6_who_is_out_does_not_win_by_his_area_who_has_passed_for_good_does(load):
    game = city(load, areas="04+4+4+04", points_to_win=99)
    seats = {1: seat(penalties="12345", status="out"), 2: seat(status="passed")}
    state = revealed(game, BLOCK, "r5c5=5", seats=seats)
    assert (read(state).end, statuses(state)[2]) == ("area:2", "passed")
    seats[2] = seat(penalties="12345", status="out")
    state = revealed(game, BLOCK, "r5c5=5", seats=seats)
    assert read(state).end == "-"


def test_nc_3_6_the_area_is_looked_at_after_every_tile(load):
    # Seat 0 builds first, seat 1's area is full with the second tile, the third stays laid.
    board = fill(BLOCK, "r6c6=.")
    game = city(load, areas="04+4+04+04", points_to_win=99)
    state = revealed(game, board, "r5c5=5", "r6c6=9", "r1c1=1")
    assert (read(state).end, read(state).laid) == ("area:1", ["2:r1c1=1"])


def test_nc_3_6_an_area_of_four_blocks_of_the_standard_game(load):
    # South's 36 cells are filled but for one; the tile on it wins nothing but its area: row, column stay open.
    game = city(load, points_to_win=99)
    others = [f"{name(cell)}=." for cell in range(81) if cell not in area(game, 0)]
    state = revealed(game, fill(SOLVED, "r5c5=.", *others), "r5c5=9")
    assert (read(state).end, state.winners()) == ("area:0", [0])
    assert points(state)[0] == 1


# [NC-3.7] Elimination.


def test_nc_3_7_five_penalty_tiles_eliminate_at_the_end_of_the_reveal(load):
    # West has four and lays a tile that costs two; his tile of the same round was laid and looked at all the same.
    state = revealed(city(load), FIVE_BETWEEN, "pass", "r7c1=5", seats={1: seat("2", "1234", 1)})
    assert statuses(state) == ["in", "out", "in", "in"]
    assert (penalties(state)[1], points(state)[1]) == ("123455", 1)
    assert read(state).seats[1].hand == "2"  # not refilled, and kept
    state = revealed(city(load), FIVE_BETWEEN, "pass", "r7c1=5", seats={1: seat("2", "12")})
    assert statuses(state) == ["in"] * 4


@pytest.mark.parametrize(
    ("options", "limit"),
    [({}, 5), ({"players": 3}, 5), ({"players": 2}, 7), ({"out_at": 2}, 2), ({"players": 2, "out_at": 3}, 3)],
)
def test_nc_3_7_how_many_tiles_it_takes(load, options, limit):
    game = city(load, **options)
    for few in (1, 2):
        seats = {0: seat(penalties="1223344566"[: limit - few])}
        state = revealed(game, EMPTY, "pass=9", seats=seats)
        assert statuses(state)[0] == ("out" if few == 1 else "in")
    assert statuses(state)[1:] == ["in"] * (game.num_players() - 1)


def test_nc_3_7_tiles_of_the_eliminated_stay_built(load):
    state = revealed(city(load), EMPTY, "r9c4=5", seats={0: seat(penalties="11223")})
    assert (built(state), statuses(state)[0]) == ({"r9c4": 5}, "out")


def test_nc_3_7_a_win_by_points_of_somebody_who_has_too_many_penalties(load):
    state = revealed(city(load), ALL, "r5c5=5", seats={0: seat(penalties="112233")})
    assert (read(state).end, statuses(state)[0]) == ("points:0", "in")


@pytest.mark.parametrize(
    ("seats", "end"),
    [
        ({0: OUT, 1: OUT, 2: seat(), 3: seat(penalties="6667")}, "last:2"),
        ({0: OUT, 1: OUT, 2: seat(status="passed"), 3: seat(penalties="6667")}, "last:2"),  # before count
        ({0: OUT, 1: seat(status="passed"), 2: seat(status="passed"), 3: seat(penalties="6667")}, "count"),
        ({0: OUT, 1: OUT, 2: seat(penalties="66778", status="passed"), 3: seat(penalties="6667")}, "nobody"),
        ({0: OUT, 1: seat(), 2: seat(status="passed"), 3: seat(penalties="6667")}, "-"),
    ],
)
def test_nc_3_7_one_in_nobody_in_all_passed(load, seats, end):
    # Seat 3's 8 on r4c8 breaks the board and eliminates him; whoever else may act lays a 9.
    held = {i: seat("9", one.penalties, status=one.status) for i, one in seats.items()}
    state = at(city(load), fill(EMPTY, "r4c4=8"), {**held, 3: seat("8", seats[3].penalties)}, start=3)
    play(state, "r4c8=8", *(f"{cell}=9" for i, cell in ((1, "r1c1"), (2, "r2c4")) if seats[i].status == "in"))
    assert statuses(state)[3] == "out"
    assert read(state).end == end
    assert state.winners() == ([2] if end == "last:2" else [1, 2] if end == "count" else [])
