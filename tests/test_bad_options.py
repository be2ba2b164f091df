"""Games, presets and options that there are not: a typed error that says what was given and what is allowed."""

import math

import numpy as np
import pytest
from bad_values import NOT_TEXTS

import ziggurat as zg


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("chess", ["chess", *zg.games()]),
        ("", zg.games()),
        ("Blox", ["Blox", "blox"]),
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
        ("blox(base=3)", ["base", "players"]),
        ("blox(players=1)", ["1", "2", "4"]),
        ("blox(board=010)", ["010", "9", "10"]),
        ("blox(sides=ABB)", ["ABB", "random"]),
        ("blox(sides=ABBA,sides=ABBA)", ["sides"]),
        ("blox(faces=synthetic+)", ["faces", "synthetic"]),
        ("blox(cards_per_colour=1)", ["cards_per_colour", "1", "4"]),
        ("blox(reach_new=no)", ["no", "true", "false"]),
        ("blox(preset=standard)", ["preset", "players"]),
        ("Numberplace_city", ["Numberplace_city", "numberplace_city"]),
        ("numberplace city", ["numberplace city", "numberplace_city"]),
        ("numberplace", ["numberplace", "numberplace_city"]),
        ("numberplace_city(base=3)", ["base", "players", "areas"]),
        ("numberplace_city(players=02)", ["02", "2", "4"]),
        ("numberplace_city(out_at=128)", ["128", "127"]),
        ("numberplace_city(recycle=no)", ["no", "true", "false"]),
        ("numberplace_city(areas=0,1)", ["1"]),
        ("numberplace_city(areas=0+1=2)", ["areas", "=", "standard"]),
        ("numberplace_city(bonus_table=rrsddttpw,bonus_table=rrsddttpw)", ["bonus_table"]),
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


FACE = f"{'W' * 25}:00112233"


def layout(face="", place=3, number=8):
    """A layout of 10x10 whose faces are alike but for one, the fourth: NEB."""
    faces = [FACE] * number
    return "+".join([*faces[:place], face, *faces[place + 1 :]] if face else faces)


RANGES = {
    "players": (2, 4),
    "hand": (1, 10),
    "cards_per_colour": (1, 16),
    "blocks_per_colour": (1, 10),
    "pawns": (1, 4),
    "block_limit": (1, 40),
    "start_phase": (1, 4),
    "max_turns": (0, 65535),
}
WORDS = {
    "build_height": ["min", "exact"],
    "reach": ["side", "region"],
    "entry": ["outside", "from_edge_field"],
    "two_player_setup": ["same", "printed"],
}


@pytest.mark.parametrize("option", RANGES)
def test_numbers_of_blox_out_of_range(load, option):
    least, most = RANGES[option]
    for good in (least, most):
        assert load("blox", **{"hand": 1, option: good}).options[option] == good
    for bad in (least - 1, most + 1, -(2**70), 2**70):
        with pytest.raises(ValueError) as caught:
            load("blox", **{option: bad})
        for word in (option, bad, least, most):
            assert str(word) in str(caught.value)


