"""How positions of Blox are seen: observation planes, analyses, the arrays of a player, what is counted.

The contract is sections 8, 10 and 11 of `cpp/games/blox/RULES.md`; how the game is played is in `blox_play.py`.
"""

from collections.abc import Callable, Iterable

from ziggurat.reference.blox_actions import Kind, decode
from ziggurat.reference.blox_board import COLOURS, NONE, counted
from ziggurat.reference.blox_options import Options
from ziggurat.reference.blox_play import is_terminal, round_is_over
from ziggurat.reference.blox_reach import buildable, capturable, demolishable, enterable, stops
from ziggurat.reference.blox_state import State, chosen

# Observation planes, section 8.


def observation_shape(options: Options) -> tuple[int, ...]:
    """The shape of an observation."""
    return (36 + 10 * options.players, options.board, options.board)


def observe(s: State, viewer: int) -> list[float]:
    """The planes seen by a player, in C order (plane, row, column)."""
    planes = [[float(plane.get(field, 0)) for field in s.grid.fields] for plane in board_planes(s, viewer)]
    planes += [[float(value)] * len(s.grid.fields) for value in values(s, viewer)]
    return [value for plane in planes for value in plane]


def observe_compact(s: State, viewer: int) -> list[float]:
    """The same in one row: the fields of the planes that have them, then the values."""
    fields = [float(plane.get(field, 0)) for plane in board_planes(s, viewer) for field in s.grid.fields]
    return fields + [float(value) for value in values(s, viewer)]


def from_viewer(s: State, viewer: int) -> list[int]:
    """The seats in order from the viewer on."""
    return [(viewer + r) % s.options.players for r in range(s.options.players)]


def board_planes(s: State, viewer: int) -> list[dict[int, float]]:
    """[BX-8.1] The planes that differ from field to field, as the values of the fields that are not zero."""
    begun = {s.own.pawns[s.turn[0].rank]} if s.turn and s.turn[0].kind == Kind.BUILD else set()
    return [
        *(dict.fromkeys((f for f in s.grid.fields if s.layout.colours[f] == colour), 1.0) for colour in COLOURS),
        *({field: tower[colour] / 10 for field, tower in s.towers} for colour in COLOURS),
        dict.fromkeys(begun, 1.0),
        *(dict.fromkeys(s.seats[seat].pawns, 1.0) for seat in from_viewer(s, viewer)),
    ]


def values(s: State, viewer: int) -> list[float]:
    """[BX-8.2] The values of the planes that have one value in all fields."""
    options, order = s.options, from_viewer(s, viewer)
    seats = [s.seats[seat] for seat in order]
    blocks, cards = chosen(s, (Kind.BLOCK,)), chosen(s, (Kind.SWAP,))
    jokers = counted(move.colour for move in s.turn if move.joker)
    return [
        *(number / options.hand for number in seats[0].hand),
        *(number / 10 for seat in seats for number in seat.blocks),
        *(seat.joker for seat in seats),
        *((options.pawns - len(seat.pawns)) / options.pawns for seat in seats),
        *(seat.points / (seat.points + 100) for seat in seats),
        *(number / options.cards_per_colour for number in s.discard),
        len(s.deck) / (4 * options.cards_per_colour),
        *(s.phase == phase for phase in range(1, 5)),
        s.ending,
        *(seat == s.seat and not is_terminal(s) for seat in order),
        *(viewer == seat for seat in range(options.players)),
        *(number / 10 for number in blocks),
        *jokers,
        *(number / 5 for number in cards),
        s.turns / options.max_turns if options.max_turns else 0,
    ]


# Analyses, section 10: flat lists in C order.


def colours(s: State) -> list[int]:
    """[BX-10.1] The colour of each field."""
    return list(s.layout.colours)


def towers(s: State) -> list[int]:
    """[BX-10.1] The blocks of each colour on each field."""
    return [s.tower_at.get(field, NONE)[colour] for colour in COLOURS for field in s.grid.fields]


def pawns(s: State) -> list[int]:
    """[BX-10.1] Whose pawn stands on each field."""
    return [s.pawn_at.get(field, -1) for field in s.grid.fields]


def blocks(s: State) -> list[int]:
    """[BX-10.1] The blocks in front of each seat."""
    return [number for seat in s.seats for number in seat.blocks]


ANALYSES: dict[str, Callable[[State], list[int]]] = {
    "colours": colours,
    "towers": towers,
    "pawns": pawns,
    "blocks": blocks,
}

TABLES: dict[str, Callable[[Options], list[int]]] = {}


# Arrays of a player, section 10: flat lists in C order.


def marked(s: State, fields: Iterable[int | None]) -> list[int]:
    """1 at some fields, 0 elsewhere."""
    marks = set(fields)
    return [int(field in marks) for field in s.grid.fields]


def lines(s: State, player: int) -> list[tuple[int, ...]]:
    """The lines from the pawns of a player, by rank and direction."""
    return [line for field in s.seats[player].pawns for line in s.grid.lines[field]]


def view_enterable(s: State, player: int) -> list[int]:
    """[BX-10.2] The fields that a pawn can enter."""
    return marked(s, enterable(s, player))


def view_reachable(s: State, player: int) -> list[int]:
    """[BX-10.2] The fields that a pawn can enter or move to."""
    moves = {field for line in lines(s, player) for field in stops(s, line).values()}
    return marked(s, enterable(s, player) | moves)


def view_capturable(s: State, player: int) -> list[int]:
    """[BX-10.2] The fields of the pawns that can be captured."""
    return marked(s, (capturable(s, player, line) for line in lines(s, player)))


def view_demolishable(s: State, player: int) -> list[int]:
    """[BX-10.2] The fields of the towers that can be demolished."""
    return marked(s, (demolishable(s, player, line) for line in lines(s, player)))


def view_buildable(s: State, player: int) -> list[int]:
    """[BX-10.2] The fields of the pawns that a tower may replace."""
    return marked(s, (field for field in s.seats[player].pawns if buildable(s, field)))


def view_destinations(s: State, player: int) -> list[int]:
    """[BX-10.2] Where a move ends, for each rank, direction and colour."""
    ends = [stops(s, line).get(colour, -1) for line in lines(s, player) for colour in COLOURS]
    return ends + [-1] * (s.options.pawns * 16 - len(ends))


def view_hand(s: State, player: int) -> list[int]:
    """[BX-10.2] The cards of a player."""
    return list(s.seats[player].hand)


VIEWS: dict[str, Callable[[State, int], list[int]]] = {
    "enterable": view_enterable,
    "reachable": view_reachable,
    "capturable": view_capturable,
    "demolishable": view_demolishable,
    "buildable": view_buildable,
    "destinations": view_destinations,
    "hand": view_hand,
}


# Counters, section 11.

OPENINGS = {
    Kind.ENTER: "enter",
    Kind.MOVE: "move",
    Kind.CAPTURE: "capture",
    Kind.DEMOLISH: "demolish",
    Kind.BUILD: "build",
    Kind.SWAP: "swap",
}
COUNTERS = (*OPENINGS.values(), "joker", "phase_1", "phase_2", "phase_3", "phase_4", "limit")


def count_action(s: State, action: int) -> list[str]:
    """What is counted when an action is played: at the first of a turn its kind and the phase, and jokers."""
    move = decode(s.options, action)
    begun = [] if s.turn else [OPENINGS[move.kind], f"phase_{s.phase}"]
    return [*begun, "joker"] if move.joker else begun


def count_end(s: State) -> list[str]:
    """What is counted at the end of a game: whether the limit of turns was it."""
    return [] if round_is_over(s) else ["limit"]
