"""Texts of positions of Numberplace City that are refused: clause 8.4, point by point.

Each text is made from one that is read, by the one change that makes it wrong.
"""

import pytest
from numberplace_city_model import EMPTY, OUT, PARTS, SOLVED, at, city, fill, seat, text_of

from ziggurat.errors import ParseError


def parts_of(game, board=EMPTY, seats=None, **facts):
    """The parts of the text of a position that is read."""
    parts = text_of(game, board, seats, **facts).split(" ")
    assert reads(game, parts)
    return parts


def reads(game, parts):
    """Whether a text is read, and written as it was."""
    text = f"{game} {' '.join(parts)}"
    return game.deserialize(text).serialize() == text


def refused(game, parts):
    """Whether a text is refused."""
    with pytest.raises(ParseError):
        game.deserialize(f"{game} {' '.join(parts)}")
    return True


def changed(parts, **wanted):
    """The parts of a text with others in their places."""
    return [str(wanted.get(name, part)) for name, part in zip(PARTS, parts, strict=True)]


def refuses_position(game, board=EMPTY, seats=None, **facts):
    """Whether a position is refused."""
    return refused(game, text_of(game, board, seats, **facts).split(" "))


BOARD = """
    1.. ... ...
    ... ... ...
    ... ... ...

    ... ... ...
    ... ..9 ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... ..4
"""


def rich(game):
    """The parts of a position with something in every part."""
    seats = {0: seat("1278", "59", 1), 2: seat("3", points=2), 3: seat("66")}
    facts = {"laid": "1:r4c5=7 2:r1c9=2", "supply": "835", "discard": "46", "start": 1, "place": 2, "turns": 17}
    return parts_of(game, BOARD, seats, **facts)


# How it is written.


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("board", "1..", "1."),
        ("board", "1..", "1..."),
        ("board", "1..", "0.."),
        ("board", "1..", "x.."),
        ("board", "1..", "-.."),
        ("laid", "1:r4c5=7,2:r1c9=2", ""),
        ("laid", "1:r4c5=7", "01:r4c5=7"),
        ("laid", "1:r4c5=7", "4:r4c5=7"),
        ("laid", "1:r4c5=7", "r4c5=7"),
        ("laid", "1:r4c5=7", "1:r4c5=0"),
        ("laid", "1:r4c5=7", "1:r4c5"),
        ("laid", "1:r4c5=7", "1:R4C5=7"),
        ("laid", "1:r4c5=7", "1:r4c0=7"),
        ("laid", "1:r4c5=7", "1:r4c5=?"),
        ("laid", ",", ";"),
        ("laid", ",", ",,"),
        ("laid", "=2", "=2,"),
        ("laid", "=2", "=22"),
        ("seats", "1278", "2178"),
        ("seats", "1278", "1278-"),
        ("seats", ":59:", ":95:"),
        ("seats", ":59:", "::"),
        ("seats", ":59:", ":59:59:"),
        ("seats", "1:1278", "01:1278"),
        ("seats", "1:1278", "+1:1278"),
        ("seats", "1:1278", "-1:1278"),
        ("seats", "1:1278", "1:1270"),
        ("seats", "1:1278", "1:????"),
        ("seats", ":in/", ":IN/"),
        ("seats", ":in/", ":/"),
        ("seats", ":in/", ":pass/"),
        ("seats", "/", "//"),
        ("seats", "/0:-:-:in", ""),
        ("seats", "/0:-:-:in", "/0:-:-:in/0:-:-:in"),
        ("supply", "835", "-835"),
        ("supply", "835", "830"),
        ("supply", "835", "8 35"),
        ("discard", "46", "64"),
        ("discard", "46", "4,6"),
        ("start", "1", "4"),
        ("start", "1", "01"),
        ("start", "1", "-"),
        ("start", "1", "-1"),
        ("start", "1", "1>2"),
        ("place", "2", "4"),
        ("place", "2", "02"),
        ("place", "2", "x"),
        ("bonus", "-", ""),
        ("end", "-", "x"),
        ("turns", "17", "017"),
        ("turns", "17", "-"),
        ("turns", "17", "-17"),
        ("turns", "17", "1e1"),
        ("turns", "17", "99999999999999999999"),
        ("chance", "0123", "123"),
        ("chance", "0123", "00123"),
        ("chance", "abcdef", "ABCDEF"),
        ("chance", "abcdef", "abcdeg"),
        ("chance", ".", ""),
        ("chance", ".", ","),
        ("chance", "7", "7 "),
    ],
)
def test_nc_8_4_what_is_not_written_as_it_should_be(load, part, old, new):
    game = city(load)
    parts = rich(game)
    now = parts[PARTS.index(part)]
    assert old in now
    assert refused(game, changed(parts, **{part: now.replace(old, new, 1)}))


