"""A batch is its games side by side: rows equal single games, whatever the threads, splits, orders and forms."""

import contextlib
import copy
import ctypes
import itertools
import os
import pickle
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
from common import GAMES

import ziggurat as zg

PLAYED = [text for i, text in enumerate(GAMES) if i % 3 == 0 or "," not in text]  # all forms, not all settings
ENDLESS = [text for text in GAMES if zg.load_game(text).max_game_length() is None]
SMALL = ["pylos(base=3,max_turns=30)", "blokus(board=5,colours=2,starts=a1+e5,pieces=up_to_3)", "numberplace_city"]
SMALL += ["blox(max_turns=12)"]
FIRST_MOVER = 98  # the plane of Numberplace City for four that says whether the viewer is to move: NC-9.2


def play(env, steps, policy="uniform"):
    """Everything that is seen in so many steps of random play, as bytes."""
    buffers = env.buffers("compact", legal="packed")
    env_of = []
    for _ in range(steps):
        env.step(env.sample(policy), out=buffers)
        seen = (buffers.rewards, buffers.terminations, buffers.current_players, buffers.observation)
        env_of.append(b"".join(array.tobytes() for array in (*seen, buffers.legal_packed)))
    return env_of


def rows_of(env):
    return env.save().split(b"\n")[2:-1]


@pytest.mark.parametrize("text", PLAYED)
def test_rows_are_single_games(text):
    """Every array says of row i what the state of row i says, through several episodes."""
    game = zg.load_game(text)
    env = zg.BatchEnv(game, 5, seed=3, first=2)
    states = env.states()
    out = env.buffers()
    env.reset(np.zeros(5, bool), out=out)
    for _ in range(60):
        check_views(env, states, out)
        actions = env.sample()
        ended = [s.is_terminal() for s in states]
        env.step(actions, out=out)
        for i, state in enumerate(states):
            if ended[i]:
                assert actions[i] == -1
                states[i] = env.state(i)
                assert not out.terminations[i]
                assert (out.rewards[i] == 0).all()
            else:
                state.apply_action(actions[i])
                assert out.terminations[i] == state.is_terminal()
                np.testing.assert_array_equal(out.rewards[i], state.returns().astype(np.float32))


def check_views(env, states, out):
    assert [s.serialize() for s in env.states()] == [s.serialize() for s in states]
    indptr, actions = env.legal_csr()
    packed = env.legal_packed()
    np.testing.assert_array_equal(env.legal_mask(), out.legal_mask)
    np.testing.assert_array_equal(np.packbits(out.legal_mask, axis=1, bitorder="little"), packed)
    np.testing.assert_array_equal(env.observe(), out.observation)
    np.testing.assert_array_equal(env.current_players(), out.current_players)
    seen = env.observe(0), env.observe(0, "compact"), env.observe(0, "compact", np.uint8)
    for i, state in enumerate(states):
        np.testing.assert_array_equal(state.legal_actions(), actions[indptr[i] : indptr[i + 1]])
        np.testing.assert_array_equal(state.legal_actions_mask(), out.legal_mask[i])
        np.testing.assert_array_equal(state.observation_tensor(0), seen[0][i])
        np.testing.assert_array_equal(state.observation_tensor(0, encoding="compact"), seen[1][i])
        assert abs(255 * seen[1][i].astype(float) - seen[2][i]).max() < 0.5001
        assert state.current_player() == out.current_players[i]
        if not state.is_terminal():
            np.testing.assert_array_equal(state.observation_tensor(state.current_player()), out.observation[i])
    np.testing.assert_array_equal([s.scores() for s in states], env.scores())
    np.testing.assert_array_equal([s.returns() for s in states], env.returns())
    np.testing.assert_array_equal([s.is_terminal() for s in states], env.is_terminal())


@pytest.mark.parametrize("text", [text for text in GAMES if text not in ENDLESS])
def test_uniform_play_is_simulate(text):
    """Row i in its episode 0, sampled uniformly, is game i of `simulate`."""
    game = zg.load_game(text)
    n = 12
    results = zg.simulate(game, n, seed=9, first=4, threads=1)
    env = zg.BatchEnv(game, n, seed=9, first=4, autoreset="disabled", threads=1)
    plies = np.zeros(n, int)
    while not env.is_terminal().all():
        playing = ~env.is_terminal()
        env.step(env.sample(), mask=playing, out=env.buffers(None, legal=None))
        plies += playing
    np.testing.assert_array_equal(env.scores(), results.scores)
    np.testing.assert_array_equal(env.returns(), results.returns)
    np.testing.assert_array_equal(plies, results.plies)


