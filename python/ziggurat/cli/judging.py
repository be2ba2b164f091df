"""What a table says of a position and of each of its turns, for `ziggurat show --tablebase`."""

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.table import Table

from ziggurat import State
from ziggurat.cli.errors import engine_errors, system_errors
from ziggurat.cli.terminal import table
from ziggurat.solver.tablebase import load

WORDS = {1: "win", 0: "draw", -1: "loss"}


def judged(state: State, folder: Path | None) -> dict[str, Any]:
    """The result of a position, and those of all legal turns, best first. CommandError where there is no table."""
    with system_errors(), engine_errors():
        found = load(state.get_game(), path=folder)
        here = found.value_and_distance(state)
        turns = sorted(found.turns(state), key=lambda turn: -turn.merit)  # stable: equals stay in order
    rows = [
        {"turn": state.turn_to_string(turn.actions), "actions": turn.actions, **_result(turn.value, turn.distance)}
        for turn in turns
    ]
    return {**_result(here.value, here.distance), "turns": rows}


def verdict(state: State, found: Mapping[str, Any]) -> str:
    """What a position is worth, in a line."""
    if state.is_terminal():
        return "the game is over"
    distance = "" if found["distance"] is None else f" in {found['distance']}"
    return f"player {state.current_player()} to move: {found['result']}{distance}"


def turns_table(found: Mapping[str, Any]) -> Table:
    """The turns, a row for each result."""
    made = table("result", "in", "turns", "", numbers=("in", "turns"))
    for (result, distance), group in groupby(found["turns"], key=lambda row: (row["result"], row["distance"])):
        texts = [row["turn"] for row in group]
        made.add_row(result, "" if distance is None else str(distance), str(len(texts)), " ".join(texts))
    return made


def _result(value: int, distance: int | None) -> dict[str, Any]:
    return {"result": WORDS[value], "value": value, "distance": distance}
