"""The traps of Blokus and the clauses of `cpp/games/blokus/RULES.md`, one test each.

A position with few moves is drawn as blocks of squares: a colour that fills whole rows has no corner to go on from.
"""

import copy
import pickle
import random
from collections import Counter

import pytest
from blokus_model import COLUMNS, DRAWN, PIECES, SIZES, moved, turned
from playing import choices, refuses

from ziggurat.errors import ParseError
from ziggurat.reference.random import CHOICES, Stream, stream_key

ORIENTATIONS = [1, 2, 2, 4, 2, 8, 4, 1, 4, 2, 8, 8, 8, 4, 4, 4, 8, 8, 4, 4, 1]
PASS = 30433
EMPTY = "/".join(["20"] * 20)


def cell_id(text):
    """The id of a cell."""
    return (20 - int(text[1:])) * 20 + COLUMNS.index(text[0])


def row_of(number, columns=COLUMNS):
    """The cells of a row, or some of them."""
    return ",".join(f"{column}{number}" for column in columns)


def board(**squares):
    """The text of a board, from the cells of each colour."""
    cells = ["."] * 400
    for letter, texts in squares.items():
        for text in texts.split(","):
            assert cells[cell_id(text)] == "."
            cells[cell_id(text)] = letter
    rows = ["".join(cells[i : i + 20]) for i in range(0, 400, 20)]
    return "/".join("".join(run_text(part) for part in runs(row)) for row in rows)


def runs(row):
    """The runs of equal letters of a row."""
    starts = [i for i in range(20) if i == 0 or row[i] != row[i - 1]]
    return [row[i:j] for i, j in zip(starts, [*starts[1:], 20], strict=True)]


def run_text(run):
    """A run of empty cells as its length, any other as it is."""
    return str(len(run)) if run[0] == "." else run


def without(*placed):
    """The text of a hand from which some pieces have been placed."""
    return ",".join(piece for piece in PIECES if piece not in placed)


def at(game, cells, side="b", hands="*/*/*/*", *, passed="-", single="-"):
    """The state of a position."""
    return game.deserialize(f"{game} {cells} {side} {hands} {passed} {single}")


def alone(game, cells, *placed):
    """A position in which blue is to move and only blue has placed, so many squares as these pieces have."""
    return at(game, board(b=cells), hands=f"{without(*placed)}/*/*/*")


def play(state, *moves):
    """Play some moves, given as texts."""
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


def singles(state):
    """The cells on which the single square can be placed."""
    return {text for text in choices(state) if "," not in text}


def fields(state):
    """The fields of the text of a position."""
    return state.serialize().split(" ")[1:]


def plane(state, viewer, number):
    """The cells where a plane of an observation is 1."""
    tensor = state.observation_tensor(viewer)
    values = [float(value) for value in (tensor.ravel() if hasattr(tensor, "ravel") else tensor)]
    assert len(values) == 8 * 400
    assert set(values) <= {0.0, 1.0}
    return {cell for cell in range(400) if values[number * 400 + cell]}


def ids(cells):
    """The ids of some cells."""
    return {cell_id(text) for text in cells.split(",")} if cells else set()


# Blue fills rows 17 to 20 except t20, 79 squares, and nothing goes on from there. Yellow can only place on t20.
#
#   20  b b b ... b b .
#   19  b b b ... b b b
#   18  b b b ... b b b
#   17  b b b ... b b b
#   16  . . . ... . . .
WALL = ",".join([row_of(20, COLUMNS[:-1]), row_of(19), row_of(18), row_of(17)])

# The same of red at the bottom, with a1 left out.
FLOOR = ",".join([row_of(1, COLUMNS[1:]), row_of(2), row_of(3), row_of(4)])


def wall(game, extra="", hand="I5,L5", side="b", **rest):
    """The wall with more of row 16; `hand` is what blue has left of it."""
    cells = f"{WALL},{row_of(16, extra)}" if extra else WALL
    return at(game, board(b=cells), side, f"{hand}/*/*/*", **rest)


# Traps