@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_threads_and_splits_change_nothing(text, autoreset):
    game = zg.load_game(text)
    whole = zg.BatchEnv(game, 200, seed=5, threads=1, autoreset=autoreset)
    threaded = zg.BatchEnv(game, 200, seed=5, threads=3, autoreset=autoreset)
    parts = [zg.BatchEnv(game, n, seed=5, first=first, autoreset=autoreset) for first, n in ((0, 77), (77, 123))]
    assert play(whole, 80) == play(threaded, 80)
    for part in parts:
        play(part, 80)
    assert rows_of(whole) == rows_of(threaded) == [row for part in parts for row in rows_of(part)]
    assert whole.episodes().max() > 0


@pytest.mark.parametrize("text", SMALL)
def test_the_order_of_resets_changes_nothing(text):
    """An episode of a row is the same whenever and in whichever company it begins."""
    game = zg.load_game(text)
    one, other = (zg.BatchEnv(game, 8, seed=1, autoreset="disabled") for _ in range(2))
    one.reset()
    waiting = np.ones(8, bool)
    for i in (3, 1, 0, 2, 7, 5, 6, 4):
        playing = waiting & ~other.is_terminal()
        other.step(other.sample(mask=playing), mask=playing)
        other.reset(np.arange(8) == i)
        waiting[i] = False
    assert (one.episodes() == 1).all()
    assert (other.episodes() == 1).all()
    again = zg.BatchEnv(game, 8, seed=7, autoreset="disabled")
    again.step(again.sample())
    again.reset(seed=1)
    assert rows_of(again) == rows_of(zg.BatchEnv(game, 8, seed=1))
    again.reset()
    assert rows_of(again) == rows_of(one)


def test_the_seed_of_an_episode():
    """Row 0 in episode e is row 0 of a batch with the seed that docs/random-stream.md gives."""
    from ziggurat.reference.random import stream_key

    game = zg.load_game("numberplace_city")
    env = zg.BatchEnv(game, 4, seed=11)
    assert env.state(0) == game.new_initial_state(11)
    env.reset()
    env.reset()
    assert env.state(0) == game.new_initial_state(stream_key(11, 2, 4))
    assert env.states() == zg.BatchEnv(game, 4, seed=stream_key(11, 2, 4)).states()


@pytest.mark.parametrize("text", SMALL)
def test_same_step_shows_the_end_and_the_beginning(text):
    game = zg.load_game(text)
    env = zg.BatchEnv(game, 16, seed=2, autoreset="same_step")
    out = env.buffers("compact")
    shadow = env.states()
    finals = 0
    for _ in range(150):
        actions = env.sample()
        marks = np.full_like(out.final_observation, 7)
        out.final_observation[:] = marks
        env.step(actions, out=out)
        for i in range(16):
            shadow[i].apply_action(actions[i])
            assert out.terminations[i] == shadow[i].is_terminal()
            if not out.terminations[i]:
                assert (out.final_observation[i] == 7).all()
                continue
            finals += 1
            views = [shadow[i].observation_tensor(p, encoding="compact") for p in range(game.num_players())]
            assert any((view == out.final_observation[i]).all() for view in views)
            np.testing.assert_array_equal(out.rewards[i], shadow[i].returns().astype(np.float32))
            shadow[i] = env.state(i)
            view = shadow[i].observation_tensor(shadow[i].current_player(), encoding="compact")
            np.testing.assert_array_equal(out.observation[i], view)
    assert finals > 0
    assert not env.is_terminal().any()


