"""Actions, positions and options of Numberplace City as texts: sections 7, 8 and 10."""

import pytest
from numberplace_city_model import EMPTY, SOLVED, at, built, city, fill, name, read, ready, revealed, seat, text_of
from playing import choices, play

from ziggurat.errors import ParseError

# Section 7.


def texts():
    """The texts of all actions in the order of their ids."""
    found = [f"{name(cell)}={digit}" for digit in "123456789" for cell in range(81)]
    found += [f"pass={digit}" for digit in "123456789"] + ["pass"]
    found += [f"remove={name(cell)}" for cell in range(81)] + ["start"]
    found += [f"discard={digit}" for digit in "123456789"]
    return [*found, "turn=left", "turn=180", "turn=right", "point", "win", "decline"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nc_7_1_ids_and_texts(load, players):
    game, expected = city(load, players=players), texts()
    assert game.num_distinct_actions() == len(expected) == 836
    assert [game.action_to_string(action) for action in range(836)] == expected
    for action, text in enumerate(expected):
        assert game.string_to_action(text) == game.string_to_action(text.upper()) == action


def test_nc_7_1_ids_by_formula(load):
    game = city(load)
    for text, action in (
        ("r1c1=1", 0),
        ("r4c5=7", 6 * 81 + 3 * 9 + 4),
        ("r9c9=9", 728),
        ("pass=1", 729),
        ("pass=9", 737),
        ("pass", 738),
        ("remove=r1c1", 739),
        ("remove=r4c5", 739 + 31),
        ("start", 820),
        ("discard=1", 821),
        ("turn=left", 830),
        ("Turn=180", 831),
        ("turn=RIGHT", 832),
        ("point", 833),
        ("win", 834),
        ("decline", 835),
    ):
        assert game.string_to_action(text) == action


# fmt: off
NO_ACTIONS = [
    "", "r0c1=1", "r1c0=1", "r10c1=1", "r1c10=1", "r1c1=0", "r1c1=10", "r1c1=x", "r1c1", "r1c1=", "=5", "c1r1=5",
    "r1c1=55", "r1 c1=5", " r1c1=5", "r1c1=5 ", "r1c1=5\n", "r01c1=5", "e5", "pass=", "pass=0", "pass=10", "pass 7",
    "passed", "pas", "remove", "remove=", "remove=r1c1=1", "remove=r0c1", "remove=40", "start=1", "start=", "discard",
    "discard=", "discard=0", "discard=11", "turn", "turn=90", "turn=0", "turn=270", "turn=up", "point=1", "win=1",
    "decline=", "-", "r\uff11c1=5", "\u017ftart",
]
# fmt: on


@pytest.mark.parametrize("text", NO_ACTIONS)
def test_nc_7_1_what_is_not_the_text_of_an_action(load, text):
    with pytest.raises(ParseError):
        city(load).string_to_action(text)


def test_nc_7_1_ids_that_there_are_not(load):
    game = city(load)
    for action in (-1, 836):
        with pytest.raises(ValueError, match=str(action)):
            game.action_to_string(action)
        with pytest.raises(ValueError, match=str(action)):
            game.new_initial_state().events(action)


def test_nc_7_1_every_action_is_a_whole_turn(load):
    game = city(load, bonus_scope="all_up_to")
    state, acts = ready(game, EMPTY, ["r9c4=9", "pass=5"], seats={0: seat("", "3")})
    for act in [*acts, "decline", "start", "discard=3", "turn=left", "point", "win"]:
        action = state.string_to_action(act)
        assert state.turn_to_string([action]) == act
        assert list(state.string_to_turn(act.upper())) == [action]
        assert state.count_turns() == state.count_legal()
        assert not state.in_turn()
        play(state, act)
    assert (state.in_turn(), state.is_terminal()) == (False, True)


@pytest.mark.parametrize(
    ("options", "hand", "passes"),
    [
        ({}, "", {"pass"}),
        ({}, "337", {"pass=3", "pass=7"}),
        ({"start_in_final": True}, "", {"pass"}),
        ({"start_in_final": True}, "337", {"pass"}),
        ({"start_in_final": True, "final_pass": "penalty"}, "337", {"pass=3", "pass=7"}),
        ({"start_in_final": True, "final_pass": "penalty"}, "", {"pass"}),
        ({"final_pass": "penalty"}, "337", {"pass=3", "pass=7"}),
    ],
)
def test_nc_7_1_when_a_pass_is_without_a_tile(load, options, hand, passes):
    state = at(city(load, **options), EMPTY, {0: seat(hand)})
    assert {text for text in choices(state) if text.startswith("pass")} == passes


# Section 8: positions.

LAID = """
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


def test_nc_8_1_the_whole_text(load):
    game = city(load, tiles_per_number=2)
    seats = {0: seat("8712", "95", 1), 2: seat("3", points=2), 3: seat("66")}
    facts = {"laid": "1:r4c5=7 2:r1c9=2", "supply": "835", "discard": "4", "start": 1, "place": 2, "turns": 17}
    state = at(game, LAID, seats, **facts)
    assert state.serialize().split(" ") == [
        "numberplace_city(tiles_per_number=2)",
        "1" + "." * 40 + "9" + "." * 38 + "4",
        "1:r4c5=7,2:r1c9=2",
        "1:1278:59:in/0:-:-:in/2:3:-:in/0:66:-:in",
        "835",
        "4",
        "1",
        "2",
        "-",
        "-",
        "17",
        "0123456789abcdef.0000000000000007",
    ]
    assert state.current_player() == 3


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({}, {}),
        ({"players": 2}, {"laid": "1:r1c2=2 1:r1c2=3", "place": 3}),
        ({"players": 3}, {"start": 2, "place": 1, "laid": "2:r9c8=2"}),
        ({}, {"bonus": "2:9", "start": 3}),
        ({"bonus_scope": "all_up_to"}, {"bonus": "2:9:6", "start": "3>2"}),
        ({}, {"end": "points:1", "seats": {1: seat(points=7)}, "laid": "2:r1c2=2 3:r9c7=7"}),
        ({}, {"end": "bonus:3"}),
        ({"start_in_final": True}, {"seats": {0: seat("123", status="passed"), 1: seat("9")}, "start": 0, "place": 1}),
        ({"max_turns": 5}, {"turns": 5, "place": 1}),
        ({}, {"chance": "f" * 16 + "." + "0" * 16}),
        ({}, {"chance": "0" * 16 + "." + "fedcba9876543210"}),
        ({"recycle": False}, {"end": "count", "rest": "discard"}),
    ],
)
def test_nc_8_2_positions_are_written_as_they_are_read(load, options, facts):
    game = city(load, **options)
    text = f"{game} {text_of(game, LAID, **facts)}"
    state = game.deserialize(text)
    assert state.serialize() == text
    assert game.deserialize(state.serialize()) == state


def test_nc_8_1_random_games_are_written_as_they_are_read(load):
    for options in ({}, {"players": 2, "bonus_scope": "all_up_to"}, {"players": 3, "start_in_final": True}):
        game = city(load, **options)
        state, step = game.new_initial_state(11), 0
        while step < 90 and not state.is_terminal():
            again = game.deserialize(state.serialize())
            assert again == state
            assert again.serialize() == state.serialize()
            assert choices(again) == choices(state)
            legal = [int(action) for action in state.legal_actions()]
            state.apply_action(legal[(7 * step + 3) % len(legal)])
            step += 1


def test_nc_8_1_after_a_win_laid_tiles_are_in_laying_order(load):
    # East takes over west's claim, which was the second; north's tile was laid before his.
    game = city(load, points_to_win=1, tiles_per_number=10)
    state = revealed(game, fill(SOLVED, "r9c9=.", "r5c5=.", "r1c1=.", "r1c4=."), "r9c9=8", "r5c5=9", "r1c4=4", "r5c5=9")
    assert (read(state).end, read(state).laid) == ("points:0", ["2:r1c4=4", "3:r5c5=9"])
    assert game.deserialize(state.serialize()) == state


def test_nc_8_3_the_start_of_a_text(load):
    game = city(load)
    assert game.new_initial_state(0).serialize().startswith("numberplace_city() " + "." * 81 + " - 0:")
    other = city(load, players=3)
    for text in (game.new_initial_state(0).serialize(), "", "numberplace_city(players=3)"):
        with pytest.raises(ParseError):
            other.deserialize(text)


def test_nc_8_3_ends_by_area_and_count(load):
    game = city(load, areas="4+04+24+48", points_to_win=99)
    block = fill(EMPTY, "r4c4=1", "r4c5=2", "r4c6=3", "r5c4=4", "r5c5=5", "r5c6=6", "r6c4=7", "r6c5=8", "r6c6=9")
    state = at(game, block, end="area:0", laid="1:r1c1=4")
    assert (state.winners(), built(state)["r5c5"], state.is_terminal()) == ([0], 5, True)
    state = at(city(load, recycle=False), EMPTY, {1: seat(points=1)}, end="count", rest="discard")
    assert state.winners() == [1]


# Section 10.


def test_nc_10_1_standard_areas_as_text_are_standard(load):
    for players, areas in ((2, "034678+012458"), (3, "4678+0346+2458"), (4, "4678+0346+0124+2458")):
        shuffled = "+".join(area[::-1] for area in areas.split("+"))
        for text in (areas, shuffled):
            game = city(load, players=players, areas=text)
            assert game == city(load, players=players)
            assert game.options["areas"] == "standard"
            assert "areas" not in str(game)


def test_nc_10_1_areas_are_written_ascending(load):
    game = city(load, players=2, areas="840+7")
    assert game.options["areas"] == "048+7"
    assert str(game) == "numberplace_city(players=2,areas=048+7)"
    assert load(str(game)) == game
    swapped = city(load, players=2, areas="012458+034678")
    assert swapped.options["areas"] == "012458+034678"
    assert city(load, players=3, areas="012345678+0+0").options["areas"] == "012345678+0+0"


@pytest.mark.parametrize(
    "areas",
    [
        "034678+01245x",
        "034678+012459",
        "034678+012 458",
        "034678,012458",
        "034678+012458-",
        "0346788+012458",
        "00+1",
        "034678+",
        "+034678",
        "+",
        "",
        "034678",
        "034678+012458+4",
        "4678+0346+0124+2458",
        "Standard",
        "034678+01245\uff18",
    ],
)
def test_nc_10_1_areas_that_are_refused(load, areas):
    with pytest.raises(ValueError, match="areas"):
        city(load, players=2, areas=areas)


@pytest.mark.parametrize(
    "table", ["", "rrsddttp", "rrsddttpww", "rrsddttpx", "RRSDDTTPW", "rrsddttp ", "rrsddttp\u0440"]
)
def test_nc_10_2_bonus_tables_that_are_refused(load, table):
    with pytest.raises(ValueError, match="bonus_table"):
        city(load, bonus_table=table)


@pytest.mark.parametrize("table", ["---------", "wwwwwwwww", "rsdtpw-rs"])
def test_nc_10_2_bonus_tables(load, table):
    game = city(load, bonus_table=table)
    assert str(game) == f"numberplace_city(bonus_table={table})"
    assert load(str(game)) == game


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({"out_at": 5}, ""),
        ({"out_at": 7}, "out_at=7"),
        ({"players": 2, "out_at": 7}, "players=2"),
        ({"players": 2, "out_at": 5}, "players=2,out_at=5"),
        ({"players": 3, "out_at": 5}, "players=3"),
        ({"players": 2, "solo_point": "laid", "final_pass": "penalty", "start_in_final": True}, "players=2"),
        (
            {"players": 3, "start_in_final": True, "solo_point": "laid", "final_pass": "penalty"},
            "players=3,solo_point=laid,final_pass=penalty,start_in_final=true",
        ),
        ({"players": 4, "max_turns": 2000, "preset": "standard"}, ""),
    ],
)
def test_nc_10_3_settings_that_mean_the_same(load, given, written):
    game = city(load, **given)
    assert str(game) == f"numberplace_city({written})"
    assert load(str(game)) == game
    assert game.options["out_at"] == (0 if "out_at" not in written else given["out_at"])


def test_nc_10_3_options_in_their_order(load):
    assert list(city(load).options.items()) == [
        ("players", 4),
        ("tiles_per_number", 9),
        ("areas", "standard"),
        ("board_conflict", "all"),
        ("out_at", 0),
        ("points_to_win", 3),
        ("bonus_table", "rrsddttpw"),
        ("bonus_scope", "own"),
        ("penalties_open", True),
        ("solo_point", "built"),
        ("final_pass", "free"),
        ("recycle", True),
        ("start_in_final", False),
        ("max_turns", 2000),
    ]


@pytest.mark.parametrize(
    ("option", "least", "most"),
    [
        ("players", 2, 4),
        ("tiles_per_number", 1, 12),
        ("out_at", 0, 127),
        ("points_to_win", 1, 99),
        ("max_turns", 0, 65535),
    ],
)
def test_nc_10_3_the_least_and_the_most(load, option, least, most):
    for value in (least, most):
        assert city(load, **{option: value}).options[option] == value
    for value in (least - 1, most + 1):
        with pytest.raises(ValueError, match=option):
            city(load, **{option: value})
