"""Properties, searched by Hypothesis: games as lists of small numbers, which shrink, and texts that are almost right.

Both implementations must accept and refuse the same texts, and whatever they accept must be sound and have one text.
"""

import random
import re

import blokus_model
import hypothesis.strategies as st
import pytest
from common import GAMES, LONG, QUICK, both, facts, positions
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as fixed_seed

import ziggurat as zg
from ziggurat import reference

PYLOS = [text for text in GAMES if text.startswith("pylos")]
BLOX = [text for text in GAMES if text.startswith("blox")]
CITY = [text for text in GAMES if text.startswith("numberplace_city")]
SIGNS = {  # of actions
    "pylos": "1234abcd>-stop",
    "blokus": "1234abcd,pas",
    "blox": "~wrgkj0123bdxnes-@",
    "numberplace_city": "rc123456789=pastunodl",
}
SMALL = [text for text in QUICK if text.startswith("blokus")]
RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
MANY = settings(RELAXED, max_examples=300)
FEW = settings(RELAXED, phases=[Phase.explicit, Phase.generate])  # shrinking takes minutes where a position is slow

choices = st.lists(st.integers(0, 40) | st.integers(0, 10**6), max_size=60)
seeds = st.integers(0, 3) | st.integers(0, 2**64 - 1)


def examples(text, many):
    """How many examples to try: fewer of the games that cost the reference more, or that have many options."""
    return many // {"blox": 3, "numberplace_city": 4}.get(zg.load_game(text).name, 1)


def play(state, numbers):
    """Play a choice after the other: the number says which of the legal actions, counted round."""
    for number in numbers:
        legal = state.legal_actions()
        if len(legal) == 0:
            break
        state.apply_action(int(legal[number % len(legal)]))
    return state


@MANY
@given(text=st.sampled_from(QUICK), seed=seeds, numbers=choices)
def test_both_play_the_same_game(text, seed, numbers):
    native, slow = (play(game.new_initial_state(seed), numbers) for game in both(text))
    assert facts(native) == facts(slow)
    assert native.count_turns() == slow.count_turns()
    assert native._broken_invariant() == ""
    assert native.get_game().deserialize(native.serialize()) == native
    for player in range(native.get_game().num_players()):
        assert native.resample(player, seed).serialize() == slow.resample(player, seed).serialize()


@settings(FEW, max_examples=8)
@given(text=st.sampled_from(LONG), numbers=choices)
def test_both_play_the_same_long_game(text, numbers):
    native, slow = (play(game.new_initial_state(), numbers) for game in both(text))
    assert facts(native) == facts(slow)
    assert native._broken_invariant() == ""


@MANY
@given(text=st.sampled_from(GAMES), seed=seeds, numbers=choices, cut=st.integers(0, 60))
def test_a_game_that_is_saved_goes_on_in_the_same_way(text, seed, numbers, cut):
    game = zg.load_game(text)
    saved = game.deserialize(play(game.new_initial_state(seed), numbers[:cut]).serialize())
    assert play(saved, numbers[cut:]) == play(game.new_initial_state(seed), numbers)


@MANY
@given(text=st.sampled_from(QUICK), numbers=choices, k=st.integers(0, 31))
def test_a_transformed_position_is_a_position(text, numbers, k):
    state = play(zg.load_game(text).new_initial_state(), numbers)
    everything = range(state.get_game().num_symmetries())
    image = state.transformed(k % len(everything))
    assert image._broken_invariant() == ""
    assert sorted(image.returns().tolist()) == sorted(state.returns().tolist())
    assert state in [image.transformed(back) for back in everything]
    assert image.canonical()[0] == state.canonical()[0]


# Texts.