def test_disabled_stays_until_reset():
    env = zg.BatchEnv(zg.load_game("pylos(max_turns=1)"), 3, autoreset="disabled")
    env.step(env.sample(), mask=np.array([True, False, True]))
    assert env.is_terminal().tolist() == [True, False, True]
    assert env.sample().tolist()[::2] == [-1, -1]
    with pytest.raises(zg.IllegalActionError, match=r"rows 0, 2 .*the game is over") as caught:
        env.step([0, 0, 0])
    assert caught.value.rows == (0, 2)
    env.reset(env.is_terminal())
    assert env.is_terminal().tolist() == [False] * 3
    assert env.episodes().tolist() == [1, 0, 1]


def test_an_end_is_told_once():
    """In the step that brings it: rows that stand still pay nothing, and neither does a reset."""
    env = zg.BatchEnv(zg.load_game("blokus", "mini"), 60, seed=1, autoreset="disabled")
    out = env.buffers(None, legal=None)
    told = np.zeros(60, int)
    paid = np.zeros((60, 2))
    while not env.is_terminal().all():
        env.step(env.sample(), mask=~env.is_terminal(), out=out)
        told += out.terminations
        paid += out.rewards
    assert (told == 1).all()
    np.testing.assert_array_equal(paid, env.returns())
    assert paid.any()
    env.reset(np.arange(60) == 0, out=out)
    assert not out.terminations.any()
    assert not out.rewards.any()


@pytest.mark.parametrize("text", SMALL)
def test_all_or_nothing(text):
    env = zg.BatchEnv(zg.load_game(text), 100, seed=4, threads=2)
    env.step(env.sample())
    before = env.save()
    actions = env.sample()
    drawn = env.save()
    assert before != drawn  # the streams have moved on
    legal = env.legal_mask()
    actions[[5, 40]] = [np.flatnonzero(legal[5] == 0)[0], env.game.num_distinct_actions()]
    with pytest.raises(zg.IllegalActionError, match="rows 5, 40 are not legal; row 5: action") as caught:
        env.step(actions)
    assert caught.value.rows == (5, 40)
    assert env.save() == drawn
    actions[:] = -5
    with pytest.raises(zg.IllegalActionError, match="rows 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 90 more"):
        env.step(actions)
    assert env.save() == drawn


@pytest.mark.parametrize("text", SMALL)
def test_copies_are_independent_and_alike(text):
    env = zg.BatchEnv(zg.load_game(text), 9, seed=6)
    play(env, 7)
    twins = [env.clone(), copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    twins.append(zg.BatchEnv.load(env.save(), threads=1))
    saved = env.save()
    seen = play(env, 30)
    for twin in twins:
        assert twin.save() == saved
        assert play(twin, 30) == seen


def test_select_takes_rows_with_their_streams():
    env = zg.BatchEnv(zg.load_game("numberplace_city"), 6, seed=8)
    play(env, 5)
    rows = rows_of(env)
    part = env.select([4, 1, 1])
    assert rows_of(part) == [rows[4], rows[1], rows[1]]
    assert len(env.select([])) == 0
    for bad in ([6], [-1]):
        with pytest.raises(ValueError, match="an index is an integer from 0 to 5"):
            env.select(bad)
    for bad in ([0.5], ["a"], [True]):
        with pytest.raises(TypeError):
            env.select(bad)


def test_states_in_and_out():
    game = zg.load_game("pylos")
    env = zg.BatchEnv(game, 4)
    state = game.new_initial_state()
    state.apply_action(3)
    env.set_states([state], [2])
    assert env.state(2) == state
    assert env.state(1) == game.new_initial_state()
    state.apply_action(4)
    assert env.state(2) != state
    before = env.save()
    for states, rows, error in (
        ([state], [4], ValueError),
        ([state], [0, 1], ValueError),
        ([zg.load_game("pylos(removal=mandatory)").new_initial_state()], [0], ValueError),
        ([zg.load_game("blox").new_initial_state()], [0], TypeError),
        ([state, None], [0, 1], TypeError),
        (None, [0], TypeError),
    ):
        with pytest.raises(error):
            env.set_states(states, rows)
        assert env.save() == before


def test_logits():
    """Frequencies follow the softmax over legal actions; what is not legal does not count."""
    game = zg.load_game("pylos(base=3)")
    n = 40_000
    env = zg.BatchEnv(game, n, seed=12)
    logits = np.full((n, game.num_distinct_actions()), np.nan, np.float32)  # of what is not legal
    wanted = np.array([0.0, 1.0, -1.0, 2.0, -np.inf, 0.5, 0.0, -3.0, -40.0], np.float32)
    logits[:, :9] = wanted
    drawn = env.sample(logits)
    share = np.exp(wanted) / np.exp(wanted).sum()
    counts = np.bincount(drawn, minlength=9)[:9]
    assert counts[4] == 0
    assert counts[8] == 0
    likely = share * n > 1
    chi_square = ((counts - share * n)[likely] ** 2 / (share * n)[likely]).sum()
    assert chi_square < 26  # 6 degrees of freedom: one in 5,000
    shifted = zg.BatchEnv(game, n, seed=12).sample(logits + np.float32(1000))
    np.testing.assert_array_equal(shifted, drawn)


def test_logits_are_the_documented_ones():
    """The draw of docs/random-stream.md, written anew."""
    from fractions import Fraction
    from math import floor

    from ziggurat.reference.random import Stream, stream_key

    game = zg.load_game("pylos(base=3)")
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 4, (50, game.num_distinct_actions())).astype(np.float32)
    env = zg.BatchEnv(game, 50, seed=2)
    drawn = env.sample(logits)
    for i in range(50):
        row = [float(x) for x in logits[i, :9]]
        weights = [floor(Fraction(2**32) * Fraction(float(np.exp(np.longdouble(x - max(row)))))) for x in row]
        left = Stream(stream_key(2, i, 1)).bounded(sum(weights))
        k = 0
        while left >= weights[k]:
            left -= weights[k]
            k += 1
        assert drawn[i] == k


