"""The eleven traps of Blox, each in both directions where it has two.

Boards are black but for the fields that are named; positions name what matters, `blox_model.text_of` adds the rest.
"""

import random

import pytest
from blox_model import LETTERS, at, board, read, seat
from playing import choices, play, refuses

from ziggurat.errors import ParseError

# 1. An edge field of the card's colour stops there.

# Around c5 all is closed but the way from the west.
CLOSED = {"c6": "g", "c4": "g", "d5": "g"}


def test_bx_3_1_an_edge_field_of_the_colour_of_the_card_stops(load):
    game = board(load, {"a5": "r", "c5": "r"})
    state = at(game, seat("rrrwww"), towers=CLOSED)
    assert "@a5" in choices(state)
    assert refuses(state, "@c5")
    assert refuses(state, "@c5j")
    play(state, "@a5")
    assert read(state).seats[0].pawns == ["a5"]


def test_bx_3_1_an_edge_field_of_another_colour_is_passed(load):
    game = board(load, {"a5": "w", "c5": "r"})
    state = at(game, seat("rrrggg"), towers=CLOSED)
    assert "@c5" in choices(state)
    assert refuses(state, "@a5")  # no white card
    play(state, "@c5")
    assert read(state).seats[0].pawns == ["c5"]


# 2. The nearest red field is occupied, another one lies behind it.


@pytest.mark.parametrize("taken", ["own pawn", "enemy pawn", "tower"])
def test_bx_3_2_an_occupied_first_field_is_not_passed(load, taken):
    game = board(load, {"g5": "r", "i5": "r"})
    own, enemy = ("g5" if taken == one else "" for one in ("own pawn", "enemy pawn"))
    towers = {"g5": "w"} if taken == "tower" else {}
    state = at(game, seat("rrrrrr", f"e5 {own}"), seat(None, enemy), towers=towers)
    assert refuses(state, "0e-r")
    assert refuses(state, "0e-rj")


def test_bx_3_2_a_free_first_field_is_the_end(load):
    for colour, end in (("r", "g5"), ("k", "i5")):
        state = at(board(load, {"g5": colour, "i5": "r"}), seat("rrrrrr", "e5"))
        assert {"0e-r", "0e-rj"} <= choices(state)
        assert read(play(state, "0e-r")).seats[0].pawns == [end]


# 3. A field in between that has a colour of the tower.

TOWER = {"g5": "wwk"}


def test_bx_3_4_a_colour_of_the_tower_in_between_protects_it(load):
    state = at(board(load, {"f5": "k"}, fill="g"), seat("wwkrrr", "e5"), towers=TOWER, phase=3)
    assert refuses(state, "0ed")
    state = at(board(load, {"f5": "w"}, fill="g"), seat("wwkrrr", "e5"), towers=TOWER, phase=3)
    assert refuses(state, "0ed")


def test_bx_3_4_another_colour_in_between_does_not(load):
    for colour in "rg":
        state = at(board(load, {"f5": colour}, fill="k"), seat("wwkrrr", "e5"), towers=TOWER, phase=3)
        assert "0ed" in choices(state)
        assert read(play(state, "0ed")).seats[0].pawns == ["g5"]


def test_bx_3_4_nothing_lies_between_an_adjacent_pawn_and_a_tower(load):
    state = at(board(load, {"f5": "k"}, fill="g"), seat("wwkrrr", "f5"), towers=TOWER, phase=3)
    assert "0ed" in choices(state)


def test_bx_3_4_the_fields_of_pawn_and_tower_do_not_matter(load):
    for own in "wrgk":
        for under in "wrgk":
            game = board(load, {"e5": own, "f5": "r", "g5": under}, fill="g")
            assert "0ed" in choices(at(game, seat("wwkrrr", "e5"), towers=TOWER, phase=3))


# 4. Paying {white, white, black}.


