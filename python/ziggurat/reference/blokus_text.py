"""How positions of Blokus are written, and which texts are refused.

The contract is section 5 of `cpp/games/blokus/RULES.md`; how the game is played is in `blokus_play.py`.
"""

import re
from collections.abc import Collection
from itertools import groupby

from ziggurat.errors import ParseError
from ziggurat.reference.blokus_options import Options, colours_of, full_hand
from ziggurat.reference.blokus_pieces import PIECES, squares_in
from ziggurat.reference.blokus_play import State, can_place, is_first, is_terminal, own_starts

Squares = tuple[int | None, ...]

LETTERS = "byrg"  # [BK-1.1]
NAMES = ("blue", "yellow", "red", "green")
NAMES_OF_TWO = ("purple", "orange")


def letters(options: Options) -> str:
    """[BK-1.1] The letters of the colours that play."""
    return LETTERS[: options.colours]


def colour_name(options: Options, colour: int) -> str:
    """[BK-1.1] The name of a colour."""
    return NAMES_OF_TWO[colour] if options.colours == 2 else NAMES[colour]


def to_text(s: State) -> str:
    """[BK-5.1] [BK-5.2] [BK-5.3] [BK-5.4] [BK-5.5] The text of a position."""
    hands = "/".join(hand_text(s.options, hand) for hand in s.hands)
    marks = f"{colours_text(s.options, s.passed)} {colours_text(s.options, s.single)}"
    return f"{board_text(s)} {LETTERS[s.side]} {hands} {marks}"


def parse(options: Options, text: str) -> State:
    """The position that has a text; ParseError if there is none."""
    parts = text.split(" ")
    if len(parts) != 5:
        raise ParseError(f"'{text}' is not a position; expected <board> <side> <hands> <passed> <single>")
    board, side, hands, passed, single = parts
    if side not in tuple(letters(options)):
        raise ParseError(f"'{side}' is not a side; expected one of {letters(options)}")
    state = State(
        options,
        parse_board(options, board),
        LETTERS.index(side),
        parse_hands(options, hands),
        parse_colours(options, passed),
        parse_colours(options, single),
    )
    fault = material_fault(state) or single_fault(state) or passed_fault(state) or skip_fault(state)
    if fault:
        raise ParseError(f"'{text}' is not a position: {fault}")
    return state


def board_text(s: State) -> str:
    """[BK-5.1] The rows from the top."""
    side = s.options.board
    return "/".join(row_text(s.board[top : top + side]) for top in range(0, side * side, side))


def row_text(row: Squares) -> str:
    """[BK-5.1] The letters of a row, runs of empty cells as numbers."""
    runs = [(colour, len(list(run))) for colour, run in groupby(row)]
    return "".join(str(length) if colour is None else LETTERS[colour] * length for colour, length in runs)


def parse_board(options: Options, text: str) -> Squares:
    """The squares on the board that has a text."""
    rows = [parse_row(options, row) for row in text.split("/")]
    if len(rows) != options.board:
        raise ParseError(f"'{text}' has {len(rows)} rows; expected {options.board}")
    return tuple(colour for row in rows for colour in row)


def parse_row(options: Options, text: str) -> Squares:
    """The row that has a text; there is one text only for every row."""
    row: list[int | None] = []
    for token in re.findall("[1-9][0-9]?|.", text):
        if token in tuple(letters(options)):
            row.append(LETTERS.index(token))
        elif token.isdecimal() and token.isascii():
            row += [None] * int(token)
    if len(row) != options.board or row_text(tuple(row)) != text:
        wanted = f"{options.board} cells as letters {letters(options)} and numbers of empty cells"
        raise ParseError(f"'{text}' is not a row; expected {wanted}")
    return tuple(row)


def hand_text(options: Options, hand: tuple[str, ...]) -> str:
    """[BK-5.3] The pieces of a hand."""
    return "*" if hand == full_hand(options) else ",".join(hand) or "-"


def parse_hands(options: Options, text: str) -> tuple[tuple[str, ...], ...]:
    """The hands that have a text."""
    hands = text.split("/")
    if len(hands) != options.colours:
        raise ParseError(f"'{text}' has {len(hands)} hands; expected {options.colours}")
    return tuple(parse_hand(options, hand) for hand in hands)


def parse_hand(options: Options, text: str) -> tuple[str, ...]:
    """The hand that has a text; there is one text only for every hand."""
    full = full_hand(options)
    if text == "*":
        return full
    names = [] if text == "-" else text.split(",")
    hand = tuple(piece for piece in PIECES for _ in range(names.count(piece)))
    if hand_text(options, hand) != text or any(hand.count(piece) > full.count(piece) for piece in hand):
        raise ParseError(f"'{text}' is not a hand; expected *, -, or some of {','.join(full)} in this order")
    return hand


def colours_text(options: Options, colours: Collection[int]) -> str:
    """The letters of some colours, in order."""
    return "".join(LETTERS[colour] for colour in colours_of(options) if colour in colours) or "-"


def parse_colours(options: Options, text: str) -> frozenset[int]:
    """The colours that have a text."""
    colours = frozenset(colour for colour in colours_of(options) if LETTERS[colour] in text)
    if colours_text(options, colours) != text:
        raise ParseError(f"'{text}' are not colours; expected - or some of {letters(options)} in this order")
    return colours


def material_fault(s: State) -> str:
    """[BK-5.6] What is wrong with the squares on the board and in hand."""
    total = squares_in(full_hand(s.options))
    for colour in colours_of(s.options):
        name = colour_name(s.options, colour)
        if s.board.count(colour) + squares_in(s.hands[colour]) != total:
            return f"the squares of {name} do not add up to {total}"
        if not is_first(s, colour) and all(s.board[start] != colour for start in own_starts(s, colour)):
            return f"{name} has covered no start square"
    return ""


def single_fault(s: State) -> str:
    """[BK-5.6] What is wrong with the colours that are marked single."""
    for colour in sorted(s.single):
        if s.hands[colour]:
            return f"{colour_name(s.options, colour)} is marked single and has pieces left"
        if "1" not in full_hand(s.options):
            return f"{colour_name(s.options, colour)} is marked single, there is no single square"
    return ""


def passed_fault(s: State) -> str:
    """[BK-5.6] What is wrong with the colours that have passed."""
    for colour in sorted(s.passed):
        if can_place(s, colour):
            return f"{colour_name(s.options, colour)} is marked as passed and can place"
    return ""


def skip_fault(s: State) -> str:
    """[BK-5.6] What is wrong, in `skip`, with the colour to move and the marks at the end."""
    if s.options.pass_mode != "skip" or can_place(s, s.side):
        return ""
    if not is_terminal(s):
        return f"{colour_name(s.options, s.side)} is to move and blocked, another colour is not"
    return "" if len(s.passed) == s.options.colours else "the game is over and not all colours are marked"