def test_bk_2_2_nothing_wraps_round_an_edge(load):
    game = load("blokus")
    state = alone(game, "a20,b20,s10,t10,a1", "2", "I3")
    assert singles(state) == {"c19", "r11", "r9", "b2"}
    for action in range(PASS):
        columns = [COLUMNS.index(cell[0]) for cell in game.action_to_string(action).split(",")]
        assert max(columns) - min(columns) <= 4


def test_bk_2_2_a_corner_does_not_excuse_an_edge(load):
    #   20  b b x     the domino x touches b20 at an edge (c20), b19 at another (c19)
    #   19  . b x
    #   18  . . y     the domino y touches b19 at a corner (c18), and shares no edge
    state = alone(load("blokus"), "a20,b20,b19", "V3")
    assert "c18,d18" in choices(state)
    assert refuses(state, "c18,c19")
    assert refuses(state, "c19,c20")
    assert refuses(state, "e18,e19")  # neither


def test_bk_2_1_the_first_piece_covers_the_start_square(load):
    state = load("blokus").new_initial_state()
    assert state.count_legal() == 58
    assert all("a20" in text.split(",") for text in choices(state))
    assert refuses(state, "b19")
    assert refuses(state, "b20")
    assert refuses(state, "t20")


def test_bk_2_1_any_corner_that_is_still_free(load):
    state = load("blokus", start="any_corner").new_initial_state()
    assert state.count_legal() == 4 * 58
    assert refuses(state, "b19")
    play(state, "s20,t20")
    assert state.count_legal() == 3 * 58
    assert refuses(state, "t19")
    play(state, "a20", "t1")
    assert all("a1" in text.split(",") for text in choices(state))


def test_bk_2_2_a_placement_is_listed_once(engine):
    #   20  b b . . .
    #   19  . . x . .     x touches two corners
    #   18  . . . b b
    state = alone(engine.load_game("blokus"), "a20,b20,d18,e18,f18", "2", "I3")
    actions = list(state.legal_actions())
    assert actions == sorted(set(actions))
    assert [state.action_to_string(action) for action in actions].count("c19") == 1
    assert engine.perft(state, 1) == state.count_legal() == len(actions)
    assert singles(state) == {"c19", "c17", "g17", "g19"}


def test_bk_2_4_passes_in_a_whole_game(load):
    state, choose = load("blokus").new_initial_state(), random.Random(3)
    blocked, plies, passes = set(), 0, 0
    while not state.is_terminal():
        player, actions = state.current_player(), list(state.legal_actions())
        assert player == plies % 4
        assert (PASS in actions) == (actions == [PASS])
        assert player not in blocked or actions == [PASS]
        if actions == [PASS]:
            blocked.add(player)
            passes += 1
        else:
            assert refuses(state, "pass")
        state.apply_action(choose.choice(actions))
        plies += 1
        assert fields(state)[3] == ("".join("byrg"[colour] for colour in sorted(blocked)) or "-")
    assert passes > 0
    assert plies - passes == placed(state)
    assert list(state.legal_actions()) == []
    assert state.current_player() == -4


def test_bk_2_3_no_passes_in_a_whole_game_of_skip(load):
    game, choose = load("blokus", pass_mode="skip"), random.Random(3)
    state, plies, left_out = game.new_initial_state(), 0, set()
    while not state.is_terminal():
        player, actions = state.current_player(), list(state.legal_actions())
        assert PASS not in actions
        assert "byrg"[player] not in left_out
        assert game.deserialize(state.serialize()) == state
        state.apply_action(choose.choice(actions))
        plies += 1
        assert left_out <= set(fields(state)[3])
        left_out = set(fields(state)[3]) - {"-"}
    assert left_out == set("byrg")
    assert plies == placed(state)
    assert list(state.legal_actions()) == []


def placed(state):
    """The number of pieces on the board."""
    hands = [PIECES if text == "*" else text.split(",") for text in fields(state)[2].split("/")]
    return sum(21 - len(hand) for hand in hands if hand != ["-"]) + 21 * hands.count(["-"])


