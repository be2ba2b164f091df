"""`ziggurat simulate`: uniform random games."""

import sys
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

import ziggurat
from ziggurat import Game, Results, _core
from ziggurat.cli.arguments import GameText, Json, Preset, Seed, Settings, Threads, Unit, chosen_game, whole_number
from ziggurat.cli.bar import progress_bar
from ziggurat.cli.errors import engine_errors
from ziggurat.cli.files import DATA_WRITERS, PLOT_WRITERS, target
from ziggurat.cli.report import print_report
from ziggurat.cli.terminal import print_json


def play_games(
    game: GameText,
    games: Annotated[
        int, typer.Option("--games", metavar="N", parser=whole_number(lowest=1), help="How many.")
    ] = 100_000,
    seed: Seed = 0,
    first: Annotated[
        int, typer.Option("--first", metavar="N", parser=whole_number(), help="Index of the first game.")
    ] = 0,
    preset: Preset = None,
    option: Settings = None,
    uniform: Annotated[Unit, typer.Option("--uniform", help="What is drawn.")] = Unit.ACTION,
    threads: Threads = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the games to FILE.npz, .parquet or .csv."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw scores, lengths and choices to FILE.png or .svg."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play uniform random games and sum them up."""
    chosen = chosen_game(game, preset, option)
    with target(plot, PLOT_WRITERS) as draw:
        with target(out, DATA_WRITERS) as write:
            results, seconds = _timed_games(chosen, games, seed, uniform, threads, first)
            write(results)
        draw(results)
    summary = _summary(results, seconds)
    print_json(summary) if as_json else print_report(results, summary)


def _timed_games(game: Game, games: int, seed: int, uniform: Unit, threads: int, first: int) -> tuple[Results, float]:
    start = perf_counter()
    with engine_errors(), progress_bar(games) if sys.stderr.isatty() else nullcontext(False) as report:
        results = ziggurat.simulate(game, games, seed, uniform.value, threads, report, first)
    return results, perf_counter() - start


def _summary(results: Results, seconds: float) -> dict[str, Any]:
    run = {"first": results.first, "seconds": seconds, "games_per_second": len(results) / max(seconds, 1e-9)}
    return results.summary() | run | {"version": ziggurat.__version__, "level": _core.level}
