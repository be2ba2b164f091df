"""The bonus, the refill and the next round of Numberplace City: clause 3.8 and section 4.

Seats of four players, clockwise, and their blocks: 0 south 4678, 1 west 0346, 2 north 0124, 3 east 2458. Where nothing
else is said seat 0 starts, and whom a test does not name passes with an empty hand.
"""

import pytest
from numberplace_city_model import (
    CHANCE,
    EMPTY,
    OUT,
    at,
    built,
    city,
    fill,
    hands,
    of_board,
    penalties,
    points,
    read,
    redrawn,
    revealed,
    seat,
    statuses,
)
from playing import choices, play, refuses

from ziggurat.reference.random import Stream

# [NC-3.8] Whose bonus it is.


@pytest.mark.parametrize(
    ("acts", "start", "bonus"),
    [
        (["r8c4=5", "r4c1=4", "r1c5=6", "r5c9=7"], 0, "1:4"),
        (["r8c4=5", "r4c1=5", "r1c5=6", "r5c9=7"], 0, "0:5"),  # of two owners the start player
        (["r8c4=7", "r4c1=5", "r1c5=6", "r5c9=5"], 0, "1:5"),
        (["r5c9=5", "r8c4=5", "r4c1=9", "r1c5=9"], 3, "3:5"),
        (["r4c1=9", "r1c5=5", "r5c9=9", "r8c4=5"], 1, "2:5"),  # then clockwise from him
        (["r1c5=9", "r5c9=9", "r8c4=5", "r4c1=5"], 2, "0:5"),
    ],
)
def test_nc_3_8_the_lowest_number_and_who_sits_nearer_to_the_start_player(load, acts, start, bonus):
    state = revealed(city(load, bonus_table="p" * 9), EMPTY, *acts, start=start)
    assert (read(state).bonus, state.current_player()) == (bonus, int(bonus[0]))
    assert (read(state).place, read(state).start) == ("-", str(start))


def test_nc_3_8_who_sits_nearer_not_who_laid_or_claimed_first(load):
    # South takes over the claim of west, the first one; north's equal tile was laid before. North sits nearer to west.
    game = city(load, bonus_table="p" * 9)
    state = revealed(game, EMPTY, "r5c5=5", "r1c1=5", "pass", "r5c5=5", start=1)
    assert built(state) == {"r5c5": 5, "r1c1": 5}
    assert read(state).bonus == "2:5"


@pytest.mark.parametrize("start", [0, 1])
def test_nc_3_8_of_two_players_the_start_player(load, start):
    # The other one lays second and third, but is never nearer.
    game = city(load, players=2, bonus_table="p" * 9)
    state = revealed(game, EMPTY, "r4c4=9", "r5c5=5", "r1c1=9", "r9c9=5", start=start)
    assert read(state).bonus == f"{start}:5"
    state = revealed(game, EMPTY, "r4c4=9", "r5c5=4", "r1c1=9", "r9c9=5", start=start)
    assert read(state).bonus == f"{1 - start}:4"


def test_nc_3_8_who_was_just_eliminated_has_no_bonus(load):
    # South's 5 is the lowest number; he is out, and nobody else gets the bonus.
    seats = {0: seat(penalties="11223"), 1: seat("9")}
    state = revealed(city(load), EMPTY, "r8c4=5", "r4c1=6", seats=seats)
    assert (read(state).bonus, statuses(state)[0]) == ("-", "out")
    assert state.current_player() == 1
    assert [len(hand) for hand in hands(state)] == [0, 4, 4, 4]


# Section 4: effects. The number of the tile decides, the letter is set by the table.

ROWS = """
    12. ... ...
    ... ... ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... .7.

    ... ... ...
    ... ... ...
    ... ... ...
"""


def bonus(load, letter, own=None, board=ROWS, tile="5", **options):
    """Seat 1 has built the only tile of the round, on r4c1, and decides; seat 0 is the start player."""
    table = options.pop("bonus_table", None) or "".join(letter if n == tile else "-" for n in "123456789")
    game = city(load, bonus_table=table, **options)
    seats = {1: own or seat(penalties="3345")}
    return at(game, fill(board, f"r4c1={tile}"), seats, bonus=f"1:{tile}", rest="discard")


def after(state, *texts):
    return play(state.clone(), *texts)


