"""`ziggurat serve`: games for front ends, as JSON lines."""

import sys
from typing import Annotated

import typer

from ziggurat.cli.arguments import whole_number
from ziggurat.cli.errors import CommandError


def serve_games(
    stdio: Annotated[bool, typer.Option("--stdio", help="On standard input and output.")] = False,
    games: Annotated[
        int, typer.Option("--games", metavar="N", parser=whole_number(lowest=1), help="Open at once, at most.")
    ] = 100,
    line: Annotated[
        int, typer.Option("--line", metavar="BYTES", parser=whole_number(lowest=1), help="Of a request, at most.")
    ] = 1 << 16,
) -> None:
    """Answer requests of front ends: one JSON object a line (docs/protocol.md)."""
    from ziggurat.serve import Limits, Server

    if not stdio:
        raise CommandError("serve speaks on standard input and output alone: say --stdio")
    Server(Limits(line, games)).run(sys.stdin.buffer, sys.stdout.buffer)
