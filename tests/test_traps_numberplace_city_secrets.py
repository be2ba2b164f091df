"""What players of Numberplace City do not see, and how it is drawn anew: section 6 and clause 8.5.

The draws are made a second time here, from `docs/random-stream.md` and NC-6.2.
"""

from collections import Counter
from itertools import permutations, product

import pytest
from numberplace_city_model import EMPTY, SOLVED, at, city, fill, flat, read, ready, seat, seat_text, tiles
from playing import play
from sampling import chi_square, far

from ziggurat.reference.random import DETERMINIZE, Stream, stream_key

BOARD = """
    1.. ... ...
    ... ... ...
    ... ... ...

    ... ... ...
    ... ..9 ...
    ... ... ...

    ... ... ...
    ... ... ...
    ... ... ..4
"""
CELLS = "1" + "." * 40 + "9" + "." * 38 + "4"


def midway(load, seats=None, laid="1:r4c5=7 2:r1c9=2", supply="835", chance="0" * 16 + "." + "0" * 16, **options):
    """A position with something in every part; seat 3 is to move."""
    known = {0: seat("1278", "59", 1), 1: seat(penalties="3"), 2: seat("3", "8", 2), 3: seat("66")}
    facts = {"laid": laid, "supply": supply, "discard": "4", "start": 1, "place": 2, "turns": 17, "chance": chance}
    return at(city(load, tiles_per_number=3, **options), BOARD, {**known, **(seats or {})}, rest="discard", **facts)


# [NC-8.5]


def test_nc_8_5_what_each_player_knows(load):
    state = midway(load)
    seats = [("1:{}:59:in", "1278"), ("0:{}:3:in", ""), ("2:{}:8:in", "3"), ("0:{}:-:in", "66")]
    for viewer, laid in enumerate(("1:r4c5=?,2:r1c9=?", "1:r4c5=7,2:r1c9=?", "1:r4c5=?,2:r1c9=2", "1:r4c5=?,2:r1c9=?")):
        shown = [text.format((hand if i == viewer else "?" * len(hand)) or "-") for i, (text, hand) in enumerate(seats)]
        expected = [str(viewer), CELLS, laid, "/".join(shown), "3", read(state).discard, "1", "2", "-", "-", "17"]
        assert state.information_state_string(viewer).split(" ") == expected


def test_nc_8_5_penalty_tiles_may_be_hidden(load):
    state = midway(load, penalties_open=False)
    for viewer in range(4):
        seats = state.information_state_string(viewer).split(" ")[3].split("/")
        expected = ["59", "3", "8", "-"]
        shown = [one if i == viewer or one == "-" else "?" * len(one) for i, one in enumerate(expected)]
        assert [text.split(":")[2] for text in seats] == shown


def test_nc_8_5_other_parts(load):
    game = city(load, bonus_scope="all_up_to")
    state = at(game, BOARD, {2: seat("3")}, bonus="2:9:6", start="0>2")
    assert state.information_state_string(0).endswith(" 77 - 0>2 - 2:9:6 - 0")
    state = at(city(load), EMPTY, {2: seat("3")}, end="bonus:1", rest="discard")
    discard = read(state).discard
    assert state.information_state_string(0).endswith(f" 0 {discard} 0 - - bonus:1 0")
    assert ":?:" in state.information_state_string(0)  # hands stay hidden after the end
    assert "0:3:" in state.information_state_string(2)


def test_nc_8_5_laid_tiles_are_open_after_an_end_by_points_or_area(load):
    laid = "0:r9c4=5 3:r5c9=5"
    west = fill(SOLVED, *(f"r{r}c{c}=." for r in range(1, 10) for c in range(1, 10) if (r < 4 or r > 6) and c > 3))
    west = fill(west, "r5c9=.")
    ends = [at(city(load), EMPTY, {2: seat(points=3)}, end="points:2", laid=laid)]
    ends.append(at(city(load, points_to_win=99), west, end="area:1", laid=laid))
    for state, viewer in product(ends, range(4)):
        assert state.information_state_string(viewer).split(" ")[2] == laid.replace(" ", ",")


def test_nc_8_5_for_players_that_there_are(load):
    state = city(load, players=3).new_initial_state()
    for wrong in (-1, 3):
        with pytest.raises(ValueError, match=str(wrong)):
            state.information_state_string(wrong)


# [NC-6.1]


def known(state, viewer):
    """All that a player can ask for."""
    views = [flat(state.view(name, p)) for name in ("layable", "candidates", "gain") for p in range(4)]
    views += [flat(state.view(name, viewer)) for name in ("hand", "facedown", "taken")]
    analyses = [flat(state.analysis(name)) for name in ("built", "laid", "penalties")]
    text = state.information_state_string(viewer)
    return text, flat(state.observation_tensor(viewer)), views, analyses, flat(state.legal_actions(viewer))


