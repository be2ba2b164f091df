"""Texts of the variants of Blokus: positions (section 5 of the rules page) and games (section 7)."""

import pytest
from blokus_model import COLUMNS, PIECES, cell_text, fields, full_hand, starts, without
from playing import at, choices, play, played

from ziggurat.errors import ParseError

# 5. Position text


@pytest.mark.parametrize("side", range(5, 21))
def test_bk_5_1_boards_of_all_sizes(load, side):
    game = load("blokus", board=side, colours=2, pieces="1")
    rows = [str(side)] * side
    assert game.new_initial_state().serialize() == f"{game} {'/'.join(rows)} b */* - -"
    state = played(game, f"a{side}", f"{COLUMNS[side - 1]}{side}")
    assert fields(state)[0] == "/".join([f"b{side - 2}y", *rows[1:]])
    assert game.deserialize(state.serialize()) == state


WRONG_ROWS = [
    "bb10",
    "bb8",
    "bb81",
    "bb45",
    "bb09",
    "bb9 ",
    "BB9",
    "b1b9",
    "bb9b",
    "bbb8",
    "0bb9",
    "bb0",
    "2bb9",
    "bb-9",
]
WRONG_ROWS += ["bb9/", "bbr8", "bb9/11", "bb٩", "", "bb", "9bb", "bb5\t4", "bb*", "bb4.4", "bb99999999999999999999"]


@pytest.mark.parametrize("row", WRONG_ROWS)
def test_bk_5_1_rows_that_are_refused(load, row):
    game = load("blokus", board=11, colours=2)
    hands, rest = f"{without(game.options, '2')}/*", "/".join(["11"] * 10)
    assert fields(at(game, f"bb9/{rest}", "y", hands, "-", "-"))[0] == f"bb9/{rest}"
    with pytest.raises(ParseError):
        at(game, f"{row}/{rest}", "y", hands, "-", "-")


@pytest.mark.parametrize("row", ["101", "1010", "110", "011", "1", "10", "12", "9", "65", "5 6", "+11", "11 "])
def test_bk_5_1_empty_rows_that_are_refused(load, row):
    game = load("blokus", board=11, colours=2)
    with pytest.raises(ParseError):
        at(game, "/".join(["11"] * 5 + [row] + ["11"] * 5), "b", "*/*", "-", "-")


def test_bk_5_2_the_side_in_skip_is_the_next_that_can_place(load):
    options = {"board": 7, "colours": 3, "starts": "a1+d4+g7", "pieces": "X"}  # two of the crosses fit nowhere
    state = load("blokus", **options, pass_mode="skip").new_initial_state()
    assert fields(state) == ["7/7/7/7/7/7/7", "y", "*/*/*", "b", "-"]
    play(state, "d3,c4,d4,e4,d5")
    assert fields(state)[1:] == ["r", "*/-/*", "byr", "-"]  # nobody can place: the next in order
    assert state.is_terminal()
    state = load("blokus", **options).new_initial_state()
    assert fields(state)[1] == "b"
    assert choices(state) == {"pass"}
    assert fields(play(state, "pass"))[1:] == ["y", "*/*/*", "b", "-"]
    assert state.count_legal() == 5


@pytest.mark.parametrize("pass_mode", ["action", "skip"])
def test_bk_5_2_a_game_that_is_over_before_it_begins(load, pass_mode):
    game = load("blokus", board=5, colours=2, pieces="X", pass_mode=pass_mode)  # the cross covers no corner
    state = game.new_initial_state()
    assert state.is_terminal()
    assert fields(state) == ["5/5/5/5/5", "b", "*/*", "by" if pass_mode == "skip" else "-", "-"]
    assert game.deserialize(state.serialize()) == state
    assert state.winners() == [0, 1]
    assert list(state.scores()) == [-5, -5]


def test_bk_5_3_a_piece_that_is_held_twice_is_named_twice(load):
    game = load("blokus", board=5, colours=2, pieces="1+2+I3", copies=2)
    state = game.new_initial_state()
    for move, hands in (
        ("a5", "1,2,2,I3,I3/*"),
        ("e5", "1,2,2,I3,I3/1,2,2,I3,I3"),
        ("b3,b4", "1,2,I3,I3/1,2,2,I3,I3"),
        ("d2,d3,d4", "1,2,I3,I3/1,2,2,I3"),
    ):
        assert fields(play(state, move))[2] == hands
        read = game.deserialize(state.serialize())
        assert read == state
        assert list(read.scores()) == list(state.scores())


