"""Perft: the figures of the `.perft` files, and what must not change a count."""

import math
import random

import numberplace_city_model as city
import pytest
from common import GAMES, LONG, QUICK, ended_by_the_rules, has_secrets, positions, single_actions
from perft_files import FILES, blocks

import ziggurat as zg
from ziggurat import reference

FAST, SLOW = 300_000_000, 2_500_000_000  # leaves that the native engine counts one by one
SINGLE = [text for text in GAMES if single_actions(zg.load_game(text))]
LINES = [(block, depth, count) for block in blocks() for depth, count in block.counts.items()]
HASHED = [line for line in LINES if line[2] > SLOW]


def reference_cost(block, depth):
    """Roughly the milliseconds that the reference needs: it plays out every position, the last ones included."""
    inner, last = block.counts.get(depth - 1, 1), block.counts[depth]
    game = zg.load_game(block.game)
    if game.name == "blox":
        return inner * 1.2 + last * (0.07 if block.unit == "turn" else 0.05)
    if game.name == "blokus":
        of_board = (game.options["board"] / 20) ** 2
        return of_board * (inner * 12 + last * (0.02 if game.options["pass_mode"] == "action" else 0.25))
    return inner * 0.3 + last * (0.12 if game.name == "numberplace_city" else 0.02)


def lines(keep):
    """Parameters for the lines to keep, those that take long marked."""
    found = []
    for block, depth, count in LINES:
        kind = keep(block, depth, count)
        if kind:
            name = f"{block.game}-seed{block.seed}-{len(block.moves)}turns-{block.unit}-{depth}"
            found.append(pytest.param(block, depth, count, id=name, marks=[pytest.mark.slow] if kind == "slow" else []))
    return found


def size(count):
    return "fast" if count <= FAST else "slow" if count <= SLOW else ""


def duration(block, depth):
    cost = reference_cost(block, depth)
    return "fast" if cost <= 300 else "slow" if cost <= 2000 else ""


@pytest.mark.parametrize(("block", "depth", "count"), lines(lambda block, depth, count: size(count)))
def test_native_counts(block, depth, count):
    assert zg.perft(block.state(zg.load_game), depth, block.unit) == count


@pytest.mark.parametrize(("block", "depth", "count"), lines(lambda block, depth, count: duration(block, depth)))
def test_counts_of_the_reference(block, depth, count):
    assert reference.perft(block.state(reference.load_game), depth, block.unit) == count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("block", "depth", "count"), [pytest.param(*line, id=f"{line[0].game}-{line[1]}") for line in HASHED]
)
def test_deep_counts_with_a_table(block, depth, count):
    assert zg.perft(block.state(zg.load_game), depth, block.unit, threads=0, hash_mb=512) == count


def test_every_game_has_figures_and_every_line_is_tested():
    assert [path.stem for path in FILES] == zg.games()
    assert {block.game.split("(")[0] for block, _, _ in LINES} == set(zg.games())
    assert {block.unit for block, _, _ in LINES} == {"turn", "action"}
    counted = {str(zg.load_game(block.game)) for block, _, _ in LINES}
    for name in zg.games():
        assert {str(zg.load_game(name, preset)) for preset in zg.describe(name)["presets"]} <= counted


@pytest.mark.parametrize(("players", "most"), [(2, 2), (3, 3), (4, 3)])
def test_nc_2_2_counts_are_products_while_everybody_acts_once(engine, players, most):
    """[NC-2.2] [NC-2.3] Any own number on any cell of the area, or as a penalty tile."""
    game = engine.load_game("numberplace_city", players=players)
    for seed in range(2):
        state = game.new_initial_state(seed)
        ways = [len(set(hand)) * (len(city.area(game, p)) + 1) for p, hand in enumerate(city.hands(state))]
        for depth in range(1, most + 1 if engine is zg else 2):
            assert engine.perft(state, depth) == math.prod(ways[:depth])


# What must not change a count.


def some_states(text, wanted=6):
    """Positions of random games, inside turns too, with a depth that has not too much below."""
    rng = random.Random(text)
    states = rng.sample(list(positions(zg.load_game(text), range(3))), wanted)
    return [(state, 2 if text in LONG or is_broad(state) else 3) for state in states]


def is_broad(state):
    """Whether so much is below a position of a game with hands that it costs time."""
    return has_secrets(state.get_game()) and zg.perft(state, 2) > 5000


def by_playing(state, depth, unit):
    """Perft through the public methods alone."""
    if depth == 0:
        return 1
    total = 0
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        total += by_playing(after, depth - (unit == "action" or not after.in_turn()), unit)
    return total


@pytest.mark.parametrize("unit", ["turn", "action"])
@pytest.mark.parametrize("text", GAMES)
def test_threads_and_tables_change_nothing(text, unit):
    for state, depth in some_states(text):
        expected = zg.perft(state, depth, unit)
        divided = zg.perft(state, depth, unit, divide=True)
        for threads, hash_mb in ((2, 0), (3, 1), (1, 1), (1, 7), (0, 3)):
            assert zg.perft(state, depth, unit, threads=threads, hash_mb=hash_mb) == expected
            assert zg.perft(state, depth, unit, divide=True, threads=threads, hash_mb=hash_mb) == divided