def test_bad_logits_draw_nothing():
    env = zg.BatchEnv(zg.load_game("pylos"), 4)
    good = np.zeros((4, 217), np.float32)
    saved = env.save()
    for bad in (np.nan, np.inf):
        logits = good.copy()
        logits[2, 3] = bad
        with pytest.raises(ValueError, match="row 2"):
            env.sample(logits)
    logits = good.copy()
    logits[3] = -np.inf
    with pytest.raises(ValueError, match="row 3"):
        env.sample(logits)
    for shape in ((4, 216), (3, 217), (4,)):
        with pytest.raises(ValueError, match="shape"):
            env.sample(np.zeros(shape, np.float32))
    with pytest.raises(ValueError, match="policy is 'uniform'"):
        env.sample("greedy")
    assert env.save() == saved
    logits[3, 30:] = 0  # never legal here
    mask = np.array([True, True, True, False])
    assert env.sample(logits, mask=mask)[3] == -1


def test_opponents_draw_from_a_stream_of_their_own():
    env, other = (zg.BatchEnv(zg.load_game("blokus", "mini"), 30, seed=3) for _ in range(2))
    theirs = env.sample(stream="opponents")
    assert (theirs != other.sample()).any()
    np.testing.assert_array_equal(other.sample(stream="opponents"), theirs)
    with pytest.raises(ValueError, match="'choices' or 'opponents'"):
        env.sample(stream="mine")


@pytest.mark.parametrize("legal", ["mask", "packed", "csr", None])
@pytest.mark.parametrize("dtype", ["float32", np.uint8])
def test_buffers_hold_what_was_asked_for(legal, dtype):
    env = zg.BatchEnv(zg.load_game("blokus", "mini"), 70, seed=1)
    out = env.buffers("compact", dtype, legal)
    assert env.step(env.sample(), out=out) is out
    np.testing.assert_array_equal(out.observation, env.observe(encoding="compact", dtype=dtype))
    assert out.final_observation is None
    forms = {"mask": out.legal_mask, "packed": out.legal_packed, "csr": out.legal_actions}
    assert [form for form, array in forms.items() if array is not None] == ([legal] if legal else [])
    if legal == "csr":
        held = out.legal_actions
        kept = held.copy()
        np.testing.assert_array_equal(env.legal_csr()[0], out.legal_indptr)
        np.testing.assert_array_equal(env.legal_csr()[1], held)
        for _ in range(6):
            env.step(env.sample(), out=out)
        assert len(kept) != len(out.legal_actions)
        np.testing.assert_array_equal(env.legal_csr()[1], out.legal_actions)


