"""The builds for the instruction-set levels of a CPU: they differ in speed alone."""

import importlib.util
import os
import subprocess
import sys

import pytest

from ziggurat import _core

LEVELS = [level for level in _core.supported_levels() if importlib.util.find_spec(f"ziggurat._core._{level}")]

SCRIPT = """
import hashlib
import random

import numpy as np

import ziggurat as zg
from ziggurat import _core

digest = hashlib.sha256()


def add(value):
    digest.update(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())


for name in zg.games():
    family = _core.families[name]
    games = [zg.load_game(name, preset) for preset in family["presets"]]
    games += [zg.load_game(f"{name}({options})") for options in family["law_options"]]
    for game in games:
        for uniform in ("action", "turn"):
            for column in zg.simulate(game, 100, seed=1, uniform=uniform, threads=1).columns().values():
                add(column)
        rng, state = random.Random(1), game.new_initial_state(seed=1)
        for _ in range(400):
            if state.is_terminal():
                break
            add(state.legal_actions())
            add(state.legal_actions_mask())
            for player in range(game.num_players()):
                add(state.observation_tensor(player))
                add((state.information_state_string(player), state.resample(player, 3).serialize()))
                add(state.observation_string(player))
                for view in zg.describe(name)["views"]:
                    add(getattr(state, view)(player))
            add((state.serialize(), str(state), hash(state), state.count_turns(), state.scores().tolist()))
            for analysis in zg.describe(name)["analyses"]:
                add(state.analysis(analysis))
            add((state.canonical()[0].serialize(), state.canonical()[1]))
            add(zg.perft(state, 2))
            action = rng.choice(state.legal_actions().tolist())
            add(state.events(action))
            state.apply_action(action)
        add((state.serialize(), str(state), state.returns().tolist(), state.winners()))
        add(zg.perft(game.new_initial_state(seed=2), 3, divide=True))
        for table in zg.describe(name)["tables"]:
            add(game.table(table))
    for action in range(zg.load_game(name).num_distinct_actions()):
        add(zg.load_game(name).action_to_string(action))
print(_core.level, digest.hexdigest())
"""


def run(level, script=SCRIPT):
    """A fresh interpreter with a level forced."""
    environment = {**os.environ, "ZIGGURAT_ISA": level}
    return subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)


def test_every_level_of_this_cpu_says_the_same():
    assert LEVELS
    digests = set()
    for level in LEVELS:
        done = run(level)
        assert done.returncode == 0, done.stderr
        loaded, digest = done.stdout.split()
        assert loaded == level
        digests.add(digest)
    assert len(digests) == 1


@pytest.mark.skipif(bool(os.environ.get("ZIGGURAT_ISA")), reason="a level is forced from outside")
def test_the_best_level_is_chosen():
    assert _core.level == LEVELS[0]


@pytest.mark.parametrize("level", ["v1", "v5", "avx2", "V3", "../v3", " "])
def test_an_unknown_level_is_refused(level):
    done = run(level, "import ziggurat")
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError")
    assert repr(level) in last
    assert all(known in last for known in _core.supported_levels())


def test_an_empty_setting_is_no_setting():
    assert run("", "from ziggurat import _core; print(_core.level)").stdout.split() == LEVELS[:1]
