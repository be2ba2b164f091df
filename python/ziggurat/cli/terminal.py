"""Consoles, tables and JSON."""

import json
import os
from collections.abc import Iterable
from typing import Any

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table

UNBOUNDED = 10_000  #: columns of what is no terminal: no line is ever folded


def console(stderr: bool = False) -> Console:
    """A console that prints strings as they are: no markup, and no colour with NO_COLOR or in a pipe."""
    plain = bool(os.environ.get("NO_COLOR"))
    made = Console(stderr=stderr, markup=False, highlight=False, emoji=False, color_system=None if plain else "auto")
    if not made.is_terminal:
        made.width = UNBOUNDED
    return made


def table(*columns: str, numbers: Iterable[str] = ()) -> Table:
    """An empty table; the columns in `numbers` are aligned to the right."""
    right = set(numbers)
    made = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left")
    return made


def facts(rows: dict[str, str]) -> Table:
    """Names and values, a row each."""
    made = Table.grid(padding=(0, 2))
    made.add_column(style="bold")
    for name, value in rows.items():
        made.add_row(name, value)
    return made


def show(*parts: RenderableType) -> None:
    """Print parts with an empty line between them; without a terminal there are no spaces at the ends of lines."""
    out = console()
    texts = []
    for part in parts:
        with out.capture() as captured:
            out.print(part)
        texts.append(captured.get())
    text = "\n".join(texts)
    print(text if out.is_terminal else "".join(f"{line.rstrip()}\n" for line in text.splitlines()), end="")


def seconds_text(seconds: float) -> str:
    """Two digits that mean something."""
    return f"{seconds:,.2f}" if seconds >= 1 else f"{seconds:.2g}"


def print_json(document: Any) -> None:
    """One JSON document on stdout."""
    print(json.dumps(document, indent=2))
