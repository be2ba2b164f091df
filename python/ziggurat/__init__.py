"""ziggurat: a fast, complete native engine for spatial board games.

>>> import ziggurat as zg
>>> state = zg.load_game("pylos").new_initial_state()
>>> zg.perft(state, 4)
43680
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ziggurat._core import Buffers
from ziggurat.about import build_info
from ziggurat.api import Progress, describe, games, load_game, perft, restore_state, rules, simulate
from ziggurat.batch import BatchEnv
from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.protocols import Game, State
from ziggurat.results import Results

if TYPE_CHECKING:
    from types import ModuleType

    from ziggurat import solver

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
    "solver",
]
__version__ = "0.6.0"


def __getattr__(name: str) -> ModuleType:
    """`ziggurat.solver`, which is imported when somebody asks for it."""
    if name == "solver":
        from importlib import import_module

        return import_module("ziggurat.solver")
    raise AttributeError(f"module 'ziggurat' has no attribute {name!r}")
