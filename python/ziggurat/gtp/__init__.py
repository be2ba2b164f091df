"""The Go Text Protocol, version 2, for all games: an engine (`Session`) and a referee (`play_match`).

docs/gtp.md describes the dialect.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ziggurat.gtp.board import Board
    from ziggurat.gtp.match import GameReport, play_match
    from ziggurat.gtp.session import Session

HOMES = {"Board": "board", "GameReport": "match", "Session": "session", "play_match": "match"}

__all__ = ["Board", "GameReport", "Session", "play_match"]


def __getattr__(name: str) -> Any:
    if name in HOMES:
        return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
