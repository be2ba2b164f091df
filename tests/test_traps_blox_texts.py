"""Fields, ids, texts, options and layouts of Blox: clauses 1.1 and 1.2 and sections 5, 7 and 9."""

import json
from itertools import product
from pathlib import Path

import pytest
from blox_model import COLUMNS, LETTERS, at, board, faces, flat, name, number, painted, read, seat, text_of
from playing import choices, play

from ziggurat.errors import ParseError

SHIPPED = json.loads((Path(__file__).parents[1] / "cpp/games/blox/faces.json").read_text(encoding="utf-8"))
FACES = ("NWA", "NWB", "NEA", "NEB", "SWA", "SWB", "SEA", "SEB")


# [BX-1.1] [BX-9.1] The board and its layout.


def shipped(size):
    """The layout that ships for a size, as text."""
    one = SHIPPED[str(size)]
    digits = {
        face: "".join(f"{row}{column}" for _, (row, column) in sorted(one[face]["towers"].items())) for face in FACES
    }
    return "+".join("".join(one[face]["grid"]) + ":" + digits[face] for face in FACES)


def colours_of(load, **options):
    """The rows of the board as letters."""
    state = load("blox", **options).new_initial_state()
    size = options.get("board", 10)
    letters = "".join(LETTERS[value] for value in flat(state.analysis("colours"))).upper()
    return [letters[size * row : size * (row + 1)] for row in range(size)]


@pytest.mark.parametrize("size", [10, 9])
def test_bx_1_1_quarters_lie_in_their_places(load, size):
    for sides in ("AAAA", "BBBB", "ABBA"):
        rows = colours_of(load, board=size, sides=sides)
        nw, ne, sw, se = (
            SHIPPED[str(size)][q + side]["grid"] for q, side in zip(("NW", "NE", "SW", "SE"), sides, strict=True)
        )
        assert rows == [a + b for a, b in zip([*nw, *sw], [*ne, *se], strict=True)]


@pytest.mark.parametrize(("size", "counts"), [(10, [25, 25, 25, 25]), (9, [20, 20, 20, 21])])
def test_bx_9_1_every_assembly_of_the_shipped_layout_is_balanced(load, size, counts):
    for sides in product("AB", repeat=4):
        text = "".join(colours_of(load, board=size, sides="".join(sides)))
        assert [text.count(letter) for letter in "WRGK"] == counts


@pytest.mark.parametrize("size", [10, 9])
def test_bx_9_1_no_equal_neighbours_inside_a_shipped_face(load, size):
    for sides in ("AAAA", "BBBB"):
        rows = colours_of(load, board=size, sides=sides)
        for row, column in product(range(size), repeat=2):
            if column not in (4, size - 1):
                assert rows[row][column] != rows[row][column + 1]
            if row not in (4, size - 1):
                assert rows[row][column] != rows[row + 1][column]


@pytest.mark.parametrize(
    ("size", "texts"),
    [(10, {0: "a10", 9: "j10", 99: "j1", 90: "a1", 54: "e5"}), (9, {0: "a9", 8: "i9", 80: "i1", 72: "a1", 40: "e5"})],
)
def test_bx_1_2_fields_have_an_id_and_a_text(load, size, texts):
    game = load("blox", board=size)
    for field, text in texts.items():
        assert game.action_to_string(field) == f"@{text}"
    assert [game.action_to_string(field) for field in range(size * size)] == [
        f"@{name((row, column), size)}" for row, column in product(range(size), repeat=2)
    ]


def test_bx_1_2_north_is_up(load):
    # A pawn on e5 sees another colour each way: north is the row with the higher number.
    state = at(board(load, {"e6": "w", "f5": "r", "e4": "g", "d5": "k"}), seat("wrgkkk", "e5"))
    for step, colour, end in (("n", "w", "e6"), ("e", "r", "f5"), ("s", "g", "e4"), ("w", "k", "d5")):
        assert read(play(state.clone(), f"0{step}-{colour}")).seats[0].pawns == [end]


# Section 5: ids and their texts.


