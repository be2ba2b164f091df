"""The Gymnasium vector environment: its rows are single environments, in every autoreset mode."""

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

import ziggurat as zg
from ziggurat.env.gymnasium import ZigguratEnv
from ziggurat.env.gymnasium_vector import ZigguratVectorEnv

MODES = list(AutoresetMode)
ROWS = 5
SEED = 9


def first_legal(view):
    return view.legal_actions[0]


def drawn(view):
    """Any legal action, by the view's seed."""
    return int(view.legal_actions[view.seed % len(view.legal_actions)])


class Together:
    """`drawn` for all rows at once, from their arrays."""

    def __init__(self):
        self.calls = self.rows = 0

    def __call__(self, view):
        return drawn(view)

    def batch(self, views):
        self.calls, self.rows = self.calls + 1, self.rows + len(views)
        counts = views.action_mask.sum(axis=1)
        ranks = (views.seeds % counts.astype(np.uint64)).astype(np.int64)
        return np.array([np.flatnonzero(mask)[rank] for mask, rank in zip(views.action_mask, ranks, strict=True)])


GAMES = [  # with and without secrets, turns of several actions, ends in the first steps or before them
    ("pylos", {"preset": "mini", "learner": 1}),
    ("blokus", {"preset": "mini", "opponents": first_legal}),
    ("blokus", {"board": 6, "learner": "random", "opponents": {0: drawn, 2: Together()}}),
    ("blox", {"players": 3, "max_turns": 6, "learner": "random", "observation": "compact"}),
    ("numberplace_city", {"players": 3, "max_turns": 9, "learner": 2, "opponents": {0: Together(), 1: first_legal}}),
    ("numberplace_city", {"players": 3, "max_turns": 1, "learner": "random"}),
]


def pair(game, settings, mode, rows=ROWS, first=0):
    """The vector environment, and Gymnasium's own over single environments."""
    vector = ZigguratVectorEnv(game, rows, autoreset_mode=mode, first=first, **settings)
    singles = [lambda i=i: ZigguratEnv(game, index=first + i, **settings) for i in range(rows)]
    return vector, SyncVectorEnv(singles, autoreset_mode=mode)


def chosen(rng, masks, wrong=0.0):
    """A legal action for each row, sometimes any; 0 where there is none."""
    rows = np.where((rng.random(len(masks)) < wrong)[:, None], 1, masks)
    return np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in rows])


def same(one, other):
    return data_equivalence(one, other, exact=True)


