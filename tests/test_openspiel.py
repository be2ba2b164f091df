"""The games of OpenSpiel: OpenSpiel's own tests and algorithms, and that its states say what those of ziggurat say."""

import copy
import doctest
import io
import pickle
import random
import subprocess
import sys
import unittest

import numpy as np
import pyspiel
import pytest
from common import GAMES, SECRETIVE, SOME, chosen, has_secrets
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import external_sampling_mccfr, ismcts, mcts
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

import ziggurat as zg
from ziggurat.env import openspiel

CHANCE, TERMINAL = pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL
PRESETS = [(name, preset) for name in zg.games() for preset in zg.describe(name)["presets"]]
SINGLE = pyspiel.PrivateInfoType.SINGLE_PLAYER


def spiel(text, seed=openspiel.DRAWN):
    """The OpenSpiel game of a canonical text."""
    return openspiel.load_game(text, seed=seed)


def shortened(text, turns=25):
    """A game like this one with few turns, where random games are long."""
    game = zg.load_game(text)
    limit = game.options.get("max_turns", 1)
    return (
        game
        if 0 < limit <= turns
        else zg.load_game(text, **({"max_turns": turns} if "max_turns" in game.options else {}))
    )


def begun(game, seed=0):
    """A state of an OpenSpiel game after its chance nodes, which draw the bytes of a seed."""
    state = game.new_initial_state()
    for byte in seed.to_bytes(8, "big") if state.is_chance_node() else b"":
        state.apply_action(byte)
    return state


def play(state, rng, steps=10**9):
    """Play some random actions; the actions."""
    played = []
    while not state.is_terminal() and len(played) < steps:
        played.append(rng.choice(state.legal_actions()))
        state.apply_action(played[-1])
    return played


# OpenSpiel's tests.


@pytest.mark.parametrize("text", GAMES)
def test_openspiel_finds_nothing(text):
    pyspiel.random_sim_test(spiel(str(shortened(text))), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "preset"), PRESETS)
@pytest.mark.parametrize("seed", [openspiel.DRAWN, 3])
def test_openspiel_finds_nothing_in_presets(name, preset, seed):
    game = pyspiel.load_game(f"ziggurat_{name}(preset={preset},seed={seed})")
    assert game.ziggurat_game == zg.load_game(name, preset)
    short = spiel(str(shortened(str(game.ziggurat_game))), seed)
    observer = short.make_observer({})
    pyspiel.random_sim_test(short, num_sims=3, serialize=True, verbose=False, observer=observer)
    games_sim_test.GamesSimTest().sim_game(short)
    passes(short)


