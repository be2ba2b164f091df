"""Drawings: what they show is what the position says, they look the same to all eyes, and snapshots have not changed.

After a wanted change of a drawing write the snapshots anew, and look at them: `python tests/test_svg.py --renew`.
"""

import doctest
import itertools
import random
import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from common import walk
from playing import play

import ziggurat as zg
from ziggurat import ParseError, reference
from ziggurat.formats import svg, svg_blokus, svg_pylos
from ziggurat.reference.blokus_pieces import PIECES, orientations

ROOT = Path(__file__).parents[1]
SNAPSHOTS = ROOT / "tests/data/svg"
PAGE = ROOT / "docs/drawings.md"
SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "title", "desc", "g", "rect", "circle", "path", "text"}
LETTERS = {2: {"b": "purple", "y": "orange"}, 4: {"b": "blue", "y": "yellow", "r": "red", "g": "green"}}

#: the game or a position of it, the actions played, and the arguments of `draw`
CLASSIC = "a18,a19,b19,a20,b20 t16,t17,t18,t19,t20 p1,q1,r1,s1,t1 a1,b1,a2,a3,a4"
DUO = "e7,f7,e8,e9,e10 j1,j2,j3,j4,j5 g6,h6,i6,j6,k6"
BLOX = (
    "blox(players=4) BBBA a10:rrg,i10:wgk,a9:wrg,j8:rrkk,h7:rk,b6:rggg,d5:wrk,g4:wwwr,j4:w,f2:wr,e1:ggkk,h1:wgk "
    "6:wwwrkk:wgk:x:h9+f7+c1+f1/6:wrgggk:-:x:c10+e10+d8+d6/3:rggkkk:-:x:j10+b7+g5+i2/1:wrkkkk:k:x:h10+e6+c4+b3 rwr "
    "wwwwwwwwwrrrrrrrrrggggggggggkkkkk 2 3 - 103 546f36061b6b1313.00000000000000ae"
)
PRINTED = (
    "blox(board=9,hand=5,build_height=exact,start_phase=2,two_player_setup=printed) BBBA "
    "c8:wkk,f8:wgg,g7:rggk,e6:rrrk,i4:wwwr,e3:wgk,f3:wr,d1:wgkk 5:wwwgk:wrggk:x:g9+g8+h8+d5/8:rrgkk:rrgk:x:i8+a6+a4+f4 "
    "rwkkgr wwwwwwwwwwwrrrrrrrrrrrggggggggggggkkkkkkkkkk 3 1 - 89 546f36061b6b1313.0000000000000094"
)
CITY = (
    "numberplace_city() .8267..53371..5694569.82.172483517..7159482...9.267485857.23.69...8..53212349..7. "
    "2:r2c4=8,0:r8c5=1 0:39:5:in/0:112:66:in/1:668:44:in/1:499:13347:out - - 2 3 - - 80 "
    "ca1d63385f6a8d0b.0000000000000057"
)
CITY_OF_TWO = (
    "numberplace_city(players=2,penalties_open=false) "
    "....1....4........3.....6.....85..6......................3....7.........8.....5.6 0:r1c1=5,1:r1c1=9,1:r1c1=3 "
    "0:137:2999:in/0:24:678899:in 1891537569238724152881593524782147646225371367416 44 0 3 - - 27 "
    "1956ecd1a275ec95.0000000000000050"
)
CITY_WON = (
    "numberplace_city(points_to_win=1) "
    "642.9.58171358..245982317.6....7...99.51.86.2..76524.887.91.36.13.867245269.4317. 3:r2c7=9 "
    "0:177:-:in/0:345:9:in/1:256:-:in/0:368:5:in 2 13344489 1 - - points:2 68 238275bc38fcbe91.0000000000000050"
)
LEVEL = "1a1 1c1 1b1 1d1 1b2 1c2 1a2"  # light has a square
SCENES = {
    "classic": ("blokus", CLASSIC, {"last_action": "a1,b1,a2,a3,a4", "hands": True}),
    "duo": ("blokus(board=14,colours=2,starts=e10+j5)", DUO, {"last_action": DUO.split()}),
    "mini": ("blokus(board=8,colours=2,starts=c6+f3,pieces=up_to_4,scoring=basic)", "", {"legal": True, "size": 30}),
    "three": ("blokus(board=7,colours=3,start=any_corner,pieces=up_to_3)", "a7", {"hands": True, "coordinates": False}),
    "blox": ("blox", "@g7 @d8", {"legal": True, "last_action": "@d8"}),
    "blox-hands": (BLOX, "1nx4", {"last_action": "1nx4", "hands": True, "legal": True, "player": 0}),
    "blox-turn": (
        PRINTED,
        "0b r r g",
        {"last_action": ["0b", "r", "r", "g"], "hands": True, "coordinates": False, "size": 31.5},
    ),
    "city": (CITY, "", {"last_action": "r8c5=1", "hands": True, "player": 0}),
    "city-bonus": (CITY, "r8c3=1", {"last_action": "r8c3=1", "hands": True, "legal": True, "secrets": True}),
    "city-two": (CITY_OF_TWO, "", {"player": 1, "legal": True, "hands": True, "coordinates": False, "size": 30.5}),
    "city-won": (CITY_WON, "", {"hands": True}),
    "pylos": ("pylos", f"{LEVEL} stop 1d2", {"legal": True}),
    "pylos-turn": ("pylos", LEVEL, {"last_action": "1a2", "legal": True, "hands": True}),
    "pylos-mini": ("pylos(base=3)", "1a1 1c1 1b1 1c2 1b2 1c3 1a2 -1a1", {"last_action": ["1a2", "-1a1"], "size": 25.5}),
}
PIECE_SCENES = {"piece-F": ("F", {"orientation": 3, "colour": "purple"}), "piece-I5": ("I5", {"size": 12.5})}
#: games whose random positions are looked at
BLOKUS = [
    "blokus()",
    "blokus(sharing=pairs)",
    "blokus(board=14,colours=2,starts=e10+j5)",
    "blokus(board=14,colours=2,starts=e10+j5,pieces=junior,copies=2,scoring=basic)",
    "blokus(board=8,colours=2,starts=c6+f3,pieces=up_to_4,scoring=basic)",
    "blokus(board=5,colours=1,starts=c3,pieces=1+V3+X)",
    "blokus(board=9,colours=3,start=any_corner,pass_mode=skip)",
]
PYLOS = ["pylos()", "pylos(patterns=lines)", "pylos(base=3)"]


