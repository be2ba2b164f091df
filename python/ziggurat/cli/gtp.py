"""`ziggurat gtp`: an engine that speaks GTP; `ziggurat match`: a referee for such engines."""

import json
import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ziggurat.cli.arguments import Json, Preset, Seed, Settings, chosen_game, whole_number
from ziggurat.cli.errors import engine_errors, system_errors
from ziggurat.cli.terminal import print_json, show, table

if TYPE_CHECKING:
    from ziggurat.gtp import GameReport

GameOption = Annotated[
    str, typer.Option("--game", metavar="NAME", help="A game's name, or its full text: 'pylos(removal=mandatory)'.")
]


class BotName(str, Enum):
    """Who chooses the moves."""

    RANDOM = "random"
    GREEDY = "greedy"
    PERFECT = "perfect"


def speak_gtp(
    game: GameOption = "blokus",
    preset: Preset = None,
    option: Settings = None,
    bot: Annotated[BotName, typer.Option("--bot", help="Who chooses the moves.")] = BotName.RANDOM,
    seed: Seed = 0,
) -> None:
    """Play under GTP on standard input and output (docs/gtp.md)."""
    from ziggurat.gtp import Session

    Session(chosen_game(game, preset, option), bot.value, seed).run(sys.stdin.buffer, sys.stdout.buffer)


def play_match(
    engine: Annotated[
        list[str],
        typer.Option(
            "--engine", metavar="COMMAND", help="An engine that speaks GTP; give one to four.", show_default=False
        ),
    ],
    game: GameOption = "blokus",
    preset: Preset = None,
    option: Settings = None,
    games: Annotated[int, typer.Option("--games", metavar="N", parser=whole_number(lowest=1), help="How many.")] = 2,
    seed: Seed = 0,
    time: Annotated[float, typer.Option("--time", metavar="SECONDS", help="For a move.")] = 60.0,
    startup: Annotated[float, typer.Option("--startup", metavar="SECONDS", help="For answers before a game.")] = 60.0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Write a record of each game here.")
    ] = None,
    stderr: Annotated[bool, typer.Option("--stderr", help="Let the engines write to standard error.")] = False,
    as_json: Json = False,
) -> None:
    """Let GTP engines play each other; seats go round from game to game."""
    from ziggurat import gtp
    from ziggurat.gtp.match import standings

    chosen = chosen_game(game, preset, option)
    reports = []
    with system_errors(), engine_errors():
        for report in gtp.play_match(chosen, engine, games, seed, time, startup, stderr):
            reports.append(report)
            _write(out, report)
    rows = standings(engine, reports)
    document = {"game": str(chosen), "engines": rows, "games": [report.as_json() for report in reports]}
    if out is not None:
        (out / "match.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    print_json(document) if as_json else _print(rows, reports)


def _write(folder: Path | None, report: "GameReport") -> None:
    """The record of a game as a file."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"game-{report.number + 1:04}{report.suffix}"
        path.write_text(report.record, encoding="utf-8", newline="\n")


def _print(rows: list[dict[str, Any]], reports: "list[GameReport]") -> None:
    """The standings, and what went wrong."""
    found = table("engine", "games", "wins", "points", "faults", numbers=("games", "wins", "points"))
    for number, row in enumerate(rows, 1):
        faults = ", ".join(f"{kind} {count}" for kind, count in row["faults"].items()) or "-"
        cells = (
            f"{number}: {row['engine']}",
            str(row["games"]),
            f"{row['wins']:g}",
            f"{row['mean_score']:.1f}",
            faults,
        )
        found.add_row(*cells)
    show(found)
    for report in reports:
        if report.offender is not None:
            print(f"game {report.number + 1}: engine {report.offender + 1}, {report.outcome}: {report.message}")