@pytest.mark.parametrize("option", WORDS)
def test_words_of_blox_that_do_not_exist(load, option):
    for bad in ("", "Min", "sides", "none", "exact ", f"{WORDS[option][0]}\0", "true", "\ud800"):
        with pytest.raises(ValueError) as caught:
            load("blox", **{option: bad})
        for word in (option, bad.strip("\0 "), *WORDS[option]):
            assert bad == "\ud800" or word in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"board": 8}, ["board", "8", "9", "10"]),
        ({"board": 11}, ["board", "11", "9", "10"]),
        ({"sides": ""}, ["sides", "random"]),
        ({"sides": "Random"}, ["sides", "Random", "random"]),
        ({"sides": "ABB"}, ["sides", "ABB", "random"]),
        ({"sides": "ABBAA"}, ["sides", "ABBAA", "random"]),
        ({"sides": "abba"}, ["sides", "abba", "random"]),
        ({"sides": "ABBC"}, ["sides", "ABBC", "random"]),
        ({"sides": "ABB "}, ["sides", "ABB ", "random"]),
        ({"sides": "ABB\0"}, ["sides", "random"]),
        ({"sides": "ABB\u0410"}, ["sides", "random"]),  # a Cyrillic letter that looks like an A
        ({"sides": "\ud800BBA"}, []),
        ({"sides": "A" * 100_000}, ["sides", "random"]),
        # [BX-1.6]
        ({"cards_per_colour": 1}, ["cards_per_colour", "1", "4", "6"]),
        ({"players": 4, "hand": 3, "cards_per_colour": 2}, ["cards_per_colour", "2", "8", "4", "3"]),
        ({"preset": "ravensburger2008", "players": 4, "cards_per_colour": 4}, ["cards_per_colour", "4", "16", "5"]),
        # [BX-9.1]
        ({"faces": ""}, ["faces", "synthetic"]),
        ({"faces": "Synthetic"}, ["faces", "Synthetic", "synthetic"]),
        ({"faces": "synthetic+"}, ["faces", "synthetic"]),
        ({"faces": "\ud800"}, []),
        ({"faces": "a" * 100_000}, ["faces", "synthetic"]),
        ({"faces": layout(number=7)}, ["faces", "7", "eight"]),
        ({"faces": layout(number=9)}, ["faces", "9", "eight"]),
        ({"faces": layout() + "+"}, ["faces", "eight"]),
        ({"faces": layout()[:-1]}, ["faces", "SEB"]),
        ({"faces": layout() + "\0"}, ["faces", "SEB"]),
        ({"faces": layout(f"{'w' * 25}:00112233")}, ["faces", "NEB", "w", "W"]),
        ({"faces": layout(f"{'W' * 24}X:00112233")}, ["faces", "NEB", "X"]),
        ({"faces": layout(f"{'W' * 24}\u0412:00112233")}, ["faces", "NEB"]),
        ({"faces": layout(f"{'W' * 24}:00112233")}, ["faces", "NEB", "24", "25"]),
        ({"faces": layout(f"{'W' * 26}:00112233", 0)}, ["faces", "NWA", "26"]),
        ({"faces": layout(f"{'W' * 25}00112233")}, ["faces", "NEB", ":"]),
        ({"faces": layout(f"{'W' * 25}:0011223")}, ["faces", "NEB", "0011223"]),
        ({"faces": layout(f"{'W' * 25}:001122334", 7)}, ["faces", "SEB", "001122334"]),
        ({"faces": layout(f"{'W' * 25}:0011223-")}, ["faces", "NEB", "0011223-"]),
        ({"faces": layout(f"{'W' * 25}:001122\u0663\u0663")}, ["faces", "NEB"]),
        ({"faces": layout(f"{'W' * 25}:00112200")}, ["faces", "NEB"]),
        ({"faces": layout(f"{'W' * 25}:00112255")}, ["faces", "NEB", "5"]),
        ({"faces": layout(f"{'W' * 25}:00112239")}, ["faces", "NEB", "9"]),
        ({"faces": layout(), "board": 9}, ["faces", "NEA", "25", "20"]),
        ({"faces": layout(), "preset": "ravensburger2008"}, ["faces", "NEA", "25", "20"]),
    ],
)
def test_absurd_options_of_blox(load, options, told):
    with pytest.raises(ValueError) as caught:
        load("blox", **options)
    for word in told:
        assert word in str(caught.value)


def test_the_layout_of_these_tests_is_good(load):
    assert load("blox", faces=layout()).options["faces"] == layout()
    assert load("blox", faces=layout(f"{'K' * 25}:44332211")).new_initial_state().in_turn() is False


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *((option, bad) for option in [*RANGES, "board"] for bad in ["2", b"2", 2.0, True, None, [2], math.nan]),
        *((option, bad) for option in [*WORDS, "faces", "sides"] for bad in NOT_TEXTS),
        *((option, bad) for option in ("reach_new", "capture_moves") for bad in [0, 1, "true", None, 1.0, b"true"]),
    ],
)
def test_options_of_blox_of_wrong_types(load, option, value):
    with pytest.raises(TypeError) as caught:
        load("blox", **{option: value})
    assert option in str(caught.value) or isinstance(value, np.ndarray)  # which has words of its own for it


@pytest.mark.parametrize("preset", ["Standard", "", "ravensburger", "ravensburger2008\0", "classic"])
def test_presets_of_blox_that_do_not_exist(load, preset):
    with pytest.raises(ValueError, match="standard, ravensburger2008"):
        load("blox", preset)


CITY_RANGES = {
    "players": (2, 4),
    "tiles_per_number": (1, 12),
    "out_at": (0, 127),
    "points_to_win": (1, 99),
    "max_turns": (0, 65535),
}
CITY_WORDS = {
    "board_conflict": ["all", "one"],
    "bonus_scope": ["own", "one_of_up_to", "all_up_to"],
    "solo_point": ["built", "laid"],
    "final_pass": ["free", "penalty"],
}
CITY_FLAGS = ["penalties_open", "recycle", "start_in_final"]


