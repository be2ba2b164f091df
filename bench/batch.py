"""Steps a second of batches: by game, batch size, what is written and threads; and of loops over one state in Python.

    python bench/batch.py [--repetitions 7] [--json FILE] [--plot FILE]
    python bench/batch.py --data FILE [--plot FILE]           # the tables and the picture of an earlier run

A step is one action played in one row. Every step of a loop draws an action for each row, plays it, and writes what a
learner reads; finished games begin anew at once. Nothing is timed before rows of the very batch have been compared with
single states, and after the timed runs all loops of one batch size must stand in the same positions; else the exit
status is 1.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from harness import (
    Contestant,
    DifferentAnswersError,
    amount_text,
    check_build,
    engine_facts,
    facts_text,
    interleave,
    load,
    load_average,
    machine,
    ratio_text,
    same_answers,
    save,
    table,
)
from loops import FORMS, Loop, compare, make_loop, single_loops, spread_batch, subjects

import ziggurat as zg

SIZES = (1, 16, 256, 4096)
THREADS = (1, 2)
MAIN = "compact, packed"  # what threads and the picture's lines are measured with


# Measuring.


@dataclass
class Entry:
    """One measured figure: a batch of `rows`, or with 0 a loop over one state."""

    subject: str
    work: str
    rows: int
    threads: int
    runner: Contestant

    def data(self) -> dict[str, Any]:
        """For a file."""
        about = {"subject": self.subject, "work": self.work, "rows": self.rows, "threads": self.threads}
        return about | self.runner.data()

    @staticmethod
    def read(data: dict[str, Any]) -> "Entry":
        """What `data` wrote."""
        runner = Contestant("", lambda: None, data["amount"], data["seconds"], data["cpu_seconds"])
        return Entry(data["subject"], data["work"], data["rows"], data["threads"], runner)


def batch_entries(subject: str, rows: int, budget: int, repetitions: int) -> list[Entry]:
    """All forms with one thread, and the main form with more: compared, timed in turns, compared again."""
    wanted = [(form, 1) for form in FORMS] + [(MAIN, threads) for threads in THREADS if threads > 1 and rows > 1]
    loops = [make_loop(subject, form, rows, threads, budget) for form, threads in wanted]
    for loop in loops:
        compare(loop)
    runners = [
        Contestant(f"{form}, threads {threads}", loop.run, rows * loop.steps)
        for (form, threads), loop in zip(wanted, loops, strict=True)
    ]
    same_answers(f"{rows} rows of {subject}", runners, Loop.place)
    interleave(runners, repetitions)
    same_answers(f"{rows} rows of {subject}, after all runs", runners, Loop.place)
    return [
        Entry(subject, form, rows, threads, runner) for (form, threads), runner in zip(wanted, runners, strict=True)
    ]


def single_entries(subject: str, budget: int, repetitions: int) -> list[Entry]:
    """The loops over one state, timed in turns."""
    entries = [Entry(subject, work, 0, 1, runner) for work, runner in single_loops(subject, budget)]
    interleave([entry.runner for entry in entries], repetitions)
    return entries


def measure(names: Iterable[str], sizes: Sequence[int], budget: int, repetitions: int) -> Iterator[Entry]:
    """Every figure."""
    for subject in names:
        for rows in sizes:
            yield from batch_entries(subject, rows, budget, repetitions)
        spread_batch.cache_clear()  # the arrays of 4,096 rows of Blokus take half a gigabyte
        yield from single_entries(subject, budget, repetitions)
        print(f"measured: {subject}", file=sys.stderr)


# Tables.

RATES: dict[str, Callable[[Contestant], float]] = {
    "median": Contestant.middle,
    "best": Contestant.best,
    "by CPU time": Contestant.by_cpu,
}


def in_order(values: Iterable[Any]) -> list[Any]:
    """Without repetitions, in the order of their first."""
    return list(dict.fromkeys(values))


def batch_table(entries: Sequence[Entry], rate: str) -> str:
    """Games and forms by batch sizes, one thread."""
    cells = {(e.subject, e.work, e.rows): RATES[rate](e.runner) for e in entries if e.rows and e.threads == 1}
    sizes = in_order(rows for *_, rows in cells)
    rows = [
        [f"{subject}: {work}", *(amount_text(cells[subject, work, size]) for size in sizes)]
        for subject, work in in_order(key[:2] for key in cells)
    ]
    return table([f"steps a second, {rate}, one thread; batch of", *map(str, sizes)], rows)


def thread_table(entries: Sequence[Entry]) -> str:
    """What more threads give, by batch sizes."""
    cells = {(e.subject, e.rows, e.threads): e.runner for e in entries if e.work == MAIN}
    rows = [
        [f"{subject}, {size} rows, {threads} threads", amount_text(runner.middle()), *thread_ratios(runner, one)]
        for (subject, size, threads), runner in cells.items()
        if threads > 1
        for one in [cells[subject, size, 1]]
    ]
    return table([MAIN, "median", "ratio of bests", "of medians", "by CPU time"], rows)


def thread_ratios(runner: Contestant, one: Contestant) -> list[str]:
    """To the rates of one thread."""
    return [ratio_text(rate(runner) / rate(one)) for rate in (RATES["best"], RATES["median"], RATES["by CPU time"])]


def single_table(entries: Sequence[Entry]) -> str:
    """Loops over one state."""
    rows = [
        [f"{e.subject}: {e.work}", *(amount_text(rate(e.runner)) for rate in RATES.values())]
        for e in entries
        if not e.rows
    ]
    return table(["one state in a Python loop, a second", *RATES], rows)


def report(facts: dict[str, Any], entries: Sequence[Entry]) -> str:
    """Facts and tables."""
    tables = [batch_table(entries, rate) for rate in ("median", "by CPU time")]
    return "\n\n".join([facts_text(facts), *tables, thread_table(entries), single_table(entries)])


# The picture.


def plot(entries: Sequence[Entry], file: str, rate: str) -> None:
    """Steps a second, by one of RATES, against batch size and threads, and what each form costs."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "ziggurat", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(10, 4.2), layout="constrained")
        sizes, forms = figure.subplots(1, 2)
        draw_sizes(sizes, entries, rate)
        draw_forms(forms, entries, rate)
        figure.savefig(file, metadata={"Date": None} if file.endswith(".svg") else None)