@pytest.mark.parametrize("rows", [1, 31, 32, 33, 64, 150])
def test_lists_are_those_of_the_mask(rows):
    """Whatever number of tasks makes them."""
    env = zg.BatchEnv(zg.load_game("blokus", "mini"), rows, seed=1, threads=2)
    out = env.buffers(None, legal="csr")
    for _ in range(20):
        env.step(env.sample(), out=out)
        mask = env.legal_mask()
        np.testing.assert_array_equal(np.diff(out.legal_indptr), mask.sum(axis=1))
        np.testing.assert_array_equal(out.legal_actions, np.nonzero(mask)[1])
        for one, other in zip(env.legal_csr(), (out.legal_indptr, out.legal_actions), strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("legal", ["mask", "packed", "csr"])
def test_new_buffers_show_the_present(legal):
    env = zg.BatchEnv(zg.load_game("blokus", "mini"), 40, seed=1)
    play(env, 3)
    out = env.buffers("compact", legal=legal)
    np.testing.assert_array_equal(out.observation, env.observe(encoding="compact"))
    np.testing.assert_array_equal(out.current_players, env.current_players())
    assert not out.rewards.any()
    assert not out.terminations.any()
    if legal == "csr":
        np.testing.assert_array_equal(out.legal_actions, env.legal_csr()[1])
    else:
        np.testing.assert_array_equal(getattr(out, f"legal_{legal}"), getattr(env, f"legal_{legal}")())


def test_the_callers_arrays_are_written():
    env = zg.BatchEnv(zg.load_game("pylos"), 3)
    mine = np.full((3, 12, 4, 4, 4), 9, np.float32)
    out = env.buffers(arrays={"observation": mine, "rewards": np.zeros((3, 2), np.float32)})
    assert out.observation is mine
    env.step([0, 1, 2], out=out)
    np.testing.assert_array_equal(mine, env.observe())
    for name, array, error in (
        ("observation", mine.astype(float), TypeError),
        ("observation", mine[:2], ValueError),
        ("observation", mine[..., ::-1], ValueError),
        ("legal_packed", np.zeros((3, 28), np.uint8), ValueError),
        ("rewards", [1, 2], TypeError),
    ):
        with pytest.raises(error):
            env.buffers(arrays={name: array})
    mine.setflags(write=False)
    before = env.save()
    with pytest.raises(ValueError, match="out is writeable, not read-only"):
        env.step([3, 4, 5], out=out)
    assert env.save() == before


def test_arrays_that_have_changed_are_refused():
    """Dtype, shape, strides: whatever NumPy lets their owner do to them."""
    env = zg.BatchEnv(zg.load_game("pylos"), 64)
    mine = np.zeros(64, np.int32)
    out = env.buffers(arrays={"current_players": mine})
    before = env.save()
    mine.__setstate__((1, (64,), np.dtype("int8"), False, bytes(64)))
    with pytest.raises(TypeError, match="dtype"):
        env.step(env.sample(), out=out)
    mine.__setstate__((1, (8, 8), np.dtype("int32"), False, bytes(256)))
    with pytest.raises(ValueError, match="shape"):
        env.step([0] * 64, out=out)
    assert [line.split(b" ", 5)[5] for line in env.save().split(b"\n")[2:-1]] == [
        line.split(b" ", 5)[5] for line in before.split(b"\n")[2:-1]
    ]


def test_actions_may_change_arrays_while_they_are_read():
    n = 20_000
    env = zg.BatchEnv(zg.load_game("pylos"), n)
    mine = np.zeros((n, 217), np.uint8)
    out = env.buffers(None, arrays={"legal_mask": mine})

    class Resizing:
        def __array__(self, dtype=None, copy=None):
            mine.resize((1, 1), refcheck=False)
            return np.zeros(n, np.int32)

    with pytest.raises(ValueError, match="shape"):
        env.step(Resizing(), out=out)
    assert (env.legal_mask()[:, :16] == 1).all()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("blokus(board=20,colours=2)", "blokus(sharing=pairs)"),
        ("blokus(board=8,colours=2,pieces=up_to_3)", "blokus(board=8,colours=4,sharing=pairs,pieces=up_to_3)"),
    ],
)
def test_buffers_of_another_game_are_refused(one, other):
    """Also where both have as many rows, players and actions."""
    batches = [zg.BatchEnv(zg.load_game(text), 3) for text in (one, other)]
    assert batches[0].legal_mask().shape == batches[1].legal_mask().shape
    assert batches[0].returns().shape == batches[1].returns().shape
    for encoding in ("planes", "compact"):
        for mine, theirs in (batches, batches[::-1]):
            before = mine.save()
            with pytest.raises(ValueError, match="out is what buffers"):
                mine.reset(out=theirs.buffers(encoding))
            assert mine.save() == before
    mode = zg.BatchEnv(zg.load_game(one), 3, autoreset="same_step")
    with pytest.raises(ValueError, match="out is what buffers"):
        mode.reset(out=batches[0].buffers())


