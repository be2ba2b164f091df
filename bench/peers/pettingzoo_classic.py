"""Loops in Python over PettingZoo's classic games, over blokus-rl, and over ours through the same door and directly.

pip install "pettingzoo[classic]" blokus-rl ziggurat
python bench/peers/pettingzoo_classic.py [--repetitions 5] [--json FILE]
"""

import random
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path = [folder for folder in sys.path if Path(folder).resolve() != HERE]  # blokus_rl.py beside us is no package
sys.path.append(str(HERE))

from steps import (  # noqa: E402
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

CLASSIC: dict[str, dict[str, Any]] = {
    "connect_four_v3": {},
    "tictactoe_v3": {},
    "go_v5": {"board_size": 9, "komi": 7.5},
    "chess_v6": {},
}
OURS = ["pylos", "blokus duo", "blokus"]
TURNS = 2_000


def theirs(name: str) -> Callable[[], Any]:
    """What makes an environment of the collection."""
    module = import_module(f"pettingzoo.classic.{name}")
    return lambda: module.env(**CLASSIC[name])


def blokus_rl() -> Any:
    """The environment of the package blokus-rl."""
    return import_module("blokus_rl").BlokusEnv()


def through_their_door(name: str) -> Callable[[], Any]:
    """What makes ours."""
    from ziggurat.env import pettingzoo

    game, _, preset = name.partition(" ")
    return lambda: pettingzoo.env(game, preset or None)


class Agents:
    """An environment beside the plain rules."""

    def __init__(self, env: Any, side: int = 0) -> None:
        self.env, self.side = env, side  # side > 0: cells of a square, column by column
        env.reset()

    def seen(self) -> tuple[bool, int, list[int], list[float]]:
        """As `steps.Table` says."""
        env = self.env
        over = all(env.terminations[agent] for agent in env.agents)
        player = env.possible_agents.index(env.agent_selection)
        mask = env.observe(env.agent_selection)["action_mask"]
        returns = [float(env.rewards[agent]) for agent in env.possible_agents]
        return over, player, sorted(self.turned(int(a)) for a in np.flatnonzero(mask)), returns

    def turned(self, action: int) -> int:
        """Row by row from column by column, and back."""
        return action // self.side + action % self.side * self.side if self.side else action

    def play(self, action: int) -> None:
        """Play it."""
        self.env.step(self.turned(action))


def check(name: str, env: Any) -> str:
    """Play a random game to the end of every agent; each turn there must be legal actions, in a mask of all ids."""
    env.reset(seed=1)
    rng, turns = random.Random(1), 0
    while env.agents:
        observation, _, over, cut, _ = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        if not (over or cut) and (not len(legal) or len(observation["action_mask"]) != actions_of(env)):
            raise DifferentAnswersError(f"{name}, turn {turns}: {legal}")
        if turns > LIMIT:
            raise DifferentAnswersError(f"{name}: no end after {turns} turns")
        env.step(None if over or cut else int(rng.choice(legal)))
        turns += not (over or cut)
    return f"{name}: masks and the end of a game of {turns} actions fit together"


def actions_of(env: Any) -> int:
    """The number of action ids."""
    return int(env.action_space(env.possible_agents[0]).n)


def play(make: Callable[[], Any], turns: int) -> None:
    """`turns` actions of random games, as PettingZoo's pages show the loop."""
    env, rng, played = make(), random.Random(1), 0
    while played < turns:
        env.reset(seed=1)
        while env.agents and played < turns:
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            legal = np.asarray(observation["action_mask"]).view(bool).nonzero()[0]  # ten times as fast as of int8
            env.step(int(legal[int(rng.random() * len(legal))]))
            played += 1


def main() -> int:
    """Compare, then time; 1 if answers differ."""
    arguments = parse_repetitions("PettingZoo's classic games")
    makers = {f"PettingZoo, {name}": theirs(name) for name in CLASSIC} | {"blokus-rl, BlokusEnv": blokus_rl}
    makers |= {f"ziggurat, {name}, through PettingZoo": through_their_door(name) for name in OURS}
    lines, cells = (theirs(name) for name in ("connect_four_v3", "tictactoe_v3"))
    try:
        checked = [f"connect_four_v3 with the plain rules: {compare_lines(connect_four, lambda: Agents(lines()))}"]
        checked += [f"tictactoe_v3 with the plain rules: {compare_lines(tic_tac_toe, lambda: Agents(cells(), 3))}"]
        checked += [check(name, make()) for name, make in makers.items()]
        ours = [*our_states(), *our_batches()]
    except DifferentAnswersError as error:
        print(f"not compared, the answers differ: {error}", file=sys.stderr)
        return 1
    runners = [Contestant(name, partial(play, make, TURNS), TURNS) for name, make in makers.items()]
    return run(["pettingzoo", "blokus-rl", "chess"], arguments, checked, runners, ours)


if __name__ == "__main__":
    sys.exit(main())
