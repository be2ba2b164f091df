"""Tables of solved games: right, found again, never half-made, and never wrong when damaged."""

import copy
import errno
import math
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import time
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from bad_values import NOT_NUMBERS, NOT_TEXTS
from common import ctrl_c, positions, walk
from playing import at

import ziggurat as zg
from ziggurat import solver
from ziggurat._core import _native
from ziggurat.bots import GreedyBot, RandomBot, make_bot
from ziggurat.errors import ParseError
from ziggurat.solver import PerfectBot, Tablebase, TableProbe, build, load
from ziggurat.solver import files as solver_files
from ziggurat.solver.files import cache_folder, command_of, locked, memory_sizes, table_files
from ziggurat.solver.forecast import Forecast
from ziggurat.turns import legal_turns

MINI = "pylos(base=3)"  # no draws
DRAWN = "pylos(base=3,patterns=lines,no_move=passes)"  # draws, and turns that are skipped
GAMES = [MINI, DRAWN, "pylos(base=3,patterns=lines,removal=mandatory,remove_placed=false,empty_reserve=loses)"]


class StopBuildError(Exception):
    """What a listener stops a build with."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the tables of some games."""
    made = tmp_path_factory.mktemp("tables")
    for text in GAMES:
        build(text, made, threads=2)
    return made


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    """Tests see nothing of the user's cache folder."""
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tmp_path / "cache"))


def start_of(text):
    """The start of a game."""
    return zg.load_game(text).new_initial_state()


@cache
def solution_of(text):
    """What the general solver, another program, says of a game."""
    return solver.solve(start_of(text))


def after(state, actions):
    """A copy of a state after some actions."""
    state = state.clone()
    for action in actions:
        state.apply_action(action)
    return state


def merit(value, distance):
    """A number that is greater the better a result is."""
    return value * (1000 - (distance or 0))


def for_side(table, side, state):
    """(value, distance) of a state for a player, whose side in its text is L or D."""
    value, distance = table.value_and_distance(state)
    return (value if side_of(state) == side else -value), distance


def side_of(state):
    """Who is to move, or would be next."""
    return state.serialize().split(" ")[2]


def some_states(text, seeds=range(4)):
    """States of random games: between turns, inside them, and finished."""
    return list(positions(zg.load_game(text), seeds, 120))


def contents(folder):
    """The files of a folder with what is in them."""
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


# What tables say


@pytest.mark.parametrize("text", GAMES)
def test_every_position_of_play_is_what_the_general_solver_says(folder, text):
    table, solution = load(text, path=folder), solution_of(text)
    values, distances = solution.distances()
    own, other = masks(solution.positions())
    found = table.probe_batch(own, other)
    assert [array.dtype for array in found] == [np.int8, np.int16]
    np.testing.assert_array_equal(found[0], values)
    np.testing.assert_array_equal(found[1], distances)
    assert len(values) > 30_000


def masks(texts):
    """The balls of the player to move and of the other, uint32 each."""
    own, other = np.zeros(len(texts), np.uint32), np.zeros(len(texts), np.uint32)
    for row, text in enumerate(texts):
        levels, side = text.split(" ")[1:3]
        for cell, ball in enumerate(levels.replace("/", "")):
            if ball != ".":
                (own if ball == side else other)[row] |= 1 << cell
    return own, other


@pytest.mark.parametrize("text", GAMES)
def test_probes_turns_and_what_they_lead_to_agree(folder, text):
    table = load(text, path=folder)
    kinds = set()
    for state in some_states(text, range(12)):
        text_before = state.serialize()
        probe, turns = table.probe(state), table.turns(state)
        assert isinstance(probe, TableProbe)
        assert [turn.actions for turn in turns] == list(legal_turns(state))
        assert table.value_and_distance(state) == probe[:2]
        assert table.best_turns(state) == probe.best_turns
        kinds.add((probe.value, state.in_turn(), state.is_terminal()))
        for turn in turns:
            value, distance = for_side(table, side_of(state), after(state, turn.actions))
            assert (turn.value, turn.distance) == (value, None if distance is None else distance + 1)
        if turns:
            best = max(merit(turn.value, turn.distance) for turn in turns)
            assert merit(probe.value, probe.distance) == best
            assert probe.best_turns == [turn.actions for turn in turns if merit(turn.value, turn.distance) == best]
            assert max(turn.merit for turn in turns) == min(
                turn.merit for turn in turns if turn.actions in probe.best_turns
            )
        else:
            assert state.is_terminal()
            assert probe == (probe.value, 0, [])
        assert state.serialize() == text_before
    assert len(kinds) >= 4


def test_a_limit_of_turns_makes_no_difference(folder):
    limited = zg.load_game(f"{MINI[:-1]},max_turns=3)")
    table = load(limited, path=folder)
    state = after(limited.new_initial_state(), [0])
    plain = after(start_of(MINI), [0])
    assert table.probe(state) == load(MINI, path=folder).probe(plain)
    assert str(table.game) == MINI


