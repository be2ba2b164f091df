"""The Gymnasium environment of one learner: Gymnasium's own checker, and what it does against a replay of the games."""

import copy
import json
import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from common import hides_something
from gymnasium.utils.env_checker import check_env, data_equivalence

import ziggurat as zg
import ziggurat.env.gymnasium as module
import ziggurat.reference
from ziggurat.env.gymnasium import ZigguratEnv
from ziggurat.env.opponents import View
from ziggurat.reference.random import Stream, stream_key

SMALL = [  # quick games: with and without secrets, turns of several actions, two to four players
    ("pylos", {"preset": "mini"}),
    ("blokus", {"preset": "mini"}),
    ("blokus", {"board": 7}),
    ("blox", {"players": 3, "max_turns": 7}),
    ("numberplace_city", {"players": 3, "max_turns": 30}),
]
CHECKED = [(name, preset) for name in zg.games() for preset in (None, *zg.describe(name)["presets"])]


class Forgiving(ZigguratEnv):
    """Takes the action id modulo the legal ones, so that a checker that knows no masks plays legal games."""

    def step(self, action):
        legal = np.flatnonzero(self.action_masks())
        return super().step(int(legal[action % len(legal)]) if len(legal) else 0)


def play(env, rng, steps=10_000):
    """Play random legal actions to the end; what each step gave."""
    said = []
    while not (said and (said[-1][2] or said[-1][3])) and len(said) < steps:
        legal = np.flatnonzero(env.get_wrapper_attr("action_masks")())
        said.append(env.step(int(rng.choice(legal)) if len(legal) else 0))
    return said


def last_legal(view):
    return view.legal_actions[-1]


def same(one, other):
    return data_equivalence(one, other, exact=True)


# What Gymnasium checks.


@pytest.mark.parametrize(("name", "preset"), CHECKED)
def test_gymnasium_checks_every_preset(name, preset):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(spec_of(name), preset=preset, illegal="lose", learner="random")
        check_env(env.unwrapped)


def spec_of(name):
    """The one spec that is registered for a game."""
    (spec,) = [s for s in gymnasium.registry.values() if s.namespace == "ziggurat" and s.kwargs["game"] == name]
    return spec


