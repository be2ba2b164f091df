"""The traps of the variants of Blokus: other boards, colours, start squares and pieces, one test each.

Clauses are those of `cpp/games/blokus/RULES.md`; Classic has a file of its own, as have views, symmetries and analyses.
"""

import random
from collections import Counter

import pytest
from blokus_model import (
    COLUMNS,
    JUNIOR,
    SIZES,
    cell_text,
    drawn,
    fields,
    full_hand,
    named,
    placements,
    possible_cells,
    squares,
    text_of,
    without,
)
from playing import at, choices, play, played, refuses

from ziggurat.errors import ParseError
from ziggurat.reference.random import CHOICES, Stream, stream_key

SIDES = range(5, 21)
FIGURES = {5: 958, 7: 2522, 8: 3577, 10: 6233, 14: 13729, 20: 30433}


def turns_of(state, most=10**6):
    """Play a random game, and give each state before it is played on: one object."""
    rng = random.Random(state.serialize())
    for _ in range(most):
        yield state
        if state.is_terminal():
            return
        state.apply_action(rng.choice(list(state.legal_actions())))


# 1. Material


@pytest.mark.parametrize("colours", [1, 2, 3, 4])
def test_bk_1_1_colours_in_order(load, colours):
    game = load("blokus", board=7, colours=colours, pieces="up_to_3")
    assert game.num_players() == colours
    for ply, state in enumerate(turns_of(game.new_initial_state(), 3 * colours)):
        if not state.is_terminal():
            assert fields(state)[1] == "byrg"[ply % colours]
            assert state.current_player() == ply % colours
        assert set(fields(state)[0]) <= set("/1234567" + "byrg"[:colours])
        assert fields(state)[2].count("/") == colours - 1
        assert len(state.scores()) == len(state.returns()) == colours


@pytest.mark.parametrize("side", SIDES)
def test_bk_1_2_cells_of_a_board(load, side):
    game = load("blokus", board=side, colours=1, pieces="1")
    assert game.num_distinct_actions() == side * side + 1
    texts = [game.action_to_string(cell) for cell in range(side * side)]
    assert texts == [f"{column}{row}" for row in range(side, 0, -1) for column in COLUMNS[:side]]
    for outside in (f"a{side + 1}", f"{(COLUMNS + 'u')[side]}1", "a0"):
        with pytest.raises(ParseError):
            game.string_to_action(outside)


@pytest.mark.parametrize("colours", [1, 2, 3, 4])
@pytest.mark.parametrize("side", SIDES)
def test_bk_1_4_corners(load, side, colours):
    state = load("blokus", board=side, colours=colours, pieces="1").new_initial_state()
    last = COLUMNS[side - 1]
    for start in [f"a{side}", f"{last}{side}", f"{last}1", "a1"][:colours]:
        assert choices(state) == {start}
        play(state, start)
    assert state.is_terminal()


def test_bk_1_4_start_squares_of_duo(load):
    game = load("blokus", "duo")
    state = game.new_initial_state()
    # (4, 4) and (9, 9) from the top left.
    for start, cell in (("e10", 4 * 14 + 4), ("j5", 9 * 14 + 9)):
        assert game.string_to_action(start) == cell
        assert state.count_legal() == 414
        assert all(start in text.split(",") for text in choices(state))
        play(state, start)


@pytest.mark.parametrize("cells", ["c3+b2+e1", "a1+a2+b1", "e5+a5+e1"])
def test_bk_1_4_start_squares_that_are_listed(load, cells):
    state = load("blokus", board=5, colours=3, starts=cells, pieces="1").new_initial_state()
    for start in cells.split("+"):
        assert choices(state) == {start}
        play(state, start)


