"""The script bench/batch.py and the loops it shares: they play what they count, and compare before they time."""

import json
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import ziggurat as zg

BENCH = Path(__file__).parents[1] / "bench"
MODULES = ("batch", "loops", "harness", "steps")


@pytest.fixture
def bench(monkeypatch):
    """The folder's modules, which find their neighbours as scripts do."""
    for folder in (BENCH / "peers", BENCH):
        monkeypatch.syspath_prepend(str(folder))
    for module in MODULES:
        monkeypatch.delitem(sys.modules, module, raising=False)
    yield
    for module in MODULES:
        sys.modules.pop(module, None)


@pytest.fixture
def loops(bench):
    import loops

    return loops


@pytest.fixture
def batch(bench):
    import batch

    return batch


@pytest.fixture
def steps(bench):
    import steps

    return steps


def run(monkeypatch, capsys, batch, *words):
    monkeypatch.setattr(sys, "argv", ["batch.py", *map(str, words)])
    code = batch.main()
    return code, capsys.readouterr()


class Tampered:
    """A batch whose step writes something wrong into the buffers afterwards."""

    def __init__(self, env, tamper):
        self.env, self.tamper = env, tamper

    def __getattr__(self, name):
        return getattr(self.env, name)

    def step(self, actions, out):
        self.env.step(actions, out=out)
        self.tamper(out)


# The loops over batches.


@pytest.mark.parametrize("name", [*zg.games(), "blokus duo"])
def test_loops_equal_single_states_and_each_other(loops, name):
    assert name in loops.subjects()
    made = [loops.make_loop(name, form, 9, threads, 30) for form in loops.FORMS for threads in (1, 2)]
    for loop in made:
        loops.compare(loop)
    places = {loop.place() for loop in made}
    assert len(places) == 1
    assert {loop.run().place() for loop in made}.isdisjoint(places)
    assert len({loop.place() for loop in made}) == 1


def test_every_step_of_a_loop_plays_every_row(loops):
    loop = loops.make_loop("pylos", "nothing", 7, 1, 100)
    drawn = []

    def record(out):
        drawn.extend(loop.actions.tolist())

    loop.env = Tampered(loop.env, record)
    loop.run()
    assert loop.steps == 14
    assert len(drawn) == 7 * 14
    assert min(drawn) >= 0


