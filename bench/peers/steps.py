"""What the comparisons of steps a second share: the same loops on both sides, what checks them, and the table.

Collections of other games are measured beside ours: a scale, not a race, since the games differ. All loops do what a
learner's loop does: at each turn the legal actions as a list and a mask, the observation of the player to move, a
uniform choice and the action. Where a collection has Connect Four or Tic-Tac-Toe its games are first compared, action
by action, with the plain rules below; of other games masks, lists and results must fit together.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import ziggurat as zg

sys.path.append(str(Path(__file__).resolve().parent.parent))

from harness import (
    RATIO_HEADERS,
    Contestant,
    DifferentAnswersError,
    check_build,
    engine_facts,
    facts_text,
    interleave,
    load,
    load_average,
    machine,
    ratio_cells,
    save,
    table,
)
from loops import Loop, check_single, compare, make_loop, play_game, subjects

GAMES_COMPARED = 200
LIMIT = 2_000  # actions after which a checked game must have ended

# The plain rules of two games that collections share.

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Lines:
    """Connect Four or Tic-Tac-Toe: `line` in a row wins; stones drop to the lowest free row, or lie where they are put.

    Actions are columns, or cells row by row from the top.
    """

    def __init__(self, height: int, width: int, line: int, drops: bool) -> None:
        self.height, self.width, self.line, self.drops = height, width, line, drops
        self.stones: dict[tuple[int, int], int] = {}  # (row from the top, column): player
        self.winner: int | None = None

    @property
    def player(self) -> int:
        """The player to move."""
        return len(self.stones) % 2

    @property
    def over(self) -> bool:
        """Has somebody won, or is the board full?"""
        return self.winner is not None or len(self.stones) == self.height * self.width

    @property
    def returns(self) -> list[float]:
        """Of both players: 1 for a win, -1 for a loss, 0 for a draw."""
        return [0.0, 0.0] if self.winner is None else [1.0 if p == self.winner else -1.0 for p in (0, 1)]

    def legal(self) -> list[int]:
        """Legal actions, ascending; none after the end."""
        number = self.width if self.drops else self.height * self.width
        return [] if self.over else [a for a in range(number) if divmod(a, self.width) not in self.stones]

    def play(self, action: int) -> None:
        """Put the player's stone."""
        row, column = divmod(action, self.width)
        if self.drops:
            row = max(r for r in range(self.height) if (r, column) not in self.stones)
        player = self.player
        self.stones[row, column] = player
        if any(self.reach(row, column, *way) >= self.line for way in DIRECTIONS):
            self.winner = player

    def reach(self, row: int, column: int, down: int, right: int) -> int:
        """The length of the line through a stone."""
        stone, length = self.stones[row, column], 1
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while self.stones.get((r, c)) == stone:
                r, c, length = r + sign * down, c + sign * right, length + 1
        return length


def connect_four() -> Lines:
    """A new game of it."""
    return Lines(6, 7, 4, drops=True)


def tic_tac_toe() -> Lines:
    """A new game of it."""
    return Lines(3, 3, 3, drops=False)


class Table(Protocol):
    """A game in another package, as it is compared with the plain rules."""

    def seen(self) -> tuple[bool, int, list[int], list[float]]:
        """(over, player to move, legal actions, returns so far); player and actions do not count after the end."""

    def play(self, action: int) -> None:
        """Play it."""


def compare_lines(new_rules: Callable[[], Lines], new_table: Callable[[], Table], games: int = GAMES_COMPARED) -> str:
    """Random games in both; how many. DifferentAnswersError where a package and the rules differ."""
    rng, turns = random.Random(1), 0
    for _ in range(games):
        rules, other = new_rules(), new_table()
        while True:
            over, player, legal, returns = other.seen()
            theirs = (over, returns) if rules.over else (over, player, legal, returns)
            ours = (rules.over, rules.returns, rules.player, rules.legal())
            if theirs != (ours[:2] if rules.over else (ours[0], ours[2], ours[3], ours[1])):
                raise DifferentAnswersError(f"after {turns} turns: the rules say {ours}, the package {theirs}")
            if rules.over:
                break
            action = rng.choice(rules.legal())
            rules.play(action)
            other.play(action)
            turns += 1
    return f"{games:,} games, {turns:,} actions"


# Our side.


