"""`ziggurat solve`, `show --tablebase` and the perfect player on the command line."""

import json
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
import test_cli
from test_cli import MODULE, Outcome, in_terminal, spawn

import ziggurat as zg
from ziggurat.cli import judging, solving
from ziggurat.solver import build, load
from ziggurat.solver.building import BuildProgress
from ziggurat.solver.files import locked, table_files
from ziggurat.turns import legal_turns

MINI = "pylos(base=3)"
DRAWN = "pylos(base=3,patterns=lines,no_move=passes)"
run = test_cli.run  # the fixture
DRAWN_OPTIONS = ["--preset", "mini", "--option", "patterns=lines", "--option", "no_move=passes"]


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """The cache folder of a test, empty at first."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ZIGGURAT_CACHE", str(folder))
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A folder with two tables."""
    folder = tmp_path_factory.mktemp("tables")
    for text in (MINI, DRAWN):
        build(text, folder, 1)
    return folder


def names(folder):
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


# Solving


def test_solve_writes_a_table_that_is_found(run, cache):
    found = run("solve", "pylos", "--preset", "mini", "--threads", 1, "--json").json()
    table = load(MINI)
    assert found["files"] == [str(cache / "pylos_base=3.wdl"), str(cache / "pylos_base=3.distances")]
    assert names(cache) == ["pylos_base=3.distances", "pylos_base=3.wdl"]
    assert found["bytes"] == [(cache / name).stat().st_size for name in names(cache)[::-1]]
    assert {key: found[key] for key in table.summary} == json.loads(json.dumps(table.summary))
    probe = table.value_and_distance(zg.load_game(MINI).new_initial_state())
    assert found["start"] == {"result": "win", "value": probe.value, "distance": probe.distance}
    assert probe.value == 1
    assert (found["game"], found["longest"]) == (MINI, 17)
    assert 0 < found["seconds"] < 60


def test_solve_in_words(run, tmp_path):
    out = tmp_path / "a" / "b"
    first = run("solve", *["pylos", *DRAWN_OPTIONS], "--out", out)
    assert (first.code, first.err) == (0, "")
    lines = [line.split() for line in first.out.splitlines()]
    table = load(DRAWN, path=out)
    probe = table.value_and_distance(zg.load_game(DRAWN).new_initial_state())
    word = {1: "win", 0: "draw", -1: "loss"}[probe.value]
    assert f"who begins  {word}" in first.out
    assert ["game", DRAWN] in lines
    assert ["values", str(table.wdl_file)] in [line[:2] for line in lines]
    assert ["distances", str(table.distances_file)] in [line[:2] for line in lines]
    rows = [line for line in lines if line and line[0].isdigit()]
    assert [[int(x.replace(",", "")) for x in row] for row in rows] == [
        [balls, *counts] for balls, counts in enumerate(table.summary["by_balls"])
    ]
    assert f"{table.summary['draws']:,} (" in first.out


def test_solve_does_nothing_twice(run, tables):
    before = {path: path.stat().st_mtime_ns for path in tables.iterdir()}
    words = ["solve", MINI, "--out", tables]
    assert run(*words, "--json").json()["seconds"] is None
    assert "it was solved before" in run(*words, "--resume").out
    assert {path: path.stat().st_mtime_ns for path in tables.iterdir()} == before


def test_solve_anew_where_a_table_is_damaged(run, tmp_path):
    words = ["solve", MINI, "--out", tmp_path, "--threads", 1, "--json"]
    first = run(*words).json()
    mark = (tmp_path / "pylos_base=3.wdl").stat().st_ino, (tmp_path / "pylos_base=3.wdl").stat().st_mtime_ns
    assert run(*words, "--anew").json()["seconds"] > 0
    again = tmp_path / "pylos_base=3.wdl"
    assert (again.stat().st_ino, again.stat().st_mtime_ns) != mark
    data = again.read_bytes()
    for damage in (data[:1000], b"foreign", b""):
        again.write_bytes(damage)
        line = run(*words).refusal()
        assert str(again) in line
        assert "`ziggurat solve pylos --option base=3 --anew` makes a new table" in line
        assert again.read_bytes() == damage
        mended = run(*words, "--anew").json()
        assert mended["seconds"] > 0
        assert {**mended, "seconds": 0} == {**first, "seconds": 0}
        assert again.read_bytes() == data
    (tmp_path / "pylos_base=3.distances").unlink()
    assert run(*words).json()["bytes"] == first["bytes"]


