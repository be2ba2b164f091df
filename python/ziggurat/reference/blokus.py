"""Blokus, slow and obvious: every question is answered from the board, nothing is remembered.

The contract is `cpp/games/blokus/RULES.md`; the clauses are cited where they are followed. This module says what every
module of rules says; the rest is in `blokus_pieces.py`, `blokus_board.py` and `blokus_options.py` (what there is),
`blokus_play.py` (how it is played), `blokus_text.py` (how it is written) and `blokus_views.py` (how it is seen).
"""

from dataclasses import replace

from ziggurat.errors import ParseError
from ziggurat.reference.blokus_board import board_of
from ziggurat.reference.blokus_options import (
    LAW_OPTIONS,
    OPTION_VALUES,
    PRESETS,
    Options,
    canonical,
    full_hand,
    layout,
    num_players,
    scoring_colours,
)
from ziggurat.reference.blokus_pieces import PASS_MOVE, Move
from ziggurat.reference.blokus_play import (
    State,
    can_place,
    is_terminal,
    next_able,
    next_in_order,
    pass_fault,
    place,
    placement_fault,
    placements,
    player_of,
    score,
)
from ziggurat.reference.blokus_text import parse, to_text
from ziggurat.reference.blokus_views import (
    ANALYSES,
    TABLES,
    observation_shape,
    observe,
    observe_compact,
    symmetries,
    transform,
    transform_action,
)

__all__ = [
    "ANALYSES",
    "LAW_OPTIONS",
    "OPTION_VALUES",
    "PRESETS",
    "TABLES",
    "Options",
    "State",
    "action_to_text",
    "apply",
    "canonical",
    "decode",
    "encode",
    "in_turn",
    "initial",
    "is_closing",
    "is_legal",
    "is_pass",
    "is_terminal",
    "legal_actions",
    "max_game_length",
    "num_actions",
    "num_players",
    "num_symmetries",
    "observation_shape",
    "observe",
    "observe_compact",
    "parse",
    "scores",
    "text_to_action",
    "to_move",
    "to_text",
    "transform",
    "transform_action",
    "unlimited",
    "why_illegal",
    "winners",
]


def initial(options: Options, key: int) -> State:
    """The empty board; there is no chance in the game, so the key of the stream is not used."""
    start = State(options, (None,) * options.board**2, 0, (full_hand(options),) * options.colours)
    if options.pass_mode == "skip":  # a colour may be blocked from the start: it is as if the last one had acted
        return next_able(replace(start, side=options.colours - 1))
    return start


def num_actions(options: Options) -> int:
    """[BK-4.1] The number of action ids: the placements and the pass."""
    return layout(options).pass_id + 1


def to_move(s: State) -> int:
    """[BK-1.5] The player to move; after the end the one who would be next."""
    return player_of(s, s.side)


def in_turn(s: State) -> bool:
    """Whether a turn has been begun and not ended: a turn is one action."""
    return False


def legal_actions(s: State) -> list[int]:
    """The ids of the legal actions, ascending."""
    actions = placements(s, s.side)
    if actions or is_terminal(s):
        return actions
    return [layout(s.options).pass_id]  # [BK-2.3]


def is_legal(s: State, action: int) -> bool:
    """Whether an action is legal."""
    return 0 <= action < num_actions(s.options) and not fault(s, action)


def why_illegal(s: State, action: int) -> str:
    """The reason why an action is illegal; empty if it is legal."""
    return "the game is over" if is_terminal(s) else fault(s, action)


def apply(s: State, action: int) -> State:
    """The state after a legal action."""
    if is_pass(s.options, action):
        return next_in_order(replace(s, passed=s.passed | {s.side}))  # [BK-5.4]
    after = place(s, decode(s.options, action))
    return next_able(after) if s.options.pass_mode == "skip" else next_in_order(after)


def winners(s: State) -> list[int]:
    """[BK-3.3] The players with the highest score; empty before the end."""
    if not is_terminal(s):
        return []
    points = scores(s)
    return [player for player, number in enumerate(points) if number == max(points)]


def scores(s: State) -> list[int]:
    """[BK-3.3] [BK-3.4] What the position is worth to each player if the game ended now."""
    players = range(num_players(s.options))
    return [sum(score(s, colour) for colour in scoring_colours(s.options, player)) for player in players]


def unlimited(s: State) -> State:
    """The same position without a limit of turns: there is none."""
    return s


def encode(options: Options, move: Move) -> int:
    """The id of an action."""
    return layout(options).pass_id if move == PASS_MOVE else layout(options).ids[move.cells]


def decode(options: Options, action: int) -> Move:
    """The action that has an id."""
    return PASS_MOVE if is_pass(options, action) else layout(options).placements[action]


def is_pass(options: Options, action: int) -> bool:
    """Whether an action is the pass."""
    return action == layout(options).pass_id


def is_closing(options: Options, action: int) -> bool:
    """Whether an action is left out of the text of a turn: none is."""
    return False


def action_to_text(options: Options, action: int) -> str:
    """[BK-4.2] The cells from the lowest row up, in a row from the left."""
    if is_pass(options, action):
        return "pass"
    side, texts = options.board, board_of(options.board).texts
    cells = sorted(decode(options, action).cells, key=lambda cell: (-(cell // side), cell % side))
    return ",".join(texts[cell] for cell in cells)


def text_to_action(options: Options, text: str) -> int:
    """[BK-4.2] The action that has a text; the order of the cells and the case of letters are free."""
    if text.isascii() and text.lower() == "pass":
        return layout(options).pass_id
    cells = tuple(sorted(board_of(options.board).cell(part) for part in text.split(",")))
    if cells not in layout(options).ids:
        raise ParseError(f"'{text}' is not a piece; expected the cells of one of {' '.join(layout(options).pieces)}")
    return layout(options).ids[cells]


def num_symmetries(options: Options) -> int:
    """[BK-8.2] The number of symmetries."""
    return len(symmetries(options))


def max_game_length(options: Options) -> int | None:
    """An upper bound of the number of actions: after every placement all other colours pass at most."""
    return options.colours * options.colours * len(full_hand(options))


def fault(s: State, action: int) -> str:
    """Why an action cannot be played; a game that is over has no placement, so that is not looked at first."""
    if is_pass(s.options, action):
        return pass_fault(s)
    found = placement_fault(s, decode(s.options, action))
    if found and not found.startswith("[BK-1.3]") and not can_place(s, s.side):
        return "[BK-2.3] the colour is blocked and must pass"
    return found