@pytest.mark.parametrize("tile", "123456789")
def test_nc_4_1_the_default_table(load, tile):
    game = city(load)
    state = at(game, fill(EMPTY, f"r4c1={tile}"), {1: seat(penalties="39")}, bonus=f"1:{tile}")
    expected = {
        "r": {"remove=r4c1"},
        "s": {"start"},
        "d": {"discard=3", "discard=9"},
        "t": {"turn=left", "turn=180", "turn=right"},
        "p": {"point"},
        "w": {"win"},
    }
    assert choices(state) == expected["rrsddttpw"[int(tile) - 1]] | {"decline"}


def test_nc_4_1_remove(load):
    state = bonus(load, "r")
    assert choices(state) == {"remove=r1c1", "remove=r1c2", "remove=r4c1", "remove=r6c8", "decline"}
    before = read(state).discard
    play(state, "remove=r6c8")
    assert built(state) == {"r1c1": 1, "r1c2": 2, "r4c1": 5}
    assert hands(state)[0]  # the next round has begun
    everything = read(state).discard + "".join(hands(state)) + read(state).supply
    assert sorted(everything) == sorted(before + "7")
    assert refuses(bonus(load, "r"), "remove=r9c9")


def test_nc_4_1_start(load):
    state = play(bonus(load, "s"), "start")
    assert (read(state).start, read(state).place, state.current_player()) == ("1", "0", 1)
    assert read(state).bonus == "-"


def test_nc_4_1_the_start_player_may_stay_who_he_is(load):
    game = city(load)
    state = play(at(game, fill(EMPTY, "r9c4=3"), bonus="0:3"), "start")
    assert (read(state).start, state.current_player()) == ("0", 0)


def test_nc_4_1_discard(load):
    state = bonus(load, "d")
    assert choices(state) == {"discard=3", "discard=4", "discard=5", "decline"}
    before = read(state).discard
    play(state, "discard=3")
    assert penalties(state)[1] == "345"
    assert sorted(read(state).discard + "".join(hands(state)) + read(state).supply) == sorted(before + "3")


@pytest.mark.parametrize(
    ("turn", "where"),
    [
        # (row, column) goes to (8 - column, row) by a turn to the left, to (column, 8 - row) by one to the right.
        ("left", {"r9c1": 1, "r8c1": 2, "r9c4": 5, "r2c6": 7}),
        ("180", {"r9c9": 1, "r9c8": 2, "r6c9": 5, "r4c2": 7}),
        ("right", {"r1c9": 1, "r2c9": 2, "r1c6": 5, "r8c4": 7}),
    ],
)
def test_nc_4_1_turn(load, turn, where):
    state = bonus(load, "t")
    assert choices(state) == {"turn=left", "turn=180", "turn=right", "decline"}
    play(state, f"turn={turn}")
    assert built(state) == where


def test_nc_4_1_areas_stay_where_they_are(load):
    state = play(bonus(load, "t"), "turn=left")
    tile = hands(state)[0][0]
    assert state.is_legal(state.string_to_action(f"r8c9={tile}"))
    assert not state.is_legal(state.string_to_action(f"r9c4={tile}"))  # the 5 lies there now
    assert not state.is_legal(state.string_to_action(f"r1c1={tile}"))


def test_nc_4_1_point(load):
    state = play(bonus(load, "p"), "point")
    assert (points(state), read(state).end) == ([0, 1, 0, 0], "-")
    state = play(bonus(load, "p", seat(points=2)), "point")
    assert (points(state), read(state).end, state.winners()) == ([0, 3, 0, 0], "points:1", [1])
    assert hands(state) == [""] * 4  # nothing is drawn after the end
    state = play(bonus(load, "p", seat(points=2), points_to_win=4), "point")
    assert (points(state)[1], read(state).end) == (3, "-")


def test_nc_4_1_win(load):
    state = play(bonus(load, "w"), "win")
    assert (read(state).end, state.winners(), points(state)) == ("bonus:1", [1], [0] * 4)
    assert [value > 0 for value in state.returns()] == [False, True, False, False]


@pytest.mark.parametrize("letter", "rsdtpw")
def test_nc_4_2_everything_may_be_declined(load, letter):
    state = bonus(load, letter)
    before = read(state)
    play(state, "decline")
    now = read(state)
    assert (now.board, now.end, now.bonus, now.start) == (before.board, "-", "-", "0")
    assert (penalties(state)[1], points(state)) == ("3345", [0] * 4)
    assert [len(hand) for hand in hands(state)] == [4] * 4


