"""Layouts of Blox as files: what is read is what is played on, mistakes are named, shipped layouts are balanced."""

import copy
import itertools
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import ziggurat as zg
from ziggurat.formats import LayoutError, faces

FOLDER = Path(__file__).parents[1] / "cpp/games/blox"
QUARTERS = ("NW", "NE", "SW", "SE")
ASSEMBLIES = ["".join(sides) for sides in itertools.product("AB", repeat=4)]
BOARDS = {10: {"W": 25, "R": 25, "G": 25, "K": 25}, 9: {"W": 20, "R": 20, "G": 20, "K": 21}}


def assembled(layout, sides):
    """The rows of a board: the quarters of a layout laid together."""
    north_west, north_east, south_west, south_east = (
        layout[q + s]["grid"] for q, s in zip(QUARTERS, sides, strict=True)
    )
    north = [a + b for a, b in zip(north_west, north_east, strict=True)]
    return north + [a + b for a, b in zip(south_west, south_east, strict=True)]


def tower_fields(layout, sides):
    """Row and column on the board of every tower field, with its height."""
    found = {}
    for k, (quarter, side) in enumerate(zip(QUARTERS, sides, strict=True)):
        for height, (row, column) in layout[quarter + side]["towers"].items():
            found[row + 5 * (k // 2), column + 5 * (k % 2)] = int(height)
    return found


def changed(change):
    """The layout of 9x9 after a change."""
    layout = faces.shipped_faces(9)
    change(layout)
    return layout


# The layouts that ship.


def test_the_generator_would_write_what_is_there():
    done = subprocess.run([sys.executable, FOLDER / "make_faces.py", "--check"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_package_has_the_layouts_of_the_engine():
    layouts = json.loads((FOLDER / "faces.json").read_text(encoding="utf-8"))
    assert set(layouts) == {"10", "9"}
    for board in (10, 9):
        assert faces.shipped_faces(board) == layouts[str(board)]
        game = zg.load_game("blox", board=board, faces=faces.read_faces(layouts[str(board)]))
        assert game == zg.load_game("blox", board=board)  # [BX-9.1] it is written `synthetic`


@pytest.mark.parametrize("sides", ASSEMBLIES)
@pytest.mark.parametrize("board", BOARDS)
def test_every_assembly_is_balanced(board, sides):
    rows = assembled(faces.shipped_faces(board), sides)
    assert [len(row) for row in rows] == [board] * board
    assert Counter("".join(rows)) == BOARDS[board]


@pytest.mark.parametrize("board", BOARDS)
def test_neighbours_inside_a_face_differ(board):
    for name, face in faces.shipped_faces(board).items():
        lines = [*face["grid"], *map("".join, zip(*face["grid"], strict=True))]
        assert all(a != b for line in lines for a, b in itertools.pairwise(line)), name
        fields = [tuple(field) for field in face["towers"].values()]
        assert list(face["towers"]) == ["1", "2", "3", "4"]
        for (a, b), (c, d) in itertools.combinations(fields, 2):
            assert abs(a - c) + abs(b - d) > 1, name


@pytest.mark.parametrize("sides", ASSEMBLIES)
@pytest.mark.parametrize("board", BOARDS)
def test_the_board_of_the_engine_is_assembled_so(load, board, sides):
    layout = faces.shipped_faces(board)
    state = load("blox", board=board, sides=sides).new_initial_state(seed=7)
    colours = np.reshape(state.analysis("colours"), (board, board))
    assert ["".join("WRGK"[colour] for colour in row) for row in colours] == assembled(layout, sides)
    heights = np.reshape(state.analysis("towers"), (4, board, board)).sum(axis=0)
    assert {(int(r), int(c)): int(heights[r, c]) for r, c in np.argwhere(heights)} == tower_fields(layout, sides)


# There and back.


@pytest.mark.parametrize("board", BOARDS)
def test_files_mappings_and_texts_say_the_same(tmp_path, board):
    layout = faces.shipped_faces(board)
    layout["SEB"], layout["SEA"] = layout["SEA"], layout["SEB"]
    (tmp_path / "own.json").write_text(json.dumps(layout), encoding="utf-8")
    text = faces.read_faces(layout)
    assert faces.read_faces(tmp_path / "own.json") == faces.read_faces(str(tmp_path / "own.json")) == text
    assert faces.write_faces(text) == layout
    game = zg.load_game("blox", board=board, faces=text, sides="AAAB")
    assert game.options["faces"] == text
    colours = game.new_initial_state().analysis("colours")
    shipped = zg.load_game("blox", board=board, sides="AAAA").new_initial_state().analysis("colours")
    assert np.array_equal(colours, shipped)


def test_a_layout_is_left_as_it_is():
    layout = faces.shipped_faces(10)
    before = copy.deepcopy(layout)
    assert faces.read_faces(layout).count("+") == 7
    assert layout == before
    layout["NWA"]["grid"] = tuple(layout["NWA"]["grid"])
    assert faces.read_faces(layout) == faces.read_faces(before)


# Mistakes.


def rename(face, key, other):
    def change(layout):
        part = layout[face] if face else layout
        part[other] = part.pop(key)

    return change


def put(face, *path):
    """A change: what the path leads to is replaced by its last element."""

    def change(layout):
        part = layout
        for key in (face, *path[:-2]):
            part = part[key]
        part[path[-2]] = path[-1]

    return change


MISTAKES = {
    "a face is missing": (lambda layout: layout.pop("SWB"), None, None, "'SWB' is missing"),
    "an unknown face": (rename(None, "SWB", "SWC"), None, None, "not 'SWC'"),
    "no face": (lambda layout: layout.update(NWA=[1]), "NWA", None, "not [1]"),
    "an unknown part": (rename("NEB", "grid", "rows"), "NEB", None, "'grid', 'towers', not 'rows'"),
    "a part is missing": (lambda layout: layout["NEB"].pop("towers"), "NEB", None, "'towers' is missing"),
    "no rows": (put("SWA", "grid", "WRGK"), "SWA", "grid", "a list of rows, not 'WRGK'"),
    "no row": (put("SWA", "grid", 2, 5), "SWA", "grid, row 3", "a row is a text, not 5"),
    "a short row": (put("NWB", "grid", 1, "WRGK"), "NWB", "grid, row 2", "5 rows of 5 fields; 'WRGK' has 4"),
    "too many rows": (lambda layout: layout["SEA"]["grid"].append("WRGK"), "SEA", "grid", "4 rows of 4 fields, not 5"),
    "of the other board": (put("SWB", "grid", ["WRGKW"] * 5), "SWB", "grid", "on 9x9 the quarter SW has 4 rows"),
    "of no board": (put("NEA", "grid", ["WRG"] * 5), "NEA", "grid", "not 5 of 3"),
    "empty": (put("NEA", "grid", []), "NEA", "grid", "not 0 of 0"),
    "another letter": (put("NWA", "grid", 4, "KRBKW"), "NWA", "grid, row 5, field 3", "W, R, G, K, not 'B'"),
    "a small letter": (put("NWA", "grid", 4, "KRwKW"), "NWA", "grid, row 5, field 3", "not 'w'"),
    "no towers": (put("NWA", "towers", 7), "NWA", "towers", "heights 1 to 4, not 7"),
    "a height is missing": (lambda layout: layout["SEB"]["towers"].pop("3"), "SEB", "towers", "'3' is missing"),
    "an unknown height": (put("SEB", "towers", "5", [0, 0]), "SEB", "towers", "not '5'"),
    "a height as a number": (put("SEB", "towers", 1, [0, 0]), "SEB", "towers", "'1', '2', '3', '4', not 1"),
    "no field": (put("NEA", "towers", "2", "b2"), "NEA", "towers, height 2", "[row, column]"),
    "three numbers": (put("NEA", "towers", "2", [1, 2, 3]), "NEA", "towers, height 2", "not [1, 2, 3]"),
    "a truth": (put("NEA", "towers", "2", [True, 2]), "NEA", "towers, height 2", "not [True, 2]"),
    "a fraction": (put("NEA", "towers", "2", [1.0, 2]), "NEA", "towers, height 2", "not [1.0, 2]"),
    "a column outside": (put("NEA", "towers", "2", [4, 4]), "NEA", "towers, height 2", "columns 0 to 3, not [4, 4]"),
    "a row outside": (put("SWA", "towers", "4", [4, 4]), "SWA", "towers, height 4", "rows are 0 to 3"),
    "below zero": (put("SWA", "towers", "4", [-1, 0]), "SWA", "towers, height 4", "not [-1, 0]"),
    "huge": (put("SWA", "towers", "4", [10**5000, 0]), "SWA", "towers, height 4", "more digits"),
    "twice": (lambda layout: layout["NWA"]["towers"].update({"4": layout["NWA"]["towers"]["2"]}), "NWA",
              "towers, height 4", "that of height 2"),
}  # fmt: skip


@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes_are_named(what):
    change, face, place, words = MISTAKES[what]
    with pytest.raises(LayoutError) as caught:
        faces.read_faces(changed(change))
    assert words in str(caught.value)
    assert (caught.value.face, caught.value.place) == (face, place)
    assert str(caught.value).startswith(", ".join(filter(None, [face and f"face {face}", place])))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "line 1, column 2: not JSON"),
        (b"", "line 1, column 1: not JSON"),
        (b"[]", "a layout is an object, not []"),
        (b"null", "not None"),
        (b'{"NWA": 1, "NWA": 2}', "'NWA' stands twice in one object"),
        (b'{"10": {}}', "not '10'"),
        (b"\xff", "byte 0xff is not UTF-8"),
        (b"[" * 100_000, "too deep"),
        (b'{"NWA": ' + b"9" * 5000 + b"}", "digits"),
    ],
)
def test_files_that_are_no_layouts(tmp_path, data, words):
    (tmp_path / "a.json").write_bytes(data)
    with pytest.raises(LayoutError) as caught:
        faces.read_faces(tmp_path / "a.json")
    assert words in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        faces.read_faces(tmp_path / "none.json")
    for source in (5, None, [], b"a"):
        with pytest.raises(TypeError, match="source is a path or a mapping"):
            faces.read_faces(source)


GOOD = faces.read_faces(faces.shipped_faces(10))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("synthetic", "8 faces joined by '+', not 1 in 'synthetic'"),
        ("", "not 1 in ''"),
        (GOOD + "+", "not 9"),
        (GOOD.replace(":", "", 1), "face NWA: a face is letters, ':' and eight digits"),
        (GOOD[:-1], "face SEB: a face is letters, ':' and eight digits"),
        ("W" + GOOD, "face NWA, grid: on 10x10 the quarter NW has 25 fields, not 26"),
        ("w" + GOOD[1:], "face NWA, grid, row 1, field 1: a field is one of W, R, G, K, not 'w'"),
        (GOOD[:-8] + "00000000", "face SEB, towers, height 2"),
        (GOOD[:-8] + "00500000", "face SEB, towers, height 2: rows are 0 to 4"),
    ],
)
def test_texts_that_are_no_layouts(text, words):
    with pytest.raises(LayoutError) as caught:
        faces.write_faces(text)
    assert words in str(caught.value)
    if text != "synthetic":
        with pytest.raises(ValueError):
            zg.load_game("blox", faces=text)


def test_other_arguments():
    for board in (8, 11, "10", True, None):
        with pytest.raises((ValueError, TypeError)):
            faces.shipped_faces(board)
    with pytest.raises(ValueError, match="board is 10 or 9, not 8"):
        faces.shipped_faces(8)
    with pytest.raises(TypeError, match="text is a str, not 5"):
        faces.write_faces(5)