def test_bx_3_8_the_joker_replaces_one_card(load):
    state = at(board(load), seat("wwrrrr", "f5"), towers=TOWER, phase=3)
    assert {text for text in choices(state) if text[2:3] == "d"} == {"0edkj"}
    assert refuses(state, "0ed")
    assert refuses(state, "0edwj")
    play(state, "0edkj")
    now = read(state)
    assert not now.seats[0].joker
    assert now.discard == "ww"
    assert now.seats[0].points == 3


def test_bx_3_8_the_joker_does_not_replace_two_cards(load):
    state = at(board(load), seat("wrrrrr", "f5"), towers=TOWER, phase=3)
    assert all(refuses(state, text) for text in ("0ed", "0edwj", "0edrj", "0edgj", "0edkj"))


# 5. Six blocks and seven.


def test_bx_3_4_with_six_blocks_a_tower_of_four_may_be_taken(load):
    state = at(board(load), seat("wrgkkk", "f5", blocks="wwrrgg"), towers={"g5": "wrgk"}, phase=4)
    play(state, "0ed")
    assert read(state).seats[0].blocks == "wwwrrrgggk"
    assert read(state).seats[0].points == 4


def test_bx_3_4_with_seven_blocks_not_even_a_tower_of_one(load):
    state = at(board(load), seat("wrgkkk", "f5", blocks="wwrrggk"), towers={"g5": "w", "f6": "k"}, phase=4)
    assert refuses(state, "0ed")
    assert refuses(state, "0nd")


# 6. Where the pawn is afterwards.


def test_bx_3_4_after_demolishing_the_pawn_stands_on_the_field(load):
    state = at(board(load), seat("wkkkkk", "f5 a1"), towers={"g5": "w"})
    play(state, "0ed")
    now = read(state)
    assert now.seats[0].pawns == ["g5", "a1"]
    assert "g5" not in now.towers


def test_bx_3_5_after_building_the_pawn_is_in_supply(load):
    state = at(board(load), seat("wwkkkk", "f5 a1", blocks="www"))
    play(state, "0b", "w", "w", "done")
    now = read(state)
    assert now.seats[0].pawns == ["a1"]
    assert now.towers["f5"] == "ww"
    assert now.seats[0].blocks == "w"


# 7. Capturing.


def test_bx_3_3_two_cards_and_the_joker_score_three(load):
    state = at(board(load, {"g5": "r"}), seat("rrkkkk", "e5"), seat(None, "g5"))
    assert {text for text in choices(state) if "x" in text} == {"0ex3j"}
    play(state, "0ex3j")
    now = read(state)
    assert (now.seats[0].points, now.seats[0].joker, now.discard) == (3, False, "rr")


def test_bx_3_3_five_cards_are_never_played(load):
    game = board(load, {"g5": "r"})
    state = at(game, seat("rrrrrr", "e5"), seat(None, "g5"))
    assert {text for text in choices(state) if "x" in text} == {"0ex3", "0ex3j", "0ex4", "0ex4j"}
    for text in ("0ex5", "0ex5j", "0ex2", "0ex2j"):
        with pytest.raises(ParseError):
            game.string_to_action(text)


# 8. The phase moves by two.


@pytest.mark.parametrize(
    ("twos", "threes", "phase"),
    [(2, 1, "4"), (2, 0, "4"), (2, 2, "3"), (3, 1, "2"), (3, 0, "2"), (1, 2, "3"), (1, 1, "4")],
)
def test_bx_2_1_a_demolition_moves_the_phase_by_as_many_as_are_passed(load, twos, threes, phase):
    heights = [2] * (twos - 1) + [3] * threes + [4] * 2
    fields = ["a1", "c1", "e1", "g1", "i1", "a10", "c10"]
    towers = {field: "wrgk"[:height] for field, height in zip(fields, heights, strict=False)}
    state = at(board(load), seat("wrkkkk", "f5"), towers={**towers, "g5": "wr"}, phase=2, calm="")
    assert read(play(state, "0ed")).phase == phase