def mutants(text, alphabet):
    """Texts that differ from a valid one in a few places."""
    place = st.integers(0, len(text))
    piece = st.text(alphabet, max_size=3) | st.sampled_from(
        [
            *(
                "/",
                "-",
                " ",
                ",",
                "0",
                "00",
                "-0",
                "+1",
                "1a1",
                "L",
                "b",
                "*",
                "1,",
                "1,1,2",
                "I3",
                "\u0661",
                "²",
                "\0",
            ),
            *(":", "+", "4+", "j", "x", "w", "k", "~w", "0b", "a1:w", "e5+a1", "."),
            *(
                "in",
                "out",
                "passed",
                "0>1",
                "1:9",
                "0:1:1",
                "count",
                "nobody",
                "last:0",
                "r1c1",
                "0:r5c5=5,",
                "=",
                "99",
            ),
        ]
    )
    change = st.tuples(place, st.integers(0, 3), piece)

    def changed(changes):
        new = text
        for start, length, inserted in changes:
            new = new[:start] + inserted + new[start + length :]
        return new

    return st.lists(change, min_size=1, max_size=3).map(changed)


def swaps(text):
    """Texts with two fields, or two characters, in each other's place."""
    return st.tuples(st.integers(0, len(text) - 1), st.integers(0, len(text) - 1)).map(
        lambda pair: "".join(text[{pair[0]: pair[1], pair[1]: pair[0]}.get(i, i)] for i in range(len(text)))
    )


def read(parse, text):
    """What a parser makes of a text; None if it refuses it, which it may do with ParseError only."""
    try:
        return parse(text)
    except zg.ParseError:
        return None


def samples(text, count):
    """Positions of random games of a game."""
    states = list(positions(zg.load_game(text), range(4)))
    return random.Random(text).sample(states, min(count, len(states)))