def test_bk_1_3_nobody_has_a_piece_that_is_not_in_the_set(load):
    game = load("blokus", board=8, colours=2, pieces="V3+1+X")
    kinds = Counter()
    for state in turns_of(game.new_initial_state()):
        for text in choices(state) - {"pass"}:
            kinds[text.count(",") + 1] += 1
    assert set(kinds) == {1, 3, 5}
    for text in ("a1,b1", "a1,b1,c1", "a1,a2,b1,b2", "a1,b1,c1,d1,e1"):
        with pytest.raises(ParseError):
            game.string_to_action(text)
    assert game.string_to_action("a1,b1,a2") >= 64


def test_bk_1_3_two_of_each_piece(load):
    #   b . . . e    Both single squares lie, then both dominoes: c3,d3 and e4,e5. A third of either is not there.
    #   . b . . e
    #   . . d d .
    game = load("blokus", board=5, colours=1, pieces="up_to_2", copies=2)
    state = game.new_initial_state()
    assert fields(state)[2] == "*"
    hands = ["1,2,2", "2,2", "2", "-"]
    for move, hand in zip(["a5", "b4", "c3,d3", "e4,e5"], hands, strict=True):
        play(state, move)
        assert fields(state)[2] == hand
        if hand == "2,2":
            assert choices(state) == {"c3,d3", "c2,c3", "c5,d5", "a2,a3"}
            assert refuses(state, "c3")
    assert state.is_terminal()


def test_bk_1_3_junior_has_two_of_twelve_pieces(load):
    game = load("blokus", "junior")
    assert full_hand(game.options) == [piece for piece in JUNIOR for _ in range(2)]
    assert game.options["pieces"] == "junior"
    state = play(game.new_initial_state(), "e10", "j5", "d9", "k4")
    left = ",".join(piece for piece in full_hand(game.options) if piece != "1")
    assert fields(state)[2] == f"{left}/{left}"
    assert refuses(state, "c8")
    assert not {text for text in choices(state) if "," not in text}
    assert {text.count(",") + 1 for text in choices(state)} == {2, 3, 4, 5}
    play(state, "e8,e7", "l3,m3", "f6,f5", "k2,j2")
    assert refuses(state, "g4,g3")
    assert sum(SIZES[piece] for piece in full_hand(game.options)) == 88
    assert list(state.scores()) == [-82, -82]


# Who plays a colour


def test_bk_1_5_pairs_play_every_other_colour(load):
    game = load("blokus", "classic-2")
    assert game.num_players() == 2
    for ply, state in enumerate(turns_of(game.new_initial_state())):
        if state.is_terminal():
            break
        assert fields(state)[1] == "byrg"[ply % 4]  # passes are turns
        assert state.current_player() == ply % 2
        assert len(state.legal_actions(1 - ply % 2)) == 0
        assert len(state.legal_actions(ply % 2)) == state.count_legal()


def test_bk_1_5_fourth_is_played_by_the_number_of_its_pieces(load):
    game = load("blokus", "classic-3")
    assert game.num_players() == 3
    seen = set()
    for ply, state in enumerate(turns_of(game.new_initial_state())):
        if state.is_terminal():
            break
        colour, hand = ply % 4, fields(state)[2].split("/")[3]
        on_board = 0 if hand == "*" else 21 - len(hand.split(","))
        assert state.current_player() == (colour if colour < 3 else on_board % 3)
        seen |= {(on_board, choices(state) == {"pass"})} if colour == 3 else set()
    assert {(0, False), (1, False), (2, False), (3, False), (4, False)} < seen
    assert any(passing for _, passing in seen)


def test_bk_1_5_green_begins_on_its_own_corner(load):
    state = play(load("blokus", "classic-3").new_initial_state(), "a20", "t20", "t1")
    assert (fields(state)[1], state.current_player()) == ("g", 0)
    assert state.count_legal() == 58
    assert all("a1" in text.split(",") for text in choices(state))
    assert refuses(state, "b19")  # a corner of the player's own blue is of no use
    state = play(load("blokus", "classic-3", start="any_corner").new_initial_state(), "a20", "a1", "t1")
    assert state.current_player() == 0
    assert all("t20" in text.split(",") for text in choices(state))