def played(game, moves):
    """The state after some actions, given as texts."""
    state = game.new_initial_state()
    for text in moves.split():
        state.apply_action(state.string_to_action(text))
    return state


def scene(name, load=zg.load_game):
    """A drawing of the table."""
    if name in PIECE_SCENES:
        piece, arguments = PIECE_SCENES[name]
        return svg.draw_piece(piece, **arguments)
    start, moves, arguments = SCENES[name]
    game, bracket, _ = start.partition(") ")
    state = load(f"{game}{bracket.strip()}").deserialize(start) if bracket else load(game).new_initial_state()
    return svg.draw(play(state, *moves.split()), **arguments)


def parsed(text):
    return ET.fromstring(text)


def parts(root, name, **data):
    """The groups that say that they show something."""
    groups = [group for group in root.iter(f"{SVG}g") if group.get("data-part") == name]
    return [g for g in groups if all(g.get(f"data-{key}") == value for key, value in data.items())]


def shapes(groups, tag):
    return [element for group in groups for element in group.iter(f"{SVG}{tag}")]


def middle(element):
    """The middle of a rectangle or a circle."""
    if element.get("cx"):
        return float(element.get("cx")), float(element.get("cy"))
    x, y, width, height = (float(element.get(key, 0)) for key in ("x", "y", "width", "height"))
    return x + width / 2, y + height / 2


# Snapshots and what holds for every drawing.


@pytest.mark.parametrize("name", [*SCENES, *PIECE_SCENES])
def test_snapshots(name):
    assert scene(name) == (SNAPSHOTS / f"{name}.svg").read_bytes().decode("utf-8")


def test_every_snapshot_has_a_scene():
    assert {path.stem for path in SNAPSHOTS.glob("*")} == {*SCENES, *PIECE_SCENES}


@pytest.mark.parametrize("name", SCENES)
def test_native_and_reference_states_look_the_same(name):
    assert scene(name) == scene(name, reference.load_game)


@pytest.mark.parametrize("name", [*SCENES, *PIECE_SCENES])
def test_drawings_stand_alone(name):
    """Only plain shapes and texts; no ids, styles, scripts or addresses, so that many can be on one page."""
    text = scene(name)
    assert text.count("http") == 1  # the name space
    for element in parsed(text).iter():
        assert element.tag.removeprefix(SVG) in TAGS
        for key, value in element.attrib.items():
            assert key not in ("id", "class", "style", "href")
            assert not key.startswith("on")
            assert "url(" not in value


@pytest.mark.parametrize("name", [*SCENES, *PIECE_SCENES])
def test_numbers_are_short(name):
    for element in parsed(scene(name)).iter():
        for key, value in element.attrib.items():
            for number in re.findall(r"\d+\.\d+(?:e-?\d+)?", value):
                assert re.fullmatch(r"\d+\.\d{0,1}[1-9]", number), f"{key}={value}"


@pytest.mark.parametrize("name", [*SCENES, *PIECE_SCENES])
def test_everything_lies_in_the_view(name):
    root = parsed(scene(name))
    left, top, width, height = map(float, root.get("viewBox").split())
    assert (left, top) == (0, 0)
    assert float(root.get("width")) / float(root.get("height")) == pytest.approx(width / height, rel=1e-3)
    for element in [*root.iter(f"{SVG}rect"), *root.iter(f"{SVG}circle")]:
        x, y = middle(element)
        across = float(element.get("width", 0)) / 2 or float(element.get("r", 0))
        along = float(element.get("height", 0)) / 2 or float(element.get("r", 0))
        assert x - across >= 0, element.attrib
        assert x + across <= width, element.attrib
        assert y - along >= 0, element.attrib
        assert y + along <= height, element.attrib
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(text.get("x")) < width
        assert 0 < float(text.get("y")) < height


