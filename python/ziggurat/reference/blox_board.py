"""The board of Blox: fields, lines and colours, and numbers of things of each colour.

The contract is section 1 of `cpp/games/blox/RULES.md`; how the game is played is in `blox_play.py`.
"""

from collections.abc import Iterable
from functools import cache
from itertools import product

Counts = tuple[int, ...]  # how many of each colour: W, R, G, K
Line = tuple[int, ...]  # fields one after the other

LETTERS = "wrgk"  # [BX-1.1] white, red, grey, black
COLOURS = range(4)
NONE: Counts = (0, 0, 0, 0)
DIRECTIONS = "nesw"  # [BX-5.1]
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # row and column of one step in each direction


class Grid:
    """The fields of a board of size x size and how they lie to each other."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.places = list(product(range(size), repeat=2))  # [BX-1.2] rows from the top, columns from the left
        self.fields = range(size * size)
        self.texts = [f"{'abcdefghij'[column]}{size - row}" for row, column in self.places]
        self.ids = {text: field for field, text in enumerate(self.texts)}
        self.lines = [[self._line(row, column, *step) for step in STEPS] for row, column in self.places]
        self.neighbours = [[line[0] for line in lines if line] for lines in self.lines]
        self.edge = [field for field in self.fields if len(self.neighbours[field]) < 4]
        self.inwards = self._inwards()

    def _line(self, row: int, column: int, down: int, right: int) -> Line:
        """The fields from a place on, without it, up to the edge."""
        line = []
        while row + down in range(self.size) and column + right in range(self.size):
            row, column = row + down, column + right
            line.append(self.size * row + column)
        return tuple(line)

    def _inwards(self) -> list[Line]:
        """[BX-3.1] The lines straight over the board from outside, the edge field first."""
        outside = {"n": "s", "e": "w", "s": "n", "w": "e"}  # what lies behind, seen in a direction
        return [
            (field, *self.lines[field][direction])
            for field in self.edge
            for direction, name in enumerate(DIRECTIONS)
            if not self.lines[field][DIRECTIONS.index(outside[name])]
        ]


@cache
def grid_of(size: int) -> Grid:
    """The fields of a board."""
    return Grid(size)


def one(colour: int) -> Counts:
    """One of a colour."""
    return tuple(int(colour == other) for other in COLOURS)


def counted(colours: Iterable[int]) -> Counts:
    """How many of each colour there are among some."""
    listed = list(colours)
    return tuple(listed.count(colour) for colour in COLOURS)


def listed(counts: Counts) -> list[int]:
    """The colours of things in the order W R G K."""
    return [colour for colour in COLOURS for _ in range(counts[colour])]


def plus(a: Counts, b: Counts) -> Counts:
    """Both together."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def minus(a: Counts, b: Counts) -> Counts:
    """What is left of some after others are taken away."""
    return tuple(x - y for x, y in zip(a, b, strict=True))


def covers(a: Counts, b: Counts) -> bool:
    """Whether there are at least as many of each colour."""
    return all(x >= y for x, y in zip(a, b, strict=True))