HIDDEN = [
    {"seats": {0: seat("1277", "59", 1)}, "laid": "1:r4c5=8 2:r1c9=2"},  # a hand and a laid tile
    {"seats": {0: seat("1258", "59", 1)}, "supply": "837"},  # a hand and the supply
    {"supply": "583"},  # the order of the supply
    {"chance": "f" * 16 + "." + "1" * 16},
]


@pytest.mark.parametrize("facts", HIDDEN)
@pytest.mark.parametrize("penalties_open", [True, False])
def test_nc_6_1_states_that_differ_in_what_is_hidden_look_the_same(load, facts, penalties_open):
    state = midway(load, penalties_open=penalties_open)
    other = midway(load, penalties_open=penalties_open, **facts)
    assert other != state
    for viewer in (2, 3):
        assert known(other, viewer) == known(state, viewer)
    for viewer, part in ((0, "seats"), (1, "laid")):
        assert (known(other, viewer) == known(state, viewer)) == (part not in facts)


def test_nc_6_1_penalty_tiles_are_public_or_not(load):
    swapped = {0: seat("1578", "29", 1)}  # a hand and a penalty tile
    for penalties_open in (True, False):
        state = midway(load, penalties_open=penalties_open)
        other = midway(load, swapped, penalties_open=penalties_open)
        for viewer in (1, 2, 3):
            assert (known(other, viewer) == known(state, viewer)) == (not penalties_open)
        assert known(other, 0) != known(state, 0)


def test_nc_6_1_all_else_is_seen(load):
    state = midway(load)
    text = state.serialize()
    texts = {state.information_state_string(3)}
    for old, new in (
        ("r4c5=7", "r4c4=7"),
        ("1:r4c5=7,", ""),
        ("/2:3:8", "/1:3:8"),
        (" 1 2 - ", " 1 3 - "),
        (" 17 ", " 16 "),
        ("=7,2:r1c9=2", "=7,2:r1c8=2"),
    ):
        assert old in text
        changed = text.replace(old, new, 1)
        if old == "1:r4c5=7,":
            changed = changed.replace(" 835 ", " 8357 ")
        texts.add(state.get_game().deserialize(changed).information_state_string(3))
    assert len(texts) == 7


def test_nc_6_1_tiles_of_the_eliminated_are_hidden_too(load):
    out = {0: seat("12", "44455", status="out")}
    other = {0: seat("13", "44455", status="out")}
    for viewer in (1, 2, 3):
        one, two = (at(city(load), EMPTY, seats, start=1) for seats in (out, other))
        assert one.information_state_string(viewer) == two.information_state_string(viewer)
        assert "0:??:44455:out" in one.information_state_string(viewer)


# [NC-6.2] The draws.


def resampled(state, viewer, seed):
    """The parts of the text of a state drawn anew."""
    game, now = state.get_game(), read(state)
    stream = Stream(stream_key(seed, 0, DETERMINIZE))
    chance = f"{stream.draw():016x}.{0:016x}"
    is_open = game.options["penalties_open"]
    shown = now.end.partition(":")[0] in ("points", "area")
    others = [player for player in range(game.num_players()) if player != viewer]
    hidden = [i for i, part in enumerate(now.laid) if int(part[0]) != viewer and not shown]
    unseen = [now.laid[i][-1] for i in hidden] + [tile for p in others for tile in now.seats[p].hand]
    unseen += [tile for p in others for tile in now.seats[p].penalties if not is_open] + list(now.supply)
    unseen.sort()
    stream.shuffle(unseen)
    for i in hidden:
        now.laid[i] = now.laid[i][:-1] + unseen.pop(0)
    for player in others:
        now.seats[player].hand = "".join(unseen.pop(0) for _ in now.seats[player].hand)
    for player in others:
        if not is_open:
            now.seats[player].penalties = "".join(unseen.pop(0) for _ in now.seats[player].penalties)
    seats = "/".join(map(seat_text, now.seats))
    parts = [str(game), now.board, ",".join(now.laid) or "-", seats, "".join(unseen) or "-", tiles(now.discard)]
    return " ".join([*parts, now.start, now.place, now.bonus, now.end, str(now.turns), chance])


@pytest.mark.parametrize("penalties_open", [True, False])
def test_nc_6_2_the_draws(load, penalties_open):
    state = midway(load, penalties_open=penalties_open)
    for viewer, seed in product(range(4), (0, 1, 2**64 - 1)):
        assert state.resample(viewer, seed).serialize() == resampled(state, viewer, seed)


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({}, {}),
        ({"players": 2}, {"laid": "0:r5c5=3 1:r1c2=2 1:r1c2=3", "place": 3}),
        ({"players": 2}, {"laid": "1:r1c2=2 1:r1c3=3", "place": 3}),
        ({"bonus_scope": "all_up_to"}, {"bonus": "2:9:6", "start": "3>2"}),
        ({"penalties_open": False}, {"end": "points:1", "laid": "2:r1c2=2 3:r9c7=7"}),
        ({"max_turns": 5}, {"turns": 5, "place": 2, "laid": "0:r9c7=7 1:r1c2=2"}),
        ({"penalties_open": False}, {"rest": "discard"}),
        ({}, {"end": "bonus:0"}),
    ],
)
def test_nc_6_2_the_draws_of_other_positions(load, options, facts):
    game = city(load, **options)
    seats = {0: seat("1357", "2244"), 1: seat("68", "9", 3 if facts.get("end") == "points:1" else 0)}
    state = at(game, BOARD, seats, **facts)
    for viewer, seed in product(range(game.num_players()), (0, 7)):
        sample = state.resample(viewer, seed)
        assert sample.serialize() == resampled(state, viewer, seed)
        assert sample.information_state_string(viewer) == state.information_state_string(viewer)


