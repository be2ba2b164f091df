"""How long the passes of a solver will still take: guessed from those that are done, or not at all."""

from __future__ import annotations

import math
from itertools import pairwise

PAIRS = 4  #: of passes that are looked back on: a loss and a win each


class Forecast:
    """Remembers the passes of a run. Passes come in pairs, losses and wins.

    Late in a run each pair finds fewer positions than the one before it, by about the same factor, until there are none
    to be found. Before that nobody can tell how many pairs are left.
    """

    def __init__(self, most_passes: int) -> None:
        self.most = most_passes
        self.found: list[int] = []  # positions, of all passes
        self.seconds: list[float] = []  # of the passes of this run: the last ones

    def add(self, positions: int, seconds: float | None = None) -> None:
        """A complete pass; `seconds` is None if another run made it."""
        self.found.append(positions)
        if seconds is not None:
            self.seconds.append(seconds)

    def remaining(self, done: int, total: int, seconds: float) -> float | None:
        """Seconds to the last pass; `done` of `total` parts of the pass at hand took `seconds`. None: unknown."""
        pairs = pair_sums(self.found)[-PAIRS:]
        costs = pair_sums(self.seconds)[-PAIRS:]
        if len(pairs) < PAIRS or len(costs) < 2 or done <= 0 or not falls(pairs):
            return None
        shrinks = math.pow(pairs[-1] / pairs[0], 1 / (PAIRS - 1))
        cheaper = min(math.pow(costs[-1] / max(costs[0], 1e-9), 1 / (len(costs) - 1)), 1.0)
        left = 1 + math.ceil(math.log(pairs[-1]) / -math.log(shrinks))  # the last one finds nothing
        left = max(min(left, (self.most - len(self.found)) // 2), 0)
        later = costs[-1] * sum(cheaper**k for k in range(1, left + 1))
        return later + seconds * max(total - done, 0) / done


def pair_sums(values: list[int] | list[float]) -> list[float]:
    """The sums of the last two values, of the two before them, and so on, in the order of the values."""
    return [float(values[i - 1] + values[i]) for i in range(len(values) - 1, 0, -2)][::-1]


def falls(values: list[float]) -> bool:
    """Is each of some numbers smaller than the one before it, and none of them 0?"""
    return all(0 < after < before for before, after in pairwise(values))
