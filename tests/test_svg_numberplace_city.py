"""Drawings of Numberplace City: what they show is what the position says, and nobody sees more than he may."""

import itertools
import re

import numpy as np
import pytest
from common import walk
from playing import play
from test_svg import (
    CITY,
    CITY_OF_TWO,
    CITY_WON,
    EYES,
    PAGE,
    SVG,
    contrast,
    distance,
    middle,
    parsed,
    parts,
    scene,
    shapes,
)

import ziggurat as zg
from ziggurat.formats import svg, svg_numberplace_city
from ziggurat.formats.numberplace_city_position import cell_of, name_of

GAMES = [
    "numberplace_city()",
    "numberplace_city(players=2)",
    "numberplace_city(players=3,out_at=20,penalties_open=false)",
    "numberplace_city(players=3,areas=01+3+12,bonus_scope=all_up_to)",
]
UNIT = svg_numberplace_city.UNIT
PALE = 9  # how far apart pale colours are, whose letters stand beside them


def deserialized(text):
    return zg.load_game(text.partition(" ")[0]).deserialize(text)


def sampled(text, seeds=range(3), every=9):
    """Some positions of random games."""
    game = zg.load_game(text)
    return [state.clone() for seed in seeds for state in itertools.islice(walk(game, seed, 200), 0, None, every)]


def fields(state):
    """The fields of a position text, without the game: board, laid, seats, supply, discard, ..."""
    return ["" if field == "-" else field for field in state.serialize().split(" ")[1:]]


