"""How positions of Numberplace City are seen: observation planes, analyses, the arrays of a player, what is counted.

The contract is sections 9, 11 and 13 of `cpp/games/numberplace_city/RULES.md`; how the game is played is in
`numberplace_city_turns.py`.
"""

from collections.abc import Callable

from ziggurat.reference.numberplace_city_actions import Kind, decode
from ziggurat.reference.numberplace_city_board import CELLS, NUMBERS, contradicting, with_tiles
from ziggurat.reference.numberplace_city_hidden import sees_laid, sees_penalties
from ziggurat.reference.numberplace_city_options import (
    HAND,
    Options,
    all_tiles,
    area_of,
    eliminating,
    table_areas,
    table_exclusive,
)
from ziggurat.reference.numberplace_city_reveal import line_points
from ziggurat.reference.numberplace_city_state import (
    State,
    free_cells,
    how_ended,
    is_final,
    is_in,
    is_terminal,
    players,
    to_move,
)

# Observation planes, section 9.

MOST_LAID = 4


def observation_shape(options: Options) -> tuple[int, ...]:
    """The shape of an observation: the planes of [NC-9.1] and [NC-9.2]."""
    return (60 + 20 * options.players, 9, 9)


def observe(s: State, viewer: int) -> list[float]:
    """The planes seen by a player, in C order (plane, row, column)."""
    planes = [[min(1.0, plane.get(cell, 0)) for cell in CELLS] for plane in board_planes(s, viewer)]
    planes += [[min(1.0, float(value))] * len(CELLS) for value in values(s, viewer)]
    return [value for plane in planes for value in plane]


def observe_compact(s: State, viewer: int) -> list[float]:
    """The same in one row: the cells of the planes that have them, then the values."""
    cells = [plane.get(cell, 0) for plane in board_planes(s, viewer) for cell in CELLS]
    return [min(1.0, float(value)) for value in (*cells, *values(s, viewer))]


def from_viewer(s: State, viewer: int) -> list[int]:
    """The seats in order from the viewer on."""
    return [(viewer + r) % s.options.players for r in players(s)]


def board_planes(s: State, viewer: int) -> list[dict[int, float]]:
    """[NC-9.1] The planes that differ from cell to cell, as the values of the cells that are not zero."""
    order = from_viewer(s, viewer)
    nothing: list[dict[int, float]] = [{} for _ in range(MOST_LAID - len(s.laid))]
    return [
        *({cell: 1.0 for cell in CELLS if s.board[cell] == number} for number in NUMBERS),
        *(dict.fromkeys(area_of(s.options, seat), 1.0) for seat in order),
        *({tile.cell: laid_on(s, seat, tile.cell) / 2 for tile in s.laid} for seat in order),
        *({tile.cell: 1.0} for tile in s.laid),
        *nothing,
        *({tile.cell: tile.number / 9 if sees_laid(s, viewer, tile) else 0.0} for tile in s.laid),
        *nothing,
    ]


def laid_on(s: State, player: int, cell: int) -> int:
    """How many laid tiles of a player lie on a cell."""
    return sum(tile.player == player and tile.cell == cell for tile in s.laid)


def values(s: State, viewer: int) -> list[float]:
    """[NC-9.2] The values of the planes that have one value in all cells."""
    options, order = s.options, from_viewer(s, viewer)
    seats = [s.seats[seat] for seat in order]
    seen = [s.seats[seat].penalties if sees_penalties(s, viewer, seat) else () for seat in order]
    return [
        *(seats[0].hand.count(number) / HAND for number in NUMBERS),
        *(len(seat.hand) / HAND for seat in seats),
        *(penalties.count(number) / 9 for penalties in seen for number in NUMBERS),
        *(len(seat.penalties) / eliminating(options) for seat in seats),
        *(seat.points / options.points_to_win for seat in seats),
        *(is_in(s, seat) for seat in order),
        *(s.seats[seat].status == "passed" for seat in order),
        *(seat == s.start for seat in order),
        *(seat == (s.start if s.next_start is None else s.next_start) for seat in order),
        *(seat == to_move(s) and not is_terminal(s) for seat in order),
        *(viewer == seat for seat in players(s)),
        *(s.place == place and not is_terminal(s) for place in range(4)),
        *(s.bonus is not None and s.bonus.number == number for number in NUMBERS),
        *(s.bonus is not None and s.bonus.effect == number for number in NUMBERS),
        *(s.discard.count(number) / options.tiles_per_number for number in NUMBERS),
        len(s.supply) / len(all_tiles(options)),
        is_final(s),
        s.turns / options.max_turns if options.max_turns else 0,
    ]


