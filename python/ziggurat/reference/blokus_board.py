"""The boards of Blokus: their cells, what is beside what, and all placements of the pieces.

The contract is `cpp/games/blokus/RULES.md`; how the game is played is in `blokus.py`. Nothing here changes during a
game, so it is worked out once for every size of the board and every set of pieces.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from ziggurat.errors import ParseError
from ziggurat.reference.blokus_pieces import Move, orientations

COLUMNS = "abcdefghijklmnopqrst"  # [BK-1.2]
EDGES = ((-1, 0), (0, -1), (0, 1), (1, 0))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class Board:
    """[BK-1.1] An empty board of some side: what is beside each cell, and the texts of the cells."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.cells = range(side * side)
        self.edges = [list(self._around(cell, EDGES)) for cell in self.cells]
        self.corners = [list(self._around(cell, CORNERS)) for cell in self.cells]
        self.texts = [f"{COLUMNS[cell % side]}{side - cell // side}" for cell in self.cells]  # [BK-1.2]
        self.ids = {text: cell for cell, text in enumerate(self.texts)}

    def _around(self, cell: int, steps: Iterable[tuple[int, int]]) -> Iterator[int]:
        """The cells of the board at some steps from a cell."""
        row, column = divmod(cell, self.side)
        for down, right in steps:
            if 0 <= row + down < self.side and 0 <= column + right < self.side:
                yield (row + down) * self.side + column + right

    def image(self, cell: int, j: int) -> int:
        """[BK-8.1] The cell that a symmetry of the board moves a cell to."""
        row, column = divmod(cell, self.side)
        if j & 1:
            column = self.side - 1 - column
        if j & 2:
            row = self.side - 1 - row
        if j & 4:
            row, column = column, row
        return row * self.side + column

    def cell(self, text: str) -> int:
        """The cell that has a text, in any case; ParseError."""
        if not text.isascii() or text.lower() not in self.ids:
            raise ParseError(f"'{text}' is not a cell; expected a text from a1 to {self.texts[self.side - 1]}")
        return self.ids[text.lower()]


class Layout:
    """[BK-4.1] All placements of some pieces on a board, in the order of their ids; the pass follows."""

    def __init__(self, board: Board, pieces: tuple[str, ...]) -> None:
        self.board = board
        self.pieces = pieces
        self.placements = [move for piece in pieces for move in placements_of(board.side, piece)]
        self.ids = {move.cells: action for action, move in enumerate(self.placements)}
        self.pass_id = len(self.placements)
        self.covering: list[list[int]] = [[] for _ in board.cells]  # the placements that cover each cell
        for action, move in enumerate(self.placements):
            for cell in move.cells:
                self.covering[cell].append(action)


@cache
def board_of(side: int) -> Board:
    """The board of a side."""
    return Board(side)


@lru_cache(maxsize=32)
def layout_of(side: int, pieces: tuple[str, ...]) -> Layout:
    """The placements of some pieces on the board of a side."""
    return Layout(board_of(side), pieces)


@cache
def placements_of(side: int, piece: str) -> list[Move]:
    """[BK-4.1] All placements of a piece that fit on a board, in the order of their ids."""
    found = []
    for orientation, shape in enumerate(orientations(piece)):
        height, width = max(row for row, _ in shape) + 1, max(column for _, column in shape) + 1
        for top in range(side - height + 1):
            for left in range(side - width + 1):
                cells = tuple((top + row) * side + left + column for row, column in shape)
                found.append(Move(piece, orientation, cells))
    return found
