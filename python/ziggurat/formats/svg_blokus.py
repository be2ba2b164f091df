"""Drawings of Blokus: boards of all sizes with two to four colours, and single pieces.

The position text tells which cells a colour has, not which piece covers them: so every square is drawn by itself.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import index
from typing import TypeAlias
from xml.etree import ElementTree as ET

from ziggurat.errors import ParseError
from ziggurat.formats import svg
from ziggurat.formats.svg import INK, Position, Rules, Wishes, add, group, listed, number, words
from ziggurat.reference.blokus_pieces import PIECES, orientations
from ziggurat.reference.blokus_text import LETTERS

Cell: TypeAlias = tuple[int, int]  # row from the top, column


@dataclass(frozen=True)
class Look:
    """How a colour looks: the fill of its squares, and the mark on them, which also a grey print shows."""

    fill: str
    mark: str  # a path from the middle of a square
    ink: str  # the colour of the mark


# Yellow, red (vermillion), green (bluish green) and orange are of the palette of Okabe and Ito, "Color Universal
# Design" (https://jfly.uni-koeln.de/color/); blue is of Paul Tol's scheme "high-contrast"
# (https://personal.sron.nl/~pault/), darker than theirs, which tritanopia brings near to the green; purple is of the
# scheme PuOr of ColorBrewer (https://colorbrewer2.org). tests/test_svg.py measures how far apart they look to
# colour-blind eyes.
LOOKS = {
    "blue": Look("#004488", "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", "#ffffff"),  # a ring
    "yellow": Look("#f0e442", "m-3 -1.5h6m-6 3h6", "#000000"),  # two bars
    "red": Look("#d55e00", "m-2.5 -2.5l5 5m0 -5l-5 5", "#ffffff"),  # a cross
    "green": Look("#009e73", "m-3.2 2.5h6.4l-3.2 -5.5z", "#ffffff"),  # a triangle
    "purple": Look("#5e3c99", "m-3.2 0l3.2 -3.2l3.2 3.2l-3.2 3.2z", "#ffffff"),  # a rhomb
    "orange": Look("#e69f00", "m-1.5 -3v6m3 -6v6", "#000000"),  # two posts
}
EMPTY = "#c4c9d0"
GRID = "#ffffff"
OUTLINE = "#000000"
MANY = ("blue", "yellow", "red", "green")
TWO = ("purple", "orange")

UNIT = 20  # a cell; all lengths below are in these units
PIXELS = 24  # of a cell, unless asked otherwise
INSET = 1
MARGIN = 8
CAPTION = 22  # the height of the line above the board
MINI = 6  # a square of a piece in hand
WIDEST = 46  # the most that a row of pieces in hand takes, in their squares
HEADING_WIDTH = 216  # of the words above them
LEAST_WIDTH = 140  # of a drawing: the caption is as wide on a small board
HEADING = 20


@dataclass(frozen=True)
class Board:
    """A position, read from its text (RULES section 5)."""

    rows: tuple[str, ...]  # from the top; `.` is empty
    names: tuple[str, ...]  # of the colours
    side: int
    hands: tuple[str, ...]
    passed: str
    starts: tuple[str, ...]
    shared_starts: bool  # any colour may begin on any start square

    @property
    def size(self) -> int:
        return len(self.rows)

    def cells(self, letter: str) -> list[Cell]:
        """The cells of a colour, or with `.` the empty ones."""
        return [(r, c) for r, row in enumerate(self.rows) for c, found in enumerate(row) if found == letter]

    def cell(self, text: str) -> Cell:
        """[BK-1.2] The cell that has a text such as `a1`."""
        return self.size - int(text[1:]), ord(text[0]) - ord("a")


@dataclass(frozen=True)
class Frame:
    """Where the board lies in the drawing."""

    left: float
    top: float

    def corner(self, cell: Cell) -> tuple[float, float]:
        """The top left corner of a cell."""
        return self.left + UNIT * cell[1], self.top + UNIT * cell[0]

    def middle(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell."""
        x, y = self.corner(cell)
        return x + UNIT / 2, y + UNIT / 2