def ids(size, pawns):
    """The texts of all actions in the order of the ids."""
    fields = [name(one, size) for one in product(range(size), repeat=2)]
    ranks = range(pawns)
    texts = [f"@{field}{pay}" for pay in ("", "j") for field in fields]
    texts += [f"{r}{d}-{c}{pay}" for pay in ("", "j") for r in ranks for d in "nesw" for c in LETTERS]
    texts += [f"{r}{d}{pay}" for pay in ("x3", "x3j", "x4", "x4j") for r in ranks for d in "nesw"]
    texts += [f"{r}{d}d{pay}" for pay in ("", "wj", "rj", "gj", "kj") for r in ranks for d in "nesw"]
    texts += [f"{r}b" for r in ranks]
    texts += [f"{c}{pay}" for c in LETTERS for pay in ("", "j")]
    return [*texts, *(f"~{c}" for c in LETTERS), "done"]


@pytest.mark.parametrize(("size", "pawns"), [(10, 4), (9, 4), (10, 1), (9, 2), (10, 3)])
def test_bx_5_1_ids_and_texts(load, size, pawns):
    game = load("blox", board=size, pawns=pawns)
    texts = ids(size, pawns)
    assert game.num_distinct_actions() == len(texts) == 2 * size * size + 69 * pawns + 13
    assert [game.action_to_string(action) for action in range(len(texts))] == texts
    for action, text in enumerate(texts):
        assert game.string_to_action(text) == game.string_to_action(text.upper()) == action


def test_bx_5_1_ids_by_formula(load):
    game = load("blox")
    for text, action in (
        ("@a10", 0),
        ("@a10j", 100),
        ("0n-w", 200),
        ("3w-kj", 200 + 64 + 63),
        ("0nx3", 328),
        ("1ex3j", 328 + 16 + 5),
        ("2sx4", 328 + 32 + 10),
        ("3wx4j", 328 + 48 + 15),
        ("0nd", 392),
        ("2edgj", 392 + 16 * 3 + 9),
        ("0b", 472),
        ("rj", 476 + 3),
        ("~g", 484 + 2),
        ("done", 488),
    ):
        assert game.string_to_action(text) == action


# fmt: off
NO_ACTIONS = [
    "@k5", "@a0", "@a11", "@e05", "@", "@e5jj", "4n-r", "0n-x", "0n-rr", "0q-r", "0n-r-j", "0nx2", "0nx5",
    "0nx3jj", "0ndw", "0ndj", "0ndwwj", "0nd-wj", "4b", "0bb", "0bj", "b", "wjj", "ww", "~", "~x", "~wj", "~ww",
    "done.", "x",
    "", " w", "w ", "@e5 j", "0n-r\n", "\u212a", "@\uff455",
]
# fmt: on


@pytest.mark.parametrize("text", NO_ACTIONS)
def test_bx_5_6_what_is_not_the_text_of_an_action(load, text):
    with pytest.raises(ParseError):
        load("blox").string_to_action(text)


def test_bx_5_1_texts_of_a_smaller_game_are_its_own(load):
    game = load("blox", board=9, pawns=2)
    for text in ("@j1", "@a10", "2n-r", "3b", "2nd"):
        with pytest.raises(ParseError):
            game.string_to_action(text)
    for action in (-1, game.num_distinct_actions()):
        with pytest.raises(ValueError):
            game.action_to_string(action)


# Section 7: positions as texts.

# The parts of the text, by their places after the game.
SIDES, TOWERS, SEATS, DECK, DISCARD, PHASE, SEAT, TURN, TURNS, CHANCE = range(10)


def position(load, **options):
    """A game and the parts of the text of a position: towers on c4, e5, i1, j1."""
    game = board(load, **options)
    seats = [seat("wwrrgg", "a1 c8 h8", "wrg", 7), seat("wrgkkk", "d8", None, 12, joker=False)]
    facts = {"towers": {"c4": "wwk", "e5": "g"}, "deck": "kwrg", "discard": "wk", "turns": 3}
    return game, text_of(game, *seats, **facts).split(" ")


def reads(game, parts):
    """The text of a position that is read and written again; a ParseError is raised if it is refused."""
    return game.deserialize(f"{game} {' '.join(parts)}").serialize()


def refuses_text(game, parts):
    """Whether a text is refused."""
    with pytest.raises(ParseError):
        game.deserialize(f"{game} {' '.join(parts)}")
    return True


def changed(parts, place, old, new):
    """The parts of a text with something replaced in one of them."""
    assert old in parts[place]
    return [part if i != place else part.replace(old, new, 1) for i, part in enumerate(parts)]


