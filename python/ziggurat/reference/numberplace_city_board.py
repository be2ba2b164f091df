"""The board of Numberplace City: cells, the lines they lie on, and how it is turned.

The contract is section 1 of `cpp/games/numberplace_city/RULES.md`; how the game is played is in
`numberplace_city_turns.py`.
"""

from collections.abc import Iterable

SIDE = range(9)
CELLS = range(81)
BLOCKS = range(9)
NUMBERS = range(1, 10)  # [NC-1.2]

Board = tuple[int, ...]  # the number of the built tile on each cell, 0 if there is none
EMPTY: Board = (0,) * 81


def row_of(cell: int) -> int:
    """[NC-1.1] The row of a cell, from the top."""
    return cell // 9


def column_of(cell: int) -> int:
    """[NC-1.1] The column of a cell, from the left."""
    return cell % 9


def block_of(cell: int) -> int:
    """[NC-1.1] The block of a cell."""
    return 3 * (row_of(cell) // 3) + column_of(cell) // 3


def cell_at(row: int, column: int) -> int:
    """[NC-1.1] The cell in a row and a column."""
    return 9 * row + column


ROWS = [tuple(cell for cell in CELLS if row_of(cell) == row) for row in SIDE]
COLUMNS = [tuple(cell for cell in CELLS if column_of(cell) == column) for column in SIDE]
CELLS_OF_BLOCK = [tuple(cell for cell in CELLS if block_of(cell) == block) for block in BLOCKS]

# [NC-1.1] The lines of each cell, the block last.
LINES = [(ROWS[row_of(cell)], COLUMNS[column_of(cell)], CELLS_OF_BLOCK[block_of(cell)]) for cell in CELLS]

# The other cells on the lines of each cell, ascending.
PEERS = [sorted({other for line in LINES[cell] for other in line} - {cell}) for cell in CELLS]

TEXTS = [f"r{row_of(cell) + 1}c{column_of(cell) + 1}" for cell in CELLS]  # [NC-1.1]
IDS = {text: cell for cell, text in enumerate(TEXTS)}

TURNS = ("left", "180", "right")

# [NC-7.1] Where the tile of each cell comes to lie.
TURNED = {
    "left": [cell_at(8 - column_of(cell), row_of(cell)) for cell in CELLS],
    "180": [cell_at(8 - row_of(cell), 8 - column_of(cell)) for cell in CELLS],
    "right": [cell_at(column_of(cell), 8 - row_of(cell)) for cell in CELLS],
}


def turned(board: Board, turn: str) -> Board:
    """[NC-7.1] The board after a turn of all tiles."""
    after = list(EMPTY)
    for cell in CELLS:
        after[TURNED[turn][cell]] = board[cell]
    return tuple(after)


def with_tiles(board: Board, tiles: dict[int, int]) -> Board:
    """The board with other numbers on some cells."""
    return tuple(tiles.get(cell, board[cell]) for cell in CELLS)


def contradicting(board: Board, cell: int, number: int) -> list[int]:
    """[NC-3.3] The cells with built tiles of a number in the lines of a cell, ascending."""
    return [other for other in PEERS[cell] if board[other] == number]


def is_full(board: Board, cells: Iterable[int]) -> bool:
    """Whether there is a built tile on each of some cells."""
    return all(board[cell] for cell in cells)


def cells_text(cells: list[int]) -> str:
    """[NC-12.2] Some cells as text."""
    return "+".join(TEXTS[cell] for cell in cells) or "-"