@pytest.mark.parametrize("options", [{}, {"observation": "compact"}, {"learner": 1}, {"opponents": last_legal}])
@pytest.mark.parametrize(("game", "settings"), SMALL)
def test_gymnasium_checks_every_option(game, settings, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = Forgiving(game, **settings, **options)
        env.spec = gymnasium.envs.registration.EnvSpec("F-v0", Forgiving, kwargs={"game": game, **settings, **options})
        check_env(env)


@pytest.mark.parametrize("name", zg.games())
def test_every_game_is_registered_and_made(name):
    assert json.loads(spec_of(name).to_json())["kwargs"] == {"game": name}
    env = gymnasium.make(spec_of(name).id, max_episode_steps=2)
    assert str(env.unwrapped.game) == str(zg.load_game(name))
    env.reset(seed=1)
    assert [step[3] for step in play(env, np.random.default_rng(1))][:2] == [False, True]
    module.register()  # again: nothing is registered twice, and nothing warns


def test_a_module_prefix_is_enough():
    code = 'import gymnasium; print(gymnasium.make("ziggurat.env.gymnasium:ziggurat/Pylos-v0", preset="mini"))'
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "ziggurat/Pylos-v0" in done.stdout


def test_without_gymnasium_the_extra_is_named():
    code = 'import sys; sys.modules["gymnasium"] = None; import ziggurat.env.gymnasium'
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert 'ImportError: ziggurat.env.gymnasium needs Gymnasium: pip install "ziggurat[gymnasium]"' in done.stderr


# Against a replay.


class Replay:
    """The game as the documents say it goes, without the environment."""

    def __init__(self, game, seed, learner):
        self.state = game.new_initial_state(seed)
        self.learner = learner
        self.opponents = Stream(stream_key(seed, 0, 3))
        self.answer()

    def play(self, action):
        self.state.apply_action(action)
        self.answer()

    def answer(self):
        while self.state.current_player() not in (-4, self.learner):
            legal = self.state.legal_actions()
            self.state.apply_action(int(legal[self.opponents.bounded(len(legal))]))


@pytest.mark.parametrize("encoding", ["planes", "compact"])
@pytest.mark.parametrize("seed", [0, 2**64 - 1])
@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_an_episode_is_the_game_with_random_opponents(name, settings, seed, encoding):
    game = zg.load_game(name, **settings)
    rng = np.random.default_rng(seed % 1000)
    for learner in range(game.num_players()):
        env = ZigguratEnv(name, learner=learner, observation=encoding, **settings)
        replay = Replay(game, seed, learner)
        seen, info = env.reset(seed=seed)
        reward, ended = 0.0, False
        while True:
            state = replay.state
            assert seen.dtype == np.float32
            assert seen in env.observation_space
            assert (seen == state.observation_tensor(learner, encoding=encoding)).all()
            assert info["action_mask"].dtype == np.int8
            assert (info["action_mask"] == state.legal_actions_mask()).all()
            assert (env.action_masks() == state.legal_actions_mask()).all()
            assert (info["player"], info["illegal"]) == (learner, False)
            assert reward == state.returns()[learner]
            assert ended == state.is_terminal()
            if ended:
                break
            action = int(rng.choice(state.legal_actions()))
            replay.play(action)
            seen, reward, ended, truncated, info = env.step(action)
            assert not truncated


def test_episodes_follow_from_the_seed():
    def run(env, seed):
        first = env.reset(seed=seed)[0]
        return [first] + [env.reset()[0] for _ in range(3)]

    env = ZigguratEnv("numberplace_city")
    runs = [run(env, 5), run(ZigguratEnv("numberplace_city"), 5), run(env, 6)]
    assert same(tuple(runs[0]), tuple(runs[1]))
    assert len({seen.tobytes() for seen in runs[0] + runs[2]}) == 8
    for episode, seen in enumerate(runs[0]):
        state = env.game.new_initial_state(stream_key(5, episode, 4) if episode else 5)
        assert (seen == state.observation_tensor(0)).all()
    fresh = [run(ZigguratEnv("numberplace_city"), None) for _ in range(3)]
    assert len({np.concatenate(seen).tobytes() for seen in fresh}) == 3  # single hands are alike now and then


def test_a_drawn_seat_is_another_one_in_each_episode():
    env = ZigguratEnv("blokus", board=7, learner="random")
    seats = [env.reset(seed=3)[1]["player"]] + [env.reset()[1]["player"] for _ in range(39)]
    assert seats == [seat_of(stream_key(3, episode, 4) if episode else 3) for episode in range(40)]
    assert set(seats) == {0, 1, 2, 3}
    assert all(seats.count(seat) >= 4 for seat in range(4))


def seat_of(seed):
    """Of four players: docs/random-stream.md."""
    return Stream(stream_key(stream_key(seed, 0, 3), 0, 3)).draw() % 4


# Opponents.


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_views_show_what_the_player_sees(name, settings, monkeypatch):
    states = []

    def spying(state, seed, encoding):
        states.append(state.clone())
        return View(state, seed, encoding)

    def opponent(view):
        state = states[-1]
        assert view.player == state.current_player()
        assert (view.observation == state.observation_tensor(view.player)).all()
        assert (view.action_mask == state.legal_actions_mask()).all()
        assert (view.legal_actions == state.legal_actions()).all()
        assert view.information_state_string() == state.information_state_string(view.player)
        assert view.information_state_string() in repr(view)
        assert view.resample(7) == state.resample(view.player, 7)
        assert view.game == state.get_game()
        action = int(view.legal_actions[view.seed % len(view.legal_actions)])
        assert view.string_to_action(view.action_to_string(action)) == action
        seeds.append(view.seed)
        return action

    monkeypatch.setattr(module, "View", spying)
    runs = []
    for _ in range(2):
        seeds = []
        env = ZigguratEnv(name, opponents=opponent, **settings)
        env.reset(seed=1)
        runs.append((play(env, np.random.default_rng(0)), seeds))
    assert same(tuple(runs[0][0]), tuple(runs[1][0]))
    assert runs[0][1] == runs[1][1]
    assert len(set(seeds)) == len(seeds) > 3


@pytest.mark.parametrize(("name", "settings"), SMALL[-2:])
def test_nothing_of_a_view_depends_on_secrets(name, settings):
    hidden = 0
    state = zg.load_game(name, **settings).new_initial_state(3)
    for step in range(20):
        if state.is_terminal():
            break
        player = state.current_player()
        others = [state.resample(player, seed) for seed in range(4)]
        hidden += sum(other.serialize() != state.serialize() for other in others)
        assert len({pickle.dumps(vars_of(View(other, 9))) for other in [state, *others]}) == 1
        state.apply_action(int(state.legal_actions()[step % state.count_legal()]))
    assert hidden > 20


def vars_of(view):
    return {name: getattr(view, name) for name in View.__slots__}


def test_each_seat_has_its_opponent():
    asked = {seat: [] for seat in range(4)}

    def at(seat):
        return lambda view: asked[seat].append(view.player) or view.legal_actions[0]

    env = ZigguratEnv("blokus", board=7, learner=2, opponents={0: at(0), 3: at(3)})
    env.reset(seed=1)
    steps = len(play(env, np.random.default_rng(1)))
    assert asked[1] == asked[2] == []
    assert set(asked[0]) == {0}
    assert set(asked[3]) == {3}
    assert steps > 2
    same_seats = ZigguratEnv("blokus", board=7, learner=2, opponents={0: at(0), 1: "random", 3: at(3)})
    assert same(env.reset(seed=1), same_seats.reset(seed=1))


def test_an_opponent_that_fails_changes_nothing():
    failing = [False]

    def opponent(view):
        if failing[0] and view.player == 3:
            raise KeyError("no idea")
        return view.legal_actions[view.seed % len(view.legal_actions)]

    settings = {"board": 7, "opponents": {1: opponent, 3: opponent}}
    env, undisturbed = ZigguratEnv("blokus", **settings), ZigguratEnv("blokus", **settings)
    assert same(env.reset(seed=4), undisturbed.reset(seed=4))
    for _ in range(3):
        action = int(np.flatnonzero(env.action_masks())[0])
        failing[0] = True
        with pytest.raises(KeyError, match="no idea"):
            env.step(action)
        failing[0] = False
        assert same(env.step(action), undisturbed.step(action))
    env = ZigguratEnv("blokus", learner=3, **settings | {"opponents": {2: lambda view: 10**6}})
    with pytest.raises(ValueError, match=r"the opponent in seat 2: an action .* not 1000000"):
        env.reset(seed=1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (
            lambda view: int(np.flatnonzero(~view.action_mask)[0]),
            zg.IllegalActionError,
            "seat 1: action .* is not legal",
        ),
        (lambda view: "1a1", TypeError, "the opponent in seat 1: .*'str'"),
        (lambda view: None, TypeError, "the opponent in seat 1: .*'NoneType'"),
        (lambda view: -1, ValueError, "the opponent in seat 1: an action is .* not -1"),
    ],
)
def test_an_opponent_must_play_legal_actions(answer, error, words):
    env = ZigguratEnv("pylos", opponents=answer)
    env.reset(seed=0)
    with pytest.raises(error, match=words):
        env.step(0)
    assert env.action_masks()[0]