def test_bk_2_3_a_blocked_colour_passes_and_stays_blocked(load):
    state = wall(load("blokus"))
    assert choices(state) == {"pass"}
    play(state, "pass")
    assert fields(state)[1:] == ["y", "I5,L5/*/*/*", "b", "-"]
    assert choices(state) == {"t20"}
    assert refuses(state, "pass")
    play(state, "t20", "t1", "a1")
    assert fields(state)[1] == "b"
    assert choices(state) == {"pass"}
    play(state, "pass")
    assert choices(state) == {"pass"}  # yellow is shut out with twenty pieces in hand
    play(state, "pass")
    assert fields(state)[1:] == ["r", f"I5,L5/{without('1')}/{without('1')}/{without('1')}", "by", "-"]


def test_bk_2_3_a_blocked_colour_is_left_out_in_skip(load):
    game = load("blokus", pass_mode="skip")
    state = wall(game, side="g")
    play(state, "a1")
    assert fields(state)[1:] == ["y", f"I5,L5/*/*/{without('1')}", "b", "-"]
    assert choices(state) == {"t20"}
    play(state, "t20", "t1", "b2,b3")
    assert fields(state)[1:] == ["r", f"I5,L5/{without('1')}/{without('1')}/{without('1', '2')}", "by", "-"]
    assert PASS not in list(state.legal_actions())


@pytest.mark.parametrize("pass_mode", ["action", "skip"])
def test_bk_2_5_the_game_goes_on_after_one_colour_has_placed_everything(load, pass_mode):
    state = wall(load("blokus", pass_mode=pass_mode), "abcdefghi", "1")
    play(state, "j15")
    assert fields(state)[1:] == ["y", "-/*/*/*", "-", "b"]
    assert not state.is_terminal()
    play(state, "t20", "t1", "a1")
    assert not state.is_terminal()
    assert fields(state)[1] == ("b" if pass_mode == "action" else "r")


def test_bk_3_1_bonus_for_everything_and_for_the_single_square_last(load):
    game = load("blokus")
    state = play(wall(game, "abcdefghi", "1"), "j15")
    assert list(state.scores()) == [20, -89, -89, -89]
    state = play(wall(game, "abcdefgh", "2"), "i15,j15")
    assert list(state.scores()) == [15, -89, -89, -89]
    assert fields(state)[4] == "-"


def test_bk_4_1_every_placement_has_one_id(load):
    game = load("blokus")
    assert game.num_distinct_actions() == 30434
    texts = [game.action_to_string(action) for action in range(30434)]
    assert len({frozenset(text.split(",")) for text in texts}) == 30434
    assert texts[PASS] == "pass"
    for action in [*range(0, 30433, 41), 30432, PASS]:
        assert game.string_to_action(texts[action]) == action


@pytest.mark.parametrize("move", ["b20", "a20,b20", "c18,c17", "pass", "b19,b20", "a1", "a20"])
def test_bk_2_2_a_wrong_action_is_refused_and_changes_nothing(load, move):
    # Used (b20), overlapping (a20,b20), apart (c18,c17), a pass with a placement in hand, at an edge, elsewhere.
    state = play(load("blokus").new_initial_state(), "a20", "t20", "t1", "a1")
    assert refuses(state, move)


def test_bk_2_2_nobody_moves_out_of_turn(load):
    state = load("blokus").new_initial_state()
    assert len(state.legal_actions(0)) == 58
    for player in (1, 2, 3):
        assert list(state.legal_actions(player)) == []
    assert refuses(state, "t20")
    for action in (-1, 30434, 10**6):
        before = state.serialize()
        with pytest.raises(ValueError, match=str(action)):
            state.apply_action(action)
        assert state.serialize() == before


@pytest.mark.parametrize(
    "text", ["", "a21", "u1", "a0", "a01", "a20,", ",a20", "a20,c20", "a1,a2,a3,a4,a5,a6", "a20,a20", "a20 b20", "PAS"]
)
def test_bk_4_2_a_text_that_is_no_piece_is_refused(load, text):
    game = load("blokus")
    with pytest.raises(ParseError):
        game.string_to_action(text)


# The upper 0.1 % point of chi-square with 6 degrees of freedom (NIST/SEMATECH e-Handbook of Statistical Methods,
# section 1.3.6.7.4).
CHI_SQUARE_6 = 22.458


