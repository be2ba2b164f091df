"""JSON records of all games: what is written, read back and played, and what is refused."""

import json
import pickle
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise

import numpy as np
import pytest
from common import GAMES, both, walk

import ziggurat as zg
from ziggurat.formats import Record, RecordError

CITY = "numberplace_city(players=2)"
ACTIONS = ("1a1", "1d4", "1b1")
GOOD = {
    "format": "ziggurat-record",
    "format_version": 1,
    "version": "0.1.0",
    "game": "pylos(removal=mandatory)",
    "seed": 7,
    "actions": list(ACTIONS),
}


def changed(**fields):
    """The text of a good record with some fields changed; None leaves a field out."""
    return json.dumps({name: value for name, value in {**GOOD, **fields}.items() if value is not None})


def played(text, seed):
    """The states of a random game and its actions."""
    game = zg.load_game(text)
    states = [state.clone() for state in walk(game, seed, 60)]
    actions = [next(a for a in before.legal_actions() if leads(before, a, after)) for before, after in pairwise(states)]
    return game, states, actions


def leads(before, action, after):
    state = before.clone()
    state.apply_action(action)
    return state == after


@pytest.mark.parametrize("text", GAMES)
def test_every_game_is_recorded(text):
    game, states, actions = played(text, 3)
    record = Record.of(game, 3, actions)
    assert (record.game, record.seed, record.version) == (text, 3, zg.__version__)
    assert record == Record.of(game, np.int64(3), record.actions)
    assert list(record.states()) == states
    assert record.replay() == states[-1]
    for written in (record.to_json(), record.to_json().encode(), record.to_json(indent=2)):
        assert Record.from_json(written) == record
    assert Record.from_json(record.to_json()).to_json() == record.to_json()
    assert pickle.loads(pickle.dumps(record)) == record
    assert hash(record) == hash(Record.from_json(record.to_json()))


@pytest.mark.parametrize("text", GAMES)
def test_both_implementations_are_recorded_alike(text):
    games = both(text)
    actions = [0, games[0].num_distinct_actions() - 1]
    native, slow = (Record.of(game, 5, actions) for game in games)
    assert native == slow


def test_the_text_of_a_record():
    record = Record("pylos(removal=mandatory)", 7, ACTIONS, "0.1.0")
    assert record.to_json() == json.dumps(GOOD)
    assert list(json.loads(record.to_json())) == list(GOOD)
    assert Record.from_json(json.dumps(dict(reversed(GOOD.items())))) == record
    assert record.replay().serialize() == "pylos(removal=mandatory) LL.............D/........./..../. D - 3"
    largest = replace(record, seed=2**64 - 1, version="ä\u2028")
    assert Record.from_json(largest.to_json()) == largest
    assert "ä" in largest.to_json()


@pytest.fixture
def city():
    """A record of a whole game that tells events."""
    game, _, actions = played(CITY, 4)
    return Record.of(game, 4, actions)


def test_events_are_part_of_the_text(city):
    fields = json.loads(city.to_json())
    assert list(fields) == [*GOOD, "events"]
    assert fields["events"] == list(city.events())
    state = city.load_game().new_initial_state(city.seed)
    for text, events in zip(city.actions, fields["events"], strict=True):
        action = state.string_to_action(text)
        assert events == state.events(action)
        assert events[0]["event"] in ("laid", "passed", "removed", "start_player", "discarded", "turned", "declined")
        state.apply_action(action)
    assert fields["events"][-1][-1]["event"] == "end"
    assert len(fields["events"]) == len(city.actions) > 20


def test_events_are_written_for_games_that_tell_them_alone():
    for text in GAMES:
        game, _, actions = played(text, 2)
        record = Record.of(game, 2, actions[:9])
        assert ("events" in json.loads(record.to_json())) == record.tells_events() == (game.name == "numberplace_city")
        assert any(record.events()) == record.tells_events()


