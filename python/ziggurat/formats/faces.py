"""Layouts of Blox: from JSON to the text that option `faces` takes (RULES BX-9.1), and back.

A layout has eight faces, the sides A and B of four quarters: `{"NWA": {"grid": ["GRKGK", ...], "towers": {"1": [0, 4],
...}}, ...}`. `grid` has the rows from the top, a letter a field; `towers` has for the heights 1 to 4 the row and column
of the tower's field, from the face's own top left, from 0. A layout of 10x10 has faces of 5x5 fields; in one of 9x9 NW
has 5x5, NE 5 rows of 4, SW 4 rows of 5 and SE 4x4.
"""

import json
import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from operator import index
from pathlib import Path
from typing import Any, TypeAlias

from ziggurat.formats.errors import LayoutError, decoded, shortened

Layout: TypeAlias = dict[str, dict[str, Any]]
Shape: TypeAlias = tuple[int, int]  # rows, columns
Blame: TypeAlias = Callable[[str], LayoutError]  # the error of a message, at a place

NAMES = tuple(quarter + side for quarter in ("NW", "NE", "SW", "SE") for side in "AB")
LETTERS = "WRGK"
HEIGHTS = ("1", "2", "3", "4")
SHAPES: dict[int, dict[str, Shape]] = {
    10: {"NW": (5, 5), "NE": (5, 5), "SW": (5, 5), "SE": (5, 5)},
    9: {"NW": (5, 5), "NE": (5, 4), "SW": (4, 5), "SE": (4, 4)},
}  # [BX-1.1]
LINE_BREAK = re.compile(b"\n")


def read_faces(source: str | os.PathLike[str] | Mapping[str, Any]) -> str:
    """The text of a layout, as option `faces` takes it: from a path to a JSON file, or from what such a file holds.

    LayoutError (a ValueError) for what is no layout: the message names the face and the place. OSError if the file
    cannot be read, TypeError if the source is neither a path nor a mapping.
    """
    layout = source if isinstance(source, Mapping) else loaded(source)
    check_keys(layout, NAMES, "a layout", LayoutError)
    size = board_of(layout)
    return "+".join(face_text(name, layout[name], size) for name in NAMES)


def write_faces(text: str) -> Layout:
    """The layout of a text that option `faces` takes; what `read_faces` reads.

    LayoutError for what is no such text. `synthetic` is none: `shipped_faces` has the layouts that it stands for.
    """
    if not isinstance(text, str):
        raise TypeError(f"text is a str, not {shortened(repr(text))}")
    parts = text.split("+")
    if len(parts) != len(NAMES):
        raise LayoutError(f"a layout is {len(NAMES)} faces joined by '+', not {len(parts)} in '{shortened(text)}'")
    halves = [face_parts(name, part) for name, part in zip(NAMES, parts, strict=True)]
    size = 9 if len(halves[2][0]) == 20 else 10  # the quarter NE tells
    layout = {name: spread(name, *half, size) for name, half in zip(NAMES, halves, strict=True)}
    read_faces(layout)
    return layout


def shipped_faces(board: int) -> Layout:
    """The layout that `synthetic` stands for on a board of 10 or of 9 rows. ValueError for another board."""
    from importlib import resources

    if isinstance(board, bool) or index(board) not in SHAPES:
        raise ValueError(f"board is 10 or 9, not {board!r}")
    text = (resources.files("ziggurat") / "data" / "blox_faces.json").read_text(encoding="utf-8")
    layout: Layout = json.loads(text)[str(index(board))]
    return layout


# The rest is private to this module.


