#!/usr/bin/env python3
"""Plants bugs in a copy of the project, one at a time, and records which tests notice: `docs/mutations.md`.

Needs what `pip install '.[dev]'` brings. `tools/mutants.py --help` lists the ways to run it.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mutations.md"
LEVEL = "v4"  # of the instruction set; a bug that stands in what other levels run names one of them
GAMES = {
    "pylos": "Pylos",
    "blokus": "Blokus",
    "blox": "Blox",
    "numberplace_city": "Numberplace City",
    "-": "Core, engine and bindings",
    "formats": "Records and drawings",
}
COMPILER = "the compiler"
# Files that are not here come after them, by name; the slow ones come last.
QUICK_FIRST = [
    "bad_options",
    "traps_pylos",
    "traps_blokus",
    "traps_blox",
    "traps_numberplace_city",
    "random_stream",
    "bad_input",
]
ASKING = "not [reference and not counts_of_the_reference and not games_of_the_reference"  # the engine
SLOW_LAST = ["laws", "signature", "same_game", "perft", "properties", "formats_fuzz", "cli", "isa"]

Catches = dict[str, str]  # of each test file that failed: the first test that did


@dataclass
class Bug:
    """A change of one place in one file."""

    game: str  # "-" for what belongs to none
    file: str
    name: str
    breaks: str  # the clause or promise
    words: str
    level: str = ""
    old: str = ""
    new: str = ""

    @property
    def is_native(self) -> bool:
        return not self.file.endswith(".py")


# `# game file`, or `# game file level`, holds until the next; `* name | what it breaks | in words`; lines of the old
# text (-) and of the new (+).
PLANTED = (ROOT / "tools" / "planted_bugs.txt").read_text(encoding="utf-8")


def read_bugs(text: str) -> list[Bug]:
    """The bugs of such a text."""
    bugs: list[Bug] = []
    place, level = [""], ""
    for line in filter(None, text.splitlines()):
        kind, rest = line[0], line[2:]
        if kind == "#":
            *place, level = rest.split(" ") if rest.count(" ") == 2 else [*rest.split(" "), ""]
        elif kind == "*":
            bugs.append(Bug(*place, *rest.split(" | "), level))
        elif kind == "-":
            bugs[-1].old += "\n" * bool(bugs[-1].old) + rest
        else:
            bugs[-1].new += "\n" * bool(bugs[-1].new) + rest
    return bugs


BUGS = read_bugs(PLANTED)


class Room:
    """The folder where all happens: a copy of the tree, builds of it, a package made of them, and the results."""

    def __init__(self, path: Path, jobs: int, only_tests: list[str], stop_at_first: bool) -> None:
        self.path, self.jobs, self.only_tests, self.stop_at_first = path, jobs, only_tests, stop_at_first
        self.tree, self.package = path / "tree", path / "package"

    def build(self, level: str) -> Path:
        """Where a level is built."""
        return self.path / f"build-{level}"

    def clean_build(self, level: str) -> Path:
        """The same without a bug: only what a bug touches is built again."""
        return self.path / f"clean-{level}"

    def test_files(self) -> list[str]:
        """The names of the test files in the order in which they are run: `traps_pylos`, ..."""
        names = sorted(path.stem.removeprefix("test_") for path in (self.tree / "tests").glob("test_*.py"))
        names.remove("mutants")  # it looks for the very texts that a bug replaces
        order = QUICK_FIRST + [name for name in names if name not in SLOW_LAST] + SLOW_LAST
        known = [name for name in dict.fromkeys(order) if name in names]
        return [name for name in known if not self.only_tests or name in self.only_tests]


def fail(text: str) -> None:
    """Ends the program."""
    sys.exit(f"mutants: {text}")


def call(*words: object, **more: Any) -> "subprocess.CompletedProcess[str]":
    """Runs a program and keeps what it says."""
    return subprocess.run([str(word) for word in words], check=False, capture_output=True, text=True, **more)


# The copy and its build


def copy_tree(room: Room) -> None:
    """The working tree as git sees it, with times, so that what has not changed is not built again."""
    shutil.rmtree(room.tree, ignore_errors=True)
    listed = call("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (room.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, room.tree / name)


def replace_folder(source: Path, target: Path) -> None:
    """Makes one folder a copy of another, times included."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True)


