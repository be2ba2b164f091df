"""The command line: what it prints is what the Python API says, and what it refuses takes one line."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree

import numpy as np
import pytest

import ziggurat as zg
from ziggurat import _core
from ziggurat.cli import main

pytest.importorskip("typer")
pytest.importorskip("rich")

MODULE = [sys.executable, "-m", "ziggurat"]
RUN_MAIN = "import sys; from ziggurat.cli import main; sys.exit(main())"
# Says when the engine starts, and takes Ctrl-C even where whoever runs the tests ignores it.
RUN_ANNOUNCED = """
import functools, signal, sys, ziggurat
from ziggurat.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
def announced(function):
    @functools.wraps(function)
    def call(*args):
        print("started", flush=True)
        return function(*args)
    return call
ziggurat.perft, ziggurat.simulate = announced(ziggurat.perft), announced(ziggurat.simulate)
sys.exit(main())
"""


class Outcome:
    """What a command did."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def json(self):
        assert (self.code, self.err) == (0, "")
        return json.loads(self.out)

    def refusal(self):
        """The one line on stderr."""
        assert (self.code, self.out) == (2, "")
        assert self.err.startswith("ziggurat: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1
        return self.err


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def run(capsys):
    """Runs a command in this process."""

    def call(*args):
        capsys.readouterr()
        code = main([str(arg) for arg in args])
        return Outcome(code, *capsys.readouterr())

    return call


def spawn(*args, code=None, **settings):
    """Runs a command in a process of its own."""
    command = [sys.executable, "-c", code] if code else MODULE
    settings = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": 120} | settings
    done = subprocess.run([*command, *map(str, args)], check=False, **settings)
    return Outcome(done.returncode, done.stdout, done.stderr)


def in_terminal(*args, streams=("stdout", "stderr"), **variables):
    """What a terminal receives from a command, and what goes to a stdout that is no terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    ends = {"stdin": theirs, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | dict.fromkeys(streams, theirs)
    surroundings = os.environ | {"COLUMNS": "100", "PYTHONIOENCODING": "utf-8"} | variables
    with subprocess.Popen([*MODULE, *args], env=surroundings, **ends) as process:
        os.close(theirs)
        received = b""
        while chunk := read_terminal(ours):
            received += chunk
        rest = process.stdout.read().decode() if process.stdout else ""
        os.close(ours)
        assert process.wait(60) == 0
    return received.decode(), rest


def read_terminal(descriptor):
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # Linux's way to tell that the other end is closed
        return b""


# Starting


def test_importing_the_package_imports_no_extra():
    code = "import sys, ziggurat, ziggurat.cli; print(*sys.modules)"
    imported = spawn(code=code).out.split()
    assert "ziggurat.cli" in imported
    assert not {"typer", "rich", "matplotlib", "pyarrow"} & set(imported)


def test_module_and_version(run):
    assert spawn("--version").out == run("--version").out == f"ziggurat {zg.__version__}\n"


def test_help_names_every_command(run):
    out = run("--help").out
    assert all(f"\n  {name} " in out for name in ("games", "info", "perft", "simulate", "show", "rules"))


@pytest.mark.parametrize("package", ["typer", "rich"])
def test_without_the_extra_cli(package):
    done = spawn("info", code=f"import sys; sys.modules[{package!r}] = None; {RUN_MAIN}")
    assert done.refusal() == f'ziggurat: {package} is missing: pip install "ziggurat[cli]"\n'


def test_progress_without_rich_names_the_extra():
    play = "import ziggurat as zg; zg.simulate(zg.load_game('pylos'), 9, progress=True)"
    done = spawn(code=f"import sys; sys.modules['rich'] = None; {play}")
    assert done.code == 1
    assert "MissingExtraError" in done.err
    assert done.err.rstrip().endswith('rich is missing: pip install "ziggurat[cli]"')


# Catalogue


def test_games_json(run):
    catalogue = run("games", "--json").json()
    assert list(catalogue) == zg.games()
    for name, about in catalogue.items():
        game = zg.load_game(name)
        assert {option["name"]: option["default"] for option in about["options"]} == game.options
        assert about["presets"] == _core.families[name]["presets"]
        assert (about["players"], about["actions"]) == (game.num_players(), game.num_distinct_actions())


def test_games_table(run):
    lines = run("games").out.splitlines()
    for name in zg.games():
        family = _core.families[name]
        assert any(line.startswith(f"{name}: ") for line in lines)
        for option in family["options"]:
            default = json.dumps(option["default"]).strip('"')
            assert any(line.split()[:2] == [option["name"], default] and option["allowed"] in line for line in lines)
        assert all(
            any(line.split() == [preset, *about.split()] for line in lines)
            for preset, about in family["presets"].items()
        )


def test_info(run):
    info = run("info", "--json").json()
    assert (info["version"], info["level"], info["numpy"]) == (zg.__version__, _core.level, np.__version__)
    assert info["supported_levels"] == _core.supported_levels()
    assert info["python"] == ".".join(map(str, sys.version_info[:3]))
    assert 1 <= info["cores"] <= os.cpu_count()
    rows = dict(line.split("  ", 1) for line in run("info").out.splitlines())
    assert rows["level"].strip() == _core.level


@pytest.mark.parametrize("name", zg.games())
def test_rules_are_plain_text_in_a_pipe(run, name):
    assert run("rules", name).out == zg.rules(name)


def test_rules_are_rendered_in_a_terminal():
    text, _ = in_terminal("rules", "pylos")
    assert "[PY-1.1]" in text
    assert "\x1b[" in text
    assert "**" not in text
    plain, _ = in_terminal("rules", "pylos", NO_COLOR="1")
    assert "[PY-1.1]" in plain
    assert "\x1b" not in plain


# perft

SMALL = zg.load_game("pylos", "mini", patterns="lines", max_turns=9)


@pytest.mark.parametrize("unit", ["turn", "action"])
@pytest.mark.parametrize(
    ("words", "game"),
    [
        (["pylos"], zg.load_game("pylos")),
        (["pylos", "--preset", "mini"], zg.load_game("pylos", "mini")),
        (["pylos(base=3,removal=mandatory)"], zg.load_game("pylos", base=3, removal="mandatory")),
        (["pylos", "--preset", "mini", "--option", "patterns=lines", "--option", "max_turns=9"], SMALL),
        (["pylos(patterns=lines)", "--preset", "mini", "--option", "max_turns=9"], SMALL),
    ],
)
def test_perft_json(run, words, game, unit):
    start = game.new_initial_state()
    result = run("perft", *words, 4, "--unit", unit, "--divide", "--threads", 2, "--hash-mb", 1, "--json").json()
    assert result["divide"] == zg.perft(start, 4, unit, divide=True)
    assert result["count"] == zg.perft(start, 4, unit)
    assert (result["game"], result["depth"], result["unit"]) == (str(game), 4, unit)
    assert result["per_second"] == pytest.approx(result["count"] / result["seconds"])
    assert f"{game} {result['position']}" == start.serialize()


def test_perft_from_a_position(run):
    state = zg.load_game("blokus").new_initial_state()
    state.apply_action(state.string_to_action("a20,b20"))
    position = state.serialize().removeprefix("blokus() ")
    result = run("perft", "blokus", 2, "--position", position, "--json").json()
    assert result["count"] == zg.perft(state, 2)
    assert result["position"] == position
    assert "divide" not in result


def test_perft_of_a_seed(run):
    counts = [run("perft", "blox", 1, "--seed", seed, "--json").json()["count"] for seed in range(6)]
    game = zg.load_game("blox")
    assert counts == [zg.perft(game.new_initial_state(seed), 1) for seed in range(6)]
    assert len(set(counts)) > 1
    assert run("perft", "blox", 1, "--json").json()["count"] == counts[0]


def test_perft_table(run):
    start = zg.load_game("pylos").new_initial_state()
    rows = [line.split() for line in run("perft", "pylos", 3, "--divide").out.splitlines()]
    for text, count in zg.perft(start, 3, divide=True).items():
        assert [text, f"{count:,}"] in rows
    assert ["count", f"{zg.perft(start, 3):,}"] in rows


# simulate


@pytest.mark.parametrize("uniform", ["action", "turn"])
@pytest.mark.parametrize("name", zg.games())
def test_simulate_json(run, name, uniform):
    seed = 2**64 - 1
    words = ["--games", 300, "--seed", seed, "--first", 5, "--uniform", uniform, "--threads", 2]
    summary = run("simulate", name, *words, "--json").json()
    wanted = zg.simulate(zg.load_game(name), 300, seed, uniform, first=5).summary()
    assert summary.items() >= wanted.items()
    assert (summary["first"], summary["version"], summary["level"]) == (5, zg.__version__, _core.level)
    assert summary["games_per_second"] == pytest.approx(300 / summary["seconds"])


def test_simulate_table(run):
    results = zg.simulate(zg.load_game("pylos"), 2000, 3)
    lines = run("simulate", "pylos", "--games", "2_000", "--seed", 3).out.splitlines()
    rows = [line.split() for line in lines]
    for player, (score, share) in enumerate(zip(results.scores.mean(0), results.summary()["win_shares"], strict=True)):
        quartiles = [f"{value:g}" for value in np.percentile(results.scores[:, player], [0, 25, 50, 75, 100])]
        assert [str(player), f"{score:.3f}", f"{share:.2%}", *quartiles] in rows
    assert any(row[:2] == ["turns", f"{results.turns.mean():.2f}"] for row in rows)
    assert max(line.count("█") for line in lines) == 40
    assert all(line == line.rstrip() for line in lines)


def test_counters_are_a_balance_sheet(run):
    words = ["--option", "max_turns=300", "--games", 200, "--seed", 3]
    results = zg.simulate(zg.load_game("blox", max_turns=300), 200, 3)
    rows = [line.split() for line in run("simulate", "blox", *words).out.splitlines()]
    assert sum(results.counters[name].sum() for name in ("enter", "move", "capture", "demolish", "build", "swap")) == (
        results.turns.sum()
    )
    for name, values in results.counters.items():
        share = values.sum() / results.turns.sum()
        row = [*name.split("_"), f"{values.mean():.2f}", f"{share:.2%}", str(values.min()), str(values.max())]
        assert (row in rows) == (name != "limit")
    assert ["ended", "by", "the", "limit", "of", "turns", f"{results.counters['limit'].mean():.2%}"] in rows
    assert results.counters["limit"].any()
    summary = run("simulate", "blox", *words, "--json").json()
    assert summary["counters"] == {name: values.mean() for name, values in results.counters.items()}
    quartiles = [sorted(column)[i] for column in results.scores.T.tolist() for i in (0, 199)]
    assert [row[i] for row in summary["score_quartiles"] for i in (0, 4)] == quartiles


def test_ends_of_numberplace_city_are_shares(run):
    words = ["--option", "players=3", "--option", "max_turns=40", "--games", 300, "--seed", 3]
    results = zg.simulate(zg.load_game("numberplace_city", players=3, max_turns=40), 300, 3)
    counters = results.counters
    rows = [line.split() for line in run("simulate", "numberplace_city", *words).out.splitlines()]
    ends = {f"end: {name.removeprefix('end_')}": name for name in counters if name.startswith("end_")}
    assert len(ends) == 6
    for words_of_end, name in (ends | {"ended by the limit of turns": "limit"}).items():
        assert [*words_of_end.split(), f"{counters[name].mean():.2%}"] in rows
        assert set(np.unique(counters[name])) <= {0, 1}
    assert sum(counters[name].sum() for name in (*ends.values(), "limit")) == 300
    turns = ["lay", "pass", "declined", *(f"bonus_{k}" for k in range(1, 10))]
    assert sum(counters[name].sum() for name in turns) == results.turns.sum()
    for name in (*turns, "built", "penalties", "eliminated"):
        values = counters[name]
        share = values.sum() / results.turns.sum()
        figures = [f"{values.mean():.2f}", f"{share:.2%}", str(values.min()), str(values.max())]
        assert [*name.split("_"), *figures] in rows
    assert not any(row[:1] == ["end"] or row[:2] == ["limit", f"{counters['limit'].mean():.2f}"] for row in rows)


def test_games_without_counters_have_no_table_of_them(run):
    out = run("simulate", "pylos", "--games", 50).out
    assert "counted" not in out
    assert "limit of turns" not in out
    assert run("simulate", "pylos", "--games", 50, "--json").json()["counters"] == {}


def test_counters_are_columns_of_files(run, tmp_path):
    path = tmp_path / "run.csv"
    run("simulate", "blox", "--option", "max_turns=50", "--games", 30, "--out", path, "--json").json()
    names, *rows = csv.reader(line for line in path.read_text("utf-8").splitlines() if not line.startswith("#"))
    counters = zg.simulate(zg.load_game("blox", max_turns=50), 30).counters
    assert names[-len(counters) :] == list(counters)
    for name, values in counters.items():
        assert [int(row[names.index(name)]) for row in rows] == values.tolist()


def test_histogram_counts_every_game(run):
    results = zg.simulate(zg.load_game("pylos"), 2000, 3)
    lines = run("simulate", "pylos", "--games", 2000, "--seed", 3).out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.split() == ["turns", "games"]) + 2
    for line in lines[start:]:
        bounds, share = line.split()[:2]
        low, _, high = bounds.partition("-")
        inside = (results.turns >= int(low)) & (results.turns <= int(high or low))
        assert share == f"{inside.mean():.1%}"
    assert len(lines) - start <= 12


@pytest.mark.parametrize("bins", [1, 2, 12, 40])
@pytest.mark.parametrize("values", [[7], [0, 1], [-89, 20], [30, 42], [1, 1000], [5, 17, 28]])
def test_bin_edges(values, bins):
    from ziggurat.cli.report import bin_edges

    edges = bin_edges(np.array(values, np.int32), bins)
    assert 2 <= len(edges) <= bins + 1
    assert edges[0] <= min(values) <= max(values) < edges[-1]
    assert len(set(np.diff(edges))) == 1


def test_histogram_where_blocks_cannot_be_written():
    done = spawn("simulate", "pylos", "--games", 50, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.code, done.err) == (0, "")
    assert "#" * 40 in done.out


METADATA = {
    "game": "blokus(scoring=basic)",
    "options": json.dumps(zg.load_game("blokus", scoring="basic").options, separators=(",", ":")),
    "seed": 2**64 - 1,
    "first": 7,
    "uniform": "turn",
    **zg.build_info(),
}


@pytest.fixture
def written(run, tmp_path):
    """Writes a run to a file; gives the path and the same run by the API."""

    def write(name):
        path = tmp_path / name
        words = ["--option", "scoring=basic", "--games", 70, "--seed", 2**64 - 1, "--first", 7, "--uniform", "turn"]
        run("simulate", "blokus", *words, "--out", path, "--json").json()
        assert os.listdir(tmp_path) == [name]
        return path, zg.simulate(zg.load_game("blokus", scoring="basic"), 70, 2**64 - 1, "turn", first=7).columns()

    return write


def test_npz_round_trip(written):
    path, columns = written("run.npz")
    with np.load(path) as data:
        for name, values in columns.items():
            np.testing.assert_array_equal(data[name], values, strict=True)
        about = {name: data[name].item() for name in set(data.files) - set(columns)}
    assert about == METADATA


def test_csv_round_trip(written):
    path, columns = written("run.csv")
    lines = path.read_text(encoding="utf-8").splitlines()
    about = dict(line[2:].split(": ") for line in lines if line.startswith("#"))
    assert about == {k: str(v) for k, v in METADATA.items()}
    names, *rows = csv.reader(lines[len(about) :])
    table = dict(zip(names, np.array(rows, float).T, strict=True))
    check_flat(table, columns)


def test_parquet_round_trip(written):
    from pyarrow import parquet

    path, columns = written("run.PARQUET")
    table = parquet.read_table(path)
    about = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    assert about == {k: str(v) for k, v in METADATA.items()}
    flat = {name: table[name].to_numpy() for name in table.column_names}
    assert flat["legal_total"].dtype == columns["legal_total"].dtype
    check_flat(flat, columns)


def check_flat(flat, columns):
    wide = {name: values for name, values in columns.items() if values.ndim == 2}
    names = {f"{name}_{player}" for name, values in wide.items() for player in range(values.shape[1])}
    assert set(flat) == names | set(columns) - set(wide)
    for name, values in flat.items():
        column, _, player = name.rpartition("_")
        np.testing.assert_array_equal(values, columns[column][:, int(player)] if column in wide else columns[name])


def test_long_csv_is_complete(run, tmp_path):
    path = tmp_path / "run.csv"
    run("simulate", "pylos", "--preset", "mini", "--games", 70_000, "--out", path, "--json").json()
    table = np.loadtxt(path, delimiter=",", skiprows=10)
    turns = zg.simulate(zg.load_game("pylos", "mini"), 70_000).turns
    np.testing.assert_array_equal(table[:, 6], turns)


@pytest.mark.parametrize("name", zg.games())
def test_plots_are_pictures(run, tmp_path, name):
    pytest.importorskip("matplotlib")
    png, svg = tmp_path / "a.png", tmp_path / "a.svg"
    for path in (png, svg):
        assert run("simulate", name, "--games", 100, "--plot", path).code == 0
    assert sorted(os.listdir(tmp_path)) == ["a.png", "a.svg"]
    assert png.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    from matplotlib import image

    pixels = image.imread(png)
    assert pixels.shape[:2] == (400, 1300)
    assert len(np.unique(pixels.reshape(-1, pixels.shape[2]), axis=0)) > 10
    assert ElementTree.parse(svg).getroot().tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("uniform", ["action", "turn"])
@pytest.mark.parametrize("name", zg.games())
def test_plots_show_every_game(name, uniform):
    pytest.importorskip("matplotlib")
    from ziggurat.cli.plot import draw_results

    game = zg.load_game(name)
    scores, lengths, choices = draw_results(zg.simulate(game, 200, uniform=uniform)).axes
    assert [axes.get_title() for axes in (scores, lengths, choices)] == ["scores", "length", "branching"]
    for axes in (lengths, choices):
        assert sum(patch.get_height() for patch in axes.patches) == 200
    assert len(scores.get_legend().get_texts()) == game.num_players()


@pytest.mark.parametrize(
    ("package", "extra", "words"),
    [("pyarrow", "data", ["--out", "a.parquet"]), ("matplotlib", "plot", ["--plot", "a.png"])],
)
def test_missing_extra_is_found_before_the_games(run, monkeypatch, tmp_path, package, extra, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delattr(zg, "simulate")
    assert (
        run("simulate", "pylos", *words).refusal()
        == f'ziggurat: {package} is missing: pip install "ziggurat[{extra}]"\n'
    )
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("option", ["--out", "--plot"])
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a.txt", "must end in one of"),
        ("a", "must end in one of"),
        ("no/a{}", "No such file"),
        ("folder{}", "it is a folder"),
    ],
)
def test_bad_files_are_found_before_the_games(run, monkeypatch, tmp_path, option, name, why):
    monkeypatch.chdir(tmp_path)
    name = name.format({"--out": ".csv", "--plot": ".svg"}[option])
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "folder.svg").mkdir()
    monkeypatch.delattr(zg, "simulate")
    line = run("simulate", "pylos", option, name).refusal()
    assert name in line
    assert why in line
    assert sorted(os.listdir(tmp_path)) == ["folder.csv", "folder.svg"]


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (OSError(28, "No space left on device"), 2)])
def test_failed_writing_leaves_the_old_file(run, monkeypatch, tmp_path, error, code):
    from ziggurat.cli import files

    def broken(results, file):
        file.write(b"half")
        raise error

    path = tmp_path / "run.csv"
    path.write_text("old")
    monkeypatch.setitem(files.DATA_WRITERS, ".csv", ("", "", broken))
    monkeypatch.setattr(signal, "signal", lambda *args: None)
    done = run("simulate", "pylos", "--games", 10, "--out", path)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["run.csv"]


# show


def played(game, text):
    state = game.new_initial_state()
    for turn in text.split():
        for action in state.string_to_turn(turn):
            state.apply_action(action)
    return state


TO_A_SQUARE = "1a1 1d4 1b1 1d3 1a2 1d1"


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("pylos", ""),
        ("pylos", f"{TO_A_SQUARE} 1b2-1a1-1b1 1c1"),
        ("pylos", "1A1"),
        ("blokus", "a20,b20 t20"),
        ("blokus", " a20 "),
    ],
)
def test_show(run, name, moves):
    state = played(zg.load_game(name), moves)
    shown = run("show", name, "--moves", moves, "--json").json()
    position = state.serialize().partition(" ")[2]
    assert shown == {
        "serialize": state.serialize(),
        "game": str(state.get_game()),
        "position": position,
        "player": state.current_player(),
        "terminal": False,
        "scores": state.scores().tolist(),
        "winners": [],
        "legal": state.count_legal(),
    }
    assert run("show", name, "--moves", moves).out == run("show", name, "--position", position).out == f"{state}\n"


def blox_turns(seed, count):
    """A state of Blox some turns after its start, and the texts of the turns."""
    state, texts = zg.load_game("blox").new_initial_state(seed), []
    rng = random.Random(seed)
    while len(texts) < count:
        before, actions = state.clone(), []
        while not actions or state.in_turn():
            actions.append(rng.choice(state.legal_actions().tolist()))
            state.apply_action(actions[-1])
        texts.append(before.turn_to_string(actions))
    return state, texts


def test_show_with_a_seed(run):
    state, texts = blox_turns(5, 12)
    assert run("show", "blox", "--seed", 5, "--moves", " ".join(texts)).out == f"{state}\n"
    assert run("show", "blox", "--seed", 6).out != run("show", "blox", "--seed", 5).out


def test_show_what_a_player_knows(run, tmp_path):
    state, texts = blox_turns(8, 20)
    words = ["show", "blox", "--seed", 8, "--moves", " ".join(texts), "--player"]
    for player in (0, 1):
        assert run(*words, player).out == f"{state.observation_string(player)}\n"
        assert f"cards {'?' * 6}" in run(*words, player).out
        shown = run(*words, player, "--json").json()
        views = zg.describe("blox")["views"]
        assert shown == {
            "game": "blox()",
            "viewer": player,
            "information_state": state.information_state_string(player),
            "player": state.current_player(),
            "terminal": False,
            "scores": state.scores().tolist(),
            "winners": [],
            "legal_actions": [state.action_to_string(action) for action in state.legal_actions(player)],
            "views": {name: getattr(state, name)(player).tolist() for name in views},
        }
        assert bool(shown["legal_actions"]) == (player == state.current_player())
        run(*words, player, "--svg", tmp_path / "a.svg")
        last = state_before_last(texts, 8)
        assert (tmp_path / "a.svg").read_text("utf-8") == state.to_svg(last_action=last, hands=True, player=player)


def state_before_last(texts, seed):
    """The actions of the last turn."""
    state = zg.load_game("blox").new_initial_state(seed)
    for text in texts:
        actions = state.string_to_turn(text)
        for action in actions:
            state.apply_action(action)
    return actions


def test_what_a_player_knows_does_not_change_with_the_secrets(run):
    """Whatever the other player holds, and whatever lies in the deck, nothing that is printed or drawn differs."""
    state, _ = blox_turns(8, 21)
    for player in (0, 1):
        known = {
            run("show", "blox", "--position", other.serialize().partition(" ")[2], "--player", player, *words).out
            for other in (state, *(state.resample(player, seed) for seed in range(5)))
            for words in (["--json"], [])
        }
        assert len(known) == 2


def test_show_numberplace_city(run, tmp_path):
    state = zg.load_game("numberplace_city", players=2).new_initial_state(6)
    laid = state.action_to_string(int(state.legal_actions()[0]))
    state.apply_action(state.string_to_action(laid))
    words = ["show", "numberplace_city", "--option", "players=2", "--seed", 6, "--moves", laid]
    picture = tmp_path / "a.svg"
    assert run(*words, "--svg", picture).out == f"{state}\n"
    assert f"laid: 0:{laid}\n" in f"{state}\n"
    assert picture.read_text("utf-8") == state.to_svg(last_action=laid, hands=True, secrets=True)
    for player in (0, 1):
        shown = run(*words, "--player", player, "--svg", picture).out
        assert shown == f"{state.observation_string(player)}\n"
        assert (f"laid: 0:{laid}\n" in shown) == (player == 0)
        assert picture.read_text("utf-8") == state.to_svg(last_action=laid, hands=True, player=player)
    assert (laid in run(*words, "--player", 1, "--json").out) is False
    assert laid not in picture.read_text("utf-8")


def test_show_a_player_of_a_game_without_secrets(run, tmp_path):
    words = ["show", "pylos", "--moves", "1a1", "--player", 1]
    state = played(zg.load_game("pylos"), "1a1")
    assert run(*words).out == f"{state}\n"
    assert run(*words, "--json").json()["views"] == {}
    assert run(*words, "--svg", tmp_path / "a.svg").code == 0
    assert (tmp_path / "a.svg").read_text("utf-8") == state.to_svg(last_action="1a1")


def test_show_a_finished_game(run):
    state = zg.load_game("pylos", "mini").new_initial_state()
    turns = []
    while not state.is_terminal():
        before, actions = state.clone(), [int(state.legal_actions()[0])]
        state.apply_action(actions[0])
        while state.in_turn():
            actions.append(int(state.legal_actions()[-1]))
            state.apply_action(actions[-1])
        turns.append(before.turn_to_string(actions))
    shown = run("show", "pylos", "--preset", "mini", "--moves", " ".join(turns), "--json").json()
    assert (shown["serialize"], shown["player"], shown["terminal"], shown["legal"]) == (state.serialize(), -4, True, 0)
    assert (shown["scores"], shown["winners"]) == (state.scores().tolist(), state.winners())
    line = run("show", "pylos", "--preset", "mini", "--moves", " ".join([*turns, "1a1"])).refusal()
    assert f"move {len(turns) + 1}, '1a1'" in line


@pytest.mark.parametrize(
    ("game", "moves", "where", "why"),
    [
        ("pylos", "2a1", "move 1, '2a1'", "PY-2.1"),
        ("pylos", "1a1 1b1 1a1", "move 3, '1a1'", "PY-2.1"),
        ("pylos", "1a1 1b1 xyz", "move 3, 'xyz'", "'xyz'"),
        ("pylos", "1a1-1a1", "move 1, '1a1-1a1'", "the turn ends before -1a1"),
        ("pylos", f"{TO_A_SQUARE} 1b2-1d4", "move 7, '1b2-1d4'", "PY-3"),
        ("pylos", f"{TO_A_SQUARE} 1b2-9z9", "move 7, '1b2-9z9'", "'-9z9'"),
        ("pylos(removal=mandatory)", f"{TO_A_SQUARE} 1b2", "move 7, '1b2'", "not the text of a legal turn"),
        ("blokus", "a20 t20 a1", "move 3, 'a1'", "BK-"),
        ("blokus", "pass", "move 1, 'pass'", "BK-2.3"),
        ("blokus", "a20,t1", "move 1, 'a20,t1'", "'a20,t1' are not the squares of a piece"),
    ],
)
def test_illegal_moves(run, game, moves, where, why):
    line = run("show", game, "--moves", moves).refusal()
    assert line.startswith(f"ziggurat: {where}: ")
    assert why in line


def test_board_is_coloured_in_a_terminal_alone(run):
    words = ["show", "blokus", "--moves", "a20,b20 t20"]
    board = str(played(zg.load_game("blokus"), words[-1]))
    coloured, _ = in_terminal(*words)
    assert coloured.count("\x1b[1;34mb\x1b[0m") == 2
    assert coloured.count("\x1b[1;33my\x1b[0m") == 1
    assert coloured.count("\x1b[2m+\x1b[0m") == board.count("+") > 0
    assert "\x1b[1;31m" not in coloured  # r and g: only in words and column names here
    assert "\x1b[1;32m" not in coloured
    plain, _ = in_terminal(*words, NO_COLOR="1")
    assert plain.replace("\r", "") == f"{board}\n" == run(*words).out


def test_fields_pawns_and_towers_of_blox_are_coloured():
    position = zg.load_game("blox").deserialize(
        f"blox() AAAA c10:w,a9:wrrggkkkk,j1:wwwrrgg 1:wwrrgg:-:j:b10/0:gggkkk:{'w' * 5}{'r' * 6}{'g' * 6}{'k' * 6}:j:- "
        f"{'w' * 13}{'r' * 13}{'g' * 10}{'k' * 12} - 1 0 - 0 {'0' * 16}.{'0' * 16}"
    )
    coloured, _ = in_terminal("show", "blox", "--position", position.serialize().partition(" ")[2])
    rows = [line for line in coloured.splitlines() if "\x1b" in line]
    assert len(rows) == 10
    fields = {"w": "30;47", "r": "37;41", "g": "37;100", "k": "37;40"}
    for letter, code in fields.items():
        letters = "".join(line[3:] for line in str(position).splitlines()[:10])
        assert coloured.count(f"\x1b[{code}m{letter}\x1b[0m") == letters.count(letter) > 0
    assert "\x1b[1;34mA\x1b[0m" in rows[0]
    assert "\x1b[1m9\x1b[0m" in rows[1]
    assert rows[1].startswith(" 9 \x1b")  # the number of the row stays plain


def test_tiles_of_numberplace_city_are_coloured():
    position = zg.load_game("numberplace_city").deserialize(
        f"numberplace_city() 12{'.' * 79} 3:r9c8=4,0:r9c9=3 0:5:-:in/0:-:6:in/0:7:-:in/0:-:8:in {'1' * 8}{'2' * 8}"
        f"{'3' * 8}{'4' * 8}{'5' * 8}{'6' * 8}{'7' * 8}{'8' * 8}{'9' * 9} - 3 2 - - 2 {'0' * 16}.{'0' * 16}"
    )
    coloured, _ = in_terminal("show", "numberplace_city", "--position", position.serialize().partition(" ")[2])
    lines = coloured.splitlines()
    assert lines[0].startswith("r1 \x1b[1m1\x1b[0m \x1b[1m2\x1b[0m \x1b[2m.\x1b[0m \x1b[2m|\x1b[0m ")
    assert coloured.count("\x1b[1;35m*\x1b[0m") == 2
    assert [bool("\x1b" in line) for line in lines] == [
        *([True] * 3 + [False]) * 2,
        *[True] * 3,
        *[False] * (len(lines) - 11),
    ]


# Terminal and signals


def test_progress_bar_is_on_stderr_and_only_in_a_terminal():
    words = ["simulate", "blokus", "--games", "60000", "--json"]
    bar, out = in_terminal(*words, streams=["stderr"])
    assert json.loads(out)["games"] == 60_000
    assert " of 60,000" in bar
    assert "/s" in bar
    assert "\x1b" not in in_terminal(*words, streams=["stdout"])[0]


def test_perft_counts_on_in_a_terminal():
    bar, out = in_terminal("perft", "pylos", "8", "--json", streams=["stderr"])
    assert json.loads(out)["count"] > 500_000_000
    assert "/s" in bar


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "blokus", "--games", "5000000", "--out", "run.npz"],
        ["simulate", "blokus", "--games", "5000000", "--uniform", "turn", "--threads", "1", "--out", "run.csv"],
        ["simulate", "blox", "--games", "2", "--option", "hand=1", "--option", "max_turns=0"],  # has no end
        ["perft", "pylos", "15"],
        ["perft", "blokus", "9", "--divide", "--threads", "2"],
        ["perft", "pylos", "40", "--unit", "action", "--hash-mb", "16"],
    ],
    ids=" ".join,
)
def test_ctrl_c(words, tmp_path):
    command = [sys.executable, "-c", RUN_ANNOUNCED, *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=tmp_path, **pipes) as process:
        try:
            assert process.stdout.readline() == "started\n"
            time.sleep(0.3)
            assert process.poll() is None
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
            seconds = time.monotonic() - start
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, "", "ziggurat: interrupted\n")
    assert seconds < 3
    assert os.listdir(tmp_path) == []


def test_closed_pipe_is_no_error_message():
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = spawn("rules", "pylos", capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert (done.code, done.err) == (1, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["rules", "pylos"], ["games", "--json"], ["show", "pylos"]])
def test_full_disk_is_one_line(words):
    with open("/dev/full", "w") as full:
        done = spawn(*words, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.code == 2
    assert done.err == "ziggurat: [Errno 28] No space left on device\n"


# What is refused

BAD = [
    ([], "Missing command"),
    (["foo"], "'foo'"),
    (["--foo"], "--foo"),
    (["games", "extra"], "extra"),
    (["info", "--foo"], "--foo"),
    (["rules"], "GAME"),
    (["rules", "chess"], "unknown game 'chess'; there are: blokus, blox, numberplace_city, pylos"),
    (["rules", "pylos()"], "unknown game"),
    (["show"], "GAME"),
    (["show", ""], "unknown game ''"),
    (["show", "Pylos"], "unknown game 'Pylos'"),
    (["show", "a\nb\x1b[31m"], "unknown game"),
    (["show", "pylos("], "unknown game"),
    (["show", "pylos(foo)"], "'foo'"),
    (["show", "pylos(base=5)"], "option base is an integer from 3 to 4, not 5"),
    (["show", "pylos", "--preset", "foo"], "unknown preset 'foo'; there are: standard, children, expert, mini"),
    (["show", "pylos", "--preset"], "--preset"),
    (["show", "pylos", "--option", "base"], "NAME=VALUE, not 'base'"),
    (["show", "pylos", "--option", "=3"], "NAME=VALUE, not '=3'"),
    (["show", "pylos", "--option", "foo=3"], "unknown option 'foo'"),
    (["show", "pylos", "--option", "name=3"], "unknown option 'name'"),
    (["show", "pylos", "--option", "preset=mini"], "unknown option 'preset'"),
    (["show", "chess", "--option", "preset=mini"], "unknown game 'chess'"),
    (["show", "pylos", "--option", "base=x"], "not 'x'"),
    (["show", "pylos", "--option", "base="], "not ''"),
    (["show", "pylos", "--option", "base=3,max_turns=9"], "NAME=VALUE, not 'base=3,max_turns=9'"),
    (["show", "pylos(base=3)", "--option", "base=4"], "option base is given twice"),
    (["show", "pylos(", "--option", "base=4"], "unknown game 'pylos('"),
    (["show", "pylos", "--option", "base=3", "--option", "base=4"], "option base is given twice"),
    (["show", "pylos", "--option", "remove_placed=perhaps"], "true or false"),
    (["show", "pylos", "--option", "max_turns=65536"], "65535"),
    (["show", "pylos", "--position", ""], "character"),
    (["show", "pylos", "--position", "foo"], "'foo'"),
    (["show", "pylos", "--position", "................/........./..../. X - 0"], "X"),
    (["show", "pylos", "--position", "line\nline"], "character 1"),
    (["show", "pylos", "--seed", "-1"], "--seed"),
    (["show", "pylos", "--seed", str(2**64)], "2^64 - 1"),
    (["show", "pylos", "--seed", "9" * 5000], "2^64 - 1"),
    (["show", "blox", "--player", "2"], "a player is an integer from 0 to 1, not 2"),
    (["show", "pylos", "--player", "2"], "not 2"),
    (["show", "blox", "--player", "-1"], "--player"),
    (["show", "blox", "--player", "A"], "'A'"),
    (["show", "blox", "--moves", "0n-r"], "move 1, '0n-r'"),
    (["show", "blox", "--moves", "~w~w~w~w~w~w"], "move 1, '~w~w~w~w~w~w'"),
    (["perft", "blox", "1", "--seed", "x"], "--seed"),
    (["perft", "pylos"], "DEPTH"),
    (["perft", "pylos", "x"], "'x' is not a whole number"),
    (["perft", "pylos", "1.5"], "'1.5'"),
    (["perft", "pylos", "²"], "not a whole number"),
    (["perft", "pylos", "-1"], "-1"),
    (["perft", "pylos", "1001"], "depth is an integer from 0 to 1000, not 1001"),
    (["perft", "pylos", str(2**63)], "2^63 - 1"),
    (["perft", "pylos", "0", "--divide"], "depth of at least 1"),
    (["perft", "pylos", "2", "--unit", "ply"], "'turn', 'action'"),
    (["perft", "pylos", "2", "--threads", "1025"], "threads is an integer from 0 to 1024"),
    (["perft", "pylos", "2", "--threads", "many"], "--threads"),
    (["perft", "pylos", "2", "--hash-mb", "-5"], "--hash-mb"),
    (["perft", "pylos", "2", "--hash-mb", str(2**40)], "hash_mb is an integer from 0 to"),
    (["perft", "pylos", "2", "--position", "x"], "'x'"),
    (["perft", "chess", "2"], "unknown game 'chess'"),
    (["simulate"], "GAME"),
    (["simulate", "chess"], "unknown game 'chess'"),
    (["simulate", "pylos", "--games", "0"], "from 1 to"),
    (["simulate", "pylos", "--games", "-3"], "--games"),
    (["simulate", "pylos", "--games", "1e5"], "'1e5'"),
    (["simulate", "pylos", "--games", str(2**62)], "games is an integer from 0"),
    (["simulate", "pylos", "--games", str(2**50)], "not enough memory"),
    (["simulate", "pylos", "--seed", "x"], "--seed"),
    (["simulate", "pylos", "--uniform", "ply"], "'turn', 'action'"),
    (["simulate", "pylos", "--threads", "9999"], "threads is an integer from 0 to 1024"),
    (["simulate", "pylos", "--gamez", "5"], "--gamez"),
    (["simulate", "pylos", "--option", "base=9"], "option base"),
    (["simulate", "pylos", "blokus"], "blokus"),
]


@pytest.mark.parametrize(("words", "why"), BAD, ids=lambda x: " ".join(x)[:60] if isinstance(x, list) else "")
def test_bad_words_get_one_line(run, words, why):
    line = run(*words).refusal()
    assert why in line
    assert line[:-1].isprintable()


@pytest.mark.parametrize("words", [BAD[0][0], ["perft", "pylos", "x"], ["show", "pylos", "--preset", "foo"]])
def test_bad_words_get_one_line_from_a_process(words):
    assert spawn(*words).refusal()[:-1].isprintable()


def test_defects_are_not_taken_for_bad_words(run, monkeypatch):
    from ziggurat.cli import showing

    def defect(state):
        raise ValueError("defect")

    monkeypatch.setattr(showing, "_described", defect)
    with pytest.raises(ValueError, match="defect"):
        run("show", "pylos", "--json")
