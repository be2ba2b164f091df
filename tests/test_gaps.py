"""What planted bugs showed to be untested (`docs/mutations.md`): drawings, reasons, symmetries inside a turn."""

import random
import re

import blox_model
import numberplace_city_model as city
import pytest
from blox_model import seat
from playing import at, play

import ziggurat as zg
from ziggurat import IllegalActionError
from ziggurat.reference.blokus_pieces import PIECES, squares_in

PYLOS_WON_BY_LIGHT = """\
4 D L D L
3 L D L D   3 L D L
2 D L D L   2 L D L   2 D D
1 L D L D   1 L D L   1 D D   1 L
  a b c d     a b c     a b     a
reserve: light 0, dark 0
light has won"""

PYLOS_INSIDE_A_TURN = """\
4 o o o o
3 o o o o   3 . . .
2 L L o o   2 . . .   2 . .
1 L L o D   1 o . .   1 . .   1 .
  a b c d     a b c     a b     a
reserve: light 11, dark 14
light to move, may take back two balls"""


def reason(state, text):
    """What the engine says about an action that is not legal."""
    with pytest.raises(IllegalActionError) as caught:
        state.apply_action(state.string_to_action(text))
    return str(caught.value).split(": ", 1)[1]


# Drawings


@pytest.mark.parametrize(
    ("text", "drawing"),
    [
        ("LDLDDLDLLDLDDLDL/LDLLDLLDL/DDDD/L D - 30", PYLOS_WON_BY_LIGHT),
        ("LL.DLL........../........./..../. L 1b2 0", PYLOS_INSIDE_A_TURN),
    ],
)
def test_py_drawing(text, drawing):
    assert str(at(zg.load_game("pylos"), text)) == drawing


def test_py_drawing_names_the_winner_and_the_player_to_move():
    def ends(text, **options):
        return str(at(zg.load_game("pylos", **options), text)).splitlines()[-1]

    board = "LDLDDLDLLDLDDLDL/LDLLDLLDL/DDDD"
    assert ends(f"{board}/L D - 30") == "light has won"
    assert ends(f"{board.replace('D', 'x').replace('L', 'D').replace('x', 'L')}/D L - 31") == "dark has won"
    start = "................/........./..../."
    assert ends(f"{start} D - 0") == "dark to move"
    assert ends(f"{start} D - 5", max_turns=5) == "drawn"
    assert ends("LL..L.D........./........./..../. L 1b2-1b2 0") == "light to move, may take back one more ball"


def test_bk_drawing():
    state = play(zg.load_game("blokus").new_initial_state(), "a20,b20", "t20", "t1", "a1")
    lines = str(state).splitlines()
    empty = " .".join([""] * 21)
    assert lines[0] == "20 b b" + " ." * 17 + " y"
    assert lines[1] == "19 . . +" + " ." * 17
    assert lines[2:19] == [f"{row:2}{empty}" for row in range(18, 1, -1)]
    assert lines[19] == " 1 g" + " ." * 18 + " r"
    assert lines[20] == "   a b c d e f g h i j k l m n o p q r s t"
    assert lines[21].startswith("blue: -87 points, in hand 1,I3,V3,")
    assert lines[22].startswith("yellow: -88 points, in hand 2,I3,V3,")
    assert lines[25:] == ["blue to move"]


def test_bk_drawing_marks_free_contacts_only():
    """`+` are the cells of plane 4: no occupied one, and none along an own edge."""
    game = zg.load_game("blokus")
    state = play(game.new_initial_state(), "a20,b20", "t20", "t1", "a1", "c19", "s18,s19", "s2,s3", "b2,b3")
    for _ in range(12):
        plane = state.observation_tensor(state.current_player())[4]
        drawn = [line[3::2] for line in str(state).splitlines()[:20]]
        assert {(r, c) for r in range(20) for c in range(20) if drawn[r][c] == "+"} == set(
            zip(*(axis.tolist() for axis in plane.nonzero()), strict=True)
        )
        state.apply_action(state.legal_actions()[-1])


