"""Entering, moving, capturing and demolishing in Blox: clauses 3.1 to 3.4 and 3.8, and 5.1 and 5.2.

Boards are black but for the fields that are named; positions name what matters, `blox_model.text_of` adds the rest.
"""

import random
from itertools import product

import pytest
from blox_model import COLUMNS, STEPS, Table, at, board, flat, marks, name, number, read, seat
from playing import choices, play, refuses

SIZES = (10, 9)


def of_kind(state, kind):
    """The texts of the legal actions of pawns on the board that are of a kind: `-`, `x` or `d`."""
    return {text for text in choices(state) if text[0] in "0123" and text[2:3] == kind}


def entries(state):
    """The texts of the legal entries."""
    return {text for text in choices(state) if text[0] == "@"}


def beside(field, size, step):
    """The field beside one."""
    row, column = size - int(field[1:]), COLUMNS.index(field[0])
    return name((row + STEPS[step][0], column + STEPS[step][1]), size)


OPPOSITE = dict(zip("nesw", "swne", strict=True))


# [BX-3.1] Entering from outside.


@pytest.mark.parametrize("size", SIZES)
def test_bx_3_1_every_line_can_be_entered_from_its_edge(load, size):
    # The only red field of a line can be reached from one edge alone: towers stand on its three other sides.
    for line, step in product(range(1, size - 1), STEPS):
        depth = 1 + 3 * line % (size - 2)
        ahead = depth if step in "es" else size - 1 - depth
        field = name((line, ahead) if step in "ew" else (ahead, line), size)
        game = board(load, {field: "r"}, board=size, hand=2)
        towers = {beside(field, size, other): "g" for other in STEPS if other != OPPOSITE[step]}
        assert entries(at(game, seat("rr", joker=False), towers=towers, calm="")) == {f"@{field}"}
        towers[beside(field, size, OPPOSITE[step])] = "g"
        assert refuses(at(game, seat("rr"), towers=towers, calm=""), f"@{field}")


def test_bx_3_1_the_first_field_of_the_colour_counts_in_each_line(load):
    # Column e: red on e8 and e4; row 4: white on b4, red on e4.
    game = board(load, {"e8": "r", "e4": "r", "b4": "w"})
    assert {"@e8", "@e4", "@b4"} <= entries(at(game, seat("rrrwww")))
    state = at(game, seat("rrrwww"), towers={"e5": "g", "d4": "g", "f4": "g", "e3": "g"})
    assert "@e8" in entries(state)
    assert refuses(state, "@e4")


@pytest.mark.parametrize("piece", ["own pawn", "enemy pawn", "tower"])
def test_bx_3_1_an_obstacle_before_the_field_or_on_it(load, piece):
    game = board(load, {"e5": "r"})
    closed = {"e6": "g", "e4": "g", "f5": "g"}  # the way from the west is open

    def entry(field):
        own, enemy = ("b1 " + field if piece == one else "" for one in ("own pawn", "enemy pawn"))
        towers = {**closed, field: "g"} if piece == "tower" else closed
        return "@e5" in entries(at(game, seat("rrrrrr", own), seat(None, enemy), towers=towers))

    assert entry("b2")
    assert not any(map(entry, ("a5", "c5", "d5", "e5")))


def test_bx_3_1_a_line_without_the_colour_cannot_be_entered(load):
    state = at(board(load, {"e5": "r"}), seat("wwwwww", joker=False))
    assert entries(state) == set()
    state = at(board(load, {"e5": "r"}), seat("wwwwwr", joker=False))
    assert entries(state) == {"@e5"}