def draw_sizes(axes: Any, entries: Sequence[Entry], rate: str) -> None:
    """A line a game and a number of threads."""
    for i, subject in enumerate(in_order(e.subject for e in entries)):
        for threads in in_order(e.threads for e in entries):
            of_it = [e for e in entries if (e.subject, e.work, e.threads) == (subject, MAIN, threads)]
            xs, ys = [e.rows for e in of_it], [RATES[rate](e.runner) for e in of_it]
            axes.plot(xs, ys, color=f"C{i}", marker="o", ms=3, ls="-" if threads == 1 else ":")
            if xs and threads == 1:
                axes.text(xs[-1] * 1.2, ys[-1], subject.replace("_", " "), color=f"C{i}", va="center")
    axes.set(xscale="log", yscale="log", xlabel="batch size", ylabel=f"steps a second, {rate}")
    axes.set_title(f"{MAIN}; dotted: two threads")
    axes.set_xlim(right=axes.get_xlim()[1] * 30)  # room for the names
    axes.grid(alpha=0.3)


def draw_forms(axes: Any, entries: Sequence[Entry], rate: str) -> None:
    """A column a game, a point a form, at the largest batch size but one."""
    sizes = sorted({e.rows for e in entries if e.rows})
    size, names = sizes[-2:][0], in_order(e.subject for e in entries)
    forms = [form for form in FORMS if form != "nothing"]
    for k, form in enumerate(forms):
        rates = {e.subject: RATES[rate](e.runner) for e in entries if (e.work, e.rows, e.threads) == (form, size, 1)}
        places = [i + (k - (len(forms) - 1) / 2) * 0.13 for i in range(len(names))]
        axes.plot(places, [rates[name] for name in names], "osD^v"[k % 5], ms=5, label=form)
    axes.set_xticks(range(len(names)), [name.replace("_", "\n").replace(" ", "\n") for name in names])
    axes.set(yscale="log", ylabel=f"steps a second, {rate}", title=f"what is written; batch of {size}, one thread")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize=8)


# The script.


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Steps a second of batches, and of loops over one state.")
    parser.add_argument("--games", nargs="+", default=subjects(), metavar="GAME", help="a game, or 'game preset'")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, metavar="N", help="batch sizes")
    parser.add_argument("--budget", type=int, default=40_000, help="actions of one timed run, about")
    parser.add_argument("--repetitions", type=int, default=7, help="how often each is timed, in turns")
    parser.add_argument("--json", metavar="FILE", help="write times and machine facts")
    parser.add_argument("--data", metavar="FILE", help="show what --json wrote instead of measuring")
    parser.add_argument("--plot", metavar="FILE", help="draw a picture (extra plot)")
    parser.add_argument("--rate", choices=RATES, default="median", help="what the picture shows (median)")
    arguments = parser.parse_args()
    if min(*arguments.sizes, arguments.budget, arguments.repetitions) < 1:
        parser.error("sizes, --budget and --repetitions are 1 or more")
    if arguments.plot and not find_spec("matplotlib"):  # before minutes of measuring
        parser.error('--plot needs matplotlib: pip install "ziggurat[plot]"')
    try:
        for name in arguments.games:
            load(zg, name)
    except ValueError as error:
        parser.error(str(error))
    return arguments


def measured(arguments: argparse.Namespace) -> tuple[dict[str, Any], list[Entry]]:
    """Facts and figures of a new run."""
    facts = machine() | engine_facts() | {"load before": load_average(), "repetitions": arguments.repetitions}
    entries = list(measure(arguments.games, arguments.sizes, arguments.budget, arguments.repetitions))
    check_build(facts)
    facts["load after"] = load_average()
    return facts, entries


def read(file: str) -> tuple[dict[str, Any], list[Entry]]:
    """Facts and figures of an earlier run; leaves with a message if the file holds none."""
    try:
        data = json.loads(Path(file).read_text(encoding="utf-8"))
        return data["facts"], [Entry.read(entry) for entry in data["entries"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"{file} is not what --json writes: {error!r}")


def main() -> int:
    """Print the tables; 1 if answers differed."""
    arguments = parse_arguments()
    try:
        facts, entries = read(arguments.data) if arguments.data else measured(arguments)
    except DifferentAnswersError as error:
        print(f"not compared, the answers differ: {error}", file=sys.stderr)
        return 1
    print(report(facts, entries))
    save(arguments.json, {"facts": facts, "entries": [entry.data() for entry in entries]})
    if arguments.plot:
        plot(entries, arguments.plot, arguments.rate)
    return 0


if __name__ == "__main__":
    sys.exit(main())