BLOX_INSIDE_A_TURN = """\
10 k. k. k. k. k. k. k. k. k. k.
 9 k. k. k. k. k. k. k. k. k. k.
 8 k. k. k. k. k. k. k. k. k. k.
 7 k. k. k. k. k. k. k. k. k. k.
 6 k. k. k. k. k. k. k. k. k. k.
 5 k. k. w. k. rA k. g* k. k. k.
 4 k. k. k. k. k. k. k. k. k. k.
 3 k. k. k. k. k. k. k. k. k. k.
 2 k. kC k. k. k. k. k. k. k. k.
 1 kB k. k. k. k. k. k. k. k4 k4
   a  b  c  d  e  f  g  h  i  j \
"""


def test_bx_drawing():
    game = blox_model.board(zg.load_game, {"e5": "r", "g5": "g", "c5": "w"}, players=3)
    seats = [seat("wwrgkk", "e5", "wwwr", 12), seat(None, "a1", "", 3, joker=False), seat(None, "b2")]
    facts = {"towers": {"g5": "wwwrrrgggkkk"}, "phase": "4", "turn": "~w~k", "seat": 1, "discard": "wg"}
    seats[1].hand = "wwwkkk"
    state = blox_model.at(game, *seats, **facts)
    board, lines = str(state)[: len(BLOX_INSIDE_A_TURN)], str(state)[len(BLOX_INSIDE_A_TURN) :].splitlines()
    assert board == BLOX_INSIDE_A_TURN
    assert lines[0] == ""
    assert lines[1].startswith("towers: g5 wwwrrrgggkkk i1 ")
    assert lines[2] == "player 0 (A): 12 points, cards wwrgkk, blocks wwwr, joker active, pawns in supply 3, on e5"
    assert lines[3] == "player 1 (B): 3 points, cards wwwkkk, blocks -, joker used, pawns in supply 3, on a1"
    assert lines[4].startswith("player 2 (C): 0 points, cards kkkkkk, blocks ")
    assert lines[5:] == ["deck: 40 cards, discard wg", "phase 4: player 1 to move, has begun ~w~k"]


def test_bx_drawing_of_the_last_round_and_of_the_end():
    game = blox_model.board(zg.load_game)
    state = blox_model.at(game, seat("wwrgkk", "e5"), phase="4+", calm="", seat=1)
    assert str(state).splitlines()[-1] == "phase 4, last round: player 1 to move"
    assert "towers:\n" in str(state)
    assert "on no field" in str(state).splitlines()[-3]
    over = play(state, f"~{'k' if 'k' in blox_model.read(state).seats[1].hand else 'w'}", "done")
    assert str(over).splitlines()[-1] == "phase 4, last round: the game is over"


CITY_IN_A_ROUND = """\
r1 1 . . | . . . | . . .
r2 . . . | . . . | . . .
r3 . . . | . . . | . . .
   ------+-------+------
r4 . . . | . 5 . | . . .
r5 . . . | * . . | . . .
r6 . . . | . . . | . . .
   ------+-------+------
r7 . . . | . . . | . . .
r8 . . . | . . . | . * .
r9 . . . | . . . | . . 9
  c1 2 3   4 5 6   7 8 9
laid: 2:r5c4={first},0:r8c8={second}
player 0 (blocks 4678): 2 points, hand {hands[0]}, penalties {penalties[0]}
player 1 (blocks 0346): 0 points, hand {hands[1]}, penalties 1111
player 2 (blocks 2458): 1 points, hand {hands[2]}, penalties -
supply: {supply} tiles, discard 446
start player 2: player 1 to move"""


