"""`ziggurat show`: play turns and look at the board."""

import re
from collections.abc import Sequence
from pathlib import Path
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
    "blokus of two": {"b": "bold magenta", "y": "bold dark_orange"},  # colours, which are purple and orange
    "pylos": {"L": "bold yellow", "D": "bold magenta"},
}
SvgFile = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a drawing to this file.")]
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
    svg: SvgFile = None,
    as_json: Json = False,
) -> None:
    """Play turns and show the board."""
    state = chosen_state(chosen_game(game, preset, option), position, seed)
    last: list[int] = []
    for number, text in enumerate((moves or "").split(), 1):
        last = _play(state, number, text)
    show(state, last, svg, as_json)


def show(state: State, last: Sequence[int | str], svg: Path | None, as_json: bool) -> None:
    """What a position looks like: words for people or programs, and a drawing, with the last turn marked, if wanted."""
    if svg is not None:
        try:
            svg.write_text(state.to_svg(last_action=last), encoding="utf-8")
        except NotImplementedError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"cannot write {svg}: {error.strerror or error}") from error
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


def _play(state: State, number: int, text: str) -> list[int]:
    try:
        actions = state.string_to_turn(text)
    except ParseError as error:
        raise CommandError(f"move {number}, {text!r}: {_objection(state, text) or error}") from error
    for action in actions:
        state.apply_action(action)
    return actions


def _objection(state: State, text: str) -> str | None:
    """Which action of an illegal turn is wrong, and why; None if each of them could be played."""
    trial = state.clone()
    try:
        for number, action in enumerate(_actions(state, text)):
            if number > 0 and not trial.in_turn():
                return f"the turn ends before {state.action_to_string(action)}"
            trial.apply_action(action)
    except (ParseError, IllegalActionError) as error:
        return str(error)
    return None


def _actions(state: State, text: str) -> list[int]:
    """The actions, legal or not, whose texts make up a text; each is as long as can be."""
    actions: list[int] = []
    start = 0
    while start < len(text):
        end = next((end for end in range(len(text), start, -1) if _is_action(state, text[start:end])), None)
        if end is None:
            return [state.string_to_action(text)]  # says what is wrong with the text
        actions.append(state.string_to_action(text[start:end]))
        start = end
    return actions


def _is_action(state: State, text: str) -> bool:
    try:
        state.string_to_action(text)
    except ParseError:
        return False
    return True


def _coloured(state: State) -> Text:
    game = state.get_game()
    styles = MARKS | STYLES.get(f"{game.name} of two" if game.options.get("colours") == 2 else game.name, {})
    board = Text(str(state))
    start = 0
    for line in str(state).splitlines():
        if ROW.fullmatch(line):
            for column, letter in enumerate(line):
                if letter in styles:
                    board.stylize(styles[letter], start + column, start + column + 1)
        start += len(line) + 1
    return board
