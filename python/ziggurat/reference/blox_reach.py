"""Where the pieces of Blox can go, and where towers may stand, whatever it costs.

The contract is sections 2 to 4 of `cpp/games/blox/RULES.md`.
"""

from ziggurat.reference.blox_actions import Kind, Move
from ziggurat.reference.blox_board import COLOURS, NONE, Counts, Line, counted, covers, minus, one
from ziggurat.reference.blox_state import State, cards_played, chosen, joker_played

# Lines.


def stops(s: State, line: Line) -> dict[int, int]:
    """[BX-3.2] Where a pawn on its way along a line can stop: the first field of each colour before any piece."""
    found: dict[int, int] = {}
    for field in line:
        if field in s.occupied:
            break
        found.setdefault(s.layout.colours[field], field)
    return found


def ahead(s: State, line: Line) -> tuple[Line, int | None]:
    """The free fields of a line up to the first piece, and the field of this piece, if there is one."""
    for i, field in enumerate(line):
        if field in s.occupied:
            return line[:i], field
    return line, None


def colours_between(s: State, line: Line) -> set[int]:
    """The colours of the free fields of a line up to the first piece."""
    return {s.layout.colours[field] for field in ahead(s, line)[0]}


def entry_lines(s: State) -> list[Line]:
    """[BX-3.1] The lines along which a pawn may come in."""
    if s.options.entry == "outside":
        return s.grid.inwards
    return [line for field in s.grid.edge if field not in s.occupied for line in s.grid.lines[field]]


def enterable(s: State, player: int) -> set[int]:
    """[BX-3.1] [BX-5.2] The fields that a pawn of a player can enter with the right card."""
    if len(s.seats[player].pawns) == s.options.pawns:
        return set()
    return {field for line in entry_lines(s) for field in stops(s, line).values()}


def line_of(s: State, move: Move) -> Line:
    """The line in which a pawn of the player to move looks."""
    return s.grid.lines[s.own.pawns[move.rank]][move.direction]


def capturable(s: State, player: int, line: Line) -> int | None:
    """[BX-3.3] The field of the enemy pawn that could be captured along a line."""
    _, field = ahead(s, line)
    if field is None or s.pawn_at.get(field, player) == player:
        return None
    return None if s.layout.colours[field] in colours_between(s, line) else field


def demolishable(s: State, player: int, line: Line) -> int | None:
    """[BX-3.4] The field of the tower that could be demolished along a line."""
    _, field = ahead(s, line)
    if field is None or field not in s.tower_at:
        return None
    tower, between = s.tower_at[field], colours_between(s, line)
    hidden = any(tower[colour] for colour in between)
    allowed = sum(tower) <= s.phase and sum(s.seats[player].blocks) < s.options.block_limit
    return field if allowed and not hidden else None


# Building.


def buildable(s: State, field: int) -> bool:
    """[BX-3.6] Whether a tower on a field would leave access to itself and to the towers next to it."""
    towers = {*s.tower_at, field}
    watched = [near for near in s.grid.neighbours[field] if near in towers]
    watched += [field] if s.options.reach_new else []
    free = set(s.grid.fields) - towers
    if s.options.reach == "region":
        free = connected(s, free)
    return all(any(near in free for near in s.grid.neighbours[tower]) for tower in watched)


def connected(s: State, free: set[int]) -> set[int]:
    """[BX-3.6] Of the fields without towers those that are connected to the edge of the board."""
    found: set[int] = set()
    border = free & set(s.grid.edge)
    while border:
        found |= border
        border = {near for field in border for near in s.grid.neighbours[field]} & free - found
    return found


def least_height(s: State) -> int:
    """The height from which on a tower may be built in this phase; in `exact` it is the only one."""
    return s.phase + 1


def built_height(s: State) -> int:
    """The height of a begun build."""
    return sum(chosen(s, (Kind.BLOCK,)))


def highest(s: State) -> int:
    """[BX-5.4] The height that a begun build can be brought to, in the order of colours."""
    last = s.turn[-1]
    first = last.colour + last.joker if last.kind == Kind.BLOCK else 0  # [BX-5.3] after the joker another colour
    blocks, cards = minus(s.own.blocks, chosen(s)), minus(s.own.hand, cards_played(s))
    more = sum(min(blocks[colour], cards[colour]) for colour in COLOURS[first:])
    joker = s.own.joker and not joker_played(s)
    return built_height(s) + more + (joker and any(blocks[colour] > cards[colour] for colour in COLOURS[first:]))


def can_be_built(s: State) -> bool:
    """[BX-5.4] Whether a begun build can be completed."""
    return highest(s) >= least_height(s)


# Paying.


def target(s: State, move: Move) -> int:
    """The field that an action of one step leads to: of the pawn or of the piece that it meets; there is one."""
    if move.kind == Kind.ENTER:
        return move.field
    line = line_of(s, move)
    field = stops(s, line)[move.colour] if move.kind == Kind.MOVE else ahead(s, line)[1]
    assert field is not None
    return field


def price(s: State, move: Move) -> Counts:
    """[BX-3.8] The cards that an action of one step costs besides the joker."""
    field = target(s, move)
    if move.kind == Kind.DEMOLISH:
        cards, jokers_colour = s.tower_at[field], move.colour
    else:
        jokers_colour = s.layout.colours[field]
        cards = counted([jokers_colour] * (move.points if move.kind == Kind.CAPTURE else 1))
    return minus(cards, one(jokers_colour)) if move.joker else cards


def pay_fault(s: State, move: Move) -> str:
    """Why an action of one step cannot be paid."""
    if move.joker and not s.own.joker:
        return "[BX-3.8] the joker is used up"
    cards = price(s, move)
    if not covers(cards, NONE):
        return "[BX-3.8] the tower has no block of the colour that the joker would pay"
    clauses = {Kind.ENTER: "BX-3.1", Kind.MOVE: "BX-3.2", Kind.CAPTURE: "BX-3.3", Kind.DEMOLISH: "BX-3.4"}
    return "" if covers(s.own.hand, cards) else f"[{clauses[move.kind]}] the cards for it are not in hand"
