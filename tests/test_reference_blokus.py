"""The reference of Blokus in all its variants: published figures, positions drawn by hand, laws that need no engine.

Positions are texts as of section 5 of the rules page; the traps that both implementations must avoid are in
`test_traps_blokus.py`.
"""

import random
from collections import Counter

import numpy as np
import pytest
from playing import at, play, played

from ziggurat import reference
from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.reference.blokus import LAW_OPTIONS, OPTION_VALUES, PRESETS

PIECES = ["1", "2", "I3", "V3", "I4", "L4", "T4", "O", "Z4", "I5", "L5", "Y", "P", "U", "V5", "T5", "N", "F"]
PIECES += ["W", "Z5", "X"]
SIZES = dict(zip(PIECES, [1, 2, 3, 3, 4, 4, 4, 4, 4, *[5] * 12], strict=True))
ORIENTATIONS = [1, 2, 2, 4, 2, 8, 4, 1, 4, 2, 8, 8, 8, 4, 4, 4, 8, 8, 4, 4, 1]
SMALL = [options for options in LAW_OPTIONS if "board" in options]
ACTION = [options for options in SMALL if options.get("pass_mode") != "skip"]


def load(preset=None, **options):
    """A game of Blokus."""
    return reference.load_game("blokus", preset, **options)


def walk(game, seed):
    """The states of a random game, each its own."""
    rng, state = random.Random(f"{game} {seed}"), game.new_initial_state()
    yield state.clone()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        yield state.clone()


def walks(options, number=3):
    """The states of some random games."""
    game = load(**options)
    return [state for seed in range(number) for state in walk(game, seed)]


def choices(state):
    """The texts of the legal actions."""
    return {state.action_to_string(action) for action in state.legal_actions()}


def fields(state):
    """The fields of the text of a position."""
    return state.serialize().split(" ")[1:]


def hands(state):
    """The pieces in hand of each colour."""
    full = fields(state.get_game().new_initial_state())[2].split("/")[0]
    assert full == "*"
    names = pieces_of(state.get_game())
    texts = fields(state)[2].split("/")
    return [names if text == "*" else [] if text == "-" else text.split(",") for text in texts]


def pieces_of(game):
    """The full hand of a game, as the options say it."""
    words = {"all": PIECES, "junior": [*PIECES[:11], "P"]}
    words |= {f"up_to_{n}": [piece for piece in PIECES if SIZES[piece] <= n] for n in (2, 3, 4)}
    text = game.options["pieces"]
    return [piece for piece in words.get(text, text.split("+")) for _ in range(game.options["copies"])]


def cell_id(game, text):
    """The id of a cell."""
    side = game.options["board"]
    return (side - int(text[1:])) * side + "abcdefghijklmnopqrst".index(text[0])


def ids(game, cells):
    """The ids of some cells."""
    return {cell_id(game, text) for text in cells.split(",")} if cells else set()


def plane(state, viewer, number):
    """The cells where a plane of an observation is 1."""
    values, size = state.observation_tensor(viewer), state.get_game().options["board"] ** 2
    assert set(values) <= {0.0, 1.0}
    return {cell for cell in range(size) if values[number * size + cell]}


def each(state, name):
    """The parts of an analysis, one a colour."""
    values, colours = state.analysis(name), state.get_game().options["colours"]
    length = len(values) // colours
    return [values[i * length : (i + 1) * length] for i in range(colours)]


def ones(values):
    """The places of what is not zero."""
    return {i for i, value in enumerate(values) if value}


# Published figures


