"""How Blokus is played: where a colour can place, why it cannot, and what that is worth.

The contract is sections 1 to 3 of `cpp/games/blokus/RULES.md`; what a module of rules offers is in `blokus.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ziggurat.reference.blokus_board import Board, board_of
from ziggurat.reference.blokus_options import Options, full_hand, layout, starts_of
from ziggurat.reference.blokus_pieces import Move, squares_in


@dataclass(frozen=True)
class State:
    """A position: the colour on each cell, the colour to move, and what each colour has left and has done.

    A hand has its pieces in the order of BK-1.3, those that it holds twice side by side.
    """

    options: Options
    board: tuple[int | None, ...]
    side: int
    hands: tuple[tuple[str, ...], ...]
    passed: frozenset[int] = frozenset()
    single: frozenset[int] = frozenset()


def board(s: State) -> Board:
    """The board without its squares."""
    return board_of(s.options.board)


def is_first(s: State, colour: int) -> bool:
    """Whether a colour has placed nothing yet."""
    return s.hands[colour] == full_hand(s.options)


def own_starts(s: State, colour: int) -> set[int]:
    """[BK-2.1] The start squares that a colour may use, occupied or not."""
    starts = starts_of(s.options)
    return {starts[colour]} if s.options.start == "own_corner" else set(starts)


def squares(s: State, colour: int) -> set[int]:
    """The cells that hold a square of a colour."""
    return {cell for cell, owner in enumerate(s.board) if owner == colour}


def usable_cells(s: State, colour: int) -> set[int]:
    """[BK-2.2] The empty cells that share no edge with a square of the colour."""
    edges = board(s).edges
    beside = {neighbour for cell in squares(s, colour) for neighbour in edges[cell]}
    return {cell for cell, owner in enumerate(s.board) if owner is None and cell not in beside}


def contact_cells(s: State, colour: int) -> set[int]:
    """[BK-2.1] [BK-2.2] The usable cells of which a placement must cover one."""
    if is_first(s, colour):
        return own_starts(s, colour) & usable_cells(s, colour)
    corners = board(s).corners
    return {corner for cell in squares(s, colour) for corner in corners[cell]} & usable_cells(s, colour)


def fitting(s: State, colour: int) -> Iterator[int]:
    """The placements of a colour, in any order: one comes up as often as it covers contact cells."""
    places, hand, usable = layout(s.options), set(s.hands[colour]), usable_cells(s, colour)
    for contact in contact_cells(s, colour):
        for action in places.covering[contact]:
            piece, _, cells = places.placements[action]
            if piece in hand and usable.issuperset(cells):
                yield action


def placements(s: State, colour: int) -> list[int]:
    """[BK-2.1] [BK-2.2] The placements of a colour, as if it were its turn, ascending."""
    return sorted(set(fitting(s, colour)))


def can_place(s: State, colour: int) -> bool:
    """[BK-2.4] Whether a colour has a placement: once it has none it never will again."""
    return any(True for _ in fitting(s, colour))


def is_terminal(s: State) -> bool:
    """[BK-2.5] Whether the game is over: no colour can place."""
    return not any(can_place(s, colour) for colour in in_order(s))


def in_order(s: State) -> list[int]:
    """The colours, from the one to move on."""
    return [*range(s.side, s.options.colours), *range(s.side)]


def place(s: State, move: Move) -> State:
    """The state after a placement of the colour to move, who is still to move."""
    cells, hand = list(s.board), list(s.hands[s.side])
    for cell in move.cells:
        cells[cell] = s.side
    hand.remove(move.piece)
    return replace(
        s,
        board=tuple(cells),
        hands=(*s.hands[: s.side], tuple(hand), *s.hands[s.side + 1 :]),
        single=s.single | {s.side} if not hand and move.piece == "1" else s.single,  # [BK-5.5]
    )


def next_in_order(s: State) -> State:
    """[BK-5.2] The state with the colour to move that comes after the one that has acted."""
    return replace(s, side=(s.side + 1) % s.options.colours)


def next_able(s: State) -> State:
    """[BK-2.3] [BK-5.2] In `skip`: the same, but colours that cannot place are left out; the last one may go on."""
    after = next_in_order(s)
    for colour in in_order(after):
        if can_place(s, colour):
            return replace(after, side=colour)
        after = replace(after, passed=after.passed | {colour})  # [BK-5.4]
    return after


def player_of(s: State, colour: int) -> int:
    """[BK-1.5] The player who plays a colour now."""
    if s.options.sharing == "pairs":
        return colour % 2
    if s.options.sharing == "fourth" and colour == 3:
        return (len(full_hand(s.options)) - len(s.hands[colour])) % 3
    return colour


def score(s: State, colour: int) -> int:
    """The score of a colour."""
    left = squares_in(s.hands[colour])
    if left or s.options.scoring == "basic":
        return -left  # [BK-3.2]
    return 20 if colour in s.single else 15  # [BK-3.1]


def placement_fault(s: State, move: Move) -> str:
    """Why the colour to move cannot place a piece so; empty if it can."""
    texts = board(s).texts
    if move.piece not in s.hands[s.side]:
        return f"[BK-1.3] {move.piece} has been placed"
    for cell in move.cells:
        if s.board[cell] is not None:
            return f"[BK-2.2] {texts[cell]} is not empty"
    for cell in move.cells:
        if touches(s, board(s).edges[cell]):
            return f"[BK-2.2] {texts[cell]} shares an edge with an own piece"
    return contact_fault(s, move)


def contact_fault(s: State, move: Move) -> str:
    """Why a piece of the colour to move cannot lie on cells that it may use."""
    if is_first(s, s.side):
        covered = own_starts(s, s.side).intersection(move.cells)
        return "" if covered else "[BK-2.1] the first piece covers no start square"
    touched = any(touches(s, board(s).corners[cell]) for cell in move.cells)
    return "" if touched else "[BK-2.2] no own piece is touched at a corner"


def touches(s: State, neighbours: list[int]) -> bool:
    """Whether one of some cells holds a square of the colour to move."""
    return any(s.board[cell] == s.side for cell in neighbours)


def pass_fault(s: State) -> str:
    """Why the colour to move cannot pass."""
    if can_place(s, s.side):
        return "[BK-2.3] there is a placement"
    return "the game is over" if is_terminal(s) else ""
