"""Building, swapping and drawing in Blox: clauses 3.5 to 3.9 and 5.3 to 5.6.

Boards are black but for the fields that are named; positions name what matters, `blox_model.text_of` adds the rest.
"""

import pytest
from blox_model import at, board, read, seat
from playing import choices, play, refuses

from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.reference.random import Stream

WHITE = {"hand": "wwwwww", "blocks": "wwwwww"}


def turns_of(engine, state, kind):
    """The texts of the legal turns of a kind: `b` or `~`."""
    found = engine.perft(state, 1, divide=True)
    return {text for text in found if kind in (text[0], text.lstrip("0123")[:1])}


# [BX-3.5] Heights and what is paid.


@pytest.mark.parametrize("phase", [1, 2, 3, 4])
def test_bx_3_5_heights_of_a_phase(engine, phase):
    for rule, heights in (("min", range(phase + 1, 7)), ("exact", [phase + 1])):
        state = at(board(engine.load_game, build_height=rule), seat(**WHITE, pawns="e5", joker=False), phase=phase)
        assert turns_of(engine, state, "b") == {"0b" + "w" * height for height in heights}


@pytest.mark.parametrize("rule", ["min", "exact"])
def test_bx_3_5_too_few_blocks_or_cards_for_the_phase(load, rule):
    game = board(load, build_height=rule)
    for hand, blocks, joker, legal in (
        ("wwkkkk", "w", True, False),
        ("wwkkkk", "ww", False, True),
        ("wkkkkk", "ww", False, False),
        ("wkkkkk", "ww", True, True),
        ("kkkkkk", "wr", True, False),
        ("wkkkkk", "wr", True, True),
        ("wkkkkk", "rr", True, False),
        ("wrkkkk", "wr", False, True),
    ):
        state = at(game, seat(hand, "e5", blocks, joker=joker))
        assert ("0b" in choices(state)) == legal
        assert legal or refuses(state, "0b")


def test_bx_3_5_a_build_without_a_pawn_of_the_rank(load):
    state = at(board(load), seat(**WHITE, pawns="e5"), seat(None, "e6"))
    assert refuses(state, "1b")
    state = at(board(load), seat(**WHITE), seat(None, "e6"))
    assert refuses(state, "0b")


def test_bx_3_5_what_a_build_changes(load):
    state = at(board(load), seat("wwrkkk", "c7 e5 h3", "wwrrg", points=20), seat(None, "e6"), deck="grr", discard="k")
    play(state, "1b", "w", "w", "r", "done")
    now = read(state)
    assert now.towers["e5"] == "wwr"
    assert now.seats[0].pawns == ["c7", "h3"]
    assert now.seats[0].blocks == "rg"
    assert now.seats[0].points == 23
    assert (now.seats[0].hand, now.discard) == ("rrgkkk", "wwrk")
    assert now.seats[0].joker
    assert now.seat == 1


def test_bx_3_5_a_built_tower_is_an_obstacle_and_can_be_demolished_later(load):
    game = board(load, {"g5": "r"}, fill="g", blocks_per_colour=2)
    towers = {"b1": "rr", "d1": "gg", "f1": "k", "h1": "k"}
    state = at(game, seat("wwkkkk", "e5", "ww"), seat("wwrrrr", "d5", ""), towers=towers, calm="")
    play(state, "0b", "w", "w", "done")
    assert read(state).towers["e5"] == "ww"
    assert refuses(state, "0e-r")
    assert refuses(state, "0ed")  # two high, phase 1
    later = game.deserialize(state.serialize().replace(" 1 1 - ", " 2 1 - "))
    assert "0ed" in choices(later)


# [BX-5.3] [BX-5.4] The actions of a build.


def begun(load, rule="min", phase=1):
    """A build with many ways to go on: two white blocks, a red and a black one, cards for all, an active joker."""
    state = at(board(load, build_height=rule), seat("wwrkkk", "e5", "wwrk"), phase=phase)
    return play(state, "0b")


def test_bx_5_3_blocks_come_in_the_order_of_colours(load):
    state = begun(load)
    assert choices(state) == {"w", "wj", "r", "rj"}  # after a black one nothing could follow
    play(state, "r")
    assert choices(state) == {"k", "kj"}
    assert refuses(state, "w")
    assert refuses(state, "wj")
    play(state, "kj")
    assert choices(state) == {"done"}