def test_uniform_choices_are_uniform(load):
    # Blue goes on from e15 with the single square (1), the domino (2) and the V (4 placements).
    state = wall(load("blokus"), "abcd", "1,2,V3")
    actions = list(state.legal_actions())
    assert singles(state) == {"e15"}
    assert len(actions) == 7
    games = 7000
    drawn = Counter(actions[Stream(stream_key(5, i, CHOICES)).bounded(len(actions))] for i in range(games))
    expected = games / len(actions)
    assert sum((drawn[action] - expected) ** 2 / expected for action in actions) < CHI_SQUARE_6


@pytest.mark.parametrize(
    ("name", "uniform", "games"), [("blokus", "action", 2), ("pylos", "action", 4), ("pylos", "turn", 4)]
)
def test_a_play_out_makes_the_choices_that_are_documented(engine, name, uniform, games):
    game = engine.load_game(name)
    results = engine.simulate(game, games, seed=2**64 - 3, uniform=uniform)
    for i in range(games):
        state, plies, turns, total, most, forced = played_out(engine, game, i, uniform)
        assert list(results.scores[i]) == list(state.scores())
        assert list(results.returns[i]) == pytest.approx(list(state.returns()))
        assert results.winners[i] == sum(1 << player for player in state.winners())
        columns = (results.plies, results.turns, results.legal_total, results.legal_max, results.forced_passes)
        assert [column[i] for column in columns] == [plies, turns, total, most, forced]


def played_out(engine, game, i, uniform):
    """A play-out as `docs/random-stream.md` describes it, with what is counted on the way."""
    stream, state = Stream(stream_key(2**64 - 3, i, CHOICES)), game.new_initial_state()
    plies = turns = total = most = forced = 0
    while not state.is_terminal():
        options = all_turns(state) if uniform == "turn" else [[action] for action in state.legal_actions()]
        for action in options[stream.bounded(len(options))]:
            forced += game.name == "blokus" and list(state.legal_actions()) == [PASS]
            state.apply_action(action)
            plies += 1
        turns += not state.in_turn()
        total, most = total + len(options), max(most, len(options))
    return state, plies, turns, total, most, forced


def all_turns(state):
    """The legal turns in lexicographic order."""
    turns = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        rests = all_turns(after) if after.in_turn() else [[]]
        turns += [[action, *rest] for rest in rests]
    return turns


# 1. Material


def test_bk_1_1_four_colours_in_order(load):
    game = load("blokus")
    assert game.num_players() == 4
    state = game.new_initial_state()
    for colour, move in enumerate(["a20", "t20", "t1", "a1"]):
        assert state.current_player() == colour
        assert fields(state)[1] == "byrg"[colour]
        play(state, move)
    assert state.current_player() == 0
    assert fields(state)[0] == board(b="a20", y="t20", r="t1", g="a1")
    assert fields(state)[0] == "b18y/" + "20/" * 18 + "g18r"


def test_bk_1_2_cells(load):
    game = load("blokus")
    texts = [game.action_to_string(action) for action in range(400)]
    assert texts == [f"{column}{row}" for row in range(20, 0, -1) for column in COLUMNS]


def test_bk_1_3_pieces(load):
    game = load("blokus")
    shapes = [shape_of(game.action_to_string(action)) for action in range(PASS)]
    pieces = list(dict.fromkeys(min(turned(shape)) for shape in dict.fromkeys(shapes)))
    assert len(pieces) == 21  # all free polyominoes of one to five squares
    assert [len(shape) for shape in pieces] == list(SIZES.values())
    assert sum(SIZES.values()) == 89
    kinds = Counter(min(turned(shape)) for shape in set(shapes))
    assert [kinds[piece] for piece in pieces] == ORIENTATIONS


def shape_of(text):
    """The cells of a placement as (row from the top, column), moved to 0 and sorted."""
    return moved((-int(cell[1:]), COLUMNS.index(cell[0])) for cell in text.split(","))


@pytest.mark.parametrize("piece", PIECES)
def test_bk_1_3_names(load, piece):
    # Green, who has a square on the start a1 and one at a corner of the piece, places it in the middle.
    game = load("blokus", start="any_corner")
    cells = [(COLUMNS.index(cell[0]), int(cell[1:])) for cell in DRAWN[piece].split(",")]
    move = ",".join(f"{COLUMNS[column + 10]}{row + 11}" for column, row in cells)
    contact = contacts_around(move)[0]
    other, corners = ("V3", "a1,a20") if piece == "2" else ("2", "a1")
    state = at(game, board(g=f"{corners},{contact}"), "g", f"*/*/*/{without(other)}")
    play(state, move)
    assert fields(state)[2].split("/")[3] == without(other, piece)


