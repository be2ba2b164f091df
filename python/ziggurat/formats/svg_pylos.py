"""Drawings of Pylos: the levels of the pyramid side by side, the lowest on the left, seen from above.

Behind every level but the lowest stand the balls of the level below, pale: a ball rests on the four around its place.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from xml.etree import ElementTree as ET

from ziggurat.formats import svg
from ziggurat.formats.svg import INK, Position, Wishes, add, group, words

Place: TypeAlias = tuple[int, int, int]  # level, row from the front, column; from 0

NAMES = {"L": "light", "D": "dark"}  # [PY-1.2]
FILLS = {"L": "#f2d694", "D": "#5b3a29"}
EDGES = {"L": "#7d6232", "D": "#2e1c13"}
GROUND = "#c4c9d0"
ACCENT = "#004488"  # of what is marked: blue, which no kind of colour blindness brings near to wood

UNIT = 40  # a place; all lengths below are in these units
PIXELS = 40  # of a place, unless asked otherwise
RADIUS = 17
MARGIN = 8
CAPTION = 22  # the height of the line above the levels
HEADING = 16  # the height of a level's name
GAP = 12
SMALL_BALL = 6


@dataclass(frozen=True)
class Pyramid:
    """A position, read from its text (RULES section 6)."""

    levels: tuple[str, ...]
    side: str
    turn: str

    @property
    def base(self) -> int:
        return len(self.levels)

    def places(self) -> Iterator[Place]:
        """All places, in the order of their ids [PY-1.3]."""
        for level in range(self.base):
            for k in range((self.base - level) ** 2):
                yield level, *divmod(k, self.base - level)

    def at(self, place: Place) -> str:
        """The letter of a place: L, D or `.`."""
        level, row, column = place
        return self.levels[level][row * (self.base - level) + column]

    def is_open(self, place: Place) -> bool:
        """[PY-2.1] Whether a ball can lie down on a place."""
        level, row, column = place
        below = [(level - 1, row + i, column + j) for i in (0, 1) for j in (0, 1)]
        return self.at(place) == "." and (level == 0 or all(self.at(support) != "." for support in below))

    def reserve(self, letter: str) -> int:
        """[PY-1.1] The balls of a player that are not on the board: together they fill it."""
        return sum(map(len, self.levels)) // 2 - "".join(self.levels).count(letter)


@dataclass(frozen=True)
class Moved:
    """Where balls came to lie and where they left, in some actions."""

    to: tuple[Place, ...]
    left: tuple[Place, ...]


@dataclass(frozen=True)
class Frame:
    """Where the levels lie in the drawing."""

    base: int
    top: float  # of the largest level
    coordinates: bool

    @property
    def before(self) -> float:
        """The width of what stands on the left of a level."""
        return 14 if self.coordinates else 0

    def side(self, level: int) -> float:
        """The side of the ground that a level is drawn on: that of the level below, which carries it."""
        return UNIT * (self.base - max(level - 1, 0))

    def left(self, level: int) -> float:
        """The left side of the ground of a level."""
        return MARGIN + self.before + sum(self.side(k) + self.before + GAP for k in range(level))

    @property
    def bottom(self) -> float:
        return self.top + UNIT * self.base

    @property
    def width(self) -> float:
        return self.left(self.base - 1) + self.side(self.base - 1) + MARGIN

    def middle(self, place: Place, on: int | None = None) -> tuple[float, float]:
        """The middle of a place, drawn on the ground of its level or of the one above."""
        level, row, column = place
        ground = level if on is None else on
        shift = UNIT if level > 0 and ground == level else UNIT / 2
        return self.left(ground) + shift + UNIT * column, self.bottom - shift - UNIT * row


def draw(state: Position, wishes: Wishes) -> str:
    """The SVG text of a position."""
    pyramid = read(state)
    moved = last_moved(pyramid, wishes.last)
    if wishes.alone and moved == Moved((), ()):
        raise ValueError(f"last_action is an action that has moved a ball, not '{wishes.last[0]}'")
    frame = Frame(pyramid.base, MARGIN + CAPTION + HEADING, wishes.coordinates)
    height = frame.bottom + (16 if wishes.coordinates else 0) + MARGIN
    reserves = height
    if wishes.hands:
        height += 2 * (2 * SMALL_BALL + 6)
    root = svg.sheet(
        title(state, pyramid), description(state, pyramid, wishes.last), frame.width, height,
        (wishes.size or PIXELS) / UNIT,
    )  # fmt: skip
    draw_caption(root, state, pyramid)
    for level in range(pyramid.base):
        draw_level(root, pyramid, frame, level)
    draw_legal(root, frame, wishes.legal)
    draw_moved(root, frame, moved)
    if wishes.hands:
        draw_reserves(root, pyramid, reserves)
    return svg.finished(root)


def read(state: Position) -> Pyramid:
    """The position of a state."""
    levels, side, turn, _ = state.serialize().split(" ")[1:]
    return Pyramid(tuple(levels.split("/")), side, turn)


def place_of(text: str) -> Place:
    """[PY-1.3] The place that has a text such as `1a1`."""
    return int(text[0]) - 1, int(text[2]) - 1, ord(text[1]) - ord("a")


def split(text: str) -> tuple[list[Place], list[Place]]:
    """The places where an action puts a ball and where it lifts one."""
    cells = [place_of(cell) for cell in re.findall(r"\d[a-d]\d", text)]
    if ">" in text:
        return cells[1:], cells[:1]
    return ([], cells) if text.startswith("-") else (cells, [])


def last_moved(pyramid: Pyramid, last: Sequence[str]) -> Moved:
    """What some actions that have been played have moved; ValueError if they cannot be the last ones."""
    parts = [split(text) for text in last]
    left = tuple(place for _, lifted in parts for place in lifted)
    to = tuple(place for put, _ in parts for place in put if place not in left)
    wrong = [place for place in to if pyramid.at(place) == "."] + [p for p in left if pyramid.at(p) != "."]
    if wrong:
        what = "is empty" if wrong[0] in to else "holds a ball"
        raise ValueError(f"last_action is what has been played last, not '{' '.join(last)}': {cell(wrong[0])} {what}")
    return Moved(to, left)


def cell(place: Place) -> str:
    """The text of a place."""
    level, row, column = place
    return f"{level + 1}{chr(ord('a') + column)}{row + 1}"


# Words.


def title(state: Position, pyramid: Pyramid) -> str:
    """The name of a drawing."""
    return f"Pylos, base of {pyramid.base}: {status(state, pyramid)}"


def status(state: Position, pyramid: Pyramid) -> str:
    """Whose turn it is, or who has won."""
    if state.is_terminal():
        winners = [list(NAMES.values())[player] for player in state.winners()]
        return f"{winners[0]} has won" if winners else "a draw"
    return f"{NAMES[pyramid.side]} {'to move' if pyramid.turn == '-' else 'may take back'}"


def description(state: Position, pyramid: Pyramid, last: Sequence[str]) -> str:
    """What there is to see."""
    balls = "".join(pyramid.levels)
    players = [f"{name} {balls.count(letter)} on the board, {pyramid.reserve(letter)} in reserve"
               for letter, name in NAMES.items()]  # fmt: skip
    parts = [f"{state.get_game()}.", f"Balls: {'; '.join(players)}."]
    if last:
        parts.append(f"Last: {' '.join(last)}.")
    return " ".join(parts)


# The levels.


def draw_caption(root: ET.Element, state: Position, pyramid: Pyramid) -> None:
    """The line above the levels: whose turn it is."""
    part, middle, left = group(root, "caption"), MARGIN + CAPTION / 2 - 4, float(MARGIN)
    if not state.is_terminal():
        add(part, "circle", cx=left + 6, cy=middle, r=SMALL_BALL, **painted(pyramid.side))
        left += 18
    words(svg.lettering(part, "words"), left, middle, status(state, pyramid))


def draw_level(root: ET.Element, pyramid: Pyramid, frame: Frame, level: int) -> None:
    """A level on its ground, with what carries it."""
    part = group(root, "level", data_level=level + 1)
    side = frame.side(level)
    add(part, "rect", x=frame.left(level), y=frame.bottom - side, width=side, height=side, rx=6, fill=GROUND)
    if level > 0:
        draw_supports(part, pyramid, frame, level)
    draw_places(part, pyramid, frame, level)
    draw_balls(part, pyramid, frame, level)
    draw_letters(part, pyramid, frame, level)


def draw_supports(part: ET.Element, pyramid: Pyramid, frame: Frame, level: int) -> None:
    """The balls of the level below, pale."""
    pale = group(part, "supports", opacity=0.35)
    for place in pyramid.places():
        if place[0] == level - 1 and pyramid.at(place) != ".":
            x, y = frame.middle(place, on=level)
            add(pale, "circle", cx=x, cy=y, r=RADIUS, **painted(pyramid.at(place)))


def draw_places(part: ET.Element, pyramid: Pyramid, frame: Frame, level: int) -> None:
    """Empty places: a ring where a ball could lie, a small dot where it lacks support."""
    rings = group(part, "open", fill="none", stroke=INK, stroke_width=1)
    dots = group(part, "unsupported", fill=INK)
    for place in pyramid.places():
        if place[0] == level and pyramid.at(place) == ".":
            x, y = frame.middle(place)
            add(rings, "circle", cx=x, cy=y, r=6) if pyramid.is_open(place) else add(dots, "circle", cx=x, cy=y, r=1.5)


def draw_balls(part: ET.Element, pyramid: Pyramid, frame: Frame, level: int) -> None:
    """The balls of a level."""
    for letter, name in NAMES.items():
        balls = group(part, "balls", data_colour=name, **painted(letter))
        for place in pyramid.places():
            if place[0] == level and pyramid.at(place) == letter:
                x, y = frame.middle(place)
                add(balls, "circle", cx=x, cy=y, r=RADIUS)


def painted(letter: str) -> dict[str, str | float]:
    """The paint of a player's balls."""
    return {"fill": FILLS[letter], "stroke": EDGES[letter], "stroke_width": 1}


