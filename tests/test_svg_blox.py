"""Drawings of Blox: what they show is what the position says, and nobody sees more than he may."""

import itertools
import random
import re
from collections import Counter

import numpy as np
import pytest
from common import walk
from playing import play
from test_svg import BLOX, CLEAR, EYES, PAGE, PRINTED, SCENES, contrast, distance, middle, parsed, parts, scene, shapes

import ziggurat as zg
from ziggurat.formats import svg, svg_blox
from ziggurat.formats.blox_position import ENTER, last_turn

GAMES = [
    "blox()",
    "blox(players=4,capture_moves=false)",
    "blox(players=3,board=9,hand=5,build_height=exact)",
    "blox(board=9,hand=10,pawns=2,entry=from_edge_field,start_phase=4)",
]
NAMES = {"white": "W", "red": "R", "grey": "G", "black": "K"}
UNIT = svg_blox.UNIT


def deserialized(text):
    return zg.load_game(text.partition(" ")[0]).deserialize(text)


def sampled(text, seed=1, every=11, limit=330):
    """Some positions of a random game, each with the game's options."""
    return [state.clone() for state in itertools.islice(walk(zg.load_game(text), seed, limit), 0, None, every)]


class Picture:
    """A drawing of a board, read with the places of its fields alone."""

    def __init__(self, drawing, side):
        self.root, self.side = parsed(drawing), side
        corners = [middle(field) for field in shapes(parts(self.root, "fields"), "rect")]
        self.left, self.top = (min(values) - UNIT / 2 for values in zip(*corners, strict=True))

    def field(self, x, y):
        """The row and column of the field that a point lies in."""
        row, column = int((y - self.top) // UNIT), int((x - self.left) // UNIT)
        assert 0 <= row < self.side
        assert 0 <= column < self.side
        return row, column

    def of(self, elements):
        return [self.field(*middle(element)) for element in elements]

    def legal(self):
        return set(self.of(shapes(parts(self.root, "legal"), "circle")))

    def last(self):
        return {self.field(*middle(part[0])) for part in parts(self.root, "last")}


def picture(state, **arguments):
    return Picture(svg.draw(state, **arguments), state.get_game().options["board"])


def text_place(element):
    """Where the middle of a line of text is, about."""
    return float(element.get("x")), float(element.get("y")) - 3


def array(state, name):
    side = state.get_game().options["board"]
    return np.reshape(np.asarray(state.analysis(name)), (-1, side, side))


# The board.


@pytest.mark.parametrize("text", GAMES)
def test_fields_have_their_colour_and_its_letter(text):
    shown = picture(zg.load_game(text).new_initial_state(seed=4))
    expected = array(zg.load_game(text).new_initial_state(seed=4), "colours")[0]
    found = {}
    for part in parts(shown.root, "fields"):
        letter = NAMES[part.get("data-colour")]
        fields = shown.of(shapes([part], "rect"))
        assert part.get("fill") == svg_blox.LOOKS[letter].fill
        letters = shapes([part], "text")
        assert {element.text for element in letters} == {letter}
        assert [shown.field(*text_place(element)) for element in letters] == fields
        found |= dict.fromkeys(fields, "WRGK".index(letter))
    assert found == dict(np.ndenumerate(expected))
    assert len(shapes(parts(shown.root, "fields"), "rect")) == expected.size


@pytest.mark.parametrize("text", GAMES)
def test_towers_are_where_the_position_says(text):
    for state in sampled(text):
        shown, towers = picture(state), array(state, "towers")
        found = set()
        for part in parts(shown.root, "tower"):
            plate, *blocks = shapes([part], "rect")
            row, column = shown.field(*middle(plate))
            assert part.get("data-field") == f"{chr(ord('a') + column)}{shown.side - row}"
            assert set(shown.of(blocks)) == {(row, column)}
            fills = Counter(block.get("fill") for block in blocks)
            counts = [fills[svg_blox.LOOKS[letter].fill] for letter in "WRGK"]
            *letters, height = shapes([part], "text")
            assert [[element.text for element in letters].count(letter) for letter in "WRGK"] == counts
            assert counts == towers[:, row, column].tolist()
            assert height.text == str(sum(counts))
            found.add((row, column))
        assert found == {(int(row), int(column)) for _, row, column in np.argwhere(towers)}
        assert found


@pytest.mark.parametrize("text", GAMES)
def test_pawns_have_their_letter_and_rank(text):
    seen = 0
    for state in sampled(text):
        shown, owners = picture(state), array(state, "pawns")[0]
        for part in parts(shown.root, "pawns"):
            player = "ABCD".index(part.get("data-player"))
            fields = shown.of(shapes([part], "circle"))[::2]  # a ring and a disc each
            assert fields == [(int(row), int(column)) for row, column in np.argwhere(owners == player)]
            letters = [(element.text, shown.field(*text_place(element))) for element in shapes([part], "text")]
            letter = "ABCD"[player]
            assert letters == [pair for k, f in enumerate(fields) for pair in ((letter, f), (str(k), f))]
            discs = shapes([part], "circle")[1::2]
            assert {disc.get("fill") for disc in discs} <= {svg.SEATS[letter].fill}
            seen += len(fields)
        assert len(parts(shown.root, "pawns")) == state.get_game().num_players()
    assert seen > 20


@pytest.mark.parametrize("text", GAMES[1:3])
def test_coordinates_stand_at_their_rows_and_columns(text):
    state = zg.load_game(text).new_initial_state()
    shown = picture(state)
    names = [(element.text, *text_place(element)) for element in shapes(parts(shown.root, "coordinates"), "text")]
    assert len(names) == 2 * shown.side
    for name, x, y in names:
        if name.isdigit():
            assert x < shown.left
            assert int((y - shown.top) // UNIT) == shown.side - int(name)
        else:
            assert y > shown.top + UNIT * shown.side
            assert int((x - shown.left) // UNIT) == ord(name) - ord("a")
    assert not parts(parsed(svg.draw(state, coordinates=False)), "coordinates")


def test_the_highest_tower_stays_on_its_field():
    blocks = "".join(letter * 10 for letter in "wrgk")
    cards = "".join(letter * 12 for letter in "wrgk")
    chance = f"{'0' * 16}.{'0' * 16}"
    state = deserialized(f"blox() AAAA e5:{blocks} 0:wwwrrr:-:j:-/0:gggkkk:-:j:- {cards} - 1 0 - 0 {chance}")
    (part,) = parts(parsed(svg.draw(state)), "tower")
    plate, *squares = shapes([part], "rect")
    assert len(squares) == 40
    for square in squares:
        for axis, length in (("x", "width"), ("y", "height")):
            start, end = (float(e.get(axis)) for e in (square, plate))
            assert start >= end
            assert start + float(square.get(length)) <= end + float(plate.get(length))
    places = [middle(square) for square in squares]
    assert len(set(places)) == 40


# Legal actions and the last turn.


def touched(state, text):
    """The fields where an action changes what stands on the board, played in a copy to the end of its turn."""
    after = play(state.clone(), text)
    before, after = (
        np.concatenate([array(s, "towers").sum(axis=0, keepdims=True), array(s, "pawns")]) for s in (state, after)
    )
    return {(int(row), int(column)) for _, row, column in np.argwhere(before != after)}


def led_to(state, text):
    """The field that an action leads to: of those that it changes the one that its pawn does not stand on before."""
    own = array(state, "pawns")[0] == state.current_player()
    return {place for place in touched(state, text) if not own[place]}


def kind_of(name):
    """The kind of the first action of a turn: @ enter, - move, x capture, d demolish, b build, ~ swap."""
    return name[0] if name[0] in "@~" else re.sub("[^-xdb]", "", name[:3])


@pytest.mark.parametrize("text", GAMES)
def test_legal_actions_are_dotted(text):
    kinds = Counter()
    rng = random.Random(3)
    for state in sampled(text, every=5, limit=600):
        if state.in_turn():
            continue
        actions = state.legal_actions().tolist()
        names = {kind_of(name): name for name in map(state.action_to_string, rng.sample(actions, len(actions)))}
        for kind, name in names.items():
            dots = picture(state, legal=[name]).legal()
            kinds[kind] += 1
            if kind == "b":
                pawns = np.argwhere(array(state, "pawns")[0] == state.current_player()).tolist()
                assert dots == {tuple(pawns[int(name[0])])}
            else:
                assert dots == (set() if kind == "~" else led_to(state, name))
    assert set(kinds) == set("@-xdb~")


def test_all_legal_actions_are_those_of_the_player_to_move():
    for state in sampled(GAMES[1], every=61):
        mover = state.current_player()
        each = set().union(*(picture(state, legal=[a]).legal() for a in state.legal_actions().tolist()))
        assert picture(state, legal=True).legal() == picture(state, legal=True, player=mover).legal() == each
        other = (mover + 1) % 4
        assert not parts(parsed(svg.draw(state, legal=True, player=other)), "legal")
        with pytest.raises(ValueError, match="some of the 0 legal actions"):
            svg.draw(state, legal=[int(state.legal_actions()[0])], player=other)


def random_turns(text, seed, turns):
    """The states of a game before and after each turn, with the ids of its actions: turns of all kinds."""
    state, rng = zg.load_game(text).new_initial_state(seed), random.Random(seed)
    for _ in range(turns):
        if state.is_terminal():
            return
        before, actions = state.clone(), []
        while not actions or state.in_turn():
            legal = [(state.action_to_string(a), a) for a in state.legal_actions().tolist()]
            kinds = {}
            for name, action in legal:
                kinds.setdefault(kind_of(name), []).append(action)
            actions.append(rng.choice(kinds[rng.choice(sorted(kinds))]))
            state.apply_action(actions[-1])
        yield before, state.clone(), actions


@pytest.mark.parametrize("text", GAMES)
def test_the_last_turn_is_marked(text):
    kinds, surplus = Counter(), 0
    for before, after, actions in random_turns(text, 5, 250):
        names = [before.action_to_string(action) for action in actions]
        marked = picture(after, last_action=actions).last()
        kind = kind_of(names[0])
        kinds[kind] += 1
        changed = {
            (int(row), int(column))
            for name in ("pawns", "towers")
            for _, row, column in np.argwhere(array(before, name) != array(after, name))
        }
        if kind == "~":
            assert not marked
            continue
        own = array(before, "pawns")[0] == before.current_player()
        if kind == "b":
            assert changed <= marked
        elif kind == "x" and not after.get_game().options["capture_moves"]:
            pawns = np.argwhere(own).tolist()
            assert marked == {tuple(pawns[int(names[0][0])])}
        else:
            assert {place for place in changed if not own[place]} <= marked
        surplus += len(marked) - 1
        assert picture(after, last_action=[0, *names]).last() == marked  # of several turns the last one
    assert set(kinds) == set("@-xdb~")
    assert surplus < kinds.total() / 10  # seldom does a position leave open which pawn it was


def test_the_way_of_a_pawn_is_marked():
    (part,) = parts(parsed(scene("blox-hands")), "last")
    (path,) = [element for element in part if element.tag.endswith("path")]
    points = [tuple(map(float, pair)) for pair in re.findall(r"([\d.]+) ([\d.]+)", path.get("d"))]
    x, y = middle(part[0])
    assert len(points) == 3
    assert points[0][0] == x  # the tip looks north, on the side that the pawn came from
    assert all(points[0][1] < other[1] for other in points[1:])
    assert all(py > y for _, py in points)
    (part,) = parts(parsed(scene("blox")), "last")  # entered: there is no way
    assert not [element for element in part if element.tag.endswith("path")]


def test_a_pawn_that_captures_without_moving_looks_at_its_victim():
    state = deserialized(BLOX.replace("players=4", "players=4,capture_moves=false"))
    shown = picture(play(state, "1nx4"), last_action="1NX4")
    assert shown.last() == {(4, 4)}  # e6
    (path,) = shapes(parts(shown.root, "last"), "path")
    _, y = middle(parts(shown.root, "last")[0][0])
    points = [tuple(map(float, pair)) for pair in re.findall(r"([\d.]+) ([\d.]+)", path.get("d"))]
    assert all(py < y for _, py in points)
    assert points[0][1] == min(py for _, py in points)


def test_a_begun_turn_is_marked_and_told():
    shown = Picture(scene("blox-turn"), 9)
    assert shown.last() == {(1, 8)}  # i8, the pawn of rank 0
    assert shown.root[0].text == "Blox, 9 by 9: B to move, phase 3, begun: 0brrg"
    state = play(deserialized(PRINTED), "0b", "r")
    assert picture(state, last_action="r").last() == picture(state, last_action=["0b", "r"]).last() == {(1, 8)}
    swap = play(deserialized(PRINTED), "~r")
    assert not picture(swap, last_action=["~r"]).last()
    assert not picture(play(swap, "done"), last_action=["~r", "done"]).last()


@pytest.mark.parametrize(
    ("last", "turn"),
    [
        ("", ""),
        ("done", ""),
        ("@e5", "@e5"),
        ("@e5 0n-r", "0n-r"),
        ("0b w wj r done", "0b w wj r"),
        ("0n-r 0b w w", "0b w w"),
        ("0b w done ~w ~k done", "~k"),
        ("w w done", "w w"),
    ],
)
def test_the_last_turn_of_some_actions(last, turn):
    assert list(last_turn(last.split())) == turn.split()


@pytest.mark.parametrize(
    ("moves", "last", "words"),
    [
        ("1nx4", "0n-g", "last_action is what has been played last, not '0n-g': no piece of D fits"),
        ("1nx4", "@a1", "not '@a1': no piece of D fits"),
        ("1nx4", "0sx4", "not '0sx4': no piece of D"),
        ("1nx4", ["0b", "w", "w", "done"], "not '0b w w done': no piece of D"),
        ("1nx4", "0b", "not '0b': no piece of D"),
        ("1nx4", "done", "an action that has touched the board, not 'done'"),
        ("1nx4", "~w", "an action that has touched the board, not '~w'"),
        ("1nx4", "w", "an action that has touched the board, not 'w'"),
        ("~w", "~w", "an action that has touched the board, not '~w'"),
        ("1nx4", 100_000, "100000"),
        ("1nx4", "4n-w", "4n-w"),
    ],
)
def test_bad_last_actions_are_named(last, moves, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        svg.draw(play(deserialized(BLOX), moves), last_action=last)


# What players have, and secrets.


def hand(state, seat, **arguments):
    (part,) = parts(parsed(svg.draw(state, hands=True, **arguments)), "hand", player="ABCD"[seat])
    return part


def cards(part):
    (group,) = parts(part, "cards")
    return group.get("data-face"), "".join(e.text for e in shapes([group], "text")), len(shapes([group], "rect"))


def counts(part):
    (group,) = parts(part, "counts")
    return [int(element.text) for element in shapes([group], "text")[1::2]]


@pytest.mark.parametrize("text", GAMES)
def test_hands_show_what_each_player_has(text):
    size = state_pawns = 0
    for state in sampled(text, every=31):
        options, owners = state.get_game().options, array(state, "pawns")[0]
        size, state_pawns = options["hand"], options["pawns"]
        seats = state.serialize().split(" ")[3].split("/")
        blocks = np.reshape(state.analysis("blocks"), (-1, 4)).tolist()
        for player, seat in enumerate(seats):
            points, held, _, joker, _ = seat.split(":")
            part = hand(state, player, player=player)
            assert cards(part) == ("up", held.upper(), size)
            assert cards(hand(state, player)) == ("down", "", size)
            assert cards(hand(state, player, player=(player + 1) % len(seats))) == ("down", "", size)
            assert counts(part) == blocks[player]
            assert parts(part, "joker")[0].get("data-active") == {"j": "yes", "x": "no"}[joker]
            words = [element.text for element in shapes(parts(part, "words"), "text")]
            assert words[0] == f"{points} point{'s' * (points != '1')}"
            supply = [circle.get("fill") for circle in shapes([part], "circle")][1:]  # the first one is the token
            fill = svg.SEATS["ABCD"[player]].fill
            assert Counter(supply)[fill] == state_pawns - int((owners == player).sum())
            assert len(supply) == state_pawns
    assert size
    assert state_pawns


def test_hands_show_the_deck_and_the_discard():
    for state in sampled("blox()", every=31):
        _, _, _, _, deck, discard, *_ = state.serialize().split(" ")
        (part,) = parts(parsed(svg.draw(state, hands=True)), "deck")
        held = [0 if text == "-" else len(text) for text in (deck, discard)]
        assert shapes(parts(part, "words"), "text")[0].text == f"deck {held[0]}, discard {held[1]}"
        assert counts(part) == [discard.count(letter) for letter in "wrgk"]
    assert not parts(parsed(svg.draw(state)), "deck")
    assert not parts(parsed(svg.draw(state)), "hand")


@pytest.mark.parametrize("text", GAMES)
def test_secrets_stay_secret(text):
    """What a player cannot see does not change a drawing for him, and what nobody can see none for all."""
    for state in sampled(text, seed=2, every=61):
        players = range(state.get_game().num_players())
        for player in players:
            others = [state.resample(player, seed) for seed in range(4)]
            assert any(other != state for other in others)
            mine = {svg.draw(s, hands=True, player=player, legal=True) for s in (state, *others)}
            assert len(mine) == 1
            assert {svg.draw(s, hands=True) for s in (state, *others)} == {svg.draw(state, hands=True)}


def test_a_hand_is_shown_to_its_player_alone():
    state = deserialized(BLOX)
    drawings = [svg.draw(state, hands=True, player=player) for player in (None, 0, 1, 2, 3)]
    assert len(set(drawings)) == 5
    up = [[cards(part)[0] for part in parts(parsed(text), "hand")] for text in drawings]
    assert up == [["up" if seat == player else "down" for seat in range(4)] for player in (None, 0, 1, 2, 3)]


@pytest.mark.parametrize("text", GAMES)
def test_an_umpire_sees_all_cards_and_the_deck(text):
    for state in sampled(text, every=61):
        _, _, _, seats, deck, *_ = state.serialize().split(" ")
        for player, seat in enumerate(seats.split("/")):
            assert cards(hand(state, player, secrets=True))[:2] == ("up", seat.split(":")[1].upper())
        (part,) = parts(parsed(svg.draw(state, hands=True, secrets=True)), "deck")
        lines = shapes(parts(part, "order"), "text")
        assert "".join(line.text for line in lines) == deck.upper().strip("-")
        assert not parts(parsed(svg.draw(state, hands=True, player=0)), "order")


def test_an_umpire_is_no_player():
    with pytest.raises(ValueError, match="hidden from player 1: give secrets or player, not both"):
        deserialized(BLOX).to_svg(secrets=True, player=1)
    assert deserialized(BLOX).to_svg(secrets=False, player=1) == deserialized(BLOX).to_svg(player=1)


def test_hands_stay_where_they_were():
    """All positions of a game have drawings of one size."""
    for text in GAMES:
        boxes = {parsed(svg.draw(state, hands=True)).get("viewBox") for state in sampled(text, every=60)}
        assert len(boxes) == 1


def caption(state):
    *_, text = shapes(parts(parsed(svg.draw(state)), "caption"), "text")  # the first one is the token
    return text.text


def test_the_caption_says_how_the_game_stands():
    assert caption(zg.load_game("blox").new_initial_state()) == "A to move, phase 1"
    assert caption(zg.load_game("blox", start_phase=3).new_initial_state()) == "A to move, phase 3"
    assert caption(deserialized(BLOX.replace(" 2 3 - 103", " 4+ 3 - 103"))) == "D to move, phase 4, last round"
    assert caption(play(deserialized(BLOX), "~w")) == "D to move, phase 2, begun: ~w"


def test_the_caption_names_the_winners():
    seen = set()
    for seed in range(12):
        *_, state = walk(zg.load_game("blox(max_turns=25)"), seed)
        assert state.is_terminal()
        names = ["AB"[player] for player in state.winners()]
        assert caption(state) == (f"{names[0]} has won" if len(names) == 1 else "A and B have won")
        assert not shapes(parts(parsed(svg.draw(state)), "caption"), "circle")
        assert not parts(parsed(svg.draw(state, legal=True)), "legal")
        seen.add(len(names))
    assert seen == {1, 2}


def test_screen_readers_are_told_what_there_is():
    root = parsed(scene("blox-hands"))
    assert root[0].text == "Blox, 10 by 10: A to move, phase 2"
    words = root[1].text
    assert words.startswith("blox(players=4). A: 6 points, on h9, f7, c1, f1. B: 6 points, on c10, d8, d6. ")
    assert words.endswith("h1 WGK. Last: 1nx4.")
    assert "Towers: a10 RRG, i10 WGK, " in words


# Colours.

SETS = {
    "fields": [look.fill for look in svg_blox.LOOKS.values()],
    "pawns": [look.fill for look in svg.SEATS.values()],
    "marks": [svg.ACCENT, svg.HALO],
}


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("name", SETS)
def test_colours_differ_clearly_to_all_eyes(name, eyes):
    for one, other in itertools.combinations(SETS[name], 2):
        assert distance(one, other, eyes) >= CLEAR, f"{one} and {other} with {eyes}"


def test_letters_can_be_read():
    for look in (*svg_blox.LOOKS.values(), *svg.SEATS.values()):
        assert contrast(look.fill, look.ink) > 4.5  # WCAG 2.1, 1.4.3
    assert contrast(svg.ACCENT, svg.HALO) > 4.5
    assert contrast(svg_blox.BACK, svg.HALO) > 4.5


def test_the_page_shows_the_colours():
    page = PAGE.read_text(encoding="utf-8").partition("## Blox")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w)` \| (\w+|player) \| `(#\w{6})` \|", page, re.MULTILINE)
    looks = svg_blox.LOOKS | svg.SEATS
    names = {letter: name for name, letter in NAMES.items()} | dict.fromkeys("ABCD", "player")
    assert rows == [(letter, names[letter], look.fill) for letter, look in looks.items()]


# Arguments.


@pytest.mark.parametrize(
    ("player", "error", "words"),
    [
        (4, ValueError, "player is None or a number from 0 to 3, not 4"),
        (-1, ValueError, "not -1"),
        (2**70, ValueError, str(2**70)),
        (True, TypeError, "player is the number of a player or None, not True"),
        ("A", TypeError, "not 'A'"),
        (1.0, TypeError, "not 1.0"),
    ],
)
def test_bad_players_are_named(player, error, words):
    with pytest.raises(error, match=re.escape(words)):
        deserialized(BLOX).to_svg(player=player)


@pytest.mark.parametrize("name", ["blokus", "pylos"])
def test_games_without_secrets_have_no_viewer(load, name):
    state = load(name).new_initial_state()
    assert svg.draw(state, player=None) == svg.draw(state)
    with pytest.raises(ValueError, match=f"player is None for {name}, which has no secrets, not 0"):
        svg.draw(state, player=0)
    with pytest.raises(TypeError, match="not 'A'"):
        svg.draw(state, player="A")


def test_numpy_numbers_are_players():
    state = deserialized(BLOX)
    assert svg.draw(state, player=np.int64(2), hands=True) == state.to_svg(player=2, hands=True)


def test_a_drawing_changes_nothing():
    state = deserialized(BLOX)
    svg.draw(state, hands=True, player=0, legal=True)
    assert state.serialize() == BLOX


def test_scenes_have_what_they_are_to_show():
    assert all(SCENES[name][2] for name in ("blox", "blox-hands", "blox-turn"))
    assert ENTER.fullmatch("@j10j")[1] == "j10"
    assert parts(parsed(scene("blox")), "legal")