def test_bx_5_3_the_joker_comes_after_the_cards_of_its_colour_and_once(load):
    state = play(begun(load), "wj")
    assert choices(state) == {"r", "k"}
    assert refuses(state, "w")
    assert refuses(state, "rj")
    state = play(begun(load), "w")
    assert choices(state) == {"w", "wj", "r", "rj", "k", "kj"}
    play(state, "wj")
    assert choices(state) == {"r", "k", "done"}


def test_bx_5_4_what_can_no_longer_be_completed_is_not_offered(load):
    state = begun(load, phase=2)
    assert choices(state) == {"w", "wj"}
    play(state, "wj")
    assert choices(state) == {"r"}
    play(state, "r")
    assert choices(state) == {"k"}
    state = at(board(load), seat("wrrrrr", "e5", "wk"))
    play(state, "0b")
    assert choices(state) == {"w"}  # the joker is needed for the black one
    play(state, "w")
    assert choices(state) == {"kj"}


def test_bx_5_4_done_is_legal_when_the_height_is_allowed(load):
    state = begun(load, phase=2)
    for text in ("w", "w"):
        assert refuses(state, "done")
        play(state, text)
    assert refuses(state, "done")
    play(state, "r")
    assert choices(state) == {"done", "k", "kj"}
    play(state, "k")
    assert choices(state) == {"done"}  # played although nothing else is legal
    assert state.in_turn()
    play(state, "done")
    assert not state.in_turn()
    assert read(state).towers["e5"] == "wwrk"


@pytest.mark.parametrize(("phase", "texts"), [(1, "w kj"), (1, "w w"), (2, "w w rj"), (2, "wj r k"), (3, "w w r k")])
def test_bx_5_4_an_exact_build_ends_with_its_last_block(load, phase, texts):
    state = begun(load, "exact", phase)
    for text in texts.split():
        assert state.in_turn()
        assert refuses(state, "done")
        play(state, text)
    assert not state.in_turn()
    assert read(state).seat == 1
    assert read(state).towers["e5"] == texts.replace(" ", "").replace("j", "")


def test_bx_5_3_a_begun_turn_goes_on_as_it_has_begun(load):
    game = board(load, {"g5": "r"})
    state = at(game, seat("wwrkkk", "e5", "wwrk"))
    assert {"0b", "~w", "0e-r"} <= choices(state)
    assert all(refuses(state, text) for text in ("w", "wj", "done"))
    play(state, "0b")
    assert all(refuses(state, text) for text in ("0b", "~w", "0e-r", "0e-rj", "@g5"))
    state = play(at(game, seat("wwrkkk", "e5", "wwrk")), "~w")
    assert all(refuses(state, text) for text in ("0b", "w", "0e-r", "@g5"))
    assert choices(state) == {"~w", "~r", "~k", "done"}


def test_bx_5_5_a_begun_turn_changes_nothing_but_itself(load):
    state = at(board(load), seat("wwrkkk", "e5", "wwrk"))
    before = state.serialize()
    for texts in (["0b", "w", "wj", "r"], ["~w", "~w", "~k"]):
        now = state.clone()
        for i, text in enumerate(texts):
            play(now, text)
            assert now.serialize() == before.replace(" 1 0 - 0 ", f" 1 0 {''.join(texts[: i + 1])} 0 ")
            assert now.current_player() == 0
            assert list(now.scores()) == [0, 0]


def test_bx_5_6_the_text_of_a_turn(load):
    state = at(board(load), seat("wwrkkk", "e5", "wwrk"))
    for text, actions in (
        ("0bwwrj", ["0b", "w", "w", "rj", "done"]),
        ("~w~w~k", ["~w", "~w", "~k", "done"]),
        ("~w~w~k~k~k", ["~w", "~w", "~k", "~k", "~k"]),
        ("@a5j", ["@a5j"]),
    ):
        ids = [state.string_to_action(action) for action in actions]
        assert state.turn_to_string(ids) == text
        assert list(state.string_to_turn(text)) == ids
        assert list(state.string_to_turn(text.upper())) == ids
    for wrong in ("0bw", "0brw", "~k~w", "0bwjw"):
        with pytest.raises(ParseError):
            state.string_to_turn(wrong)


def test_bx_5_6_the_text_of_an_exact_build_has_all_its_blocks(load):
    state = at(board(load, build_height="exact"), seat("wwrkkk", "e5", "wwrk"))
    ids = [state.string_to_action(text) for text in ("0b", "w", "kj")]
    assert list(state.string_to_turn("0bwkj")) == ids
    assert state.turn_to_string(ids) == "0bwkj"


