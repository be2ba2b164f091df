"""The GTP engine: lines, commands, colours, passes, records. The referee is tested in test_gtp_match.py."""

import io
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from common import GAMES

import ziggurat as zg
from ziggurat.bots import make_bot
from ziggurat.cli import main
from ziggurat.errors import IllegalActionError
from ziggurat.formats import Record, blksgf
from ziggurat.gtp import Board, Session
from ziggurat.gtp.lines import LONGEST_LINE
from ziggurat.gtp.names import find_game, names_of

PAGE = Path(__file__).parents[1] / "docs" / "gtp.md"
COMMANDS = [
    "all_legal",
    "clear_board",
    "cputime",
    "final_score",
    "g",
    "genmove",
    "known_command",
    "list_commands",
    "loadsgf",
    "name",
    "p",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "savesgf",
    "set_game",
    "set_random_seed",
    "showboard",
    "undo",
    "version",
]
#: orange is shut out after these
SHUT_OUT = ["b e7,f7,e8,e9,e10", "w j1,j2,j3,j4,j5", "b g6,h6,i6,j6,k6"]


@pytest.fixture
def duo():
    return Session(zg.load_game("blokus", "duo"))


def ask(session, line):
    """The text of a good answer."""
    text = session.answer(line)
    assert text.startswith("= "), text
    assert text.endswith("\n\n")
    assert "\n\n" not in text[:-2]
    return text[2:-2]


def refusal(session, line):
    """What a bad answer says."""
    text = session.answer(line)
    assert re.fullmatch(r"\? [^\n]+\n\n", text), text
    return text[2:-2]


def talk(data, session=None):
    """What a session writes to a stream of bytes."""
    out = io.BytesIO()
    (session or Session()).run(io.BytesIO(data), out)
    return out.getvalue().decode()


# Lines


@pytest.mark.parametrize(
    ("data", "answers"),
    [
        (b"name\n", "= ziggurat\n\n"),
        (b"7 name\r\n", "=7 ziggurat\n\n"),
        (b"  \t7\tname  # who?\n", "=7 ziggurat\n\n"),
        (b"n\x00a\x07m\x1be\x7f\n", "= ziggurat\n\n"),
        (b"\n\r\n   \n# nothing\n#name\n", ""),
        (b"007 protocol_version", "=007 2\n\n"),
        (b"12\n", "?12 unknown command\n\n"),
        (b"-1 name\n", "? unknown command\n\n"),
        ("²1 name\n".encode(), "? unknown command\n\n"),
        (b"NAME\n", "? unknown command\n\n"),
        (b"\xff\xfe\n", "? unknown command\n\n"),
        (b"quit\nname\n", "= \n\n"),
        (b"1 name x\n", "?1 syntax error: expected name\n\n"),
        (b"1 play b\n", "?1 syntax error: expected play COLOUR MOVE\n\n"),
        (b"1 set_game\n", "?1 syntax error: expected set_game NAME...\n\n"),
        (b"1 loadsgf\n", "?1 syntax error: expected loadsgf FILE [MOVE]\n\n"),
        (b"9 play b " + b"a" * LONGEST_LINE + b"\nname\n", "?9 line too long\n\n= ziggurat\n\n"),
        (b"x" * (LONGEST_LINE * 3), "? line too long\n\n"),
        (b"1 name\n2 quit", "=1 ziggurat\n\n=2 \n\n"),
    ],
)
def test_lines(data, answers):
    assert talk(data) == answers


def test_all_commands_are_there_and_known():
    session = Session()
    assert ask(session, "list_commands").split("\n") == COMMANDS
    assert {ask(session, f"known_command {name}") for name in COMMANDS} == {"true"}
    assert ask(session, "known_command boardsize") == "false"
    assert ask(session, "version") == zg.__version__
    spent = float(ask(session, "cputime"))
    assert 0 < spent <= time.process_time() + 0.001  # thousandths


def noise(rng):
    """A line that makes little sense, and sometimes some."""
    kind = rng.randrange(4)
    if kind == 0:
        return bytes(rng.choices(range(256), k=rng.randrange(60))).replace(b"\n", b"")
    words = [*COMMANDS, "b", "w", "1", "4", "-1", "pass", "e10", "9" * 30, "é", "\ud800", "a1,b1", "blokus(", "#", "\t"]
    words = [word for word in words if word not in ("quit", "savesgf", "loadsgf")]
    line = " ".join(rng.choices(words, k=rng.randrange(1, 5))).encode("utf-8", "surrogatepass")
    return line if kind == 1 else b"%d " % rng.randrange(99) + line