@pytest.mark.parametrize("pieces", ["1", "2", "X", "1+V3", "junior", "up_to_4", "up_to_3", "up_to_2", "W+F", "all"])
def test_bk_5_3_the_whole_set_is_a_star(load, pieces):
    for copies in (1, 2):
        game = load("blokus", board=20, colours=1, starts="j10", pieces=pieces, copies=copies)
        board, side, hand, *marks = fields(game.new_initial_state())
        assert hand == "*"
        assert at(game, board, side, hand, *marks) == game.new_initial_state()
        with pytest.raises(ParseError):
            at(game, board, side, ",".join(full_hand(game.options)), *marks)


EMPTY = "5/5/5/5/5"
ONE = "b4/5/5/5/5"
# Right texts of two colours with two single squares and two dominoes each.
RIGHT = [
    f"{EMPTY} b */* - -",
    f"{EMPTY} y */* - -",
    f"{ONE} y 1,2,2/* - -",
    f"{ONE} b 1,2,2/* - -",
    "bb3/5/5/5/5 y 1,1,2/* - -",
    "bb2y/5/5/5/5 y 1,1,2/1,2,2 - -",
    "b1b1y/1b1b1/b3b/5/5 y -/1,2,2 - -",
    "b1b1y/1b1b1/b3b/5/5 y -/1,2,2 - b",
    "b1b1y/1b1b1/b3b/5/5 y -/1,2,2 b b",
]
WRONG = [
    # BK-5.2: the side
    f"{EMPTY} r */* - -",
    f"{EMPTY} g */* - -",
    f"{EMPTY} B */* - -",
    f"{EMPTY} by */* - -",
    f"{EMPTY} - */* - -",
    f"{EMPTY}  */* - -",
    # BK-5.3: the hands
    f"{EMPTY} b * - -",
    f"{EMPTY} b */*/* - -",
    f"{EMPTY} b */*/*/* - -",
    f"{EMPTY} b / - -",
    f"{EMPTY} b 1,1,2,2/* - -",  # is written *
    f"{EMPTY} b 1,1,1/* - -",
    f"{EMPTY} b 1,1,2,2,2/* - -",
    f"{EMPTY} b **/* - -",
    f"{ONE} y 2,1,2/* - -",
    f"{ONE} y 1,2,2,2/* - -",  # three of a piece, though without one of them the squares add up
    f"{ONE} y 1,2,2,/* - -",
    f"{ONE} y ,1,2,2/* - -",
    f"{ONE} y 1,,2,2/* - -",
    f"{ONE} y 1.2.2/* - -",
    f"{ONE} y 1,4/* - -",
    f"{ONE} y 2,V3/* - -",  # no piece of the set, though the squares add up
    f"{ONE} y 1,1,I3/* - -",
    f"{ONE} y 1,2,2/*/- - -",
    "b1b1y/1b1b1/b3b/5/5 y /1,2,2 - -",
    "b1b1y/1b1b1/b3b/5/5 y -,-/1,2,2 - -",
    # BK-5.1: the board
    f"{EMPTY}/5 b */* - -",
    "5/5/5/5 b */* - -",
    "r4/5/5/5/5 y 1,2,2/* - -",
    "b4/5/5/5/g4 y 1,2,2/* - -",
    # BK-5.4 and BK-5.5: the marks
    f"{EMPTY} b */* r -",
    f"{EMPTY} b */* yb -",
    f"{EMPTY} b */* bb -",
    f"{EMPTY} b */* * -",
    f"{EMPTY} b */* - r",
    f"{EMPTY} b */*  -",
    f"{EMPTY} b */* - - -",
    "b1b1y/1b1b1/b3b/5/5 y -/1,2,2 - bb",
    "b1b1y/1b1b1/b3b/5/5 y -/1,2,2 -b -",
    # BK-5.6: what does not fit
    f"{EMPTY} b 1,2,2/* - -",
    f"{ONE} y */* - -",
    f"{ONE} y 1,1,2/* - -",
    f"{ONE} y 2,2/* - -",
    "1b3/5/5/5/5 y 1,2,2/* - -",  # no start square
    "4b/5/5/5/5 y 1,2,2/* - -",  # the other one's
    "y4/5/5/5/5 b */1,2,2 - -",
    "b3y/5/5/5/y4 y 1,2,2/1,2,2 - -",
    f"{EMPTY} b */* b -",  # marked, and can place
    f"{ONE} y 1,2,2/* b -",
    f"{ONE} y 1,2,2/* y -",
    f"{ONE} y 1,2,2/* - b",  # single, with pieces left
    "b1b1y/1b1b1/b3b/5/5 y -/1,2,2 - y",
    "b1b1y/1b1b1/b3b/5/5 y -/1,2,2 - by",
]