@pytest.mark.parametrize("option", CITY_RANGES)
def test_numbers_of_numberplace_city_out_of_range(load, option):
    least, most = CITY_RANGES[option]
    for good in (least, most):
        assert load("numberplace_city", **{option: good}).options[option] == good
    for bad in (least - 1, most + 1, -(2**70), 2**70):
        with pytest.raises(ValueError) as caught:
            load("numberplace_city", **{option: bad})
        for word in (option, bad, least, most):
            assert str(word) in str(caught.value)


@pytest.mark.parametrize("option", CITY_WORDS)
def test_words_of_numberplace_city_that_do_not_exist(load, option):
    for bad in ("", "All", "none", "free ", f"{CITY_WORDS[option][0]}\0", "true", "\ud800", "own+one"):
        with pytest.raises(ValueError) as caught:
            load("numberplace_city", **{option: bad})
        for word in (option, bad.strip("\0 "), *CITY_WORDS[option]):
            assert bad == "\ud800" or word in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        # [NC-10.1]
        ({"areas": ""}, ["areas", "standard"]),
        ({"areas": "Standard"}, ["areas", "S", "standard"]),
        ({"areas": "standard+4"}, ["areas", "standard"]),
        ({"areas": "4678+0346"}, ["areas", "2", "4"]),
        ({"areas": "4678+0346+2458"}, ["areas", "3", "4"]),
        ({"areas": "1+2+3+4+5"}, ["areas", "1+2+3+4+5"]),
        ({"areas": "1+2+3+4+"}, ["areas", "standard"]),
        ({"areas": "+1+2+3"}, ["areas", "standard"]),
        ({"areas": "4++1+2"}, ["areas", "standard"]),
        ({"areas": "4678+0346+0124+2459"}, ["areas", "9", "standard"]),
        ({"areas": "44+0+1+2"}, ["areas", "44", "twice"]),
        ({"areas": "0,1,2,3"}, ["areas", ",", "standard"]),
        ({"areas": "0 +1+2+3"}, ["areas", " ", "standard"]),
        ({"areas": "0+1+2+3\0"}, ["areas", "standard"]),
        ({"areas": "0+1+2+\u0663"}, ["areas", "standard"]),  # a digit, but not one of these
        ({"areas": "0" * 100_000}, ["areas", "standard"]),
        ({"areas": "+" * 100_000}, ["areas", "standard"]),
        ({"areas": "\ud800"}, []),
        ({"players": 2, "areas": "4678+0346+0124+2458"}, ["areas", "4", "2"]),
        ({"players": 3, "areas": "034678+012458"}, ["areas", "2", "3"]),
        # [NC-10.2]
        ({"bonus_table": ""}, ["bonus_table", "nine", "0"]),
        ({"bonus_table": "rrsddttp"}, ["bonus_table", "rrsddttp", "nine", "8"]),
        ({"bonus_table": "rrsddttpww"}, ["bonus_table", "rrsddttpww", "nine", "10"]),
        ({"bonus_table": "rrsddttp "}, ["bonus_table", " ", "nine"]),
        ({"bonus_table": "RRSDDTTPW"}, ["bonus_table", "R", "nine"]),
        ({"bonus_table": "rrsddttpx"}, ["bonus_table", "x", "nine"]),
        ({"bonus_table": "rrsddttp\0"}, ["bonus_table", "nine"]),
        ({"bonus_table": "rrsddttp\u0440"}, ["bonus_table", "nine"]),  # a Cyrillic letter that looks like a p
        ({"bonus_table": "r" * 100_000}, ["bonus_table", "nine", "100000"]),
        ({"bonus_table": "\ud800rsddttpw"}, []),
    ],
)
def test_absurd_options_of_numberplace_city(load, options, told):
    with pytest.raises(ValueError) as caught:
        load("numberplace_city", **options)
    for word in told:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *((option, bad) for option in CITY_RANGES for bad in ["2", b"2", 2.0, True, None, [2], math.nan]),
        *((option, bad) for option in [*CITY_WORDS, "areas", "bonus_table"] for bad in NOT_TEXTS),
        *((option, bad) for option in CITY_FLAGS for bad in [0, 1, "true", None, 1.0, b"true"]),
    ],
)
def test_options_of_numberplace_city_of_wrong_types(load, option, value):
    with pytest.raises(TypeError) as caught:
        load("numberplace_city", **{option: value})
    assert option in str(caught.value) or isinstance(value, np.ndarray)  # which has words of its own for it


def test_every_option_of_numberplace_city_is_tried_here():
    tried = [*CITY_RANGES, *CITY_WORDS, *CITY_FLAGS, "areas", "bonus_table"]
    assert sorted(tried) == sorted(zg.load_game("numberplace_city").options)


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
        with pytest.raises(ValueError, match=", ".join(zg.games())):
            zg.rules(name)