@pytest.mark.parametrize(("side", "placements"), [(5, 958), (7, 2522), (8, 3577), (10, 6233), (14, 13729), (20, 30433)])
def test_bk_4_1_placements_of_a_board(side, placements):
    assert load(board=side).num_distinct_actions() == placements + 1


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, [58, 3364]),
        ({"start": "any_corner"}, [232, 40368]),
        ({"preset": "duo"}, [414, 171396]),
        ({"preset": "duo", "start": "either"}, [828]),
        ({"colours": 1}, [58, 9729]),
        ({"board": 14, "colours": 1, "starts": "e10"}, [414, 217530]),
    ],
)
def test_published_counts(options, counts):
    state = load(**options).new_initial_state()
    assert [reference.perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


# Random games of Duo of another program: the moves, how many placements each colour has then, and perft with forced
# passes as turns and without passes. In the first two orange is shut out for good.
POSITIONS = [
    ("e7,f7,e8,e9,e10 j1,j2,j3,j4,j5 g6,h6,i6,j6,k6", [672, 0], [1], [672]),
    ("h9,e10,f10,g10,h10 j1,j2,j3,j4,j5 i6,j6,k6,i7,i8", [739, 0], [1], [739]),
    (
        "c9,b10,c10,d10,e10 k4,j5,k5,i6,j6 g10,f11,g11,h11,h12 l1,l2,l3,m3,m4 i9,k9,i10,j10,k10 n5,l6,m6,n6,m7 "
        "a7,a8,b8 k7,k8,l8 l11,m11,m12,n12 i1,i2,j2,j3 c6,c7,d7,e7,e8 g5,h5 f4,g4,f5,f6 h7,h8,h9 g1,h1,g2,h2,h3 j9 "
        "a11,a12,a13,b13,c13 m9,n9,l10,m10,n10 a3,b3,c3,d3,e3 j11,k11,j12,j13,j14 f9 l12,l13,l14,m14,n14",
        [33, 0],
        [33, 33, 365],
        [33, 365, 744],
    ),
    (
        "d10,e10,e11,f11,e12 j3,i4,j4,i5,j5 b8,a9,b9,c9,b10 l1,k2,l2 g12,h12,i12,j12,h13 h2,g3,h3,f4,g4 "
        "k9,l9,k10,k11,l11 f6,g6,h6,f7 k13,j14,k14,l14 e1,e2,f2,d3,e3 g7,g8,f9,g9,h9 i7,h8,i8,i9 d6,e6,d7,e7,d8 "
        "b4,c4,b5,c5 m12,m13 m3,n3,m4,m5,m6 a11,a12,a13,b13,b14 a1,b1,c1,a2,a3 j8 g10,h10,h11,i11 a5,a6,a7 k7,l7",
        [25, 26],
        [25, 332, 2542],
        [25, 332, 2732],
    ),
    (
        "d10,e10,e11,f11,e12 j3,i4,j4,i5,j5 b8,a9,b9,c9,b10 l1,k2,l2 g12,h12,i12,j12,h13 h2,g3,h3,f4,g4 "
        "k9,l9,k10,k11,l11 f6,g6,h6,f7 k13,j14,k14,l14 e1,e2,f2,d3,e3 g7,g8,f9,g9,h9 i7,h8,i8,i9 d6,e6,d7,e7,d8 "
        "b4,c4,b5,c5 m12,m13 m3,n3,m4,m5,m6 a11,a12,a13,b13,b14 a1,b1,c1,a2,a3 j8 g10,h10,h11,i11 a5,a6,a7 k7,l7 "
        "n8,n9,n10,n11 m8,m9,m10,m11 h4,f5,g5,h5 e5 j1,i2,j2,i3 n12,n13,n14 k4,k5,i6,j6,k6 pass",
        [5, 0],
        [5, 2, 2],
        [5, 2, 0],
    ),
]


@pytest.mark.parametrize(("moves", "mobility", "action", "skip"), POSITIONS, ids=range(len(POSITIONS)))
def test_published_positions(moves, mobility, action, skip):
    for mode, counts in (("action", action), ("skip", skip)):
        kept = [move for move in moves.split() if mode == "action" or move != "pass"]
        state = played(load("duo", pass_mode=mode), *kept)
        assert state.analysis("mobility") == mobility
        assert [reference.perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


# Options


def test_bk_7_presets_are_texts():
    assert [str(load(preset)) for preset in PRESETS] == [
        "blokus()",
        "blokus(sharing=fourth)",
        "blokus(sharing=pairs)",
        "blokus(board=14,colours=2,starts=e10+j5)",
        "blokus(board=14,colours=2,starts=e10+j5,pieces=junior,copies=2,scoring=basic)",
        "blokus(board=8,colours=2,starts=c6+f3,pieces=up_to_4,scoring=basic)",
    ]
    for preset in PRESETS:
        assert reference.load_game(str(load(preset))) == load(preset)


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ({"start": "either"}, "start=any_corner"),
        ({"start": "own"}, ""),
        ({"starts": "a20+t20+t1+a1"}, ""),
        ({"board": 5, "starts": "a5+e5+e1+a1"}, "board=5"),
        ({"board": 5, "colours": 2, "starts": "a5+e5"}, "board=5,colours=2"),
        ({"board": 5, "colours": 2, "starts": "e5+a5"}, "board=5,colours=2,starts=e5+a5"),
        ({"pieces": "X+1+V3"}, "pieces=1+V3+X"),
        ({"pieces": "I3+V3+2+1"}, "pieces=up_to_3"),
        ({"pieces": "P+L5+I5+Z4+O+T4+L4+I4+V3+I3+2+1"}, "pieces=junior"),
        ({"pieces": "+".join(reversed(PIECES))}, ""),
        ({"copies": 2, "colours": 3}, "colours=3,copies=2"),
    ],
)
def test_bk_7_equal_games_have_equal_texts(options, written):
    game = load(**options)
    assert str(game) == f"blokus({written})"
    assert game == reference.load_game(str(game)) == load(**game.options)
    given = ",".join(f"{key}={value}" for key, value in options.items())
    assert reference.load_game(f"blokus({given})") == game


