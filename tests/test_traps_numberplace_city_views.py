"""How positions of Numberplace City are seen: observation planes, tables, analyses, arrays of a player: 9 and 11."""

import pytest
from numberplace_city_model import EMPTY, area, at, built, city, fill, flat, lines, name, number, read, revealed, seat
from playing import play

import ziggurat as zg

# Section 9: one position of three players; seat 1 is to move.

BOARD = """
    123 ... ...
    ... ... ...
    ... ... ...

    ... 45. ...
    ... ... ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... ..9
"""
FIRST = {  # the groups of NC-9.1 and their sizes; S is the number of players
    "built": "9", "area": "S", "laid": "S", "where": "4", "number": "4",
}  # fmt: skip
SECOND = {
    "own": "9", "hand": "S", "taken": "9S", "penalties": "S", "points": "S", "in": "S", "passed": "S", "start": "S",
    "next": "S", "mover": "S", "viewer": "S", "place": "4", "bonus": "9", "n": "9", "discard": "9", "supply": "1",
    "final": "1", "turns": "1",
}  # fmt: skip


def sizes(groups, players):
    """The number of planes of each group."""
    return {key: int(text.replace("S", "") or 1) * (players if "S" in text else 1) for key, text in groups.items()}


def planes(state, viewer):
    """The planes by group."""
    players, values = state.get_game().num_players(), flat(state.observation_tensor(viewer))
    assert len(values) == (60 + 20 * players) * 81
    every = [values[81 * i : 81 * i + 81] for i in range(60 + 20 * players)]
    found = {}
    for key, size in sizes({**FIRST, **SECOND}, players).items():
        found[key], every = every[:size], every[size:]
    assert not every
    return found


def marked(state, viewer, group):
    """The planes of a group that differ from cell to cell: {(plane, cell): value} of what is not zero."""
    some = planes(state, viewer)[group]
    return {(i, name(cell)): value for i, plane in enumerate(some) for cell, value in enumerate(plane) if value}


def constants(state, viewer):
    """The values of the planes that have one value in all cells, by group."""
    found = {}
    for key, some in planes(state, viewer).items():
        if key in SECOND:
            assert all(len(set(plane)) == 1 for plane in some)
            found[key] = [plane[0] for plane in some]
    return found


def approx(*values):
    return pytest.approx(list(values), abs=1e-6)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nc_9_1_the_shape(load, players):
    game = city(load, players=players)
    assert tuple(game.observation_tensor_shape()) == (60 + 20 * players, 9, 9)
    for viewer in range(players):
        assert len(planes(game.new_initial_state(), viewer)["built"]) == 9


@pytest.fixture
def seen(load):
    """Seat 2 was the start player, laid a tile, then seat 0; seat 1 is to move."""
    game = city(load, players=3, max_turns=40, tiles_per_number=6)
    seats = {0: seat("1244", "55", 1), 1: seat("7788", points=2), 2: seat("9", "138")}
    facts = {"laid": "2:r9c7=3 0:r8c4=6", "discard": "1129", "start": 2, "place": 2, "turns": 10}
    return at(game, BOARD, seats, **facts)


def test_nc_9_1_built_tiles(seen):
    expected = {(1 - 1, "r1c1"), (2 - 1, "r1c2"), (3 - 1, "r1c3"), (4 - 1, "r4c4"), (5 - 1, "r4c5"), (9 - 1, "r9c9")}
    for viewer in range(3):
        assert marked(seen, viewer, "built") == dict.fromkeys(expected, 1.0)


def test_nc_9_1_areas_from_the_viewer_on(seen):
    game = seen.get_game()
    for viewer in range(3):
        expected = {(r, name(cell)): 1.0 for r in range(3) for cell in area(game, (viewer + r) % 3)}
        assert marked(seen, viewer, "area") == expected


def test_nc_9_1_laid_tiles(seen):
    assert marked(seen, 0, "laid") == {(0, "r8c4"): 0.5, (2, "r9c7"): 0.5}
    assert marked(seen, 1, "laid") == {(1, "r9c7"): 0.5, (2, "r8c4"): 0.5}
    assert marked(seen, 2, "laid") == {(0, "r9c7"): 0.5, (1, "r8c4"): 0.5}
    for viewer in range(3):
        assert marked(seen, viewer, "where") == {(0, "r9c7"): 1.0, (1, "r8c4"): 1.0}
    assert marked(seen, 0, "number") == {(1, "r8c4"): pytest.approx(6 / 9)}
    assert marked(seen, 1, "number") == {}
    assert marked(seen, 2, "number") == {(0, "r9c7"): pytest.approx(3 / 9)}


