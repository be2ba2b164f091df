#!/usr/bin/env python3
"""Plants bugs in a copy of the engine, one at a time, and records which tests notice: `docs/mutations.md`.

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
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mutations.md"
LEVEL = "v2"
GAMES = {"pylos": "Pylos", "blokus": "Blokus", "-": "Core, engine and bindings"}
COMPILER = "the compiler"
# Files that are not here come after them, by name; the slow ones come last.
QUICK_FIRST = ["traps_pylos", "random_stream", "bad_input"]
ASKING = "not [reference and not counts_of_the_reference and not games_of_the_reference"  # the engine
SLOW_LAST = ["laws", "properties", "traps_blokus", "signature", "same_game", "cli", "isa", "perft", "gaps"]

Catches = dict[str, str]  # of each test file that failed: the first test that did


@dataclass
class Bug:
    """A change of one place in one file."""

    game: str  # "-" for what belongs to none
    file: str
    name: str
    breaks: str  # the clause or promise
    words: str
    old: str = ""
    new: str = ""


# `# game file` holds until the next; `* name | what it breaks | in words`; lines of the old text (-) and the new (+).
PLANTED = r"""
# pylos cpp/core/pyramid.hpp
* symmetry-bits | PY-9.1 | bit 0 of a symmetry mirrors the rows and bit 1 the columns
- const int column = (k & 1) != 0 ? last - column_of(i) : column_of(i);
-     const int row = (k & 2) != 0 ?
+ const int column = (k & 2) != 0 ? last - column_of(i) : column_of(i);
+     const int row = (k & 1) != 0 ?
# pylos cpp/games/pylos/tables.hpp
* raise-into-the-cone | PY-5.1 | only the four supports of a target are left out of its raises, not the whole cone
- P::below(P::ball(to)) & ~P::cone(P::ball(to));
+ P::below(P::ball(to)) & ~P::supports(P::ball(to));
# pylos cpp/games/pylos/pylos.hpp
* raise-covered-ball | PY-2.2, PY-1.4 | a ball may be raised although another rests on it
- for_each_bit(s.own() & ~P::covered(occupied), [&](int i) {
+ for_each_bit(s.own(), [&](int i) {
* count-sideways-raises | PY-2.2 | the fast count of turns takes raises within a level and down along
- const Balls from = movers & P::below(bit(i)) & ~P::supports(bit(i));
+ const Balls from = movers & ~bit(i) & ~P::supports(bit(i));
* old-square-counts | PY-3.1 | any own square makes a pattern, not only one with the ball of this turn
- if ((P::squares(own) & P::squares_around(placed)) != 0) return true;
+ if (P::squares(own) != 0) return true;
* second-ball-order | PY-3.6 | the second ball taken back has the lower cell id
- const Balls later = out & ~freed & ~(first - 1);
+ const Balls later = out & ~freed & (first - 1);
* chain-always | PY-3.4 | `chain_removal=false` is forgotten when the second ball is listed
- return s.options.chain_removal ? later | freed : later;
+ return later | freed;
* chain-not-counted | PY-3.4 | the fast count of turns looks for freed balls before the first is gone
- ~P::covered(occupied ^ bit(i))); });
+ ~P::covered(occupied)); });
* mandatory-takes-two | PY-3.7 | with `removal=mandatory` the turn cannot stop after one ball
- return s.options.removal == Removal::Optional || !s.taken.is_none(); }
+ return s.options.removal == Removal::Optional; }
* mandatory-without-a-ball | PY-3.5, PY-3.7 | with `removal=mandatory` the turn goes on although no ball may be taken
- if (s.options.removal == Removal::Optional || takable(s) != 0) return;  // [PY-3.7]
+ return;
* limit-by-one | PY-4.4 | the game goes on for one turn after the limit
- s.turns >= s.options.max_turns; }
+ s.turns > s.options.max_turns; }
* turns-without-limit | PY-4.4 | turns are counted where there is no limit
- s.turns + (s.options.max_turns != 0));
+ s.turns + 1);
* perft-sees-the-limit | PY-4.4 | perft stops at the limit of turns
- s.options.max_turns = 0;
+ s.options.max_turns = s.options.max_turns;
* skip-after-the-apex | PY-4.2, PY-6.2 | with `no_move=passes` a turn is skipped after the apex too
- reserve(s, s.to_move) == 0 && (s.occupied() & P::kApexBall) == 0 && !can_raise(s);
+ reserve(s, s.to_move) == 0 && !can_raise(s);
* transform-forgets-taken | PY-9.1 | a symmetry leaves the cell of the ball taken back where it was
- out.taken = P::transformed_cell(s.taken, k);
+ out.taken = s.taken;
* mask-not-cleared | `legal_actions_mask(out)` | the mask keeps what was in the array
- std::fill(mask.begin(), mask.end(), std::uint8_t{0});
+ (void)0;
* why-not-supported | the reason of an illegal action | a placing without supports is blamed on the reserve
- if ((P::supported(s.occupied()) & P::ball(to)) == 0) return "[PY-2.1] " + cell
+ if (reserve(s, s.to_move) < 0) return "[PY-2.1] " + cell
# pylos cpp/games/pylos/views.hpp
* reserve-plane-of-mini | section 7, planes 6, 7 | the viewer's reserve is divided by 15 on base 3 too
- reserve(s, viewer)) / kBallsEach}
+ reserve(s, viewer)) / 15}
* text-of-an-impossible-turn | PY-6.5 | a text with a ball taken back that could not be taken is read
- G::reserve(before, before.to_move) >= 0 &&
-                  (G::takable(before) & taken) != 0;
+ G::reserve(before, before.to_move) >= 0;
* drawing-of-the-winner | `str(state)` | the drawing says that the player who would be next has won
- std::string(names[w >> 1]) + " has won"
+ std::string(names[s.to_move]) + " has won"
# blokus cpp/games/blokus/blokus.hpp
* edges-forgotten | BK-2.2 | free cells include those along an own edge
- return Board::board().minus(s.occupied() | Board::edges(s.own[index(colour)]));
+ return Board::board().minus(s.occupied());
* corners-of-others | BK-2.2 | corners of other colours give contact too
- return Board::corners(s.own[index(colour)]);
+ return Board::corners(s.occupied());
* start-anticlockwise | BK-1.4 | yellow and green have each other's start square
- for (std::size_t c = 0; c < out.size(); ++c) out[c][index(kCornerCell
+ for (std::size_t c = 0; c < out.size(); ++c) out[(4 - c) % 4][index(kCornerCell
* others-but-the-last | BK-2.5 | the game ends although the colour before in order can still place
- for (int next = 1; next < kNumPlayers; ++next)
+ for (int next = 1; next < kNumPlayers - 1; ++next)
* pass-is-always-legal | BK-2.3 | the checked door takes a pass of a colour that can place
- return !can_place(s, s.to_move) && must_pass(s);
+ return must_pass(s);
* single-not-last | BK-3.1, BK-5.5 | the single square counts whenever it is placed, not only as the last piece
- if (hand == 0 && kOrientations[o].piece == kSingle)
+ if (kOrientations[o].piece == kSingle)
* first-of-a-tie | BK-3.3 | only the first of several best colours wins
- mask |= PlayerMask{points[c] == best} << c;
+ if (mask == 0) mask = PlayerMask{points[c] == best} << c;
* skip-without-a-mark | BK-5.4 | `skip` leaves a blocked colour out and does not mark it
- s.passed |= colour_bit(s.to_move);
-       s.to_move
+ s.to_move
* nth-at-a-border | `nth(k)` | the k-th placement is looked for one piece too early
- .total() <= k) low += half;
+ .total() < k) low += half;
# blokus cpp/games/blokus/views.hpp
* text-from-the-top | BK-4.2 | the cells of a placement are written from the highest row down
- for (int row = shape.height() - 1; row >= 0; --row)
+ for (int row = 0; row < shape.height(); ++row)
* passed-but-can-place | BK-5.6 | a text is read in which a colour is marked as passed that can place
- as_if_open.passed = 0;
+ as_if_open.passed = s.passed;
* planes-anticlockwise | section 6 | relative colours are counted backwards
- const int colour = (viewer + relative) % kNumPlayers;
+ const int colour = (viewer + kNumPlayers - relative) % kNumPlayers;
* to-move-after-the-end | section 6, plane 7 | a colour is to move after the end
- if (colour == s.to_move && !is_over) mark(7, relative);
+ if (colour == s.to_move) mark(7, relative);
* drawing-of-contacts | `str(state)` | the drawing marks contact cells that are not free
- contact_cells(s, s.to_move) & free_cells(s, s.to_move);
+ contact_cells(s, s.to_move);
# - cpp/core/mixed_radix.hpp
* block-border | action ids | the first id of a block is put into the block before
- low = first_[low + half] <= id ?
+ low = first_[low + half] < id ?
# - cpp/core/rect.hpp
* width-for-stride | BK-2.2 | one of the four corner shifts takes the width of the board for its stride
- s.down(Stride - 1) | s.down(Stride + 1)
+ s.down(W - 1) | s.down(Stride + 1)
# - cpp/core/wide.hpp
* shift-loses-a-bit | all sets of cells | a shift drops the bits that cross from one word to the next by one place
- (load(at + 1) << (64 - b));
+ (load(at + 1) << (63 - b));
# - cpp/engine/turns.hpp
* nth-turn-by-one | `simulate(uniform="turn")` | the k-th turn is the one before when it is the first of its branch
- if (out.rest < ways)
+ if (out.rest <= ways)
# - cpp/engine/perft.hpp
* table-trusts-its-slot | `perft(hash_mb)` | an entry of the table is taken for any state that falls into its slot
- if (e.depth == depth && e.state == s) return e.count;
+ if (e.depth == depth) return e.count;
* line-of-a-split-task | `perft(divide, threads)` | what is split further is counted for the first line
- depth_after(child, task.depth), task.line});
+ depth_after(child, task.depth), tasks_.front().line});
# - cpp/engine/playout.hpp
* return-of-losers | `returns` | each loser gets -1/(n-1), however many have won
- -1.0 / (num_players - w);
+ -1.0 / (num_players - 1);
* last-row-of-a-chunk | `simulate` | the last game of every chunk is left out
- std::min(begin + kChunk, request.games);
+ std::min(begin + kChunk - 1, request.games);
* first-is-forgotten | `simulate(first)` | a run that is split begins with game 0 each time
- index = request.first + row;
+ index = row;
# - cpp/engine/checked.hpp
* id-by-one | `apply_action` | the checked door lets the number of actions pass as an id
- if (action >= 0 && action < G::num_actions(options)) return;
+ if (action >= 0 && action <= G::num_actions(options)) return;
"""


def read_bugs(text: str) -> list[Bug]:
    """The bugs of such a text."""
    bugs: list[Bug] = []
    place: list[str] = []
    for line in filter(None, text.splitlines()):
        kind, rest = line[0], line[2:]
        if kind == "#":
            place = rest.split(" ")
        elif kind == "*":
            bugs.append(Bug(*place, *rest.split(" | ")))
        elif kind == "-":
            bugs[-1].old += "\n" * bool(bugs[-1].old) + rest
        else:
            bugs[-1].new += "\n" * bool(bugs[-1].new) + rest
    return bugs


BUGS = read_bugs(PLANTED)


class Room:
    """The folder where all happens: a copy of the tree, builds of it, a package made of them, and the results."""

    def __init__(self, path: Path, jobs: int, only_tests: list[str]) -> None:
        self.path, self.jobs, self.only_tests = path, jobs, only_tests
        self.tree, self.build, self.package = path / "tree", path / "build", path / "package"
        self.clean_build = path / "clean"  # without a bug: only what a bug touches is built again

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


def configure(room: Room) -> None:
    """Prepares the build folder: one level, optimised as little as the tests bear."""
    settings = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_CXX_FLAGS_RELEASE": "-O1",
        "CMAKE_INTERPROCEDURAL_OPTIMIZATION": "OFF",  # so that only what changes is translated
        "ZIGGURAT_LEVELS": LEVEL,
        "Python_EXECUTABLE": sys.executable,
        "pybind11_DIR": call(sys.executable, "-m", "pybind11", "--cmakedir").stdout.strip(),
    }
    words = [f"-D{name}={value}" for name, value in settings.items()]
    done = call("cmake", "-S", room.tree, "-B", room.build, "-G", "Ninja", *words)
    if done.returncode != 0:
        fail(f"cmake could not configure:\n{done.stdout}{done.stderr}")


def compiles(room: Room) -> str:
    """Builds the extension; the compiler's first error, empty if there is none."""
    done = call("cmake", "--build", room.build, "--parallel", room.jobs)
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    return errors[0].split("error:")[1].strip() if errors else "the build failed"


