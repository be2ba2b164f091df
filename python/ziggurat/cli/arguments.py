"""Arguments and options that several commands share, and what they stand for."""

import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Annotated

import typer

from ziggurat import Game, State, load_game
from ziggurat.cli.errors import CommandError, engine_errors


def whole_number(lowest: int = 0, bits: int = 63) -> Callable[[str | int], int]:
    """A parser of numbers that fit the engine's types; the engine itself knows the narrower limits."""

    def parse(text: str | int) -> int:
        digits = str(text).replace("_", "")
        short = digits.isascii() and digits.isdigit() and len(digits) <= 20
        if not short or not lowest <= int(digits) < 2**bits:
            raise typer.BadParameter(f"{text!r} is not a whole number from {lowest} to 2^{bits} - 1")
        return int(digits)

    return parse


class Unit(str, Enum):
    """What is counted or drawn."""

    TURN = "turn"
    ACTION = "action"


GameText = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game's name, or its full text: 'pylos(removal=mandatory)'.", show_default=False
    ),
]
Preset = Annotated[str | None, typer.Option("--preset", metavar="NAME", help="A preset of the game.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; may be given several times."),
]
Position = Annotated[
    str | None,
    typer.Option("--position", metavar="TEXT", help="Start from this position text instead of the game's start."),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", parser=whole_number(bits=64), help="Decides all chance.")]
Threads = Annotated[int, typer.Option("--threads", metavar="N", parser=whole_number(), help="0: all cores.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def chosen_game(text: str, preset: str | None, settings: Sequence[str] | None) -> Game:
    """The game that GAME, --preset and --option describe."""
    for item in settings or ():
        if not re.fullmatch("[^=,()]+=[^=,()]*", item):
            raise CommandError(f"--option takes NAME=VALUE, not {item!r}")
    name, bracket, inside = text.partition("(")
    if settings and (not bracket or inside.endswith(")")):  # else load_game says what is wrong with the text
        text = f"{name}({','.join(filter(None, [inside[:-1], *settings]))})"
    with engine_errors():
        return load_game(text, preset)


def chosen_state(game: Game, position: str | None, seed: int = 0) -> State:
    """The state of --position, or the game's start."""
    with engine_errors():
        return game.new_initial_state(seed) if position is None else game.deserialize(f"{game} {position}")


def position_text(state: State) -> str:
    """What `--position` takes."""
    return state.serialize().removeprefix(f"{state.get_game()} ")