@pytest.mark.parametrize(("size", "corners"), [(10, "a10ne j10nw j1sw a1se"), (9, "a9ne i9nw i1sw a1se")])
def test_bx_5_2_a_corner_has_two_sides_and_one_action(load, size, corners):
    for text in corners.split():
        corner, (down, along) = text[:-2], text[-2:]
        game = board(load, {corner: "r"}, board=size)
        state = at(game, seat("rrrrrr", joker=False), calm="c5 d5")
        assert [state.action_to_string(a) for a in state.legal_actions() if a < size * size] == [f"@{corner}"]
        towers = {beside(corner, size, OPPOSITE[down]): "g", beside(corner, size, along): "g"}
        assert f"@{corner}" in entries(at(game, seat("rrrrrr"), towers=towers, calm="c5 d5"))
        assert refuses(at(game, seat("rrrrrr", corner), calm="c5 d5"), f"@{corner}")


def marks_of_board(size):
    """The texts of all fields."""
    return {name(at, size) for at in product(range(size), repeat=2)}


def test_bx_3_1_no_pawn_in_supply(load):
    game = board(load, {"e5": "r"}, pawns=2)
    assert "@e5" in entries(at(game, seat("rrrrrr", "a1")))
    state = at(game, seat("rrrrrr", "a1 b1"))
    assert entries(state) == set()
    assert refuses(state, "@e5")


def test_bx_3_1_the_pawn_comes_from_supply_and_the_card_goes_to_the_discard(load):
    state = at(board(load, {"e5": "r"}), seat("rrwwgg", "b1"), deck="k", discard="w")
    now = read(play(state, "@e5"))
    assert now.seats[0].pawns == ["e5", "b1"]
    assert (now.seats[0].hand, now.discard) == ("wwrggk", "wr")
    assert now.seats[0].points == 0


def test_bx_3_8_the_joker_enters_where_a_card_would_too(load):
    for hand in ("rrrrrr", "wwwwww"):
        state = at(board(load, {"e5": "r"}), seat(hand))
        assert "@e5j" in entries(state)
        now = read(play(state, "@e5j"))
        assert (now.seats[0].hand, now.seats[0].joker, now.discard) == (hand, False, "")
    state = at(board(load, {"e5": "r"}), seat("rrrrrr", joker=False))
    assert refuses(state, "@e5j")


# [BX-3.1] Entering from an edge field.


def test_bx_3_1_from_an_edge_field_that_field_itself_does_not_count(load):
    closed = {"c6": "g", "c4": "g", "d5": "g"}
    game = board(load, {"a5": "r", "c5": "r"}, entry="from_edge_field")
    assert "@c5" in entries(at(game, seat("rrrwww"), towers=closed))
    game = board(load, {"b5": "r", "c5": "r"}, entry="from_edge_field")
    assert refuses(at(game, seat("rrrwww"), towers=closed), "@c5")


@pytest.mark.parametrize("piece", ["own pawn", "enemy pawn", "tower"])
def test_bx_3_1_the_edge_field_must_be_free(load, piece):
    closed = {"c6": "g", "c4": "g", "d5": "g"}
    own, enemy = ("a5" if piece == one else "" for one in ("own pawn", "enemy pawn"))
    towers = {**closed, "a5": "g"} if piece == "tower" else closed
    game = board(load, {"c5": "r"}, entry="from_edge_field")
    assert refuses(at(game, seat("rrrwww", own), seat(None, enemy), towers=towers), "@c5")


def test_bx_3_1_from_an_edge_field_along_the_edge_but_not_straight_onto_it(load):
    # e10 can be reached along the top row and up its column.
    game = board(load, {"e10": "r"}, entry="from_edge_field")
    sides = ("d10", "f10", "e9")
    for open_side in sides:
        towers = {side: "g" for side in sides if side != open_side}
        assert "@e10" in entries(at(game, seat("rrrwww"), towers=towers))
    closed = dict.fromkeys(sides, "g")
    assert refuses(at(game, seat("rrrwww"), towers=closed), "@e10")
    assert "@e10" in entries(at(board(load, {"e10": "r"}), seat("rrrwww"), towers=closed))


