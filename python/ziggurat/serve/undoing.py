"""May a turn be taken back? Only if nobody has learned anything from it but what its player chose.

In a game without secrets and chance, always. Else each action of the turn is played once more in many states that a
seat cannot tell from the true one: hidden things are drawn anew, and so is all chance to come. If what the seat knows
afterwards, and the events, are the same in all of them, the seat has learned nothing that was hidden from it. That is
looked at for every seat, and one that would have learned something is enough to refuse.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

from ziggurat.protocols import State

TWINS = 64  #: states that are looked at, for each action and seat
ENOUGH = 16  #: fewer, in which the action is legal, prove nothing
TRIES = 1024  #: states that are drawn to find them
Seed: TypeAlias = Callable[[], int]  #: a new seed each time
Seen: TypeAlias = tuple[str, list[dict[str, Any]]]  #: what a seat knows after an action, and the events of it


def hides(state: State, seed: Seed) -> bool:
    """Has the game secrets or chance? Then `resample` gives at least another key of the chance to come."""
    return any(state.resample(player, seed()) != state for player in range(state.get_game().num_players()))


def reveals(before: State, actions: Sequence[int], seed: Seed) -> bool:
    """Has any seat learned something that was hidden from it by these actions of a turn?"""
    state = before.clone()
    for action in actions:
        players = range(state.get_game().num_players())
        if any(is_told(state, action, seat, seed) for seat in players):
            return True
        state.apply_action(action)
    return False


def is_told(state: State, action: int, seat: int, seed: Seed) -> bool:
    """Does the seat learn something by the action that is not the same wherever the action can be played?"""
    twins = list(islice(possible_views(state, action, seat, seed), TWINS))
    return len(twins) < ENOUGH or any(twin != seen(state, action, seat) for twin in twins)


def possible_views(state: State, action: int, seat: int, seed: Seed) -> Iterator[Seen]:
    """What the seat sees of the action in states that it cannot tell from this one."""
    for _ in range(TRIES):
        twin = state.resample(seat, seed())
        if twin.is_legal(action):
            yield seen(twin, action, seat)


def seen(state: State, action: int, seat: int) -> Seen:
    """What the seat sees of an action."""
    after, events = state.clone(), state.events(action)
    after.apply_action(action)
    return after.information_state_string(seat), events
