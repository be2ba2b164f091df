"""Files of a run: whole or not at all."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ziggurat import Results
from ziggurat.cli.errors import CommandError, require
from ziggurat.tables import flat_columns, metadata, whole_file

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
    with _written(path) as file:
        yield lambda results: write(results, file)


@contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    """A file that appears whole or not at all; what the system refuses becomes a CommandError."""
    try:
        with whole_file(path) as file:
            yield file
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror or error}") from error


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


def _plot_writer(kind: str) -> Writer:
    def write(results: Results, file: BinaryIO) -> None:
        from ziggurat.cli.plot import draw_results

        draw_results(results).savefig(file, format=kind)

    return write


#: suffix -> extra, package of it, and what writes; no extra: NumPy is enough
DATA_WRITERS: dict[str, tuple[str, str, Writer]] = {
    ".npz": ("", "", _write_npz),
    ".parquet": ("data", "pyarrow", Results.to_parquet),
    ".csv": ("", "", _write_csv),
}
PLOT_WRITERS: dict[str, tuple[str, str, Writer]] = {
    ".png": ("plot", "matplotlib", _plot_writer("png")),
    ".svg": ("plot", "matplotlib", _plot_writer("svg")),
}
