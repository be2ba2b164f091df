"""Blokus, slow and obvious: all placements are tried one by one, nothing is remembered.

The contract is `cpp/games/blokus/RULES.md`; the clauses are cited where they are followed.
What cells and pieces there are and how they are written is in `blokus_pieces.py`: [BK-1.1], [BK-1.2], [BK-1.3].
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from ziggurat.errors import ParseError
from ziggurat.reference.blokus_pieces import (
    CELLS,
    IDS,
    LETTERS,
    PASS,
    PASS_MOVE,
    PIECES,
    PLACEMENTS,
    SIDE,
    TOTAL,
    Move,
    cell_text,
    hand_text,
    parse_cell,
    parse_hands,
    squares_in,
)

COLOURS = range(4)
NAMES = ("blue", "yellow", "red", "green")
STARTS = (0, 19, 399, 380)  # [BK-1.4] a20, t20, t1, a1
EDGES = ((-1, 0), (0, -1), (0, 1), (1, 0))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@dataclass(frozen=True)
class Options:
    """The options of the game, with the defaults of the preset `classic`."""

    start: str = "own_corner"
    pass_mode: str = "action"
    scoring: str = "advanced"


OPTION_VALUES: dict[str, tuple[Any, ...] | range] = {
    "start": ("own_corner", "any_corner"),
    "pass_mode": ("action", "skip"),
    "scoring": ("advanced", "basic"),
}

PRESETS: dict[str, dict[str, Any]] = {"classic": {}}

# Settings that make rare ends common, for tests.
LAW_OPTIONS: list[dict[str, Any]] = [
    {"start": "any_corner"},
    {"pass_mode": "skip"},
    {"scoring": "basic"},
    {"start": "any_corner", "pass_mode": "skip", "scoring": "basic"},
]


@dataclass(frozen=True)
class State:
    """A position: the colour on each cell, the colour to move, and what each colour has left and has done."""

    options: Options
    board: tuple[int | None, ...]
    side: int
    hands: tuple[frozenset[str], ...]
    passed: frozenset[int] = frozenset()
    single: frozenset[int] = frozenset()


def initial(options: Options, key: int) -> State:
    """The empty board; there is no chance in the game, so the key of the stream is not used."""
    return State(options, (None,) * CELLS, 0, (frozenset(PIECES),) * 4)


def num_players(options: Options) -> int:
    """The number of players."""
    return 4


def num_actions(options: Options) -> int:
    """[BK-4.1] The number of action ids: the placements and the pass."""
    return len(PLACEMENTS) + 1


def to_move(s: State) -> int:
    """The player to move; after the end the one who would be next."""
    return s.side


def is_terminal(s: State) -> bool:
    """[BK-2.5] Whether the game is over: no colour can place."""
    return not any(can_place(s, (s.side + k) % 4) for k in COLOURS)


def in_turn(s: State) -> bool:
    """Whether a turn has been begun and not ended: a turn is one action."""
    return False


def legal_actions(s: State) -> list[int]:
    """The ids of the legal actions, ascending."""
    actions = list(placements(s, s.side))
    if actions or is_terminal(s):
        return actions
    return [PASS]  # [BK-2.3]


def is_legal(s: State, action: int) -> bool:
    """Whether an action is legal."""
    return 0 <= action < num_actions(s.options) and not fault(s, action)


def why_illegal(s: State, action: int) -> str:
    """The reason why an action is illegal; empty if it is legal."""
    return "the game is over" if is_terminal(s) else fault(s, action)


def apply(s: State, action: int) -> State:
    """The state after a legal action."""
    if action == PASS:
        return replace(s, side=(s.side + 1) % 4, passed=s.passed | {s.side})  # [BK-5.2] [BK-5.4]
    move = PLACEMENTS[action]
    hand = s.hands[s.side] - {move.piece}
    after = replace(
        s,
        board=tuple(s.side if cell in move.cells else colour for cell, colour in enumerate(s.board)),
        hands=(*s.hands[: s.side], hand, *s.hands[s.side + 1 :]),
        single=s.single | {s.side} if not hand and move.piece == "1" else s.single,  # [BK-5.5]
    )
    if s.options.pass_mode == "skip":
        return with_next_able(after)
    return replace(after, side=(s.side + 1) % 4)


def winners(s: State) -> list[int]:
    """[BK-3.3] The players with the highest score; empty before the end."""
    if not is_terminal(s):
        return []
    points = scores(s)
    return [colour for colour in COLOURS if points[colour] == max(points)]


def scores(s: State) -> list[int]:
    """[BK-3.3] What the position is worth if the game ended now."""
    return [score(s, colour) for colour in COLOURS]


def unlimited(s: State) -> State:
    """The same position without a limit of turns: there is none."""
    return s


def encode(options: Options, move: Move) -> int:
    """The id of an action."""
    return PASS if move == PASS_MOVE else IDS[move.cells]


def decode(options: Options, action: int) -> Move:
    """The action that has an id."""
    return PASS_MOVE if action == PASS else PLACEMENTS[action]


def is_pass(options: Options, action: int) -> bool:
    """Whether an action is the pass."""
    return action == PASS


def is_closing(options: Options, action: int) -> bool:
    """Whether an action is left out of the text of a turn: none is."""
    return False


def action_to_text(options: Options, action: int) -> str:
    """[BK-4.2] The cells from the lowest row up, in a row from the left."""
    if action == PASS:
        return "pass"
    cells = sorted(PLACEMENTS[action].cells, key=lambda cell: (-(cell // SIDE), cell % SIDE))
    return ",".join(cell_text(cell) for cell in cells)


def text_to_action(options: Options, text: str) -> int:
    """[BK-4.2] The action that has a text; the order of the cells and the case of letters are free."""
    if text.isascii() and text.lower() == "pass":
        return PASS
    cells = tuple(sorted(parse_cell(part) for part in text.split(",")))
    if cells not in IDS:
        raise ParseError(f"'{text}' is not a piece; expected the cells of one of {' '.join(PIECES)}")
    return IDS[cells]


def observe(s: State, viewer: int) -> list[float]:
    """The planes of RULES.md section 6, seen by a player, in C order (plane, row, column)."""
    return [float(cell in plane) for plane in planes(s, viewer) for cell in range(CELLS)]


def observation_shape(options: Options) -> tuple[int, ...]:
    """The shape of an observation."""
    return (8, SIDE, SIDE)


def to_text(s: State) -> str:
    """[BK-5.1] [BK-5.2] [BK-5.3] [BK-5.4] [BK-5.5] The text of a position."""
    hands = "/".join(hand_text(hand) for hand in s.hands)
    return f"{board_text(s)} {LETTERS[s.side]} {hands} {colours_text(s.passed)} {colours_text(s.single)}"


def parse(options: Options, text: str) -> State:
    """The position that has a text; ParseError if there is none."""
    parts = text.split(" ")
    if len(parts) != 5:
        raise ParseError(f"'{text}' is not a position; expected <board> <side> <hands> <passed> <single>")
    board, side, hands, passed, single = parts
    if side not in tuple(LETTERS):
        raise ParseError(f"'{side}' is not a side; expected one of {LETTERS}")
    state = State(
        options,
        parse_board(board),
        LETTERS.index(side),
        parse_hands(hands),
        parse_colours(passed),
        parse_colours(single),
    )
    fault = material_fault(state) or passed_fault(state) or skip_fault(state)
    if fault:
        raise ParseError(f"'{text}' is not a position: {fault}")
    return state


def num_symmetries(options: Options) -> int:
    """The number of symmetries: the colours' corners leave only the identity."""
    return 1


