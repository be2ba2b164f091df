"""Whole turns of any game: the actions of one player, up to where it is another one's turn or a new turn begins."""

from collections.abc import Iterator, Sequence

from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.protocols import State

LONGEST_TEXT = 200  #: characters of the text of a turn; the longest one that a game has is a fraction of it


def legal_turns(state: State, start: int = 0) -> Iterator[list[int]]:
    """The action ids of each legal turn, in lexicographic order, from number `start` on; none after the end.

    Inside a turn: of each way to finish it. Turns before `start` are counted, not made, where they begin alike.
    """
    for action in state.legal_actions().tolist():
        after = state.clone()
        after.apply_action(action)
        ways = after.count_turns() if after.in_turn() and start else 1
        if start >= ways:
            start -= ways
        elif after.in_turn():
            yield from ([action, *rest] for rest in legal_turns(after, start))
            start = 0
        else:
            yield [action]


def nth_turn(state: State, number: int) -> list[int]:
    """The legal turn of that number, 0 <= number < state.count_turns(); IndexError for another one."""
    found = next(legal_turns(state, number), None) if number >= 0 else None
    if found is None:
        raise IndexError(f"there is no turn {number}: there are {state.count_turns()}")
    return found


def parse_turn(state: State, text: str) -> list[int]:
    """The action ids of the legal turn that a text says; inside a turn, of the rest of it.

    ParseError if no action is written so, IllegalActionError if the first one that cannot be played is legal elsewhere;
    both say why.
    """
    if len(text) > LONGEST_TEXT:
        raise ParseError(f"a turn of {len(text)} characters; expected at most {LONGEST_TEXT}")
    try:
        return state.string_to_turn(text)
    except ParseError:
        check_playable(state, split_turn(state, text))
        raise


def split_turn(state: State, text: str) -> list[int]:
    """The actions, legal or not, whose texts make up a text, each as long as can be. ParseError if there are none."""
    actions: list[int] = []
    start = 0
    while start < len(text):
        end = next((end for end in range(len(text), start, -1) if is_action(state, text[start:end])), None)
        if end is None:
            return [state.string_to_action(text)]  # says what is wrong with the text
        actions.append(state.string_to_action(text[start:end]))
        start = end
    return actions


def is_action(state: State, text: str) -> bool:
    """Is an action of the game written so?"""
    try:
        state.string_to_action(text)
    except ParseError:
        return False
    return True


def check_playable(state: State, actions: Sequence[int]) -> None:
    """Raise IllegalActionError for the first of some actions of one turn that cannot be played; the state is kept."""
    trial = state.clone()
    for number, action in enumerate(actions):
        if number and not trial.in_turn():
            raise IllegalActionError(f"the turn ends before {state.action_to_string(action)}")
        trial.apply_action(action)