# 9. Who triggers the end.


def of_the_end(load, mover):
    """Phase 4 of three players, two towers of four: the seat that is to move can take one of them."""
    seats = [seat("wrgkkk", "f5") if player == mover else seat("rrrggg") for player in range(3)]
    towers = {"g5": "wrgk", "a1": "wrgk"}
    return at(board(load, players=3), *seats, towers=towers, phase=4, seat=mover, calm="")


@pytest.mark.parametrize("mover", [0, 1])
def test_bx_4_1_after_an_earlier_seat_the_round_is_played_to_its_end(load, mover):
    state = of_the_end(load, mover)
    play(state, "0ed")
    for player in range(mover + 1, 3):
        assert not state.is_terminal()
        assert read(state).phase == "4+"
        assert state.current_player() == player
        assert state.winners() == []
        play(state, "~r", "done")
    assert state.is_terminal()
    assert state.winners() == [mover]


def test_bx_4_1_after_the_last_seat_the_game_is_over_at_once(load):
    state = of_the_end(load, 2)
    play(state, "0ed")
    assert state.is_terminal()
    assert state.winners() == [2]
    assert list(state.legal_actions()) == []


# 10. The last free side of a tower.


def build_beside(load, reach, pawn="", new=("d5", "f5"), old=("d6", "f6", "e7")):
    """Whether seat 0 may build on e5, below a tower on e6; towers on some of their sides, an enemy pawn on another."""
    game = board(load, reach=reach)
    towers = dict.fromkeys(("e6", *new, *old), "g")
    state = at(game, seat("wwkkkk", "e5", blocks="ww"), seat(None, pawn), towers=towers)
    return "0b" in choices(state)


@pytest.mark.parametrize("reach", ["side", "region"])
def test_bx_3_6_the_last_free_side_of_a_neighbour_stays_free(load, reach):
    assert not build_beside(load, reach)
    assert build_beside(load, reach, old=("d6", "f6"))
    assert build_beside(load, reach, old=("f6", "e7"))


@pytest.mark.parametrize("reach", ["side", "region"])
def test_bx_3_6_the_new_tower_has_a_free_side(load, reach):
    assert not build_beside(load, reach, new=("d5", "f5", "e4"), old=())
    assert build_beside(load, reach, new=("d5", "f5"), old=())


@pytest.mark.parametrize("reach", ["side", "region"])
def test_bx_3_6_an_enemy_pawn_on_the_free_side_blocks_nothing(load, reach):
    assert build_beside(load, reach, pawn="f6", old=("d6", "e7"))
    assert build_beside(load, reach, pawn="e4", old=())


# 11. Nothing is lost.


@pytest.mark.parametrize(
    ("options", "blocks"),
    [
        ({}, 40),
        ({"players": 3}, 40),
        ({"players": 4, "hand": 10, "cards_per_colour": 10}, 40),
        ({"preset": "ravensburger2008"}, 36),
        ({"preset": "ravensburger2008", "players": 3}, 40),
    ],
)
def test_bx_1_4_cards_blocks_and_pawns_are_never_lost(load, options, blocks):
    game, rng = load("blox", **options), random.Random(3)
    cards = game.options["cards_per_colour"]
    state = game.new_initial_state(5)
    for _ in range(250):
        now = read(state)
        held = "".join(one.hand for one in now.seats)
        built = "".join(now.towers.values()) + "".join(one.blocks for one in now.seats)
        assert [(held + now.deck + now.discard).count(letter) for letter in LETTERS] == [cards] * 4
        assert [built.count(letter) for letter in LETTERS] == [blocks // 4] * 4
        assert all(len(one.pawns) <= 4 for one in now.seats)
        if state.is_terminal():
            break
        texts = sorted(choices(state))
        rare = [text for text in texts if text[0] in LETTERS or text[1:2] == "b" or "d" in text[2:] or "x" in text]
        state.apply_action(state.string_to_action(rng.choice(rare or texts)))