def contacts_around(move):
    """The cells that touch a placement at a corner and at no edge."""
    cells = {(COLUMNS.index(cell[0]), int(cell[1:])) for cell in move.split(",")}
    edges = {(c + i, r + j) for c, r in cells for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0))}
    corners = {(c + i, r + j) for c, r in cells for i in (-1, 1) for j in (-1, 1)}
    return sorted(f"{COLUMNS[column]}{row}" for column, row in corners - edges - cells)


def test_bk_1_4_start_squares(load):
    state = load("blokus").new_initial_state()
    for start in ("a20", "t20", "t1", "a1"):
        assert singles(state) == {start}
        assert state.count_legal() == 58
        play(state, start)


# 2. Play


def test_bk_2_2_other_colours_do_not_matter(load):
    #   20  b b y
    #   19  . . . y
    cells = board(b="a20,b20", y="c20,d19,t20")
    state = at(load("blokus"), cells, hands=f"{without('2')}/{without('V3')}/*/*")
    assert singles(state) == {"c19"}
    assert refuses(state, "c19,c20")  # not empty
    play(state, "c19")
    assert fields(state)[0] == board(b="a20,b20,c19", y="c20,d19,t20")


def test_bk_2_2_a_piece_may_be_turned_and_flipped(load):
    state = alone(load("blokus"), "a20", "1")
    texts = choices(state)
    assert {"b18,b19,c19", "b18,c18,b19", "c18,b19,c19", "a18,b18,b19"} <= texts  # V3 turned
    assert {"b17,c17,b18,b19", "a17,b17,b18,b19"} <= texts  # L4 and its mirror image


def test_bk_2_5_the_game_ends_when_nobody_can_place(load):
    # Wall and floor; yellow and green are shut out on their corners, and blue places its last piece.
    cells = board(b=f"{WALL},{row_of(16, 'abcdefghi')}", y="t20", r=FLOOR, g="a1")
    hands = f"1/{without('1')}/I5,L5/{without('1')}"
    for pass_mode, passed in (("action", "-"), ("skip", "byrg")):
        state = at(load("blokus", pass_mode=pass_mode), cells, hands=hands)
        assert not state.is_terminal()
        play(state, "j15")
        assert state.is_terminal()
        assert list(state.legal_actions()) == []
        assert refuses(state, "pass")
        assert fields(state)[1:] == ["y", hands.replace("1/", "-/", 1), passed, "b"]
        assert list(state.scores()) == [20, -88, -10, -88]
        assert state.winners() == [0]
        assert list(state.returns()) == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


# 3. Scoring


def test_bk_3_1_squares_left_count_against_the_colour(load):
    # Blue has placed everything, the single square last; the others lack 8, 24 and 20 squares.
    cells = board(
        b=",".join([*(row_of(row, COLUMNS[:10]) for row in range(13, 21)), row_of(12, COLUMNS[:9])]),
        y=",".join([*(row_of(row, COLUMNS[10:]) for row in range(13, 21)), "t12"]),
        r=",".join([*(row_of(row, COLUMNS[10:]) for row in range(1, 7)), row_of(7, COLUMNS[15:])]),
        g=",".join([*(row_of(row, COLUMNS[:10]) for row in range(1, 7)), row_of(7, COLUMNS[:9])]),
    )
    hands = "-/I4,O/I3,I4,L4,T4,O,I5/V3,I4,L4,T4,I5"
    state = at(load("blokus"), cells, "y", hands, single="b")
    assert list(state.scores()) == [20, -8, -24, -20]
    assert list(at(load("blokus"), cells, "y", hands).scores()) == [15, -8, -24, -20]
    assert list(at(load("blokus", scoring="basic"), cells, "y", hands, single="b").scores()) == [0, -8, -24, -20]


def test_bk_3_2_basic_scoring(load):
    game = load("blokus", scoring="basic")
    assert list(game.new_initial_state().scores()) == [-89] * 4
    assert list(play(wall(game, "abcdefghi", "1"), "j15").scores()) == [0, -89, -89, -89]


