"""The reference of Blox alone: set-up, what never changes, turns counted in another way, texts, what is hidden."""

import random
from collections import Counter
from functools import cache
from itertools import pairwise, product

import pytest

from ziggurat import reference
from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.reference import blox_layout as layout
from ziggurat.reference.api import find_rules
from ziggurat.reference.random import Stream, stream_key

RULES = find_rules("blox")
SETTINGS = [{}, RULES.PRESETS["ravensburger2008"], *RULES.LAW_OPTIONS]
LETTERS = "wrgk"


def name(options):
    """A short name of some settings."""
    return ",".join(f"{key}={str(value)[:12]}" for key, value in options.items()) or "standard"


every_setting = pytest.mark.parametrize("options", SETTINGS, ids=name)


def kind(text):
    """The kind of the action that has a text, as a letter."""
    if text == "done":
        return text
    if text[0] in "@~":
        return text[0]
    return "block" if text[0] in LETTERS else text[1] if text[1] == "b" else text[2]


@cache
def walked(index):
    """States of some random games of a setting, in which what is rare is played where it can be."""
    game = reference.load_game("blox", **{**SETTINGS[index], "max_turns": 45})
    states = []
    for seed in range(2):
        rng, state = random.Random(f"{index} {seed}"), game.new_initial_state(seed)
        states.append(state.clone())
        while not state.is_terminal():
            kinds = {action: kind(state.action_to_string(action)) for action in state.legal_actions()}
            rare = [other for other in ("b", "d", "x", "block") if other in kinds.values()]
            chosen = rare[0] if rare and rng.random() < 0.8 else rng.choice(sorted(set(kinds.values())))
            state.apply_action(rng.choice([action for action, other in kinds.items() if other == chosen]))
            states.append(state.clone())
    return states


def states_of(options):
    return walked(SETTINGS.index(options))


def fields(state):
    """The fields of the text of a position."""
    return state.serialize().split(" ")[1:]


def letters(text):
    """How many of each colour a text names."""
    return tuple(text.count(letter) for letter in LETTERS)


def total(*texts):
    return letters("".join(texts))


def seats(state):
    """(points, cards, blocks, joker, pawns) of each seat, as texts."""
    return [seat.split(":") for seat in fields(state)[2].split("/")]


def towers(state):
    """The blocks of each tower, by the text of its field."""
    text = fields(state)[1]
    return dict(part.split(":") for part in text.split(",")) if text != "-" else {}


def pawns(seat):
    return [] if seat[4] == "-" else seat[4].split("+")


# Set-up.


@every_setting
def test_the_start_has_all_cards_and_blocks(options):
    state = states_of(options)[0]
    chosen = state.get_game().options
    printed = chosen["two_player_setup"] == "printed"
    heights = [len(tower) for tower in towers(state).values()]
    assert sum(heights) == 4 * (chosen["blocks_per_colour"] - printed)
    assert max(heights, default=0) <= 4
    if chosen["blocks_per_colour"] == 10:
        assert Counter(heights) == dict.fromkeys([2, 3, 4] if printed else [1, 2, 3, 4], 4)
    assert len(seats(state)) == chosen["players"]
    for points, cards, blocks, joker, on_board in seats(state):
        assert [points, len(cards), blocks, joker, on_board] == ["0", chosen["hand"], "-", "j", "-"]
    assert fields(state)[4:9] == ["-", str(chosen["start_phase"]), "0", "-", "0"]


