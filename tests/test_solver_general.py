"""The general solver: facts made by hand, every position against its successors, and plain solvers in Python."""

import random
import re
import signal
import threading
import time
from functools import cache
from itertools import takewhile

import numpy as np
import pytest
from playing import at, play

import ziggurat as zg
from ziggurat import reference
from ziggurat.reference import pylos_solve
from ziggurat.solver import Probe, Solution, solve
from ziggurat.turns import legal_turns

PYRAMIDS = [
    "pylos(base=3)",
    "pylos(base=3,patterns=none,no_move=passes)",
    "pylos(base=3,patterns=lines)",
    "pylos(base=3,patterns=lines,removal=mandatory,remove_placed=false,no_move=passes)",
    "pylos(base=3,removal=mandatory,chain_removal=false,empty_reserve=loses)",
]
TILINGS = [
    "blokus(board=5,colours=2,pieces=1+2+O)",
    "blokus(board=5,colours=2,pieces=2+V3+O,pass_mode=skip)",
    "blokus(board=5,sharing=pairs,pieces=1+2)",
    "blokus(board=5,sharing=pairs,pieces=1+2,pass_mode=skip)",
    "blokus(board=5,colours=2,pieces=1+2,start=any_corner,scoring=basic)",
]


def start_of(text):
    """The start of a game."""
    return zg.load_game(text).new_initial_state()


@cache
def solution_of(text):
    """The solution of a game from its start."""
    return solve(start_of(text))


def after(state, turn):
    """A copy of a state after some actions."""
    copy = state.clone()
    for action in turn:
        copy.apply_action(action)
    return copy


def for_player(player, state, probe):
    """What a state is worth for a player, given its probe; of a finished game without looking at the probe's sign."""
    if not state.is_terminal():
        return Probe(probe.value if state.current_player() == player else -probe.value, probe.distance)
    winners = state.winners()
    if len(winners) != 1:
        return Probe(0, None)
    return Probe(1 if winners == [player] else -1, 0)


def one_turn_more(probe):
    """The probe of a position whose best turn leads to another one."""
    return Probe(probe.value, None if probe.distance is None else probe.distance + 1)


def merit(probe):
    """A number that is greater the better a probe is for its player."""
    return probe.value * (100_000 - (probe.distance or 0))


def minimax(state, memory):
    """The probe of a state of a game without circles, by trying everything."""
    text = state.serialize()
    if text not in memory:
        player = state.current_player()
        memory[text] = Probe(0, None)
        if not state.is_terminal():
            children = [after(state, turn) for turn in legal_turns(state)]
            probes = [for_player(player, child, minimax(child, memory)) for child in children]
            memory[text] = one_turn_more(max(probes, key=merit))
    return memory[text]


class Sweeper:
    """A solver of all games, in plain Python: looks at all positions again and again until nothing changes.

    Values are those for player 0. `image` may make one of positions that are the same but for a symmetry.
    """

    def __init__(self, roots, image=lambda state: state):
        self.image = image
        self.states, self.successors = {}, {}
        self.reach([image(state) for state in roots])
        ends = {text: for_player(0, s, None) for text, s in self.states.items() if s.is_terminal()}
        self.known = {text: probe for text, probe in ends.items() if probe.value}
        while new := {text: probe for text in self.successors if (probe := self.decided(text))}:
            self.known |= new

    def reach(self, waiting):
        """Find all positions, and to which others each leads."""
        while waiting:
            state = waiting.pop()
            text = state.serialize()
            if text not in self.states:
                self.states[text] = state
                children = [self.image(after(state, turn)) for turn in legal_turns(state)]
                if children:
                    self.successors[text] = [child.serialize() for child in children]
                waiting.extend(children)

    def probe(self, text):
        """What a position is worth for the player to move."""
        value, distance = self.known.get(text, Probe(0, None))
        return Probe(value if self.states[text].current_player() == 0 else -value, distance)

    def decided(self, text):
        """The probe of an undecided position if it follows from what is known of its successors; else None."""
        if text in self.known:
            return None
        wish = 1 if self.states[text].current_player() == 0 else -1
        probes = [self.known.get(child, Probe(0, None)) for child in self.successors[text]]
        best = max(probes, key=lambda probe: wish * merit(probe))
        return one_turn_more(best) if best.value == wish or all(probe.value for probe in probes) else None


