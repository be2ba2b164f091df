"""BLKSGF and SGF: what is read, what is kept, what is refused, and games written by the engine.

The files of data/blksgf: generated/ from seeded games, odd/ by hand and right, broken/ by hand and wrong, each beside
what its error must say.
"""

import copy
import json
import pickle
import re
import runpy
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from common import walk

import ziggurat as zg
from ziggurat import reference
from ziggurat.errors import IllegalActionError
from ziggurat.formats import RecordError, UnsupportedGameError, blksgf, sgf
from ziggurat.formats.sgf import Property, Tree

DATA = Path(__file__).parent / "data/blksgf"
CORPUS = runpy.run_path(str(DATA / "make_corpus.py"))
GENERATED = sorted((DATA / "generated").glob("*.blksgf"))
ODD = sorted((DATA / "odd").glob("*.blksgf"))
BROKEN = sorted((DATA / "broken").glob("*.blksgf"))
PRESETS = list(blksgf.GAME_TYPES.values())
DUO = "blokus(board=14,colours=2,starts=e10+j5)"
VALUE = re.compile(r"\[(?:[^\]\\]|\\.)*\]", re.DOTALL)


def name(path):
    return path.stem


def odd(stem):
    return blksgf.load(DATA / "odd" / f"{stem}.blksgf")


def without_space(text):
    """A text without white space outside of values."""
    values = VALUE.findall(text)
    return "".join(
        re.sub(r"\s", "", part) + value for part, value in zip(VALUE.split(text), [*values, ""], strict=True)
    )


def last_state(record, path=None):
    *_, (_, state) = blksgf.positions(record, path)
    return state


def texts(record):
    """The states of the main line in which something was placed."""
    return list(dict.fromkeys(state.serialize() for _, state in blksgf.positions(record)))


# Files.


def test_there_are_files():
    assert len(GENERATED) == CORPUS["FILES"] == 200
    assert len(ODD) > 20
    assert len(BROKEN) > 60
    assert {blksgf.load(path).game_type for path in GENERATED} == set(blksgf.GAME_TYPES)
    assert sum(path.stat().st_size for path in GENERATED) < 400_000


@pytest.mark.parametrize("path", GENERATED, ids=name)
def test_generated_files(path):
    text, leaves = CORPUS["make"](int(path.stem))
    assert path.read_bytes() == text.encode(), "make_corpus.py writes another file"
    record = blksgf.load(path)
    written = blksgf.dumps(record)
    assert without_space(written) == without_space(text)
    assert blksgf.loads(written) == record
    assert blksgf.dumps(blksgf.loads(written)) == written
    blksgf.validate(record)
    assert [leaf.path[-1] for leaf in leaves] == [n for n, node in enumerate(record.tree.nodes) if not node.children]
    for leaf in leaves:
        assert list(leaf.path) == record.tree.path(leaf.path[-1])
        assert last_state(record, leaf.path).serialize() == leaf.state
    assert last_state(record).serialize() == leaves[0].state


def test_generated_files_have_passes_and_ends():
    states = [leaf.state for number in range(200) for leaf in CORPUS["make"](number)[1]]
    assert sum(state.split(" ")[4] != "-" for state in states) > 10
    assert sum(zg.restore_state(state).is_terminal() for state in states) > 10


@pytest.mark.parametrize("path", ODD, ids=name)
def test_odd_files(path):
    record = blksgf.load(path)
    blksgf.validate(record)
    assert list(record.tree.preorder()) == list(range(len(record.tree)))
    assert sgf.loads(sgf.dumps(record.tree)) == record.tree
    written = blksgf.dumps(record)
    assert blksgf.dumps(blksgf.loads(written)) == written
    again = blksgf.loads(written)
    assert [state for _, state in blksgf.positions(again)] == [state for _, state in blksgf.positions(record)]


@pytest.mark.parametrize("path", BROKEN, ids=name)
def test_broken_files(path):
    with pytest.raises(RecordError) as caught:
        blksgf.validate(blksgf.load(path))
    error = caught.value
    message = f"{type(error).__name__}: {error}"
    for told in path.with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        assert told in message
    lines = re.search(r"line (\d+)", message)
    assert error.line == int(lines[1])
    if error.node is not None:
        assert f"node {error.node}" in message
        assert error.text is None or error.text in message
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.line, copied.node, copied.text) == (str(error), error.line, error.node, error.text)


