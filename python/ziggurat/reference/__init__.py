"""The reference: every game in pure Python, slow and obvious, written from the rules alone.

It offers the names of `ziggurat` itself, so tests and benchmarks can swap one for the other.
"""

from ziggurat.reference.api import Game, State, games, load_game, perft, simulate
from ziggurat.reference.engine import Results

__all__ = ["Game", "Results", "State", "games", "load_game", "perft", "simulate"]
