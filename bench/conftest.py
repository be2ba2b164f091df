"""Fixtures of the benchmarks: every game, native beside reference, answers compared before anything is timed.

`ZIGGURAT_BENCH=short` plays fewer rounds and leaves out the largest rows.
"""

import os
import random
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

import pytest
from harness import load, subjects

import ziggurat as zg
from ziggurat import reference

SHORT = os.environ.get("ZIGGURAT_BENCH") == "short"
ENGINES = {"native": "ziggurat", "reference": "ziggurat.reference"}


@dataclass(frozen=True)
class Effort:
    """How often a row is repeated: `rounds` are timed one by one, each is the mean of `iterations` calls."""

    rounds: int
    iterations: int


EFFORTS = {
    "native": Effort(10 if SHORT else 50, 20),
    "reference": Effort(1 if SHORT else 3, 1),
    "large": Effort(1 if SHORT else 5, 1),
}


def pytest_configure(config):
    """Tell where the figures come from."""
    config.addinivalue_line("markers", "large: a native row that takes a second or more; left out in the short run")


def pytest_collection_modifyitems(items):
    """Leave out the large rows in the short run."""
    if SHORT:
        for item in items:
            if item.get_closest_marker("large"):
                item.add_marker(pytest.mark.skip(reason="ZIGGURAT_BENCH=short"))


def pytest_benchmark_update_machine_info(machine_info):
    """Say which build was timed, and how busy the machine was."""
    from ziggurat import _core

    machine_info["ziggurat"] = {"version": zg.__version__, "level": _core.level}
    machine_info["load_average"] = os.getloadavg() if hasattr(os, "getloadavg") else None


@pytest.fixture(params=subjects())
def name(request) -> str:
    """A game's name, or that of a variant."""
    return request.param


@pytest.fixture(params=list(ENGINES))
def side(request) -> str:
    """`native` or `reference`."""
    return request.param


@pytest.fixture
def engine(side) -> ModuleType:
    """The module of that side."""
    return import_module(ENGINES[side])


@cache
def sample(name: str) -> tuple[str, ...]:
    """Serialized positions of one random game: at the start, after a quarter, a half and three quarters of it."""
    rng, state, texts = random.Random(1), load(zg, name).new_initial_state(seed=1), []
    while not state.is_terminal():
        texts.append(state.serialize())
        state.apply_action(int(rng.choice(state.legal_actions())))
    return tuple(texts[len(texts) * quarter // 4] for quarter in range(4))


@pytest.fixture
def texts(name) -> tuple[str, ...]:
    """Positions of the game as text, the same for both sides."""
    assert zg.games() == reference.games()
    return sample(name)


@pytest.fixture
def states(name, engine, texts):
    """The positions of the game in one engine."""
    game = load(engine, name)
    return [game.deserialize(text) for text in texts]


@pytest.fixture
def measure(benchmark):
    """A function that times another one and notes how much it did: `measure(run, "native", nodes=1234)`."""

    def run_and_record(run, effort, **amounts):
        rounds = EFFORTS[effort]
        answer = benchmark.pedantic(run, rounds=rounds.rounds, iterations=rounds.iterations, warmup_rounds=0)
        benchmark.extra_info.update(amounts)
        if benchmark.stats is not None:  # None with --benchmark-disable
            seconds = benchmark.stats.stats.min
            benchmark.extra_info.update({f"{unit}_per_second": round(n / seconds, 1) for unit, n in amounts.items()})
        return answer

    return run_and_record