def test_a_tiny_table_and_many_threads_change_nothing():
    state = zg.load_game("pylos", "expert").new_initial_state()
    for threads, hash_mb in ((1, 1), (2, 1), (64, 1), (1, 64)):
        assert zg.perft(state, 7, threads=threads, hash_mb=hash_mb) == 64136160


@pytest.mark.parametrize("unit", ["turn", "action"])
@pytest.mark.parametrize("text", GAMES)
def test_divide_sums_up_and_names_the_first_choices(text, unit):
    for state, depth in some_states(text):
        divided = zg.perft(state, depth, unit, divide=True)
        assert sum(divided.values()) == zg.perft(state, depth, unit)
        if is_limited(state):
            continue
        if unit == "action":
            assert list(divided) == [state.action_to_string(action) for action in state.legal_actions()]
        else:
            assert [state.turn_to_string(state.string_to_turn(turn)) for turn in divided] == list(divided)
            assert len(divided) == state.count_turns()


def is_limited(state):
    """Whether the position may be one where a limit of turns, which perft ignores, has ended the game."""
    return state.get_game().options.get("max_turns", 0) not in (0, 2000)


@pytest.mark.parametrize("text", [text for text in GAMES if text not in SINGLE and "max_turns" not in text])
@pytest.mark.parametrize("unit", ["turn", "action"])
def test_counts_are_those_of_playing(text, unit):
    for state, _ in some_states(text, 3):
        for depth in range(3):
            assert zg.perft(state, depth, unit) == by_playing(state, depth, unit)


@pytest.mark.parametrize("text", SINGLE)
def test_counts_of_single_actions_are_those_of_playing(text):
    for state, _ in some_states(text, 3):
        assert zg.perft(state, 2) == zg.perft(state, 2, "action") == by_playing(unlimited(state), 2, "action")
        assert all(zg.perft(state, depth) == zg.perft(state, depth, "action") for depth in (1, 3))


def unlimited(state):
    """The position in a game without a limit of turns: perft ignores it, playing does not."""
    game, fields = state.get_game(), state.serialize().split(" ")
    if game.name == "numberplace_city":
        fields[0], fields[10] = str(zg.load_game(str(game), max_turns=0)), "0"
    return zg.restore_state(" ".join(fields))


@pytest.mark.parametrize("text", GAMES)
def test_depth_0_and_the_end_of_a_game(text):
    *_, last = positions(zg.load_game(text), range(1), limit=20_000)
    assert last.is_terminal()
    for state in (last, last.get_game().new_initial_state()):
        assert zg.perft(state, 0) == zg.perft(state, 0, "action") == zg.perft(state, 0, threads=2, hash_mb=1) == 1
    if ended_by_the_rules(last):
        for depth in (1, 2, 5, 1000):
            assert zg.perft(last, depth) == 0
            assert zg.perft(last, depth, "action", threads=2, hash_mb=1) == 0
        assert zg.perft(last, 3, divide=True) == {}


LIMITED = {  # how deep to count
    "pylos(max_turns=1)": 3,
    "pylos(max_turns=2,base=3)": 3,
    "pylos(patterns=lines,max_turns=0)": 3,
    "blox(hand=1,cards_per_colour=1,pawns=1,max_turns=1)": 2,
    "blox(players=3,hand=1,cards_per_colour=1,pawns=1,max_turns=2)": 1,
    "numberplace_city(players=2,areas=0+8,max_turns=1)": 2,
    "numberplace_city(players=3,areas=0+4+8,tiles_per_number=2,max_turns=2)": 2,
}


@pytest.mark.parametrize("module", [zg, reference], ids=["native", "reference"])
def test_the_limit_of_turns_is_ignored(module):
    for text, most in LIMITED.items():
        free = module.load_game(text, max_turns=0).new_initial_state(9)
        state = module.load_game(text).new_initial_state(9)
        for _ in range(3):
            assert module.perft(state, most) == module.perft(free, most)
            assert module.perft(state, 2, "action", divide=True) == module.perft(free, 2, "action", divide=True)
            if state.is_terminal():
                break
            for game in (state, free):
                game.apply_action(game.legal_actions()[0])


def test_counting_leaves_the_state_alone():
    for text in zg.games():
        state = zg.load_game(text).new_initial_state()
        before = state.serialize()
        zg.perft(state, 3, threads=2, hash_mb=1, divide=True)
        assert state.serialize() == before


@pytest.mark.parametrize("unit", ["turn", "action"])
def test_divide_agrees_with_the_reference(unit):
    rng = random.Random(3)
    for text in QUICK:
        for state in rng.sample(list(positions(zg.load_game(text), range(2))), 2):
            slow = reference.load_game(text).deserialize(state.serialize())
            assert list(zg.perft(state, 1, unit, divide=True).items()) == list(
                reference.perft(slow, 1, unit, divide=True).items()
            )
