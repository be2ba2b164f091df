"""How positions of Blox are seen and counted: sections 8, 10 and 11.

Boards are black but for the fields that are named; positions name what matters, `blox_model.text_of` adds the rest.
"""

import random
from collections import Counter

import pytest
from blox_model import LETTERS, Table, at, board, flat, marks, name, number, read, seat
from playing import play

import ziggurat as zg
from ziggurat.reference.random import CHOICES, Stream, stream_key

# Section 8: observation planes.


def planes(state, viewer):
    """The planes as rows of numbers, rounded to what a float32 tells apart."""
    options = state.get_game().options
    size, values = options["board"], flat(state.observation_tensor(viewer))
    number_of_planes = 36 + 10 * options["players"]
    assert len(values) == number_of_planes * size * size
    return [values[i * size * size : (i + 1) * size * size] for i in range(number_of_planes)]


def drawn(state, viewer, first, count):
    """Some planes of the board: {(plane, field): value} of what is not zero."""
    size = state.get_game().options["board"]
    found = {}
    for i, plane in enumerate(planes(state, viewer)[first : first + count]):
        found |= {(i, name(divmod(cell, size), size)): value for cell, value in enumerate(plane) if value}
    return found


def constants(state, viewer):
    """The values of the planes that have one value in all fields, by the groups of BX-8.2."""
    players = state.get_game().options["players"]
    values = []
    for plane in planes(state, viewer)[9 + players :]:
        assert len(set(plane)) == 1
        values.append(plane[0])
    sizes = {
        "hand": 4,
        "blocks": 4 * players,
        "joker": players,
        "supply": players,
        "points": players,
        "discard": 4,
        "deck": 1,
        "phase": 4,
        "end": 1,
        "mover": players,
        "viewer": players,
        "built": 4,
        "paid by joker": 4,
        "swapped": 4,
        "turns": 1,
    }
    groups, rest = {}, values
    for key, length in sizes.items():
        groups[key], rest = rest[:length], rest[length:]
    assert not rest
    return groups


@pytest.mark.parametrize(("players", "size"), [(2, 10), (3, 10), (4, 10), (2, 9), (4, 9)])
def test_bx_8_1_the_shape(load, players, size):
    game = load("blox", players=players, board=size)
    assert tuple(game.observation_tensor_shape()) == (36 + 10 * players, size, size)
    for viewer in range(players):
        assert len(planes(game.new_initial_state(), viewer)) == 36 + 10 * players


@pytest.fixture
def seen(load):
    """A position of three players; seat 1 is to move."""
    game = board(load, {"a10": "w", "c9": "r", "j1": "g"}, players=3, max_turns=40)
    seats = [
        seat("wwrkkk", "e5 c7", "wwr", 25, joker=False),
        seat("wrrggg", "d8 h8 h7", "kkg", 300),
        seat("kkkkkk", "", None, 0),
    ]
    towers = {"c4": "wwk", "e8": "rrrg"}
    return at(game, *seats, towers=towers, seat=1, phase=2, discard="wwgk", turns=10, calm="b1 d1")


def test_bx_8_1_colours(seen):
    found = drawn(seen, 0, 0, 4)
    assert set(found.values()) == {1.0}
    by_plane = {i: {field for plane, field in found if plane == i} for i in range(4)}
    assert (by_plane[0], by_plane[1], by_plane[2]) == ({"a10"}, {"c9"}, {"j1"})
    assert len(by_plane[3]) == 97


def test_bx_8_1_towers(seen):
    towers = read(seen).towers
    expected = {
        (LETTERS.index(letter), field): pytest.approx(tower.count(letter) / 10)
        for field, tower in towers.items()
        for letter in tower
    }
    for viewer in range(3):
        assert drawn(seen, viewer, 4, 4) == expected
    assert expected[0, "c4"] == 0.2
    assert expected[1, "e8"] == pytest.approx(0.3)
    assert len(towers) == 4


def test_bx_8_1_pawns_from_the_viewer_on(seen):
    pawns = [{"e5", "c7"}, {"d8", "h8", "h7"}, set()]
    for viewer in range(3):
        expected = {(r, field): 1.0 for r in range(3) for field in pawns[(viewer + r) % 3]}
        assert drawn(seen, viewer, 9, 3) == expected


def test_bx_8_1_the_pawn_of_a_begun_build(load):
    game = board(load)
    state = at(game, seat("wwrkkk", "e5 c7", "wwr"))
    for viewer in (0, 1):
        assert drawn(state, viewer, 8, 1) == {}
    play(state, "1b", "w")
    for viewer in (0, 1):
        assert drawn(state, viewer, 8, 1) == {(0, "e5"): 1.0}
        assert (0, "e5") in drawn(state, viewer, 9 + viewer, 1) or viewer == 1
    state = play(at(game, seat("wwrkkk", "e5 c7", "wwr")), "~w")
    assert drawn(state, 0, 8, 1) == {}