# Green lies on six squares, and its one corner is red.
SHUT_IN = drawn("""
    b . . . . . y
    . . . . . . .
    . . . . . . .
    . . r . . . .
    g g . . . . .
    g g . . . . .
    g g . . . . r
""")


@pytest.mark.parametrize(("hand", "controller"), [("1,1,2,2,I3,V3", 2), ("1,2,I3,V3,V3", 0), ("I3,I3,V3,V3", 1)])
def test_bk_1_5_a_pass_of_green_belongs_to_whoever_would_play_it(load, hand, controller):
    """The same board with two, three and four pieces of green; a pass adds none."""
    game = load("blokus", board=7, sharing="fourth", pieces="up_to_3", copies=2)
    one, two = without(game.options, "1"), without(game.options, "1", "1")
    hands = f"{one}/{one}/{two}/{hand}"
    state = at(game, SHUT_IN, "g", hands, "-", "-")
    for passed in ("-", "g"):
        assert fields(state)[3] == passed
        assert choices(state) == {"pass"}
        assert state.current_player() == controller
        play(state, "pass")
        for letter in "byr":
            assert fields(state)[1] == letter
            assert state.current_player() == "byr".index(letter)
            state.apply_action(next(iter(state.legal_actions())))


# Everything is full: nine squares a colour, of which blue lacks 1, yellow 2, red 6 and green 2.
FULL = drawn("""
    b b b b y
    b b b b y
    g g y y y
    g g g y y
    g g r r r
""")
FULL_HANDS = "1/2/I3,V3/2"
# The same, but blue has placed everything, and yellow lacks 3.
BLUE_IS_OUT = drawn("""
    b b b b y
    b b b b y
    g g b y y
    g g g y y
    g g r r r
""")


def test_bk_3_4_the_sum_of_both_colours_decides(load):
    """The first colours alone would say that player 0 has won."""
    for sharing, scores, winners in (("none", [-1, -2, -6, -2], [0]), ("pairs", [-7, -4], [1])):
        state = at(load("blokus", board=5, pieces="up_to_3", sharing=sharing), FULL, "b", FULL_HANDS, "-", "-")
        assert state.is_terminal()
        assert list(state.scores()) == scores
        assert state.winners() == winners
    assert list(state.returns()) == [-1, 1]


def test_bk_3_4_a_bonus_counts_for_the_pair(load):
    for options, single, scores, winners in (
        ({}, "b", [20 - 6, -5], [0]),
        ({}, "-", [15 - 6, -5], [0]),
        ({"scoring": "basic"}, "b", [0 - 6, -5], [1]),
    ):
        game = load("blokus", board=5, pieces="up_to_3", sharing="pairs", **options)
        state = at(game, BLUE_IS_OUT, "y", "-/I3/I3,V3/2", "-", single)
        assert list(state.scores()) == scores
        assert state.winners() == winners


def test_bk_3_4_the_score_of_the_fourth_colour_is_ignored(load):
    swapped = FULL.translate(str.maketrans("bg", "gb"))  # green is the best
    game = load("blokus", board=5, pieces="up_to_3", sharing="fourth", starts="a1+e5+e1+a5")
    state = at(game, swapped, "g", "2/2/I3,V3/1", "-", "-")
    assert state.is_terminal()
    assert list(state.scores()) == [-2, -2, -6]
    assert state.winners() == [0, 1]
    assert list(state.returns()) == [0.5, 0.5, -1]
    alone = at(load("blokus", board=5, pieces="up_to_3", starts="a1+e5+e1+a5"), swapped, "g", "2/2/I3,V3/1", "-", "-")
    assert (list(alone.scores()), alone.winners()) == ([-2, -2, -6, -1], [3])


# 2. Start squares


@pytest.mark.parametrize(("taken", "left"), [("e10", "j5"), ("j5", "e10")])
def test_bk_2_1_either_start_square_of_duo(load, taken, left):
    state = load("blokus", "duo", start="either").new_initial_state()
    assert state.count_legal() == 828
    assert sum("e10" in text.split(",") for text in choices(state)) == 414
    play(state, taken)
    assert state.count_legal() == 414
    assert all(left in text.split(",") for text in choices(state))
    assert refuses(state, taken)