def test_nc_4_2_only_the_owner_s_choices_are_legal(load):
    state = bonus(load, "p", seat("5", "3345"))
    for text in ("r4c2=5", "pass=5", "pass", "win", "start", "discard=3", "turn=180", "remove=r4c1"):
        assert refuses(state, text)


# Lines and areas.

FULL = """
    ... ... ...
    ... ... ...
    ... ... ...

    ... 123 ...
    ... 456 ...
    ... 789 ...

    ... ... ...
    ... ... ...
    ... ... ...
"""


def test_nc_4_1_after_a_turn_areas_are_not_looked_at_but_at_the_next_build(load):
    # Block 1 is seat 2's whole area; the turn to the right brings block 3 there.
    board = redrawn("." * 27 + "123......456......789......" + "." * 27)
    game = city(load, areas="04678+034+1+2458", points_to_win=99)
    state = play(at(game, board, bonus="0:6"), "turn=right")
    assert set(built(state)) == {f"r{row}c{column}" for row in (1, 2, 3) for column in (4, 5, 6)}
    assert (read(state).end, points(state)) == ("-", [0] * 4)
    turned = redrawn(read(state).board)
    state = revealed(game, turned)  # nothing is built
    assert read(state).end == "-"
    state = revealed(game, turned, "r9c9=5")
    assert (read(state).end, state.winners()) == ("area:2", [2])


def test_nc_4_1_lines_are_not_scored_by_a_turn(load):
    board = fill(EMPTY, *(f"r{row}c4={tile}" for row, tile in enumerate("123456789", 1)))
    game = city(load)
    state = play(at(game, board, bonus="0:7"), "turn=left")
    assert (points(state), read(state).end) == ([0] * 4, "-")
    assert read(state).board[45:54] == "123456789"


# [NC-4.2] The scopes.


@pytest.mark.parametrize(
    ("tile", "table", "letters"),
    [
        ("1", "rrsddttpw", "r"),
        ("4", "rrsddttpw", "rsd"),
        ("9", "rrsddttpw", "rsdtpw"),
        ("3", "-p-rsdtw-", "p"),
        ("5", "w-sstpppp", "wst"),
    ],
)
def test_nc_4_2_one_of_up_to_is_one_choice_of_all_these_effects(load, tile, table, letters):
    state = bonus(load, "", board=EMPTY, tile=tile, bonus_table=table, bonus_scope="one_of_up_to")
    words = {"remove": "r", "start": "s", "discard": "d", "turn": "t", "point": "p", "win": "w"}
    found = choices(state)
    assert {words[text.partition("=")[0]] for text in found - {"decline"}} == set(letters)
    assert "decline" in found
    play(state, sorted(found - {"decline"})[-1])
    assert read(state).bonus == "-"  # one choice and no more


def bonus_up_to(load, tile, n, table="rrsddttpw", own=None, **facts):
    """A decision of seat 1 about the effect whose first number is n."""
    game = city(load, bonus_table=table, bonus_scope="all_up_to")
    board = fill(ROWS, f"r4c1={tile}")
    return at(game, board, {1: own or seat(penalties="3345")}, bonus=f"1:{tile}:{n}", rest="discard", **facts)


def test_nc_4_2_all_up_to_is_one_decision_for_each_distinct_effect(load):
    state, asked = bonus_up_to(load, 9, 1), []
    for act in ("remove=r1c2", "start", "discard=3", "turn=180", "point", "win"):
        asked.append(read(state).bonus)
        assert state.current_player() == 1
        assert {text.partition("=")[0] for text in choices(state)} == {act.partition("=")[0], "decline"}
        play(state, act)
    assert asked == ["1:9:1", "1:9:3", "1:9:4", "1:9:6", "1:9:8", "1:9:9"]
    assert (read(state).end, points(state), penalties(state)[1]) == ("bonus:1", [0, 1, 0, 0], "345")
    assert built(state) == {"r9c9": 1, "r6c9": 9, "r4c2": 7}


def test_nc_4_2_each_of_them_may_be_declined(load):
    state, asked = bonus_up_to(load, 9, 1), []
    while read(state).bonus != "-":
        asked.append(read(state).bonus)
        play(state, "decline")
    assert asked == ["1:9:1", "1:9:3", "1:9:4", "1:9:6", "1:9:8", "1:9:9"]
    assert (built(state), points(state), read(state).start) == ({**of_board(ROWS), "r4c1": 9}, [0] * 4, "0")