def test_nc_8_4_parts_too_many_and_too_few(load):
    game = city(load)
    parts = rich(game)
    assert refused(game, parts[:-1])
    assert refused(game, [*parts, "-"])
    assert refused(game, parts[1:])
    text = f"{game} {' '.join(parts)}"
    for wrong in (
        text + " ",
        " " + text,
        text.replace(" ", "  ", 1),
        text + "\n",
        text.upper(),
        text.replace(" ", "\t"),
    ):
        with pytest.raises(ParseError):
            game.deserialize(wrong)


@pytest.mark.parametrize("end", ["points", "points:", "points:4", "points:02", "area", "last", "bonus", "limit"])
def test_nc_8_4_ends_that_are_not_written_so(load, end):
    game = city(load)
    parts = parts_of(game, end="bonus:2")
    assert refused(game, changed(parts, end=end))


@pytest.mark.parametrize("end", ["nobody:0", "count:0", "nobody:", "bonus:2:2", "Bonus:2", "win:2", "limit:2"])
def test_nc_8_4_ends_that_say_too_much(load, end):
    game = city(load)
    parts = parts_of(game, end="bonus:2")
    assert refused(game, changed(parts, end=end))


@pytest.mark.parametrize("bonus", ["0", "9", "2:", "2:0", "4:9", "02:9", "2:09", "2:9:9", "2:9:", ":9", "2:10", "x:9"])
def test_nc_8_4_bonuses_that_are_not_written_so(load, bonus):
    game = city(load)
    parts = parts_of(game, BOARD, bonus="2:9")
    assert refused(game, changed(parts, bonus=bonus))


def test_nc_8_4_the_n_of_a_bonus_is_there_with_all_up_to(load):
    game = city(load, bonus_scope="all_up_to")
    parts = parts_of(game, BOARD, bonus="2:9:9")
    assert refused(game, changed(parts, bonus="2:9"))
    assert refused(game, changed(parts, bonus="2:9:09"))
    assert refused(game, changed(parts, bonus="2:9:0"))


def test_nc_1_2_a_hand_of_five_tiles_is_refused(load):
    game = city(load)
    parts_of(game, EMPTY, {0: seat("1234")})
    assert refuses_position(game, EMPTY, {0: seat("12345")})
    assert refuses_position(game, EMPTY, {0: seat("12345", "11111", status="out")}, start=1)


# (1) to (3).


def test_nc_8_4_1_exactly_one_of_place_bonus_and_end(load):
    game = city(load)
    waiting = parts_of(game, BOARD)
    assert refused(game, changed(waiting, place="-"))
    assert refused(game, changed(waiting, bonus="2:9"))
    assert refused(game, changed(waiting, end="bonus:2"))
    assert reads(game, changed(waiting, place="-", bonus="2:9"))
    assert reads(game, changed(waiting, place="-", end="bonus:2"))
    assert refused(game, changed(waiting, place="-", bonus="2:9", end="bonus:2"))
    assert refused(game, changed(waiting, bonus="2:9", end="bonus:2"))


