"""The PettingZoo environments: PettingZoo's own tests, and that they say what the states of ziggurat say."""

import copy
import doctest
import pickle
import random
import subprocess
import sys

import gymnasium
import numpy as np
import pettingzoo.test as others
import pytest
from common import GAMES, SECRETIVE, SOME, has_secrets
from pettingzoo.utils.env_logger import EnvLogger

import ziggurat as zg
from ziggurat.env import pettingzoo as zoo
from ziggurat.reference.random import stream_key

# What PettingZoo says of a dict of an observation and a mask, which it asks for, and of boards of three dimensions.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation has more than 3 dimensions"),
]

MODES = ["raise", "lose"]


@pytest.fixture(params=SOME)
def env(request):
    """An environment that has been reset."""
    env = zoo.env(request.param)
    env.reset(seed=7)
    return env


def masked(env, rng):
    """A random legal action of the agent to move; None for one whose game is over."""
    observation, _, termination, truncation, _ = env.last()
    return None if termination or truncation else int(rng.choice(np.flatnonzero(observation["action_mask"])))


def play(env, rng, steps=10**9):
    """Take some random steps; the actions."""
    played = []
    for _, _ in zip(range(steps), env.agent_iter(), strict=False):
        played.append(masked(env, rng))
        env.step(played[-1])
    return played


def facts(env):
    """All that an environment says, in plain values."""
    agents = env.possible_agents
    return {
        "position": env.unwrapped.position.serialize(),
        "agents": list(env.agents),
        "next": env.agent_selection,
        "seen": {agent: {key: value.tobytes() for key, value in env.observe(agent).items()} for agent in agents},
        "rewards": dict(env.rewards),
        "sums": dict(env.unwrapped._cumulative_rewards),
        "over": (dict(env.terminations), dict(env.truncations)),
        "masks": {agent: info["action_mask"].tobytes() for agent, info in env.infos.items()},
    }


# PettingZoo's tests.


@pytest.mark.parametrize("text", GAMES)
def test_pettingzoo_finds_nothing(text):
    for illegal in MODES:
        others.api_test(zoo.env(text, illegal=illegal), num_cycles=40)
    others.seed_test(lambda: zoo.env(text), num_cycles=20)


@pytest.mark.parametrize("name", zg.games())
def test_pettingzoo_finds_nothing_in_presets(name):
    for preset in zg.describe(name)["presets"]:
        env = zoo.env(name, preset)
        others.api_test(env, num_cycles=100)
        others.api_test(env.unwrapped, num_cycles=10)
        assert env.unwrapped.game == zg.load_game(name, preset)
        assert str(env) == f"ziggurat_{name}_v0"


@pytest.mark.parametrize("text", SOME)
def test_pettingzoo_can_render(text):
    def make(render_mode):
        return zoo.env(text, render_mode=None if render_mode == "human" else render_mode)

    others.render_test(make, custom_tests={"svg": lambda drawing: drawing.startswith("<svg ")})


# What is said is what the state says.


@pytest.mark.parametrize("text", GAMES)
def test_every_agent_sees_what_the_state_says(text):
    """Along a game, over a state that is played beside: spaces, observations, masks, rewards and ends."""
    env, rng = zoo.env(text), random.Random(text)
    game = zg.load_game(text)
    env.reset(seed=11)
    state = game.new_initial_state(11)
    assert env.possible_agents == [f"player_{player}" for player in range(game.num_players())]
    for _ in range(150):
        agree(env, state)
        if state.is_terminal():
            break
        action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        env.step(action)


def agree(env, state):
    """Compare an environment and a state."""
    over = state.is_terminal()
    for player, agent in enumerate(env.agents):
        seen, mask = env.observe(agent), np.zeros(state.get_game().num_distinct_actions(), np.int8)
        mask[state.legal_actions(player)] = 1
        assert env.observation_space(agent).contains(seen)
        np.testing.assert_array_equal(seen["observation"], state.observation_tensor(player))
        np.testing.assert_array_equal(seen["action_mask"], mask)
        np.testing.assert_array_equal(env.infos[agent]["action_mask"], mask)
        assert mask.any() == (agent == env.agent_selection and not over)
        assert env.rewards[agent] == state.returns()[player]
        assert (env.terminations[agent], env.truncations[agent]) == (over, False)
    assert over or env.agent_selection == f"player_{state.current_player()}"
    assert env.unwrapped.position == state