def check_all(solution, states, expected):
    """Compare every position of a solution with what it should be: `expected(text)`, for the player to move."""
    texts = solution.positions()
    assert len(texts) == len(solution) == len(states)
    assert set(texts) == set(states)
    for text, value, distance in zip(texts, *solution.distances(), strict=True):
        state = states[text]
        probe = solution.probe(state)
        assert probe == Probe(value, distance if value else None)
        assert (distance == -1) == (value == 0)
        if state.is_terminal():
            assert (abs(probe.value), probe.distance) == ((1, 0) if len(state.winners()) == 1 else (0, None))
            assert solution.best_turns(state) == []
        else:
            assert probe == expected(text), text


# Facts made by hand.


def test_who_places_the_apex_wins():
    """[PY-4.1]"""
    state = at(zg.load_game("pylos", base=3), "LDLDLDLDL/DLDL/.", "D", "-", "0")
    solution = solve(state)
    assert (len(solution), solution.probe(state), solution.best_turns(state)) == (2, (1, 1), [[13]])
    play(state, "3a1")
    assert (solution.probe(state), solution.best_turns(state)) == ((-1, 0), [])
    assert solution.counts() == {"wins": 1, "draws": 0, "losses": 1}
    assert [array.tolist() for array in solution.distances()] == [[1, -1], [1, 0]]
    assert solution.positions() == [
        "pylos(base=3,max_turns=0) LDLDLDLDL/DLDL/. D - 0",
        "pylos(base=3,max_turns=0) LDLDLDLDL/DLDL/D L - 0",
    ]


def test_a_player_who_cannot_move_has_lost():
    """[PY-4.2] Dark has no ball left: after light's only turn he can neither place nor raise."""
    state = at(zg.load_game("pylos", base=3, patterns="none"), "LDLDLDLDL/DDD./.", "L", "-", "0")
    solution = solve(state)
    assert (solution.probe(state), solution.best_turns(state)) == ((1, 1), [[12]])
    play(state, "2b2")
    assert state.is_terminal()
    assert solution.probe(state) == Probe(-1, 0)


def test_a_skipped_turn_is_not_counted_and_the_same_player_moves_again():
    """[PY-4.2] The same, where dark is skipped: light moves twice."""
    game = zg.load_game("pylos", base=3, patterns="none", no_move="passes")
    state = at(game, "LDLDLDLDL/DDD./.", "L", "-", "0")
    solution = solve(state)
    assert (len(solution), solution.probe(state), solution.best_turns(state)) == (3, Probe(1, 2), [[12]])
    play(state, "2b2")
    assert (state.current_player(), solution.probe(state), solution.best_turns(state)) == (0, Probe(1, 1), [[13]])
    play(state, "3a1")
    assert solution.probe(state) == Probe(-1, 0)


def test_a_drawn_end_is_a_draw():
    """[BK-3.3] Both colours place their only square."""
    state = start_of("blokus(board=5,colours=2,pieces=1)")
    solution = solve(state)
    assert solution.counts() == {"wins": 0, "draws": len(solution), "losses": 0}
    while not state.is_terminal():
        assert solution.probe(state) == Probe(0, None)
        turns = solution.best_turns(state)
        assert turns == list(legal_turns(state))
        state = after(state, turns[0])
    assert sorted(state.winners()) == [0, 1]
    assert (solution.probe(state), solution.best_turns(state)) == (Probe(0, None), [])


@pytest.mark.parametrize(
    ("patterns", "value", "classes"), [("squares", 1, 18_515), ("none", -1, 8_962), ("lines", 0, 25_618)]
)
def test_the_small_pyramid_is_solved(patterns, value, classes):
    """Who wins, and how many positions there are up to symmetry: figures of other solvers."""
    state = zg.load_game("pylos", base=3, patterns=patterns).new_initial_state()
    solution = solve(state)
    assert solution.probe(state).value == value
    texts = solution.positions()
    assert len({zg.restore_state(text).canonical()[0].serialize() for text in texts}) == classes


# Every position against its successors.


