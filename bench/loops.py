"""The loops that batch.py and the comparisons with other packages time, and what compares their answers first."""

import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from typing import Any

import numpy as np
from harness import Contestant, DifferentAnswersError, load
from numpy.typing import NDArray

import ziggurat as zg

SEED = 1
# What a step writes besides rewards, ends and players: observation and legal actions, as BatchEnv.buffers takes them.
FORMS: dict[str, tuple[Any, Any]] = {
    "nothing": (None, None),
    "compact, packed": ("compact", "packed"),
    "compact, CSR": ("compact", "csr"),
    "compact, mask": ("compact", "mask"),
    "planes, packed": ("planes", "packed"),
    "planes, mask": ("planes", "mask"),
}
CHECKED_ROWS = 8
POSITIONS = 64  # of the loops over one state


def subjects() -> list[str]:
    """What is measured: all games, and Blokus for two."""
    return [*zg.games(), "blokus duo"]


# Batches.


class Loop:
    """A batch that plays uniformly, and the arrays it writes into; `steps` steps of all rows are one run."""

    def __init__(self, env: zg.BatchEnv, form: str, steps: int) -> None:
        encoding, legal = FORMS[form]
        self.env, self.encoding, self.steps = env, encoding, steps
        self.buffers = env.buffers(encoding, legal=legal)
        self.actions = np.empty(env.num_envs, np.int32)

    def run(self) -> "Loop":
        """What is timed."""
        sample, step, actions, buffers = self.env.sample, self.env.step, self.actions, self.buffers
        for _ in range(self.steps):
            sample(out=actions)
            step(actions, out=buffers)
        return self

    def place(self) -> str:
        """A short text that tells where the batch stands: the same for the same games, whatever was written."""
        env, hashed = self.env, sha256()
        for array in (env.episodes(), env.current_players(), env.legal_packed(), env.observe(encoding="compact")):
            hashed.update(array.tobytes())
        return hashed.hexdigest()[:16]


@cache
def mean_length(subject: str) -> int:
    """Actions of a random game."""
    return round(float(np.mean(zg.simulate(load(zg, subject), 200, seed=SEED, threads=1).plies)))


@cache
def spread_batch(subject: str, rows: int, threads: int) -> zg.BatchEnv:
    """A batch whose rows stand at evenly spread points of a game, as they do after a long run; to be cloned."""
    env = zg.BatchEnv(load(zg, subject), rows, seed=SEED, threads=threads, autoreset="same_step")
    spread_out(env, mean_length(subject))
    return env


def spread_out(env: zg.BatchEnv, length: int) -> None:
    """Play i * length // rows actions in row i."""
    turns, nothing = np.arange(env.num_envs) * length // env.num_envs, env.buffers(None, legal=None)
    for played in range(int(turns[-1])):
        mask = turns > played
        env.step(env.sample(mask=mask), mask, out=nothing)