@pytest.mark.parametrize(
    ("options", "told"),
    [
        # [BK-7.1]
        ({"starts": "a1"}, ["a1", "4 cells"]),
        ({"starts": "a1+b1+c1+a1"}, ["a1", "twice"]),
        ({"board": 8, "starts": "a1+b1+c1+h9"}, ["h9", "board=8"]),
        ({"starts": "a1+b1+c1+D1"}, ["D1", "cell"]),
        ({"starts": "a1+b1+c1+d01"}, ["d01"]),
        ({"starts": "a1+b1+c1+u1"}, ["u1"]),
        ({"starts": ""}, ["starts=''", "corners"]),
        ({"preset": "duo", "colours": 4}, ["e10+j5", "4 cells"]),
        ({"preset": "duo", "board": 9}, ["e10", "board=9"]),
        # [BK-7.2]
        ({"pieces": "1+1"}, ["1+1", "once"]),
        ({"pieces": ""}, ["pieces=''", "junior"]),
        ({"pieces": "up_to_5"}, ["up_to_5", "up_to_4"]),
        ({"pieces": "1,2"}, ["1,2"]),
        ({"pieces": "i3"}, ["i3", "I3"]),
        # [BK-7.3]
        ({"sharing": "pairs", "colours": 3}, ["pairs", "colours=4"]),
        ({"sharing": "fourth", "colours": 2}, ["fourth", "colours=4"]),
        # values that no option has
        ({"board": 4}, ["4", "5 .. 20"]),
        ({"board": 21}, ["21", "5 .. 20"]),
        ({"colours": 5}, ["5", "1 .. 4"]),
        ({"copies": 3}, ["3", "1 .. 2"]),
        ({"start": "own_"}, ["own_", "own_corner"]),
        ({"size": 5}, ["size", "board"]),
    ],
)
def test_bk_7_options_that_do_not_fit_are_refused(options, told):
    with pytest.raises(ValueError) as caught:
        load(**options)
    assert type(caught.value) is ValueError
    for word in told:
        assert word in str(caught.value)


@pytest.mark.parametrize(("option", "value"), [("starts", 1), ("pieces", None), ("board", "8"), ("colours", True)])
def test_bk_7_options_of_wrong_types(option, value):
    with pytest.raises(TypeError, match=option):
        load(**{option: value})


def test_bk_7_examples_of_texts_are_canonical():
    for option in ("starts", "pieces"):
        values = OPTION_VALUES[option]
        assert values[0] == load().options[option]
        assert len(set(values)) == len(values)
        for value in values:
            assert load(**{option: value}).options[option] == value


def test_law_options_have_all_words():
    games = [load(**options).options for options in LAW_OPTIONS]
    for option, words in {**OPTION_VALUES, "pieces": ["all", "junior", "up_to_4", "up_to_3", "up_to_2"]}.items():
        if len(words) < 10:
            assert {game[option] for game in games} >= set(words) - {words[0]}, option


# Laws of small boards


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_whole_games_keep_the_laws(options):
    game = load(**options)
    everything = range(game.num_distinct_actions())
    for seed in range(2):
        states, blocked = list(walk(game, seed)), set()
        assert 0 < len(states) - 1 <= game.max_game_length()
        for state in states:
            assert [action for action in everything if state.is_legal(action)] == state.legal_actions()
            assert at(game, state.serialize().split(" ", 1)[1]) == state
            assert state.is_terminal() == (state.legal_actions() == [])
            assert blocked <= {i for i, count in enumerate(state.analysis("mobility")) if not count}  # [BK-2.4]
            blocked |= {"byrg".index(letter) for letter in fields(state)[3] if letter != "-"}
            assert all(len(state.observation_tensor(p)) == size_of(game) for p in range(game.num_players()))


