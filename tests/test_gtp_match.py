"""The referee: whole matches of real processes, and engines that do what they must not."""

import json
import os
import shlex
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import ziggurat as zg
from ziggurat.bots import BOTS, SOLVERS
from ziggurat.cli import main
from ziggurat.cli.gtp import BotName
from ziggurat.formats import Record, blksgf
from ziggurat.gtp import match, play_match
from ziggurat.gtp.engine import Engine, EngineError
from ziggurat.gtp.match import standings

OURS = f"{shlex.quote(sys.executable)} -m ziggurat gtp --bot random"

#: an engine that is sound but for one thing, named by its first argument
ODD = """
import sys, time
from ziggurat.gtp import Session
kind, session, moves = sys.argv[1], Session(), 0
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
if kind == "mute":
    time.sleep(60)
if kind == "deaf":
    sys.exit(3)
for line in sys.stdin:
    number, command, *words = line.split()
    if kind == "plain" and command in ("set_game", "set_random_seed"):
        say(f"?{number} unknown command\\n\\n")
    elif kind == "plain" and command == "known_command" and words[0].startswith("set_"):
        say(f"={number} false\\n\\n")
    elif kind == "dawdler" and command == "play":
        time.sleep(60)
    elif kind == "stubborn" and command == "play":
        say(f"?{number} no\\n\\n")
    elif kind == "picky" and command == "set_game" and words[0] == "Blokus":
        say(f"?{number} never heard of it\\n\\n")
    elif command == "genmove" and (moves := moves + 1) == 2:
        if kind == "illegal":
            say(f"={number} a1,a2\\n\\n")
        elif kind == "nonsense":
            say(f"={number} \\u00e9\\x01 42\\n\\n")
        elif kind == "crash":
            sys.exit(1)
        elif kind == "silence":
            time.sleep(60)
        elif kind == "garbage":
            say("Traceback (most recent call last):\\n")
        elif kind == "number":
            say("=1 a1\\n\\n")
        elif kind == "half":
            say(f"={number} e10\\n")
            time.sleep(60)
        elif kind == "blank":
            while True:
                say("\\n" * 100)
        elif kind == "flood":
            say("=" + "x" * (2 << 20))
        elif kind == "resign":
            say(f"={number} RESIGN\\r\\n\\r\\n")
        else:
            say(session.answer(line))
    else:
        say(session.answer(line))
"""


@pytest.fixture
def odd(tmp_path):
    """The command of an odd engine."""
    path = tmp_path / "odd engine.py"
    path.write_text(ODD, encoding="utf-8")
    return lambda kind: shlex.join([sys.executable, str(path), kind])


@pytest.mark.parametrize("text", ["blokus/mini", "pylos/mini", "blox(max_turns=30)", "numberplace_city"])
def test_our_engine_plays_itself_to_the_end(text):
    name, _, preset = text.partition("/")
    game = zg.load_game(name, preset or None)
    reports = list(play_match(game, [OURS, f"{OURS} --seed 4"], 2, seed=3))
    assert [report.outcome for report in reports] == ["end", "end"]
    players = game.num_players()
    assert [report.seats for report in reports] == [tuple((p + g) % 2 for p in range(players)) for g in range(2)]
    assert reports[0].seed != reports[1].seed
    for report in reports:
        state = Record.from_json(report.record).replay()
        assert state.is_terminal()
        assert tuple(state.scores()) == report.scores
        assert tuple(state.returns()) == report.returns
        assert state.get_game() == game
    rows = standings(["a", "b"], reports)
    assert sum(row["wins"] for row in rows) == pytest.approx(sum(1 for report in reports if any(report.returns)))
    assert all(row["faults"] == {} for row in rows)


@pytest.mark.parametrize(
    ("kind", "outcome", "words"),
    [
        ("illegal", "illegal", "'a1,a2' of b: action"),
        ("nonsense", "illegal", "42"),
        ("crash", "crash", "has ended"),
        ("silence", "timeout", "no answer to 'genmove b' in time"),
        ("half", "timeout", "no answer"),
        ("blank", "timeout", "no answer"),
        ("garbage", "garbage", "Traceback"),
        ("number", "garbage", "under the number '1'"),
        ("flood", "garbage", "xxx"),
        ("resign", "resign", "has resigned"),
        ("stubborn", "refused", "'play w "),
    ],
)
def test_an_engine_that_misbehaves_loses(odd, kind, outcome, words):
    game, start = zg.load_game("blokus", "duo"), time.monotonic()
    [report] = play_match(game, [odd(kind), OURS], time=2.0, startup=30)
    assert (report.outcome, report.offender, report.seats, report.returns) == (outcome, 0, (0, 1), (-1, 1))
    assert words in report.message
    blksgf.validate(blksgf.loads(report.record))
    assert report.turns == report.record.count(";") - 1
    assert time.monotonic() - start < 30