def test_nc_4_2_effects_in_the_order_of_their_first_numbers_up_to_the_tile_s(load):
    state, asked = bonus_up_to(load, 8, 2, table="-wp-wptrs"), []
    while read(state).bonus != "-":
        asked.append((read(state).bonus, sorted(choices(state))[-1].partition("=")[0]))
        play(state, "decline")
    assert asked == [("1:8:2", "win"), ("1:8:3", "point"), ("1:8:7", "turn"), ("1:8:8", "remove")]


def test_nc_4_2_a_win_ends_the_rest(load):
    state = play(bonus_up_to(load, 9, 1, table="wrrrrrrrr"), "win")
    assert (read(state).end, read(state).bonus) == ("bonus:1", "-")
    state = play(bonus_up_to(load, 9, 1, table="prrrrrrrr", own=seat(points=2)), "point")
    assert (read(state).end, read(state).bonus) == ("points:1", "-")
    state = play(bonus_up_to(load, 9, 1, table="prrrrrrrr", own=seat(points=1)), "point")
    assert (read(state).end, read(state).bonus) == ("-", "1:9:2")


def test_nc_4_2_the_first_decision_of_a_reveal(load):
    game = city(load, bonus_scope="all_up_to")
    state = revealed(game, EMPTY, "pass", "r4c1=5")
    assert read(state).bonus == "1:5:1"
    game = city(load, bonus_scope="all_up_to", bonus_table="-d-ssdtpw")
    assert read(revealed(game, EMPTY, "pass", "r4c1=5")).bonus == "1:5:4"  # nothing to discard
    state = revealed(game, EMPTY, "pass", "r4c1=5", seats={1: seat(penalties="8")})
    assert read(state).bonus == "1:5:2"
    assert read(play(state, "discard=8")).bonus == "1:5:4"


def test_nc_4_2_a_new_start_player_is_kept_in_mind_during_the_rest(load):
    state = play(bonus_up_to(load, 4, 3), "start")
    assert (read(state).bonus, read(state).start) == ("1:4:4", "0>1")
    play(state, "decline")
    assert (read(state).bonus, read(state).start, state.current_player()) == ("-", "1", 1)


def test_nc_4_2_the_start_player_may_name_himself_during_the_rest(load):
    state = play(bonus_up_to(load, 9, 3, start=1), "start")
    assert (read(state).bonus, read(state).start) == ("1:9:4", "1")
    assert state.get_game().deserialize(state.serialize()) == state


# [NC-4.3] What is not asked.


def test_nc_4_3_an_effect_without_a_choice_lapses(load):
    for tile in "45":
        state = revealed(city(load), EMPTY, f"r8c4={tile}")
        assert (read(state).bonus, state.current_player(), read(state).place) == ("-", 0, "0")
        assert len(hands(state)[0]) == 4
        state = revealed(city(load), EMPTY, f"r8c4={tile}", seats={0: seat(penalties="8")})
        assert (read(state).bonus, choices(state)) == (f"0:{tile}", {"discard=8", "decline"})
    for scope in ("own", "one_of_up_to", "all_up_to"):
        state = revealed(city(load, bonus_table="----dprst", bonus_scope=scope), EMPTY, "r8c4=5", "r4c1=6")
        assert read(state).bonus == "-"


def test_nc_4_3_with_all_up_to_it_is_stepped_over_when_it_comes_to_it(load):
    assert read(play(bonus_up_to(load, 9, 3, own=seat()), "start")).bonus == "1:9:6"
    state = bonus_up_to(load, 5, 3, own=seat())
    play(state, "start")
    assert (read(state).bonus, read(state).start) == ("-", "1")


# [NC-4.4] The refill.


def test_nc_4_4_from_the_start_player_of_this_round_one_hand_after_the_other(load):
    game = city(load)
    seats = {0: seat("11"), 1: seat("2"), 2: seat("333"), 3: seat("4445")}
    facts = {"supply": "98765678987654321", "start": 2}
    state = play(at(game, fill(EMPTY, "r4c1=3"), seats, bonus="1:3", **facts), "start")
    # North one, east none, south two, west three.
    assert hands(state) == ["1178", "2566", "3339", "4445"]
    assert read(state).supply.startswith("78987654321")
    assert (read(state).start, state.current_player()) == ("1", 1)
    state = play(at(game, fill(EMPTY, "r4c1=3"), seats, bonus="1:3", **facts), "decline")
    assert (read(state).start, state.current_player()) == ("2", 2)
    assert hands(state) == ["1178", "2566", "3339", "4445"]