def test_screen_readers_are_told_what_there_is():
    root = parsed(scene("classic"))
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text == "Blokus, 20 by 20: blue to move"
    words = "blue 5 squares, yellow 5 squares, red 5 squares and green 5 squares"
    assert root[1].text == f"blokus(). On the board: {words}. Last: a1,b1,a2,a3,a4."
    root = parsed(scene("pylos-turn"))
    assert root[0].text == "Pylos, base of 4: light may take back"
    balls = "light 4 on the board, 11 in reserve; dark 3 on the board, 12 in reserve"
    assert root[1].text == f"pylos(). Balls: {balls}. Last: 1a2."


@pytest.mark.parametrize(("size", "width"), [(None, 24), (10, 10), (7.3, 7.3), (1000, 1000)])
def test_size_is_that_of_a_cell(size, width):
    root = parsed(svg.draw(zg.load_game("blokus").new_initial_state(), size=size))
    scale = float(root.get("width")) / float(root.get("viewBox").split()[2])
    board = parts(root, "board")[0][0]
    assert float(board.get("width")) / 20 * scale == pytest.approx(width, rel=1e-3)


# Blokus.


class Picture:
    """A drawing of a Blokus board, read with the board's place in the drawing alone."""

    def __init__(self, root, side):
        board = parts(root, "board")[0][0]
        self.root, self.side = root, side
        self.left, self.top = float(board.get("x")), float(board.get("y"))
        self.unit = float(board.get("width")) / side
        assert board.get("width") == board.get("height")

    def cell(self, x, y):
        """The text of the cell in whose middle a point is."""
        column, row = (x - self.left) / self.unit - 0.5, (y - self.top) / self.unit - 0.5
        assert column == pytest.approx(round(column))
        assert row == pytest.approx(round(row))
        assert 0 <= round(column) < self.side
        assert 0 <= round(row) < self.side
        return f"{chr(ord('a') + round(column))}{self.side - round(row)}"

    def squares(self, colour):
        return [self.cell(*middle(square)) for square in shapes(parts(self.root, "squares", colour=colour), "rect")]

    def marks(self, colour):
        paths = shapes(parts(self.root, "squares", colour=colour), "path")
        points = [point for path in paths for point in re.findall(r"M([\d.]+) ([\d.]+)m", path.get("d"))]
        return [self.cell(float(x), float(y)) for x, y in points]

    def starts(self):
        return [self.cell(*middle(circle)) for circle in shapes(parts(self.root, "starts"), "circle")]

    def legal(self):
        return [self.cell(*middle(circle)) for circle in shapes(parts(self.root, "legal"), "circle")]


def cells_of(text):
    """The cells of the letters of a position text."""
    found = {}
    rows = text.split(" ")[1].split("/")
    for row, line in enumerate(rows):
        column = 0
        for token in re.findall(r"\d+|[byrg]", line):
            if token.isdigit():
                column += int(token)
                continue
            found.setdefault(token, []).append(f"{chr(ord('a') + column)}{len(rows) - row}")
            column += 1
    return found


def sampled(text, every=7):
    """Every so many positions of a random game and its end, with the action that led there."""
    rng, state, last = random.Random(text), zg.load_game(text).new_initial_state(), None
    for step in itertools.count():
        if step % every == 0 or state.is_terminal():
            yield state, last
        if state.is_terminal():
            return
        last = rng.choice(state.legal_actions().tolist())
        state.apply_action(last)


@pytest.mark.parametrize("text", BLOKUS)
def test_squares_marks_and_starts_are_where_the_position_says(text):
    game = zg.load_game(text)
    options = game.options
    names = LETTERS[2] if options["colours"] == 2 else LETTERS[4]
    corners = {"blokus()", "blokus(sharing=pairs)"}
    last = chr(ord("a") + options["board"] - 1)
    starts = (
        [f"a{options['board']}", f"{last}{options['board']}", f"{last}1", "a1"][: options["colours"]]
        if text in corners or "starts" not in text
        else options["starts"].split("+")
    )
    seen = 0
    for state, _ in sampled(text, every=9):
        picture = Picture(parsed(svg.draw(state)), options["board"])
        expected = cells_of(state.serialize())
        for letter, name in names.items():
            assert sorted(picture.squares(name)) == sorted(expected.get(letter, []))
            assert picture.marks(name) == picture.squares(name)
        covered = {cell for cells in expected.values() for cell in cells}
        assert picture.starts() == [start for start in starts if start not in covered]
        seen += len(covered)
    assert seen > 0


def test_start_squares_look_like_their_colour_or_like_nobodys():
    tokens = shapes(parts(parsed(scene("mini")), "starts"), "circle")
    assert [token.get("fill") for token in tokens] == [svg_blokus.LOOKS[name].fill for name in ("purple", "orange")]
    rings = shapes(parts(parsed(scene("three")), "starts"), "circle")
    assert [ring.get("fill") for ring in rings] == ["none", "none"]  # the third is covered


def test_colours_of_squares_are_those_of_the_palette():
    for name, count in (("classic", 4), ("duo", 2)):
        groups = parts(parsed(scene(name)), "squares")
        assert len(groups) == count
        for group in groups:
            look = svg_blokus.LOOKS[group.get("data-colour")]
            assert (group[0].get("fill"), group[1].get("stroke")) == (look.fill, look.ink)
            assert contrast(group[0].get("stroke"), svg_blokus.EMPTY) > 3  # sets yellow off from the board in grey