def test_the_summary_counts_all_positions(folder):
    for text in GAMES:
        summary = load(text, path=folder).summary
        rows = summary["by_balls"]
        assert len(rows) == 15  # of 0 to 14 balls
        assert [sum(row[i] for row in rows) for i in range(3)] == [summary[k] for k in ("wins", "draws", "losses")]
        assert sum(summary[k] for k in ("wins", "draws", "losses")) == summary["positions"]
        passes = summary["passes"]
        assert sum(one["positions"] for one in passes if one["win"]) + rows[-1][0] == summary["wins"]
        assert sum(one["positions"] for one in passes if not one["win"]) + rows[-1][2] == summary["losses"]
    assert (summary["positions"], load(MINI, path=folder).summary["positions"]) == (105_053, 105_053)
    assert load(DRAWN, path=folder).summary["draws"] > 0


@pytest.mark.parametrize(("text", "mixed"), [(MINI, "LDLDLLLLL/DDD./. D - 0"), (DRAWN, "LDLLLLLDL/DDD./. D - 0")])
def test_without_distances(folder, tmp_path, text, mixed):
    whole, table = load(text, path=folder), load(text, path=folder, distances=False)
    assert (whole.has_distances, table.has_distances) == (True, False)
    known = []
    for state in [at(zg.load_game(text), mixed), *some_states(text, range(4))]:
        turns = table.turns(state)
        assert [turn[:2] for turn in turns] == [turn[:2] for turn in whole.turns(state)]
        for turn, far in zip(turns, whole.turns(state), strict=True):  # the last ball and the end need no table
            assert turn.distance in (None, far.distance)
        best = max((merit(turn.value, turn.distance or 900) for turn in turns), default=0)
        kept = [turn.actions for turn in turns if merit(turn.value, turn.distance or 900) == best]
        assert table.best_turns(state) == kept
        assert [turn.actions for turn in turns if turn.merit == max(turn.merit for turn in turns)] == kept
        assert table.probe(state).value == whole.probe(state).value
        known += [turn.distance for turn in turns]
    assert {None, 1} <= set(known)
    own, other = masks([start_of(text).serialize()])
    assert table.probe_batch(own, other)[1].tolist() == [-1]
    (tmp_path / "x.wdl").write_bytes(table.wdl_file.read_bytes())
    assert load(text, path=tmp_path / "x.wdl", distances=False).game == whole.game
    with pytest.raises(FileNotFoundError, match="say distances=False"):
        load(text, path=tmp_path / "x.wdl")


def test_tables_check_themselves(folder):
    table, calls = load(DRAWN, path=folder), []
    table.verify(lambda *amounts: calls.append(amounts))
    table.self_check(300, 5, 1, lambda *amounts: calls.append(amounts))
    table.verify()
    table.self_check(10)
    assert all(0 <= done <= total for done, total in calls)
    for call in (table.verify, lambda progress: table.self_check(10, progress=progress)):
        with pytest.raises(TypeError, match="progress is a function or None, not 5"):
            call(5)


def test_copies_and_pickles(folder):
    table = load(MINI, path=folder)
    assert copy.copy(table) is copy.deepcopy(table) is table
    for twin in (pickle.loads(pickle.dumps(table)), Tablebase(table.game, table.wdl_file, table.distances_file)):
        assert twin.probe(start_of(MINI)) == table.probe(start_of(MINI))
    bare = load(MINI, path=folder, distances=False)
    assert not pickle.loads(pickle.dumps(bare)).has_distances
    assert repr(table) == "<table of pylos(base=3): values and distances of 105053 positions>"
    assert repr(bare) == "<table of pylos(base=3): values of 105053 positions>"


# What is refused


def test_states_that_do_not_belong(folder):
    table = load(MINI, path=folder)
    for call in (table.probe, table.value_and_distance, table.best_turns, table.turns):
        for text in ("pylos", DRAWN, "blokus"):
            with pytest.raises(ValueError, match=re.escape(f"{MINI}")):
                call(start_of(text))
        for value in [*NOT_TEXTS, "pylos", zg.load_game(MINI), zg.reference.load_game(MINI).new_initial_state()]:
            with pytest.raises(TypeError, match="state is a state of a game of load_game, not"):
                call(value)


def test_batches_of_positions(folder):
    table = load(DRAWN, path=folder)
    states = [state for state in some_states(DRAWN) if not state.in_turn()]
    own, other = masks([state.serialize() for state in states])
    out = np.full(len(states), 9, np.int8), np.full(len(states), 9, np.int16)
    found = table.probe_batch(own, other, *out)
    assert all(a is b for a, b in zip(found, out, strict=True))
    wanted = [table.value_and_distance(state) for state in states]
    assert out[0].tolist() == [probe.value for probe in wanted]
    assert out[1].tolist() == [-1 if probe.distance is None else probe.distance for probe in wanted]
    assert [array.shape for array in table.probe_batch(own[:0], other[:0])] == [(0,), (0,)]


def test_ctrl_c_stops_a_batch(folder):
    table = load(MINI, path=folder)
    own, other = (np.resize(balls, 20_000_000) for balls in masks(solution_of(MINI).positions()))
    values = np.full(len(own), 9, np.int8)
    start = time.perf_counter()
    with ctrl_c(), pytest.raises(KeyboardInterrupt):
        table.probe_batch(own, other, values)
    took = time.perf_counter() - start
    assert took < 6, took  # all of it takes some 14 seconds
    assert (values == 9).all()