# Analyses, section 11: flat lists in C order.


def built(s: State) -> list[int]:
    """[NC-11.1] The number of the built tile on each cell."""
    return list(s.board)


def laid(s: State) -> list[int]:
    """[NC-11.1] How many laid tiles of each seat lie on each cell."""
    return [laid_on(s, seat, cell) for seat in players(s) for cell in CELLS]


def penalties(s: State) -> list[int]:
    """[NC-11.1] How many penalty tiles each seat has."""
    return [len(seat.penalties) for seat in s.seats]


ANALYSES: dict[str, Callable[[State], list[int]]] = {"built": built, "laid": laid, "penalties": penalties}
TABLES: dict[str, Callable[[Options], list[int]]] = {"areas": table_areas, "exclusive": table_exclusive}


# Arrays of a player, section 11: flat lists in C order.


def view_layable(s: State, player: int) -> list[int]:
    """[NC-11.2] The cells of his area without a built tile."""
    free = free_cells(s, player)
    return [int(cell in free) for cell in CELLS]


def view_candidates(s: State, player: int) -> list[int]:
    """[NC-11.2] Where he may lay a number and no built tile of it shares a line, number by number."""
    free = free_cells(s, player)
    return [int(cell in free and not contradicting(s.board, cell, number)) for number in NUMBERS for cell in CELLS]


def view_gain(s: State, player: int) -> list[int]:
    """[NC-11.2] The points for the lines that a tile would fill, cell by cell."""
    free = free_cells(s, player)
    # Which number is built there does not matter: a 1 stands for all.
    return [line_points(s, player, with_tiles(s.board, {cell: 1}), cell) if cell in free else 0 for cell in CELLS]


def view_hand(s: State, player: int) -> list[int]:
    """[NC-11.2] His tiles of each number."""
    return [s.seats[player].hand.count(number) for number in NUMBERS]


def view_facedown(s: State, player: int) -> list[int]:
    """[NC-11.2] His laid tiles of each number on each cell."""
    tiles = [(tile.number, tile.cell) for tile in s.laid if tile.player == player]
    return [tiles.count((number, cell)) for number in NUMBERS for cell in CELLS]


def view_taken(s: State, player: int) -> list[int]:
    """[NC-11.2] His penalty tiles of each number."""
    return [s.seats[player].penalties.count(number) for number in NUMBERS]


VIEWS: dict[str, Callable[[State, int], list[int]]] = {
    "layable": view_layable,
    "candidates": view_candidates,
    "gain": view_gain,
    "hand": view_hand,
    "facedown": view_facedown,
    "taken": view_taken,
}


# Counters, section 13.

ENDS = ("points", "area", "bonus", "last", "nobody", "count")
COUNTERS = (
    "lay",
    "pass",
    *(f"bonus_{number}" for number in NUMBERS),
    "declined",
    "built",
    "penalties",
    "eliminated",
    *(f"end_{how}" for how in ENDS),
    "limit",
)


def count_action(s: State, action: int) -> list[str]:
    """What is counted when an action is played: the kind of a turn, a bonus effect used or declined."""
    kind = decode(s.options, action).kind
    if s.bonus is None:
        return ["lay" if kind == Kind.LAY else "pass"]
    return ["declined" if kind == Kind.DECLINE else f"bonus_{s.bonus.number}"]


def count_end(s: State) -> list[str]:
    """What is counted at the end of a game: tiles on the board and in front of players, who is out, how it ended."""
    how = how_ended(s)
    return [
        *("built" for number in s.board if number),
        *("penalties" for seat in s.seats for _ in seat.penalties),
        *("eliminated" for player in players(s) if not is_in(s, player)),
        "limit" if how == "limit" else f"end_{how}",
    ]