SAME = ["crlf", "cr", "bom", "spaces", "upper_case", "text_after", "one_cell_a_value", "small_letters", "brackets"]


@pytest.mark.parametrize("stem", [*SAME, "empty_nodes", "many_properties"])
def test_other_ways_to_write_a_game(stem):
    plain, other = odd("plain"), odd(stem)
    assert texts(other) == texts(plain)
    assert len(texts(plain)) == 5
    assert texts(plain)[-1].split(" ")[:2] == [
        DUO, "14/14/14/14/4b9/4b9/4b9/1b2bb8/1bbb2bbbbb3/1b7y4/9y4/9y4/9y4/9y4"
    ]  # fmt: skip
    assert other.names() == ["Ada", "Bo"]
    assert "one\nand two" in [other.comment(number) for number in other.tree.main_line()]


@pytest.mark.parametrize("stem", ["crlf", "bom", "spaces", "text_after", "brackets"])
def test_white_space_and_brackets_are_not_kept(stem):
    raw = (DATA / "odd/plain.blksgf").read_text(encoding="utf-8")
    assert blksgf.dumps(odd(stem)).replace("\r\n", "\n") == raw


def test_old_forms_are_not_written():
    raw = (DATA / "odd/plain.blksgf").read_text(encoding="utf-8")
    assert blksgf.dumps(odd("one_cell_a_value")) == raw
    assert blksgf.dumps(odd("old_colours")) == blksgf.dumps(odd("four_colours"))
    assert "BLUE[a18][a19][b19][a20][b20]" in sgf.dumps(odd("old_colours").tree)
    wrong = blksgf.loads("(;GM[Blokus];RED[x\\]][a1];BLUE[A1,B1];BLACK[a1])")
    assert blksgf.dumps(wrong) == "(;GM[Blokus]\n;3[x\\],a1]\n;1[a1,b1]\n;BLACK[a1])\n"
    kelvin = "(;GM[Blokus Duo]\n;B[a1,\u212a1])\n"
    assert blksgf.dumps(blksgf.loads(kelvin.replace(",", "]["))) == kelvin
    single = "(;GM[Blokus Duo]\n;B[E10,e9,D10]\n;W[j5])\n"
    assert blksgf.dumps(blksgf.loads(single)) == single  # no old form, so nothing is touched
    two = "(;GM[Blokus Duo]\n;BLUE[a1][b1])\n"
    assert blksgf.dumps(blksgf.loads(two)) == two


def test_old_colours_play_the_same_game():
    assert texts(odd("old_colours")) == texts(odd("four_colours"))
    assert len(texts(odd("old_colours"))) == 6


def test_a_move_in_the_root():
    assert texts(odd("move_in_root")) == texts(odd("plain"))[1:]


# Meaning.


def test_the_examples_of_the_format():
    four = "(;GM[Blokus]CA[UTF-8];1[a18,a19,b19,a20,b20];2[t16,t17,t18,t19,t20];3[p1,q1,r1,s1,t1];4[a1,b1,a2,a3,a4])"
    state = last_state(blksgf.loads(four))
    assert (
        state.serialize().split(" ")[1]
        == "bb17y/bb17y/b18y/19y/19y/20/20/20/20/20/20/20/20/20/20/20/g19/g19/g19/gg13rrrrr"
    )
    setup = "(;GM[Blokus Duo]CA[UTF-8]AB[e10][f11,g11]AW[j5]PL[W];W[k4,l4])"
    (_, before), (_, after) = blksgf.positions(blksgf.loads(setup))
    assert before.serialize().split(" ")[1:3] == ["14/14/14/5bb7/4b9/14/14/14/14/9y4/14/14/14/14", "y"]
    assert after.serialize().split(" ")[1:3] == ["14/14/14/5bb7/4b9/14/14/14/14/9y4/10yy2/14/14/14", "b"]