def configure(room: Room, level: str) -> None:
    """Prepares the build folder of a level, which is optimised as little as the tests bear."""
    settings = {
        "CMAKE_BUILD_TYPE": "Planted",  # CMakeLists.txt sets the flags of Release
        "CMAKE_CXX_FLAGS_PLANTED": "-O1",
        "CMAKE_INTERPROCEDURAL_OPTIMIZATION": "OFF",  # so that only what changes is translated
        "ZIGGURAT_LEVELS": level,
        "Python_EXECUTABLE": sys.executable,
        "pybind11_DIR": call(sys.executable, "-m", "pybind11", "--cmakedir").stdout.strip(),
    }
    words = [f"-D{name}={value}" for name, value in settings.items()]
    done = call("cmake", "-S", room.tree, "-B", room.build(level), "-G", "Ninja", *words)
    if done.returncode != 0:
        fail(f"cmake could not configure:\n{done.stdout}{done.stderr}")


def compiles(room: Room, level: str) -> str:
    """Builds the extension; the compiler's first error, empty if there is none."""
    done = call("cmake", "--build", room.build(level), "--parallel", room.jobs)
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    return errors[0].split("error:")[1].strip() if errors else "the build failed"


def make_package(room: Room, build: Path) -> None:
    """A package folder as an installation has it: Python, and what has been built in a folder."""
    shutil.rmtree(room.package, ignore_errors=True)
    shutil.copytree(room.tree / "python" / "ziggurat", room.package / "ziggurat")
    done = call("cmake", "--install", build, "--prefix", room.package)
    if done.returncode:
        fail(f"cmake --install: {done.stderr}")


# The tests