def draw_letters(part: ET.Element, pyramid: Pyramid, frame: Frame, level: int) -> None:
    """The name of a level and, if wanted, [PY-1.3] its columns below and its rows, from the front, on the left."""
    left, top = frame.left(level), frame.bottom - frame.side(level)
    words(svg.lettering(part, "heading", svg.SMALL), left, top - HEADING / 2, f"level {level + 1}")
    if not frame.coordinates:
        return
    names = svg.lettering(part, "coordinates", svg.SMALL, text_anchor="middle")
    for k in range(pyramid.base - level):
        x, y = frame.middle((level, k, k))
        words(names, x, frame.bottom + 10, chr(ord("a") + k))
        words(names, left - 8, y, str(k + 1))


def draw_legal(root: ET.Element, frame: Frame, legal: Sequence[str]) -> None:
    """A dot where a ball can be put down, and on balls that can be raised or taken back."""
    places = {place for text in legal for some in split(text) for place in some}
    if not places:
        return
    part = group(root, "legal", fill=ACCENT, stroke="#ffffff", stroke_width=1)
    for place in sorted(places):
        x, y = frame.middle(place)
        add(part, "circle", cx=x, cy=y, r=4)


def draw_moved(root: ET.Element, frame: Frame, moved: Moved) -> None:
    """A ring around balls that have come, a broken one where they have left."""
    for name, places, dashes in (("to", moved.to, "none"), ("from", moved.left, "4 3")):
        if places:
            part = group(root, f"last-{name}", fill="none", stroke=ACCENT, stroke_width=3, stroke_dasharray=dashes)
            for place in places:
                x, y = frame.middle(place)
                add(part, "circle", cx=x, cy=y, r=RADIUS)


def draw_reserves(root: ET.Element, pyramid: Pyramid, top: float) -> None:
    """The balls that are not on the board, a player a row."""
    for row, (letter, name) in enumerate(NAMES.items()):
        y = top + row * (2 * SMALL_BALL + 6) + SMALL_BALL
        part = group(root, "reserve", data_colour=name)
        count = pyramid.reserve(letter)
        words(svg.lettering(part, "words"), MARGIN, y, f"{name} {count}")
        for k in range(count):
            add(part, "circle", cx=MARGIN + 56 + k * (2 * SMALL_BALL + 2), cy=y, r=SMALL_BALL, **painted(letter))