def test_a_blocked_colour_passes():
    states = [state for _, state in blksgf.positions(odd("plain"))]
    assert states[3].serialize().split(" ")[2] == "y"
    assert [states[3].action_to_string(action) for action in states[3].legal_actions()] == ["pass"]
    assert states[4].serialize().split(" ")[4] == "y"  # orange has passed


def test_states_are_the_callers_own():
    record = odd("plain")
    for number, state in blksgf.positions(record):
        if number < 4:
            state.apply_action(state.legal_actions()[0])
    blksgf.validate(record)


def test_a_path_through_variations():
    record = odd("variations")
    leaves = [number for number, node in enumerate(record.tree.nodes) if not node.children]
    assert len(leaves) == 6
    ends = {last_state(record, record.tree.path(leaf)).serialize() for leaf in leaves}
    assert len(ends) == 6
    assert [number for number, _ in blksgf.positions(record)] == [0, 1, 2, 3]
    for wrong in ([1], [0, 2], [0, 1, 1], [0, 99], [0, 1, 2, 5], [0, 0]):
        with pytest.raises(ValueError, match="does not follow"):
            list(blksgf.positions(record, wrong))
    assert list(blksgf.positions(record, [])) == []


def test_comments():
    record = odd("comments")
    found = [record.comment(number) for number in range(len(record.tree))]
    assert found == [
        "", "a ] and a \\ and a : and a :", "a b c d", "soft and and break\nhard\nhard\n\nend\\", "(;1[a1];2[]) ;)"
    ]  # fmt: skip
    assert odd("plain").comment(0) is None


def test_names():
    assert odd("unicode").names() == ["Юлия", "李小龍", "عمر", "Å ée\u0301 🎲"]
    assert odd("unicode").comment(0) == "ქართული\n日本語\u2028same line\u00a0here"
    assert odd("names_with_lines").names() == ["a]b\\", "two lines", "softbreak and tab"]
    assert odd("two_player").names() == ["Ada", "Bo"]
    assert odd("three_player").names() == ["Ada", "Bo", "Cy"]
    assert odd("four_colours").names() == [None] * 4


def test_values_are_kept_byte_for_byte():
    text = "(;GM[Blokus]C[a\r\nb\rc\n\\\r\n\\x\\]\\\\ \t]XX[][ ][\n]yYy[\\:])\n"
    assert blksgf.dumps(blksgf.loads(text)) == text
    assert blksgf.dumps(blksgf.loads(text.encode())) == text


def test_files_are_written_as_utf8(tmp_path):
    for stem in ("unicode", "crlf", "cr"):
        blksgf.dump(odd(stem), tmp_path / "x.blksgf")
        assert blksgf.load(tmp_path / "x.blksgf") == odd(stem)
        assert (tmp_path / "x.blksgf").read_bytes() == blksgf.dumps(odd(stem)).encode()
    with pytest.raises(FileNotFoundError):
        blksgf.load(tmp_path / "y.blksgf")


# Setups.


def test_a_setup_removes_and_adds():
    after = [state.serialize().split(" ")[1:3] for _, state in blksgf.positions(odd("setup_middle"))]
    assert after[4] == ["14/14/14/5bb7/4b9/14/14/14/14/9y4/10yy2/14/14/14", "b"]
    assert after[5] == ["14/14/14/14/4b9/5bb7/14/14/14/9y4/14/14/14/14", "b"]
    assert after[7] == ["14/14/14/14/4b2bbb4/5bb7/14/10y3/10y3/9y4/14/14/14/14", "b"]
    assert after[8] == [after[7][0], "y"]
    assert after[9] == ["14/14/14/14/4b2bbb4/5bb7/11yyy/10y3/10y3/9y4/14/14/14/14", "b"]


def test_hands_follow_from_a_setup():
    _, state = next(blksgf.positions(odd("setup_four")))
    assert state.serialize() == (
        "blokus() b18y/1bb17/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/gg18/gg18 r "
        "I3,V3,I4,L4,T4,O,Z4,I5,L5,Y,P,U,V5,T5,N,F,W,Z5,X/2,I3,V3,I4,L4,T4,O,Z4,I5,L5,Y,P,U,V5,T5,N,F,W,Z5,X/"
        "*/1,2,I3,V3,I4,L4,T4,Z4,I5,L5,Y,P,U,V5,T5,N,F,W,Z5,X - -"
    )
    _, state = next(blksgf.positions(odd("setup_junior")))
    assert state.serialize().split(" ")[3] == "I3,I3,V3,V3,I4,I4,L4,L4,T4,T4,O,O,Z4,Z4,I5,I5,L5,L5,P,P/*"


