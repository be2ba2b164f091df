"""Drawings of Blox: fields with their colours and letters, towers as stacks of blocks, pawns as discs.

What is secret stays so: unless all is asked for, a drawing holds the cards of one player at most, of the viewer.
"""

from collections.abc import Sequence
from math import ceil, sqrt
from xml.etree import ElementTree as ET

from ziggurat.formats import svg
from ziggurat.formats.blox_position import COLOURS, WAYS, Mark, Seat, Table, last_marks, read, target
from ziggurat.formats.svg import (
    ACCENT,
    HALO,
    INK,
    PLAYERS,
    SEATS,
    Frame,
    Look,
    Position,
    Wishes,
    add,
    count_of,
    group,
    listed,
    number,
    words,
)

SECRETS = True  #: `draw` has the keyword `player`


NAMES = {"W": "white", "R": "red", "G": "grey", "K": "black"}
# Red is of Paul Tol's scheme "vibrant"; tests/test_svg_blox.py measures how far apart they look to colour-blind eyes.
LOOKS = {
    "W": Look("#ffffff", "#333333"),
    "R": Look("#cc3311", "#ffffff"),
    "G": Look("#9aa0a8", "#000000"),
    "K": Look("#262626", "#ffffff"),
}
GROUND = "#6b6257"  # between the fields
PLATE = "#efe6d5"  # below a tower
BACK = "#5b6472"  # of a card that lies face down

UNIT = 40  # a field; all lengths below are in these units
PIXELS = 48  # of a field, unless asked otherwise
MARGIN = 8
CAPTION = 24  # the height of the line above the board
EDGE = 3  # of the ground around the board
LETTER = 9  # the size of a field's letter

PANEL = 200  # the width of what the players have
SEAT = 78  # the height of a player's part
DECK = 44  # the height of what lies beside the board
LABEL = 46  # the width of the words on its left
CARD = (13, 17)  # width and height


def draw(state: Position, wishes: Wishes) -> str:
    """The SVG text of a position."""
    table = read(state, wishes)
    marks = last_marks(table, wishes.last, bool(state.get_game().options["capture_moves"]))
    if wishes.alone and not marks:
        raise ValueError(f"last_action is an action that has touched the board, not '{wishes.last[0]}'")
    left = MARGIN + EDGE + (18 if wishes.coordinates else 0)
    frame = Frame(table.size, left, MARGIN + CAPTION + EDGE)
    width, height = extent(table, frame, wishes)
    root = svg.sheet(
        title(state, table), description(state, table, wishes.last), width, height, (wishes.size or PIXELS) / UNIT
    )
    mover = None if state.is_terminal() else PLAYERS[table.side]
    svg.draw_caption(root, mover, status(state, table), frame.left, MARGIN + CAPTION / 2 - 4)
    draw_fields(root, table, frame)
    for field, tower in enumerate(table.towers):
        if any(tower):
            draw_tower(root, table, frame, field)
    draw_pawns(root, table, frame)
    draw_legal(root, table, frame, wishes.legal)
    draw_marks(root, frame, marks)
    if wishes.coordinates:
        draw_coordinates(root, table, frame)
    if wishes.hands:
        draw_panel(root, table, width - MARGIN - PANEL, frame.top)
    return svg.finished(root)


def extent(table: Table, frame: Frame, wishes: Wishes) -> tuple[float, float]:
    """The width and height of a drawing."""
    width = frame.left + frame.side + EDGE + MARGIN
    height = frame.top + frame.side + EDGE + (18 if wishes.coordinates else 0) + MARGIN
    if not wishes.hands:
        return width, height
    deck = DECK + (svg.order_height(table.cards) if wishes.secrets else 0)
    return width + MARGIN + PANEL, max(height, frame.top + SEAT * len(table.seats) + deck + MARGIN)


# Words.


def title(state: Position, table: Table) -> str:
    """The name of a drawing."""
    return f"Blox, {table.size} by {table.size}: {status(state, table)}"


def status(state: Position, table: Table) -> str:
    """Whose turn it is, or who has won."""
    if state.is_terminal():
        winners = [PLAYERS[player] for player in state.winners()]
        return f"{listed(winners)} {'has' if len(winners) == 1 else 'have'} won"
    last_round = ", last round" if table.phase.endswith("+") else ""
    begun = f", begun: {table.turn}" if table.turn else ""
    return f"{PLAYERS[table.side]} to move, phase {table.phase[0]}{last_round}{begun}"


def description(state: Position, table: Table, last: Sequence[str]) -> str:
    """What there is to see."""
    towers = [f"{table.name(field)} {letters(tower)}" for field, tower in enumerate(table.towers) if any(tower)]
    parts = [f"{state.get_game()}."]
    for player, seat in zip(PLAYERS, table.seats, strict=False):
        fields = ", ".join(map(table.name, seat.pawns)) or "no field"
        parts.append(f"{player}: {count_of(seat.points, 'point')}, on {fields}.")
    parts.append(f"Towers: {', '.join(towers) or 'none'}.")
    if last:
        parts.append(f"Last: {' '.join(last)}.")
    return " ".join(parts)