def test_bk_3_3_a_tie_is_shared(load):
    cells = board(b=WALL, y="t20", r=FLOOR, g="a1")
    state = at(load("blokus"), cells, "g", f"I5,L5/{without('1')}/I5,L5/{without('1')}")
    assert state.is_terminal()
    assert list(state.scores()) == [-10, -88, -10, -88]
    assert state.winners() == [0, 2]
    assert list(state.returns()) == [0.5, -0.5, 0.5, -0.5]


def test_bk_3_3_where_all_win_nobody_has_lost(load):
    # Ten squares are left to everybody. The corners of red at a8 and t8 have room for four squares in a column only.
    #
    #   20  b b b ... b b y
    #   17  b b b ... b b b
    #   16  y y y ... y y y
    #   13  . y y ... y y .
    #   12  r r r ... r r r
    #    9  . r r ... r r .
    #    8  . . . ... . . .
    #    4  g g g ... g g g
    #    1  g g g ... g g r
    cells = board(
        b=WALL,
        y=",".join(["t20", row_of(16), row_of(15), row_of(14), row_of(13, COLUMNS[1:-1])]),
        r=",".join(["t1", row_of(12), row_of(11), row_of(10), row_of(9, COLUMNS[1:-1])]),
        g=",".join([row_of(4), row_of(3), row_of(2), row_of(1, COLUMNS[:-1])]),
    )
    state = at(load("blokus"), cells, "b", "I5,L5/I5,L5/I5,X/I5,L5")
    assert state.is_terminal()
    assert list(state.scores()) == [-10] * 4
    assert state.winners() == [0, 1, 2, 3]
    assert list(state.returns()) == [0, 0, 0, 0]


def test_bk_3_3_before_the_end_nobody_has_won(load):
    state = play(load("blokus").new_initial_state(), "a20", "t20")
    assert list(state.scores()) == [-88, -88, -89, -89]
    assert state.winners() == []
    assert list(state.returns()) == [0, 0, 0, 0]


# 4. Actions


def test_bk_4_1_order_of_the_ids(load):
    game = load("blokus")
    found = []  # (piece, shape, top, left) of every id
    for action in range(PASS):
        text = game.action_to_string(action)
        cells = [divmod(cell_id(cell), 20) for cell in text.split(",")]
        shape = moved(cells)
        found.append((min(turned(shape)), shape, min(row for row, _ in cells), min(column for _, column in cells)))
    order = {shape: number for number, shape in enumerate(min(turned(shape_of(text))) for text in DRAWN.values())}
    keys = [(order[piece], shape, top, left) for piece, shape, top, left in found]
    assert keys == sorted(keys)


def test_bk_4_1_the_pass_has_an_id_in_skip_and_is_never_legal(load):
    game = load("blokus", pass_mode="skip")
    assert game.num_distinct_actions() == 30434
    assert game.string_to_action("pass") == PASS
    assert refuses(game.new_initial_state(), "pass")


def test_bk_4_2_text_of_a_placement(load):
    game = load("blokus")
    action = game.string_to_action("a1,b1,a2")
    assert game.action_to_string(action) == "a1,b1,a2"
    for text in ("a2,b1,a1", "B1,A2,a1"):
        assert game.string_to_action(text) == action
    assert game.string_to_action("PASS") == PASS
    state = game.new_initial_state()
    turn = state.string_to_turn("A20,b20")
    assert list(turn) == [state.string_to_action("a20,b20")]
    assert state.turn_to_string(turn) == "a20,b20"
    with pytest.raises(ParseError):
        state.string_to_turn("t20")


# 5. Position text


def test_bk_5_1_board(load):
    state = play(load("blokus").new_initial_state(), "a20,b20,a19,b19", "r20,s20,t20", "t1,t2,s2", "a1,a2,b2")
    rows = fields(state)[0].split("/")
    assert rows == ["bb15yyy", "bb18", *["20"] * 16, "gg16rr", "g18r"]


def test_bk_5_2_side_in_action_is_the_next_colour(load):
    state = play(wall(load("blokus"), side="g"), "a1")
    assert fields(state)[1] == "b"
    assert state.current_player() == 0