def test_bx_7_1_positions_are_written_as_they_are_read(load):
    game, parts = position(load)
    assert reads(game, parts) == f"{game} {' '.join(parts)}"
    assert parts[TOWERS] == "e5:g,c4:wwk,i1:r,j1:k"
    assert parts[SEATS].startswith("7:wwrrgg:wrg:j:c8+h8+a1/12:wrgkkk:")
    assert parts[DISCARD] == "wk"
    assert parts[DECK].startswith("kwrg")
    for turn in ("0b", "0bw", "0bwrj", "~w", "~w~w~g"):
        begun = changed(parts, TURN, "-", turn)
        assert reads(game, begun) == f"{game} {' '.join(begun)}"
    for chance in ("0" * 16 + "." + "f" * 16, "f" * 16 + "." + "0" * 16):
        other = [*parts[:CHANCE], chance]
        assert reads(game, other).endswith(chance)


def test_bx_7_2_seats_and_pawns_in_the_order_of_the_fields(load):
    # Fields are numbered from the top, so c4 comes before a1, and e5 before c4.
    game = board(load)
    state = at(game, seat("wrrggk", "a1 c4", "wk", 7), seat("wwwwww", "b4 j10 b5", joker=False))
    first, second = state.serialize().split(" ")[3].split("/")
    assert first == "7:wrrggk:wk:j:c4+a1"
    assert (second[:9], second[-12:]) == ("0:wwwwww:", ":x:j10+b5+b4")
    text = state.serialize()
    assert game.deserialize(text) == state
    for wrong in (text.replace("c4+a1", "a1+c4"), text.replace("j10+b5+b4", "b4+b5+j10")):
        with pytest.raises(ParseError):
            game.deserialize(wrong)


def test_bx_7_3_what_is_empty_is_a_dash(load):
    game = board(load, hand=2, cards_per_colour=1, blocks_per_colour=1)
    text = text_of(game, seat("wr", "", ""), seat("gk", "", "wrgk"), calm="")
    assert text.split(" ")[:5] == ["AAAA", "-", "0:wr:-:j:-/0:gk:wrgk:j:-", "-", "-"]
    assert reads(game, text.split(" ")) == f"{game} {text}"


