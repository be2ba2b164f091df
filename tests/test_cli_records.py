"""`ziggurat replay` and the drawings of `ziggurat show`."""

import json
import random
from xml.etree import ElementTree

import pytest

import ziggurat as zg
from ziggurat.cli import main
from ziggurat.formats import Record, blksgf

pytest.importorskip("typer")
pytest.importorskip("rich")

MOVES = ["e7,f7,e8,e9,e10", "j1,j2,j3,j4,j5", "g6,h6,i6,j6,k6"]


def played(*moves):
    state = zg.load_game("blokus", "duo").new_initial_state()
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


def refusal(capsys, *words):
    """The one line on stderr of a command that is refused."""
    assert main([str(word) for word in words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_record_of_each_kind_leads_to_the_same_position(tmp_path, capsys):
    game = zg.load_game("blokus", "duo")
    texts = {
        "a.json": Record.of(game, 0, MOVES).to_json(),
        "b.blksgf": blksgf.dumps(blksgf.from_moves(game, MOVES)),
        "c.SGF": blksgf.dumps(blksgf.from_moves(game, MOVES)),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert main(["replay", str(tmp_path / name), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["serialize"] == played(*MOVES).serialize()


@pytest.fixture
def city(tmp_path):
    """The file of a record that tells events, the record, and its last state."""
    game = zg.load_game("numberplace_city", players=3)
    state, rng, actions = game.new_initial_state(5), random.Random(5), []
    while not state.is_terminal():
        actions.append(rng.choice(state.legal_actions().tolist()))
        state.apply_action(actions[-1])
    record = Record.of(game, 5, actions)
    (tmp_path / "city.json").write_text(record.to_json(), encoding="utf-8")
    return tmp_path / "city.json", record, state


def report(number, action, events):
    """The lines of the events of an action."""
    lines = [f"action {number}, {action}:"]
    for event in events:
        name, *facts = event.items()
        lines.append(f"  {name[1].replace('_', ' ')}: {', '.join(f'{key} {value}' for key, value in facts)}")
    return "\n".join(lines) + "\n"


def test_the_last_events_are_told(city, capsys):
    file, record, state = city
    assert main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    *_, events = record.events()
    last = len(record.actions) - 1
    assert out == f"{state}\n\n{report(last, record.actions[-1], events)}"
    assert "  end: by " in out
    assert main(["replay", str(file), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["serialize"], shown["events"]) == (state.serialize(), [events])


def test_all_events_are_told(city, capsys):
    file, record, state = city
    assert main(["replay", str(file), "--events", "--svg", str(file.with_suffix(".svg"))]) == 0
    told = (report(*one) for one in zip(range(len(record.actions)), record.actions, record.events(), strict=True))
    assert capsys.readouterr().out == "\n".join([f"{state}\n", *told])
    drawing = state.to_svg(last_action=[record.actions[-1]], hands=True, secrets=True)
    assert file.with_suffix(".svg").read_text(encoding="utf-8") == drawing
    assert main(["replay", str(file), "--events", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["events"] == list(record.events())


def test_games_without_events_tell_none(tmp_path, capsys):
    (tmp_path / "a.json").write_text(Record.of(zg.load_game("blokus", "duo"), 0, MOVES).to_json(), encoding="utf-8")
    assert main(["replay", str(tmp_path / "a.json"), "--events"]) == 0
    assert capsys.readouterr().out == f"{played(*MOVES)}\n"
    assert main(["replay", str(tmp_path / "a.json"), "--events", "--json"]) == 0
    assert "events" not in json.loads(capsys.readouterr().out)


def test_words_and_a_drawing(tmp_path, capsys):
    (tmp_path / "a.blksgf").write_text(f"(;GM[Blokus Duo];B[{MOVES[0]}])", encoding="utf-8")
    assert main(["replay", str(tmp_path / "a.blksgf"), "--svg", str(tmp_path / "a.svg")]) == 0
    assert "orange to move" in capsys.readouterr().out
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == played(MOVES[0]).to_svg(last_action=MOVES[0])
    assert main(["show", "pylos", "--moves", "1a1 1d4", "--svg", str(tmp_path / "b.svg")]) == 0
    assert ElementTree.parse(tmp_path / "b.svg").getroot().tag.endswith("svg")
    state = zg.load_game("pylos").new_initial_state()
    for text in ("1a1", "1d4"):
        state.apply_action(state.string_to_action(text))
    assert (tmp_path / "b.svg").read_text(encoding="utf-8") == state.to_svg(last_action="1d4")


def test_a_setup_at_the_end_leaves_nothing_to_mark(tmp_path):
    text = f"(;GM[Blokus Duo];B[{MOVES[0]}];AE[{MOVES[0]}]PL[B])"
    (tmp_path / "a.blksgf").write_text(text, encoding="utf-8")
    assert main(["replay", str(tmp_path / "a.blksgf"), "--svg", str(tmp_path / "a.svg")]) == 0
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == played().to_svg()


def test_the_first_illegal_move_is_named_also_in_a_variation(tmp_path, capsys):
    file = tmp_path / "bad.blksgf"
    file.write_text(f"(;GM[Blokus Duo]\n;B[{MOVES[0]}]\n(;W[{MOVES[1]}])\n(;W[a1]))", encoding="utf-8")
    line = refusal(capsys, "replay", file)
    assert "line 4, node 3, W[a1]" in line
    assert str(file) in line
    file = tmp_path / "bad.json"
    file.write_text(Record.of(zg.load_game("blokus", "duo"), 0, MOVES[:1]).to_json().replace("e10", "a1"), "utf-8")
    assert "e7,f7,e8,e9,a1" in refusal(capsys, "replay", file)


def test_what_is_no_record_or_no_file(tmp_path, capsys):
    assert ".blksgf, .sgf, .json" in refusal(capsys, "replay", tmp_path / "a.txt")
    assert "No such file" in refusal(capsys, "replay", tmp_path / "a.json")
    (tmp_path / "cut.blksgf").write_bytes(b"(;GM[Blokus")
    assert "line 1" in refusal(capsys, "replay", tmp_path / "cut.blksgf")
    assert "cannot write" in refusal(capsys, "show", "pylos", "--svg", tmp_path)