@every_setting
def test_the_start_is_drawn_from_the_stream_of_the_seed(options):
    game = reference.load_game("blox", **options)
    chosen = game.options
    stream = Stream(stream_key(5, 0, 0))
    sides = chosen["sides"] if chosen["sides"] != "random" else "".join("AB"[stream.bounded(2)] for _ in range(4))
    blocks = list("wrgk" * (chosen["blocks_per_colour"] - (chosen["two_player_setup"] == "printed")))
    cards = list("wrgk" * chosen["cards_per_colour"])
    for items in (blocks, cards):
        items.sort(key=LETTERS.index)
        stream.shuffle(items)
    state = game.new_initial_state(5)
    assert fields(state)[0] == sides
    for seat, (_, hand, *_) in enumerate(seats(state)):
        assert letters(hand) == total(*cards[seat * chosen["hand"] : (seat + 1) * chosen["hand"]])
    assert fields(state)[3] == "".join(cards[chosen["players"] * chosen["hand"] :]) or "-"
    assert fields(state)[9] == f"{stream_key(5, 0, 0):016x}.{stream.counter:016x}"


def test_shipped_layouts_are_balanced():
    for board, counts in ((10, [25, 25, 25, 25]), (9, [20, 20, 20, 21])):
        for sides in map("".join, product("AB", repeat=4)):
            game = reference.load_game("blox", board=board, sides=sides)
            colours = game.new_initial_state().analysis("colours")
            assert [colours.count(colour) for colour in range(4)] == counts
            assert len(towers(game.new_initial_state())) == 16


# What never changes.


@every_setting
def test_cards_blocks_and_pawns_are_never_lost(options):
    chosen = states_of(options)[0].get_game().options
    blocks = chosen["blocks_per_colour"] - (chosen["two_player_setup"] == "printed")
    for state in states_of(options):
        text, players = fields(state), seats(state)
        assert total(*(seat[1] for seat in players), text[3], text[4]) == (chosen["cards_per_colour"],) * 4
        assert total(*(seat[2] for seat in players), *towers(state).values()) == (blocks,) * 4
        assert all(len(seat[1]) == chosen["hand"] for seat in players)
        assert all(len(pawns(seat)) <= chosen["pawns"] for seat in players)
        pieces = [*towers(state), *(pawn for seat in players for pawn in pawns(seat))]
        assert len(set(pieces)) == len(pieces)


@every_setting
def test_listed_actions_are_the_legal_ones(options):
    for state in states_of(options)[::9]:
        listed = state.legal_actions()
        assert bool(listed) != state.is_terminal()
        assert [a for a in range(state.get_game().num_distinct_actions()) if state.is_legal(a)] == listed


def test_a_begun_turn_changes_nothing_but_itself():
    seen = 0
    for options in SETTINGS:
        states = states_of(options)
        for before, after in pairwise(states):
            if after.in_turn():
                texts = [fields(state) for state in (before, after)]
                assert texts[0][:7] + texts[0][8:] == texts[1][:7] + texts[1][8:]
                assert texts[1][7].startswith(texts[0][7].strip("-"))
                seen += texts[1][7][1:2] == "b"
    assert seen > 20


def test_all_kinds_of_turns_are_played():
    played = {
        kind(state.action_to_string(action))
        for options in SETTINGS
        for state in states_of(options)
        for action in state.legal_actions()
    }
    assert played == {"@", "-", "x", "d", "b", "block", "~", "done"}


@every_setting
def test_random_games_end_and_are_counted(options):
    game = reference.load_game("blox", **{**options, "max_turns": 18})
    for uniform in ("action", "turn"):
        results = reference.simulate(game, 2, seed=3, uniform=uniform)
        assert list(results.counters) == list(RULES.COUNTERS)
        for i, turns in enumerate(results.turns):
            counts = {key: column[i] for key, column in results.counters.items()}
            names = ("enter", "move", "capture", "demolish", "build", "swap")
            assert sum(counts[name] for name in names) == turns
            assert sum(counts[f"phase_{phase}"] for phase in range(1, 5)) == turns
            assert counts["joker"] <= turns - counts["swap"]
            assert counts["limit"] <= (turns == 18)
            assert turns == 18 or turns % game.num_players() == 0


