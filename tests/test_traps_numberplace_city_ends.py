"""How games of Numberplace City end by points and by the limit, section 5, and what random games are counted by."""

from collections import Counter

import pytest
from numberplace_city_model import (
    EMPTY,
    SOLVED,
    at,
    built,
    city,
    fill,
    flat,
    hands,
    penalties,
    points,
    read,
    ready,
    revealed,
    seat,
    statuses,
)
from playing import play, refuses

import ziggurat as zg
from ziggurat.reference.random import CHOICES, Stream, stream_key

# [NC-5.1] By points.


@pytest.mark.parametrize(
    ("seats", "winners"),
    [
        ([(2, ""), (1, ""), (0, ""), (0, "")], [0]),
        ([(1, ""), (2, "1234"), (0, ""), (2, "123")], [3]),  # equal points: fewest penalty tiles
        ([(1, "12"), (1, "3"), (0, ""), (1, "4")], [1, 3]),  # equal in both: shared
        ([(0, ""), (0, ""), (0, ""), (0, "")], [0, 1, 2, 3]),
        ([(0, "1"), (0, ""), (0, "2"), (0, "")], [1, 3]),
        ([(2, "11111"), (1, "2"), (1, "3"), (0, "")], [1, 2]),  # the first one is out
    ],
)
def test_nc_5_1_most_points_then_fewest_penalty_tiles_then_shared(load, seats, winners):
    statuses_of = ["out" if len(tiles) == 5 else "passed" for _, tiles in seats]
    given = {i: seat("9", tiles, score, statuses_of[i]) for i, (score, tiles) in enumerate(seats)}
    last = 3
    given[last].status = "in"
    state = play(at(city(load, start_in_final=True), EMPTY, given, start=last), "pass")
    assert (read(state).end, state.winners()) == ("count", winners)
    share = [1 / len(winners) if i in winners else -1 / (4 - len(winners)) for i in range(4)]
    assert flat(state.returns()) == pytest.approx([0] * 4 if len(winners) == 4 else share)
    assert flat(state.scores()) == [score for score, _ in seats]


def test_nc_5_3_nobody_has_won_before_the_end(load):
    state = at(city(load), EMPTY, {0: seat("5", points=2), 1: seat(points=1)})
    assert (state.winners(), flat(state.returns()), flat(state.scores())) == ([], [0] * 4, [2, 1, 0, 0])
    assert not state.is_terminal()


def test_nc_5_3_after_the_end_nothing_is_legal(load):
    state = at(city(load), EMPTY, {0: seat(points=3)}, end="points:0")
    assert (state.current_player(), flat(state.legal_actions()), state.winners()) == (-4, [], [0])
    assert sum(flat(state.legal_actions_mask())) == 0
    assert refuses(state, "pass")
    assert refuses(state, "r5c5=5")


@pytest.mark.parametrize(
    ("end", "facts", "winners"),
    [
        ("points:2", {"seats": {2: seat(points=4)}, "laid": "0:r9c4=5 3:r5c9=5"}, [2]),
        ("bonus:1", {}, [1]),
        ("last:3", {"seats": {i: seat(penalties="11223", status="out") for i in (0, 1, 2)}}, [3]),
        ("nobody", {"seats": {i: seat(penalties=f"{i + 1}" * 5, status="out") for i in range(4)}}, []),
    ],
)
def test_nc_8_3_how_a_game_ended_can_be_read(load, end, facts, winners):
    if end == "last:3":
        for i in (0, 1, 2):
            facts["seats"][i].penalties = f"{i + 1}" * 5
    state = at(city(load), EMPTY, end=end, **facts)
    assert (state.is_terminal(), state.winners(), read(state).end) == (True, winners, end)


# [NC-5.2] The limit.


