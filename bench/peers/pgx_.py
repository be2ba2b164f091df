"""Board games of Pgx, vectorised by JAX, beside our batches: one processor, 256 and 4096 games at once.

    pip install pgx "jax[cpu]" ziggurat
    python bench/peers/pgx_.py [--repetitions 5] [--json FILE]

A step of Pgx draws from the mask, plays, begins ended games anew, and makes mask and observation; `step by step` calls
it compiled from Python, `fused` compiles 16 steps into one call, which is the best that JAX can do. Both stay on this
processor: JAX is made for accelerators, and what it does on one is not measured here.
"""

import os
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

if hasattr(os, "sched_setaffinity"):  # before JAX is loaded, which starts a thread for each processor
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ.setdefault("JAX_PLATFORMS", "cpu")
sys.path.append(str(Path(__file__).resolve().parent))

from steps import (
    Contestant,
    DifferentAnswersError,
    compare_lines,
    connect_four,
    our_batches,
    parse_repetitions,
    run,
    tic_tac_toe,
)

try:
    import jax
    import pgx
    from pgx.experimental import auto_reset
except ImportError as error:
    sys.exit(f'Pgx is needed beside ziggurat: pip install pgx "jax[cpu]" ({error})')

SIZES = (256, 4096)
GAMES = [("connect_four", 256), ("connect_four", 4096), ("hex", 256), ("hex", 4096), ("go_9x9", 256)]
FUSED = 16
ACTIONS = 16_384


class Single:
    """A game of Pgx beside the plain rules."""

    def __init__(self, env: Any, init: Any, step: Any, rng: random.Random) -> None:
        self.env, self.step = env, step
        self.state = init(jax.random.PRNGKey(rng.getrandbits(31)))
        self.first = int(self.state.current_player)  # Pgx draws who begins

    def seen(self) -> tuple[bool, int, list[int], list[float]]:
        """As `steps.Table` says."""
        state = self.state
        rewards = [float(state.rewards[self.first]), float(state.rewards[1 - self.first])]
        player = int(state.current_player != self.first)
        return bool(state.terminated), player, np.flatnonzero(state.legal_action_mask).tolist(), rewards

    def play(self, action: int) -> None:
        """Play it."""
        self.state = self.step(self.state, action)


def compared(name: str, rules: Any) -> str:
    """Random games in Pgx and by the plain rules."""
    env, rng = pgx.make(name), random.Random(2)
    init, step = jax.jit(env.init), jax.jit(env.step)
    return f"{name} with the plain rules: {compare_lines(rules, lambda: Single(env, init, step, rng), games=50)}"


class Vector:
    """Games of Pgx side by side, always in play; `steps` steps of all rows are one run."""

    def __init__(self, name: str, rows: int, fused: bool) -> None:
        self.env, self.rows, self.name = pgx.make(name), rows, name
        self.steps = max(FUSED, ACTIONS // rows // FUSED * FUSED)
        one = jax.vmap(auto_reset(self.env.step, self.env.init))

        def step(state: Any, key: Any) -> tuple[Any, None]:
            drawing, resetting = jax.random.split(key)
            actions = jax.random.categorical(drawing, jax.numpy.where(state.legal_action_mask, 0.0, -1e9))
            return one(state, actions, jax.random.split(resetting, rows)), None

        def many(state: Any, keys: Any) -> Any:
            return jax.lax.scan(step, state, keys)[0]

        self.fused = fused
        self.call = jax.jit(many if fused else step)
        self.key = jax.random.PRNGKey(1)
        self.state = jax.jit(jax.vmap(self.env.init))(jax.random.split(self.key, rows))

    def run(self) -> None:
        """What is timed; keys are part of a step."""
        for _ in range(self.steps // FUSED):
            self.key, drawn = jax.random.split(self.key)
            keys = jax.random.split(drawn, FUSED)
            if self.fused:
                self.state = self.call(self.state, keys)
            else:
                for key in keys:
                    self.state, _ = self.call(self.state, key)
        jax.block_until_ready(self.state)


def check(vector: Vector) -> str:
    """Games end, rewards add up to 0, and every row has a legal action and an observation of the right shape."""
    ended = 0
    for _ in range(256 // vector.steps + 1):
        vector.run()
        state, env = vector.state, vector.env
        rewards = np.asarray(state.rewards)
        ended += int(np.asarray(state.terminated).sum())
        shaped = state.observation.shape == (vector.rows, *env.observation_shape)
        if not shaped or not np.asarray(state.legal_action_mask).any(axis=1).all() or rewards.sum(axis=1).any():
            raise DifferentAnswersError(f"{vector.name}: shapes {state.observation.shape}, rewards {rewards}")
    if not ended:
        raise DifferentAnswersError(f"{vector.name}: no game ended")
    return f"{vector.name}: masks, observations, ends and rewards of {vector.rows} rows fit together"


def place(vector: Vector) -> bytes:
    """What is seen after one run."""
    vector.run()
    return np.asarray(vector.state.observation).tobytes()


def contestants(name: str, rows: int) -> tuple[list[Contestant], list[str]]:
    """Both loops of a game, and what was compared: they play the same games."""
    stepped, fused = (Vector(name, rows, fused) for fused in (False, True))
    if place(stepped) != place(fused):
        raise DifferentAnswersError(f"{name}, {rows} rows: step by step and fused")
    checked = [f"{name}, {rows} rows: step by step and fused are the same games"]
    if rows == SIZES[0]:
        checked.append(check(stepped))
    labels = ((stepped, "step by step"), (fused, "fused"))
    runners = [Contestant(f"Pgx, {name}, {rows} rows, {how}", v.run, rows * v.steps) for v, how in labels]
    return runners, checked


def main() -> int:
    """Compare, then time; 1 if answers differ."""
    arguments = parse_repetitions("Pgx")
    try:
        checked = [compared("connect_four", connect_four), compared("tic_tac_toe", tic_tac_toe)]
        theirs = []
        for name, rows in GAMES:
            runners, lines = contestants(name, rows)
            theirs += runners
            checked += lines
        ours = [runner for rows in SIZES for runner in our_batches(rows, actions=ACTIONS)]
    except DifferentAnswersError as error:
        print(f"not compared, the answers differ: {error}", file=sys.stderr)
        return 1
    return run(["pgx", "jax", "jaxlib"], arguments, checked, theirs, ours)


if __name__ == "__main__":
    sys.exit(main())
