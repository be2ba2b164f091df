"""Blokus beside the public package blokus-gym: the same random games in both, then the rates of both.

    pip install blokus-gym ziggurat
    python bench/peers/vs_blokus_gym.py [--games 3] [--helped-games 2] [--repetitions 5] [--json FILE]

The package's list of placements is built first (10 s) and kept in a temporary folder. See README.md beside this file.
"""

import os
import random
import sys
import tempfile
from collections.abc import Iterable
from typing import ClassVar

from common import (
    SIDE,
    SQUARES,
    Contestant,
    Fact,
    Numbers,
    Peer,
    compare_games,
    parse_arguments,
    placements_by_cells,
    run,
)

import ziggurat as zg

try:
    from blokus_gym.envs.blokus_env import BlokusEnv
    from blokus_gym.envs.game.blokus_game import BlokusGame
    from blokus_gym.envs.game.board import Board
    from blokus_gym.envs.players.ai_player import AiPlayer
    from blokus_gym.envs.players.random_player import RandomPlayer
except ImportError as error:
    sys.exit(f"The package blokus-gym is needed beside ziggurat: pip install blokus-gym ({error})")

GAME = zg.load_game("blokus", start="any_corner", pass_mode="skip", scoring="basic")


class Classic(BlokusEnv):
    """The package's environment on our board: its own four-player one has 21 x 21 cells."""

    BOARD_SIZE = SIDE
    STATES_FILE = "states_20.json"


class GymGame(Peer):
    """One game in the package, all four seats played from outside."""

    corners: ClassVar = ((0, 0), (19, 19), (19, 0), (0, 19))
    known: ClassVar = {"start square": "BK-1.4: the seats start at a20, t1, a1 and t20"}
    moves: ClassVar[list] = []  # the package's placements, by its number
    ours: ClassVar[list[int]] = []  # our action for each of them
    theirs: ClassVar[dict[int, int]] = {}

    @classmethod
    def learn(cls, environment: BlokusEnv) -> None:
        """Match the placements one to one, by their cells; the package's points are (column, row)."""
        action_on = placements_by_cells(GAME)
        cls.moves = environment.all_possible_indexes_to_moves
        cls.ours = [action_on[frozenset((y, x) for x, y in move.points)] for move in cls.moves]
        cls.theirs = {action: index for index, action in enumerate(cls.ours)}
        if sorted(cls.ours) != list(range(GAME.num_distinct_actions() - 1)):
            sys.exit(f"the placements do not match one to one: {len(cls.ours)} and {len(action_on)}")

    def __init__(self) -> None:
        self.game = new_game(AiPlayer)
        self.seats = list(self.game.players)

    def facts(self, state: zg.State, legal: list[int]) -> Iterable[Fact]:
        """Placements, scores, end and winners; colours that we leave out must be blocked in the package."""
        winners = self.game.winners()
        yield "scores", state.scores().tolist(), [seat.score - SQUARES for seat in self.seats]
        yield "end of the game", state.is_terminal(), winners is not None
        if state.is_terminal():
            yield "winners", state.winners(), sorted(int(name) for name in winners or [])
            return
        while self.game.next_player() is not self.seats[state.current_player()]:
            yield "blocked", [], self.legal()
            self.step(None)
        yield "placements", legal, self.legal()

    def legal(self) -> list[int]:
        """What the package allows the seat to move, in our numbers."""
        return sorted(self.ours[index] for index in self.game.next_player().possible_move_indexes())

    def play(self, seat: int, action: int) -> None:
        """Play one of our actions."""
        self.step(self.theirs[action])

    def step(self, index: int | None) -> None:
        """Let the player to move place something, or nothing."""
        self.game.next_player().next_move = None if index is None else self.moves[index]
        try:
            self.game.play()
        except Exception as error:  # the package raises no narrower one
            raise AssertionError(str(error)) from error


def new_game(kind: type) -> BlokusGame:
    """A game of four players of a kind, as the environment sets it up, without reading its list of placements anew."""
    game = BlokusGame(Board(SIDE), Classic.all_shapes)
    for seat in range(4):
        game.add_player(kind(seat + 1, str(seat), GymGame.moves, game, deterministic=True))
    return game


def bare_games(games: int) -> None:
    """Games of the package's own random players, the same ones every time: a random piece, a random placement of it."""
    for number in range(games):
        game = new_game(RandomPlayer)
        for player in game.players:
            player.rng.seed(4 * number + player.index)
            for moves in player.all_labels_to_move.values():
                player.rng.shuffle(moves)
        while game.winners() is None:
            game.play()


def environment_games(environment: BlokusEnv, games: int) -> None:
    """The same through the environment: three of its random players against the sampled actions of one."""
    for _ in range(games):
        environment.reset()
        done = False
        while not done:
            _, _, done, _ = environment.step(environment.ai_sample_possible_index())


def main() -> int:
    """Compare, then time."""
    numbers = parse_arguments("blokus-gym", Numbers(games=3, helped_games=2, repetitions=5))
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the package writes its list of placements below the working folder
        environment = Classic()
        GymGame.learn(environment)
        theirs = [
            Contestant("blokus-gym, BlokusGame with its random players", lambda: bare_games(4), 4),
            Contestant("blokus-gym, loop in Python on BlokusEnv", lambda: environment_games(environment, 2), 2),
        ]
        findings = compare_games(GAME, GymGame, numbers)
        return run("blokus-gym", numbers, findings, theirs, GymGame.known)


if __name__ == "__main__":
    sys.exit(main())