def passes(game):
    """OpenSpiel's checks of what games promise hold."""
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": str(game)})
    report = io.StringIO()
    result = unittest.TextTestRunner(report).run(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    assert result.testsRun > 4
    assert result.wasSuccessful(), report.getvalue()


def test_every_game_is_registered():
    registered = {kind.short_name: kind for kind in pyspiel.registered_games()}
    for name in zg.games():
        kind, game = registered[f"ziggurat_{name}"], pyspiel.load_game(f"ziggurat_{name}")
        assert kind == game.get_type()
        assert pickle.loads(pickle.dumps(kind)) == kind
    openspiel.register()
    assert pyspiel.load_game("ziggurat_pylos") == spiel("pylos")


# What is said is what the state of ziggurat says.


@pytest.mark.parametrize("text", GAMES)
def test_states_say_what_the_states_of_ziggurat_say(text):
    game, rng = spiel(text), random.Random(text)
    state, ours = begun(game, 77), zg.load_game(text).new_initial_state(77)
    for _ in range(60):
        agree(state, ours)
        if ours.is_terminal():
            break
        action = chosen(rng, ours)
        ours.apply_action(action)
        state.apply_action(action)
    agree(state.clone(), ours)


def agree(state, ours):
    """Compare a state of OpenSpiel and one of ziggurat."""
    player, legal = ours.current_player(), ours.legal_actions().tolist()
    assert (state.current_player(), state.is_terminal()) == (player, ours.is_terminal())
    assert state.legal_actions() == pyspiel.State.legal_actions(state) == legal
    assert state.returns() == state.rewards() == ours.returns().tolist()
    assert str(state) == f"{ours}\n{ours.serialize()}"
    assert state.ziggurat_state == ours
    for action in random.Random(len(legal)).sample(legal, min(5, len(legal))):
        text = ours.action_to_string(action)
        assert state.action_to_string(player, action) == state.action_to_string(action) == text
        assert state.string_to_action(player, text) == state.string_to_action(text) == action
    for viewer in range(state.num_players()):
        planes = ours.observation_tensor(viewer).ravel().tolist()
        assert state.legal_actions(viewer) == (legal if viewer == player else [])
        assert state.observation_tensor(viewer) == state.information_state_tensor(viewer) == planes
        assert state.observation_string(viewer) == ours.observation_string(viewer)
        assert state.information_state_string(viewer) == ours.information_state_string(viewer)


@pytest.mark.parametrize("text", GAMES)
def test_games_say_what_the_games_of_ziggurat_say(text):
    game, ours = spiel(text), zg.load_game(text)
    kind, shape = game.get_type(), list(ours.observation_tensor_shape())
    assert game.ziggurat_game == ours
    assert game.num_players() == kind.min_num_players == kind.max_num_players == ours.num_players()
    assert game.num_distinct_actions() == ours.num_distinct_actions()
    assert game.max_game_length() == (ours.max_game_length() or openspiel.LONGEST)
    assert game.observation_tensor_shape() == game.information_state_tensor_shape() == shape
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    assert game.action_to_string(0, 3) == ours.action_to_string(3)
    hidden = has_secrets(ours)
    assert kind.information.name == ("IMPERFECT_INFORMATION" if hidden else "PERFECT_INFORMATION")
    assert kind.chance_mode.name == ("EXPLICIT_STOCHASTIC" if hidden else "DETERMINISTIC")
    assert game.max_chance_outcomes() == (256 if hidden else 0)
    assert game.max_chance_nodes_in_history() == (8 if hidden else 0)
    assert spiel(text, 4).get_type().chance_mode.name == "DETERMINISTIC"
    assert spiel(text, 4).max_chance_nodes_in_history() == 0


# Chance.


@pytest.mark.parametrize("text", SECRETIVE)
@pytest.mark.parametrize("seed", [0, 1, 0x0123456789ABCDEF, 2**64 - 1])
def test_chance_draws_the_bytes_of_the_seed(text, seed):
    game = spiel(text)
    state, drawings = game.new_initial_state(), set()
    for byte in seed.to_bytes(8, "big"):
        assert state.current_player() == CHANCE
        assert state.is_chance_node()
        assert not state.is_terminal()
        outcomes = state.chance_outcomes()
        assert [outcome for outcome, _ in outcomes] == state.legal_actions() == list(range(256))
        assert {chance for _, chance in outcomes} == {1 / 256}
        assert state.returns() == [0] * game.num_players()
        assert state.string_to_action(state.action_to_string(byte)) == byte
        assert {state.information_state_string(player) for player in range(game.num_players())} == {""}
        assert not any(state.observation_tensor(0))
        drawings.add(str(state))
        state.apply_action(byte)
    assert len(drawings) == 8
    assert state.ziggurat_state == game.ziggurat_game.new_initial_state(seed)
    assert state.history() == list(seed.to_bytes(8, "big"))


def test_what_is_no_byte_is_refused():
    state = spiel(SECRETIVE[0]).new_initial_state()
    for wrong in (-2, 256):
        with pytest.raises(ValueError, match=f"an action is an integer from 0 to 255, not {wrong}"):
            state.apply_action(wrong)
    with pytest.raises(ValueError, match="nothing to resample before the game has begun"):
        state.resample_from_infostate(0, lambda: 0.5)
    assert state.history() == []
    assert str(state) == "seed ????????????????"


@pytest.mark.parametrize("text", SECRETIVE)
def test_a_seed_as_parameter_decides_the_deal(text):
    game = spiel(text, 9)
    assert game.new_initial_state().ziggurat_state == zg.load_game(text).new_initial_state(9)
    assert game.new_initial_state().clone().ziggurat_state == zg.load_game(text).new_initial_state(9)
    assert game != spiel(text, 8)
    assert game != spiel(text)
    again, state = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, begun(game)))
    assert again == game
    assert again.get_type() == game.get_type()
    assert state.ziggurat_state == begun(game).ziggurat_state


def test_without_chance_a_seed_changes_nothing():
    assert spiel("pylos", 9) == spiel("pylos")
    assert str(spiel("pylos", 9)) == "ziggurat_pylos()"


