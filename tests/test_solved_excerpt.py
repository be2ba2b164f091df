"""A piece of the full solution of Pylos, kept as files: all positions with at most five balls on the board.

`Tablebase.excerpt` made them of the tables that docs/data/pylos_solved.json tells of. They must be read for ever.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from test_tablebase import masks

import ziggurat as zg
from ziggurat.solver import load

ROOT = Path(__file__).parents[1]
TABLES = ROOT / "tests/data/tables"
BALLS = 5
CELLS = 30


@pytest.fixture(scope="module")
def table():
    """The excerpt."""
    return load("pylos", path=TABLES)


@pytest.fixture(scope="module")
def positions():
    """One position of each class under symmetry that play can lead to in less than five turns."""
    level, found = [zg.load_game("pylos").new_initial_state()], []
    for _ in range(BALLS):
        found += level
        after = {}
        for state in level:
            for action in state.legal_actions():  # no pattern can be made yet: each action is a turn
                child = state.clone()
                child.apply_action(action)
                after.setdefault(str(child.canonical()[0]), child)
        level = list(after.values())
    return found


def test_the_excerpt_is_of_the_solution_that_the_page_tells_of(table):
    data = json.loads((ROOT / "docs/data/pylos_solved.json").read_text(encoding="utf-8"))
    told = next(rules for rules in data["rule_sets"] if rules["game"] == "pylos()")
    summary = table.summary
    assert [told[key] for key in ("positions", "wins", "draws", "losses")] == [
        summary[key] for key in ("positions", "wins", "draws", "losses")
    ]
    assert told["by_balls"] == [list(row) for row in summary["by_balls"]]
    assert sum(map(sum, summary["by_balls"])) == summary["positions"] == 12_507_810_089  # doc of the rules: Burnside
    assert (told["start"]["value"], told["start"]["distance"]) == (-1, 40)


def test_checksums(table):
    table.verify()


def test_every_position_follows_from_its_turns(table, positions):
    """By the turns of the ordinary rules; those lead to positions with at most five balls, which the excerpt holds."""
    assert len(positions) > 1000
    assert table.value_and_distance(positions[0]) == (-1, 40)
    for state in positions:
        best = max(table.turns(state), key=lambda turn: turn.merit)
        assert table.value_and_distance(state) == (best.value, best.distance)


def test_symmetric_positions_are_worth_the_same(table, positions):
    own, other = masks([state.serialize() for state in positions])
    expected = table.probe_batch(own, other)
    for k in range(1, 8):
        images = [state.transformed(k) for state in positions]
        found = table.probe_batch(*table.pack(images))
        for mine, his in zip(expected, found, strict=True):
            np.testing.assert_array_equal(mine, his)


def test_an_excerpt_says_what_it_lacks(table):
    own = np.array([0b0111], np.uint32)
    other = np.array([0b111000], np.uint32)
    with pytest.raises(ValueError, match="an excerpt: it holds positions with at most 5 balls on the board, not 6"):
        table.probe_batch(own, other)
    with pytest.raises(ValueError, match="excerpt"):
        table.self_check(1000)


def test_ends_need_no_table(table):
    """The player to move has the last ball, or none."""
    full = (1 << CELLS - 1) - 1
    own = np.array([0x15555555 & full, full ^ (0x15555555 & full)], np.uint32)
    counts = [int(row).bit_count() for row in own]
    assert sorted(counts) == [14, 15]
    values, distances = table.probe_batch(own, full ^ own)
    assert [(int(v), int(d)) for v, d in zip(values, distances, strict=True)] == [
        (1, 1) if count == 14 else (-1, 0) for count in counts
    ]
