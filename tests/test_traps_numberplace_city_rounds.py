"""Board, areas, set-up, laying and passing in Numberplace City: sections 1 and 2."""

import pytest
from numberplace_city_model import (
    AREAS,
    EMPTY,
    OUT,
    area,
    at,
    built,
    city,
    flat,
    hands,
    name,
    names,
    number,
    of_board,
    penalties,
    points,
    read,
    ready,
    revealed,
    seat,
    statuses,
)
from playing import choices, play, refuses

from ziggurat.reference.random import CHANCE, Stream, stream_key

SOME = """
    ... ... ..1
    ... ... ...
    ... ... ...

    ... .5. ...
    ... ... ...
    ..2 ... ...

    ... ... ...
    ... ..7 ...
    ... ... ...
"""


# Section 1.


def test_nc_1_1_cells_have_an_id_and_a_text(load):
    game = city(load)
    for cell, text in ((0, "r1c1"), (8, "r1c9"), (9, "r2c1"), (40, "r5c5"), (72, "r9c1"), (80, "r9c9")):
        assert game.action_to_string(cell) == f"{text}=1"
        assert (name(cell), number(text)) == (text, cell)
    state = at(game, SOME)
    assert built(state) == {"r1c9": 1, "r4c5": 5, "r6c3": 2, "r8c6": 7}
    values = flat(state.analysis("built"))
    assert [values[cell] for cell in (8, 31, 47, 68)] == [1, 5, 2, 7]
    assert sum(values) == 15


def test_nc_1_1_a_block_is_a_line(load):
    # The ninth cell of block 4 is filled by a tile whose row and column are all but empty.
    board = """
        ... ... ...
        ... ... ...
        ... ... ...

        ... 123 ...
        ... 4.6 ...
        ... 789 ...

        ... ... ...
        ... ... ...
        ... ... ...
    """
    assert points(revealed(city(load), board, "r5c5=5")) == [1, 0, 0, 0]


@pytest.mark.parametrize("copies", [1, 2, 9, 12])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nc_1_4_the_set_up_is_one_shuffle_and_four_tiles_each(load, players, copies):
    game = city(load, players=players, tiles_per_number=copies)
    for seed in (0, 1, 2**64 - 1):
        supply, stream = list("".join(digit * copies for digit in "123456789")), Stream(stream_key(seed, 0, CHANCE))
        stream.shuffle(supply)
        expected = []
        for _ in range(players):
            expected.append("".join(sorted(supply[:4])))
            supply = supply[4:]
        state = game.new_initial_state(seed)
        now = read(state)
        assert hands(state) == expected
        assert now.supply == "".join(supply)
        assert now.chance == f"{stream.key:016x}.{stream.counter:016x}"
        assert (now.board, now.laid, now.discard, now.start, now.place) == ("." * 81, [], "", "0", "0")
        assert (now.bonus, now.end, now.turns) == ("-", "-", 0)
        assert all((one.penalties, one.points, one.status) == ("", 0, "in") for one in now.seats)
        assert state.current_player() == 0


def test_nc_1_4_the_last_seats_get_what_there_is(load):
    state = city(load, players=4, tiles_per_number=1).new_initial_state(3)
    assert [len(hand) for hand in hands(state)] == [4, 4, 1, 0]
    assert read(state).supply == ""


def test_nc_1_4_without_a_seed_it_is_seed_0(load):
    game = city(load)
    assert game.new_initial_state() == game.new_initial_state(0) != game.new_initial_state(1)


def test_nc_1_2_a_hand_has_four_tiles_at_most(load):
    state = city(load).new_initial_state(1)
    for _ in range(40):
        state.apply_action(int(state.legal_actions()[-1]))
        assert all(len(hand) <= 4 for hand in hands(state))
        if state.is_terminal():
            break


@pytest.mark.parametrize(
    ("players", "exclusive"),
    [(2, ["367", "125"]), (3, ["7", "03", "25"]), (4, ["7", "3", "1", "5"])],
)
def test_nc_1_3_areas_and_exclusive_blocks(load, players, exclusive):
    game = city(load, players=players)
    areas, blocks = flat(game.table("areas")), flat(game.table("exclusive"))
    for player in range(players):
        cells = {cell for cell, value in enumerate(areas[81 * player : 81 * player + 81]) if value == 1}
        assert cells == set(area(game, player))
        assert len(cells) == 9 * len(AREAS[players][player])
        own = blocks[9 * player : 9 * player + 9]
        assert [str(one) for one, value in enumerate(own) if value] == list(exclusive[player])
    assert set(areas) | set(blocks) == {0, 1}


