"""Solves Pylos under several rule sets, asks the tables, and writes what docs/pylos-solved.md shows.

    python bench/pylos_solved.py FOLDER    solves, asks and writes; tables and records in FOLDER are used as they are
    python bench/pylos_solved.py           only draws the pictures and fills in the page, by docs/data/pylos_solved.json

FOLDER gets for each rule set the two files of its table and a record, what solving it took and found, in JSON. Each is
solved in a process of its own, so that its memory can be told. FOLDER takes 1.6 GB at the end and 4.4 GB on the way.
"""

import argparse
import json
import multiprocessing
import os
import resource
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import pylos_facts as facts
import pylos_page as page
from harness import engine_facts, load_average, machine

import ziggurat as zg
from ziggurat._core import _native
from ziggurat.solver import Tablebase, build, load
from ziggurat.solver.files import TableFiles, locked, replaced, table_files

RULE_SETS = [
    "pylos()",
    "pylos(patterns=lines)",
    "pylos(patterns=none)",
    "pylos(patterns=none,removal=mandatory)",  # nothing is ever taken back: a check of the solver
    "pylos(removal=mandatory)",
    "pylos(patterns=lines,removal=mandatory)",
    "pylos(remove_placed=false)",
    "pylos(no_move=passes)",
    "pylos(empty_reserve=loses)",
]
OPTIONS: dict[str, list[Any]] = {
    "patterns": ["squares", "none", "lines"],
    "removal": ["optional", "mandatory"],
    "remove_placed": [True, False],
    "chain_removal": [True, False],
    "no_move": ["loses", "passes"],
    "empty_reserve": ["continues", "loses"],
}
TAKE_BACK = ("removal", "remove_placed", "chain_removal")  # they mean nothing where nothing is taken back
CHECKED, COMPARED, LOOKED_AT, SEED = 1_000_000, 1_000_000, 100_000, 1  # random positions, and the seed of all


# Solving


def solve(text: str, folder: str, threads: int = 0) -> None:
    """Solve one rule set from the start, and write its table and its record."""
    game = zg.load_game(text)
    files = table_files(game, folder)
    with locked(files):
        files.work.unlink(missing_ok=True)
        load_before, clock, cpu = load_average(), perf_counter(), process_time()
        builder = _native.TableBuilder(game, str(files.work), threads)
        passes = _passes(builder)
        record = {
            "game": text,
            "solve_seconds": perf_counter() - clock,
            "cpu_seconds": process_time() - cpu,
            "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            * (1 if sys.platform == "darwin" else 1024),
            "work_bytes": files.work.stat().st_size,
            "load_average": load_before,
            "by_distance_and_balls": [found["by_balls"] for found in passes],
        }
        clock = perf_counter()
        with replaced(files) as (wdl, distances):
            builder.save(str(wdl), str(distances), None)
        record["save_seconds"] = perf_counter() - clock
        record |= {"summary": builder.summary(), "analysis": builder.analysis(), **machine(), **engine_facts()}
        record_of(files).write_text(json.dumps(record), encoding="utf-8")
        files.work.unlink()


def _passes(builder: Any) -> list[dict[str, Any]]:
    while builder.advance(None) is not None:
        pass
    return list(builder.passes)


def record_of(files: TableFiles) -> Path:
    """The file with what solving a rule set took and found."""
    return files.wdl.with_suffix(".json")


def solved(text: str, folder: Path, threads: int) -> tuple[Tablebase, dict[str, Any]]:
    """The table and the record of a rule set, which is solved first if the folder lacks one of them."""
    files = table_files(zg.load_game(text), folder)
    if not all(path.exists() for path in (files.wdl, files.distances, record_of(files))):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            pool.apply(solve, (text, str(folder), threads))
    return load(text, path=folder), json.loads(record_of(files).read_text(encoding="utf-8"))


# Asking


