"""What actions of Numberplace City make public: section 12, as whole lists.

Seats of four players, clockwise, and their blocks: 0 south 4678, 1 west 0346, 2 north 0124, 3 east 2458. Where nothing
else is said seat 0 starts, and whom a test does not name passes with an empty hand.
"""

import pytest
from numberplace_city_model import EMPTY, OUT, SOLVED, at, city, events, fill, ready, revealed, seat, told
from playing import play

from ziggurat.errors import IllegalActionError

# The keys of the events, in their order.
KEYS = {
    "laid": "player cell",
    "passed": "player number",
    "solo_point": "player points",
    "knocked_out": "player cell number reason by",
    "contradicted": "player cell number tiles taken",
    "built": "player cell number points",
    "eliminated": "player penalties",
    "bonus": "player number",
    "bonus_lapsed": "player number",
    "removed": "player cell number",
    "start_player": "player",
    "discarded": "player number",
    "turned": "player turn",
    "point": "player points",
    "bonus_win": "player",
    "declined": "player",
    "recycled": "tiles",
    "refilled": "player tiles",
    "end": "by winners",
}
TEXTS = ("cell", "reason", "tiles", "taken", "turn", "by", "winners")


def event(name, *values):
    """An event, its values in the order of the keys; where keys are left without a value they are not there."""
    return {"event": name, **dict(zip(KEYS[name].split(), values, strict=False))}


def same(found, *expected):
    """Whether events are as expected: their keys in this order, too, and numbers that are numbers."""
    assert found == list(expected)
    for one, other in zip(found, expected, strict=True):
        assert list(one) == list(other)
        assert all(type(one[key]) is type(other[key]) for key in one)
    return True


def refills(*players, tiles=4):
    return [event("refilled", player, tiles) for player in players]


NO_BONUS = {"bonus_table": "---------"}


# [NC-12.1]


def test_nc_12_1_a_lay_and_a_pass(load):
    state = at(city(load), EMPTY, {0: seat("25")})
    assert same(events(state, "r4c5=5"), event("laid", 0, "r4c5"))
    assert same(events(state, "pass=2"), event("passed", 0, 2))
    play(state, "r4c5=5")
    assert same(events(state, "pass"), event("passed", 1))


def test_nc_12_1_the_tile_of_a_pass_is_told_where_penalty_tiles_are_open(load):
    state = at(city(load, penalties_open=False), EMPTY, {0: seat("25")})
    assert same(events(state, "pass=2"), event("passed", 0))
    state = at(city(load, start_in_final=True), EMPTY, {0: seat("25")})
    assert same(events(state, "pass"), event("passed", 0))
    state = at(city(load, start_in_final=True, final_pass="penalty"), EMPTY, {0: seat("25")})
    assert same(events(state, "pass=5"), event("passed", 0, 5))


def test_nc_12_1_only_of_legal_actions_and_nothing_is_changed(load):
    state = at(city(load), EMPTY, {0: seat("25")})
    before = state.clone()
    for text in ("r4c5=3", "r1c1=2", "pass", "decline"):
        with pytest.raises(IllegalActionError):
            state.events(state.string_to_action(text))
    for wrong in (-1, 836):
        with pytest.raises(ValueError, match=str(wrong)):
            state.events(wrong)
    assert state == before


# [NC-12.2] The reveal.

RICH = fill(SOLVED, *(f"r{r}c{c}=." for r in range(1, 10) for c in range(1, 10) if r not in (4, 9)), "r4c4=.", "r9c5=.")


def test_nc_12_2_a_reveal_of_everything(load):
    # Row 4 is 234 567 891 and lacks the 5 on r4c4; west's 9 clashes with the one in its column.
    game = city(load, **NO_BONUS)
    found = told(game, RICH, "r4c4=5", "r5c1=9", "r4c4=5", "r5c5=5")
    assert same(
        found,
        event("laid", 3, "r5c5"),
        event("knocked_out", 0, "r4c4", 5, "same_number", 2),
        event("knocked_out", 3, "r5c5", 5, "line", 2),
        event("contradicted", 1, "r5c1", 9, "r9c1", "r9c1"),
        event("built", 2, "r4c4", 5, 1),
        event("bonus_lapsed", 2, 5),
        *refills(0, 1, 2, 3),
    )


def test_nc_12_2_knocked_out_for_each_reason(load):
    game = city(load, players=2, **NO_BONUS)
    found = told(game, EMPTY, "r4c4=5", "r4c4=6", "r6c6=5", "r4c4=5")
    assert same(
        found,
        event("laid", 0, "r4c4"),
        event("knocked_out", 1, "r4c4", 6, "other_number", 0),
        event("knocked_out", 1, "r6c6", 5, "line", 0),
        event("knocked_out", 0, "r4c4", 5, "same_number", 0),
        event("built", 0, "r4c4", 5, 0),
        event("bonus_lapsed", 0, 5),
        *refills(0, 1),
    )


