"""Phases, the end and who has won in Blox: sections 2 and 4, and what a turn does at its end.

Boards are black but for the fields that are named; positions name what matters, `blox_model.text_of` adds the rest.
"""

from itertools import product

import pytest
from blox_model import at, board, flat, read, seat, text_of
from playing import choices, play

# Towers stand far from each other, in the lower rows.
SPOTS = [f"{column}{row}" for row in (1, 3) for column in "acegi"]


def standing(*heights):
    """Towers of some heights, of blocks of all colours in turn."""
    letters = "wrgk" * 10
    starts = [sum(heights[:i]) for i in range(len(heights))]
    return {spot: letters[start : start + n] for spot, start, n in zip(SPOTS, starts, heights, strict=False)}


def swap(state):
    """The turn that changes least: seats are given red cards for it."""
    return play(state, "~r", "done")


# [BX-2.1] Phases.


@pytest.mark.parametrize("phase", [1, 2, 3])
@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_bx_2_1_at_most_one_tower_of_exactly_its_height_ends_a_phase(load, phase, number):
    # There are two towers of the next height, and one or two of each other.
    others = [height for height in (1, 2, 3, 4, 5) if height != phase]
    towers = standing(*[phase] * number, *others, *others[:3])
    state = at(board(load), seat("rrrggg"), seat("rrrwww"), towers=towers, phase=phase, calm="")
    assert read(swap(state)).phase == str(phase + (number < 2))


def test_bx_2_1_every_kind_of_turn_is_followed_by_the_test(load):
    # No tower of height one stands: each turn ends the first phase.
    game = board(load, {"g5": "r"}, fill="g")
    towers = {"e6": "w", "a1": "ww", "c1": "rr"}
    facts = {"towers": towers, "calm": ""}
    for texts in ("@a5", "0e-r", "0ex3", "0nd", "0b r r done", "~w done"):
        pawns = "g5" if "x" in texts else ""
        state = at(game, seat("wrrrgg", "e5", "rr"), seat(None, pawns), **facts)
        assert read(play(state, *texts.split())).phase == "2"


@pytest.mark.parametrize(
    ("phase", "heights", "after"),
    [
        (1, (1, 2, 3, 3), "3"),
        (1, (1, 2, 3, 4, 4), "4"),
        (1, (1, 2, 3, 4), "4+"),
        (1, (), "4+"),
        (1, (5, 5, 5), "4+"),
        (2, (1, 1, 1, 3, 3), "3"),
        (3, (1, 1, 2, 2, 3, 4, 4), "4"),
        (3, (1, 1, 2, 2, 3, 3, 4), "3"),
        (2, (1, 1, 2, 2, 3, 4), "2"),
    ],
)
def test_bx_2_1_several_phases_can_pass_at_once(load, phase, heights, after):
    state = at(board(load), seat("rrrggg"), seat("rrrwww"), towers=standing(*heights), phase=phase, calm="")
    assert read(swap(state)).phase == after


def test_bx_2_1_a_built_tower_counts(load):
    # Two high towers of two stand once the new one does; without it only one.
    game = board(load)
    for texts, after in (("0b w w done", "2"), ("~w done", "4")):
        towers = standing(2, 4, 4)
        state = at(game, seat("wwkkkk", "e6", "ww"), towers=towers, calm="")
        assert read(play(state, *texts.split())).phase == after


def test_bx_2_1_a_tower_that_was_built_is_gone_once_demolished(load):
    state = at(
        board(load),
        seat("wwkkkk", "f5", ""),
        towers={"g5": "ww", "a1": "rr", "c1": "rrr", "e1": "ggg"},
        phase=2,
        calm="",
    )
    assert read(play(state, "0ed")).phase == "3"


@pytest.mark.parametrize("phase", [1, 2, 3, 4])
def test_bx_2_1_the_game_starts_in_its_start_phase(load, phase):
    assert read(load("blox", start_phase=phase).new_initial_state(1)).phase == str(phase)


def test_bx_2_1_no_test_before_the_first_turn(load):
    # One block a colour: no tower of four at the start, and phase 4.
    state = load("blox", start_phase=4, blocks_per_colour=1).new_initial_state(2)
    assert read(state).phase == "4"
    assert not state.is_terminal()


# [BX-2.2] The end is triggered.