def test_ten_thousand_malformed_lines_do_not_stop_it():
    rng = random.Random(5)
    lines = [noise(rng) for _ in range(10_000)]
    session = Session(zg.load_game("blokus", "mini"))
    text = talk(b"\n".join(lines) + b"\n77 name\n", session)
    assert text.endswith("=77 ziggurat\n\n")
    answers = text.split("\n\n")[:-1]
    assert all(re.match(r"[=?]\d*( |$)", answer) for answer in answers)
    assert 5_000 < len(answers) <= 10_001
    assert "internal error" not in text
    assert session.board.game in [find_game(name, "blokus") for name in ("blokus", "blokus mini", "pylos")]


def test_a_bug_of_ours_is_an_answer(duo, monkeypatch, capsys):
    monkeypatch.setattr(duo.board.sides, "points", lambda state: 1 / 0)
    monkeypatch.setattr(duo.board, "final_score", lambda: 1 / 0)
    assert duo.answer("3 final_score") == "?3 internal error: ZeroDivisionError\n\n"
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert ask(duo, "name") == "ziggurat"


# Games and colours


@pytest.mark.parametrize(
    ("name", "game"),
    [
        *((title, str(zg.load_game("blokus", preset))) for title, preset in blksgf.GAME_TYPES.items()),
        ("BLOKUS  duo", "blokus(board=14,colours=2,starts=e10+j5)"),
        ("Duo", "blokus(board=14,colours=2,starts=e10+j5)"),
        ("Classic", "blokus()"),
        ("Two-Player", "blokus(sharing=pairs)"),
        ("classic-3", "blokus(sharing=fourth)"),
        ("blokus duo scoring=basic", "blokus(board=14,colours=2,starts=e10+j5,scoring=basic)"),
        ("pylos expert", "pylos(patterns=lines)"),
        ("pylos(removal=mandatory)", "pylos(removal=mandatory)"),
        ("pylos removal=mandatory base=3", "pylos(base=3,removal=mandatory)"),
        ("expert", "pylos(patterns=lines)"),
        ("mini", str(zg.load_game("blokus", "mini"))),  # of the current game
        ("ravensburger2008", str(zg.load_game("blox", "ravensburger2008"))),
        ("numberplace_city players=2", "numberplace_city(players=2)"),
    ],
)
def test_set_game(duo, name, game):
    ask(duo, "play b e10")
    assert ask(duo, f"set_game {name}") == ""
    assert str(duo.board.game) == game
    assert duo.board.state == zg.load_game(game).new_initial_state()


@pytest.mark.parametrize(
    "name",
    ["Blokus Trigon", "chess", "standard", "pylos mini expert", "pylos x=1", "pylos base=4=3", "pylos(base=3) base=4",
     "blokus board=99", "pylos(", "Blokus(Duo)", "é"],
)  # fmt: skip
def test_games_that_there_are_not(duo, name):
    ask(duo, "play b e10")
    assert refusal(duo, f"set_game {name}")
    assert ask(duo, "undo") == ""  # the board is what it was


def test_names_of_a_game_are_its_own():
    for text in GAMES:
        game = zg.load_game(text)
        assert {find_game(name, "pylos") for name in names_of(game)} == {game}


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("blokus duo", ["b black 1 blue purple B", "w white 2 green orange White"]),
        ("blokus", ["1 blue", "2 yellow", "3 red", "4 green GREEN"]),
        ("classic-2", ["1 blue", "2 yellow", "3 red", "4 green"]),
        ("classic-3", ["1 blue", "2 yellow", "3 red", "4 green"]),
        ("pylos", ["b black 1 light l", "w white 2 dark d D"]),
        ("blox", ["b black 1", "w white 2"]),
        ("blox players=3", ["1", "2", "3"]),
        ("numberplace_city", ["1", "2", "3", "4"]),
    ],
)
def test_colours(duo, game, words):
    ask(duo, f"set_game {game}")
    first = [ask(duo, f"reg_genmove {word}") for word in words[0].split()]
    assert len(set(first)) == 1
    for others in words[1:]:
        for word in others.split():
            assert re.fullmatch(r"not the turn of \w+: [b1] is to move", refusal(duo, f"genmove {word}"))
    for word in ("x", "0", "5", "b1", "²"):
        assert refusal(duo, f"genmove {word}").startswith(f"unknown colour '{word}'; expected ")


