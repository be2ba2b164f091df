"""A progress bar on stderr (extra `cli`)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from ziggurat.cli.errors import require


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[int, int], None]]:
    """Yields a function `(done, total)` that moves the bar; with total 0, which is "not known", it counts only.

    Raises ImportError, which names the extra, where rich is missing.
    """
    require("cli", "rich")
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from ziggurat.cli.terminal import console

    columns = BarColumn(), TextColumn("{task.fields[count]}", markup=False), TimeRemainingColumn()
    start = perf_counter()
    with Progress(*columns, console=console(stderr=True), auto_refresh=False, transient=True) as progress:
        task = progress.add_task("", total=total or None, count="")

        def report(done: int, total: int) -> None:
            rate = done / max(perf_counter() - start, 1e-9)
            count = f"{done:,} of {total:,}" if total else f"{done:,}"
            progress.update(task, completed=done, total=total or None, count=f"{count}  {rate:,.0f}/s", refresh=True)

        yield report
