"""`ziggurat games`, `ziggurat info`, `ziggurat rules`: what there is."""

import os
import platform
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import RenderableType
from rich.text import Text

import ziggurat
from ziggurat import _core
from ziggurat.cli.arguments import Json
from ziggurat.cli.errors import engine_errors
from ziggurat.cli.terminal import console, facts, print_json, show, table


def list_games(as_json: Json = False) -> None:
    """List the games with their presets and options."""
    catalogue = {name: _described(name) for name in ziggurat.games()}
    if as_json:
        print_json(catalogue)
        return
    parts: list[RenderableType] = []
    for name, about in catalogue.items():
        presets = table("preset", "about")
        for preset, meaning in about["presets"].items():
            presets.add_row(preset, meaning)
        options = table("option", "default", "values", "about")
        for option in about["options"]:
            options.add_row(option["name"], _value_text(option["default"]), option["allowed"], option["about"])
        title = Text(f"{name}: {about['players']} players, {about['actions']:,} actions", style="bold")
        parts += [title, presets, options]
    show(*parts)


def _described(name: str) -> dict[str, Any]:
    game = ziggurat.load_game(name)
    family = ziggurat.describe(name)
    counts = {"players": game.num_players(), "actions": game.num_distinct_actions()}
    return counts | {"presets": family["presets"], "options": family["options"]}


def _value_text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def print_info(as_json: Json = False) -> None:
    """Tell about this installation and this computer."""
    info = {
        "version": ziggurat.__version__,
        "level": _core.level,
        "supported_levels": _core.supported_levels(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "platform": platform.platform(),
    }
    if as_json:
        print_json(info)
        return
    rows = info | {"supported_levels": ", ".join(_core.supported_levels())}
    show(facts({name.replace("_", " "): str(value) for name, value in rows.items()}))


def print_rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name.", show_default=False)],
) -> None:
    """Print the rules page of a game."""
    from rich.markdown import Markdown

    with engine_errors():
        text = ziggurat.rules(game)
    out = console()
    if out.is_terminal:
        out.print(Markdown(text))
    else:
        print(text, end="" if text.endswith("\n") else "\n")