def draw(state: Position, wishes: Wishes) -> str:
    """The SVG text of a position."""
    board = read(state)
    marked = [placement(board, text) for text in wishes.last if text != "pass"]
    if wishes.alone and not marked:
        raise ValueError("last_action is a placement that has been played, not 'pass'")
    frame = Frame(MARGIN + 18 if wishes.coordinates else MARGIN, MARGIN + CAPTION)
    panel = Panel.of(state.get_game(), board) if wishes.hands else None
    width, height = extent(board, frame, wishes.coordinates, panel)
    root = svg.sheet(
        title(state, board), description(state, board, wishes.last), width, height, (wishes.size or PIXELS) / UNIT
    )
    draw_caption(root, state, board, frame)
    draw_cells(root, board, frame)
    draw_legal(root, board, frame, wishes.legal)
    draw_starts(root, board, frame)
    draw_board_squares(root, board, frame)
    draw_outlines(root, frame, marked)
    if wishes.coordinates:
        draw_coordinates(root, board, frame)
    if panel:
        draw_panel(root, board, panel, width - MARGIN - panel.width, frame.top)
    return svg.finished(root)


def extent(board: Board, frame: Frame, coordinates: bool, panel: "Panel | None") -> tuple[float, float]:
    """The width and height of a drawing."""
    side = UNIT * board.size
    width, height = frame.left + side + MARGIN, frame.top + side + (18 if coordinates else 0) + MARGIN
    if panel is None:
        return max(width, LEAST_WIDTH), height
    return width + MARGIN + panel.width, max(height, frame.top + panel.height * len(board.names) + MARGIN)


def read(state: Position) -> Board:
    """The position of a state."""
    rows, side, hands, passed, _ = state.serialize().split(" ")[1:]
    options = state.get_game().options
    colours = int(options["colours"])
    spread = tuple(re.sub(r"\d+", lambda run: "." * int(run[0]), row) for row in rows.split("/"))
    return Board(
        rows=spread,
        names=TWO if colours == 2 else MANY[:colours],
        side=LETTERS.index(side),
        hands=tuple(hands.split("/")),
        passed=passed,
        starts=start_squares(str(options["starts"]), len(spread), colours),
        shared_starts=options["start"] == "any_corner",
    )


def start_squares(starts: str, size: int, colours: int) -> tuple[str, ...]:
    """[BK-1.4] [BK-7.1] The start square of each colour."""
    if starts != "corners":
        return tuple(starts.split("+"))
    last = chr(ord("a") + size - 1)
    return (f"a{size}", f"{last}{size}", f"{last}1", "a1")[:colours]


def placement(board: Board, text: str) -> list[Cell]:
    """The cells of an action that has been played."""
    cells = [board.cell(part) for part in text.split(",")]
    owners = {board.rows[row][column] for row, column in cells}
    if len(owners) != 1 or "." in owners:
        raise ValueError(f"last_action is a placement that has been played, not '{text}': no piece covers these cells")
    return cells


# Words.


def title(state: Position, board: Board) -> str:
    """The name of a drawing."""
    return f"Blokus, {board.size} by {board.size}: {status(state, board)}"


def status(state: Position, board: Board) -> str:
    """Whose turn it is."""
    return "the game is over" if state.is_terminal() else f"{board.names[board.side]} to move"


def description(state: Position, board: Board, last: Sequence[str]) -> str:
    """What there is to see."""
    colours = [
        f"{name} {count_of(len(board.cells(letter)), 'square')}"
        for letter, name in zip(LETTERS, board.names, strict=False)
    ]
    parts = [f"{state.get_game()}.", f"On the board: {listed(colours)}."]
    if last:
        parts.append(f"Last: {' '.join(last)}.")
    return " ".join(parts)


