"""The reference of Numberplace City alone: set-up, what never changes, texts, what is hidden, what events tell."""

import random
from collections import Counter
from functools import cache
from itertools import product

import pytest

from ziggurat import reference
from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.reference.api import find_rules
from ziggurat.reference.random import Stream, stream_key

RULES = find_rules("numberplace_city")
SETTINGS = [{}, *RULES.LAW_OPTIONS]
PARTS = ("board", "laid", "seats", "supply", "discard", "start", "place", "bonus", "end", "turns", "chance")
CELLS = {f"r{row + 1}c{column + 1}": (row, column) for row, column in product(range(9), repeat=2)}
LIMIT = 90  # actions of a random game that are looked at


def name(options):
    """A short name of some settings."""
    return ",".join(f"{key}={str(value)[:12]}" for key, value in options.items()) or "standard"


every_setting = pytest.mark.parametrize("options", SETTINGS, ids=name)


def load(**options):
    return reference.load_game("numberplace_city", **options)


@cache
def walked(index):
    """What happened in some random games of a setting: state, action, state after it. Rare kinds are often chosen."""
    game, steps = load(**SETTINGS[index]), []
    for seed in range(3):
        rng, state = random.Random(f"{index} {seed}"), game.new_initial_state(seed)
        for _ in range(LIMIT):
            if state.is_terminal():
                break
            by_kind = {}
            for action in state.legal_actions():
                by_kind.setdefault(kind(state.action_to_string(action)), []).append(action)
            likely = [other for other in by_kind if other not in ("pass", "decline")]
            action = rng.choice(by_kind[rng.choice(likely if likely and rng.random() < 0.85 else list(by_kind))])
            before = state.clone()
            state.apply_action(action)
            steps.append((before, action, state.clone()))
    return steps


def kind(text):
    """The kind of the action that has a text."""
    return "lay" if text[:2] in {cell[:2] for cell in CELLS} and "c" in text[:4] else text.partition("=")[0]


def steps_of(options):
    return walked(SETTINGS.index(options))


def states_of(options):
    """All states of the walks."""
    steps = steps_of(options)
    return [before for before, _, _ in steps] + [after for _, _, after in steps if after.is_terminal()]


class Read:
    """The parts of the text of a position, as a person would read them."""

    def __init__(self, state):
        parts = dict(zip(PARTS, state.serialize().split(" ")[1:], strict=True))
        self.board = {cell: int(n) for cell, n in zip(CELLS, parts["board"], strict=True) if n != "."}
        self.laid = [part for part in parts["laid"].split(",") if part != "-"]
        seats = [seat.split(":") for seat in parts["seats"].split("/")]
        self.points = [int(seat[0]) for seat in seats]
        self.hands = [digits(seat[1]) for seat in seats]
        self.penalties = [digits(seat[2]) for seat in seats]
        self.status = [seat[3] for seat in seats]
        self.supply, self.discard = list(parts["supply"].strip("-")), digits(parts["discard"])
        self.start = int(parts["start"].split(">")[-1])  # that of the next round, if it is another one
        self.end, self.turns, self.chance = parts["end"], int(parts["turns"]), parts["chance"]

    def tiles(self):
        """All tiles, wherever they are."""
        piles = [map(str, self.board.values()), (part[-1] for part in self.laid), self.supply]
        return sum((Counter(pile) for pile in [*piles, self.discard, *self.hands, *self.penalties]), Counter())


def digits(text):
    return Counter(text.strip("-"))