@pytest.mark.parametrize(("fours", "after"), [(0, "4+"), (1, "4+"), (2, "4"), (3, "4")])
def test_bx_2_2_at_most_one_tower_of_four_triggers_the_end(load, fours, after):
    towers = standing(*[4] * fours, 5, 5, 3, 3)
    state = at(board(load), seat("rrrggg"), seat("rrrwww"), towers=towers, phase=4, calm="")
    assert read(swap(state)).phase == after


def test_bx_2_2_once_triggered_it_stays_so(load):
    # Two towers of four stand, as after a build in the last round.
    state = at(board(load, players=3), seat("rrrggg"), seat("rrrwww"), seat("rrrkkk"), phase="4+", seat=1)
    assert sorted(map(len, read(state).towers.values())) == [4, 4]
    assert read(swap(state)).phase == "4+"
    assert not state.is_terminal()
    assert read(swap(state)).phase == "4+"
    assert state.is_terminal()


def test_bx_4_1_the_last_turns_keep_the_rules_of_phase_4(load):
    game = board(load, players=3)
    facts = {"towers": {"g5": "rrrr"}, "phase": "4+", "seat": 1, "calm": ""}
    state = at(game, seat("rrrggg"), seat("wwwwrr", "f5", "wwwww"), seat("rrrkkk"), **facts)
    assert "0b" in choices(state)  # five blocks, four cards and the joker
    assert "0ed" not in choices(state)
    state = at(game, seat("rrrggg"), seat("rrrrww", "f5", "wwww"), seat("rrrkkk"), **facts)
    assert "0ed" in choices(state)
    assert "0b" not in choices(state)


# [BX-4.1] The round is played to its end.


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bx_4_1_all_seats_have_equally_many_turns(load, players):
    game = board(load, players=players)
    for mover in range(players):
        state = at(game, *[seat("rrrwww") for _ in range(players)], towers=standing(4), phase=4, seat=mover, calm="")
        turns = 0
        while not state.is_terminal():
            assert state.current_player() == mover + turns
            swap(state)
            turns += 1
        assert turns == players - mover
        assert read(state).seat == 0
        assert read(state).phase == "4+"
        assert state.current_player() == -4
        assert list(state.legal_actions()) == []
        assert game.deserialize(state.serialize()).is_terminal()


# [BX-4.2] The limit of turns.


def test_bx_4_2_the_game_is_over_after_so_many_turns(load):
    game = load("blox", players=3, max_turns=4)
    state = game.new_initial_state(1)
    for turn in range(4):
        assert not state.is_terminal()
        assert read(state).turns == turn
        card = read(state).seats[state.current_player()].hand[0]
        play(state, f"~{card}", "done")
    assert state.is_terminal()  # in mid-round
    now = read(state)
    assert (now.turns, now.seat, now.phase) == (4, 1, "1")
    assert state.winners() == [0, 1, 2]
    assert game.deserialize(state.serialize()) == state


def test_bx_4_2_without_a_limit_turns_are_not_counted(load):
    state = board(load, max_turns=0)
    state = at(state, seat("rrrwww"), seat("rrrggg"))
    swap(swap(state))
    assert read(state).turns == 0
    assert not state.is_terminal()


def test_bx_4_2_actions_of_a_turn_are_not_turns(load):
    state = at(board(load, max_turns=1), seat("wwwkkk", "e5", "www"))
    play(state, "0b", "w", "w")
    assert read(state).turns == 0
    assert not state.is_terminal()
    play(state, "done")
    assert read(state).turns == 1
    assert state.is_terminal()


def test_bx_4_2_perft_ignores_the_limit(engine):
    counts = []
    for limit in (0, 1):
        game = board(engine.load_game, max_turns=limit, hand=1, pawns=1, cards_per_colour=2)
        state = at(game, seat("r"), seat("w"))
        counts.append([engine.perft(state, depth) for depth in (1, 2, 3)])
    assert counts[0] == counts[1]
    assert counts[0][2] > counts[0][1] > counts[0][0] > 1


@pytest.mark.parametrize(("phase", "after"), [(4, "4+"), (1, "1")])
def test_bx_4_2_points_count_when_the_limit_ends_the_game(load, phase, after):
    game = board(load, players=3, max_turns=7)
    towers = standing(4) if phase == 4 else standing(1, 1)
    seats = [seat("rrrwww", points=3), seat("rrrwww", points=9), seat("rrrwww", points=4)]
    state = at(game, *seats, towers=towers, phase=phase, turns=6, calm="")
    swap(state)
    assert state.is_terminal()
    assert (read(state).phase, read(state).seat) == (after, 1)
    assert state.winners() == [1]