def test_nc_5_2_the_limit_ends_the_game_in_mid_round(load):
    game = city(load, max_turns=6)
    state = at(game, EMPTY, {0: seat("1", points=1), 1: seat("2"), 2: seat("34")}, turns=4)
    play(state, "r4c4=1")
    assert (read(state).turns, state.is_terminal()) == (5, False)
    play(state, "r4c4=2")
    now = read(state)
    assert (now.turns, now.end, now.place, now.bonus) == (6, "-", "2", "-")
    assert (state.is_terminal(), state.current_player(), state.winners()) == (True, -4, [0])
    assert now.laid == ["0:r4c4=1", "1:r4c4=2"]
    assert built(state) == {}
    assert game.deserialize(state.serialize()) == state
    assert refuses(state, "r1c4=3")
    for viewer, laid in enumerate(("0:r4c4=1,1:r4c4=?", "0:r4c4=?,1:r4c4=2", "0:r4c4=?,1:r4c4=?")):
        assert state.information_state_string(viewer).split(" ")[2] == laid


def test_nc_5_2_passes_are_turns_decisions_of_a_bonus_are_not(load):
    game = city(load, max_turns=50)
    state, acts = ready(game, EMPTY, ["r9c4=1", "pass=5"])
    play(state, *acts)
    assert (read(state).turns, read(state).bonus) == (4, "0:1")
    play(state, "decline")
    assert read(state).turns == 4


def test_nc_5_2_a_bonus_is_decided_before_the_limit_ends_the_game(load):
    game = city(load, max_turns=4, bonus_table="p" * 9)
    state = revealed(game, EMPTY, "r9c4=1")
    assert (read(state).turns, read(state).bonus, state.is_terminal()) == (4, "0:1", False)
    play(state, "point")
    assert (state.is_terminal(), read(state).end, read(state).place, state.winners()) == (True, "-", "0", [0])
    assert points(state) == [1, 0, 0, 0]
    assert [len(hand) for hand in hands(state)] == [4] * 4  # the refill belongs to the last action


def test_nc_5_2_other_ends_come_before_the_limit(load):
    game = city(load, max_turns=4, bonus_table="p" * 9)
    state = play(revealed(game, EMPTY, "r9c4=1", seats={0: seat(points=2)}), "point")
    assert (read(state).end, read(state).turns) == ("points:0", 4)
    game = city(load, max_turns=4, recycle=False)
    state = revealed(game, EMPTY, "pass=1", rest="discard")
    assert (read(state).end, read(state).turns) == ("count", 4)
    seats = {i: seat(penalties=f"{i + 1}" * 4) for i in range(3)}
    state = revealed(game, EMPTY, "pass=5", "pass=5", "pass=5", seats=seats)
    assert (read(state).end, read(state).turns) == ("last:3", 4)


def test_nc_5_2_a_round_that_is_over_with_the_last_turn(load):
    state = revealed(city(load, max_turns=4), EMPTY, "r9c4=5")
    assert (state.is_terminal(), read(state).end, read(state).place) == (True, "-", "0")
    assert (built(state), len(hands(state)[0])) == ({"r9c4": 5}, 4)


def test_nc_5_2_a_limit_of_one_and_none(load):
    state = play(at(city(load, max_turns=1), EMPTY, {0: seat("1")}), "pass=1")
    assert (state.is_terminal(), state.winners()) == (True, [1, 2, 3])
    state = city(load, max_turns=0).new_initial_state(2)
    for _ in range(9):
        state.apply_action(int(state.legal_actions()[-1]))
    assert read(state).turns == 0


def test_nc_5_2_eliminated_players_do_not_win_by_the_limit(load):
    seats = {0: seat("1"), 1: seat(penalties="11223", status="out", points=2)}
    state = play(at(city(load, max_turns=7), EMPTY, seats, turns=6), "r9c4=1")
    assert (state.is_terminal(), state.winners(), statuses(state)[1]) == (True, [0, 2, 3], "out")


def test_nc_5_2_perft_ignores_the_limit(engine):
    game = engine.load_game("numberplace_city", max_turns=5, tiles_per_number=10)
    free = engine.load_game("numberplace_city", max_turns=0, tiles_per_number=10)
    seats = {0: seat("1"), 1: seat("2"), 2: seat("3")}
    board = fill(SOLVED, "r5c5=.", "r5c6=.")
    counts = [
        engine.perft(at(one, board, seats, turns=turns), depth)
        for one, turns in ((game, 4), (free, 0))
        for depth in (1, 2, 3)
    ]
    assert counts == [3, 9, 27] * 2  # two cells, or a pass


