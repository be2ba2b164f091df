"""What is legal in Blox.

The contract is sections 2 to 5 of `cpp/games/blox/RULES.md`; the clauses are cited where they are followed.
`legal_moves` looks for what can be done, `fault` says of one action why it cannot: they are written apart.
What a turn does is in `blox_turns.py`.
"""

from collections.abc import Iterator
from dataclasses import replace

from ziggurat.reference.blox_actions import Kind, Move
from ziggurat.reference.blox_board import COLOURS, Line
from ziggurat.reference.blox_reach import (
    ahead,
    buildable,
    built_height,
    can_be_built,
    capturable,
    demolishable,
    enterable,
    entry_lines,
    least_height,
    line_of,
    pay_fault,
    stops,
)
from ziggurat.reference.blox_state import State, cards_played, chosen, in_turn, joker_played


def is_terminal(s: State) -> bool:
    """[BX-4.1] [BX-4.2] Whether the game is over."""
    return round_is_over(s) or limit_reached(s)


def round_is_over(s: State) -> bool:
    """[BX-4.1] Whether the end was triggered and all have had equally many turns."""
    return s.ending and s.seat == 0


def limit_reached(s: State) -> bool:
    """[BX-4.2] Whether as many turns have been played as there may be."""
    return 0 < s.options.max_turns <= s.turns


def legal_moves(s: State) -> Iterator[Move]:
    """The legal actions."""
    if is_terminal(s):
        return
    if in_turn(s):
        yield from (move for move in next_steps(s) if not fault(s, move))
        return
    for move in steps(s):
        if not pay_fault(s, move):
            yield move
    for rank, field in enumerate(s.own.pawns):
        start = Move(Kind.BUILD, rank=rank)
        if buildable(s, field) and can_be_built(replace(s, turn=(start,))):
            yield start
    yield from (Move(Kind.SWAP, colour=colour) for colour in COLOURS if s.own.hand[colour])


def steps(s: State) -> Iterator[Move]:
    """The turns of one action that the board allows, whatever they cost."""
    for joker in (False, True):
        yield from (Move(Kind.ENTER, joker, field=field) for field in enterable(s, s.seat))
        for rank, field in enumerate(s.own.pawns):
            for way, line in enumerate(s.grid.lines[field]):
                yield from along(s, line, Move(Kind.MOVE, joker, rank=rank, direction=way))


def along(s: State, line: Line, move: Move) -> Iterator[Move]:
    """What a pawn can do along a line, as changes of a move."""
    yield from (move._replace(colour=colour) for colour in stops(s, line))
    if capturable(s, s.seat, line) is not None:
        yield from (move._replace(kind=Kind.CAPTURE, points=points) for points in (3, 4))
    if (field := demolishable(s, s.seat, line)) is not None:
        paid = [colour for colour in COLOURS if s.tower_at[field][colour]] if move.joker else [-1]
        yield from (move._replace(kind=Kind.DEMOLISH, colour=colour) for colour in paid)


def next_steps(s: State) -> Iterator[Move]:
    """What may go on with a begun turn."""
    for colour in COLOURS:
        yield Move(Kind.BLOCK, colour=colour)
        yield Move(Kind.BLOCK, joker=True, colour=colour)
        yield Move(Kind.SWAP, colour=colour)
    yield Move(Kind.DONE)


def fault(s: State, move: Move) -> str:
    """Why an action cannot be played; empty if it is legal."""
    if is_terminal(s):
        return "the game is over"
    if move.kind in (Kind.BLOCK, Kind.SWAP, Kind.DONE):
        return step_fault(s, move)
    if in_turn(s):
        return "[BX-5.3] a turn has been begun and must be ended first"
    if move.kind == Kind.ENTER:
        return enter_fault(s, move) or pay_fault(s, move)
    return pawn_fault(s, move)


def step_fault(s: State, move: Move) -> str:
    """Why a block or a card cannot be named, or a turn be ended."""
    if move.kind == Kind.SWAP:
        return swap_fault(s, move)
    if not in_turn(s):
        return "[BX-5.3] no turn has been begun"
    return block_fault(s, move) if move.kind == Kind.BLOCK else done_fault(s)


def pawn_fault(s: State, move: Move) -> str:
    """Why a pawn on the board cannot do something."""
    if move.rank >= len(s.own.pawns):
        return f"[BX-5.1] there are {len(s.own.pawns)} pawns on the board"
    if move.kind == Kind.BUILD:
        return build_fault(s, move)
    faults = {Kind.MOVE: move_fault, Kind.CAPTURE: capture_fault, Kind.DEMOLISH: demolish_fault}
    return faults[move.kind](s, move) or pay_fault(s, move)