STOP = """
import os, signal, sys
from ziggurat.cli import main, solving
signal.signal(signal.SIGINT, signal.default_int_handler)
build, left = solving.build, int(sys.argv[1])
def stopped(*args):
    *args, listener = args
    def listen(at):
        global left
        left -= at.phase == sys.argv[2]
        if left == 0:
            os.kill(os.getpid(), getattr(signal, sys.argv[3]))
        listener(at)
    return build(*args, listen)
solving.build = stopped
sys.exit(main(sys.argv[4:]))
"""


def stopped(tmp_path, count, phase, name):
    """A command that gets a signal while it solves."""
    words = [
        sys.executable,
        "-c",
        STOP,
        str(count),
        phase,
        name,
        "solve",
        MINI,
        "--out",
        str(tmp_path),
        "--threads",
        "1",
    ]
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=60)
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(("count", "phase"), [(6, "solve"), (1, "save")])
def test_a_killed_run_continues(run, tmp_path, count, phase):
    done = stopped(tmp_path, count, phase, "SIGKILL")
    assert (done.code, done.out) == (-signal.SIGKILL, "")
    words = ["solve", MINI, "--out", tmp_path, "--threads", 1, "--json"]
    line = run(*words).refusal()
    assert "pylos_base=3.work: a run has been stopped here: add --resume to go on with it, or --anew" in line
    with locked(table_files(zg.load_game(MINI), tmp_path)):
        for more in ([], ["--resume"], ["--anew"]):
            assert run(*words, *more).refusal().endswith("another process is solving this game here\n")
    resumed = run(*words, "--resume").json()
    assert names(tmp_path) == ["pylos_base=3.distances", "pylos_base=3.wdl"]
    data = [(tmp_path / name).read_bytes() for name in names(tmp_path)]
    assert {**run(*words, "--anew").json(), "seconds": 0} == {**resumed, "seconds": 0}
    assert [(tmp_path / name).read_bytes() for name in names(tmp_path)] == data


def test_ctrl_c_keeps_what_is_done(run, tmp_path):
    done = stopped(tmp_path, 6, "solve", "SIGINT")
    assert (done.code, done.out) == (130, "")
    assert done.err == "ziggurat: what is done is kept: add --resume to go on\nziggurat: interrupted\n"
    assert names(tmp_path) == ["pylos_base=3.work"]
    run("solve", MINI, "--out", tmp_path, "--resume", "--json").json()
    assert names(tmp_path) == ["pylos_base=3.distances", "pylos_base=3.wdl"]


def test_a_full_disk_keeps_what_is_done(tmp_path):
    stopped(tmp_path, 1, "save", "SIGKILL")
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
    line = spawn("solve", MINI, "--out", tmp_path, "--resume", code=limit + test_cli.RUN_MAIN).refusal()
    assert line == (
        f"ziggurat: {tmp_path}/pylos_base=3.wdl.part: File too large (what is done is kept: add --resume to go on)\n"
    )
    assert names(tmp_path) == ["pylos_base=3.work"]


def test_progress_in_a_terminal_alone(tmp_path):
    received, out = in_terminal("solve", MINI, "--out", str(tmp_path), "--json", streams=["stderr"])
    assert json.loads(out)["game"] == MINI
    assert "decided" in received
    assert "positions/s" in received
    assert spawn("solve", MINI, "--out", tmp_path / "b", "--json").json()["game"] == MINI


def test_progress_without_a_terminal(run, monkeypatch, tmp_path):
    monkeypatch.setattr(solving, "QUIET", 0.0)
    done = run("solve", MINI, "--out", tmp_path, "--threads", 1, "--json")
    assert json.loads(done.out)["game"] == MINI
    lines = done.err.splitlines()
    assert lines
    assert all("left: " in line for line in lines)
    assert all(("decided" in line and "M positions/s" in line) == line.startswith("pass ") for line in lines)
    assert "left: unknown" in lines[0]
    assert any(line.startswith("pass 5 (after: ") for line in lines)
    assert {line.split(":")[0] for line in lines if not line.startswith("pass")} <= set(solving.PHASES.values())
    assert "\x1b" not in done.err