def test_nc_12_2_the_first_claim_that_knocks_out(load):
    # West's 5 on r1c1 shares its column with south's claim. It shares its row with east's, too, if that is made before.
    game = city(load, **NO_BONUS)
    found = told(game, EMPTY, "r9c1=5", "r1c1=5", "pass", "r1c7=5")
    assert found[:2] == [event("laid", 3, "r1c7"), event("knocked_out", 1, "r1c1", 5, "line", 0)]
    found = told(game, EMPTY, "r1c7=5", "r9c1=5", "r1c1=5", start=3)
    assert found[:2] == [event("passed", 2), event("knocked_out", 1, "r1c1", 5, "line", 3)]
    assert found[2:4] == [event("built", 3, "r1c7", 5, 0), event("built", 0, "r9c1", 5, 0)]


def test_nc_12_2_by_the_first_claim_not_the_first_tile(load):
    # North takes over south's claim, the first one. East's 5 shares a line with it and with west's claim, the second.
    found = told(city(load, **NO_BONUS), EMPTY, "r5c5=5", "r6c1=5", "r5c5=5", "r6c6=5")
    assert same(
        found,
        event("laid", 3, "r6c6"),
        event("knocked_out", 0, "r5c5", 5, "same_number", 2),
        event("knocked_out", 3, "r6c6", 5, "line", 2),
        event("built", 2, "r5c5", 5, 0),
        event("built", 1, "r6c1", 5, 0),
        event("bonus_lapsed", 1, 5),
        *refills(0, 1, 2, 3),
    )


FIVES = """
    ... .5. ...
    ... ... ...
    ... ... ...

    ... 5.. ...
    5.. ... ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... ...
"""


def test_nc_12_2_contradicted_by_which_tiles_and_what_is_taken(load):
    # r9c4 takes r4c4; r5c5 clashes with all three and takes what is left, or the first by cell.
    for how, taken in (("all", "r1c5+r5c1"), ("one", "r1c5")):
        game = city(load, board_conflict=how)
        found = told(game, FIVES, "r9c4=5", "r5c5=5")
        assert same(
            found,
            event("passed", 3),
            event("contradicted", 0, "r9c4", 5, "r4c4", "r4c4"),
            event("contradicted", 1, "r5c5", 5, "r1c5+r4c4+r5c1", taken),
            *refills(0, 1, 2, 3),
        )


def test_nc_12_2_a_claim_that_falls_by_a_tile_that_is_taken(load):
    game = city(load)
    board = fill(EMPTY, "r4c1=5")
    found = told(game, board, "r4c5=5", "r7c1=5")
    assert found[1:3] == [
        event("contradicted", 0, "r4c5", 5, "r4c1", "r4c1"),
        event("contradicted", 1, "r7c1", 5, "r4c1", "-"),
    ]


def test_nc_12_2_elimination_by_seat_and_the_bonus(load):
    seats = {1: seat(penalties="6666"), 2: seat(penalties="777777"), 0: seat(penalties="8")}
    found = told(city(load), FIVES, "r9c9=4", "r5c5=5", "pass", "pass=9", seats=seats)
    assert same(
        found,
        event("passed", 3, 9),
        event("contradicted", 1, "r5c5", 5, "r1c5+r4c4+r5c1", "r1c5+r4c4+r5c1"),
        event("built", 0, "r9c9", 4, 0),
        event("eliminated", 1, 8),
        event("eliminated", 2, 6),
        event("bonus", 0, 4),
    )


def test_nc_12_2_the_bonus_of_somebody_who_was_just_eliminated(load):
    found = told(city(load), EMPTY, "r9c9=3", seats={0: seat(penalties="66666")})
    assert same(
        found,
        event("passed", 3),
        event("built", 0, "r9c9", 3, 0),
        event("eliminated", 0, 5),
        event("bonus_lapsed", 0, 3),
        *refills(1, 2, 3),
        event("start_player", 1),
    )


def test_nc_12_2_no_bonus_where_nothing_is_built(load):
    assert same(told(city(load), EMPTY), event("passed", 3), *refills(0, 1, 2, 3))


@pytest.mark.parametrize("solo_point", ["built", "laid"])
def test_nc_12_2_solo_points(load, solo_point):
    seats = {0: OUT, 1: seat(status="passed"), 2: seat(status="passed"), 3: seat(points=1)}
    state, acts = ready(city(load, solo_point=solo_point), EMPTY, ["r5c9=8"], seats=seats, start=3)
    solo, built = event("solo_point", 3, 2), event("built", 3, "r5c9", 8, 0)
    order = [built, solo] if solo_point == "built" else [solo, built]
    assert same(events(state, acts[0]), event("laid", 3, "r5c9"), *order, event("bonus", 3, 8))