def test_nc_9_1_two_laid_tiles_of_a_seat_on_a_cell(load):
    state = at(city(load, players=2), EMPTY, laid="0:r4c1=1 1:r1c1=2 1:r1c1=9", place=3)
    assert marked(state, 0, "laid") == {(0, "r4c1"): 0.5, (1, "r1c1"): 1.0}
    assert marked(state, 1, "where") == {(0, "r4c1"): 1.0, (1, "r1c1"): 1.0, (2, "r1c1"): 1.0}
    assert marked(state, 1, "number") == {(1, "r1c1"): pytest.approx(2 / 9), (2, "r1c1"): 1.0}


def test_nc_9_1_laid_tiles_are_open_after_a_win_not_after_the_limit(load):
    facts = {"laid": "0:r9c1=3 3:r9c9=9"}
    state = at(city(load), EMPTY, {1: seat(points=3)}, end="points:1", **facts)
    for viewer in range(4):
        assert marked(state, viewer, "number") == {(0, "r9c1"): pytest.approx(3 / 9), (1, "r9c9"): 1.0}
    state = at(city(load, max_turns=9), EMPTY, turns=9, place=1, laid="0:r9c1=3")
    assert marked(state, 1, "number") == {}
    assert marked(state, 1, "where") == {(0, "r9c1"): 1.0}


