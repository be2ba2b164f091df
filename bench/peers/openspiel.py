"""Loops in Python over games of OpenSpiel, and over ours, directly and as games of OpenSpiel.

pip install open_spiel ziggurat
python bench/peers/openspiel.py [--repetitions 5] [--json FILE]
"""

import random
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent))

from steps import (
    LIMIT,
    Contestant,
    DifferentAnswersError,
    compare_lines,
    connect_four,
    our_batches,
    our_states,
    parse_repetitions,
    run,
    tic_tac_toe,
)

try:
    import pyspiel
    from open_spiel.python.observation import make_observation
except ImportError as error:
    sys.exit(f"OpenSpiel is needed beside ziggurat: pip install open_spiel ({error})")

GAMES = ["connect_four", "hex", "amazons", "go(board_size=9)"]
OURS = ["ziggurat_pylos()", "ziggurat_blokus(preset=duo)"]
TURNS = 20_000


class Spiel:
    """A game of OpenSpiel beside the plain rules."""

    def __init__(self, name: str) -> None:
        self.state = pyspiel.load_game(name).new_initial_state()

    def seen(self) -> tuple[bool, int, list[int], list[float]]:
        """As `steps.Table` says."""
        state = self.state
        return state.is_terminal(), state.current_player(), state.legal_actions(), list(state.returns())

    def play(self, action: int) -> None:
        """Play it."""
        self.state.apply_action(action)


def past_chance(state: Any, rng: random.Random) -> Any:
    """The state after its chance nodes."""
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def check(name: str) -> str:
    """Play a random game to its end; what each turn shows must fit together, and returns add up to 0."""
    game, rng = pyspiel.load_game(name), random.Random(1)
    state, turns = past_chance(game.new_initial_state(), rng), 0
    while not state.is_terminal():
        legal, mask, seen = state.legal_actions(), state.legal_actions_mask(), state.observation_tensor()
        fits = len(mask) == game.num_distinct_actions() and np.flatnonzero(mask).tolist() == legal
        if not fits or len(seen) != game.observation_tensor_size() or not np.isfinite(seen).all() or turns > LIMIT:
            raise DifferentAnswersError(f"{name}, turn {turns}: {legal} and {mask}")
        state.apply_action(rng.choice(legal))
        turns += 1
    if abs(sum(state.returns())) > 1e-9:
        raise DifferentAnswersError(f"{name}: returns {state.returns()}")
    return f"{name}: lists, masks, observations and returns of a game of {turns} actions fit together"


def play_lists(game: Any, turns: int) -> None:
    """`turns` actions of random games; list, mask and observation are Python lists."""
    rng, played = random.Random(1), 0
    while played < turns:
        state = past_chance(game.new_initial_state(), rng)
        while played < turns and not state.is_terminal():
            legal = state.legal_actions()
            state.legal_actions_mask()
            state.observation_tensor()
            state.apply_action(legal[int(rng.random() * len(legal))])
            played += 1


def play_arrays(game: Any, turns: int) -> None:
    """The same with the observation written into one NumPy array."""
    rng, played, observation = random.Random(1), 0, make_observation(game)
    while played < turns:
        state = game.new_initial_state()
        while played < turns and not state.is_terminal():
            legal = state.legal_actions()
            state.legal_actions_mask()
            observation.set_from(state, state.current_player())
            state.apply_action(legal[int(rng.random() * len(legal))])
            played += 1


def contestants() -> list[Contestant]:
    """Their games with both kinds of observations, and ours through their door."""
    from ziggurat.env import openspiel  # noqa: F401  # registers our games

    found = []
    for name in GAMES:
        game = pyspiel.load_game(name)
        for label, play in (("observation as a list", play_lists), ("observation in an array", play_arrays)):
            found.append(Contestant(f"OpenSpiel, {name}, {label}", partial(play, game, TURNS), TURNS))
    for name in OURS:
        call = partial(play_lists, pyspiel.load_game(name), TURNS // 10)
        found.append(Contestant(f"{name} through OpenSpiel, as a list", call, TURNS // 10))
    return found


def main() -> int:
    """Compare, then time; 1 if answers differ."""
    arguments = parse_repetitions("OpenSpiel")
    try:
        theirs = contestants()
        checked = [f"connect_four with the plain rules: {compare_lines(connect_four, lambda: Spiel('connect_four'))}"]
        checked += [f"tic_tac_toe with the plain rules: {compare_lines(tic_tac_toe, lambda: Spiel('tic_tac_toe'))}"]
        checked += [check(name) for name in (*GAMES, *OURS)]
        ours = [*our_states(), *our_batches()]
    except DifferentAnswersError as error:
        print(f"not compared, the answers differ: {error}", file=sys.stderr)
        return 1
    return run(["open_spiel"], arguments, checked, theirs, ours)


if __name__ == "__main__":
    sys.exit(main())