@pytest.mark.parametrize("cells", [("r5c1", "r5c9"), ("r1c5", "r9c5"), ("r4c4", "r6c6"), ("r7c7", "r9c8")])
def test_nc_8_4_2_equal_numbers_on_a_line(load, cells):
    game = city(load)
    board = fill(EMPTY, f"{cells[0]}=5", f"{cells[1]}=6")
    parts_of(game, board)
    assert refuses_position(game, fill(EMPTY, f"{cells[0]}=5", f"{cells[1]}=5"))
    assert reads(game, parts_of(game, fill(EMPTY, "r1c1=5", "r5c5=5", "r9c9=5")))


def test_nc_8_4_3_tiles_of_each_number(load):
    game = city(load)
    parts = rich(game)
    supply = parts[3]
    for wrong in (supply[:-1], supply + "9", supply[:-1] + "8"):
        assert wrong != supply
        assert refused(game, changed(parts, supply=wrong))
    assert reads(game, changed(parts, supply=supply[::-1]))
    for part, old, new in (
        ("board", "4", "5"),
        ("laid", "=7", "=8"),
        ("seats", "1278", "1279"),
        ("seats", ":59:", ":5:"),
        ("discard", "46", "4"),
    ):
        now = parts[PARTS.index(part)]
        assert refused(game, changed(parts, **{part: now.replace(old, new)}))


# (4) Laid tiles.


def test_nc_8_4_4_on_a_built_tile_or_outside_the_area(load):
    game = city(load)
    parts_of(game, BOARD, laid="0:r9c8=5", place=1)
    for cell in ("r9c9", "r5c6", "r1c1", "r1c5", "r4c9"):
        assert refuses_position(game, BOARD, laid=f"0:{cell}=5", place=1)


@pytest.mark.parametrize(
    ("players", "start", "place", "laid", "fine"),
    [
        (4, 0, 2, "0:r5c5=5 1:r5c5=5", True),
        (4, 0, 2, "1:r5c5=5", True),
        (4, 0, 2, "1:r5c5=5 0:r5c5=5", False),  # not in the order of their places
        (4, 0, 1, "0:r5c5=5 1:r5c5=5", False),  # the second place has not come yet
        (4, 0, 0, "0:r5c5=5", False),
        (4, 0, 2, "0:r5c5=5 0:r5c5=6", False),  # one place, two tiles
        (4, 3, 3, "3:r5c5=5 0:r5c5=6 1:r5c5=7", True),
        (4, 3, 3, "0:r5c5=5 3:r5c5=6", False),
        (4, 3, 2, "3:r5c5=5 1:r5c5=6", False),
        (2, 0, 3, "0:r5c5=5 1:r5c5=6 1:r5c5=7", True),
        (2, 0, 3, "1:r5c5=6 1:r5c5=7", True),
        (2, 0, 3, "0:r5c5=6 0:r5c5=7", False),
        (2, 0, 2, "1:r5c5=6 1:r5c5=7", False),
        (2, 0, 3, "1:r5c5=6 0:r5c5=7", False),
        (2, 1, 3, "1:r5c5=6 0:r5c5=7 0:r5c4=1", True),
        (2, 1, 1, "0:r5c5=6", False),
    ],
)
def test_nc_8_4_4_different_places_before_the_place_to_move(load, players, start, place, laid, fine):
    game = city(load, players=players)
    facts = {"start": start, "place": place, "laid": laid}
    assert parts_of(game, **facts) if fine else refuses_position(game, **facts)


@pytest.mark.parametrize("status", ["passed", "out"])
def test_nc_8_4_4_of_somebody_who_does_not_act(load, status):
    game = city(load, start_in_final=True)
    facts = {"laid": "0:r5c5=5 1:r5c5=5", "place": 2}
    parts_of(game, EMPTY, {1: seat(penalties="12345")}, **facts)
    assert refuses_position(game, EMPTY, {1: seat(penalties="12345", status=status)}, **facts)


