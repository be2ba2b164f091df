"""The names that `set_game` takes, and those that a referee gives a game."""

import re

from ziggurat import describe, games, load_game
from ziggurat.formats.blksgf import GAME_TYPES
from ziggurat.formats.errors import shortened
from ziggurat.protocols import Game


def find_game(text: str, current: str) -> Game:
    """The game of a name: ours, with a preset and options (`blokus duo scoring=basic`, `pylos(removal=mandatory)`), a
    game type of BLKSGF (`Blokus Two-Player`, also without `Blokus`), or a preset of any game, `current` before others.

    ValueError if there is none, or if more than one game has the preset.
    """
    known = {title.lower(): preset for title, preset in GAME_TYPES.items()}
    short = {title.removeprefix("blokus "): preset for title, preset in known.items()}
    wanted = " ".join(text.lower().split())
    if preset := {**short, "classic": "classic"}.get(wanted) if wanted != "blokus" else None:
        return load_game("blokus", preset)
    if wanted in known:
        return load_game("blokus", known[wanted])
    name, *words = text.split() or [""]
    if name.partition("(")[0] in games():
        return named_game(name, words)
    return load_game(game_with_preset(wanted.replace(" ", "-"), current), wanted.replace(" ", "-"))


def named_game(name: str, words: list[str]) -> Game:
    """A game of ours with a preset, which is the first word without `=`, and options."""
    presets = [word for word in words if "=" not in word]
    settings = [word for word in words if "=" in word]
    if len(presets) > 1 or (settings and "(" in name):
        raise ValueError(f"a game is NAME [PRESET] [OPTION=VALUE ...], not '{shortened(' '.join([name, *words]))}'")
    if any(not re.fullmatch(r"[^=,()]+=[^=,()]*", setting) for setting in settings):
        raise ValueError(f"an option is NAME=VALUE, not in '{shortened(' '.join(settings))}'")
    text = f"{name}({','.join(settings)})" if settings else name
    return load_game(text, presets[0] if presets else None)


def game_with_preset(preset: str, current: str) -> str:
    """The name of the game that has a preset: `current`, or the only one."""
    having = [name for name in games() if preset in describe(name)["presets"]]
    if current in having:
        return current
    if len(having) != 1:
        known = ", ".join([*GAME_TYPES, *games()])
        raise ValueError(f"unknown game '{shortened(preset)}'; expected one of {known}, or a preset of one game")
    return having[0]


def names_of(game: Game) -> list[str]:
    """The names of a game that `set_game` may know, the one that other engines know first."""
    types = [title for title, preset in GAME_TYPES.items() if load_game("blokus", preset) == game]
    return [*types, str(game)]