def test_seeds_decide_chance_and_choices():
    session = Session(zg.load_game("blox"), seed=4)
    assert session.board.state == zg.load_game("blox").new_initial_state(4)
    ask(session, "set_random_seed 9")
    assert session.board.seed == 4
    ask(session, "clear_board")
    assert session.board.state == zg.load_game("blox").new_initial_state(9)
    first = [ask(session, "g") for _ in range(5)]
    ask(session, "set_random_seed 9")
    ask(session, "clear_board")
    assert [ask(session, "g") for _ in range(5)] == first
    for number in ("-1", "x", "1.5", str(2**64), "9" * 1000, "²"):
        assert "is not a whole number from 0 to 2^64 - 1" in refusal(session, f"set_random_seed {number}")
    assert session.seed == 9


# Moves


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize("name", ["duo", "classic-2", "classic-3", "blokus colours=1 board=8", "pylos", "blox",
                                  "numberplace_city", "blokus duo pass_mode=skip"])  # fmt: skip
def test_a_whole_game(duo, name, bot):
    """genmove for every colour in turn, until the end: two engines agree, and undo leads back to the start."""
    session, other = Session(duo.board.game, bot, 3), Session(duo.board.game)
    for each in (session, other):
        ask(each, f"set_game {name}")
        ask(each, "set_random_seed 3")
        ask(each, "clear_board")
    start = session.board.state.clone()
    for _ in range(60):
        for words in session.board.sides.words:
            before = session.board.state.clone()
            if session.board.state.is_terminal() or session.board.side != session.board.sides.find(words[0]):
                continue
            legal = ask(session, f"all_legal {words[-1]}").split("\n")
            guess = ask(session, f"reg_genmove {words[0]}")
            assert session.board.state == before
            move = ask(session, f"genmove {words[0]}")
            assert move == guess
            assert move in legal
            ask(other, f"play {words[-1]} {move.upper()}")
    assert other.board.state == session.board.state
    assert ask(other, "showboard") == ask(session, "showboard")
    record = Record.of(session.board.game, 3, session.board.actions)
    assert record.replay() == session.board.state
    while session.board.steps:
        ask(session, "undo")
    assert session.board.state == start
    assert session.board.actions == []
    assert refusal(session, "undo") == "there is no turn to take back"


def test_after_the_end_there_is_nothing_to_play(duo):
    ask(duo, "set_game pylos mini")
    while not duo.board.state.is_terminal():
        ask(duo, "g")
    before = duo.board.state.clone()
    for command in ("genmove b", "genmove w", "g", "reg_genmove b"):
        assert ask(duo, command) == "pass"
    assert ask(duo, "all_legal b") == ""
    assert ask(duo, "play w pass") == ""
    assert refusal(duo, "play b 1a1") == "the game is over"
    assert duo.board.state == before
    assert ask(duo, "final_score") in ("B+1", "W+1")


def test_moves_that_cannot_be_played(duo):
    for line, words in [
        ("play b a1", "[BK-2.1]"),
        ("play b zz", "expected a column"),
        ("play w j5", "not the turn of w: b is to move"),
        ("p pass", "a colour that can place must place"),
        ("play w pass", "not the turn of w"),
        ("play b e10,e10", ""),
        ("play b " + "a" * 300, "expected at most 200"),
    ]:
        assert words in refusal(duo, line)
        assert duo.board.actions == []
    ask(duo, "p E10,D10")
    assert duo.board.state.action_to_string(duo.board.actions[0]) == "d10,e10"


@pytest.mark.parametrize("ways", [[], ["w pass"], ["w pass", "w pass"]])
@pytest.mark.parametrize("mode", ["action", "skip"])
def test_a_colour_that_is_shut_out_passes_with_or_without_a_word(duo, ways, mode):
    ask(duo, f"set_game blokus duo pass_mode={mode}")
    for move in [*SHUT_OUT, *ways]:
        ask(duo, f"play {move}")
    before = duo.board.state.clone()
    assert [ask(duo, line) for line in ("genmove w", "reg_genmove w", "all_legal w")] == ["pass", "pass", ""]
    assert duo.board.state == before
    assert "is to move" in refusal(duo, "play w l7") or mode == "action"
    assert ask(duo, "play b b5,b6,c6,d6,b7") == ""
    game = zg.load_game("blokus", "duo", pass_mode=mode)
    state = game.new_initial_state()
    texts = [move.split()[1] for move in SHUT_OUT] + ["pass"] * (mode == "action") + ["b5,b6,c6,d6,b7"]
    for text in texts:
        state.apply_action(state.string_to_action(text))
    assert duo.board.state == state
    assert [state.action_to_string(action) for action in duo.board.actions] == texts
    ask(duo, "undo")
    assert duo.board.state == before