def test_nc_8_4_4_while_a_bonus_is_decided_or_after_other_ends(load):
    game = city(load, points_to_win=3, areas="4678+0+0124+2458", recycle=False)
    board = fill(EMPTY, *(f"r{r}c{c}={3 * r + c - 3}" for r in (1, 2, 3) for c in (1, 2, 3)))
    laid = {"laid": "0:r5c5=5 2:r5c5=5"}
    out = {i: seat(penalties=f"{i + 1}" * 5, status="out") for i in range(4)}
    cases = [
        ({}, {"bonus": "1:9"}),
        ({}, {"end": "bonus:1"}),
        ({**out, 1: seat()}, {"end": "last:1"}),
        (out, {"end": "nobody"}),
        ({}, {"end": "count", "rest": "discard"}),
    ]
    for seats, facts in cases:
        parts_of(game, board, seats, **facts)
        assert refuses_position(game, board, seats, **facts, **laid)
    parts_of(game, board, {1: seat(points=3)}, end="points:1", **laid)
    parts_of(game, board, end="area:1", **laid)


# (5) and (6).


def test_nc_8_4_5_out_with_too_few_penalty_tiles(load):
    for options, limit in (({}, 5), ({"players": 3}, 5), ({"out_at": 9}, 9)):
        game = city(load, **options)
        parts_of(game, EMPTY, {1: seat(penalties="123456789"[:limit], status="out")})
        assert refuses_position(game, EMPTY, {1: seat(penalties="123456789"[: limit - 1], status="out")})
        parts_of(game, EMPTY, {1: seat(penalties="123456789")})  # in mid-round he may still be in


def test_nc_8_4_5_passed_for_good_outside_the_final_phase(load):
    passed = {1: seat(status="passed")}
    assert refuses_position(city(load), EMPTY, passed)
    assert refuses_position(city(load, players=2), EMPTY, passed)
    parts_of(city(load), EMPTY, {**passed, 2: OUT})
    parts_of(city(load, start_in_final=True), EMPTY, passed)
    assert refuses_position(city(load), EMPTY, passed, end="bonus:1")


def test_nc_8_4_6_points_that_would_have_won(load):
    for limit in (1, 3, 99):
        game = city(load, points_to_win=limit)
        parts_of(game, EMPTY, {1: seat(points=limit - 1)})
        assert refuses_position(game, EMPTY, {1: seat(points=limit)})
        assert refuses_position(game, BOARD, {1: seat(points=limit)}, bonus="2:9")
        assert refuses_position(game, EMPTY, {1: seat(points=limit)}, end="bonus:1")
        assert refuses_position(game, EMPTY, {1: seat(points=limit)}, end="points:2")
        parts_of(game, EMPTY, {2: seat(points=limit)}, end="points:2")
        assert refuses_position(game, EMPTY, {2: seat(points=limit - 1)}, end="points:2")
        assert refuses_position(game, EMPTY, {2: seat(points=limit), 1: seat(points=limit)}, end="points:2")
        parts_of(game, EMPTY, {2: seat(points=limit + 4)}, end="points:2")
        assert refuses_position(game, EMPTY, {2: seat(points=limit + 5)}, end="points:2")


# (7) Before the end.


def test_nc_8_4_7_fewer_than_two_are_in(load):
    game = city(load)
    out = {i: seat(penalties=f"{i + 1}" * 5, status="out") for i in range(4)}
    parts_of(game, EMPTY, {1: out[1], 2: out[2]})
    assert refuses_position(game, EMPTY, {1: out[1], 2: out[2], 3: out[3]})
    assert refuses_position(game, BOARD, {1: out[1], 2: out[2], 3: out[3]}, bonus="0:9")


def test_nc_8_4_7_all_who_are_in_have_passed(load):
    game = city(load, start_in_final=True)
    passed = {i: seat(status="passed") for i in range(4)}
    parts_of(game, EMPTY, {**passed, 2: seat()}, place=2)
    assert refuses_position(game, EMPTY, passed, place=2)


