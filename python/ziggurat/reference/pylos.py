"""Pylos, slow and obvious: every question is answered from the board, nothing is remembered.

The contract is `cpp/games/pylos/RULES.md`; the clauses are cited where they are followed.
What balls and cells there are and how they are written is in `pylos_board.py`: [PY-1.1], [PY-1.3], [PY-1.4].
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from ziggurat.errors import ParseError
from ziggurat.reference.pylos_board import (
    BALLS,
    LETTERS,
    Board,
    Kind,
    Move,
    Options,
    State,
    board_fault,
    cell_text,
    count_fault,
    free_balls,
    image,
    is_carried,
    is_free,
    is_open,
    levels_text,
    lift,
    ones,
    parse_levels,
    parse_turn,
    parse_turns,
    put,
    pyramid,
    reserve,
    turn_text,
)

OPTION_VALUES: dict[str, tuple[Any, ...] | range] = {
    "base": (4, 3),
    "patterns": ("squares", "none", "lines"),
    "removal": ("optional", "mandatory"),
    "remove_placed": (True, False),
    "chain_removal": (True, False),
    "no_move": ("loses", "passes"),
    "empty_reserve": ("continues", "loses"),
    "max_turns": range(65536),
}

PRESETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "children": {"patterns": "none"},
    "expert": {"patterns": "lines"},
    "mini": {"base": 3},
}

ANALYSES: dict[str, Any] = {}
TABLES: dict[str, Any] = {}

# Settings that make rare ends common, for tests.
LAW_OPTIONS: list[dict[str, Any]] = [
    {"max_turns": 5},
    {"max_turns": 1, "base": 3},
    {"max_turns": 300, "patterns": "lines", "removal": "mandatory", "remove_placed": False, "no_move": "passes"},
    {"max_turns": 300, "base": 3, "patterns": "none", "no_move": "passes"},
    {"max_turns": 300, "base": 3, "patterns": "lines", "remove_placed": False, "chain_removal": False},
    {"max_turns": 300, "base": 3, "removal": "mandatory", "remove_placed": False},
    *(
        {"max_turns": 300, "base": 3, "removal": removal, "no_move": no_move, "empty_reserve": empty_reserve}
        for removal in ("optional", "mandatory")
        for no_move in ("loses", "passes")
        for empty_reserve in ("continues", "loses")
    ),
]


def initial(options: Options, key: int) -> State:
    """The empty board; there is no chance in the game, so the key of the stream is not used."""
    return State(options, (None,) * pyramid(options).size)  # [PY-1.2] player 0 starts


def canonical(options: Options) -> Options:
    """The options as they are written: they do not depend on each other."""
    return options


def num_players(options: Options) -> int:
    """The number of players."""
    return 2


def num_actions(options: Options) -> int:
    """The number of action ids."""
    return encode(options, Move(Kind.STOP)) + 1


def to_move(s: State) -> int:
    """The player to move; after the end the one who would be next."""
    return s.side


def is_terminal(s: State) -> bool:
    """Whether the game is over."""
    return winner(s) is not None or limit_reached(s)


def in_turn(s: State) -> bool:
    """Whether a turn has been begun and not ended."""
    return s.moved is not None


def legal_actions(s: State) -> list[int]:
    """The ids of the legal actions, ascending."""
    if is_terminal(s):
        return []
    moves = take_backs(s) if in_turn(s) else [*placings(s), *raises(s)]
    return sorted(encode(s.options, move) for move in moves)


def is_legal(s: State, action: int) -> bool:
    """Whether an action is legal."""
    return 0 <= action < num_actions(s.options) and not why_illegal(s, action)


def why_illegal(s: State, action: int) -> str:
    """The reason why an action is illegal; empty if it is legal."""
    if is_terminal(s):
        return "the game is over"
    move = decode(s.options, action)
    if in_turn(s) and move.kind in (Kind.PLACE, Kind.RAISE):
        return "[PY-3.7] a ball may be taken back, or stop"
    faults = {Kind.PLACE: place_fault, Kind.RAISE: raise_fault, Kind.TAKE: take_fault, Kind.STOP: stop_fault}
    return faults[move.kind](s, move)


def apply(s: State, action: int) -> State:
    """The state after a legal action."""
    move = decode(s.options, action)
    if move.kind == Kind.PLACE:
        return after_moving(s, put(s.board, move.cell, s.side), move.cell)
    if move.kind == Kind.RAISE:
        return after_moving(s, put(lift(s.board, move.cell), move.to, s.side), move.to)
    if move.kind == Kind.TAKE and s.taken is None:
        return replace(s, board=lift(s.board, move.cell), taken=move.cell)
    if move.kind == Kind.TAKE:
        return end_turn(s, lift(s.board, move.cell))  # [PY-3.7] after the second ball the turn ends by itself
    return end_turn(s, s.board)


def winners(s: State) -> list[int]:
    """The winner in a list; empty before the end and for a draw."""
    player = winner(s)
    return [] if player is None else [player]


def scores(s: State) -> list[int]:
    """[PY-4.5] 1 for the winner, otherwise 0."""
    return [int(player == winner(s)) for player in range(2)]


def unlimited(s: State) -> State:
    """[PY-4.4] The same position without a limit of turns."""
    return replace(s, options=replace(s.options, max_turns=0), turns=0)


def encode(options: Options, move: Move) -> int:
    """The id of an action: places, raises, take-backs, stop."""
    shape = pyramid(options)
    if move.kind == Kind.PLACE:
        return move.cell
    if move.kind == Kind.RAISE:
        return shape.size + shape.raises.index((move.cell, move.to))  # [PY-5.1]
    if move.kind == Kind.TAKE:
        return shape.size + len(shape.raises) + move.cell
    return 2 * shape.size + len(shape.raises)


def decode(options: Options, action: int) -> Move:
    """The action that has an id."""
    shape = pyramid(options)
    if action < shape.size:
        return Move(Kind.PLACE, action)
    action -= shape.size
    if action < len(shape.raises):
        return Move(Kind.RAISE, *shape.raises[action])
    action -= len(shape.raises)
    if action < shape.size:
        return Move(Kind.TAKE, action)
    return Move(Kind.STOP)


def is_pass(options: Options, action: int) -> bool:
    """Whether an action is a pass: there are none."""
    return False


def is_closing(options: Options, action: int) -> bool:
    """[PY-5.2] Whether an action is left out of the text of a turn."""
    return decode(options, action).kind == Kind.STOP


def action_to_text(options: Options, action: int) -> str:
    """The text of an action."""
    move = decode(options, action)
    if move.kind == Kind.PLACE:
        return cell_text(options, move.cell)
    if move.kind == Kind.RAISE:
        return f"{cell_text(options, move.cell)}>{cell_text(options, move.to)}"
    return f"-{cell_text(options, move.cell)}" if move.kind == Kind.TAKE else "stop"


def text_to_action(options: Options, text: str) -> int:
    """The action that has a text."""
    for action in range(num_actions(options)):
        if text.isascii() and action_to_text(options, action) == text.lower():  # [PY-5.2]
            return action
    raise ParseError(f"'{text}' is not an action; expected a text like 1a1, 1a1>2b2, -1a1 or stop")


def observe(s: State, viewer: int) -> list[float]:
    """The planes of RULES.md section 7, seen by a player, in C order (plane, level, row, column)."""
    shape, base = pyramid(s.options), s.options.base
    return [
        float(values.get(shape.ids[place], 0)) if place in shape.ids else 0.0
        for values in planes(s, viewer)
        for place in product(range(base), repeat=3)
    ]


def observe_compact(s: State, viewer: int) -> list[float]:
    """The same in one row: the cells in order, and one value of each plane that has one."""
    cells = range(len(s.board))
    return [
        float(values.get(cell, 0))
        for number, values in enumerate(planes(s, viewer))
        for cell in (cells[:1] if 5 <= number <= 9 else cells)
    ]


def observation_shape(options: Options) -> tuple[int, ...]:
    """The shape of an observation."""
    return (12, options.base, options.base, options.base)


def to_text(s: State) -> str:
    """[PY-6.1] [PY-6.2] [PY-6.3] [PY-6.4] The text of a position."""
    return f"{levels_text(s)} {LETTERS[s.side]} {turn_text(s)} {s.turns}"


def parse(options: Options, text: str) -> State:
    """The position that has a text; ParseError if there is none."""
    parts = text.split(" ")
    if len(parts) != 4:
        raise ParseError(f"'{text}' is not a position; expected <levels> <side> <turn> <turns>")
    board = parse_levels(options, parts[0])
    if parts[1] not in ("L", "D"):
        raise ParseError(f"'{parts[1]}' is not a side; expected L or D")  # [PY-6.2]
    moved, taken = parse_turn(options, parts[2])
    state = State(options, board, LETTERS.index(parts[1]), moved, taken, parse_turns(parts[3]))
    fault = board_fault(state) or count_fault(state) or turn_fault(state) or pass_fault(state)
    if fault:
        raise ParseError(f"'{text}' is not a position: {fault}")
    return state


def num_symmetries(options: Options) -> int:
    """[PY-9.1] The symmetries of the square."""
    return 8


def transform(s: State, k: int) -> State:
    """A state seen through a symmetry."""
    board = {image(s.options, cell, k): owner for cell, owner in enumerate(s.board)}
    return replace(
        s,
        board=tuple(board[cell] for cell in range(len(s.board))),
        moved=None if s.moved is None else image(s.options, s.moved, k),
        taken=None if s.taken is None else image(s.options, s.taken, k),
    )


def transform_action(options: Options, action: int, k: int) -> int:
    """An action seen through a symmetry."""
    move = decode(options, action)
    cells = [cell if cell < 0 else image(options, cell, k) for cell in (move.cell, move.to)]
    return encode(options, Move(move.kind, *cells))


def max_game_length(options: Options) -> int | None:
    """An upper bound of the number of actions: a turn has three at most."""
    return 3 * options.max_turns if options.max_turns else None


# The rest is private to this module.


def placings(s: State) -> Iterator[Move]:
    """[PY-2.1] The placings of the player to move."""
    if reserve(s, s.side) > 0:
        for cell in range(len(s.board)):
            if is_open(s.options, s.board, cell):
                yield Move(Kind.PLACE, cell)


def raises(s: State) -> Iterator[Move]:
    """[PY-2.2] The raises of the player to move: the ball leaves its cell before the supports are looked at."""
    own = free_balls(s.options, s.board, s.side)
    for source, target in pyramid(s.options).raises:
        if source in own and is_open(s.options, lift(s.board, source), target):
            yield Move(Kind.RAISE, source, target)


def take_backs(s: State) -> Iterator[Move]:
    """[PY-3.7] The choices where a pattern was made."""
    choices = takeable(s)
    for cell in choices:
        yield Move(Kind.TAKE, cell)
    if may_stop(s):
        yield Move(Kind.STOP)


def may_stop(s: State) -> bool:
    """[PY-3.5] [PY-3.7] Whether the turn may be ended: not before the first take-back where it is mandatory."""
    return s.options.removal == "optional" or s.taken is not None


def takeable(s: State) -> list[int]:
    """[PY-3.2] The cells of the own balls that may be taken back now, from any level."""
    own = free_balls(s.options, s.board, s.side)
    if not s.options.remove_placed:
        own = [cell for cell in own if cell != s.moved]  # [PY-3.3]
    if s.taken is not None:
        own = [cell for cell in own if may_be_second(s, s.taken, cell)]
    return own


def may_be_second(s: State, first: int, second: int) -> bool:
    """Whether a ball that is free now may be taken back after another one."""
    before = put(s.board, first, s.side)
    if is_free(s.options, before, second):
        return second > first  # [PY-3.6] one order of every pair
    return s.options.chain_removal  # [PY-3.4] the first removal has freed it


def makes_pattern(options: Options, board: Board, cell: int) -> bool:
    """[PY-3.1] Whether the ball of a cell is part of a pattern of its own colour."""
    shape = pyramid(options)
    patterns = {"none": [], "squares": shape.squares, "lines": shape.squares + shape.lines}[options.patterns]
    return any(cell in pattern and all(board[part] == board[cell] for part in pattern) for pattern in patterns)


def after_moving(s: State, board: Board, cell: int) -> State:
    """The state after the ball of this turn has come to a cell."""
    pending = replace(s, board=board, moved=cell)
    if cell == pyramid(s.options).apex or not makes_pattern(s.options, board, cell):  # [PY-4.1]
        return end_turn(s, board)
    if not takeable(pending) and not may_stop(pending):
        return end_turn(s, board)  # [PY-3.5] [PY-3.7] nothing to take, nothing to decide
    return pending


def end_turn(s: State, board: Board) -> State:
    """The state after the turn of the player to move."""
    counted = s.turns + 1 if s.options.max_turns else 0  # [PY-4.4]
    after = State(s.options, board, 1 - s.side, turns=counted)
    return replace(after, side=s.side) if must_be_skipped(after) else after


def must_be_skipped(s: State) -> bool:
    """[PY-4.2] Whether the player to move cannot act and has not lost by that."""
    return not in_turn(s) and winner(s) is None and not can_act(s)


def can_act(s: State) -> bool:
    """[PY-4.2] Whether the player to move can place or raise."""
    return any(True for _ in placings(s)) or any(True for _ in raises(s))


def winner(s: State) -> int | None:
    """The player who has won, if any."""
    if in_turn(s):
        return None
    apex = s.board[pyramid(s.options).apex]
    if apex is not None:
        return apex  # [PY-4.1]
    return 1 - s.side if has_lost(s) else None


def has_lost(s: State) -> bool:
    """Whether the player to move has lost at the start of his turn."""
    if s.options.empty_reserve == "loses" and reserve(s, s.side) == 0:
        return True  # [PY-4.3]
    return s.options.no_move == "loses" and not can_act(s)  # [PY-4.2]


def limit_reached(s: State) -> bool:
    """[PY-4.4] Whether as many turns have been played as there may be."""
    return 0 < s.options.max_turns <= s.turns


def place_fault(s: State, move: Move) -> str:
    """Why a ball cannot be placed."""
    if reserve(s, s.side) == 0:
        return "[PY-2.1] the reserve is empty"
    return target_fault(s, s.board, move.cell)


def raise_fault(s: State, move: Move) -> str:
    """Why a ball cannot be raised."""
    if s.board[move.cell] != s.side:
        return f"[PY-2.2] there is no own ball on {cell_text(s.options, move.cell)}"
    if not is_free(s.options, s.board, move.cell):
        return f"[PY-2.2] a ball rests on {cell_text(s.options, move.cell)}"
    return target_fault(s, lift(s.board, move.cell), move.to)


def target_fault(s: State, board: Board, cell: int) -> str:
    """Why a ball cannot lie down on a cell."""
    if board[cell] is not None:
        return f"[PY-2.1] {cell_text(s.options, cell)} is occupied"
    if not is_carried(s.options, board, cell):
        return f"[PY-2.1] a support of {cell_text(s.options, cell)} is missing"
    return ""


def take_fault(s: State, move: Move) -> str:
    """Why a ball cannot be taken back."""
    name = cell_text(s.options, move.cell)
    if not in_turn(s):
        return "[PY-3.1] no pattern was made"
    if s.board[move.cell] != s.side:
        return f"[PY-3.2] there is no own ball on {name}"
    if not is_free(s.options, s.board, move.cell):
        return f"[PY-3.2] a ball rests on {name}"
    if move.cell == s.moved and not s.options.remove_placed:
        return f"[PY-3.3] {name} is the ball of this turn"
    if s.taken is None or may_be_second(s, s.taken, move.cell):
        return ""
    was_free = is_free(s.options, put(s.board, s.taken, s.side), move.cell)
    return f"[PY-3.6] {name} must be taken first" if was_free else f"[PY-3.4] {name} was covered"


def stop_fault(s: State, move: Move) -> str:
    """Why the turn cannot be stopped."""
    if not in_turn(s):
        return "[PY-3.7] there is no turn to stop"
    return "" if may_stop(s) else "[PY-3.5] a ball must be taken back"


def turn_fault(s: State) -> str:
    """[PY-6.5] What is wrong with the unfinished turn."""
    if s.moved is None:
        return ""
    if limit_reached(s):
        return "no turn is begun after the last one"
    if s.taken is None:
        return moved_fault(s)
    if s.board[s.taken] is not None:
        return "the cell of the ball taken back is not empty"
    before = replace(s, board=put(s.board, s.taken, s.side), taken=None)
    fault = board_fault(before) or moved_fault(before)
    if not fault and s.taken not in takeable(before):
        return "the ball taken back could not be taken"
    return fault


def moved_fault(s: State) -> str:
    """[PY-6.5] What is wrong with a turn in which nothing has been taken back yet."""
    if s.moved is None or s.board[s.moved] != s.side or not is_free(s.options, s.board, s.moved):
        return "the cell of this turn holds no free ball of the side to move"
    if not makes_pattern(s.options, s.board, s.moved):
        return "the ball of this turn belongs to no pattern"
    return "" if takeable(s) or may_stop(s) else "there is nothing to decide"


def pass_fault(s: State) -> str:
    """[PY-4.2] The turn of a player who cannot act is never the one to play."""
    return "the side to move would have been skipped" if must_be_skipped(s) else ""


def planes(s: State, viewer: int) -> list[dict[int, float]]:
    """The planes of section 7, each as the values of the cells that are not zero."""
    cells, balls, other = range(len(s.board)), BALLS[s.options.base], 1 - viewer
    pending = in_turn(s)
    return [
        ones(cell for cell in cells if s.board[cell] == viewer),
        ones(cell for cell in cells if s.board[cell] == other),
        ones(cell for cell in cells if is_open(s.options, s.board, cell)),
        ones(free_balls(s.options, s.board, viewer)),
        ones(free_balls(s.options, s.board, other)),
        ones(cells if s.side == viewer and not is_terminal(s) else ()),
        dict.fromkeys(cells, reserve(s, viewer) / balls),
        dict.fromkeys(cells, reserve(s, other) / balls),
        ones(cells if pending and s.taken is None else ()),
        ones(cells if pending and s.taken is not None else ()),
        ones(() if s.moved is None else (s.moved,)),
        ones(() if s.taken is None else (s.taken,)),
    ]
