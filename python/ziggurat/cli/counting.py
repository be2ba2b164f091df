"""`ziggurat perft`: count the sequences from a position."""

import sys
from contextlib import nullcontext
from time import perf_counter
from typing import Annotated, Any

import typer

import ziggurat
from ziggurat.cli.arguments import (
    GameText,
    Json,
    Position,
    Preset,
    Seed,
    Settings,
    Threads,
    Unit,
    chosen_game,
    chosen_state,
    position_text,
    whole_number,
)
from ziggurat.cli.bar import progress_bar
from ziggurat.cli.errors import engine_errors
from ziggurat.cli.terminal import facts, print_json, seconds_text, show, table


def count_leaves(
    game: GameText,
    depth: Annotated[
        int, typer.Argument(metavar="DEPTH", parser=whole_number(), help="Turns (or actions) deep.", show_default=False)
    ],
    preset: Preset = None,
    option: Settings = None,
    seed: Seed = 0,
    position: Position = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count below each first turn (or action).")] = False,
    unit: Annotated[Unit, typer.Option("--unit", help="What DEPTH counts.")] = Unit.TURN,
    threads: Threads = 1,
    hash_mb: Annotated[
        int, typer.Option("--hash-mb", metavar="N", parser=whole_number(), help="Transposition table, megabytes.")
    ] = 0,
    as_json: Json = False,
) -> None:
    """Count the sequences of exactly DEPTH turns (or actions)."""
    state = chosen_state(chosen_game(game, preset, option), position, seed)
    start = perf_counter()
    with engine_errors(), progress_bar(0) if sys.stderr.isatty() else nullcontext() as report:
        found = ziggurat.perft(state, depth, unit.value, divide, threads, hash_mb, report)
    seconds = perf_counter() - start
    count = sum(found.values()) if isinstance(found, dict) else found
    result: dict[str, Any] = {
        "game": str(state.get_game()),
        "position": position_text(state),
        "depth": depth,
        "unit": unit.value,
        "count": count,
        "seconds": seconds,
        "per_second": count / max(seconds, 1e-9),
    }
    if isinstance(found, dict):
        result["divide"] = found
    print_json(result) if as_json else _print_count(result)


def _print_count(result: dict[str, Any]) -> None:
    rows = {"game": result["game"], "depth": f"{result['depth']} {result['unit']}s", "count": f"{result['count']:,}"}
    rows |= {"seconds": seconds_text(result["seconds"]), "per second": f"{result['per_second']:,.0f}"}
    if "divide" in result:
        below = table(result["unit"], "count", numbers=["count"])
        for text, count in result["divide"].items():
            below.add_row(text, f"{count:,}")
        show(below, facts(rows))
    else:
        show(facts(rows))