# [BX-4.3] Who has won.


def ended(load, *facts):
    """The end of a game of some seats: (points, blocks) each."""
    game = board(load, players=len(facts), max_turns=5)
    seats = [seat("rrrwww" if len(facts) < 3 else None, "", blocks, points) for points, blocks in facts]
    used = "".join(blocks for _, blocks in facts)
    heap = "".join(letter * (10 - used.count(letter)) for letter in "wrgk")
    return at(game, *seats, towers={"a1": heap}, calm="", turns=5)


@pytest.mark.parametrize(
    ("facts", "winners"),
    [
        ([(5, ""), (4, "wwrr")], [0]),
        ([(5, ""), (5, "w")], [1]),
        ([(5, "wwr"), (5, "wrg")], [0, 1]),
        ([(5, "ww"), (5, "r"), (5, "gg")], [0, 2]),
        ([(5, "ww"), (6, ""), (5, "gg")], [1]),
        ([(0, ""), (0, ""), (0, ""), (0, "k")], [3]),
        ([(7, "w"), (7, "r"), (7, "g"), (7, "k")], [0, 1, 2, 3]),
    ],
)
def test_bx_4_3_most_points_then_most_blocks_then_shared(load, facts, winners):
    state = ended(load, *facts)
    assert state.is_terminal()
    assert state.winners() == winners
    assert list(state.scores()) == [points for points, _ in facts]
    lost = len(facts) - len(winners)
    expected = (
        [1 / len(winners) if player in winners else -1 / lost for player in range(len(facts))]
        if lost
        else [0] * len(facts)
    )
    assert flat(state.returns()) == pytest.approx(expected)


def test_bx_4_3_nobody_has_won_before_the_end_and_scores_are_points(load):
    state = at(board(load), seat("rrrwww", points=12), seat("rrrggg", points=30))
    assert state.winners() == []
    assert list(state.scores()) == [12, 30]
    assert flat(state.returns()) == [0, 0]


# What a turn does at its end, one thing after the other.


def test_bx_2_1_the_hand_is_refilled_before_the_next_seat_moves(load):
    state = at(board(load), seat("rrrwww"), seat("rrrggg"), deck="kkgg")
    play(state, "~w", "~r", "~r", "done")
    now = read(state)
    assert (now.seats[0].hand, now.discard, now.deck[:1], now.seat) == ("wwrgkk", "wrr", "g", 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bx_4_1_seats_follow_in_order(load, players):
    state = at(board(load, players=players), *[seat("rrrwww") for _ in range(players)])
    for turn in range(2 * players + 1):
        assert state.current_player() == turn % players == read(state).seat
        card = read(state).seats[turn % players].hand[0]
        play(state, f"~{card}", "done")


def test_bx_2_1_the_table_of_heights(load):
    # Demolishing up to the phase's height, building from the next one on.
    for phase, rule in product((1, 2, 3, 4), ("min", "exact")):
        game = board(load, build_height=rule, hand=10)
        towers = {"f6": "g", "g5": "gg", "f4": "ggg", "e5": "gggg"}
        state = at(game, seat("ggggwwwwww", "f5 a9", "wwwwww", joker=False), towers=towers, phase=phase, calm="")
        assert {text for text in choices(state) if text[2:] == "d"} == {f"1{step}d" for step in "nesw"[:phase]}
        play(state, "0b", *["w"] * (phase + 1))
        assert state.in_turn() == (rule == "min")


def test_bx_4_1_a_text_of_the_last_round_at_the_first_seat_is_the_end(load):
    game = board(load)
    text = text_of(game, seat("rrrwww", points=2), seat(points=1), phase=4)
    assert not game.deserialize(f"{game} {text}").is_terminal()
    over = game.deserialize(f"{game} {text.replace(' 4 0 - ', ' 4+ 0 - ')}")
    assert over.is_terminal()
    assert over.winners() == [0]
    assert not game.deserialize(f"{game} {text.replace(' 4 0 - ', ' 4+ 1 - ')}").is_terminal()