def size_of(game):
    """The number of values of an observation."""
    planes, rows, columns = game.observation_tensor_shape()
    return planes * rows * columns


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_bk_2_3_passes(options):
    game = load(**options)
    passing = game.string_to_action("pass")
    assert passing == game.num_distinct_actions() - 1
    for state in walks(options):
        placements = [action for action in state.legal_actions() if action != passing]
        blocked = not state.is_terminal() and not placements
        assert state.is_legal(passing) == blocked
        assert not (blocked and options.get("pass_mode") == "skip")


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_bk_8_1_symmetries_commute_with_play(options):
    game, rng = load(**options), random.Random(5)
    assert [game.transform_action(a, 0) for a in range(game.num_distinct_actions())] == list(
        range(game.num_distinct_actions())
    )
    for state in rng.sample(states := walks(options), min(len(states), 12)):
        assert state.transformed(0) == state
        for k in range(game.num_symmetries()):
            image = state.transformed(k)
            moved = {action: game.transform_action(action, k) for action in state.legal_actions()}
            assert sorted(moved.values()) == image.legal_actions()
            assert sorted(image.analysis("mobility")) == sorted(state.analysis("mobility"))
            if moved:
                action, after = rng.choice(list(moved)), state.clone()
                after.apply_action(action)
                image.apply_action(moved[action])
                assert image == after.transformed(k)


@pytest.mark.parametrize(
    ("options", "number"),
    [
        ({}, 4),
        ({"start": "any_corner"}, 32),
        ({"sharing": "pairs"}, 4),
        ({"sharing": "fourth"}, 1),
        ({"sharing": "fourth", "start": "any_corner"}, 8),
        ({"preset": "duo"}, 4),
        ({"preset": "duo", "start": "any_corner"}, 8),
        ({"colours": 1}, 2),
        ({"board": 5, "colours": 1, "starts": "c3"}, 8),
        ({"colours": 2}, 2),
        ({"colours": 2, "start": "any_corner"}, 4),
        ({"colours": 3, "start": "any_corner"}, 6),
    ],
)
def test_bk_8_2_numbers_of_symmetries(options, number):
    assert load(**options).num_symmetries() == number


def test_bk_8_2_the_order_of_symmetries():
    #   b b . . .    Number 1 renames blue to yellow, so it turns the board to the right; number 2 does it twice, and
    #   . . . . .    number 3 thrice.
    state = played(load(board=5), "a5,b5")
    assert [fields(state.transformed(k))[:2] for k in range(4)] == [
        ["bb3/5/5/5/5", "y"],
        ["4y/4y/5/5/5", "r"],
        ["5/5/5/5/3rr", "g"],
        ["5/5/5/g4/g4", "b"],
    ]
    assert fields(state.transformed(1))[2] == f"*/{','.join(p for p in PIECES if p != '2')}/*/*"


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_the_canonical_state_is_the_least_image(options):
    game = load(**options)
    for state in walks(options, 1)[::3]:
        images = [state.transformed(k) for k in range(game.num_symmetries())]
        texts = [image.serialize() for image in images]
        found, k = state.canonical()
        assert found.serialize() == min(texts)
        assert k == texts.index(min(texts))
        assert {image.canonical()[0] for image in images} == {found}


def test_a_game_without_symmetries_is_its_own_image():
    state = reference.load_game("blokus", sharing="fourth").new_initial_state()
    found, k = state.canonical()
    assert (found, k) == (state, 0)
    assert found is not state


# Who plays, and what counts


@pytest.mark.parametrize(("sharing", "players"), [("none", 4), ("pairs", 2), ("fourth", 3)])
def test_bk_1_5_who_plays_a_colour(sharing, players):
    game = load(board=5, pieces="up_to_3", sharing=sharing)
    assert game.num_players() == players
    forced = 0
    for seed in range(6):
        for state in walk(game, seed):
            colour, pieces = "byrg".index(fields(state)[1]), hands(state)
            green = 4 - len(pieces[3])
            expected = {"none": colour, "pairs": colour % 2, "fourth": green % 3 if colour == 3 else colour}[sharing]
            assert state.current_player() == (-4 if state.is_terminal() else expected)
            forced += colour == 3 and choices(state) == {"pass"} and green > 0
    assert forced > 0


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_bk_3_4_scores_are_those_of_the_colours(options):
    game, seen = load(**options), Counter()
    for state in walks(options, 6):
        single = fields(state)[4]
        points = [-sum(SIZES[piece] for piece in hand) for hand in hands(state)]
        if game.options["scoring"] == "advanced":
            points = [x or (20 if "byrg"[c] in single else 15) for c, x in enumerate(points)]
        seen.update(points)
        if game.options["sharing"] == "pairs":
            points = [points[0] + points[2], points[1] + points[3]]
        assert state.scores() == points[: game.num_players()]
        best = [p for p, x in enumerate(state.scores()) if x == max(state.scores())]
        assert state.winners() == (best if state.is_terminal() else [])
    assert len(seen) > 1