def test_masks_and_actions_may_be_arrays_that_are_written():
    game = zg.load_game("pylos(max_turns=3)")
    env, other = (zg.BatchEnv(game, 50, seed=2, autoreset="disabled") for _ in range(2))
    out, outs = env.buffers(None, legal=None), other.buffers(None, legal=None)
    for _ in range(9):
        playing = ~env.is_terminal()
        env.step(env.sample(), mask=playing, out=out)
        other.step(other.sample(), mask=playing, out=outs)
        ended = out.terminations.copy()
        env.reset(out.terminations, out=out)
        other.reset(ended, out=outs)
        assert env.save() == other.save()
    assert env.episodes().min() > 1
    env.reset(seed=5, out=out)
    env.step(out.current_players, out=out)  # both players have action 0, too
    assert (env.legal_mask()[:, 0] == 0).all()


def test_classes_make_no_empty_objects():
    env = zg.BatchEnv(zg.load_game("pylos"), 1)
    for kind in (type(env.buffers()), type(env._native), type(env.game), type(env.state(0))):
        with pytest.raises(TypeError):
            kind.__new__(kind)
        with pytest.raises(TypeError):
            kind()


def test_a_failed_list_changes_nothing():
    env = zg.BatchEnv(zg.load_game("pylos"), 3)
    indptr = np.full(4, 7, np.int64)
    for actions in (np.zeros(47, np.int32), np.zeros(100, np.int64), [0] * 100):
        with pytest.raises((TypeError, ValueError)):
            env.legal_csr((indptr, actions))
        assert (indptr == 7).all()
    out = env.buffers(legal="csr")
    out.legal_actions.base.setflags(write=False)
    env.step([0, 1, 2], out=out)
    np.testing.assert_array_equal(out.legal_actions, env.legal_csr()[1])


def test_endless_states_are_refused():
    env = zg.BatchEnv(zg.load_game("pylos"), 3)
    with pytest.raises(ValueError, match="more states than the 3 indices"):
        env.set_states(itertools.repeat(env.state(0)))


def test_labels_cannot_be_set():
    env = zg.BatchEnv(zg.load_game("pylos"), 3)
    for name in ("game", "num_envs", "autoreset", "threads"):
        with pytest.raises(AttributeError):
            setattr(env, name, 2)


def test_outputs_take_arrays():
    env = zg.BatchEnv(zg.load_game("blokus", "mini"), 5)
    play(env, 9)
    for ask in (env.returns, env.scores, env.episodes, env.current_players, env.is_terminal, env.sample):
        wanted = env.clone().__getattribute__(ask.__name__)()
        out = np.zeros_like(wanted)
        assert ask(out=out) is out
        np.testing.assert_array_equal(out, wanted)


def test_arrays_of_another_size_are_refused():
    env = zg.BatchEnv(zg.load_game("pylos"), 3)
    mine = np.zeros((3, 217), np.uint8)
    out = env.buffers(arrays={"legal_mask": mine})
    mine.resize((1, 1), refcheck=False)
    with pytest.raises(ValueError, match=r"out has shape \(3, 217\), not \(1, 1\)"):
        env.step([0, 1, 2], out=out)
    with pytest.raises(ValueError, match="out is what buffers"):
        env.step([0, 1, 2], out=zg.BatchEnv(env.game, 4).buffers())
    with pytest.raises(TypeError):
        env.step([0, 1, 2], out=mine)


