"""Pickles of states: text of a version that they name, checked by whoever reads it, small and for every game."""

import pickle
import pickletools
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from common import GAMES

import ziggurat as zg

MOST_AROUND_A_TEXT = 60  # bytes
# After twenty actions a pickle may have so many bytes more than the state has in memory.
MOST_EXTRA = 160
# A row of a batch is a state and, at least, two random streams of two words, three words, an action, and two bytes.
REST_OF_A_ROW = 2 * 16 + 3 * 8 + 4 + 2
SIZES = {"pylos": 32, "blokus": 320, "blokus duo": 192, "blox": 920, "numberplace_city": 448}  # in memory


@dataclass
class Call:
    """Pickles as a call of `restore_state` with these arguments."""

    arguments: tuple

    def __reduce__(self):
        return zg.restore_state, self.arguments


def played(game: zg.Game, actions: int, seed: int = 1) -> zg.State:
    """The state after so many random actions, or at the end."""
    rng, state = random.Random(seed), game.new_initial_state(seed=seed)
    for _ in range(actions):
        if state.is_terminal():
            break
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


@pytest.fixture(params=GAMES)
def states(request) -> list[zg.State]:
    """The start of a game, positions of it and its end, or what comes after a hundred actions."""
    game = zg.load_game(request.param)
    return [played(game, actions) for actions in (0, 1, 7, 20, 50, 100)]


def arguments_of(pickled: bytes) -> list:
    """The texts and numbers that a pickle holds, in order."""
    return [value for code, value, _ in pickletools.genops(pickled) if code.name in ("SHORT_BINUNICODE", "BININT1")]


def test_a_pickle_is_the_text_and_the_version(states):
    for state in states:
        assert state.__reduce__() == (zg.restore_state, (state.serialize(), 1))
        pickled = pickle.dumps(state, 5)
        if len(state.serialize()) < 256:
            assert arguments_of(pickled) == ["ziggurat.api", "restore_state", state.serialize(), 1]
        again = pickle.loads(pickled)
        assert (again, again.serialize(), hash(again)) == (state, state.serialize(), hash(state))
        assert again.get_game() == state.get_game()


def test_pickles_of_the_form_without_a_version_are_read(states):
    for state in states:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(Call((state.serialize(),)), protocol)) == state


def test_there_is_little_around_the_text(states):
    for state in states:
        assert len(pickle.dumps(state, 5)) <= len(state.serialize()) + MOST_AROUND_A_TEXT


@pytest.mark.parametrize("subject", [*SIZES, *(set(zg.games()) - set(SIZES))])
def test_pickles_are_not_much_larger_than_states(subject):
    name, _, preset = subject.partition(" ")
    game = zg.load_game(name, preset or None)
    most = zg.BatchEnv(game, 1).bytes_per_env - REST_OF_A_ROW  # that a state can take in memory
    size = SIZES.get(subject, most)
    assert size <= most
    for seed in range(10):
        assert len(pickle.dumps(played(game, 20, seed), 5)) <= size + MOST_EXTRA


@pytest.mark.parametrize("version", [0, 2, -1, 1.5, 1.0, "1", None, (1,), 2**64])
def test_other_versions_are_refused(version):
    state = zg.load_game("pylos").new_initial_state()
    pickled = pickle.dumps(Call((state.serialize(), version)))
    with pytest.raises(zg.ParseError) as caught:
        pickle.loads(pickled)
    assert repr(version) in str(caught.value)
    assert "version 1" in str(caught.value)


def test_a_game_that_cannot_be_is_refused_every_time():
    text = zg.load_game("pylos").new_initial_state().serialize()
    for bad in ("chess() -", "pylos(removal=never) -", text.replace("pylos()", "pylos(max_turns=-1)"), "", ")", ") "):
        for _ in range(2):
            with pytest.raises(ValueError):
                zg.restore_state(bad)
            with pytest.raises(ValueError):
                pickle.loads(pickle.dumps(Call((bad, 1))))
    assert zg.restore_state(text).serialize() == text


