"""The JSON-lines server: commands, games to their end, errors, lines that are none, the page and the example client.

What seats may know and what may be taken back is tested in test_serve_secrets.py.
"""

import ast
import io
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from common import GAMES

import ziggurat as zg
from ziggurat.cli import main
from ziggurat.formats import Record, blksgf
from ziggurat.serve import Limits, Server
from ziggurat.serve.errors import CODES
from ziggurat.turns import legal_turns

DOCS = Path(__file__).parents[1] / "docs"
PRESETS = [f"{name}/{preset}" for name in zg.games() for preset in zg.describe(name)["presets"]]
STATUS = {"revision", "to_move", "in_turn", "terminal", "scores"}


def ask(server, command, **fields):
    """The result of a request."""
    answer = server.answer({"id": "x", "command": command, **fields})
    assert set(answer) == {"id", "result"}, answer
    json.dumps(answer, allow_nan=False)
    assert answer["id"] == "x"
    return answer["result"]


def refusal(server, command, **fields):
    """The code and the message of a request that is refused."""
    answer = server.answer({"id": 3, "command": command, **fields})
    assert set(answer) == {"id", "error"}, answer
    assert answer["id"] == 3
    assert set(answer["error"]) == {"code", "message"}
    return answer["error"]["code"], answer["error"]["message"]


def opened(name, preset=None, **fields):
    """A server with one game, g1."""
    server = Server()
    assert ask(server, "new", name=name, preset=preset, **fields)["game"] == "g1"
    return server