# [NC-12.3] The bonus: seat 1 has built the only tile, and decides; all hands are full.


def decided(load, letter, act, own=None, table=None, **options):
    """The events of a decision."""
    game = city(load, bonus_table=table or "----" + letter + "----", **options)
    full = {0: seat("1234"), 2: seat("1234"), 3: seat("1234")}
    one = own or seat(penalties="33")
    one.hand = "6789"
    return events(at(game, fill(EMPTY, "r4c1=5", "r1c5=2"), {**full, 1: one}, bonus="1:5"), act)


@pytest.mark.parametrize(
    ("letter", "act", "expected"),
    [
        ("r", "remove=r1c5", event("removed", 1, "r1c5", 2)),
        ("r", "remove=r4c1", event("removed", 1, "r4c1", 5)),
        ("s", "start", event("start_player", 1)),
        ("d", "discard=3", event("discarded", 1, 3)),
        ("t", "turn=left", event("turned", 1, "left")),
        ("t", "turn=180", event("turned", 1, "180")),
        ("t", "turn=right", event("turned", 1, "right")),
        ("p", "point", event("point", 1, 1)),
        ("p", "decline", event("declined", 1)),
    ],
)
def test_nc_12_3_what_is_decided(load, letter, act, expected):
    assert same(decided(load, letter, act), expected)


def test_nc_12_3_wins(load):
    assert same(decided(load, "w", "win"), event("bonus_win", 1), event("end", "bonus", "1"))
    assert same(decided(load, "p", "point", seat(points=2)), event("point", 1, 3), event("end", "points", "1"))


def test_nc_12_3_a_decision_that_another_one_follows(load):
    game = city(load, bonus_scope="all_up_to")
    state = at(game, fill(EMPTY, "r4c1=9"), {1: seat(penalties="3")}, bonus="1:9:3")
    assert same(events(state, "start"), event("start_player", 1))
    play(state, "start")
    assert same(events(state, "discard=3"), event("discarded", 1, 3))
    play(state, "discard=3", "turn=180", "point")
    assert same(events(state, "decline"), event("declined", 1), *refills(0, 1, 2, 3))


# [NC-12.4] Refill, next round, end.


def test_nc_12_4_refills_from_the_start_player_of_the_round(load):
    seats = {0: seat("123"), 1: seat("1234"), 2: seat("12"), 3: seat()}
    state = at(city(load), fill(EMPTY, "r1c4=3"), seats, bonus="2:3", start=3)
    found = events(state, "start")
    assert same(
        found, event("start_player", 2), event("refilled", 3, 4), event("refilled", 0, 1), event("refilled", 2, 2)
    )


def test_nc_12_4_recycling(load):
    # West lacks two tiles and gets one before the discard is shuffled: his draws are told as one.
    game = city(load, tiles_per_number=2)
    seats = {0: seat("1"), 1: seat("23"), 2: seat("2345"), 3: seat("6789")}
    state = at(game, fill(EMPTY, "r4c1=1"), seats, bonus="1:1", supply="7896", rest="discard")
    found = events(state, "decline")
    left = 18 - 11 - 4 - 1
    assert same(found, event("declined", 1), event("refilled", 0, 3), event("recycled", left), event("refilled", 1, 2))
    assert left == 2


def test_nc_12_4_what_is_removed_is_recycled(load):
    game = city(load, tiles_per_number=1)
    state = at(game, fill(EMPTY, "r4c1=1"), {0: seat("2345"), 2: seat("6789")}, bonus="1:1")
    found = events(state, "remove=r4c1")
    assert same(found, event("removed", 1, "r4c1", 1), event("recycled", 1), event("refilled", 1, 1))


def test_nc_12_4_who_gets_nothing_is_not_told(load):
    game = city(load, tiles_per_number=1, recycle=False)
    state = at(game, fill(EMPTY, "r4c1=1"), {0: seat("23")}, bonus="1:1", supply="4", rest="discard")
    assert same(events(state, "decline"), event("declined", 1), event("refilled", 0, 1))


def test_nc_12_4_another_start_player_where_he_is_out(load):
    seats = {3: seat(penalties="11111")}
    found = told(city(load), EMPTY, seats=seats, start=3)
    assert same(found, event("passed", 2), event("eliminated", 3, 5), *refills(0, 1, 2), event("start_player", 0))
    seats = {3: seat(penalties="11111")}
    state = revealed(city(load), EMPTY, "pass", "pass", "r4c1=3", seats=seats, start=3)
    assert same(events(state, "start"), event("start_player", 1), *refills(0, 1, 2))
    assert same(events(state, "decline"), event("declined", 1), *refills(0, 1, 2), event("start_player", 0))