@pytest.mark.parametrize("illegal", ["raise", "lose"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("game", "settings"), GAMES)
def test_rows_are_single_environments(game, settings, mode, illegal):
    vector, singles = pair(game, settings | {"illegal": illegal}, mode, first=3)
    assert vector.single_observation_space == singles.single_observation_space
    assert vector.single_action_space == singles.single_action_space
    assert vector.observation_space == singles.observation_space
    assert vector.action_space == singles.action_space
    assert vector.metadata == singles.metadata
    said = vector.reset(seed=SEED)
    assert same(said, singles.reset(seed=[SEED] * ROWS))
    rng, ends = np.random.default_rng(1), 0
    for _ in range(60):
        actions = chosen(rng, said[-1]["action_mask"], wrong=0.05 if illegal == "lose" else 0.0)
        said = vector.step(actions)
        assert same(said, singles.step(actions))
        assert (vector.action_masks() == said[-1]["action_mask"]).all()
        ends += said[2].sum()
        if mode is AutoresetMode.DISABLED and said[2].any():
            said = reset_ended(vector, singles, said[2])
    assert ends > ROWS


def reset_ended(vector, singles, ended):
    """Begin the next episode where one has ended; where none has, the vector environment tells more."""
    options = {"reset_mask": ended}
    seen, infos = vector.reset(options=options)
    assert options["reset_mask"] is ended  # Gymnasium's wrappers read it after us
    other_seen, other_infos = singles.reset(options=dict(options))
    assert (seen == other_seen).all()
    for name in ("action_mask", "player", "illegal"):
        assert (infos[name][ended] == other_infos[name][ended]).all()
        assert infos[f"_{name}"].all()
    assert (vector.action_masks() == infos["action_mask"]).all()
    return seen, infos


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_nothing_depends_on_threads_or_on_how_rows_are_split(mode):
    settings = {"preset": "mini", "learner": "random", "autoreset_mode": mode, "illegal": "lose"}
    whole = ZigguratVectorEnv("pylos", 80, threads=1, **settings)
    parts = [ZigguratVectorEnv("pylos", 40, threads=2, first=first, copy=False, **settings) for first in (0, 40)]
    rng = np.random.default_rng(0)
    said, others = whole.reset(seed=1), [part.reset(seed=1) for part in parts]
    for _ in range(60):
        masks = said[-1]["action_mask"]
        assert (masks == np.concatenate([other[-1]["action_mask"] for other in others])).all()
        for value, halves in zip(said[:-1], zip(*(other[:-1] for other in others), strict=True), strict=True):
            assert (value == np.concatenate(halves)).all()
        actions = chosen(rng, masks)
        said = whole.step(actions)
        others = [part.step(half) for part, half in zip(parts, np.split(actions, 2), strict=True)]


# Gymnasium's autoreset modes.


def to_the_end(env, rows, rng):
    """Play until an episode of one of these rows has ended; what the last step said."""
    said = env.reset(seed=1)
    while len(said) == 2 or not said[2][rows].any():
        said = env.step(chosen(rng, said[-1]["action_mask"]))
    return said


def test_next_step_shows_the_end_and_resets_in_the_next_step():
    env = ZigguratVectorEnv("pylos", 3, preset="mini")
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, rewards, ended, _, infos = to_the_end(env, [0, 1, 2], np.random.default_rng(0))
    row = int(np.flatnonzero(ended)[0])
    assert abs(rewards[row]) == 1
    assert not infos["action_mask"][row].any()
    assert not seen[row][5].any()  # nobody is to move
    assert "final_obs" not in infos
    actions = np.array(
        [10**6 if i == row else chosen(np.random.default_rng(0), infos["action_mask"])[i] for i in range(3)]
    )
    seen, rewards, ended, _, infos = env.step(actions)
    assert (rewards[row], ended[row]) == (0, False)
    assert infos["action_mask"][row].sum() == 9
    assert seen[row][5].any()


def test_same_step_copies_the_end_and_resets_at_once():
    env = ZigguratVectorEnv("pylos", 3, preset="mini", autoreset_mode="SameStep", copy=False)
    seen, rewards, ended, _, infos = to_the_end(env, [0, 1, 2], np.random.default_rng(0))
    row = int(np.flatnonzero(ended)[0])
    assert abs(rewards[row]) == 1
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == ended.tolist()
    assert all((infos["final_obs"][i] is None) != ended[i] for i in range(3))
    final = infos["final_obs"][row]
    assert final.dtype == np.float32
    assert final in env.single_observation_space
    assert not final[5].any()
    assert not infos["final_info"]["action_mask"][row].any()
    assert seen[row][5].any()
    assert infos["action_mask"][row].sum() == 9
    kept = final.copy()
    for _ in range(10):
        infos = env.step(chosen(np.random.default_rng(1), infos["action_mask"]))[-1]
    assert (final == kept).all()


def test_disabled_waits_for_a_reset():
    env = ZigguratVectorEnv("pylos", 4, preset="mini", autoreset_mode="Disabled")
    said = to_the_end(env, [0, 1, 2, 3], np.random.default_rng(0))
    ended = said[2]
    rows = np.flatnonzero(ended).tolist()
    with pytest.raises(gymnasium.error.ResetNeeded, match=rf"the episodes of rows \[{rows[0]}.*\] are over"):
        env.step(np.zeros(4, np.int64))
    seen, infos = env.reset(options={"reset_mask": ended})
    assert (seen[~ended] == said[0][~ended]).all()
    assert (infos["action_mask"][~ended] == said[-1]["action_mask"][~ended]).all()
    env.step(chosen(np.random.default_rng(3), infos["action_mask"]))
    anew, _ = env.reset(seed=5, options={"reset_mask": np.array([True, False, False, False])})
    other, _ = ZigguratVectorEnv("pylos", 1, preset="mini").reset(seed=5)
    assert (anew[0] == other[0]).all()


def test_rows_that_are_over_stay_so_until_they_are_reset():
    env = ZigguratVectorEnv("pylos", 3, illegal="lose", autoreset_mode="Disabled")
    env.reset(seed=1)
    assert env.step(np.array([216, 0, 216]))[2].tolist() == [True, False, True]  # nothing is there to stop
    env.reset(options={"reset_mask": np.array([True, False, False])})
    assert env.action_masks().any(axis=1).tolist() == [True, True, False]
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"rows \[2\] are over"):
        env.step(np.array([0, 1, 0]))