def test_bx_3_8_a_build_with_the_joker(load):
    state = at(board(load), seat("wkkkkk", "e5", "wwr"), deck="g")
    play(state, "0b", "w", "wj", "done")
    now = read(state)
    assert now.towers["e5"] == "ww"
    assert (now.seats[0].joker, now.seats[0].blocks, now.seats[0].points) == (False, "r", 2)
    assert (now.seats[0].hand, now.discard) == ("gkkkkk", "w")


def test_bx_3_8_the_joker_may_stand_where_a_card_would_too(engine):
    state = at(board(engine.load_game), seat("wwrkkk", "e5", "wr"))
    assert turns_of(engine, state, "b") == {"0bwr", "0bwjr", "0bwrj"}
    state = at(board(engine.load_game), seat("wwrkkk", "e5", "wr", joker=False))
    assert turns_of(engine, state, "b") == {"0bwr"}


# [BX-3.6] Neighbours stay reachable.


def may_build(load, towers, pawn="e5", enemy="", **options):
    """Whether a tower can be built on the field of a pawn; all towers are one high."""
    game = board(load, **options)
    state = at(game, seat("wwkkkk", pawn, "ww"), seat(None, enemy), towers=dict.fromkeys(towers.split(), "g"), calm="")
    return "0b" in choices(state)


REACHES = pytest.mark.parametrize("reach", ["side", "region"])


@REACHES
@pytest.mark.parametrize("corner", ["a1 a2 b1", "a10 a9 b10", "j10 j9 i10", "j1 j2 i1"])
def test_bx_3_6_the_edge_of_the_board_is_no_access(load, reach, corner):
    at_corner, pawn, other = corner.split()
    assert not may_build(load, f"{at_corner} {other}", pawn, reach=reach)
    assert may_build(load, at_corner, pawn, reach=reach)
    assert may_build(load, other, pawn, reach=reach)


@REACHES
def test_bx_3_6_a_new_tower_in_a_corner(load, reach):
    assert not may_build(load, "a2 b1", "a1", reach=reach)
    assert may_build(load, "a2", "a1", reach=reach)
    assert may_build(load, "a2 b1", "a1", reach=reach, reach_new=False)


@REACHES
def test_bx_3_6_without_reach_new_only_neighbours_count(load, reach):
    around = "d5 f5 e4 e6"
    assert not may_build(load, around, reach=reach)
    assert may_build(load, around, reach=reach, reach_new=False)
    assert not may_build(load, f"{around} d6 f6 e7", reach=reach, reach_new=False)  # e6 is shut in


def test_bx_3_6_only_orthogonal_neighbours_count(load):
    # d6 keeps no side, but it touches e5 at a corner alone; it had none before either.
    assert may_build(load, "d6 c6 e6 d7 d5")
    assert not may_build(load, "d5 c5 d6 d4")


def test_bx_3_6_towers_that_had_no_access_before_forbid_it_too(load):
    assert not may_build(load, "e6 d6 f6 e7")  # e5 is the last side of e6, pawn or not
    assert may_build(load, "e6 d6 f6")


SHUT_IN = {  # on one side of e5 a tower and those that shut it in, and towers on two more sides that stay open
    "n": ("e6 d6 f6 e7", "d5 f5"),
    "e": ("f5 f6 f4 g5", "e6 e4"),
    "s": ("e4 d4 f4 e3", "d5 f5"),
    "w": ("d5 d6 d4 c5", "e6 e4"),
}


@REACHES
@pytest.mark.parametrize("step", SHUT_IN)
def test_bx_3_6_every_neighbour_is_asked(load, reach, step):
    shut, others = SHUT_IN[step]
    for more in ("", others, *others.split()):
        assert not may_build(load, f"{shut} {more}", reach=reach)
        for gap in shut.split()[1:]:
            assert may_build(load, f"{shut.replace(gap, 'a1')} {more}", reach=reach)


def test_bx_3_6_a_pocket_is_a_side_but_no_region(load):
    # e5 and f5 are shut in by a ring of towers.
    ring = "d5 e6 f6 g5 e4 f4"
    assert may_build(load, ring, reach="side")
    assert not may_build(load, ring, reach="region")
    assert may_build(load, ring, reach="region", reach_new=False)
    assert may_build(load, ring.replace("g5", "g6"), reach="region")


def test_bx_3_6_pawns_do_not_close_a_region(load):
    ring = "d5 e6 f6 e4 f4"
    assert may_build(load, ring, enemy="g5", reach="region")
    assert may_build(load, ring, enemy="f5", reach="region")


