"""The general solver: all positions that can be reached from a state, judged backward from the ends of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ziggurat.api import Progress, checked_progress
from ziggurat.protocols import Game, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ziggurat._core._native import Solution as _NativeSolution


class Probe(NamedTuple):
    """What a position is worth under perfect play for the player to move; of a finished game, for who would be next."""

    value: int  #: +1: he wins, -1: he loses, 0: neither can force a win
    distance: int | None  #: turns of both sides to the end; None where value is 0


class Solution:
    """The n positions between turns that can be reached from a state, and what each is worth. `solve` makes it.

    Distances count the turns of both sides, where the winner plays for the shortest game and the loser for the longest.
    A finished game has distance 0; a turn that a player must skip is not counted. Value 0 is endless play or a drawn
    end: neither can force a win. Limits on the length of a game are ignored.
    """

    def __init__(self, native: _NativeSolution) -> None:
        self._native = native

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<solution of {len(self)} positions of {self.game}>"

    @property
    def game(self) -> Game:
        """The game of the positions: that of the state, without a limit on its length."""
        game: Game = self._native.game()
        return game

    def probe(self, state: State) -> Probe:
        """The value of a state and its distance from the end.

        Inside a turn it is that of the best way to finish the turn, which counts as one. Raises ValueError for a state
        that was not reached or is of another game, and TypeError for what is no state of the native engine.
        """
        value, distance = self._native.probe(state)
        return Probe(value, distance if value else None)

    def best_turns(self, state: State) -> list[list[int]]:
        """The turns that keep the value, a win by the shortest way and a loss by the longest; all that keep a draw.

        Each is a list of action ids; inside a turn, of those that finish it. They ascend; after the end there are none.
        Raises as `probe` does.
        """
        return self._native.best_turns(state)

    def counts(self) -> dict[str, int]:
        """How many positions are "wins", "draws" and "losses" for the player to move."""
        losses, draws, wins = self._native.counts()
        return {"wins": wins, "draws": draws, "losses": losses}

    def distances(self) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
        """(values, distances), int8[n] and int16[n], new arrays: those of `probe` for each of `positions`.

        The distance is -1 where the value is 0.
        """
        return self._native.values(), self._native.distances()

    def positions(self) -> list[str]:
        """What `State.serialize` says of each position, in the order in which they were reached.

        The first is where `solve` began; from a state inside a turn, the first way to finish it.
        """
        return self._native.positions()


def solve(state: State, max_positions: int = 10_000_000, progress: Progress | None = None) -> Solution:
    """Solve all positions that can be reached from a state of a game of two players who see everything.

    The game may run in circles, and a player may move twice in a row. `progress(positions found, 0)` is called about 20
    times a second; Ctrl-C stops within a second. Each position needs the bytes of a state, about 40 more, and 12 for
    each of its turns. Raises ValueError for a game with secrets or of another number of players, and where there are
    more than `max_positions`; TypeError for wrong types; OverflowError if an end is more than 32767 turns away.
    """
    native_solve = getattr(state, "_solve", None)
    if native_solve is None:
        raise TypeError(f"state is a state of a game of load_game, not {state!r}")
    return Solution(native_solve(max_positions, checked_progress(progress)))
