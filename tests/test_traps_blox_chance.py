"""What is drawn in Blox and what is hidden: clauses 1.3 to 1.7, section 6 and clause 7.5.

The draws are made a second time here, from `docs/random-stream.md` and section 6 of the rules page.
"""

from collections import Counter
from itertools import combinations, permutations, product
from math import comb, prod

import pytest
from blox_model import LETTERS, at, board, flat, in_order, name, read, seat
from playing import play
from sampling import chi_square, far

from ziggurat.reference.random import CHANCE, DETERMINIZE, Stream, stream_key


def sorted_letters(number):
    """So many letters of each colour, in the order of colours."""
    return [letter for letter in LETTERS for _ in range(number)]


# A layout of which each face has tower fields of its own.

LAYOUT10 = "+".join(
    f"{'WRGKK' * 5}:{towers}"
    for towers in ("00010203", "44434241", "10111213", "04142434", "20212223", "40302010", "30313233", "11223344")
)
LAYOUT9 = "+".join(
    f"{'WRGKK' * (fields // 5) + 'W' * (fields % 5)}:{towers}"
    for fields, towers in zip(
        (25, 25, 20, 20, 20, 20, 16, 16),
        ("00010203", "44434241", "10111213", "43332313", "20212223", "34241404", "30313233", "03122130"),
        strict=True,
    )
)