def test_events_may_be_missing_and_are_not_compared(city):
    fields = json.loads(city.to_json())
    del fields["events"]
    assert Record.from_json(json.dumps(fields)) == city
    fields["events"] = [[{"event": "anything", "n": -3}]] * len(city.actions)
    assert Record.from_json(json.dumps(fields)) == city
    assert Record.from_json(changed(events=[[], [], []])) == Record("pylos(removal=mandatory)", 7, ACTIONS, "0.1.0")
    assert Record.from_json(changed(actions=[], events=[])).actions == ()


def test_events_of_illegal_actions_cannot_be_told(city):
    for actions, number in ((("pass",), 0), ((*city.actions[:5], "x"), 5)):
        record = Record(city.game, city.seed, actions)
        told = record.events()
        assert len([next(told) for _ in range(number)]) == number
        for tell in (lambda told=told: next(told), record.to_json, record.replay):
            with pytest.raises(RecordError, match=f"^action {number}, '{actions[-1]}': "):
                tell()


def test_a_record_without_actions():
    record = Record("pylos()", 0, ())
    assert list(record.states()) == [zg.load_game("pylos").new_initial_state()]
    assert record.version == zg.__version__


def test_states_are_the_callers_own():
    record = Record("pylos()", 0, ACTIONS)
    for state in record.states():
        state.apply_action(state.legal_actions()[-1])
    assert record.replay().serialize().endswith(" 3")


def test_a_record_does_not_change():
    with pytest.raises(FrozenInstanceError):
        Record("pylos()", 0, ()).seed = 1


@pytest.mark.parametrize(
    ("actions", "index", "told"),
    [
        (["1a1", "1a1"], 1, ["PY-2.1", "1a1 is occupied"]),
        (["1a1", "stop"], 1, ["action 216 (stop)"]),
        (["x"], 0, ["'x'"]),
        (["1a1", "1b1", ""], 2, []),
        (["1a1", "2a1"], 1, ["PY-2.1"]),
        (["1a1\n"], 0, []),
        (["pass"], 0, []),
        (["٣"], 0, []),
    ],
)
def test_the_first_illegal_action_is_named(actions, index, told):
    record = Record("pylos()", 0, (*actions, "nonsense"))
    assert Record.from_json(record.to_json()) == record  # its actions are looked at when it is played
    with pytest.raises(RecordError) as caught:
        record.replay()
    assert str(caught.value).startswith(f"action {index}, '")
    assert caught.value.text == actions[index]
    for words in told:
        assert words in str(caught.value)
    states = record.states()
    assert len([next(states) for _ in range(index + 1)]) == index + 1
    with pytest.raises(RecordError, match=f"^action {index}, "):
        next(states)