def test_nc_8_4_7_the_start_player_is_out(load):
    game = city(load)
    parts_of(game, EMPTY, {0: OUT}, start=1)
    assert refuses_position(game, EMPTY, {0: OUT}, start=0, place=1)
    parts_of(game, BOARD, {0: OUT}, start=0, bonus="2:9")  # he was eliminated in this round
    parts_of(game, BOARD, {0: seat(status="passed"), 1: OUT}, start=0, place=2)


@pytest.mark.parametrize("status", ["out", "passed"])
def test_nc_8_4_7_who_is_to_move_or_decides_is_out_or_has_passed(load, status):
    game = city(load)
    seats = {3: OUT, 2: seat(penalties="66778", status=status)}
    for place in (0, 1):
        parts_of(game, EMPTY, seats, place=place)
    assert refuses_position(game, EMPTY, seats, place=2)
    parts_of(game, BOARD, seats, bonus="1:9")
    assert refuses_position(game, BOARD, seats, bonus="2:9")


@pytest.mark.parametrize(
    "more",
    ["1" * 16 + "2" * 15, "1" * 17 + "2" * 14, "9" * 16, "8" * 16 + "9" * 15, "1" * 108],
    ids=["carry", "carry-1", "nines", "eights", "ones"],
)
def test_nc_8_4_3_more_tiles_of_a_number_than_there_can_be(load, more):
    """So many that counters of four bits would be full, and give the right number again."""
    game = city(load, players=2)
    parts = parts_of(game)
    supply = dict(zip(PARTS, parts, strict=True))["supply"]
    for tiles in (more, supply + more, supply.replace("2", "", 1) + more):
        assert refused(game, changed(parts, supply=tiles[:108]))


def test_nc_8_4_7_the_next_start_player(load):
    game = city(load, bonus_scope="all_up_to")
    parts_of(game, BOARD, bonus="2:9:6", start="0>2")
    assert refuses_position(game, BOARD, bonus="2:9:6", start="0>1")
    assert refuses_position(game, BOARD, bonus="2:9:6", start="2>2")
    assert refuses_position(game, BOARD, start="0>2")
    assert refuses_position(game, BOARD, start="0>0")
    assert refuses_position(game, BOARD, end="bonus:2", start="0>2")
    assert refuses_position(game, BOARD, bonus="2:9:1", start="0>2")  # `s` is the effect of a 3
    parts_of(game, BOARD, bonus="2:9:1", start="0")
    assert refuses_position(
        city(load, bonus_scope="all_up_to", bonus_table="rrrrrrrrt"), BOARD, bonus="2:9:9", start="0>2"
    )
    for scope in ("own", "one_of_up_to"):
        game = city(load, bonus_scope=scope)
        parts_of(game, BOARD, bonus="2:9", start="0")
        assert refuses_position(game, BOARD, bonus="2:9", start="0>2")


def test_nc_8_4_7_a_decision_without_a_choice(load):
    game = city(load, bonus_table="d-rdddddw")
    parts_of(game, BOARD, {2: seat(penalties="4")}, bonus="2:1")
    assert refuses_position(game, BOARD, bonus="2:1")
    assert refuses_position(game, BOARD, bonus="2:2")
    assert refuses_position(game, EMPTY, bonus="2:3")
    game = city(load, bonus_table="d-ddddddr", bonus_scope="one_of_up_to")
    assert refuses_position(game, BOARD, bonus="2:8")
    parts_of(game, BOARD, bonus="2:9")
    game = city(load, bonus_table="d-rdddddw", bonus_scope="all_up_to")
    parts_of(game, BOARD, {2: seat(penalties="4")}, bonus="2:9:1")
    assert refuses_position(game, BOARD, bonus="2:9:1")


def test_nc_8_4_7_the_n_of_a_decision(load):
    game = city(load, bonus_scope="all_up_to")
    seats = {2: seat(penalties="4")}
    for n in (1, 3, 4, 6, 8, 9):
        parts_of(game, BOARD, seats, bonus=f"2:9:{n}")
    for n in (2, 5, 7):
        assert refuses_position(game, BOARD, seats, bonus=f"2:9:{n}")
    parts_of(game, BOARD, seats, bonus="2:7:6")
    assert refuses_position(game, BOARD, seats, bonus="2:7:8")