def tower_fields(faces, sides, size):
    """The tower fields in the order of the deal, with their heights: [(text, height)]."""
    found = []
    for quarter, side in enumerate(sides):
        digits = faces.split("+")[2 * quarter + "AB".index(side)].split(":")[1]
        top, left = 5 * (quarter // 2), 5 * (quarter % 2)
        for height in (1, 2, 3, 4):
            row, column = int(digits[2 * height - 2]), int(digits[2 * height - 1])
            found.append((name((top + row, left + column), size), height))
    return found


def dealt(options, faces, stream):
    """The set-up: (sides, towers, hands, deck)."""
    sides = options["sides"]
    if sides == "random":
        sides = "".join("AB"[stream.bounded(2)] for _ in range(4))
    printed = options["two_player_setup"] == "printed"
    blocks, cards = sorted_letters(options["blocks_per_colour"] - printed), sorted_letters(options["cards_per_colour"])
    stream.shuffle(blocks)
    stream.shuffle(cards)
    towers = {}
    for field, height in tower_fields(faces, sides, options["board"]):
        if height > 1 or not printed:
            tower, blocks = blocks[:height], blocks[height:]
            towers |= {field: in_order(tower)} if tower else {}
    hands = []
    for _ in range(options["players"]):
        hand, cards = cards[: options["hand"]], cards[options["hand"] :]
        hands.append(in_order(hand))
    return sides, towers, hands, "".join(cards)


SETUPS = [
    {},
    {"sides": "ABBA"},
    {"sides": "BAAB", "players": 4, "hand": 10},
    {"players": 3, "hand": 1, "cards_per_colour": 1},
    {"hand": 10, "cards_per_colour": 5},  # no deck
    {"blocks_per_colour": 7},
    {"blocks_per_colour": 1, "players": 3},
    {"two_player_setup": "printed"},
    {"two_player_setup": "printed", "blocks_per_colour": 6},
    {"two_player_setup": "printed", "blocks_per_colour": 1},
    {"two_player_setup": "printed", "players": 3},
    {"board": 9},
    {"board": 9, "two_player_setup": "printed", "hand": 5, "sides": "BBAB"},
]


@pytest.mark.parametrize("options", SETUPS, ids=str)
def test_bx_6_the_set_up_is_drawn_in_the_order_of_the_page(load, options):
    faces = LAYOUT9 if options.get("board") == 9 else LAYOUT10
    game = load("blox", faces=faces, **options)
    for seed in range(6):
        stream = Stream(stream_key(seed, 0, CHANCE))
        sides, towers, hands, deck = dealt(game.options, faces, stream)
        now = read(game.new_initial_state(seed))
        assert now.sides == sides
        assert now.towers == towers
        assert [one.hand for one in now.seats] == hands
        assert now.deck == deck
        assert now.chance == f"{stream.key:016x}.{stream.counter:016x}"


def test_bx_1_3_sides_are_drawn_by_the_seed_or_named(load):
    game = load("blox")
    assert {read(game.new_initial_state(seed)).sides for seed in range(200)} == {
        "".join(sides) for sides in product("AB", repeat=4)
    }
    assert {read(load("blox", sides="ABBA").new_initial_state(seed)).sides for seed in range(9)} == {"ABBA"}


def test_bx_1_3_a_face_brings_its_colours_and_tower_fields(load):
    # Each face has one colour, and its towers stand in a row of their own.
    faces = "+".join(
        f"{colour * 25}:{towers}" for colour, towers in zip("WRGKRWKG", ("00010203", "10111213") * 4, strict=True)
    )
    for sides, colours, rows in (
        ("AAAA", "wgrk", (0, 0, 5, 5)),
        ("BBBB", "rkwg", (1, 1, 6, 6)),
        ("ABBA", "wkwk", (0, 1, 6, 5)),
    ):
        state = load("blox", faces=faces, sides=sides).new_initial_state(1)
        values = flat(state.analysis("colours"))
        assert [LETTERS[values[corner]] for corner in (0, 9, 90, 99)] == list(colours)
        expected = {
            name((row, 5 * (quarter % 2) + height), 10) for quarter, row in enumerate(rows) for height in range(4)
        }
        assert set(read(state).towers) == expected


@pytest.mark.parametrize("board_size", [10, 9])
def test_bx_1_5_sixteen_towers_of_all_blocks(load, board_size):
    for seed in range(5):
        now = read(load("blox", board=board_size).new_initial_state(seed))
        assert Counter(map(len, now.towers.values())) == {1: 4, 2: 4, 3: 4, 4: 4}
        assert Counter("".join(now.towers.values())) == dict.fromkeys(LETTERS, 10)


@pytest.mark.parametrize(
    ("blocks", "heights"),
    [
        (1, [1, 2, 1]),
        (2, [1, 2, 3, 2]),
        (3, [1, 2, 3, 4, 1, 1]),
        (5, [1, 2, 3, 4, 1, 2, 3, 4]),
        (6, [1, 2, 3, 4] * 2 + [1, 2, 1]),
    ],
)
def test_bx_1_5_where_blocks_run_out(load, blocks, heights):
    game = load("blox", faces=LAYOUT10, sides="AAAA", blocks_per_colour=blocks)
    towers = read(game.new_initial_state(3)).towers
    order = [field for field, _ in tower_fields(LAYOUT10, "AAAA", 10)]
    assert [len(towers[field]) for field in order if field in towers] == heights
    assert set(order[: len(heights)]) == set(towers)


def test_bx_1_4_what_the_players_start_with(load):
    now = read(load("blox", players=4, pawns=3).new_initial_state(1))
    for one in now.seats:
        assert (one.points, one.blocks, one.joker, one.pawns, len(one.hand)) == (0, "", True, [], 6)
    assert (now.discard, now.phase, now.seat, now.turn, now.turns) == ("", "1", 0, "", 0)
    assert len(now.deck) == 60 - 24


@pytest.mark.parametrize(("players", "hand", "cards"), [(2, 6, 3), (4, 10, 10), (3, 5, 4), (4, 1, 1)])
def test_bx_1_6_there_are_cards_for_all_hands(load, players, hand, cards):
    game = load("blox", players=players, hand=hand, cards_per_colour=cards)
    assert len(read(game.new_initial_state()).deck) == 4 * cards - players * hand
    if cards > 1:
        with pytest.raises(ValueError, match=rf"\b{4 * cards - 4}\b"):
            load("blox", players=players, hand=hand, cards_per_colour=cards - 1)


def test_bx_1_7_the_printed_game_of_two(load):
    now = read(load("blox", two_player_setup="printed").new_initial_state(4))
    assert Counter(map(len, now.towers.values())) == {2: 4, 3: 4, 4: 4}
    assert Counter("".join(now.towers.values())) == dict.fromkeys(LETTERS, 9)
    assert now.phase == "2"
    now = read(load("blox", two_player_setup="printed", players=3).new_initial_state(4))
    assert Counter(map(len, now.towers.values())) == {1: 4, 2: 4, 3: 4, 4: 4}
    assert now.phase == "1"


def test_bx_6_seeds_decide_all_chance(load):
    game = load("blox")
    assert game.new_initial_state(7) == game.new_initial_state(7)
    assert game.new_initial_state() == game.new_initial_state(0)
    assert len({game.new_initial_state(seed).serialize() for seed in range(20)}) == 20


# [BX-7.5] What a player knows.

CHANCE_TEXT = "0123456789abcdef.0000000000000011"


def three_seats(load, second="wwrgkk", third="rrrggg", deck="wrgk", chance=CHANCE_TEXT, **facts):
    game = board(load, players=3)
    seats = [seat("wrrggk", "e5", "ww", 3), seat(second, "a1 c4", "r", 5, joker=False), seat(third)]
    return at(game, *seats, deck=deck, chance=chance, discard="k", **facts)


def test_bx_7_5_the_text_of_what_a_player_knows(load):
    state = three_seats(load, turns=4, phase=2)
    parts = state.serialize().split(" ")[1:]
    for viewer, hands in enumerate((["wrrggk", "6", "6"], ["6", "wwrgkk", "6"], ["6", "6", "rrrggg"])):
        seats = [one.split(":") for one in parts[2].split("/")]
        seen = "/".join(":".join([one[0], hand, *one[2:]]) for one, hand in zip(seats, hands, strict=True))
        expected = [str(viewer), parts[0], parts[1], seen, "41", "k", "2", "0", "-", "4"]
        assert state.information_state_string(viewer) == " ".join(expected)
    for wrong in (-1, 3):
        with pytest.raises(ValueError, match=str(wrong)):
            state.information_state_string(wrong)


def test_bx_7_5_an_empty_deck_and_a_begun_turn(load):
    game = board(load, hand=2, cards_per_colour=2)
    state = at(game, seat("ww", "e5", "www"), seat("rr"), rest="discard")
    play(state, "0b", "w")
    tail = "0 ggkk 1 0 0bw 0"
    assert state.information_state_string(0).endswith(f" {tail}")
    assert state.information_state_string(1).endswith(f" {tail}")
    assert " 0:2:www:j:e5/" in state.information_state_string(1)


def test_bx_6_1_states_that_differ_in_what_is_hidden_look_the_same(load):
    state = three_seats(load)
    others = [
        three_seats(load, second="wwwwww"),
        three_seats(load, third="wrgkkk"),
        three_seats(load, deck="kkkk"),
        three_seats(load, chance="f" * 16 + "." + "1" * 16),
    ]
    for other in others:
        assert other != state
        assert other.information_state_string(0) == state.information_state_string(0)
        assert flat(other.observation_tensor(0)) == flat(state.observation_tensor(0))
    assert others[0].information_state_string(1) != state.information_state_string(1)
    assert others[1].information_state_string(2) != state.information_state_string(2)
    assert others[2].information_state_string(2) == state.information_state_string(2)


def test_bx_6_1_all_else_is_seen(load):
    state = three_seats(load)
    texts = {state.information_state_string(0)}
    text = state.serialize()
    for old, new in (
        ("/5:", "/6:"),
        ("+a1", "+b1"),
        (":x:", ":j:"),
        (" 1 0 - 0 ", " 1 1 - 0 "),
        (" 1 0 - 0 ", " 1 0 - 7 "),
        (" 1 0 - 0 ", " 2 0 - 0 "),
        (" 1 0 - 0 ", " 1 0 ~r 0 "),
    ):
        assert old in text
        start = text.rindex(old)
        changed = state.get_game().deserialize(text[:start] + new + text[start + len(old) :])
        texts.add(changed.information_state_string(0))
    assert len(texts) == 8


# [BX-6.2] Drawing anew what is hidden.


def resampled(state, viewer, seed):
    """The hands, the deck and the chance of a state drawn anew, as BX-6.2 says, where no one else has begun a turn."""
    options, now = state.get_game().options, read(state)
    stream = Stream(stream_key(seed, 0, DETERMINIZE))
    chance = f"{stream.draw():016x}.{0:016x}"
    unseen = Counter(sorted_letters(options["cards_per_colour"]))
    unseen -= Counter(now.seats[viewer].hand) + Counter(now.discard)
    hands = {viewer: now.seats[viewer].hand}
    cards = [letter for letter in LETTERS for _ in range(unseen[letter])]
    return deal(options, hands, cards, stream), chance


def deal(options, hands, cards, stream):
    """The hands and the deck, when the cards that are left are shuffled."""
    stream.shuffle(cards)
    for player in range(options["players"]):
        if player not in hands:
            hands[player], cards = in_order(cards[: options["hand"]]), cards[options["hand"] :]
    return [hands[player] for player in range(options["players"])], "".join(cards)


def with_secrets(state, hands, deck, chance):
    """The text of a state with other hands, another deck and another stream."""
    parts = state.serialize().split(" ")
    seats = [one.split(":") for one in parts[3].split("/")]
    parts[3] = "/".join(":".join([one[0], hand, *one[2:]]) for one, hand in zip(seats, hands, strict=True))
    parts[4], parts[10] = deck or "-", chance
    return " ".join(parts)


def test_bx_6_2_the_draws_of_a_whole_turn(load):
    state = three_seats(load, turns=2)
    for viewer, seed in product(range(3), (0, 1, 2**64 - 1)):
        (hands, deck), chance = resampled(state, viewer, seed)
        assert state.resample(viewer, seed).serialize() == with_secrets(state, hands, deck, chance)


def test_bx_6_2_the_draws_in_an_own_begun_turn(load):
    for turn in ("~r", "0b", "0bw"):
        state = three_seats(load, turn=turn)
        (hands, deck), chance = resampled(state, 0, 9)
        assert state.resample(0, 9).serialize() == with_secrets(state, hands, deck, chance)


def test_bx_6_2_the_seed_is_0_if_none_is_given_and_the_state_stays(load):
    state = three_seats(load)
    before = state.serialize()
    assert state.resample(1) == state.resample(1, 0) == state.resample(1, seed=0)
    assert state.resample(1, 1) != state.resample(1, 0)
    assert state.serialize() == before
    for wrong in (-1, 3):
        with pytest.raises(ValueError, match=str(wrong)):
            state.resample(wrong)


def test_bx_6_2_the_chance_is_new_and_what_is_seen_stays(load):
    state = three_seats(load)
    keys = set()
    for seed in range(30):
        other = state.resample(2, seed)
        key, counter = read(other).chance.split(".")
        assert counter == "0" * 16
        keys.add(key)
        assert other.information_state_string(2) == state.information_state_string(2)
        assert state.get_game().deserialize(other.serialize()) == other
    assert len(keys) == 30


def multiset_deals(cards, hands, size):
    """Every deal of some cards, as often as it comes up: hands of a size, then the deck."""
    found = Counter()
    for order in permutations(cards):
        parts = [in_order(order[i * size : (i + 1) * size]) for i in range(hands)]
        found[(*parts, "".join(order[hands * size :]))] += 1
    return found


SAMPLES = 2000


@pytest.mark.parametrize("players", [2, 3])
def test_bx_6_2_every_deal_comes_up_as_often_as_it_should_and_nothing_else(load, players):
    # Unseen: two red cards, one grey, two black ones. The white ones and a grey one are seen.
    game = board(load, players=players, hand=2 if players == 2 else 1, cards_per_colour=2)
    hand = "ww" if players == 2 else "w"
    state = at(game, seat(hand), discard="g" if players == 2 else "wg")
    deals = multiset_deals("rrgkk", players - 1, game.options["hand"])
    found = Counter()
    for seed in range(SAMPLES):
        now = read(state.resample(0, seed))
        assert now.seats[0].hand == hand
        found[(*(one.hand for one in now.seats[1:]), now.deck)] += 1
    assert set(found) == set(deals)
    assert chi_square(found, deals) < far(len(deals) - 1)


def test_bx_6_2_no_deck_and_few_cards(load):
    game = board(load, players=3, hand=1, cards_per_colour=1)
    state = at(game, seat("w"), discard="k")
    found = Counter()
    for seed in range(300):
        now = read(state.resample(0, seed))
        assert (now.deck, now.discard) == ("", "k")
        found[now.seats[1].hand, now.seats[2].hand] += 1
    assert set(found) == {("r", "g"), ("g", "r")}
    assert 100 < found["r", "g"] < 200


# In a begun turn of somebody else.


def ways_to_build(blocks, hand, joker, heights):
    """The texts of the blocks of all towers that can be built, the joker's included."""
    found = set()
    for number in heights:
        for tower in set(combinations(blocks, number)):
            for paid in [None, *range(number)] if joker else [None]:
                cards = Counter(hand)
                cards.subtract(letter for i, letter in enumerate(tower) if i != paid)
                is_last = paid is None or tower[paid + 1 : paid + 2] != tower[paid : paid + 1]
                if min(cards.values()) >= 0 and is_last:
                    found.add("".join(letter + "j" * (i == paid) for i, letter in enumerate(tower)))
    return found


def goes_on(built, ways):
    """Whether a begun build is the beginning of one of some ways: block by block."""
    return any(way.startswith(built) and (built.endswith("j") or not way[len(built) :].startswith("j")) for way in ways)


def rests(unseen, size):
    """Every (w, r, g, k) of so many cards, ascending, with its weight."""
    for counts in product(*(range(unseen[letter] + 1) for letter in LETTERS)):
        if sum(counts) == size:
            yield counts, prod(comb(unseen[letter], n) for letter, n in zip(LETTERS, counts, strict=True))


BEGUN = [
    # blocks, joker, begun, heights
    ("wwrk", True, "0b", "min"),
    ("wwrk", True, "0bw", "min"),
    ("wwrk", True, "0bwj", "min"),
    ("wwrk", False, "0bw", "min"),
    ("wwrk", True, "0bwwj", "min"),
    ("wwrk", False, "0b", "exact"),
    ("wrgk", True, "0br", "exact"),
    ("wwrk", True, "0bwr", "min"),
    ("wwrk", True, "~w", "min"),
    ("wwrk", False, "~w~r", "min"),
    ("wwrk", True, "~w~r~r", "min"),
]


def played_cards(turn):
    """The cards that have been played in a begun turn."""
    return "".join(letter for i, letter in enumerate(turn) if letter in LETTERS and turn[i + 1 : i + 2] != "j")


def stranger(load, blocks, joker, turn, rule, players=2):
    """Seat 0 has begun a turn that its cards can complete; the last seat is the one that looks."""
    game = board(load, hand=3, cards_per_colour=3, build_height=rule, players=players)
    mover = seat("wrr" if "r~r" in turn else "wwr", "e5", blocks, joker=joker)
    others = [seat("ggk")] * (players == 3)
    return at(game, mover, *others, seat("rgk"), turn=turn, discard="k")


def expected_rests(state, viewer):
    """The cards played in the begun turn, those unseen, and the weight of each rest that is consistent."""
    options, now = state.get_game().options, read(state)
    played, mover = played_cards(now.turn), now.seats[now.seat]
    unseen = Counter(sorted_letters(options["cards_per_colour"]))
    unseen -= Counter(now.seats[viewer].hand) + Counter(now.discard) + Counter(played)
    heights = [2] if options["build_height"] == "exact" else [2, 3, 4]
    weights = {}
    for counts, weight in rests(unseen, options["hand"] - len(played)):
        hand = played + "".join(letter * n for letter, n in zip(LETTERS, counts, strict=True))
        ways = ways_to_build(mover.blocks, hand, mover.joker, heights)
        if now.turn[0] == "~" or goes_on(now.turn[2:], ways):
            weights[counts] = weight
    return played, unseen, weights


@pytest.mark.parametrize(("blocks", "joker", "turn", "rule"), BEGUN)
def test_bx_6_2_the_draws_in_a_begun_turn_of_another_seat(load, blocks, joker, turn, rule):
    state = stranger(load, blocks, joker, turn, rule, players=3)
    for viewer, seed in product((1, 2), range(8)):
        played, unseen, weights = expected_rests(state, viewer)
        stream = Stream(stream_key(seed, 0, DETERMINIZE))
        chance = f"{stream.draw():016x}.{0:016x}"
        drawn, number = None, stream.bounded(sum(weights.values()))
        for counts, weight in weights.items():
            if number < weight:
                drawn = "".join(letter * n for letter, n in zip(LETTERS, counts, strict=True))
                break
            number -= weight
        unseen -= Counter(drawn)
        cards = [letter for letter in LETTERS for _ in range(unseen[letter])]
        hands = {viewer: read(state).seats[viewer].hand, 0: in_order(played + drawn)}
        hands, deck = deal(state.get_game().options, hands, cards, stream)
        assert state.resample(viewer, seed).serialize() == with_secrets(state, hands, deck, chance)


@pytest.mark.parametrize(("blocks", "joker", "turn", "rule"), BEGUN)
def test_bx_6_2_only_hands_that_can_complete_a_begun_turn_come_up(load, blocks, joker, turn, rule):
    state = stranger(load, blocks, joker, turn, rule)
    played, _, weights = expected_rests(state, 1)
    hands = {
        in_order(played + "".join(letter * n for letter, n in zip(LETTERS, counts, strict=True))): weight
        for counts, weight in weights.items()
    }
    found = Counter()
    for seed in range(SAMPLES, SAMPLES + 700):
        other = state.resample(1, seed)
        found[read(other).seats[0].hand] += 1
        assert read(other).turn == turn
    assert set(found) == set(hands)
    if len(hands) > 1:
        assert chi_square(found, hands) < far(len(hands) - 1)


def test_bx_6_2_the_whole_deal_in_a_begun_turn(load):
    # Seat 0 has a white and a red block, no joker, and has begun to build: its hand is exactly a white and a red card.
    # Unseen besides: a red one, a grey one and a black one, in the deck in any order.
    game = board(load, hand=2, cards_per_colour=2)
    state = at(game, seat("wr", "e5", "wr", joker=False), seat("wg"), discard="k", turn="0b")
    deals = Counter()
    for seed in range(600):
        now = read(state.resample(1, seed))
        assert now.seats[0].hand == "wr"
        deals[now.deck] += 1
    expected = Counter("".join(order) for order in permutations("rgk"))
    assert set(deals) == set(expected)
    assert chi_square(deals, expected) < far(5)