def test_green_of_three_players_is_a_colour_of_its_own(duo):
    ask(duo, "set_game Blokus Three-Player")
    for move in ("1 a20", "2 t20", "3 t1", "green a1"):
        ask(duo, f"play {move}")
    assert ask(duo, "final_score") == "1 1 1 1"
    assert refusal(duo, "g x") == "syntax error: expected g"
    assert ask(duo, "g")
    assert duo.board.side == 1


# Scores and boards


def test_scores_of_two_players(duo):
    assert ask(duo, "final_score") == "0"
    ask(duo, "play b e7,f7,e8,e9,e10")
    assert ask(duo, "final_score") == "B+5"
    ask(duo, "set_game classic-2")
    for move in ("1 a20", "2 s20,t20"):
        ask(duo, f"play {move}")
    assert ask(duo, "final_score") == "W+1"


def test_points_of_colours_are_squares_on_the_board_and_the_bonus(duo):
    ask(duo, "set_game blokus")
    while not duo.board.state.is_terminal():
        ask(duo, "g")
    assert ask(duo, "final_score").split() == [str(89 + score) for score in duo.board.state.scores()]
    for order, points in (("a8 b6,b7", 18), ("a7,a8 b6", 23)):
        ask(duo, "set_game blokus board=8 colours=1 pieces=1+2")
        for move in order.split():
            ask(duo, f"p {move}")
        assert ask(duo, "final_score") == str(points)
    ask(duo, "set_game blokus board=8 colours=1 pieces=1+2 scoring=basic")
    for move in ("a7,a8", "b6"):
        ask(duo, f"p {move}")
    assert ask(duo, "final_score") == "3"


@pytest.mark.parametrize("text", GAMES)
def test_boards_are_shown_without_an_empty_line(text):
    session = Session(zg.load_game(text))
    drawing = ask(session, "showboard")
    assert drawing.startswith("\n")
    assert drawing.split() == str(session.board.state).split()


# Records


@pytest.mark.parametrize(
    "name", ["Blokus Duo", "Blokus Three-Player", "blokus mini", "pylos", "blox", "numberplace_city"]
)
def test_records_are_written_and_read(duo, name, tmp_path):
    path = tmp_path / "a game.txt"
    ask(duo, "set_random_seed 6")
    ask(duo, f"set_game {name}")
    for _ in range(9):
        ask(duo, "g")
    ask(duo, f"savesgf {path}")
    text, game = path.read_text(), duo.board.game
    assert text.startswith("(;GM[Blokus" if name.startswith("Blokus") else '{"format": "ziggurat-record"')
    state, actions = duo.board.state, duo.board.actions
    ask(duo, "set_game blokus")
    ask(duo, f"loadsgf {path}")
    assert (duo.board.game, duo.board.state, duo.board.actions) == (game, state, actions)
    ask(duo, f"loadsgf {path} 4")
    assert len(duo.board.steps) == 3
    ask(duo, "undo")
    ask(duo, f"loadsgf {path} 1")
    assert duo.board.state == game.new_initial_state(duo.board.seed)
    ask(duo, f"loadsgf {path} 99")
    assert duo.board.state == state
    session = Session(game)
    ask(session, f"loadsgf {path}")
    ask(session, "g")
    assert len(session.board.steps) == 10


