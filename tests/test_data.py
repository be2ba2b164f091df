"""Results as tables and Parquet files: nothing is lost, and what is no table of ours is refused."""

import dataclasses
import io
import json
import os
import re
import sys

import numpy as np
import pyarrow
import pytest
from common import SETS_OF_ACTIONS
from pyarrow import parquet

import ziggurat as zg
from ziggurat import _core, cli
from ziggurat.about import build_info


def same(one, other):
    """Whether two results are the same: every field, every bit, every dtype and shape."""
    for field in dataclasses.fields(zg.Results):
        mine, its = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            assert (mine.dtype, mine.shape, mine.tobytes()) == (its.dtype, its.shape, its.tobytes()), field.name
        elif field.name != "counters":
            assert (type(mine), mine) == (type(its), its)
    assert list(one.columns()) == list(other.columns())
    for name, column in one.columns().items():
        its = other.columns()[name]
        assert (column.dtype, column.shape, column.tobytes()) == (its.dtype, its.shape, its.tobytes()), name


@pytest.fixture(scope="module")
def results():
    return zg.simulate(zg.load_game("blox", players=3, max_turns=40), 20, 2**64 - 1, "turn", first=2**59)


@pytest.mark.parametrize("text", SETS_OF_ACTIONS)
def test_round_trip(tmp_path, text):
    path = tmp_path / "games.parquet"
    played = zg.simulate(zg.load_game(text), 10, 2**63, "turn", first=3)
    played.to_parquet(path)
    same(zg.Results.from_parquet(path), played)
    same(zg.Results.from_table(played.to_table()), played)
    assert os.listdir(tmp_path) == [path.name]


def test_round_trip_of_no_games(tmp_path):
    for name in zg.games():
        played = zg.simulate(zg.load_game(name), 0, 5)
        played.to_parquet(tmp_path / "none.parquet")
        same(zg.Results.from_parquet(tmp_path / "none.parquet"), played)


def test_round_trip_of_extreme_values(results):
    """Every bit of every type, and numbers that are none."""
    generator = np.random.default_rng(0)
    columns = {
        name: generator.integers(0, 256, column.nbytes, np.uint8).view(column.dtype).reshape(column.shape)
        for name, column in results.columns().items()
    }
    counters = {name: columns.pop(name) for name in results.counters}
    columns["winners"] &= 0b111
    strange = dataclasses.replace(results, **columns, counters=counters)
    strange.returns[0] = [np.nan, -0.0, np.inf]
    file = io.BytesIO()
    strange.to_parquet(file)
    file.seek(0)
    same(zg.Results.from_parquet(file), strange)


def test_arrays_that_were_read_are_ours(tmp_path, results):
    results.to_parquet(str(tmp_path / "games.parquet"))
    for read in (zg.Results.from_parquet(str(tmp_path / "games.parquet")), zg.Results.from_table(results.to_table())):
        for column in read.columns().values():
            assert column.flags.writeable
            assert column.flags.c_contiguous
            assert column.base is None or column.base.flags.owndata
        assert read.summary() == results.summary()


def test_table(results):
    table = results.to_table()
    assert table.num_rows == 20
    flat = {name: table[name].to_numpy() for name in table.column_names}
    np.testing.assert_array_equal(np.stack([flat[f"scores_{p}"] for p in range(3)], axis=1), results.scores)
    np.testing.assert_array_equal(np.stack([flat[f"returns_{p}"] for p in range(3)], axis=1), results.returns)
    for name in {"winners", "plies", "legal_total", *results.counters}:
        np.testing.assert_array_equal(flat[name], results.columns()[name], strict=True)
    assert str(table.schema.field("winners").type) == "uint32"
    about = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    game = zg.load_game("blox", players=3, max_turns=40)
    assert json.loads(about.pop("options")) == game.options
    assert about == {
        "game": str(game),
        "seed": str(2**64 - 1),
        "first": str(2**59),
        "uniform": "turn",
        **build_info(),
    }


