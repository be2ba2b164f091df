"""Files of a run: whole or not at all."""

import csv
import io
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ziggurat import Results, __version__, _core
from ziggurat.cli.errors import CommandError, require

Writer = Callable[[Results, BinaryIO], None]
ROWS = 1 << 16  #: rows of text that are made at a time


@contextmanager
def target(path: Path | None, writers: Mapping[str, tuple[str, str, Writer]]) -> Iterator[Callable[[Results], None]]:
    """Yields a function that writes results to `path`, or does nothing without a path.

    Whether that can work is found out at once. The file appears when the block has ended, and only if it ends well.
    """
    if path is None:
        yield lambda results: None
        return
    if path.suffix.lower() not in writers:
        raise CommandError(f"{path}: the name of the file must end in one of {', '.join(writers)}")
    extra, package, write = writers[path.suffix.lower()]
    if extra:
        require(extra, package)
    with _whole_file(path) as file:
        yield lambda results: write(results, file)


@contextmanager
def _whole_file(path: Path) -> Iterator[BinaryIO]:
    if path.is_dir():
        raise CommandError(f"cannot write {path}: it is a folder")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(path)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def metadata(results: Results) -> dict[str, str | int]:
    """What it takes to play the games of a file once more."""
    return {
        "game": results.game,
        "seed": results.seed,
        "first": results.first,
        "uniform": results.uniform,
        "version": __version__,
        "level": _core.level,
    }


def flat_columns(results: Results) -> dict[str, NDArray[Any]]:
    """The columns by name; those with one value a player are split: scores_0, scores_1, ..."""
    flat: dict[str, NDArray[Any]] = {}
    for name, values in results.columns().items():
        parts = {name: values} if values.ndim == 1 else {f"{name}_{p}": values[:, p] for p in range(values.shape[1])}
        flat.update(parts)
    return flat


def _write_npz(results: Results, file: BinaryIO) -> None:
    arrays: dict[str, Any] = dict(results.columns())
    for name, value in metadata(results).items():
        arrays[name] = np.uint64(value) if isinstance(value, int) else np.str_(value)
    np.savez_compressed(file, **arrays)


def _write_csv(results: Results, file: BinaryIO) -> None:
    """A line `# name: value` for each fact about the run, then names, then games."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    text.writelines(f"# {name}: {value}\n" for name, value in metadata(results).items())
    rows = csv.writer(text, lineterminator="\n")
    columns = flat_columns(results)
    rows.writerow(columns)
    for start in range(0, len(results), ROWS):
        rows.writerows(zip(*(values[start : start + ROWS].tolist() for values in columns.values()), strict=True))
    text.detach()


def _write_parquet(results: Results, file: BinaryIO) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table(flat_columns(results))
    about = {name: str(value) for name, value in metadata(results).items()}
    parquet.write_table(table.replace_schema_metadata(about), file)


def _plot_writer(kind: str) -> Writer:
    def write(results: Results, file: BinaryIO) -> None:
        from ziggurat.cli.plot import draw_results

        draw_results(results).savefig(file, format=kind)

    return write


#: suffix -> extra, package of it, and what writes; no extra: NumPy is enough
DATA_WRITERS: dict[str, tuple[str, str, Writer]] = {
    ".npz": ("", "", _write_npz),
    ".parquet": ("data", "pyarrow", _write_parquet),
    ".csv": ("", "", _write_csv),
}
PLOT_WRITERS: dict[str, tuple[str, str, Writer]] = {
    ".png": ("plot", "matplotlib", _plot_writer("png")),
    ".svg": ("plot", "matplotlib", _plot_writer("svg")),
}