def test_bx_7_1_random_games_are_written_as_they_are_read(load):
    for options in ({}, {"preset": "ravensburger2008"}, {"players": 4, "max_turns": 0, "hand": 3}):
        game = load("blox", **options)
        state, step = game.new_initial_state(11), 0
        while step < 60 and not state.is_terminal():
            again = game.deserialize(state.serialize())
            assert again == state
            assert again.serialize() == state.serialize()
            assert choices(again) == choices(state)
            legal = [int(action) for action in state.legal_actions()]
            state.apply_action(legal[7 * step % len(legal)])
            step += 1


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        # sides
        (SIDES, "AAAA", "ABAA"),
        (SIDES, "AAAA", "AAA"),
        (SIDES, "AAAA", "aaaa"),
        # towers
        (TOWERS, "e5:g,c4:wwk", "c4:wwk,e5:g"),
        (TOWERS, "e5:g,", "e5:g,e5:g,"),
        (TOWERS, "wwk", "wkw"),
        (TOWERS, "wwk", "ww"),
        (TOWERS, "wwk", "wwkk"),
        (TOWERS, "wwk", "wwr"),
        (TOWERS, "wwk", "WWK"),
        (TOWERS, "wwk", "wwx"),
        (TOWERS, "c4:", "k4:"),
        (TOWERS, "c4:", "c11:"),
        (TOWERS, "c4:", "c04:"),
        (TOWERS, "c4:", "C4:"),
        (TOWERS, "e5:g", "e5:-"),
        (TOWERS, "e5:g", "e5:"),
        (TOWERS, "e5:g", "e5"),
        (TOWERS, "e5:g,", "e5:g,,"),
        (TOWERS, "e5:g", "d8:g"),  # where a pawn stands
        # seats
        (SEATS, "c8+h8", "h8+c8"),
        (SEATS, "c8+h8", "c8+c8"),
        (SEATS, "c8+h8", "c8+d8"),  # seat 1 stands there
        (SEATS, "c8+h8", "c8+d8+h8+i8"),
        (SEATS, "c8+h8+a1", "c8+h8+a1+b1+c1"),
        (SEATS, "c8+h8", "c8+e5"),
        (SEATS, "c8+h8", "c8,h8"),
        (SEATS, ":j:", ":J:"),
        (SEATS, ":j:", ":-:"),
        (SEATS, "7:", "07:"),
        (SEATS, "7:", "-7:"),
        (SEATS, "7:", "+7:"),
        (SEATS, "7:", ":"),
        (SEATS, "7:", "1000000001:"),
        (SEATS, "7:", "99999999999999999999:"),
        (SEATS, "wwrrgg", "wwrrg"),
        (SEATS, "wwrrgg", "wwrrggg"),
        (SEATS, "wwrrgg", "wwrrgk"),
        (SEATS, "wwrrgg", "wwrgrg"),
        (SEATS, "wwrrgg", "6"),
        (SEATS, ":wrg:", ":wr:"),
        (SEATS, ":wrg:", ":wrgg:"),
        (SEATS, ":wrg:", ":grw:"),
        (SEATS, "/", "/0:wwwwww:-:j:-/"),
        (SEATS, "/", ""),
        (SEATS, "7:wwrrgg", "7"),
        # cards
        (DECK, "kwrg", "kwr"),
        (DECK, "kwrg", "kwrgg"),
        (DECK, "kwrg", "kwrx"),
        (DECK, "kwrg", "KWRG"),
        (DECK, "kwrg", "-kwrg"),
        (DISCARD, "wk", "kw"),
        (DISCARD, "wk", "w"),
        (DISCARD, "wk", "wkk"),
        (DISCARD, "wk", "-"),
        # the rest
        (PHASE, "1", "0"),
        (PHASE, "1", "5"),
        (PHASE, "1", "1+"),
        (PHASE, "1", "3+"),
        (PHASE, "1", "01"),
        (PHASE, "1", "-"),
        (SEAT, "0", "2"),
        (SEAT, "0", "-1"),
        (SEAT, "0", "00"),
        (TURNS, "3", "2001"),
        (TURNS, "3", "03"),
        (TURNS, "3", "-"),
        (CHANCE, "0123", "123"),
        (CHANCE, "0123", "00123"),
        (CHANCE, "abcdef", "ABCDEF"),
        (CHANCE, "abcdef", "abcdeg"),
        (CHANCE, ".", ""),
        (CHANCE, ".", ","),
        # a begun turn
        (TURN, "-", "0b0b"),
        (TURN, "-", "0bww"),  # one white block only
        (TURN, "-", "0bk"),  # no black one
        (TURN, "-", "0brw"),
        (TURN, "-", "0bg"),  # too low for ever
        (TURN, "-", "0bwjrj"),
        (TURN, "-", "0BW"),
        (TURN, "-", "3b"),
        (TURN, "-", "b"),
        (TURN, "-", "w"),
        (TURN, "-", "~k"),
        (TURN, "-", "~r~w"),
        (TURN, "-", "~w~w~w"),
        (TURN, "-", "~w~w~r~r~g"),  # complete
        (TURN, "-", "~W"),
        (TURN, "-", "~w~wdone"),
        (TURN, "-", "done"),
        (TURN, "-", "0bwrdone"),
        (TURN, "-", "@a5"),
        (TURN, "-", "@a5j"),
        (TURN, "-", ""),
        (TURN, "-", "--"),
    ],
)
def test_bx_7_4_texts_that_are_refused(load, place, old, new):
    game, parts = position(load)
    assert reads(game, parts)
    assert refuses_text(game, changed(parts, place, old, new))


def test_bx_7_4_fields_between_single_spaces(load):
    game, parts = position(load)
    text = f"{game} {' '.join(parts)}"
    for wrong in (
        text + " ",
        text.replace(" 1 0 ", "  1 0 "),
        " ".join([str(game), *parts[:-1]]),
        f"{text} -",
        "",
        str(game),
    ):
        with pytest.raises(ParseError):
            game.deserialize(wrong)
    with pytest.raises(ParseError):
        board(load, pawns=3).deserialize(text)


def test_bx_7_4_what_is_just_allowed(load):
    game, parts = position(load)
    assert reads(game, changed(parts, SEATS, "7:", "1000000000:"))
    assert reads(game, changed(parts, SEATS, "c8+h8+a1", "c8+h8+a1+b1"))
    assert reads(game, changed(parts, TURNS, "3", "1999"))
    assert reads(game, changed(parts, PHASE, "1", "4"))
    assert reads(game, changed(parts, PHASE, "1", "4+"))
    assert reads(game, changed(changed(parts, TURNS, "3", "2000"), SEAT, "0", "1"))


