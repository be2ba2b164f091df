"""`ziggurat solve`: a complete solution of a game, as a table."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.table import Table

import ziggurat
from ziggurat import Game, _core
from ziggurat.cli.arguments import GameText, Json, Preset, Settings, Threads, chosen_game
from ziggurat.cli.errors import CommandError, engine_errors, system_errors, system_words
from ziggurat.cli.judging import WORDS
from ziggurat.cli.terminal import console, facts, print_json, seconds_text, show, table
from ziggurat.solver.building import BuildProgress, Listener, build
from ziggurat.solver.files import TableFiles, gigabytes, locked, table_files
from ziggurat.solver.tablebase import Tablebase, load

QUIET = 10.0  #: seconds between lines of progress where there is no terminal
KEPT = "what is done is kept: add --resume to go on"
PHASES = {
    "resume": "reading what is done",
    "save": "writing the table",
    "verify": "reading it back",
    "check": "checking it against the rules",
}


def number(text: str | float) -> float:
    """A parser of numbers that names what is none."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number") from None


def solve_game(
    game: GameText,
    preset: Preset = None,
    option: Settings = None,
    threads: Threads = 0,
    memory_gb: Annotated[
        float | None,
        typer.Option(
            "--memory-gb",
            metavar="G",
            parser=number,
            help="Memory that may be used, in 10^9 bytes (default: what is free).",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Write the table here (default: the user's cache folder)."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where a run that was stopped or killed has left off.")
    ] = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="Solve it from the start, even if there is a table or a part of one.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Solve a game completely: who wins each position, and in how many turns."""
    if resume and anew:
        raise CommandError("--resume goes on and --anew begins again: say one of them")
    chosen = chosen_game(game, preset, option)
    start = perf_counter()
    with system_errors(), engine_errors():
        files = table_files(chosen, out)
        old = None if anew else _finished(chosen, files, resume)
        made = old or _solved(chosen, files, threads, memory_gb, resume)
        summary = _summary(made, chosen, None if old else perf_counter() - start)
    print_json(summary) if as_json else _print(summary)


def _finished(game: Game, files: TableFiles, resume: bool) -> Tablebase | None:
    """The table, if there is a good one. CommandError if there is a begun one that nobody wants to go on with."""
    if files.work.exists():
        if not resume:
            with locked(files):  # else it still runs
                words = "a run has been stopped here: add --resume to go on with it, or --anew to begin again"
                raise CommandError(f"{files.work}: {words}")
        return None
    try:
        return load(game, path=files.wdl)
    except FileNotFoundError:
        return None


def _solved(game: Game, files: TableFiles, threads: int, memory_gb: float | None, resume: bool) -> Tablebase:
    try:
        with _watched() as listener:
            return build(game, files.wdl.parent, threads, memory_gb, resume, listener)
    except KeyboardInterrupt:
        if files.work.exists():
            print(f"ziggurat: {KEPT}", file=sys.stderr)
        raise
    except OSError as error:
        if files.work.exists() and not isinstance(error, BlockingIOError):
            raise CommandError(f"{system_words(error)} ({KEPT})") from error
        raise


# Progress


@contextmanager
def _watched() -> Iterator[Listener]:
    """Yields what shows progress on stderr: a bar in a terminal, elsewhere a line now and then."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[words]}", markup=False),
    )
    with Progress(*columns, console=console(stderr=True), auto_refresh=False, transient=True) as progress:
        task = progress.add_task("", total=None, words="")

        def report(at: BuildProgress) -> None:
            total = at.total or None
            progress.update(
                task, completed=at.done, total=total, description=_phase(at), words=_amounts(at), refresh=True
            )

        yield report


def _lines() -> Listener:
    last = perf_counter()

    def report(at: BuildProgress) -> None:
        nonlocal last
        if perf_counter() - last >= QUIET:
            last = perf_counter()
            share = f"{at.done / at.total:.0%}, " if at.total else ""
            print(f"{_phase(at)}: {share}{_amounts(at)}", file=sys.stderr, flush=True)

    return report


def _phase(at: BuildProgress) -> str:
    """What is being done: `pass 23 (after: lost in 22)`."""
    if at.phase != "solve":
        return PHASES[at.phase]
    if at.last is None:
        return f"pass {at.number}"
    return f"pass {at.number} (after: {'won' if at.last['win'] else 'lost'} in {at.last['distance']})"


def _amounts(at: BuildProgress) -> str:
    """How much is decided, how fast, and how long it will take."""
    left = f"left: {'unknown' if at.remaining is None else clock(at.remaining)}"
    if at.phase != "solve":
        return left
    decided = f"{at.decided / max(at.positions, 1):.2%} decided"
    return f"{decided}  {at.rate / 1e6:,.1f} M positions/s  {left}"


def clock(seconds: float) -> str:
    """`1:02:03`, `2:03`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


# Results


def _summary(made: Tablebase, game: Game, seconds: float | None) -> dict[str, Any]:
    """All about a table; `seconds` is None where it was there already."""
    start = made.value_and_distance(game.new_initial_state())
    paths = [made.wdl_file, *filter(None, [made.distances_file])]
    found = [found for found in made.summary["passes"] if found["positions"]]
    return {
        "game": str(game),
        "files": [str(path) for path in paths],
        "bytes": [path.stat().st_size for path in paths],
        "start": {"result": WORDS[start.value], **start._asdict()},
        "longest": max((one["distance"] for one in found), default=0),
        **made.summary,
        "seconds": seconds,
        "version": ziggurat.__version__,
        "level": _core.level,
    }


def _print(summary: dict[str, Any]) -> None:
    start, positions = summary["start"], max(summary["positions"], 1)
    turns = "" if start["distance"] is None else f" in {start['distance']} turns"
    rows = {"game": summary["game"], "who begins": f"{start['result']}{turns}"}
    rows |= {"positions": f"{summary['positions']:,}"}
    rows |= {key: f"{summary[key]:,} ({summary[key] / positions:.2%})" for key in ("wins", "draws", "losses")}
    rows |= {"longest": f"{summary['longest']} turns"}
    rows |= {"seconds": "it was solved before" if summary["seconds"] is None else seconds_text(summary["seconds"])}
    for kind, path, size in zip(("values", "distances"), summary["files"], summary["bytes"], strict=True):
        rows[kind] = f"{path} ({gigabytes(size)})"
    show(facts(rows), _by_balls(summary["by_balls"]))


def _by_balls(counts: Sequence[Sequence[int]]) -> Table:
    made = table("balls", "wins", "draws", "losses", numbers=("balls", "wins", "draws", "losses"))
    for balls, row in enumerate(counts):
        made.add_row(str(balls), *(f"{count:,}" for count in row))
    return made