def test_bk_2_1_nobody_begins_on_the_start_square_of_another(load):
    state = load("blokus", "duo").new_initial_state()
    assert refuses(state, "j5")
    assert refuses(play(state, "e10"), "d9")


@pytest.mark.parametrize(
    ("options", "piece"), [({}, "b3,c3"), ({"start": "any_corner"}, "b3,c3"), ({}, "b3,c3,b4"), ({}, "c3,b2,b3")]
)
@pytest.mark.parametrize("pass_mode", ["action", "skip"])
def test_bk_2_1_a_start_square_that_is_covered_is_gone_for_good(load, options, piece, pass_mode):
    game = load("blokus", board=5, colours=2, starts="b3+c3", pieces="up_to_3", pass_mode=pass_mode, **options)
    state = played(game, piece)
    for ply, now in enumerate(turns_of(state)):
        board, side, hands, passed, _ = fields(now)
        assert hands.split("/")[1] == "*"
        assert squares(board, "y") == set()
        if pass_mode == "skip":
            assert passed == ("by" if now.is_terminal() else "y")
            assert side == "b" or now.is_terminal()
        elif not now.is_terminal():
            assert side == "yb"[ply % 2]
            assert (choices(now) == {"pass"}) == (side == "y")
    assert list(state.scores())[1] == -9


def test_bk_2_1_a_start_square_beside_an_own_one_is_free_for_others(load):
    # An edge of another colour does not matter to a first piece.
    state = played(load("blokus", board=5, colours=2, starts="b3+c3", pieces="up_to_2"), "b3")
    assert choices(state) == {"c3", "c3,d3", "c3,c4", "c2,c3"}


def test_bk_2_1_other_words_for_the_start_rules(load):
    assert load("blokus", start="own") == load("blokus", "classic")
    assert load("blokus", "duo", start="either") == load("blokus", "duo", start="any_corner")
    assert load("blokus(start=either)") == load("blokus", start="any_corner")
    assert str(load("blokus(start=own)")) == "blokus()"
    assert load("blokus", start="either").options["start"] == "any_corner"


# Passing in games of two


SHUT_OUT = ["e7,f7,e8,e9,e10", "j1,j2,j3,j4,j5", "g6,h6,i6,j6,k6"]


def test_bk_2_3_orange_is_shut_out_in_three_turns(load):
    game = load("blokus", "duo")
    state, turns = played(game, *SHUT_OUT), 0
    assert fields(state)[1:4:2] == ["y", "-"]
    for now in turns_of(state):
        if now.is_terminal():
            break
        _, side, hands, passed, _ = fields(now)
        assert hands.split("/")[1] == without(game.options, "I5")  # twenty pieces
        assert side == "yb"[turns % 2]
        assert (choices(now) == {"pass"}) == (side == "y" or passed == "by")
        assert "y" in passed or turns == 0
        turns += 1
    assert turns > 20
    assert list(state.scores())[1] == -84


def test_bk_2_3_orange_is_left_out_after_three_turns(load):
    state = played(load("blokus", "duo", pass_mode="skip"), *SHUT_OUT)
    assert fields(state)[1:4:2] == ["b", "y"]
    assert state.count_legal() == 672
    for now in turns_of(state):
        assert fields(now)[3] == ("by" if now.is_terminal() else "y")
        assert now.current_player() == (-4 if now.is_terminal() else 0)
        assert "pass" not in choices(now)


@pytest.mark.parametrize("pass_mode", ["action", "skip"])
def test_bk_2_4_a_blocked_colour_stays_blocked(load, pass_mode):
    found = 0
    for options in ({"colours": 2}, {"sharing": "pairs"}, {"sharing": "fourth"}, {"colours": 3, "copies": 2}):
        game, blocked = load("blokus", board=6, pieces="up_to_4", pass_mode=pass_mode, **options), set()
        for state in turns_of(game.new_initial_state()):
            passed = set(fields(state)[3]) - {"-"}
            assert blocked <= passed
            blocked, found = passed, found + len(passed)
            assert all(possible_cells(game.options, state.serialize(), letter) == [] for letter in blocked)
    assert found > 10