def test_bk_3_1_one_colour_alone_wins_nothing():
    state = played(load(board=5, colours=1, pieces="1", copies=2), "a5", "b4")
    assert state.is_terminal()
    assert (state.scores(), state.winners(), state.returns()) == ([20], [0], [0.0])
    state = played(load(board=5, colours=1, pieces="up_to_2"), "a5", "b3,b4")
    assert state.scores() == [15]


# Start squares


def test_bk_2_1_a_start_square_that_another_colour_has_covered():
    game = load(board=5, colours=2, starts="b3+c3", pieces="1+2")
    state = played(game, "b3,c3")
    assert choices(state) == {"pass"}
    assert fields(state)[1:] == ["y", "1/*", "-", "-"]
    free = played(game, "b3")
    assert choices(free) == {"c3", "c3,d3", "c3,c4", "c2,c3"}


def test_bk_2_1_any_start_square_that_is_free():
    game = load(board=5, colours=2, start="either", starts="b3+d3", pieces="1")
    state = game.new_initial_state()
    assert choices(state) == {"b3", "d3"}
    assert choices(play(state, "d3")) == {"b3"}


@pytest.mark.parametrize("pass_mode", ["action", "skip"])
def test_bk_2_5_a_game_that_is_over_before_it_begins(pass_mode):
    game = load(board=5, colours=2, pieces="X", pass_mode=pass_mode)  # the cross covers no corner
    state = game.new_initial_state()
    assert state.is_terminal()
    assert fields(state) == ["5/5/5/5/5", "b", "*/*", "by" if pass_mode == "skip" else "-", "-"]
    assert game.deserialize(state.serialize()) == state
    assert state.winners() == [0, 1]


def test_bk_5_2_a_colour_that_cannot_begin():
    options = {"board": 7, "colours": 3, "starts": "a1+d4+g7", "pieces": "X"}
    state = load(**options, pass_mode="skip").new_initial_state()
    assert fields(state) == ["7/7/7/7/7/7/7", "y", "*/*/*", "b", "-"]
    assert state.count_legal() == 5
    play(state, "d4,c5,d5,e5,d6")
    assert fields(state)[1:] == ["r", "*/-/*", "byr", "-"]
    assert state.is_terminal()
    state = played(load(**options), "pass")
    assert fields(state)[1:] == ["y", "*/*/*", "b", "-"]
    assert state.count_legal() == 5


# Copies, and texts of positions


def test_bk_5_3_pieces_that_are_held_twice():
    game = load(board=5, colours=2, pieces="1+2+I3", copies=2)
    state = played(game, "a5", "e5", "b3,b4")
    assert fields(state)[2] == "1,2,I3,I3/1,2,2,I3,I3"
    assert game.deserialize(state.serialize()) == state
    state = at(game, "b3y/1b3/5/5/5 b 2,2,I3,I3/1,2,2,I3,I3 - -")
    with pytest.raises(IllegalActionError, match=r"\[BK-1\.3\] 1 has been placed"):
        play(state, "c3")