@pytest.mark.parametrize("text", ["blokus()", BLOKUS[4], BLOKUS[6]])
def test_coordinates_stand_at_their_rows_and_columns(text):
    game = zg.load_game(text)
    side = game.options["board"]
    root = parsed(svg.draw(game.new_initial_state()))
    picture = Picture(root, side)
    texts = shapes(parts(root, "coordinates"), "text")
    found = set()
    for element in texts:
        x, y = float(element.get("x")), float(element.get("y"))
        if element.text.isdigit():
            row = side - int((y - picture.top) // picture.unit)  # the base line is a little below the middle
            assert x < picture.left
            assert element.text == str(row)
        else:
            column = (x - picture.left) / picture.unit - 0.5
            assert y > picture.top + side * picture.unit
            assert element.text == chr(ord("a") + round(column))
            assert column == pytest.approx(round(column))
        found.add(element.text)
    assert found == {str(k + 1) for k in range(side)} | {chr(ord("a") + k) for k in range(side)}
    assert len(texts) == 2 * side
    assert not parts(parsed(svg.draw(game.new_initial_state(), coordinates=False)), "coordinates")


def sides(path, picture):
    """The pieces of the grid that a path of single lines draws: (horizontal?, column, row) from the top left."""
    found = set()
    for x, y, way, length in re.findall(r"M([\d.]+) ([\d.]+)([hv])([\d.]+)", path):
        assert float(length) == picture.unit
        found.add((way, (float(x) - picture.left) / picture.unit, (float(y) - picture.top) / picture.unit))
    return found


def border(cells, side):
    """The same of the outline of some cells: the sides that belong to one of them only."""
    found = []
    for cell in cells:
        column, row = ord(cell[0]) - ord("a"), side - int(cell[1:])
        found += [("h", column, row), ("h", column, row + 1), ("v", column, row), ("v", column + 1, row)]
    return {line for line in found if found.count(line) == 1}


@pytest.mark.parametrize("as_text", [True, False])
def test_the_last_placement_is_outlined(as_text):
    checked = 0
    for state, last in sampled("blokus(board=14,colours=2,starts=e10+j5)"):
        if last is None or state.action_to_string(last) == "pass":
            continue
        text = state.action_to_string(last)
        root = parsed(svg.draw(state, last_action=text if as_text else last))
        paths = shapes(parts(root, "last"), "path")
        assert len(paths) == 1
        picture = Picture(root, 14)
        assert sides(paths[0].get("d"), picture) == border(text.split(","), 14)
        checked += 1
    assert checked > 2
    assert not parts(parsed(svg.draw(state)), "last")


def test_several_last_placements_are_outlined_apart():
    root = parsed(scene("duo"))
    drawn = [sides(path.get("d"), Picture(root, 14)) for path in shapes(parts(root, "last"), "path")]
    assert drawn == [border(text.split(","), 14) for text in DUO.split()]


@pytest.mark.parametrize("text", ["blokus()", BLOKUS[4]])
def test_legal_placements_are_dotted(text):
    side = zg.load_game(text).options["board"]
    for state, _ in sampled(text, every=13):
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        expected = {cell for moves in texts if moves != "pass" for cell in moves.split(",")}
        dots = Picture(parsed(svg.draw(state, legal=True)), side).legal()
        assert len(dots) == len(set(dots))
        assert set(dots) == expected
        if len(texts) > 1:
            some = Picture(parsed(svg.draw(state, legal=[texts[-1], state.legal_actions()[-1]])), side).legal()
            assert set(some) == set(texts[-1].split(","))
    assert not parts(parsed(svg.draw(state, legal=False)), "legal")


def shape(squares, unit):
    """The cells (row, column) of squares in a grid of a unit, moved to (0, 0) and sorted."""
    points = [(y / unit, x / unit) for x, y in map(middle, squares)]
    top, left = min(y for y, _ in points), min(x for _, x in points)
    cells = [(y - top, x - left) for y, x in points]
    assert all(k == pytest.approx(round(k)) for cell in cells for k in cell)
    return tuple(sorted((round(y), round(x)) for y, x in cells))


@pytest.mark.parametrize(("text", "pieces_of_all"), [*zip(BLOKUS, (21, 21, 21, 24, 9, 3, 21), strict=True)])
def test_hands_show_the_pieces_that_are_left(text, pieces_of_all):
    game = zg.load_game(text)
    names = list(LETTERS[2 if game.options["colours"] == 2 else 4].values())
    whole = [group.get("data-piece") for group in hand_pieces(svg.draw(game.new_initial_state(), hands=True), names[0])]
    assert len(whole) == len(set(whole)) * game.options["copies"] == pieces_of_all
    for state, _ in sampled(text, every=11):
        drawing = svg.draw(state, hands=True)
        for name, hand in zip(names, state.serialize().split(" ")[3].split("/"), strict=False):
            pieces = hand_pieces(drawing, name)
            expected = whole if hand == "*" else [] if hand == "-" else hand.split(",")
            assert [group.get("data-piece") for group in pieces] == expected
            for group in pieces:
                assert shape(group, float(group[0].get("width"))) == orientations(group.get("data-piece"))[0]


@pytest.mark.parametrize("text", BLOKUS)
def test_pieces_in_hand_lie_apart(text):
    hands = parts(parsed(svg.draw(zg.load_game(text).new_initial_state(), hands=True)), "hand")
    ends = 0.0
    for hand in hands:
        pieces = [group for group in hand if group.get("data-piece")]
        unit = float(pieces[0][0].get("width"))
        assert ends < float(shapes([hand], "text")[0].get("y")) < min(middle(square)[1] for square in pieces[0])
        for one, other in itertools.combinations(pieces, 2):
            for (x, y), (u, v) in itertools.product(map(middle, one), map(middle, other)):
                assert max(abs(x - u), abs(y - v)) >= 2 * unit
        ends = max(middle(square)[1] for piece in pieces for square in piece) + unit


def hand_pieces(drawing, colour):
    (hand,) = parts(parsed(drawing), "hand", colour=colour)
    return [group for group in hand if group.get("data-piece")]


def test_hands_tell_squares_and_passes():
    state = played(zg.load_game("blokus(board=14,colours=2,starts=e10+j5)"), f"{DUO} pass")
    headings = [text.text for text in shapes(parts(parsed(svg.draw(state, hands=True)), "hand"), "text")]
    assert headings == ["purple, 79 squares left", "orange, 84 squares left, passed"]


def test_hands_stay_where_they_were():
    """The drawing of every position of a game has the same size, so that a game does not jump about."""
    boxes = {parsed(svg.draw(state, hands=True)).get("viewBox") for state, _ in sampled("blokus()", every=20)}
    assert len(boxes) == 1


def test_the_caption_says_whose_turn_it_is():
    game = zg.load_game("blokus(board=5,colours=1,starts=c3,pieces=1)")
    state = game.new_initial_state()
    assert caption(state) == "blue to move"
    state.apply_action(0 if state.is_legal(0) else int(state.legal_actions()[0]))
    assert state.is_terminal()
    assert caption(state) == "the game is over"
    assert caption(played(zg.load_game("blokus(board=14,colours=2,starts=e10+j5)"), DUO)) == "orange to move"


def caption(state):
    (text,) = shapes(parts(parsed(svg.draw(state)), "caption"), "text")
    return text.text


@pytest.mark.parametrize("piece", PIECES)
def test_pieces_have_their_shape(piece):
    for k, cells in enumerate(orientations(piece)):
        root = parsed(svg.draw_piece(piece, orientation=k, colour="red"))
        unit = (float(root.get("viewBox").split()[2]) - 2) / (max(column for _, column in cells) + 1)  # a rim of 1
        assert shape(shapes(parts(root, "squares", colour="red"), "rect"), unit) == cells
        assert root[0].text == f"Blokus, piece {piece}, red"


# Pylos.


def pylos_cells(root, base):
    """The text of each ball, by where it lies in its level, and its colour."""
    found = {}
    for level_part in parts(root, "level"):
        level = int(level_part.get("data-level")) - 1
        ground = next(level_part.iter(f"{SVG}rect"))
        for group in parts(level_part, "balls"):
            for ball in shapes([group], "circle"):
                found[pylos_cell(middle(ball), ground, level, base)] = group.get("data-colour")
    return found


def pylos_cell(point, ground, level, base):
    """The cell at a point of the ground of its level; higher ones stand where four balls of the one below meet."""
    side = base - max(level - 1, 0)
    unit = float(ground.get("width")) / side
    shift = 1 if level else 0.5
    column = (point[0] - float(ground.get("x"))) / unit - shift
    row = (float(ground.get("y")) + float(ground.get("height")) - point[1]) / unit - shift
    assert column == pytest.approx(round(column), abs=0.01)
    assert row == pytest.approx(round(row), abs=0.01)
    return f"{level + 1}{chr(ord('a') + round(column))}{round(row) + 1}"


def pylos_text(text):
    """The colour of each cell of a position text, `None` for an empty one."""
    found = {}
    for level, balls in enumerate(text.split(" ")[1].split("/")):
        side = round(len(balls) ** 0.5)
        for k, ball in enumerate(balls):
            row, column = divmod(k, side)
            found[f"{level + 1}{chr(ord('a') + column)}{row + 1}"] = {"L": "light", "D": "dark", ".": None}[ball]
    return found


def grounds(root):
    return {int(part.get("data-level")) - 1: next(part.iter(f"{SVG}rect")) for part in parts(root, "level")}


def at(point, root, base):
    """The cell at a point of the drawing: the level is the one whose ground is below the point."""
    for level, ground in grounds(root).items():
        if 0 < point[0] - float(ground.get("x")) < float(ground.get("width")):
            return pylos_cell(point, ground, level, base)
    raise AssertionError(point)


@pytest.mark.parametrize("text", PYLOS)
def test_balls_lie_where_the_position_says(text):
    game = zg.load_game(text)
    base = game.options["base"]
    for state in itertools.islice(walk(game, 3), 0, None, 5):
        root = parsed(svg.draw(state))
        assert pylos_cells(root, base) == {k: v for k, v in pylos_text(state.serialize()).items() if v}


@pytest.mark.parametrize("text", PYLOS)
def test_open_places_are_where_a_ball_can_be_placed(text):
    game = zg.load_game(text)
    base = game.options["base"]
    checked = 0
    for state in itertools.islice(walk(game, 4), 0, None, 3):
        if state.in_turn() or state.is_terminal():
            continue
        root = parsed(svg.draw(state))
        rings = [at(middle(ring), root, base) for ring in shapes(parts(root, "open"), "circle")]
        dots = [at(middle(dot), root, base) for dot in shapes(parts(root, "unsupported"), "circle")]
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        placings = [cell for cell in texts if re.fullmatch(r"\d[a-d]\d", cell)]
        if placings:  # some of the reserve is left
            assert sorted(rings) == sorted(placings)
            checked += 1
        assert sorted(rings + dots) == sorted(k for k, v in pylos_text(state.serialize()).items() if not v)
    assert checked > 3


def test_supports_are_the_balls_of_the_level_below():
    root = parsed(scene("pylos-turn"))
    ground = grounds(root)[1]
    pale = shapes(parts(parts(root, "level", level="2")[0], "supports"), "circle")
    unit = float(ground.get("width")) / 4
    found = set()
    for ball in pale:
        x, y = middle(ball)
        column = (x - float(ground.get("x"))) / unit - 0.5
        row = (float(ground.get("y")) + 4 * unit - y) / unit - 0.5
        found.add((f"1{chr(ord('a') + round(column))}{round(row) + 1}", ball.get("fill")))
    fills = {"light": svg_pylos.FILLS["L"], "dark": svg_pylos.FILLS["D"]}
    state = played(zg.load_game("pylos"), LEVEL)
    assert found == {(k, fills[v]) for k, v in pylos_text(state.serialize()).items() if v}


def rings_of(root, name, base):
    return [at(middle(ring), root, base) for ring in shapes(parts(root, name), "circle")]


def test_the_last_move_of_pylos_is_marked():
    root = parsed(scene("pylos-turn"))
    assert rings_of(root, "last-to", 4) == ["1a2"]
    assert rings_of(root, "last-from", 4) == []
    root = parsed(scene("pylos-mini"))
    assert (rings_of(root, "last-to", 3), rings_of(root, "last-from", 3)) == (["1a2"], ["1a1"])


def test_a_raise_is_marked_at_both_ends():
    moves = "1a1 1b1 1a2 1b2 1d4 1d3 1d4>2a1"
    state = played(zg.load_game("pylos"), moves)
    root = parsed(svg.draw(state, last_action="1D4>2A1"))
    assert (rings_of(root, "last-to", 4), rings_of(root, "last-from", 4)) == (["2a1"], ["1d4"])


def test_legal_actions_of_pylos_are_dotted():
    root = parsed(scene("pylos-turn"))
    assert sorted(rings_of(root, "legal", 4)) == ["1a1", "1a2", "1b1", "1b2"]  # what light may take back
    state = played(zg.load_game("pylos"), "1a1 1b1 1a2 1b2 1d4 1d3")
    dots = rings_of(parsed(svg.draw(state, legal=["1d4>2a1", "1c1"])), "legal", 4)
    assert sorted(dots) == ["1c1", "1d4", "2a1"]


@pytest.mark.parametrize(("text", "balls"), [("pylos", 15), ("pylos(base=3)", 7)])
def test_reserves_are_the_balls_that_are_not_on_the_board(text, balls):
    root = parsed(svg.draw(played(zg.load_game(text), "1a1 1b1 1c1"), hands=True))
    for colour, count in (("light", balls - 2), ("dark", balls - 1)):
        (part,) = parts(root, "reserve", colour=colour)
        assert len(shapes([part], "circle")) == count
        assert shapes([part], "text")[0].text == f"{colour} {count}"
    assert not parts(parsed(scene("pylos")), "reserve")


def test_coordinates_of_pylos_stand_at_their_rows_and_columns():
    root = parsed(scene("pylos"))
    for part in parts(root, "level"):
        level, ground = int(part.get("data-level")) - 1, next(part.iter(f"{SVG}rect"))
        texts = shapes(parts(part, "coordinates"), "text")
        assert len(texts) == 2 * (4 - level)
        bottom = float(ground.get("y")) + float(ground.get("height"))
        for text in texts:
            x, y = float(text.get("x")), float(text.get("y"))
            if text.text.isdigit():
                point = (float(ground.get("x")) + 40, y - 3.5)  # from the base line to the middle of the letters
                assert x < float(ground.get("x"))
            else:
                point = (x, bottom - 40)
                assert y > bottom
            shift = 1 if level else 0.5
            column, row = (point[0] - float(ground.get("x"))) / 40 - shift, (bottom - point[1]) / 40 - shift
            value = row if text.text.isdigit() else column
            assert text.text == (str(round(value) + 1) if text.text.isdigit() else chr(ord("a") + round(value)))
            assert value == pytest.approx(round(value))


def test_the_caption_of_pylos_names_the_winner():
    *_, state = walk(zg.load_game("pylos(base=3)"), 1)
    winners = [("light", "dark")[player] for player in state.winners()]
    assert caption(state) == (f"{winners[0]} has won" if winners else "a draw")
    assert caption(played(zg.load_game("pylos"), LEVEL)) == "light may take back"
    assert caption(played(zg.load_game("pylos"), "1a1")) == "dark to move"


# Colours.

# What dichromats see: Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision
# deficiency", IEEE TVCG 15 (2009), severity 1, on linear RGB.
EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
CLEAR = 20  # the least distance in CIE L*a*b* (1976); 2.3 is a difference that can just be noticed
LOOKS = {name: look.fill for name, look in svg_blokus.LOOKS.items()}
SETS = {
    "four colours": [*(LOOKS[name] for name in svg_blokus.MANY), svg_blokus.EMPTY],
    "two colours": [*(LOOKS[name] for name in svg_blokus.TWO), svg_blokus.EMPTY],
    "pylos": [*svg_pylos.FILLS.values(), svg_pylos.GROUND],
    "pylos marks": [*svg_pylos.FILLS.values(), svg_pylos.GROUND, svg_pylos.ACCENT],
}


def linear(colour):
    """A colour `#rrggbb` as linear RGB (sRGB, IEC 61966-2-1)."""
    values = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def seen(colour, eyes):
    """What the eyes make of it."""
    return [min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear(colour), strict=True)))) for row in EYES[eyes]]