def test_other_games_count_nothing_and_hide_nothing():
    for other in ("blokus", "pylos"):
        game = reference.load_game(other)
        state = game.new_initial_state()
        assert f"{game} {state.information_state_string(0)}" == state.serialize()
        assert state.resample(1, 5) == state
        assert reference.simulate(game, 1).counters == {}
        assert not hasattr(state, "enterable")


# Turns, counted from the text of a position alone.


class Board:
    """A position as a person would lay it out."""

    def __init__(self, state):
        self.options = state.get_game().options
        self.size = self.options["board"]
        flat = state.analysis("colours")
        places = list(product(range(self.size), repeat=2))
        self.colour = {place: LETTERS[flat[i]] for i, place in enumerate(places)}
        text = fields(state)
        self.towers = {self.place(field): tower for field, tower in towers(state).items()}
        self.seat, self.phase = int(text[6]), int(text[5][0])
        _, self.cards, self.blocks, joker, _ = seats(state)[self.seat]
        self.joker = joker == "j"
        self.pawns = {self.place(pawn): i for i, seat in enumerate(seats(state)) for pawn in pawns(seat)}
        self.own = sorted(place for place, seat in self.pawns.items() if seat == self.seat)

    def place(self, text):
        return self.size - int(text[1:]), "abcdefghij".index(text[0])

    def walk(self, row, column, down, right):
        """The fields from one on, with it, until the first that has a piece, this one last."""
        while (row, column) in self.colour:
            yield row, column
            if (row, column) in self.towers or (row, column) in self.pawns:
                return
            row, column = row + down, column + right

    def ways(self, cards):
        """In how many ways some cards can be paid: all of them, or with the joker for one of a colour."""
        ways = [cards] + [cards.replace(letter, "", 1) for letter in sorted(set(cards)) if self.joker]
        return sum(all(way.count(letter) <= self.cards.count(letter) for letter in LETTERS) for way in ways)

    def firsts(self, fields):
        """The fields that are the first of their colour on a walk and free."""
        seen = set()
        for place in fields:
            if place not in self.towers and place not in self.pawns and self.colour[place] not in seen:
                yield place
            seen.add(self.colour[place])

    def entries(self):
        """The fields that can be entered."""
        if len(self.own) == self.options["pawns"]:
            return set()
        last, found = self.size - 1, set()
        for (row, column), (down, right) in product(self.colour, STEPS):
            if row not in (0, last) and column not in (0, last):
                continue
            if self.options["entry"] == "outside" and (row - down, column - right) not in self.colour:
                found |= set(self.firsts(self.walk(row, column, down, right)))
            if self.options["entry"] != "outside" and (row, column) not in self.towers | self.pawns:
                found |= set(self.firsts(self.walk(row + down, column + right, down, right)))
        return found

    def attack(self, between, place):
        """In how many ways the piece at the end of a walk can be taken."""
        colours = {self.colour[field] for field in between}
        if place in self.pawns and self.pawns[place] != self.seat and self.colour[place] not in colours:
            return self.ways(self.colour[place] * 3) + self.ways(self.colour[place] * 4)
        tower = self.towers.get(place, "")
        if not 0 < len(tower) <= self.phase or len(self.blocks.strip("-")) >= self.options["block_limit"]:
            return 0
        return 0 if colours & set(tower) else self.ways(tower)

    def near(self, place):
        """The fields beside a field."""
        return [
            (place[0] + down, place[1] + right)
            for down, right in STEPS
            if (place[0] + down, place[1] + right) in self.colour
        ]

    def is_open(self, place, towers, seen=()):
        """Whether a field without a tower leads to the edge over others, as far as that is asked for."""
        if place in towers:
            return False
        if self.options["reach"] == "side" or len(self.near(place)) < 4:
            return True
        todo, seen = [place], {place}
        while todo:
            for other in self.near(todo.pop()):
                if other not in towers and other not in seen:
                    seen.add(other)
                    todo.append(other)
        return any(len(self.near(other)) < 4 for other in seen)

    def may_build(self, place):
        """Whether a tower on a field takes the last access from none."""
        new = {*self.towers, place}
        asked = [tower for tower in self.near(place) if tower in self.towers] + [place] * self.options["reach_new"]
        return all(any(self.is_open(field, new) for field in self.near(tower)) for tower in asked)

    def builds(self):
        """In how many ways a tower can be built in one place."""
        number = 0
        for tower in product(*(range(count + 1) for count in letters(self.blocks))):
            if sum(tower) == self.phase + 1 or (sum(tower) > self.phase and self.options["build_height"] == "min"):
                number += self.ways("".join(letter * n for letter, n in zip(LETTERS, tower, strict=True)))
        return number

    def swaps(self):
        """How many choices of one to five cards there are."""
        return sum(1 <= sum(taken) <= 5 for taken in product(*(range(n + 1) for n in letters(self.cards))))

    def turns(self):
        """The number of turns."""
        number = sum(self.ways(self.colour[place]) for place in self.entries())
        for (row, column), (down, right) in product(self.own, STEPS):
            walk = list(self.walk(row + down, column + right, down, right))
            number += sum(self.ways(self.colour[place]) for place in self.firsts(walk))
            number += self.attack(walk[:-1], walk[-1]) if walk else 0
        return number + self.swaps() + self.builds() * sum(map(self.may_build, self.own))


STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


@every_setting
def test_turns_are_as_many_as_a_count_by_hand(options):
    asked = [state for state in states_of(options) if not state.in_turn() and not state.is_terminal()]
    builds = [state for state in asked if "b" in {kind(state.action_to_string(a)) for a in state.legal_actions()}]
    for state in asked[::12] + builds[:4]:
        divided = reference.perft(state, 1, divide=True)
        assert set(divided.values()) == {1}
        assert state.count_turns() == len(divided) == Board(state).turns(), state


def drawn_by_lot(game, rng):
    """A position with towers close together, pawns between them, and many blocks in front of the players."""
    chosen, players = game.options, range(game.num_players())
    cards, blocks = list(LETTERS * chosen["cards_per_colour"]), list(LETTERS * chosen["blocks_per_colour"])
    places = [f"{column}{row}" for row, column in product(range(6, 11), "abcde")]
    for things in (cards, blocks, places):
        rng.shuffle(things)
    owners = {places.pop(): seat for seat in players for _ in range(chosen["pawns"])}
    parts = []
    for seat in players:
        hand, cards = cards[: chosen["hand"]], cards[chosen["hand"] :]
        front, blocks = blocks[:8], blocks[8:]
        own = sorted((place for place in owners if owners[place] == seat), key=in_order)
        parts.append(f"0:{ordered(hand)}:{ordered(front)}:{rng.choice('jjx')}:{'+'.join(own)}")
    stood = {}
    while blocks:
        height = rng.randint(1, 4)
        stood[places.pop()], blocks = ordered(blocks[:height]), blocks[height:]
    towers_text = ",".join(f"{place}:{stood[place]}" for place in sorted(stood, key=in_order))
    rest = f"{''.join(cards)} - {rng.randint(1, 4)} 0 - 0 {'0' * 16}.{'0' * 16}"
    return game.deserialize(f"{game} ABAB {towers_text} {'/'.join(parts)} {rest}")


def in_order(place):
    """Fields from the top, in a row from the left."""
    return -int(place[1:]), place[0]


def ordered(things):
    """Cards or blocks in the order of colours."""
    return "".join(sorted(things, key=LETTERS.index))