def test_nc_1_3_own_areas(load):
    game = city(load, players=3, areas="0+01+128")
    assert [area(game, 0)[-1], area(game, 1)[-1], area(game, 2)[-1]] == [20, 23, 80]
    areas, blocks = flat(game.table("areas")), flat(game.table("exclusive"))
    for player in range(3):
        assert [cell for cell in range(81) if areas[81 * player + cell]] == area(game, player)
    assert [[b for b in range(9) if blocks[9 * p + b]] for p in range(3)] == [[], [], [2, 8]]


# Section 2: the order.


@pytest.mark.parametrize(("players", "start"), [(p, s) for p in (2, 3, 4) for s in range(p)])
def test_nc_2_1_clockwise_from_the_start_player(load, players, start):
    game = city(load, players=players)
    expected = [start, 1 - start, 1 - start, start] if players == 2 else [(start + i) % players for i in range(players)]
    state, movers = at(game, start=start), []
    for place in range(len(expected)):
        assert read(state).place == str(place)
        movers.append(state.current_player())
        play(state, "pass")
    assert movers == expected
    assert (state.current_player(), read(state).place, read(state).start) == (start, "0", str(start))


@pytest.mark.parametrize(
    ("skipped", "start", "expected"),
    [
        ({1: "out"}, 0, [0, 2, 3]),
        ({1: "out", 2: "passed"}, 3, [3, 0]),
        ({0: "passed", 1: "out"}, 0, [2, 3]),  # the start player has passed for good: he stays what he is
        ({3: "out", 1: "passed", 2: "passed"}, 1, [0]),
    ],
)
def test_nc_2_1_who_is_out_or_has_passed_for_good_is_skipped(load, skipped, start, expected):
    seats = {i: seat("9", "12345", status="out") if how == "out" else seat(status=how) for i, how in skipped.items()}
    movers = [seats.setdefault(i, seat("5")) and i for i in expected]
    cells = {0: "r9c4", 1: "r4c1", 2: "r1c5", 3: "r5c9"}
    state = at(city(load), seats=seats, start=start, place=(expected[0] - start) % 4)
    for player in movers:
        assert state.current_player() == player
        assert read(state).place == str((player - start) % 4)
        play(state, f"{cells[player]}=5")
    assert len(built(state)) == len(expected)


# Laying.


@pytest.mark.parametrize(("players", "player"), [(p, i) for p in (2, 3, 4) for i in range(p)])
def test_nc_2_2_any_own_tile_on_any_cell_of_the_own_area_without_a_built_tile(load, players, player):
    game = city(load, players=players)
    state = at(game, SOME, {player: seat("2259")}, start=player)
    free = names(area(game, player)) - set(of_board(SOME))
    assert choices(state) == {f"{cell}={tile}" for cell in free for tile in "259"} | {"pass=2", "pass=5", "pass=9"}


def test_nc_2_2_what_cannot_be_laid(load):
    state = at(city(load), SOME, {0: seat("2259")})
    for text in ("r4c5=2", "r8c6=9", "r1c9=2", "r1c1=2", "r5c1=2", "r5c5=3", "pass=3", "pass", "decline", "start"):
        assert refuses(state, text)
    for text, clause in (("r4c5=2", "NC-2.2"), ("r1c1=2", "NC-2.2"), ("r5c5=3", "NC-2.2")):
        with pytest.raises(ValueError, match=clause):
            state.apply_action(state.string_to_action(text))


def test_nc_2_2_laid_tiles_share_a_cell_and_stay_hidden_until_all_have_acted(load):
    state, acts = ready(city(load), SOME, ["r4c4=5", "r4c4=9", "r4c4=5", "r4c4=1"])
    for n, act in enumerate(acts[:3], 1):
        play(state, act)
        assert read(state).laid == [f"{player}:{acts[player]}" for player in range(n)]
        assert built(state) == of_board(SOME)
        assert hands(state)[n - 1] == ""


