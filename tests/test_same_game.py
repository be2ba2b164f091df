"""The native engine against the pure-Python reference: the same games, position by position and choice by choice."""

import random

import pytest
from common import GAMES, both, columns, facts

import ziggurat as zg
from ziggurat import reference

QUICK = [text for text in GAMES if text.startswith("pylos")]
LONG = [text for text in GAMES if text not in QUICK]  # a position costs the reference milliseconds


def play_both(text, seed, count_turns_every, limit=400):
    """Play a random game in both implementations, compare all they say in every position, and count the positions."""
    rng = random.Random(f"{text} {seed}")
    native, slow = (game.new_initial_state() for game in both(text))
    for ply in range(limit):
        assert facts(native) == facts(slow)
        if ply % count_turns_every == 0:
            assert native.count_turns() == slow.count_turns()
        if native.is_terminal():
            return ply + 1
        action = int(rng.choice(native.legal_actions()))
        native.apply_action(action)
        slow.apply_action(action)
    return limit


@pytest.mark.parametrize("text", GAMES)
def test_games_have_the_same_face(text):
    native, slow = both(text)
    for game in (native, slow):
        assert str(game) == text
    assert native.name == slow.name
    assert list(native.options.items()) == list(slow.options.items())
    assert [type(value) for value in native.options.values()] == [type(value) for value in slow.options.values()]
    for ask in ("num_players", "num_distinct_actions", "max_game_length", "observation_tensor_shape", "num_symmetries"):
        assert getattr(native, ask)() == getattr(slow, ask)(), ask


@pytest.mark.parametrize("name", zg.games())
def test_actions_have_the_same_texts(name):
    for text in {t for t in GAMES if t.startswith(f"{name}(") and ("base=3" in t or t == f"{name}()")}:
        native, slow = both(text)
        for action in range(native.num_distinct_actions()):
            written = native.action_to_string(action)
            assert written == slow.action_to_string(action)


@pytest.mark.parametrize("text", QUICK)
def test_random_games_agree_in_every_position(text):
    assert sum(play_both(text, seed, 1) for seed in range(10)) > 15


@pytest.mark.parametrize("text", LONG)
def test_a_random_game_agrees_in_every_position(text):
    assert play_both(text, 0, 40) > 40


@pytest.mark.slow
@pytest.mark.parametrize("text", QUICK)
def test_many_random_games_agree_in_every_position(text):
    assert sum(play_both(text, seed, 1) for seed in range(100, 160)) > 60


@pytest.mark.slow
@pytest.mark.parametrize("text", LONG)
def test_more_random_games_agree_in_every_position(text):
    assert sum(play_both(text, seed, 25) for seed in (100, 101)) > 80


def compare_runs(text, games, seed, uniform):
    native, slow = both(text)
    ours = columns(zg.simulate(native, games, seed=seed, uniform=uniform))
    assert ours == columns(reference.simulate(slow, games, seed=seed, uniform=uniform))
    assert min(ours["plies"]) > 0


@pytest.mark.parametrize("uniform", ["action", "turn"])
@pytest.mark.parametrize("text", QUICK)
def test_simulated_games_are_the_same(text, uniform):
    for seed in (0, 1, 2**64 - 1):
        compare_runs(text, 2, seed, uniform)


@pytest.mark.parametrize("text", LONG)
def test_simulated_long_games_are_the_same(text):
    compare_runs(text, 1, 3, "action")
    compare_runs(text, 1, 2**64 - 1, "action")


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for text in LONG if "skip" not in text])
def test_simulated_long_games_of_turns_are_the_same(text):
    compare_runs(text, 2, 7, "turn")


@pytest.mark.slow
@pytest.mark.parametrize("text", QUICK)
@pytest.mark.parametrize("uniform", ["action", "turn"])
def test_many_simulated_games_are_the_same(text, uniform):
    compare_runs(text, 40, 2026, uniform)


@pytest.mark.parametrize("text", GAMES)
def test_a_text_of_one_is_read_and_played_on_by_the_other(text):
    every = 1 if text in QUICK else 25
    rng = random.Random(text)
    states = [game.new_initial_state() for game in both(text)]
    for ply in range(60):
        if states[0].is_terminal():
            return
        if ply % every == 0:
            texts = [state.serialize() for state in states]
            read = [game.deserialize(other) for game, other in zip(both(text), reversed(texts), strict=True)]
            assert read == states
            states = read
        action = int(rng.choice(states[0].legal_actions()))
        for state in states:
            state.apply_action(action)


@pytest.mark.parametrize("text", QUICK)
def test_turns_and_symmetries_agree(text):
    rng = random.Random(text)
    native, slow = (game.new_initial_state() for game in both(text))
    for _ in range(40):
        if native.is_terminal():
            return
        turns = list(zg.perft(native, 1, divide=True))
        assert turns == list(reference.perft(slow, 1, divide=True))
        k = rng.randrange(native.get_game().num_symmetries())
        assert native.transformed(k).serialize() == slow.transformed(k).serialize()
        turn = rng.choice(turns)
        actions = native.string_to_turn(turn)
        assert actions == slow.string_to_turn(turn)
        assert native.turn_to_string(actions) == slow.turn_to_string(actions) == turn
        for action in actions:
            native.apply_action(action)
            slow.apply_action(action)


@pytest.mark.parametrize("name", zg.games())
def test_transformed_actions_agree(name):
    native, slow = both(name)
    for k in range(native.num_symmetries()):
        for action in range(0, native.num_distinct_actions(), 1 if native.num_distinct_actions() < 1000 else 97):
            assert native.transform_action(action, k) == slow.transform_action(action, k)
