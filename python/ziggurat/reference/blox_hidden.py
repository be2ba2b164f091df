"""What a player of Blox does not see, drawn anew.

The contract is [BX-6.1] and [BX-6.2] of `cpp/games/blox/RULES.md`.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import comb, prod

from ziggurat.reference.blox_board import COLOURS, NONE, Counts, counted, minus, plus
from ziggurat.reference.blox_options import all_cards
from ziggurat.reference.blox_play import fault
from ziggurat.reference.blox_state import State, cards_played, shuffled, with_player
from ziggurat.reference.random import Stream


def determinize(s: State, viewer: int, stream: Stream) -> State:
    """[BX-6.2] A position that a player cannot tell from this one, drawn from a stream."""
    s = replace(s, key=stream.draw(), counter=0)
    unseen = minus(minus(all_cards(s.options), s.seats[viewer].hand), s.discard)
    strangers = [seat for seat in range(s.options.players) if seat != viewer]
    if s.turn and s.seat != viewer:
        strangers.remove(s.seat)
        played = cards_played(s)
        rest = drawn_rest(s, minus(unseen, played), stream)
        s = with_hand(s, s.seat, plus(played, rest))
        unseen = minus(unseen, s.own.hand)
    cards = shuffled(stream, unseen)
    for seat in strangers:
        hand, cards = cards[: s.options.hand], cards[s.options.hand :]
        s = with_hand(s, seat, counted(hand))
    return replace(s, deck=tuple(cards))


def with_hand(s: State, player: int, hand: Counts) -> State:
    """The position with another hand of a player."""
    return with_player(s, player, replace(s.seats[player], hand=hand))


def drawn_rest(s: State, unseen: Counts, stream: Stream) -> Counts:
    """[BX-6.2] The cards that the player to move has besides those that he has played in the begun turn."""
    size = s.options.hand - sum(cards_played(s))
    rests = [rest for rest in selections(unseen, size) if is_possible(s, rest)]
    weights = [prod(comb(unseen[colour], rest[colour]) for colour in COLOURS) for rest in rests]
    number = stream.bounded(sum(weights))
    for rest, weight in zip(rests, weights, strict=True):
        if number < weight:
            return rest
        number -= weight
    return NONE  # the numbers end with the sum of the weights


def selections(unseen: Counts, size: int) -> Iterator[Counts]:
    """The ways to take so many of some cards, ascending."""
    return (rest for rest in product(*(range(number + 1) for number in unseen)) if sum(rest) == size)


def is_possible(s: State, rest: Counts) -> bool:
    """Whether the begun turn is legal so far with some cards besides those played in it."""
    held = with_hand(s, s.seat, plus(cards_played(s), rest))
    return not any(fault(replace(held, turn=s.turn[:i]), move) for i, move in enumerate(s.turn))