def test_csr_into_the_callers_arrays():
    env = zg.BatchEnv(zg.load_game("pylos"), 3)
    indptr, actions = np.zeros(4, np.int64), np.zeros(100, np.int32)
    got = env.legal_csr((indptr, actions))
    assert got[0] is indptr
    assert got[1].base is actions
    assert got[1].tolist() == [*range(16)] * 3
    with pytest.raises(ValueError, match="room for 47 actions, and 48 are legal"):
        env.legal_csr((indptr, actions[:47]))
    with pytest.raises(TypeError):
        env.legal_csr((indptr, actions.astype(np.int64)))


@pytest.mark.parametrize(
    ("actions", "error"),
    [
        ([0, 0], ValueError),
        ([[0, 0, 0]], ValueError),
        (0, ValueError),
        ([0.0, 1.0, 2.0], TypeError),
        ([True, True, True], TypeError),
        (None, TypeError),
        (["a", "b", "c"], TypeError),
        ([2**70, 0, 0], TypeError),
        (np.array([2**63, 0, 0], np.uint64), ValueError),
        ([217, 0, 0], zg.IllegalActionError),
    ],
)
def test_bad_actions(actions, error):
    env = zg.BatchEnv(zg.load_game("pylos"), 3)
    before = env.save()
    with pytest.raises(error):
        env.step(actions)
    assert env.save() == before


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, ">i4", np.int64, ">i8", np.uint64])
def test_any_integers_are_actions(dtype):
    env = zg.BatchEnv(zg.load_game("pylos"), 3)
    env.step(np.array([0, 9, 1, 9, 2], dtype)[::2])
    played = [[a for a in range(16) if a not in state.legal_actions()] for state in env.states()]
    assert played == [[0], [1], [2]]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"num_envs": -1}, ValueError),
        ({"num_envs": 2**24 + 1}, ValueError),
        ({"num_envs": 1.5}, TypeError),
        ({"seed": -1}, ValueError),
        ({"seed": 2**64}, ValueError),
        ({"first": -1}, ValueError),
        ({"threads": -1}, ValueError),
        ({"threads": 1025}, ValueError),
        ({"autoreset": "always"}, ValueError),
        ({"autoreset": None}, TypeError),
        ({"game": "pylos"}, TypeError),
    ],
)
def test_bad_arguments(arguments, error):
    with pytest.raises(error):
        zg.BatchEnv(**{"game": zg.load_game("pylos"), "num_envs": 2, **arguments})


def test_bad_masks():
    env = zg.BatchEnv(zg.load_game("pylos"), 3)
    for mask, error in (
        ([True, True, False], TypeError),
        (np.ones(3, np.uint8), TypeError),
        (np.ones(2, bool), ValueError),
        (np.ones((3, 1), bool), ValueError),
        (np.ones(6, bool)[::2], ValueError),
    ):
        for call in (env.reset, env.sample, lambda mask: env.step([0, 1, 2], mask)):
            with pytest.raises(error):
                call(mask=mask)


def test_bad_views():
    env = zg.BatchEnv(zg.load_game("pylos"), 3)
    for arguments, error in (
        ({"player": 2}, ValueError),
        ({"player": [0, 1, 2]}, ValueError),
        ({"player": [0, 1]}, ValueError),
        ({"player": 0.5}, (TypeError, ValueError)),
        ({"encoding": "pixels"}, ValueError),
        ({"dtype": "int8"}, ValueError),
        ({"dtype": "no dtype"}, TypeError),
        ({"out": np.zeros(3, np.float32)}, ValueError),
    ):
        with pytest.raises(error):
            env.observe(**arguments)
    with pytest.raises(ValueError, match="an index"):
        env.state(3)


SAVED = zg.BatchEnv(zg.load_game("pylos"), 2).save()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        SAVED[:-1],
        SAVED[:-9],
        SAVED.replace(b"batch 1", b"batch 2"),
        SAVED.replace(b"pylos", b"chess"),
        SAVED.replace(b"next_step", b"sometimes"),
        SAVED.replace(b'"num_envs": 2', b'"num_envs": 3'),
        SAVED.replace(b"{", b"["),
        SAVED.replace(b"0 0 0 0 0", b"0 0 0 0", 1),
        SAVED.replace(b"0 0 0 0 0", b"0 0 -1 0 0", 1),
        SAVED.replace(b"0 0 0 0 0", b"0 0 0 0 18446744073709551616", 1),
        SAVED.replace(b" L ", b" X ", 1),
        b"\xff" + SAVED,
        SAVED + SAVED,
    ],
)
def test_broken_files(data):
    with pytest.raises(zg.ParseError):
        zg.BatchEnv.load(data)