def talk(data, server=None):
    """The answers to a stream of bytes."""
    out = io.BytesIO()
    (server or Server()).run(io.BytesIO(data), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


# Commands


def test_hello_and_what_there_is():
    server = Server()
    hello = ask(server, "hello")
    assert (hello["name"], hello["version"], hello["protocol"]) == ("ziggurat", zg.__version__, 1)
    assert hello["limits"] == {"line": 65536, "games": 100}
    assert hello["codes"] == CODES
    for command in hello["commands"]:
        assert refusal(server, command, game="g9", odd=1)[0] in ("unknown_game", "bad_request")
    assert ask(server, "games") == {"games": zg.games()}
    for name in zg.games():
        assert ask(server, "describe", name=name) == {"name": name, **zg.describe(name)}


@pytest.mark.parametrize("text", GAMES)
def test_any_game_can_be_opened(text):
    server = Server()
    new = ask(server, "new", name=text, seed=5)
    game = zg.load_game(text)
    assert new == {
        "game": "g1",
        "name": text,
        "players": game.num_players(),
        "secrets": game.name in ("blox", "numberplace_city"),
    }
    view = ask(server, "view", game="g1", seat="all")
    assert f"{text} {view['position']}" == game.new_initial_state(5).serialize()


def test_options_and_presets():
    server = Server()
    new = ask(server, "new", name="blokus", preset="duo", options={"scoring": "basic", "copies": 2})
    assert new["name"] == str(zg.load_game("blokus", "duo", scoring="basic", copies=2))
    assert ask(server, "new", name="blox", options={"reach_new": False})["name"] == "blox(reach_new=false)"
    assert [game["game"] for game in ask(server, "open")["games"]] == ["g1", "g2"]
    assert ask(server, "close", game="g1") == {"closed": "g1"}
    assert refusal(server, "view", game="g1", seat=0)[0] == "unknown_game"
    assert ask(server, "new", name="pylos")["game"] == "g3"


@pytest.mark.parametrize("text", PRESETS)
def test_a_game_to_its_end(text):
    """Seats play by text, by ids, by single actions or by bots in turn; the record is that of the game."""
    name, _, preset = text.partition("/")
    server, rng = opened(name, preset, seed=8, bot_seed=2), random.Random(text)
    game = zg.load_game(name, preset)
    state, number = game.new_initial_state(8), 0
    while not state.is_terminal() and number < 60:
        seat = state.current_player()
        me = {"game": "g1", "seat": seat}
        legal = ask(server, "legal", **me, limit=1000)
        assert legal["count"] == state.count_turns()
        turns = list(legal_turns(state))
        assert [turn["actions"] for turn in legal["turns"]] == turns[:1000]
        turn = rng.choice(legal["turns"])
        way = number % 4
        if way == 0:
            played = ask(server, "play", **me, turn=turn["turn"])
        elif way == 1:
            played = ask(server, "play", **me, actions=turn["actions"])
        elif way == 2:
            for action in turn["actions"]:
                played = ask(server, "play", **me, actions=[state.action_to_string(action)])
        else:
            played = ask(server, "bot", **me, bot="random")
        turn = played["turn"]["actions"]
        events = []
        for action in turn:
            events += state.events(action)
            state.apply_action(action)
        assert played["turn"] == {
            "number": number, "player": seat, "turn": played["turn"]["turn"], "actions": turn, "events": events
        }  # fmt: skip
        number += 1
        view = ask(server, "view", game="g1", seat="all", since=number - 1)
        assert f"{game} {view['position']}" == state.serialize()
        assert {key: view[key] for key in STATUS} == {key: played[key] for key in STATUS}
        assert view["turns"] == [played["turn"]]
        assert (view["scores"], view["winners"]) == (state.scores().tolist(), state.winners())
        assert view["to_move"] == (None if state.is_terminal() else state.current_player())
    record = Record.from_json(json.dumps(ask(server, "record", game="g1", seat="all")["record"]))
    assert record.replay() == state
    if state.is_terminal():
        for command, fields in (("play", {"turn": ""}), ("legal", {}), ("bot", {"bot": "random"})):
            assert refusal(server, command, game="g1", seat=0, **fields) == ("game_over", "the game has ended")


def test_pages_of_legal_turns():
    server = opened("blokus", "duo")
    state, me = zg.load_game("blokus", "duo").new_initial_state(), {"game": "g1", "seat": 0}
    for unit in ("turn", "action"):
        start, found = 0, []
        while start is not None:
            page = ask(server, "legal", **me, unit=unit, start=start, limit=150)
            assert (page["count"], page["start"]) == (414, start)
            found += page[f"{unit}s"]
            start = page["next"]
        ids = [entry["actions"][0] if unit == "turn" else entry["action"] for entry in found]
        assert ids == state.legal_actions().tolist()
        assert [entry["turn" if unit == "turn" else "text"] for entry in found] == [*map(state.action_to_string, ids)]
        for start in (414, 10**18):
            page = ask(server, "legal", **me, unit=unit, start=start)
            assert (page[f"{unit}s"], page["next"]) == ([], None)


def test_views_have_the_last_turns_or_those_since():
    server = opened("pylos", bots={"*": "random"})
    for _ in range(7):
        ask(server, "bot", game="g1", seat=0)
    me = {"game": "g1", "seat": 1}
    assert [turn["number"] for turn in ask(server, "view", **me)["turns"]] == [5, 6]
    assert [turn["number"] for turn in ask(server, "view", **me, since=2, limit=3)["turns"]] == [2, 3, 4]
    assert ask(server, "view", **me, since=7)["turns"] == []
    assert ask(server, "view", **me)["bots"] == {"0": "random", "1": "random"}
    assert "svg" not in ask(server, "view", **me)


@pytest.mark.parametrize("name", zg.games())
def test_views_are_drawn(name):
    server = opened(name, seed=2, bots={"*": "random"})
    for _ in range(12):
        for seat in (0, "all"):
            assert ask(server, "view", game="g1", seat=seat, svg=True)["svg"].startswith("<svg ")
        ask(server, "bot", game="g1", seat="all")


def test_bots_choose_by_their_seed_and_for_their_seats():
    games = []
    for seed in (1, 1, 2):
        server = opened("blokus", "mini", bots={"0": None, "*": "greedy"}, bot_seed=seed)
        assert refusal(server, "bot", game="g1", seat=1, bot="random")[0] == "not_your_turn"
        assert refusal(server, "bot", game="g1", seat=0)[0] == "bad_request"
        ask(server, "bot", game="g1", seat=0, bot="random")
        assert refusal(server, "bot", game="g1", seat=0, bot="random")[0] == "not_your_turn"
        ask(server, "bot", game="g1", seat=0)
        games.append(ask(server, "record", game="g1", seat=0)["record"]["actions"])
    assert games[0] == games[1] != games[2]


def test_records_of_blokus_as_blksgf():
    server = opened("blokus", "duo")
    for _ in range(4):
        ask(server, "bot", game="g1", seat="all", bot="greedy")
    record = blksgf.loads(ask(server, "record", game="g1", seat=0, format="blksgf")["record"])
    *_, (_, state) = blksgf.positions(record)
    position = ask(server, "view", game="g1", seat=0)["position"]
    assert state.serialize().endswith(position)
    for name, preset in (("pylos", None), ("blokus", "mini")):
        handle = ask(server, "new", name=name, preset=preset)["game"]
        assert refusal(server, "record", game=handle, seat=0, format="blksgf")[0] == "unsupported"


# What is refused

PLAY = {"command": "play", "game": "g1", "seat": 0}
VIEW = {"command": "view", "game": "g1", "seat": 0}
LEGAL = {"command": "legal", "game": "g1", "seat": 0}
NEW = {"command": "new", "name": "pylos"}


@pytest.mark.parametrize(
    ("request_", "code", "words"),
    [
        (None, "bad_request", "a request is an object, not null"),
        ([], "bad_request", "a list"),
        ("x", "bad_request", "'x'"),
        ({}, "bad_request", "'command' is missing"),
        ({"command": 1}, "bad_request", "'command' is a text, not 1"),
        ({"command": "x" * 300}, "unknown_command", "there are: hello"),
        ({"command": "hello", "id": 1.5}, "bad_request", "'id' is null"),
        ({"command": "hello", "id": True}, "bad_request", "'id' is null"),
        ({"command": "hello", "id": "x" * 201}, "bad_request", "'id' is null"),
        ({"command": "hello", "x": 1}, "bad_request", "no field 'x'"),
        ({"command": "describe", "name": "chess"}, "bad_game", "there are: blokus"),
        ({"command": "describe"}, "bad_request", "'name' is missing"),
        (NEW | {"name": "chess"}, "bad_game", "chess"),
        (NEW | {"name": "pylos(x=1)"}, "bad_game", "unknown option"),
        (NEW | {"preset": "x"}, "bad_game", "preset"),
        (NEW | {"preset": 1}, "bad_request", "'preset' is a text"),
        (NEW | {"options": {"base": 99}}, "bad_game", "base"),
        (NEW | {"options": {"base": [4]}}, "bad_game", "base"),
        (NEW | {"options": {"name": "blokus"}}, "bad_game", "unknown option 'name'"),
        (NEW | {"options": {"self": 1, "": 2}}, "bad_game", "unknown option"),
        (NEW | {"options": []}, "bad_request", "'options' is an object, not a list"),
        (NEW | {"seed": -1}, "bad_request", "'seed' is a whole number from 0 to 18446744073709551615, not -1"),
        (NEW | {"seed": 2**64}, "bad_request", "'seed'"),
        (NEW | {"seed": True}, "bad_request", "'seed'"),
        (NEW | {"bots": {"2": "random"}}, "bad_seat", "from 0 to 1"),
        (NEW | {"bots": {"0": "clever"}}, "bad_request", "one of random, greedy"),
        (NEW | {"bots": {"0": 3}}, "bad_request", "one of random, greedy"),
        ({"command": "view", "seat": 0}, "bad_request", "'game' is missing"),
        (VIEW | {"game": "g2"}, "unknown_game", "'g2'"),
        (VIEW | {"game": 1}, "bad_request", "'game' is a text"),
        ({"command": "view", "game": "g1"}, "bad_request", "'seat' is missing"),
        (VIEW | {"seat": 2}, "bad_seat", "from 0 to 1, or 'all', not 2"),
        (VIEW | {"seat": -1}, "bad_seat", "not -1"),
        (VIEW | {"seat": "0"}, "bad_seat", "not '0'"),
        (VIEW | {"seat": None}, "bad_request", "not null"),
        (VIEW | {"seat": True}, "bad_request", "not True"),
        (VIEW | {"svg": 1}, "bad_request", "'svg' is true or false"),
        (VIEW | {"limit": 1001}, "bad_request", "from 1 to 1000"),
        (LEGAL | {"limit": 0}, "bad_request", "from 1 to 1000"),
        (LEGAL | {"unit": "ply"}, "bad_request", "one of turn, action"),
        (LEGAL | {"seat": 1}, "not_your_turn", "seat 0 is to move, not 1"),
        (PLAY, "bad_request", "one of them"),
        (PLAY | {"turn": "1a1", "actions": [0]}, "bad_request", "one of them"),
        (PLAY | {"seat": 1, "turn": "1a1"}, "not_your_turn", "seat 0 is to move, not 1"),
        (PLAY | {"turn": "zz"}, "bad_turn", "zz"),
        (PLAY | {"turn": ""}, "bad_turn", "''"),
        (PLAY | {"turn": "2a1"}, "illegal_turn", "[PY-"),
        (PLAY | {"turn": "\ud800"}, "bad_turn", "Unicode"),
        (PLAY | {"turn": "1" * 201}, "bad_turn", "201 characters"),
        (PLAY | {"turn": "1" * 10001}, "bad_request", "at most 10000"),
        (PLAY | {"actions": []}, "bad_request", "1 to 1000"),
        (PLAY | {"actions": [0] * 1001}, "bad_request", "1 to 1000"),
        (PLAY | {"actions": [217]}, "bad_turn", "from 0 to 216, not 217"),
        (PLAY | {"actions": [True]}, "bad_turn", "not True"),
        (PLAY | {"actions": [[0]]}, "bad_turn", "not a list"),
        (PLAY | {"actions": ["1a1", "1b1"]}, "illegal_turn", "the turn ends before 1b1"),
        (PLAY | {"actions": ["2a1"]}, "illegal_turn", "[PY-"),
        ({"command": "undo", "game": "g1", "seat": 0}, "cannot_undo", "no turn"),
        ({"command": "bot", "game": "g1", "seat": 0, "bot": "x"}, "bad_request", "one of random, greedy"),
        ({"command": "record", "game": "g1", "seat": 0, "format": "pgn"}, "bad_request", "one of json, blksgf"),
    ],
)  # fmt: skip
def test_requests_that_are_refused_change_nothing(request_, code, words):
    server = opened("pylos", seed=1)
    before = ask(server, "view", game="g1", seat="all"), ask(server, "open")
    answer = server.answer(request_)
    assert set(answer) == {"id", "error"}
    assert answer["error"]["code"] == code
    assert words in answer["error"]["message"]
    assert (ask(server, "view", game="g1", seat="all"), ask(server, "open")) == before


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"x", "not_json"),
        (b"{", "not_json"),
        (b'{"command": "hello"} {}', "not_json"),
        (b"\xff", "not_json"),
        (b'\xef\xbb\xbf{"command": "hello"}', "not_json"),
        (b"[" * 60_000, "not_json"),
        (b'{"a":' * 10_000, "not_json"),
        (b'{"command": "new", "seed": ' + b"9" * 5000 + b"}", "not_json"),
        (b'{"command": "new", "seed": NaN}', "not_json"),
        (b'{"command": "new", "seed": -Infinity}', "not_json"),
        (b'{"command": "new", "seed": 1.0}', "not_json"),
        (b'{"command": "new", "seed": 1e400}', "not_json"),
        (b'{"command": "hello", "command": "hello"}', "not_json"),
        (b'"' + b"x" * 65_536 + b'"', "too_long"),
        (b"null", "bad_request"),
        (b"7", "bad_request"),
    ],
)
def test_lines_that_are_no_requests(line, code):
    first, second = talk(line + b'\n{"id": 5, "command": "games"}\n')
    assert (first["id"], first["error"]["code"]) == (None, code)
    assert (second["id"], second["result"]) == (5, {"games": zg.games()})