def test_nc_4_4_where_there_is_no_bonus_the_reveal_refills(load):
    seats = {0: seat("1"), 1: seat("22"), 2: seat("333"), 3: seat("4444")}
    state = at(city(load), EMPTY, seats, supply="98765", rest="discard", start=1)
    play(state, "pass=2", "pass=3", "pass=4", "pass=1")
    assert read(state).bonus == "-"
    # West lacks three, north two; the supply has five: then the discard is shuffled for the others.
    assert (hands(state)[1], hands(state)[2]) == ("2789", "3356")
    assert (len(hands(state)[3]), len(hands(state)[0])) == (4, 4)


def test_nc_4_4_who_is_out_or_has_passed_for_good_draws_nothing(load):
    seats = {0: OUT, 1: seat("2", status="passed"), 2: seat("3"), 3: seat("4")}
    state = at(city(load), fill(EMPTY, "r1c4=1"), seats, bonus="2:1", supply="987654")
    play(state, "decline")
    assert hands(state) == ["", "2", "3789", "4456"]


def test_nc_4_4_one_hand_gets_what_is_left(load):
    game = city(load, recycle=False)
    state = at(game, fill(EMPTY, "r4c1=2"), bonus="1:2", supply="987654", rest="discard", start=3)
    play(state, "decline")
    assert hands(state) == ["45", "", "", "6789"]
    assert read(state).supply == ""


# [NC-4.5] The discard becomes a new supply.


def shuffled(discard, chance=CHANCE):
    """The new supply, and the stream after it."""
    key, counter = (int(part, 16) for part in chance.split("."))
    stream, supply = Stream(key, counter), sorted(discard)
    stream.shuffle(supply)
    return "".join(supply), f"{stream.key:016x}.{stream.counter:016x}"


@pytest.mark.parametrize("supply", ["", "9", "98765432", "987654321"])
def test_nc_4_5_the_discard_is_sorted_and_shuffled_when_a_tile_is_wanted(load, supply):
    game = city(load)
    state = at(game, fill(EMPTY, "r4c1=2"), bonus="1:2", supply=supply, rest="discard")
    new, chance = shuffled(read(state).discard)
    play(state, "decline")
    drawn = supply + new
    assert hands(state) == ["".join(sorted(drawn[4 * i : 4 * i + 4])) for i in range(4)]
    assert (read(state).supply, read(state).discard, read(state).chance) == (drawn[16:], "", chance)


def test_nc_4_5_the_tile_that_a_bonus_discards_is_among_them(load):
    game = city(load, tiles_per_number=2)
    state = at(game, fill(EMPTY, "r4c1=2"), {1: seat(penalties="7")}, bonus="1:2", rest="discard")
    new, _ = shuffled(read(state).discard + "2")
    play(state, "remove=r4c1")
    assert hands(state) == ["".join(sorted(new[4 * i : 4 * i + 4])) for i in range(4)]


def test_nc_4_5_not_before_a_tile_is_wanted(load):
    # The supply has exactly what is drawn: the discard stays, and the stream too.
    seats = {player: seat("1234") for player in (1, 2, 3)}
    state = at(city(load), fill(EMPTY, "r4c1=2"), seats, bonus="1:2", supply="9876", rest="discard")
    discard = read(state).discard
    play(state, "decline")
    assert (read(state).supply, read(state).discard, read(state).chance) == ("", discard, CHANCE)
    assert hands(state)[0] == "6789"


def test_nc_4_5_without_recycling_the_discard_stays(load):
    game = city(load, recycle=False)
    state = at(game, fill(EMPTY, "r4c1=2"), {0: seat("9")}, bonus="1:2", rest="discard")
    discard = read(state).discard
    play(state, "decline")
    assert (hands(state), read(state).discard, read(state).chance) == (["9", "", "", ""], discard, CHANCE)
    assert not state.is_terminal()