def test_bx_3_6_a_build_that_makes_a_pocket(load):
    # Building on f5 shuts e5 and e6 in, the only free sides of f6.
    walls = "f6 f7 g6 e7 d6 d5 e4"
    for reach_new in (True, False):
        assert may_build(load, walls, "f5", reach="side", reach_new=reach_new)
        assert not may_build(load, walls, "f5", reach="region", reach_new=reach_new)
        assert may_build(load, walls.replace("e7", "e8"), "f5", reach="region", reach_new=reach_new)


def test_bx_3_6_an_edge_field_is_a_way_out(load):
    # a5 is an edge field between towers, the only free side of a new tower on b5.
    walls = "a6 a4 b6 b4 c5"
    assert may_build(load, walls, "b5", reach="region")
    assert not may_build(load, walls + " a5", "b5", reach="region")
    assert not may_build(load, "c6 c4 d6 d4 e5 b5", "d5", reach="region")


# [BX-3.7] Swaps.


def test_bx_3_7_one_to_five_cards(engine):
    state = at(board(engine.load_game), seat("wwrgkk"))
    swaps = turns_of(engine, state, "~")
    expected = {
        "~w" * w + "~r" * r + "~g" * g + "~k" * k
        for w in range(3)
        for r in range(2)
        for g in range(2)
        for k in range(3)
    }
    assert swaps == expected - {"", "~w~w~r~g~k~k"}


def test_bx_3_7_the_fifth_card_ends_the_turn(load):
    state = at(board(load), seat("wwrgkk", joker=False), deck="rrrrg")
    play(state, "~w", "~w", "~g", "~k")
    assert choices(state) == {"~k", "done"}
    play(state, "~k")
    assert not state.in_turn()
    now = read(state)
    assert now.seat == 1
    assert (now.seats[0].hand, now.discard, now.seats[0].joker) == ("rrrrrg", "wwgkk", True)


@pytest.mark.parametrize("hand", [1, 2, 4])
def test_bx_3_7_a_smaller_hand_ends_with_done(load, hand):
    state = at(board(load, hand=hand), seat("w" * hand))
    for _ in range(hand):
        assert "~w" in choices(state)
        play(state, "~w")
    assert state.in_turn()
    assert choices(state) == {"done"}
    play(state, "done")
    assert read(state).discard == "w" * hand


def test_bx_3_7_a_hand_of_five_ends_by_itself(load):
    state = at(board(load, hand=5), seat("wwwww"))
    play(state, *["~w"] * 5)
    assert read(state).seat == 1


def test_bx_5_3_swapped_cards_come_in_the_order_of_colours(load):
    state = at(board(load), seat("wwrgkk"))
    assert refuses(state, "done")  # nothing swapped yet
    play(state, "~r")
    assert choices(state) == {"~g", "~k", "done"}
    assert refuses(state, "~w")
    assert refuses(state, "~r")


def test_bx_3_7_a_swap_makes_the_own_joker_active_again(load):
    state = at(board(load), seat("wwrgkk", joker=False), seat("wwrgkk", joker=False))
    assert not any(text.endswith("j") for text in choices(state))
    play(state, "~w", "done")
    assert [one.joker for one in read(state).seats] == [True, False]
    play(state, "~w", "done")
    assert [one.joker for one in read(state).seats] == [True, True]
    play(state, "~r", "done")  # active before: it stays so
    assert [one.joker for one in read(state).seats] == [True, True]


def test_bx_3_8_a_used_joker_stays_so_until_the_swap(load):
    state = at(board(load), seat("kkkkkk"), seat("kkkkkk"))
    play(state, "@a5j", "@a6", "@b1", "@b10", "@c1", "@c10")
    assert [one.joker for one in read(state).seats] == [False, True]
    assert not any(text.endswith("j") for text in choices(state))


def test_bx_3_7_a_swap_is_always_possible(load):
    # No pawn on the board, none in supply that could enter: towers stand all along the edge.
    edge = [f"{c}{r}" for c in "abcdefghij" for r in range(1, 11) if c in "aj" or r in (1, 10)]
    towers = {field: "wrgk"[i % 4] for i, field in enumerate(edge)}
    state = at(board(load), seat("wrgkkk"), seat("wwwwww"), towers=towers, calm="")
    assert choices(state) == {"~w", "~r", "~g", "~k"}


# [BX-3.9] Drawing.