def test_lines_and_their_ends():
    assert talk(b"\n \r\n\t\n") == []
    assert len(talk(b'{"command": "hello"}\r\n{"command": "hello"}')) == 2
    assert [answer["id"] for answer in talk(b'{"id": "\\ud800", "command": "games"}')] == ["\ud800"]
    assert len(talk(b'{"command": "quit"}\n{"command": "hello"}\n')) == 1
    exact = b'{"command": "games", "id": "' + b"x" * 100 + b'"}'
    assert "result" in talk(exact + b"\n", Server(Limits(line=len(exact))))[0]
    assert "result" in talk(exact, Server(Limits(line=len(exact))))[0]
    assert [answer["error"]["code"] for answer in talk(exact + b"\n" + exact, Server(Limits(line=50)))] == [
        "too_long"
    ] * 2


def noise(rng):
    """A line that is no request, or hardly one."""
    kind = rng.randrange(5)
    if kind == 0:
        return bytes(rng.choices(range(256), k=rng.randrange(1, 80))).replace(b"\n", b"")
    words = ["g1", "all", "\\ud800", "view", "play", "legal", "undo", "record", "describe", "pylos", "1a1"]
    values = ["0", "1", "-1", "null", "true", "1e9", "NaN", "[]", "{}", '[[[{"a": []}]]]', "9" * 40]
    values += [f'"{word}"' for word in words]
    keys = ["id", "command", "game", "seat", "turn", "actions", "name", "seed", "svg", "since", "limit", "unit", "x"]
    pairs = [f'"{rng.choice(keys)}": {rng.choice(values)}' for _ in range(rng.randrange(5))]
    if kind >= 3:
        command = rng.choice(["view", "play", "legal", "undo", "record", "describe", "new", "bot", "hello"])
        pairs = [f'"command": "{command}"', '"game": "g1"', *pairs[1:]]
    line = ("{" + ", ".join(pairs) + "}").encode()
    return line if kind != 1 else line[: rng.randrange(len(line))] + bytes([rng.randrange(256)]).replace(b"\n", b"")


