"""The actions of Blox: what they are, their ids and their texts.

The contract is section 5 of `cpp/games/blox/RULES.md`; which of them are legal is in `blox_play.py`.
"""

from enum import IntEnum
from functools import cache
from itertools import product
from typing import NamedTuple

from ziggurat.errors import ParseError
from ziggurat.reference.blox_board import COLOURS, DIRECTIONS, LETTERS, grid_of
from ziggurat.reference.blox_options import Options

MOST_SWAPPED = 5  # [BX-3.7]


class Kind(IntEnum):
    """What an action does."""

    ENTER = 0
    MOVE = 1
    CAPTURE = 2
    DEMOLISH = 3
    BUILD = 4
    BLOCK = 5
    SWAP = 6
    DONE = 7


class Move(NamedTuple):
    """An action in words. What a kind of action has not is -1.

    `colour` is that of the card of a move or a swap, of a block, or, of a demolition, the one that the joker pays.
    `points` are the cards of a capture, the joker counted.
    """

    kind: Kind
    joker: bool = False  # whether the joker pays
    field: int = -1
    rank: int = -1
    direction: int = -1
    colour: int = -1
    points: int = -1


class Numbering(NamedTuple):
    """All actions in the order of their ids, with their texts, and the way back."""

    moves: list[Move]
    ids: dict[Move, int]
    texts: list[str]
    by_text: dict[str, int]


@cache
def numbering(board: int, pawns: int) -> Numbering:
    """The actions on a board."""
    moves = all_moves(board * board, pawns)
    texts = [text_of(board, move) for move in moves]
    return Numbering(
        moves,
        {move: action for action, move in enumerate(moves)},
        texts,
        {text: action for action, text in enumerate(texts)},
    )


def all_moves(fields: int, pawns: int) -> list[Move]:
    """[BX-5.1] [BX-5.2] [BX-5.3] The table of section 5, the first factor slowest."""
    pays, ranks, ways = (False, True), range(pawns), range(4)
    return [
        *(Move(Kind.ENTER, joker, field=field) for joker, field in product(pays, range(fields))),
        *(
            Move(Kind.MOVE, joker, rank=rank, direction=way, colour=colour)
            for joker, rank, way, colour in product(pays, ranks, ways, COLOURS)
        ),
        *(
            Move(Kind.CAPTURE, joker, rank=rank, direction=way, points=points)
            for points, joker, rank, way in product((3, 4), pays, ranks, ways)
        ),
        *(
            Move(Kind.DEMOLISH, colour >= 0, rank=rank, direction=way, colour=colour)
            for colour, rank, way in product((-1, *COLOURS), ranks, ways)
        ),
        *(Move(Kind.BUILD, rank=rank) for rank in ranks),
        *(Move(Kind.BLOCK, joker, colour=colour) for colour, joker in product(COLOURS, pays)),
        *(Move(Kind.SWAP, colour=colour) for colour in COLOURS),
        Move(Kind.DONE),
    ]


def text_of(board: int, move: Move) -> str:
    """The text of an action."""
    joker = "j" if move.joker else ""
    letter = LETTERS[move.colour] if move.colour >= 0 else ""
    pawn = f"{move.rank}{DIRECTIONS[move.direction]}"
    texts = {
        Kind.ENTER: f"@{grid_of(board).texts[move.field]}{joker}",
        Kind.MOVE: f"{pawn}-{letter}{joker}",
        Kind.CAPTURE: f"{pawn}x{move.points}{joker}",
        Kind.DEMOLISH: f"{pawn}d{letter}{joker}",
        Kind.BUILD: f"{move.rank}b",
        Kind.BLOCK: f"{letter}{joker}",
        Kind.SWAP: f"~{letter}",
        Kind.DONE: "done",
    }
    return texts[move.kind]


def numbers(options: Options) -> Numbering:
    """The actions of a game."""
    return numbering(options.board, options.pawns)


def num_actions(options: Options) -> int:
    """The number of action ids."""
    return len(numbers(options).moves)


def encode(options: Options, move: Move) -> int:
    """The id of an action."""
    return numbers(options).ids[move]


def decode(options: Options, action: int) -> Move:
    """The action that has an id."""
    return numbers(options).moves[action]


def is_pass(options: Options, action: int) -> bool:
    """[BX-3.7] Whether an action is a pass: there are none."""
    return False


def is_closing(options: Options, action: int) -> bool:
    """[BX-5.6] Whether an action is left out of the text of a turn."""
    return decode(options, action).kind == Kind.DONE


def action_to_text(options: Options, action: int) -> str:
    """The text of an action."""
    return numbers(options).texts[action]


def text_to_action(options: Options, text: str) -> int:
    """[BX-5.6] The action that has a text, in letters of any case."""
    found = numbers(options).by_text.get(text.lower()) if text.isascii() else None
    if found is None:
        raise ParseError(f"'{text}' is not an action; expected a text like @e5, 0n-r, 0nx3j, 0ndwj, 0b, wj, ~w or done")
    return found