def test_words_of_progress():
    at = BuildProgress("solve", 23, {"distance": 22, "win": False}, 1, 4, 50, 200, 9.0, 2.5e6, 3723.4)
    assert solving._phase(at) == "pass 23 (after: lost in 22)"
    assert solving._amounts(at) == "25.00% decided  2.5 M positions/s  left: 1:02:03"
    later = replace(at, phase="verify", remaining=None)
    assert (solving._phase(later), solving._amounts(later)) == ("reading it back", "left: unknown")
    assert [solving.clock(seconds) for seconds in (0, 59.6, 3599, 86400)] == ["0:00", "1:00", "59:59", "24:00:00"]


BAD = [
    (["solve"], "GAME"),
    (["solve", "chess"], "unknown game 'chess'"),
    (["solve", "blokus"], "blokus"),
    (["solve", "pylos", "--preset", "foo"], "unknown preset 'foo'"),
    (["solve", "pylos", "--option", "base=5"], "option base is an integer from 3 to 4, not 5"),
    (["solve", "pylos", "--memory-gb", "0.5"], "not enough memory: to solve pylos() takes"),
    (["solve", "pylos", "--memory-gb", "0"], "memory_gb is greater than 0"),
    (["solve", "pylos", "--memory-gb", "-1"], "memory_gb is greater than 0"),
    (["solve", "pylos", "--memory-gb", "nan"], "memory_gb is greater than 0"),
    (["solve", "pylos", "--memory-gb", "much"], "'much'"),
    (["solve", MINI, "--threads", "1025"], "threads is an integer from 0 to 1024, not 1025"),
    (["solve", MINI, "--threads", "x"], "--threads"),
    (["solve", MINI, "--resume", "--anew"], "say one of them"),
    (["solve", MINI, "--out", "/dev/null"], "/dev/null"),
    (["solve", MINI, "--out", "/dev/null/below"], "/dev/null"),
    (["show", MINI, "--tablebase"], "run `ziggurat solve pylos --option base=3` first"),
    (["show", "pylos", "--tablebase"], "run `ziggurat solve pylos` first"),
    (["show", "blokus", "--tablebase"], "blokus"),
    (["show", MINI, "--tables", "/nowhere"], "run `ziggurat solve"),
]


@pytest.mark.parametrize(("words", "why"), BAD, ids=lambda x: " ".join(x)[:60] if isinstance(x, list) else "")
def test_bad_words_get_one_line(run, cache, words, why):
    line = run(*words).refusal()
    assert why in line
    assert line[:-1].isprintable()
    assert not cache.exists()


def test_without_the_extra_solver(monkeypatch):
    monkeypatch.delenv("ZIGGURAT_CACHE")
    code = "import sys; sys.modules['platformdirs'] = None; from ziggurat.cli import main; sys.exit(main())"
    line = spawn("solve", MINI, code=code).refusal()
    assert line == 'ziggurat: platformdirs is missing: pip install "ziggurat[solver]"\n'


# Showing


def described(run, tables, *words):
    """What `show --tables --json` says of a position, and the position."""
    document = run("show", *words, "--tables", tables, "--json").json()
    return document["tablebase"], zg.restore_state(document["serialize"])


def some_moves(game, seed, count):
    """Random turns as texts."""
    state, rng, texts = zg.load_game(game).new_initial_state(), random.Random(seed), []
    while len(texts) < count and not state.is_terminal():
        turn = rng.choice(list(legal_turns(state)))
        texts.append(state.turn_to_string(turn))
        for action in turn:
            state.apply_action(action)
    return " ".join(texts)


@pytest.mark.parametrize("game", [MINI, DRAWN])
@pytest.mark.parametrize("count", [0, 5, 9, 12, 60])
def test_show_judges_every_turn(run, tables, game, count):
    found, state = described(run, tables, game, "--moves", some_moves(game, count, count))
    table = load(game, path=tables)
    probe = table.probe(state)
    assert (found["value"], found["distance"]) == (probe.value, probe.distance)
    assert found["result"] == {1: "win", 0: "draw", -1: "loss"}[probe.value]
    turns = {tuple(turn.actions): turn for turn in table.turns(state)}
    assert [row["turn"] for row in found["turns"]] == [state.turn_to_string(row["actions"]) for row in found["turns"]]
    assert {tuple(row["actions"]) for row in found["turns"]} == set(turns)
    order = [turns[tuple(row["actions"])] for row in found["turns"]]
    assert [(row["value"], row["distance"]) for row in found["turns"]] == [turn[1:] for turn in order]
    ranks = [value * (1000 - (distance or 0)) for _, value, distance in order]
    assert ranks == sorted(ranks, reverse=True)
    assert [row["actions"] for row in found["turns"]][: len(probe.best_turns)] == probe.best_turns
    assert state.is_terminal() == (count == 60)


