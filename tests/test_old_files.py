"""What an older version wrote is read for ever: pickles, texts and records of tests/data, one file a version."""

import base64
import json
import pickle
from pathlib import Path

import pytest

import ziggurat as zg
from ziggurat.formats import Record

FILES = sorted(Path(__file__).parent.glob("data/states-*.json"))
RECORDS = [(path.stem, record) for path in FILES for record in json.loads(path.read_text(encoding="utf-8"))]

RECORD_FILES = sorted(Path(__file__).parent.glob("data/records-*.json"))
OLD_RECORDS = [record for path in RECORD_FILES for record in json.loads(path.read_text(encoding="utf-8"))]

BATCHES = [
    batch for path in Path(__file__).parent.glob("data/batches-*.json") for batch in json.loads(path.read_text("utf-8"))
]


def test_there_are_old_files_of_every_game():
    assert {zg.restore_state(record["text"]).get_game().name for _, record in RECORDS} == set(zg.games())


@pytest.mark.parametrize(("version", "record"), RECORDS, ids=lambda value: value if isinstance(value, str) else "")
def test_old_states_are_read(version: str, record: dict):
    played = zg.load_game(record["game"]).new_initial_state(record.get("seed", 0))
    for action in record["actions"]:
        played.apply_action(action)
    assert played.serialize() == record["text"]
    assert zg.restore_state(record["text"]) == played
    assert pickle.loads(base64.b64decode(record["pickle"])) == played
    known = [played.information_state_string(player) for player in range(played.get_game().num_players())]
    assert record.get("known", known) == known
    if "sample" in record:  # also what is drawn anew from a seed stays the same
        assert played.resample(1, 1).serialize() == record["sample"]


@pytest.mark.parametrize("old", OLD_RECORDS, ids=lambda old: old["text"].split()[0])
def test_old_records_are_read(old: dict):
    record = Record.from_json(old["record"])
    assert record.replay().serialize() == old["text"]
    written = json.loads(old["record"]).get("events", [[]] * len(record.actions))
    assert list(record.events()) == written


def test_there_are_old_records_with_events():
    assert any(any(json.loads(old["record"]).get("events", [])) for old in OLD_RECORDS)


def test_there_are_old_records_of_every_game():
    assert {Record.from_json(old["record"]).load_game().name for old in OLD_RECORDS} == set(zg.games())


@pytest.mark.parametrize("old", BATCHES, ids=lambda old: old["saved"].split('"')[3])
def test_old_batches_are_read_and_go_on_as_they_did(old: dict):
    env = zg.BatchEnv.load(old["saved"].encode())
    assert env.save() == old["saved"].encode()
    for drawn in old["drawn"]:
        assert env.sample().tolist() == drawn
        env.step(drawn)
    assert env.save() == old["then"].encode()


def test_there_are_old_batches_of_every_game():
    assert {zg.BatchEnv.load(old["saved"].encode()).game.name for old in BATCHES} == set(zg.games())