@pytest.mark.parametrize("text", [*PYRAMIDS, "blokus(board=5,colours=2,pieces=1+2+V3+I3)"])
def test_solutions_are_consistent(text):
    """A position is worth what its best turn is, and the best turns are all that are worth as much."""
    solution = solution_of(text)
    texts, (values, distances) = solution.positions(), solution.distances()
    known = {text: Probe(int(v), int(d) if v else None) for text, v, d in zip(texts, values, distances, strict=True)}
    assert len(known) == len(texts)
    for sample in random.Random(1).sample(texts, 300):
        state = zg.restore_state(sample)
        assert solution.probe(state) == known[sample]
        if state.is_terminal():
            continue
        player = state.current_player()
        children = [(turn, after(state, turn)) for turn in legal_turns(state)]
        worth = [(turn, one_turn_more(for_player(player, s, known[s.serialize()]))) for turn, s in children]
        best = max((probe for _, probe in worth), key=merit)
        assert known[sample] == best
        assert solution.best_turns(state) == [turn for turn, probe in worth if probe == best]


@pytest.mark.parametrize("text", ["pylos(base=3)", "pylos(base=3,patterns=lines)"])
def test_inside_a_turn_the_best_way_to_finish_counts(text):
    solution, seen = solution_of(text), 0
    for sample in random.Random(2).sample(solution.positions(), 3000):
        state = zg.restore_state(sample)
        for first in state.legal_actions():
            middle = after(state, [first])
            if not middle.in_turn():
                continue
            seen += 1
            ends = [(rest, after(middle, rest)) for rest in legal_turns(middle)]
            worth = [one_turn_more(for_player(middle.current_player(), s, solution.probe(s))) for _, s in ends]
            best = max(worth, key=merit)
            assert solution.probe(middle) == best
            expected = [rest for (rest, _), probe in zip(ends, worth, strict=True) if probe == best]
            assert solution.best_turns(middle) == expected
            turns = solution.best_turns(state)
            if best == solution.probe(state):
                assert [turn for turn in turns if turn[0] == first] == [[first, *rest] for rest in expected]
            else:
                assert merit(best) < merit(solution.probe(state))
                assert all(turn[0] != first for turn in turns)
    assert seen > 100


def test_best_turns_lead_to_the_end_that_was_foretold():
    """Both sides play best turns from the start: the game takes as many turns as its distance says."""
    solution, rng = solution_of("pylos(base=3)"), random.Random(3)
    for _ in range(20):
        state = start_of("pylos(base=3)")
        first, turns = solution.probe(state), 0
        while not state.is_terminal():
            state = after(state, rng.choice(solution.best_turns(state)))
            turns += 1
        assert (state.winners(), turns) == ([0], first.distance)


# Plain solvers.


@pytest.mark.parametrize("text", TILINGS)
def test_games_without_circles_are_those_of_minimax(text):
    state, memory = start_of(text), {}
    minimax(state, memory)
    check_all(solve(state), {position: zg.restore_state(position) for position in memory}, memory.__getitem__)


def size_within(state, most):
    """How many positions can be reached; 0 if there are more than `most`."""
    try:
        return len(solve(state, most))
    except ValueError:
        return 0


def late_state(text, seed, most):
    """A state of a random game, as early as can be so that at most some number of positions can be reached."""
    rng, line = random.Random(f"{text} {seed}"), [start_of(f"{text[:-1]},max_turns=0)")]
    while not line[-1].is_terminal():
        line.append(after(line[-1], [rng.choice(line[-1].legal_actions().tolist())]))
    sizes = ((size_within(state, most), state) for state in reversed(line))
    return list(takewhile(lambda pair: pair[0] > 0, sizes))[-1]


@pytest.mark.parametrize("text", PYRAMIDS)
def test_ends_of_games_are_those_of_a_plain_solver(text):
    found = [late_state(text, seed, 3000) for seed in range(40)]
    size, state = max(found, key=lambda pair: pair[0])
    assert size > 100
    roots = [after(state, turn) for turn in legal_turns(state)] if state.in_turn() else [state]
    plain = Sweeper(roots)
    check_all(solve(state), plain.states, plain.probe)


@pytest.mark.parametrize("text", [PYRAMIDS[2], PYRAMIDS[3]])
def test_games_with_circles_are_those_of_a_plain_solver(text):
    """Whole games, in which many positions are drawn because play is endless."""
    solution = solution_of(text)
    plain = Sweeper([start_of(f"{text[:-1]},max_turns=0)")], lambda state: state.canonical()[0])
    assert {zg.restore_state(text).canonical()[0].serialize() for text in solution.positions()} == set(plain.states)
    drawn = 0
    for text in plain.successors:
        probe = solution.probe(plain.states[text])
        assert probe == plain.probe(text), text
        drawn += probe.value == 0
    assert drawn > 100