def test_bk_2_5_one_colour_ends_when_it_cannot_place(load):
    for options, last in (({"pieces": "up_to_2"}, "b3,b4"), ({"pieces": "1+O"}, "b3,c3,b4,c4")):
        state = played(load("blokus", board=5, colours=1, **options), "a5", last)
        assert state.is_terminal()
        assert list(state.legal_actions()) == []
        assert state.winners() == [0]
        assert list(state.returns()) == [0]
    state = played(load("blokus", board=5, colours=1, starts="c3", pieces="1+X"), "c3")
    assert state.is_terminal()  # there is no room for the cross
    assert list(state.scores()) == [-5]


@pytest.mark.parametrize("pass_mode", ["action", "skip"])
def test_bk_2_5_orange_goes_on_after_purple_is_out(load, pass_mode):
    game = load("blokus", board=7, colours=2, pieces="up_to_2", pass_mode=pass_mode)
    state = played(game, "a7", "g6,g7", "b5,b6")
    assert fields(state)[2] == "-/1"
    assert not state.is_terminal()
    assert choices(state) == {"f5"}
    play(state, "f5")
    assert state.is_terminal()
    assert list(state.scores()) == [15, 20]


# Placements


@pytest.mark.parametrize("side", SIDES)
def test_bk_2_2_nothing_wraps_on_any_board(load, side):
    """A single square on each edge and corner of the board: dominoes go on to the inside, and nothing is beyond."""
    last, middle = side - 1, side // 2
    places = {(0, 0): 1, (0, last): 1, (last, 0): 1, (last, last): 1}
    places |= {(0, middle): 2, (last, middle): 2, (middle, 0): 2, (middle, last): 2}
    for cell, corners in places.items():
        game = load("blokus", board=side, colours=1, starts=cell_text(cell, side), pieces="up_to_2")
        state = played(game, cell_text(cell, side))
        expected = possible_cells(game.options, state.serialize(), "b")
        assert choices(state) == {text_of(cells, side) for cells in expected}
        assert len(expected) == corners * 2
        for row, column in (found for cells in expected for found in cells):
            assert max(abs(row - cell[0]), abs(column - cell[1])) <= 2


@pytest.mark.parametrize("side", SIDES)
def test_bk_2_2_placements_are_those_of_a_plain_look(load, side):
    """Every placement of the board is looked at, in positions of a random game, for the colour to move."""
    colours, copies = side % 4 + 1, side // 3 % 2 + 1
    game = load("blokus", board=side, colours=colours, copies=copies, pieces="all" if side < 16 else "1+V3+I5+W+F+X")
    for ply, state in enumerate(turns_of(game.new_initial_state(), 40)):
        if ply % 8 == 0 and not state.is_terminal():
            found = [
                text_of(cells, side) for cells in possible_cells(game.options, state.serialize(), fields(state)[1])
            ]
            assert [state.action_to_string(action) for action in state.legal_actions()] == (found or ["pass"])


def test_bk_2_2_no_corner_is_seen_across_the_edge(load):
    #   b . . . .
    #   . . . . b     e4 and a3 are neighbours in the order of ids only
    #   . . . . .
    game = load("blokus", board=5, colours=1, starts="e4", pieces="up_to_2", copies=2)
    state = at(game, drawn("b....\n....b\n.....\n.....\n....."), "b", "2,2", "-", "-")
    assert choices(state) == {"b4,c4", "b3,b4", "d5", "c5,d5", "c3,d3", "d2,d3"} - {"d5"}


# 3. Scoring


