"""Vector environments of EnvPool, compiled to C++ as ours are, beside our batches: one thread, 256 environments.

    pip install envpool ziggurat
    python bench/peers/envpool_.py [--repetitions 5] [--json FILE]

EnvPool has none of the games that collections share; its nearest to a board game are puzzles with an action mask:
2048, Minesweeper, and FlatPack, in which pieces of a few cells are laid on a board. Choices are drawn from the masks
in NumPy on both sides; beside that ours draw inside the engine. CartPole is its lightest, and has no mask.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.append(str(Path(__file__).resolve().parent))

from steps import (
    Contestant,
    DifferentAnswersError,
    draw_rows,
    our_batches,
    our_drawn_batches,
    parse_repetitions,
    run,
)

try:
    import envpool
except ImportError as error:
    sys.exit(f"EnvPool is needed beside ziggurat: pip install envpool ({error})")

MASKED = ["Game2048-v1", "Minesweeper-v0", "FlatPack-v0"]
UNMASKED = "CartPole-v1"
ROWS = 256
ACTIONS = 10_000


class Pool:
    """A pool and what it showed last; `steps` steps of all rows are one run."""

    def __init__(self, name: str) -> None:
        self.env = envpool.make(name, env_type="gymnasium", num_envs=ROWS, num_threads=1, seed=1)
        self.rng, self.steps, self.name = np.random.default_rng(1), max(1, ACTIONS // ROWS), name
        self.seen = self.env.reset()[0]
        self.reward, self.over = np.zeros(ROWS), np.zeros(ROWS, bool)

    def draw(self) -> NDArray[Any]:
        """An action of each row: an id, or the indices of one in the mask's axes."""
        if self.name == UNMASKED:
            return self.rng.integers(2, size=ROWS)
        mask = self.seen["action_mask"]
        ids = draw_rows(mask.reshape(ROWS, -1), self.rng)
        if mask.ndim == 2:
            return ids.astype(np.int32)
        return np.stack(np.unravel_index(ids, mask.shape[1:]), axis=1).astype(np.int32)

    def step(self) -> None:
        """Draw and play; EnvPool begins an ended row anew with the next step."""
        self.seen, self.reward, over, cut, _ = self.env.step(self.draw())
        self.over = over | cut

    def run(self) -> None:
        """What is timed."""
        for _ in range(self.steps):
            self.step()


def check_2048(pool: Pool) -> str:
    """A legal move of 2048 changes the board, and what is won is the sum of what merged: so a sum of fours at least."""
    for _ in range(200):
        board, over = pool.seen["board"].copy(), pool.over
        pool.step()
        moved = (pool.seen["board"] != board).any(axis=(1, 2))
        if not (moved | over).all() or (pool.reward % 4 != 0).any():
            raise DifferentAnswersError(f"{pool.name}: a legal move left the board as it was, or won {pool.reward}")
    return f"{pool.name}: every legal move changed the board"


def check_minesweeper(pool: Pool) -> str:
    """Exactly the covered cells may be opened."""
    for _ in range(200):
        if not np.array_equal(pool.seen["action_mask"], pool.seen["board"] == -1):
            raise DifferentAnswersError(f"{pool.name}: the mask is not the covered cells")
        pool.step()
    return f"{pool.name}: the mask was the covered cells of every board"


def check_flat_pack(pool: Pool) -> str:
    """Laying a piece fills as many cells as it has, and no cell twice."""
    for _ in range(200):
        grid, blocks, over = pool.seen["grid"].copy(), pool.seen["blocks"].copy(), pool.over
        actions = pool.draw()
        pool.seen, pool.reward, ended, cut, _ = pool.env.step(actions)
        pool.over = ended | cut
        laid = (blocks[np.arange(ROWS), actions[:, 0]] != 0).sum(axis=(1, 2))
        filled = (pool.seen["grid"] != 0).sum(axis=(1, 2)) - (grid != 0).sum(axis=(1, 2))
        if not ((filled == laid) | over).all():
            raise DifferentAnswersError(f"{pool.name}: pieces of {laid} cells filled {filled}")
    return f"{pool.name}: every piece filled as many cells as it has"


def main() -> int:
    """Compare, then time; 1 if answers differ."""
    arguments = parse_repetitions("EnvPool")
    checks = dict(zip(MASKED, (check_2048, check_minesweeper, check_flat_pack), strict=True))
    try:
        pools = [Pool(name) for name in (*MASKED, UNMASKED)]
        checked = [checks[pool.name](pool) for pool in pools if pool.name in checks]
        ours = [*our_drawn_batches(ROWS, ACTIONS), *our_batches(ROWS, actions=ACTIONS)]
    except DifferentAnswersError as error:
        print(f"not compared, the answers differ: {error}", file=sys.stderr)
        return 1
    theirs = [Contestant(f"EnvPool, {pool.name}", pool.run, ROWS * pool.steps) for pool in pools]
    return run(["envpool"], arguments, checked, theirs, ours)


if __name__ == "__main__":
    sys.exit(main())