def test_build_info():
    info = zg.build_info()
    assert list(info) == ["version", "git_describe", "level", "compiler"]
    assert (info["version"], info["level"]) == (zg.__version__, _core.level)
    assert re.fullmatch(r"(GNU|Clang|AppleClang) [0-9.]+", info["compiler"])
    assert re.fullmatch(r"|.*[0-9a-f]{7,40}(-dirty)?|.*[0-9].*", info["git_describe"])
    assert zg.simulate(zg.load_game("pylos"), 1).build == info


def test_what_played_the_games_is_kept(results):
    """A file that is read and written again tells who played the games, not who wrote it last."""
    older = dataclasses.replace(results, build={"version": "0.0.1", "level": "v2"})
    again = zg.Results.from_table(zg.Results.from_table(older.to_table()).to_table())
    assert again.build == older.build


@pytest.mark.parametrize("uniform", ["action", "turn"])
def test_files_of_the_command_line(tmp_path, uniform):
    path = tmp_path / "games.parquet"
    words = [
        "simulate",
        "pylos",
        "--games",
        "90",
        "--seed",
        "3",
        "--first",
        "4",
        "--uniform",
        uniform,
        "--out",
        str(path),
    ]
    assert cli.main(words) == 0
    same(zg.Results.from_parquet(path), zg.simulate(zg.load_game("pylos"), 90, 3, uniform, first=4))
    zg.simulate(zg.load_game("pylos"), 90, 3, uniform, first=4).to_parquet(tmp_path / "api.parquet")
    assert (tmp_path / "api.parquet").read_bytes() == path.read_bytes()


def test_files_that_know_fewer_options_are_read(results):
    """As an older version wrote them, before a game had some option."""
    options = dict(zg.load_game(results.game).options)
    options.popitem()
    assert len(zg.Results.from_table(changed(results.to_table(), options=json.dumps(options)))) == len(results)


def test_files_without_options_and_commit_are_read(results):
    """As version 0.4.0 wrote them."""
    table = results.to_table()
    kept = {b"game", b"seed", b"first", b"uniform", b"version", b"level"}
    old = table.replace_schema_metadata({k: v for k, v in table.schema.metadata.items() if k in kept})
    read = zg.Results.from_table(old)
    assert read.build == {"version": zg.__version__, "level": _core.level}
    same(dataclasses.replace(read, build=results.build), results)


def changed(table, **facts):
    about = {k.decode(): v for k, v in table.schema.metadata.items()} | facts
    return table.replace_schema_metadata({name: value for name, value in about.items() if value is not None})


def won(table, winners):
    """The same with other winners in row 7."""
    column = table["winners"].to_pylist()
    column[7] = winners
    return table.set_column(table.column_names.index("winners"), "winners", pyarrow.array(column, pyarrow.uint32()))


def renamed(table, name, other):
    names = [other if column == name else column for column in table.column_names]
    return table.rename_columns(names).replace_schema_metadata(table.schema.metadata)