@pytest.mark.parametrize(
    ("own", "other"),
    [
        (1, 1),  # two balls in one cell
        (1 << 9, 0),  # a ball without supports
        (0, 1 << 14),  # a cell that the pyramid does not have
        (1 << 31, 0),
        (0xFF, 0),  # eight balls of one player
    ],
)
def test_positions_that_cannot_be(folder, own, other):
    table = load(MINI, path=folder)
    values = np.full(3, 7, np.int8)
    with pytest.raises(ValueError, match="row 1"):
        table.probe_batch(np.array([0, own, 1], np.uint32), np.array([0, other, 1], np.uint32), values)


def test_arrays_that_do_not_fit(folder):
    table, fine = load(MINI, path=folder), np.zeros(3, np.uint32)
    bad = [np.zeros(2, np.uint32), np.zeros((3, 1), np.uint32), np.zeros(3, np.float64), "abc", None]
    bad += [np.zeros(3, np.int8), np.zeros(3, np.uint64)]
    for array in bad:
        for own, other in [(array, fine), (fine, array)]:
            with pytest.raises((ValueError, TypeError)):
                table.probe_batch(own, other)
    for out in (
        np.zeros(2, np.int8),
        np.zeros(3, np.int16),
        np.zeros((3, 1), np.int8),
        [0, 0, 0],
        np.zeros(6, np.int8)[::2],
    ):
        with pytest.raises((ValueError, TypeError)):
            table.probe_batch(fine, fine, out)
        with pytest.raises((ValueError, TypeError)):
            table.probe_batch(fine, fine, None, out.view(np.uint8) if isinstance(out, np.ndarray) else out)
    locked_out = np.zeros(3, np.int8)
    locked_out.flags.writeable = False
    with pytest.raises((ValueError, TypeError)):
        table.probe_batch(fine, fine, locked_out)


def test_arguments_of_load(folder):
    for value in NOT_TEXTS:
        with pytest.raises(TypeError, match="game is a name or what load_game returns"):
            load(value)
    for value in [5, b"x", [], object()]:
        with pytest.raises(TypeError, match="path is a path"):
            load(MINI, path=value)
    with pytest.raises(TypeError, match="distances is True or False, not 1"):
        load(MINI, path=folder, distances=1)
    with pytest.raises(TypeError, match="a preset and options go with a game's name"):
        load(zg.load_game(MINI), "mini")
    with pytest.raises(TypeError, match="a preset and options go with a game's name"):
        load(zg.load_game(MINI), base=3)
    with pytest.raises(ValueError, match="unknown option 'bass'"):
        load("pylos", bass=3)
    for value in (5, None, b"x"):
        with pytest.raises(TypeError, match="wdl is a path"):
            Tablebase(zg.load_game(MINI), value)


# Finding tables


def test_tables_are_found_by_game(folder, monkeypatch):
    names = [table_files(zg.load_game(text), folder).wdl.name for text in ("pylos", MINI, DRAWN)]
    assert names == ["pylos.wdl", "pylos_base=3.wdl", "pylos_base=3_patterns=lines_no_move=passes.wdl"]
    monkeypatch.setenv("ZIGGURAT_CACHE", str(folder))
    places = [None, folder, str(folder), folder / names[1], folder / "pylos_base=3.distances"]
    for path in places:
        for table in (load(MINI, path=path), load("pylos", "mini", path), load("pylos", base=3, path=path)):
            assert (str(table.game), table.wdl_file) == (MINI, folder / names[1])
    assert load(zg.load_game(DRAWN)).game == zg.load_game(DRAWN)


def test_what_to_do_where_there_is_no_table(folder, tmp_path):
    with pytest.raises(FileNotFoundError, match="run `ziggurat solve pylos` first") as caught:
        load(path=folder)
    assert caught.value.filename == str(folder / "pylos.wdl")
    command = "ziggurat solve pylos --option base=3 --option removal=mandatory"
    assert command_of(zg.load_game("pylos", "mini", removal="mandatory", max_turns=7)) == command
    for path in (None, tmp_path / "nowhere", tmp_path):
        with pytest.raises(FileNotFoundError, match=f"run `{command}` first"):
            load("pylos", "mini", path, removal="mandatory")


def test_a_table_of_another_game_is_refused(folder, tmp_path):
    for kind in ("wdl", "distances"):
        (tmp_path / f"pylos.{kind}").write_bytes((folder / f"pylos_base=3.{kind}").read_bytes())
    for path in (folder / "pylos_base=3.wdl", tmp_path):
        with pytest.raises(ParseError, match=r"not of pylos\(\); `ziggurat solve pylos --anew` makes a new table"):
            load(path=path)
    with pytest.raises(ParseError, match=re.escape("not of pylos(base=3,removal=mandatory)")):
        load("pylos", "mini", folder / "pylos_base=3.wdl", removal="mandatory")
    other = tmp_path / "mixed.wdl"
    other.write_bytes((folder / "pylos_base=3.wdl").read_bytes())
    other.with_suffix(".distances").write_bytes(table_files(zg.load_game(DRAWN), folder).distances.read_bytes())
    with pytest.raises(ParseError):
        load(MINI, path=other)


