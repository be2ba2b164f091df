"""The script bench/endings.py: what careful players do, what is counted, and when it fails."""

import random
import sys
from pathlib import Path

import numpy as np
import pytest

import ziggurat as zg

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def endings(monkeypatch):
    """The module, which finds its neighbours as a script does."""
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.delitem(sys.modules, "endings", raising=False)
    import endings

    return endings


def run(monkeypatch, capsys, endings, *words):
    monkeypatch.setattr(sys, "argv", ["endings.py", *map(str, words)])
    code = endings.main()
    return code, capsys.readouterr()


def fitting(state):
    """The lays that no built tile contradicts, by the texts of actions and the board alone."""
    built = np.asarray(state.analysis("built"))
    found = set()
    for action in state.legal_actions():
        text = state.action_to_string(action)
        if text[0] == "r" and text[1].isdigit():
            row, column, number = int(text[1]) - 1, int(text[3]) - 1, int(text[5])
            block = built[row // 3 * 3 : row // 3 * 3 + 3, column // 3 * 3 : column // 3 * 3 + 3]
            if number not in built[row] and number not in built[:, column] and number not in block:
                found.add(int(action))
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_careful_players_lay_what_fits(endings, players):
    view = np.empty((9, 9, 9), np.int32)
    rng, kinds = random.Random(players), set()
    for seed in range(6):
        state = zg.load_game("numberplace_city", players=players).new_initial_state(seed)
        while not state.is_terminal():
            fits = fitting(state)
            action = endings.careful_action(state, view, view.reshape(-1), rng)
            assert state.is_legal(action)
            if fits and action < endings.LAYS:
                assert action in fits
            lays = bool(state.legal_actions()[0] < endings.LAYS)
            assert not (lays and fits) or action in fits
            kinds.add((lays, bool(fits)))
            state.apply_action(action)
    assert kinds == {(True, True), (True, False), (False, False)}


def test_careful_players_draw_uniformly(endings):
    state = zg.load_game("numberplace_city", players=2).new_initial_state(1)
    view, rng = np.empty((9, 9, 9), np.int32), random.Random(0)
    drawn = [endings.careful_action(state, view, view.reshape(-1), rng) for _ in range(20_000)]
    actions, counts = np.unique(drawn, return_counts=True)
    assert set(actions.tolist()) == fitting(state)
    mean = 20_000 / len(actions)
    assert (np.abs(counts - mean) < 5 * mean**0.5).all()


def test_random_games_are_those_of_the_engine(endings):
    game = zg.load_game("numberplace_city", players=2)
    tally, results = endings.random_games(game, 50, 3), zg.simulate(game, 50, 3)
    assert sum(tally.ends.values()) == 50
    assert tally.ends["last"] == results.counters["end_last"].sum() > 0
    assert tally.turns == results.turns.tolist()
    assert tally.points == results.scores.sum(axis=1).tolist()
    assert tally.penalties == results.counters["penalties"].tolist()


def test_careful_games_depend_on_the_seed_alone(endings):
    game = zg.load_game("numberplace_city", players=3)
    tally = endings.careful_games(game, 12, 3)
    assert tally == endings.careful_games(game, 12, 3)
    assert endings.careful_games(game, 5, 3).turns == tally.turns[:5]
    assert tally.turns != endings.careful_games(game, 12, 4).turns
    assert sum(tally.ends.values()) == 12
    assert np.mean(tally.turns) > 1.5 * np.mean(endings.random_games(game, 50, 3).turns)
    assert max(tally.built) <= 81


def test_the_table(monkeypatch, capsys, endings):
    code, printed = run(monkeypatch, capsys, endings, "--games", 20, "--seed", 4)
    assert (code, printed.err) == (0, "")
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in printed.out.splitlines()[2:]]
    assert lines[0] == endings.HEADERS
    assert [line[:2] for line in lines[2:]] == [[what, n] for n in "234" for what in ("random", "careful")]
    for line in lines[2:]:
        shares = [float(cell.rstrip("%")) for cell in line[2 : 2 + len(endings.ENDS)]]
        assert sum(shares) == pytest.approx(100, abs=0.05)


@pytest.mark.parametrize("policy", ["random", "careful"])
def test_games_that_reach_the_limit_are_a_failure(monkeypatch, capsys, endings, policy):
    limit = 30 if policy == "random" else 68  # more than random games take
    code, printed = run(monkeypatch, capsys, endings, "--games", 10, "--option", f"max_turns={limit}")
    assert (code, printed.out) == (1, "")
    assert printed.err.startswith("not all games end: ")
    assert f"of 10 {policy} games of numberplace_city(players=2,max_turns={limit}) ended by the limit" in printed.err


def test_games_that_do_not_end_are_a_failure(monkeypatch, endings):
    game = zg.load_game("numberplace_city", players=2)

    class Endless:
        num_players, new_initial_state = game.num_players, game.new_initial_state

        def max_game_length(self):
            return 20

    with pytest.raises(endings.EndlessError, match="game 0 goes on after 20 turns"):
        endings.careful_games(Endless(), 1, 0)


@pytest.mark.parametrize("words", [["--games", "0"], ["--seed", "-1"], ["--games", "x"]])
def test_bad_words(monkeypatch, capsys, endings, words):
    with pytest.raises(SystemExit) as caught:
        run(monkeypatch, capsys, endings, *words)
    assert caught.value.code == 2


def test_variants_are_loaded_in_both_engines(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.delitem(sys.modules, "harness", raising=False)
    import harness

    from ziggurat import reference

    for subject in harness.subjects():
        assert str(harness.load(zg, subject)) == str(harness.load(reference, subject))
    assert "numberplace_city players=2" in harness.subjects()
    assert str(harness.load(zg, "numberplace_city players=2")) == "numberplace_city(players=2)"
    assert str(harness.load(zg, "numberplace_city players=2", max_turns=9)) == "numberplace_city(players=2,max_turns=9)"
    assert str(harness.load(zg, "blokus duo")) == str(zg.load_game("blokus", "duo"))