def transform(s: State, k: int) -> State:
    """A state seen through a symmetry."""
    return s


def transform_action(options: Options, action: int, k: int) -> int:
    """An action seen through a symmetry."""
    return action


def max_game_length(options: Options) -> int | None:
    """An upper bound of the number of actions: every placement is followed by three passes at most."""
    return 4 * 4 * len(PIECES)


# The rest is private to this module.


def around(cell: int, steps: Iterable[tuple[int, int]]) -> Iterator[int]:
    """The cells of the board at some steps from a cell."""
    row, column = divmod(cell, SIDE)
    for down, right in steps:
        if 0 <= row + down < SIDE and 0 <= column + right < SIDE:
            yield (row + down) * SIDE + column + right


def touches(s: State, cell: int, colour: int, steps: Iterable[tuple[int, int]]) -> bool:
    """Whether a square of a colour lies at one of some steps from a cell."""
    return any(s.board[neighbour] == colour for neighbour in around(cell, steps))


def is_first(s: State, colour: int) -> bool:
    """Whether a colour has placed nothing yet."""
    return s.hands[colour] == frozenset(PIECES)


def own_starts(s: State, colour: int) -> set[int]:
    """[BK-1.4] [BK-2.1] The start squares of a colour, occupied or not."""
    return {STARTS[colour]} if s.options.start == "own_corner" else set(STARTS)