def test_bx_3_1_from_an_edge_field_in_all_four_directions(load):
    for towers in (("d6", "c5", "d4"), ("d6", "e5", "d4"), ("c5", "e5", "d4"), ("c5", "e5", "d6")):
        game = board(load, {"d5": "r"}, entry="from_edge_field")
        state = at(game, seat("rrrwww"), towers=dict.fromkeys(towers, "g"))
        assert "@d5" in entries(state)


# [BX-3.2] Moving.


@pytest.mark.parametrize("size", SIZES)
def test_bx_3_2_moves_run_from_edge_to_edge_and_not_around(load, size):
    for line, step in product(range(size), STEPS):
        ends = [(line, 0), (line, size - 1)] if step in "ew" else [(0, line), (size - 1, line)]
        near, far = (name(end, size) for end in (ends if step in "es" else reversed(ends)))
        game = board(load, {far: "r"}, fill="w", board=size, hand=2, pawns=1)
        state = at(game, seat("rr", near, joker=False), calm="")
        assert of_kind(state, "-") == {f"0{step}-r"}
        assert read(play(state, f"0{step}-r")).seats[0].pawns == [far]


@pytest.mark.parametrize("size", SIZES)
def test_bx_3_2_the_first_field_of_a_colour_at_every_distance(load, size):
    for step in STEPS:
        start = {"e": (2, 0), "w": (2, size - 1), "s": (0, 2), "n": (size - 1, 2)}[step]
        for distance in range(1, size - 1):
            down, right = (distance * way for way in STEPS[step])
            end = name((start[0] + down, start[1] + right), size)
            behind = beside(end, size, step)
            game = board(load, {end: "r", behind: "r"}, fill="w", board=size, hand=2, pawns=1)
            state = at(game, seat("rr", name(start, size), joker=False), calm="")
            assert f"0{step}-r" in of_kind(state, "-")
            assert read(play(state, f"0{step}-r")).seats[0].pawns == [end]


def test_bx_3_2_at_least_one_step_and_each_colour_has_its_own_end(load):
    # Row 5 from e5 on: e5 red, f white, g red, h grey, i white, j red.
    game = board(load, {"e5": "r", "f5": "w", "g5": "r", "h5": "g", "i5": "w", "j5": "r"})
    state = at(game, seat("wrgkkk", "e5"))
    ends = {"w": "f5", "r": "g5", "g": "h5"}
    assert {text for text in of_kind(state, "-") if text[1] == "e"} == {f"0e-{c}{j}" for c in ends for j in ("", "j")}
    for colour, end in ends.items():
        assert read(play(state.clone(), f"0e-{colour}")).seats[0].pawns == [end]


def test_bx_3_2_an_obstacle_ends_the_line(load):
    game = board(load, {"f5": "w", "g5": "r"})
    for own, enemy, towers in (("b1", "", {"f5": "g"}), ("f5", "", {}), ("b1", "f5", {})):
        state = at(game, seat("wrrrrr", f"e5 {own}"), seat(None, enemy), towers=towers)
        assert refuses(state, "0e-r")
        assert refuses(state, "0e-w")


def test_bx_3_2_a_move_costs_one_card_or_the_joker(load):
    state = at(board(load, {"g5": "r"}), seat("rrwwww", "e5"), deck="g")
    now = read(play(state.clone(), "0e-r"))
    assert (now.seats[0].hand, now.seats[0].joker, now.discard) == ("wwwwrg", True, "r")
    now = read(play(state.clone(), "0e-rj"))
    assert (now.seats[0].hand, now.seats[0].joker, now.discard) == ("wwwwrr", False, "")
    state = at(board(load, {"g5": "r"}), seat("wwwwww", "e5", joker=False))
    assert refuses(state, "0e-r")
    assert refuses(state, "0e-rj")


