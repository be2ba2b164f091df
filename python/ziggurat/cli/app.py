"""The commands put together; what goes wrong while words are read becomes a CommandError."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from ziggurat import __version__
from ziggurat.cli.catalogue import list_games, print_info, print_rules
from ziggurat.cli.counting import count_leaves
from ziggurat.cli.errors import CommandError
from ziggurat.cli.gtp import play_match, speak_gtp
from ziggurat.cli.playing import play_games
from ziggurat.cli.replaying import replay_record
from ziggurat.cli.serving import serve_games
from ziggurat.cli.showing import show_position
from ziggurat.cli.solving import solve_game

UsageError: Any = typer.BadParameter.__bases__[0]  # click's, wherever the installed typer keeps it

app = typer.Typer(name="ziggurat", add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
app.command("games")(list_games)
app.command("info")(print_info)
app.command("perft")(count_leaves)
app.command("simulate")(play_games)
app.command("show")(show_position)
app.command("solve")(solve_game)
app.command("replay")(replay_record)
app.command("rules")(print_rules)
app.command("gtp")(speak_gtp)
app.command("match")(play_match)
app.command("serve")(serve_games)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"ziggurat {__version__}")
        raise typer.Exit


@app.callback()
def ziggurat(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """A fast, complete native engine for spatial board games."""


def run(args: Sequence[str]) -> int:
    """Run a command line; the exit code. Raises CommandError for words that are none of the language."""
    command = typer.main.get_command(app)
    try:
        with command.make_context("ziggurat", list(args)) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    except UsageError as error:
        path = error.ctx.command_path if error.ctx else "ziggurat"
        raise CommandError(f"{error.format_message().rstrip('.')} (see '{path} --help')") from error
    return 0
