"""Fixtures: every test that takes `load` or `engine` runs with the native engine and with the reference."""

from importlib import import_module

import pytest

MODULES = {"reference": "ziggurat.reference", "native": "ziggurat"}


@pytest.fixture(params=list(MODULES))
def engine(request):
    """An implementation: a module with `load_game`, `perft`, `simulate` and `games`."""
    return import_module(MODULES[request.param])


@pytest.fixture
def load(engine):
    """The function that makes a game of this implementation."""
    return engine.load_game