START = "5/5/5/5/5"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{START} r */* - -", "'r' is not a side"),
        (f"{START} b */*/* - -", "3 hands"),
        (f"{START} b * - -", "1 hands"),
        (f"{START} b 1,2/* - -", "blue do not add up to 6"),
        (f"{START} b 1,1,2,2/* - -", "not a hand"),
        (f"{START} b 1,1,1/* - -", "not a hand"),
        (f"{START} b 1,1,I3/* - -", "not a hand"),
        (f"{START}/5 b */* - -", "6 rows"),
        ("5/5/5/5 b */* - -", "4 rows"),
        ("6/5/5/5/5 b */* - -", "'6' is not a row"),
        ("41/5/5/5/5 b */* - -", "'41' is not a row"),
        ("r4/5/5/5/5 b */* - -", "'r4' is not a row"),
        ("b4/5/5/5/5 y 2,1,2/* - -", "not a hand"),
        ("b4/5/5/5/5 y 1,1,2/* - -", "purple do not add up to 6"),
        ("1b3/5/5/5/5 y 1,2,2/* - -", "purple has covered no start square"),
        ("b4/5/5/5/5 y 1,2,2/* b -", "purple is marked as passed and can place"),
        ("b4/5/5/5/5 y 1,2,2/* y -", "orange is marked as passed and can place"),
        ("b4/5/5/5/5 y 1,2,2/* - b", "purple is marked single and has pieces left"),
        (f"{START} b */* r -", "'r' are not colours"),
        (f"{START} b */* - yb", "'yb' are not colours"),
    ],
)
def test_bk_5_6_texts_that_are_refused(text, told):
    game = load(board=5, colours=2, pieces="up_to_2", copies=2)
    assert at(game, "b4/5/5/5/5 y 1,2,2/* - -").count_legal() == 3
    with pytest.raises(ParseError, match=told.replace("blue", "purple")):
        at(game, text)


def test_bk_5_6_the_marks_of_skip():
    game = load(board=7, colours=3, starts="a1+d4+g7", pieces="X", pass_mode="skip")
    empty = "7/7/7/7/7/7/7"
    assert at(game, f"{empty} y */*/* b -") == game.new_initial_state()
    for text, told in ((f"{empty} b */*/* - -", "blocked"), (f"{empty} y */*/* y -", "can place")):
        with pytest.raises(ParseError, match=told):
            at(game, text)
    over = "7/3y3/2yyy2/3y3/7/7/7 r */-/*"
    assert at(game, f"{over} byr -").is_terminal()
    for marks in ("-", "b", "br"):
        with pytest.raises(ParseError, match="marked"):
            at(game, f"{over} {marks} -")


def test_bk_5_6_no_single_square_in_the_set():
    game = load(board=5, colours=2, starts="a5+e5", pieces="2")
    assert at(game, "bb2y/4y/5/5/5 b -/- - -").is_terminal()
    with pytest.raises(ParseError, match="single"):
        at(game, "bb2y/4y/5/5/5 b -/- - b")


def test_bk_4_2_squares_of_a_piece_that_is_not_there():
    game = load(board=8, pieces="1+V3")
    assert game.string_to_action("A2,b1,A1") == game.string_to_action("a1,b1,a2")
    for text in ("a1,a2", "a1,a2,a3", "a9", "i1", "h8,i8"):
        with pytest.raises(ParseError):
            game.string_to_action(text)


# Observation planes


def test_bk_6_planes_of_a_small_board():
    game = load(board=5, colours=2, starts="a5+e1", pieces="1+2", copies=2)
    assert game.observation_tensor_shape() == (9, 5, 5)  # 84 entries of hands on 25 cells
    state = played(game, "a5", "e1,e2")
    blue, yellow = ids(game, "a5"), ids(game, "e1,e2")
    for viewer, own, other, contact, near in ((0, blue, yellow, "b4", "a4,b5"), (1, yellow, blue, "d3", "d1,d2,e3")):
        assert plane(state, viewer, 0) == own
        assert plane(state, viewer, 1) == other
        assert plane(state, viewer, 2) == ids(game, contact)
        assert plane(state, viewer, 3) == set(range(25)) - blue - yellow - ids(game, near)
        entries = {25 * i + cell for i in range(4) for cell in plane(state, viewer, 4 + i)}
        assert entries == ({0, 1, 21, 22, 43, 63} if viewer == 0 else {0, 1, 21, 22, 42, 64})
        assert plane(state, viewer, 8) == {viewer}  # blue is to move


def test_bk_6_the_base_is_the_colour_that_the_viewer_plays():
    state = played(load(board=5, pieces="1+2", sharing="pairs"), "a5", "e5")
    assert [plane(state, 0, k) for k in range(4)] == [set(), set(), {0}, {4}]  # red is to move
    assert [plane(state, 1, k) for k in range(4)] == [{4}, set(), set(), {0}]
    assert [plane(state, viewer, 4) for viewer in (0, 1)] == [{24}, {8}]
    state = played(load(board=5, pieces="1+2", sharing="fourth"), "a5", "e5", "e1", "a1", "b4,c4", "d3,d4", "c2,d2")
    assert state.current_player() == 1
    assert [plane(state, 1, k) for k in range(4)] == [{20}, {0, 6, 7}, {4, 8, 13}, {17, 18, 24}]
    assert [plane(state, viewer, 0) for viewer in (0, 2)] == [{0, 6, 7}, {17, 18, 24}]


