"""`Results` as Arrow tables and Parquet files (extra `data`): flat columns, and all about the run as metadata."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ziggurat.about import BUILD_FACTS
from ziggurat.cli.errors import require
from ziggurat.errors import ParseError
from ziggurat.results import Results

if TYPE_CHECKING:  # as in protocols.py
    from numpy.typing import NDArray

PER_PLAYER = {"scores": "int32", "returns": "float64"}  #: columns with a value for each player, and their dtypes
PER_GAME = {
    "winners": "uint32",
    "plies": "int32",
    "turns": "int32",
    "legal_total": "int64",
    "legal_max": "int32",
    "forced_passes": "int32",
}
COUNTER = "int32"  #: the dtype of all other columns


def metadata(results: Results) -> dict[str, str | int]:
    """What it takes to play the games once more, and what played them: game, options, seed, first, uniform, build."""
    from ziggurat.api import load_game

    return {
        "game": results.game,
        "options": json.dumps(load_game(results.game).options, separators=(",", ":")),
        "seed": results.seed,
        "first": results.first,
        "uniform": results.uniform,
        **results.build,
    }


def flat_columns(results: Results) -> dict[str, NDArray[Any]]:
    """The columns by name; those with one value a player are split: scores_0, scores_1, ..."""
    flat: dict[str, NDArray[Any]] = {}
    for name, values in results.columns().items():
        parts = {name: values} if values.ndim == 1 else {f"{name}_{p}": values[:, p] for p in range(values.shape[1])}
        flat.update(parts)
    return flat


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write, which appears under its name when the block has ended, and only if it ends well."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _check_file(argument: str, file: Any, method: str) -> None:
    """TypeError for what is neither a path nor has the method of a binary file."""
    if not isinstance(file, (str, os.PathLike)) and not hasattr(file, method):
        raise TypeError(f"{argument} is a path or a binary file, not {file!r}")


# Writing


def to_table(results: Results) -> Any:
    """The pyarrow.Table of `Results.to_table`."""
    require("data", "pyarrow")
    import pyarrow

    about = {name: str(value) for name, value in metadata(results).items()}
    return pyarrow.table(flat_columns(results)).replace_schema_metadata(about)


def to_parquet(results: Results, target: str | os.PathLike[str] | BinaryIO) -> None:
    """What `Results.to_parquet` does."""
    _check_file("target", target, "write")
    table = to_table(results)
    from pyarrow import parquet

    with whole_file(Path(target)) if isinstance(target, (str, os.PathLike)) else nullcontext(target) as file:
        parquet.write_table(table, file)


# Reading


def from_parquet(source: str | os.PathLike[str] | BinaryIO) -> Results:
    """What `Results.from_parquet` does."""
    _check_file("source", source, "read")
    require("data", "pyarrow")
    import pyarrow
    from pyarrow import parquet

    with open(source, "rb") if isinstance(source, (str, os.PathLike)) else nullcontext(source) as file:
        try:
            table = parquet.ParquetFile(file).read()
        except (pyarrow.ArrowException, OSError) as error:
            if getattr(error, "errno", None) is not None:  # of the system, not of the contents
                raise
            raise ParseError(f"{source} is not a Parquet file: {error}") from error
    return from_table(table)


def from_table(table: Any) -> Results:
    """What `Results.from_table` does."""
    require("data", "pyarrow")
    import pyarrow

    if not isinstance(table, pyarrow.Table):
        raise TypeError(f"table is a pyarrow.Table, not {table!r}")
    about = _About(table.schema.metadata or {})
    run = about["game"], about.number("seed"), about.number("first"), about.one_of("uniform", ("action", "turn"))
    columns = _Columns(table)
    found: dict[str, Any] = columns.of_players()
    found |= {name: columns.take(name, dtype) for name, dtype in PER_GAME.items()}
    build = {name: about[name] for name in BUILD_FACTS if name in about}
    return Results(*run, **found, counters=columns.others(), build=build)


class _About(dict[str, str]):
    """The metadata of a table, as texts."""

    def __init__(self, pairs: Mapping[bytes, bytes]) -> None:
        super().__init__((key.decode(errors="replace"), value.decode(errors="replace")) for key, value in pairs.items())

    def __missing__(self, name: str) -> str:
        raise ParseError(f"the table has no {name!r} in its metadata: it is not one of Results.to_table")

    def number(self, name: str) -> int:
        if not re.fullmatch(r"[0-9]{1,20}", self[name]):
            raise ParseError(f"metadata {name!r} is a whole number, not {self[name]!r}")
        return int(self[name])

    def one_of(self, name: str, allowed: tuple[str, ...]) -> str:
        if self[name] not in allowed:
            raise ParseError(f"metadata {name!r} is one of {', '.join(allowed)}, not {self[name]!r}")
        return self[name]


class _Columns:
    """The columns of a table, taken one by one."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._left = list(table.column_names)
        if repeated := [name for name in self._left if self._left.count(name) > 1]:
            raise ParseError(f"the table has the column {repeated[0]!r} more than once")

    def take(self, name: str, dtype: str) -> NDArray[Any]:
        """[n] an array of its own; ParseError if there is no such column, or one with other values."""
        import numpy as np
        import pyarrow

        if name not in self._left:
            raise ParseError(f"the table has no column {name!r}: it is not one of Results.to_table")
        self._left.remove(name)
        column = self._table[name]
        if column.type != pyarrow.from_numpy_dtype(np.dtype(dtype)) or column.null_count:
            holes = f" with {column.null_count} nulls" if column.null_count else ""
            raise ParseError(f"the column {name!r} is {dtype} without nulls, not {column.type}{holes}")
        return np.array(column.to_numpy())

    def of_players(self) -> dict[str, NDArray[Any]]:
        """[n, p] each: what stands in scores_0, scores_1, ..."""
        import numpy as np

        players = {name: self._count(name) for name in PER_PLAYER}
        if len(set(players.values())) != 1:
            raise ParseError(f"all columns are of as many players, not {players}")
        return {
            name: np.stack([self.take(f"{name}_{p}", dtype) for p in range(players[name])], axis=1)
            for name, dtype in PER_PLAYER.items()
        }

    def _count(self, name: str) -> int:
        """How many players have a column; one at least, which then has to be there."""
        return next(p for p in count(1) if f"{name}_{p}" not in self._left)

    def others(self) -> dict[str, NDArray[Any]]:
        """What has not been taken, by name: what a game counts."""
        return {name: self.take(name, COUNTER) for name in list(self._left)}