def test_bk_5_3_hands(load):
    state = play(load("blokus").new_initial_state(), "a20", "s20,t20")
    assert fields(state)[2] == f"{without('1')}/{without('2')}/*/*"
    assert without("1").startswith("2,I3,V3,I4,L4,T4,O,Z4,I5,L5,Y,P,U,V5,T5,N,F,W,Z5,X")


def test_bk_5_4_passed(load):
    cells = board(b=WALL, y="t20", r=FLOOR, g="a1")
    game = load("blokus")
    state = at(game, board(b=WALL), hands="I5,L5/*/*/*")
    play(state, "pass", "t20", "t1", "a1", "pass", "pass")
    assert fields(state)[3] == "by"
    hands = f"I5,L5/{without('1')}/I5,L5/{without('1')}"
    assert at(game, cells, "b", hands, passed="bg").is_terminal()


def test_bk_5_5_single(load):
    game = load("blokus")
    state = play(wall(game, "abcdefghi", "1"), "j15")
    assert fields(state)[4] == "b"
    assert game.deserialize(state.serialize()) == state
    assert fields(play(wall(game, "abcdefgh", "2"), "i15,j15"))[4] == "-"


START = "*/*/*/*"
FINISHED = board(b=WALL, y="t20", r=FLOOR, g="a1")
FINISHED_HANDS = f"I5,L5/{without('1')}/I5,L5/{without('1')}"


@pytest.mark.parametrize(
    ("options", "position"),
    [
        ({}, f"{board(b='a20')} y {START} - -"),  # 90 squares
        ({}, f"{EMPTY} b {without('1')}/*/*/* - -"),  # 88 squares
        ({}, f"{board(b='b20')} y {without('1')}/*/*/* - -"),  # no start square
        ({}, f"{board(b='t20')} y {without('1')}/*/*/* - -"),  # another colour's
        ({"start": "any_corner"}, f"{board(b='b20')} y {without('1')}/*/*/* - -"),
        ({}, f"{EMPTY} b {START} b -"),  # blue can place
        ({}, f"{EMPTY} b {START} - b"),  # blue has pieces left
        ({"pass_mode": "skip"}, f"{board(b=WALL)} b I5,L5/*/*/* - -"),  # blue is blocked
        ({"pass_mode": "skip"}, f"{FINISHED} b {FINISHED_HANDS} byr -"),
        ({"pass_mode": "skip"}, f"{FINISHED} b {FINISHED_HANDS} - -"),
        ({}, f"{EMPTY} w {START} - -"),
        ({}, f"{EMPTY} B {START} - -"),
        ({}, f"{EMPTY} b {START} -"),
        ({}, f"{EMPTY} b {START} - - "),
        ({}, f"{EMPTY} b {START}  - -"),
        ({}, f"{EMPTY} b */*/* - -"),
        ({}, f"{EMPTY} b */*/*/Q - -"),
        ({}, f"{EMPTY}/20 b {START} - -"),
        ({}, f"{EMPTY[3:]} b {START} - -"),
        ({}, f"10{EMPTY} b {START} - -"),
        ({}, f"0{EMPTY} b {START} - -"),
        ({}, f"{EMPTY.replace('20', '1010', 1)} b {START} - -"),
        ({}, f"{EMPTY.replace('20', '9w10', 1)} b {START} - -"),
        ({}, f"{EMPTY.replace('20', '21', 1)} b {START} - -"),
        ({}, f"{board(b=WALL)} b I5,L5/*/*/* q -"),
        ({}, f"{FINISHED} b {FINISHED_HANDS} yb -"),
        ({}, f"{board(b=WALL)} b L5,I5/*/*/* - -"),
    ],
)
def test_bk_5_6_a_wrong_text_is_refused(load, options, position):
    game = load("blokus", **options)
    with pytest.raises(ParseError):
        game.deserialize(f"{game} {position}")


