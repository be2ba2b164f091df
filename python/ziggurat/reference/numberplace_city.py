"""Numberplace City, slow and obvious: every question is answered from the position, nothing is remembered.

The contract is `cpp/games/numberplace_city/RULES.md`; the clauses are cited where they are followed. This module says
what every module of rules says; the rest is in files of the same name with an ending: `_board`, `_options` and
`_actions` (what there is), `_state` (the set-up), `_play` (what is legal), `_turns` and `_reveal` (how it is played),
`_hidden` (what is not seen), `_text` and `_check` (how it is written) and `_views` (how it is seen).
"""

from dataclasses import replace

from ziggurat.reference.numberplace_city_actions import (
    action_to_text,
    decode,
    encode,
    is_closing,
    is_pass,
    num_actions,
    text_to_action,
)
from ziggurat.reference.numberplace_city_hidden import determinize
from ziggurat.reference.numberplace_city_options import (
    EFFECTS,
    LAW_OPTIONS,
    OPTION_VALUES,
    PRESETS,
    Options,
    canonical,
    num_players,
)
from ziggurat.reference.numberplace_city_play import fault, legal_moves
from ziggurat.reference.numberplace_city_state import (
    Event,
    State,
    in_turn,
    initial,
    is_terminal,
    scores,
    to_move,
    winners,
)
from ziggurat.reference.numberplace_city_text import information_state, parse, to_text
from ziggurat.reference.numberplace_city_turns import play
from ziggurat.reference.numberplace_city_views import (
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
    "events",
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
    after, _ = play(s, decode(s.options, action))
    return after


def events(s: State, action: int) -> list[Event]:
    """[NC-12.1] [NC-12.2] [NC-12.3] [NC-12.4] What a legal action makes public, in order."""
    _, told = play(s, decode(s.options, action))
    return told


def unlimited(s: State) -> State:
    """[NC-5.2] The same position without a limit of turns."""
    return replace(s, options=replace(s.options, max_turns=0), turns=0)


def num_symmetries(options: Options) -> int:
    """The number of symmetries: the areas leave the identity alone."""
    return 1


def transform(s: State, k: int) -> State:
    """A state seen through a symmetry."""
    return s


def transform_action(options: Options, action: int, k: int) -> int:
    """An action seen through a symmetry."""
    return action


def max_game_length(options: Options) -> int | None:
    """An upper bound of the number of actions: each lay or pass may be followed by all decisions about a bonus."""
    decisions = len(EFFECTS) if options.bonus_scope == "all_up_to" else 1
    return (1 + decisions) * options.max_turns if options.max_turns else None