KEY = 0x0123456789ABCDEF


def small(load, **facts):
    """Twelve cards, hands of three: seat 0 has two white ones and a red one, seat 1 two grey ones and a black one."""
    game = board(load, hand=3, cards_per_colour=3)
    return at(game, seat("wwr"), seat("ggk"), chance=f"{KEY:016x}.{7:016x}", **facts)


def shuffled(cards, counter=7):
    """Some cards after a shuffle, and the counter of the stream."""
    stream, cards = Stream(KEY, counter), list(cards)
    stream.shuffle(cards)
    return "".join(cards), stream.counter


def in_hand(cards):
    return "".join(sorted(cards, key="wrgk".index))


def test_bx_3_9_cards_come_from_the_front_of_the_deck(load):
    state = play(small(load, deck="krgwrk"), "~w", "~w", "done")
    now = read(state)
    assert (now.seats[0].hand, now.deck, now.discard) == ("rrk", "gwrk", "ww")
    assert now.chance == f"{KEY:016x}.{7:016x}"
    play(state, "~k", "done")
    assert (read(state).seats[1].hand, read(state).deck) == ("ggg", "wrk")


def test_bx_3_9_the_deck_is_not_made_anew_before_a_card_is_wanted(load):
    state = play(small(load, deck="kr", rest="discard"), "~w", "~w", "done")
    now = read(state)
    assert (now.seats[0].hand, now.deck, now.discard) == ("rrk", "", "wwwrgk")
    assert now.chance == f"{KEY:016x}.{7:016x}"


def test_bx_3_9_the_discard_is_shuffled_in_the_midst_of_drawing(load):
    state = play(small(load, deck="k", rest="discard"), "~w", "~w", "done")
    deck, counter = shuffled("wwwrrgk")  # what lay there, and the two that were swapped
    now = read(state)
    assert now.seats[0].hand == in_hand("rk" + deck[0])
    assert (now.deck, now.discard) == (deck[1:], "")
    assert now.chance == f"{KEY:016x}.{counter:016x}"
    assert counter == 13


def test_bx_3_9_later_shuffles_go_on_with_the_stream(load):
    state = play(small(load, deck="k", rest="discard"), "~w", "~w", "done")
    deck, counter = shuffled("wwwrrgk")
    play(state, "~g", "~g", "~k", "done")  # three more cards are taken
    taken, deck, discard = deck[1:4], deck[4:], "ggk"
    assert read(state).seats[1].hand == in_hand(taken)
    own = read(state).seats[0].hand
    play(state, *(f"~{card}" for card in own), "done")
    discard = in_hand(discard + own)
    assert len(deck) == 3
    assert (read(state).seats[0].hand, read(state).discard) == (in_hand(deck), discard)
    first = read(state).seats[1].hand[0]
    play(state, f"~{first}", "done")
    again, counter = shuffled(in_hand(discard + first), counter)
    assert read(state).deck == again[1:]
    assert read(state).chance == f"{KEY:016x}.{counter:016x}"


def test_bx_3_9_the_joker_alone_draws_no_card(load):
    state = play(small(load, rest="discard"), "@a5j")
    now = read(state)
    assert (now.seats[0].hand, now.deck, now.discard) == ("wwr", "", "wrrgkk")
    assert now.chance == f"{KEY:016x}.{7:016x}"


def test_bx_3_9_where_all_cards_are_in_hands_a_swap_gives_back_the_same(load):
    game = board(load, hand=6, cards_per_colour=3)
    state = at(game, seat("wwwrrr", joker=False), seat("gggkkk"))
    play(state, "~w", "done")
    assert read(state).seats[0].hand == "wwwrrr"
    assert read(state).seats[0].joker
    play(state, "~g", "~k", "done")
    assert read(state).seats[1].hand == "gggkkk"
    assert (read(state).deck, read(state).discard) == ("", "")


def test_bx_5_4_refusals_say_which_clause_and_change_nothing(load):
    state = at(board(load), seat("wwrgkk", "e5"))
    before = state.serialize()
    for text, clause in (
        ("0b", "BX-3.5"),
        ("0e-g", "BX-3.2"),
        ("0ex3", "BX-3.3"),
        ("0nd", "BX-3.4"),
        ("@e5", "BX-3.1"),
    ):
        with pytest.raises(IllegalActionError, match=text) as caught:
            state.apply_action(state.string_to_action(text))
        assert "player 0" in str(caught.value)
        assert clause in str(caught.value)
    assert state.serialize() == before