def test_the_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    for name in ("ZIGGURAT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder().is_relative_to(tmp_path)
    assert cache_folder().name == "ziggurat"
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    with pytest.raises(ImportError, match=re.escape('pip install "ziggurat[solver]"')):
        load(MINI)


# Damaged files


def test_files_that_are_no_tables(folder, tmp_path):
    wdl, distances = folder / "pylos_base=3.wdl", folder / "pylos_base=3.distances"
    game = zg.load_game(MINI)
    for number, data in enumerate([b"", b"Z", b"ZG" * 5000, os.urandom(4096), b"\0" * 100_000]):
        path = tmp_path / f"{number}.wdl"
        path.write_bytes(data)
        with pytest.raises(ParseError, match=re.escape(str(path))):
            Tablebase(game, path)
        with pytest.raises(ParseError, match=re.escape(str(path))):
            Tablebase(game, wdl, path)
    for pair in ((distances,), (distances, wdl), (wdl, wdl), (distances, distances)):
        with pytest.raises(ParseError):
            Tablebase(game, *pair)
    with pytest.raises(IsADirectoryError):
        Tablebase(game, tmp_path)
    with pytest.raises(FileNotFoundError):
        Tablebase(game, wdl, tmp_path / "nowhere")


@pytest.mark.parametrize("kind", ["wdl", "distances"])
def test_truncated_files(folder, tmp_path, kind):
    whole = contents(folder)
    paths = {name: tmp_path / f"x.{name}" for name in ("wdl", "distances")}
    for name, path in paths.items():
        path.write_bytes(whole[f"pylos_base=3.{name}"])
    data = whole[f"pylos_base=3.{kind}"]
    lengths = [*range(0, 600, 37), len(data) // 3, len(data) - 8, len(data) - 1]
    for changed in [*(data[:length] for length in lengths), data + b"\0"]:
        paths[kind].write_bytes(changed)
        with pytest.raises(ParseError, match=re.escape(str(paths[kind]))):
            Tablebase(zg.load_game(MINI), paths["wdl"], paths["distances"])


@pytest.mark.parametrize("kind", ["wdl", "distances"])
def test_a_flipped_bit_is_never_a_wrong_answer(folder, tmp_path, kind):
    own, other = masks(solution_of(DRAWN).positions()[::7])
    good = load(DRAWN, path=folder)
    wanted = good.probe_batch(own, other)
    files = {"wdl": good.wdl_file, "distances": good.distances_file}
    paths = {name: tmp_path / f"x.{name}" for name in files}
    for name, path in paths.items():
        path.write_bytes(files[name].read_bytes())
    data = bytearray(paths[kind].read_bytes())
    rng, refused = random.Random(kind), 0
    for place in [*range(0, 480, 23), *(rng.randrange(len(data)) for _ in range(60))]:
        data[place] ^= 1 << rng.randrange(8)
        paths[kind].write_bytes(data)
        try:
            table = Tablebase(good.game, paths["wdl"], paths["distances"])
            table.verify()
        except ValueError:
            refused += 1
        try:
            found = Tablebase(good.game, paths["wdl"], paths["distances"]).probe_batch(own, other)
        except ValueError:
            pass
        else:
            np.testing.assert_array_equal(found[0], wanted[0])
            np.testing.assert_array_equal(found[1], wanted[1])
        data = bytearray(files[kind].read_bytes())
    assert refused >= 70  # bytes that fill gaps mean nothing


# Building


def test_a_build_tells_how_far_it_is(tmp_path):
    told = []
    table = build(DRAWN, tmp_path, threads=1, listener=told.append)
    phases = [one.phase for one in told]
    assert sorted(set(phases), key=phases.index) == ["solve", "save", "verify", "check"]
    assert phases == sorted(phases, key=["solve", "save", "verify", "check"].index)
    for before, one in pairwise(told):
        assert before.number <= one.number or (before.phase, one.phase) == ("solve", "save")
        assert before.decided <= one.decided <= one.positions == table.summary["positions"]
        assert before.seconds <= one.seconds
        assert one.rate >= 0
        assert one.remaining is None or 0 <= one.remaining < 3600
        assert one.done >= 0
    assert told[0].remaining is None
    assert len(table.summary["passes"]) <= told[-1].number == max(one.number for one in told) - 1
    full = table.summary["by_balls"][-1]  # nothing is to be found out about full pyramids
    assert told[-1].decided == table.summary["wins"] + table.summary["losses"] - full[0] - full[2]
    assert sorted(contents(tmp_path)) == [table.wdl_file.name.replace("wdl", "distances"), table.wdl_file.name]


def test_names_and_games_are_built_alike(folder, tmp_path):
    build(zg.load_game(f"{MINI[:-1]},max_turns=9)"), tmp_path, threads=1)
    made = contents(tmp_path)
    assert made == {name: data for name, data in contents(folder).items() if name in made}
    assert len(made) == 2


BUILD = """
import os, signal, sys
from ziggurat.solver import build
left = int(sys.argv[2])
def kill(at):
    global left
    left -= at.phase == sys.argv[3]
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
build("pylos(base=3)", sys.argv[1], 1, listener=kill)
"""


@pytest.mark.parametrize(("count", "phase"), [(1, "solve"), (7, "solve"), (1, "save"), (1, "verify"), (1, "check")])
def test_a_killed_build_goes_on(folder, tmp_path, count, phase):
    done = subprocess.run([sys.executable, "-c", BUILD, tmp_path, str(count), phase], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    left = contents(tmp_path)
    assert "pylos_base=3.work" in left
    assert not {"pylos_base=3.wdl", "pylos_base=3.distances"} & set(left)
    told = []
    build(MINI, tmp_path, threads=1, listener=told.append)
    assert [one.phase for one in told[:1]] == ["resume" if (count, phase) != (1, "solve") else "solve"]
    assert count < 7 or 1 < told[0].number <= 7  # passes were complete
    numbers = [one.number for one in told if one.phase in ("resume", "solve")]
    assert numbers == sorted(numbers)
    made = contents(tmp_path)
    assert sorted(made) == ["pylos_base=3.distances", "pylos_base=3.wdl"]
    assert made == {name: data for name, data in contents(folder).items() if name in made}


def stop_in(phase, count=1):
    """A listener that stops a build the first (or a later) time that it tells of a phase."""

    def listen(at):
        nonlocal count
        count -= at.phase == phase
        if at.phase == phase and count <= 0:
            raise StopBuildError

    return listen


@pytest.mark.parametrize("phase", ["solve", "save", "verify", "check"])
def test_a_stopped_build_leaves_the_old_table(folder, tmp_path, phase):
    old = {"pylos_base=3.wdl": b"old", "pylos_base=3.distances": b"older"}
    for name, data in old.items():
        (tmp_path / name).write_bytes(data)
    with pytest.raises(StopBuildError):
        build(MINI, tmp_path, 1, listener=stop_in(phase))
    left = contents(tmp_path)
    left.pop("pylos_base=3.work")
    assert left == old
    assert build(MINI, tmp_path, 1).probe(start_of(MINI)) == load(MINI, path=folder).probe(start_of(MINI))


def test_beginning_again(tmp_path):
    with pytest.raises(StopBuildError):
        build(MINI, tmp_path, 1, listener=stop_in("save"))
    numbers = []
    build(MINI, tmp_path, 1, resume=False, listener=lambda at: numbers.append(at.number))
    assert numbers[0] == 1


def test_damaged_work_is_refused(tmp_path):
    work = tmp_path / "pylos_base=3.work"
    for damage in (lambda data: data[: len(data) // 2], lambda data: b"x" + data[1:], os.urandom):
        with pytest.raises(StopBuildError):
            build(MINI, tmp_path, 1, resume=False, listener=stop_in("save"))
        work.write_bytes(damage(work.read_bytes()) if damage is not os.urandom else os.urandom(5000))
        with pytest.raises(ValueError, match=re.escape("resume=False (`--anew`) begins again")):
            build(MINI, tmp_path, 1)
        assert list(contents(tmp_path)) == [work.name]
    build(MINI, tmp_path, 1, resume=False)
    assert not work.exists()


@pytest.mark.parametrize("data", [b"", bytes(100_000)], ids=["empty", "zeros"])
def test_work_that_was_stopped_before_it_began(folder, tmp_path, data):
    work = tmp_path / "pylos_base=3.work"
    work.write_bytes(data)
    assert build(MINI, tmp_path, 1).summary == load(MINI, path=folder).summary
    assert not work.exists()


def test_work_of_another_game_is_refused(tmp_path):
    with pytest.raises(StopBuildError):
        build(DRAWN, tmp_path, 1, listener=stop_in("save"))
    table_files(zg.load_game(DRAWN), tmp_path).work.rename(tmp_path / "pylos_base=3.work")
    with pytest.raises(ValueError, match="begins again"):
        build(MINI, tmp_path, 1)


def test_what_a_listener_raises_is_not_taken_for_damage(tmp_path):
    def listen(at):
        raise ValueError("of mine")

    with pytest.raises(ValueError, match=r"^of mine$"):
        build(MINI, tmp_path, 1, listener=listen)


def test_a_table_is_read_back_before_it_counts(monkeypatch, tmp_path):
    def spoil(at):
        if at.phase == "verify":
            part = tmp_path / "pylos_base=3.distances.part"
            data = bytearray(part.read_bytes())
            data[-100] ^= 1
            with part.open("r+b") as file:
                file.write(data)

    monkeypatch.setattr(Tablebase, "self_check", lambda *args: {})
    with pytest.raises(ValueError, match="damaged"):
        build(MINI, tmp_path, 1, listener=spoil)
    assert list(contents(tmp_path)) == ["pylos_base=3.work"]


def test_distances_are_replaced_first(monkeypatch, tmp_path):
    renamed, rename = [], Path.replace

    def replace(path, target):
        renamed.append(Path(target).name)
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    build(MINI, tmp_path, 1)
    assert renamed == ["pylos_base=3.distances", "pylos_base=3.wdl"]  # what is looked for comes last


def test_room_for_what_is_still_to_be_written(monkeypatch, tmp_path):
    need = _native.solver_needs(zg.load_game(MINI))["disk"]
    usage = solver_files.shutil.disk_usage(tmp_path)
    free = need + need // 2 - 1
    monkeypatch.setattr(solver_files.shutil, "disk_usage", lambda path: usage._replace(free=free))
    with pytest.raises(OSError, match="are free there"):
        build(MINI, tmp_path, 1)
    free += 1
    with pytest.raises(StopBuildError):
        build(MINI, tmp_path, 1, listener=stop_in("save"))
    free = need // 2  # the work file has its place
    build(MINI, tmp_path, 1)


def test_two_builds_of_one_table(tmp_path):
    files = table_files(zg.load_game(MINI), tmp_path)
    with locked(files), pytest.raises(BlockingIOError, match="another process is solving this game here"):
        build(MINI, tmp_path, 1)
    assert contents(tmp_path) == {}
    with locked(files):
        build(DRAWN, tmp_path, 1)  # another game
    with pytest.raises(StopBuildError):
        build(MINI, tmp_path, 1, listener=stop_in("solve", 3))
    with locked(files):
        assert files.lock.exists()
    assert not files.lock.exists()


def test_no_room(monkeypatch, tmp_path):
    target = tmp_path / "a" / "b"
    with pytest.raises(MemoryError, match=r"to solve pylos\(\) takes [\d.,]+ GB of memory, and 1.00 GB may be used"):
        build("pylos", target, memory_gb=1)
    with pytest.raises(MemoryError, match=r"and 0.00 MB may be used"):
        build(MINI, target, memory_gb=1e-9)
    monkeypatch.setattr(solver_files, "memory_sizes", lambda: (10**12, 1000))
    with pytest.raises(MemoryError, match=r"and 0.00 MB are free"):
        build(MINI, target)
    monkeypatch.setattr(solver_files, "memory_sizes", lambda: (2000, 1000))
    with pytest.raises(MemoryError, match=r"and 0.00 MB are in this machine"):
        build(MINI, target, memory_gb=50)
    monkeypatch.undo()
    usage = solver_files.shutil.disk_usage(tmp_path)
    monkeypatch.setattr(solver_files.shutil, "disk_usage", lambda path: usage._replace(free=1000))
    with pytest.raises(OSError, match=r"to solve pylos\(base=3\) takes [\d.]+ MB of disk, and 0.00 MB are free there"):
        build(MINI, target)
    assert not target.parent.exists()


LIMITED = """
import resource, sys
from ziggurat.solver import build
try:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
    build("pylos(base=3)", sys.argv[1], 1)
except OSError as error:
    print(error.errno, error.strerror, sep="|")
"""


def test_files_that_cannot_be_written(tmp_path):
    command = [sys.executable, "-c", LIMITED, str(tmp_path), "1000"]
    for left in ([], ["pylos_base=3.work"]):  # no room for the work file, and for tables alone
        if left:
            with pytest.raises(StopBuildError):
                build(MINI, tmp_path, 1, listener=stop_in("save"))
        done = subprocess.run(command, check=True, timeout=60, capture_output=True, text=True)
        assert done.stdout == f"{errno.EFBIG}|File too large\n"
        assert list(contents(tmp_path)) == left
    blocked = tmp_path / "file"
    blocked.write_text("x")
    for path in (blocked, blocked / "below"):
        with pytest.raises(OSError):
            build(MINI, path, 1)


def test_arguments_of_build(tmp_path):
    with pytest.raises(ValueError, match="blokus"):
        build("blokus", tmp_path)
    for value in [*NOT_TEXTS, zg.reference.load_game(MINI)]:
        with pytest.raises(TypeError, match="game is a name or what load_game returns"):
            build(value, tmp_path)
    for argument, values in {"threads": NOT_NUMBERS, "memory_gb": ["1", b"1", [], True, 1j]}.items():
        for value in values:
            with pytest.raises(TypeError, match=argument):
                build(MINI, tmp_path, **{argument: value})
    for argument, values in {"threads": [-1, 1025, 10**30], "memory_gb": [0, -1, math.nan, math.inf]}.items():
        for value in values:
            with pytest.raises(ValueError, match=argument):
                build(MINI, tmp_path, **{argument: value})
    for argument, value in {"resume": 1, "listener": "x", "folder": 5}.items():
        with pytest.raises(TypeError, match=argument):
            build(MINI, **({"folder": tmp_path} | {argument: value}))
    assert contents(tmp_path) == {}


def test_memory_that_a_container_may_use(monkeypatch, tmp_path):
    monkeypatch.setattr(solver_files, "CGROUPS", tmp_path / "none")
    total, free = memory_sizes()
    assert 0 < free <= total
    monkeypatch.setattr(solver_files, "CGROUPS", tmp_path)
    stat = "anon 5\nactive_file 2000\ninactive_file 1000\n"
    for name, text in {"memory.max": "50000\n", "memory.current": "43000\n", "memory.stat": stat}.items():
        (tmp_path / name).write_text(text)
    assert memory_sizes() == (50_000, 10_000)
    (tmp_path / "memory.max").write_text("max\n")
    assert memory_sizes()[0] == total


# Forecasts


def test_a_forecast_of_passes_that_shrink_geometrically():
    forecast = Forecast(255)
    sizes, costs = [8**k for k in range(9, -1, -1)], [2.0 * 0.5**k for k in range(10)]
    for number, (size, cost) in enumerate(zip(sizes, costs, strict=True)):
        forecast.add(size // 2, cost / 2)
        forecast.add(size - size // 2, cost / 2)
        left = forecast.remaining(1, 2, 0.25)
        if number < 3:
            assert left is None  # too few passes to tell
        else:
            assert left is not None
            assert sum(costs[number + 1 :]) <= left - 0.25 <= sum(costs[number + 1 :]) + costs[number]


def test_what_nobody_can_forecast():
    forecast = Forecast(255)
    assert forecast.remaining(1, 2, 5.0) is None
    for size in (10, 20, 40, 80, 160, 320, 640, 1280):
        forecast.add(size, 1.0)
        assert forecast.remaining(1, 2, 5.0) is None  # still growing
    for size in (1000, 900, 700, 500, 300, 200, 90, 40):
        forecast.add(size, 1.0)
    assert forecast.remaining(0, 0, 0.0) is None
    assert forecast.remaining(1, 2, 0.5) > 1
    level = Forecast(255)
    for _ in range(12):
        level.add(100, 1.0)
    assert level.remaining(1, 2, 0.5) is None
    resumed = Forecast(255)
    for size in (1000, 900, 700, 500, 300, 200, 90, 40):
        resumed.add(size)
    assert resumed.remaining(1, 2, 0.5) is None  # nobody knows what passes cost here
    nearly_full = Forecast(20)
    for k in range(18):
        nearly_full.add(1_000_000 - 1000 * k, 1.0)
    assert nearly_full.remaining(1, 2, 1.0) == pytest.approx(1 + 2)  # one pair at most, and what is left of this pass


# The perfect player


def saving_replies(table, state, turn):
    """The replies that keep what the opponent has, and those of them that are best by distance."""
    child = after(state, turn)
    if child.is_terminal() or child.current_player() == state.current_player():
        return 0, 0
    replies = table.turns(child)
    best = max(merit(reply.value, reply.distance) for reply in replies)
    exact = [reply for reply in replies if merit(reply.value, reply.distance) == best]
    kept = [reply for reply in replies if reply.value == exact[0].value]
    return len(exact if exact[0].value < 0 else kept), len(exact)


def test_the_perfect_player_asks_most_of_the_other(folder):
    values, choices = set(), 0
    for text in GAMES[:2]:
        table = load(text, path=folder)
        bot = PerfectBot(3, table=table)
        for state in some_states(text):
            if state.is_terminal():
                continue
            probe, turn = table.probe(state), bot.choose_turn(state)
            counts = [saving_replies(table, state, best) for best in probe.best_turns]
            assert turn in probe.best_turns
            assert counts[probe.best_turns.index(turn)] == min(counts)
            values.add(probe.value)
            choices += len(set(counts)) > 1
    assert values == {-1, 0, 1}
    assert choices > 10


def test_an_opponent_who_is_skipped_has_no_reply(folder):
    table = load(DRAWN, path=folder)
    state = at(zg.load_game(DRAWN), "LDLLLLLDD/.L../. D - 0")
    assert {state.turn_to_string(turn) for turn in table.best_turns(state)} > {"1c3>2a1", "1c3>2a2", "2b2"}
    chosen = {state.turn_to_string(PerfectBot(seed, table=table).choose_turn(state)) for seed in range(20)}
    assert chosen == {"1c3>2a1", "1c3>2a2"}


@pytest.mark.parametrize("text", GAMES[:2])
def test_the_perfect_player_keeps_what_it_has(folder, monkeypatch, text):
    monkeypatch.setenv("ZIGGURAT_CACHE", str(folder))
    table = load(text, path=folder)
    for seed in range(6):
        rival = [RandomBot(seed), GreedyBot(seed), PerfectBot(seed, 1)][seed % 3]
        bots = [make_bot("perfect", seed), rival][:: 1 if seed < 3 else -1]
        me = 0 if seed < 3 else 1
        state = list(walk(zg.load_game(text), seed, 3 + 2 * seed))[-1]
        value, distance = for_side(table, "LD"[me], state)
        for _ in range(60):
            if state.is_terminal():
                break
            state = after(state, bots[state.current_player()].choose_turn(state))
            later, left = for_side(table, "LD"[me], state)
            assert later >= value
            if later == value == 1:
                assert left < distance
            value, distance = later, left
        assert value != 1 or state.winners() == [me]


def test_choices_of_the_perfect_player_follow_from_the_seed(folder):
    table = load(DRAWN, path=folder)
    states = [state for state in some_states(DRAWN) if not state.is_terminal()]

    def turns(*words):
        bot = PerfectBot(*words, table=table)
        return [bot.choose_turn(state) for state in states]

    assert turns(1) == turns(1)
    assert turns(1) != turns(2)
    assert turns(1) != turns(1, 1)
    bot = PerfectBot(1, table=table)
    twin = copy.deepcopy(bot)
    assert [bot.choose_turn(state) for state in states] == [twin.choose_turn(state) for state in states]


def test_the_perfect_player_looks_for_tables(folder, monkeypatch, tmp_path):
    bot = make_bot("perfect", 4)
    with pytest.raises(FileNotFoundError, match="run `ziggurat solve pylos` first"):
        bot.choose_turn(start_of("pylos"))
    monkeypatch.setenv("ZIGGURAT_CACHE", str(folder))
    assert bot.choose_turn(start_of(MINI)) in load(MINI).best_turns(start_of(MINI))
    monkeypatch.setenv("ZIGGURAT_CACHE", str(tmp_path / "new"))
    with pytest.raises(FileNotFoundError):
        bot.choose_turn(start_of(MINI))
    build(MINI, threads=1)
    assert bot.choose_turn(start_of(MINI))
    (tmp_path / "new" / "pylos_base=3.wdl").write_bytes(b"damaged since")
    with pytest.raises(ParseError):
        bot.choose_turn(start_of(MINI))


def test_what_the_perfect_player_refuses(folder):
    table = load(MINI, path=folder)
    over = next(state for state in some_states(MINI) if state.is_terminal())
    with pytest.raises(ValueError, match="the game is over"):
        PerfectBot(table=table).choose_turn(over)
    with pytest.raises(ValueError, match=re.escape(MINI)):
        PerfectBot(table=table).choose_turn(start_of("pylos"))
    for value in (5, "pylos", folder):
        with pytest.raises(TypeError, match=r"table is what ziggurat.solver.load returns, or None"):
            PerfectBot(table=value)
    for words, error in (((-1,), ValueError), ((0, 2**64), ValueError), (("x",), TypeError)):
        with pytest.raises(error):
            PerfectBot(*words)
        with pytest.raises(error):
            make_bot("perfect", *words)


def test_states_are_packed_for_batches(folder):
    table = load(MINI, path=folder)
    between = [state for state in some_states(MINI) if not inside(state)]
    own, other = table.pack(between)
    assert own.dtype == other.dtype == np.uint32
    np.testing.assert_array_equal([own, other], masks([state.serialize() for state in between]))
    for threads in (1, 2):
        values, distances = table.probe_batch(own, other, threads=threads)
        told = [table.value_and_distance(state) for state in between]
        assert values.tolist() == [probe.value for probe in told]
        assert distances.tolist() == [-1 if probe.distance is None else probe.distance for probe in told]
    with pytest.raises(ValueError, match="between turns"):
        table.pack([*between, zg.load_game(MINI).deserialize(f"{MINI} LL.LL..../..../. L 1a1 6")])
    with pytest.raises(ValueError, match="is wanted, not of"):
        table.pack([start_of("pylos")])
    with pytest.raises(TypeError):
        table.pack([1])


def inside(state):
    """Whether a state lies between the actions of one turn."""
    return state.serialize().split(" ")[3] != "-"


@pytest.mark.parametrize("text", GAMES)
def test_an_unpacked_table_says_the_same(folder, text):
    table, unpacked = load(text, path=folder), load(text, path=folder)
    unpacked.unpack(threads=2)
    own, other = masks(solution_of(text).positions())
    for mine, his in zip(table.probe_batch(own, other), unpacked.probe_batch(own, other, threads=2), strict=True):
        np.testing.assert_array_equal(mine, his)


def test_an_excerpt_holds_positions_with_few_balls(folder, tmp_path):
    table = load(DRAWN, path=folder)
    table.excerpt(6, tmp_path / "few.wdl", tmp_path / "few.distances")
    few = load(DRAWN, path=tmp_path / "few.wdl")
    few.verify()
    assert few.summary == table.summary
    own, other = masks(solution_of(DRAWN).positions())
    small = np.array([(int(mine) | int(his)).bit_count() <= 6 for mine, his in zip(own, other, strict=True)])
    for mine, his in zip(
        table.probe_batch(own[small], other[small]), few.probe_batch(own[small], other[small]), strict=True
    ):
        np.testing.assert_array_equal(mine, his)
    with pytest.raises(ValueError, match="at most 6 balls on the board, not 7"):
        few.probe_batch(np.array([0b1111], np.uint32), np.array([0b1110000], np.uint32))
    with pytest.raises(ValueError, match="from 0 to 12, not 13"):
        table.excerpt(13, tmp_path / "a", tmp_path / "b")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("path", ["x.wdl\0junk", "\udcff.wdl"])
def test_paths_that_no_file_can_have(folder, path):
    with pytest.raises(ValueError, match="valid Unicode without NUL"):
        load(MINI, path=path)
    with pytest.raises(ValueError, match="valid Unicode without NUL"):
        build(MINI, folder=path)
