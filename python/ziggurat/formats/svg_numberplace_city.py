"""Drawings of Numberplace City: areas as stripes of the players' colours, built tiles, laid tiles face down.

What is secret stays so: unless all is asked for, a drawing holds no number that its viewer does not see.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from ziggurat.formats import svg
from ziggurat.formats.numberplace_city_position import (
    CELLS,
    SIDE,
    Last,
    Seat,
    Table,
    Tile,
    last_of,
    name_of,
    read,
    target,
)
from ziggurat.formats.svg import HALO, INK, PLAYERS, SEATS, Frame, Position, Wishes, add, count_of, group, listed, words

SECRETS = True  #: `draw` has the keywords `player` and `secrets`

#: of areas: pale forms of the players' colours; tests/test_svg_numberplace_city.py measures how far apart they look
TINTS = {"A": "#8db4e2", "B": "#f6ee94", "C": "#9fd9a0", "D": "#f6d7ea"}
NOBODYS = "#eceef1"  # of blocks outside all areas
GROUND = "#4a4f57"  # between the blocks
LINE = "#8a9099"  # between the cells of a block

UNIT = 40  # a cell; all lengths below are in these units
PIXELS = 48  # of a cell, unless asked otherwise
MARGIN = 8
CAPTION = 24  # the height of the line above the board
EDGE = 3  # of the ground around the board
BLOCK = 3 * UNIT
BUILT = 28  # the side of a built tile, which leaves room for the letters of a block
MIDDLE = 23.5  # of tiles, below the upper edge of their cell

PANEL = 224  # the width of what the players have
SEAT = 80  # the height of a player's part
DECK = 46  # the height of what lies beside the board
LABEL = 58  # the width of the words on its left
TILE = (13, 17)  # width and height
HELD = (16, 21)  # of a tile in a hand
APART = 9  # so many tiles lie side by side, more of them in a heap for each number

#: [NC-8.3] how a game has ended
ENDS = {
    "points": "with points enough",
    "area": "with a full area",
    "bonus": "by a bonus",
    "last": "as the last one",
    "nobody": "",
    "count": "by points",
    "": "by points, at the limit of turns",
}


def draw(state: Position, wishes: Wishes) -> str:
    """The SVG text of a position."""
    table, options = read(state, wishes), state.get_game().options
    last = last_of(table, wishes.last, wishes.secrets or bool(options["penalties_open"]))
    if wishes.alone and not last.cells and not last.board:
        raise ValueError(f"last_action is an action that has touched the board, not '{last.texts[0]}'")
    frame = Frame(SIDE, MARGIN + EDGE + (18 if wishes.coordinates else 0), MARGIN + CAPTION + EDGE, UNIT)
    tiles = SIDE * int(options["tiles_per_number"])
    width, height = extent(table, frame, wishes, tiles)
    scale = (wishes.size or PIXELS) / UNIT
    root = svg.sheet(title(state, table), description(state, table, last), width, height, scale)
    mover = None if state.is_terminal() else PLAYERS[table.side]
    svg.draw_caption(root, mover, status(state, table), frame.left, MARGIN + CAPTION / 2 - 4)
    draw_board(root, table, frame)
    draw_built(root, table, frame)
    for cell in sorted({tile.cell for tile in table.laid}):
        draw_laid(root, frame, cell, [tile for tile in table.laid if tile.cell == cell])
    draw_legal(root, table, frame, wishes.legal)
    draw_last(root, frame, last)
    if wishes.coordinates:
        draw_coordinates(root, frame)
    if wishes.hands:
        draw_panel(root, state, table, width - MARGIN - PANEL, frame.top)
    return svg.finished(root)


def extent(table: Table, frame: Frame, wishes: Wishes, tiles: int) -> tuple[float, float]:
    """The width and height of a drawing."""
    width = frame.left + frame.side + EDGE + MARGIN
    height = frame.top + frame.side + EDGE + (18 if wishes.coordinates else 0) + MARGIN
    if not wishes.hands:
        return width, height
    deck = DECK + (svg.order_height(tiles) if wishes.secrets else 0)
    return width + MARGIN + PANEL, max(height, frame.top + SEAT * len(table.seats) + deck + MARGIN)


# Words.


def title(state: Position, table: Table) -> str:
    """The name of a drawing."""
    return f"Numberplace City, {len(table.seats)} players: {status(state, table)}"


def status(state: Position, table: Table) -> str:
    """Whose turn it is, or who has won, and how."""
    if not state.is_terminal():
        return f"{PLAYERS[table.side]} {f'decides the bonus of a {table.bonus[2]}' if table.bonus else 'to move'}"
    winners = [PLAYERS[player] for player in state.winners()] or ["nobody"]
    how = ENDS[table.end.partition(":")[0]]
    return f"{listed(winners)} {'has' if len(winners) == 1 else 'have'} won{f' {how}' if how else ''}"


def description(state: Position, table: Table, last: Last) -> str:
    """What there is to see."""
    parts = [f"{state.get_game()}."]
    for player, seat in zip(PLAYERS, table.seats, strict=False):
        tiles = f"{count_of(len(seat.hand), 'tile')}, penalty tiles {seat.penalties or 'none'}"
        out = f", {seat.status}" if seat.status != "in" else ""
        parts.append(f"{player}: {count_of(seat.points, 'point')}, {tiles}{out}.")
    built = [f"{name_of(cell)} {tile}" for cell, tile in enumerate(table.built) if tile]
    laid = [f"{PLAYERS[tile.player]} {name_of(tile.cell)} {tile.number}" for tile in table.laid]
    parts += [f"Built: {', '.join(built) or 'none'}.", f"Laid: {', '.join(laid) or 'none'}."]
    if last.texts:
        parts.append(f"Last: {' '.join(last.texts)}.")
    return " ".join(parts)


# The board.


def draw_board(root: ET.Element, table: Table, frame: Frame) -> None:
    """The blocks in stripes of the players whose area has them, their letters, and the lines between cells."""
    side = frame.side + 2 * EDGE
    part = group(root, "board")
    add(part, "rect", x=frame.left - EDGE, y=frame.top - EDGE, width=side, height=side, rx=3, fill=GROUND)
    for block, players in enumerate(table.areas):
        x, y = frame.left + BLOCK * (block % 3), frame.top + BLOCK * (block // 3)
        letters = [PLAYERS[player] for player in players]
        draw_block(group(part, "block", data_block=block, data_players="".join(letters)), letters, x + 1, y + 1)


def draw_block(part: ET.Element, letters: Sequence[str], x: float, y: float) -> None:
    """A block: stripes, lines, and in its first cell the letters."""
    side = BLOCK - 2
    add(part, "rect", x=x, y=y, width=side, height=side, fill=TINTS[letters[0]] if letters else NOBODYS)
    for k, letter in enumerate(letters[1:], start=1):
        width = 2 * side / (3 * len(letters))  # three stripes of each colour
        bands = "".join(band(x, y, side, width * (k + len(letters) * i), width) for i in range(3))
        add(part, "path", d=bands, fill=TINTS[letter])
    lines = "".join(f"M{svg.number(x)} {svg.number(y + UNIT * i - 1)}h{side}M{svg.number(x + UNIT * i - 1)} "
                    f"{svg.number(y)}v{side}" for i in (1, 2))  # fmt: skip
    add(part, "path", d=lines, fill="none", stroke=LINE, stroke_width=0.75)
    for k, letter in enumerate(letters):
        svg.draw_token(part, letter, x + 5 + 9 * k, y + 4.5, 4)


def band(x: float, y: float, side: float, start: float, width: float) -> str:
    """The path of a stripe across a square, from lower left to upper right, between two distances from its corner."""
    end = start + width
    points = [(max(0, start - side), min(start, side)), (min(start, side), max(0, start - side))]
    points += [(side, 0)] if start < side < end else []
    points += [(min(end, side), max(0, end - side)), (max(0, end - side), min(end, side))]
    points += [(0, side)] if start < side < end else []
    return f"M{'L'.join(f'{svg.number(x + dx)} {svg.number(y + dy)}' for dx, dy in points)}z"


def draw_built(root: ET.Element, table: Table, frame: Frame) -> None:
    """The built tiles with their numbers."""
    part = group(root, "built", font_family="sans-serif", font_size=22, font_weight="bold", text_anchor="middle",
                 stroke_width=1)  # fmt: skip
    for cell in range(CELLS):
        if tile := table.built[cell]:
            x, y = middle(frame, cell)
            add(part, "rect", x=x - BUILT / 2, y=y - BUILT / 2, width=BUILT, height=BUILT, rx=4, fill=HALO, stroke=INK)
            words(part, x, y, tile, fill=INK)


def middle(frame: Frame, cell: int) -> tuple[float, float]:
    """The middle of what lies on a cell."""
    x, y = frame.corner(cell)
    return x + UNIT / 2, y + MIDDLE


def draw_laid(root: ET.Element, frame: Frame, cell: int, tiles: Sequence[Tile]) -> None:
    """The laid tiles of a cell, side by side in laying order."""
    x, y = middle(frame, cell)
    step = min(21, 36 / len(tiles))
    part = group(root, "laid", data_cell=name_of(cell))
    for k, tile in enumerate(tiles):
        left = x + step * (k - len(tiles) / 2)
        draw_tile(part, PLAYERS[tile.player], tile.number, left + 0.5, y, (step - 1, min(1.6 * step, BUILT)))


def draw_tile(part: ET.Element, player: str, number: str, left: float, y: float, size: tuple[float, float]) -> None:
    """A tile of a player: its back with his letter; if it is seen also its number, on white."""
    (width, height), look, x = size, SEATS[player], left + size[0] / 2
    face = "down" if number == "?" else "up"
    tile = group(part, "tile", data_player=player, data_face=face, font_family="sans-serif", font_weight="bold",
                 text_anchor="middle", stroke=INK, stroke_width=0.75)  # fmt: skip
    add(tile, "rect", x=left, y=y - height / 2, width=width, height=height, rx=2, fill=look.fill)
    names = {"stroke": "none", "font_family": "sans-serif"}
    if face == "down":
        words(add(tile, "g", font_size=0.6 * width, **names), x, y, player, fill=look.ink)
        return
    head = 0.34 * height
    add(tile, "rect", x=left, y=y - height / 2 + head, width=width, height=height - head, rx=2, fill=HALO)
    words(add(tile, "g", font_size=0.3 * height, **names), x, y - height / 2 + head / 2, player, fill=look.ink)
    words(add(tile, "g", font_size=0.58 * height, **names), x, y + head / 2, number, fill=INK)


def draw_legal(root: ET.Element, table: Table, frame: Frame, legal: Sequence[str]) -> None:
    """A dot on every cell that a tile can be laid on or removed from: in its middle, or in the corner of a full one."""
    places = []
    for cell in sorted({cell for text in legal if (cell := target(text)) is not None}):
        x, y = middle(frame, cell)
        full = table.built[cell] or any(tile.cell == cell for tile in table.laid)
        places.append((x + 14.5, y - 14.5) if full else (x, y))
    svg.draw_dots(root, places)


def draw_last(root: ET.Element, frame: Frame, last: Last) -> None:
    """A line around the cells that were touched last, or around the board that was turned."""
    if not last.cells and not last.board:
        return
    part = group(root, "last", fill="none")
    if last.board:
        svg.outline(part, frame.left, frame.top, frame.side)
    for cell in last.cells:
        svg.outline(part, *frame.corner(cell), UNIT)


def draw_coordinates(root: ET.Element, frame: Frame) -> None:
    """[NC-1.1] Columns below the board, rows on its left, counted from the top."""
    part, bottom = svg.lettering(root, "coordinates", svg.SMALL), frame.top + frame.side + EDGE
    columns, rows = (add(part, "g", text_anchor=anchor, font_size=svg.SMALL) for anchor in ("middle", "end"))
    for k in range(SIDE):
        words(columns, frame.middle(k)[0], bottom + 10, f"c{k + 1}")
        words(rows, frame.left - EDGE - 4, frame.middle(SIDE * k)[1], f"r{k + 1}")


# What the players have.


def draw_panel(root: ET.Element, state: Position, table: Table, left: float, top: float) -> None:
    """What every player has, and the tiles beside the board."""
    options = state.get_game().options
    limit = int(options["out_at"]) or (7 if len(table.seats) == 2 else 5)  # [NC-3.7]
    for player, seat in enumerate(table.seats):
        part = group(root, "hand", data_player=PLAYERS[player], opacity=1 if seat.status != "out" else 0.5)
        draw_seat(part, seat, PLAYERS[player], (left, top + SEAT * player), (int(options["points_to_win"]), limit))
        draw_notes(part, table, player, left + PANEL, top + SEAT * player + 8)
    y = top + SEAT * len(table.seats) + 8
    part = group(root, "deck")
    words(svg.lettering(part, "words"), left, y, f"supply {table.supply}, discard {len(table.discard)}")
    draw_heaps(part, [(str(k), table.discard.count(str(k))) for k in range(1, 10)], left, y + 20, 25)
    svg.draw_order(part, table.order, left, y + 40)


def draw_seat(part: ET.Element, seat: Seat, player: str, corner: tuple[float, float], limits: tuple[int, int]) -> None:
    """What a player has: points, hand and penalty tiles, a row each."""
    (left, top), (to_win, out_at) = corner, limits
    svg.draw_token(part, player, left + 8, top + 8)
    names = svg.lettering(part, "words")
    words(names, left + 22, top + 8, f"{seat.points} of {count_of(to_win, 'point')}")
    words(names, left, top + 31, "hand")
    hand = group(part, "tiles")
    for k, number in enumerate(seat.hand):
        draw_tile(hand, player, number, left + LABEL + (HELD[0] + 2) * k, top + 31, HELD)
    words(names, left, top + 54, "penalty")
    draw_penalties(part, player, seat.penalties, left + LABEL, top + 54)
    words(names, left + PANEL, top + 54, f"{len(seat.penalties)}/{out_at}", text_anchor="end")


def draw_penalties(part: ET.Element, player: str, tiles: str, left: float, y: float) -> None:
    """Penalty tiles, side by side if they are few."""
    penalties = group(part, "penalties")
    heaps = len(tiles) > APART
    for k, number in enumerate(sorted(set(tiles)) if heaps else tiles):
        if number == "?":
            draw_tile(penalties, player, number, left + (TILE[0] + 2) * k, y, TILE)
        else:
            draw_number(penalties, number, left + (TILE[0] + 2) * k, y)
        if heaps:
            count = group(penalties, "counts", font_family="sans-serif", font_size=7, text_anchor="middle")
            words(count, left + (TILE[0] + 2) * k + TILE[0] / 2, y + 13, str(tiles.count(number)), fill=INK)


def draw_number(part: ET.Element, number: str, left: float, y: float, opacity: float = 1) -> None:
    """A tile that belongs to nobody any more, or is a penalty tile: its number on white."""
    width, height = TILE
    tile = group(part, "tile", data_face="up", font_family="sans-serif", font_size=11, font_weight="bold",
                 text_anchor="middle", opacity=opacity)  # fmt: skip
    add(tile, "rect", x=left, y=y - height / 2, width=width, height=height, rx=2, fill=HALO, stroke=INK,
        stroke_width=0.75)  # fmt: skip
    words(tile, left + width / 2, y, number, fill=INK)


def draw_heaps(part: ET.Element, heaps: Sequence[tuple[str, int]], left: float, y: float, step: float) -> None:
    """How many tiles there are of each number."""
    shown = group(part, "counts", font_family="sans-serif", font_size=8)
    for k, (number, count) in enumerate(heaps):
        draw_number(shown, number, left + step * k, y, 1 if count else 0.25)
        if count:
            words(shown, left + step * k + TILE[0] + 1.5, y + 4, str(count), fill=INK)


def draw_notes(part: ET.Element, table: Table, player: int, right: float, y: float) -> None:
    """What else is known of a player, at the right end of his first row."""
    notes = [table.seats[player].status] if table.seats[player].status != "in" else []
    notes += ["start"] if player == table.start else []
    notes += ["next start"] if player == table.next_start != table.start else []
    if notes:
        words(
            svg.lettering(part, "notes", svg.SMALL, text_anchor="end", font_style="italic"), right, y, ", ".join(notes)
        )