def test_bk_3_1_with_two_single_squares_the_last_piece_decides(load):
    game = load("blokus", board=5, colours=1, pieces="up_to_2", copies=2)
    for moves, score in (
        (["a5", "b4", "c3,d3", "e4,e5"], 15),  # both single squares first
        (["a5", "b3,b4", "c1,c2", "d3"], 20),  # one first, one last
        (["a4,a5", "b2,b3", "c4", "d3"], 20),  # both last
        (["a4,a5", "b3", "c2", "d3,e3"], 15),
    ):
        state = played(game, *moves)
        assert state.is_terminal()
        assert list(state.scores()) == [score]
        assert fields(state)[2:] == ["-", "-", "b" if score == 20 else "-"]


def test_bk_3_1_the_single_square_is_last_only_once_the_hand_is_empty(load):
    game = load("blokus", board=5, colours=1, pieces="up_to_2", copies=2)
    state = played(game, "a4,a5", "b2,b3", "c4")
    assert fields(state)[4] == "-"
    assert list(state.scores()) == [-1]


@pytest.mark.parametrize("pieces", ["2", "V3", "2+O"])
def test_bk_3_1_without_a_single_square_there_is_no_20(load, pieces):
    game = load("blokus", board=7, colours=1, pieces=pieces)
    names = named(game.options)
    finished = [state for state in all_ends(game.new_initial_state()) if fields(state)[2] == "-"]
    assert len(finished) > len(names)
    assert {(int(state.scores()[0]), fields(state)[4]) for state in finished} == {(15, "-")}
    text = finished[0].serialize()
    assert game.deserialize(text) == finished[0]
    with pytest.raises(ParseError):
        game.deserialize(f"{text[:-1]}b")


def all_ends(state):
    """The last states of all games."""
    if state.is_terminal():
        return [state]
    ends = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        ends += all_ends(after)
    return ends


# Purple has placed all its 88 squares: six rows, and four cells more.
JUNIOR_DONE = drawn(
    "\n".join(["b" * 14] * 6 + ["bbbb" + "." * 10, "." * 14, "." * 14, "." * 9 + "y...."] + ["." * 14] * 4)
)


def test_bk_3_2_junior_has_no_bonus(load):
    for options, single, scores in (
        ({}, "-", [0, -87]),
        ({}, "b", [0, -87]),
        ({"scoring": "advanced"}, "b", [20, -87]),
        ({"scoring": "advanced"}, "-", [15, -87]),
    ):
        game = load("blokus", "junior", **options)
        state = at(game, JUNIOR_DONE, "y", f"-/{without(game.options, '1')}", "-", single)
        assert list(state.scores()) == scores


def test_bk_3_2_mini_has_no_bonus(load):
    game = load("blokus", "mini", starts="corners", pieces="up_to_2")
    state = played(game, "a7,a8", "h8", "b6", "g6,g7")
    assert state.is_terminal()
    assert list(state.scores()) == [0, 0]
    assert state.winners() == [0, 1]
    assert fields(state)[4] == "b"


def test_bk_3_3_scores_before_the_end_are_those_of_now(load):
    state = played(load("blokus", "duo"), "e10", "j5,k5")
    assert list(state.scores()) == [-88, -87]
    assert state.winners() == []
    assert list(state.returns()) == [0, 0]
    state = played(load("blokus", "classic-2"), "a20", "s20,t20", "r1,s1,t1")
    assert list(state.scores()) == [-88 - 86, -87 - 89]


# 4. Actions


@pytest.mark.parametrize("side", SIDES)
def test_bk_4_1_ids_of_a_board(load, side):
    game = load("blokus", board=side)
    texts = [text_of(cells, side) for cells in placements(game.options)]
    assert game.num_distinct_actions() == len(texts) + 1 == FIGURES.get(side, len(texts)) + 1
    assert [game.action_to_string(action) for action in range(len(texts) + 1)] == [*texts, "pass"]
    assert [game.string_to_action(text) for text in texts] == list(range(len(texts)))
    assert len({frozenset(text.split(",")) for text in texts}) == len(texts)