def test_nc_4_5_where_there_is_no_tile_play_goes_on(load):
    game = city(load, tiles_per_number=1, out_at=127)
    board = fill(EMPTY, "r4c1=2", "r1c1=1")
    state = at(game, board, {2: seat("8")}, bonus="1:2", rest=3)
    play(state, "decline")
    assert (hands(state), read(state).supply, read(state).discard) == (["", "", "8", ""], "", "")
    assert state.current_player() == 0
    assert choices(state) == {"pass"}


# [NC-4.6] The next round.


@pytest.mark.parametrize(
    ("out", "start", "expected"),
    [([0], 0, 1), ([0, 1], 0, 2), ([3], 3, 0), ([2, 3], 2, 0), ([1], 0, 0), ([3, 0], 3, 1)],
)
def test_nc_4_6_if_the_start_player_is_out_the_next_one_takes_it(load, out, start, expected):
    # Who goes out has too many penalty tiles from the last round on.
    seats = {player: seat(penalties=f"{player + 1}" * 5) for player in out}
    state = revealed(city(load), EMPTY, seats=seats, start=start)
    assert [player for player in range(4) if statuses(state)[player] == "out"] == sorted(out)
    assert (read(state).start, state.current_player(), read(state).place) == (str(expected), expected, "0")


def test_nc_4_6_or_whom_the_bonus_has_named(load):
    seats = {0: seat(penalties="11111")}
    state = play(revealed(city(load), EMPTY, "pass", "pass", "r1c5=3", seats=seats), "start")
    assert (read(state).start, state.current_player()) == ("2", 2)


def test_nc_4_6_the_next_one_clockwise_who_is_in_takes_it_although_he_has_passed_for_good(load):
    seats = {0: seat(penalties="11111"), 1: seat(status="passed"), 3: seat(penalties="22222", status="out")}
    state = revealed(city(load), EMPTY, "r8c4=8", "r1c5=9", seats=seats)
    assert (read(state).start, read(state).place, state.current_player()) == ("1", "1", 2)


def test_nc_4_6_where_nobody_can_lay_the_game_ends_by_points(load):
    # Nobody has a tile, and there is none to draw.
    game = city(load, tiles_per_number=1, out_at=127)
    seats = {0: seat(points=1), 2: seat(points=2)}
    state = revealed(game, fill(EMPTY, "r1c1=1"), seats=seats, rest=3)
    assert (read(state).end, read(state).place, state.winners()) == ("count", "-", [2])


def test_nc_4_6_one_who_can_lay_is_enough(load):
    game = city(load, tiles_per_number=1, out_at=127)
    state = at(game, fill(EMPTY, "r1c1=1"), {2: seat("9")}, rest=3, place=3)
    assert read(play(state, "pass")).end == "-"


def test_nc_4_6_a_tile_does_not_help_where_the_area_is_full(load):
    # Seat 0 has the tile, and block 4 alone, which is full; seat 1 has none. Seat 0's area is looked at when somebody
    # builds, not before.
    game = city(load, players=3, areas="4+0+28", recycle=False)
    state = at(game, FULL, {0: seat("5")}, rest="discard", place=2)
    play(state, "pass")
    assert (read(state).end, state.winners()) == ("count", [0, 1, 2])
    game = city(load, players=3, areas="4+04+28", recycle=False)
    state = at(game, FULL, {0: seat("5"), 1: seat("5")}, rest="discard", place=2)
    assert read(play(state, "pass")).end == "-"


def test_nc_4_6_who_has_passed_for_good_or_is_out_does_not_count(load):
    game = city(load, recycle=False)
    seats = {0: OUT, 1: seat("5", status="passed"), 2: seat("6", status="passed"), 3: seat()}
    seats[0].hand = "7"
    state = at(game, EMPTY, seats, rest="discard", start=3)
    play(state, "pass")
    assert (read(state).end, statuses(state)) == ("count", ["out", "passed", "passed", "passed"])
    seats = {0: seat("7", "12345", status="out"), 1: seat("5", status="passed"), 2: seat(), 3: seat("6")}
    state = at(game, EMPTY, seats, rest="discard", start=3)
    play(state, "r5c9=6", "pass")  # the last two: one lays his last tile, the other passes for good
    assert (read(state).bonus, read(state).end) == ("3:6", "-")
    play(state, "decline")
    assert (read(state).end, statuses(state)) == ("count", ["out", "passed", "passed", "in"])
