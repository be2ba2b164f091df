"""Blokus beside the public package blokus-rl: the same random games in both, then the rates of both.

    pip install blokus-rl ziggurat
    python bench/peers/blokus_rl.py [--games 200] [--helped-games 100] [--repetitions 7] [--json FILE]

At every ply of every game the legal placements, the scores and the end of the game are compared. A difference is
counted, shown with the earliest position it was seen in, and makes the exit status 1. See README.md beside this file.
"""

import random
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ziggurat as zg

HERE = Path(__file__).resolve().parent
sys.path = [folder for folder in sys.path if Path(folder).resolve() != HERE]  # this file has the package's name
sys.path.append(str(HERE))

from common import (  # noqa: E402
    SIDE,
    Cell,
    Contestant,
    Fact,
    Numbers,
    Peer,
    compare_games,
    our_contestants,
    parse_arguments,
    placements_by_cells,
    run,
)

Cells = tuple[Cell, ...]


def load_peer() -> Any:
    """The class of the package's native game, without the learning environment around it."""
    try:
        return import_module("blokus_rl._blokus").PyBlokus
    except ImportError as error:
        sys.exit(f"The package blokus-rl is needed beside ziggurat: pip install blokus-rl ({error})")


# Which placement is which action.


def board(peer: Any) -> NDArray[np.uint8]:
    """[4, 20, 20] squares of each colour, colour 0 first."""
    return np.frombuffer(peer.observe(0).observation, np.uint8).reshape(4, SIDE, SIDE)


def legal_in(peer: Any) -> NDArray[np.intp]:
    """Actions that the package allows the colour to move."""
    return np.frombuffer(peer.observe(peer.agent_selection).action_mask, bool).nonzero()[0]


def placed(peer: Any, action: int) -> Cells:
    """The squares that an action fills: found by playing it in a copy."""
    copy = peer.copy()
    copy.step(int(action))
    return tuple((int(row), int(column)) for _, row, column in np.argwhere(board(copy) != board(peer)))


def examples(peer_class: Any, seat: int) -> Iterator[tuple[int, int, int, Cells]]:
    """Actions of a seat in random games: the package's orientation, row and column, and the squares they fill."""
    rng = random.Random(seat)
    while True:
        peer = peer_class()
        while not peer.is_over and not peer.terminations[peer.agent_selection]:
            actions = legal_in(peer)
            for action in actions if peer.agent_selection == seat else ():
                orientation, row, column = np.unravel_index(action, peer_class.action_grid_shape)
                yield int(orientation), int(row), int(column), placed(peer, action)
            peer.step(int(rng.choice(actions)))


def learn_shapes(peer_class: Any) -> dict[int, Cells]:
    """Squares of each of the package's orientations for seat 0, relative to the action's row and column."""
    shapes: dict[int, Cells] = {}
    for orientation, row, column, cells in examples(peer_class, 0):
        shape = tuple((r - row, c - column) for r, c in cells)
        if shapes.setdefault(orientation, shape) != shape:
            sys.exit(f"orientation {orientation} has two shapes: {shapes[orientation]} and {shape}")
        if len(shapes) == peer_class.action_grid_shape[0]:
            return shapes
    raise AssertionError("unreachable")


def seen(cells: Cells, k: int) -> frozenset[Cell]:
    """Cells under symmetry k of the board: bit 0 mirrors the columns, bit 1 the rows, bit 2 swaps both."""
    last = SIDE - 1
    mirrored = ((last - r if k & 2 else r, last - c if k & 1 else c) for r, c in cells)
    return frozenset((c, r) if k & 4 else (r, c) for r, c in mirrored)


def learn_frame(peer_class: Any, seat: int, shapes: dict[int, Cells]) -> int:
    """The symmetry that leads from a seat's own view, in which the package numbers its actions, to the board."""
    frames = set(range(8))
    for orientation, row, column, cells in islice(examples(peer_class, seat), 3000):
        own = tuple((row + r, column + c) for r, c in shapes[orientation])
        frames = {k for k in frames if seen(own, k) == frozenset(cells)}
    if len(frames) != 1:
        sys.exit(f"seat {seat}: {len(frames)} symmetries explain the actions of the package, not one")
    return frames.pop()