# Samples.


@pytest.mark.parametrize("text", SECRETIVE)
def test_a_sample_keeps_what_the_player_knows_and_redraws_the_rest(text):
    state, rng, moved = begun(spiel(text), 5), random.Random(text), 0
    while not state.is_terminal():
        before = str(state)
        for player in range(state.num_players()):
            sample = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
            assert type(sample) is type(state)
            assert sample.get_game() == state.get_game()
            assert (sample.current_player(), sample.is_terminal()) == (state.current_player(), False)
            assert sample.information_state_string(player) == state.information_state_string(player)
            assert sample.observation_tensor(player) == state.observation_tensor(player)
            assert sample.legal_actions(player) == state.legal_actions(player)
            assert sample.history() == []
            moved += any(
                sample.information_state_string(other) != state.information_state_string(other)
                for other in range(state.num_players())
            )
            play(sample, rng, 3)
            sample.clone()
            pickle.loads(pickle.dumps(sample))
        assert str(state) == before
        state.apply_action(rng.choice(state.legal_actions()))
    assert moved > 30


@pytest.mark.parametrize("text", SECRETIVE)
def test_a_sample_is_decided_by_the_sampler(text):
    state = begun(spiel(text), 5)
    play(state, random.Random(2), 6)
    for numbers, seed in (((0.0, 0.0), 0), ((0.5, 0.25), 2**63 + 2**30), ((1.0, 1.0), 2**64 - 1)):
        sample = state.resample_from_infostate(1, iter(numbers).__next__)
        assert sample.ziggurat_state == state.ziggurat_state.resample(1, seed)


def test_without_secrets_a_sample_is_a_clone():
    state = begun(spiel("pylos"))
    play(state, random.Random(2), 6)
    sample = state.resample_from_infostate(1, lambda: 0.5)
    assert sample is not state
    assert (sample.history(), str(sample)) == (state.history(), str(state))


# Copies, texts and parameters.


@pytest.mark.parametrize("text", SOME)
def test_copies_play_on_alike_and_by_themselves(text):
    state = begun(spiel(text), 6)
    play(state, random.Random(1), 7)
    before, history = str(state), state.history()
    copies = [
        state.clone(),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1],
        pyspiel.build_state_from_history_string(str(state.get_game()), str(history))[1],
    ]
    ends = set()
    for twin in copies:
        assert (str(twin), twin.history(), twin.move_number()) == (before, history, state.move_number())
        play(twin, random.Random(2))
        assert twin.is_terminal()
        ends.add((str(twin), tuple(twin.history())))
        assert str(state) == before
    assert len(ends) == 1
    action = state.legal_actions()[0]
    child = state.child(action)
    state.apply_action(action)
    assert (str(child), child.history()) == (str(state), state.history())


@pytest.mark.parametrize("text", GAMES)
def test_parameters_are_written_in_one_way_that_is_read(text):
    game, inside = spiel(text), text[text.index("(") + 1 : -1]
    assert pyspiel.load_game(str(game)) == game
    assert pyspiel.load_game(str(game)).ziggurat_game == zg.load_game(text)
    assert pyspiel.load_game(f"ziggurat_{zg.load_game(text).name}", {"options": inside}) == game
    assert pickle.loads(pickle.dumps(game)) == game
    assert game.to_string() == str(game)


def test_options_go_over_those_of_a_preset():
    game = pyspiel.load_game("ziggurat_blokus(preset=duo,options=board:16;scoring:basic)")
    assert game.ziggurat_game == zg.load_game("blokus", "duo", board=16, scoring="basic")
    assert game == openspiel.load_game("blokus", "duo", board=16, scoring="basic")
    assert str(game) == "ziggurat_blokus(options=board:16;colours:2;starts:e10+j5;scoring:basic)"
    assert str(pyspiel.load_game("ziggurat_blox(preset=standard)")) == "ziggurat_blox()"
    assert str(pyspiel.load_game("ziggurat_blox(options=hand:2,seed=3)")) == "ziggurat_blox(options=hand:2,seed=3)"


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("ziggurat_pylos(preset=huge)", ValueError, "huge"),
        ("ziggurat_pylos(options=base:9)", ValueError, "base"),
        ("ziggurat_pylos(options=colour:9)", ValueError, "colour"),
        ("ziggurat_pylos(options=base)", ValueError, "base"),
        ("ziggurat_blox(seed=-2)", ValueError, "seed is -1 or an integer from 0 to 2\\*\\*31 - 1, not -2"),
        ("ziggurat_pylos(base=3)", pyspiel.SpielError, "Unknown parameter 'base'"),
    ],
)
def test_bad_parameters_are_named(text, kind, said):
    with pytest.raises(kind, match=said):
        pyspiel.load_game(text)