def test_bk_6_the_status_of_colours():
    game = load(board=5, colours=3, starts="a5+c3+e5", pieces="1+2")
    status = game.observation_tensor_shape()[0] - 1
    state = played(game, "a5", "c3", "e4,e5", "b4,c4", "d2,e2")
    assert [plane(state, viewer, status) for viewer in range(3)] == [{2}, {1}, {0}]
    assert fields(play(state, "d3"))[4] == "r"
    assert state.is_terminal()
    assert [plane(state, viewer, status) for viewer in range(3)] == [{8}, {7}, {6}]
    state = played(load(board=7, colours=3, starts="a1+d4+g7", pieces="X"), "pass")
    status = state.get_game().observation_tensor_shape()[0] - 1
    assert [plane(state, viewer, status) for viewer in range(3)] == [{1, 3}, {0, 5}, {2, 4}]


def test_bk_6_after_the_end_no_colour_is_to_move():
    game, sides = load(board=5, pieces="up_to_3", sharing="pairs"), set()
    status = game.observation_tensor_shape()[0] - 1
    for seed in range(20):
        *_, state = walk(game, seed)
        sides.add(fields(state)[1])
        for viewer in (0, 1):
            assert plane(state, viewer, 0) == squares(state, viewer)
            assert not plane(state, viewer, status) & {0, 1, 2, 3}
    assert sides & set("rg")  # for these the base would be another colour


def squares(state, colour):
    """The cells of a colour."""
    rows = "".join("." * int(mark) if mark.isdecimal() else mark for mark in fields(state)[0].replace("/", ""))
    return {cell for cell, mark in enumerate(rows) if mark == "byrg"[colour]}


# Analyses


def placements(state, colour):
    """The cells of each placement of a colour, found by giving it the turn."""
    board, _, pieces, passed, single = fields(state)
    if "byrg"[colour] in passed:
        return {}
    game = state.get_game()
    other = at(game, f"{board} {'byrg'[colour]} {pieces} {passed} {single}")
    texts = {action: game.action_to_string(action) for action in other.legal_actions()}
    return {action: ids(game, text) for action, text in texts.items() if text != "pass"}