def luminance(rgb):
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def lab(rgb):
    """CIE L*a*b* of a linear RGB colour under D65."""
    r, g, b = rgb
    white = (0.95047, 1.0, 1.08883)
    xyz = (0.4124 * r + 0.3576 * g + 0.1805 * b, luminance(rgb), 0.0193 * r + 0.1192 * g + 0.9505 * b)
    x, y, z = (cube_root(value / whitest) for value, whitest in zip(xyz, white, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def cube_root(t):
    return t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29


def distance(one, other, eyes):
    pairs = zip(lab(seen(one, eyes)), lab(seen(other, eyes)), strict=True)
    return sum((a - b) ** 2 for a, b in pairs) ** 0.5


def contrast(one, other):
    """The ratio of WCAG 2."""
    light, dark = sorted((luminance(linear(one)), luminance(linear(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_measures_measure():
    assert lab(linear("#ffffff")) == pytest.approx((100, 0, 0), abs=0.1)
    assert lab(linear("#ff0000")) == pytest.approx((53.2, 80.1, 67.2), abs=0.1)
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert distance("#ff0000", "#00a000", "normal") > 100
    assert distance("#c05020", "#7a7a20", "deuteranopia") < CLEAR < distance("#c05020", "#7a7a20", "normal")


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("name", SETS)
def test_colours_differ_clearly_to_all_eyes(name, eyes):
    for one, other in itertools.combinations(SETS[name], 2):
        assert distance(one, other, eyes) >= CLEAR, f"{one} and {other} with {eyes}"


def test_colours_have_marks_of_their_own_that_can_be_seen():
    marks = [look.mark for look in svg_blokus.LOOKS.values()]
    assert len(set(marks)) == len(marks)
    for look in svg_blokus.LOOKS.values():
        assert contrast(look.fill, look.ink) >= 3  # WCAG 2.1, 1.4.11
    for outlined in (*LOOKS.values(), svg_blokus.EMPTY):
        assert contrast(outlined, svg_blokus.OUTLINE) > 2


def test_a_grey_print_of_pylos_is_readable():
    light, dark = (contrast("#ffffff", fill) for fill in svg_pylos.FILLS.values())
    assert dark / light > 4.5


# Arguments.


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"size": 0}, ValueError, "from 1 to 1000, not 0"),
        ({"size": -3}, ValueError, "from 1 to 1000, not -3"),
        ({"size": 1001}, ValueError, "not 1001"),
        ({"size": float("nan")}, ValueError, "not nan"),
        ({"size": float("inf")}, ValueError, "not inf"),
        ({"size": "big"}, TypeError, "not 'big'"),
        ({"size": True}, TypeError, "not True"),
        ({"coordinates": 1}, TypeError, "coordinates is True or False, not 1"),
        ({"secrets": 1}, TypeError, "secrets is True or False, not 1"),
        ({"hands": None}, TypeError, "hands is True or False, not None"),
        ({"last_action": "pass"}, ValueError, "a placement that has been played, not 'pass'"),
        ({"last_action": 30433}, ValueError, "not 'pass'"),
        ({"last_action": "c1"}, ValueError, "not 'c1': no piece"),
        ({"last_action": "a4,a5"}, ValueError, "not 'a4,a5': no piece"),
        ({"last_action": ["a1,b1,a2,a3,a4", "c1"]}, ValueError, "not 'c1': no piece"),
        ({"last_action": "z9"}, ParseError, "z9"),
        ({"last_action": -1}, ValueError, "-1"),
        ({"last_action": 30434}, ValueError, "30434"),
        ({"last_action": 1.5}, TypeError, "last_action is an action's id or text, or several of them, not 1.5"),
        ({"last_action": True}, TypeError, "not True"),
        ({"last_action": [None]}, TypeError, "not None"),
        ({"legal": ["a1"]}, ValueError, "'a1' is none"),
        ({"legal": 3.5}, TypeError, "legal is an action's id or text, or several of them, not 3.5"),
    ],
)
def test_bad_arguments_are_named(load, arguments, error, words):
    state = played(load("blokus"), CLASSIC)
    with pytest.raises(error) as caught:
        svg.draw(state, **arguments)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("moves", "last", "words"),
    [
        (LEVEL, "1d4", "1d4 is empty"),
        (LEVEL, "-1a2", "1a2 holds a ball"),
        (LEVEL, "stop", "an action that has moved a ball, not 'stop'"),
        ("1a1 1b1 1a2 1b2 1d4", "1d4>2a1", "2a1 is empty"),
    ],
)
def test_bad_last_actions_of_pylos_are_named(load, moves, last, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        svg.draw(played(load("pylos"), moves), last_action=last)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"name": "Q"}, ValueError, "there is no piece 'Q'; there are 1, 2, I3"),
        ({"name": 5}, TypeError, "piece is a string, not 5"),
        ({"name": "F", "orientation": 8}, ValueError, "an orientation of F is an integer from 0 to 7, not 8"),
        ({"name": "X", "orientation": -1}, ValueError, "from 0 to 0, not -1"),
        ({"name": "F", "orientation": "1"}, TypeError, "orientation is an integer, not '1'"),
        ({"name": "F", "colour": "pink"}, ValueError, "there is no colour 'pink'; there are blue, yellow, red"),
        ({"name": "F", "size": 0}, ValueError, "not 0"),
    ],
)
def test_bad_arguments_of_pieces_are_named(arguments, error, words):
    with pytest.raises(error) as caught:
        svg.draw_piece(**arguments)
    assert words in str(caught.value)