def test_pieces_side_by_side_are_told_apart():
    boards = [state.serialize().split(" ")[1] for _, state in blksgf.positions(odd("setup_neighbours"))]
    assert boards[0] == "14/14/14/14/1bbbb9/4b9/4b9/14/14/9y4/14/14/14/14"
    assert boards[2] == "14/14/5bb7/5b8/1bbbb9/14/5bb7/14/14/9y4/14/14/14/14"


def test_a_blocked_side_of_a_setup_passes():
    assert last_state(odd("setup_blocked")).serialize() == texts(odd("plain"))[-1]


def random_game(preset, seed, plies=500):
    """The states of a random game and its actions."""
    states = [state.clone() for state in walk(zg.load_game("blokus", preset), seed, plies)]
    return states, [blksgf.action_between(*pair) for pair in pairwise(states)]


def words(preset):
    return "BW" if preset in ("duo", "junior") else "1234"


def side(state):
    return "byrg".index(state.serialize().split(" ")[2])


@pytest.mark.parametrize("preset", PRESETS)
def test_any_position_can_be_set_up(preset):
    game_type = next(kind for kind, known in blksgf.GAME_TYPES.items() if known == preset)
    for seed in range(4):
        states, actions = random_game(preset, seed, 5 + 12 * seed)
        pieces = dict.fromkeys(words(preset), "")
        for state, action in zip(states, actions, strict=False):
            text = state.action_to_string(action)
            pieces[words(preset)[side(state)]] += f"[{text}]" if text != "pass" else ""
        setup = "".join(f"A{word}{values}" for word, values in pieces.items() if values)
        record = blksgf.loads(f"(;GM[{game_type}]{setup}PL[{words(preset)[side(states[-1])]}])")
        assert last_state(record).serialize().split(" ")[:4] == states[-1].serialize().split(" ")[:4]
        emptied = "AE" + re.sub("A[BW1-4]", "", setup)
        record.tree.add(0, sgf.loads(f"(;{emptied}PL[{words(preset)[0]}])").nodes[0].properties)
        start = zg.load_game("blokus", preset).new_initial_state()
        assert last_state(record) == start


def test_without_pl_the_side_stays():
    record = blksgf.loads("(;GM[Blokus Duo];B[e10];AB[f11,g11];W[j5];AE[j5])")
    assert [state.serialize().split(" ")[2] for _, state in blksgf.positions(record)] == ["b", "y", "y", "b", "b"]


def test_a_setup_may_leave_nothing_in_hand():
    game = zg.load_game("blokus", "duo")
    text = {action: game.action_to_string(action) for action in range(game.num_distinct_actions() - 1)}
    taken, values = {"e10"}, "[e10]"
    for piece in range(20, 0, -1):
        ids = [action for action, row in enumerate(game.table("action_parts").tolist()) if row[0] == piece]
        action = next(action for action in ids if taken.isdisjoint(text[action].split(",")))
        taken |= set(text[action].split(","))
        values += f"[{text[action]}]"
    _, state = next(blksgf.positions(blksgf.loads(f"(;GM[Blokus Duo]AB{values})")))
    assert state.serialize().split(" ")[3:] == ["-/*", "-", "-"]
    assert state.scores().tolist() == [15, -89]


def test_no_move_after_the_end():
    states, actions = random_game("duo", 1)
    record = blksgf.from_moves("duo", actions)
    record.tree.add(len(record.tree) - 1, [Property("B", ("a1",))])
    with pytest.raises(RecordError, match="the game is over: no colour can place"):
        blksgf.validate(record)
    assert states[-1].is_terminal()