def test_bx_5_1_ranks_follow_the_fields(load):
    # In the order of fields: j9, a5, e5, b1. The second one goes to a9, before all others but the first.
    game = board(load, {"a9": "r"}, fill="w")
    state = at(game, seat("rrrrrr", "b1 e5 j9 a5", joker=False))
    assert read(state).seats[0].pawns == ["j9", "a5", "e5", "b1"]
    assert of_kind(state, "-") == {"0w-r", "1n-r"}
    play(state, "1n-r")
    assert read(state).seats[0].pawns == ["a9", "j9", "e5", "b1"]


# [BX-3.3] Capturing.


@pytest.mark.parametrize("between", "wgk")
def test_bx_3_3_only_the_colour_of_the_field_protects(load, between):
    game = board(load, {"e5": "r", "f5": between, "g5": "r"})
    state = at(game, seat("rrrkkk", "e5", joker=False), seat(None, "g5"))
    assert of_kind(state, "x") == {"0ex3"}
    game = board(load, {"f5": "r", "g5": "r", "e5": "k"})
    state = at(game, seat("rrrkkk", "e5"), seat(None, "g5"))
    assert refuses(state, "0ex3")


def test_bx_3_3_the_first_obstacle_and_an_enemy(load):
    game = board(load, {"g5": "r"})
    assert refuses(at(game, seat("rrrrrr", "e5 g5")), "0ex3")
    assert refuses(at(game, seat("rrrrrr", "e5 f5"), seat(None, "g5")), "0ex3")
    assert refuses(at(game, seat("rrrrrr", "e5"), seat(None, "f5 g5")), "0ex3")
    assert refuses(at(game, seat("rrrrrr", "e5"), seat(None, "g5"), towers={"f5": "g"}), "0ex3")
    assert "1ex3" in of_kind(at(game, seat("rrrrrr", "e5 f5"), seat(None, "g5")), "x")


@pytest.mark.parametrize(
    ("hand", "joker", "ways"),
    [
        ("rrrrkk", True, "x3 x3j x4 x4j"),
        ("rrrkkk", True, "x3 x3j x4j"),
        ("rrkkkk", True, "x3j"),
        ("rkkkkk", True, ""),
        ("rrrrkk", False, "x3 x4"),
        ("rrrkkk", False, "x3"),
        ("rrkkkk", False, ""),
    ],
)
def test_bx_3_3_three_or_four_cards(load, hand, joker, ways):
    state = at(board(load, {"g5": "r"}), seat(hand, "e5", points=10, joker=joker), seat(None, "g5"), deck="wwww")
    assert of_kind(state, "x") == {f"0e{way}" for way in ways.split()}
    for way in ways.split():
        now = read(play(state.clone(), f"0e{way}"))
        cards = int(way[1]) - way.endswith("j")
        assert now.seats[0].points == 10 + int(way[1])
        assert now.discard == "r" * cards
        assert now.seats[0].joker == (joker and not way.endswith("j"))
        assert sorted(now.seats[0].hand) == sorted(hand.replace("r", "", cards) + "w" * cards)


def test_bx_3_3_the_captured_pawn_is_in_supply_again(load):
    game = board(load, {"g5": "r", "a9": "w"}, players=3)
    state = at(game, seat("rrrrrr", "e5 c9"), seat("wwwwww", "a5 g5 j2"), seat("rrrrrr", "j3"))
    before = state.clone()
    play(state, "1ex3")
    now = read(state)
    assert now.seats[0].pawns == ["c9", "g5"]
    assert now.seats[1].pawns == ["a5", "j2"]
    assert now.seats[2].pawns == ["j3"]
    assert now.seats[1].blocks == read(before).seats[1].blocks
    assert "@a9" in choices(state)  # seat 1 has two in supply
    assert refuses(state, "2n-w")  # and no third one on the board
    assert read(play(state, "0n-w")).seats[1].pawns == ["a9", "j2"]


def test_bx_3_3_the_capturing_pawn_stays_without_capture_moves(load):
    game = board(load, {"g5": "r"}, capture_moves=False)
    state = at(game, seat("rrrrrr", "e5"), seat(None, "g5 h5"))
    now = read(play(state, "0ex4"))
    assert now.seats[0].pawns == ["e5"]
    assert now.seats[1].pawns == ["h5"]
    assert now.seats[0].points == 4


