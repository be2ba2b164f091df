"""How positions of all variants of Blokus are seen: planes, symmetries, analyses and tables.

Sections 6, 8 and 9 of the rules page, each against a plain reading of it and against numbers worked out by hand.
"""

import random
import re
from collections import Counter

import blokus_model as model
import numpy as np
import pytest
from blokus_model import LETTERS, PIECES, drawn, fields, ids, squares
from common import QUICK, one_each, walk
from playing import at, play, played

import ziggurat as zg


def of_blokus(texts):
    """The games of Blokus among some."""
    return [text for text in texts if text.startswith("blokus")]


SMALL = of_blokus(QUICK)
VIEWED = of_blokus(one_each("board", "colours", "sharing", "start", "copies", "pass_mode"))
SYMMETRIC = of_blokus(one_each("board", "colours", "sharing", "start", "starts"))
ORIENTATIONS = [(piece, number) for piece in PIECES for number in range(len(model.orientations(piece)))]


def numbered(cells, side):
    """The ids of some cells."""
    return {row * side + column for row, column in cells}


def sampled(game, number, every=1):
    """Some states of a random game."""
    return [state.clone() for ply, state in enumerate(walk(game, number)) if ply % every == 0 or state.is_terminal()]


# 6. Observation planes


@pytest.mark.parametrize(
    ("options", "shape"),
    [
        ({"preset": "classic"}, (8, 20, 20)),
        ({"preset": "classic-3"}, (8, 20, 20)),
        ({"preset": "classic-2"}, (8, 20, 20)),
        ({"preset": "duo"}, (6, 14, 14)),
        ({"preset": "junior"}, (6, 14, 14)),  # 84 entries on 196 cells
        ({"preset": "mini"}, (6, 8, 8)),
        ({"board": 5, "colours": 1}, (5, 5, 5)),  # 21 on 25
        ({"board": 5, "colours": 1, "copies": 2}, (6, 5, 5)),  # 42 on 25
        ({"board": 5}, (11, 5, 5)),  # 84 on 25
        ({"board": 5, "copies": 2}, (14, 5, 5)),  # 168 on 25
        ({"board": 6, "colours": 2, "copies": 2}, (8, 6, 6)),  # 84 on 36
        ({"board": 7}, (9, 7, 7)),  # 84 on 49
        ({"board": 9, "colours": 3, "copies": 2}, (8, 9, 9)),  # 126 on 81
        ({"board": 12, "copies": 2}, (9, 12, 12)),  # 168 on 144
        ({"board": 13, "copies": 2}, (8, 13, 13)),  # 168 on 169
        ({"board": 5, "pieces": "X"}, (11, 5, 5)),  # the pieces of the set do not matter
    ],
)
def test_bk_6_shapes(load, options, shape):
    game = load("blokus", **options)
    assert tuple(game.observation_tensor_shape()) == shape
    observed = game.new_initial_state().observation_tensor(0)
    assert np.size(observed) == np.prod(shape)


def ones(state, viewer):
    """The places of the ones in an observation; everything else is 0."""
    values = np.ravel(np.asarray(state.observation_tensor(viewer), np.float32))
    assert set(values.tolist()) <= {0.0, 1.0}
    return set(np.flatnonzero(values).tolist())