def recast(table, name, kind):
    place = table.column_names.index(name)
    return table.set_column(place, name, table[name].cast(kind))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda t: t.replace_schema_metadata(None), "no 'game' in its metadata"),
        (lambda t: changed(t, game=None), "no 'game' in its metadata"),
        (lambda t: changed(t, seed=None), "no 'seed' in its metadata"),
        (lambda t: changed(t, first="-1"), "'first' is a whole number, not '-1'"),
        (lambda t: changed(t, seed="1.5"), "'seed' is a whole number, not '1.5'"),
        (lambda t: changed(t, seed="9" * 5000), "'seed' is a whole number, not '999"),
        (lambda t: changed(t, seed="\u0663"), "'seed' is a whole number, not '\u0663'"),
        (lambda t: changed(t, uniform="ply"), "'uniform' is one of action, turn, not 'ply'"),
        (lambda t: t.drop_columns(["plies"]), "no column 'plies'"),
        (lambda t: t.drop_columns(["scores_0"]), "no column 'scores_0'"),
        (lambda t: t.drop_columns(["returns_2"]), "no column 'returns_2'"),
        (lambda t: t.append_column("scores_3", t["scores_2"]), "the column 'scores_3', which results of blox("),
        (lambda t: t.append_column("more", t["build"]), "the column 'more', which results of blox("),
        (lambda t: t.drop_columns(["joker"]), "no column 'joker'"),
        (lambda t: renamed(t, "joker", "jokers"), "no column 'joker'"),
        (lambda t: renamed(t, "joker", b"jok\xffr"), "the names of columns are texts in UTF-8, not b'jok\\xffr'"),
        (lambda t: changed(t, game="chess()"), "'game' is the text of a game, not 'chess()': unknown game 'chess'"),
        (lambda t: changed(t, game=""), "'game' is the text of a game, not ''"),
        (lambda t: changed(t, game="blox(players=9)"), "'game' is the text of a game, not 'blox(players=9)'"),
        (lambda t: changed(t, game="blox(max_turns=40,players=3)"), "'game' is the canonical text 'blox(players=3,"),
        (lambda t: changed(t, game="blox(players=4,max_turns=40)"), "'options' are those of blox(players=4,"),
        (lambda t: changed(t, game="blox(players=4,max_turns=40)", options=None), "no column 'scores_3'"),
        (lambda t: changed(t, game="blox(max_turns=40)", options=None), "the column 'scores_2', which results of"),
        (lambda t: changed(t, options='{"players":2}'), "'options' are those of blox(players=3,max_turns=40): {"),
        (lambda t: changed(t, options='{"chess":2}'), "'options' are those of blox(players=3,max_turns=40): {"),
        (lambda t: changed(t, options="[" * 10**5), "'options' are those of"),
        (lambda t: changed(t, game=b"\xff"), "texts in UTF-8, not b'\\xff'"),
        (lambda t: changed(t, compiler=b"\x80"), "texts in UTF-8, not b'\\x80'"),
        (lambda t: changed(t, seed=str(2**64)), f"'seed' is a whole number up to {2**64 - 1}, not {2**64}"),
        (lambda t: changed(t, seed="007"), "'seed' is a whole number, not '007'"),
        (lambda t: changed(t, first=str(2**60 + 1)), f"'first' is a whole number up to {2**60}, not"),
        (
            lambda t: won(t, 0b1000),
            "'winners' has bits of the 3 players of blox(players=3,max_turns=40), not 8 (row 7)",
        ),
        (lambda t: won(t, 2**31 + 1), "'winners' has bits of the 3 players"),
        (lambda t: recast(t, "winners", "int64"), "the column 'winners' is uint32 without nulls, not int64"),
        (lambda t: recast(t, "plies", "string"), "the column 'plies' is int32 without nulls, not string"),
        (lambda t: recast(t, "build", "float"), "the column 'build' is int32 without nulls, not float"),
        (lambda t: t.append_column("mine", pyarrow.array(["x"] * 20)), "the column 'mine', which results of blox("),
        (
            lambda t: t.set_column(0, "scores_0", pyarrow.array([None, *range(19)], pyarrow.int32())),
            "the column 'scores_0' is int32 without nulls, not int32 with 1 null",
        ),
        (lambda t: t.append_column("plies", t["plies"]), "the column 'plies' more than once"),
    ],
)
def test_tables_that_are_not_ours(results, change, told):
    with pytest.raises(zg.ParseError) as caught:
        zg.Results.from_table(change(results.to_table()))
    assert told in str(caught.value)


def test_most_that_simulate_takes_is_read(results):
    last = zg.simulate(zg.load_game("pylos"), 20, 2**64 - 1, first=2**60)
    same(zg.Results.from_table(last.to_table()), last)
    with pytest.raises(ValueError, match="first"):
        zg.simulate(zg.load_game("pylos"), 20, first=2**60 + 1)


def test_columns_in_another_order_are_read(results):
    table = results.to_table()
    same(zg.Results.from_table(table.select(sorted(table.column_names))), results)


def test_files_with_flipped_bits():
    """Each is refused with ParseError, or read as it was but for numbers and builds that nothing else there tells."""
    played = zg.simulate(zg.load_game("pylos"), 6, 7, "turn", first=2)
    file = io.BytesIO()
    played.to_parquet(file)
    whole, generator, refused = file.getvalue(), np.random.default_rng(0), 0
    flips = [(place, bit) for place in range(len(whole)) for bit in {2, int(generator.integers(8))}]
    for place, bit in flips:  # bit 2 of the number of rows: four rows instead of six
        bytes_ = bytearray(whole)
        bytes_[place] ^= 1 << bit
        try:
            read = zg.Results.from_parquet(io.BytesIO(bytes_))
        except zg.ParseError:
            refused += 1
            continue
        assert set(read.build) <= set(played.build)
        same(dataclasses.replace(read, seed=played.seed, first=played.first, build=played.build), played)
    assert len(flips) // 4 < refused < len(flips)