@pytest.mark.parametrize("reach_new", [True, False])
@pytest.mark.parametrize("reach", ["side", "region"])
@pytest.mark.parametrize("build_height", ["min", "exact"])
def test_turns_in_positions_drawn_by_lot_are_as_many_as_a_count_by_hand(reach, reach_new, build_height):
    options = {"reach": reach, "reach_new": reach_new, "build_height": build_height}
    game = reference.load_game("blox", hand=8, cards_per_colour=6, pawns=3, sides="ABAB", **options)
    rng, builds = random.Random(str(options)), 0
    for _ in range(25):
        state = drawn_by_lot(game, rng)
        board = Board(state)
        assert state.count_turns() == board.turns(), state
        builds += any(map(board.may_build, board.own)) and board.builds() > 0
    assert builds > 3


# The end of a turn.


@every_setting
def test_what_happens_after_a_turn(options):
    states = states_of(options)
    players = states[0].get_game().num_players()
    begun = states[0]
    for before, after in pairwise(states):
        begun = begun if before.in_turn() else before
        if after.in_turn() or before.is_terminal():
            continue
        old, new = fields(begun), fields(after)
        phase, heights = int(old[5][0]), Counter(map(len, towers(after).values()))
        while phase < 4 and heights[phase] <= 1:
            phase += 1
        ends = old[5] == "4+" or (phase == 4 and heights[4] <= 1)
        assert new[5:7] == [f"{phase}{'+' * ends}", str((int(old[6]) + 1) % players)]
        assert new[7:9] == ["-", str(int(old[8]) + 1)]
        assert after.is_terminal() == (ends and new[6] == "0") or new[8] == "45"


@pytest.mark.parametrize("seed", range(5))
def test_cards_come_from_the_front_of_the_deck_then_from_the_shuffled_discard(seed):
    game, rng = reference.load_game("blox", hand=3, cards_per_colour=4, sides="AAAA"), random.Random(seed)
    state = game.new_initial_state(seed)
    key, counter = (int(number, 16) for number in fields(state)[9].split("."))
    stream, deck, discard = Stream(key, counter), list(fields(state)[3]), []
    hands = [list(seat[1]) for seat in seats(state)]
    for _ in range(20):
        hand = hands[state.current_player()]
        given = [hand.pop(rng.randrange(len(hand))) for _ in range(rng.randint(1, 3))]
        for text in [*(f"~{letter}" for letter in ordered(given)), "done"]:
            state.apply_action(state.string_to_action(text))
        discard += given
        while len(hand) < 3:
            if not deck:
                deck, discard = list(ordered(discard)), []
                stream.shuffle(deck)
            hand.append(deck.pop(0))
        assert fields(state)[3:5] == ["".join(deck) or "-", ordered(discard) or "-"]
        assert [seat[1] for seat in seats(state)] == [ordered(hand) for hand in hands]
        assert fields(state)[9] == f"{key:016x}.{stream.counter:016x}"
    assert stream.counter > counter


def test_the_end_stays_triggered_and_the_round_is_played_out():
    game = reference.load_game("blox", players=3, max_turns=0)
    parts = fields(game.new_initial_state())
    state = game.deserialize(" ".join([str(game), *parts[:5], "4+", "1", "-", "0", parts[9]]))
    assert list(map(len, towers(state).values())).count(4) == 4
    for seat in ("2", "0"):
        assert not state.is_terminal()
        assert not state.winners()
        state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(a)[0] == "@"))
        assert fields(state)[5:9] == ["4+", seat, "-", "0"]
    assert state.is_terminal()
    assert state.winners() == [0, 1, 2]
    assert state.legal_actions() == []


@pytest.mark.parametrize(("max_turns", "limit"), [(1, 1), (2, 1), (3, 0), (4, 0)])
def test_the_limit_is_counted_where_it_ended_the_game(max_turns, limit):
    game = reference.load_game("blox", players=3, blocks_per_colour=3, start_phase=4, max_turns=max_turns)
    results = reference.simulate(game, 3)
    assert results.turns == [min(3, max_turns)] * 3
    assert results.counters["limit"] == [limit] * 3


# Texts.