def test_ten_thousand_malformed_lines_do_not_stop_it(capsys):
    rng = random.Random(3)
    lines = [noise(rng) for _ in range(10_000)] + [b"[" * 70_000, b'{"id": 77, "command": "games"}']
    answers = talk(b"\n".join(lines), opened("pylos", seed=1))
    assert len(answers) == sum(1 for line in lines if line.strip())
    assert answers[-1] == {"id": 77, "result": {"games": zg.games()}}
    codes = [answer["error"]["code"] for answer in answers if "error" in answer]
    assert len(codes) > 8_000
    assert (
        {"not_json", "bad_request", "bad_seat", "unknown_command", "too_long"}
        <= set(codes)
        <= set(CODES) - {"internal"}
    )
    assert capsys.readouterr().err == ""


def test_as_many_games_as_may_be():
    server = Server(Limits(games=2))
    for _ in range(2):
        ask(server, "new", name="pylos")
    assert refusal(server, "new", name="pylos")[0] == "too_many_games"
    ask(server, "close", game="g1")
    assert ask(server, "new", name="pylos")["game"] == "g3"


def test_a_bug_of_ours_is_an_answer_without_words(monkeypatch, capsys):
    server = opened("blox", seed=1)
    secret = ask(server, "view", game="g1", seat="all")["position"]

    def broken(seat):
        raise RuntimeError(secret)

    monkeypatch.setattr(server.tables["g1"], "view", broken)
    assert refusal(server, "view", game="g1", seat=0) == ("internal", "RuntimeError")
    assert "RuntimeError" in capsys.readouterr().err
    assert ask(server, "legal", game="g1", seat=0)["count"] > 0