# Ends, and what is not legal.


@pytest.mark.parametrize(("name", "settings"), [("pylos", {}), ("blox", {"players": 2}), ("numberplace_city", {})])
def test_a_game_may_end_before_the_learner_is_to_move(name, settings):
    env = ZigguratEnv(name, max_turns=1, learner=1, **settings)
    seen, info = env.reset(seed=2)
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    after = env.step(10**9)
    assert (after[0] == seen).all()
    assert after[1:4] == (env._match.state.returns()[1], True, False)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"the episode is over: call reset\(\)"):
        env.step(0)


def test_an_illegal_action_raises_an_error_and_changes_nothing():
    env, undisturbed = ZigguratEnv("pylos"), ZigguratEnv("pylos")
    env.reset(seed=1)
    undisturbed.reset(seed=1)
    env.step(0)
    undisturbed.step(0)
    with pytest.raises(zg.IllegalActionError, match=r"action 0 \(1a1\) is not legal for player 0: \[PY-2.1\]"):
        env.step(0)
    for wrong, error in [(-1, ValueError), (217, ValueError), (2**70, ValueError), (1.0, TypeError), (None, TypeError)]:
        with pytest.raises(error):
            env.step(wrong)
    assert (env.action_masks() == undisturbed.action_masks()).all()
    action = np.flatnonzero(env.action_masks())[3]
    assert same(env.step(np.array(action)), undisturbed.step(int(action)))


def test_an_illegal_action_can_lose():
    env = ZigguratEnv("pylos", illegal="lose")
    env.reset(seed=1)
    seen = env.step(0)[0]
    with pytest.raises(ValueError, match="an action is an integer from 0 to 216, not 217"):
        env.step(217)
    after, reward, terminated, truncated, info = env.step(0)
    assert (after == seen).all()
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(1)
    assert env.reset()[1]["action_mask"].any()


def test_copies_play_on_alike():
    env = ZigguratEnv("blox", players=3, max_turns=20, learner=1)
    env.reset(seed=8)
    play(env, np.random.default_rng(0), steps=5)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    said = play(env, np.random.default_rng(1)), env.reset()
    for other in copies:
        assert same((tuple(play(other, np.random.default_rng(1))), other.reset()), (tuple(said[0]), said[1]))


