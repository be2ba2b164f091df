"""Blox, slow and obvious: every question is answered from the position, nothing is remembered.

The contract is `cpp/games/blox/RULES.md`; the clauses are cited where they are followed. This module says what every
module of rules says; the rest is in `blox_board.py`, `blox_layout.py`, `blox_options.py` and `blox_actions.py` (what
there is), `blox_state.py` (the deal), `blox_reach.py`, `blox_play.py` and `blox_turns.py` (how it is played),
`blox_hidden.py` (what is not seen), `blox_text.py` (how it is written) and `blox_views.py` (how it is seen).
"""

from dataclasses import replace

from ziggurat.reference.blox_actions import (
    action_to_text,
    decode,
    encode,
    is_closing,
    is_pass,
    num_actions,
    text_to_action,
)
from ziggurat.reference.blox_hidden import determinize
from ziggurat.reference.blox_options import (
    LAW_OPTIONS,
    OPTION_VALUES,
    PRESETS,
    Options,
    canonical,
    num_players,
)
from ziggurat.reference.blox_play import fault, is_terminal, legal_moves
from ziggurat.reference.blox_state import State, in_turn, initial
from ziggurat.reference.blox_text import information_state, parse, to_text
from ziggurat.reference.blox_turns import play
from ziggurat.reference.blox_views import (
    ANALYSES,
    COUNTERS,
    TABLES,
    VIEWS,
    count_action,
    count_end,
    observation_shape,
    observe,
    observe_compact,
)

__all__ = [
    "ANALYSES",
    "COUNTERS",
    "LAW_OPTIONS",
    "OPTION_VALUES",
    "PRESETS",
    "TABLES",
    "VIEWS",
    "Options",
    "State",
    "action_to_text",
    "apply",
    "canonical",
    "count_action",
    "count_end",
    "decode",
    "determinize",
    "encode",
    "in_turn",
    "information_state",
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


def to_move(s: State) -> int:
    """The player to move; after the end the one who would be next."""
    return s.seat


def legal_actions(s: State) -> list[int]:
    """The ids of the legal actions, ascending."""
    return sorted(encode(s.options, move) for move in legal_moves(s))


def is_legal(s: State, action: int) -> bool:
    """Whether an action is legal."""
    return 0 <= action < num_actions(s.options) and not why_illegal(s, action)


def why_illegal(s: State, action: int) -> str:
    """The reason why an action is illegal; empty if it is legal."""
    return fault(s, decode(s.options, action))


def apply(s: State, action: int) -> State:
    """The state after a legal action."""
    return play(s, decode(s.options, action))


def winners(s: State) -> list[int]:
    """[BX-4.3] The players with most points, of these those with most blocks; empty before the end."""
    if not is_terminal(s):
        return []
    ranking = [(seat.points, sum(seat.blocks)) for seat in s.seats]
    return [player for player, rank in enumerate(ranking) if rank == max(ranking)]


def scores(s: State) -> list[int]:
    """[BX-4.3] The points, at any time."""
    return [seat.points for seat in s.seats]


def unlimited(s: State) -> State:
    """[BX-4.2] The same position without a limit of turns."""
    return replace(s, options=replace(s.options, max_turns=0), turns=0)


def num_symmetries(options: Options) -> int:
    """The number of symmetries: the colours of the fields leave the identity alone."""
    return 1


def transform(s: State, k: int) -> State:
    """A state seen through a symmetry."""
    return s


def transform_action(options: Options, action: int, k: int) -> int:
    """An action seen through a symmetry."""
    return action


def max_game_length(options: Options) -> int | None:
    """An upper bound of the number of actions: the longest turn is a build with all cards and the joker, and `done`."""
    return (options.hand + 3) * options.max_turns if options.max_turns else None