@pytest.mark.parametrize("seed", [-2, 2**31, 1.5, "x", None])
def test_seeds_that_openspiel_cannot_hold_are_refused(seed):
    with pytest.raises((ValueError, TypeError), match=rf"seed is -1 or an integer .* not {seed}|as an integer"):
        openspiel.load_game("blox", seed=seed)


def test_a_game_of_ziggurat_can_be_given():
    game = zg.load_game("pylos", "mini")
    assert openspiel.load_game(game).ziggurat_game == game
    with pytest.raises(ValueError, match="has its options already"):
        openspiel.load_game(game, base=3)
    with pytest.raises(TypeError, match="game is a game's name or what load_game returns, not 3"):
        openspiel.load_game(3)


def test_pickles_are_read_where_nothing_was_imported():
    game = spiel(SECRETIVE[0])
    state = begun(game, 3)
    play(state, random.Random(1), 5)
    data = pickle.dumps((game, state))
    code = f"import pickle; game, state = pickle.loads({data!r}); print(game, state.history(), state)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{game} {state.history()} {state}\n"


@pytest.mark.parametrize("text", SOME)
def test_illegal_actions_raise_and_change_nothing(text):
    state = begun(spiel(text), 6)
    play(state, random.Random(1), 7)
    before, history = str(state), state.history()
    illegal = next(action for action in range(state.num_distinct_actions()) if action not in state.legal_actions())
    with pytest.raises(zg.IllegalActionError, match="is not legal for player"):
        state.apply_action(illegal)
    with pytest.raises(ValueError, match="an action is an integer from 0 to"):
        state.apply_action(state.num_distinct_actions())
    with pytest.raises(zg.ParseError):
        state.string_to_action("no such action")
    assert (str(state), state.history()) == (before, history)


@pytest.mark.parametrize("text", SOME)
def test_a_game_can_begin_at_a_position(text):
    game = spiel(text)
    state = begun(game, 6)
    play(state, random.Random(1), 7)
    other = game.new_initial_state(state.ziggurat_state.serialize())
    assert str(other) == str(state)
    assert (other.history(), other.move_number()) == ([], 0)
    assert play(other, random.Random(3)) == play(state, random.Random(3))
    with pytest.raises(zg.ParseError):
        game.new_initial_state("nowhere")


# Limits.


@pytest.mark.parametrize("text", ["pylos(max_turns=0)", "blox(players=3,max_turns=0)"])
def test_games_without_a_limit_are_cut(text, monkeypatch):
    assert spiel(text).max_game_length() == 100_000
    monkeypatch.setattr(openspiel, "LONGEST", 9)
    game = spiel(text)
    assert game.max_game_length() == 9
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    state = begun(game, 1)
    play(state, random.Random(1), 8)
    sample = state.resample_from_infostate(0, lambda: 0.3)
    for cut in (state, sample, state.clone(), pickle.loads(pickle.dumps(state))):
        assert not cut.is_terminal()
        cut.apply_action(cut.legal_actions()[0])
        assert cut.is_terminal()
        assert cut.current_player() == TERMINAL
        assert cut.legal_actions() == pyspiel.State.legal_actions(cut) == []
        assert cut.returns() == [0] * game.num_players()
        assert not cut.ziggurat_state.is_terminal()
        with pytest.raises(zg.IllegalActionError, match="the game was cut after 9 actions"):
            cut.apply_action(int(cut.ziggurat_state.legal_actions()[0]))
        assert cut.is_terminal()


# Observers.


