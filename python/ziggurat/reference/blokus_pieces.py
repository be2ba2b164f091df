"""The pieces of Blokus and the cells of its board: how pieces can lie, and how cells and hands are written.

The contract is `cpp/games/blokus/RULES.md`; how the game is played is in `blokus.py`.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from ziggurat.errors import ParseError

Shape = tuple[tuple[int, int], ...]  # (row, column) of each cell, sorted, from row 0 and column 0

SIDE = 20  # [BK-1.1]
CELLS = SIDE * SIDE
LETTERS = "byrg"  # [BK-1.1] blue, yellow, red, green
COLUMNS = "abcdefghijklmnopqrst"  # [BK-1.2]

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
TOTAL = sum(SQUARES.values())


class Move(NamedTuple):
    """A placement: the piece and its cells, ascending. The pass has neither."""

    piece: str
    cells: tuple[int, ...]


def normalised(cells: Iterable[tuple[int, int]]) -> Shape:
    """The cells moved to row 0 and column 0, sorted."""
    cells = list(cells)
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


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


def placements_of(piece: str) -> Iterator[Move]:
    """[BK-4.1] All placements of a piece that fit on the board, in the order of their ids."""
    for shape in orientations(piece):
        height, width = max(row for row, _ in shape) + 1, max(column for _, column in shape) + 1
        for top in range(SIDE - height + 1):
            for left in range(SIDE - width + 1):
                yield Move(piece, tuple((top + row) * SIDE + left + column for row, column in shape))


PLACEMENTS = [move for piece in PIECES for move in placements_of(piece)]
IDS = {move.cells: action for action, move in enumerate(PLACEMENTS)}
PASS = len(PLACEMENTS)
PASS_MOVE = Move("", ())


def squares_in(hand: Iterable[str]) -> int:
    """The squares of some pieces."""
    return sum(SQUARES[piece] for piece in hand)


def cell_text(cell: int) -> str:
    """[BK-1.2] Column and row, counted from the bottom."""
    return f"{COLUMNS[cell % SIDE]}{SIDE - cell // SIDE}"


def parse_cell(text: str) -> int:
    """The cell that has a text, in any case."""
    for cell in range(CELLS):
        if text.isascii() and cell_text(cell) == text.lower():
            return cell
    raise ParseError(f"'{text}' is not a cell; expected a text from a1 to t20")


def hand_text(hand: Collection[str]) -> str:
    """[BK-5.3] The pieces of a hand, in order."""
    if len(hand) == len(PIECES):
        return "*"
    return ",".join(piece for piece in PIECES if piece in hand) or "-"


def parse_hands(text: str) -> tuple[frozenset[str], ...]:
    """The hands that have a text."""
    hands = text.split("/")
    if len(hands) != 4:
        raise ParseError(f"'{text}' are not four hands")
    return tuple(parse_hand(hand) for hand in hands)


def parse_hand(text: str) -> frozenset[str]:
    """The hand that has a text."""
    hand = frozenset(PIECES if text == "*" else () if text == "-" else text.split(","))
    if not hand <= set(PIECES) or hand_text(hand) != text:
        raise ParseError(f"'{text}' is not a hand; expected *, -, or some of {','.join(PIECES)} in this order")
    return hand