def make_loop(subject: str, form: str, rows: int, threads: int, budget: int) -> Loop:
    """A loop of about `budget` actions."""
    return Loop(spread_batch(subject, rows, threads).clone(), form, max(1, budget // rows))


def compare(loop: Loop) -> None:
    """Play some steps more, and refuse to go on if a row is not what a single state is after the same action."""
    env, rows = loop.env, loop.env.num_envs
    watched = sorted({i * rows // CHECKED_ROWS for i in range(CHECKED_ROWS)})
    for _ in range(max(4, 256 // rows)):
        states = env.states(watched)
        env.sample(out=loop.actions)
        env.step(loop.actions, out=loop.buffers)
        for row, state in zip(watched, states, strict=True):
            compare_row(loop, row, state)


def compare_row(loop: Loop, row: int, state: zg.State) -> None:
    """Play the row's action in `state` too; DifferentAnswersError if anything that was written is not so there."""
    out = loop.buffers
    state.apply_action(int(loop.actions[row]))
    over = state.is_terminal()
    now = loop.env.state(row) if over else state  # an ended game has begun anew
    player = now.current_player()
    facts: list[tuple[str, Any, Any]] = [
        ("reward", out.rewards[row], state.returns().astype(np.float32)),
        ("end", out.terminations[row], over),
        ("player", out.current_players[row], player),
        ("position", loop.env.state(row).serialize(), now.serialize()),
    ]
    if out.observation is not None:
        facts.append(("observation", out.observation[row], now.observation_tensor(player, encoding=loop.encoding)))
    legal = legal_of(out, row, loop.env.game.num_distinct_actions())
    if legal is not None:
        facts.append(("legal actions", legal, now.legal_actions()))
    for what, batch, single in facts:
        if not np.array_equal(batch, single):
            raise DifferentAnswersError(f"{what} of row {row} of {loop.env!r}: {batch!r:.200} and {single!r:.200}")


def legal_of(out: Any, row: int, actions: int) -> NDArray[Any] | None:
    """The legal ids of a row, in whatever form they were written; None if in none."""
    if out.legal_mask is not None:
        return np.flatnonzero(out.legal_mask[row])
    if out.legal_packed is not None:
        return np.flatnonzero(np.unpackbits(out.legal_packed[row], count=actions, bitorder="little"))
    if out.legal_indptr is not None:
        first, last = out.legal_indptr[row : row + 2]
        return np.asarray(out.legal_actions[first:last])
    return None


# Loops over one state.


@dataclass
class Game:
    """One random game: its actions, and positions at evenly spread points of it."""

    start: zg.State
    actions: list[int]
    positions: list[zg.State]
    end: zg.State


def play_game(subject: str, positions: int = POSITIONS) -> Game:
    """A random game."""
    rng, state = random.Random(SEED), load(zg, subject).new_initial_state(SEED)
    start, actions, states = state.clone(), [], []
    while not state.is_terminal():
        states.append(state.clone())
        actions.append(int(rng.choice(state.legal_actions())))
        state.apply_action(actions[-1])
    number = min(positions, len(states))
    return Game(start, actions, [states[i * len(states) // number] for i in range(number)], state)


def replay(game: Game) -> zg.State:
    """The game once more, with a list of the legal actions at every turn."""
    state = game.start.clone()
    for action in game.actions:
        state.legal_actions()
        state.apply_action(action)
    return state


def play_drawn(game: Game, seed: int, turns: int) -> int:
    """Games, each turn a list, a draw and an action, until `turns` actions have been played; their number."""
    rng, played = random.Random(seed), 0
    draw = rng.random
    while played < turns:
        state = game.start.clone()
        while not state.is_terminal() and played < turns:
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            played += 1
    return played


def look(states: Sequence[zg.State], mask: NDArray[np.uint8], seen: NDArray[np.float32], encoding: str) -> None:
    """Mask and observation of each position into the same two arrays."""
    for state in states:
        state.legal_actions_mask(mask)
        state.observation_tensor(state.current_player(), seen, encoding)


def round_trips(states: Sequence[zg.State]) -> list[zg.State]:
    """Every position pickled and read."""
    return [pickle.loads(pickle.dumps(state)) for state in states]


def single_loops(subject: str, budget: int) -> Iterator[tuple[str, Contestant]]:
    """What a Python loop does with one state; each answer is compared first."""
    game, rules = play_game(subject), load(zg, subject)
    turns, positions = len(game.actions), game.positions
    check_single(game)
    times = max(1, budget // turns)
    yield "list, apply", Contestant("", repeated(lambda: replay(game), times), times * turns)
    yield "list, draw, apply", Contestant("", lambda: play_drawn(game, SEED, budget), budget)
    times = max(1, budget // len(positions))
    mask = np.empty(rules.num_distinct_actions(), np.uint8)
    for encoding in ("compact", "planes"):
        seen = np.empty(rules.observation_tensor_shape(encoding), np.float32)
        call = repeated(partial(look, positions, mask, seen, encoding), times)
        yield f"mask and {encoding}, out=", Contestant("", call, times * len(positions))
    times = max(1, times // 4)
    yield "pickle, unpickle", Contestant("", repeated(lambda: round_trips(positions), times), times * len(positions))


def repeated(call: Callable[[], Any], times: int) -> Callable[[], None]:
    """The call, so many times."""

    def run() -> None:
        for _ in range(times):
            call()

    return run


def check_single(game: Game) -> None:
    """DifferentAnswersError unless the loops over one state see what the state says."""
    if replay(game) != game.end:
        raise DifferentAnswersError(f"replay of {game.start.get_game()}: {replay(game)!r}")
    if round_trips(game.positions) != game.positions:
        raise DifferentAnswersError(f"pickled positions of {game.start.get_game()}")
    rules = game.start.get_game()
    mask = np.empty(rules.num_distinct_actions(), np.uint8)
    for encoding in ("compact", "planes"):
        seen = np.empty(rules.observation_tensor_shape(encoding), np.float32)
        for state in game.positions:
            look([state], mask, seen, encoding)
            fresh = state.observation_tensor(state.current_player(), encoding=encoding)
            if not (np.array_equal(seen, fresh) and np.array_equal(mask.nonzero()[0], state.legal_actions())):
                raise DifferentAnswersError(f"{encoding} of {state!r}")