@pytest.mark.parametrize("scope", ["own", "one_of_up_to", "all_up_to"])
def test_nc_5_2_the_longest_game(load, scope):
    # Each round of two players can have decisions of a bonus after its four turns.
    assert city(load, max_turns=0, bonus_scope=scope).max_game_length() is None
    game = city(load, players=2, max_turns=8, bonus_scope=scope, bonus_table="rrsddttp-")
    state, acts = ready(game, EMPTY, ["r5c5=8"], seats={0: seat(penalties="7")})
    play(state, *acts)
    decisions = 0
    while read(state).bonus != "-":
        play(state, "decline")
        decisions += 1
    assert decisions == (5 if scope == "all_up_to" else 1)
    assert game.max_game_length() >= 8 + 2 * decisions


# Section 13: counters.

COUNTERS = [
    "lay", "pass", *(f"bonus_{n}" for n in range(1, 10)), "declined", "built", "penalties", "eliminated",
    "end_points", "end_area", "end_bonus", "end_last", "end_nobody", "end_count", "limit",
]  # fmt: skip


def replayed(game, seed):
    """The counters of the first game of a run, played again here."""
    stream, state, counts = Stream(stream_key(seed, 0, CHOICES)), game.new_initial_state(seed), Counter()
    while not state.is_terminal():
        legal = [int(action) for action in state.legal_actions()]
        action, bonus = legal[stream.bounded(len(legal))], read(state).bonus
        text = state.action_to_string(action)
        if bonus == "-":
            counts["pass" if text.startswith("pass") else "lay"] += 1
        else:
            counts["declined" if text == "decline" else f"bonus_{bonus.split(':')[1]}"] += 1
        counts["forced pass"] += legal == [action] and text.startswith("pass")
        state.apply_action(action)
    counts["built"], counts["penalties"] = len(built(state)), sum(map(len, penalties(state)))
    counts["eliminated"] = statuses(state).count("out")
    end = read(state).end.partition(":")[0]
    counts["limit" if end == "-" else f"end_{end}"] = 1
    return counts


@pytest.mark.parametrize(
    ("options", "games"),
    [
        ({}, 3),
        ({"players": 2, "bonus_scope": "all_up_to", "points_to_win": 9}, 3),
        ({"players": 3, "start_in_final": True, "tiles_per_number": 2, "points_to_win": 9}, 4),
        ({"max_turns": 11, "bonus_scope": "one_of_up_to"}, 2),
        ({"players": 3, "areas": "4+4+4", "points_to_win": 99, "bonus_table": "---------", "out_at": 127}, 3),
    ],
)
def test_nc_5_2_counters_of_random_games(engine, options, games):
    game = engine.load_game("numberplace_city", **options)
    for seed in range(games):
        results = engine.simulate(game, 1, seed=seed)
        assert list(results.counters) == COUNTERS
        found, expected = {key: int(column[0]) for key, column in results.counters.items()}, replayed(game, seed)
        assert found == {key: expected[key] for key in COUNTERS}
        assert int(results.forced_passes[0]) == expected["forced pass"]
        ends = [found[key] for key in COUNTERS if key.startswith("end_") or key == "limit"]
        assert sum(ends) == 1


def test_nc_5_2_every_counter_counts():
    # Random games of the native engine: each effect is used, and each way to end comes up.
    found, lots = Counter(), [{}, {"players": 2}, {"start_in_final": True}, {"max_turns": 30}]
    lots += [{"bonus_scope": "all_up_to"}, {"players": 3, "areas": "4+4+4", "points_to_win": 99}]
    lots += [{"tiles_per_number": 1, "out_at": 1, "bonus_table": "---------"}]
    for options in lots:
        results = zg.simulate(zg.load_game("numberplace_city", **options), 300, seed=1)
        found.update({key: int(column.sum()) for key, column in results.counters.items()})
    assert [key for key in COUNTERS if not found[key]] == []


def test_nc_8_3_counters_are_described():
    assert list(zg.describe("numberplace_city")["counters"]) == COUNTERS