@pytest.mark.parametrize("text", ["pylos(base=3,patterns=lines,no_move=passes)"])
def test_the_solver_of_the_reference_agrees(text):
    """It looks at all positions, up to symmetry, and was written from the rules alone."""
    expected, solution = pylos_solve.solve(zg.load_game(text)), solution_of(text)
    drawn = 0
    for position in random.Random(4).sample(solution.positions(), 10_000):
        state = zg.restore_state(position)
        probe = solution.probe(state)
        assert probe == expected.lookup(state), position
        drawn += probe.value == 0
    assert drawn > 100


# What a solution covers.


def test_limits_on_the_length_are_ignored():
    game = zg.load_game("pylos", base=3, patterns="none", max_turns=3)
    state = game.new_initial_state()
    solution = solve(state)
    whole = solution_of("pylos(base=3,patterns=none)")
    assert str(solution.game) == str(whole.game) == "pylos(base=3,patterns=none,max_turns=0)"
    assert solution.positions() == whole.positions()
    play(state, "1a1", "1b1", "1c1")
    assert (state.is_terminal(), state.winners()) == (True, [])
    unlimited = solution.game.deserialize(f"{solution.game} LDL....../..../. D - 0")
    assert solution.probe(state) == solution.probe(unlimited) == whole.probe(state)
    assert solution.best_turns(state) == solution.best_turns(unlimited) != []


def test_a_solution_from_inside_a_turn_begins_with_the_ways_to_finish_it():
    state = at(zg.load_game("pylos", base=3, max_turns=0), "LLDLLDD../..../.", "L", "1b2", "0")
    solution = solve(state)
    ends = [after(state, turn).serialize() for turn in legal_turns(state)]
    assert len(ends) > 1
    assert solution.positions()[: len(ends)] == ends
    assert solution.probe(state) == solution_of("pylos(base=3)").probe(state)
    assert solution.best_turns(state) == solution_of("pylos(base=3)").best_turns(state)


def test_a_finished_game_is_a_solution():
    state = at(zg.load_game("pylos", base=3), "LDLDLDLDL/DLDL/D", "L", "-", "0")
    solution = solve(state, max_positions=1)
    assert (len(solution), solution.probe(state), solution.best_turns(state)) == (1, (-1, 0), [])


def test_arrays_and_counts_belong_together():
    solution = solution_of("pylos(base=3,patterns=lines)")
    values, distances = solution.distances()
    assert (values.dtype, distances.dtype) == (np.int8, np.int16)
    assert values.shape == distances.shape == (len(solution),)
    counts = {"wins": (values == 1).sum(), "draws": (values == 0).sum(), "losses": (values == -1).sum()}
    assert solution.counts() == counts
    assert min(counts.values()) > 0
    assert ((values == 0) == (distances == -1)).all()
    before = values.copy()
    values[:] = 0
    distances[:] = 0
    assert (solution.distances()[0] == before).all()
    assert repr(solution) == f"<solution of {len(solution)} positions of pylos(base=3,patterns=lines,max_turns=0)>"


def test_asking_changes_nothing():
    solution, state = solution_of("pylos(base=3)"), start_of("pylos(base=3)")
    before = state.clone()
    probe = solution.probe(state)
    assert isinstance(solution, Solution)
    assert isinstance(probe, Probe)
    assert (probe.value, probe.distance) == tuple(probe)
    assert [type(action) for turn in solution.best_turns(state) for action in turn] == [int]
    assert state == before


def test_threads_may_share_a_solution():
    solution, texts = solution_of("pylos(base=3)"), solution_of("pylos(base=3)").positions()[::500]
    expected, found = [solution.probe(zg.restore_state(text)) for text in texts], []

    def ask():
        found.append([solution.probe(zg.restore_state(text)) for text in texts])

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3


# What is refused.


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("blox(players=2)", "has secrets"),
        ("blox(players=4)", "has secrets"),
        ("numberplace_city(players=2)", "has secrets"),
        ("blokus()", "has 4 players"),
        ("blokus(board=5,colours=3)", "has 3 players"),
        ("blokus(board=5,colours=1)", "has 1 player$"),
    ],
)
def test_only_two_players_who_see_everything_are_solved(text, why):
    with pytest.raises(ValueError, match=f"only games of two players who see everything can be solved, and .*{why}"):
        solve(start_of(text))