def test_arrays_are_new_each_time(env):
    before = facts(env)
    for agent in env.agents:
        for array in (*env.observe(agent).values(), env.state()):
            array.fill(7)
    assert facts(env) == before


def test_a_game_goes_to_its_end_and_agents_are_dismissed_in_order(env):
    rng, sums, order = random.Random(1), dict.fromkeys(env.possible_agents, 0.0), []
    for agent in env.agent_iter():
        _, reward, termination, truncation, _ = env.last()
        sums[agent] += reward
        assert not truncation
        if termination:
            order.append(agent)
            with pytest.raises(ValueError, match="only valid action is None"):
                env.step(0)
        env.step(masked(env, rng))
        assert env.agents == [agent for agent in env.possible_agents if agent not in order]
    assert order == env.possible_agents
    assert list(sums.values()) == env.unwrapped.position.returns().tolist()
    assert not any((env.rewards, env.terminations, env.truncations, env.infos))
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)


@pytest.mark.parametrize("text", ["pylos()", "blox(max_turns=60)"])
def test_turns_of_several_actions_are_several_steps_of_one_agent(text):
    env, rng, inside = zoo.env(text), random.Random(3), 0
    env.reset(seed=3)
    while not env.unwrapped.position.is_terminal():
        agent = env.agent_selection
        env.step(masked(env, rng))
        if env.unwrapped.position.in_turn():
            assert env.agent_selection == agent
            inside += 1
    assert inside > 3


def test_the_state_of_all_is_what_all_see(env):
    play(env, random.Random(2), 9)
    seen = [env.observe(agent)["observation"] for agent in env.possible_agents]
    np.testing.assert_array_equal(env.state(), np.stack(seen))
    assert env.state_space.contains(env.state())


@pytest.mark.parametrize("text", SECRETIVE)
def test_nothing_hidden_is_seen(text):
    """Of a state in which all that an agent does not see is drawn anew, it sees the same."""
    env, rng, others_differ = zoo.env(text, render_mode="ansi"), random.Random(text), 0
    env.reset(seed=5)
    while env.agents:
        for agent in env.agents:
            twin, player = copy.copy(env), env.possible_agents.index(agent)
            twin.unwrapped.position = env.unwrapped.position.resample(player, rng.randrange(2**64))
            twin.unwrapped.refresh_infos()
            for key, value in env.observe(agent).items():
                np.testing.assert_array_equal(twin.observe(agent)[key], value)
            np.testing.assert_array_equal(twin.infos[agent]["action_mask"], env.infos[agent]["action_mask"])
            others_differ += any(
                (twin.observe(other)["observation"] != env.observe(other)["observation"]).any() for other in env.agents
            )
            if agent == env.agent_selection:
                assert twin.render() == env.render()
                assert_same_svg(twin, env)
        env.step(masked(env, rng))
    assert others_differ > 10


def assert_same_svg(one, other):
    """Two environments are drawn alike."""
    one.unwrapped.render_mode = other.unwrapped.render_mode = "svg"
    assert one.render() == other.render()
    one.unwrapped.render_mode = other.unwrapped.render_mode = "ansi"


# Copies.


def pickled(env):
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("illegal", MODES)
@pytest.mark.parametrize("text", SOME)
def test_copies_play_on_alike_and_by_themselves(text, illegal, copied):
    for make in (zoo.env, zoo.raw_env):
        env = make(text, **({"illegal": illegal} if make is zoo.env else {}))
        env.reset(seed=3)
        env.reset()
        play(env, random.Random(1), 7)
        before, twin = facts(env), copied(env)
        assert facts(twin) == before
        actions = play(twin, random.Random(2))
        assert not twin.agents
        assert facts(env) == before
        assert play(env, random.Random(2)) == actions
        assert env.unwrapped.position == twin.unwrapped.position
        twin.reset()
        assert not env.agents
        env.reset()
        assert facts(env) == facts(twin)


def test_a_copy_can_be_made_before_the_first_game():
    env = copy.copy(zoo.env("pylos", seed=4))
    env.reset()
    assert facts(env) == facts_after_reset("pylos", 4)


def facts_after_reset(text, seed):
    env = zoo.env(text)
    env.reset(seed=seed)
    return facts(env)