WRONG = {
    "another format": (changed(format="pgn"), "the format is 'ziggurat-record', not 'pgn'"),
    "no format": (changed(format=None), "the format is 'ziggurat-record', not None"),
    "later version": (changed(format_version=2), "the only format_version that this program reads is 1, not 2"),
    "later version with other fields": (
        changed(format_version=3, moves=[], game=None),
        "the only format_version that this program reads is 1, not 3",
    ),
    "version 1.0": (changed().replace(": 1,", ": 1.0,"), "all numbers are whole, not 1.0"),
    "version true": (changed(format_version=True), "format_version is a whole number, not True"),
    "version text": (changed(format_version="1"), "format_version is a whole number, not '1'"),
    "no version": (changed(format_version=None), "format_version is a whole number, not None"),
    "no engine": (
        changed(version=None),
        "a record has format, format_version, version, game, seed, actions, not 'a record without version'",
    ),
    "no game": (changed(game=None), "not 'a record without game'"),
    "no seed": (changed(seed=None), "not 'a record without seed'"),
    "no actions": (changed(actions=None), "not 'a record without actions'"),
    "unknown field": (
        changed(comment="hi"),
        "a record has format, format_version, version, game, seed, actions and may have events, not 'comment'",
    ),
    "events twice": (
        changed(events=[[], [], []])[:-1] + ', "events": []}',
        "a key stands in an object once, not 'events'",
    ),
    "events null": (
        changed().replace("}", ', "events": null}'),
        "events is a list of lists of objects, a list for each action, not None",
    ),
    "events object": (
        changed(events={}),
        "events is a list of lists of objects, a list for each action, not an object",
    ),
    "too few events": (changed(events=[[], []]), "events has a list for each of 3 actions, not 2"),
    "too many events": (changed(events=[[]] * 4), "events has a list for each of 3 actions, not 4"),
    "events not in lists": (changed(events=[[], {"event": "x"}, []]), "events of action 1 are a list, not an object"),
    "event text": (changed(events=[["laid"], [], []]), "an event of action 0 is an object, not 'laid'"),
    "event without name": (
        changed(events=[[], [], [{"player": 1}]]),
        "an event of action 2 has its name as the text 'event', not None",
    ),
    "event with a number as name": (changed(events=[[{"event": 1}], [], []]), "the text 'event', not 1"),
    "event with a list": (
        changed(events=[[{"event": "end", "winners": [0, 1]}], [], []]),
        "an event of action 0 has texts and whole numbers as values, not a list",
    ),
    "event with an object": (
        changed(events=[[{"event": "end", "by": {}}], [], []]),
        "whole numbers as values, not an object",
    ),
    "event with a truth": (
        changed(events=[[{"event": "end", "x": True}], [], []]),
        "whole numbers as values, not True",
    ),
    "event with nothing": (
        changed(events=[[{"event": "end", "x": None}], [], []]),
        "whole numbers as values, not None",
    ),
    "event with a fraction": (changed(events=[[{"event": "end", "x": 0.5}], [], []]), "all numbers are whole, not 0.5"),
    "half a character in an event": (changed(events=[[{"event": "\udfff"}], [], []]), "the text 'event', not"),
    "half a character in a key": (changed(events=[[{"event": "x", "\udfff": 1}], [], []]), "has texts as keys, not"),
    "field twice": (changed()[:-1] + ', "seed": 7}', "a key stands in an object once, not 'seed'"),
    "engine number": (changed(version=1), "version is a text, not 1"),
    "game number": (changed(game=1), "game is a text, not 1"),
    "game list": (changed(game=["pylos()"]), "game is a text, not a list"),
    "unknown game": (changed(game="chess()"), "'chess()' is not a game: unknown game 'chess'"),
    "unknown option": (changed(game="pylos(x=1)"), "'pylos(x=1)' is not a game:"),
    "game not canonical": (changed(game="pylos"), "the game is written pylos(), not 'pylos'"),
    "default written": (changed(game="pylos(base=4)"), "the game is written pylos(), not 'pylos(base=4)'"),
    "seed text": (changed(seed="7"), "seed is a whole number from 0 to 2**64 - 1, not '7'"),
    "seed true": (changed(seed=True), "seed is a whole number from 0 to 2**64 - 1, not True"),
    "seed float": (changed(seed=7.0), "all numbers are whole, not 7.0"),
    "seed exponent": (changed().replace(": 7,", ": 7e0,"), "all numbers are whole, not 7e0"),
    "seed negative": (changed(seed=-1), "seed is a whole number from 0 to 2**64 - 1, not -1"),
    "seed too large": (changed(seed=2**64), "seed is a whole number from 0 to 2**64 - 1, not 18446744073709551616"),
    "seed huge": (changed().replace(": 7,", f": {'9' * 100_000},"), "a number has 64 bits, not '9999"),
    "seed nan": (changed(seed=float("nan")), "all numbers are whole, not NaN"),
    "seed infinity": (changed(seed=float("-inf")), "all numbers are whole, not -Infinity"),
    "actions text": (changed(actions="1a1"), "actions is a list of texts, not '1a1'"),
    "actions object": (changed(actions={"1a1": 1}), "actions is a list of texts, not an object"),
    "action number": (changed(actions=["1a1", 3]), "action 1 is a text, not 3"),
    "action null": (changed(actions=[None]), "action 0 is a text, not None"),
    "action list": (changed(actions=[["1a1"]]), "action 0 is a text, not a list"),
    "half a character": (changed(actions=["\ud800"]), "action 0 is a text, not"),
    "half a character in the version": (changed(version="\udfff"), "version is a text, not"),
    "half a character in the game": (changed(game="\udfff"), "game is a text, not"),
    "list": ("[]", "a record is an object, not a list"),
    "text": ('"ziggurat-record"', "a record is an object, not 'ziggurat-record'"),
    "number": ("1", "a record is an object, not 1"),
    "null": ("null", "a record is an object, not None"),
    "empty": ("", "line 1, column 1: not JSON: Expecting value"),
    "two records": (changed() + "\n" + changed(), "line 2, column 1: not JSON: Extra data"),
    "truncated": (json.dumps(GOOD, indent=1)[:-30], "not JSON:"),
    "third line": ('{\n"format":\n oops}', "line 3, column 2: not JSON: Expecting value"),
    "comma": ('{"format": 1,}', "line 1, column 1"),
    "quotes": ("{'format': 1}", "line 1, column 2: not JSON"),
    "deep lists": ("[" * 100_000, "too deep"),
    "deep lists, closed": (
        changed(actions=None)[:-1] + ', "actions": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "too deep",
    ),
    "deep objects": ('{"a":' * 100_000 + "1" + "}" * 100_000, "too deep"),
    "deep but not too deep": ("[" * 400 + "]" * 400, "a record is an object, not a list"),
    "mark": ("\ufeff" + changed(), "line 1, column 1: not JSON"),
    "not UTF-8": (changed().encode()[:-1] + b"\n\xff}", "line 2: byte 0xff is not UTF-8"),
    "UTF-16": (changed().encode("utf-16"), "line 1: byte 0xff is not UTF-8"),
    "control character": ('{"format": "a\nb"}', "line 1, column 14: not JSON: Invalid control character"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_record(case):
    text, told = WRONG[case]
    with pytest.raises(RecordError) as caught:
        Record.from_json(text)
    assert told in str(caught.value)
    assert len(str(caught.value)) < 400
    assert (caught.value.line is None) == (not str(caught.value).startswith("line "))


def test_a_good_record_is_read():
    assert Record.from_json(changed()).replay().serialize().endswith(" 3")


@pytest.mark.parametrize("text", [None, 1, bytearray(b"{}"), {}, GOOD])
def test_what_is_no_text(text):
    with pytest.raises(TypeError, match="str or bytes"):
        Record.from_json(text)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (("pylos()", 0, ["1a1"]), "actions is a tuple of texts, not a list"),
        (("pylos()", 0, (1,)), "action 0 is a text"),
        (("pylos()", 10**5000, ()), "seed is a whole number from 0 to 2**64 - 1, not a number of more digits"),
        (("pylos()", 1.0, ()), "seed is a whole number"),
        (("pylos", 0, ()), "the game is written pylos(), not 'pylos'"),
        ((zg.load_game("pylos"), 0, ()), "game is a text"),
        (("pylos()", 0, (), None), "version is a text, not None"),
    ],
)
def test_records_are_checked_when_they_are_made(fields, told):
    with pytest.raises(RecordError) as caught:
        Record(*fields)
    assert told in str(caught.value)


def test_actions_that_a_game_lacks():
    game = zg.load_game("pylos")
    for action in (-1, 217):
        with pytest.raises(ValueError, match=str(action)):
            Record.of(game, 0, [action])
    with pytest.raises(TypeError):
        Record.of(game, 0, [1.5])
    with pytest.raises(RecordError, match="action 0 is a text"):
        Record.of(game, 0, ["\ud800"])
