"""`ziggurat replay`: check a record and look at where it ends."""

from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from ziggurat import State
from ziggurat.cli.arguments import Json
from ziggurat.cli.errors import CommandError, engine_errors
from ziggurat.cli.showing import Report, SvgFile, show


def replay_record(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A record: .blksgf or .sgf, or .json.", show_default=False)
    ],
    events: Annotated[
        bool, typer.Option("--events", help="Tell the events of all actions, not only of the last one.")
    ] = False,
    svg: SvgFile = None,
    as_json: Json = False,
) -> None:
    """Check every move of a record, variations too, and show the end of its main line."""
    state, last, reports = _replayed(file)
    show(state, last, svg, as_json, reports=reports if events else reports[-1:])


def _replayed(file: Path) -> tuple[State, list[str], list[Report]]:
    """The last state, the text of the action that led to it, and what the actions have made public."""
    if file.suffix.lower() not in (".blksgf", ".sgf", ".json"):
        raise CommandError(f"{file}: the name of a record ends in one of .blksgf, .sgf, .json")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror or error}") from error
    try:
        with engine_errors():
            return _from_json(data) if file.suffix.lower() == ".json" else _from_tree(data)
    except CommandError as error:
        raise CommandError(f"{file}: {error}") from error


def _from_json(data: bytes) -> tuple[State, list[str], list[Report]]:
    from ziggurat.formats import Record

    record = Record.from_json(data)
    reports = map(Report, count(), record.actions, record.events() if record.tells_events() else ())
    return record.replay(), list(record.actions[-1:]), list(reports)


def _from_tree(data: bytes) -> tuple[State, list[str], list[Report]]:
    from ziggurat.formats import blksgf
    from ziggurat.formats.blksgf_replay import MOVES, SETUPS

    record = blksgf.loads(data)
    blksgf.validate(record)
    *_, (_, state) = blksgf.positions(record)
    entries = [entry for number in record.tree.main_line() for entry in record.tree.nodes[number].properties]
    played = [entry for entry in entries if entry.name in MOVES | SETUPS][-1:]  # a setup may remove what was placed
    return state, [",".join(entry.values) for entry in played if entry.name in MOVES], []