def game_of_two(load, **options):
    """The game of the texts above."""
    return load("blokus", board=5, colours=2, pieces="up_to_2", copies=2, **options)


@pytest.mark.parametrize("text", RIGHT)
def test_bk_5_6_right_texts_are_read(load, text):
    assert " ".join(fields(at(game_of_two(load), text))) == text


@pytest.mark.parametrize("text", WRONG)
def test_bk_5_6_wrong_texts_are_refused(load, text):
    with pytest.raises(ParseError):
        at(game_of_two(load), text)


def test_bk_5_6_any_start_square_will_do_where_the_rules_say_so(load):
    game = game_of_two(load, start="any_corner")
    assert at(game, "4b/5/5/5/5 y 1,2,2/* - -").count_legal() == 3
    assert choices(at(game, "b3b/1b1b1/5/5/5 y 2/* - -")) == {"pass"}  # blue has both
    with pytest.raises(ParseError):
        at(game, "1b3/5/5/5/5 y 1,2,2/* - -")


def test_bk_5_6_marks_of_skip(load):
    game = load("blokus", board=7, colours=3, starts="a1+d4+g7", pieces="X", pass_mode="skip")
    empty, over = "/".join(["7"] * 7), "7/7/3y3/2yyy2/3y3/7/7"
    assert at(game, f"{empty} y */*/* b -") == game.new_initial_state()
    assert at(game, f"{empty} y */*/* br -").count_legal() == 5
    assert at(game, f"{over} r */-/* byr -").is_terminal()
    wrong = [f"{empty} b */*/* - -", f"{empty} b */*/* b -", f"{empty} r */*/* br -", f"{empty} y */*/* y -"]
    wrong += [f"{over} r */-/* {marks} -" for marks in ("-", "b", "y", "br", "by", "yr")]
    for text in wrong:
        with pytest.raises(ParseError):
            at(game, text)
    action = load("blokus", board=7, colours=3, starts="a1+d4+g7", pieces="X")
    for marks in ("-", "b", "y", "br", "by", "yr", "byr"):
        assert at(action, f"{over} r */-/* {marks} -").is_terminal()
    assert choices(at(action, f"{empty} b */*/* - -")) == {"pass"}


def test_bk_5_6_a_single_mark_needs_a_single_square_in_the_set(load):
    game = load("blokus", board=5, colours=2, pieces="2")
    assert at(game, "bb2y/4y/5/5/5 b -/- - -").is_terminal()
    for single in ("b", "y", "by"):
        with pytest.raises(ParseError):
            at(game, f"bb2y/4y/5/5/5 b -/- - {single}")
    with_single = load("blokus", board=5, colours=2, pieces="1")
    for single in ("-", "b", "y", "by"):
        assert fields(at(with_single, f"b3y/5/5/5/5 b -/- - {single}"))[4] == single


@pytest.mark.parametrize(("colours", "letters"), [(1, "b"), (2, "by"), (3, "byr"), (4, "byrg")])
def test_bk_5_6_letters_of_colours_that_do_not_play(load, colours, letters):
    game = load("blokus", board=5, colours=colours, pieces="1")
    hands = "/".join(["*"] * colours)
    for letter in "byrg":
        if letter in letters:
            assert fields(at(game, f"{EMPTY} {letter} {hands} - -"))[1] == letter
        else:
            for fault in (f"{letter} {hands} - -", f"b {hands} {letter} -", f"b {hands} - {letter}"):
                with pytest.raises(ParseError):
                    at(game, EMPTY, fault)


def test_bk_5_6_a_text_of_another_game_is_refused(load):
    text = load("blokus", "duo").new_initial_state().serialize()
    for options in ({"preset": "junior"}, {"preset": "duo", "start": "either"}, {}, {"preset": "duo", "copies": 2}):
        with pytest.raises(ParseError):
            load("blokus", **options).deserialize(text)


# 7. Presets and options


def test_bk_7_presets_are_texts(load):
    texts = {
        "classic": "",
        "classic-3": "sharing=fourth",
        "classic-2": "sharing=pairs",
        "duo": "board=14,colours=2,starts=e10+j5",
        "junior": "board=14,colours=2,starts=e10+j5,pieces=junior,copies=2,scoring=basic",
        "mini": "board=8,colours=2,starts=c6+f3,pieces=up_to_4,scoring=basic",
    }
    for preset, text in texts.items():
        game = load("blokus", preset)
        assert str(game) == f"blokus({text})"
        assert load(f"blokus({text})") == game
        assert load("blokus", **game.options) == game
        assert game.options["pass_mode"] == "action"
        assert game.options["start"] == "own_corner"
    with pytest.raises(ValueError, match="duo"):
        load("blokus", "trigon")


