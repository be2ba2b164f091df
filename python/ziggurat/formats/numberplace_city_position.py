"""What a drawing of Numberplace City knows of a position: what all players see, or one of them, or an umpire.

It is read through the public methods of a state: the information states of players (RULES NC-8.5), which hold `?` for
each tile that they do not see, and for an umpire the position text (NC-8.1).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ziggurat.formats.svg import Position, Wishes, numbers, seen_fields

SIDE = 9
CELLS = SIDE * SIDE

LAY = re.compile(r"(r\dc\d)=(\d)")  # [NC-7] the texts of actions
REMOVE = re.compile(r"remove=(r\dc\d)")
PASS = re.compile(r"pass=\d")


@dataclass(frozen=True)
class Tile:
    """A laid tile; its number is `?` where it is not seen."""

    player: int
    cell: int
    number: str


@dataclass(frozen=True)
class Seat:
    """A player: tiles are digits, or `?` where they are not seen."""

    points: int
    hand: str
    penalties: str
    status: str  # in, passed or out


@dataclass(frozen=True)
class Table:
    """A position."""

    built: tuple[str, ...]  # of each cell, a digit or empty
    areas: tuple[tuple[int, ...], ...]  # of each block, the players whose area has it
    laid: tuple[Tile, ...]  # in laying order
    seats: tuple[Seat, ...]
    supply: int
    order: str  # of the supply, from its front, as far as it is seen
    discard: str
    start: int
    next_start: int
    side: int  # who is to move; negative after the end
    bonus: str  # [NC-8.3] `<seat>:<number>`, and with n where there are several; or empty
    end: str  # [NC-8.3] how the game ended by its rules, or empty


def read(state: Position, wishes: Wishes) -> Table:
    """The position of a state, as the wished eyes see it."""
    fields = seen_fields(state, wishes)
    if wishes.player is None and not wishes.secrets:
        fields = seen_by_all(state)
    board, laid, seats, supply, discard, start, _, bonus, end, _ = ("" if f == "-" else f for f in fields)
    starts = [int(seat) for seat in start.split(">")]
    return Table(
        built=tuple("" if tile == "." else tile for tile in board),
        areas=areas_of(state),
        laid=tuple(map(read_tile, laid.split(",") if laid else ())),
        seats=tuple(map(read_seat, seats.split("/"))),
        supply=len(supply) if wishes.secrets else int(supply),
        order=supply if wishes.secrets else "",
        discard=discard,
        start=starts[0],
        next_start=starts[-1],
        side=state.current_player(),
        bonus=bonus,
        end=end,
    )


def seen_by_all(state: Position) -> list[str]:
    """The fields of what every player sees: what one of them does not see is `?`."""
    players = range(state.get_game().num_players())
    views = [state.information_state_string(player).split(" ", 1)[1] for player in players]
    return "".join("?" if "?" in letters else letters[0] for letters in zip(*views, strict=True)).split(" ")


def areas_of(state: Position) -> tuple[tuple[int, ...], ...]:
    """[NC-1.3] The players whose area has each block."""
    game = state.get_game()
    cells = numbers(game.table("areas"))
    corners = [3 * SIDE * (block // 3) + 3 * (block % 3) for block in range(SIDE)]
    return tuple(tuple(p for p in range(game.num_players()) if cells[CELLS * p + corner]) for corner in corners)


def read_tile(text: str) -> Tile:
    """[NC-8.1] A laid tile, such as `2:r4c5=7`."""
    player, cell, number = re.split("[:=]", text)
    return Tile(int(player), cell_of(cell), number)


def read_seat(text: str) -> Seat:
    """[NC-8.1] A player, such as `1:1337:55:in`."""
    points, hand, penalties, status = text.split(":")
    return Seat(int(points), hand.strip("-"), penalties.strip("-"), status)


def cell_of(text: str) -> int:
    """[NC-1.1] The id of a cell, such as `r4c5`."""
    return SIDE * (int(text[1]) - 1) + int(text[3]) - 1


def name_of(cell: int) -> str:
    """[NC-1.1] The text of a cell."""
    return f"r{cell // SIDE + 1}c{cell % SIDE + 1}"


def target(text: str) -> int | None:
    """The cell that an action lays a tile on, or removes one from; None for all others."""
    found = LAY.fullmatch(text) or REMOVE.fullmatch(text)
    return cell_of(found[1]) if found else None


@dataclass(frozen=True)
class Last:
    """What some actions that have been played have touched, and their texts, without numbers that are not seen."""

    cells: tuple[int, ...]
    board: bool  # was it turned?
    texts: tuple[str, ...]


def last_of(table: Table, last: Sequence[str], penalties_open: bool) -> Last:
    """What to mark; ValueError if it cannot be what has been played last.

    Laid tiles tell it as long as they lie face down. After a reveal each cell of the board can have been touched.
    """
    texts = [PASS.sub("pass=?", text) if not penalties_open else text for text in last]
    places = [k for k, text in enumerate(last) if LAY.fullmatch(text)]
    if not table.end:
        for k, tile in zip(reversed(places), reversed(table.laid), strict=False):
            texts[k] = f"{name_of(tile.cell)}={tile.number}"
            if last[k] != texts[k] and (tile.number != "?" or cell_of(last[k][:4]) != tile.cell):
                raise ValueError(f"last_action is what has been played last, not '{last[k]}': it was '{texts[k]}'")
    if last and (removed := REMOVE.fullmatch(last[-1])) and table.built[cell_of(removed[1])]:
        raise ValueError(f"last_action is what has been played last, not '{last[-1]}': a tile lies there")
    turned = [k for k, text in enumerate(last) if text.startswith("turn=")]
    since = last[turned[-1] + 1 :] if turned else last  # what lay elsewhere before the board was turned
    cells = dict.fromkeys(cell for text in since if (cell := target(text)) is not None)
    return Last(tuple(cells), bool(turned) and not cells, tuple(texts))