# The command, the page, the client


def test_the_command():
    words = [sys.executable, "-m", "ziggurat", "serve", "--stdio", "--games", "1", "--line", "99"]
    data = b'{"command": "new", "name": "pylos"}\n{"command": "new", "name": "pylos"}\n' + b" " * 100 + b"x\n"
    done = subprocess.run(words, input=data, capture_output=True, timeout=60, check=True)
    first, *others = map(json.loads, done.stdout.splitlines())
    assert first["result"]["game"] == "g1"
    assert [other["error"]["code"] for other in others] == ["too_many_games", "too_long"]
    assert done.stderr == b""


def test_the_command_refuses_in_one_line(capsys):
    for words in ([], ["--stdio", "--games", "0"], ["--stdio", "--line", "x"]):
        assert main(["serve", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def transcripts():
    """The blocks of the page: what is sent and what is received, each a list of lines."""
    text = (DOCS / "protocol.md").read_text(encoding="utf-8")
    for block in re.findall(r"```json-lines\n\$ ziggurat serve --stdio\n((?:.*\n)*?)```", text):
        lines = block.splitlines()
        assert {line[:2] for line in lines} == {"> ", "< "}
        yield tuple([line[2:] for line in lines if line[0] == sign] for sign in "><")


def test_the_transcripts_of_the_page_are_true():
    found = list(transcripts())
    assert len(found) == 3
    for sent, received in found:
        out = io.BytesIO()
        Server().run(io.BytesIO("\n".join(sent).encode()), out)
        answers = out.getvalue().decode().splitlines()
        assert len(answers) == len(received) == len(sent) > 3
        for answer, expected in zip(answers, received, strict=True):
            assert re.fullmatch(".*".join(map(re.escape, expected.split("..."))), answer), answer


def test_the_page_has_all_codes_and_commands():
    text = (DOCS / "protocol.md").read_text(encoding="utf-8")
    for code, meaning in CODES.items():
        assert f"| `{code}` | {meaning} |" in text
    for command in ask(Server(), "hello")["commands"]:
        assert f"\n| `{command}` |" in text


@pytest.mark.parametrize("words", [["blokus", "mini"], ["blox"], ["numberplace_city"]])
def test_the_example_client_plays_a_game(words):
    client = DOCS / "examples" / "serve_client.py"
    tree = ast.parse(client.read_text(encoding="utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert imported <= set(sys.stdlib_module_names)
    assert len(client.read_text(encoding="utf-8").splitlines()) <= 60
    command = [sys.executable, str(client), *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=True)
    *_, last = done.stdout.splitlines()
    assert re.fullmatch(r"points \[.*\], won by \[.*\]", last)
    assert done.stdout.count("seat 0: ") > 2
    assert done.stdout.count("seat 1: ") > 2
    assert done.stderr == ""
