"""Fuzzing of records by Hypothesis: trees of all shapes come back, and bad texts raise RecordError and nothing else."""

import json
import re
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

import ziggurat as zg
from ziggurat.formats import Record, RecordError, blksgf, sgf
from ziggurat.formats.sgf import Property, Tree

RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
MANY = settings(RELAXED, max_examples=400)
FILES = sorted((Path(__file__).parent / "data/blksgf").glob("*/*.blksgf"))
TEXTS = [path.read_bytes() for path in FILES]
SIGNS = st.sampled_from(
    [
        "(",
        ")",
        ";",
        "[",
        "]",
        "\\",
        ",",
        ":",
        " ",
        "\n",
        "\r",
        "B",
        "W",
        "1",
        "A",
        "GM",
        "PL",
        "AE",
        "a1",
        "c",
        "é",
        "\ufeff",
    ]
)

texts = st.text(st.characters(codec="utf-8"), max_size=12) | st.lists(SIGNS, max_size=8).map("".join)
identifiers = st.from_regex(r"[A-Za-z0-9]{0,3}[A-Z0-9][A-Za-z0-9]{0,2}", fullmatch=True)
properties = st.builds(Property, identifiers, st.lists(texts.map(sgf.escape), min_size=1, max_size=3).map(tuple))
nodes = st.lists(properties, max_size=3)


@st.composite
def trees(draw):
    """Trees whose nodes are added in any order."""
    tree = Tree(draw(nodes))
    for _ in range(draw(st.integers(0, 12))):
        tree.add(draw(st.integers(0, len(tree) - 1)), draw(nodes))
    return tree


@st.composite
def moves(draw):
    """A text with moves and setups that are almost right."""
    kind = draw(st.sampled_from(list(blksgf.GAME_TYPES)))
    values = ["e10", "j5", "a20", "t20", "f11", "f11,g11", "k4", "a1,a2", "e9,e8", "b19", "u1", "", "pass", "c3]1[a1"]
    words = ["B", "W", "1", "2", "3", "4", "BLUE", "RED", "AB", "AW", "A1", "A2", "AE", "PL", "C", "GM"]
    parts = [f"(;GM[{kind}]"]
    for _ in range(draw(st.integers(0, 8))):
        parts.append(draw(st.sampled_from([";", ";", ";", "(;", ")(;", ""])))
        parts.append(f"{draw(st.sampled_from(words))}[{draw(st.sampled_from([*values, 'B', 'W', '1', '2']))}]")
    return "".join(parts) + ")"


@st.composite
def mutants(draw, originals):
    """A text in which a few places are cut, doubled or replaced."""
    data = draw(st.sampled_from(originals))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.sampled_from([0, 0, 1, 2, 10, 10**6])))
        new = draw(SIGNS.map(str.encode) | st.binary(max_size=4) | st.just(data[start:stop] * 2))
        data = data[:start] + new + data[stop:]
    return data


def fault(check, text):
    """The RecordError of a check; None if there is none. Any other error is a failure."""
    try:
        check(text)
    except RecordError as error:
        return error
    return None


def play(text):
    """Read, write and play a record of Blokus."""
    record = blksgf.loads(text)
    assert blksgf.loads(blksgf.dumps(record)).tree.nodes[0].line == 1
    blksgf.validate(record)
    for _, state in blksgf.positions(record):
        assert zg.restore_state(state.serialize()) == state


def read(text):
    """A text is a record, or the error says in which line it is none."""
    found = fault(play, text)
    assert found is None or re.match(rf"line {found.line}\b", str(found))


@settings(RELAXED, max_examples=120)
@given(trees())
def test_trees_come_back(tree):
    text = sgf.dumps(tree)
    again = sgf.loads(text)
    assert again == tree
    assert list(again.preorder()) == list(range(len(tree)))
    assert sgf.dumps(again) == text
    assert sgf.loads(text.encode()) == tree
    assert sgf.loads(f"\ufeff \n{text})])") == tree


@MANY
@given(texts)
def test_texts_come_back(text):
    plain = re.sub(r"\r\n|\n\r|\r", "\n", text)
    plain = re.sub(r"[\t\v\f]", " ", plain)
    for composed in (False, True):
        value = sgf.escape(text, composed)
        assert sgf.loads(f"(;C[{value}])").nodes[0].value("C") == value
        assert sgf.unescape(value) == plain
        assert sgf.unescape_simple(value) == plain.replace("\n", " ")


@MANY
@given(st.binary(max_size=60) | texts | st.lists(SIGNS, max_size=40).map("".join))
def test_any_text(text):
    read(text)


@MANY
@given(st.text(max_size=30))  # with surrogates
def test_any_string(text):
    read(text)
    read(f"(;GM[Blokus]C[{text}])")


@MANY
@given(mutants(TEXTS))
def test_mutants_of_files(data):
    read(data)


@MANY
@given(moves())
def test_almost_good_moves(text):
    read(text)


def test_files_as_they_are():
    for path in FILES:
        assert (fault(play, path.read_bytes()) is None) == (path.parent.name != "broken")


# JSON.

GOOD = [
    Record.of(zg.load_game("pylos"), 1, ["1a1", "1d4"]).to_json().encode(),
    Record.of(zg.load_game("blokus", "duo"), 2**64 - 1, ["e10", "j5"]).to_json(indent=1).encode(),
    Record.of(zg.load_game("blox", players=3), 7, ["~w", "~r", "done", "@a10"]).to_json().encode(),
]
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | texts
    | st.sampled_from(["pylos()", "1a1", "ziggurat-record"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*json.loads(GOOD[0]), "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


def replay(text):
    """Read, write and play a JSON record."""
    record = Record.from_json(text)
    assert Record.from_json(record.to_json()) == record
    record.replay()


def read_json(text):
    """A text is a record, or the error says why not."""
    found = fault(replay, text)
    assert found is None or len(str(found)) > 10


@MANY
@given(st.dictionaries(st.sampled_from([*json.loads(GOOD[0]), "x"]), values, max_size=3), st.sampled_from(GOOD))
def test_any_fields(fields, good):
    read_json(json.dumps({**json.loads(good), **fields}))


@MANY
@given(values)
def test_any_json(value):
    read_json(json.dumps(value))


@MANY
@given(mutants(GOOD))
def test_mutants_of_records(data):
    read_json(data)


@MANY
@given(st.binary(max_size=40) | texts)
def test_any_json_text(text):
    read_json(text)


@pytest.mark.parametrize("good", GOOD)
def test_the_records_that_are_mutated_are_good(good):
    assert fault(replay, good) is None