def test_bx_3_3_all_pawns_but_one_s_own_are_enemies(load):
    game = board(load, {"e7": "r", "g5": "r", "e3": "r"}, players=4)
    state = at(game, seat("wwwwww", "c5"), seat("rrrrrr", "e5"), seat(None, "e7"), seat(None, "g5 e3"), seat=1)
    assert of_kind(state, "x") >= {"0nx3", "0ex3", "0sx3"}
    assert refuses(state, "0wx3")  # black, and no black cards


# [BX-3.4] Demolishing.


@pytest.mark.parametrize("phase", [1, 2, 3, 4])
def test_bx_3_4_heights_within_the_limit_of_the_phase(load, phase):
    towers = {"f6": "w", "g5": "ww", "f4": "www", "e5": "wwww"}
    state = at(
        board(load, blocks_per_colour=10), seat("wwwwww", "f5", joker=False), towers=towers, phase=phase, calm=""
    )
    assert of_kind(state, "d") == {f"0{step}d" for step in "nesw"[:phase]}


def test_bx_3_4_a_tower_of_five_is_never_demolished(load):
    state = at(board(load, hand=10), seat("wwwwwrrrrr", "f5"), towers={"g5": "wwwww", "e5": "wwww"}, phase=4)
    assert of_kind(state, "d") == {"0wd", "0wdwj"}


@pytest.mark.parametrize("limit", [1, 6, 7, 8, 20])
def test_bx_3_4_fewer_blocks_than_the_limit(load, limit):
    game = board(load, block_limit=limit)
    blocks = "w" * min(limit - 1, 9) + "r" * max(0, limit - 10)
    state = at(game, seat("gggggg", "f5", blocks=blocks), towers={"g5": "g"})
    assert "0ed" in of_kind(state, "d")
    state = at(game, seat("gggggg", "f5", blocks=blocks + "k"), towers={"g5": "g"})
    assert refuses(state, "0ed")


def test_bx_3_4_the_first_obstacle(load):
    game = board(load)
    assert "0ed" in of_kind(at(game, seat("wwwwww", "b5"), towers={"h5": "w"}), "d")
    assert refuses(at(game, seat("wwwwww", "b5 d5"), towers={"h5": "w"}), "0ed")
    assert refuses(at(game, seat("wwwwww", "b5"), seat(None, "d5"), towers={"h5": "w"}), "0ed")
    assert refuses(at(game, seat("wwwwww", "b5"), towers={"h5": "w", "d5": "g"}), "0ed")


@pytest.mark.parametrize(
    ("hand", "joker", "ways"),
    [
        ("wwkkrr", True, "d dwj dkj"),
        ("wwkrrr", True, "d dwj dkj"),
        ("wwrrrr", True, "dkj"),
        ("wkrrrr", True, "dwj"),
        ("kkrrrr", True, ""),
        ("wrrrrr", True, ""),
        ("wwkrrr", False, "d"),
        ("wwrrrr", False, ""),
        ("wkkrrr", False, ""),
    ],
)
def test_bx_3_4_one_card_for_each_block(load, hand, joker, ways):
    towers = {"g5": "wwk"}
    state = at(board(load), seat(hand, "f5", points=5, joker=joker, blocks="r"), towers=towers, phase=3, deck="ggg")
    every = {"0ed", "0edwj", "0edrj", "0edgj", "0edkj"}
    legal = {f"0e{way}" for way in ways.split()}
    assert of_kind(state, "d") == legal
    assert all(refuses(state, text) for text in every - legal)
    for text in legal:
        now = read(play(state.clone(), text))
        paid = "wwk".replace(text[3:4], "", 1) if text.endswith("j") else "wwk"
        assert now.discard == paid
        assert now.seats[0].blocks == "wwrk"
        assert now.seats[0].points == 8
        assert now.seats[0].joker == (joker and not text.endswith("j"))
        left = list(hand)
        for card in paid:
            left.remove(card)
        assert sorted(now.seats[0].hand) == sorted([*left, *"ggg"[: len(paid)]])