def test_masks_fit_gymnasium_and_arrays_are_new():
    env = ZigguratEnv("blokus", preset="mini")
    _, info = env.reset(seed=0)
    env.action_space.seed(0)
    for _ in range(20):
        action = env.action_space.sample(mask=info["action_mask"])
        assert env.action_masks()[action]
    kept = env.action_masks()
    kept[:] = False
    assert env.action_masks().any()
    assert not np.shares_memory(info["action_mask"], env.reset()[1]["action_mask"])


def test_drawings_are_those_of_the_learner():
    env = gymnasium.make("ziggurat/Blox-v0", render_mode="ansi", learner=1)
    env.reset(seed=1)
    state = env.unwrapped._match.state
    assert env.render() == state.observation_string(1) != str(state)
    for name in zg.games():
        env = ZigguratEnv(name, render_mode="svg", learner=1)
        env.reset(seed=1)
        assert env.render().startswith("<svg")
        assert env.render() == env._match.state.to_svg(player=1 if hides_something(name) else None, hands=True)
    assert sees_own_tiles()
    env = ZigguratEnv("blox")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.render()
    env.reset()
    assert env.render() is None


def sees_own_tiles():
    """Whether some drawing of a game shows more than all players see: the learner's tiles that lie face down."""
    env = ZigguratEnv("numberplace_city", players=2, render_mode="svg")
    env.reset(seed=1)
    drawings = []
    for _ in range(5):
        play(env, np.random.default_rng(0), steps=1)
        own = env._match.state.to_svg(player=0, hands=True)
        drawings.append((env.render(), own, env._match.state.to_svg(hands=True)))
    assert all(drawn == own for drawn, own, _ in drawings)
    return any(drawn != public for drawn, _, public in drawings)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"learner": 2}, ValueError, 'learner is a seat from 0 to 1 or "random", not 2'),
        ({"learner": -1}, ValueError, 'learner is a seat from 0 to 1 or "random", not -1'),
        ({"learner": "random seat"}, ValueError, "not 'random seat'"),
        ({"learner": True}, ValueError, "not True"),
        ({"learner": 0.5}, TypeError, "not 0.5"),
        ({"opponents": "strong"}, ValueError, "opponents is \"random\" or a function of a view, not 'strong'"),
        ({"opponents": 7}, TypeError, 'opponents is "random" or a function of a view, not 7'),
        ({"opponents": {1: None}}, TypeError, r'opponents\[1\] is "random" or a function of a view, not None'),
        ({"opponents": {0: "random"}}, ValueError, r"opponents names seat 0; the seats of opponents are \[1\]"),
        ({"opponents": {2: "random"}}, ValueError, r"opponents names seat 2; the seats of opponents are \[1\]"),
        ({"observation": "pixels"}, ValueError, 'observation is "planes" or "compact", not \'pixels\''),
        ({"illegal": "pass"}, ValueError, 'illegal is "raise" or "lose", not \'pass\''),
        ({"render_mode": "human"}, TypeError, 'render_mode is None, "ansi" or "svg", not \'human\''),
        ({"index": -1}, ValueError, r"index is an integer from 0 to 2\*\*64 - 1, not -1"),
        ({"index": "1"}, TypeError, "index is an integer, not '1'"),
        ({"opponent": "random"}, ValueError, "opponent"),
        ({"preset": "nothing"}, ValueError, "nothing"),
    ],
)
def test_arguments_are_checked(arguments, error, words):
    with pytest.raises(error, match=words):
        ZigguratEnv("pylos", **arguments)


def test_arguments_of_reset_are_checked():
    env = ZigguratEnv("blox")
    seen, _ = env.reset(seed=1)
    for seed, error in [(-1, ValueError), (2**64, ValueError), (0.5, TypeError), ("1", TypeError)]:
        with pytest.raises(error, match="seed is an integer"):
            env.reset(seed=seed)
    with pytest.raises(ValueError, match=r"reset has no options, but was given \{'level': 3\}"):
        env.reset(options={"level": 3})
    assert (env.reset(seed=np.uint64(1))[0] == seen).all()


def test_a_game_is_taken_as_it_is():
    game = zg.load_game("pylos", removal="mandatory")
    assert ZigguratEnv(game).game == ZigguratEnv(str(game)).game == game
    with pytest.raises(ValueError, match="has its options already"):
        ZigguratEnv(game, preset="mini")
    with pytest.raises(ValueError, match="has its options already"):
        ZigguratEnv(game, base=3)
    for wrong in (zg.reference.load_game("pylos"), 3, None):
        with pytest.raises(TypeError, match="game is a game's name or what load_game returns"):
            ZigguratEnv(wrong)