def enter_fault(s: State, move: Move) -> str:
    """Why a pawn cannot enter a field."""
    if len(s.own.pawns) == s.options.pawns:
        return "[BX-3.1] there is no pawn in supply"
    if move.field in s.occupied:
        return f"[BX-3.1] {s.grid.texts[move.field]} is occupied"
    colour = s.layout.colours[move.field]
    if all(line_fault(s, line, colour, move.field) for line in entry_lines(s)):
        return (
            f"[BX-3.1] {s.grid.texts[move.field]} is on no line the first field of its colour, or an obstacle is before"
        )
    return ""


def move_fault(s: State, move: Move) -> str:
    """Why a pawn cannot go in a direction to a colour."""
    return line_fault(s, line_of(s, move), move.colour)


def line_fault(s: State, line: Line, colour: int, wanted: int | None = None) -> str:
    """[BX-3.2] Why a pawn cannot go along a line to a colour, on a field that is wanted."""
    for field in line:
        name = s.grid.texts[field]
        if s.layout.colours[field] == colour:
            if field in s.occupied:
                return f"[BX-3.2] {name}, the first field of the colour, is occupied"
            return "" if wanted in (None, field) else f"[BX-3.2] {name} is the first field of the colour"
        if field in s.occupied:
            return f"[BX-3.2] there is an obstacle on {name}"
    return "[BX-3.2] there is no field of the colour"


def capture_fault(s: State, move: Move) -> str:
    """Why no pawn can be captured in a direction."""
    between, field = ahead(s, line_of(s, move))
    if field is None or s.pawn_at.get(field, s.seat) == s.seat:
        return "[BX-3.3] no enemy pawn is the first obstacle"
    if any(s.layout.colours[field] == s.layout.colours[other] for other in between):
        return f"[BX-3.3] a field before {s.grid.texts[field]} has its colour"
    return ""


def demolish_fault(s: State, move: Move) -> str:
    """Why no tower can be demolished in a direction."""
    between, field = ahead(s, line_of(s, move))
    if field is None or field not in s.tower_at:
        return "[BX-3.4] no tower is the first obstacle"
    tower, name = s.tower_at[field], s.grid.texts[field]
    if any(tower[s.layout.colours[other]] for other in between):
        return f"[BX-3.4] a field before {name} has a colour of the tower"
    if sum(tower) > s.phase:
        return f"[BX-3.4] the tower on {name} is {sum(tower)} high, in phase {s.phase}"
    if sum(s.own.blocks) >= s.options.block_limit:
        return f"[BX-3.4] the player has {sum(s.own.blocks)} blocks, the limit is {s.options.block_limit}"
    return ""


def build_fault(s: State, move: Move) -> str:
    """Why no build can be begun."""
    field = s.own.pawns[move.rank]
    if not buildable(s, field):
        return f"[BX-3.6] a tower on {s.grid.texts[field]} would leave no access to itself or to a neighbour"
    if not can_be_built(replace(s, turn=(move,))):
        return f"[BX-3.5] there are no blocks and cards for a height of {least_height(s)}"
    return ""


def block_fault(s: State, move: Move) -> str:
    """Why a block cannot be added to a begun build."""
    last = s.turn[-1]
    if s.turn[0].kind != Kind.BUILD:
        return "[BX-5.3] no build has been begun"
    if last.kind == Kind.BLOCK and move.colour < last.colour + last.joker:
        return "[BX-5.3] blocks come in the order of colours, that of the joker last of its colour"
    return supply_fault(s, move)


def supply_fault(s: State, move: Move) -> str:
    """Why there is no block to be added, no card for it, or not enough after it."""
    if s.own.blocks[move.colour] == chosen(s)[move.colour]:
        return "[BX-3.5] there is no such block"
    if move.joker and (joker_played(s) or not s.own.joker):
        return "[BX-3.8] the joker is used up"
    if not move.joker and s.own.hand[move.colour] == cards_played(s)[move.colour]:
        return "[BX-3.5] there is no card of the colour"
    if not can_be_built(replace(s, turn=(*s.turn, move))):
        return f"[BX-5.4] a height of {least_height(s)} would be out of reach"
    return ""


def swap_fault(s: State, move: Move) -> str:
    """Why a card cannot be swapped."""
    if in_turn(s) and s.turn[0].kind != Kind.SWAP:
        return "[BX-5.3] a build has been begun"
    if in_turn(s) and move.colour < s.turn[-1].colour:
        return "[BX-5.3] cards come in the order of colours"
    if s.own.hand[move.colour] == cards_played(s)[move.colour]:
        return "[BX-3.7] there is no such card"
    return ""


def done_fault(s: State) -> str:
    """Why a begun turn cannot be ended."""
    if s.turn[0].kind == Kind.BUILD and built_height(s) < least_height(s):
        return f"[BX-5.4] the tower would be {built_height(s)} high; expected {least_height(s)}"
    return ""
