"""How positions of Blokus are seen: observation planes, symmetries, analyses and tables.

The contract is sections 6, 8 and 9 of `cpp/games/blokus/RULES.md`; how the game is played is in `blokus_play.py`.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import product
from struct import pack, unpack

from ziggurat.reference.blokus_board import board_of
from ziggurat.reference.blokus_options import Options, colours_of, layout, starts_of
from ziggurat.reference.blokus_pieces import ORIENTATIONS, PIECES, Move
from ziggurat.reference.blokus_play import (
    State,
    board,
    contact_cells,
    is_terminal,
    placements,
    player_of,
    squares,
    usable_cells,
)

# Observation planes, section 6.


def observation_shape(options: Options) -> tuple[int, ...]:
    """The shape of an observation: colours, contact cells, usable cells, hands, status."""
    return (options.colours + 3 + hand_planes(options), options.board, options.board)


def hand_planes(options: Options) -> int:
    """The number of planes that the hands need."""
    entries, cells = len(PIECES) * options.colours * options.copies, options.board**2
    return (entries + cells - 1) // cells


def observe(s: State, viewer: int) -> list[float]:
    """The planes seen by a player, in C order (plane, row, column)."""
    base, colours = base_colour(s, viewer), colours_of(s.options)
    relative = [(base + k) % len(colours) for k in colours]
    planes = [*(squares(s, colour) for colour in relative), contact_cells(s, base), usable_cells(s, base)]
    hands, status = hand_entries(s, relative), status_entries(s, relative)
    size, first = s.options.board**2, len(planes)
    ones = {size * plane + cell for plane, cells in enumerate(planes) for cell in cells}
    ones |= {size * first + entry for entry in hands}
    ones |= {size * (first + hand_planes(s.options)) + entry for entry in status}
    return [float(i in ones) for i in range(size * (first + hand_planes(s.options) + 1))]


def observe_compact(s: State, viewer: int) -> list[float]:
    """The same in one row: the planes of squares and cells, then the entries of the hands and of the status."""
    base, colours = base_colour(s, viewer), colours_of(s.options)
    relative = [(base + k) % len(colours) for k in colours]
    planes = [*(squares(s, colour) for colour in relative), contact_cells(s, base), usable_cells(s, base)]
    hands, status = hand_entries(s, relative), status_entries(s, relative)
    row = [cell in cells for cells in planes for cell in range(s.options.board**2)]
    row += [entry in hands for entry in range(len(PIECES) * len(colours) * s.options.copies)]
    row += [entry in status for entry in range(3 * len(colours))]
    return [float(value) for value in row]


def base_colour(s: State, viewer: int) -> int:
    """The colour to move if the viewer plays it, else the one with his number; after the end no colour is to move."""
    return s.side if not is_terminal(s) and player_of(s, s.side) == viewer else viewer


def hand_entries(s: State, relative: list[int]) -> set[int]:
    """The entries of the list of hands that are 1."""
    return {
        len(PIECES) * (len(relative) * copy + k) + piece
        for copy in range(s.options.copies)
        for k, colour in enumerate(relative)
        for piece, name in enumerate(PIECES)
        if s.hands[colour].count(name) > copy
    }


def status_entries(s: State, relative: list[int]) -> set[int]:
    """The cells of the status that are 1: who is to move, who has passed, who is marked single."""
    number = len(relative)
    to_move = set() if is_terminal(s) else {relative.index(s.side)}
    passed = {number + k for k, colour in enumerate(relative) if colour in s.passed}
    return to_move | passed | {2 * number + k for k, colour in enumerate(relative) if colour in s.single}


# Symmetries, section 8.


@cache
def symmetries(options: Options) -> list[tuple[int, int]]:
    """[BK-8.2] The symmetries in order: (renaming of the colours, symmetry of the board)."""
    return [pair for pair in product(colours_of(options), range(8)) if is_symmetry(options, *pair)]


def is_symmetry(options: Options, t: int, j: int) -> bool:
    """[BK-8.1] Whether the rules are the same after renaming by t and moving by j."""
    starts = starts_of(options)
    moved = [board_of(options.board).image(start, j) for start in starts]
    if options.sharing == "fourth" and t:
        return False
    if options.start == "any_corner":
        return set(moved) == set(starts)
    return all(cell == starts[(colour + t) % len(starts)] for colour, cell in enumerate(moved))


def transform(s: State, k: int) -> State:
    """[BK-8.1] A state seen through a symmetry."""
    t, j = symmetries(s.options)[k]
    number = s.options.colours
    cells: list[int | None] = [None] * len(s.board)
    for cell, colour in enumerate(s.board):
        cells[board(s).image(cell, j)] = None if colour is None else (colour + t) % number
    return replace(
        s,
        board=tuple(cells),
        side=(s.side + t) % number,
        hands=tuple(s.hands[(colour - t) % number] for colour in range(number)),
        passed=frozenset((colour + t) % number for colour in s.passed),
        single=frozenset((colour + t) % number for colour in s.single),
    )


def transform_action(options: Options, action: int, k: int) -> int:
    """[BK-8.1] An action seen through a symmetry."""
    places, (_, j) = layout(options), symmetries(options)[k]
    if action == places.pass_id:
        return action
    return places.ids[tuple(sorted(places.board.image(cell, j) for cell in places.placements[action].cells))]


# Analyses, section 9: flat lists in C order.


def moves(s: State, colour: int) -> list[Move]:
    """The placements of a colour as if it were its turn; one that is marked as passed has none left ([BK-2.4])."""
    return [layout(s.options).placements[action] for action in placements(s, colour)]


def mobility(s: State) -> list[int]:
    """[BK-9.1] How many placements each colour has."""
    return [len(moves(s, colour)) for colour in colours_of(s.options)]


def by_piece(s: State) -> list[int]:
    """[BK-9.1] How many placements of each piece."""
    counts = [Counter(move.piece for move in moves(s, colour)) for colour in colours_of(s.options)]
    return [count[piece] for count in counts for piece in PIECES]


def by_orientation(s: State) -> list[int]:
    """[BK-9.1] How many placements of each orientation of each piece."""
    counts = [Counter((move.piece, move.orientation) for move in moves(s, colour)) for colour in colours_of(s.options)]
    return [count[orientation] for count in counts for orientation in ORIENTATIONS]


def by_cell(s: State) -> list[int]:
    """[BK-9.1] How many placements cover each cell."""
    counts = [Counter(cell for move in moves(s, colour) for cell in move.cells) for colour in colours_of(s.options)]
    return [count[cell] for count in counts for cell in board(s).cells]


def marked(s: State, cells_of: Callable[[State, int], Iterable[int]]) -> list[int]:
    """1 at some cells of each colour, 0 elsewhere."""
    marks = [set(cells_of(s, colour)) for colour in colours_of(s.options)]
    return [int(cell in mark) for mark in marks for cell in board(s).cells]


def contacts(s: State) -> list[int]:
    """[BK-9.2] The contact cells of each colour."""
    return marked(s, contact_cells)


def reachable_corners(s: State) -> list[int]:
    """[BK-9.2] The contact cells that some placement covers."""
    return [int(contact and count > 0) for contact, count in zip(contacts(s), by_cell(s), strict=True)]


def territory(s: State) -> list[int]:
    """[BK-9.3] The cells that each colour might still cover."""
    return marked(s, territory_of)


def territory_of(s: State, colour: int) -> set[int]:
    """[BK-9.3] What is reached from the contact cells over usable cells, by edges and corners."""
    if colour in s.passed or not s.hands[colour]:
        return set()
    usable, reached = usable_cells(s, colour), set[int]()
    edge = contact_cells(s, colour)
    while edge:
        reached |= edge
        near = {cell for at in edge for cell in (*board(s).edges[at], *board(s).corners[at])}
        edge = near & usable - reached
    return reached


def influence(s: State) -> list[float]:
    """[BK-9.4] The share of each colour in the placements that cover a cell, as numbers of 32 bits."""
    counts, size = by_cell(s), len(s.board)
    sums = [sum(counts[cell::size]) for cell in range(size)]
    return [float32(count / sums[i % size]) if count else 0.0 for i, count in enumerate(counts)]


def float32(value: float) -> float:
    """The nearest number of 32 bits."""
    nearest: float = unpack("f", pack("f", value))[0]
    return nearest


ANALYSES: dict[str, Callable[[State], list[int] | list[float]]] = {
    "mobility": mobility,
    "by_piece": by_piece,
    "by_orientation": by_orientation,
    "by_cell": by_cell,
    "contacts": contacts,
    "reachable_corners": reachable_corners,
    "territory": territory,
    "influence": influence,
}


# Tables, section 9: flat lists in C order. The pass comes last.


def action_parts(options: Options) -> list[int]:
    """[BK-9.5] Piece, orientation among those of the piece, and first cell of each placement."""
    parts = [(PIECES.index(move.piece), move.orientation, move.cells[0]) for move in layout(options).placements]
    return [number for part in [*parts, (-1, -1, -1)] for number in part]


def action_squares(options: Options) -> list[int]:
    """[BK-9.5] The cells of each placement, filled up to five."""
    cells = [*(move.cells for move in layout(options).placements), ()]
    return [cell for listed in cells for cell in (*listed, *[-1] * (5 - len(listed)))]


def action_planes(options: Options) -> list[int]:
    """[BK-9.5] The place of each placement among all orientations and first cells."""
    moves = layout(options).placements
    first = {orientation: options.board**2 * i for i, orientation in enumerate(ORIENTATIONS)}
    return [*(first[move.piece, move.orientation] + move.cells[0] for move in moves), -1]


def plane_actions(options: Options) -> list[int]:
    """[BK-9.5] The placement of each orientation and first cell."""
    found = {plane: action for action, plane in enumerate(action_planes(options)) if plane >= 0}
    return [found.get(plane, -1) for plane in range(len(ORIENTATIONS) * options.board**2)]


def piece_orientations(options: Options) -> list[int]:
    """[BK-9.5] Where the orientations of each piece begin, and their number."""
    pieces = [piece for piece, _ in ORIENTATIONS]
    return [*(pieces.index(piece) for piece in PIECES), len(pieces)]


TABLES: dict[str, Callable[[Options], list[int]]] = {
    "action_parts": action_parts,
    "action_squares": action_squares,
    "action_planes": action_planes,
    "plane_actions": plane_actions,
    "piece_orientations": piece_orientations,
}