# Seeds.


@pytest.mark.parametrize("text", SECRETIVE)
def test_games_are_numbered_under_a_seed(text):
    env, game = zoo.env(text), zg.load_game(text)
    for seed in (0, 9, 2**64 - 1):
        expected = [seed, *(stream_key(seed, episode, 4) for episode in (1, 2, 3))]
        for number, key in enumerate(expected):
            env.reset(seed=seed if number == 0 else None)
            assert env.unwrapped.position == game.new_initial_state(key)
            play(env, random.Random(number), 3)
        env.reset(seed=seed)
        assert env.unwrapped.position == game.new_initial_state(seed)


@pytest.mark.parametrize("text", SECRETIVE)
def test_games_are_those_of_the_first_row_of_a_batch(text):
    env, batch = zoo.env(text), zg.BatchEnv(zg.load_game(text), 1, seed=5)
    env.reset(seed=5)
    for _ in range(4):
        assert batch.state(0) == env.unwrapped.position
        env.reset()
        batch.reset()


def test_a_first_seed_can_be_given_to_the_constructor():
    text = SECRETIVE[0]
    given, later = zoo.env(text, seed=5), zoo.env(text)
    given.reset()
    later.reset(seed=5)
    assert facts(given) == facts(later)
    given.reset()
    later.reset()
    assert facts(given) == facts(later)
    given.reset(seed=6)
    assert given.unwrapped.position == zg.load_game(text).new_initial_state(6)


def test_without_any_seed_games_differ():
    envs = [zoo.env(SECRETIVE[0]) for _ in range(3)]
    for env in envs:
        env.reset()
    assert len({env.unwrapped.position.serialize() for env in envs}) == 3


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "x"])
def test_bad_seeds_change_nothing(env, seed):
    play(env, random.Random(1), 5)
    before = facts(env)
    with pytest.raises((ValueError, TypeError), match=r"seed|interpreted as an integer"):
        env.reset(seed=seed)
    assert facts(env) == before
    with pytest.raises((ValueError, TypeError), match=r"seed|interpreted as an integer"):
        zoo.env("pylos", seed=seed)
    env.reset()
    assert env.unwrapped.position == env.unwrapped.game.new_initial_state(stream_key(7, 1, 4))


# Illegal actions, and what is no action.


def some_illegal_action(env):
    return int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])


def test_illegal_actions_raise_and_change_nothing(env):
    play(env, random.Random(4), 6)
    before = facts(env)
    with pytest.raises(zg.IllegalActionError, match="is not legal for player"):
        env.step(some_illegal_action(env))
    assert facts(env) == before


@pytest.mark.parametrize("text", SOME)
def test_illegal_actions_lose_if_that_is_wanted(text):
    env = zoo.env(text, illegal="lose")
    env.reset(seed=2)
    play(env, random.Random(4), 6)
    loser, position = env.agent_selection, env.unwrapped.position.serialize()
    EnvLogger.suppress_output()
    env.step(some_illegal_action(env))
    EnvLogger.unsuppress_output()
    assert env.unwrapped.position.serialize() == position
    assert env.rewards == {agent: -1.0 if agent == loser else 0 for agent in env.possible_agents}
    assert all(env.terminations.values())
    assert not any(info["action_mask"].any() for info in env.infos.values())
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    sums = {}
    for agent in env.agent_iter():
        sums[agent] = env.last()[1]
        env.step(None)
    assert sums == {agent: -1.0 if agent == loser else 0 for agent in env.possible_agents}
    env.reset()
    assert env.agents == env.possible_agents
    assert not any(env.terminations.values())
    play(env, random.Random(4))


def test_a_reset_forgets_agents_that_were_being_dismissed():
    env, fresh = (zoo.env("pylos", "mini", illegal="lose") for _ in range(2))
    env.reset(seed=2)
    env.step(0)
    EnvLogger.suppress_output()
    env.step(0)
    EnvLogger.unsuppress_output()
    env.step(None)
    assert env.agents == ["player_1"]
    for one in (env, fresh):
        one.reset(seed=3)
        play(one, random.Random(5))
    assert facts(env) == facts(fresh)


