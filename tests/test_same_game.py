"""The native engine against the pure-Python reference: the same games, position by position and choice by choice."""

import random
import re

import numpy as np
import pytest
from common import (
    GAMES,
    LONG,
    QUICK,
    SETS_OF_ACTIONS,
    arrays,
    both,
    chosen,
    columns,
    facts,
    is_costly,
    one_each,
    positions,
    samples,
    views,
)

import ziggurat as zg
from ziggurat import reference

EVERY = 97  # of many ids, one is asked about

# Of games that cost the reference much: in which of how many positions all is compared, first quickly, then slowly; and
# how many simulated games of actions and of turns.
PACES = {
    "blox": (
        {"enough": 100, "every": 2, "every_turn": 4, "every_array": 3, "every_sample": 3, "limit": 50},
        {"enough": 100, "every_turn": 2, "every_array": 2, "every_sample": 2, "limit": 60},
    ),
    "numberplace_city": (
        {"enough": 100, "every": 3, "every_turn": 8, "every_array": 6, "every_sample": 5},
        {"enough": 120, "every": 2, "every_turn": 5, "every_array": 4, "every_sample": 4},
    ),
}
FREE = {"enough": 10_000}, {"enough": 1500, "every_array": 3}
MANY_GAMES = {"blox": (2, 2), "numberplace_city": (20, 1)}


def pace(text, slow=False):
    """How to compare positions of a game."""
    return PACES.get(zg.load_game(text).name, FREE)[slow]


def brief(state):
    """What an implementation says quickly about a state."""
    return state.serialize(), state.current_player(), [int(action) for action in state.legal_actions()]


def said(state, ply, every):
    """All about a state, or every so many plies only."""
    return facts(state) if ply % every == 0 else brief(state)