@pytest.mark.parametrize(("kind", "outcome"), [("crash", "crash"), ("illegal", "illegal")])
def test_after_a_fault_the_match_goes_on(odd, kind, outcome, monkeypatch):
    """The process is ended; in the next game, where it has the other seat, a new one does the same."""
    started = []
    monkeypatch.setattr(match, "Engine", lambda *words: started.append(Engine(*words)) or started[-1])
    matches = play_match(zg.load_game("blokus", "duo"), [odd(kind), OURS], 2)
    reports = [next(matches)]
    assert [engine.process.poll() is None for engine in started] == [False, True]
    reports += matches
    assert [engine.process.poll() is None for engine in started] == [False] * 3
    assert [(report.outcome, report.offender) for report in reports] == [(outcome, 0)] * 2
    assert [report.returns for report in reports] == [(-1, 1), (1, -1)]
    assert [report.seats for report in reports] == [(0, 1), (1, 0)]
    first, second = standings(["odd", "ours"], reports)
    assert (first["wins"], second["wins"], first["faults"], second["faults"]) == (0, 2, {outcome: 2}, {})


@pytest.mark.parametrize(("kind", "outcome"), [("mute", "timeout"), ("deaf", "crash")])
def test_an_engine_that_never_speaks(odd, kind, outcome):
    [report] = play_match(zg.load_game("pylos"), [odd(kind), odd(kind)], 1, startup=1.0)
    assert (report.outcome, report.offender, report.turns, report.returns) == (outcome, 0, 0, (-1, 1))


@pytest.mark.parametrize("kind", ["plain", "picky"])
def test_engines_that_know_less(odd, kind):
    """`plain` knows neither set_game nor set_random_seed, `picky` only our names of games."""
    game = zg.load_game("blokus", "classic" if kind == "plain" else "junior")
    [report] = play_match(game, [odd(kind), OURS], 1)
    assert (report.outcome, report.offender) == ("end", None)


def test_one_engine_plays_itself_and_at_fault_nobody_wins(odd):
    [report] = play_match(zg.load_game("blokus", "duo"), [odd("illegal")], 1)
    assert (report.outcome, report.offender, report.returns) == ("illegal", 0, (0, 0))
    [report] = play_match(zg.load_game("blokus", "classic-3"), [odd("crash"), OURS], 1)
    assert (report.seats, report.returns) == ((0, 1, 0), (-0.5, 1, -0.5))


def test_what_is_no_match(tmp_path):
    game = zg.load_game("pylos")
    for commands, settings in [
        ([], {}),
        ([OURS] * 3, {}),
        ([OURS], {"time": 0}),
        ([OURS], {"time": float("inf")}),
        ([OURS], {"startup": float("nan")}),
    ]:
        with pytest.raises(ValueError, match="not"):
            next(play_match(game, commands, 1, **settings))
    with pytest.raises(OSError, match="nothing-here"):
        next(play_match(game, [str(tmp_path / "nothing-here")]))
    with pytest.raises(ValueError, match="not empty"):
        next(play_match(game, [" "]))


def test_processes_are_ended(odd):
    engine = Engine(OURS)
    assert engine.knows("genmove", 30)
    engine.close()
    assert engine.process.returncode == 0
    sleeping = Engine(odd("mute"))
    with pytest.raises(EngineError, match="no answer"):
        sleeping.ask("name", 0.2)
    sleeping.kill()
    assert sleeping.process.returncode is not None
    matches = play_match(zg.load_game("pylos", "mini"), [OURS], 5)
    next(matches)
    engines = list(matches.gi_frame.f_locals["referee"].engines.values())
    matches.close()
    assert [engine.process.poll() is not None for engine in engines] == [True]


#: starts a helper that would outlive it, and writes the helper's number into the file of the first argument
PARENT = """
import subprocess, sys
file, kind = sys.argv[1:]
pipes = {} if kind == "crash, heard" else {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], **pipes)
open(file, "w").write(str(helper.pid))
for line in sys.stdin:
    number, command, *_ = line.split()
    if command == "name" and kind.startswith("crash"):
        sys.exit(1)
    if number == "quit":
        break
    sys.stdout.write(f"={number} ziggurat\\n\\n")
    sys.stdout.flush()
"""