def test_bk_5_6_right_texts_like_the_wrong_ones_are_read(load):
    assert not alone(load("blokus"), "a20", "1").is_terminal()
    assert at(load("blokus"), board(b=WALL), hands="I5,L5/*/*/*", passed="b").count_legal() == 1
    assert at(load("blokus", pass_mode="skip"), FINISHED, "b", FINISHED_HANDS, passed="byrg").is_terminal()
    assert at(load("blokus", pass_mode="skip"), board(b=WALL), "y", "I5,L5/*/*/*").count_legal() == 1
    assert at(load("blokus", start="any_corner"), board(b="t20"), "y", f"{without('1')}/*/*/*").count_legal() == 3 * 58


# 6. Observation planes


def test_bk_6_planes(load):
    #   20  b b . y
    #   19  . . b .     b19 and c20 share an edge with blue
    cells = board(b="a20,b20,c19", y="d20,t20")
    state = at(load("blokus"), cells, "r", f"{without('I3')}/{without('2')}/*/*")
    assert load("blokus").observation_tensor_shape() == (8, 20, 20)
    blue, yellow = ids("a20,b20,c19"), ids("d20,t20")
    for viewer, planes in enumerate([(blue, yellow), (yellow, set()), (set(), set()), (set(), blue)]):
        assert (plane(state, viewer, 0), plane(state, viewer, 1)) == planes
    assert plane(state, 2, 2) == blue
    assert plane(state, 3, 2) == yellow
    assert plane(state, 0, 4) == ids("b18,d18")
    assert plane(state, 0, 5) == set(range(400)) - blue - yellow - ids("a19,b19,c20,d19,c18")
    assert plane(state, 1, 4) == ids("e19,s19")  # c19 is blue
    assert plane(state, 2, 4) == ids("t1")
    assert plane(state, 3, 4) == ids("a1")
    assert plane(state, 2, 5) == set(range(400)) - blue - yellow


def test_bk_6_planes_of_hands_and_status(load):
    cells = board(b=f"{WALL},{row_of(16, COLUMNS[:10])}", g="a1,b2")
    state = at(load("blokus"), cells, "r", f"-/*/*/{without('2')}", passed="b", single="b")
    full, no_domino = set(range(21)), set(range(21)) - {1}
    hands = [set(), full, full, no_domino]
    for viewer in range(4):
        seen = [hands[(viewer + k) % 4] for k in range(4)]
        assert plane(state, viewer, 6) == {21 * k + piece for k in range(4) for piece in seen[k]}
        blue, red = (0 - viewer) % 4, (2 - viewer) % 4
        assert plane(state, viewer, 7) == {red, 4 + blue, 8 + blue}


def test_bk_6_planes_before_the_first_piece(load):
    cells = board(b="t20")
    state = at(load("blokus", start="any_corner"), cells, "y", f"{without('1')}/*/*/*")
    assert plane(state, 1, 4) == ids("a20,t1,a1")
    assert plane(at(load("blokus"), FINISHED, "b", FINISHED_HANDS), 0, 7) == set()


# 7. Presets and options


def test_bk_7_presets_and_options(load):
    game = load("blokus")
    assert list(game.options.items()) == [
        ("board", 20),
        ("colours", 4),
        ("sharing", "none"),
        ("start", "own_corner"),
        ("starts", "corners"),
        ("pieces", "all"),
        ("copies", 1),
        ("pass_mode", "action"),
        ("scoring", "advanced"),
    ]
    assert str(load("blokus", preset="classic")) == "blokus()"
    assert str(load("blokus", scoring="basic", start="any_corner")) == "blokus(start=any_corner,scoring=basic)"
    assert game.new_initial_state().serialize() == f"blokus() {EMPTY} b {START} - -"
    assert game.max_game_length() == 336
    assert game.num_symmetries() == 4
    for options in ({"start": "middle"}, {"pass_mode": "never"}, {"scoring": "double"}, {"size": 20}):
        with pytest.raises(ValueError, match=next(iter(options))):
            load("blokus", **options)
    with pytest.raises(ValueError, match="duo-9"):
        load("blokus", preset="duo-9")


# Copies


def test_bk_5_1_copies_are_equal_and_their_own(load):
    state = play(load("blokus", scoring="basic").new_initial_state(), "a20", "t20", "t1", "a1", "b18,b19")
    for other in (state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other == state
        assert hash(other) == hash(state)
        assert other.get_game() == state.get_game()
        other.apply_action(other.legal_actions()[0])
        assert other != state
