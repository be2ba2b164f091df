"""Laws that hold for every game with every option: a new game is under them as soon as it is registered."""

import copy
import pickle
import random
import re

import blokus_model
import numpy as np
import pytest
from common import GAMES, chosen, columns, has_secrets, is_long, positions, walk

import ziggurat as zg

MANY_IDS = 1000  # games with more action ids are asked about all of them in a few positions only


@pytest.fixture(params=GAMES)
def game(request):
    return zg.load_game(request.param)


def is_large(game):
    return game.num_distinct_actions() > MANY_IDS


def some(game, seeds=range(4)):
    """Positions of random games, from start to end: all of them, or every seventh where they are long or many."""
    every = 7 if is_large(game) or is_long(game) else 1
    return [state for i, state in enumerate(positions(game, seeds, 1000)) if i % every == 0]


def plays_on(state, seed, plies):
    """The texts of the states of a random game that goes on from a copy of this one."""
    rng, copied, texts = random.Random(seed), state.clone(), []
    for _ in range(plies):
        if copied.is_terminal():
            break
        copied.apply_action(chosen(rng, copied))
        texts.append(copied.serialize())
    return texts


def test_the_readings_of_the_legal_actions_agree(game):
    for state in some(game):
        legal = state.legal_actions()
        assert legal.dtype == np.int32
        assert (np.diff(legal) > 0).all()
        assert state.count_legal() == len(legal)
        mask = state.legal_actions_mask()
        assert mask.dtype == np.uint8
        assert mask.shape == (game.num_distinct_actions(),)
        assert np.array_equal(np.flatnonzero(mask), legal)
        assert set(np.unique(mask)) <= {0, 1}


def test_an_action_is_legal_exactly_when_it_is_listed(game):
    states = some(game)
    for state in random.Random(1).sample(states, min(len(states), 8 if is_large(game) else 60)):
        listed = set(state.legal_actions().tolist())
        assert {action for action in range(game.num_distinct_actions()) if state.is_legal(action)} == listed


def test_illegal_actions_are_refused_and_change_nothing(game):
    rng = random.Random(2)
    for state in some(game):
        before, text, number = state.clone(), state.serialize(), hash(state)
        illegal = np.flatnonzero(state.legal_actions_mask() == 0).tolist()
        for action in rng.sample(illegal, min(len(illegal), 5)):
            with pytest.raises(zg.IllegalActionError) as caught:
                state.apply_action(action)
            assert game.action_to_string(action) in str(caught.value)
            if not state.is_terminal():
                assert f"player {state.current_player()}" in str(caught.value)
                assert re.search(r"\[[A-Z]{2}-\d+\.\d+\]", str(caught.value))  # the clause that forbids it
        assert state == before
        assert (state.serialize(), hash(state)) == (text, number)


def test_every_position_survives_its_text(game):
    for state in some(game):
        read = game.deserialize(state.serialize())
        assert read == state
        assert hash(read) == hash(state)
        assert read.serialize() == state.serialize()
        assert zg.restore_state(state.serialize()) == state
        assert plays_on(read, 3, 5) == plays_on(state, 3, 5)


