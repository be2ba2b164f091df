"""Whole turns, and the bots that choose them: legal, fair, greedy, the same for the same seed, and blind to secrets."""

import random
import re
from collections import Counter

import numpy as np
import pytest
from common import GAMES, walk

import ziggurat as zg
from ziggurat import bots
from ziggurat.bots import GreedyBot, RandomBot, make_bot
from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.turns import LONGEST_TEXT, legal_turns, nth_turn, parse_turn, split_turn

PRESETS = [f"{name}/{preset}" for name in zg.games() for preset in zg.describe(name)["presets"]]
PYLOS_SQUARE = ["1a1", "1d4", "1b1", "1d3", "1a2", "1d1"]  # 1b2 makes a square of light balls


class Blindfold:
    """A state of which nothing can be asked but what is public and what `resample` gives."""

    def __init__(self, state):
        self.state = state

    def is_terminal(self):
        return self.state.is_terminal()

    def current_player(self):
        return self.state.current_player()

    def resample(self, player, seed=0):
        assert player == self.state.current_player()
        return self.state.resample(player, seed)


def load(text):
    name, _, preset = text.partition("/")
    return zg.load_game(name, preset or None)


def played(state, *texts):
    for text in texts:
        for action in state.string_to_turn(text):
            state.apply_action(action)
    return state


def after(state, actions):
    state = state.clone()
    for action in actions:
        state.apply_action(action)
    return state


def plays(game, bot, seed, limit=30):
    """The turns of a bot against itself."""
    state, found = game.new_initial_state(seed), []
    while not state.is_terminal() and len(found) < limit:
        turn = bot.choose_turn(state)
        found.append(turn)
        state = after(state, turn)
    return found


# Turns


@pytest.mark.parametrize("text", GAMES)
def test_legal_turns_are_counted_in_order_and_played(text):
    game = zg.load_game(text)
    for number, state in enumerate(walk(game, 3, 60)):
        if number % 7 != 3 or state.is_terminal() or state.count_turns() > 2000:
            continue
        turns = list(legal_turns(state))
        assert len(turns) == state.count_turns()
        assert turns == sorted(turns)
        start = len(turns) * 2 // 3
        assert list(legal_turns(state, start)) == turns[start:]
        assert nth_turn(state, len(turns) - 1) == turns[-1]
        for turn in turns[:: max(len(turns) // 5, 1)]:
            assert parse_turn(state, state.turn_to_string(turn)) == turn
            assert not after(state, turn).in_turn()


def test_turns_that_there_are_not():
    state = zg.load_game("pylos").new_initial_state()
    for number in (16, -1, 10**20):
        with pytest.raises(IndexError, match="there are 16"):
            nth_turn(state, number)
    assert list(legal_turns(state, 16)) == []


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("1a1-1b2", IllegalActionError, r"\[PY-2.1\] 1a1 is occupied"),
        ("1c3-1c3", IllegalActionError, "the turn ends before -1c3"),
        ("1b2-1d4", IllegalActionError, r"-1d4\) is not legal"),
        ("1c3zz", ParseError, "1c3zz"),
        ("", ParseError, "''"),
        ("1" * (LONGEST_TEXT + 1), ParseError, "201 characters"),
        ("\x00é\ud800", ParseError, "Unicode"),
    ],
)
def test_why_a_turn_cannot_be_played(text, error, words):
    state = played(zg.load_game("pylos").new_initial_state(), *PYLOS_SQUARE)
    before = state.serialize()
    with pytest.raises(error, match=words):
        parse_turn(state, text)
    assert state.serialize() == before


def test_a_turn_is_split_into_its_actions():
    state = zg.load_game("blox").new_initial_state(3)
    texts = ["0b", "w", "w", "rj"]
    assert [state.action_to_string(action) for action in split_turn(state, "".join(texts))] == texts


# Bots


@pytest.mark.parametrize("name", list(bots.BOTS))
@pytest.mark.parametrize("text", PRESETS)
def test_bots_play_legal_turns_and_leave_the_state_alone(text, name):
    bot = make_bot(name, 5)
    state = load(text).new_initial_state(9)
    for _ in range(25):
        if state.is_terminal():
            break
        before = state.serialize()
        turn = bot.choose_turn(Blindfold(state))
        assert state.serialize() == before
        player = state.current_player()
        for number, action in enumerate(turn):
            assert state.current_player() == player
            assert (number > 0) == state.in_turn()
            state.apply_action(action)
        assert not state.in_turn()
    assert state.serialize() != load(text).new_initial_state(9).serialize()


@pytest.mark.parametrize("name", list(bots.BOTS))
@pytest.mark.parametrize("text", ["blokus/duo", "blox", "numberplace_city", "pylos"])
def test_choices_follow_from_the_seed(text, name):
    game = load(text)
    first = plays(game, make_bot(name, 7), 1, 12)
    assert plays(game, make_bot(name, 7), 1, 12) == first
    assert plays(game, make_bot(name, 8), 1, 12) != first
    assert plays(game, make_bot(name, 7, index=1), 1, 12) != first


def test_choices_are_the_same_on_every_machine():
    assert plays(zg.load_game("pylos"), RandomBot(1), 0, 4) == [[10], [12], [14], [7]]


@pytest.mark.parametrize("name", list(bots.BOTS))
@pytest.mark.parametrize("text", ["blox", "numberplace_city"])
def test_bots_finish_begun_turns_and_know_no_more_than_their_player(text, name):
    """Where a player cannot tell two states apart his bot does the same in both."""
    for number, state in enumerate(walk(zg.load_game(text), 4, 60)):
        if number % 6 != 5 or state.is_terminal():
            continue
        player = state.current_player()
        turn = make_bot(name, 11).choose_turn(state)
        assert not after(state, turn).in_turn()
        for seed in range(3):
            twin = state.resample(player, seed)
            assert twin != state
            assert make_bot(name, 11).choose_turn(twin) == turn