def test_seeds_of_some_rows():
    """A reset of some rows with a seed: each row goes on with the episodes of its own seed."""
    settings = {"learner": "random", "opponents": drawn, "autoreset_mode": "Disabled"}
    env, one, two = (ZigguratVectorEnv("numberplace_city", 4, **settings) for _ in range(3))
    mask = np.array([True, False, True, False])
    one.reset(seed=1)
    two.reset(seed=2)
    env.reset(seed=1)
    env.reset(seed=2, options={"reset_mask": mask})
    for _ in range(4):
        (seen, infos), (ones, first), (twos, second) = (e.reset() for e in (env, one, two))
        assert (infos["player"] == np.where(mask, second["player"], first["player"])).all()
        assert (seen[mask] == twos[mask]).all()
        assert (seen[~mask] == ones[~mask]).all()
        assert len({row.tobytes() for row in (*ones, *twos)}) == 8


# Arrays, errors, opponents.


def all_arrays(value):
    """The arrays of numbers in what a step said."""
    if isinstance(value, np.ndarray):
        return [value] if value.dtype != object else all_arrays(tuple(value))
    return [
        array for part in (value.values() if isinstance(value, dict) else value or ()) for array in all_arrays(part)
    ]


@pytest.mark.parametrize("mode", MODES)
def test_arrays_are_new_unless_that_is_not_wanted(mode):
    env = ZigguratVectorEnv("blokus", 3, preset="mini", autoreset_mode=mode)
    rng = np.random.default_rng(2)
    said = [env.reset(seed=1)]
    for _ in range(30 if mode is not AutoresetMode.DISABLED else 3):
        said.append(env.step(chosen(rng, said[-1][-1]["action_mask"])))
    kept = [array for arrays in said for array in all_arrays(arrays)]
    assert not any(np.shares_memory(one, other) for i, one in enumerate(kept) for other in kept[:i])
    undisturbed = copy.deepcopy(env)
    for array in kept:
        array[...] = 1
    actions = chosen(rng, undisturbed.action_masks())
    if mode is not AutoresetMode.DISABLED:
        assert same(env.step(actions), undisturbed.step(actions))
    assert same(env.reset(), undisturbed.reset())
    env = ZigguratVectorEnv("blokus", 3, preset="mini", autoreset_mode=mode, copy=False)
    seen, infos = env.reset(seed=1)
    assert env.step(chosen(rng, infos["action_mask"]))[0] is seen


