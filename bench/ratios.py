"""Ratios from one run: native beside reference, two threads beside one, instruction-set levels beside each other.

    python bench/ratios.py [--repetitions 7] [--wheel dist/ziggurat-....whl] [--json FILE]

All rows of a block are timed in turns, so a ratio survives a busy machine better than a rate does. Nothing is timed
before the answers have been compared: where they differ, the run stops with exit status 1.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from harness import (
    RATIO_HEADERS,
    Contestant,
    DifferentAnswersError,
    check_build,
    engine_facts,
    facts_text,
    interleave,
    load,
    load_average,
    machine,
    ratio_cells,
    same_answers,
    save,
    subjects,
    table,
)

import ziggurat as zg
from ziggurat import _core, reference

REFERENCE_GAMES = {"pylos": 50, "numberplace_city": 50, "numberplace_city players=2": 50}  # else one
MANY_GAMES = {
    "blokus": 5_000,
    "blokus duo": 10_000,
    "blox": 100,
    "blox ravensburger2008": 100,
    "numberplace_city": 100_000,
    "numberplace_city players=2": 100_000,
    "pylos": 50_000,
}
DEPTHS = {
    "blokus": 4,
    "blokus duo": 3,
    "blox": 3,
    "blox ravensburger2008": 3,
    "numberplace_city": 4,
    "numberplace_city players=2": 4,
    "pylos": 7,
}
SEED = 1
HEADERS = ["what", "unit", *RATIO_HEADERS]


@dataclass
class Block:
    """Contestants that are compared with the first of them; `unit` tells what `best` and `median` count."""

    title: str
    unit: str
    contestants: list[Contestant]

    def rows(self) -> Iterator[list[str]]:
        """Lines of the table."""
        base = self.contestants[0]
        for runner in self.contestants:
            yield [f"{self.title}: {runner.label}", self.unit, *ratio_cells(runner, base)]

    def data(self) -> dict[str, Any]:
        """For the file."""
        runs = {runner.label: runner.data() for runner in self.contestants}
        return {"title": self.title, "unit": self.unit, "runs": runs}


def digest(results: Any) -> str:
    """A short text that is the same for the same games: all columns of a run, whatever engine played it."""
    hashed = sha256()
    for label in ("scores", "returns", "winners", "plies", "turns", "legal_total", "legal_max", "forced_passes"):
        hashed.update(np.asarray(getattr(results, label), dtype=np.float64).tobytes())
    for label, counts in results.counters.items():
        hashed.update(label.encode() + np.asarray(counts, dtype=np.float64).tobytes())
    return hashed.hexdigest()[:16]


def playouts(module: Any, name: str, games: int, **options: Any) -> Callable[[], Any]:
    """What plays random games."""
    game = load(module, name)
    return lambda: module.simulate(game, games, seed=SEED, **options)


def perft(name: str, threads: int) -> Callable[[], int]:
    """What counts leaves."""
    state = load(zg, name).new_initial_state()
    return lambda: zg.perft(state, DEPTHS.get(name, 2), threads=threads)


def against_reference(name: str) -> Block:
    """A few games in the reference, the same and many more in the native engine; counted in plies."""
    few = REFERENCE_GAMES.get(name, 1)
    slow, native = playouts(reference, name, few), playouts(zg, name, MANY_GAMES.get(name, 1000), threads=1)
    pair = [Contestant("reference", slow, 1), Contestant("native", playouts(zg, name, few, threads=1), 1)]
    same_answers(f"play-outs of {name}", pair, digest)
    runners = [
        Contestant(label, run, int(np.sum(run().plies))) for label, run in (("reference", slow), ("native", native))
    ]
    return Block(f"play-outs, {name}", "plies/s", runners)


def threads_of_playouts(name: str) -> Block:
    """Two threads beside one."""
    games = MANY_GAMES.get(name, 1000)
    runners = [Contestant(f"{n} thread{'s' * (n > 1)}", playouts(zg, name, games, threads=n), games) for n in (1, 2)]
    same_answers(f"play-outs of {name}", runners, digest)
    return Block(f"play-outs, {name}", "games/s", runners)


def threads_of_perft(name: str) -> Block:
    """Two threads beside one."""
    leaves = perft(name, 1)()
    runners = [Contestant(f"{n} thread{'s' * (n > 1)}", perft(name, n), leaves) for n in (1, 2)]
    same_answers(f"perft of {name}", runners)
    return Block(f"perft {DEPTHS.get(name, 2)}, {name}", "leaves/s", runners)


# Instruction-set levels: each needs a process of its own.


def run_level(level: str) -> dict[str, Any]:
    """Times and answers of a process at one level."""
    environment = os.environ | {"ZIGGURAT_ISA": level}
    command = [sys.executable, __file__, "--worker"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def work() -> None:
    """What a process of one level does: every workload three times."""
    report = {}
    for title, unit, run, amount in workloads():
        runner, result = Contestant(title, run, amount), run()
        interleave([runner], 3)
        answer = result if isinstance(result, int) else digest(result)
        report[title] = {"unit": unit, "answer": answer} | runner.data()
    print(json.dumps(report))


def workloads() -> Iterator[tuple[str, str, Callable[[], Any], float]]:
    """Title, unit, work and amount of what the levels are compared in."""
    for name in subjects():
        games = MANY_GAMES.get(name, 1000)
        yield f"play-outs, {name}", "games/s", playouts(zg, name, games, threads=1), games
        yield f"perft {DEPTHS.get(name, 2)}, {name}", "leaves/s", perft(name, 1), perft(name, 1)()


def levels(repetitions: int) -> list[Block]:
    """Every level that this CPU and this package have, in turns; the lowest first."""
    names = sorted(level for level in _core.supported_levels() if built(level))
    runs = {level: [] for level in names}
    for repetition in range(repetitions):
        for level in names if repetition % 2 == 0 else reversed(names):
            runs[level].append(run_level(level))
    return [level_block(title, runs) for title in runs[names[0]][0]]


def built(level: str) -> bool:
    """Whether the package holds a build for this level."""
    return any(Path(_core.__file__).parent.glob(f"_{level}.*"))


def level_block(title: str, runs: dict[str, list[dict[str, Any]]]) -> Block:
    """One workload at all levels; refused if the answers differ."""
    answers = {level: {run[title]["answer"] for run in reports} for level, reports in runs.items()}
    if len(set().union(*answers.values())) != 1:
        raise DifferentAnswersError(f"{title}: {answers}")
    runners = []
    for level, reports in runs.items():
        times = [[min(report[title][clock]) for report in reports] for clock in ("seconds", "cpu_seconds")]
        runners.append(Contestant(f"level {level}", lambda: None, reports[0][title]["amount"], *times))
    return Block(title, next(iter(runs.values()))[0][title]["unit"], runners)


# Latencies.


def call_times(name: str, repetitions: int) -> Iterator[list[str]]:
    """Nanoseconds of single Python calls, in the middle of a game."""
    calls, number = python_calls(name), 2000
    runners = [Contestant(label, lambda call=call: looped(call, number), number) for label, call in calls.items()]
    interleave(runners, repetitions * 3)
    for runner in runners:
        best, middle = (1e9 * seconds / number for seconds in (min(runner.seconds), median(runner.seconds)))
        yield [f"call, {name}: {runner.label}", "ns", f"{best:,.0f}", f"{middle:,.0f}", "", "", ""]


def looped(call: Callable[[], Any], number: int) -> None:
    """The call many times; the loop itself costs some 15 ns a time."""
    for _ in range(number):
        call()


def python_calls(name: str) -> dict[str, Callable[[], Any]]:
    """The calls that a player in Python makes; they are first checked against each other."""
    state = middle_of(name)
    out = np.zeros(load(zg, name).num_distinct_actions(), np.uint8)
    action = int(state.legal_actions()[0])
    if not np.array_equal(np.flatnonzero(state.legal_actions_mask(out)), state.legal_actions()):
        raise DifferentAnswersError(f"{name}: the mask and the list of legal actions")
    return {
        "clone": state.clone,
        "clone, apply_action": lambda: state.clone().apply_action(action),
        f"legal_actions ({state.count_legal()})": state.legal_actions,
        "count_legal": state.count_legal,
        "legal_actions_mask(out)": lambda: state.legal_actions_mask(out),
    }


def middle_of(name: str) -> zg.State:
    """The position half way through a random game."""
    rng = np.random.default_rng(SEED)
    state, actions = load(zg, name).new_initial_state(), []
    while not state.is_terminal():
        actions.append(int(rng.choice(state.legal_actions())))
        state.apply_action(actions[-1])
    state = load(zg, name).new_initial_state()
    for action in actions[: len(actions) // 2]:
        state.apply_action(action)
    return state


def import_times(times: int = 10) -> Iterator[list[str]]:
    """Milliseconds of imports in fresh processes, in turns; ziggurat's holds NumPy's."""
    seconds: dict[str, list[float]] = {"numpy": [], "ziggurat": []}
    code = "from time import perf_counter as t; s = t(); import {}; print(t() - s)"
    for _ in range(times):
        for module, taken in seconds.items():
            done = subprocess.run(
                [sys.executable, "-c", code.format(module)], capture_output=True, text=True, check=True
            )
            taken.append(float(done.stdout))
    for module, taken in seconds.items():
        best, middle = (f"{1000 * value:.1f}" for value in (min(taken), median(taken)))
        label = "ziggurat, without NumPy" if module == "ziggurat" else module
        yield [f"import: {label}", "ms", best, middle, "", "", ""]


def wheel_row(file: str) -> list[str]:
    """The size of a wheel."""
    return ["wheel", "kB", f"{Path(file).stat().st_size / 1000:,.0f}", "", "", "", ""]


def measure(repetitions: int, wheel: str | None) -> tuple[list[Block], list[list[str]]]:
    """All blocks, and the lines that are not ratios."""
    blocks = [against_reference(name) for name in subjects()]
    blocks += [make(name) for name in subjects() for make in (threads_of_playouts, threads_of_perft)]
    for block in blocks:
        interleave(block.contestants, repetitions)
    blocks += levels(repetitions)
    single = [row for name in subjects() for row in call_times(name, repetitions)]
    single += import_times()
    return blocks, single + ([wheel_row(wheel)] if wheel else [])


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Ratios of ziggurat's speeds, from one run.")
    parser.add_argument("--repetitions", type=int, default=7, help="how often each is timed, in turns")
    parser.add_argument("--wheel", metavar="FILE", help="a wheel whose size is shown")
    parser.add_argument("--json", metavar="FILE", help="write times and machine facts")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Print the table; 1 if answers differed."""
    arguments = parse_arguments()
    if arguments.worker:
        work()
        return 0
    facts = machine() | engine_facts() | {"load before": load_average()}
    try:
        blocks, single = measure(arguments.repetitions, arguments.wheel)
    except DifferentAnswersError as error:
        print(f"not compared, the answers differ: {error}", file=sys.stderr)
        return 1
    check_build(facts)
    facts["load after"] = load_average()
    print(f"{facts_text(facts)}\n")
    print(table(HEADERS, [*(row for block in blocks for row in block.rows()), *single]))
    save(arguments.json, {"facts": facts, "blocks": [block.data() for block in blocks], "single": single})
    return 0


if __name__ == "__main__":
    sys.exit(main())