@pytest.mark.parametrize(
    "copied",
    [
        lambda state: state.clone(),
        copy.copy,
        copy.deepcopy,
        *(lambda state, p=p: pickle.loads(pickle.dumps(state, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)),
    ],
    ids=["clone", "copy", "deepcopy", *(f"pickle{p}" for p in range(pickle.HIGHEST_PROTOCOL + 1))],
)
def test_copies_are_equal_and_independent(game, copied):
    for state in some(game, range(1))[:40]:
        other, text = copied(state), state.serialize()
        assert other is not state
        assert type(other) is type(state)
        assert other == state
        assert hash(other) == hash(state)
        assert other.get_game() == game
        if not state.is_terminal():
            other.apply_action(other.legal_actions()[0])
            assert other != state
            assert state.serialize() == text


def test_games_are_values(game):
    for other in (zg.load_game(str(game)), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other == game
        assert hash(other) == hash(game)
        assert str(other) == str(game)
    assert {str(zg.load_game(text)) for text in GAMES if zg.load_game(text) == game} == {str(game)}
    game.options.clear()
    assert zg.load_game(game.name, **game.options) == game


def test_equal_states_reached_in_two_orders_hash_equal(game):
    """Two moves of one player, swapped, lead to the same position where both orders are legal."""
    rng, found = random.Random(4), 0
    first, distances, further = places_to_swap(game)
    for seed in range(400):
        distance = rng.choice(distances)
        i = first + rng.randrange(3 * distances[-1])
        length = i + distance + further + 1
        line = [action for action, _ in zip(first_actions(game, seed, rng), range(length), strict=False)]
        if len(line) <= i + distance:
            continue
        swapped = [*line[:i], line[i + distance], *line[i + 1 : i + distance], line[i], *line[i + distance + 1 :]]
        states = [played(game, seed, actions) for actions in (line, swapped)]
        if None not in states and states[0].serialize() == states[1].serialize():
            assert states[0] == states[1]
            assert hash(states[0]) == hash(states[1])
            found += swapped != line
    assert found or has_nothing_to_swap(game)


def places_to_swap(game):
    """From which action on moves may be swapped, how far they are apart, and how many actions more to play.

    In Blokus the first ones of each colour are of a kind of their own. In Numberplace City laid tiles lie in their
    order until the round is over, and a round has as many actions as players, or twice as many, and some decisions.
    """
    players = game.num_players()
    if game.name == "blokus":
        return game.options["colours"], [game.options["colours"]], 0
    if game.name == "numberplace_city":
        return 0, [1, players, players + 1], players
    return 0, [players], 0


def has_nothing_to_swap(game):
    """Whether no player has two moves that could be swapped: few pieces, a single card, or a single turn."""
    if game.name == "blokus":
        return len(hand(game)) <= 3
    return game.options.get("hand") == 1 or zg.simulate(game, 100).turns.max() <= game.num_players()


def hand(game):
    """The pieces of a colour of Blokus."""
    return blokus_model.full_hand(game.options)


def first_actions(game, seed, rng):
    """The actions of a random game."""
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        action = rng.choice(state.legal_actions().tolist())
        yield action
        state.apply_action(action)


def played(game, seed, actions):
    """The state after some actions from the start; None if they are not legal in this order."""
    state = game.new_initial_state(seed)
    for action in actions:
        if state.is_terminal() or not state.is_legal(action):
            return None
        state.apply_action(action)
    return state


def test_a_set_of_states_is_a_set_of_texts(game):
    states = [state for _ in range(2) for state in some(game, range(6))]
    assert len(set(states)) == len({state.serialize() for state in states})
    assert len({hash(state) for state in states}) == len(set(states))


def test_only_the_player_to_move_has_actions(game):
    for state in some(game):
        player = state.current_player()
        for other in range(game.num_players()):
            assert (len(state.legal_actions(other)) > 0) == (other == player)
        if state.is_terminal():
            assert player == -4
        else:
            assert np.array_equal(state.legal_actions(player), state.legal_actions())


def test_a_game_is_over_exactly_when_nothing_is_legal(game):
    for state in some(game):
        assert state.is_terminal() == (len(state.legal_actions()) == 0) == (state.current_player() == -4)
        assert state.is_terminal() == (state.count_turns() == 0)
        assert not (state.is_terminal() and state.in_turn())


def test_turns_are_made_of_actions(game):
    for state in some(game, range(2)):
        ways = 0
        for action in state.legal_actions().tolist():
            after = state.clone()
            after.apply_action(action)
            ways += after.count_turns() if after.in_turn() else 1
            if after.in_turn():
                assert after.current_player() == state.current_player()
        assert state.count_turns() == ways


def test_games_are_not_longer_than_they_can_be(game):
    most = game.max_game_length()
    run = zg.simulate(game, 300, seed=5)
    assert (run.turns <= run.plies).all()
    if most is not None:
        assert run.plies.max() <= most


def test_nothing_is_broken_after_any_action(game):
    for seed in range(4):
        for state in walk(game, seed):
            assert state._broken_invariant() == ""


def test_returns_follow_from_the_winners(game):
    n = game.num_players()
    for state in some(game):
        winners = state.winners()
        w = len(winners)
        assert winners == sorted(set(winners))
        assert set(winners) <= set(range(n))
        expected = [0.0 if w in (0, n) else 1 / w if p in winners else -1 / (n - w) for p in range(n)]
        assert state.returns().tolist() == expected
        assert abs(state.returns().sum()) < 1e-12
        assert state.is_terminal() or winners == []
        assert state.scores().shape == (n,)


def players_moved(game, k):
    """The player who takes the place of each player under a symmetry, as the rules page says it."""
    players = range(game.num_players())
    if game.name != "blokus":
        return list(players)
    t, _ = blokus_model.symmetries(game.options)[k]
    return [blokus_model.image_of_player(game.options, player, t) for player in players]


def test_symmetries_commute_with_legal_and_apply_between_turns(game):
    rng = random.Random(6)
    for state in some(game)[:: 3 if game.num_symmetries() > 8 else 1]:
        assert state.transformed(0) == state
        if state.in_turn():
            continue
        for k in range(game.num_symmetries()):
            image = state.transformed(k)
            assert sorted(game.transform_action(a, k) for a in state.legal_actions()) == image.legal_actions().tolist()
            assert image.count_turns() == state.count_turns()
            assert image._broken_invariant() == ""
            if not state.is_terminal():
                action, after = rng.choice(state.legal_actions().tolist()), state.clone()
                after.apply_action(action)
                image.apply_action(game.transform_action(action, k))
                assert image == after.transformed(k)


def test_symmetries_take_players_along(game):
    """A symmetry may exchange players: with them go whose turn it is, their scores, and who has won."""
    for state in some(game):
        for k in range(game.num_symmetries()):
            image, to = state.transformed(k), players_moved(game, k)
            assert sorted(to) == list(range(game.num_players()))
            assert image.is_terminal() == state.is_terminal()
            assert image.current_player() == (-4 if state.is_terminal() else to[state.current_player()])
            assert [image.scores()[p] for p in to] == state.scores().tolist()
            assert [image.returns()[p] for p in to] == state.returns().tolist()
            assert image.winners() == sorted(to[p] for p in state.winners())
            if not state.in_turn():
                lists = [[len(x.legal_actions(p)) for p in range(len(to))] for x in (state, image)]
                assert [lists[1][p] for p in to] == lists[0]


def test_symmetries_are_a_group(game):
    """An image of an image is an image, and none is counted twice: two that differ move some position apart."""
    numbers, images_of = range(game.num_symmetries()), {}
    for state in some(game, range(1))[-4:]:
        images = [state.transformed(k) for k in numbers]
        for k in numbers:
            seen = {image.serialize() for image in (images[k].transformed(other) for other in numbers)}
            assert seen == {image.serialize() for image in images}
    for k in numbers:
        images_of[k] = [state.transformed(k).serialize() for state in some(game, range(2))]
    assert len({tuple(texts) for texts in images_of.values()}) == len(numbers)


def test_the_canonical_state_is_the_least_image(game):
    for state in some(game)[::2]:
        before, images = state.clone(), [state.transformed(k) for k in range(game.num_symmetries())]
        texts = [image.serialize() for image in images]
        found, k = state.canonical()
        assert found.serialize() == min(texts)
        assert k == texts.index(min(texts))
        assert found == images[k]
        assert found.canonical() == (found, 0)
        assert found.get_game() == game
        assert all(image.canonical()[0] == found for image in images)
        if not found.is_terminal():
            found.apply_action(found.legal_actions()[0])  # it is a state of its own
        assert state == before


def test_symmetries_permute_the_actions(game):
    everything = range(game.num_distinct_actions())
    numbers = range(1, game.num_symmetries())
    assert [game.transform_action(a, 0) for a in everything] == list(everything)
    for k in numbers:
        # A million calls are too many; which of the symmetries of the board it is says `test_bk_8_1_...`.
        actions = everything[:: 23 if is_large(game) and k not in numbers[-3:] else 1]
        images = {game.transform_action(a, k) for a in actions}
        assert len(images) == len(actions)
        assert images <= set(everything)


def test_every_action_is_read_from_its_text(game):
    texts = [game.action_to_string(action) for action in range(game.num_distinct_actions())]
    assert len(set(texts)) == len(texts)
    assert [game.string_to_action(text) for text in texts] == list(range(len(texts)))
    assert [game.string_to_action(text.upper()) for text in texts] == list(range(len(texts)))


def test_every_turn_is_read_from_its_text(game):
    rng = random.Random(7)
    for state in some(game, range(2))[::5]:
        if state.is_terminal():
            continue
        turns = list(zg.perft(state, 1, divide=True))
        assert len(turns) == state.count_turns()
        for text in rng.sample(turns, min(len(turns), 10)):
            actions, after = state.string_to_turn(text), state.clone()
            assert state.turn_to_string(actions) == text
            assert state.string_to_turn(text.upper()) == actions
            for action in actions:
                assert after is not state
                after.apply_action(action)
            assert not after.in_turn()


def test_the_same_seed_is_the_same_game(game):
    for uniform in ("action", "turn"):
        runs = [columns(zg.simulate(game, 20, seed=seed, uniform=uniform)) for seed in (8, 8, 9)]
        assert runs[0] == runs[1]
        assert runs[0] != runs[2] or game.options.get("max_turns", 2000) in range(1, 6)  # too short to differ
    first, second, third = (game.new_initial_state(seed=seed) for seed in (3, 3, 4))
    assert first == second
    assert (first == third) == (not has_secrets(game))
    assert plays_on(first, 1, 60) == plays_on(second, 1, 60)


@pytest.mark.parametrize("uniform", ["action", "turn"])
def test_a_run_depends_neither_on_threads_nor_on_how_it_is_split(game, uniform):
    games = 130
    whole = columns(zg.simulate(game, games, seed=10, uniform=uniform, threads=1))
    for threads in (2, 3):
        assert columns(zg.simulate(game, games, seed=10, uniform=uniform, threads=threads)) == whole
    joined = {name: [] for name in whole}
    for first, number in ((0, 1), (1, 70), (71, 59)):
        for name, column in columns(zg.simulate(game, number, seed=10, uniform=uniform, first=first)).items():
            joined[name] += column
    assert joined == whole


def test_observations_are_written_where_they_should_be(game):
    out = np.full(game.observation_tensor_shape(), np.nan, np.float32)
    mask = np.full(game.num_distinct_actions(), 255, np.uint8)
    for state in some(game, range(1)):
        for player in range(game.num_players()):
            assert state.observation_tensor(player, out) is out
            assert np.array_equal(out, state.observation_tensor(player))
            assert np.isfinite(out).all()
        assert state.legal_actions_mask(out=mask) is mask
        assert np.array_equal(mask, state.legal_actions_mask())
