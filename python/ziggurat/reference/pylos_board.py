"""The pyramid of Pylos: its cells, a position on it, what lies on what, and how all that is written.

The contract is `cpp/games/pylos/RULES.md`; how the game is played is in `pylos.py`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from itertools import product
from typing import NamedTuple

from ziggurat.errors import ParseError

Board = tuple[int | None, ...]  # the owner of the ball on each cell

COLUMNS = "abcd"
LETTERS = "LD"  # [PY-1.2] player 0 is light, player 1 is dark
BALLS = {4: 15, 3: 7}  # [PY-1.1] balls of each player


class Pyramid:
    """The shape of a pyramid: which cells there are and what they mean to each other."""

    def __init__(self, base: int) -> None:
        # [PY-1.1] [PY-1.3] levels from the bottom, rows from the front, columns from the left
        self.coordinates = [
            (level, row, column)
            for level in range(base)
            for row in range(base - level)
            for column in range(base - level)
        ]
        self.ids = {place: cell for cell, place in enumerate(self.coordinates)}
        self.size = len(self.coordinates)
        self.apex = self.size - 1
        self.supports = [self._supports(*place) for place in self.coordinates]
        self.squares = [frozenset(supports) for supports in self.supports if supports]
        self.lines = [line for level in range(base - 2) for line in self._lines(level, base - level)]
        self.raises = [pair for pair in product(range(self.size), repeat=2) if self._can_be_a_raise(*pair)]

    def _supports(self, level: int, row: int, column: int) -> tuple[int, ...]:
        """[PY-1.4] The cells that carry this cell; none for the lowest level."""
        if level == 0:
            return ()
        return tuple(self.ids[level - 1, row + i, column + j] for i, j in product((0, 1), repeat=2))

    def _lines(self, level: int, side: int) -> list[frozenset[int]]:
        """[PY-3.1] The full rows and columns of a level."""
        rows = [frozenset(self.ids[level, row, column] for column in range(side)) for row in range(side)]
        columns = [frozenset(self.ids[level, row, column] for row in range(side)) for column in range(side)]
        return rows + columns

    def _can_be_a_raise(self, source: int, target: int) -> bool:
        """[PY-5.1] Whether a ball could ever be raised from one cell to the other."""
        higher = self.coordinates[target][0] > self.coordinates[source][0]
        return higher and target != self.apex and source not in self._cone(target)

    def _cone(self, cell: int) -> set[int]:
        """The cells that hold a cell up, directly or not."""
        below = set(self.supports[cell])
        return below.union(*(self._cone(support) for support in below))


PYRAMIDS = {base: Pyramid(base) for base in BALLS}


@dataclass(frozen=True)
class Options:
    """The options of the game, with the defaults of the preset `standard`."""

    base: int = 4
    patterns: str = "squares"
    removal: str = "optional"
    remove_placed: bool = True
    chain_removal: bool = True
    no_move: str = "loses"
    empty_reserve: str = "continues"
    max_turns: int = 2000


class Kind(IntEnum):
    """What an action does."""

    PLACE = 0
    RAISE = 1
    TAKE = 2
    STOP = 3


class Move(NamedTuple):
    """An action in words: `cell` is where the ball is (placed, raised from, taken from), `to` where it is raised to."""

    kind: Kind
    cell: int = -1
    to: int = -1


@dataclass(frozen=True)
class State:
    """A position. `moved` is the cell of the ball of an unfinished turn, `taken` the cell taken back first in it."""

    options: Options
    board: Board
    side: int = 0
    moved: int | None = None
    taken: int | None = None
    turns: int = 0


def pyramid(options: Options) -> Pyramid:
    """The shape of the board."""
    return PYRAMIDS[options.base]


def put(board: Board, cell: int, owner: int | None) -> Board:
    """The board with another content of a cell."""
    return (*board[:cell], owner, *board[cell + 1 :])


def lift(board: Board, cell: int) -> Board:
    """The board without the ball of a cell."""
    return put(board, cell, None)


def reserve(s: State, player: int) -> int:
    """[PY-1.1] The balls of a player that are not on the board."""
    return BALLS[s.options.base] - s.board.count(player)


def is_carried(options: Options, board: Board, cell: int) -> bool:
    """[PY-2.1] Whether all supports of a cell are occupied, by any colours; the lowest level needs none."""
    return all(board[support] is not None for support in pyramid(options).supports[cell])


def is_open(options: Options, board: Board, cell: int) -> bool:
    """Whether a ball can lie down on a cell."""
    return board[cell] is None and is_carried(options, board, cell)


def is_free(options: Options, board: Board, cell: int) -> bool:
    """[PY-1.4] Whether there is a ball on a cell and no ball rests on it."""
    supports = pyramid(options).supports
    covered = any(owner is not None and cell in supports[above] for above, owner in enumerate(board))
    return board[cell] is not None and not covered


def free_balls(options: Options, board: Board, player: int) -> list[int]:
    """The cells of the free balls of a player."""
    return [cell for cell, owner in enumerate(board) if owner == player and is_free(options, board, cell)]


def image(options: Options, cell: int, k: int) -> int:
    """[PY-9.1] The cell that a symmetry moves a cell to."""
    level, row, column = pyramid(options).coordinates[cell]
    last = options.base - level - 1
    if k & 1:
        column = last - column
    if k & 2:
        row = last - row
    if k & 4:
        row, column = column, row
    return pyramid(options).ids[level, row, column]


def cell_text(options: Options, cell: int) -> str:
    """[PY-1.3] Level, column, row."""
    level, row, column = pyramid(options).coordinates[cell]
    return f"{level + 1}{COLUMNS[column]}{row + 1}"


def parse_cell(options: Options, text: str) -> int:
    """The cell that has a text."""
    for cell in range(pyramid(options).size):
        if cell_text(options, cell) == text:
            return cell
    raise ParseError(f"'{text}' is not a cell; expected a text like 1a1")


def levels_text(s: State) -> str:
    """[PY-6.1] The balls, level by level."""
    levels = [""] * s.options.base
    for (level, _, _), owner in zip(pyramid(s.options).coordinates, s.board, strict=True):
        levels[level] += "." if owner is None else LETTERS[owner]
    return "/".join(levels)


def parse_levels(options: Options, text: str) -> Board:
    """The board that has a text."""
    lengths = [side * side for side in range(options.base, 0, -1)]
    if [len(level) for level in text.split("/")] != lengths or not set(text) <= set("LD./"):
        raise ParseError(f"'{text}' is not a board; expected levels of {lengths} cells L, D or .")
    return tuple(None if letter == "." else LETTERS.index(letter) for letter in text if letter != "/")


def turn_text(s: State) -> str:
    """[PY-6.3] The unfinished turn."""
    if s.moved is None:
        return "-"
    moved = cell_text(s.options, s.moved)
    return moved if s.taken is None else f"{moved}-{cell_text(s.options, s.taken)}"


def parse_turn(options: Options, text: str) -> tuple[int | None, int | None]:
    """The cells of the ball moved and of the ball taken back."""
    if text == "-":
        return None, None
    cells = [parse_cell(options, part) for part in text.split("-")]
    if len(cells) > 2:
        raise ParseError(f"'{text}' is not a turn; expected -, a cell, or two cells joined by -")
    return cells[0], cells[1] if len(cells) == 2 else None


def parse_turns(text: str) -> int:
    """The number of turns counted."""
    if not re.fullmatch("0|[1-9][0-9]{0,4}", text):
        raise ParseError(f"'{text}' is not a number of turns")
    return int(text)


def board_fault(s: State) -> str:
    """[PY-6.5] What is wrong with the balls."""
    for cell, owner in enumerate(s.board):
        if owner is not None and not is_carried(s.options, s.board, cell):
            return f"{cell_text(s.options, cell)} lacks a support"
    for player in range(2):
        if reserve(s, player) < 0:
            return f"{LETTERS[player]} has more than {BALLS[s.options.base]} balls"
    return ""


def count_fault(s: State) -> str:
    """[PY-6.5] What is wrong with the number of turns."""
    if s.turns > s.options.max_turns:
        return f"{s.turns} turns are counted, {s.options.max_turns} is the limit (0: nothing is counted)"
    return ""


def ones(cells: Iterable[int]) -> dict[int, float]:
    """A plane that is 1 on some cells."""
    return dict.fromkeys(cells, 1.0)
