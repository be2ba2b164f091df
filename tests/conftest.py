"""Fixtures: every test that takes `load` or `engine` runs with the native engine and with the reference."""

import sys
from importlib import import_module

import pytest

if sys.version_info < (3, 11):  # the oldest Python that OpenSpiel 2 is made for
    collect_ignore = ["test_openspiel.py"]

MODULES = {"reference": "ziggurat.reference", "native": "ziggurat"}


@pytest.fixture(params=list(MODULES))
def engine(request):
    """An implementation: a module with `load_game`, `perft`, `simulate` and `games`."""
    return import_module(MODULES[request.param])


@pytest.fixture
def load(engine):
    """The function that makes a game of this implementation."""
    return engine.load_game