def sees_no_line(board, cell, number):
    """Whether no other cell in the row, the column or the block has a number."""
    row, column = CELLS[cell]
    return all(
        other != number or cell == there or (r != row and c != column and (r // 3, c // 3) != (row // 3, column // 3))
        for there, other in board.items()
        for r, c in [CELLS[there]]
    )


# Set-up.


@every_setting
def test_the_start_is_drawn_from_the_stream_of_the_seed(options):
    game = load(**options)
    chosen = game.options
    stream = Stream(stream_key(5, 0, 0))
    tiles = [number for number in "123456789" for _ in range(chosen["tiles_per_number"])]
    stream.shuffle(tiles)
    start = Read(game.new_initial_state(5))
    assert start.hands == [Counter(tiles[4 * seat : 4 * seat + 4]) for seat in range(chosen["players"])]
    assert start.supply == tiles[4 * chosen["players"] :]
    assert start.chance == f"{stream_key(5, 0, 0):016x}.{stream.counter:016x}"
    assert [start.points, start.status] == [[0] * chosen["players"], ["in"] * chosen["players"]]
    assert not start.board
    assert not start.laid
    assert game.new_initial_state(5).current_player() == 0


def test_areas_of_the_seats():
    """[NC-1.3] Block 4 is everybody's; the corners of two players are theirs alone."""
    for players, exclusive in ((2, ["367", "125"]), (3, ["7", "03", "25"]), (4, ["7", "3", "1", "5"])):
        game = load(players=players)
        found, areas = game.table("exclusive"), game.table("areas")
        for seat, blocks in enumerate(exclusive):
            seen = "".join(str(block) for block in range(9) if found[9 * seat + block])
            assert seen == blocks, (players, seat)
            assert areas[81 * seat + 40] == 1
        assert sum(areas) == 9 * {2: 12, 3: 12, 4: 16}[players]


# What never changes.


@every_setting
def test_no_tile_is_lost_and_the_board_is_always_a_sudoku(options):
    wanted = Counter(dict.fromkeys("123456789", load(**options).options["tiles_per_number"]))
    for state in states_of(options):
        now = Read(state)
        assert now.tiles() == wanted
        assert all(hand.total() <= 4 for hand in now.hands)
        assert all(sees_no_line(now.board, cell, number) for cell, number in now.board.items())


@every_setting
def test_listed_actions_are_the_legal_ones(options):
    for state in states_of(options)[::13]:
        listed = state.legal_actions()
        assert bool(listed) != state.is_terminal()
        assert [action for action in range(836) if state.is_legal(action)] == listed
        player = state.current_player()
        assert player < 0 or state.legal_actions(player) == listed


@every_setting
def test_lays_go_where_the_views_say(options):
    for state in states_of(options)[::7]:
        lays = {text for text in map(state.action_to_string, state.legal_actions()) if kind(text) == "lay"}
        if not lays:
            continue
        player = state.current_player()
        layable = [cell for cell, free in zip(CELLS, state.layable(player), strict=True) if free]
        numbers = [number for number, count in enumerate(state.hand(player), 1) if count]
        assert lays == {f"{cell}={number}" for cell in layable for number in numbers}
        board, fits = Read(state).board, state.candidates(player)
        for i, (number, cell) in enumerate(product(range(1, 10), CELLS)):
            assert fits[i] == (cell in layable and sees_no_line(board, cell, number))


def test_all_kinds_of_actions_are_played_and_all_ends_are_reached():
    played, ends = set(), set()
    for options in SETTINGS:
        for before, action, after in steps_of(options):
            played.add(kind(before.action_to_string(action)))
            ends |= {Read(after).end.partition(":")[0]} if after.is_terminal() else set()
    assert played == {"lay", "pass", "remove", "start", "discard", "turn", "point", "win", "decline"}
    assert ends >= {"points", "bonus", "last", "nobody", "count", "-"}


# Texts.


@every_setting
def test_texts_are_read_back(options):
    game = load(**options)
    for state in states_of(options)[::3]:
        assert game.deserialize(state.serialize()) == state
        assert hash(game.deserialize(state.serialize())) == hash(state)


@every_setting
def test_changed_texts_are_refused_or_written_again(options):
    game, rng = load(**options), random.Random(str(options))
    start, refused = len(f"{game} "), 0
    for state in states_of(options)[::5]:
        for _ in range(4):
            text = list(state.serialize())
            text[rng.randrange(start, len(text))] = rng.choice("0123456789-.:>/ ,=rcinoutpassed")
            try:
                assert game.deserialize("".join(text)).serialize() == "".join(text)
            except ParseError:
                refused += 1
    assert refused


# What is hidden.


@every_setting
def test_a_sample_keeps_what_the_player_knows(options):
    game = load(**options)
    changed = 0
    for number, state in enumerate(states_of(options)[::9]):
        for viewer in range(game.num_players()):
            sample = state.resample(viewer, number)
            assert sample.information_state_string(viewer) == state.information_state_string(viewer)
            assert sample.observation_tensor(viewer) == state.observation_tensor(viewer)
            assert sample.current_player() == state.current_player()
            assert sample.legal_actions(viewer) == state.legal_actions(viewer)
            assert Read(sample).tiles() == Read(state).tiles()
            assert game.deserialize(sample.serialize()) == sample
            assert Read(sample).chance.endswith(".0000000000000000")
            changed += Read(sample).hands != Read(state).hands
    assert changed


@every_setting
def test_observations_have_their_shape_and_values(options):
    game = load(**options)
    planes, rows, columns = game.observation_tensor_shape()
    assert (planes, rows, columns) == (60 + 20 * game.num_players(), 9, 9)
    for state in states_of(options)[::29]:
        for viewer in range(game.num_players()):
            seen = state.observation_tensor(viewer)
            assert len(seen) == planes * 81
            assert all(0 <= value <= 1 for value in seen)
            own = state.hand(viewer)
            first = 17 + 2 * game.num_players()
            assert [4 * seen[81 * (first + i)] for i in range(9)] == [min(4, count) for count in own]


# Events.


class Followed:
    """A position as somebody knows it who hears the events alone; hands are sizes."""

    def __init__(self, state, action):
        now = Read(state)
        self.board, self.points, self.status = dict(now.board), list(now.points), list(now.status)
        self.penalties, self.discard = [Counter(tiles) for tiles in now.penalties], Counter(now.discard)
        self.hands, self.supply = [hand.total() for hand in now.hands], len(now.supply)
        self.laid, self.start, self.end = len(now.laid), now.start, None
        self.text = state.action_to_string(action)
        options = state.get_game().options
        self.final = options["start_in_final"] or (options["players"] > 2 and "out" in now.status)

    def hear(self, event):
        """Follow an event, in which nothing but its keys may be."""
        facts = {key: value for key, value in event.items() if key != "event"}
        assert next(iter(event)) == "event"
        getattr(self, f"on_{event['event']}")(**facts)

    def takes(self, player, number, count=1):
        self.penalties[player][str(number)] += count

    def on_laid(self, player, cell):
        assert self.text.startswith(f"{cell}=")
        self.hands[player] -= 1
        self.laid += 1

    def on_passed(self, player, number=None):
        if "=" in self.text:
            self.hands[player] -= 1
            self.takes(player, self.text[-1])
        assert number is None or self.text == f"pass={number}"
        self.status[player] = "passed" if self.final else self.status[player]

    def on_solo_point(self, player, points):
        self.points[player] += 1
        assert self.points[player] == points

    on_point = on_solo_point

    def on_knocked_out(self, player, cell, number, reason, by):
        assert reason in ("line", "other_number", "same_number")
        assert cell not in self.board
        self.laid -= 1
        self.takes(player, number)

    def on_contradicted(self, player, cell, number, tiles, taken):
        tiles, taken = tiles.split("+"), [] if taken == "-" else taken.split("+")
        assert set(taken) <= set(tiles)
        assert sorted(tiles) == tiles
        for gone in taken:
            assert self.board.pop(gone) == number
        self.laid -= 1
        self.takes(player, number, 1 + len(taken))

    def on_built(self, player, cell, number, points):
        assert cell not in self.board
        assert sees_no_line(self.board, cell, number)
        self.board[cell] = number
        row, column = CELLS[cell]
        full = [
            sum(CELLS[other][0] == row for other in self.board) == 9,
            sum(CELLS[other][1] == column for other in self.board) == 9,
            sum((CELLS[o][0] // 3, CELLS[o][1] // 3) == (row // 3, column // 3) for o in self.board) == 9,
        ]
        assert sum(full) <= points <= sum(full) + full[2]
        self.points[player] += points
        self.laid -= 1

    def on_eliminated(self, player, penalties):
        assert self.penalties[player].total() == penalties
        self.status[player] = "out"

    def on_bonus(self, player, number):
        assert number in self.board.values()

    on_bonus_lapsed = on_bonus

    def on_removed(self, player, cell, number):
        assert self.board.pop(cell) == number
        self.discard[str(number)] += 1

    def on_start_player(self, player):
        self.start = player

    def on_discarded(self, player, number):
        self.takes(player, number, -1)
        self.discard[str(number)] += 1

    def on_turned(self, player, turn):
        def once(place):  # to the left
            return 8 - place[1], place[0]

        for _ in range({"left": 1, "180": 2, "right": 3}[turn]):
            where = {place: cell for cell, place in CELLS.items()}
            self.board = {where[once(CELLS[cell])]: number for cell, number in self.board.items()}

    def on_bonus_win(self, player):
        assert self.text == "win"

    def on_declined(self, player):
        assert self.text == "decline"

    def on_recycled(self, tiles):
        assert self.supply == 0
        assert self.discard.total() == tiles
        self.supply, self.discard = tiles, Counter()

    def on_refilled(self, player, tiles):
        self.hands[player] += tiles
        self.supply -= tiles
        assert self.hands[player] <= 4

    def on_end(self, by, winners):
        self.end = by, winners


@every_setting
def test_events_tell_what_is_different_afterwards(options):
    for before, action, after in steps_of(options):
        told, known = before.events(action), Followed(before, action)
        for event in told:
            known.hear(event)
        then = Read(after)
        assert (known.board, known.points, known.status) == (then.board, then.points, then.status)
        assert [+tiles for tiles in known.penalties] == then.penalties
        assert (+known.discard, known.supply, known.start) == (then.discard, len(then.supply), then.start)
        assert (known.hands, known.laid) == ([hand.total() for hand in then.hands], len(then.laid))
        assert bool(known.end) == after.is_terminal()
        if known.end:
            assert told[-1]["event"] == "end"
            winners = "+".join(map(str, after.winners())) or "-"
            assert known.end == ("limit" if then.end == "-" else then.end.partition(":")[0], winners)


def test_all_events_are_told():
    names = {method[3:] for method in vars(Followed) if method.startswith("on_")}
    told = {
        (event["event"], event.get("reason"))
        for options in SETTINGS
        for before, action, _ in steps_of(options)
        for event in before.events(action)
    }
    assert {event for event, _ in told} == names
    assert {reason for _, reason in told} == {None, "line", "other_number", "same_number"}


def test_events_are_of_legal_actions_and_change_nothing():
    state = load().new_initial_state(1)
    before = state.clone()
    lay = state.legal_actions()[0]
    assert state.events(lay) == [{"event": "laid", "player": 0, "cell": state.action_to_string(lay)[:4]}]
    with pytest.raises(IllegalActionError, match=r"NC-4\.2"):
        state.events(state.string_to_action("decline"))
    with pytest.raises(ValueError, match="836"):
        state.events(836)
    assert state == before


def test_other_games_tell_nothing():
    for other in ("blokus", "blox", "pylos"):
        state = reference.load_game(other).new_initial_state()
        assert state.events(state.legal_actions()[0]) == []
        with pytest.raises(ValueError, match="action"):
            state.events(-1)


# Random games.


@every_setting
def test_random_games_end_and_are_counted(options):
    game = load(**options)
    results = reference.simulate(game, 3, seed=3)
    assert list(results.counters) == list(RULES.COUNTERS)
    for i, plies in enumerate(results.plies):
        counts = {key: column[i] for key, column in results.counters.items()}
        bonuses = sum(counts[f"bonus_{number}"] for number in range(1, 10))
        assert counts["lay"] + counts["pass"] + bonuses + counts["declined"] == plies
        assert sum(counts[key] for key in counts if key.startswith("end_")) + counts["limit"] == 1
        assert counts["lay"] + counts["pass"] <= game.options["max_turns"]
        assert counts["built"] <= min(81, counts["lay"])
        assert counts["eliminated"] < game.num_players() or counts["end_nobody"]
        assert plies <= game.max_game_length()
        assert sum(results.returns[i]) == pytest.approx(0)


def test_without_a_limit_no_turns_are_counted():
    """[NC-5.2]"""
    game = load(max_turns=0)
    assert game.max_game_length() is None
    state = game.new_initial_state(2)
    for _ in range(5):
        state.apply_action(state.legal_actions()[0])
        assert Read(state).turns == 0
    start = load(max_turns=1).new_initial_state()
    assert reference.perft(start, 1) == start.count_legal()
    assert reference.perft(load(max_turns=1, tiles_per_number=1, areas="4+4+4+4").new_initial_state(), 2) > 100


# Options.


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"areas": "0+1+2"}, "expected 4 areas, not 3"),
        ({"areas": "0+1+2+"}, "empty"),
        ({"areas": "0+1+2+9"}, "'9' is not a block"),
        ({"areas": "0+1+22+3"}, "block 2 is twice"),
        ({"areas": ""}, "standard, or areas as text"),
        ({"bonus_table": "rrsddttp"}, "8 letters"),
        ({"bonus_table": "rrsddttpx"}, "'x' is not an effect"),
        ({"bonus_table": "RRSDDTTPW"}, "nine letters of r, s, d, t, p, w and -"),
        ({"out_at": 128}, "0 .. 127"),
        ({"players": 5}, "2 .. 4"),
    ],
)
def test_options_that_are_not_allowed(options, word):
    with pytest.raises(ValueError, match=word):
        load(**options)


def test_settings_that_mean_the_same_are_the_same_game():
    """[NC-10.1] [NC-10.3]"""
    assert load(areas="8764+6430+4210+8542") == load(out_at=5) == load()
    assert str(load(areas="10+2+3+4")) == "numberplace_city(areas=01+2+3+4)"
    idle = {"solo_point": "laid", "final_pass": "penalty", "start_in_final": True}
    assert load(players=2, out_at=7, areas="678340+012458", **idle) == load(players=2)
    assert load(players=2, out_at=5) != load(players=2)
    assert load(**idle) != load()


def test_law_options_have_all_words():
    games = [load(**options).options for options in RULES.LAW_OPTIONS]
    for option, values in RULES.OPTION_VALUES.items():
        if len(values) < 10 and not hasattr(values, "allowed"):
            assert {game[option] for game in games} | {values[0]} == set(values), option
    assert all(game["max_turns"] > 0 for game in games)