def test_nc_2_6_the_last_act_reveals_at_once(load):
    state = revealed(city(load), EMPTY, "r4c4=5", "r4c1=9")
    assert read(state).laid == []
    assert built(state) == {"r4c4": 5, "r4c1": 9}
    state = revealed(city(load), EMPTY)  # nothing was laid
    assert (built(state), state.current_player(), read(state).bonus) == ({}, 0, "-")


# Passing.


def test_nc_2_3_a_pass_costs_a_tile_of_ones_choice(load):
    game = city(load)
    state = play(at(game, SOME, {0: seat("2259", "4")}), "pass=5")
    assert (hands(state)[0], penalties(state)[0], read(state).discard) == ("229", "45", "")
    assert state.current_player() == 1
    assert choices(state) == {"pass"}  # his hand is empty
    play(state, "pass")
    assert penalties(state)[1] == ""
    assert statuses(state) == ["in"] * 4


def test_nc_2_3_five_penalty_tiles_put_nobody_out_in_mid_round(load):
    state = play(at(city(load), SOME, {0: seat("2", "1134")}), "pass=2")
    assert penalties(state)[0] == "11234"
    assert statuses(state)[0] == "in"
    play(state, "pass", "pass", "pass")
    assert statuses(state)[0] == "out"


# The final phase.


def test_nc_2_4_it_begins_after_the_reveal_of_the_first_elimination(load):
    state = at(city(load), SOME, {0: seat("2", "1134"), 3: seat("7")})
    play(state, "pass=2", "pass", "pass")
    assert (choices(state) - {f"{cell}=7" for cell in names(range(81))}) == {"pass=7"}  # it still costs a tile
    play(state, "pass=7")
    assert statuses(state) == ["out", "in", "in", "in"]
    assert {text for text in choices(state) if "pass" in text} == {"pass"}
    assert len(hands(state)[1]) == 4
    play(state, "pass")
    assert statuses(state) == ["out", "passed", "in", "in"]
    assert (penalties(state)[1], len(hands(state)[1])) == ("", 4)


@pytest.mark.parametrize("players", [3, 4])
def test_nc_2_4_from_the_start(load, players):
    game = city(load, players=players, start_in_final=True)
    state = at(game, SOME, {0: seat("25")})
    assert {text for text in choices(state) if "pass" in text} == {"pass"}
    play(state, "pass")
    assert statuses(state) == ["passed"] + ["in"] * (players - 1)
    assert hands(state)[0] == "25"


@pytest.mark.parametrize("held", ["", "25"])
def test_nc_2_4_a_pass_in_the_final_phase_may_cost_a_tile(load, held):
    game = city(load, final_pass="penalty", start_in_final=True)
    state = at(game, SOME, {0: seat(held)})
    assert {text for text in choices(state) if "pass" in text} == ({"pass=2", "pass=5"} if held else {"pass"})
    play(state, "pass=5" if held else "pass")
    assert statuses(state)[0] == "passed"
    assert (hands(state)[0], penalties(state)[0]) == (held[:1], held[1:])


def test_nc_2_4_who_has_passed_for_good_stays_so_and_is_not_refilled(load):
    game = city(load, start_in_final=True)
    state = at(game, EMPTY, {0: seat("25"), 1: seat("3"), 2: seat("4"), 3: seat("6")})
    play(state, "pass", "r4c1=3", "r1c4=4", "r5c9=6")
    assert read(state).bonus == "1:3"
    play(state, "decline")
    assert statuses(state) == ["passed", "in", "in", "in"]
    assert [len(hand) for hand in hands(state)] == [2, 4, 4, 4]
    assert (state.current_player(), read(state).start, read(state).place) == (1, "0", "1")


def test_nc_2_4_with_two_players_there_is_none(load):
    game = city(load, players=2)
    state = at(game, SOME, {0: seat("7", "1134"), 1: seat("6")})
    play(state, "pass=7", "pass=6", "pass", "pass")
    assert statuses(state) == ["in", "in"]
    assert {text for text in choices(state) if "pass" in text} == {f"pass={tile}" for tile in set(hands(state)[0])}