def count_of(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


# The board.


def draw_caption(root: ET.Element, state: Position, board: Board, frame: Frame) -> None:
    """The line above the board: whose turn it is."""
    part, middle, left = group(root, "caption"), MARGIN + CAPTION / 2 - 4, frame.left
    if not state.is_terminal():
        draw_token(part, board.names[board.side], left + 6, middle)
        left += 18
    words(svg.lettering(part, "words"), left, middle, status(state, board))


def draw_cells(root: ET.Element, board: Board, frame: Frame) -> None:
    """The empty board."""
    side = UNIT * board.size
    steps = range(UNIT, side, UNIT)
    part = group(root, "board")
    add(part, "rect", x=frame.left, y=frame.top, width=side, height=side, fill=EMPTY)
    lines = "".join(f"M{number(frame.left + step)} {number(frame.top)}v{side}" for step in steps)
    lines += "".join(f"M{number(frame.left)} {number(frame.top + step)}h{side}" for step in steps)
    add(part, "path", d=lines, stroke=GRID, stroke_width=1)


def draw_board_squares(root: ET.Element, board: Board, frame: Frame) -> None:
    """The squares of all colours."""
    for letter, name in zip(LETTERS, board.names, strict=False):
        if cells := board.cells(letter):
            draw_squares(root, name, [frame.corner(cell) for cell in cells])


def draw_squares(root: ET.Element, colour: str, corners: Sequence[tuple[float, float]]) -> None:
    """Squares of a colour with its marks, from their top left corners."""
    look, part = LOOKS[colour], group(root, "squares", data_colour=colour)
    squares = add(part, "g", fill=look.fill, stroke=INK, stroke_width=0.75)
    for x, y in corners:
        add(squares, "rect", x=x + INSET, y=y + INSET, width=UNIT - 2 * INSET, height=UNIT - 2 * INSET, rx=2)
    draw_marks(part, look, [(x + UNIT / 2, y + UNIT / 2) for x, y in corners])


def draw_marks(part: ET.Element, look: Look, middles: Iterable[tuple[float, float]]) -> None:
    """The marks of a colour, in one path."""
    path = "".join(f"M{number(x)} {number(y)}{look.mark}" for x, y in middles)
    add(part, "path", d=path, fill="none", stroke=look.ink, stroke_width=1.2)


def draw_token(part: ET.Element, colour: str, x: float, y: float) -> None:
    """A round token that stands for a colour."""
    add(part, "circle", cx=x, cy=y, r=6, fill=LOOKS[colour].fill, stroke=INK, stroke_width=0.75)
    draw_marks(part, LOOKS[colour], [(x, y)])


def draw_starts(root: ET.Element, board: Board, frame: Frame) -> None:
    """The start squares that nothing covers: in their colour, or as rings if they are everybody's."""
    part = group(root, "starts")
    for name, start in zip(board.names, board.starts, strict=True):
        row, column = board.cell(start)
        if board.rows[row][column] == ".":
            x, y = frame.middle((row, column))
            if board.shared_starts:
                add(part, "circle", cx=x, cy=y, r=6, fill="none", stroke=INK, stroke_width=1.2)
            else:
                draw_token(part, name, x, y)


def draw_legal(root: ET.Element, board: Board, frame: Frame, legal: Iterable[str]) -> None:
    """A dot on every cell that one of some placements covers."""
    cells = {board.cell(part) for text in legal if text != "pass" for part in text.split(",")}
    if not cells:
        return
    part = group(root, "legal", fill=LOOKS[board.names[board.side]].fill, stroke=INK, stroke_width=0.5)
    for cell in sorted(cells):
        x, y = frame.middle(cell)
        add(part, "circle", cx=x, cy=y, r=2.5)


def draw_outlines(root: ET.Element, frame: Frame, pieces: Iterable[Sequence[Cell]]) -> None:
    """A line around each of some pieces."""
    for cells in pieces:
        path = "".join(outline(frame, cells))
        add(group(root, "last"), "path", d=path, stroke=OUTLINE, stroke_width=2.5, stroke_linecap="square")


def outline(frame: Frame, cells: Sequence[Cell]) -> Iterator[str]:
    """The sides of cells with no other of the cells behind them."""
    for row, column in cells:
        x, y = frame.corner((row, column))
        for other, start, step in (
            ((row - 1, column), (x, y), f"h{UNIT}"),
            ((row + 1, column), (x, y + UNIT), f"h{UNIT}"),
            ((row, column - 1), (x, y), f"v{UNIT}"),
            ((row, column + 1), (x + UNIT, y), f"v{UNIT}"),
        ):
            if other not in cells:
                yield f"M{number(start[0])} {number(start[1])}{step}"


def draw_coordinates(root: ET.Element, board: Board, frame: Frame) -> None:
    """[BK-1.2] Columns below the board, rows on its left, counted from the bottom."""
    part, bottom = svg.lettering(root, "coordinates", svg.SMALL), frame.top + UNIT * board.size
    columns, rows = (add(part, "g", text_anchor=anchor, font_size=svg.SMALL) for anchor in ("middle", "end"))
    for k in range(board.size):
        words(columns, frame.middle((0, k))[0], bottom + 10, chr(ord("a") + k))
        words(rows, frame.left - 5, frame.middle((board.size - 1 - k, 0))[1], str(k + 1))


# Pieces in hand.


@dataclass(frozen=True)
class Panel:
    """Where the pieces of a colour lie in its part of the panel: every piece has its place, in hand or not."""

    places: tuple[tuple[str, int, int], ...]  # piece, x and y in squares
    width: int  # in units
    height: int  # of a colour's part, in units

    @staticmethod
    def of(game: Rules, board: Board) -> "Panel":
        """The pieces of a game in rows, in the order of the rules."""
        places, x, y, widest, deepest = [], 0, 0, 0, 0
        for piece in pieces_of(game, board):
            high, wide = extents(shape_of(piece))
            if x + wide > WIDEST:
                x, y, deepest = 0, y + deepest + 1, 0
            places.append((piece, x, y))
            widest, deepest = max(widest, x + wide), max(deepest, high)
            x += wide + 1
        return Panel(tuple(places), max(HEADING_WIDTH, widest * MINI), HEADING + (y + deepest + 1) * MINI)


def pieces_of(game: Rules, board: Board) -> list[str]:
    """[BK-1.3] What a colour begins with: the squares of other pieces are no action [BK-4.2]."""
    return [piece for piece in PIECES if is_played(game, board, piece) for _ in range(int(game.options["copies"]))]


def is_played(game: Rules, board: Board, piece: str) -> bool:
    """Whether a game has a piece."""
    cells = (f"{chr(ord('a') + column)}{board.size - row}" for row, column in shape_of(piece))
    try:
        game.string_to_action(",".join(cells))
    except ParseError:
        return False
    return True


def shape_of(piece: str, orientation: int = 0) -> Sequence[Cell]:
    """The cells of a piece."""
    return orientations(piece)[orientation]


def extents(shape: Sequence[Cell]) -> tuple[int, int]:
    """The height and width of a piece."""
    return max(row for row, _ in shape) + 1, max(column for _, column in shape) + 1


def draw_panel(root: ET.Element, board: Board, panel: Panel, left: float, top: float) -> None:
    """What every colour has in hand."""
    for colour, name in enumerate(board.names):
        y = top + colour * panel.height
        part = group(root, "hand", data_colour=name)
        draw_token(part, name, left + 6, y + 6)
        pieces = held(panel, board.hands[colour])
        heading = [name, count_of(sum(len(shape_of(piece)) for piece, _, _ in pieces), "square") + " left"]
        if LETTERS[colour] in board.passed:
            heading.append("passed")
        words(svg.lettering(part, "words"), left + 18, y + 6, ", ".join(heading))
        draw_held(part, LOOKS[name].fill, pieces, left, y + HEADING)


def held(panel: Panel, hand: str) -> list[tuple[str, int, int]]:
    """[BK-5.3] The places of the pieces that a hand still has."""
    if hand == "*":
        return list(panel.places)
    left, found = hand.split(","), []
    for place in panel.places:
        if place[0] in left:
            left.remove(place[0])
            found.append(place)
    return found


def draw_held(part: ET.Element, fill: str, pieces: Iterable[tuple[str, int, int]], left: float, top: float) -> None:
    """Small pieces, each in a group of its own."""
    for piece, x, y in pieces:
        shown = add(part, "g", data_piece=piece, fill=fill, stroke=INK, stroke_width=0.5)
        for row, column in shape_of(piece):
            at_x, at_y = left + (x + column) * MINI, top + (y + row) * MINI
            add(shown, "rect", x=at_x, y=at_y, width=MINI, height=MINI)


# A single piece.


def draw_piece(name: str, orientation: int, colour: str, size: float | None) -> str:
    """The SVG text of one piece."""
    checked_word("piece", name, PIECES)
    checked_word("colour", colour, tuple(LOOKS))
    number_of = len(orientations(name))
    which = checked_orientation(name, orientation, number_of)
    shape = shape_of(name, which)
    high, wide = extents(shape)
    root = svg.sheet(
        f"Blokus, piece {name}, {colour}",
        f"Orientation {which} of 0 to {number_of - 1}: {count_of(len(shape), 'square')}.",
        wide * UNIT + 2 * INSET,
        high * UNIT + 2 * INSET,
        (size or PIXELS) / UNIT,
    )
    draw_squares(root, colour, [Frame(INSET, INSET).corner(cell) for cell in shape])
    return svg.finished(root)


def checked_word(what: str, value: object, allowed: Sequence[str]) -> None:
    """Refuse what is not one of some words."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a string, not {value!r}")
    if value not in allowed:
        raise ValueError(f"there is no {what} {value!r}; there are {', '.join(allowed)}")


def checked_orientation(name: str, orientation: int, number_of: int) -> int:
    """The orientation, if the piece has it."""
    if isinstance(orientation, bool) or not hasattr(orientation, "__index__"):
        raise TypeError(f"orientation is an integer, not {orientation!r}")
    if not 0 <= index(orientation) < number_of:
        raise ValueError(f"an orientation of {name} is an integer from 0 to {number_of - 1}, not {orientation}")
    return index(orientation)
