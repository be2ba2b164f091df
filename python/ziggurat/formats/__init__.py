"""Records of games and drawings of positions.

`sgf` (game trees of any game), `blksgf` (Blokus), `record` (JSON, all games), `faces` (layouts of Blox) and `svg`
(drawings) are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ziggurat.formats.errors import LayoutError, RecordError, UnsupportedGameError

if TYPE_CHECKING:
    from ziggurat.formats import blksgf, faces, record, sgf, svg
    from ziggurat.formats.record import Record

MODULES = ("blksgf", "faces", "record", "sgf", "svg")

__all__ = [
    "LayoutError",
    "Record",
    "RecordError",
    "UnsupportedGameError",
    "blksgf",
    "faces",
    "record",
    "sgf",
    "svg",
]


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return import_module(f"{__name__}.{name}")
    if name == "Record":
        return import_module(f"{__name__}.record").Record
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