def rule_set(text: str, folder: Path, threads: int) -> dict[str, Any]:
    """All that the page tells of one rule set."""
    table, record = solved(text, folder, threads)
    files = table_files(table.game, folder)
    start = table.value_and_distance(table.game.new_initial_state())
    summary = table.summary
    kept = ("solve_seconds", "save_seconds", "cpu_seconds", "peak_bytes", "work_bytes", "load_average")
    return {
        "game": text,
        "start": {"value": start.value, "distance": start.distance},
        **{key: summary[key] for key in ("positions", "wins", "draws", "losses")},
        **{key: _rounded(record[key]) for key in kept if key in record},
        "files": {kind: _file(path) for kind, path in (("wdl", files.wdl), ("distances", files.distances))},
        "self_check": remembered(folder, text, "check", lambda: self_check(table, threads)),
        "openings": facts.openings(table),
        "games": {name: facts.perfect_game(table, rule) for name, rule in page.GAMES.items()},
        "habits": remembered(folder, text, "habits", lambda: facts.habits(table, LOOKED_AT, SEED)),
        "by_balls": summary["by_balls"],
        "passes": [[one["distance"], "win" if one["win"] else "loss", one["positions"]] for one in summary["passes"]],
        "zugzwangs": {key: record["analysis"][key] for key in ("both_lose", "lose_or_draw")},
        "deepest": deepest(table, record["analysis"]),
    }


def remembered(folder: Path, text: str, what: str, find: Callable[[], Any]) -> Any:
    """What `find` finds; kept in a file in the folder, by the checksum of the table, since it takes its time."""
    files = table_files(zg.load_game(text), folder)
    key = [_file(files.wdl)["sha256"], _file(files.distances)["sha256"], CHECKED, LOOKED_AT, SEED, zg.__version__]
    path = files.wdl.with_suffix(f".{what}.json")
    if path.exists():
        known = json.loads(path.read_text(encoding="utf-8"))
        if known["key"] == key:
            return known["value"]
    value = find()
    path.write_text(json.dumps({"key": key, "value": value}), encoding="utf-8")
    return value


def self_check(table: Tablebase, threads: int) -> dict[str, Any]:
    """Every checksum, and a million positions against their successors by the ordinary rules."""
    clock = perf_counter()
    table.verify()
    found = table.self_check(CHECKED, SEED, threads)
    return {**found, "seed": SEED, "seconds": round(perf_counter() - clock, 1)}


def deepest(table: Tablebase, analysis: dict[str, Any]) -> dict[str, Any]:
    """The positions that are won, or lost, in the most turns: one of each class, at most 16 of them."""
    out = {}
    for kind in ("wins", "losses"):
        texts = sorted(analysis[f"longest_{kind}"])
        probes = [table.value_and_distance(table.game.deserialize(f"{table.game} {text}")) for text in texts]
        if len({(one.value, one.distance) for one in probes}) != 1:
            raise ValueError(f"{table.game}: the deepest positions are not equally deep: {probes}")
        out[kind] = {"distance": probes[0].distance, "positions": texts}
    return out


def _rounded(value: Any) -> Any:
    return round(value, 1) if isinstance(value, float) else value


