"""Signatures: a number that tells when the course of seeded games has changed, whatever the reason.

The signature of a run of `simulate` with seed 0 is the first 16 hexadecimal digits of the SHA-256 of its columns in the
order of `FORMATS`, one after the other, each as the bytes of its rows with the little-endian type given there; after
them come the game's counters, if it has any, as `<i4`.
"""

import hashlib

import numpy as np
import pytest
from perft_files import blocks

import ziggurat as zg
from ziggurat import reference

FORMATS = {
    "scores": "<i4",
    "returns": "<f8",
    "winners": "<u4",
    "plies": "<i4",
    "turns": "<i4",
    "legal_total": "<i8",
    "legal_max": "<i4",
    "forced_passes": "<i4",
}
CASES = [(block.game, *signature) for block in blocks() for signature in block.signatures]
MOST_GAMES_OF_THE_REFERENCE = {"pylos": 20, "numberplace_city": 20, "blox": 20, "blokus": 2}


def signature(module, game, games, uniform):
    results = module.simulate(module.load_game(game), games, seed=0, uniform=uniform)
    digest = hashlib.sha256()
    for name, layout in FORMATS.items():
        digest.update(np.asarray(getattr(results, name)).astype(layout).tobytes())
    for column in results.counters.values():
        digest.update(np.asarray(column).astype("<i4").tobytes())
    return digest.hexdigest()[:16]


@pytest.mark.parametrize(("game", "uniform", "games", "digits"), CASES)
def test_native_games_have_their_signature(game, uniform, games, digits):
    assert signature(zg, game, games, uniform) == digits


@pytest.mark.parametrize(
    ("game", "uniform", "games", "digits"),
    [case for case in CASES if case[2] <= MOST_GAMES_OF_THE_REFERENCE.get(case[0].split("(")[0], 2)],
)
def test_games_of_the_reference_have_the_same_signature(game, uniform, games, digits):
    assert signature(reference, game, games, uniform) == digits


def test_every_game_and_way_to_draw_has_a_signature():
    assert {(game.split("(")[0], uniform) for game, uniform, _, _ in CASES} == {
        (name, uniform) for name in zg.games() for uniform in ("action", "turn")
    }


@pytest.mark.parametrize("name", zg.games())
def test_the_columns_have_the_types_of_the_signature(name):
    results = zg.simulate(zg.load_game(name), 1)
    expected = {**FORMATS, **dict.fromkeys(zg.describe(name)["counters"], "<i4")}
    columns = {name: column.dtype.newbyteorder("<").str for name, column in results.columns().items()}
    assert list(columns.items()) == list(expected.items())
