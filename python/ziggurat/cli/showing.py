"""`ziggurat show`: play turns and look at the board."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.text import Text

from ziggurat import Game, IllegalActionError, ParseError, State, describe
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
    whole_number,
)
from ziggurat.cli.errors import CommandError, engine_errors
from ziggurat.cli.judging import judged, turns_table, verdict
from ziggurat.cli.terminal import console, print_json
from ziggurat.cli.terminal import show as show_parts
from ziggurat.turns import parse_turn

#: how the squares of a board look, by game and letter
FIELDS = {"w": "black on white", "r": "white on red", "g": "white on bright_black", "k": "white on black"}
PAWNS = {"A": "bold blue", "B": "bold yellow", "C": "bold green", "D": "bold magenta"}
STYLES = {
    "blokus": {"b": "bold blue", "y": "bold yellow", "r": "bold red", "g": "bold green"},
    "blokus of two": {"b": "bold magenta", "y": "bold dark_orange"},  # colours, which are purple and orange
    "blox": FIELDS | PAWNS | dict.fromkeys("123456789*", "bold"),
    "numberplace_city": {"*": "bold magenta"} | dict.fromkeys("123456789", "bold"),
    "pylos": {"L": "bold yellow", "D": "bold magenta"},
}
SvgFile = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a drawing to this file.")]
MARKS = {"+": "dim", "o": "dim", ".": "dim", "|": "dim"}
ROW = re.compile(r"( *r?\d+ ).*")  #: a line of the board, after its number; others are coordinates and words


class Report(NamedTuple):
    """What an action has made public."""

    number: int  # of actions before it
    action: str
    events: list[dict[str, Any]]


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
    player: Annotated[
        int | None,
        typer.Option(
            "--player", metavar="N", parser=whole_number(bits=31), help="Show only what this player sees, from 0 on."
        ),
    ] = None,
    svg: SvgFile = None,
    tablebase: Annotated[
        bool, typer.Option("--tablebase", help="Say what each legal turn comes to, if the game has been solved.")
    ] = False,
    tables: Annotated[
        Path | None,
        typer.Option("--tables", metavar="FOLDER", help="--tablebase with the tables of a folder, as of solve --out."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play turns and show the board, all of it or as one of the players sees it."""
    state = chosen_state(chosen_game(game, preset, option), position, seed)
    last: list[int] = []
    for number, text in enumerate((moves or "").split(), 1):
        last = _play(state, number, text, player)
    found = judged(state, tables) if tablebase or tables else None
    show(state, last, svg, as_json, player, found=found)


def show(
    state: State,
    last: Sequence[int | str],
    svg: Path | None,
    as_json: bool,
    player: int | None = None,
    reports: Sequence[Report] = (),
    found: Mapping[str, Any] | None = None,
) -> None:
    """What a position looks like, to all-seeing eyes or to a player: words for people or programs.

    A drawing, with the last turn marked, is made if wanted. Below the board stand reports of actions that led there,
    and what was found about its turns.
    """
    with engine_errors():
        board = str(state) if player is None else state.observation_string(player)
    if svg is not None:
        _draw(state, last, svg, player)
    if as_json:
        told: dict[str, Any] = {"events": [report.events for report in reports]} if reports else {}
        told |= {"tablebase": found} if found is not None else {}
        print_json((_described(state) if player is None else _known(state, player)) | told)
        return
    console().print(_coloured(state.get_game(), board), soft_wrap=True)
    for report in reports:
        print(f"\naction {report.number}, {report.action}:", *map(_event_line, report.events), sep="\n")
    if found is not None:
        print(f"\n{verdict(state, found)}")
        if found["turns"]:
            print()
            show_parts(turns_table(found))


def _event_line(event: Mapping[str, object]) -> str:
    """An event as a line: `  built: player 0, cell r4c5, number 7, points 1`."""
    name, *facts = event.items()
    return f"  {str(name[1]).replace('_', ' ')}: {', '.join(f'{key} {value}' for key, value in facts)}"


def _draw(state: State, last: Sequence[int | str], svg: Path, player: int | None) -> None:
    """Write the drawing: in a game with secrets with all that the player sees, or everything."""
    secrets = state.information_state_string(0) != position_text(state)
    style: dict[str, Any] = {"hands": True, "player": player, "secrets": player is None} if secrets else {}
    try:
        svg.write_text(state.to_svg(last_action=last, **style), encoding="utf-8")
    except NotImplementedError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"cannot write {svg}: {error.strerror or error}") from error


def _described(state: State) -> dict[str, object]:
    """All about a position."""
    game = state.get_game()
    text = {"serialize": state.serialize(), "game": str(game), "position": position_text(state)}
    return text | _public(state) | {"legal": state.count_legal()}


def _known(state: State, player: int) -> dict[str, object]:
    """What a player knows of a position, and nothing else: legal actions only when it is his turn."""
    game = state.get_game()
    views = describe(game.name)["views"]
    return {
        "game": str(game),
        "viewer": player,
        "information_state": state.information_state_string(player),
        **_public(state),
        "legal_actions": [state.action_to_string(action) for action in state.legal_actions(player)],
        "views": {name: state.view(name, player).tolist() for name in views},
    }


def _public(state: State) -> dict[str, object]:
    return {
        "player": state.current_player(),
        "terminal": state.is_terminal(),
        "scores": state.scores().tolist(),
        "winners": state.winners(),
    }


def _play(state: State, number: int, text: str, player: int | None) -> list[int]:
    try:
        actions = parse_turn(state, text)
    except (ParseError, IllegalActionError) as error:
        if player not in (None, state.current_player()):  # why another player cannot do something may be his secret
            raise CommandError(f"move {number}, {text!r}: not the text of a legal turn in this position") from None
        raise CommandError(f"move {number}, {text!r}: {error}") from error
    for action in actions:
        state.apply_action(action)
    return actions


def _coloured(game: Game, drawing: str) -> Text:
    styles = MARKS | STYLES.get(f"{game.name} of two" if game.options.get("colours") == 2 else game.name, {})
    board = Text(drawing)
    start = 0
    for line in drawing.splitlines():
        if row := ROW.fullmatch(line):
            for column, letter in enumerate(line):
                if column >= row.end(1) and letter in styles:
                    board.stylize(styles[letter], start + column, start + column + 1)
        start += len(line) + 1
    return board