def _file(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        digest = sha256()
        while part := file.read(1 << 22):
            digest.update(part)
    return {"bytes": path.stat().st_size, "sha256": digest.hexdigest()}


def minis() -> list[list[Any]]:
    """Base 3 under all its options, solved here and now."""
    rows = []
    with TemporaryDirectory() as folder:
        for values in product(*OPTIONS.values()):
            options = dict(zip(OPTIONS, values, strict=True))
            if options["patterns"] == "none" and any(options[key] != OPTIONS[key][0] for key in TAKE_BACK):
                continue
            game = zg.load_game("pylos", base=3, **options)
            table = build(game, folder, threads=1)
            table.self_check(1000)
            start = table.value_and_distance(game.new_initial_state())
            longest = max(one["distance"] for one in table.summary["passes"] if one["positions"])
            counts = [table.summary[key] for key in ("positions", "wins", "draws", "losses")]
            rows.append([str(game), start.value, start.distance, *counts, longest])
    return rows


def gather(folder: Path, threads: int, chosen: list[str]) -> dict[str, Any]:
    """Everything, for `docs/data/pylos_solved.json`."""
    data: dict[str, Any] = {"about": _about(chosen[0], folder, threads), "seed": SEED}
    data["rule_sets"] = [_told(text, folder, threads) for text in chosen]
    tables = {text: load(text, path=folder) for text in chosen}
    data["differences"] = facts.differences(tables, COMPARED, SEED)
    data["examples"] = _examples(tables[chosen[0]], data["rule_sets"][0])
    data["circles"] = facts.circles(tables[chosen[0]], COMPARED, SEED)
    data["by_distance_and_balls"] = _by_distance_and_balls(data["rule_sets"][0], folder)
    data["mini"] = minis()
    return data


def _about(text: str, folder: Path, threads: int) -> dict[str, Any]:
    """The machine that solved a rule set."""
    record = solved(text, folder, threads)[1]
    return {key: record[key] for key in (*machine(), *engine_facts()) if key in record}


def _by_distance_and_balls(told: dict[str, Any], folder: Path) -> list[list[int]]:
    """For each of the passes a list by balls on the board; the builder's last passes, which found nothing, left out."""
    record = json.loads(record_of(table_files(zg.load_game(told["game"]), folder)).read_text(encoding="utf-8"))
    rows: list[list[int]] = record["by_distance_and_balls"][: len(told["passes"])]
    if [sum(row) for row in rows] != [found for _, _, found in told["passes"]]:
        raise ValueError(f"{told['game']}: record and table tell of different passes")
    return rows


def _examples(table: Tablebase, told: dict[str, Any]) -> dict[str, Any]:
    return facts.examples(table, told["zugzwangs"]["both_lose"], [row[1] for row in told["by_balls"]])


def _told(text: str, folder: Path, threads: int) -> dict[str, Any]:
    clock = perf_counter()
    found = rule_set(text, folder, threads)
    print(f"{text}: {found['start']}, {perf_counter() - clock:.0f} s", flush=True)
    return found


def compact(value: Any, indent: int = 0, width: int = 120) -> str:
    """JSON where all that fits on a line is on one."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or indent + len(line) <= width:
        return line
    pad = " " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{pad}{json.dumps(key)}: {compact(one, indent + 1, width)}" for key, one in value.items()]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    return (
        "[\n"
        + ",\n".join(_filled([compact(one, indent + 1, width) for one in value], pad, width))
        + "\n"
        + " " * indent
        + "]"
    )


def _filled(parts: list[str], pad: str, width: int) -> list[str]:
    """Parts of a list, as many on a line as fit."""
    lines: list[str] = []
    for part in parts:
        if lines and "\n" not in part + lines[-1] and len(lines[-1]) + len(part) + 3 <= width:
            lines[-1] += f", {part}"
        else:
            lines.append(pad + part)
    return lines


def main() -> None:
    """Write the data if a folder is named; then the pictures and the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="where tables and records are, or shall be")
    parser.add_argument("--threads", type=int, default=0, help="threads; 0: all cores")
    parser.add_argument(
        "--only", nargs="+", metavar="GAME", default=RULE_SETS, help="canonical texts; the first: pylos()"
    )
    parser.add_argument("--docs", type=Path, default=page.DOCS, help="the folder of pages (default: docs)")
    given = parser.parse_args()
    data_file = given.docs / "data" / page.DATA
    if given.folder is not None:
        given.folder.mkdir(parents=True, exist_ok=True)
        data = gather(given.folder, given.threads, given.only)
        data_file.parent.mkdir(exist_ok=True)
        data_file.write_text(compact(data) + "\n", encoding="utf-8")
    page.write(json.loads(data_file.read_text(encoding="utf-8")), given.docs)


if __name__ == "__main__":
    os.umask(0o022)
    main()