def is_running(number):
    """Does the process run? One that has ended and waits for its parent does not."""
    try:
        os.kill(number, 0)
        status = Path(f"/proc/{number}/stat")
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def ends(number, seconds=5.0):
    """Does the process end soon? A signal takes a moment."""
    end = time.monotonic() + seconds
    while is_running(number) and time.monotonic() < end:
        time.sleep(0.01)
    return not is_running(number)


@pytest.mark.parametrize("kind", ["polite", "crash", "crash, heard"])
@pytest.mark.parametrize("last", ["close", "kill"])
@pytest.mark.parametrize("waitid", [True, False])
def test_helpers_are_ended_with_their_engine(tmp_path, monkeypatch, kind, last, waitid):
    if not waitid:
        monkeypatch.delattr(os, "waitid", raising=False)
    engine = Engine([sys.executable, "-c", PARENT, str(tmp_path / "number"), kind])
    assert engine.ask("version", 30) == "ziggurat"
    if kind != "polite":
        with pytest.raises(EngineError, match="has ended" if kind == "crash" else "in time"):
            engine.ask("name", 30 if kind == "crash" else 1)
    helper = int((tmp_path / "number").read_text())
    assert is_running(helper)
    getattr(engine, last)()
    assert ends(helper)
    assert engine.process.returncode is not None
    engine.close()  # once more is no harm


def test_where_ended_processes_are_not_waited_for():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        engine = Engine(OURS)
        assert engine.ask("name", 30) == "ziggurat"
        engine.close()
        assert engine.process.returncode is not None
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_who_is_slow_to_take_in_a_move_is_late(odd):
    """`startup` is long, but no time to think in: a `play` has no more than a move has."""
    start, game = time.monotonic(), zg.load_game("pylos", "mini")
    [report] = play_match(game, [OURS, odd("dawdler")], 1, time=1.0, startup=60)
    assert (report.outcome, report.offender, report.turns, report.returns) == ("timeout", 1, 1, (1, -1))
    assert "no answer to 'play b " in report.message
    assert time.monotonic() - start < 30


@pytest.mark.parametrize(("move", "startup"), [(40.0, 50.0), (50.0, 40.0)])
def test_the_limits_of_each_command(odd, monkeypatch, move, startup):
    limits, ask = {}, Engine.ask

    def noted(engine, command, seconds):
        limits.setdefault(command.split()[0], set()).add(seconds)
        return ask(engine, command, seconds)

    monkeypatch.setattr(Engine, "ask", noted)
    next(play_match(zg.load_game("pylos", "mini"), [odd("resign"), OURS], time=move, startup=startup))
    before = {command: {startup} for command in ["known_command", "set_game", "set_random_seed", "clear_board"]}
    assert limits == {**before, "genmove": {move}, "play": {40.0}}


def test_seeds_of_numpy(odd):
    game = zg.load_game("pylos", "mini")
    reports = [next(play_match(game, [odd("resign")], seed=seed)) for seed in (5, np.int64(5), np.uint64(5))]
    assert [report.seed for report in reports] == [reports[0].seed] * 3
    assert json.loads(json.dumps(reports[1].as_json())) == json.loads(json.dumps(reports[0].as_json()))
    for seed in (1.5, "x", None):
        with pytest.raises(TypeError, match=f"seed is a whole number, not {seed!r}"):
            next(play_match(game, [OURS], seed=seed))
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match=f"seed is from 0 to .* not {seed}"):
            next(play_match(game, [OURS], seed=seed))


def test_the_command(odd, tmp_path, capsys):
    folder = tmp_path / "games"
    words = ["match", "--game", "blokus", "--preset", "duo", "--engine", OURS, "--engine", odd("illegal")]
    assert main([*words, "--games", "2", "--out", str(folder), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads((folder / "match.json").read_text())
    assert [row["wins"] for row in document["engines"]] == [2, 0]
    assert [game["outcome"] for game in document["games"]] == ["illegal"] * 2
    assert sorted(path.name for path in folder.iterdir()) == ["game-0001.blksgf", "game-0002.blksgf", "match.json"]
    assert main(["replay", str(folder / "game-0002.blksgf"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == document["games"][1]["scores"]
    assert main([*words, "--games", "1"]) == 0
    text = capsys.readouterr().out
    assert "illegal 1" in text
    assert "game 1: engine 2, illegal: 'a1,a2' of w: action" in text


def test_the_command_refuses_in_one_line(tmp_path, capsys):
    for words in ([], ["--engine", str(tmp_path / "x")], ["--engine", "x", "--time", "0"], ["--engine", ""]):
        assert main(["match", "--game", "pylos", *words]) == 2
        captured = capsys.readouterr()
        assert (captured.err.count("\n"), captured.out) == (1, "")
    assert {bot.value for bot in BotName} == set(BOTS | SOLVERS)