def usable_cells(s: State, colour: int) -> set[int]:
    """[BK-2.2] The empty cells that share no edge with a square of the colour."""
    return {cell for cell in range(CELLS) if s.board[cell] is None and not touches(s, cell, colour, EDGES)}


def contact_cells(s: State, colour: int) -> set[int]:
    """[BK-2.1] [BK-2.2] The usable cells of which a placement must cover one."""
    usable = usable_cells(s, colour)
    if is_first(s, colour):
        return usable & own_starts(s, colour)
    return {cell for cell in usable if touches(s, cell, colour, CORNERS)}


def placements(s: State, colour: int) -> Iterator[int]:
    """[BK-2.1] [BK-2.2] The placements of a colour, as if it were its turn."""
    usable, contacts, hand = usable_cells(s, colour), contact_cells(s, colour), s.hands[colour]
    for action, (piece, cells) in enumerate(PLACEMENTS):
        if piece in hand and usable.issuperset(cells) and not contacts.isdisjoint(cells):
            yield action


def can_place(s: State, colour: int) -> bool:
    """[BK-2.4] Whether a colour has a placement: once it has none it never will again."""
    return any(True for _ in placements(s, colour))


def with_next_able(s: State) -> State:
    """[BK-2.3] In `skip`: the state with the next colour to move, after the colour to move has placed."""
    blocked: set[int] = set()
    for k in (1, 2, 3, 4):
        colour = (s.side + k) % 4
        if can_place(s, colour):
            return replace(s, side=colour, passed=s.passed | blocked)
        blocked.add(colour)  # [BK-5.4]
    return replace(s, side=(s.side + 1) % 4, passed=s.passed | blocked)  # [BK-5.2]


def fault(s: State, action: int) -> str:
    """Why an action cannot be played; a game that is over has no placement, so that is not looked at first."""
    if action == PASS:
        return pass_fault(s)
    move = PLACEMENTS[action]
    if move.piece not in s.hands[s.side]:
        return f"[BK-1.3] {move.piece} has been placed"
    taken = [cell for cell in move.cells if s.board[cell] is not None]
    if taken:
        return f"[BK-2.2] {cell_text(taken[0])} is not empty"
    return contact_fault(s, move)


def pass_fault(s: State) -> str:
    """Why the colour to move cannot pass."""
    if can_place(s, s.side):
        return "[BK-2.3] there is a placement"
    return "the game is over" if is_terminal(s) else ""


def contact_fault(s: State, move: Move) -> str:
    """Why a piece cannot lie on empty cells."""
    for cell in move.cells:
        if touches(s, cell, s.side, EDGES):
            return f"[BK-2.2] {cell_text(cell)} shares an edge with an own piece"
    if is_first(s, s.side):
        covered = own_starts(s, s.side).intersection(move.cells)
        return "" if covered else "[BK-2.1] the first piece covers no start square"
    if any(touches(s, cell, s.side, CORNERS) for cell in move.cells):
        return ""
    return "[BK-2.2] no own piece is touched at a corner"