def make_package(room: Room) -> None:
    """A package folder as an installation has it: Python, extensions, rules pages."""
    shutil.rmtree(room.package, ignore_errors=True)
    package = room.package / "ziggurat"
    shutil.copytree(room.tree / "python" / "ziggurat", package)
    for extension in (room.build / "cpp" / "bindings").glob("*.so"):
        shutil.copy2(extension, package / "_core")
    (package / "rules").mkdir()
    for page in (room.tree / "cpp" / "games").glob("*/RULES.md"):
        shutil.copy2(page, package / "rules" / f"{page.parent.name}.md")


# The tests


def run_file(room: Room, name: str, seconds: float) -> str:
    """Runs a test file until its first failure; the test that failed, empty if none did."""
    report = room.path / f"{name}.xml"
    report.unlink(missing_ok=True)
    environment = os.environ | {
        "PYTHONPATH": str(room.package),
        "ZIGGURAT_ISA": LEVEL,
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


def run_tests(room: Room, seconds: dict[str, float]) -> Catches:
    """Runs every test file by itself; those that fail, in the order of the files."""
    shutil.rmtree(room.path / "hypothesis", ignore_errors=True)
    names = room.test_files()
    with ThreadPoolExecutor(room.jobs) as pool:
        failures = pool.map(lambda name: run_file(room, name, seconds.get(name, 900)), names)
    return {name: failure for name, failure in zip(names, failures, strict=True) if failure}


def time_tests(room: Room) -> dict[str, float]:
    """Runs the tests without a bug; how long each file may take with one."""
    seconds = {}

    def timed(name: str) -> str:
        start = time.monotonic()
        failure = run_file(room, name, 900)
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
    replace_folder(room.clean_build, room.build)
    with planted(room, bug):
        error = compiles(room)
        if error:
            return {COMPILER: error}
        make_package(room)
        return run_tests(room, seconds)


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
        limits.write_text(json.dumps(prepare(room)), encoding="utf-8")
    seconds = json.loads(limits.read_text(encoding="utf-8"))
    for number, bug in enumerate(todo, 1):
        start = time.monotonic()
        catches = try_bug(room, bug, seconds)
        known[bug.name] = {"bug": fingerprint(bug), "files": list(seconds), "catches": catches}
        store.write_text(json.dumps(known, indent=1), encoding="utf-8")
        spent = time.monotonic() - start
        print(f"[{number}/{len(todo)}] {bug.name}: {outcome(catches)} ({spent:.0f} s)", flush=True)
    return {bug.name: known[bug.name] for bug in bugs}


def prepare(room: Room) -> dict[str, float]:
    """Copies, builds and tests the tree without a bug."""
    room.path.mkdir(parents=True, exist_ok=True)
    copy_tree(room)
    if room.clean_build.exists():  # an interrupted round may have left a bug in the other one
        replace_folder(room.clean_build, room.build)
    for bug in BUGS:
        with_bug(room.tree, bug)
    configure(room)
    error = compiles(room)
    if error:
        fail(f"the tree without a bug does not build: {error}")
    replace_folder(room.build, room.clean_build)
    make_package(room)
    seconds = time_tests(room)
    print(f"without a bug all of {', '.join(seconds)} pass", flush=True)
    return seconds


def outcome(catches: Catches) -> str:
    """One line about a result."""
    if not catches:
        return "SURVIVES"
    first, test = next(iter(catches.items()))
    return f"{len(catches)} of the sides notice, first {first}: {test}"


# The page

INTRODUCTION = """# Planted bugs

Generated by `tools/mutants.py --write`. To see whether the tests would notice a mistake, plausible mistakes were put
into the C++ on purpose, one at a time: a limit off by one, a mask forgotten, two things swapped. Each was built, and
every test file was run by itself until its first failure. The files are independent sides: positions made by hand,
laws, the reference in Python, perft figures, signatures of seeded runs. A bug that one file alone notices rests on it.

To run it: `tools/mutants.py --write` in an environment with `pip install '.[dev]'`; it takes about an hour, without
the tests marked slow and those of the reference alone. It works on a copy of the tree, in `build/mutants`; `--list`
names the bugs, `--only NAME` tries some, `--resume` goes on after an interruption. A bug is an entry in
`tools/mutants.py`: a file, a text that stands in it once, what to put there instead, and the promise that it breaks. A
new rule gets a bug of its own.
"""


def page(tried: dict[str, Any]) -> str:
    """The text of docs/mutations.md."""
    results = {name: result["catches"] for name, result in tried.items()}
    files = sorted(set.intersection(*(set(result["files"]) for result in tried.values())))
    survivors = [bug for bug in BUGS if not results[bug.name]]
    built = sum(COMPILER in catches for catches in results.values())
    lines = [INTRODUCTION]
    lines.append(
        f"{len(BUGS)} bugs; {len(BUGS) - len(survivors) - built} were caught by tests, {built} by a `static_assert` "
        f"before any test could run, {len(survivors)} by nothing. "
        f"Test files that were run for every bug: {', '.join(files)}.\n"
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
    results = try_all(Room(given.work.resolve(), given.jobs, given.tests), bugs, given.resume)
    if given.write:
        PAGE.write_text(page(results), encoding="utf-8")
    survivors = [name for name, result in results.items() if not result["catches"]]
    if survivors:
        fail(f"nothing notices {', '.join(survivors)}")


if __name__ == "__main__":
    main()