@pytest.mark.parametrize("opponents", ["random", drawn])
def test_an_illegal_action_changes_nothing(opponents):
    env, undisturbed = (ZigguratVectorEnv("pylos", 4, preset="mini", opponents=opponents) for _ in range(2))
    rng = np.random.default_rng(0)
    said = env.reset(seed=1)
    assert same(said, undisturbed.reset(seed=1))
    for _ in range(40):
        actions = chosen(rng, said[-1]["action_mask"])
        wrong = actions.copy()
        row = int(np.flatnonzero(said[-1]["action_mask"].any(axis=1))[-1])
        wrong[row] = np.flatnonzero(said[-1]["action_mask"][row] == 0)[0]
        with pytest.raises(zg.IllegalActionError, match=f"row {row}") as caught:
            env.step(wrong)
        assert caught.value.rows == (row,)
        said = env.step(actions)
        assert same(said, undisturbed.step(actions))


def test_an_opponent_that_fails_changes_nothing():
    failing = [False]

    def opponent(view):
        if failing[0] and view.player == 3:
            raise KeyError("no idea")
        return drawn(view)

    settings = {"board": 7, "opponents": {1: "random", 3: opponent}, "autoreset_mode": "SameStep"}
    env, undisturbed = (ZigguratVectorEnv("blokus", 3, **settings) for _ in range(2))
    said = env.reset(seed=4)
    assert same(said, undisturbed.reset(seed=4))
    failures = 0
    for _ in range(30):
        actions = chosen(np.random.default_rng(0), said[-1]["action_mask"])
        failing[0] = True
        try:
            said = env.step(actions)
        except KeyError:
            failures += 1
            failing[0] = False
            said = env.step(actions)
        failing[0] = False
        assert same(said, undisturbed.step(actions))
    assert failures > 20


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (lambda views: np.full(len(views), 216), zg.IllegalActionError, "an opponent: .*is not legal"),
        (lambda views: np.zeros(len(views)), ValueError, r"an opponent's batch\(\) gives 3 integers, not array"),
        (lambda views: [1], ValueError, r"an opponent's batch\(\) gives 3 integers, not array"),
        (lambda views: np.full(len(views), -1), ValueError, "an opponent: "),
    ],
)
def test_opponents_must_play_legal_actions(answer, error, words):
    opponent = Together()
    env = ZigguratVectorEnv("pylos", 3, opponents=opponent)
    env.reset(seed=0)
    opponent.batch = answer
    with pytest.raises(error, match=words):
        env.step(np.zeros(3, np.int64))
    assert env.action_masks()[:, 0].all()


def test_opponents_with_batch_are_asked_once_for_all_rows():
    opponent = Together()
    env = ZigguratVectorEnv("blokus", 50, preset="duo", opponents=opponent)
    said = env.reset(seed=1)
    for _ in range(4):
        said = env.step(chosen(np.random.default_rng(0), said[-1]["action_mask"]))
    assert (opponent.calls, opponent.rows) == (4, 200)


@pytest.mark.parametrize("opponents", ["random", drawn])
def test_copies_play_on_alike(opponents):
    settings = {"players": 3, "max_turns": 9, "learner": "random", "illegal": "lose", "opponents": opponents}
    env, rng = ZigguratVectorEnv("blox", 4, **settings), np.random.default_rng(0)
    said = env.reset(seed=2)
    for _ in range(3):
        said = env.step(chosen(rng, said[-1]["action_mask"]))
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(20):
        actions = chosen(rng, said[-1]["action_mask"], wrong=0.1)
        said = env.step(actions)
        for other in others:
            assert same(said, other.step(actions))
    assert same(env.reset(), others[0].reset())


def test_views_of_many_rows_are_those_of_single_ones():
    class Opponent:
        def __call__(self, view):
            raise NotImplementedError

        def batch(self, views):
            single = list(views)
            assert len(single) == len(views)
            assert [view.player for view in single] == views.players.tolist()
            assert [view.seed for view in single] == views.seeds.tolist()
            assert (np.stack([view.observation for view in single]) == views.observation).all()
            assert (np.stack([view.action_mask for view in single]) == views.action_mask).all()
            with pytest.raises(IndexError, match=f"row {len(views)} is not in 0 .. {len(views) - 1}"):
                views[len(views)]
            lengths.append(len(views))
            return [view.legal_actions[0] for view in views]

    lengths = []
    env = ZigguratVectorEnv("blox", 6, players=3, learner="random", opponents={1: Opponent()}, observation="compact")
    said = env.reset(seed=1)
    for _ in range(20):
        said = env.step(chosen(np.random.default_rng(0), said[-1]["action_mask"]))
    assert len(lengths) > 10
    assert 0 < min(lengths) < max(lengths) <= 6