def score(s: State, colour: int) -> int:
    """The score of a colour."""
    left = squares_in(s.hands[colour])
    if left or s.options.scoring == "basic":
        return -left  # [BK-3.2]
    return 20 if colour in s.single else 15  # [BK-3.1]


def board_text(s: State) -> str:
    """[BK-5.1] The rows from the top."""
    return "/".join(row_text(s.board[top : top + SIDE]) for top in range(0, CELLS, SIDE))


def row_text(row: tuple[int | None, ...]) -> str:
    """[BK-5.1] The letters of a row, runs of empty cells as numbers."""
    runs = [(colour, len(list(run))) for colour, run in groupby(row)]
    return "".join(str(length) if colour is None else LETTERS[colour] * length for colour, length in runs)


def parse_board(text: str) -> tuple[int | None, ...]:
    """The board that has a text."""
    rows = [parse_row(row) for row in text.split("/")]
    if len(rows) != SIDE:
        raise ParseError(f"'{text}' has {len(rows)} rows; expected {SIDE}")
    return tuple(colour for row in rows for colour in row)


def parse_row(text: str) -> tuple[int | None, ...]:
    """The row that has a text; there is one text only for every row."""
    row: list[int | None] = []
    for token in re.findall("[1-9][0-9]?|.", text):
        if token in tuple(LETTERS):
            row.append(LETTERS.index(token))
        elif token.isdecimal() and token.isascii():
            row += [None] * int(token)
    if len(row) != SIDE or row_text(tuple(row)) != text:
        raise ParseError(
            f"'{text}' is not a row; expected {SIDE} cells as letters {LETTERS} and numbers of empty cells"
        )
    return tuple(row)


def colours_text(colours: Collection[int]) -> str:
    """The letters of some colours, in order."""
    return "".join(LETTERS[colour] for colour in COLOURS if colour in colours) or "-"


def parse_colours(text: str) -> frozenset[int]:
    """The colours that have a text."""
    colours = frozenset(colour for colour in COLOURS if LETTERS[colour] in text)
    if colours_text(colours) != text:
        raise ParseError(f"'{text}' are not colours; expected - or some of {LETTERS} in this order")
    return colours


def material_fault(s: State) -> str:
    """[BK-5.6] What is wrong with the squares on the board and in hand."""
    for colour in COLOURS:
        if s.board.count(colour) + squares_in(s.hands[colour]) != TOTAL:
            return f"the squares of {NAMES[colour]} do not add up to {TOTAL}"
        if not is_first(s, colour) and all(s.board[start] != colour for start in own_starts(s, colour)):
            return f"{NAMES[colour]} has covered no start square"
        if colour in s.single and s.hands[colour]:
            return f"{NAMES[colour]} is marked single and has pieces left"
    return ""


def passed_fault(s: State) -> str:
    """[BK-5.6] What is wrong with the colours that have passed."""
    for colour in sorted(s.passed):
        if can_place(s, colour):
            return f"{NAMES[colour]} is marked as passed and can place"
    return ""


def skip_fault(s: State) -> str:
    """[BK-5.6] What is wrong, in `skip`, with the colour to move and the marks at the end."""
    if s.options.pass_mode != "skip" or can_place(s, s.side):
        return ""
    if not is_terminal(s):
        return f"{NAMES[s.side]} is to move and blocked, another colour is not"
    return "" if len(s.passed) == 4 else "the game is over and not all colours are marked"


def planes(s: State, viewer: int) -> list[set[int]]:
    """The planes of section 6, each as the set of the cells that are 1."""
    colours = [(viewer + k) % 4 for k in COLOURS]
    squares = [{cell for cell in range(CELLS) if s.board[cell] == colour} for colour in colours]
    hands = {
        len(PIECES) * k + i
        for k, colour in enumerate(colours)
        for i, piece in enumerate(PIECES)
        if piece in s.hands[colour]
    }
    status = {4 + k for k in COLOURS if colours[k] in s.passed} | {8 + k for k in COLOURS if colours[k] in s.single}
    if not is_terminal(s):
        status.add(colours.index(s.side))
    return [*squares, contact_cells(s, viewer), usable_cells(s, viewer), hands, status]
