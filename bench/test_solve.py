"""Solving whole games: every position that can be reached, judged."""

import pytest

import ziggurat as zg
from ziggurat.solver import solve

pytestmark = pytest.mark.benchmark(group="solve-mini")

# How many positions there are, and who wins: +1 the first player, -1 the second, 0 nobody. The tests of the solver hold
# these games against their rules and against plain solvers.
GAMES = {
    "pylos(base=3)": (139_737, 1),
    "pylos(base=3,patterns=none)": (67_466, -1),
    "pylos(base=3,patterns=lines)": (191_614, 0),
    "blokus(board=5,colours=2,pieces=1+2+V3+I3)": (42_098, 1),
}


@pytest.mark.parametrize("text", GAMES)
def test_solve(measure, text):
    state = zg.load_game(text).new_initial_state()
    positions, value = GAMES[text]
    solution = solve(state)
    assert (len(solution), solution.probe(state).value) == (positions, value)
    measure(lambda: solve(state), "large", positions=positions)


def test_best_turns(measure):
    """From Python, one position after the other: turns and probes of all that follow."""
    state = zg.load_game("pylos", base=3).new_initial_state()
    solution = solve(state)
    states = [zg.restore_state(text) for text in solution.positions()[::200]]
    assert all(bool(solution.best_turns(one)) != one.is_terminal() for one in states)
    measure(lambda: [solution.best_turns(one) for one in states], "native", positions=len(states))