def test_arguments_are_checked():
    with pytest.raises(ValueError, match="EveryStep"):
        ZigguratVectorEnv("pylos", 2, autoreset_mode="EveryStep")
    for rows in (0, -1):
        with pytest.raises(ValueError, match=f"num_envs is .*, not {rows}"):
            ZigguratVectorEnv("pylos", rows)
    with pytest.raises(ValueError, match="learner is a seat from 0 to 1"):
        ZigguratVectorEnv("pylos", 2, learner=2)
    env = ZigguratVectorEnv("pylos", 2, autoreset_mode="Disabled")
    for call in (env.render, env.action_masks, lambda: env.step(np.zeros(2, int))):
        with pytest.raises(gymnasium.error.ResetNeeded):
            call()
    with pytest.raises(gymnasium.error.ResetNeeded, match="the first reset is one of all rows"):
        env.reset(options={"reset_mask": np.array([True, False])})
    before = env.reset(seed=1)
    for actions, error in [
        (np.zeros(2), TypeError),
        (np.zeros(3, int), ValueError),
        (0, ValueError),
        (np.array([0, 217]), ValueError),
        (np.array([-1, 0]), ValueError),
        (None, TypeError),
    ]:
        with pytest.raises(error, match="action"):
            env.step(actions)
    for mask, error in [
        ([True, False], TypeError),
        (np.ones(2, np.uint8), TypeError),
        (np.ones(3, bool), ValueError),
        (np.zeros(2, bool), ValueError),
    ]:
        with pytest.raises(error, match="reset_mask is"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="the only option of reset is reset_mask"):
        env.reset(options={"level": 1})
    with pytest.raises(ValueError, match="seed is an integer from 0"):
        env.reset(seed=-1)
    assert same(before, env.reset(seed=1))


# Gymnasium's ways to make and to wrap.


def test_make_vec_makes_it_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make_vec("ziggurat/Pylos-v0", 3, preset="mini", autoreset_mode="SameStep")
        assert isinstance(env, ZigguratVectorEnv)
        assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        assert "num_envs=3" in repr(env)
        again = gymnasium.make_vec(env.spec)
        assert (again.num_envs, again.game, again.autoreset_mode) == (3, env.game, env.autoreset_mode)
        sync = gymnasium.make_vec("ziggurat/Pylos-v0", 3, vectorization_mode="sync", preset="mini")
    sync.reset(seed=1)
    assert np.shape(sync.call("action_masks")) == (3, env.single_action_space.n)
    env.close()
    assert env.closed


@pytest.mark.parametrize("mode", MODES)
def test_episode_statistics_are_counted_by_gymnasium(mode):
    env = wrappers.RecordEpisodeStatistics(ZigguratVectorEnv("pylos", 6, preset="mini", autoreset_mode=mode))
    rng, mine = np.random.default_rng(0), []
    lengths = np.zeros(6, int)
    said = env.reset(seed=1)
    dead = np.zeros(6, bool)
    for _ in range(80):
        said = env.step(chosen(rng, said[-1]["action_mask"]))
        lengths = np.where(dead, 0, lengths + 1)
        for row in np.flatnonzero(said[2]):
            mine.append((said[1][row], lengths[row]))
            assert (said[-1]["episode"]["r"][row], said[-1]["episode"]["l"][row]) == mine[-1]
        dead = said[2] if mode is AutoresetMode.NEXT_STEP else np.zeros(6, bool)
        if mode is not AutoresetMode.NEXT_STEP:
            lengths[said[2]] = 0
        if mode is AutoresetMode.DISABLED and said[2].any():
            said = env.reset(options={"reset_mask": said[2]})
    assert len(mine) > 12
    assert {reward for reward, _ in mine} == {1.0, -1.0}
    assert list(zip(env.return_queue, env.length_queue, strict=True)) == mine