@pytest.mark.parametrize(
    ("options", "board", "acts", "seats", "expected"),
    [
        (
            {},
            RICH,
            ["r4c4=5"],
            {0: seat(points=2)},
            [event("passed", 3), event("built", 0, "r4c4", 5, 1), event("end", "points", "0")],
        ),
        (
            {"areas": "04+4+0124+2458", "points_to_win": 99},
            fill(EMPTY, *(f"r{r}c{c}={3 * r + c - 15}" for r in (4, 5, 6) for c in (4, 5, 6)), "r5c5=."),
            ["r5c5=5", "pass", "r1c4=5"],
            {},
            [event("passed", 3), event("built", 0, "r5c5", 5, 1), event("end", "area", "1")],
        ),
        (
            {},
            EMPTY,
            ["pass=9", "pass=9", "pass=9"],
            {0: seat(penalties="1111"), 1: seat(penalties="2222"), 2: seat(penalties="3333")},
            [event("passed", 3), *(event("eliminated", i, 5) for i in range(3)), event("end", "last", "3")],
        ),
        (
            {"out_at": 1},
            EMPTY,
            ["pass=9", "pass=9", "pass=9", "pass=9"],
            {},
            [event("passed", 3, 9), *(event("eliminated", i, 1) for i in range(4)), event("end", "nobody", "-")],
        ),
        ({"start_in_final": True}, EMPTY, [], {1: seat(points=1)}, [event("passed", 3), event("end", "count", "1")]),
        (
            {"start_in_final": True},
            EMPTY,
            [],
            {1: seat(points=1), 3: seat(points=1)},
            [event("passed", 3), event("end", "count", "1+3")],
        ),
        (
            {"tiles_per_number": 1, "recycle": False, "out_at": 127, **NO_BONUS},
            EMPTY,
            ["r9c9=5"],
            {3: seat(penalties="12346789")},
            [
                event("passed", 3),
                event("built", 0, "r9c9", 5, 0),
                event("bonus_lapsed", 0, 5),
                event("end", "count", "0+1+2"),
            ],
        ),
    ],
    ids=["points", "area", "last", "nobody", "passed", "shared", "count"],
)
def test_nc_12_4_ends(load, options, board, acts, seats, expected):
    assert same(told(city(load, **options), board, *acts, seats=seats), *expected)


def test_nc_12_4_the_limit_in_mid_round(load):
    state = at(city(load, max_turns=9), EMPTY, {0: seat("5", points=1)}, turns=8)
    assert same(events(state, "r9c9=5"), event("laid", 0, "r9c9"), event("end", "limit", "0"))


def test_nc_12_4_the_limit_after_a_round_and_after_a_bonus(load):
    game = city(load, max_turns=4, bonus_table="--------w")
    found = told(game, EMPTY, "r9c9=5", seats={1: seat(points=1)})
    assert same(
        found,
        event("passed", 3),
        event("built", 0, "r9c9", 5, 0),
        event("bonus_lapsed", 0, 5),
        *refills(0, 1, 2, 3),
        event("end", "limit", "1"),
    )
    state = revealed(game, EMPTY, "r9c9=9", seats={1: seat(points=1)})
    assert same(events(state, "decline"), event("declined", 0), *refills(0, 1, 2, 3), event("end", "limit", "1"))


def test_nc_12_4_a_win_before_the_reveal(load):
    seats = {0: OUT, 1: seat(status="passed"), 2: seat(status="passed"), 3: seat(points=2)}
    state, acts = ready(city(load, solo_point="laid"), EMPTY, ["r5c9=8"], seats=seats, start=3)
    found = events(state, acts[0])
    assert same(found, event("laid", 3, "r5c9"), event("solo_point", 3, 3), event("end", "points", "3"))
    state, acts = ready(city(load), EMPTY, ["r5c9=8"], seats=seats, start=3)
    built = event("built", 3, "r5c9", 8, 0)
    assert same(
        events(state, acts[0]), event("laid", 3, "r5c9"), built, event("solo_point", 3, 3), event("end", "points", "3")
    )


def test_nc_12_1_keys_are_those_of_the_page(load):
    # A whole random game: no event has other keys, and nothing but texts and numbers.
    state = city(load, bonus_scope="one_of_up_to").new_initial_state(4)
    step, seen = 0, set()
    while not state.is_terminal() and step < 150:
        legal = [int(action) for action in state.legal_actions()]
        action = legal[(31 * step + 7) % len(legal)]
        for one in state.events(action):
            keys = ["event", *KEYS[one["event"]].split()]
            assert list(one) == (keys if len(one) == len(keys) else keys[:-1])
            assert all(type(value) in (int, str) for value in one.values())
            seen.add(one["event"])
        state.apply_action(action)
        step += 1
    assert {"laid", "built", "refilled", "contradicted"} <= seen
    assert set(TEXTS) < set(" ".join(KEYS.values()).split())
