"""Blokus beside the public package colosseumrl: the same random games in both, then the rates of both.

    pip install ziggurat cython wheel setuptools && pip install --no-build-isolation colosseumrl
    python bench/peers/vs_colosseumrl.py [--games 30] [--helped-games 10] [--repetitions 5] [--json FILE]

See README.md beside this file.
"""

import random
import sys
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np
from common import (
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
    from colosseumrl.envs.blokus.BlokusEnvironment import BlokusEnvironment, string_to_action
    from colosseumrl.envs.blokus.board import Board
except ImportError as error:
    sys.exit(f"The package colosseumrl is needed beside ziggurat: see README.md ({error})")

GAME = zg.load_game("blokus", start="any_corner", pass_mode="skip")
ACTION_ON = placements_by_cells(GAME)
ENVIRONMENT = BlokusEnvironment()
NUMBERS: dict[str, int] = {}  # our action for each of the package's texts, as far as they have come up
TEXTS: dict[int, str] = {}


class Colosseum(Peer):
    """One game in the package."""

    corners: ClassVar = ((0, 0), (0, 19), (19, 0), (19, 19))
    known: ClassVar = {
        "start square": "BK-1.4: the third seat starts at a1, the fourth at t1",
        "ended with placements left": "BK-2.5: it asks the board before the last placement, without its new contacts",
        "not ended though all are blocked": "BK-2.5: for the same reason it takes one more pass to see the end",
    }

    def __init__(self) -> None:
        self.state, (self.seat,) = ENVIRONMENT.new_state()
        self.over = False  # as it said after the last action

    def facts(self, state: zg.State, legal: list[int]) -> Iterable[Fact]:
        """Placements, scores and end; colours that we leave out must be blocked in the package."""
        yield "scores", state.scores().tolist(), [score - SQUARES for score in ENVIRONMENT.current_rewards(self.state)]
        yield "ended with placements left", 0, len(legal) if self.over else 0
        if state.is_terminal():
            yield "not ended though all are blocked", True, self.over
            self.step("")
            yield "end of the game after one more pass", True, self.over
        while not state.is_terminal() and self.seat != state.current_player():
            yield "blocked", [], self.legal()
            self.step("")
        if not state.is_terminal():
            yield "placements", legal, self.legal()

    def legal(self) -> list[int]:
        """What the package allows the seat to move, in our numbers; it lists a placement once for each way to it."""
        texts = {text for text in ENVIRONMENT.valid_actions(self.state, self.seat) if text}
        return sorted({self.number(text) for text in texts})

    def number(self, text: str) -> int:
        """Our action for one of the package's."""
        if text not in NUMBERS:
            board = Board()
            board.update_board(1, *string_to_action(text), 0, True)
            cells = frozenset((int(row), int(column)) for row, column in np.argwhere(board.board_contents))
            NUMBERS[text] = ACTION_ON[cells]
            TEXTS[NUMBERS[text]] = text
        return NUMBERS[text]

    def play(self, seat: int, action: int) -> None:
        """Play one of our actions; the package has listed it, or does not have it."""
        assert action in TEXTS, f"{GAME.action_to_string(action)} was never listed"
        self.step(TEXTS[action])

    def step(self, text: str) -> None:
        """Let the package play one of its actions; it also says whether that ended the game."""
        self.state, (self.seat,), _, self.over, _ = ENVIRONMENT.next_state(self.state, [self.seat], [text])


def random_games(games: int) -> None:
    """Random games as the package's example client plays them: until it says that the game is over."""
    rng = random.Random(1)
    for _ in range(games):
        state, players = ENVIRONMENT.new_state()
        over: Any = False
        while not over:
            action = rng.choice(ENVIRONMENT.valid_actions(state, players[0]) or [""])
            state, players, _, over, _ = ENVIRONMENT.next_state(state, players, [action])


def main() -> int:
    """Compare, then time."""
    numbers = parse_arguments("colosseumrl", Numbers(games=30, helped_games=10, repetitions=5))
    theirs = [Contestant("colosseumrl, loop in Python on BlokusEnvironment", lambda: random_games(3), 3)]
    return run("colosseumrl", numbers, compare_games(GAME, Colosseum, numbers), theirs, Colosseum.known)


if __name__ == "__main__":
    sys.exit(main())