def loaded(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    """What a JSON file holds, if that is an object."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"source is a path or a mapping, not {shortened(repr(path))}")
    try:
        text = decoded(Path(path).read_bytes(), LINE_BREAK)
        layout = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise LayoutError(f"not JSON: {error.msg}", place=f"line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise LayoutError("not a layout: lists or objects lie too deep in each other") from error
    except LayoutError:
        raise
    except ValueError as error:  # bytes that are no UTF-8, or numbers of thousands of digits
        raise LayoutError(str(error)) from error
    if not isinstance(layout, dict):
        raise LayoutError(f"a layout is an object, not {told(layout)}")
    return layout


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, if each of its keys stands in it once."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise LayoutError(f"'{shortened(key)}' stands twice in one object")
        found[key] = value
    return found


def told(value: object) -> str:
    """A value as a message tells it."""
    try:
        return shortened(repr(value))
    except ValueError:  # a number of thousands of digits
        return "a number of more digits"


def check_keys(value: Mapping[Any, Any], wanted: tuple[str, ...], what: str, blame: Blame) -> None:
    """Refuse a mapping that has other keys than the wanted ones."""
    allowed = f"{what} has {', '.join(map(repr, wanted))}"
    for key in value:
        if key not in wanted:
            raise blame(f"{allowed}, not {told(key)}")
    for key in wanted:
        if key not in value:
            raise blame(f"{allowed}; {key!r} is missing")


def board_of(layout: Mapping[str, Any]) -> int:
    """The rows of the board: the shape of the quarter NE tells."""
    rows = grid_of("NEA", layout["NEA"])
    shape = len(rows), len(rows[0]) if rows else 0
    for size, shapes in SHAPES.items():
        if shapes["NE"] == shape:
            return size
    raise LayoutError(
        f"a face of the quarter NE has 5 rows of 5 fields (10x10) or of 4 (9x9), not {shape[0]} of {shape[1]}",
        face="NEA", place="grid",
    )  # fmt: skip


def grid_of(name: str, face: Any) -> list[str]:
    """The rows of a face, of whatever length."""
    if not isinstance(face, Mapping):
        raise LayoutError(f"a face is an object with grid and towers, not {told(face)}", face=name)
    check_keys(face, ("grid", "towers"), "a face", partial(LayoutError, face=name))
    rows = face["grid"]
    if not isinstance(rows, (list, tuple)):
        raise LayoutError(f"a list of rows, not {told(rows)}", face=name, place="grid")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, str):
            raise LayoutError(f"a row is a text, not {told(row)}", face=name, place=f"grid, row {number}")
    return list(rows)


def face_text(name: str, face: Any, size: int) -> str:
    """The text of a face: its letters, and the fields of its towers."""
    shape = SHAPES[size][name[:2]]
    grid = checked_grid(name, grid_of(name, face), shape, size)
    return f"{''.join(grid)}:{''.join(tower_fields(name, face['towers'], shape))}"


def checked_grid(name: str, grid: list[str], shape: Shape, size: int) -> list[str]:
    """The rows of a face, if they have the shape of its quarter and letters of colours."""
    quarter = f"on {size}x{size} the quarter {name[:2]} has {shape[0]} rows of {shape[1]} fields"
    if len(grid) != shape[0]:
        raise LayoutError(f"{quarter}, not {len(grid)} rows", face=name, place="grid")
    for number, row in enumerate(grid, 1):
        place = f"grid, row {number}"
        if len(row) != shape[1]:
            raise LayoutError(f"{quarter}; '{shortened(row)}' has {len(row)}", face=name, place=place)
        for column, letter in enumerate(row, 1):
            if letter not in LETTERS:
                message = f"a field is one of {', '.join(LETTERS)}, not '{shortened(letter)}'"
                raise LayoutError(message, face=name, place=f"{place}, field {column}")
    return grid


def tower_fields(name: str, towers: Any, shape: Shape) -> list[str]:
    """The row and column of the tower of each height, as digits."""
    if not isinstance(towers, Mapping):
        raise LayoutError(f"an object with heights 1 to 4, not {told(towers)}", face=name, place="towers")
    check_keys(towers, HEIGHTS, "it", partial(LayoutError, face=name, place="towers"))
    found: list[str] = []
    for height in HEIGHTS:
        blame = partial(LayoutError, face=name, place=f"towers, height {height}")
        digits = field_digits(towers[height], shape, blame)
        if digits in found:
            other = HEIGHTS[found.index(digits)]
            raise blame(f"the field {told(towers[height])} is that of height {other} too")
        found.append(digits)
    return found


def field_digits(field: Any, shape: Shape, blame: Blame) -> str:
    """The row and column of a field, if the face has it."""
    is_pair = isinstance(field, (list, tuple)) and len(field) == 2
    if not is_pair or any(isinstance(number, bool) or not isinstance(number, int) for number in field):
        raise blame(f"a field is [row, column], two whole numbers from 0, not {told(field)}")
    row, column = field
    if not (0 <= row < shape[0] and 0 <= column < shape[1]):
        raise blame(f"rows are 0 to {shape[0] - 1} and columns 0 to {shape[1] - 1}, not {told(field)}")
    return f"{row}{column}"


def face_parts(name: str, text: str) -> tuple[str, str]:
    """The letters and the digits of the text of a face."""
    grid, colon, digits = text.partition(":")
    if not colon or not re.fullmatch("[0-9]{8}", digits):
        message = f"a face is letters, ':' and eight digits, not '{shortened(text)}'"
        raise LayoutError(message, face=name)
    return grid, digits


def spread(name: str, grid: str, digits: str, size: int) -> dict[str, Any]:
    """A face from its letters and digits."""
    rows, columns = SHAPES[size][name[:2]]
    if len(grid) != rows * columns:
        message = f"on {size}x{size} the quarter {name[:2]} has {rows * columns} fields, not {len(grid)}"
        raise LayoutError(message, face=name, place="grid")
    towers = {height: [int(digits[2 * k]), int(digits[2 * k + 1])] for k, height in enumerate(HEIGHTS)}
    return {"grid": [grid[row * columns : (row + 1) * columns] for row in range(rows)], "towers": towers}