def test_bx_3_4_the_joker_alone_takes_a_tower_of_one(load):
    state = at(board(load), seat("gggggg", "f5"), towers={"g5": "w"})
    assert of_kind(state, "d") == {"0edwj"}
    now = read(play(state, "0edwj"))
    assert (now.seats[0].blocks, now.discard, now.seats[0].joker) == ("w", "", False)


# All of it against a plain count of lines, on boards that are drawn.

SETTINGS = [
    {},
    {"entry": "from_edge_field", "pawns": 3},
    {"players": 3, "hand": 10, "block_limit": 3, "reach": "region"},
    {"board": 9, "build_height": "exact", "hand": 7},
    {"board": 9, "entry": "from_edge_field", "players": 4, "reach_new": False, "reach": "region"},
]


def drawn(game, rng):
    """A position in which much can be done: pieces anywhere, blocks in front of the seat to move."""
    size = game.options["board"]
    fields = sorted(marks_of_board(size))
    rng.shuffle(fields)
    blocks = [letter for letter in "wrgk" for _ in range(10)]
    rng.shuffle(blocks)
    cards = [letter for letter in "wrgk" for _ in range(15)]
    rng.shuffle(cards)
    mover = rng.randrange(game.options["players"])
    seats, towers = {}, {}
    if rng.random() < 0.5:
        cards.sort(key=lambda card: card == "r")  # a hand of red ones, for captures
    for player in [mover, *(other for other in range(game.options["players"]) if other != mover)]:
        hand = "".join(cards.pop() for _ in range(game.options["hand"]))
        pawns = " ".join(fields.pop() for _ in range(rng.randrange(game.options["pawns"] + 1)))
        own = [blocks.pop() for _ in range(rng.randrange(7) if player == mover else 0)]
        seats[player] = seat(hand, pawns, "".join(own), joker=rng.random() < 0.7)
    while blocks:
        towers[fields.pop()] = "".join(blocks.pop() for _ in range(min(rng.randrange(1, 5), len(blocks))))
    facts = {"towers": towers, "seat": mover, "phase": rng.randrange(1, 5), "calm": "", "discard": "".join(cards)}
    return at(game, *(seats[player] for player in sorted(seats)), **facts)


@pytest.mark.parametrize("options", SETTINGS)
def test_bx_3_legal_turns_are_those_of_a_plain_reading(engine, options):
    rng, kinds = random.Random(str(options)), set()
    game = engine.load_game("blox", sides="ABBA", **options)
    for _ in range(25):
        state = drawn(game, rng)
        turns = engine.perft(state, 1, divide=True)
        assert set(turns.values()) == {1}
        assert set(turns) == Table(state).turns()
        kinds |= {text[0] if text[0] in "@~" else text[1] if text[1] == "b" else text[2] for text in turns}
    assert kinds == set("@~b-xd")


@pytest.mark.parametrize("options", SETTINGS)
def test_bx_3_moves_end_where_a_plain_reading_says(load, options):
    rng, game = random.Random(str(options)), load("blox", sides="BAAB", **options)
    for _ in range(6):
        state = drawn(game, rng)
        table, player, size = Table(state), state.current_player(), game.options["board"]
        assert marks(state.enterable(player), size) == {name(end, size) for end in table.entered()}
        expected = [-1] * 16 * game.options["pawns"]
        for rank, pawn in enumerate(table.pawns):
            for d, step in enumerate(STEPS):
                for colour, end in table.first_fields(table.line(pawn, step)[0]).items():
                    expected[16 * rank + 4 * d + "wrgk".index(colour)] = number(name(end, size), size)
        assert flat(state.destinations(player)) == expected
