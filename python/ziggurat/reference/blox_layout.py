"""The layouts of Blox: what colours the fields have and where the first towers stand.

The contract is [BX-1.1], [BX-1.3] and [BX-9.1] of `cpp/games/blox/RULES.md`.
"""

import json
import re
from functools import cache
from importlib.resources import files
from itertools import product
from typing import NamedTuple

from ziggurat.reference.blox_board import grid_of

QUARTERS = ("NW", "NE", "SW", "SE")
FACES = tuple(quarter + side for quarter in QUARTERS for side in "AB")
HEIGHTS = range(1, 5)
MIDDLE = 5  # the row and the column at which the southern and the eastern quarters begin
SHAPES = {  # [BX-1.1] rows and columns of each quarter
    size: {q: (MIDDLE if q[0] == "N" else size - MIDDLE, MIDDLE if q[1] == "W" else size - MIDDLE) for q in QUARTERS}
    for size in (10, 9)
}


class Face(NamedTuple):
    """One side of a quarter: letters row by row, and the row and column of the tower field of each height."""

    letters: str
    towers: tuple[tuple[int, int], ...]


class Assembly(NamedTuple):
    """A board put together: the colour of each field, and the tower fields with their heights as they are dealt to."""

    colours: tuple[int, ...]
    towers: tuple[tuple[int, int], ...]


def read_faces(text: str) -> str:
    """[BX-9.1] A text of `faces`, if it can be one; what fits the board is for `check_faces`."""
    if text == "synthetic":
        return text
    parts = text.split("+")
    if len(parts) != len(FACES):
        raise ValueError(f"there are {len(parts)} faces; expected eight, {' '.join(FACES)}, joined by +")
    for name, part in zip(FACES, parts, strict=True):
        check_form(name, part)
    return text


def check_form(name: str, text: str) -> None:
    """ValueError if a text is no face on any board."""
    letters, colon, digits = text.partition(":")
    if wrong := set(letters) - set("WRGK"):
        raise ValueError(f"face {name} has the letter '{min(wrong)}'; expected W, R, G, K")
    if not colon or not re.fullmatch("[0-9]{8}", digits):
        raise ValueError(f"face {name} has the tower fields '{digits}'; expected : and eight digits")
    if len(set(face_of(text).towers)) < len(HEIGHTS):
        raise ValueError(f"face {name} has the same tower field twice")


def check_faces(text: str, size: int) -> None:
    """[BX-9.1] ValueError if some faces do not fit the board."""
    for name, part in zip(FACES, text.split("+"), strict=True):
        rows, columns = SHAPES[size][name[:2]]
        face = face_of(part)
        if len(face.letters) != rows * columns:
            raise ValueError(
                f"faces={text} is not allowed with board={size}: "
                f"face {name} has {len(face.letters)} letters; expected {rows * columns}"
            )
        for row, column in face.towers:
            if row >= rows or column >= columns:
                raise ValueError(
                    f"faces={text} is not allowed with board={size}: "
                    f"face {name} has the tower field {row}{column}, beyond its {rows} rows and {columns} columns"
                )


def face_of(text: str) -> Face:
    """The face that has a text."""
    letters, _, digits = text.partition(":")
    numbers = [int(digit) for digit in digits]
    return Face(letters, tuple(zip(numbers[::2], numbers[1::2], strict=True)))


@cache
def shipped(size: int) -> str:
    """[BX-9.1] The layout that ships for a board, as text."""
    data = json.loads((files("ziggurat") / "data" / "blox_faces.json").read_text(encoding="utf-8"))[str(size)]
    return "+".join(face_text(data[name]["grid"], data[name]["towers"]) for name in FACES)


def face_text(rows: list[str], towers: dict[str, list[int]]) -> str:
    """The text of a face."""
    digits = [str(number) for height in HEIGHTS for number in towers[str(height)]]
    return f"{''.join(rows)}:{''.join(digits)}"


@cache
def assembly(faces: str, size: int, sides: str) -> Assembly:
    """[BX-1.3] The board made of one side of each quarter."""
    parts = (shipped(size) if faces == "synthetic" else faces).split("+")
    texts = dict(zip(FACES, parts, strict=True))
    colours, towers = [0] * size**2, []
    for quarter, side in zip(QUARTERS, sides, strict=True):
        face, (rows, columns) = face_of(texts[quarter + side]), SHAPES[size][quarter]
        top, left = MIDDLE * (quarter[0] == "S"), MIDDLE * (quarter[1] == "E")
        for (row, column), letter in zip(product(range(rows), range(columns)), face.letters, strict=True):
            colours[size * (top + row) + left + column] = "WRGK".index(letter)
        # [BX-1.5] quarter by quarter, inside one by rising height
        towers += [(size * (top + row) + left + column, height) for height, (row, column) in enumerate(face.towers, 1)]
    assert len(colours) == len(grid_of(size).fields)
    return Assembly(tuple(colours), tuple(towers))