def translate(peer_class: Any, game: zg.Game) -> NDArray[np.int32]:
    """[seats, actions of the package] our action on the same cells; -1 for numbers of what does not fit the board."""
    action_on = placements_by_cells(game)
    shapes = learn_shapes(peer_class)
    ours = np.full((4, peer_class.num_actions), -1, np.int32)
    for seat in range(4):
        frame = learn_frame(peer_class, seat, shapes)
        for index, own in numbered(shapes, peer_class.action_grid_shape):
            ours[seat, index] = action_on[seen(own, frame)]
        known = ours[seat][ours[seat] >= 0]
        if sorted(known) != list(range(len(action_on))):
            sys.exit(f"seat {seat}: the placements do not match one to one: {len(known)} and {len(action_on)}")
    return ours


def numbered(shapes: dict[int, Cells], grid: tuple[int, int, int]) -> Iterator[tuple[int, Cells]]:
    """The package's actions that fit the board, with their cells in the mover's own view."""
    for orientation, shape in shapes.items():
        height, width = (1 + max(axis) for axis in zip(*shape, strict=True))
        for row in range(SIDE - height + 1):
            for column in range(SIDE - width + 1):
                cells = tuple((row + r, column + c) for r, c in shape)
                yield int(np.ravel_multi_index((orientation, row, column), grid)), cells


# The same games in both.


class Classic(Peer):
    """One game of the package's native class."""

    def __init__(self, peer: Any, ours: NDArray[np.int32], theirs: NDArray[np.intp]) -> None:
        self.peer = peer
        self.ours = ours  # [seats, actions of the package]
        self.theirs = theirs  # [seats, our actions]; -1 for the pass

    def facts(self, state: zg.State, legal: list[int]) -> Iterable[Fact]:
        """End, scores, and of the player to move who he is, whether he is blocked and his placements."""
        yield "end of the game", state.is_terminal(), self.peer.is_over
        yield "scores", state.scores().tolist(), list(self.peer.scores)
        if not state.is_terminal():
            seat = self.peer.agent_selection
            yield "player to move", state.current_player(), seat
            yield "blocked", not legal, self.peer.terminations[seat]
            yield "placements", legal, sorted(self.ours[seat][legal_in(self.peer)].tolist())

    def play(self, seat: int, action: int) -> None:
        """Play one of our actions; the package takes None for a pass."""
        number = int(self.theirs[seat, action])
        self.peer.step(None if number < 0 else number)


def inverse(ours: NDArray[np.int32], actions: int) -> NDArray[np.intp]:
    """[seats, our actions] the package's action; -1 for the pass."""
    theirs = np.full((4, actions), -1, np.intp)
    for seat, known in enumerate(ours >= 0):
        theirs[seat, ours[seat, known]] = np.flatnonzero(known)
    return theirs


# Rates.


def peer_games(peer_class: Any, games: int) -> None:
    """Random games on the package's native class, one list and one step a turn; blocked colours are passed over."""
    rng = random.Random(1)
    for _ in range(games):
        peer = peer_class()
        while not peer.is_over:
            player = peer.agent_selection
            if peer.terminations[player]:
                peer.step(None)
                continue
            legal = np.frombuffer(peer.observe(player).action_mask, bool).nonzero()[0]
            peer.step(int(legal[int(rng.random() * len(legal))]))


def environment_games(games: int) -> None:
    """The same through the package's PettingZoo environment, its documented door."""
    rng, environment = random.Random(1), import_module("blokus_rl").BlokusEnv()
    for _ in range(games):
        environment.reset()
        while environment.agents:
            player = environment.agent_selection
            if environment.terminations[player]:
                environment.step(None)
                continue
            legal = environment.observe(player)["action_mask"].view(bool).nonzero()[0]
            environment.step(int(legal[int(rng.random() * len(legal))]))


def main() -> int:
    """Compare, then time; 1 if anything differed."""
    numbers = parse_arguments("blokus-rl", Numbers(games=200, helped_games=100, repetitions=7))
    peer_class, game = load_peer(), zg.load_game("blokus")
    ours = translate(peer_class, game)
    theirs = inverse(ours, game.num_distinct_actions())
    contestants = [
        Contestant("blokus-rl, loop in Python on PyBlokus", lambda: peer_games(peer_class, 50), 50),
        Contestant("blokus-rl, loop in Python on BlokusEnv", lambda: environment_games(20), 20),
    ]
    findings = compare_games(game, lambda: Classic(peer_class(), ours, theirs), numbers)
    return run("blokus-rl", numbers, findings, contestants, Classic.known, our_contestants(two_threads=True))


if __name__ == "__main__":
    sys.exit(main())
