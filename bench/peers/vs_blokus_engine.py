"""Blokus beside the public package blokus-engine: the same random games in both, then the rates of both.

    pip install blokus-engine ziggurat
    python bench/peers/vs_blokus_engine.py [--games 40] [--repetitions 5] [--json FILE]

The package plays by itself and asks a model, square by square, where to go on: this script is that model. See README.md
beside this file.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from common import (
    SIDE,
    Contestant,
    Fact,
    Findings,
    Numbers,
    parse_arguments,
    placements_by_cells,
    run,
    uniformly,
)
from numpy.typing import NDArray

import ziggurat as zg
from ziggurat.reference.random import CHOICES, Stream, stream_key

try:
    from blokus_self_play import play_test_against_random, play_training_game
except ImportError as error:
    sys.exit(f"The package blokus-engine is needed beside ziggurat: pip install blokus-engine ({error})")

CELLS = SIDE * SIDE
GAME = zg.load_game("blokus", pass_mode="skip")
MASKS = [0] * (GAME.num_distinct_actions() - 1)  # of our placements: bit k is cell k
for _cells, _action in placements_by_cells(GAME).items():
    MASKS[_action] = sum(1 << (row * SIDE + column) for row, column in _cells)
SURE = 50.0  # a logit beside zeros that leaves no doubt
KNOWN = {
    "placements to choose from": "BK-2.2: squares that fit a larger placement too must go on to become that one",
}


def configuration(*, simulations: int, noise: float) -> SimpleNamespace:
    """The package's settings: a board of 20 x 20, planes by colour, how it searches."""
    return SimpleNamespace(
        dim=SIDE,
        rep=1,
        sims_per_move=simulations,
        sample_moves=CELLS,
        c_puct=1.5,
        dirichlet_alpha=0.3,
        exploration_fraction=noise,
    )


@dataclass
class Model:
    """Stands for the package's network: it is asked after every square, and compares before it answers.

    With one simulation a square the package plays what the answer prefers. Only the very first answer is not heeded,
    so that the first piece is chosen when its first square lies.
    """

    findings: Findings
    stream: Stream
    state: zg.State = field(default_factory=GAME.new_initial_state)
    placed: int = 0  # squares of the piece that is being placed
    target: int | None = None  # the placement that they are of
    request: Any = None
    asked: int = 0
    ply: int = 0

    def put(self, message: Any) -> None:
        """A question to the model."""
        self.request = message[1]

    def recv(self) -> tuple[list[float], list[float]]:
        """The answer: a preference for each cell, a value for each colour."""
        planes = np.array(self.request, bool).reshape(5, CELLS)
        if self.asked == 1:
            self.placed, self.target = mask(planes[0]), None
        self.asked += 1
        legal = [int(action) for action in self.state.legal_actions()]
        self.findings.compare(self.state, self.ply, 0 if self.placed else len(legal), self.facts(planes, legal))
        cell = self.next_cell(legal)
        preferences = [0.0] * CELLS
        preferences[cell] = SURE
        if self.asked > 1:
            self.place(cell)
        return preferences, [0.0] * 4

    def facts(self, planes: NDArray[np.bool_], legal: list[int]) -> Iterable[Fact]:
        """Squares of all colours, seen from the one to move, and the cells that go on from the squares placed."""
        mover = self.state.current_player()
        squares = self.state.observation_tensor(mover)[:4].reshape(4, CELLS).astype(bool)
        ours = [mask(plane) for plane in squares]
        ours[0] |= self.placed
        yield "squares from the mover's view", ours, [mask(plane) for plane in planes[:4]]
        open_cells = 0
        for action in legal:
            open_cells |= MASKS[action] if MASKS[action] & self.placed == self.placed else 0
        yield "cells to go on", open_cells & ~self.placed, mask(planes[4])
        if not self.placed:
            yield "placements to choose from", len(legal), len(largest(legal))

    def next_cell(self, legal: list[int]) -> int:
        """A cell of the placement that is aimed at; the aim is drawn among those that the package can end in."""
        if self.target is None:
            fitting = [action for action in largest(legal) if MASKS[action] & self.placed == self.placed]
            self.target = uniformly(self.state, fitting, self.stream)
        rest = MASKS[self.target] & ~self.placed
        cells = [cell for cell in range(CELLS) if rest >> cell & 1]
        return cells[self.stream.bounded(len(cells))]

    def place(self, cell: int) -> None:
        """Lay the square that we answered; with the last one the placement is ours too."""
        self.placed |= 1 << cell
        if self.target is not None and self.placed == MASKS[self.target]:
            self.state.apply_action(self.target)
            self.placed, self.target = 0, None
            self.ply += 1


def mask(plane: NDArray[np.bool_]) -> int:
    """The cells of a plane as bits."""
    return sum(1 << int(cell) for cell in np.flatnonzero(plane))


def largest(legal: list[int]) -> list[int]:
    """The placements whose cells are not a part of another's."""
    masks = [MASKS[action] for action in legal]
    return [action for action, m in zip(legal, masks, strict=True) if not any(m & ~o == 0 and m != o for o in masks)]


class Results:
    """Takes the package's record of a game; the last part is each colour's share of the win."""

    def __init__(self) -> None:
        self.shares: list[float] = []

    def put(self, message: Any) -> None:
        """The record."""
        _, (_, _, self.shares) = message


def compare_games(numbers: Numbers) -> Iterator[tuple[str, Findings]]:
    """Findings of games whose placements are drawn among those that the package can end in."""
    findings = Findings()
    for index in range(numbers.games):
        findings.games += 1
        model, results = Model(findings, Stream(stream_key(0, index, CHOICES))), Results()
        play_training_game(index, configuration(simulations=1, noise=0.0), results, model, model)
        state, winners = model.state, model.state.winners()
        shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(4)]
        end = [("end of the game", state.is_terminal(), True), ("shares of the win", shares, results.shares)]
        findings.compare(state, model.ply, 0, end)
        findings.end(state)
    yield "uniform among the largest", findings


class Indifferent:
    """A model without preferences that costs nothing to ask."""

    answer = ([0.0] * CELLS, [0.0] * 4)

    def put(self, message: Any) -> None:
        """Forget the question or the record."""

    def recv(self) -> tuple[list[float], list[float]]:
        """The same answer to all."""
        return self.answer


def package_games(play: Any, games: int) -> None:
    """Games of the package with a model that costs nothing, and without search."""
    model = Indifferent()
    for index in range(games):
        play(index, configuration(simulations=0, noise=0.25), model, model, model)


def main() -> int:
    """Compare, then time."""
    numbers = parse_arguments("blokus-engine", Numbers(games=40, helped_games=0, repetitions=5))
    theirs = [
        Contestant(f"blokus-engine, {play.__name__}", partial(package_games, play, 20), 20)
        for play in (play_test_against_random, play_training_game)
    ]
    return run("blokus-engine", numbers, compare_games(numbers), theirs, KNOWN)


if __name__ == "__main__":
    sys.exit(main())