def letters(blocks: Sequence[int]) -> str:
    """Blocks as letters."""
    return "".join(colour * count for colour, count in zip(COLOURS, blocks, strict=True))


# The board.


def draw_fields(root: ET.Element, table: Table, frame: Frame) -> None:
    """The board: every field with its colour, and the letter of it."""
    side = frame.side + 2 * EDGE
    part = group(root, "board")
    add(part, "rect", x=frame.left - EDGE, y=frame.top - EDGE, width=side, height=side, rx=3, fill=GROUND)
    for k, letter in enumerate(COLOURS):
        corners = [frame.corner(field) for field, colour in enumerate(table.colours) if colour == k]
        fields = group(root, "fields", data_colour=NAMES[letter], fill=LOOKS[letter].fill)
        for x, y in corners:
            add(fields, "rect", x=x + 0.75, y=y + 0.75, width=UNIT - 1.5, height=UNIT - 1.5, rx=2)
        names = add(fields, "g", font_family="sans-serif", font_size=LETTER, fill=LOOKS[letter].ink)
        for x, y in corners:
            words(names, x + 4, y + 7.5, letter)


def draw_tower(root: ET.Element, table: Table, frame: Frame, field: int) -> None:
    """A tower: a plate with its blocks, from below, and its height."""
    blocks = letters(table.towers[field])
    x, y = frame.corner(field)
    part = group(root, "tower", data_field=table.name(field), font_family="sans-serif", text_anchor="middle")
    add(part, "rect", x=x + 5, y=y + 12, width=UNIT - 10, height=UNIT - 15, rx=3, fill=PLATE, stroke=INK)
    draw_stack(part, blocks, x + UNIT / 2, y + UNIT - 4.5)
    badge = add(part, "g", font_size=10, font_weight="bold", fill=INK)
    add(badge, "circle", cx=x + UNIT - 9, cy=y + 9, r=7, fill=HALO, stroke=INK, stroke_width=1)
    words(badge, x + UNIT - 9, y + 9, str(len(blocks)))


def draw_stack(part: ET.Element, blocks: str, middle: float, bottom: float) -> None:
    """Blocks as squares with letters, in rows from below."""
    rows = ceil(sqrt(len(blocks)))
    side = min(14, 22.5 / rows)
    squares = add(part, "g", stroke=INK, stroke_width=0.75)
    names = add(part, "g", font_size=side * 0.72)
    for k, block in enumerate(blocks):
        row, column = divmod(k, rows)
        in_row = min(rows, len(blocks) - row * rows)
        x, y = middle + side * (column - in_row / 2), bottom - side * (row + 1)
        add(squares, "rect", x=x + 0.4, y=y + 0.4, width=side - 0.8, height=side - 0.8, rx=1, fill=LOOKS[block].fill)
        words(names, x + side / 2, y + side / 2, block, fill=LOOKS[block].ink)


def draw_pawns(root: ET.Element, table: Table, frame: Frame) -> None:
    """Pawns with the letter of their player and, small, their rank [BX-5.1]."""
    for player, seat in zip(PLAYERS, table.seats, strict=False):
        look = SEATS[player]
        part = group(root, "pawns", data_player=player, font_family="sans-serif", text_anchor="middle", fill=look.ink)
        for rank, field in enumerate(seat.pawns):
            x, y = frame.middle(field)
            add(part, "circle", cx=x, cy=y + 3, r=14.5, fill=INK)
            add(part, "circle", cx=x, cy=y + 3, r=12.5, fill=look.fill, stroke=HALO, stroke_width=2)
            words(add(part, "g", font_size=15, font_weight="bold"), x - 2.5, y + 2.5, player)
            words(add(part, "g", font_size=9), x + 6.5, y + 6.5, str(rank))


def draw_legal(root: ET.Element, table: Table, frame: Frame, legal: Sequence[str]) -> None:
    """A dot on every field that an action leads to: in the middle of a free one, else in its corner."""
    fields = {field for text in legal if (field := target(table, text)) is not None}
    places = []
    for field in sorted(fields):
        x, y = frame.middle(field)
        shift = 0 if table.is_free(field) else 14
        places.append((x + shift, y + shift))
    svg.draw_dots(root, places)


def draw_marks(root: ET.Element, frame: Frame, marks: Sequence[Mark]) -> None:
    """A line around the fields of the last turn, and the way that a pawn went."""
    for mark in marks:
        x, y = frame.corner(mark.field)
        part = group(root, "last", fill="none")
        svg.outline(part, x, y, UNIT)
        if mark.way:
            add(part, "path", d=arrow(frame, mark), fill=ACCENT, stroke=HALO, stroke_width=1.5)


def arrow(frame: Frame, mark: Mark) -> str:
    """The path of a triangle: on the side that the pawn came from, or that it looks to."""
    down, right = WAYS[mark.way or "n"]
    x, y = frame.middle(mark.field)
    sign = 1 if mark.away else -1
    x, y = x + sign * 18 * right, y + sign * 18 * down
    points = [(7 * right, 7 * down), (6 * down - 3 * right, -6 * right - 3 * down)]
    points.append((-6 * down - 3 * right, 6 * right - 3 * down))
    return "M" + "L".join(f"{number(x + dx)} {number(y + dy)}" for dx, dy in points) + "z"