def approx(*values):
    return pytest.approx(list(values), abs=1e-6)


def test_bx_8_2_of_each_viewer(seen):
    first, second, third = (constants(seen, viewer) for viewer in range(3))
    assert first["hand"] == approx(2 / 6, 1 / 6, 0, 3 / 6)
    assert second["hand"] == approx(1 / 6, 2 / 6, 3 / 6, 0)
    assert third["hand"] == approx(0, 0, 0, 1)
    blocks = [[0.2, 0.1, 0, 0], [0, 0, 0.1, 0.2], [read(seen).seats[2].blocks.count(c) / 10 for c in LETTERS]]
    assert sum(blocks[2]) > 1
    assert first["blocks"] == approx(*blocks[0], *blocks[1], *blocks[2])
    assert second["blocks"] == approx(*blocks[1], *blocks[2], *blocks[0])
    assert third["blocks"] == approx(*blocks[2], *blocks[0], *blocks[1])
    assert [one["joker"] for one in (first, second, third)] == [[0, 1, 1], [1, 1, 0], [1, 0, 1]]
    assert [one["supply"] for one in (first, second, third)] == [[0.5, 0.25, 1], [0.25, 1, 0.5], [1, 0.5, 0.25]]
    assert first["points"] == approx(25 / 125, 300 / 400, 0)
    assert third["points"] == approx(0, 25 / 125, 300 / 400)
    assert [one["mover"] for one in (first, second, third)] == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
    assert [one["viewer"] for one in (first, second, third)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_bx_8_2_of_the_table(seen):
    for viewer in range(3):
        values = constants(seen, viewer)
        assert values["discard"] == approx(2 / 15, 0, 1 / 15, 1 / 15)
        assert values["deck"] == approx(38 / 60)
        assert values["phase"] == [0, 1, 0, 0]
        assert values["end"] == [0]
        assert values["built"] == values["paid by joker"] == values["swapped"] == [0, 0, 0, 0]
        assert values["turns"] == approx(10 / 40)


def test_bx_8_2_turns_without_a_limit(load):
    state = board(load, max_turns=0).new_initial_state()
    assert constants(state, 0)["turns"] == [0]


@pytest.mark.parametrize("phase", [1, 2, 3, 4])
def test_bx_8_2_the_phase(load, phase):
    values = constants(at(board(load), seat("wwwwww"), phase=phase), 1)
    assert values["phase"] == [float(phase == one) for one in (1, 2, 3, 4)]
    assert values["end"] == [0]


def test_bx_8_2_the_last_round_and_the_end(load):
    game = board(load)
    state = at(game, seat("wwwwww"), seat("rrrrrr"), phase="4+", seat=1)
    assert constants(state, 0)["end"] == [1]
    assert constants(state, 0)["phase"] == [0, 0, 0, 1]
    assert constants(state, 0)["mover"] == [0, 1]
    play(state, "~r", "done")
    assert state.is_terminal()
    for viewer in (0, 1):
        assert constants(state, viewer)["mover"] == [0, 0]
        assert constants(state, viewer)["end"] == [1]


def test_bx_8_2_a_begun_build(load):
    state = at(board(load), seat("wwrkkk", "e5", "wwrkk"))
    play(state, "0b", "w", "w", "rj", "k")
    for viewer in (0, 1):
        values = constants(state, viewer)
        assert values["built"] == approx(0.2, 0.1, 0, 0.1)
        assert values["paid by joker"] == [0, 1, 0, 0]
        assert values["swapped"] == [0, 0, 0, 0]
        assert values["joker"] == [1, 1]  # it is used up when the turn ends
    assert constants(state, 0)["hand"] == approx(2 / 6, 1 / 6, 0, 3 / 6)
    assert constants(state, 0)["blocks"][:4] == approx(0.2, 0.1, 0, 0.2)


def test_bx_8_2_a_begun_swap(load):
    state = at(board(load), seat("wwrkkk", "e5", "wwrkk"))
    play(state, "~w", "~w", "~k")
    for viewer in (0, 1):
        values = constants(state, viewer)
        assert values["swapped"] == approx(0.4, 0, 0, 0.2)
        assert values["built"] == values["paid by joker"] == [0, 0, 0, 0]


def test_bx_8_2_points_of_any_size(load):
    state = at(board(load), seat("wwrkkk", points=10**9), seat(points=1))
    assert constants(state, 1)["points"] == approx(1 / 101, 10**9 / (10**9 + 100))


# Section 10: analyses.


def test_bx_10_1_analyses(seen):
    now = read(seen)
    colours = flat(seen.analysis("colours"))
    assert (colours[0], colours[number("c9", 10)], colours[99], colours[1]) == (0, 1, 2, 3)
    towers = flat(seen.analysis("towers"))
    assert len(towers) == 400
    for i, letter in enumerate(LETTERS):
        expected = {number(field, 10): tower.count(letter) for field, tower in now.towers.items() if letter in tower}
        assert {cell: value for cell, value in enumerate(towers[100 * i : 100 * i + 100]) if value} == expected
    pawns = flat(seen.analysis("pawns"))
    assert {name(divmod(cell, 10), 10): who for cell, who in enumerate(pawns) if who != -1} == {
        "e5": 0,
        "c7": 0,
        "d8": 1,
        "h8": 1,
        "h7": 1,
    }
    blocks = flat(seen.analysis("blocks"))
    assert blocks == [one.blocks.count(letter) for one in now.seats for letter in LETTERS]
    with pytest.raises(ValueError):
        seen.analysis("hands")


# [BX-10.2] A drawn position: small letters are pawns of seat 0, capitals of seat 1, digits are towers.
#
#   fields            pieces
#   a b c d e f g h i j
# 10 w k k k k k k k k r     . . . . . . . . . .
#  8 k k k k w k k k k k     . . . . . . . . . .
#  5 k r w k k w g k r k     . . . . p . . Q . .      seat 0 on e5, seat 1 on h5
#  4 k k k k k k k k k k     . . . . 2 . . . . .      a tower of white and red on e4
COLOURS = {"a10": "w", "j10": "r", "e8": "w", "b5": "r", "c5": "w", "f5": "w", "g5": "g", "h5": "r"}


def lying(load, **facts):
    """The position of the drawing, with a pawn more for seat 1 on a1."""
    facts = {"phase": 2, "pawns": "e5", "towers": {"e4": "wr"}, **facts}
    game = board(load, COLOURS, **facts.pop("options", {}))
    mine = seat("wrgkkk", facts.pop("pawns"), facts.pop("blocks", ""))
    return at(game, mine, seat("wwwwww", "h5 a1"), calm=facts.pop("calm", "b1 d1"), **facts)


def test_bx_10_2_destinations(load):
    state = lying(load)
    values = flat(state.destinations(0))
    assert len(values) == 4 * 4 * 4
    found = {
        (rank, "nesw"[d], LETTERS[c]): name(divmod(values[16 * rank + 4 * d + c], 10), 10)
        for rank in range(4)
        for d in range(4)
        for c in range(4)
        if values[16 * rank + 4 * d + c] != -1
    }
    assert found == {
        (0, "n", "k"): "e6",
        (0, "n", "w"): "e8",
        (0, "e", "w"): "f5",
        (0, "e", "g"): "g5",
        (0, "w", "k"): "d5",
        (0, "w", "w"): "c5",
        (0, "w", "r"): "b5",
    }
    # Seat 1: h5 is rank 0, a1 is rank 1; it does not matter whose turn it is.
    values = flat(state.destinations(1))
    assert values[12:16] == [number("f5", 10), -1, number("g5", 10), -1]
    assert values[16:20] == [number("a10", 10), -1, -1, number("a2", 10)]
    assert values[20:32] == [-1] * 12  # b1 is a tower, the rest is beyond the edge
    assert values[32:] == [-1] * 32


def test_bx_10_2_enterable(load):
    state = lying(load)
    edge = {f"{c}{r}" for c in "abcdefghij" for r in range(1, 11) if c in "aj" or r in (1, 10)}
    for player in (0, 1):  # inside: the first white, red and grey fields of column e, row 5 and columns b, c, f, g
        assert marks(state.enterable(player), 10) == edge - {"a1", "b1", "d1"} | {"e8", "b5", "c5", "f5", "g5"}
    state = lying(load, pawns="e5 e6 e7 i9")
    assert marks(state.enterable(0), 10) == set()  # no pawn in supply
    assert marks(state.enterable(1), 10) != set()


def test_bx_10_2_reachable(load):
    state = lying(load)
    enterable = marks(state.enterable(0), 10)
    assert marks(state.reachable(0), 10) == enterable | {"e6", "e8", "f5", "g5", "d5", "c5", "b5"}
    state = lying(load, pawns="e5 e6 e7 i9")
    assert marks(state.reachable(0), 10) == {
        *("d5", "c5", "b5", "f5", "g5"),  # e5; e6 stands in its way
        *("d6", "f6"),
        *("d7", "f7", "e8", "e9"),
        *("i10", "j9", "h9", "i8"),
    }


def test_bx_10_2_capturable(load):
    assert marks(lying(load).capturable(0), 10) == {"h5"}
    assert marks(lying(load).capturable(1), 10) == {"e5"}
    state = lying(load, pawns="e5 c1 a4")
    assert marks(state.capturable(0), 10) == {"h5"}  # a2 and a3 are black, like a1; b1 is a tower
    state = lying(load, pawns="e5 a2")
    assert marks(state.capturable(0), 10) == {"h5", "a1"}
    state = lying(load, pawns="e5 f5")
    assert marks(state.capturable(1), 10) == {"f5"}


def test_bx_10_2_demolishable(load):
    for phase, expected in ((1, set()), (2, {"e4"}), (4, {"e4"})):
        state = lying(load, phase=phase, calm="h1 j1")
        assert marks(state.demolishable(0), 10) == expected
        assert marks(state.demolishable(1), 10) == set()
    assert marks(lying(load, blocks="wwrrgg").demolishable(0), 10) == {"e4"}
    assert marks(lying(load, blocks="wwrrggk").demolishable(0), 10) == set()
    assert marks(lying(load, pawns="e5 j4 b4").demolishable(0), 10) == {"e4"}  # only black lies between


def test_bx_10_2_buildable(load):
    around = {"d5": "g", "e6": "g", "f5": "g", "e4": "wr", "a9": "r", "b10": "r"}
    state = lying(load, pawns="e5 i9 a10", towers=around)
    assert marks(state.buildable(0), 10) == {"i9"}
    assert marks(state.buildable(1), 10) == {"h5", "a1"}
    state = lying(load, pawns="e5 i9 a10", towers=around, options={"reach_new": False})
    assert marks(state.buildable(0), 10) == {"e5", "i9", "a10"}


def test_bx_10_2_hand(load):
    state = lying(load)
    assert flat(state.hand(0)) == [1, 1, 1, 3]
    assert flat(state.hand(1)) == [6, 0, 0, 0]


VIEWS = ("enterable", "reachable", "capturable", "demolishable", "buildable", "destinations", "hand")


def test_bx_10_2_players_that_there_are(load):
    state = lying(load)
    for view in VIEWS:
        for wrong in (-1, 2):
            with pytest.raises(ValueError, match=str(wrong)):
                getattr(state, view)(wrong)


def test_bx_10_2_nothing_but_the_hand_looks_at_cards(load):
    state = lying(load)
    game = state.get_game()
    mine = seat("kkkkkk", "e5", "", joker=False)
    other = at(game, mine, seat("wwwwww", "h5 a1"), towers={"e4": "wr"}, phase=2, calm="b1 d1")
    for view in VIEWS[:-1]:
        for player in (0, 1):
            assert flat(getattr(state, view)(player)) == flat(getattr(other, view)(player))
    assert flat(state.hand(0)) != flat(other.hand(0))


def test_bx_10_1_a_begun_turn_is_seen_as_at_its_start(load):
    state = lying(load, blocks="wrg")
    before = [flat(getattr(state, view)(0)) for view in VIEWS]
    analyses = [flat(state.analysis(one)) for one in ("colours", "towers", "pawns", "blocks")]
    play(state, "0b", "w", "r", "g")
    assert state.in_turn()
    assert [flat(getattr(state, view)(0)) for view in VIEWS] == before
    assert [flat(state.analysis(one)) for one in ("colours", "towers", "pawns", "blocks")] == analyses


@pytest.mark.parametrize("options", [{}, {"entry": "from_edge_field", "players": 3}, {"board": 9, "reach": "region"}])
def test_bx_10_2_views_are_what_the_right_cards_could_do(load, options):
    game, rng, seen = load("blox", **options), random.Random(1), Counter()
    state, size = game.new_initial_state(8), game.options["board"]
    for ply in range(120):
        if ply % 8 == 0:
            table, player = Table(state), state.current_player()
            lines = [table.line(pawn, step) for pawn in table.pawns for step in "nesw"]
            falls, taken, moved = set(), set(), set()
            for free, end in lines:
                between = {table.colour[one] for one in free}
                moved |= set(table.first_fields(free).values())
                falls |= {end} if table.falls(end, between) else set()
                enemy = table.owner.get(end, player) != player
                taken |= {end} if enemy and table.colour[end] not in between else set()
            expected = {
                "enterable": table.entered(),
                "reachable": table.entered() | moved,
                "demolishable": falls,
                "capturable": taken,
                "buildable": {one for one in table.pawns if table.may_build(one)},
            }
            for view, fields in expected.items():
                assert marks(getattr(state, view)(player), size) == {name(one, size) for one in fields}
                seen[view] += len(fields)
        state.apply_action(rng.choice([int(action) for action in state.legal_actions()]))
    assert len(seen) == 5
    assert min(seen.values()) > 0


# Section 11: counters.

KINDS = {"@": "enter", "-": "move", "x": "capture", "d": "demolish", "b": "build", "~": "swap"}
COUNTERS = [*KINDS.values(), "joker", "phase_1", "phase_2", "phase_3", "phase_4", "limit"]


def replayed(game, seed, uniform):
    """The counters of the first game of a run, played again here."""
    stream, state, counts = Stream(stream_key(seed, 0, CHOICES)), game.new_initial_state(seed), Counter()
    while not state.is_terminal():
        counts[f"phase_{read(state).phase[0]}"] += 1
        if uniform == "turn":
            turns = every_turn(state)
            turn = turns[stream.bounded(len(turns))]
        else:
            turn = []
        texts = []
        while not turn or len(texts) < len(turn):
            legal = [int(action) for action in state.legal_actions()]
            action = turn[len(texts)] if turn else legal[stream.bounded(len(legal))]
            texts.append(state.action_to_string(action))
            state.apply_action(action)
            if not state.in_turn():
                break
        first = texts[0]
        counts[KINDS[first[0] if first[0] in "@~" else first[1] if first[1] == "b" else first[2]]] += 1
        counts["joker"] += any(text.endswith("j") for text in texts)
    over = read(state)
    counts["limit"] = int(not (over.phase == "4+" and over.seat == 0))
    return counts


def every_turn(state):
    """The legal turns in lexicographic order."""
    found = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(int(action))
        rests = every_turn(after) if after.in_turn() else [[]]
        found += [[int(action), *rest] for rest in rests]
    return found


COUNTED = [
    {"blocks_per_colour": 3, "start_phase": 4, "players": 3},
    {"blocks_per_colour": 2, "hand": 10, "pawns": 2, "start_phase": 2, "max_turns": 70},
    {"board": 9, "hand": 3, "max_turns": 40, "build_height": "exact"},
]


@pytest.mark.parametrize("options", COUNTED, ids=str)
def test_bx_11_counters_of_uniform_actions(engine, options):
    game, found = engine.load_game("blox", **options), Counter()
    for seed in range(4):
        results = engine.simulate(game, 1, seed=seed)
        assert list(results.counters) == COUNTERS
        counts = replayed(game, seed, "action")
        assert {key: int(column[0]) for key, column in results.counters.items()} == {
            key: counts[key] for key in COUNTERS
        }
        assert sum(counts[kind] for kind in KINDS.values()) == int(results.turns[0])
        found += counts
    assert found["enter"]


def test_bx_11_counters_of_uniform_turns(engine):
    game, found = engine.load_game("blox", hand=3, blocks_per_colour=4, pawns=2, max_turns=24), Counter()
    for seed in range(3):
        results = engine.simulate(game, 1, seed=seed, uniform="turn")
        counts = replayed(game, seed, "turn")
        assert {key: int(column[0]) for key, column in results.counters.items()} == {
            key: counts[key] for key in COUNTERS
        }
        found += counts
    assert found["move"]
    assert found["joker"]


def test_bx_11_every_counter_counts():
    # Long games of the native engine: each kind of turn comes up, and both ways to end.
    game = zg.load_game("blox", blocks_per_colour=4, hand=10, max_turns=1000)
    results = zg.simulate(game, 60, seed=1)
    assert all(column.sum() > 0 for column in results.counters.values())
    assert results.counters["limit"].min() == 0
    assert sum(results.counters[kind] for kind in KINDS.values()).tolist() == results.turns.tolist()


def test_bx_11_a_game_that_the_limit_and_the_round_end_together(engine):
    # One block a colour: the first turn triggers the end, and the second ends the round.
    for limit, ended_by_limit in ((1, 1), (2, 0), (3, 0)):
        game = engine.load_game("blox", blocks_per_colour=1, start_phase=4, max_turns=limit)
        results = engine.simulate(game, 1, seed=0)
        assert int(results.turns[0]) == min(limit, 2)
        assert int(results.counters["limit"][0]) == ended_by_limit


def test_bx_11_names_and_views_are_described():
    about = zg.describe("blox")
    assert list(about["counters"]) == COUNTERS
    assert sorted(about["views"]) == sorted(VIEWS)
    assert sorted(about["analyses"]) == ["blocks", "colours", "pawns", "towers"]