def test_gymnasiums_wrappers_wrap_it():
    env = ZigguratVectorEnv("pylos", 3, preset="mini", render_mode="ansi")
    plain = ZigguratVectorEnv("pylos", 3, preset="mini")
    env = wrappers.FlattenObservation(wrappers.TransformReward(env, lambda reward: 2 * reward))
    env = wrappers.DictInfoToList(wrappers.TransformObservation(env, lambda seen: 1 - seen, None, None))
    seen, infos = env.reset(seed=1)
    other, masks = plain.reset(seed=1)
    for _ in range(40):
        assert (seen == 1 - other.reshape(3, -1)).all()
        assert [info["player"] for info in infos] == [0, 0, 0]
        assert (np.stack([info["action_mask"] for info in infos]) == masks["action_mask"]).all()
        actions = chosen(np.random.default_rng(0), masks["action_mask"])
        seen, rewards, ended, _, infos = env.step(actions)
        other, plain_rewards, plain_ended, _, masks = plain.step(actions)
        assert (rewards == 2 * plain_rewards).all()
        assert (ended == plain_ended).all()
    assert env.unwrapped.render() == tuple(
        env.unwrapped._matches.batch.state(row).observation_string(0) for row in range(3)
    )
    assert plain.render() == (None, None, None)


def test_a_copy_plays_games_of_its_own():
    env = ZigguratVectorEnv("pylos", 4, preset="mini")
    env.reset(seed=1)
    twin = copy.copy(env)
    mask = twin.action_masks()
    actions = mask.argmax(axis=1)
    env.step(actions)
    np.testing.assert_array_equal(twin.action_masks(), mask)
    twin.step(actions)
    np.testing.assert_array_equal(twin.action_masks(), env.action_masks())


@pytest.mark.parametrize("answer", [2**32, 2**31, 2**63 - 1, -1, 217, 1.5, None])
@pytest.mark.parametrize("together", [True, False])
def test_ids_of_opponents_are_not_cut(answer, together):
    class Opponent:
        def __call__(self, view):
            return answer

        def batch(self, views):
            return np.full(len(views), answer)

    policy = Opponent() if together else (lambda view: answer)
    env = ZigguratVectorEnv("pylos", 3, learner=1, opponents=policy)
    with pytest.raises((ValueError, TypeError), match="opponent"):
        env.reset(seed=1)


def test_rows_that_are_not_reset_stay_lost():
    env = ZigguratVectorEnv("pylos", 2, illegal="lose", autoreset_mode="Disabled", preset="mini")
    _, infos = env.reset(seed=1)
    first = int(infos["action_mask"][0].argmax())
    never = int(infos["action_mask"][1].argmin())
    *_, infos = env.step(np.array([never, first]))
    assert infos["illegal"].tolist() == [True, False]
    _, infos = env.reset(options={"reset_mask": np.array([False, True])})
    assert infos["illegal"].tolist() == [True, False]
    assert infos["action_mask"][0].sum() == 0
    _, infos = env.reset(options={"reset_mask": np.array([True, False])})
    assert infos["illegal"].tolist() == [False, False]


def test_views_of_rows_stay_in_their_process():
    held = []

    class Opponent:
        def __call__(self, view):
            return view.legal_actions[0]

        def batch(self, views):
            held.append(views)
            return [view.legal_actions[0] for view in views]

    env = ZigguratVectorEnv("numberplace_city", 2, learner=1, opponents=Opponent())
    env.reset(seed=1)
    with pytest.raises(TypeError, match="stay in their process"):
        pickle.dumps(held[0])