def test_a_setup_forgets_passes_and_singles():
    """The position text alone says who has passed; it is found again as soon as somebody moves."""
    record = blksgf.loads(
        "(;GM[Blokus Duo]AB[e7,f7,e8,e9,e10][g6,h6,i6,j6,k6]AW[j1,j2,j3,j4,j5];B[b5,b6,c6,d6,b7];PL[B])"
    )
    (_, setup), (_, moved), (_, after) = blksgf.positions(record)
    assert [state.serialize().split(" ")[4] for state in (setup, moved, after)] == ["-", "-", "-"]
    assert not after.is_terminal()


# Games of the engine.


@pytest.mark.parametrize("preset", PRESETS)
def test_games_of_the_engine(preset):
    for seed in range(4):
        states, actions = random_game(preset, seed)
        game = states[0].get_game()
        names = [f"player {player} ]\\:" for player in range(game.num_players())]
        record = blksgf.from_moves(game, actions, names, {0: "before", 2: "a ] b", len(actions): "the end"})
        texts_ = [game.action_to_string(action) for action in actions]
        assert record == blksgf.from_moves(preset, texts_, names, {len(actions): "the end", 2: "a ] b", 0: "before"})
        assert record == blksgf.from_states(states, names, {0: "before", 2: "a ] b", len(actions): "the end"})
        assert record == blksgf.loads(blksgf.dumps(record).encode())
        blksgf.validate(record)
        assert record.preset == preset
        assert record.names() == names
        assert [record.comment(number) for number in (0, 1, 2)] == ["before", None, "a ] b"]
        assert record.comment(len(record.tree) - 1) == "the end"
        assert last_state(record) == states[-1]
        moves = [str(node.properties[0]) for node in record.tree.nodes[1:]]
        expected = [
            f"{words(preset)[side(state)]}[{text}]"
            for state, text in zip(states, texts_, strict=False)
            if text != "pass"
        ]
        assert moves == expected


def test_the_text_of_a_game():
    record = blksgf.from_moves(
        "duo", ["e7,f7,e8,e9,e10", "J1,j2,j3,j4,j5", "g6,h6,i6,j6,k6", "pass"], ["Ada", None], {4: "hm"}
    )
    assert blksgf.dumps(record) == (
        f"(;GM[Blokus Duo]FF[4]CA[UTF-8]AP[ziggurat:{zg.__version__}]PB[Ada]\n"
        ";B[e7,f7,e8,e9,e10]\n;W[j1,j2,j3,j4,j5]\n;B[g6,h6,i6,j6,k6]C[hm])\n"
    )
    assert blksgf.dumps(blksgf.from_moves("classic", [])) == (
        f"(;GM[Blokus]FF[4]CA[UTF-8]AP[ziggurat:{zg.__version__}])\n"
    )


def test_comments_after_a_pass_go_to_the_node_before():
    actions = ["e7,f7,e8,e9,e10", "j1,j2,j3,j4,j5", "g6,h6,i6,j6,k6", "pass", "b5,b6,c6,d6,b7"]
    record = blksgf.from_moves("duo", actions, comments={3: "one", 4: "two ]", 5: "three"})
    assert [record.comment(number) for number in range(5)] == [None, None, None, "one\ntwo ]", "three"]


@pytest.mark.parametrize("preset", ["classic-2", "duo", "junior"])
def test_the_result_of_two_players(preset):
    found = set()
    for seed in range(40):
        states, actions = random_game(preset, seed)
        first, second = (int(score) for score in states[-1].scores())
        result = f"B+{first - second}" if first > second else f"W+{second - first}" if second > first else "0"
        found.add(result[0])
        assert blksgf.from_moves(preset, actions).tree.nodes[0].value("RE") == result
        assert blksgf.from_moves(preset, actions[:-1]).tree.nodes[0].value("RE") is None
    assert found >= {"B", "W"}


def test_a_draw_of_two_players():
    for seed in range(2000):
        *_, state = walk(zg.load_game("blokus", "duo"), seed)
        if state.scores()[0] == state.scores()[1]:
            _, actions = random_game("duo", seed)
            assert blksgf.from_moves("duo", actions).tree.nodes[0].value("RE") == "0"
            return
    pytest.fail("no draw in 2000 games")


def test_games_of_more_players_have_no_result():
    for preset in ("classic", "classic-3"):
        _, actions = random_game(preset, 0)
        assert blksgf.from_moves(preset, actions).tree.nodes[0].value("RE") is None


