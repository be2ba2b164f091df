"""ziggurat: a fast, complete native engine for spatial board games.

>>> import ziggurat as zg
>>> state = zg.load_game("pylos").new_initial_state()
>>> zg.perft(state, 4)
43680
"""

from ziggurat._core import Buffers
from ziggurat.about import build_info
from ziggurat.api import Progress, describe, games, load_game, perft, restore_state, rules, simulate
from ziggurat.batch import BatchEnv
from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.protocols import Game, State
from ziggurat.results import Results

__all__ = [
    "BatchEnv",
    "Buffers",
    "Game",
    "IllegalActionError",
    "ParseError",
    "Progress",
    "Results",
    "State",
    "build_info",
    "describe",
    "games",
    "load_game",
    "perft",
    "restore_state",
    "rules",
    "simulate",
]
__version__ = "0.5.0"
