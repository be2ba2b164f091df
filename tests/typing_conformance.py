"""Checked by mypy, never run: the native classes fit the protocols that users annotate with."""

import ziggurat as zg
from ziggurat._core import _native

_GAMES: list[type[zg.Game]] = [
    _native.BlokusGame,
    _native.BloxGame,
    _native.Blox9Game,
    _native.PylosGame,
    _native.PylosMiniGame,
]
_STATES: list[type[zg.State]] = [
    _native.BlokusState,
    _native.BloxState,
    _native.Blox9State,
    _native.PylosState,
    _native.PylosMiniState,
]


def uses_the_api(game: zg.Game) -> int:
    state = game.new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(int(state.legal_actions()[0]))
    known: list[str] = [state.information_state_string(0), state.resample(0, seed=1).serialize()]
    per_turn: dict[str, int] = zg.perft(state, 1, divide=True)
    return zg.perft(state, 2, threads=2) + len(per_turn) + len(known) + len(zg.simulate(game, 10))
