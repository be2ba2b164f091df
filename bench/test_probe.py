"""Tables of solved games: single states, best turns, and 100,000 random positions at once.

Base 3 is solved in a temporary folder. The full game is measured where there is a table of it in the cache folder; a
folder named by `ZIGGURAT_CACHE` is such a folder.
"""

import numpy as np
import pytest
from pylos_facts import sample, state_of

import ziggurat as zg
from ziggurat.solver import build, load
from ziggurat.solver.files import table_files

pytestmark = pytest.mark.benchmark(group="probe")

ROWS = 100_000
SINGLE = 200  # positions that are asked one by one


def full_tables() -> list[str]:
    """The full game, if there is a table of it."""
    try:
        files = table_files(zg.load_game("pylos"))
    except ImportError:  # without platformdirs there is no cache folder
        return []
    return ["pylos()"] if files.wdl.exists() and files.distances.exists() else []


@pytest.fixture(scope="module", params=["pylos(base=3)", *full_tables()])
def table(request, tmp_path_factory):
    """A table with distances; base 3 is solved here."""
    if request.param in full_tables():
        return load(request.param)
    return build(request.param, tmp_path_factory.mktemp("tables"), threads=1)


@pytest.fixture(scope="module")
def rows(table):
    """Random positions, all equally likely: own and other balls."""
    return sample(int(table.game.options["base"]), ROWS, seed=1)


@pytest.fixture(scope="module")
def states(table, rows):
    """The first of them as states."""
    return [state_of(table.game, int(own), int(other)) for own, other in zip(*(r[:SINGLE] for r in rows), strict=True)]


def successor_result(table, state):
    """(value, distance) of a state by what its turns come to."""
    if state.is_terminal():
        return -1, 0
    best = max(table.turns(state), key=lambda turn: turn.merit)
    return best.value, best.distance


def test_probe(measure, table, states):
    """Value and distance of states, one after the other."""
    answers = [tuple(table.value_and_distance(state)) for state in states]
    assert answers == [successor_result(table, state) for state in states]
    measure(lambda: [table.value_and_distance(state) for state in states], "native", probes=SINGLE)


def test_best_turns(measure, table, states):
    """The best turns of states, one after the other: all turns are made and their results probed."""
    for state in states:
        best = max((turn.merit for turn in table.turns(state)), default=None)
        assert table.best_turns(state) == [turn.actions for turn in table.turns(state) if turn.merit == best]
    measure(lambda: [table.best_turns(state) for state in states], "native", states=SINGLE)


@pytest.mark.parametrize("distances", [False, True], ids=["values", "distances"])
def test_probe_batch(measure, table, states, rows, distances):
    """100,000 random positions from memory: the first pass, which brings in the file, is not timed."""
    one = load(str(table.game), path=table.wdl_file, distances=distances)
    values, ends = one.probe_batch(*rows)
    single = [table.value_and_distance(state) for state in states]
    assert values[:SINGLE].tolist() == [probe.value for probe in single]
    if distances:
        assert ends[:SINGLE].tolist() == [-1 if probe.distance is None else probe.distance for probe in single]
    shares = np.array([table.summary[key] for key in ("wins", "draws", "losses")]) / table.summary["positions"]
    assert abs((values > 0).mean() - shares[0]) < 0.02  # full pyramids, which are not drawn, are half won and half lost
    out = np.empty(ROWS, np.int8), np.empty(ROWS, np.int16)
    measure(lambda: one.probe_batch(*rows, *out), "large", probes=ROWS)


def test_open(measure, table):
    """Opening both files: they are mapped, not read."""
    measure(lambda: load(str(table.game), path=table.wdl_file), "native", openings=1)