@every_setting
def test_texts_are_read_back(options):
    game = states_of(options)[0].get_game()
    assert reference.load_game(str(game)) == game
    for state in states_of(options)[::2]:
        assert game.deserialize(state.serialize()) == state
        for action in state.legal_actions():
            assert game.string_to_action(game.action_to_string(action).upper()) == action


def test_ids_have_texts_of_their_own():
    for options, number in (({}, 489), ({"board": 9}, 451), ({"pawns": 1}, 282)):
        game = reference.load_game("blox", **options)
        texts = [game.action_to_string(action) for action in range(game.num_distinct_actions())]
        assert len(set(texts)) == len(texts) == number
        assert texts == [game.action_to_string(game.string_to_action(text)) for text in texts]


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (0, "ABBC"),
        (1, "a9:wk,a9:wk"),
        (1, "-"),
        (2, "0:wrrrgk:-:j:-"),
        (2, "0:wrrrgk:-:j:a1/0:rggggk:-:j:a1"),
        (2, "01:wrrrgk:-:j:-/0:rggggk:-:j:-"),
        (2, "1000000001:wrrrgk:-:j:-/0:rggggk:-:j:-"),
        (2, "0:wrrrkg:-:j:-/0:rggggk:-:j:-"),
        (3, "-"),
        (3, "w-"),
        (4, "w"),
        (5, "0"),
        (5, "3+"),
        (6, "2"),
        (7, ""),
        (7, "~r~w"),
        (7, "~r~r~r~r"),
        (7, "~R"),
        (7, "~w~r~r~r~g"),
        (7, "0b"),
        (7, "done"),
        (7, "@d10"),
        (8, "2001"),
        (8, "-1"),
        (9, "0.0"),
    ],
)
def test_wrong_positions_are_refused(place, wrong):
    state = reference.load_game("blox").new_initial_state(1)
    assert seats(state)[0][1] == "wrrrgk"
    parts = fields(state)
    parts[place] = wrong
    with pytest.raises(ParseError):
        state.get_game().deserialize(" ".join(["blox()", *parts]))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"hand": 10, "players": 4, "cards_per_colour": 9}, "expected at least 40"),
        ({"faces": "WRGK:00010203"}, "1 faces; expected eight"),
        ({"faces": RULES.OPTION_VALUES["faces"][1], "board": 9}, "face NEA has 25 letters; expected 20"),
        ({"faces": RULES.OPTION_VALUES["faces"][1].replace("WRGK", "WRXK")}, "face NWA has the letter 'X'"),
        ({"faces": RULES.OPTION_VALUES["faces"][1].replace("00044044", "00044054")}, "face NWA .* 54, beyond"),
        ({"faces": RULES.OPTION_VALUES["faces"][1].replace("00044044", "00044000")}, "face NWA .* twice"),
        ({"sides": "ABAC"}, "random, or four letters A or B"),
    ],
)
def test_wrong_options_are_refused(options, why):
    with pytest.raises(ValueError, match=why):
        reference.load_game("blox", **options)


def test_settings_that_mean_the_same_are_the_same_game():
    for board in (10, 9):
        shipped = reference.load_game("blox", board=board)
        assert reference.load_game("blox", board=board, faces=layout.shipped(board)) == shipped
    printed = reference.load_game("blox", two_player_setup="printed")
    assert printed.options["start_phase"] == 2
    assert reference.load_game("blox", two_player_setup="printed", start_phase=2) == printed
    assert reference.load_game("blox", players=3, two_player_setup="printed") == reference.load_game("blox", players=3)


# What is hidden.


@every_setting
def test_resampling_keeps_what_the_player_knows(options):
    game = states_of(options)[0].get_game()
    for i, state in enumerate(states_of(options)[::3]):
        viewer = i % game.num_players()
        other = state.resample(viewer, i)
        assert other.information_state_string(viewer) == state.information_state_string(viewer)
        assert other.observation_tensor(viewer) == state.observation_tensor(viewer)
        assert other.resample(viewer, i) == state.resample(viewer, i) == other
        assert game.deserialize(other.serialize()) == other  # it is a position, its begun turn too


