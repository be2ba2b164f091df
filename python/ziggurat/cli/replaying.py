"""`ziggurat replay`: check a record and look at where it ends."""

from pathlib import Path
from typing import Annotated

import typer

from ziggurat import State
from ziggurat.cli.arguments import Json
from ziggurat.cli.errors import CommandError, engine_errors
from ziggurat.cli.showing import SvgFile, show


def replay_record(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A record: .blksgf or .sgf, or .json.", show_default=False)
    ],
    svg: SvgFile = None,
    as_json: Json = False,
) -> None:
    """Check every move of a record, variations too, and show the end of its main line."""
    show(_last_state(file), svg, as_json)


def _last_state(file: Path) -> State:
    from ziggurat.formats import Record, blksgf

    if file.suffix.lower() not in (".blksgf", ".sgf", ".json"):
        raise CommandError(f"{file}: the name of a record ends in one of .blksgf, .sgf, .json")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror or error}") from error
    try:
        with engine_errors():
            if file.suffix.lower() == ".json":
                return Record.from_json(data).replay()
            tree = blksgf.loads(data)
            blksgf.validate(tree)
            *_, (_, state) = blksgf.positions(tree)
            return state
    except CommandError as error:
        raise CommandError(f"{file}: {error}") from error