def test_a_last_placement_is_of_one_colour():
    state = played(zg.load_game("blokus(board=14,colours=2,starts=e10+j5)"), DUO)
    with pytest.raises(ValueError, match="not 'j5,j6': no piece"):
        svg.draw(state, last_action="j5,j6")


def test_a_ball_that_was_placed_and_taken_back_leaves_an_empty_place():
    root = parsed(svg.draw(played(zg.load_game("pylos"), f"{LEVEL} -1a2"), last_action=["1a2", "-1a2"]))
    assert (rings_of(root, "last-to", 4), rings_of(root, "last-from", 4)) == ([], ["1a2"])


def test_passes_and_stops_among_several_mark_nothing():
    state = played(zg.load_game("blokus"), CLASSIC)
    assert len(parts(parsed(svg.draw(state, last_action=["a1,b1,a2,a3,a4", "pass"])), "last")) == 1
    assert not parts(parsed(svg.draw(state, last_action=["pass"])), "last")
    root = parsed(svg.draw(played(zg.load_game("pylos"), f"{LEVEL} stop"), last_action=["1a2", "stop"]))
    assert rings_of(root, "last-to", 4) == ["1a2"]


class Chess:
    """A state of a game that nobody draws."""

    name = "chess"

    def get_game(self):
        return self