class Picture:
    """A drawing, read with the place of its board alone."""

    def __init__(self, drawing):
        self.root = parsed(drawing)
        board = parts(self.root, "board")[0][0]
        edge = svg_numberplace_city.EDGE
        self.left, self.top = float(board.get("x")) + edge, float(board.get("y")) + edge
        assert float(board.get("width")) == 9 * UNIT + 2 * edge

    def cell(self, x, y):
        """The cell that a point lies in."""
        row, column = int((y - self.top) // UNIT), int((x - self.left) // UNIT)
        assert 0 <= row < 9
        assert 0 <= column < 9
        return 9 * row + column

    def of(self, elements):
        return [self.cell(*middle(element)) for element in elements]

    def dots(self):
        return set(self.of(shapes(parts(self.root, "legal"), "circle")))

    def last(self):
        return set(self.of(shapes(parts(self.root, "last"), "rect")))

    def laid(self):
        """Cell, player and number (`?` for a back) of each laid tile, cell by cell, from left to right."""
        found = []
        for part in parts(self.root, "laid"):
            for tile in parts(part, "tile"):
                cell = self.cell(*middle(shapes([tile], "rect")[0]))
                assert part.get("data-cell") == name_of(cell)
                found.append((cell, *read_tile(tile)))
        return found


def read_tile(tile):
    """The player's letter and the number on a tile, or `?`."""
    letter, *number = [element.text for element in tile.iter(f"{SVG}text")]
    assert letter == tile.get("data-player")
    assert (tile.get("data-face") == "up") == bool(number)
    assert shapes([tile], "rect")[0].get("fill") == svg.SEATS[letter].fill
    return letter, *(number or "?")


def picture(state, **arguments):
    return Picture(svg.draw(state, **arguments))


VIEWS = [{}, {"secrets": True}, {"player": 0}, {"player": 1}]


# The board.


@pytest.mark.parametrize("text", GAMES)
def test_built_tiles_are_where_the_position_says(text):
    seen = 0
    for state in sampled(text):
        shown = picture(state)
        (part,) = parts(shown.root, "built")
        numbers = [int(element.text) for element in shapes([part], "text")]
        found = np.zeros(81, int)
        found[shown.of(shapes([part], "rect"))] = numbers
        assert found.tolist() == np.ravel(state.analysis("built")).tolist()
        seen += len(numbers)
    assert seen > 50


@pytest.mark.parametrize("text", GAMES)
def test_blocks_have_the_colours_and_letters_of_their_areas(text):
    game = zg.load_game(text)
    areas = np.asarray(game.table("areas")).reshape(-1, 9, 9)
    shown = picture(game.new_initial_state())
    blocks = parts(shown.root, "block")
    assert [int(part.get("data-block")) for part in blocks] == list(range(9))
    for block, part in enumerate(blocks):
        row, column = 3 * (block // 3), 3 * (block % 3)
        letters = "".join("ABCD"[p] for p in range(len(areas)) if areas[p, row, column])
        assert "".join(element.text for element in shapes([part], "text")) == letters
        assert part.get("data-players") == letters
        assert set(shown.of(shapes([part], "circle"))) <= {9 * row + column}
        fills = [element.get("fill") for tag in ("rect", "path") for element in shapes([part], tag)]
        tints = [svg_numberplace_city.TINTS[letter] for letter in letters] or [svg_numberplace_city.NOBODYS]
        assert fills == [*tints, "none"]  # and the lines


def area(path):
    """The area of a path of closed polygons."""
    total = 0
    for polygon in re.findall("M(.*?)z", path):
        points = [tuple(map(float, point.split())) for point in polygon.split("L")]
        ahead = [*points[1:], points[0]]
        total += abs(sum(x * v - u * y for (x, y), (u, v) in zip(points, ahead, strict=True))) / 2
    return total


@pytest.mark.parametrize("count", [2, 3, 4])
def test_stripes_share_a_block(count):
    side, width = 118, 2 * 118 / (3 * count)
    bands = ["".join(svg_numberplace_city.band(5, 7, side, width * (k + count * i), width) for i in range(3))
             for k in range(count)]  # fmt: skip
    areas = [area(band) for band in bands]
    assert sum(areas) == pytest.approx(side**2, rel=1e-3)
    assert min(areas) > side**2 / count / 2
    points = [tuple(map(float, p)) for band in bands for p in re.findall(r"([\d.]+) ([\d.]+)", band)]
    assert {(min(values), max(values)) for values in zip(*points, strict=True)} == {(5, 123), (7, 125)}


@pytest.mark.parametrize("view", VIEWS, ids=str)
@pytest.mark.parametrize("text", GAMES)
def test_laid_tiles_lie_in_laying_order(text, view):
    ups = downs = 0
    for state in sampled(text, range(5), every=3):
        _, laid, *_, end, _, _ = fields(state)
        tiles = [re.split("[:=]", tile) for tile in laid.split(",") if tile]
        expected = [
            (cell_of(cell), "ABCD"[int(p)], number if end or "secrets" in view or view.get("player") == int(p) else "?")
            for p, cell, number in tiles
        ]
        assert picture(state, **view).laid() == sorted(expected, key=lambda tile: tile[0])
        downs += sum(number == "?" for _, _, number in expected)
        ups += sum(number != "?" for _, _, number in expected)
    assert (ups > 0) == bool(view)
    assert (downs > 0) == ("secrets" not in view)


def test_several_tiles_share_a_cell():
    assert picture(deserialized(CITY_OF_TWO), player=0).laid() == [(0, "A", "5"), (0, "B", "?"), (0, "B", "?")]
    assert picture(deserialized(CITY_OF_TWO), player=1).laid() == [(0, "A", "?"), (0, "B", "9"), (0, "B", "3")]
    for crowd in range(1, 4):
        tiles = ",".join(f"{k}:r1c1={k + 1}" for k in (0, 1, 1)[:crowd])
        laid = parts(parsed(svg.draw(deserialized(crowded(tiles)))), "laid")
        assert len(parts_of(laid, "tile")) == crowd
        for one, other in itertools.pairwise(shapes(parts_of(laid, "tile"), "rect")):
            assert float(one.get("x")) + float(one.get("width")) < float(other.get("x"))


def parts_of(groups, name):
    return [part for group in groups for part in parts(group, name)]


def crowded(tiles):
    """A position of two players at the start, after some tiles were laid."""
    return at_the_start("players=2", tiles, "0:-:-:in/0:-:-:in", tiles.count("=") % 4)


def at_the_start(options, laid, seats, place):
    """A position with an empty board; the supply has what nobody else has."""
    owned = "".join("".join(seat.split(":")[1:3]) for seat in seats.split("/"))
    numbers = re.findall(r"=(\d)", laid) + list(owned)
    supply = "".join(str(k) * (9 - numbers.count(str(k))) for k in range(1, 10))
    return (
        f"numberplace_city({options}) {'.' * 81} {laid} {seats} {supply} - 0 {place} - - 3 "
        "0000000000000000.0000000000000000"
    )


def test_laid_tiles_are_open_after_a_win():
    assert picture(deserialized(CITY_WON)).laid() == [(cell_of("r2c7"), "D", "9")]


def test_coordinates_stand_at_their_rows_and_columns():
    shown = picture(zg.load_game("numberplace_city").new_initial_state())
    texts = shapes(parts(shown.root, "coordinates"), "text")
    for element in texts:
        x, y = float(element.get("x")), float(element.get("y")) - 3.5
        kind, place = element.text[0], int(element.text[1]) - 1
        if kind == "c":
            assert x == shown.left + UNIT * (place + 0.5)
            assert y > shown.top + 9 * UNIT
        else:
            assert y == shown.top + UNIT * (place + 0.5)
            assert x < shown.left
    assert [element.text for element in texts] == [f"{kind}{k}" for kind in "cr" for k in range(1, 10)]
    assert not parts(
        picture(zg.load_game("numberplace_city").new_initial_state(), coordinates=False).root, "coordinates"
    )


# Actions.


@pytest.mark.parametrize("text", GAMES)
def test_legal_actions_are_dotted(text):
    kinds = set()
    for state in sampled(text, range(6), every=4):
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        cells = {cell_of(found[1]) for t in texts if (found := re.fullmatch(r"(?:remove=)?(r\dc\d)(?:=\d)?", t))}
        mover = max(state.current_player(), 0)
        assert picture(state, legal=True).dots() == picture(state, legal=True, player=mover).dots() == cells
        assert picture(state, legal=True, secrets=True).dots() == cells
        assert not picture(state, legal=True, player=(mover + 1) % state.get_game().num_players()).dots()
        if cells:
            kinds.add(texts[0].partition("=")[0] == "remove" or "lay")
            assert picture(state, legal=texts[:1]).dots() <= cells
    assert kinds == {"lay", True}


def test_the_last_actions_are_marked():
    state = deserialized(CITY)
    assert picture(state).last() == picture(state, last_action=[]).last() == set()
    assert picture(state, last_action="r8c5=1").last() == {cell_of("r8c5")}
    assert picture(state, last_action=["r2c4=8", "r8c5=1"]).last() == {cell_of("r2c4"), cell_of("r8c5")}
    after = play(state, "r6c3=1")
    assert picture(after, last_action=["r8c5=1", "r6c3=1"]).last() == {cell_of("r8c5"), cell_of("r6c3")}
    assert picture(after, last_action=["r8c5=1", "r8c5=1"]).last() == {cell_of("r8c5")}
    assert picture(deserialized(CITY_WON), last_action="r1c4=2").last() == {cell_of("r1c4")}


def test_bonuses_are_marked_on_the_board_alone():
    start = deserialized(BONUS.format(number=4))
    assert picture(play(start.clone(), "remove=r1c1"), last_action="remove=r1c1").last() == {0}
    turned = play(start.clone(), "turn=left")
    shown = picture(turned, last_action=["r1c9=1", "turn=left"])
    (part,) = parts(shown.root, "last")
    assert {float(rect.get("width")) for rect in part} == {9 * UNIT - 4}
    assert not shown.laid()
    assert picture(play(start.clone(), "start"), last_action=["start"]).last() == set()


BONUS = (
    f"numberplace_city(players=2,bonus_table=rst------,bonus_scope=one_of_up_to) 2{'.' * 80} - 0:1134:-:in/0:1567:-:in "
    f"{'1' * 6}{'2' * 8}{'3' * 8}{'4' * 8}{'5' * 8}{'6' * 8}{'7' * 8}{'8' * 9}{'9' * 9} - 0 - 0:{{number}} - 4 "
    "0000000000000000.0000000000000000"
)


@pytest.mark.parametrize(
    ("position", "last", "words"),
    [
        (CITY, "r8c6=1", "not 'r8c6=1': it was 'r8c5=?'"),
        (CITY, ["r2c4=8", "r8c6=1"], "not 'r8c6=1': it was 'r8c5=?'"),
        (CITY, ["r2c5=8", "r8c5=1"], "not 'r2c5=8': it was 'r2c4=?'"),
        (CITY, "pass=1", "an action that has touched the board, not 'pass=1'"),
        (CITY, "start", "an action that has touched the board, not 'start'"),
        (CITY_OF_TWO, "pass=1", "an action that has touched the board, not 'pass=?'"),
        (CITY, "remove=r1c2", "not 'remove=r1c2': a tile lies there"),
        (CITY, "r0c1=1", "r0c1"),
    ],
)
def test_bad_last_actions_are_named(position, last, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        deserialized(position).to_svg(last_action=last)


def test_who_sees_a_number_is_told_a_wrong_one():
    with pytest.raises(ValueError, match="not 'r8c5=2': it was 'r8c5=1'"):
        deserialized(CITY).to_svg(last_action="r8c5=2", player=0)
    assert "Last: r8c5=?." in deserialized(CITY).to_svg(last_action="r8c5=2", player=1)


# What the players have.


def hand(state, seat, **arguments):
    (part,) = parts(parsed(svg.draw(state, hands=True, **arguments)), "hand", player="ABCD"[seat])
    return part


def texts_of(groups):
    return [element.text for element in shapes(groups, "text")]


@pytest.mark.parametrize("view", VIEWS, ids=str)
@pytest.mark.parametrize("text", GAMES)
def test_hands_show_what_each_player_has(text, view):
    statuses = set()
    for state in sampled(text, every=13):
        limits = int(np.asarray(state.get_game().options["points_to_win"]))
        is_open = state.get_game().options["penalties_open"]
        for player, seat in enumerate(fields(state)[2].split("/")):
            points, tiles, penalties, status = seat.replace("-", "").split(":")
            part = hand(state, player, **view)
            seen = "secrets" in view or view.get("player") == player
            shown = [read_tile(tile) for tile in parts_of(parts(part, "tiles"), "tile")]
            assert shown == [("ABCD"[player], tile if seen else "?") for tile in tiles]
            assert texts_of(parts(part, "words"))[0] == f"{points} of {limits} points"
            assert texts_of(parts(part, "words"))[-1].split("/")[0] == str(len(penalties))
            heap = parts(part, "penalties")
            if not seen and not is_open and len(penalties) < 10:
                assert [read_tile(tile) for tile in parts_of(heap, "tile")] == [("ABCD"[player], "?")] * len(penalties)
            elif len(penalties) < 10:
                assert "".join(texts_of(heap)) == penalties
            statuses.add(status)
            assert (status in ", ".join(texts_of(parts(part, "notes")))) == (status != "in")
            assert part.get("opacity") == ("0.5" if status == "out" else "1")
    assert statuses >= {"in", "out"}


def test_many_penalty_tiles_lie_in_heaps():
    options = "players=2,out_at=20,penalties_open=false"
    state = deserialized(at_the_start(options, "-", "0:13:2499:in/0:24:122678888999:in", 0))
    assert state.analysis("penalties").tolist() == [4, 12]
    part = hand(state, 1, player=1)
    heap = parts(part, "penalties")
    assert texts_of(parts_of(heap, "tile")) == ["1", "2", "6", "7", "8", "9"]
    assert texts_of(parts_of(heap, "counts")) == ["1", "2", "1", "1", "4", "3"]
    part = hand(state, 1, player=0)
    assert texts_of(parts_of(parts(part, "penalties"), "counts")) == ["12"]


def test_the_panel_shows_supply_and_discard():
    for state in sampled("numberplace_city()", every=9):
        supply, discard = fields(state)[3:5]
        (part,) = parts(parsed(svg.draw(state, hands=True)), "deck")
        assert texts_of(parts(part, "words")) == [f"supply {len(supply)}, discard {len(discard)}"]
        heaps = texts_of(parts(part, "counts"))
        expected = [[str(k), *([str(discard.count(str(k)))] if str(k) in discard else [])] for k in range(1, 10)]
        assert sorted(heaps) == sorted(itertools.chain(*expected))
        assert not parts(part, "order")
        (part,) = parts(parsed(svg.draw(state, hands=True, secrets=True)), "deck")
        assert "".join(texts_of(parts(part, "order"))) == supply
    assert not parts(parsed(svg.draw(state)), "deck")
    assert not parts(parsed(svg.draw(state)), "hand")


def test_the_start_player_is_named():
    state = deserialized(CITY)
    assert [texts_of(parts(hand(state, player), "notes")) for player in range(4)] == [[], [], ["start"], ["out"]]
    moved = play(
        deserialized(BONUS.format(number=2).replace("one_of_up_to", "all_up_to").replace("0:2", "0:2:2")), "start"
    )
    assert texts_of(parts(hand(moved, 0), "notes")) == ["start"]
    later = deserialized(BONUS.replace("0 - 0:{number}", "1>0 - 0:3:3").replace("one_of_up_to", "all_up_to"))
    assert [texts_of(parts(hand(later, player), "notes")) for player in (0, 1)] == [["next start"], ["start"]]


@pytest.mark.parametrize("text", GAMES)
def test_secrets_stay_secret(text):
    """What a player cannot see does not change a drawing for him, and what nobody can see none for all."""
    for state in sampled(text, seeds=range(2), every=5):
        for player in range(state.get_game().num_players()):
            others = [state.resample(player, seed) for seed in range(4)]
            assert any(other != state for other in others)
            mine = {svg.draw(s, hands=True, player=player, legal=True) for s in (state, *others)}
            assert len(mine) == 1
            assert {svg.draw(s, hands=True) for s in (state, *others)} == {svg.draw(state, hands=True)}


def test_the_last_tile_stays_secret():
    """Two tiles that were laid on the same cell look the same to all who do not see them."""
    start = deserialized(at_the_start("players=2,penalties_open=false", "-", "0:1357:2:in/0:2349:-:in", 0))
    pairs = [("r1c2=1", "r1c2=7"), ("pass=1", "pass=7")]
    for one, other in pairs:
        seen = [svg.draw(play(start.clone(), last), last_action=[last], player=player, hands=player == 0)
                for player in (1, None, 0) for last in (one, other)]  # fmt: skip
        assert seen[0] == seen[1]
        assert seen[2] == seen[3]
        assert seen[4] != seen[5]


def test_hands_stay_where_they_were():
    """All positions of a game have drawings of one size."""
    for text in GAMES:
        for view in VIEWS:
            boxes = {parsed(svg.draw(state, hands=True, **view)).get("viewBox") for state in sampled(text, every=12)}
            assert len(boxes) == 1


# Words.


def caption(state):
    *_, text = texts_of(parts(parsed(svg.draw(state)), "caption"))  # the first one is the token
    return text


def test_the_caption_says_how_the_game_stands():
    assert caption(zg.load_game("numberplace_city").new_initial_state()) == "A to move"
    assert caption(deserialized(CITY)) == "B to move"
    assert caption(deserialized(BONUS.format(number=3))) == "A decides the bonus of a 3"
    assert caption(deserialized(CITY_WON)) == "C has won with points enough"
    assert not shapes(parts(parsed(svg.draw(deserialized(CITY_WON))), "caption"), "circle")


HOW = {
    "points": " with points enough",
    "bonus": " by a bonus",
    "last": " as the last one",
    "area": " with a full area",
    "nobody": "",
    "count": " by points",
    "": " by points, at the limit of turns",
}


def test_the_caption_names_the_winners():
    seen = set()
    for options in ("", "max_turns=9", "players=3"):
        for seed in range(60):
            *_, state = walk(zg.load_game(f"numberplace_city({options})"), seed)
            end, names = fields(state)[8], ["ABCD"[player] for player in state.winners()]
            who = svg.listed(names) if names else "nobody"
            how = HOW[end.partition(":")[0]]
            assert caption(state) == f"{who} {'have' if len(names) > 1 else 'has'} won{how}"
            seen.add(end.partition(":")[0])
    assert seen >= {"bonus", "last", "nobody", ""}


def test_screen_readers_are_told_what_there_is():
    root = parsed(scene("city"))
    assert root[0].text == "Numberplace City, 4 players: B to move"
    words = root[1].text
    assert words.startswith("numberplace_city(). A: 0 points, 2 tiles, penalty tiles 5. B: 0 points, 3 tiles, ")
    assert "D: 1 point, 3 tiles, penalty tiles 13347, out. Built: r1c2 8, r1c3 2, " in words
    assert words.endswith("Laid: C r2c4 ?, A r8c5 1. Last: r8c5=1.")
    assert parsed(svg.draw(deserialized(CITY), last_action="r8c5=1"))[1].text.endswith("A r8c5 ?. Last: r8c5=?.")


# Colours.


@pytest.mark.parametrize("eyes", EYES)
def test_areas_differ_to_all_eyes(eyes):
    tints = svg_numberplace_city.TINTS
    for one, other in itertools.combinations([*tints.values(), svg.HALO], 2):
        assert distance(one, other, eyes) >= PALE, f"{one} and {other} with {eyes}"
    assert list(tints) == list(svg.SEATS)


def test_letters_can_be_read():
    for look in svg.SEATS.values():
        assert contrast(look.fill, look.ink) > 4.5  # WCAG 2.1, 1.4.3
    assert contrast(svg.INK, svg.HALO) > 4.5
    for tint in (*svg_numberplace_city.TINTS.values(), svg_numberplace_city.NOBODYS):
        assert contrast(tint, svg_numberplace_city.GROUND) > 3


def test_the_page_shows_the_colours():
    rows = re.findall(r"^\| `(\w)` \| area \| `(#\w{6})` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == svg_numberplace_city.TINTS


def test_a_drawing_changes_nothing():
    state = deserialized(CITY)
    svg.draw(state, hands=True, player=0, legal=True, last_action="r8c5=1")
    assert state.serialize() == CITY


def test_an_umpire_is_no_player():
    with pytest.raises(ValueError, match="hidden from player 0: give secrets or player, not both"):
        deserialized(CITY).to_svg(secrets=True, player=0)