@pytest.mark.parametrize(
    ("options", "written"),
    [
        # BK-7.1: a list that says what `corners` says
        ({"starts": "corners"}, ""),
        ({"starts": "a20+t20+t1+a1"}, ""),
        ({"starts": "a20+t20+a1+t1"}, "starts=a20+t20+a1+t1"),
        ({"starts": "a20+t20+a1+t1", "start": "any_corner"}, "start=any_corner,starts=a20+t20+a1+t1"),
        ({"board": 5, "starts": "a5+e5+e1+a1"}, "board=5"),
        ({"board": 5, "colours": 3, "starts": "a5+e5+e1"}, "board=5,colours=3"),
        ({"board": 5, "colours": 2, "starts": "a5+e5"}, "board=5,colours=2"),
        ({"board": 5, "colours": 2, "starts": "a5+e1"}, "board=5,colours=2,starts=a5+e1"),
        ({"board": 5, "colours": 1, "starts": "a5"}, "board=5,colours=1"),
        ({"board": 5, "colours": 1, "starts": "e5"}, "board=5,colours=1,starts=e5"),
        ({"preset": "duo", "starts": "a14+n14"}, "board=14,colours=2"),
        ({"preset": "duo", "starts": "j5+e10"}, "board=14,colours=2,starts=j5+e10"),
        # BK-7.2: a set that has a word
        ({"pieces": "X+1+V3"}, "pieces=1+V3+X"),
        ({"pieces": "1"}, "pieces=1"),
        ({"pieces": "2+1"}, "pieces=up_to_2"),
        ({"pieces": "I3+V3+2+1"}, "pieces=up_to_3"),
        ({"pieces": "V3+I3+2"}, "pieces=2+I3+V3"),
        ({"pieces": "+".join(PIECES[:9])}, "pieces=up_to_4"),
        ({"pieces": "P+L5+I5+Z4+O+T4+L4+I4+V3+I3+2+1"}, "pieces=junior"),
        ({"pieces": "+".join(reversed(PIECES))}, ""),
        ({"pieces": "+".join(PIECES[:-1])}, f"pieces={'+'.join(PIECES[:-1])}"),
        ({"preset": "mini", "pieces": "all"}, "board=8,colours=2,starts=c6+f3,scoring=basic"),
        # what is the default is not written
        ({"preset": "junior", "copies": 1, "scoring": "advanced"}, "board=14,colours=2,starts=e10+j5,pieces=junior"),
        ({"start": "own"}, ""),
        ({"start": "either"}, "start=any_corner"),
        ({"copies": 2, "colours": 3, "board": 20}, "colours=3,copies=2"),
    ],
)
def test_bk_7_equal_games_have_equal_texts(load, options, written):
    game = load("blokus", **options)
    assert str(game) == f"blokus({written})"
    assert game == load(str(game)) == load("blokus", **game.options)
    assert hash(game) == hash(load(str(game)))
    assert game.new_initial_state().serialize().startswith(f"blokus({written}) ")
    if "preset" not in options:
        assert load(f"blokus({','.join(f'{key}={value}' for key, value in options.items())})") == game


def test_bk_7_options_come_in_any_order_on_input(load):
    text = "blokus(scoring=basic,pieces=up_to_4,starts=c6+f3,colours=2,board=8)"
    assert load(text) == load("blokus", "mini")
    assert load("blokus", "duo", starts="c6+f3", board=8, pieces="up_to_4", scoring="basic") == load("blokus", "mini")


def test_bk_7_1_corners_depend_on_the_board_and_the_colours(load):
    for side in range(5, 21):
        for colours in range(1, 5):
            game = load("blokus", board=side, colours=colours)
            cells = "+".join(cell_text(cell, side) for cell in starts(game.options))
            assert load("blokus", board=side, colours=colours, starts=cells) == game
            assert game.options["starts"] == "corners"


def test_bk_7_3_sharing_needs_four_colours(load):
    for sharing in ("pairs", "fourth"):
        assert load("blokus", sharing=sharing, board=6).options["colours"] == 4
        for colours in (1, 2, 3):
            with pytest.raises(ValueError, match="sharing"):
                load("blokus", sharing=sharing, colours=colours)
            assert load("blokus", sharing="none", colours=colours).num_players() == colours