@pytest.mark.parametrize("options", ACTION, ids=str)
def test_bk_9_analyses_are_counts_of_placements(options):
    game = load(**options)
    size, colours = game.options["board"] ** 2, range(game.options["colours"])
    parts, planes = game.table("action_parts"), game.table("action_planes")
    for state in walks(options, 2)[::2]:
        found = [placements(state, colour) for colour in colours]
        assert state.analysis("mobility") == [len(moves) for moves in found]  # [BK-9.1]
        cover = [Counter(cell for cells in moves.values() for cell in cells) for moves in found]
        assert each(state, "by_cell") == [[count[cell] for cell in range(size)] for count in cover]
        for name, kinds, kind in (
            ("by_piece", 21, lambda action: parts[3 * action]),
            ("by_orientation", 91, lambda action: planes[action] // size),
        ):
            counts = [Counter(map(kind, moves)) for moves in found]
            assert each(state, name) == [[count[i] for i in range(kinds)] for count in counts]
        # [BK-9.4]
        sums = [np.float32(sum(count[cell] for count in cover)) for cell in range(size)]
        shares = [[float(count[x] / sums[x]) if count[x] else 0.0 for x in range(size)] for count in cover]
        assert each(state, "influence") == shares
        # [BK-9.2]
        contacts, reached = each(state, "contacts"), each(state, "reachable_corners")
        for colour in colours:
            assert ones(reached[colour]) == ones(contacts[colour]) & set(cover[colour])
            assert all(cells & ones(contacts[colour]) for cells in found[colour].values())


def test_bk_9_a_position_drawn_by_hand():
    #   b . y . .    Blue goes on from b4, and from there over the corner c3 into the open: a4 and b5 touch a5.
    #   . x y . .    Yellow can place on c2 and on d3.
    #   y y . . .
    #   . . . . .
    #   . . . . .
    game = load(board=5, colours=2, starts="a5+c5", pieces="1+2", copies=2)
    state = at(game, "b1y2/2y2/yy3/5/5 b 1,2,2/1,1 - -")
    assert state.analysis("mobility") == [1, 2]
    assert [ones(part) for part in each(state, "contacts")] == [ids(game, "b4"), ids(game, "c2,d3")]
    assert state.analysis("by_cell") == state.analysis("contacts") == state.analysis("reachable_corners")
    assert state.analysis("influence") == [float(n) for n in state.analysis("by_cell")]
    blue, yellow = (ones(part) for part in each(state, "territory"))
    low = ids(game, "a1,b1,c1,d1,e1,a2,b2,c2,d2,e2")
    assert blue == low | ids(game, "b4,c3,d3,e3,d4,e4,d5,e5")
    assert yellow == low - ids(game, "a2,b2") | ids(game, "d3,e3,e4,e5")


def test_bk_9_2_a_contact_cell_that_no_placement_covers():
    #   b b . y .    No piece of three fits on x, the contact cell of blue; yellow can place a domino on each of his,
    #   . o x y .    which are marked o.
    #   . . y . o
    #   . o . o .
    #   . . . . .
    state = at(load(board=5, colours=2, starts="a5+d5", pieces="2+I3"), "bb1y1/3y1/2y2/5/5 y I3/2 - -")
    marks = [ids(state.get_game(), cells) for cells in ("c4", "b4,e3,b2,d2")]
    assert [ones(part) for part in each(state, "contacts")] == marks
    assert [ones(part) for part in each(state, "reachable_corners")] == [set(), marks[1]]


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_bk_9_3_nobody_places_outside_his_territory(options):
    game = load(**options)
    for seed in range(3):
        states = list(walk(game, seed))
        for colour in range(game.options["colours"]):
            for i, state in enumerate(states):
                ground = ones(each(state, "territory")[colour])
                assert squares(states[-1], colour) - squares(state, colour) <= ground
                assert ones(each(state, "contacts")[colour]) <= ground or not ground
                if "byrg"[colour] in fields(state)[3] or not hands(state)[colour]:
                    assert not ground
                if i:
                    assert ground <= ones(each(states[i - 1], "territory")[colour])


# Tables


@pytest.mark.parametrize("options", [{}, {"preset": "junior"}, *SMALL[-4:]], ids=str)
def test_bk_9_5_tables_say_what_the_texts_say(options):
    game = load(**options)
    actions, side = game.num_distinct_actions(), game.options["board"]
    parts, cells = (chunks(game.table(name), n) for name, n in (("action_parts", 3), ("action_squares", 5)))
    planes, back = game.table("action_planes"), game.table("plane_actions")
    assert [len(parts), len(cells), len(planes), len(back)] == [actions, actions, actions, 91 * side * side]
    assert (parts[-1], cells[-1], planes[-1]) == ([-1] * 3, [-1] * 5, -1)
    shapes = {}
    for action in range(actions - 1):
        own = sorted(ids(game, game.action_to_string(action)))
        assert cells[action] == own + [-1] * (5 - len(own))
        piece, orientation, cell = parts[action]
        assert (SIZES[PIECES[piece]], cell) == (len(own), own[0])
        corner = min(x // side for x in own), min(x % side for x in own)
        shape = tuple((x // side - corner[0], x % side - corner[1]) for x in own)
        assert shapes.setdefault((piece, orientation), shape) == shape
        assert planes[action] == (sum(ORIENTATIONS[:piece]) + orientation) * side * side + cell
        assert back[planes[action]] == action
    assert len(set(shapes.values())) == len(shapes)
    assert list(shapes) == [(p, o) for p in sorted({p for p, _ in shapes}) for o in range(ORIENTATIONS[p])]
    assert all(shapes[p, o] < shapes[p, o + 1] for p, o in shapes if (p, o + 1) in shapes)
    assert back.count(-1) == len(back) - (actions - 1)


def chunks(values, length):
    """The rows of a flat list."""
    return [values[i : i + length] for i in range(0, len(values), length)]


@pytest.mark.parametrize("name", ["blokus", "pylos"])
def test_unknown_analyses_and_tables(name):
    game = reference.load_game(name)
    state = game.new_initial_state()
    for ask, there in ((state.analysis, "mobility"), (game.table, "action_parts")):
        with pytest.raises(ValueError, match=f"'wealth'; .*{there if name == 'blokus' else 'none'}"):
            ask("wealth")
        with pytest.raises(TypeError):
            ask(None)
