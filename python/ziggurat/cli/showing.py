"""`ziggurat show`: play turns and look at the board."""

import re
from typing import Annotated

import typer
from rich.text import Text

from ziggurat import IllegalActionError, ParseError, State
from ziggurat.cli.arguments import (
    GameText,
    Json,
    Position,
    Preset,
    Seed,
    Settings,
    chosen_game,
    chosen_state,
    position_text,
)
from ziggurat.cli.errors import CommandError
from ziggurat.cli.terminal import console, print_json

#: how the squares of a board look, by game and letter
STYLES = {
    "blokus": {"b": "bold blue", "y": "bold yellow", "r": "bold red", "g": "bold green"},
    "pylos": {"L": "bold yellow", "D": "bold magenta"},
}
MARKS = {"+": "dim", "o": "dim", ".": "dim"}
ROW = re.compile(r" *\d+ .*")  #: a line of the board; others are coordinates and words


def show_position(
    game: GameText,
    preset: Preset = None,
    option: Settings = None,
    seed: Seed = 0,
    position: Position = None,
    moves: Annotated[
        str | None,
        typer.Option("--moves", metavar="TURNS", help="Turns to play, with spaces between them."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play turns and show the board."""
    state = chosen_state(chosen_game(game, preset, option), position, seed)
    for number, text in enumerate((moves or "").split(), 1):
        _play(state, number, text)
    if as_json:
        print_json(_described(state))
    else:
        console().print(_coloured(state), soft_wrap=True)


def _described(state: State) -> dict[str, object]:
    return {
        "serialize": state.serialize(),
        "game": str(state.get_game()),
        "position": position_text(state),
        "player": state.current_player(),
        "terminal": state.is_terminal(),
        "scores": state.scores().tolist(),
        "winners": state.winners(),
        "legal": state.count_legal(),
    }


def _play(state: State, number: int, text: str) -> None:
    try:
        actions = state.string_to_turn(text)
    except ParseError as error:
        raise CommandError(f"move {number}, {text!r}: {_objection(state, text) or error}") from error
    for action in actions:
        state.apply_action(action)


def _objection(state: State, text: str) -> str | None:
    """Which part of the text of an illegal turn is wrong, and why; None if no part is."""
    trial = state.clone()
    rest = text
    while rest:
        length = next((n for n in range(len(rest), 0, -1) if _is_action(trial, rest[:n])), 0)
        if length == 0:
            return f"{rest!r} is not an action of this game"
        try:
            trial.apply_action(trial.string_to_action(rest[:length]))
        except IllegalActionError as error:
            return str(error)
        rest = rest[length:]
        if rest and not trial.in_turn():
            return f"the turn ends before {rest!r}"
    return None


def _is_action(state: State, text: str) -> bool:
    try:
        state.string_to_action(text)
    except ParseError:
        return False
    return True


def _coloured(state: State) -> Text:
    styles = MARKS | STYLES.get(state.get_game().name, {})
    board = Text(str(state))
    start = 0
    for line in str(state).splitlines():
        if ROW.fullmatch(line):
            for column, letter in enumerate(line):
                if letter in styles:
                    board.stylize(styles[letter], start + column, start + column + 1)
        start += len(line) + 1
    return board