def play_seen(start: zg.State, mask: NDArray[np.uint8], seen: NDArray[np.float32], turns: int) -> None:
    """`turns` actions of random games; at each the list, the mask and the planes of the player to move."""
    draw, played = random.Random(1).random, 0
    while played < turns:
        state = start.clone()
        while played < turns and not state.is_terminal():
            legal = state.legal_actions()
            state.legal_actions_mask(mask)
            state.observation_tensor(state.current_player(), seen)
            state.apply_action(legal[int(draw() * len(legal))])
            played += 1


def our_states(turns: int = 20_000, names: Iterable[str] = ()) -> list[Contestant]:
    """A Python loop over one state, for each game."""
    found = []
    for name in names or subjects():
        check_single(play_game(name))
        game = load(zg, name)
        mask = np.empty(game.num_distinct_actions(), np.uint8)
        seen = np.empty(game.observation_tensor_shape(), np.float32)
        run = partial(play_seen, game.new_initial_state(1), mask, seen, turns)
        found.append(Contestant(f"ziggurat, {name}, State", run, turns))
    return found


def our_batches(rows: int = 256, form: str = "planes, mask", actions: int = 40_000) -> list[Contestant]:
    """A batch that draws inside the engine, for each game, one thread."""
    found = []
    for name in subjects():
        loop = make_loop(name, form, rows, 1, actions)
        compare(loop)
        found.append(Contestant(f"ziggurat, {name}, BatchEnv of {rows}", loop.run, rows * loop.steps))
    return found


def draw_rows(mask: NDArray[Any], rng: np.random.Generator) -> NDArray[np.intp]:
    """[n] a legal id of each row of a mask [n, A], uniformly; 0 where there is none."""
    width = mask.shape[1]
    ids = np.flatnonzero(mask.reshape(-1).view(bool))  # ten times as fast as of uint8
    counts = np.bincount(ids // width, minlength=len(mask))
    starts = np.cumsum(counts) - counts
    places = np.where(counts > 0, starts + (rng.random(len(mask)) * counts).astype(np.intp), len(ids))
    return np.asarray(np.append(ids, 0)[places] % width)


def play_drawn_rows(loop: Loop, rng: np.random.Generator) -> None:
    """The loop with choices drawn from the mask in NumPy, as a policy outside the engine draws them."""
    for _ in range(loop.steps):
        loop.env.step(draw_rows(loop.buffers.legal_mask, rng), out=loop.buffers)


def our_drawn_batches(rows: int = 256, actions: int = 10_000) -> list[Contestant]:
    """A batch whose choices are drawn from the mask in NumPy."""
    found = []
    for name in subjects():
        loop = make_loop(name, "planes, mask", rows, 1, actions)
        compare(loop)
        run = partial(play_drawn_rows, loop, np.random.default_rng(1))
        found.append(Contestant(f"ziggurat, {name}, BatchEnv of {rows}, drawn in NumPy", run, rows * loop.steps))
    return found


# The script.


def parse_repetitions(package: str, default: int = 5) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=f"Steps a second of ziggurat beside {package}.")
    parser.add_argument("--repetitions", type=int, default=default, help="timed runs of each, in turns")
    parser.add_argument("--json", metavar="FILE", help="write times and machine facts")
    arguments = parser.parse_args()
    if arguments.repetitions < 1:
        parser.error("--repetitions is 1 or more")
    return arguments


def run(
    packages: Sequence[str],
    arguments: argparse.Namespace,
    checked: Sequence[str],
    theirs: Sequence[Contestant],
    ours: Sequence[Contestant],
) -> int:
    """Say what was compared, time everyone in turns and print the table; the base of ratios is the first of theirs."""
    versions = {package: metadata.version(package) for package in packages}
    facts = machine() | engine_facts() | versions | {"load before": load_average()}
    print(facts_text(facts), *(f"compared: {line}" for line in checked), sep="\n", end="\n\n", flush=True)
    for runner in (*theirs, *ours):
        runner.run()  # caches, compilers, first touches of arrays
    interleave([*theirs, *ours], arguments.repetitions)
    check_build(facts)
    facts["load after"] = load_average()
    rows = [[runner.label, *ratio_cells(runner, theirs[0])] for runner in (*theirs, *ours)]
    print(table(["actions a second", *RATIO_HEADERS], rows), f"load after: {facts['load after']}", sep="\n")
    rates = {runner.label: runner.data() for runner in (*theirs, *ours)}
    save(arguments.json, {"facts": facts, "compared": list(checked), "rates": rates})
    return 0
