"""The random stream, draw for draw the one that `docs/random-stream.md` defines.

All arithmetic is on unsigned 64-bit integers; Python's integers are unbounded, so results are masked.
"""

from collections.abc import MutableSequence
from operator import index as integer
from typing import TypeVar

T = TypeVar("T")

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15

CHANCE = 0  # tag of a key: the game's own chance
CHOICES = 1  # tag of a key: the choices of a play-out
DETERMINIZE = 2  # tag of a key: what a player does not see, drawn anew


def mix64(z: int) -> int:
    """The finaliser of SplitMix64, a bijection on 64-bit integers."""
    z &= MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def stream_key(seed: int, index: int, tag: int) -> int:
    """The key of the stream for one purpose (`tag`) of one game (`index`) of a batch (`seed`)."""
    h = mix64(integer(seed) + GOLDEN)  # NumPy's integers have 64 bits and no more
    h = mix64((h ^ integer(index)) + GOLDEN)
    return mix64((h ^ tag) + GOLDEN)


class Stream:
    """A stream of random numbers: the pair (key, counter)."""

    def __init__(self, key: int, counter: int = 0) -> None:
        self.key = integer(key)
        self.counter = integer(counter)

    def draw(self) -> int:
        """The next 64 random bits."""
        self.counter = (self.counter + 1) & MASK
        return mix64(self.key + self.counter * GOLDEN)

    def bounded(self, n: int) -> int:
        """A uniform integer of 0 .. n-1, for 1 <= n < 2**64; spends a draw for n = 1 too."""
        if not 1 <= n <= MASK:
            raise ValueError(f"bound {n} is not in 1 .. 2**64 - 1")
        product = self.draw() * n
        if product & MASK < n:
            threshold = (2**64 - n) % n
            while product & MASK < threshold:
                product = self.draw() * n
        return product >> 64

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place, from the last element down."""
        for i in range(len(items) - 1, 0, -1):
            j = self.bounded(i + 1)
            items[i], items[j] = items[j], items[i]
