"""Instructions of a play-out and of a perft leaf, counted by valgrind: figures that a busy machine cannot disturb.

    python bench/instructions.py [--levels v2 v3] [--json FILE]

The start of Python and what a call costs once are taken out by the slope: every workload runs at two sizes, and the
difference of the instructions is divided by the difference of the work. Valgrind has no AVX-512: level v4 is left out.
The small size is counted twice; the row `counted again` shows by how much the two differ (0 when all is well).
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from harness import amount_text, check_build, engine_facts, facts_text, load, machine, save, subjects, table

import ziggurat as zg
from ziggurat import _core

COUNTABLE = ("v2", "v3", "any")  # levels that valgrind's emulated processor has
GAMES = {  # small and large number of play-outs
    "blokus": (20, 220),
    "blokus duo": (20, 420),
    "blox": (2, 22),
    "blox ravensburger2008": (2, 22),
    "numberplace_city": (100, 1100),
    "numberplace_city players=2": (100, 1100),
    "pylos": (100, 2100),
}
DEPTHS = {
    "blokus": 3,
    "blokus duo": 2,
    "blox": 3,
    "blox ravensburger2008": 3,
    "numberplace_city": 3,
    "numberplace_city players=2": 3,
    "pylos": 5,
}
REPEATS = (1, 5)  # small and large number of perfts
# What makes a process take the same instructions every time: NumPy's BLAS would start threads that wait in loops.
STEADY = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
Sizes = dict[str, dict[str, int]]  # workload -> game -> how often


def sizes(large: tuple[str, str] | None = None) -> Sizes:
    """All workloads at their small size, but one at its large size."""
    small: Sizes = {
        "play-outs": {name: GAMES.get(name, (20, 220))[0] for name in subjects()},
        "perft": dict.fromkeys(subjects(), REPEATS[0]),
    }
    if large:
        workload, name = large
        small[workload][name] = (GAMES.get(name, (20, 220)) if workload == "play-outs" else REPEATS)[1]
    return small


def work(todo: Sizes) -> None:
    """What runs under valgrind."""
    for name, games in todo["play-outs"].items():
        zg.simulate(load(zg, name), games, seed=1, threads=1)
    for name, repeats in todo["perft"].items():
        for _ in range(repeats):
            zg.perft(load(zg, name).new_initial_state(), DEPTHS.get(name, 2))


def instructions(level: str, todo: Sizes) -> int:
    """How many instructions a process takes for some work at a level."""
    environment = os.environ | STEADY | {"ZIGGURAT_ISA": level}
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command = [*valgrind, sys.executable, __file__, "--work", json.dumps(todo)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or found is None:
        sys.exit(f"valgrind failed at level {level}:\n{done.stderr[-2000:]}")
    return int(found[1])


def units(workload: str, name: str) -> tuple[str, int]:
    """What is counted, and how many more of it the large size has."""
    if workload == "play-outs":
        small, large = GAMES.get(name, (20, 220))
        return "play-out", large - small
    depth = DEPTHS.get(name, 2)
    return f"leaf of perft {depth}", (REPEATS[1] - REPEATS[0]) * zg.perft(load(zg, name).new_initial_state(), depth)


def count(level: str) -> dict[str, float]:
    """Instructions for each unit at a level."""
    base, counts = instructions(level, sizes()), {}
    for workload in ("play-outs", "perft"):
        for name in subjects():
            unit, amount = units(workload, name)
            counts[f"{name}, {unit}"] = (instructions(level, sizes((workload, name))) - base) / amount
    counts["counted again, difference"] = abs(instructions(level, sizes()) - base)
    return counts


def check_tools(levels: list[str]) -> None:
    """Leave with a clear message where there is nothing to count with."""
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is not installed (Debian, Ubuntu: apt install valgrind); nothing was counted")
    unknown = [level for level in levels if level not in COUNTABLE]
    if unknown or not levels:
        sys.exit(f"valgrind can run levels {', '.join(COUNTABLE)}, not {', '.join(unknown) or 'none'}")


def available() -> list[str]:
    """The levels that this CPU, this package and valgrind have; the lowest first."""
    folder = Path(_core.__file__).parent
    return [x for x in sorted(_core.supported_levels()) if x in COUNTABLE and any(folder.glob(f"_{x}.*"))]


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Instructions of a play-out and of a perft leaf.")
    parser.add_argument("--levels", nargs="+", default=available(), help="instruction-set levels")
    parser.add_argument("--json", metavar="FILE", help="write counts and machine facts")
    parser.add_argument("--work", type=json.loads, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Count, and print the table."""
    arguments = parse_arguments()
    if arguments.work:
        work(arguments.work)
        return
    check_tools(arguments.levels)
    facts: dict[str, Any] = machine() | engine_facts()
    facts["valgrind"] = subprocess.run(
        ["valgrind", "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    counts = {level: count(level) for level in arguments.levels}
    check_build(facts)
    rows = [[what, *(amount_text(counts[level][what]) for level in counts)] for what in counts[arguments.levels[0]]]
    print(f"{facts_text(facts)}\n\n{table(['instructions', *counts], rows)}")
    save(arguments.json, {"facts": facts, "instructions": counts})


if __name__ == "__main__":
    main()
