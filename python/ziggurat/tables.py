"""`Results` as Arrow tables and Parquet files (extra `data`): flat columns, and all about the run as metadata."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ziggurat import protocols
from ziggurat.about import BUILD_FACTS
from ziggurat.cli.errors import require
from ziggurat.distributed import MOST_GAMES
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
COUNTER = "int32"  #: the dtype of what a game counts


def metadata(results: Results) -> dict[str, str | int]:
    """What it takes to play the games once more, and what played them: game, options, seed, first, uniform, build."""
    from ziggurat.api import load_game

    return {
        "game": results.game,
        "options": _options(load_game(results.game)),
        "seed": results.seed,
        "first": results.first,
        "uniform": results.uniform,
        **results.build,
    }


def _are_options(text: str, game: protocols.Game) -> bool:
    """Does a text say what the options of a game are? Those that it does not know are of a later version."""
    try:
        written = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(written, dict) and json.dumps(written) == json.dumps(
        {name: value for name, value in game.options.items() if name in written}
    )


def _options(game: protocols.Game) -> str:
    """All options with their values, as JSON."""
    return json.dumps(game.options, separators=(",", ":"))


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
        parquet.write_table(table, file, write_page_checksum=True)


# Reading


def from_parquet(source: str | os.PathLike[str] | BinaryIO) -> Results:
    """What `Results.from_parquet` does."""
    _check_file("source", source, "read")
    require("data", "pyarrow")
    import pyarrow
    from pyarrow import parquet

    data = _contents(source)  # so that any error below is one of the contents
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data), page_checksum_verification=True)
        table = file.read()
        table.validate()
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        raise ParseError(f"{source} is not a Parquet file: {error}") from error
    if table.num_rows != file.metadata.num_rows:
        raise ParseError(f"{source} has {table.num_rows} rows, but tells of {file.metadata.num_rows}")
    return from_table(table)


def _contents(source: str | os.PathLike[str] | BinaryIO) -> bytes:
    """All bytes of a file, from its beginning where it can be wound back."""
    if isinstance(source, (str, os.PathLike)):
        return Path(source).read_bytes()
    if getattr(source, "seekable", lambda: False)():
        source.seek(0)
    data: Any = source.read()
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"source is a path or a binary file, not one of {type(data).__name__}")
    return bytes(data)


def from_table(table: Any) -> Results:
    """What `Results.from_table` does."""
    require("data", "pyarrow")
    import pyarrow

    if not isinstance(table, pyarrow.Table):
        raise TypeError(f"table is a pyarrow.Table, not {table!r}")
    about = _About(table.schema.metadata or {})
    game = about.game()
    run = about["game"], about.number("seed", 2**64 - 1), about.number("first", MOST_GAMES), about.uniform()
    columns = _Columns(table)
    found: dict[str, Any] = {name: columns.of_players(name, game, dtype) for name, dtype in PER_PLAYER.items()}
    found |= {name: columns.take(name, dtype) for name, dtype in PER_GAME.items()}
    counters = columns.counters(game)
    columns.check_all_taken(game)
    _check_winners(found["winners"], game)
    build = {name: about[name] for name in BUILD_FACTS if name in about}
    return Results(*run, **found, counters=counters, build=build)


def _check_winners(winners: NDArray[Any], game: protocols.Game) -> None:
    """ParseError for a winner who is no player."""
    if (others := winners >> game.num_players()).any():
        row = int(others.argmax())
        raise ParseError(
            f"'winners' has bits of the {game.num_players()} players of {game}, not {winners[row]} (row {row})"
        )


class _About(dict[str, str]):
    """The metadata of a table, as texts."""

    def __init__(self, pairs: Mapping[bytes, bytes]) -> None:
        super().__init__((_text(key), _text(value)) for key, value in pairs.items())

    def __missing__(self, name: str) -> str:
        raise ParseError(f"the table has no {name!r} in its metadata: it is not one of Results.to_table")

    def game(self) -> protocols.Game:
        """The game that was played; ParseError if there is none, if its text is not canonical or its options differ."""
        from ziggurat.api import load_game

        try:
            game = load_game(self["game"])
        except ValueError as error:
            raise ParseError(f"metadata 'game' is the text of a game, not {self['game']!r}: {error}") from error
        if str(game) != self["game"]:
            raise ParseError(f"metadata 'game' is the canonical text {str(game)!r}, not {self['game']!r}")
        if not _are_options(self.get("options", "{}"), game):  # version 0.4.0 wrote none
            raise ParseError(f"metadata 'options' are those of {game}: {_options(game)}, not {self['options']:.200}")
        return game

    def number(self, name: str, highest: int) -> int:
        if not re.fullmatch(r"0|[1-9][0-9]{0,19}", self[name]):
            raise ParseError(f"metadata {name!r} is a whole number, not {self[name]!r}")
        if int(self[name]) > highest:
            raise ParseError(f"metadata {name!r} is a whole number up to {highest}, not {self[name]}")
        return int(self[name])

    def uniform(self) -> str:
        """What was drawn."""
        if self["uniform"] not in ("action", "turn"):
            raise ParseError(f"metadata 'uniform' is one of action, turn, not {self['uniform']!r}")
        return self["uniform"]


def _text(value: bytes) -> str:
    """ParseError for bytes that are no text."""
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise ParseError(f"metadata are texts in UTF-8, not {value!r}") from error


class _Columns:
    """The columns of a table, taken one by one."""

    def __init__(self, table: Any) -> None:
        try:
            self._left = list(table.column_names)
        except UnicodeDecodeError as error:
            raise ParseError(f"the names of columns are texts in UTF-8, not {error.object!r}") from error
        self._table = table
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

    def of_players(self, name: str, game: protocols.Game, dtype: str) -> NDArray[Any]:
        """[n, p] what stands in scores_0, scores_1, ..."""
        import numpy as np

        return np.stack([self.take(f"{name}_{p}", dtype) for p in range(game.num_players())], axis=1)

    def counters(self, game: protocols.Game) -> dict[str, NDArray[Any]]:
        """[n] each: what this game counts."""
        from ziggurat.api import describe

        return {name: self.take(name, COUNTER) for name in describe(game.name)["counters"]}

    def check_all_taken(self, game: protocols.Game) -> None:
        """ParseError for a column that the results of this game have not."""
        if self._left:
            raise ParseError(f"the table has the column {self._left[0]!r}, which results of {game} have not")