def test_nc_drawing_whole_and_as_each_player_sees_it():
    """[NC-6.1] Whose round it is, where tiles lie, and question marks for those that are hidden."""
    game = zg.load_game("numberplace_city", players=3)
    board = """1.. ... ...
               ... ... ...
               ... ... ...
               ... .5. ...
               ... ... ...
               ... ... ...
               ... ... ...
               ... ... ...
               ... ... ..9"""
    seats = {0: city.seat("789", "33", 2), 1: city.seat("2", "1111"), 2: city.seat("6678", "", 1)}
    facts = {"laid": "2:r5c4=4 0:r8c8=8", "discard": "446", "start": 2, "place": 2}
    state = city.at(game, board, seats, **facts)
    shown = {"first": 4, "second": 8, "hands": ["789", "2", "6678"], "penalties": ["33"], "supply": 81 - 3 - 2 - 14 - 3}
    assert str(state) == CITY_IN_A_ROUND.format(**shown)
    for viewer, hands, first, second in (
        (0, "789 ? ????", "?", 8),
        (1, "??? 2 ????", "?", "?"),
        (2, "??? ? 6678", 4, "?"),
    ):
        own = {**shown, "first": first, "second": second, "hands": hands.split()}
        assert state.observation_string(viewer) == CITY_IN_A_ROUND.format(**own)


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ({"bonus": "1:3"}, "start player 0: player 1 decides the bonus of a 3"),
        ({"end": "count"}, "start player 0: the game is over (count)"),
        ({"end": "bonus:1"}, "start player 0: the game is over (bonus:1)"),
    ],
)
def test_nc_drawing_of_a_decision_and_of_an_end(facts, line):
    game = zg.load_game("numberplace_city")
    state = city.at(game, seats={player: city.seat() for player in range(4)}, **{**facts, "rest": "supply"})
    assert str(state).splitlines()[-1] == line
    passed = city.at(game, seats={1: city.seat("7", "88", 0, "passed"), 2: city.seat("1", "99999", 0, "out")})
    assert "player 1 (blocks 0346): 0 points, hand 7, penalties 88, passed for good\n" in str(passed)
    assert "penalties 99999, out\n" in str(passed)


# Reasons


@pytest.mark.parametrize(
    ("facts", "action", "clause"),
    [
        ({}, "r5c5=9", "NC-2.2"),  # not in hand
        ({}, "r1c1=7", "NC-2.2"),  # not in the area
        ({}, "r6c6=7", "NC-2.2"),  # built on
        ({"bonus": "0:3"}, "remove=r6c6", "NC-4.2"),
        ({"bonus": "0:1"}, "start", "NC-4.2"),
        ({"bonus": "0:1"}, "win", "NC-4.2"),
    ],
)
def test_nc_a_refusal_cites_its_clause(load, facts, action, clause):
    board = city.EMPTY.replace(" ", "").splitlines()
    board[5] = ".....1..."
    state = city.at(load("numberplace_city"), "\n".join(board), {0: city.seat("77")}, **facts)
    said = reason(state, action)
    assert f"[{clause}]" in said
    assert "9" not in said or action.endswith("9")  # nothing about the tiles of others


@pytest.mark.parametrize(
    ("facts", "action", "clause"),
    [
        ({}, "0n-w", "BX-3.2"),
        ({}, "1n-w", "BX-5.1"),
        ({}, "0nx3", "BX-3.3"),
        ({}, "0nd", "BX-3.4"),
        ({}, "@e5", "BX-3.1"),
        ({}, "0b", "BX-3.5"),
        ({}, "done", "BX-5.3"),
        ({}, "w", "BX-5.3"),
        ({}, "~g", "BX-3.7"),
        ({"turn": "~r"}, "~w", "BX-5.3"),
        ({"turn": "~r"}, "0e-k", "BX-5.3"),
        ({"turn": "0b"}, "@a1", "BX-5.3"),
        ({"joker": False}, "@g5j", "BX-3.8"),
    ],
)
def test_bx_a_refusal_cites_its_clause(load, facts, action, clause):
    facts = dict(facts)
    own = seat("wwrrkk", "e5", "wwrr" if facts.get("turn") == "0b" else "", joker=facts.pop("joker", True))
    state = blox_model.at(blox_model.board(load, {"g5": "r"}), own, **facts)
    assert reason(state, action).startswith(f"[{clause}]")


@pytest.mark.parametrize(
    ("options", "text", "action", "clause"),
    [
        ({}, "L.............../........./..../. D - 0", "1a1", "PY-2.1"),
        ({}, "L.............../........./..../. D - 0", "2a1", "PY-2.1"),
        ({}, "LLD.LLD........./........./..../. D - 0", "1a1>2b1", "PY-2.2"),
        ({}, "LLD.LLD.D......./L......../..../. L - 0", "1a1>2b1", "PY-2.2"),
        ({}, "LL..LLD........./........./..../. L 1b2 0", "1c1", "PY-3.7"),
        ({}, "LL..LLD........./........./..../. L 1b2 0", "-1c2", "PY-3.2"),
        ({"remove_placed": False}, "LL..LLD........./........./..../. L 1b2 0", "-1b2", "PY-3.3"),
        ({}, "LL..L.D........./........./..../. L 1b2-1b2 0", "-1a1", "PY-3.6"),
    ],
)
def test_py_a_refusal_cites_its_clause(load, options, text, action, clause):
    assert reason(at(load("pylos", **options), text), action).startswith(f"[{clause}]")