@pytest.mark.parametrize("side", [5, 9, 14, 20])
@pytest.mark.parametrize("pieces", ["junior", "up_to_4", "up_to_3", "up_to_2", "X", "2", "1+V3+X", "I5+L5+N+Z5"])
def test_bk_4_1_ids_of_a_set_of_pieces(load, side, pieces):
    game = load("blokus", board=side, pieces=pieces, copies=2, colours=3)
    texts = [*(text_of(cells, side) for cells in placements(game.options)), "pass"]
    assert game.num_distinct_actions() == len(texts)
    step = 1 if side < 14 else 7
    for action in [*range(0, len(texts), step), len(texts) - 1]:
        assert game.action_to_string(action) == texts[action]
        assert game.string_to_action(texts[action].upper()) == action


def test_bk_4_1_presets(load):
    numbers = {"classic": 30433, "classic-3": 30433, "classic-2": 30433, "duo": 13729, "junior": 7217, "mini": 1269}
    for preset, number in numbers.items():
        game = load("blokus", preset)
        assert game.num_distinct_actions() == number + 1
        assert len(placements(game.options)) == number
        assert game.string_to_action("PASS") == number


def test_bk_4_2_cells_of_no_piece_of_the_set(load):
    game = load("blokus", board=8, colours=2, pieces="1+V3")
    assert game.string_to_action("A2,b1,A1") == game.string_to_action("a1,b1,a2")
    assert game.action_to_string(game.string_to_action("b1,a2,a1")) == "a1,b1,a2"
    for text in ("a1,a2", "a1,a2,a3", "a9", "i1", "h8,i8,h7", "a8,a9,b8", "a1,b2", "a01", "a1,a1,b1"):
        with pytest.raises(ParseError):
            game.string_to_action(text)


# Uniform choices


# The upper 0.1 % point of chi-square with 6 degrees of freedom (NIST/SEMATECH e-Handbook of Statistical Methods,
# section 1.3.6.7.4).
CHI_SQUARE_6 = 22.458


def chi_square(seen, expected):
    """How far some counts are from the expected ones."""
    assert set(seen) <= set(expected)
    return sum((seen[key] - number) ** 2 / number for key, number in expected.items())


def test_uniform_choices_in_duo_are_uniform(load):
    # Purple fills six rows but m14 and n14, and a8; from b7 it goes on with the single square (1), the domino (2) and
    # the V (4 placements).
    game = load("blokus", "duo")
    rows = ["b" * 12 + "..", *["b" * 14] * 5, "b" + "." * 13, *["." * 14] * 7]
    state = at(game, drawn("\n".join(rows)), "b", "1,2,V3/*", "-", "-")
    actions = [int(action) for action in state.legal_actions()]
    assert {len(text) for text in choices(state)} == {2, 5, 8}
    assert len(actions) == 7
    games = 7000
    drawn_actions = Counter(actions[Stream(stream_key(5, i, CHOICES)).bounded(len(actions))] for i in range(games))
    assert chi_square(drawn_actions, dict.fromkeys(actions, games / len(actions))) < CHI_SQUARE_6


def test_uniform_choices_of_play_outs_are_uniform(engine):
    """The sum of the numbers of choices of a game of three pieces tells much about what was drawn: it has 7 values."""
    game, games = engine.load_game("blokus", board=5, colours=1, starts="b2", pieces="1+2+I3"), 2000
    expected = Counter()
    for one_in, total in lines(game.new_initial_state()):
        expected[total] += games / one_in
    assert len(expected) == 7
    assert sum(expected.values()) == pytest.approx(games)
    seen = Counter(int(total) for total in engine.simulate(game, games, seed=11).legal_total)
    assert chi_square(seen, expected) < CHI_SQUARE_6


def lines(state, chance=1, total=0):
    """Every game from here: one in how many it is, and how many choices there were in it."""
    if state.is_terminal():
        yield chance, total
        return
    legal = list(state.legal_actions())
    for action in legal:
        after = state.clone()
        after.apply_action(action)
        yield from lines(after, chance * len(legal), total + len(legal))
