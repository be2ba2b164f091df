"""The actions of Numberplace City: what they are, their ids and their texts.

The contract is section 7 of `cpp/games/numberplace_city/RULES.md`; which of them are legal is in
`numberplace_city_play.py`.
"""

from enum import IntEnum
from itertools import product
from typing import NamedTuple

from ziggurat.errors import ParseError
from ziggurat.reference.numberplace_city_board import CELLS, NUMBERS, TEXTS, TURNS
from ziggurat.reference.numberplace_city_options import Options


class Kind(IntEnum):
    """What an action does."""

    LAY = 0
    GIVE = 1  # pass with a tile
    PASS = 2  # pass without
    REMOVE = 3
    START = 4
    DISCARD = 5
    TURN = 6
    POINT = 7
    WIN = 8
    DECLINE = 9


class Move(NamedTuple):
    """An action in words. What a kind of action has not is 0, -1 or empty."""

    kind: Kind
    number: int = 0
    cell: int = -1
    turn: str = ""


# The table of section 7, the first factor slowest.
MOVES = [
    *(Move(Kind.LAY, number, cell) for number, cell in product(NUMBERS, CELLS)),
    *(Move(Kind.GIVE, number) for number in NUMBERS),
    Move(Kind.PASS),
    *(Move(Kind.REMOVE, cell=cell) for cell in CELLS),
    Move(Kind.START),
    *(Move(Kind.DISCARD, number) for number in NUMBERS),
    *(Move(Kind.TURN, turn=turn) for turn in TURNS),
    Move(Kind.POINT),
    Move(Kind.WIN),
    Move(Kind.DECLINE),
]
ACTIONS = {move: action for action, move in enumerate(MOVES)}


def text_of(move: Move) -> str:
    """The text of an action."""
    texts = {
        Kind.LAY: f"{TEXTS[move.cell]}={move.number}",
        Kind.GIVE: f"pass={move.number}",
        Kind.REMOVE: f"remove={TEXTS[move.cell]}",
        Kind.DISCARD: f"discard={move.number}",
        Kind.TURN: f"turn={move.turn}",
    }
    return texts.get(move.kind, move.kind.name.lower())


MOVE_TEXTS = [text_of(move) for move in MOVES]
BY_TEXT = {text: action for action, text in enumerate(MOVE_TEXTS)}


def num_actions(options: Options) -> int:
    """The number of action ids."""
    return len(MOVES)


def encode(options: Options, move: Move) -> int:
    """The id of an action."""
    return ACTIONS[move]


def decode(options: Options, action: int) -> Move:
    """The action that has an id."""
    return MOVES[action]


def is_pass(options: Options, action: int) -> bool:
    """[NC-2.3] Whether an action is a pass, with a tile or without."""
    return MOVES[action].kind in (Kind.GIVE, Kind.PASS)


def is_closing(options: Options, action: int) -> bool:
    """[NC-7.1] Whether an action is left out of the text of a turn: none is, as every action is a whole turn."""
    return False


def action_to_text(options: Options, action: int) -> str:
    """The text of an action."""
    return MOVE_TEXTS[action]


def text_to_action(options: Options, text: str) -> int:
    """The action that has a text, in letters of any case."""
    found = BY_TEXT.get(text.lower()) if text.isascii() else None
    if found is None:
        raise ParseError(
            f"'{text}' is not an action; expected a text like r4c5=7, pass=7, pass, remove=r4c5, start, discard=7,"
            " turn=left, point, win or decline"
        )
    return found