def test_every_game_is_solved_or_refused():
    """From a state of each: a game is never left without an answer."""
    for name in zg.games():
        state = zg.load_game(name).new_initial_state()
        with pytest.raises(ValueError, match=r"only games of two players|more than max_positions=10 positions"):
            solve(state, max_positions=10)


def test_too_many_positions_are_refused():
    state = start_of("blokus(board=5,colours=2,pieces=1+2+O)")
    size = len(solve(state))
    assert len(solve(state, max_positions=size)) == len(solve(state, max_positions=2**32 - 2)) == size
    for most in (size - 1, 1):
        with pytest.raises(ValueError, match=f"there are more than max_positions={most} positions"):
            solve(state, max_positions=most)


@pytest.mark.parametrize("most", [0, -1, 2**32, 2**63, 10**30])
def test_impossible_numbers_of_positions_are_refused(most):
    with pytest.raises(ValueError, match=r"integer from .*, not "):
        solve(start_of("pylos(base=3)"), max_positions=most)


@pytest.mark.parametrize("most", [None, 1.5, "10", [10]])
def test_numbers_of_positions_that_are_no_numbers_are_refused(most):
    with pytest.raises(TypeError):
        solve(start_of("pylos(base=3)"), max_positions=most)


@pytest.mark.parametrize("state", [None, 1, "pylos()", zg.load_game("pylos"), object()])
def test_what_is_no_state_is_refused(state):
    with pytest.raises(TypeError, match=re.escape(f"a state of a game of load_game, not {state!r}")):
        solve(state)
    solution = solution_of("pylos(base=3)")
    for ask in (solution.probe, solution.best_turns):
        with pytest.raises(TypeError, match=re.escape(f"a state of a game of load_game is wanted, not {state!r}")):
            ask(state)


def test_states_of_the_reference_are_refused():
    state = reference.load_game("pylos", base=3).new_initial_state()
    for ask in (solve, solution_of("pylos(base=3)").probe):
        with pytest.raises(TypeError, match="a state of a game of load_game"):
            ask(state)


@pytest.mark.parametrize(
    "other", ["pylos()", "pylos(base=3,patterns=lines)", "blox(players=2)", "blokus(board=5,colours=2,pieces=1)"]
)
def test_states_of_other_games_are_refused(other):
    solution, state = solution_of("pylos(base=3)"), start_of(other)
    wanted = f"a state of pylos(base=3,max_turns=0) is wanted, not of {state.get_game()}"
    for ask in (solution.probe, solution.best_turns):
        with pytest.raises(ValueError, match=re.escape(wanted)):
            ask(state)


def test_positions_that_were_not_reached_are_refused():
    """Also one all of whose successors were."""
    game = zg.load_game("pylos", base=3, patterns="none")
    before = at(game, "LDLDLDLDL/DLD./.", "L", "-", "0")
    after_it = play(before.clone(), "2b2")
    assert before.count_turns() == 1
    solution = solve(after_it)
    assert solution.probe(after_it) == Probe(1, 1)
    for ask in (solution.probe, solution.best_turns):
        with pytest.raises(ValueError, match=r"'LDLDLDLDL/DLD\./\. L - 0' is none of the 2 positions of this solution"):
            ask(before)


@pytest.mark.parametrize("progress", [1, "bar", True])
def test_progress_that_cannot_be_called_is_refused(progress):
    with pytest.raises(TypeError, match="progress is a function or None"):
        solve(start_of("pylos(base=3)"), progress=progress)


# Long work.


class EnoughError(Exception):
    """Raised in the midst of work."""


def test_progress_hears_of_the_positions_found_and_may_stop_it():
    heard = []

    def progress(done, total):
        heard.append((done, total))
        if len(heard) == 3:
            raise EnoughError

    with pytest.raises(EnoughError):
        solve(start_of("pylos()"), progress=progress)
    counts, totals = zip(*heard, strict=True)
    assert set(totals) == {0}
    assert 0 < counts[0] < counts[1] < counts[2]


def test_a_signal_stops_it_within_a_second():
    def raise_it(*_):
        raise EnoughError

    old = signal.signal(signal.SIGALRM, raise_it)
    try:
        start = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(EnoughError):
            solve(start_of("pylos()"))
        assert time.perf_counter() - start < 1.3
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