def beginning(text, seed):
    """A position to play on from: the start, and in a long game also a third and two thirds of a random one."""
    native, slow = both(text)
    if seed % 3 == 0 or not is_costly(native):
        return native.new_initial_state(seed), slow.new_initial_state(seed)
    states = list(positions(native, range(seed, seed + 1), 1000))
    state = states[len(states) * (seed % 3) // 3]
    return state, slow.deserialize(state.serialize())


def play_both(text, seed, every=1, every_turn=1, every_array=1, every_sample=25, limit=400):
    """Play a random game in both implementations, compare what they say in its positions, and count these."""
    rng = random.Random(f"{text} {seed}")
    native, slow = beginning(text, seed)
    for ply in range(limit):
        assert said(native, ply, every) == said(slow, ply, every)
        if ply % every_turn == 0:
            assert native.count_turns() == slow.count_turns()
        if ply % every_array == 0:
            assert arrays(native) == arrays(slow)
            assert views(native) == views(slow)
        if ply % (every_sample) == 0:
            assert samples(native, range(ply, ply + 2)) == samples(slow, range(ply, ply + 2))
        if native.is_terminal():
            assert facts(native) == facts(slow)
            return ply + 1
        action = chosen(rng, native)
        assert native.events(action) == slow.events(action)
        native.apply_action(action)
        slow.apply_action(action)
    return limit


def play_many(text, seeds, enough, **steps):
    """Play random games until so many positions were compared, and count these."""
    positions = 0
    for seed in seeds:
        positions += play_both(text, seed, **steps)
        if positions >= enough:
            break
    return positions


@pytest.mark.parametrize("text", GAMES)
def test_events_of_all_legal_actions_agree(text):
    """Of every action that some positions offer, reveals and decisions among them; asking changes nothing."""
    rng, told = random.Random(text), 0
    states = list(positions(zg.load_game(text), range(3)))
    for state in [states[0], *rng.sample(states, 4)]:
        slow, before = reference.load_game(text).deserialize(state.serialize()), state.clone()
        legal = [int(action) for action in state.legal_actions()]
        for action in legal if len(legal) < 300 else rng.sample(legal, 20):
            ours, theirs = ([list(event.items()) for event in each.events(action)] for each in (state, slow))
            assert ours == theirs  # the keys in the same order
            told += len(ours)
        assert state == before
        assert slow.serialize() == before.serialize()
    assert bool(told) == tells_events(text)


def tells_events(text):
    """Whether the rules page of a game has events."""
    return "Events" in "".join(re.findall(r"^## .*", zg.rules(zg.load_game(text).name), re.MULTILINE))


@pytest.mark.parametrize("text", GAMES)
def test_events_of_what_is_not_legal_are_refused_alike(text):
    """With the words of `apply_action`, in a position and after the end; a state is never changed."""
    last = zg.load_game(text).num_distinct_actions() - 1
    for native in some_of_a_game(text):
        slow, before = reference.load_game(text).deserialize(native.serialize()), native.serialize()
        illegal = np.flatnonzero(native.legal_actions_mask() == 0).tolist()
        for action in random.Random(text).sample(illegal, min(8, len(illegal))):
            for state in (native, slow):
                said = []
                for ask in (state.events, state.apply_action):
                    with pytest.raises(zg.IllegalActionError) as caught:
                        ask(action)
                    said.append(str(caught.value))
                assert said[0] == said[1]
                assert f"action {action} " in said[0]
        for state in (native, slow):
            for bad in (-1, last + 1):
                with pytest.raises(ValueError, match=str(last)) as caught:
                    state.events(bad)
                assert str(bad) in str(caught.value)
            assert state.serialize() == before


def some_of_a_game(text):
    """A position in the middle of a random game, and its end."""
    states = list(positions(zg.load_game(text), range(1), 5000 if text in QUICK else 400))
    return [states[len(states) // 2], states[-1]]


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


@pytest.mark.parametrize("text", SETS_OF_ACTIONS)
def test_actions_have_the_same_texts(text):
    native, slow = both(text)
    for action in range(native.num_distinct_actions()):
        assert native.action_to_string(action) == slow.action_to_string(action)


@pytest.mark.parametrize("text", SETS_OF_ACTIONS)
def test_tables_are_the_same(text):
    native, slow = both(text)
    names = list(zg.describe(native.name)["tables"])
    for name in names:
        assert np.array_equal(np.ravel(native.table(name)), slow.table(name)), name
    assert bool(names) == (native.name in ("blokus", "numberplace_city"))


@pytest.mark.parametrize("text", QUICK)
def test_random_games_agree_in_every_position(text):
    assert play_many(text, range(10), **pace(text)) > 15


@pytest.mark.parametrize("text", LONG)
def test_a_random_game_agrees_in_every_position(text):
    assert play_both(text, 0, every=5, every_turn=40, every_array=20) > 20


@pytest.mark.slow
@pytest.mark.parametrize("text", QUICK)
def test_many_random_games_agree_in_every_position(text):
    assert play_many(text, range(99, 160), **pace(text, slow=True)) > 60


@pytest.mark.slow
@pytest.mark.parametrize("text", LONG)
def test_more_random_games_agree_in_every_position(text):
    assert play_both(text, 100, every_turn=25, every_array=5) > 20


def compare_runs(text, games, seed, uniform):
    native, slow = both(text)
    ours = columns(zg.simulate(native, games, seed=seed, uniform=uniform))
    assert ours == columns(reference.simulate(slow, games, seed=seed, uniform=uniform))
    assert min(ours["plies"]) > 0


def shorter(text):
    """The game with fewer turns, if it is costly: games of thousands of turns are for the native engine."""
    game = zg.load_game(text)
    if not is_costly(game):
        return text
    return str(zg.load_game(text, max_turns=min(game.options["max_turns"], 40) or 40))


@pytest.mark.parametrize("uniform", ["action", "turn"])
@pytest.mark.parametrize("text", QUICK)
def test_simulated_games_are_the_same(text, uniform):
    seeds = (0, 1, 2**64 - 1)
    few = zg.load_game(text).name in PACES
    for seed in seeds[2 * (uniform == "turn") :] if few else seeds:
        compare_runs(shorter(text), 1 if few else 2, seed, uniform)


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
    games = MANY_GAMES.get(zg.load_game(text).name, (40, 40))
    compare_runs(shorter(text), games[uniform == "turn"], 2026, uniform)


@pytest.mark.parametrize("text", GAMES)
def test_a_text_of_one_is_read_and_played_on_by_the_other(text):
    every = 1 if text in QUICK else 25
    rng = random.Random(text)
    states = [game.new_initial_state(5) for game in both(text)]
    for ply in range(60):
        if ply % every == 0:
            texts = [state.serialize() for state in states]
            read = [game.deserialize(other) for game, other in zip(both(text), reversed(texts), strict=True)]
            assert read == states
            states = read
        if states[0].is_terminal():
            return
        action = chosen(rng, states[0])
        for state in states:
            state.apply_action(action)


@pytest.mark.parametrize("text", QUICK)
def test_turns_agree(text):
    rng = random.Random(text)
    native, slow = beginning(text, 1)
    for _ in range(12 if native.get_game().name in PACES else 40):
        if native.is_terminal():
            return
        turns = list(zg.perft(native, 1, divide=True))
        assert turns == list(reference.perft(slow, 1, divide=True))
        turn = rng.choice(turns)
        actions = native.string_to_turn(turn)
        assert actions == slow.string_to_turn(turn)
        assert native.turn_to_string(actions) == slow.turn_to_string(actions) == turn
        for action in actions:
            native.apply_action(action)
            slow.apply_action(action)


@pytest.mark.parametrize("text", GAMES)
def test_images_and_canonical_states_agree(text):
    rng, every = random.Random(text), 1 if text in QUICK else 12
    native, slow = (game.new_initial_state(6) for game in both(text))
    for ply in range(60):
        if ply % every == 0 or native.is_terminal():
            for k in range(native.get_game().num_symmetries()):
                assert native.transformed(k).serialize() == slow.transformed(k).serialize()
            (ours, k), (theirs, other) = native.canonical(), slow.canonical()
            assert (ours.serialize(), k) == (theirs.serialize(), other)
        if native.is_terminal():
            return
        action = chosen(rng, native)
        native.apply_action(action)
        slow.apply_action(action)


@pytest.mark.parametrize("text", one_each("base", "board", "colours", "sharing", "start", "starts", "pieces"))
def test_transformed_actions_agree(text):
    native, slow = both(text)
    for k in range(native.num_symmetries()):
        for action in range(0, native.num_distinct_actions(), EVERY if text in LONG else 1):
            assert native.transform_action(action, k) == slow.transform_action(action, k)
