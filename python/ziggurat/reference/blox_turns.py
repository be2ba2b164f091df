"""What a turn of Blox does.

The contract is sections 2 to 5 of `cpp/games/blox/RULES.md`; what is legal is in `blox_play.py`.
"""

from dataclasses import replace

from ziggurat.reference.blox_actions import MOST_SWAPPED, Kind, Move
from ziggurat.reference.blox_board import minus, plus
from ziggurat.reference.blox_reach import built_height, least_height, price, target
from ziggurat.reference.blox_state import (
    Seat,
    State,
    cards_played,
    chosen,
    joker_played,
    refilled,
    with_player,
    with_seat,
)

LAST_PHASE = 4


def play(s: State, move: Move) -> State:
    """The position after a legal action."""
    pending = replace(s, turn=(*s.turn, move))
    return ended(pending) if is_complete(pending) else pending


def is_complete(s: State) -> bool:
    """[BX-5.3] [BX-5.4] Whether the turn ends with the last action played."""
    kind = s.turn[0].kind
    if kind not in (Kind.BUILD, Kind.SWAP) or s.turn[-1].kind == Kind.DONE:
        return True
    if kind == Kind.SWAP:
        return len(s.turn) == MOST_SWAPPED
    return s.options.build_height == "exact" and built_height(s) == least_height(s)


def ended(s: State) -> State:
    """The position after a turn: its effects, the cards, the phase, the end, the next player."""
    first = s.turn[0]
    cards = cards_played(s) if first.kind in (Kind.BUILD, Kind.SWAP) else price(s, first)
    after = effects(s, first)
    after = with_seat(after, replace(after.own, hand=minus(after.own.hand, cards)))
    after = replace(after, discard=plus(after.discard, cards), turn=())
    return next_seat(risen(refilled(after)))


def effects(s: State, first: Move) -> State:
    """What a turn does on the board and in front of the players; the joker that has paid is used up."""
    kinds = {
        Kind.ENTER: enter,
        Kind.MOVE: go,
        Kind.CAPTURE: capture,
        Kind.DEMOLISH: demolish,
        Kind.BUILD: build,
        Kind.SWAP: swap,
    }
    after = kinds[first.kind](s, first)
    return with_seat(after, replace(after.own, joker=False)) if joker_played(s) else after


def stand(seat: Seat, to: int | None, origin: int | None = None) -> Seat:
    """What a player has after a pawn came to a field, from another one or from supply; or went back there."""
    pawns = {*seat.pawns, to} - {None, origin}
    return replace(seat, pawns=tuple(sorted(field for field in pawns if field is not None)))


def enter(s: State, move: Move) -> State:
    """[BX-3.1] A pawn comes in."""
    return with_seat(s, stand(s.own, move.field))


def go(s: State, move: Move) -> State:
    """[BX-3.2] A pawn goes to another field."""
    return with_seat(s, stand(s.own, target(s, move), s.own.pawns[move.rank]))


def capture(s: State, move: Move) -> State:
    """[BX-3.3] A pawn captures another one: points, and its field."""
    field = target(s, move)
    enemy = s.pawn_at[field]
    after = with_player(s, enemy, stand(s.seats[enemy], None, field))
    seat = replace(s.own, points=s.own.plus(move.points))
    return with_seat(after, stand(seat, field, s.own.pawns[move.rank]) if s.options.capture_moves else seat)


def demolish(s: State, move: Move) -> State:
    """[BX-3.4] A tower falls: blocks, points, and its field."""
    field = target(s, move)
    tower = s.tower_at[field]
    seat = replace(s.own, points=s.own.plus(sum(tower)), blocks=plus(s.own.blocks, tower))
    towers = tuple(pair for pair in s.towers if pair[0] != field)
    return with_seat(replace(s, towers=towers), stand(seat, field, s.own.pawns[move.rank]))


def build(s: State, move: Move) -> State:
    """[BX-3.5] A tower rises in the place of a pawn."""
    field, tower = s.own.pawns[move.rank], chosen(s)
    seat = replace(s.own, points=s.own.plus(sum(tower)), blocks=minus(s.own.blocks, tower))
    towers = tuple(sorted([*s.towers, (field, tower)]))
    return with_seat(replace(s, towers=towers), stand(seat, None, field))


def swap(s: State, move: Move) -> State:
    """[BX-3.7] The joker becomes active."""
    return with_seat(s, replace(s.own, joker=True))


def risen(s: State) -> State:
    """[BX-2.1] [BX-2.2] The phase and the end after a turn."""
    phase = s.phase
    while phase < LAST_PHASE and standing(s, phase) <= 1:
        phase += 1
    return replace(s, phase=phase, ending=s.ending or (phase == LAST_PHASE and standing(s, phase) <= 1))


def standing(s: State, height: int) -> int:
    """How many towers of a height stand."""
    return sum(1 for _, tower in s.towers if sum(tower) == height)


def next_seat(s: State) -> State:
    """The next player is to move; [BX-4.2] turns are counted where there is a limit."""
    return replace(s, seat=(s.seat + 1) % s.options.players, turns=s.turns + 1 if s.options.max_turns else 0)