def test_resampling_draws_every_hand_as_often_as_it_can_be_dealt():
    game = reference.load_game("blox", hand=1, cards_per_colour=2)
    state = game.new_initial_state()
    own = seats(state)[0][1]
    hands = Counter(seats(state.resample(0, seed))[1][1] for seed in range(1400))
    assert set(hands) == set(LETTERS)
    for letter, number in hands.items():
        assert abs(number - 1400 * (2 - (letter == own)) / 7) < 90


def test_resampling_in_a_begun_build_draws_every_hand_that_could_have_begun_it():
    # Blocks w and r, an active joker, a height of two: of the unseen cards wwrrgk any two can be held but gk.
    game = reference.load_game(
        "blox", sides="AAAA", hand=2, cards_per_colour=2, blocks_per_colour=1, build_height="exact"
    )
    state = game.deserialize(f"{game} AAAA a10:g,j10:k 0:wr:wr:j:e5/0:gk:-:j:- wrgk - 1 0 0b 0 {'0' * 16}.{'0' * 16}")
    hands = Counter(seats(state.resample(1, seed))[0][1] for seed in range(1400))
    assert set(hands) == {"ww", "wr", "wg", "wk", "rr", "rg", "rk"}
    for hand, number in hands.items():
        assert abs(number - 100 * {"ww": 1, "rr": 1, "wr": 4}.get(hand, 2)) < 90


def test_resampling_in_a_begun_turn_draws_what_completes_it():
    checked = 0
    for options in SETTINGS:
        for state in states_of(options):
            turn = fields(state)[7] if state.in_turn() else ""
            if turn[1:2] != "b" or state.get_game().options["hand"] > 8:
                continue
            mover = state.current_player()
            viewer = (mover + 1) % state.get_game().num_players()
            for seed in range(5):
                other = state.resample(viewer, seed)
                assert other.legal_actions()
                checked += seats(other)[mover][1] != seats(state)[mover][1]
    assert checked > 0


def test_the_other_seats_are_numbers_in_what_a_player_knows():
    state = reference.load_game("blox", players=3).new_initial_state(4)
    for viewer in range(3):
        parts = state.information_state_string(viewer).split(" ")
        hands = [seat.split(":")[1] for seat in parts[3].split("/")]
        assert hands == [seat[1] if i == viewer else "6" for i, seat in enumerate(seats(state))]
        assert [parts[0], parts[4], len(parts)] == [str(viewer), "42", 10]
    with pytest.raises(ValueError, match="player 3 is not in 0"):
        state.information_state_string(3)


# Views.


def test_views_are_found_by_name():
    state = reference.load_game("blox").new_initial_state()
    for view in RULES.VIEWS:
        for player in (0, 1):
            assert len(getattr(state, view)(player)) == {"destinations": 64, "hand": 4}.get(view, 100)
        with pytest.raises(ValueError, match="player 2 is not in 0"):
            getattr(state, view)(2)
    with pytest.raises(AttributeError, match="wealth"):
        state.wealth(0)


@every_setting
def test_observations_have_their_shape(options):
    state = states_of(options)[-1]
    planes, rows, columns = state.get_game().observation_tensor_shape()
    for viewer in range(state.get_game().num_players()):
        seen = state.observation_tensor(viewer)
        assert len(seen) == planes * rows * columns
        assert all(0 <= value <= 1 for value in seen)


def test_an_illegal_action_changes_nothing():
    state = reference.load_game("blox").new_initial_state()
    before = state.serialize()
    with pytest.raises(IllegalActionError, match=r"BX-5\.3"):
        state.apply_action(state.string_to_action("done"))
    assert state.serialize() == before