def test_random_turns_are_uniform_not_their_actions():
    """After 1b2 light may take back balls in eleven ways, of which one is no ball: the first action is not uniform."""
    state = played(zg.load_game("pylos").new_initial_state(), *PYLOS_SQUARE)
    turns = [tuple(turn) for turn in legal_turns(state)]
    bot, draws = RandomBot(3), 200 * len(turns)
    found = Counter(tuple(bot.choose_turn(state)) for _ in range(draws))
    assert set(found) == set(turns)
    expected = draws / len(turns)
    chi_square = sum((found[turn] - expected) ** 2 / expected for turn in turns)
    freedom = len(turns) - 1
    assert abs(chi_square - freedom) < 5 * np.sqrt(2 * freedom)


def test_greedy_takes_the_most_points():
    state = zg.load_game("blokus", "duo").new_initial_state()
    rng = random.Random(1)
    for _ in range(16):
        best = max(int(after(state, turn).scores()[state.current_player()]) for turn in legal_turns(state))
        chosen = after(state, GreedyBot(2).choose_turn(state))
        assert chosen.scores()[state.current_player()] == best
        state = after(state, nth_turn(state, rng.randrange(state.count_turns())))


def test_greedy_breaks_ties_at_random_and_takes_a_win():
    state = zg.load_game("pylos").new_initial_state()
    assert len({tuple(GreedyBot(seed).choose_turn(state)) for seed in range(40)}) > 8  # all are worth the same
    game = zg.load_game("pylos", "mini")
    state = game.deserialize(f"{game} LDLDLDLDL/DLDL/. D - 13")
    assert state.turn_to_string(GreedyBot().choose_turn(state)) == "3a1"


class Paid:
    """A state whose only action gives some points and returns."""

    def __init__(self, scores, returns):
        self.given = scores, returns
        self.played = False

    def clone(self):
        return Paid(*self.given)

    def apply_action(self, action):
        self.played = True

    def scores(self):
        return np.array(self.given[0] if self.played else [0] * len(self.given[0]))

    def returns(self):
        return np.array(self.given[1])


def test_what_others_lose_is_worth_as_much_as_what_they_gain_costs():
    values = [([5, 9, 1], 0), ([6, 9, 1], 0), ([5, 7, 1], 0), ([5, 7, 1], 0.5), ([0, 0, 0], 1)]
    worths = [bots.worth([Paid(scores, [returns, 0, 0])], [0], 0) for scores, returns in values]
    assert worths == [(0, 0), (2, 0), (2, 0), (2, 0.5), (0, 1)]
    assert bots.worth([Paid([7], [0]), Paid([1], [0])], [0], 0) == (8, 0)  # one player alone


@pytest.mark.parametrize(("text", "games"), [("blokus/mini", 8), ("blox", 3)])
def test_greedy_beats_random(text, games):
    wins = 0.0
    for number in range(games):
        game = load(text)
        state, seat = game.new_initial_state(number), number % game.num_players()
        players = {True: GreedyBot(number), False: RandomBot(number)}
        while not state.is_terminal():
            state = after(state, players[state.current_player() == seat].choose_turn(state))
        wins += max(float(state.returns()[seat]), 0.0)
    assert wins >= 0.75 * games


def test_of_too_many_turns_some_are_looked_at(monkeypatch):
    monkeypatch.setattr(bots, "MOST_TURNS", 6)
    state = zg.load_game("blokus", "duo").new_initial_state()
    assert len(GreedyBot(1).candidates(state)) == 6
    assert state.is_legal(GreedyBot(1).choose_turn(state)[0])


@pytest.mark.parametrize("name", list(bots.BOTS))
@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.int8])
def test_seeds_of_numpy_are_seeds(name, kind):
    game = zg.load_game("pylos")
    assert plays(game, make_bot(name, kind(3), kind(1)), 0, 6) == plays(game, make_bot(name, 3, 1), 0, 6)
    assert type(bots.checked_seed("seed", kind(3))) is int


def test_the_highest_seed_of_numpy():
    game, highest = zg.load_game("pylos"), 2**64 - 1
    assert plays(game, RandomBot(np.uint64(highest)), 0, 6) == plays(game, RandomBot(highest), 0, 6)


@pytest.mark.parametrize("argument", ["seed", "index"])
@pytest.mark.parametrize("value", [1.5, np.float64(2), "x", None, np.array([1, 2])])
def test_what_is_no_seed(argument, value):
    for name in bots.BOTS:
        with pytest.raises(TypeError, match=re.escape(f"{argument} is a whole number, not {value!r}")):
            make_bot(name, **{argument: value})


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"unknown bot 'x'; there are: random, greedy"):
        make_bot("x")
    with pytest.raises(ValueError, match=r"seed is from 0 to 2\*\*64 - 1, not -1"):
        make_bot("random", -1)
    with pytest.raises(ValueError, match="index is from 0"):
        make_bot("greedy", 0, 2**64)
    with pytest.raises(ValueError, match="worlds is at least 1, not 0"):
        GreedyBot(worlds=0)
    game = zg.load_game("pylos", "mini")
    over = game.deserialize(f"{game} LDLDLDLDL/DLDL/D L - 14")
    for name in bots.BOTS:
        with pytest.raises(ValueError, match="the game is over"):
            make_bot(name).choose_turn(over)
