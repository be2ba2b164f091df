"""What the measuring scripts share: facts of the machine, interleaved timing, tables."""

import json
import os
import platform
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import ziggurat as zg

# Measured beside the games with their default options: presets, or options.
VARIANTS = ["blokus duo", "blox ravensburger2008", "numberplace_city players=2"]
# Random games of Blox take two thousand turns, a second or more in the reference: beside it they are cut short.
SHORTER = {"blox": {"max_turns": 100}, "blox ravensburger2008": {"max_turns": 100}}


def subjects() -> list[str]:
    """What is measured: the names of all games, and `game preset` or `game name=value` for some of their variants."""
    return [*zg.games(), *VARIANTS]


def load(module: Any, subject: str, **options: Any) -> Any:
    """The game of a subject, in the native engine or the reference; with options over its own."""
    name, _, variant = subject.partition(" ")
    if "=" in variant:
        return module.load_game(f"{name}({variant})", **options)
    return module.load_game(name, variant or None, **options)


def load_shorter(module: Any, subject: str) -> Any:
    """The same with games that are short enough for the reference."""
    return load(module, subject, **SHORTER.get(subject, {}))


class DifferentAnswersError(Exception):
    """What was to be compared does not compute the same: its times mean nothing."""


@dataclass
class Contestant:
    """One of the things that are timed in turns: `run` does `amount` units of work and returns what came of it."""

    label: str
    run: Callable[[], Any]
    amount: float
    seconds: list[float] = field(default_factory=list)  # by the clock on the wall
    cpu_seconds: list[float] = field(default_factory=list)  # of this process, all threads together

    def best(self) -> float:
        """Units a second of the fastest run: the least disturbed one."""
        return self.amount / min(self.seconds)

    def middle(self) -> float:
        """Units a second of the median run."""
        return self.amount / median(self.seconds)

    def by_cpu(self) -> float:
        """Units a second of processor time, of the run that took least: waiting for a busy machine is not counted."""
        return self.amount / min(self.cpu_seconds)

    def time(self) -> None:
        """Run once more, by both clocks."""
        cpu, wall = process_time(), perf_counter()
        self.run()
        self.seconds.append(perf_counter() - wall)
        self.cpu_seconds.append(process_time() - cpu)

    def data(self) -> dict[str, Any]:
        """For a file."""
        return {"amount": self.amount, "seconds": self.seconds, "cpu_seconds": self.cpu_seconds}


def same_answers(what: str, contestants: Sequence[Contestant], answer: Callable[[Any], Any] = lambda x: x) -> None:
    """Run everyone once, untimed, and refuse to go on if the answers differ."""
    answers = {contestant.label: answer(contestant.run()) for contestant in contestants}
    if any(other != answers[contestants[0].label] for other in answers.values()):
        raise DifferentAnswersError(f"{what}: {answers!r:.500}")


def interleave(contestants: Sequence[Contestant], repetitions: int) -> None:
    """Time everyone once a repetition, so that a slow minute falls on all; every other round backwards."""
    for repetition in range(repetitions):
        for contestant in contestants if repetition % 2 == 0 else reversed(contestants):
            contestant.time()


RATIO_HEADERS = ["best", "median", "ratio of bests", "of medians", "by CPU time"]


def ratio_cells(runner: Contestant, base: Contestant) -> list[str]:
    """Rates of one, and how many times the base's rates they are."""
    ratios = (runner.best() / base.best(), runner.middle() / base.middle(), runner.by_cpu() / base.by_cpu())
    return [amount_text(runner.best()), amount_text(runner.middle()), *map(ratio_text, ratios)]


def ratio_text(ratio: float) -> str:
    """Three significant digits."""
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.3g}"


def machine() -> dict[str, Any]:
    """What a figure depends on, apart from the program."""
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "cpu": cpu_model(),
        "cpus": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def engine_facts() -> dict[str, Any]:
    """The version and the instruction-set level of the installed ziggurat, and NumPy's version."""
    import numpy as np

    import ziggurat as zg
    from ziggurat import _core

    return {
        "ziggurat": zg.__version__,
        "level": _core.level,
        "levels": _core.supported_levels(),
        "build": build_digest(),
        "numpy": np.__version__,
    }


def build_digest() -> str:
    """A short text that changes with the engine's compiled files and the package's modules."""
    import ziggurat as zg

    hashed = sha256()
    for file in sorted(Path(zg.__file__).parent.rglob("*")):
        if file.suffix in (".so", ".pyd", ".py"):
            hashed.update(file.read_bytes())
    return hashed.hexdigest()[:12]


def check_build(facts: dict[str, Any]) -> None:
    """Leave if the package was installed anew while it was measured: the figures would be of two programs."""
    if build_digest() != facts["build"]:
        sys.exit("ziggurat was installed anew during the run; measure again")


def cpu_model() -> str:
    """The processor's name."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    facts = dict(re.findall(r"^(model name|cpu family|model)\s*:\s*(.*)$", text, re.MULTILINE))
    return (
        f"{facts.get('model name', platform.machine())} (family {facts.get('cpu family')}, model {facts.get('model')})"
    )


def load_average() -> list[float]:
    """How busy the machine is: runnable processes over 1, 5 and 15 minutes; empty where the system does not tell."""
    return [round(x, 2) for x in os.getloadavg()] if hasattr(os, "getloadavg") else []


def amount_text(value: float) -> str:
    """A number with three or more significant digits, thousands apart."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, that reads well as plain text: the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (headers, *rows)) for i in range(len(headers))]
    rule = [f":{'-' * (widths[0] - 1)}", *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    return "\n".join(line(row, widths) for row in (headers, rule, *rows))


def line(row: Sequence[str], widths: Sequence[int]) -> str:
    """One line of a table."""
    first, *rest = (
        text.ljust(w) if i == 0 else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths, strict=True))
    )
    return f"| {' | '.join((first, *rest))} |"


def facts_text(facts: dict[str, Any]) -> str:
    """Facts, one a line."""
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def save(file: str | None, data: dict[str, Any]) -> None:
    """Write everything as JSON, if there is a file to write it to."""
    if file:
        Path(file).write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
        print(f"written: {file}", file=sys.stderr)
