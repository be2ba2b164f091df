"""Random games: each is played again choice by choice, and in many the ends and the counters add up."""

import random
from collections import Counter
from importlib import import_module

import numpy as np
import pytest
from common import GAMES

import ziggurat as zg
from ziggurat.reference.random import CHOICES, Stream, stream_key

COUNTED = [text for text in GAMES if zg.describe(zg.load_game(text).name)["counters"]]


def counting(game):
    """What the counters of a game are, seen from outside: its module `counters_...`; None if it has none."""
    return import_module(f"counters_{game.name}") if zg.describe(game.name)["counters"] else None


def choices(state, uniform):
    """What a play-out chooses from, as lists of actions."""
    if uniform == "action":
        return [[action] for action in state.legal_actions().tolist()]
    return [state.string_to_turn(turn) for turn in zg.perft(state, 1, divide=True)]


def played_again(game, seed, uniform):
    """The columns of the first game of a run, played as `docs/random-stream.md` lays it down."""
    state, stream, count = game.new_initial_state(seed), Stream(stream_key(seed, 0, CHOICES)), counting(game)
    sizes, plies, turns = [], 0, 0
    counts = dict.fromkeys(zg.describe(game.name)["counters"], 0)
    while not state.is_terminal():
        steps = choices(state, uniform)
        sizes.append(len(steps))
        for action in steps[stream.bounded(len(steps))]:
            if count:
                count.count_action(state, action, counts)
            state.apply_action(action)
            plies += 1
            assert state._broken_invariant() == ""
        turns += not state.in_turn()
    if count:
        count.count_end(state, counts)
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


@pytest.mark.parametrize("text", [text for text in COUNTED if "max_turns" in text])
def test_a_random_game_of_turns_can_be_played_again(text):
    compare(text, 3, "turn")


# Many games.


@pytest.mark.parametrize("text", COUNTED)
def test_counters_add_up(text):
    game = zg.load_game(text)
    for uniform in ("action", "turn"):
        counting(game).check(game, zg.simulate(game, 50, seed=1, uniform=uniform))


@pytest.mark.slow
@pytest.mark.parametrize("uniform", ["action", "turn"])
@pytest.mark.parametrize(
    ("preset", "players"), [(preset, players) for preset in zg.describe("blox")["presets"] for players in (2, 3, 4)]
)
def test_thousands_of_games_of_blox_end_and_their_counters_add_up(preset, players, uniform):
    game, games = zg.load_game("blox", preset, players=players), {"action": 1500, "turn": 250}[uniform]
    results = zg.simulate(game, games, seed=players, uniform=uniform, threads=0)
    counting(game).check(game, results)
    counting(game).check_points(results)
    assert all(results.counters[name].sum() > 0 for name in counting(game).happening(game))
    assert 0 < results.counters["limit"].sum() < games
    for seed in random.Random(players).sample(range(10**9), 2):
        compare(str(game), seed, "action")


@pytest.mark.slow
@pytest.mark.parametrize("settings", ["", "recycle=false", "bonus_scope=all_up_to", "tiles_per_number=12"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_thousands_of_games_of_numberplace_city_end_by_the_rules(players, settings):
    game = zg.load_game(f"numberplace_city({settings})", players=players, max_turns=0)
    results = zg.simulate(game, 20_000, seed=players, threads=0)
    counting(game).check(game, results)
    assert not results.counters["limit"].any()
    happening = ["pass", "declined", "eliminated", "end_bonus", "end_last", "end_nobody"]
    assert all(results.counters[name].sum() > 0 for name in [*happening, *(f"bonus_{n}" for n in range(1, 10))])
    assert players == 2 or results.counters["end_count"].any()
    for seed in random.Random(players).sample(range(10**9), 10):
        compare(str(game), seed, "action")


def careful(rng, state):
    """An action that does not lay against the board that everybody sees, if there is one; a pass costs a tile."""
    legal = state.legal_actions()
    good = np.intersect1d(legal, np.flatnonzero(state.candidates(state.current_player())))
    return int(rng.choice(good if len(good) else legal))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_careful_games_of_numberplace_city_end_by_the_rules(players):
    """[NC-5.2] The limit is not what ends them; they end in several ways, by points among them."""
    game, ends = zg.load_game("numberplace_city", players=players), Counter()
    for seed in range(300):
        state, rng = game.new_initial_state(seed), random.Random(seed)
        while not state.is_terminal():
            state.apply_action(careful(rng, state))
            assert seed % 10 or state._broken_invariant() == ""
        ends[state.serialize().split(" ")[9].split(":")[0]] += 1
    assert "-" not in ends
    assert ends["points"] > 5


@pytest.mark.parametrize("name", zg.games())
def test_a_run_has_the_counters_of_its_game(name):
    for games in (0, 3):
        results = zg.simulate(zg.load_game(name), games, seed=1)
        assert list(results.counters) == zg.describe(name)["counters"]
        for column in results.counters.values():
            assert column.dtype == np.int32
            assert column.shape == (games,)
    assert bool(results.counters) == (name in ("blox", "numberplace_city"))