@pytest.mark.parametrize("text", SOME)
def test_observers_write_what_a_player_sees(text):
    game = spiel(text)
    state = begun(game, 8)
    play(state, random.Random(1), 9)
    sees = make_observation(game)
    knows = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    for player in range(game.num_players()):
        ours = state.ziggurat_state
        for observation in (sees, knows):
            observation.set_from(state, player)
            np.testing.assert_array_equal(observation.dict["observation"], ours.observation_tensor(player))
            np.testing.assert_array_equal(observation.tensor, ours.observation_tensor(player).ravel())
            assert np.shares_memory(observation.tensor, observation.dict["observation"])
        assert sees.string_from(state, player) == ours.observation_string(player)
        assert knows.string_from(state, player) == ours.information_state_string(player)
    with pytest.raises(ValueError, match="player"):
        sees.set_from(state, game.num_players())
    with pytest.raises(ValueError, match="observers have no parameters, but were given"):
        make_observation(game, params={"colour": "red"})


def test_observers_of_parts_are_there_where_nothing_is_hidden():
    def part(game, public, private):
        return make_observation(game, pyspiel.IIGObservationType(public, False, private))

    none, everything = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.ALL_PLAYERS
    for private in (none, everything):
        assert part(spiel("pylos"), True, private).string_from(begun(spiel("pylos")), 0)
        assert part(spiel(SECRETIVE[0]), True, private) is None
    assert part(spiel(SECRETIVE[0]), True, SINGLE) is not None
    assert part(spiel("pylos"), False, SINGLE) is None


# Algorithms.


def contest(game, bots, rng):
    """A game of bots; its length and returns."""
    state, plies = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.randint(256)))
            continue
        action = int(bots[state.current_player()].step(state))
        assert action in state.legal_actions()
        state.apply_action(action)
        plies += 1
    return plies, state.returns()


@pytest.mark.parametrize("name", ["pylos", "blokus"])
def test_mcts_plays_and_beats_chance(name):
    game, rng, won = openspiel.load_game(name, "mini"), np.random.RandomState(1), 0
    bot = mcts.MCTSBot(game, 1.4, 30, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    for number in range(6):
        bots = [bot, pyspiel.make_uniform_random_bot(1 - number % 2, number)]
        plies, returns = contest(game, bots if number % 2 == 0 else bots[::-1], rng)
        assert plies > 5
        won += returns[number % 2]
    assert won > 0


@pytest.mark.parametrize("text", ["blox(hand=2,max_turns=10)", "numberplace_city(players=2,max_turns=16)"])
def test_ismcts_plays_through_samples(text):
    game, rng = spiel(text), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bots = [ismcts.ISMCTSBot(game, evaluator, 1.4, 15, world, rng) for world in (-1, 5)]
    plies, returns = contest(game, bots, rng)
    assert plies > 5
    assert sum(returns) == 0


def test_counterfactual_regret_by_sampling_runs():
    game = spiel("blox(hand=1,cards_per_colour=1,pawns=1,max_turns=2)")
    solver = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
    np.random.seed(1)
    for _ in range(2):
        solver.iteration()
    state = begun(game, 4)
    policy = solver.average_policy().action_probabilities(state)
    assert set(policy) == set(state.legal_actions())
    assert abs(sum(policy.values()) - 1) < 1e-9


@pytest.mark.parametrize("text", SOME)
def test_the_learning_environment_plays(text):
    env, rng = rl_environment.Environment(spiel(text)), random.Random(1)
    env.seed(1)
    step, steps = env.reset(), 0
    while not step.last() and steps < 40:
        player = step.observations["current_player"]
        step, steps = env.step([rng.choice(step.observations["legal_actions"][player])]), steps + 1
        state = env.get_state
        for viewer, planes in enumerate(step.observations["info_state"]):
            assert planes == state.ziggurat_state.observation_tensor(viewer).ravel().tolist()
    assert steps > 8


def test_the_examples_run():
    result = doctest.testmod(openspiel)
    assert result.attempted > 4
    assert result.failed == 0


def test_a_process_that_has_loaded_games_ends_quietly():
    """OpenSpiel frees what makes its games after Python has ended."""
    code = "import pyspiel, ziggurat.env.openspiel as o; o.register(); s = o.load_game('blox').new_initial_state()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_players_do_nothing_at_chance_nodes():
    state = openspiel.load_game("blox", seed=openspiel.DRAWN).new_initial_state()
    assert state.is_chance_node()
    assert state.legal_actions() == state.legal_actions(int(CHANCE)) == list(range(256))
    assert state.legal_actions(0) == state.legal_actions(1) == []


def test_seeds_of_numpy():
    assert openspiel.load_game("blox", seed=np.int64(3)) == openspiel.load_game("blox", seed=3)