def test_damaged_numbers_are_seen(tmp_path, results):
    """By the checksums of the pages."""
    path = tmp_path / "games.parquet"
    results.to_parquet(path)
    whole, chunk = path.read_bytes(), parquet.ParquetFile(path).metadata.row_group(0).column(0)
    begin = chunk.data_page_offset if chunk.dictionary_page_offset is None else chunk.dictionary_page_offset
    place = begin + chunk.total_compressed_size - 1  # of the last number
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    with pytest.raises(zg.ParseError, match=r"not a Parquet file: .*CRC"):
        zg.Results.from_parquet(path)


def test_files_are_read_from_their_beginning(results):
    file = io.BytesIO()
    results.to_parquet(file)
    same(zg.Results.from_parquet(file), results)
    with pytest.raises(TypeError, match="source is a path or a binary file, not one of str"):
        zg.Results.from_parquet(io.StringIO("PAR1"))
    file.close()
    with pytest.raises(ValueError, match="closed") as caught:
        zg.Results.from_parquet(file)
    assert not isinstance(caught.value, zg.ParseError)


def test_names_of_columns_that_are_no_texts(results):
    file = io.BytesIO()
    results.to_parquet(file)
    with pytest.raises(zg.ParseError, match=r"not a Parquet file: .*utf-8"):
        zg.Results.from_parquet(io.BytesIO(file.getvalue().replace(b"forced_passes", b"forced\xffpasses")))


def test_what_is_no_table():
    for thing in (None, {}, [1], "games.parquet"):
        with pytest.raises(TypeError, match="a pyarrow"):
            zg.Results.from_table(thing)


def test_files_that_are_not_ours(tmp_path, results):
    path = tmp_path / "games.parquet"
    results.to_parquet(path)
    whole = path.read_bytes()
    for bytes_ in (
        b"",
        b"PAR1",
        b"plies\n12\n" * 100,
        whole[:-9],
        whole[: len(whole) // 2],
        whole[:4] + bytes(len(whole)),
    ):
        path.write_bytes(bytes_)
        with pytest.raises(zg.ParseError, match=r"games\.parquet is not a Parquet file"):
            zg.Results.from_parquet(path)
    parquet.write_table(pyarrow.table({"plies": [1]}), path)
    with pytest.raises(zg.ParseError, match="no 'game' in its metadata"):
        zg.Results.from_parquet(path)
    with pytest.raises(FileNotFoundError):
        zg.Results.from_parquet(tmp_path / "none.parquet")
    for thing in (None, 3, b"x"):
        with pytest.raises(TypeError):
            zg.Results.from_parquet(thing)
        with pytest.raises(TypeError):
            results.to_parquet(thing)


def test_failed_writing_leaves_the_old_file(tmp_path, monkeypatch, results):
    path = tmp_path / "games.parquet"
    path.write_text("old")

    def broken(table, file, **options):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(parquet, "write_table", broken)
        with pytest.raises(OSError, match="No space left"):
            results.to_parquet(path)
    unknown = dataclasses.replace(results, game="chess()")
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        unknown.to_parquet(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == [path.name]
    with pytest.raises(IsADirectoryError):
        results.to_parquet(tmp_path)


def test_missing_extra_is_named(tmp_path, monkeypatch, results):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for ask in (
        results.to_table,
        lambda: zg.Results.from_table(None),
        lambda: results.to_parquet(tmp_path / "a.parquet"),
        lambda: zg.Results.from_parquet(tmp_path / "a.parquet"),
    ):
        with pytest.raises(ImportError, match=re.escape('pyarrow is missing: pip install "ziggurat[data]"')):
            ask()
    assert os.listdir(tmp_path) == []
