"""Games, presets and options that there are not: a typed error that says what was given and what is allowed."""

import math

import numpy as np
import pytest
from bad_values import NOT_TEXTS

import ziggurat as zg


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("chess", ["chess", "blokus", "pylos"]),
        ("", ["blokus", "pylos"]),
        ("Pylos", ["Pylos", "pylos"]),
        ("pylos\0", ["pylos"]),
        ("pylos()()", [")("]),
        ("pylos(", ["pylos"]),
        ("pylos)", ["pylos"]),
        ("(pylos)", ["pylos"]),
        ("pylos(colour=red)", ["colour", "patterns", "removal"]),
        ("pylos(removal=maybe)", ["maybe", "optional", "mandatory"]),
        ("pylos(removal)", ["removal"]),
        ("pylos(=)", ["patterns"]),
        ("pylos(removal=mandatory,removal=mandatory)", ["removal"]),
        ("pylos(base=5)", ["5", "3", "4"]),
        ("pylos(base=-1)", ["-1", "3", "4"]),
        ("pylos(max_turns=65536)", ["65536", "65535"]),
        ("pylos(max_turns=99999999999999999999999)", ["9999", "65535"]),
        ("pylos(max_turns=1.5)", ["1.5", "65535"]),
        ("pylos(max_turns= 5)", [" 5", "65535"]),
        ("pylos(max_turns=)", ["65535"]),
        ("pylos(remove_placed=1)", ["1", "true", "false"]),
        ("pylos(remove_placed=TRUE)", ["TRUE", "true", "false"]),
        ("blokus(start=corner)", ["corner", "own_corner", "any_corner"]),
        ("blokus(base=3)", ["base", "start"]),
        ("blokus(board=4)", ["4", "5", "20"]),
        ("blokus(board=21)", ["21", "5", "20"]),
        ("blokus(board=08)", ["08", "5", "20"]),
        ("blokus(board=8,board=8)", ["board"]),
        ("blokus(colours=0)", ["0", "1", "4"]),
        ("blokus(sharing=pairs,colours=2)", ["sharing", "colours", "2"]),
        ("blokus(starts=e10+j5)", ["e10+j5", "4"]),
        ("blokus(starts=a1,b1,c1,d1)", ["b1"]),
        ("blokus(pieces=1+Q)", ["Q", "junior"]),
        ("blokus(pieces=)", ["junior"]),
        ("blokus(pieces=1=2)", ["1=2", "junior"]),
    ],
)
def test_absurd_games(text, told):
    with pytest.raises(ValueError) as caught:
        zg.load_game(text)
    for word in told:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("name", "option", "value", "error", "told"),
    [
        ("pylos", "base", 5, ValueError, ["5", "3", "4"]),
        ("pylos", "base", 2**63, ValueError, ["9223372036854775808"]),
        ("pylos", "base", -(10**30), ValueError, ["10000"]),
        ("pylos", "base", True, TypeError, ["True", "3", "4"]),
        ("pylos", "base", 4.0, TypeError, ["4.0", "base"]),
        ("pylos", "base", None, TypeError, ["None", "base"]),
        ("pylos", "max_turns", -1, ValueError, ["-1", "65535"]),
        ("pylos", "max_turns", math.nan, TypeError, ["nan", "max_turns"]),
        ("pylos", "max_turns", b"5", TypeError, ["max_turns"]),
        ("pylos", "removal", 1, TypeError, ["1", "mandatory"]),
        ("pylos", "removal", False, TypeError, ["False", "mandatory"]),
        ("pylos", "removal", "Mandatory", ValueError, ["Mandatory", "mandatory"]),
        ("pylos", "removal", "mandatory\0", ValueError, ["optional"]),
        ("pylos", "removal", "\ud800", ValueError, []),
        ("pylos", "removal", b"mandatory", TypeError, ["removal"]),
        ("pylos", "remove_placed", 1, TypeError, ["1", "true"]),
        ("pylos", "remove_placed", 0, TypeError, ["0", "true"]),
        ("pylos", "remove_placed", "maybe", TypeError, ["maybe", "true"]),
        ("pylos", "colour", "red", ValueError, ["colour", "patterns"]),
        ("blokus", "start", [], TypeError, ["start"]),
        ("blokus", "scoring", {}, TypeError, ["scoring"]),
        ("blokus", "pass_mode", "", ValueError, ["action", "skip"]),
    ],
)
def test_absurd_options(name, option, value, error, told):
    with pytest.raises(error) as caught:
        zg.load_game(name, **{option: value})
    for word in told:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"board": 4}, ["board", "4", "5", "20"]),
        ({"board": 21}, ["board", "21", "5", "20"]),
        ({"colours": 0}, ["colours", "0", "1", "4"]),
        ({"colours": 5}, ["colours", "5", "1", "4"]),
        ({"copies": 3}, ["copies", "3", "1", "2"]),
        ({"copies": 2**70}, ["copies", str(2**70), "1", "2"]),
        ({"start": "own "}, ["start", "own ", "own_corner", "any_corner"]),
        ({"start": "EITHER"}, ["start", "EITHER", "own_corner", "any_corner"]),
        ({"sharing": "Pairs"}, ["sharing", "Pairs", "none", "pairs", "fourth"]),
        # [BK-7.1]
        ({"starts": ""}, ["starts", "corners"]),
        ({"starts": "a1"}, ["starts", "a1", "4"]),
        ({"starts": "a1+b1+c1+d1+e1"}, ["starts", "e1"]),
        ({"starts": "a1+b1+c1+a1"}, ["starts", "a1+b1+c1+a1"]),
        ({"board": 8, "starts": "a1+b1+c1+i1"}, ["starts", "i1", "8"]),
        ({"board": 8, "starts": "a1+b1+c1+a9"}, ["starts", "a9", "8"]),
        ({"starts": "a1+b1+c1+u1"}, ["starts", "u1", "corners"]),
        ({"starts": "a1+b1+c1+a21"}, ["starts", "21", "corners"]),
        ({"starts": "a1+b1+c1+a0"}, ["starts", "0", "corners"]),
        ({"starts": "a1+b1+c1+a01"}, ["starts", "01", "corners"]),
        ({"starts": "a1+b1+c1+"}, ["starts", "a1+b1+c1+", "corners"]),
        ({"starts": "+a1+b1+c1"}, ["starts", "+a1+b1+c1", "corners"]),
        ({"starts": "a1+b1+c1+d1 "}, ["starts", " ", "corners"]),
        ({"starts": "a1,b1,c1,d1"}, ["starts", ",b1,c1,d1", "corners"]),
        ({"starts": "A1+B1+C1+D1"}, ["starts", "A1", "corners"]),
        ({"starts": "Corners"}, ["starts", "Corners", "corners"]),
        ({"starts": "corners+a1"}, ["starts", "a1", "corners"]),
        ({"starts": "\ud800"}, []),
        ({"starts": "a1+b1+c1+d1\0"}, ["starts", "corners"]),
        ({"starts": "a1+b1+c1+d\u0661"}, ["starts", "corners"]),
        ({"starts": "a" * 100_000}, ["starts", "corners"]),
        ({"preset": "duo", "colours": 3}, ["starts", "e10+j5", "3"]),
        ({"preset": "duo", "board": 9}, ["starts", "e10", "9"]),
        # [BK-7.2]
        ({"pieces": ""}, ["pieces", "junior", "up_to_4"]),
        ({"pieces": "Q"}, ["pieces", "Q", "junior"]),
        ({"pieces": "x"}, ["pieces", "x", "junior"]),
        ({"pieces": "1+1"}, ["pieces", "1", "junior"]),
        ({"pieces": "1+"}, ["pieces", "junior"]),
        ({"pieces": "1,2"}, ["pieces", "1,2", "junior"]),
        ({"pieces": "up_to_1"}, ["pieces", "up_to_1", "junior"]),
        ({"pieces": "up_to_5"}, ["pieces", "up_to_5", "junior"]),
        ({"pieces": "junior+Y"}, ["pieces", "junior"]),
        ({"pieces": "\ud800"}, []),
        ({"pieces": "1\0"}, ["pieces", "junior"]),
        # [BK-7.3]
        ({"sharing": "pairs", "colours": 2}, ["sharing", "colours", "4", "2"]),
        ({"sharing": "fourth", "colours": 3}, ["sharing", "colours", "4", "3"]),
        ({"preset": "classic-2", "colours": 1}, ["sharing", "colours", "4", "1"]),
        ({"preset": "duo", "sharing": "pairs"}, ["sharing", "colours", "4", "2"]),
    ],
)
def test_absurd_options_of_blokus(load, options, told):
    with pytest.raises(ValueError) as caught:
        load("blokus", **options)
    for word in told:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("board", bad) for bad in ["8", b"8", 8.0, True, None, [8], {}, math.nan]),
        *(("copies", bad) for bad in ["2", 2.0, True, None]),
        *((option, bad) for option in ("starts", "pieces", "sharing") for bad in NOT_TEXTS),
    ],
)
def test_options_of_blokus_of_wrong_types(load, option, value):
    with pytest.raises(TypeError) as caught:
        load("blokus", **{option: value})
    assert option in str(caught.value) or isinstance(value, np.ndarray)  # which has words of its own for it


@pytest.mark.parametrize("preset", ["large", "", "standard\0", "Mini"])
def test_presets_that_do_not_exist(preset):
    with pytest.raises(ValueError, match="standard, children, expert, mini"):
        zg.load_game("pylos", preset)


def test_names_and_presets_of_the_wrong_type():
    for bad in [*NOT_TEXTS, b"pylos"]:
        with pytest.raises(TypeError):
            zg.load_game(bad)
        if bad is not None:
            with pytest.raises(TypeError):
                zg.load_game("pylos", bad)
    for name in ("chess", "", "../pylos"):
        with pytest.raises(ValueError, match="blokus, pylos"):
            zg.rules(name)