@pytest.mark.parametrize("illegal", MODES)
@pytest.mark.parametrize("action", [-1, 217, 10**30, None, "1a1", 1.0, np.float32(0), [0]])
def test_what_is_no_action_is_refused(illegal, action):
    env = zoo.env("pylos", illegal=illegal)
    env.reset(seed=2)
    before = facts(env)
    with pytest.raises((ValueError, TypeError), match="an action is an integer from 0 to 216, not"):
        env.step(action)
    assert facts(env) == before
    env.step(np.int64(3))
    assert env.agent_selection == "player_1"


# Drawings and arguments.


@pytest.mark.parametrize("text", SOME)
def test_drawings_are_those_of_the_agent_to_move(text):
    env = zoo.env(text, render_mode="ansi")
    env.reset(seed=8)
    for _ in range(5):
        position, player = env.unwrapped.position, env.possible_agents.index(env.agent_selection)
        assert env.render() == position.observation_string(player)
        picture = position.to_svg(player=player if has_secrets(position.get_game()) else None, hands=True)
        env.unwrapped.render_mode = "svg"
        assert env.render() == picture
        env.unwrapped.render_mode = "ansi"
        play(env, random.Random(1), 3)


def test_without_a_render_mode_a_warning_says_so(env):
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="illegal is one of 'raise', 'lose', not 'ignore'"):
        zoo.env("pylos", illegal="ignore")
    with pytest.raises(ValueError, match="render_mode is one of None, 'ansi', 'svg', not 'human'"):
        zoo.env("pylos", render_mode="human")
    with pytest.raises(ValueError, match="unknown game 'go'"):
        zoo.env("go")
    with pytest.raises(ValueError, match="has its options already"):
        zoo.env(zg.load_game("pylos"), "mini")
    with pytest.raises(ValueError, match="has its options already"):
        zoo.env(zg.load_game("pylos"), base=3)
    with pytest.raises(TypeError, match="game is a game's name or what load_game returns, not 3"):
        zoo.env(3)
    env = zoo.env(zg.load_game("pylos", "mini"))
    env.reset()
    with pytest.raises(ValueError, match="agent is one of player_0, player_1, not 'player_2'"):
        env.observe("player_2")


def test_calls_in_the_wrong_order_are_refused():
    env = zoo.env("pylos")
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agent_selection
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)
    for call in (lambda: env.step(0), env.render, lambda: env.observe("player_0"), env.state):
        with pytest.raises(AssertionError, match="reset"):
            call()


def test_spaces_belong_to_one_agent_each(env):
    for space in (env.observation_space, env.action_space):
        assert len({id(space(agent)) for agent in env.agents}) == len(env.agents)
    assert isinstance(env.action_space(env.agents[0]), gymnasium.spaces.Discrete)


def test_the_examples_run():
    result = doctest.testmod(zoo)
    assert result.attempted > 3
    assert result.failed == 0


def test_libraries_are_loaded_when_they_are_asked_for():
    code = """
import sys, ziggurat.env
assert not {"gymnasium", "pettingzoo", "pyspiel", "numpy"} & set(sys.modules)
ziggurat.env.pettingzoo.env("pylos")
assert "pyspiel" not in sys.modules
try:
    ziggurat.env.gym
except AttributeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "there are: gymnasium, openspiel, pettingzoo" in done.stdout


@pytest.mark.parametrize(("module", "library"), [("pettingzoo", "pettingzoo"), ("openspiel", "pyspiel")])
def test_a_missing_library_is_named_with_its_extra(module, library):
    code = f"import sys; sys.modules[{library!r}] = None\nimport ziggurat.env.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f'pip install "ziggurat[{module}]"' in done.stderr


@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.int32])
def test_seeds_of_numpy(kind):
    env, other = zoo.env("blox", max_turns=3), zoo.env("blox", max_turns=3)
    env.reset(seed=kind(3))
    other.reset(seed=3)
    for _ in range(3):
        env.reset()
        other.reset()
        assert env.unwrapped.position == other.unwrapped.position


def test_a_loser_is_terminated_and_the_mask_is_not_the_callers():
    env = zoo.env("pylos", illegal="lose")
    env.reset(seed=1)
    env.observe(env.agent_selection)["action_mask"][:] = 1
    env.step(200)
    assert set(env.unwrapped.terminations.values()) == {True}
    assert set(env.unwrapped.truncations.values()) == {False}
    assert env.unwrapped.rewards == {"player_0": -1.0, "player_1": 0.0}
