"""The pieces of Blokus: what they look like and how they can lie.

The contract is `cpp/games/blokus/RULES.md`; how the game is played is in `blokus.py`.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

Shape = tuple[tuple[int, int], ...]  # (row, column) of each cell, sorted, from row 0 and column 0

# [BK-1.3] Rows are separated by /.
DRAWINGS = {
    "1": "#",
    "2": "##",
    "I3": "###",
    "V3": "#./##",
    "I4": "####",
    "L4": "###/#..",
    "T4": "###/.#.",
    "O": "##/##",
    "Z4": "##./.##",
    "I5": "#####",
    "L5": "####/#...",
    "Y": "####/.#..",
    "P": "###/##.",
    "U": "#.#/###",
    "V5": "#../#../###",
    "T5": "###/.#./.#.",
    "N": "##../.###",
    "F": ".##/##./.#.",
    "W": "#../##./.##",
    "Z5": "##./.#./.##",
    "X": ".#./###/.#.",
}
PIECES = tuple(DRAWINGS)
SQUARES = {piece: drawing.count("#") for piece, drawing in DRAWINGS.items()}

# [BK-7.2] The sets of pieces that have a word.
PIECE_SETS = {
    "all": PIECES,
    "junior": ("1", "2", "I3", "V3", "I4", "L4", "T4", "O", "Z4", "I5", "L5", "P"),
    **{f"up_to_{n}": tuple(piece for piece in PIECES if SQUARES[piece] <= n) for n in (4, 3, 2)},
}


class Move(NamedTuple):
    """A placement: the piece, its orientation among those of the piece, and its cells, ascending. The pass has none."""

    piece: str
    orientation: int
    cells: tuple[int, ...]


PASS_MOVE = Move("", -1, ())


def normalised(cells: Iterable[tuple[int, int]]) -> Shape:
    """The cells moved to row 0 and column 0, sorted."""
    cells = list(cells)
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


@cache
def orientations(piece: str) -> list[Shape]:
    """[BK-1.3] [BK-4.1] A piece turned and flipped in all ways, each different one once, in lexicographic order."""
    rows = DRAWINGS[piece].split("/")
    shape = normalised(
        (row, column) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark == "#"
    )
    found = set()
    for _ in range(4):
        shape = normalised((column, -row) for row, column in shape)
        found |= {shape, normalised((row, -column) for row, column in shape)}
    return sorted(found)


# [BK-9.1] All orientations of all pieces: (piece, orientation among those of the piece).
ORIENTATIONS = [(piece, orientation) for piece in PIECES for orientation in range(len(orientations(piece)))]


def squares_in(hand: Iterable[str]) -> int:
    """The squares of some pieces."""
    return sum(SQUARES[piece] for piece in hand)


def pieces_in(text: str) -> tuple[str, ...]:
    """[BK-7.2] The pieces that a text of the option `pieces` names, in the order of BK-1.3; ValueError."""
    if text in PIECE_SETS:
        return PIECE_SETS[text]
    names = text.split("+")
    wrong = [name for i, name in enumerate(names) if name not in PIECES or name in names[:i]]
    if wrong:
        raise ValueError(f"'{wrong[0]}' is not one of {' '.join(PIECES)}, each once")
    return tuple(piece for piece in PIECES if piece in names)


def pieces_text(pieces: tuple[str, ...]) -> str:
    """[BK-7.2] The word or the names of a set of pieces."""
    words = [word for word, named in PIECE_SETS.items() if named == pieces]
    return words[0] if words else "+".join(pieces)
