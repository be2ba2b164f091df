"""Random games: each is played again choice by choice, and in many the ends and the counters add up."""

import random

import numpy as np
import pytest
from common import GAMES, has_secrets

import ziggurat as zg
from ziggurat.reference.random import CHOICES, Stream, stream_key

KINDS = ("enter", "move", "capture", "demolish", "build", "swap")
PHASES = ("phase_1", "phase_2", "phase_3", "phase_4")
TABLES = [(preset, players) for preset in zg.describe("blox")["presets"] for players in (2, 3, 4)]


def kind_of(text):
    """[BX-5] The kind of the action that begins a turn of Blox."""
    signs = {"@": "enter", "-": "move", "x": "capture", "d": "demolish", "b": "build", "~": "swap"}
    return next(signs[sign] for sign in text[:1] + text[2:3] + text[1:2] if sign in signs)


def counted(state, action, counts):
    """Count what an action of Blox is, seen from outside: by its text, and by the phase in the text of the position."""
    text = state.action_to_string(action)
    if not state.in_turn():
        for name in (kind_of(text), f"phase_{state.serialize().split(' ')[6][0]}"):
            counts[name] += 1
    counts["joker"] += text[-1] == "j" and text[0] != "~"


def choices(state, uniform):
    """What a play-out chooses from, as lists of actions."""
    if uniform == "action":
        return [[action] for action in state.legal_actions().tolist()]
    return [state.string_to_turn(turn) for turn in zg.perft(state, 1, divide=True)]


def played_again(game, seed, uniform):
    """The columns of the first game of a run, played as `docs/random-stream.md` lays it down."""
    state, stream = game.new_initial_state(seed), Stream(stream_key(seed, 0, CHOICES))
    sizes, plies, turns = [], 0, 0
    counts = dict.fromkeys(zg.describe(game.name)["counters"], 0)
    while not state.is_terminal():
        steps = choices(state, uniform)
        sizes.append(len(steps))
        for action in steps[stream.bounded(len(steps))]:
            if counts:
                counted(state, action, counts)
            state.apply_action(action)
            plies += 1
            assert state._broken_invariant() == ""
        turns += not state.in_turn()
    if counts:
        counts["limit"] += state.serialize().split(" ")[6:8] != ["4+", "0"]  # [BX-4.1]
    return {
        "scores": state.scores().tolist(),
        "returns": state.returns().tolist(),
        "winners": sum(1 << player for player in state.winners()),
        "plies": plies,
        "turns": turns,
        "legal_total": sum(sizes),
        "legal_max": max(sizes),
        **counts,
    }


def compare(text, seed, uniform):
    """A run of one game has the columns of this game."""
    results = zg.simulate(zg.load_game(text), 1, seed=seed, uniform=uniform)
    again = played_again(zg.load_game(text), seed, uniform)
    assert {name: column[0].tolist() for name, column in results.columns().items() if name in again} == again


@pytest.mark.parametrize("text", GAMES)
def test_a_random_game_can_be_played_again(text):
    for seed in (0, 5, 2**64 - 1):
        compare(text, seed, "action")


@pytest.mark.parametrize("text", [text for text in GAMES if "max_turns" in text and has_secrets(zg.load_game(text))])
def test_a_random_game_of_turns_can_be_played_again(text):
    compare(text, 3, "turn")


# Many games.


def check_ends(game, results):
    """[BX-4.1] [BX-4.2] Every game ended by the rules, at the end of a round, or is counted as one of the limit."""
    limited, most = results.counters["limit"], game.options["max_turns"]
    assert set(np.unique(limited)) <= {0, 1}
    assert (results.turns[limited == 1] == most).all()
    assert (results.turns[limited == 0] % game.num_players() == 0).all()
    assert (results.turns <= most).all()
    assert (results.winners > 0).all()
    assert (results.winners < 1 << game.num_players()).all()


def check_sums(game, results):
    """[BX-11] Each turn is of one kind and begun in one phase."""
    counters = results.counters
    assert list(counters) == [*KINDS, "joker", *PHASES, "limit"]
    assert np.array_equal(sum(counters[name] for name in KINDS), results.turns)
    assert np.array_equal(sum(counters[name] for name in PHASES), results.turns)
    assert (counters["joker"] <= counters["swap"] + game.num_players()).all()  # active at the start, and after a swap
    for phase in range(1, game.options["start_phase"]):
        assert not counters[f"phase_{phase}"].any()


def check_points(results):
    """Points are made by demolitions, captures and builds; each tower has a point at least, each capture three."""
    counters, points = results.counters, results.scores.sum(axis=1)
    makers = counters["demolish"] + counters["capture"] + counters["build"]
    assert (results.scores >= 0).all()
    assert ((points > 0) == (makers > 0)).all()
    assert (points >= counters["demolish"] + 3 * counters["capture"] + 2 * counters["build"]).all()
    assert (points <= 4 * counters["demolish"] + 4 * counters["capture"] + 7 * counters["build"]).all()
    best = results.scores == results.scores.max(axis=1, keepdims=True)
    won = results.winners[:, None] >> np.arange(results.scores.shape[1], dtype=np.uint32) & 1
    assert not (won.astype(bool) & ~best).any()


@pytest.mark.slow
@pytest.mark.parametrize("uniform", ["action", "turn"])
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_thousands_of_games_end_and_their_counters_add_up(preset, players, uniform):
    game, games = zg.load_game("blox", preset, players=players), {"action": 1500, "turn": 250}[uniform]
    results = zg.simulate(game, games, seed=players, uniform=uniform, threads=0)
    check_ends(game, results)
    check_sums(game, results)
    check_points(results)
    happening = [*KINDS, "joker", *PHASES[game.options["start_phase"] - 1 :]]
    assert all(results.counters[name].sum() > 0 for name in happening)
    assert 0 < results.counters["limit"].sum() < games
    for seed in random.Random(players).sample(range(10**9), 2):
        compare(str(game), seed, "action")


@pytest.mark.parametrize("text", [text for text in GAMES if has_secrets(zg.load_game(text))])
def test_counters_add_up(text):
    game = zg.load_game(text)
    for uniform in ("action", "turn"):
        results = zg.simulate(game, 50, seed=1, uniform=uniform)
        check_ends(game, results)
        check_sums(game, results)


@pytest.mark.parametrize("name", zg.games())
def test_a_run_has_the_counters_of_its_game(name):
    for games in (0, 3):
        results = zg.simulate(zg.load_game(name), games, seed=1)
        assert list(results.counters) == zg.describe(name)["counters"]
        for column in results.counters.values():
            assert column.dtype == np.int32
            assert column.shape == (games,)
    assert bool(results.counters) == has_secrets(zg.load_game(name))
