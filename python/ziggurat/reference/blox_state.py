"""A position of Blox, the deal at the start, and the drawing of cards.

The contract is sections 1, 3 and 6 of `cpp/games/blox/RULES.md`; how the game is played is in `blox_play.py`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from ziggurat.reference.blox_actions import Kind, Move
from ziggurat.reference.blox_board import NONE, Counts, Grid, counted, grid_of, listed, one, plus
from ziggurat.reference.blox_layout import Assembly, assembly
from ziggurat.reference.blox_options import Options, all_blocks, all_cards, is_printed
from ziggurat.reference.random import Stream

MOST_POINTS = 10**9  # [BX-4.3]


@dataclass(frozen=True)
class Seat:
    """What a player has: points, cards, blocks in front of him, whether his joker is active, pawns on the board."""

    points: int = 0
    hand: Counts = NONE
    blocks: Counts = NONE
    joker: bool = True
    pawns: tuple[int, ...] = ()  # fields, ascending

    def plus(self, points: int) -> int:
        """[BX-4.3] The points that there are after some more."""
        return min(self.points + points, MOST_POINTS)


@dataclass(frozen=True)
class State:
    """A position. `turn` are the actions of a begun turn, which take effect when it ends ([BX-5.5])."""

    options: Options
    sides: str
    towers: tuple[tuple[int, Counts], ...]  # [BX-1.5] field and blocks, ascending by field
    seats: tuple[Seat, ...]
    deck: tuple[int, ...]  # colours from the front
    discard: Counts = NONE
    phase: int = 1
    ending: bool = False  # whether the end is triggered
    seat: int = 0  # who is to move
    turn: tuple[Move, ...] = ()
    turns: int = 0
    key: int = 0  # [BX-6.1] of the stream of chance
    counter: int = 0

    @property
    def own(self) -> Seat:
        """What the player to move has."""
        return self.seats[self.seat]

    @cached_property
    def grid(self) -> Grid:
        """The fields of the board."""
        return grid_of(self.options.board)

    @cached_property
    def layout(self) -> Assembly:
        """The colours of the fields."""
        return assembly(self.options.faces, self.options.board, self.sides)

    @cached_property
    def tower_at(self) -> dict[int, Counts]:
        """The towers by their fields."""
        return dict(self.towers)

    @cached_property
    def pawn_at(self) -> dict[int, int]:
        """Whose pawn stands on a field."""
        return {field: player for player, seat in enumerate(self.seats) for field in seat.pawns}

    @cached_property
    def occupied(self) -> set[int]:
        """The fields with a piece."""
        return {*self.tower_at, *self.pawn_at}


def initial(options: Options, key: int) -> State:
    """The start of a game; the key is that of its chance stream ([BX-6.1])."""
    stream = Stream(key)
    sides = options.sides
    if sides == "random":
        sides = "".join("AB"[stream.bounded(2)] for _ in range(4))
    blocks = shuffled(stream, all_blocks(options))
    deck = shuffled(stream, all_cards(options))
    hands = [counted(deck[start : start + options.hand]) for start in range(0, len(deck), options.hand)]  # [BX-1.6]
    return State(
        options,
        sides,
        first_towers(options, sides, blocks),
        tuple(Seat(hand=hand) for hand in hands[: options.players]),  # [BX-1.4]
        tuple(deck[options.players * options.hand :]),
        phase=options.start_phase,
        key=key,
        counter=stream.counter,
    )


def shuffled(stream: Stream, counts: Counts) -> list[int]:
    """Things, listed W R G K, in a random order."""
    colours = listed(counts)
    stream.shuffle(colours)
    return colours


def first_towers(options: Options, sides: str, blocks: list[int]) -> tuple[tuple[int, Counts], ...]:
    """[BX-1.5] The blocks dealt from the front to the tower fields, as far as they go."""
    towers = []
    for field, height in assembly(options.faces, options.board, sides).towers:
        if height == 1 and is_printed(options):  # [BX-1.7]
            continue
        dealt, blocks = blocks[:height], blocks[height:]
        if dealt:
            towers.append((field, counted(dealt)))
    return tuple(sorted(towers))


def refilled(s: State) -> State:
    """[BX-3.9] The player to move draws up to a full hand."""
    stream = Stream(s.key, s.counter)
    deck, discard, hand = list(s.deck), s.discard, s.own.hand
    while sum(hand) < s.options.hand:
        if not deck:
            deck, discard = shuffled(stream, discard), NONE
        hand = plus(hand, one(deck.pop(0)))
    drawn = with_seat(s, replace(s.own, hand=hand))
    return replace(drawn, deck=tuple(deck), discard=discard, counter=stream.counter)


def with_seat(s: State, seat: Seat) -> State:
    """The position with other things of the player to move."""
    return with_player(s, s.seat, seat)


def with_player(s: State, player: int, seat: Seat) -> State:
    """The position with other things of a player."""
    return replace(s, seats=(*s.seats[:player], seat, *s.seats[player + 1 :]))


# What has been played of a begun turn.


def in_turn(s: State) -> bool:
    """Whether a turn has been begun and not ended."""
    return bool(s.turn)


def chosen(s: State, kinds: Iterable[Kind] = (Kind.BLOCK, Kind.SWAP)) -> Counts:
    """The colours of what has been named in the turn: of blocks, or of cards to be swapped."""
    return counted(move.colour for move in s.turn if move.kind in kinds)


def cards_played(s: State) -> Counts:
    """[BX-5.5] The cards played in a begun turn; they still count as cards in hand."""
    return counted(move.colour for move in s.turn if move.kind in (Kind.BLOCK, Kind.SWAP) and not move.joker)


def joker_played(s: State) -> bool:
    """Whether the joker has been played in a begun turn."""
    return any(move.joker for move in s.turn)