def test_games_without_drawings():
    assert svg.repr_svg(Chess()) is None
    with pytest.raises(
        NotImplementedError, match="'chess'; there are drawings of blokus, blox, numberplace_city, pylos"
    ):
        svg.draw(Chess())
    with pytest.raises(TypeError, match="not 5"):
        svg.draw(5)


def test_all_games_have_drawings(load):
    assert set(svg.drawn_games()) == set(zg.games())
    for name in zg.games():
        state = load(name).new_initial_state()
        assert svg.repr_svg(state) == svg.draw(state)


@pytest.mark.parametrize("name", ["blokus", "pylos"])
def test_games_without_secrets_look_the_same_to_an_umpire(load, name):
    state = load(name).new_initial_state()
    assert svg.draw(state, secrets=True, hands=True, legal=True) == svg.draw(state, hands=True, legal=True)


def test_native_states_draw_themselves():
    state = played(zg.load_game("blokus"), CLASSIC)
    assert state._repr_svg_() == svg.draw(state)
    assert state.to_svg(size=10, last_action="a1,b1,a2,a3,a4") == svg.draw(state, size=10, last_action="a1,b1,a2,a3,a4")


def test_a_drawing_changes_nothing():
    state = played(zg.load_game("pylos"), LEVEL)
    before = state.serialize()
    svg.draw(state, legal=True, hands=True, last_action="1a2")
    assert state.serialize() == before


# The page.


def test_the_page_runs():
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


def test_the_page_shows_the_palette():
    rows = re.findall(r"^\| (\w+) \| `(#[0-9a-f]{6})` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == {**LOOKS, "empty": svg_blokus.EMPTY}


def renew():
    """Write all snapshots."""
    for path in SNAPSHOTS.glob("*.svg"):
        path.unlink()
    SNAPSHOTS.mkdir(parents=True, exist_ok=True)
    for name in [*SCENES, *PIECE_SCENES]:
        (SNAPSHOTS / f"{name}.svg").write_bytes(scene(name).encode("utf-8"))


if __name__ == "__main__":
    if sys.argv[1:] != ["--renew"]:
        sys.exit("python tests/test_svg.py --renew writes the snapshots anew; pytest runs the tests")
    renew()