def test_games_of_the_reference_are_written_as_well():
    states = [state.clone() for state in walk(reference.load_game("blokus"), 1, 3)]
    record = blksgf.from_states(states)
    assert last_state(record).serialize() == states[-1].serialize()


@pytest.mark.parametrize(
    "options", [{"board": 8, "colours": 1}, {"preset": "mini"}, {"start": "any_corner"}, {"scoring": "basic"}]
)
def test_games_without_a_game_type(options):
    game = zg.load_game("blokus", **options)
    with pytest.raises(
        ValueError, match=r"has no game type; there are blokus\(\) \(Blokus\), .*Blokus Junior"
    ) as caught:
        blksgf.from_moves(game, [])
    assert str(game) in str(caught.value)
    with pytest.raises(ValueError, match="has no game type"):
        blksgf.from_states([game.new_initial_state()])


def test_what_cannot_be_written():
    with pytest.raises(ValueError, match="'mini' has no game type; presets that have one: classic, classic-2"):
        blksgf.from_moves("mini", [])
    with pytest.raises(ValueError, match=r"pylos\(\) has no game type"):
        blksgf.from_moves(zg.load_game("pylos"), [])
    with pytest.raises(ValueError, match="3 names; expected one for each of 2 players"):
        blksgf.from_moves("duo", [], ["a", "b", "c"])
    for count in (-1, 1):
        with pytest.raises(ValueError, match=f"after {count} actions; expected 0 to 0"):
            blksgf.from_moves("duo", [], comments={count: "x"})
    with pytest.raises(IllegalActionError, match=r"BK-2\.1"):
        blksgf.from_moves("duo", ["a1"])
    with pytest.raises(zg.ParseError):
        blksgf.from_moves("duo", ["x"])
    with pytest.raises(ValueError, match="99999"):
        blksgf.from_moves("duo", [99999])
    with pytest.raises(RecordError, match="U\\+D800"):
        blksgf.from_moves("duo", [], ["\ud800", None])


def test_states_that_are_no_game():
    states, _ = random_game("duo", 0, 6)
    for wrong in ([], states[1:]):
        with pytest.raises(ValueError, match="from its start on"):
            blksgf.from_states(wrong)
    with pytest.raises(ValueError, match="no action leads from"):
        blksgf.from_states([states[0], states[2]])
    with pytest.raises(ValueError, match="no action leads from"):
        blksgf.from_states([*states, states[0]])


# Trees.


def test_ways_of_a_tree():
    tree = Tree([Property("GM", ("Blokus",))])
    first, second = tree.add(0, [Property("C", ("a",))]), tree.add(0)
    third = tree.add(first)
    assert (first, second, third, len(tree)) == (1, 2, 3, 4)
    assert list(tree.preorder()) == [0, 1, 3, 2]
    assert tree.main_line() == tree.path(3) == [0, 1, 3]
    assert sgf.dumps(tree) == "(;GM[Blokus]\n(;C[a]\n;)\n(;))\n"
    read = sgf.loads(sgf.dumps(tree))
    assert read == tree
    assert [node.line for node in read.nodes] == [1, 2, 3, 4]
    assert tree != Tree()
    assert tree != 1
    assert sgf.loads("(;A[];B[];C[])") != sgf.loads("(;A[](;B[])(;C[]))")
    assert repr(tree) == "<SGF tree of 4 nodes: GM[Blokus]>"
    for wrong in (-1, 4):
        with pytest.raises(IndexError, match=f"no node {wrong} in a tree of 4"):
            tree.add(wrong)
        with pytest.raises(IndexError, match=f"no node {wrong} in a tree of 4"):
            tree.path(wrong)
    assert pickle.loads(pickle.dumps(tree)) == copy.deepcopy(tree) == tree


def test_errors_of_a_tree_that_was_not_read():
    tree = Tree([Property("GM", ("Blokus",))])
    first = tree.add(0, [Property("1", ("a20",))])
    tree.add(0, [Property("1", ("a19",))])
    tree.add(first, [Property("1", ("t20",))])
    with pytest.raises(RecordError, match=r"^node 2, 1\[t20\]: it is the turn of yellow") as caught:
        blksgf.validate(blksgf.BlokusTree(tree))
    assert (caught.value.line, caught.value.node, caught.value.text) == (None, 2, "1[t20]")