def test_nc_6_2_the_seed_is_0_if_none_is_given_and_the_state_stays(load):
    state = midway(load)
    before = state.serialize()
    assert state.resample(1) == state.resample(1, 0) == state.resample(player=1, seed=0)
    assert state.resample(1, 1) != state.resample(1, 0)
    assert state.serialize() == before
    for wrong in (-1, 4):
        with pytest.raises(ValueError, match=str(wrong)):
            state.resample(wrong)


def test_nc_6_2_a_sample_is_played_with_a_stream_of_its_own(load):
    keys = {read(midway(load).resample(2, seed)).chance for seed in range(30)}
    assert len(keys) == 30
    assert all(key.endswith("." + "0" * 16) for key in keys)


# [NC-6.2] Every deal, and how often.


def deals(unseen, sizes):
    """Every deal of some tiles, as often as it comes up: sets of these sizes, then a row in order."""
    found = Counter()
    for order in permutations(unseen):
        parts, rest = [], list(order)
        for size in sizes:
            parts.append("".join(sorted(rest[:size])))
            rest = rest[size:]
        found[(*parts, "".join(rest))] += 1
    return found


SAMPLES = 2000


def hidden_parts(state, viewer):
    """Everything that a player does not see, as `deals` writes it; with hidden penalty tiles."""
    now = read(state)
    others = [one for player, one in enumerate(now.seats) if player != viewer]
    parts = [part[-1] for part in now.laid if int(part[0]) != viewer] + [one.hand for one in others]
    if not state.get_game().options["penalties_open"]:
        parts += [one.penalties for one in others]
    return (*parts, now.supply)


@pytest.mark.parametrize(
    ("options", "seats", "laid", "unseen"),
    [
        # The discard and the viewer's own tiles are seen.
        ({"players": 2}, {0: seat("1"), 1: seat("23")}, "", "2345"),
        ({"players": 2}, {0: seat("1"), 1: seat("2")}, "1:r1c1=3", "23445"),
        ({"players": 3}, {0: seat("1"), 1: seat("3"), 2: seat("2", "6")}, "2:r9c9=4", "23455"),
        ({"players": 3, "penalties_open": False}, {0: seat("1"), 1: seat("3"), 2: seat("", "26")}, "", "23456"),
        ({"players": 2, "penalties_open": False}, {0: seat("1"), 1: seat("3", "4")}, "1:r1c1=5", "34556"),
    ],
)
def test_nc_6_2_every_consistent_deal_comes_up_as_often_as_it_should_and_nothing_else(
    load, options, seats, laid, unseen
):
    game = city(load, tiles_per_number=2, **options)
    hidden = "".join(part[-1] for part in laid.split()) + "".join(seats[p].hand for p in seats if p)
    hidden += "".join(seats[p].penalties for p in seats if p and not options.get("penalties_open", True))
    supply = "".join((Counter(unseen) - Counter(hidden)).elements())
    assert Counter(supply + hidden) == Counter(unseen)
    place = {"start": options["players"] - 1, "place": 2 if options["players"] == 2 else 1}
    if options["players"] == 2:
        place = {"start": 1, "place": 3}
    state = at(game, EMPTY, seats, supply=supply, rest="discard", laid=laid, **place)
    sizes = [len(part) for part in hidden_parts(state, 0)[:-1]]
    expected, found = deals(unseen, sizes), Counter()
    for seed in range(SAMPLES):
        found[hidden_parts(state.resample(0, seed), 0)] += 1
    assert set(found) == set(expected)
    assert chi_square(found, expected) < far(len(expected) - 1)


def test_nc_6_2_nothing_is_hidden_in_a_position_without_hidden_tiles(load):
    state = at(city(load), EMPTY, {2: seat("12")}, rest="discard")
    sample = state.resample(2, 5)
    assert read(sample).seats == read(state).seats
    assert read(sample).discard == read(state).discard
    assert read(sample).chance != read(state).chance


def test_nc_6_2_what_could_be_deduced_from_earlier_is_not_kept(load):
    # Seat 0 has seen seat 1 take the two 9s and lay one of them; a sample may hold the 9s anywhere.
    state, acts = ready(city(load, tiles_per_number=2), EMPTY, ["pass=9", "r1c1=9"], seats={1: seat("8")})
    play(state, *acts[:2])
    laid = {read(state.resample(3, seed)).laid[0][-1] for seed in range(80)}
    assert laid == set("123456789")