def test_nc_9_2_of_each_viewer(seen):
    first, second, third = (constants(seen, viewer) for viewer in range(3))
    assert first["own"] == approx(0.25, 0.25, 0, 0.5, 0, 0, 0, 0, 0)
    assert second["own"] == approx(0, 0, 0, 0, 0, 0, 0.5, 0.5, 0)
    assert third["own"] == approx(0, 0, 0, 0, 0, 0, 0, 0, 0.25)
    assert (first["hand"], second["hand"]) == ([1, 1, 0.25], [1, 0.25, 1])
    taken = [[0, 0, 0, 0, 2 / 9, 0, 0, 0, 0], [0] * 9, [1 / 9, 0, 1 / 9, 0, 0, 0, 0, 1 / 9, 0]]
    assert first["taken"] == approx(*taken[0], *taken[1], *taken[2])
    assert second["taken"] == approx(*taken[1], *taken[2], *taken[0])
    assert first["penalties"] == approx(2 / 5, 0, 3 / 5)
    assert third["penalties"] == approx(3 / 5, 2 / 5, 0)
    assert first["points"] == approx(1 / 3, 2 / 3, 0)
    assert third["points"] == approx(0, 1 / 3, 2 / 3)
    assert [one["start"] for one in (first, second, third)] == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert [one["next"] for one in (first, second, third)] == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert [one["mover"] for one in (first, second, third)] == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
    assert [one["viewer"] for one in (first, second, third)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_nc_9_2_of_the_table(seen):
    supply = len(read(seen).supply)
    assert supply == 54 - 6 - 2 - 9 - 5 - 4
    for viewer in range(3):
        values = constants(seen, viewer)
        assert (values["in"], values["passed"]) == ([1, 1, 1], [0, 0, 0])
        assert values["place"] == [0, 0, 1, 0]
        assert (values["bonus"], values["n"]) == ([0] * 9, [0] * 9)
        assert values["discard"] == approx(2 / 6, 1 / 6, 0, 0, 0, 0, 0, 0, 1 / 6)
        assert values["supply"] == approx(supply / 54)
        assert values["final"] == [0]
        assert values["turns"] == approx(10 / 40)


def test_nc_9_2_hidden_penalty_tiles(load):
    game = city(load, players=3, penalties_open=False)
    state = at(game, BOARD, {0: seat(penalties="55"), 1: seat(penalties="138")})
    own, other = [0, 0, 0, 0, 2 / 9, 0, 0, 0, 0], [1 / 9, 0, 1 / 9, 0, 0, 0, 0, 1 / 9, 0]
    assert constants(state, 0)["taken"] == approx(*own, *[0] * 18)
    assert constants(state, 1)["taken"] == approx(*other, *[0] * 18)
    assert constants(state, 2)["taken"] == [0] * 27
    assert constants(state, 2)["penalties"] == approx(0, 2 / 5, 3 / 5)


def test_nc_9_2_a_bonus(load):
    game = city(load, bonus_scope="all_up_to")
    state = at(game, BOARD, {3: seat("5")}, bonus="3:9:6", start="1>3")
    for viewer in range(4):
        values = constants(state, viewer)
        assert values["bonus"] == [0, 0, 0, 0, 0, 0, 0, 0, 1]
        assert values["n"] == [0, 0, 0, 0, 0, 1, 0, 0, 0]
        assert values["place"] == [0, 0, 0, 0]
        assert values["mover"] == [float((viewer + r) % 4 == 3) for r in range(4)]
        assert values["start"] == [float((viewer + r) % 4 == 1) for r in range(4)]
        assert values["next"] == [float((viewer + r) % 4 == 3) for r in range(4)]
    values = constants(at(city(load), BOARD, bonus="2:9"), 2)
    assert (values["bonus"][8], values["n"]) == (1, [0] * 9)
    assert values["next"] == values["start"] == [0, 0, 1, 0]


def test_nc_9_2_the_final_phase(load):
    game = city(load, points_to_win=9, out_at=3)
    seats = {0: seat(penalties="1234", status="out", points=2), 1: seat(status="passed"), 2: seat("5")}
    state = at(game, BOARD, seats, start=3, place=3)
    values = constants(state, 0)
    assert (values["in"], values["passed"], values["final"]) == ([0, 1, 1, 1], [0, 1, 0, 0], [1])
    assert values["penalties"] == [1, 0, 0, 0]  # 4 / 3 is written 1
    assert values["points"] == approx(2 / 9, 0, 0, 0)
    assert constants(state, 2)["in"] == [1, 1, 0, 1]
    assert constants(at(city(load, start_in_final=True), EMPTY), 1)["final"] == [1]
    assert constants(at(city(load, players=2), EMPTY), 1)["final"] == [0]


def test_nc_9_2_after_an_end(load):
    state = at(city(load), EMPTY, {1: seat(points=5)}, end="points:1")
    values = constants(state, 1)
    assert (values["mover"], values["place"], values["points"]) == ([0] * 4, [0] * 4, [1, 0, 0, 0])
    state = at(city(load, max_turns=9), EMPTY, turns=9, place=1)
    values = constants(state, 1)
    assert (values["mover"], values["place"], values["turns"]) == ([0] * 4, [0] * 4, [1])
    assert constants(at(city(load, max_turns=0)), 0)["turns"] == [0]


def test_nc_9_2_values_above_1_are_written_1(load):
    game = city(load, tiles_per_number=12)
    state = at(game, EMPTY, {0: seat(penalties="5" * 12)}, discard="7" * 12)
    values = constants(state, 0)
    assert (values["taken"][4], values["penalties"][0], values["discard"][6]) == (1, 1, 1)


# [NC-11.1]


def test_nc_11_1_analyses(load):
    state = at(city(load, players=2), BOARD, {0: seat(penalties="122")}, laid="0:r4c1=5 1:r1c9=6 1:r1c9=7", place=3)
    cells = flat(state.analysis("built"))
    assert {name(cell): value for cell, value in enumerate(cells) if value} == built(state)
    laid = flat(state.analysis("laid"))
    assert {(i // 81, name(i % 81)): value for i, value in enumerate(laid) if value} == {(0, "r4c1"): 1, (1, "r1c9"): 2}
    assert flat(state.analysis("penalties")) == [3, 0]
    assert (len(cells), len(laid)) == (81, 162)


def test_nc_11_1_names():
    about = zg.describe("numberplace_city")
    assert sorted(about["tables"]) == ["areas", "exclusive"]
    assert sorted(about["analyses"]) == ["built", "laid", "penalties"]
    assert sorted(about["views"]) == ["candidates", "facedown", "gain", "hand", "layable", "taken"]
    game = zg.load_game("numberplace_city", players=3)
    state = game.new_initial_state()
    assert (game.table("areas").shape, game.table("exclusive").shape) == ((3, 9, 9), (3, 9))
    shapes = [state.analysis(key).shape for key in ("built", "laid", "penalties")]
    assert shapes == [(9, 9), (3, 9, 9), (3,)]
    shapes = [state.view(key, 1).shape for key in ("layable", "candidates", "gain", "hand", "facedown", "taken")]
    assert shapes == [(9, 9), (9, 9, 9), (9, 9), (9,), (9, 9, 9), (9,)]


@pytest.mark.parametrize("wrong", [-1, 4])
def test_nc_11_2_players_that_there_are(load, wrong):
    state = city(load).new_initial_state()
    for view in ("layable", "candidates", "gain", "hand", "facedown", "taken"):
        with pytest.raises(ValueError, match=str(wrong)):
            getattr(state, view)(wrong)


# [NC-11.2]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nc_11_2_layable_and_candidates(load, players):
    state = at(city(load, players=players), BOARD, {1: seat("5")})
    tiles = {number(cell): digit for cell, digit in built(state).items()}
    for player in range(players):
        free = set(area(state.get_game(), player)) - set(tiles)
        assert {cell for cell, value in enumerate(flat(state.layable(player))) if value} == free
        candidates = flat(state.candidates(player))
        for digit in range(1, 10):
            fine = {cell for cell in free if all(tiles.get(c) != digit for line in lines(cell) for c in line)}
            some = candidates[81 * digit - 81 : 81 * digit]
            assert {cell for cell, value in enumerate(some) if value} == fine
        assert set(candidates) == {0, 1}


def test_nc_11_2_candidates_do_not_look_at_laid_tiles(load):
    state = at(city(load), BOARD, laid="0:r5c5=1", place=1)
    before = at(city(load), BOARD)
    assert flat(state.candidates(1)) == flat(before.candidates(1))
    assert flat(state.layable(1)) == flat(before.layable(1))


# Row 8, column 5 and block 7 lack the cell r8c5; column 5 lacks r5c5 too in the second one.
NEARLY = fill(
    EMPTY,
    *("r7c4=1", "r7c5=2", "r7c6=3", "r8c4=4", "r8c6=6", "r9c4=7", "r9c5=8", "r9c6=9"),
    *("r8c1=7", "r8c2=8", "r8c3=9", "r8c7=1", "r8c8=2", "r8c9=3"),
    *("r1c5=1", "r2c5=3", "r3c5=4", "r4c5=6", "r5c5=7", "r6c5=9"),
)


@pytest.mark.parametrize(
    ("board", "options", "gains"),
    [
        (NEARLY, {}, [{"r8c5": 4}, {}, {}, {}]),
        (NEARLY, {"players": 2}, [{"r8c5": 4}, {}]),
        (NEARLY, {"areas": "4678+0346+0124+24578"}, [{"r8c5": 3}, {}, {}, {"r8c5": 3}]),
        (fill(NEARLY, "r5c5=."), {}, [{"r8c5": 3}, {}, {}, {}]),
        (fill(NEARLY, "r8c9=.", "r7c4=."), {}, [{"r8c5": 1}, {}, {}, {}]),
        (fill(NEARLY, "r8c5=5", "r5c5=."), {}, [{"r5c5": 1}] * 4),
        (fill(NEARLY, "r8c5=5", "r8c1=."), {}, [{"r8c1": 1}, {"r8c1": 1}, {}, {}]),
    ],
)
def test_nc_11_2_gain(load, board, options, gains):
    state = at(city(load, points_to_win=9, **options), board)
    for player, expected in enumerate(gains):
        assert {name(cell): value for cell, value in enumerate(flat(state.gain(player))) if value} == expected


def test_nc_11_2_gain_is_what_is_scored(load):
    game = city(load, points_to_win=9)
    for cell in ("r8c5", "r7c1", "r9c9"):
        state = revealed(game, NEARLY, f"{cell}=5")
        gain = flat(at(game, NEARLY).gain(0))[number(cell)]
        assert read(state).seats[0].points == gain


def test_nc_11_2_hand_facedown_and_taken(load):
    for penalties_open in (True, False):
        game = city(load, players=2, penalties_open=penalties_open)
        seats = {0: seat("1779", "455"), 1: seat("2")}
        state = at(game, BOARD, seats, laid="0:r4c1=5 1:r1c9=6 1:r1c9=7", place=3)
        assert flat(state.hand(0)) == [1, 0, 0, 0, 0, 0, 2, 0, 1]
        assert flat(state.hand(1)) == [0, 1, 0, 0, 0, 0, 0, 0, 0]
        assert flat(state.taken(0)) == [0, 0, 0, 1, 2, 0, 0, 0, 0]
        found = [(i // 81 + 1, name(i % 81), value) for i, value in enumerate(flat(state.facedown(1))) if value]
        assert found == [(6, "r1c9", 1), (7, "r1c9", 1)]
        found = [(i // 81 + 1, name(i % 81), value) for i, value in enumerate(flat(state.facedown(0))) if value]
        assert found == [(5, "r4c1", 1)]


def test_nc_11_2_two_equal_tiles_face_down_on_a_cell(load):
    state = at(city(load, players=2), EMPTY, laid="1:r1c9=6 1:r1c9=6", place=3)
    assert flat(state.facedown(1))[81 * 5 + 8] == 2
    play(state, "pass")
    assert sum(flat(state.facedown(1))) == 0