def test_rows_are_spread_over_a_game(loops):
    game = zg.load_game("pylos")
    env, whole = (zg.BatchEnv(game, 6, seed=4, autoreset="same_step", threads=1) for _ in range(2))
    loops.spread_out(env, 31)
    snapshots = [whole.states()]
    for _ in range(31):
        whole.step(whole.sample())
        snapshots.append(whole.states())
    assert env.states() == [snapshots[i * 31 // 6][i] for i in range(6)]


def test_the_length_of_a_game_is_that_of_random_ones(loops):
    assert loops.mean_length("pylos") == round(float(np.mean(zg.simulate(zg.load_game("pylos"), 200, seed=1).plies)))


WRONG = {
    "reward": ("nothing", lambda out: np.add(out.rewards, 1, out=out.rewards)),
    "end": ("nothing", lambda out: np.logical_not(out.terminations, out=out.terminations)),
    "player": ("nothing", lambda out: np.subtract(1, out.current_players, out=out.current_players)),
    "observation": ("planes, mask", lambda out: out.observation.__setitem__((..., -1), 7)),
    "legal actions": ("planes, mask", lambda out: np.subtract(1, out.legal_mask, out=out.legal_mask)),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_row_is_not_timed(loops, what):
    form, tamper = WRONG[what]
    loop = loops.make_loop("pylos", form, 5, 1, 50)
    loops.compare(loop)
    loop.env = Tampered(loop.env, tamper)
    with pytest.raises(loops.DifferentAnswersError, match=f"^{what} of row 0"):
        loops.compare(loop)


@pytest.mark.parametrize(("form", "name"), [("compact, packed", "legal_packed"), ("compact, CSR", "legal_actions")])
def test_a_wrong_form_of_legality_is_not_timed(loops, form, name):
    def tamper(out):
        getattr(out, name)[:] = getattr(out, name) + 1

    loop = loops.make_loop("pylos", form, 5, 1, 50)
    loops.compare(loop)
    loop.env = Tampered(loop.env, tamper)
    with pytest.raises(loops.DifferentAnswersError, match="legal actions of row 0"):
        loops.compare(loop)


# The loops over one state.


@pytest.mark.parametrize("name", [*zg.games(), "blokus duo"])
def test_single_loops_do_what_they_count(loops, name):
    game = loops.play_game(name, positions=5)
    loops.check_single(game)
    assert len(game.positions) == 5
    assert game.positions[0] == game.start
    assert game.end.is_terminal()
    assert loops.replay(game) == game.end
    assert loops.play_drawn(game, 3, 70) == 70
    done = []
    loops.repeated(lambda: done.append(1), 3)()
    assert len(done) == 3
    works = dict(loops.single_loops(name, 50))
    assert list(works) == [
        "list, apply",
        "list, draw, apply",
        "mask and compact, out=",
        "mask and planes, out=",
        "pickle, unpickle",
    ]
    for runner in works.values():
        runner.time()
    assert works["list, apply"].amount == max(1, 50 // len(game.actions)) * len(game.actions)


def test_wrong_single_loops_are_not_timed(loops):
    game = loops.play_game("pylos")
    with pytest.raises(loops.DifferentAnswersError, match="replay"):
        loops.check_single(loops.Game(game.start, game.actions[:-1], game.positions, game.end))


# The script.


def test_the_tables_are_those_of_the_file(monkeypatch, capsys, batch, tmp_path):
    file, picture = tmp_path / "batch.json", tmp_path / "batch.svg"
    words = ["--games", "pylos", "numberplace_city", "--sizes", 1, 6, "--budget", 60, "--repetitions", 2]
    code, printed = run(monkeypatch, capsys, batch, *words, "--json", file, "--plot", picture)
    assert code == 0
    data = json.loads(file.read_text())
    entries = {(e["subject"], e["work"], e["rows"], e["threads"]): e for e in data["entries"]}
    assert len(entries) == 2 * (6 + 7 + 5)
    entry = entries["pylos", "compact, CSR", 6, 1]
    assert entry["amount"] == 60
    assert len(entry["seconds"]) == 2
    shown = next(line for line in printed.out.splitlines() if line.startswith("| pylos: compact, CSR"))
    median = 60 / (sum(entry["seconds"]) / 2)
    assert shown.split("|")[-2].strip() == f"{median:,.0f}"
    assert re.search(r"pylos, 6 rows, 2 threads", printed.out)
    svg = picture.read_text()
    assert all(word in svg for word in ("pylos", "numberplace", "batch size", "planes, mask"))
    again = run(monkeypatch, capsys, batch, "--data", file, "--plot", tmp_path / "again.svg")
    assert again[1].out == printed.out
    assert (tmp_path / "again.svg").read_text() == svg


def test_different_answers_are_a_failure(monkeypatch, capsys, batch):
    real, made = batch.make_loop, []

    def make(*words):
        loop = real(*words)
        if made:  # the second loop plays one step more
            loop.env.step(loop.env.sample(), out=loop.buffers)
        made.append(loop)
        return loop

    monkeypatch.setattr(batch, "make_loop", make)
    code, printed = run(monkeypatch, capsys, batch, "--games", "pylos", "--sizes", 4, "--budget", 8)
    assert (code, printed.out) == (1, "")
    assert printed.err.startswith("not compared, the answers differ: 4 rows of pylos")


@pytest.mark.parametrize(
    "words", [["--sizes", "0"], ["--budget", "0"], ["--repetitions", "0"], ["--games", "chess"], ["--sizes", "x"]]
)
def test_bad_words(monkeypatch, capsys, batch, words):
    with pytest.raises(SystemExit) as caught:
        run(monkeypatch, capsys, batch, *words)
    assert caught.value.code == 2


def test_a_picture_without_matplotlib_is_refused_at_once(monkeypatch, capsys, batch):
    monkeypatch.setattr(batch, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as caught:
        run(monkeypatch, capsys, batch, "--plot", "x.svg")
    assert caught.value.code == 2
    assert "ziggurat[plot]" in capsys.readouterr().err


@pytest.mark.parametrize("text", [None, "{", "[]", '{"facts": {}, "entries": [{"subject": "pylos"}]}'])
def test_data_that_is_none_is_refused(monkeypatch, capsys, batch, tmp_path, text):
    file = tmp_path / "batch.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(SystemExit, match=r"batch\.json is not what --json writes"):
        run(monkeypatch, capsys, batch, "--data", file)


# What the comparisons with other packages rest on.


def sequences(rules, depth, moves=()):
    """The games after each sequence of so many actions."""
    game = rules()
    for move in moves:
        game.play(move)
    if depth == len(moves):
        yield game
    else:
        for move in game.legal():
            yield from sequences(rules, depth, (*moves, move))


def test_plain_rules_count_right(steps):
    """9 * 8 * 7 * 6 * 5 sequences of five actions; in 8 lines * 3! orders * 6 * 5 replies the first player has won."""
    games = list(sequences(steps.tic_tac_toe, 5))
    assert (len(games), sum(game.over for game in games)) == (15120, 1440)
    assert {game.winner for game in games} == {None, 0}
    assert [sum(1 for _ in sequences(steps.connect_four, depth)) for depth in range(4)] == [1, 7, 49, 343]


@pytest.mark.parametrize("moves", [[0, 1, 0, 1, 0, 1, 0], [0, 0, 1, 1, 2, 2, 3], [0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3]])
def test_four_in_a_row_wins(steps, moves):
    game = steps.connect_four()
    for move in moves:
        assert not game.over
        assert move in game.legal()
        game.play(move)
    assert (game.over, game.winner, game.returns, game.legal()) == (True, 0, [1.0, -1.0], [])


def test_a_full_column_is_not_legal(steps):
    game = steps.connect_four()
    for _ in range(6):
        game.play(2)
    assert game.legal() == [0, 1, 3, 4, 5, 6]


class Mirror:
    """Plain rules as another package's game; at turn `wrong` it claims something else."""

    def __init__(self, rules, wrong=None):
        self.rules, self.wrong = rules, wrong

    def seen(self):
        legal = [*self.rules.legal(), 99] if len(self.rules.stones) == self.wrong else self.rules.legal()
        return self.rules.over, self.rules.player, legal, self.rules.returns

    def play(self, action):
        self.rules.play(action)


def test_packages_are_compared_turn_by_turn(steps):
    assert steps.compare_lines(steps.connect_four, lambda: Mirror(steps.connect_four()), 3).startswith("3 games, ")
    with pytest.raises(steps.DifferentAnswersError, match="after 5 turns"):
        steps.compare_lines(steps.connect_four, lambda: Mirror(steps.connect_four(), wrong=5), 3)
    with pytest.raises(steps.DifferentAnswersError):
        steps.compare_lines(steps.connect_four, lambda: Mirror(steps.tic_tac_toe()), 3)


def test_rows_are_drawn_uniformly(steps):
    mask = np.array([[0, 1, 0, 1, 1], [0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [1, 1, 1, 1, 1]], np.uint8)
    rng = np.random.default_rng(random.Random(1).getrandbits(32))
    drawn = np.array([steps.draw_rows(mask, rng) for _ in range(6000)])
    assert set(drawn[:, 1]) == {0}
    assert set(drawn[:, 2]) == {2}
    for row, mean in ((0, 2000), (3, 1200)):
        ids, counts = np.unique(drawn[:, row], return_counts=True)
        assert ids.tolist() == np.flatnonzero(mask[row]).tolist()
        assert (np.abs(counts - mean) < 5 * mean**0.5).all()
    assert steps.draw_rows(np.zeros((2, 3), bool), rng).tolist() == [0, 0]


def test_our_side_of_the_comparisons_plays(steps):
    for runner in (*steps.our_states(40, ["pylos"]), *steps.our_batches(4, actions=20)):
        runner.time()
        assert runner.best() > 0
    loop = steps.make_loop("pylos", "planes, mask", 5, 1, 50)
    steps.compare(loop)  # fills the mask
    before = loop.env.episodes().sum()
    for _ in range(20):
        steps.play_drawn_rows(loop, np.random.default_rng(1))
    assert loop.env.episodes().sum() > before
    steps.compare(loop)