def draw_coordinates(root: ET.Element, table: Table, frame: Frame) -> None:
    """[BX-1.2] Columns below the board, rows on its left, counted from the bottom."""
    part, bottom = svg.lettering(root, "coordinates", svg.SMALL), frame.top + frame.side + EDGE
    columns, rows = (add(part, "g", text_anchor=anchor, font_size=svg.SMALL) for anchor in ("middle", "end"))
    for k in range(table.size):
        words(columns, frame.middle(k)[0], bottom + 10, chr(ord("a") + k))
        words(rows, frame.left - EDGE - 5, frame.middle(table.size * (table.size - 1 - k))[1], str(k + 1))


# What the players have.


def draw_panel(root: ET.Element, table: Table, left: float, top: float) -> None:
    """What every player has, and the cards beside the board."""
    for player, seat in enumerate(table.seats):
        draw_seat(root, table, seat, PLAYERS[player], left, top + SEAT * player)
    y = top + SEAT * len(table.seats) + 8
    part = group(root, "deck")
    names = svg.lettering(part, "words")
    words(names, left, y, f"deck {table.deck}, discard {len(table.discard)}")
    draw_counts(part, [table.discard.count(colour) for colour in COLOURS], left + LABEL, y + 18)
    svg.draw_order(part, table.order, left, y + 36)


def draw_seat(root: ET.Element, table: Table, seat: Seat, player: str, left: float, top: float) -> None:
    """What a player has: points and pawns in supply, cards, blocks and the joker, a row each."""
    part = group(root, "hand", data_player=player)
    svg.draw_token(part, player, left + 8, top + 8)
    names = svg.lettering(part, "words")
    words(names, left + 22, top + 8, count_of(seat.points, "point"))
    for k in range(table.pawns):
        supply = k < table.pawns - len(seat.pawns)
        add(part, "circle", cx=left + PANEL - 8 - 15 * (table.pawns - 1 - k), cy=top + 8, r=5.5, stroke=INK,
            fill=SEATS[player].fill if supply else "none", stroke_dasharray="none" if supply else "2 2")  # fmt: skip
    words(names, left, top + 31, "cards")
    draw_cards(part, seat, left + LABEL, top + 31)
    words(names, left, top + 54, "blocks")
    draw_counts(part, seat.blocks, left + LABEL, top + 54)
    draw_joker(part, seat.joker, left + PANEL - 26, top + 54)


def draw_cards(part: ET.Element, seat: Seat, left: float, middle: float) -> None:
    """Cards: face up with their letters, or only their backs."""
    width, height = CARD
    cards = group(part, "cards", data_face="up" if seat.cards is not None else "down", font_family="sans-serif",
                  font_size=10, text_anchor="middle", stroke_width=0.75)  # fmt: skip
    for k in range(seat.held):
        x, card = left + k * (width + 2), seat.cards[k] if seat.cards is not None else None
        fill = LOOKS[card].fill if card else BACK
        add(cards, "rect", x=x + 0.5, y=middle - height / 2, width=width, height=height, rx=2, fill=fill, stroke=INK)
        if card:
            words(cards, x + 0.5 + width / 2, middle, card, fill=LOOKS[card].ink)
        else:
            middle_of_card = f"M{number(x + 0.5 + width / 2)} {number(middle - 4)}"
            add(cards, "path", d=f"{middle_of_card}l3 4l-3 4l-3 -4z", fill="none", stroke=HALO)


def draw_counts(part: ET.Element, counts: Sequence[int], left: float, middle: float) -> None:
    """How many there are of each colour: a square with the letter, and a number."""
    shown = group(part, "counts", font_family="sans-serif", font_size=10)
    for k, (letter, count) in enumerate(zip(COLOURS, counts, strict=True)):
        x = left + 31 * k
        opacity = 1 if count else 0.25
        add(shown, "rect", x=x, y=middle - 6, width=12, height=12, rx=1, fill=LOOKS[letter].fill, stroke=INK,
            stroke_width=0.75, opacity=opacity)  # fmt: skip
        words(shown, x + 6, middle, letter, fill=LOOKS[letter].ink, text_anchor="middle", opacity=opacity)
        words(shown, x + 15, middle, str(count), fill=INK, opacity=opacity)


def draw_joker(part: ET.Element, active: bool, left: float, middle: float) -> None:
    """The joker: filled while it is active, crossed out when it is used up."""
    joker = group(part, "joker", data_active="yes" if active else "no", font_family="sans-serif", font_size=11,
                  text_anchor="middle", font_weight="bold", stroke_width=1)  # fmt: skip
    add(joker, "rect", x=left, y=middle - 8, width=20, height=16, rx=4, fill=ACCENT if active else HALO, stroke=INK)
    words(joker, left + 10, middle, "J", fill=HALO if active else INK)
    if not active:
        add(joker, "path", d=f"M{number(left + 3)} {number(middle + 6)}l14 -12", stroke=INK, fill="none")