@pytest.mark.parametrize("last", [1, 2, 3])
def test_nc_2_4_when_all_who_are_in_have_passed_the_game_ends_in_mid_round(load, last):
    seats = {0: OUT, **{i: seat("6", points=i, status="in" if i == last else "passed") for i in (1, 2, 3)}}
    game = city(load, points_to_win=9)
    state = play(at(game, SOME, seats, start=last), "pass")
    assert (read(state).end, read(state).place, state.winners()) == ("count", "-", [3])
    assert statuses(state) == ["out", "passed", "passed", "passed"]


def test_nc_2_4_the_last_pass_ends_the_game_before_anybody_is_eliminated(load):
    game = city(load, final_pass="penalty", start_in_final=True)
    seats = {0: seat("6", "1234", 2), 1: seat(status="passed", points=1)}
    seats |= {2: seat(status="passed"), 3: seat(status="passed")}
    state = play(at(game, SOME, seats), "pass=6")
    assert (read(state).end, state.winners(), statuses(state)[0]) == ("count", [0], "passed")


# Solo tiles.


def finale(load, *, lay, passed=(1, 2), board=EMPTY, start=3, own=None, **options):
    """Seat 0 is out, some have passed for good; the acts of the others."""
    seats = {0: OUT, **{i: seat(status="passed") for i in passed}, 3: own or seat()}
    return revealed(city(load, **options), board, *lay, seats=seats, start=start)


CLASH = EMPTY.replace("...", "..7", 1)  # 7 on r1c3


def test_nc_2_5_every_solo_tile_that_is_built_scores(load):
    state = finale(load, lay=["r5c9=7"])
    assert (points(state), built(state)) == ([0, 0, 0, 1], {"r5c9": 7})
    assert read(state).bonus == "3:7"


def test_nc_3_5_a_solo_tile_that_falls_scores_only_if_laying_counts(load):
    assert points(finale(load, lay=["r1c9=7"], board=CLASH)) == [0, 0, 0, 0]
    state = finale(load, lay=["r1c9=7"], board=CLASH, solo_point="laid")
    assert points(state) == [0, 0, 0, 1]
    assert penalties(state)[3] == "77"


def test_nc_3_1_a_solo_tile_that_is_laid_and_built_scores_once(load):
    assert points(finale(load, lay=["r5c9=7"], solo_point="laid")) == [0, 0, 0, 1]


def test_nc_2_5_not_solo_when_the_last_rival_passes_later(load):
    for how in ("built", "laid"):
        state = finale(load, lay=["r1c4=7", "pass"], passed=[1], start=2, solo_point=how)
        assert (points(state), statuses(state)[3]) == ([0, 0, 0, 0], "passed")
        assert built(state) == {"r1c4": 7}


def test_nc_2_5_solo_when_the_last_rival_has_passed_before_in_the_same_round(load):
    for how in ("built", "laid"):
        state = finale(load, lay=["pass", "r5c9=7"], passed=[1], start=2, solo_point=how)
        assert points(state) == [0, 0, 0, 1]


def test_nc_2_5_not_solo_when_the_rival_lays_too(load):
    state = finale(load, lay=["r1c4=7", "r5c9=8"], passed=[1], start=2)
    assert points(state) == [0, 0, 0, 0]


def test_nc_3_5_a_solo_point_can_win(load):
    state = finale(load, lay=["r5c9=7"], own=seat(points=2))
    assert (read(state).end, state.winners(), points(state)) == ("points:3", [3], [0, 0, 0, 3])
    assert built(state) == {"r5c9": 7}


def test_nc_3_1_a_win_by_laying_leaves_the_tile_laid(load):
    state = finale(load, lay=["r5c9=7"], own=seat(points=2), solo_point="laid")
    assert (read(state).end, state.winners()) == ("points:3", [3])
    assert read(state).laid == ["3:r5c9=7"]
    assert built(state) == {}
    assert all("3:r5c9=7" in state.information_state_string(viewer) for viewer in range(4))


def test_nc_3_5_with_two_players_nobody_is_solo(load):
    game = city(load, players=2)
    state = revealed(game, EMPTY, "r4c4=7", "pass", "pass", "r1c1=8")
    assert points(state) == [0, 0]