def test_py_2_1_what_is_wrong_with_a_placing():
    game = zg.load_game("pylos")
    state = at(game, "L.............../........./..../. D - 0")
    assert reason(state, "1a1") == "[PY-2.1] 1a1 is occupied"
    assert reason(state, "2a1") == "[PY-2.1] 2a1 is not held up by four balls"
    state = at(game, "LLLLLLLLLLLLLLL./........./..../. L - 0")
    assert reason(state, "1d4") == "[PY-2.1] the reserve is empty"


@pytest.mark.parametrize(
    ("moves", "action", "clause"),
    [
        ("", "pass", "BK-2.3"),
        ("", "t20", "BK-2.1"),
        ("a20 t20 t1 a1", "b20", "BK-1.3"),
        ("a20 t20 t1 a1", "a20,b20", "BK-2.2"),
        ("a20 t20 t1 a1", "b20,c20", "BK-2.2"),
        ("a20 t20 t1 a1", "d18,e18", "BK-2.2"),
    ],
)
def test_bk_a_refusal_cites_its_clause(load, moves, action, clause):
    state = play(load("blokus").new_initial_state(), *moves.split())
    assert reason(state, action).startswith(f"[{clause}]")


def test_bk_2_2_what_is_wrong_with_a_placement():
    state = play(zg.load_game("blokus").new_initial_state(), "a20", "t20", "t1", "a1")
    assert reason(state, "a20,b20") == "[BK-2.2] it covers an occupied cell"
    assert reason(state, "b20,c20") == "[BK-2.2] it touches an own piece along an edge"
    assert reason(state, "d18,e18") == "[BK-2.2] it touches no own piece at a corner"


# Symmetries inside a turn


@pytest.mark.parametrize(
    ("k", "text"),
    [
        (0, ".L..LL.D......../........./..../. L 1b2-1a1 0"),
        (1, "..L.D.LL......../........./..../. L 1c2-1d1 0"),
        (2, "........LL.D.L../........./..../. L 1b3-1a4 0"),
        (3, "........D.LL..L./........./..../. L 1c3-1d4 0"),
        (4, ".L..LL.......D../........./..../. L 1b2-1a1 0"),
    ],
)
def test_py_9_1_a_symmetry_moves_the_cells_of_the_turn_too(load, k, text):
    game = load("pylos")
    state = at(game, ".L..LL.D......../........./..../. L 1b2-1a1 0")
    assert state.transformed(k).serialize() == f"{game} {text}"
    assert state.transformed(k) == at(game, text)


def scattered(count, seed):
    """A position of one colour with single squares that do not touch, in every third row and column."""
    game = zg.load_game("blokus", colours=1, copies=2)
    cells = [(row, column) for row in range(0, 20, 3) for column in range(0, 20, 3)]
    chosen = {(0, 0), *random.Random(seed).sample(cells[1:], count - 1)}
    rows = ["".join("b" if (row, column) in chosen else "." for column in range(20)) for row in range(20)]
    board = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    rest = {0: [], 1: ["1"], 2: ["2"], 3: ["I3"], 4: ["I4"]}[count % 5]
    placed = [*[name for name in PIECES if squares_in([name]) == 5][: count // 5], *rest]
    hand = ",".join(name for name in PIECES for _ in range(2 - (name in placed)))
    return game.deserialize(f"{game} {board} b {hand} - -")


@pytest.mark.parametrize("count", range(20, 50))
def test_long_lists_hold_what_is_legal_one_by_one(count):
    """Words with any number of anchors: a list is written sixteen at a time."""
    state = scattered(count, count)
    legal = [action for action in range(state.get_game().num_distinct_actions()) if state.is_legal(action)]
    assert state.legal_actions().tolist() == legal
    assert len(legal) > 400