def test_bx_7_4_a_game_that_is_over_has_no_begun_turn(load):
    game, parts = position(load)
    begun = changed(parts, TURN, "-", "~w")
    assert refuses_text(game, changed(begun, TURNS, "3", "2000"))
    assert refuses_text(game, changed(begun, PHASE, "1", "4+"))
    assert reads(game, changed(begun, TURNS, "3", "1999"))


def test_bx_7_4_turns_without_a_limit(load):
    game, parts = position(load, max_turns=0)
    assert refuses_text(game, parts)
    assert reads(game, changed(parts, TURNS, "3", "0"))
    game, parts = position(load, max_turns=3)
    assert reads(game, parts)
    assert refuses_text(game, changed(parts, TURNS, "3", "4"))


def test_bx_7_4_a_phase_below_the_first_one(load):
    game, parts = position(load, start_phase=3)
    for phase in "12":
        assert refuses_text(game, changed(parts, PHASE, "1", phase))
    for phase in "34":
        assert reads(game, changed(parts, PHASE, "1", phase))


def test_bx_7_4_the_sides_that_were_named(load):
    for sides, good, bad in (("ABBA", "ABBA", "ABBB"), ("random", "BABA", "ABBC")):
        game = load("blox", sides=sides)
        parts = game.new_initial_state(1).serialize().split(" ")[1:]
        assert reads(game, [good, *parts[1:]])
        assert refuses_text(game, [bad, *parts[1:]])


def test_bx_7_4_an_exact_build_that_is_complete(load):
    game, parts = position(load, build_height="exact")
    assert reads(game, changed(parts, TURN, "-", "0bw"))
    assert refuses_text(game, changed(parts, TURN, "-", "0bwr"))


def test_bx_7_4_blocks_of_the_printed_game(load):
    game, parts = position(load, two_player_setup="printed")
    parts = changed(parts, PHASE, "1", "2")
    assert reads(game, parts)
    full = position(load)[1]
    assert refuses_text(game, changed(full, PHASE, "1", "2"))  # ten of each colour


# Section 9: options.


def test_bx_9_2_names_order_and_defaults(load):
    expected = {
        "players": 2,
        "board": 10,
        "faces": "synthetic",
        "sides": "random",
        "hand": 6,
        "cards_per_colour": 15,
        "blocks_per_colour": 10,
        "pawns": 4,
        "block_limit": 7,
        "build_height": "min",
        "reach": "side",
        "reach_new": True,
        "entry": "outside",
        "capture_moves": True,
        "start_phase": 1,
        "two_player_setup": "same",
        "max_turns": 2000,
    }
    assert list(load("blox").options.items()) == list(expected.items())
    assert str(load("blox", preset="standard")) == "blox()"


def test_bx_9_2_the_printed_preset(load):
    game = load("blox", preset="ravensburger2008")
    assert str(game) == "blox(board=9,hand=5,build_height=exact,start_phase=2,two_player_setup=printed)"
    assert load(str(game)) == game
    assert read(game.new_initial_state(3)).phase == "2"
    assert (
        str(load("blox", preset="ravensburger2008", players=3)) == "blox(players=3,board=9,hand=5,build_height=exact)"
    )


def test_bx_1_7_settings_that_mean_the_same_are_the_same_game(load):
    printed = load("blox", two_player_setup="printed")
    for phase, text in ((1, 2), (2, 2), (3, 3), (4, 4)):
        game = load("blox", two_player_setup="printed", start_phase=phase)
        assert game.options["start_phase"] == text
        assert (game == printed) == (phase < 3)
    for players in (3, 4):
        game = load("blox", two_player_setup="printed", players=players)
        assert game == load("blox", players=players)
        assert game.options["two_player_setup"] == "same"
        assert game.options["start_phase"] == 1
    assert str(printed) == "blox(start_phase=2,two_player_setup=printed)"
    assert load("blox(two_player_setup=printed)") == printed
    assert load("blox", start_phase=2) != printed