def test_show_inside_a_turn(run, tables):
    position = "LL.LL..DD/..../. L 1b2 0"
    found, state = described(run, tables, MINI[:-1] + ",max_turns=0)", "--position", position)
    assert state.in_turn()
    assert [row["actions"] for row in found["turns"]] != []
    assert len(found["turns"]) == state.count_turns()


def test_show_in_words(run, tables, monkeypatch):
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tables))
    plain = run("show", MINI, "--moves", "1b2 1b3").out
    words = run("show", MINI, "--moves", "1b2 1b3", "--tablebase").out
    assert words.startswith(plain)
    lines = [line.split() for line in words.removeprefix(plain).splitlines() if line]
    found, _ = described(run, tables, MINI, "--moves", "1b2 1b3")
    assert lines[0] == ["player", "0", "to", "move:", found["result"], "in", str(found["distance"])]
    assert lines[1] == ["result", "in", "turns"]
    groups = {}
    for row in found["turns"]:
        groups.setdefault((row["result"], str(row["distance"])), []).append(row["turn"])
    assert lines[3:] == [[*key, str(len(texts)), *texts] for key, texts in groups.items()]


def test_show_draws_and_ends_in_words(run, tables):
    table = load(DRAWN, path=tables)
    for seed in range(200):
        moves = some_moves(DRAWN, seed, 14)
        found, state = described(run, tables, DRAWN, "--moves", moves)
        if found["value"] == 0:
            break
    assert table.value_and_distance(state) == (0, None)
    lines = run("show", DRAWN, "--moves", moves, "--tables", tables).out.splitlines()
    assert f"player {state.current_player()} to move: draw" in lines
    assert any(line.split()[:1] == ["draw"] and line.split()[1].isdigit() for line in lines)
    ended = run("show", MINI, "--moves", some_moves(MINI, 1, 60), "--tables", tables).out
    assert ended.endswith("\nthe game is over\n")
    assert judging.verdict(state, found) == f"player {state.current_player()} to move: draw"


def test_show_says_what_is_damaged(run, tmp_path, tables):
    for path in tables.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    path = tmp_path / "pylos_base=3.wdl"
    path.write_bytes(path.read_bytes()[:-1])
    line = run("show", MINI, "--tables", tmp_path).refusal()
    assert str(path) in line
    assert "truncated" in line


# The perfect player


def test_the_perfect_player_under_gtp(tables, tmp_path):
    lines = "genmove b\nset_game pylos mini\nset_random_seed 5\nreg_genmove b\ngenmove b\nreg_genmove w\nquit\n"
    command = [*MODULE, "gtp", "--bot", "perfect", "--game", "pylos"]
    for folder in (tables, tmp_path):
        where = {"env": os.environ | {"ZIGGURAT_CACHE": "."}, "cwd": folder}  # long paths are cut in answers
        done = subprocess.run(command, input=lines, **where, check=True, capture_output=True, text=True, timeout=60)
        answers = done.stdout.split("\n\n")
        missing = "there is no table of pylos(): run `ziggurat solve pylos` first"
        assert answers[0] == f"? cannot use pylos.wdl: {missing}"
        if folder == tmp_path:
            assert "run `ziggurat solve pylos --option base=3` first" in answers[3]
            continue
        state = zg.load_game(MINI).new_initial_state()
        table = load(MINI, path=tables)
        best = [state.turn_to_string(turn) for turn in table.best_turns(state)]
        assert answers[3] == answers[4]
        assert answers[4].removeprefix("= ") in best
        assert answers[5].startswith("= 1")


def test_the_perfect_player_wins_matches(run, monkeypatch, tables):
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tables))
    engines = [f"{sys.executable} -m ziggurat gtp --bot {bot}" for bot in ("perfect", "greedy")]
    words = [word for engine in engines for word in ("--engine", engine)]
    found = run("match", "--game", MINI, *words, "--games", 4, "--json").json()
    assert found["engines"][0]["faults"] == {}
    assert found["engines"][0]["wins"] >= 2  # who begins wins for sure