def run_file(room: Room, level: str, name: str, seconds: float) -> str:
    """Runs a test file with a level until its first failure; the test that failed, empty if none did."""
    report = room.path / f"{name}.xml"
    report.unlink(missing_ok=True)
    environment = os.environ | {
        "PYTHONPATH": str(room.package),
        "ZIGGURAT_ISA": level,
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(room.path / "hypothesis"),
    }
    words = [
        "-x",
        "-q",
        "-m",
        "not slow",
        "-k",
        ASKING,
        "-p",
        "no:cacheprovider",
        f"--junitxml={report}",
        f"tests/test_{name}.py",
    ]
    try:
        done = call(sys.executable, "-m", "pytest", *words, cwd=room.tree, env=environment, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "a test that does not end"
    if done.returncode in (0, 5):  # 5: all tests of the file are slow
        return ""
    return failed_test(report) if report.exists() else crashed_test(done.stderr)


def failed_test(report: Path) -> str:
    """The first test of a report that failed."""
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            return case.get("name") or "collecting the tests"
    return "pytest itself"


def crashed_test(text: str) -> str:
    """The test that ran when the process died, from the stack that Python's fault handler prints."""
    found = re.search(r"tests/test_\w+\.py\", line \d+ in (test_\w+)", text)
    return f"{found[1] if found else 'a test'} (crash)"


def run_tests(room: Room, level: str, seconds: dict[str, float]) -> Catches:
    """Runs every test file by itself; those that fail, in the order of the files."""
    shutil.rmtree(room.path / "hypothesis", ignore_errors=True)
    names = room.test_files()
    if room.stop_at_first:
        failures = ((name, run_file(room, level, name, seconds.get(name, 900))) for name in names)
        return dict(islice((item for item in failures if item[1]), 1))
    with ThreadPoolExecutor(room.jobs) as pool:
        found = pool.map(lambda name: run_file(room, level, name, seconds.get(name, 900)), names)
    return {name: failure for name, failure in zip(names, found, strict=True) if failure}


def time_tests(room: Room) -> dict[str, float]:
    """Runs the tests without a bug; how long each file may take with one."""
    seconds = {}

    def timed(name: str) -> str:
        start = time.monotonic()
        failure = run_file(room, LEVEL, name, 900)
        seconds[name] = 30 + 3 * (time.monotonic() - start)
        return failure

    names = room.test_files()
    with ThreadPoolExecutor(room.jobs) as pool:
        failures = [f"{n}: {failure}" for n, failure in zip(names, pool.map(timed, names), strict=True) if failure]
    if failures:
        fail("the tests fail without any bug: " + "; ".join(failures))
    return seconds


# One bug


def with_bug(tree: Path, bug: Bug) -> str:
    """The text of the file with the bug in it."""
    text = (tree / bug.file).read_text(encoding="utf-8")
    if text.count(bug.old) != 1:
        fail(f"{bug.name}: the old text stands {text.count(bug.old)} times in {bug.file}, not once")
    return text.replace(bug.old, bug.new)


@contextmanager
def planted(room: Room, bug: Bug) -> Iterator[None]:
    """The copy with the bug in it."""
    path = room.tree / bug.file
    times, before, after = path.stat(), path.read_text(encoding="utf-8"), with_bug(room.tree, bug)
    path.write_text(after, encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def try_bug(room: Room, bug: Bug, seconds: dict[str, float]) -> Catches:
    """Which test files notice the bug."""
    level = bug.level or LEVEL
    replace_folder(room.clean_build(level), room.build(level))
    with planted(room, bug):
        error = compiles(room, level) if bug.is_native else ""
        if error:
            return {COMPILER: error}
        make_package(room, room.build(level))
        return run_tests(room, level, seconds)


def fingerprint(bug: Bug) -> str:
    """Changes when the bug does."""
    return hashlib.sha256(repr((bug.file, bug.old, bug.new)).encode()).hexdigest()[:16]


def try_all(room: Room, bugs: list[Bug], resume: bool) -> dict[str, Any]:
    """Tries the bugs one after the other; results are kept in the room as they come."""
    store = room.path / "results.json"
    known = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
    todo = [bug for bug in bugs if not (resume and known.get(bug.name, {}).get("bug") == fingerprint(bug))]
    limits = room.path / "seconds.json"
    if not (resume and limits.exists()):
        limits.unlink(missing_ok=True)
        limits.write_text(json.dumps(prepare(room, {LEVEL, *(bug.level or LEVEL for bug in bugs)})), encoding="utf-8")
    seconds = json.loads(limits.read_text(encoding="utf-8"))
    for number, bug in enumerate(todo, 1):
        start = time.monotonic()
        catches = try_bug(room, bug, seconds)
        ran = {"files": list(seconds), "first": room.stop_at_first}
        known[bug.name] = {"bug": fingerprint(bug), **ran, "catches": catches}
        store.write_text(json.dumps(known, indent=1), encoding="utf-8")
        spent = time.monotonic() - start
        print(f"[{number}/{len(todo)}] {bug.name}: {outcome(catches)} ({spent:.0f} s)", flush=True)
    return {bug.name: known[bug.name] for bug in bugs}


def prepare(room: Room, levels: set[str]) -> dict[str, float]:
    """Copies, builds and tests the tree without a bug."""
    room.path.mkdir(parents=True, exist_ok=True)
    copy_tree(room)
    for bug in BUGS:
        with_bug(room.tree, bug)
    for level in sorted(levels):
        build_clean(room, level)
    make_package(room, room.clean_build(LEVEL))
    seconds = time_tests(room)
    print(f"without a bug all of {', '.join(seconds)} pass", flush=True)
    return seconds


def build_clean(room: Room, level: str) -> None:
    """Builds a level without a bug."""
    if room.clean_build(level).exists():  # an interrupted round may have left a bug in the other one
        replace_folder(room.clean_build(level), room.build(level))
    configure(room, level)
    error = compiles(room, level)
    if error:
        fail(f"the tree without a bug does not build: {error}")
    replace_folder(room.build(level), room.clean_build(level))


def outcome(catches: Catches) -> str:
    """One line about a result."""
    if not catches:
        return "SURVIVES"
    first, test = next(iter(catches.items()))
    return f"{len(catches)} of the sides notice, first {first}: {test}"


# The page

INTRODUCTION = """# Planted bugs

Generated by `tools/mutants.py --write`. To see whether the tests would notice a mistake, plausible mistakes were put
into the code on purpose, one at a time: a limit off by one, a mask forgotten, two things swapped. The files of tests
are independent sides: positions made by hand, laws, the reference in Python, perft figures, signatures of seeded runs.

To run it: `tools/mutants.py --write` in an environment with `pip install '.[dev]'`. Each bug costs a build and all
tests but those marked slow and those of the reference alone; with `--first` the test files are run one after the other
until one notices, which is much quicker. It works on a copy of the tree, in `build/mutants`; `--list` names the bugs,
`--only NAME` tries some, `--resume` goes on after an interruption. A bug is an entry in `tools/planted_bugs.txt`: a
file, the instruction-set level to build if it is not v4, a text that stands in the file once, what to put there
instead, and the promise that it breaks. A new rule gets a bug of its own.
"""
ALL_FILES = "Every test file was run until its first failure; a bug that one file alone notices rests on it."
FIRST_FILE = "Test files were run one after the other until one noticed; whether others would have is not known."


def page(tried: dict[str, Any]) -> str:
    """The text of docs/mutations.md."""
    results = {name: result["catches"] for name, result in tried.items()}
    files = list(dict.fromkeys(name for result in tried.values() for name in result["files"]))
    survivors = [bug for bug in BUGS if not results[bug.name]]
    built = sum(COMPILER in catches for catches in results.values())
    lines = [INTRODUCTION]
    lines.append(
        f"{len(BUGS)} bugs; {len(BUGS) - len(survivors) - built} were caught by tests, {built} by a `static_assert` "
        f"before any test could run, {len(survivors)} by nothing. "
        f"{FIRST_FILE if any(result['first'] for result in tried.values()) else ALL_FILES} "
        f"Test files: {', '.join(files)}.\n"
    )
    for game, title in GAMES.items():
        lines += [f"## {title}", "| planted bug | breaks | first noticed by | and by |", "| --- | --- | --- | --- |"]
        lines += [row(bug, results[bug.name]) for bug in BUGS if bug.game == game]
        lines.append("")
    lines += ["## Survivors", *(f"- {bug.name}: {bug.words}" for bug in survivors)]
    return "\n".join(lines if survivors else [*lines, "None."]) + "\n"


def row(bug: Bug, catches: Catches) -> str:
    """The line of a bug in its table."""
    if not catches:
        return f"| {bug.words} | {bug.breaks} | nothing | |"
    (first, test), *others = catches.items()
    test = test.replace("|", "\\|").replace("`", "")
    who = f"{first}: {test}" if first == COMPILER else f"`test_{first}.py`: `{test}`"
    return f"| {bug.words} | {bug.breaks} | {who} | {', '.join(name for name, _ in others)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Plants bugs and records which tests notice.")
    parser.add_argument("--list", action="store_true", help="only list the bugs, and look whether they can be planted")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[], help="try these bugs")
    parser.add_argument("--tests", nargs="+", metavar="NAME", default=[], help="run these test files: laws, perft, ...")
    parser.add_argument("--first", action="store_true", help="of each bug look only for the first file that notices")
    parser.add_argument("--resume", action="store_true", help="keep copy, build and results of an interrupted round")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)} (with all bugs)")
    parser.add_argument("--jobs", type=int, default=2, help="compilers, or test files, at a time")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mutants", help="folder to work in")
    given = parser.parse_args()
    unknown = set(given.only) - {bug.name for bug in BUGS}
    if unknown or (given.only and given.write):
        fail(f"there is no bug {', '.join(sorted(unknown))}" if unknown else "--write needs all bugs")
    bugs = [bug for bug in BUGS if not given.only or bug.name in given.only]
    if given.list:
        for bug in bugs:
            with_bug(ROOT, bug)
            print(f"{bug.name:36} {bug.breaks:28} {bug.words}")
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the copy is left without a bug
    results = try_all(Room(given.work.resolve(), given.jobs, given.tests, given.first), bugs, given.resume)
    if given.write:
        PAGE.write_text(page(results), encoding="utf-8")
    survivors = [name for name, result in results.items() if not result["catches"]]
    if survivors:
        fail(f"nothing notices {', '.join(survivors)}")


if __name__ == "__main__":
    main()