@pytest.mark.parametrize(
    ("option", "good", "bad"),
    [
        ("players", (2, 4), (1, 5)),
        ("board", (9, 10), (8, 11)),
        ("hand", (1, 10), (0, 11)),
        ("cards_per_colour", (3, 16), (0, 17)),
        ("blocks_per_colour", (1, 10), (0, 11)),
        ("pawns", (1, 4), (0, 5)),
        ("block_limit", (1, 40), (0, 41)),
        ("build_height", ("min", "exact"), ("max", "")),
        ("reach", ("side", "region"), ("both", "Side")),
        ("reach_new", (True, False), ()),
        ("entry", ("outside", "from_edge_field"), ("inside", "")),
        ("capture_moves", (True, False), ()),
        ("start_phase", (1, 4), (0, 5)),
        ("two_player_setup", ("same", "printed"), ("other", "")),
        ("max_turns", (0, 65535), (-1, 65536)),
        ("sides", ("random", "AAAA", "BABA"), ("AAA", "AAAAA", "ABCA", "abba", "RANDOM", "")),
    ],
)
def test_bx_9_2_values_that_are_allowed(load, option, good, bad):
    for value in good:
        assert load("blox", **{option: value}).options[option] == value
    for value in bad:
        with pytest.raises(ValueError, match=option):
            load("blox", **{option: value})


@pytest.mark.parametrize("size", [10, 9])
def test_bx_9_1_the_shipped_layout_is_written_synthetic(load, size):
    game = load("blox", board=size, faces=shipped(size))
    assert game.options["faces"] == "synthetic"
    assert game == load("blox", board=size)
    other = ("K" if shipped(size)[0] != "K" else "W") + shipped(size)[1:]
    assert load("blox", board=size, faces=other).options["faces"] == other
    with pytest.raises(ValueError):
        load("blox", board=19 - size, faces=shipped(size))


def test_bx_9_1_a_layout_is_part_of_the_text_of_the_game(load):
    text = faces(painted(10, "k", {"e5": "r"}))
    game = load("blox", faces=text)
    assert str(game) == f"blox(faces={text})"
    assert load(str(game)) == game
    state = game.new_initial_state(1)
    assert game.deserialize(state.serialize()) == state


def with_face(size, face, letters=None, towers=None):
    """A layout in which one face has other letters or tower fields."""
    parts = faces(painted(size, "k", {"a1": "r"})).split("+")
    i = FACES.index(face)
    old = parts[i].split(":")
    parts[i] = f"{old[0] if letters is None else letters}:{old[1] if towers is None else towers}"
    return "+".join(parts)


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("size", [10, 9])
def test_bx_9_1_errors_name_the_face(load, size, face):
    rows, columns = 5 if face[0] == "N" else size - 5, 5 if face[1] == "W" else size - 5
    fields = rows * columns
    wrong = [
        {"letters": "W" * (fields - 1)},
        {"letters": "W" * (fields + 1)},
        {"letters": ""},
        {"letters": "X" + "W" * (fields - 1)},
        {"letters": "w" + "W" * (fields - 1)},
        {"towers": "0001020"},
        {"towers": "000102030"},
        {"towers": "000102a3"},
        {"towers": f"0001020{columns}"},
        {"towers": f"000102{rows}0"},
        {"towers": "00010200"},
        {"towers": "03010203"},
        {"towers": ""},
    ]
    for fault in wrong:
        with pytest.raises(ValueError, match=rf"\b{face}\b"):
            load("blox", board=size, faces=with_face(size, face, **fault))
    good = with_face(size, face, towers=f"0001{rows - 1}0{rows - 1}{columns - 1}")
    assert load("blox", board=size, faces=good).options["faces"] == good


@pytest.mark.parametrize("number_of_faces", [1, 7, 9])
def test_bx_9_1_eight_faces(load, number_of_faces):
    one = "K" * 25 + ":00010203"
    assert load("blox", faces="+".join([one] * 8))
    with pytest.raises(ValueError, match=r"eight|8"):
        load("blox", faces="+".join([one] * number_of_faces))
    with pytest.raises(ValueError, match="faces"):
        load("blox", faces="")


def test_bx_9_1_faces_without_a_colon_or_with_two(load):
    parts = with_face(10, "SWB").split("+")
    for wrong in (parts[5].replace(":", ""), parts[5].replace(":", "::"), parts[5] + ":"):
        with pytest.raises(ValueError, match="SWB"):
            load("blox", faces="+".join([*parts[:5], wrong, *parts[6:]]))


def test_bx_1_2_the_number_of_a_field_is_its_id(load):
    # The model of these tests numbers fields as the engines do.
    for size in (10, 9):
        game = load("blox", board=size)
        for column, row in product(COLUMNS[:size], range(1, size + 1)):
            assert game.string_to_action(f"@{column}{row}") == number(f"{column}{row}", size)