def expected_ones(state, viewer):
    """The same, from the text of the state alone."""
    options = state.get_game().options
    board, to_move, hands, passed, single = fields(state)
    side, number = options["board"], options["colours"]
    hands, size = [model.hand_of(options, hand) for hand in hands.split("/")], side * side
    over = not any(model.possible(options, state.serialize(), letter) for letter in LETTERS[:number])
    base = base_of(options, LETTERS.index(to_move), hands, viewer, over)
    order = [(base + k) % number for k in range(number)]
    planes = [squares(board, LETTERS[colour]) for colour in order]
    planes += [model.contacts(options, board, LETTERS[base]), model.usable(board, LETTERS[base])]
    found = {size * i + cell for i, cells in enumerate(planes) for cell in numbered(cells, side)}
    entries = [
        21 * (number * copy + k) + PIECES.index(piece)
        for k, colour in enumerate(order)
        for piece in set(hands[colour])
        for copy in range(hands[colour].count(piece))
    ]
    marks = [] if over else [order.index(LETTERS.index(to_move))]
    marks += [number + k for k, colour in enumerate(order) if LETTERS[colour] in passed]
    marks += [2 * number + k for k, colour in enumerate(order) if LETTERS[colour] in single]
    last = number + 2 + -(-21 * number * options["copies"] // size)
    return found | {size * (number + 2) + entry for entry in entries} | {size * last + mark for mark in marks}


def base_of(options, colour, hands, viewer, over):
    """The base: the colour to move if the viewer plays it, else the one with his number."""
    on_board = len(model.full_hand(options)) - len(hands[colour])
    plays = {"none": colour, "pairs": colour % 2, "fourth": on_board % 3 if colour == 3 else colour}
    return colour if not over and plays[options["sharing"]] == viewer else viewer


@pytest.mark.parametrize("text", VIEWED)
def test_bk_6_planes_are_those_of_the_text(load, text):
    game = load(text)
    for state in sampled(game, 3, 1 if text in SMALL else 15):
        for viewer in range(game.num_players()):
            assert ones(state, viewer) == expected_ones(state, viewer)


def planes(state, viewer):
    """The ones of each plane."""
    count, side, _ = state.get_game().observation_tensor_shape()
    found = ones(state, viewer)
    return [{place % side**2 for place in found if place // side**2 == i} for i in range(count)]


def test_bk_6_hands_on_several_planes(load):
    """Four colours with two copies on 25 cells: entry 21 x (4 x copy + relative colour) + piece, 25 a plane."""
    #   b . . . y
    #   . b . . .   Blue has placed both single squares, yellow a domino, red and green a single square each.
    #   . . . . y
    #   . . . . .
    #   g . . . r
    game = load("blokus", board=5, pieces="up_to_2", copies=2)
    state = played(game, "a5", "e4,e5", "e1", "a1", "b4")
    shown = planes(state, 0)
    entries = {25 * i + entry for i, plane in enumerate(shown[6:13]) for entry in plane}
    blue, yellow, red, green = {1, 85}, {21, 22, 105}, {42, 43, 127}, {63, 64, 148}
    assert entries == blue | yellow | red | green
    assert shown[13] == {1}  # yellow is to move
    # Seen by yellow the same entries begin with yellow.
    entries = {25 * i + entry for i, plane in enumerate(planes(state, 1)[6:13]) for entry in plane}
    assert entries == {0, 1, 84} | {21, 22, 106} | {42, 43, 127} | {64, 148}
    assert planes(state, 1)[13] == {0}


def test_bk_6_a_viewer_who_is_to_move_sees_from_that_colour(load):
    """A player of two colours sees from the one that is to move; the other sees from the colour with his number."""
    state = played(load("blokus", board=5, pieces="up_to_2", sharing="pairs"), "a5", "e5")
    side = 5
    assert planes(state, 0)[:4] == [set(), set(), ids("a5", side), ids("e5", side)]  # red is to move
    assert planes(state, 0)[4] == ids("e1", side)
    assert planes(state, 1)[:4] == [ids("e5", side), set(), set(), ids("a5", side)]
    assert planes(state, 1)[4] == ids("d4", side)
    play(state, "e1", "a1")
    assert planes(state, 0)[4] == ids("b4", side)
    # Green's second piece is played by player 1.
    state = played(
        load("blokus", board=5, pieces="up_to_2", sharing="fourth"), "a5", "e5", "e1", "a1", "b4,c4", "d3,d4", "c2,d2"
    )
    assert state.current_player() == 1
    assert planes(state, 1)[0] == ids("a1", side)
    assert planes(state, 0)[0] == ids("a5,b4,c4", side)
    assert planes(state, 2)[0] == ids("e1,c2,d2", side)


def test_bk_6_contact_cells_before_the_first_piece(load):
    """The start squares that may be covered: one that another colour has covered is none."""
    state = played(load("blokus", "duo", start="either"), "e10")
    assert planes(state, 1)[2] == ids("j5", 14)
    assert planes(load("blokus", "duo").new_initial_state(), 1)[2] == ids("j5", 14)
    state = played(load("blokus", board=5, colours=2, starts="b3+c3", pieces="up_to_2"), "b3,c3")
    assert planes(state, 1)[2] == set()
    assert planes(state, 0)[2] == ids("a2,d2,a4,d4", 5)


# 8. Symmetries


@pytest.mark.parametrize(
    ("options", "number"),
    [
        ({}, 4),
        ({"start": "any_corner"}, 32),
        ({"sharing": "pairs"}, 4),
        ({"sharing": "pairs", "start": "any_corner"}, 32),
        ({"sharing": "fourth"}, 1),
        ({"sharing": "fourth", "start": "any_corner"}, 8),
        ({"preset": "duo"}, 4),
        ({"preset": "duo", "start": "either"}, 8),
        ({"preset": "junior"}, 4),
        ({"preset": "mini"}, 4),
        ({"colours": 1}, 2),
        ({"colours": 1, "start": "any_corner"}, 2),
        ({"board": 5, "colours": 1, "starts": "c3"}, 8),
        ({"board": 6, "colours": 1, "starts": "c3"}, 2),
        ({"board": 6, "colours": 1, "starts": "c2"}, 1),
        ({"colours": 2}, 2),
        ({"colours": 2, "start": "any_corner"}, 4),
        ({"colours": 3}, 1),
        ({"colours": 3, "start": "any_corner"}, 6),
        ({"board": 5, "starts": "c5+e3+c1+a3"}, 4),
        ({"board": 5, "starts": "e5+e1+a1+a5"}, 4),
        ({"board": 5, "starts": "a5+e5+a1+e1"}, 2),
    ],
)
def test_bk_8_2_numbers_of_symmetries(load, options, number):
    game = load("blokus", **options)
    assert game.num_symmetries() == number == len(model.symmetries(game.options))


def test_bk_8_2_the_order_of_symmetries(load):
    #   b b . . .    Number 1 renames blue to yellow, so it turns the board to the right; number 2 does it twice, and
    #   . . . . .    number 3 thrice.
    state = played(load("blokus", board=5), "a5,b5")
    assert [fields(state.transformed(k))[:2] for k in range(4)] == [
        ["bb3/5/5/5/5", "y"],
        ["4y/4y/5/5/5", "r"],
        ["5/5/5/5/3rr", "g"],
        ["5/5/5/g4/g4", "b"],
    ]
    rest = model.without(state.get_game().options, "2")
    assert [fields(state.transformed(k))[2].split("/").index(rest) for k in range(4)] == [0, 1, 2, 3]


def test_bk_8_2_the_eight_symmetries_of_a_board_in_order(load):
    """Bit 0 mirrors the columns, bit 1 the rows; then bit 2 swaps rows and columns."""
    game = load("blokus", board=5, colours=1, starts="c3", pieces="up_to_4")
    assert game.num_symmetries() == 8
    state = at(game, "bbb2/b4/2b2/5/5 b 2,I3,V3,I4,T4,O,Z4 - -")
    assert [fields(state.transformed(k))[0] for k in range(8)] == [
        "bbb2/b4/2b2/5/5",
        "2bbb/4b/2b2/5/5",
        "5/5/2b2/b4/bbb2",
        "5/5/2b2/4b/2bbb",
        "bb3/b4/b1b2/5/5",
        "5/5/b1b2/b4/bb3",
        "3bb/4b/2b1b/5/5",
        "5/5/2b1b/4b/3bb",
    ]


@pytest.mark.parametrize("text", SYMMETRIC)
def test_bk_8_1_images_are_those_of_the_text(load, text):
    """Cells, colour to move, hands and marks, moved in the text; actions, moved cell by cell."""
    game = load(text)
    side, pairs = game.options["board"], model.symmetries(game.options)
    actions = random.Random(text).sample(range(game.num_distinct_actions() - 1), 30)
    for state in sampled(game, 4, 3 if text in SMALL else 21):
        for k, (t, j) in enumerate(pairs):
            image = state.transformed(k)
            assert " ".join(fields(image)) == model.image_of_text(game.options, state.serialize(), t, j)
    for k, (_, j) in enumerate(pairs):
        for action in actions:
            cells = model.cells_of(game.action_to_string(action), side)
            moved = model.text_of([model.image(cell, j, side) for cell in cells], side)
            assert game.action_to_string(game.transform_action(action, k)) == moved
        passing = game.num_distinct_actions() - 1
        assert game.transform_action(passing, k) == passing


@pytest.mark.parametrize("text", [text for text in SYMMETRIC if "sharing" not in text])
def test_bk_8_1_views_and_analyses_move_along(text):
    """Planes of cells are moved; what is relative to the viewer stays; analyses go to the new name of each colour."""
    game = zg.load_game(text)
    number, side = game.options["colours"], game.options["board"]
    for state in sampled(game, 5, 9):
        for k, (t, j) in list(enumerate(model.symmetries(game.options)))[:12]:
            image = state.transformed(k)
            for viewer in range(number):
                seen, there = (x.observation_tensor(p) for x, p in ((state, viewer), (image, (viewer + t) % number)))
                assert np.array_equal(moved_planes(seen[: number + 2], j), there[: number + 2])
                assert np.array_equal(seen[number + 2 :], there[number + 2 :])
            for name in zg.describe("blokus")["analyses"]:
                values = np.roll(state.analysis(name), t, axis=0)
                if values.shape == (number, side, side):
                    values = moved_planes(values, j)
                if name != "by_orientation":
                    assert np.array_equal(values, image.analysis(name)), name


def moved_planes(values, j):
    """Planes with every cell moved by a symmetry of the board."""
    side, out = values.shape[-1], np.empty_like(values)
    for cell in np.ndindex(side, side):
        out[(..., *model.image(cell, j, side))] = values[(..., *cell)]
    return out


def test_canonical_of_a_drawn_position(load):
    # Of the four images the one with the square at the top left is not the least: '4y' comes before 'b4'.
    state = played(load("blokus", board=5), "a5")
    texts = [state.transformed(k).serialize() for k in range(4)]
    found, k = state.canonical()
    assert [text.split(" ")[1] for text in texts] == [
        "b4/5/5/5/5",
        "4y/5/5/5/5",
        "5/5/5/5/4r",
        "5/5/5/5/g4",
    ]
    assert (fields(found)[0], k) == ("4y/5/5/5/5", 1)
    # Equal images: the least number counts.
    empty = load("blokus", board=5, colours=1, starts="c3").new_initial_state()
    assert empty.canonical() == (empty, 0)
    for move, number in (("c3,c4", 0), ("c3,d3", 5)):  # six is as good as five
        found, k = played(load("blokus", board=5, colours=1, starts="c3"), move).canonical()
        assert (fields(found)[0], k) == ("5/2b2/2b2/5/5", number)


def test_canonical_of_a_game_without_symmetries(load):
    state = played(load("blokus", "classic-3"), "a20", "t20")
    found, k = state.canonical()
    assert (found, k) == (state, 0)
    play(found, "t1")
    assert found != state


# 9. Analyses

SHAPES = {
    "mobility": (),
    "by_piece": (21,),
    "by_orientation": (91,),
    "by_cell": None,
    "contacts": None,
    "reachable_corners": None,
    "territory": None,
    "influence": None,
}


def analysis(state, name):
    """The parts of an analysis, one a colour: flat lists, or dicts from cell to what is not zero."""
    number = state.get_game().options["colours"]
    values = np.reshape(np.asarray(state.analysis(name)), (number, -1)).tolist()
    if SHAPES[name] is not None:
        return values
    return [{cell: value for cell, value in enumerate(part) if value} for part in values]


@pytest.mark.parametrize("text", [*of_blokus(one_each("board", "colours")), "pylos()", "pylos(base=3)"])
def test_bk_9_shapes_and_types_of_analyses(text):
    game = zg.load_game(text)
    side, state = game.options.get("board"), game.new_initial_state()  # other games have none of these
    assert list(zg.describe(game.name)["analyses"]) == (list(SHAPES) if side else [])
    for name, shape in SHAPES.items() if side else ():
        values = state.analysis(name)
        assert values.shape == (game.options["colours"], *((side, side) if shape is None else shape))
        assert values.dtype == (np.float32 if name == "influence" else np.int32)
        assert values.flags.c_contiguous


@pytest.mark.parametrize("text", [text for text in SMALL if "board=11" not in text])
def test_bk_9_1_analyses_are_counts_of_placements(load, text):
    game = load(text)
    side, letters = game.options["board"], LETTERS[: game.options["colours"]]
    for state in sampled(game, 6, 2):
        board, passed = fields(state)[0], fields(state)[3]
        found = [[] if x in passed else model.possible(game.options, state.serialize(), x) for x in letters]
        assert analysis(state, "mobility") == [[len(moves)] for moves in found]
        cover = [Counter(row * side + column for *_, cells in moves for row, column in cells) for moves in found]
        assert analysis(state, "by_cell") == cover
        for name, length, key in (
            ("by_piece", 21, lambda move: PIECES.index(move[0])),
            ("by_orientation", 91, lambda move: ORIENTATIONS.index(move[:2])),
        ):
            counts = [Counter(map(key, moves)) for moves in found]
            assert analysis(state, name) == [[count[i] for i in range(length)] for count in counts]
        touch = [numbered(model.contacts(game.options, board, letter), side) for letter in letters]
        assert [set(part) for part in analysis(state, "contacts")] == touch
        reached = [cells & set(count) for cells, count in zip(touch, cover, strict=True)]
        assert [set(part) for part in analysis(state, "reachable_corners")] == reached
        total = sum(cover, Counter())
        shares = [{cell: np.float32(n) / np.float32(total[cell]) for cell, n in count.items()} for count in cover]
        assert analysis(state, "influence") == shares


# Yellow can place a domino on each of its four contact cells; blue's bar of three fits nowhere on its one, c4.
BARRED = drawn("""
    b b . y .
    . . . y .
    . . y . .
    . . . . .
    . . . . .
""")


def barred(load, passed="-"):
    """The position of this drawing."""
    game = load("blokus", board=5, colours=2, starts="a5+d5", pieces="2+I3")
    return at(game, BARRED, "y", "I3/2", passed, "-")


def cells_of(part):
    """The texts of the cells of a part of an analysis on a board of 5."""
    return {f"{'abcde'[i % 5]}{5 - i // 5}": value for i, value in part.items()}


def test_bk_9_1_counts_of_a_drawn_position(load):
    state = barred(load)
    assert analysis(state, "mobility") == [[0], [6]]
    assert analysis(state, "by_piece") == [[0] * 21, [0, 6, *[0] * 19]]
    assert analysis(state, "by_orientation") == [[0] * 91, [0, 3, 3, *[0] * 88]]  # lying, then standing
    blue, yellow = map(cells_of, analysis(state, "by_cell"))
    assert blue == {}
    assert yellow == {"a4": 1, "b4": 1, "a2": 1, "b2": 2, "b1": 1, "d2": 2, "e2": 2, "d1": 1, "e3": 1}


def test_bk_9_2_contacts_of_a_drawn_position(load):
    for passed in ("-", "b"):
        state = barred(load, passed)
        assert [set(cells_of(part)) for part in analysis(state, "contacts")] == [{"c4"}, {"b4", "e3", "b2", "d2"}]
        assert [set(cells_of(part)) for part in analysis(state, "reachable_corners")] == [
            set(),
            {"b4", "e3", "b2", "d2"},
        ]


def test_bk_9_3_territory_of_a_drawn_position(load):
    blue, yellow = (set(cells_of(part)) for part in analysis(barred(load), "territory"))
    low = {f"{column}{row}" for column in "abcde" for row in (1, 2)}
    assert blue == low | {"c4", "a3", "b3", "d3", "e3", "e4", "e5"}  # over the corners b3 and d3 of c4
    assert yellow == low - {"c2"} | {"a3", "a4", "b4", "e3"}
    # Who has passed has none, and who has nothing in hand.
    assert analysis(barred(load, "b"), "territory")[0] == {}
    state = played(load("blokus", board=5, colours=2, starts="a5+c3", pieces="1"), "a5")
    assert analysis(state, "territory") == [{}, dict.fromkeys(set(range(25)) - {0}, 1)]


def test_bk_9_3_territory_stops_at_a_wall(load):
    # Blue is behind a wall of yellow without a gap, then with one that only a corner leads through.
    game = load("blokus", board=5, colours=2, pieces="up_to_3", starts="a5+c3")
    shut = at(game, "b4/5/yyyyy/5/5 b 2,I3,V3/1,I3 - -")
    assert set(cells_of(analysis(shut, "territory")[0])) == {"b4", "c4", "d4", "e4", "c5", "d5", "e5"}
    gap = at(game, "b4/5/yyyy1/5/5 b 2,I3,V3/2,I3 - -")
    assert set(cells_of(analysis(gap, "territory")[0])) == {
        *("b4", "c4", "d4", "e4", "c5", "d5", "e5", "e3"),
        *(f"{column}{row}" for column in "abcde" for row in (1, 2)),
    }


def test_bk_9_4_influence_of_two_first_pieces(load):
    #   . . . . .    Blue covers a1 alone, with a2 or with b1; yellow b1 alone or with one of a1, b2, c1.
    state = load("blokus", board=5, colours=2, starts="a1+b1", pieces="up_to_2").new_initial_state()
    blue, yellow = map(cells_of, analysis(state, "influence"))
    assert blue == {"a1": 0.75, "a2": 1.0, "b1": float(np.float32(0.2))}
    assert yellow == {"a1": 0.25, "b1": float(np.float32(0.8)), "b2": 1.0, "c1": 1.0}


def test_bk_9_1_a_colour_is_counted_as_if_it_were_its_turn(load):
    state = load("blokus", "duo").new_initial_state()
    assert analysis(state, "mobility") == [[414], [414]]
    assert analysis(load("blokus").new_initial_state(), "mobility") == [[58]] * 4
    assert analysis(load("blokus", start="any_corner").new_initial_state(), "mobility") == [[232]] * 4
    state = played(load("blokus", "duo", start="either"), "e10")
    assert analysis(state, "mobility")[1] == [414]
    state = played(load("blokus", "duo"), "e7,f7,e8,e9,e10", "j1,j2,j3,j4,j5", "g6,h6,i6,j6,k6")
    assert analysis(state, "mobility") == [[672], [0]]


# 9. Tables


def table_names():
    """The tables that the rules page defines: names with a shape."""
    clause = zg.rules("blokus").split("[BK-9.5]")[1]
    return list(dict.fromkeys(re.findall(r"`(\w+)` \[", clause)))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"preset": "junior"},
        {"board": 5, "colours": 1},
        {"board": 8, "pieces": "1+V3+X", "copies": 2},
        {"board": 13, "pieces": "I5"},
        {"board": 19, "colours": 3, "pieces": "L5+N"},
    ],
    ids=str,
)
def test_bk_9_5_tables(load, options):
    game = load("blokus", **options)
    side, actions = game.options["board"], game.num_distinct_actions()
    tables = {name: np.asarray(game.table(name)) for name in zg.describe("blokus")["tables"]}
    assert list(tables) == table_names()
    parts, cells, planes = [], [], []
    for piece, number, squares_of in model.parts(side, tuple(model.named(game.options))):
        own = sorted(row * side + column for row, column in squares_of)
        parts.append([PIECES.index(piece), number, own[0]])
        cells.append(own + [-1] * (5 - len(own)))
        planes.append(ORIENTATIONS.index((piece, number)) * side * side + own[0])
    assert tables["action_parts"].reshape(actions, 3).tolist() == [*parts, [-1] * 3]
    assert tables["action_squares"].reshape(actions, 5).tolist() == [*cells, [-1] * 5]
    assert tables["action_planes"].tolist() == [*planes, -1]
    back = np.full(91 * side * side, -1)
    back[planes] = np.arange(actions - 1)
    assert np.array_equal(tables["plane_actions"].ravel(), back)
    if "piece_orientations" in table_names():
        assert tables["piece_orientations"].tolist() == [*(ORIENTATIONS.index((piece, 0)) for piece in PIECES), 91]


def test_bk_9_5_shapes_and_types_of_tables():
    for text in [*of_blokus(one_each("board", "pieces")), "pylos()"]:
        game = zg.load_game(text)
        actions, side = game.num_distinct_actions(), game.options.get("board")
        shapes = {"action_parts": (actions, 3), "action_squares": (actions, 5), "action_planes": (actions,)}
        shapes |= {"plane_actions": (91, side, side), "piece_orientations": (22,)}
        assert list(zg.describe(game.name)["tables"]) == (table_names() if side else [])
        for name in table_names() if side else ():
            assert game.table(name).shape == shapes[name]
            assert game.table(name).dtype == np.int32