def test_records_with_passes_and_setups(duo, tmp_path):
    path = tmp_path / "x.blksgf"
    passed = "(;GM[Blokus Duo];B[e7,f7,e8,e9,e10];W[j1,j2,j3,j4,j5];B[g6,h6,i6,j6,k6];B[b5,b6,c6,d6,b7])"
    path.write_text(passed)
    ask(duo, f"loadsgf {path}")
    assert duo.board.state.action_to_string(duo.board.actions[3]) == "pass"
    ask(duo, f"savesgf {path}")
    assert re.sub(r"\n|FF.*?ziggurat:[^]]*]", "", path.read_text()) == passed.replace("]CA", "]")
    path.write_text("(;GM[Blokus Duo]AB[e10][f11,g11]AW[j5]PL[W];W[k4,l4])")
    ask(duo, f"loadsgf {path}")
    assert duo.board.final_score() == "0"
    assert "began with a setup" in refusal(duo, f"savesgf {tmp_path / 'y'}")
    assert not (tmp_path / "y").exists()
    ask(duo, "undo")
    assert refusal(duo, "undo") == "there is no turn to take back"
    assert ask(duo, "genmove w")
    path.write_text("(;GM[Blokus Duo];B[e10];C[said]AW[j5]PL[B];B[f11,g11])")
    ask(duo, f"loadsgf {path} 2")
    assert duo.board.state.serialize().split(" ")[1].count("y") == 1  # the setup is before the second move


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        ("", "line 1"),
        ("(;GM[Chess])", "'Chess' is not supported"),
        ("(;GM[Blokus Duo];B[a1])", "[BK-2.1]"),
        ('{"format": 1}', "the format is"),
        ("\x00\x01", "line 1"),
        ("x" * ((16 << 20) + 1), "not a file of at most"),
    ],
)
def test_records_that_are_none(duo, content, words, tmp_path):
    path = tmp_path / "x"
    if content is not None:
        path.write_text(content)
    ask(duo, "play b e10")
    assert words in refusal(duo, f"loadsgf {path}")
    assert len(duo.board.actions) == 1


def test_files_that_cannot_be_used(duo, tmp_path):
    assert "not a file of at most" in refusal(duo, f"loadsgf {tmp_path}")
    assert "not a file of at most" in refusal(duo, "loadsgf /dev/zero")
    assert "cannot use" in refusal(duo, f"savesgf {tmp_path}")
    assert "cannot use" in refusal(duo, f"savesgf {tmp_path}/no/x")
    (tmp_path / "z").write_text(Record.of(zg.load_game("blox"), 0, ["~w"]).to_json())
    if zg.load_game("blox").new_initial_state(0).is_legal(zg.load_game("blox").string_to_action("~w")):
        assert "ends inside a turn" in refusal(duo, f"loadsgf {tmp_path / 'z'}")


# The board by itself, the command line, the page


def test_a_board_is_left_alone_by_what_it_refuses():
    board = Board(zg.load_game("pylos"))
    board.play(0, [0])
    before = board.state.clone()
    for side, actions in [(1, [0]), (0, [1]), (1, [1, 2]), (1, []), (1, [999])]:
        with pytest.raises(ValueError):
            board.play(side, actions)
        assert (board.state, board.actions, len(board.steps)) == (before, [0], 1)
    board = Board(zg.load_game("blox"))
    with pytest.raises(IllegalActionError, match="not played to its end"):
        board.play(0, [board.state.string_to_action("~r")])


def test_the_command_takes_a_game_a_bot_and_a_seed():
    words = ["--game", "blox", "--option", "players=3", "--bot", "greedy", "--seed", "5"]
    command = [sys.executable, "-m", "ziggurat", "gtp", *words]
    done = subprocess.run(command, input=b"1 genmove 1\n2 quit\n", capture_output=True, timeout=60, check=True)
    state = zg.load_game("blox", players=3).new_initial_state(5)
    move = state.turn_to_string(make_bot("greedy", 5).choose_turn(state))
    assert (done.stdout.decode(), done.stderr) == (f"=1 {move}\n\n=2 \n\n", b"")


def test_the_command_refuses_in_one_line(capsys):
    for words in (["--game", "chess"], ["--bot", "clever"], ["--seed", "-1"], ["--preset", "x"]):
        assert main(["gtp", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def transcripts():
    """The blocks of the page: the words of the command, what is said to it, and what it says."""
    for block in re.findall(r"```gtp\n\$ ziggurat gtp ?(.*)\n((?:.*\n)*?)```", PAGE.read_text(encoding="utf-8")):
        lines = block[1].splitlines()
        said = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
        yield block[0].split(), said, [line.rstrip() for line in lines if not line.startswith("> ")]


def test_the_transcripts_of_the_page_are_true():
    found = list(transcripts())
    assert len(found) >= 3
    for words, said, answers in found:
        command = [sys.executable, "-m", "ziggurat", "gtp", *words]
        text = "\n".join(said) + "\n"
        done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", timeout=60, check=True)
        told = [line.rstrip() for line in done.stdout.split("\n")]
        assert [line for line in told if line] == [line for line in answers if line]


def test_the_page_has_all_commands():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"| `{name}" not in text] == []