def check_position(text, position):
    """A text is refused by both or read as the same state, which is sound and writes it again; whether it is read."""
    native, slow = both(text)
    whole = f"{text} {position}"
    ours, theirs = read(native.deserialize, whole), read(slow.deserialize, whole)
    assert (ours is None) == (theirs is None), whole
    if ours is not None:
        assert ours.serialize() == theirs.serialize() == whole
        assert ours._broken_invariant() == ""
        assert facts(ours) == facts(theirs)
        for action in ours.legal_actions()[:: max(1, ours.count_legal() // 3)].tolist():
            assert ours.events(action) == theirs.events(action)
    return ours is not None


def position_texts(text, count):
    valid = [state.serialize().split(") ", 1)[1] for state in samples(text, count)]
    alphabet = "".join(sorted(set("".join(valid)))) + "x0 "
    return st.sampled_from(valid).flatmap(lambda position: mutants(position, alphabet) | swaps(position))


@pytest.mark.parametrize("text", QUICK)
def test_both_read_the_same_positions(text):
    @fixed_seed(1)
    @settings(RELAXED, max_examples=examples(text, 150))
    @given(position_texts(text, 40))
    def check(position):
        check_position(text, position)

    check()


@pytest.mark.slow
@pytest.mark.parametrize("text", QUICK)
def test_both_read_the_same_of_many_positions(text):
    @settings(RELAXED, max_examples=examples(text, 250))
    @given(position_texts(text, 200))
    def check(position):
        check_position(text, position)

    check()


@pytest.mark.parametrize(
    "number", ["0", "1", "-0", "-1", "+1", "00", "01", "", " 0", "0 ", "1.0", "65536", "9" * 30, "\u0661"]
)
def test_a_number_of_turns_has_one_text(number):
    check_position("pylos(max_turns=5)", f"................/........./..../. L - {number}")


@pytest.mark.parametrize("text", LONG)
def test_both_read_the_same_long_positions(text):
    @settings(FEW, max_examples=80)
    @given(position_texts(text, 20))
    def check(position):
        check_position(text, position)

    check()


@pytest.mark.parametrize("text", ["blokus()", "blokus(pass_mode=skip)"])
def test_both_read_the_same_sides_and_marks_late_in_a_game(text):
    states = list(positions(zg.load_game(text), range(1)))
    for state in (states[-1], states[-4], states[-12]):
        board, _, hands, _, single = state.serialize().split(" ")[1:]
        for side in "byrg":
            for passed in ("-", "b", "y", "r", "g", "yg", "rg", "br", "byr", "byg", "brg", "yrg", "byrg", "gb"):
                check_position(text, f"{board} {side} {hands} {passed} {single}")


def pylos_positions(base):
    """Positions put together part by part: most have one fault or none."""
    cells = [side * side for side in range(base, 0, -1)]
    level = {n: st.text("LD.", min_size=n, max_size=n) | st.text("LD", min_size=n, max_size=n) for n in cells}
    cell = st.sampled_from([zg.load_game("pylos", base=base).action_to_string(i) for i in range(sum(cells))])
    turn = st.just("-") | cell | st.tuples(cell, cell).map("-".join)
    empty_from = st.integers(1, base)

    @st.composite
    def position(draw):
        levels, top = [draw(level[n]) for n in cells], draw(empty_from)
        levels[top:] = ["." * n for n in cells[top:]]
        return (
            f"{'/'.join(levels)} {draw(st.sampled_from('LD'))} {draw(turn)} {draw(st.sampled_from([0, 0, 0, 1, 5, 9]))}"
        )

    return position()


@pytest.mark.parametrize("text", PYLOS)
def test_both_read_the_same_made_up_positions(text):
    @settings(RELAXED, max_examples=150)
    @given(pylos_positions(zg.load_game(text).options["base"]))
    def check(position):
        check_position(text, position)

    check()


def blokus_positions(text):
    """Positions of Blokus put together of the fields of several, with hands of any of the pieces: most have a fault."""
    columns = list(zip(*(state.serialize().split(" ")[1:] for state in samples(text, 60)), strict=True))
    options = zg.load_game(text).options
    letters, full = "byrg"[: options["colours"]], blokus_model.full_hand(options)
    hand = st.lists(st.sampled_from(full), max_size=len(full)).map(lambda names: sorted(names, key=full.index))
    written = hand.map(lambda names: "*" if names == full else ",".join(names) or "-")
    hands = st.lists(written, min_size=len(letters), max_size=len(letters)).map("/".join)
    marks = st.sets(st.sampled_from(letters)).map(lambda marked: "".join(sorted(marked, key=letters.index)) or "-")
    return st.tuples(
        st.sampled_from(columns[0]),
        st.sampled_from(letters),
        st.sampled_from(columns[2]) | hands,
        st.sampled_from(columns[3]) | marks,
        st.sampled_from(columns[4]) | marks,
    ).map(" ".join)


@pytest.mark.parametrize("text", SMALL)
def test_both_read_the_same_positions_of_other_parts(text):
    states = samples(text, 60)

    @settings(RELAXED, max_examples=100)
    @given(blokus_positions(text))
    def check(position):
        check_position(text, position)

    @settings(RELAXED, max_examples=100)
    @given(st.sampled_from(states), st.sampled_from("byrg"), st.sets(st.sampled_from("byrg")), st.sampled_from("-byrg"))
    def check_marks(state, side, passed, single):
        board, _, hands, _, _ = state.serialize().split(" ")[1:]
        marks = "".join(sorted(passed, key="byrg".index)) or "-"
        check_position(text, f"{board} {side} {hands} {marks} {single}")

    check()
    check_marks()


def blox_positions(text):
    """Positions of Blox in which cards, blocks and pieces have changed places, and small fields their values."""
    states = samples(text, 40)
    size = zg.load_game(text).options["board"]
    cells = st.sampled_from([f"{'abcdefghij'[column]}{row}" for column in range(size) for row in range(1, size + 1)])
    small = {
        0: ["AAAA", "ABBA", "BABA"],
        5: ["1", "2", "3", "4", "4+", "0", "5"],
        6: ["0", "1", "2", "3", "4"],
        7: ["-", "~w", "~r~k", "~k~r", "0b", "1b", "0bw", "0bwwj", "0bwrgk", "~g~g~g~g", "~w~w~w~w~w", "done"],
        8: ["0", "1", "39", "40", "60", "1999", "2000"],
        9: ["0" * 16 + "." + "f" * 16, "0.0", "F" * 16 + "." + "0" * 16],
    }

    @st.composite
    def position(draw):
        fields = draw(st.sampled_from(states)).serialize().split(") ", 1)[1].split(" ")
        for _ in range(draw(st.integers(1, 3))):
            kind = draw(st.integers(0, 12))
            if kind < 4:
                exchange(draw, fields, draw(st.sampled_from([(2, 3), (3, 4), (2, 4), (2, 2), (1, 2)])))
            elif kind < 6:
                place, cell = draw(st.sampled_from([1, 2])), draw(cells)
                fields[place] = re.sub(r"[a-j]\d+", cell, fields[place], count=1)
            else:
                place = draw(st.sampled_from(list(small)))
                fields[place] = draw(st.sampled_from(small[place]))
        return " ".join(fields)

    return position()


def exchange(draw, fields, places):
    """Two letters of two fields of a text change places; sets of letters are put in order again."""
    for place, other in [places]:
        letters = [[i for i, letter in enumerate(fields[x]) if letter in "wrgk"] for x in (place, other)]
        if not all(letters):
            return
        i, j = (draw(st.sampled_from(some)) for some in letters)
        first, second = fields[place][i], fields[other][j]
        fields[place] = fields[place][:i] + second + fields[place][i + 1 :]
        fields[other] = fields[other][:j] + first + fields[other][j + 1 :]
    for place in (1, 2, 4):
        fields[place] = re.sub("[wrgk]+", lambda run: "".join(sorted(run[0], key="wrgk".index)), fields[place])


@pytest.mark.parametrize("text", BLOX)
def test_both_read_the_same_positions_of_changed_parts(text):
    accepted = []

    @settings(FEW, max_examples=60)
    @given(blox_positions(text))
    def check(position):
        accepted.append(check_position(text, position))

    check()
    assert 5 < sum(accepted) < len(accepted)


def city_positions(text):
    """Positions of Numberplace City with fields of several, tiles that have changed places, and other small fields."""
    states = samples(text, 60)
    rows = [state.serialize().split(") ", 1)[1].split(" ") for state in states]
    players = zg.load_game(text).num_players()
    seat = st.sampled_from("0123"[: players + 1])
    digit = st.sampled_from("123456789")
    bonus = st.tuples(seat, digit).map(":".join) | st.tuples(seat, digit, digit).map(":".join)
    ends = st.tuples(st.sampled_from(["points", "area", "bonus", "last", "count", "limit"]), seat).map(":".join)
    small = {
        5: seat | st.tuples(seat, seat).map(">".join),
        6: st.sampled_from("-0123"),
        7: st.just("-") | bonus,
        8: st.sampled_from(["-", "nobody", "count"]) | ends,
        9: st.sampled_from(["0", "1", "59", "60", "61", "00", "2000", "2001"]),
        10: st.sampled_from(["0" * 16 + "." + "f" * 16, "0.0", "F" * 16 + "." + "0" * 16]),
    }

    @st.composite
    def position(draw):
        fields = list(draw(st.sampled_from(rows)))
        for _ in range(draw(st.integers(1, 3))):
            kind = draw(st.integers(0, 11))
            if kind < 3:
                exchange_tiles(draw, fields)
            elif kind < 5:
                other_of_a_seat(draw, fields)
            elif kind < 6:
                fields[1] = draw(st.permutations(fields[1].split(",")).map(",".join))
            elif kind < 7:
                fields[1] = re.sub(r"r\dc\d", f"r{draw(digit)}c{draw(digit)}", fields[1], count=1)
            elif kind < 8:
                place = draw(st.sampled_from([0, 1, 2, 5, 6, 7, 8]))
                fields[place] = draw(st.sampled_from(rows))[place]
            else:
                place = draw(st.sampled_from(list(small)))
                fields[place] = draw(small[place])
        return " ".join(fields)

    return position()


def exchange_tiles(draw, fields):
    """Two tiles, wherever they are, change places: on the board, laid, in hands, in the supply or the discard."""
    seats = [seat.split(":") for seat in fields[2].split("/")]
    if any(len(seat) != 4 for seat in seats):
        return
    piles = [list(fields[0]), list(fields[1]), *(list(seat[i]) for seat in seats for i in (1, 2))]
    piles += [list(fields[3]), list(fields[4])]
    laid = {i + 1 for i, sign in enumerate(fields[1]) if sign == "="}
    places = [(p, i) for p in range(len(piles)) for i, sign in enumerate(piles[p]) if sign in "123456789."]
    places = [(p, i) for p, i in places if p != 1 or i in laid]
    if len(places) < 2:
        return
    (p, i), (q, j) = draw(st.sampled_from(places)), draw(st.sampled_from(places))
    if "." in (piles[p][i], piles[q][j]) and p != q:
        return  # an empty cell is no tile
    piles[p][i], piles[q][j] = piles[q][j], piles[p][i]
    ordered = ["".join(pile) if k in (0, 1, len(piles) - 2) else "".join(sorted(pile)) for k, pile in enumerate(piles)]
    for k, seat in enumerate(seats):
        seat[1:3] = ordered[2 + 2 * k : 4 + 2 * k]
    fields[0], fields[1], fields[2] = ordered[0], ordered[1], "/".join(map(":".join, seats))
    fields[3], fields[4] = ordered[-2:]


def other_of_a_seat(draw, fields):
    """Other points, another status, or fewer tiles of a seat: the supply gets those."""
    seats = [seat.split(":") for seat in fields[2].split("/")]
    seat = draw(st.sampled_from(seats))
    if len(seat) != 4:
        return
    kind = draw(st.integers(0, 3))
    if kind == 0:
        seat[0] = draw(st.sampled_from(["0", "1", "2", "3", "4", "7", "8", "54", "55", "01", "-1"]))
    elif kind == 1:
        seat[3] = draw(st.sampled_from(["in", "passed", "out", "In", ""]))
    elif seat[kind - 1] != "-":
        tile, seat[kind - 1] = seat[kind - 1][0], seat[kind - 1][1:] or "-"
        fields[3] = tile + fields[3].strip("-")
    fields[2] = "/".join(map(":".join, seats))


@pytest.mark.parametrize("text", CITY)
def test_both_read_the_same_positions_of_numberplace_city_of_changed_parts(text):
    accepted = []

    @settings(RELAXED, max_examples=80)
    @given(city_positions(text))
    def check(position):
        accepted.append(check_position(text, position))

    check()
    assert 5 < sum(accepted) < len(accepted) - 5


@pytest.mark.parametrize(
    "name",
    [
        "pylos",
        "pylos(base=3)",
        "blokus",
        "blokus(board=10,pieces=1+V3+X+W+I5)",
        "blox",
        "blox(board=9,pawns=2)",
        "numberplace_city",
    ],
)
def test_both_read_the_same_actions(name):
    native, slow = both(name)
    ids = range(native.num_distinct_actions())
    valid = st.sampled_from(ids).map(native.action_to_string)
    texts = valid.flatmap(
        lambda text: mutants(text, "abcdst1234567890,>-pPAS@~nexwrgkj =u") | st.permutations(list(text)).map("".join)
    )
    others = st.text("abcd1234>-,", max_size=8) | st.text("@~0123nesw-xdbrgkj", max_size=6) | st.text(max_size=8)
    others |= st.text("rc0123456789=", max_size=6)

    @settings(RELAXED, max_examples=150 if native.name == "blokus" else 1000)
    @given(valid | texts | others | texts.map(str.upper))
    def check(text):
        if not text.isprintable() and any(0xD800 <= ord(letter) < 0xE000 for letter in text):
            return
        ours, theirs = read(native.string_to_action, text), read(slow.string_to_action, text)
        assert ours == theirs, text
        if ours is not None:
            assert native.string_to_action(native.action_to_string(ours)) == ours

    check()


@pytest.mark.parametrize("text", QUICK)
def test_both_read_the_same_turns(text):
    _, slow = both(text)
    states = [state for state in samples(text, 15) if not state.is_terminal()]

    @st.composite
    def cases(draw):
        state = draw(st.sampled_from(states))
        turn = draw(st.sampled_from(list(zg.perft(state, 1, divide=True)) or [""]))
        signs = SIGNS[state.get_game().name]
        other = mutants(turn, signs) if turn else st.text(signs)
        closing = st.sampled_from(["stop", "done"]).map(lambda word: turn + word)
        return state, draw(st.just(turn) | other | st.just(turn.upper()) | closing)

    @settings(RELAXED, max_examples=examples(text, 60))
    @given(cases())
    def check(case):
        state, turn = case
        twin = slow.deserialize(state.serialize())
        ours, theirs = read(state.string_to_turn, turn), read(twin.string_to_turn, turn)
        assert ours == theirs, (state, turn)
        if ours is not None:
            assert state.turn_to_string(ours) == turn.lower()

    if states:
        check()


def game_texts():
    """Texts of games, right and almost right."""
    options = {
        "base": ["3", "4", "5", "03", "+3", "-1", "3.0", "", " 3", "\u0663"],
        "patterns": ["squares", "none", "lines", "Lines", ""],
        "removal": ["optional", "mandatory", "true"],
        "remove_placed": ["true", "false", "True", "False", "1", "0", "yes"],
        "max_turns": ["0", "1", "65535", "65536", "00", "1e3", "-0", "1_0"],
        "board": ["5", "20", "4", "21", "05", "8.0", ""],
        "colours": ["1", "2", "3", "4", "0", "5"],
        "sharing": ["none", "pairs", "fourth", "Pairs", ""],
        "start": ["own_corner", "any_corner", "own", "either", "any"],
        "starts": ["corners", "e10+j5", "a1+b2", "a20+t20+t1+a1", "a5+e5+e1+a1", "c3", "c3+c3", "a01", "u1", "+"],
        "pieces": ["all", "junior", "up_to_2", "up_to_5", "1", "X+1", "1+1", "2+1", "1+2+I3+V3", "x", "1+", ""],
        "copies": ["1", "2", "0", "3"],
        "pass_mode": ["action", "skip", "never"],
        "scoring": ["advanced", "basic"],
        "colour": ["red"],
        "players": ["2", "3", "4", "1", "5"],
        "faces": ["synthetic", "+".join(["W" * 25 + ":00112233"] * 8), "Synthetic", "W:0", ""],
        "sides": ["random", "ABBA", "AAAA", "abba", "AB", ""],
        "hand": ["6", "1", "10", "0", "11"],
        "cards_per_colour": ["15", "1", "16", "5", "0", "17"],
        "blocks_per_colour": ["10", "1", "0", "11"],
        "pawns": ["4", "1", "0", "5"],
        "block_limit": ["7", "40", "0", "41"],
        "build_height": ["min", "exact", "max"],
        "reach": ["side", "region", "sides"],
        "reach_new": ["true", "false", "True"],
        "entry": ["outside", "from_edge_field", "edge"],
        "capture_moves": ["true", "false", "no"],
        "start_phase": ["1", "2", "4", "0", "5"],
        "two_player_setup": ["same", "printed", "Printed"],
        "tiles_per_number": ["9", "1", "12", "0", "13"],
        "areas": [
            "standard",
            "034678+012458",
            "4678+0346+2458",
            "0+1+2+3",
            "0+8",
            "84+0",
            "Standard",
            "00+1",
            "9+1",
            "",
        ],
        "board_conflict": ["all", "one", "One"],
        "out_at": ["0", "5", "7", "1", "127", "128"],
        "points_to_win": ["3", "1", "99", "0", "100"],
        "bonus_table": ["rrsddttpw", "---------", "wwwwwwwww", "rrsddttpx", "rrsddttp", "RRSDDTTPW", ""],
        "bonus_scope": ["own", "one_of_up_to", "all_up_to", "all"],
        "penalties_open": ["true", "false", "no"],
        "solo_point": ["built", "laid", "none"],
        "final_pass": ["free", "penalty", "Free"],
        "recycle": ["true", "false", "1"],
        "start_in_final": ["false", "true", "0"],
    }
    item = st.sampled_from(
        [f"{key}={value}" for key, values in options.items() for value in values] + ["", "base", "=", "base=3="]
    )
    named = ["pylos", "blokus", "blokus", "blox", "blox", "numberplace_city", "numberplace_city"]
    name = st.sampled_from([*named, "Pylos", "numberplace", "", "chess"])
    listed = st.tuples(name, st.lists(item, max_size=4)).map(lambda pair: f"{pair[0]}({','.join(pair[1])})")
    nearly = [games_nearly_right(name, options) for name in ("blox", "numberplace_city")]
    mutated = listed.flatmap(lambda text: mutants(text, "()=,pylos3+ \n"))
    return st.one_of(listed, games_of_blokus(), *nearly, mutated)


def games_of_blokus():
    """Texts of games of Blokus whose options are of the right form, and may not go together."""
    cell = st.sampled_from([f"{column}{row}" for column in "aceijt" for row in (1, 3, 5, 10, 20)])
    corners = ["a20+t20", "a5+e5+e1+a1", "a5", "a10+j10+j1", "corners"]
    pieces = st.lists(st.sampled_from(blokus_model.PIECES), min_size=1, max_size=12).map("+".join)
    parts = {
        "board": st.sampled_from([5, 10, 20]),
        "colours": st.integers(1, 4),
        "sharing": st.sampled_from(["none", "pairs", "fourth"]),
        "starts": st.lists(cell, min_size=1, max_size=4).map("+".join) | st.sampled_from(corners),
        "pieces": pieces | st.sampled_from(["+".join(blokus_model.JUNIOR), "junior", "up_to_3"]),
        "copies": st.integers(1, 2),
    }
    chosen = st.fixed_dictionaries({}, optional=parts)
    return chosen.map(lambda some: f"blokus({','.join(f'{key}={value}' for key, value in some.items())})")


def games_nearly_right(name, options):
    """Texts of games in which each value is allowed, or nearly, and some do not go together."""
    own = zg.load_game(name).options
    some = st.fixed_dictionaries({}, optional={key: st.sampled_from(options[key][:4]) for key in own})
    return some.map(lambda chosen: f"{name}({','.join(f'{key}={value}' for key, value in chosen.items())})")


def loaded(module, text):
    try:
        return str(module.load_game(text))
    except ValueError:
        return None


@settings(RELAXED, max_examples=2500)
@given(game_texts())
def test_both_read_the_same_games(text):
    ours = loaded(zg, text)
    assert ours == loaded(reference, text), text
    assert ours is None or str(zg.load_game(ours)) == ours


OPTION_VALUES = [
    2,
    3,
    4,
    5,
    20,
    21,
    0,
    1,
    -1,
    65535,
    65536,
    True,
    False,
    None,
    3.0,
    "3",
    "4",
    "true",
    "false",
    "squares",
    "none",
    "lines",
    "mandatory",
    "pairs",
    "own",
    "either",
    "corners",
    "a1+t1+a20+t20",
    "a1+t1",
    "junior",
    "2+1",
    "1+1",
    "X",
    "skip",
    "basic",
    9,
    10,
    16,
    40,
    "synthetic",
    "random",
    "ABBA",
    "ABB",
    "exact",
    "region",
    "from_edge_field",
    "printed",
    "standard",
    "4678+0346+0124+2458",
    "0+1+2+3",
    "3+2+10+0",
    "0+8",
    "rrsddttpw",
    "wp-tdsrrr",
    "one",
    "one_of_up_to",
    "laid",
    "penalty",
    99,
    127,
    b"all",
    ["1"],
]


def made(module, *arguments, **options):
    """The text of a game, or the type of the error."""
    try:
        return str(module.load_game(*arguments, **options))
    except (TypeError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name in zg.games() for option in [*zg.load_game(name).options, "colour"]]
)
def test_both_take_the_same_option_values(name, option):
    for value in OPTION_VALUES:
        assert made(zg, name, **{option: value}) == made(reference, name, **{option: value}), value


@pytest.mark.parametrize("name", ["blox"])
def test_both_refuse_values_that_do_not_go_together(name):
    """[BX-1.6] Hands must be dealt: values that are refused where nothing else is said, and taken with few cards."""
    for options in (
        {"cards_per_colour": 1},
        {"cards_per_colour": 1, "hand": 2},
        {"cards_per_colour": 1, "hand": 2, "players": 3},
        {"cards_per_colour": 10, "hand": 10, "players": 4},
        {"cards_per_colour": 9, "hand": 10, "players": 4},
        {"preset": "ravensburger2008", "cards_per_colour": 3},
        {"preset": "ravensburger2008", "cards_per_colour": 2},
    ):
        fits = 4 * options["cards_per_colour"] >= options.get("players", 2) * options.get(
            "hand", 5 if "preset" in options else 6
        )
        assert (made(zg, name, **options) is ValueError) == (not fits)
        assert made(zg, name, **options) == made(reference, name, **options)


def city_games():
    """Games of Numberplace City of any options, many of them with few tiles and small areas, in which much happens."""
    blocks = st.sets(st.sampled_from("012345678"), min_size=1, max_size=5).map(lambda chosen: "".join(sorted(chosen)))

    @st.composite
    def game(draw):
        options = {"players": draw(st.integers(2, 4)), "max_turns": draw(st.sampled_from([2000, 0, 1, 20, 80]))}
        for name, values in reference.api.find_rules("numberplace_city").OPTION_VALUES.items():
            if name not in ("players", "max_turns", "areas", "bonus_table") and draw(st.booleans()):
                options[name] = draw(st.sampled_from(list(values)[:13]))
        if draw(st.booleans()):
            options["areas"] = "+".join(draw(blocks) for _ in range(options["players"]))
        if draw(st.booleans()):
            options["bonus_table"] = draw(st.text("rsdtpw-", min_size=9, max_size=9))
        return zg.load_game("numberplace_city", **options)

    return game()


@settings(RELAXED, max_examples=250)
@given(game=city_games(), seed=seeds, numbers=choices)
def test_both_play_the_same_games_of_any_options(game, seed, numbers):
    """Every action of a game of random options, its events too, and all about the position that it leads to."""
    native, slow = (module.load_game(str(game)).new_initial_state(seed) for module in (zg, reference))
    for number in numbers:
        if native.is_terminal():
            break
        action = int(native.legal_actions()[number % native.count_legal()])
        assert native.events(action) == slow.events(action)
        native.apply_action(action)
        slow.apply_action(action)
        assert native.serialize() == slow.serialize()
        assert native._broken_invariant() == ""
    assert facts(native) == facts(slow)
    assert game.deserialize(native.serialize()) == native


PRESETS = dict.fromkeys(preset for name in zg.games() for preset in zg.describe(name)["presets"])


@pytest.mark.parametrize("preset", [*PRESETS, "", "Mini", "classic-4", None, 1, True])
@pytest.mark.parametrize("name", [*zg.games(), "chess"])
def test_both_take_the_same_presets(name, preset):
    assert made(zg, name, preset) == made(reference, name, preset)


@MANY
@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_text_is_refused_in_order(text):
    for name in zg.games():
        for game in both(name):
            state = game.new_initial_state()
            for parse in (
                game.deserialize,
                game.string_to_action,
                state.string_to_turn,
                lambda t, g=game: g.deserialize(f"{g} {t}"),
            ):
                if not any(0xD800 <= ord(letter) < 0xE000 for letter in text):
                    read(parse, text)