# (8) After the end.


def test_nc_8_4_8_the_winner_is_out(load):
    game = city(load)
    for end, one in (("bonus:2", OUT), ("points:2", seat(penalties="12345", points=3, status="out"))):
        for winner in range(4):
            of_him = end.replace("2", str(winner))
            parts_of(game, EMPTY, {winner: seat(penalties="12345", points=one.points)}, end=of_him)
            assert refuses_position(game, EMPTY, {winner: one}, end=of_him)


def test_nc_8_4_8_an_area_that_is_not_full(load):
    game = city(load, points_to_win=99)
    west = fill(SOLVED, *(f"r{r}c{c}=." for r in (1, 2, 3) for c in range(4, 10)))
    parts_of(game, west, end="area:1")
    for cell in ("r1c1", "r5c5", "r9c3", "r5c2"):
        assert refuses_position(game, fill(west, f"{cell}=."), end="area:1")
    parts_of(game, fill(west, "r9c9=."), end="area:1")
    assert refuses_position(game, west, end="area:2")


def test_nc_8_4_8_last_and_nobody(load):
    game = city(load)
    out = {i: seat(penalties=f"{i + 1}" * 5, status="out") for i in range(4)}
    parts_of(game, EMPTY, {**out, 3: seat()}, end="last:3")
    parts_of(game, EMPTY, {**out, 3: seat(status="passed")}, end="last:3")
    assert refuses_position(game, EMPTY, {**out, 3: seat(), 2: seat()}, end="last:3")
    assert refuses_position(game, EMPTY, {**out, 3: seat(), 2: seat(status="passed")}, end="last:3")
    assert refuses_position(game, EMPTY, {**out, 3: seat()}, end="last:2")
    assert refuses_position(game, EMPTY, out, end="last:2")
    parts_of(game, EMPTY, out, end="nobody")
    assert refuses_position(game, EMPTY, {**out, 3: seat()}, end="nobody")
    assert refuses_position(game, EMPTY, {**out, 3: seat(status="passed")}, end="nobody")


def test_nc_8_4_8_count(load):
    game = city(load)
    out = {i: seat(penalties=f"{i + 1}" * 5, status="out") for i in range(4)}
    parts_of(game, EMPTY, end="count")  # nobody has a tile
    assert refuses_position(game, EMPTY, {1: seat("5")}, end="count")
    parts_of(game, EMPTY, {1: seat("5", status="passed"), 2: out[2]}, end="count")
    parts_of(game, EMPTY, {1: seat("5"), 2: out[2]}, start=1)
    parts_of(game, EMPTY, {**out, 0: seat(), 1: seat()}, end="count")
    assert refuses_position(game, EMPTY, {**out, 0: seat()}, end="count")
    assert refuses_position(game, EMPTY, out, end="count")
    full = city(load, areas="4678+0+0124+2458", points_to_win=99)
    board = fill(EMPTY, *(f"r{r}c{c}={3 * r + c - 3}" for r in (1, 2, 3) for c in (1, 2, 3)))
    parts_of(full, board, {1: seat("5")}, end="count")  # his area is full
    assert refuses_position(full, fill(board, "r2c2=."), {1: seat("5")}, end="count")


# (9)


def test_nc_8_4_9_turns(load):
    game = city(load, max_turns=20)
    for turns in (0, 19, 20):
        parts_of(game, turns=turns)
    assert refuses_position(game, turns=21)
    assert refuses_position(game, turns=21, end="bonus:1")
    game = city(load, max_turns=0)
    parts_of(game, turns=0)
    assert refuses_position(game, turns=1)


def test_nc_8_4_a_refused_text_says_what_is_wrong(load):
    game = city(load)
    with pytest.raises(ParseError, match="share a line"):
        at(game, fill(EMPTY, "r1c1=5", "r1c9=5"))