def test_depth_is_no_limit():
    depth = 100_000
    text = "(;GM[Blokus]" + "(;C[x]" * depth + ")" * depth + ")"
    record = blksgf.loads(text)
    assert len(record.tree) == depth + 1
    written = blksgf.dumps(record)
    assert written == "(;GM[Blokus]" + "\n;C[x]" * depth + ")\n"
    assert blksgf.loads(written) == record
    blksgf.validate(record)
    with pytest.raises(RecordError, match="the text ends"):
        sgf.loads("(;" * depth)


@pytest.mark.parametrize(
    ("identifier", "values"),
    [
        *((identifier, ("x",)) for identifier in ("", "b", "B C", "É", "B[x]", "B\n")),
        *(("B", values) for values in ((), ("]",), ("\\",), ("x]\\",), ("a", "\ud800"))),
    ],
)
def test_properties_that_no_text_holds(identifier, values):
    with pytest.raises(ValueError, match=r"identifier|value|U\+D800"):
        Property(identifier, values)


@pytest.mark.parametrize("text", [None, 1, bytearray(b"(;)"), ["(;)"], Path("x")])
def test_what_is_no_text(text):
    with pytest.raises(TypeError, match="str or bytes"):
        sgf.loads(text)


def test_escapes():
    text = "a ] b \\ c : d\ne"
    assert sgf.escape(text) == "a \\] b \\\\ c : d\ne"
    assert sgf.escape(text, composed=True) == "a \\] b \\\\ c \\: d\ne"
    for value in (sgf.escape(text), sgf.escape(text, composed=True)):
        assert sgf.unescape(value) == text
        assert sgf.unescape_simple(value) == text.replace("\n", " ")
    for line_break in ("\n", "\r", "\r\n", "\n\r"):
        assert sgf.unescape(f"a{line_break}{line_break}b") == "a\n\nb"
        assert sgf.unescape_simple(f"a{line_break}b\\{line_break}c") == "a bc"
        assert sgf.unescape(f"a\\{line_break}{line_break}b") == "a\nb"
    assert sgf.unescape("a\tb\\\tc\v\fd\\x\\") == "a b c  dx"


def test_many_variations():
    forks = 10_000
    bushy = blksgf.loads("(;GM[Blokus]" + "(;)(;" * forks + ")" * forks + ")")
    assert blksgf.dumps(bushy).count("(") == 2 * forks + 1
    blksgf.validate(bushy)


def test_a_long_text_is_cut_in_a_message():
    with pytest.raises(RecordError) as caught:
        blksgf.loads(f"(;GM[{'x' * 1000}])")
    assert len(str(caught.value)) < 400
    assert len(caught.value.text) == 1004
    assert "xxx..." in str(caught.value)
    with pytest.raises(RecordError, match=r"GM\[a\\nb\\x00\]: 'a\\nb\\x00' is not supported"):
        blksgf.loads("(;GM[a\nb\0])")


def test_nothing_is_loaded_before_it_is_needed():
    script = """
import json, sys
import ziggurat
seen = [name for name in sys.modules if name.startswith("ziggurat.formats")]
import ziggurat.formats as formats
first = [name for name in sys.modules if name.startswith("ziggurat.formats.")]
formats.blksgf, formats.Record, formats.sgf, dir(formats)
later = [name in sys.modules for name in ("ziggurat.formats.blksgf", "ziggurat.formats.record", "numpy")]
try:
    formats.nothing
except AttributeError as error:
    print(json.dumps([seen, first, later, str(error)]))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    seen, first, later, error = json.loads(run.stdout)
    assert seen == []
    assert first == ["ziggurat.formats.errors"]
    assert later == [True, True, False]
    assert error == "module 'ziggurat.formats' has no attribute 'nothing'"


def test_unsupported_games_are_record_errors():
    assert issubclass(UnsupportedGameError, RecordError)
    assert issubclass(RecordError, zg.ParseError)