def test_many_threads_on_one_batch():
    """Calls from several threads take turns; every one of them plays whole steps."""
    env = zg.BatchEnv(zg.load_game("numberplace_city"), 64, seed=1, threads=2)
    done = []

    def work():
        out = env.buffers("compact", legal="csr")
        for _ in range(100):
            with contextlib.suppress(zg.IllegalActionError):  # another thread has played in between
                env.step(env.sample(), out=out)
        done.append(True)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 4
    assert zg.BatchEnv.load(env.save()).save() == env.save()


def test_views_and_files_are_of_one_moment():
    """While another thread resets all rows again and again."""
    env = zg.BatchEnv(zg.load_game("numberplace_city"), 300, seed=1)
    stop = threading.Event()

    def work():
        out = env.buffers(None, legal=None)
        while not stop.is_set():
            env.reset(out=out)
            env.step(env.sample(), mask=np.arange(300) % 2 == 0, out=out)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(30):
            batch = zg.BatchEnv.load(env.save())
            assert len(set(batch.episodes().tolist())) == 1
            batch.reset(seed=int(batch.episodes()[0]))  # rows read whole can be played on
            movers = env.observe()[:, FIRST_MOVER : FIRST_MOVER + 4, 0, 0]
            assert (movers[:, 0] == 1).all()  # whoever is to move sees that he is
    finally:
        stop.set()
        thread.join()


def run_python(code):
    """The exit code of a program, within a minute."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=60, check=False).returncode


@pytest.mark.parametrize(
    "call",
    [
        "env.step(env.sample(), out=out)",
        "zg.simulate(env.game, 100_000, threads=2)",
        "zg.simulate(env.game, 10**9, threads=2)",
        "zg.simulate(env.game, 10**7, threads=2, progress=lambda done, games: time.sleep(0.01))",
    ],
)
@pytest.mark.parametrize("moment", ["any", "without interpreter", "without engine"])
def test_a_thread_at_work_does_not_disturb_the_end_of_the_process(call, moment):
    """In two of the moments the process lingers: the C library calls sleep(exit code), which is 1 then."""
    if moment != "any" and not hasattr(ctypes.CDLL(None), "on_exit"):
        pytest.skip("the C library of this system has no on_exit")
    slowly = "libc.on_exit(libc.sleep, None)"
    code = f"""
        import ctypes, sys, threading, time
        libc = ctypes.CDLL(None)
        {slowly if moment == "without engine" else ""}
        import ziggurat as zg
        env = zg.BatchEnv(zg.load_game("pylos"), 2000, threads=2)
        {slowly if moment == "without interpreter" else ""}
        out = env.buffers()
        def work():
            while True:
                {call}
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
        sys.exit({0 if moment == "any" else 1})
    """
    assert run_python(code) == (0 if moment == "any" else 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_process_forks_between_calls():
    code = """
        import os, threading, warnings
        import ziggurat as zg
        warnings.simplefilter("ignore")
        env = zg.BatchEnv(zg.load_game("blox"), 500, threads=2)
        out = env.buffers()
        def work():
            while True:
                env.step(env.sample(), out=out)
        threading.Thread(target=work, daemon=True).start()
        for _ in range(20):
            child = os.fork()
            if child == 0:
                env.step(env.sample())
                zg.BatchEnv.load(env.save())
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
    """
    assert run_python(code) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_goes_on_alone():
    env = zg.BatchEnv(zg.load_game("pylos"), 200, seed=1, threads=3)
    play(env, 3)
    twin = env.clone()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        play(env, 3)
        os.write(write, env.save()[-2000:])
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    play(twin, 3)
    told = b""
    while part := os.read(read, 65536):
        told += part
    os.close(read)
    assert told == twin.save()[-2000:]