def test_states_of_many_games_in_turns():
    pickles = [pickle.dumps(played(zg.load_game("pylos", max_turns=n), 3)) for n in range(10, 210)]
    for _ in range(2):
        found = [pickle.loads(pickled) for pickled in pickles]
        assert [state.get_game().options["max_turns"] for state in found] == list(range(10, 210))
        assert [pickle.dumps(state) for state in found] == pickles


def test_a_restored_state_is_alone():
    pickled = pickle.dumps(played(zg.load_game("blox"), 20), 5)
    first, second = pickle.loads(pickled), pickle.loads(pickled)
    first.apply_action(int(first.legal_actions()[0]))
    assert first != second
    assert pickle.dumps(second, 5) == pickled


def damaged(text: str, rng: random.Random) -> str:
    """The text with a letter more, less or another one, or without its end."""
    place, letter = rng.randrange(len(text)), rng.choice("LDbyrg.-/*0123456789 (),=xwkj:+AB>in\0é")
    return (
        text[:place] + rng.choice((letter + text[place:], letter + text[place + 1 :], text[place + 1 :], ""))
        if rng.random() < 0.9
        else text + letter
    )


def test_damaged_pickles_are_refused_or_are_positions(states):
    rng = random.Random(3)
    for state in states:
        before = state.serialize()
        for _ in range(20):
            changed = damaged(before, rng)
            try:
                read = pickle.loads(pickle.dumps(Call((changed, 1)), 5))
            except ValueError:
                continue
            assert read._broken_invariant() == ""
            assert zg.restore_state(read.serialize()) == read
        assert pickle.loads(pickle.dumps(state, 5)).serialize() == before


@pytest.mark.parametrize("number", ["00", "01", "-0", "-1", "+1", " 1", "1 ", "1.", "1e0", "0x1", "", "99", "9" * 30])
def test_numbers_have_one_form(number):
    game = zg.load_game("pylos", max_turns=50)
    head, _, turns = played(game, 7).serialize().rpartition(" ")
    assert turns == "7"
    assert [game.deserialize(f"{head} {n}").serialize() for n in (0, 1, 50)] == [f"{head} {n}" for n in (0, 1, 50)]
    with pytest.raises(zg.ParseError):
        zg.restore_state(f"{head} {number}")


NAMES = [*"12", "I3", "V3", "I4", "L4", "T4", "O", "Z4", "I5", "L5", *"YPU", "V5", "T5", *"NFW", "Z5", "X"]


@pytest.mark.parametrize("name", ["", "I", "3", "i3", "I33", "I3 ", " I3", "3I", "1\0", "\x001", "\0", "Q", "V4", "é"])
def test_only_names_of_pieces_are_names_of_pieces(name):
    game = zg.load_game("blokus")
    rows, _ = game.new_initial_state().serialize().removeprefix("blokus() ").split(" b ")
    with pytest.raises(zg.ParseError):
        game.deserialize(f"blokus() {rows} b {name}/*/*/* - -")
    with pytest.raises(ValueError):
        zg.load_game("blokus", pieces=name)
    with pytest.raises(ValueError):
        zg.load_game("blokus", pieces=f"X+{name}")


def test_all_names_of_pieces_are_read_and_written():
    for left_out in NAMES:
        pieces = "+".join(name for name in NAMES if name != left_out)
        assert zg.load_game("blokus", pieces=pieces).options["pieces"] == pieces
        assert zg.load_game("blokus", pieces=left_out).options["pieces"] == left_out


def test_threads_pickle_and_restore():
    states = [played(zg.load_game(text), 20) for text in GAMES[:8]]
    pickles = [pickle.dumps(state, 5) for state in states]

    def copied(turn: int) -> bool:
        return all(pickle.dumps(pickle.loads(pickle.dumps(s, 5)), 5) == p for s, p in zip(states, pickles, strict=True))

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(copied, range(100)))


def test_another_process_reads_them_before_it_has_imported_anything():
    pickles = [pickle.dumps(played(zg.load_game(name), 20), 5) for name in zg.games()]
    program = (
        "import pickle, sys\n"
        "for pickled in pickle.load(sys.stdin.buffer):\n"
        "    print(pickle.dumps(pickle.loads(pickled), 5) == pickled)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, input=pickle.dumps(pickles), capture_output=True, check=True, timeout=60)
    assert done.stdout.decode().split() == ["True"] * len(pickles)
