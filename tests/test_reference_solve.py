"""The brute-force solution of small Pylos: its positions, facts that can be seen by hand, and that it is consistent.

The text of a position says all that is asked here: neighbours are found by playing turns of the game, with no help
from the solver. What is proved that way holds whatever the solver did.
"""

import random
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest

import ziggurat as zg
from ziggurat import reference
from ziggurat.errors import ParseError
from ziggurat.reference import pylos_solve
from ziggurat.solver import build

PASSES = "no_move=passes"
BOTH = "no_move=passes,empty_reserve=loses"
NONE = "patterns=none"
ENDLESS = "patterns=lines,removal=mandatory,remove_placed=false,chain_removal=false,no_move=passes"

# For each set of options: how many positions are won, drawn and lost, the result of the empty board, the longest
# distance. Computed with the solver; that they are right is what the tests below say.
TOTALS = {
    "": ((57642, 0, 47411), (1, 15), 17),
    PASSES: ((57642, 0, 38317), (1, 15), 17),
    BOTH: ((57642, 0, 47411), (1, 15), 17),
    NONE: ((48203, 0, 56850), (-1, 16), 16),
    ENDLESS: ((61821, 505, 33633), (0, None), 31),
}


def small(options="", module=reference):
    """The game with some options."""
    return module.load_game(f"pylos(base=3{options and ','}{options})")


@cache
def solution(options=""):
    """The solution with some options, which takes seconds; one is asked for with a game of the native engine."""
    return pylos_solve.solve(small(options, zg if options == NONE else reference))


@pytest.fixture(params=TOTALS)
def options(request):
    return request.param


def at(levels, options="", side="L"):
    """The position of a drawing; rows of a level may be separated by spaces."""
    game = small(options)
    return game.deserialize(f"{game} {levels.replace(' ', '')} {side} - 0")


def key_of(state):
    """What the solver calls a position, read off its text."""
    levels, side = state.serialize().split(" ")[1:3]
    return key_of_cells(levels.replace("/", ""), side)


def key_of_cells(cells, side):
    """The mover's balls and the other's as bits."""
    return tuple(sum(1 << i for i, ball in enumerate(cells) if ball == own) for own in (side, "DL"[side == "D"]))


def state_of(key, options, side):
    """The position of a key with either player to move."""
    own, other = side, "DL"[side == "D"]
    cells = "".join(own if key[0] >> i & 1 else other if key[1] >> i & 1 else "." for i in range(14))
    return at(f"{cells[:9]}/{cells[9:13]}/{cells[13]}", options, side)


def after_turns(state):
    """The states after each turn, found by playing action after action."""
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        if after.in_turn():
            yield from after_turns(after)
        else:
            yield after


def side_of(state):
    return state.serialize().split(" ")[2]


def occupied_sets():
    """Every set of cells on which balls can lie: level 1, what it carries, and the apex on a full level 2."""
    for low in range(1 << 9):
        carried = [9 + i for i, corner in enumerate((0, 1, 3, 4)) if low & 27 << corner == 27 << corner]
        for count in range(len(carried) + 1):
            for high in combinations(carried, count):
                bits = low | sum(1 << cell for cell in high)
                yield bits
                if count == 4:
                    yield bits | 1 << 13


# All positions are there.


def test_every_set_of_cells_in_every_colouring():
    counted = dict.fromkeys(range(15), 0)
    for bits in occupied_sets():
        balls = bits.bit_count()
        counted[balls] += sum(comb(balls, own) for own in range(8) if balls - own < 8)
    found = {balls: sum(counts) for balls, counts in solution().by_balls().items()}
    assert found == counted
    assert sum(solution().total()) == sum(counted.values()) == 105053


def left_alone(cycles):
    """In how many ways balls can lie on some cycles of cells, all of a cycle in one colour, seven of each at most."""
    own = [0]
    for cycle in cycles:
        own += [count + len(cycle) for count in own]
    balls = sum(map(len, cycles))
    return sum(count < 8 and balls - count < 8 for count in own)


def cycles_of(moved, cells):
    """The cycles of a permutation in a set of cells that it leaves alone."""
    found = set()
    for cell in cells:
        cycle = [cell]
        while moved[cycle[-1]] != cell:
            cycle.append(moved[cycle[-1]])
        found.add(frozenset(cycle))
    return found


def test_as_many_classes_as_there_must_be():
    """Burnside: as many as the symmetries leave positions alone on average."""
    alone = 0
    for k in range(8):
        moved = [small().transform_action(cell, k) for cell in range(14)]  # the id of a placing is its cell
        for bits in occupied_sets():
            cells = {cell for cell in range(14) if bits >> cell & 1}
            if {moved[cell] for cell in cells} == cells:
                alone += left_alone(cycles_of(moved, cells))
    assert alone == 8 * len(solution().results) == 8 * 14202


def test_a_class_is_what_the_symmetries_make_of_a_position():
    solved, rng = solution(), random.Random(1)
    assert sum(solved.sizes.values()) == len(solved.least) == 105053
    assert solved.results.keys() == solved.sizes.keys() == set(solved.least.values())
    for key in rng.sample(sorted(solved.least), 1000):
        state = state_of(key, "", "L")
        images = [key_of(state.transformed(k)) for k in range(8)]
        assert {solved.least[image] for image in images} == {min(images)}
        assert solved.sizes[min(images)] == len(set(images))


@pytest.mark.parametrize("options", ["", PASSES, BOTH])
def test_what_has_a_text_is_a_position_and_nothing_else(options):
    solved, rng = solution(options), random.Random(options)
    answers = []
    for bits in [*occupied_sets(), *(rng.getrandbits(14) for _ in range(200))]:
        text = "".join(rng.choice("LLD") if bits >> cell & 1 else "." for cell in range(14))
        try:
            at(f"{text[:9]}/{text[9:13]}/{text[13]}", options)
            answers.append(True)
        except ParseError:
            answers.append(False)
        assert answers[-1] == (key_of_cells(text, "L") in solved.least)
    assert answers.count(True) > 300
    assert answers.count(False) > 150


# Facts that can be seen by hand. Levels from the bottom, in each the front row first.


@pytest.mark.parametrize("options", ["", PASSES, BOTH])
def test_the_last_ball(options):
    # Only the apex is empty; light, with a ball left, lays it there. Then the game is over, and dark has lost.
    assert solution(options).lookup(at("LDL DLD LDL / DLDD / .", options, "L")) == (1, 1)
    assert solution(options).lookup(at("LDL DLD LDL / DLDD / L", options, "D")) == (-1, 0)


def test_the_last_ball_is_the_others():
    # Dark is to move, has no ball left and nowhere to raise one to.
    drawing = "LDL DLD LDL / DLDD / ."
    assert solution().lookup(at(drawing, "", "D")) == (-1, 0)
    assert solution(BOTH).lookup(at(drawing, BOTH, "D")) == (-1, 0)
    with pytest.raises(ParseError, match="skipped"):
        at(drawing, PASSES, "D")


def test_the_last_but_one():
    # Six balls each: 2b2 is the only cell to lay a ball on, and no ball that could be raised to it is free but 1c3,
    # which holds it up. Whoever lays it opens the apex for the other.
    drawing = "LDL DLD LDL / DLD. / ."
    state = at(drawing)
    assert state.turn_to_string(state.legal_actions()) == "2b2"
    for side in "LD":
        assert solution().lookup(at(drawing, "", side)) == (-1, 2)


def test_pylos_4_2_a_player_without_a_move_loses_or_is_skipped():
    # Light has five balls on the board, dark all seven: light lays 2b2, dark can do nothing.
    drawing = "LDD DLD DLD / LDL. / ."
    assert solution().lookup(at(drawing)) == (1, 1)
    assert solution(BOTH).lookup(at(drawing, BOTH)) == (1, 1)
    # Skipped, he looks on while light lays the apex as well: two turns, for the skipped one is none.
    assert solution(PASSES).lookup(at(drawing, PASSES)) == (1, 2)


def test_pylos_4_3_an_empty_reserve_may_be_the_end():
    # Light has all seven balls on the board and one turn, to raise 1a1 to 2b2. Dark lays 1a1 again, under 2a1, and
    # light can do nothing; if he is skipped, dark lays 2a1 and the apex, too.
    drawing = "LLD LDL DLD / .LL. / ."
    state = at(drawing)
    assert state.turn_to_string(state.legal_actions()) == "1a1>2b2"
    assert solution().lookup(state) == (-1, 2)
    assert solution(PASSES).lookup(at(drawing, PASSES)) == (-1, 4)
    assert solution(BOTH).lookup(at(drawing, BOTH)) == (-1, 0)


def test_pylos_4_1_the_apex_is_of_the_winner():
    # Play never leaves the winner to move; a text may.
    assert solution().lookup(at("LDL DLD LDL / DLDD / L", side="L")) == (1, 0)
    assert solution().lookup(at("LDL DLD LDL / DLDL / D", side="L")) == (-1, 0)


# All that is said fits together.


def best(outcomes):
    """What a player makes of the values and distances, as he sees them, that his turns lead to."""
    values = {value for value, _ in outcomes}
    if 1 in values:
        return 1, 1 + min(distance for value, distance in outcomes if value == 1)
    return (0, None) if 0 in values else (-1, 1 + max(distance for _, distance in outcomes))


def outcomes(solved, state):
    """The value for the player to move, and the distance, of what each of his turns leads to."""
    for after in after_turns(state):
        value, distance = solved.results[solved.least[key_of(after)]]
        yield value if side_of(after) == side_of(state) else -value, distance


def test_every_position_is_worth_the_best_of_its_turns(options):
    """So a win or a loss is one, by induction over the distance, and from a draw nobody can win against the other.

    Every tenth class is looked at, through a random symmetry, with a random colour to move.
    """
    solved, rng, won_at_once = solution(options), random.Random(options), 0
    for key, result in rng.sample(sorted(solved.results.items()), len(solved.results) // 10):
        side = rng.choice("LD")
        state = state_of(key, options, side).transformed(rng.randrange(8))
        if state.is_terminal():
            assert result == (state.returns()["LD".index(side)], 0)
        else:
            assert result == best(list(outcomes(solved, state)))
            won_at_once += result == (1, 1)
    assert won_at_once > 10


def test_totals(options):
    solved, (total, empty, longest) = solution(options), TOTALS[options]
    assert solved.total() == total
    assert solved.lookup(small(options).new_initial_state()) == empty
    for table in (solved.by_balls(), solved.by_distance()):
        assert list(table) == sorted(table)
    assert max(solved.by_distance()) == longest
    assert [sum(column) for column in zip(*solved.by_balls().values(), strict=True)] == list(total)
    wins, _, losses = total
    assert [sum(column) for column in zip(*solved.by_distance().values(), strict=True)] == [wins, 0, losses]


def test_totals_in_detail():
    by_balls = solution().by_balls()
    assert [by_balls[n] for n in range(4)] == [(1, 0, 0), (8, 0, 10), (70, 0, 74), (400, 0, 272)]
    assert by_balls[10] == (9088, 0, 9152)
    assert solution().by_distance()[0] == (1716, 0, 10810)
    assert solution().by_distance()[17] == (37, 0, 0)
    assert solution(ENDLESS).by_balls()[1] == (10, 8, 0)
    assert solution(ENDLESS).by_distance()[31] == (4, 0, 0)
    # Without patterns every turn adds a ball or moves one up: nothing goes on for ever.
    assert solution(NONE).total().draws == 0


@pytest.mark.parametrize("options", ["", NONE])
def test_best_play_takes_as_long_as_is_said(options):
    solved, state = solution(options), small(options).new_initial_state()
    value, distance = solved.lookup(state)
    for turns_left in range(distance, 0, -1):
        assert not state.is_terminal()
        assert solved.lookup(state) == (value if (distance - turns_left) % 2 == 0 else -value, turns_left)
        state = next(after for after in after_turns(state) if solved.lookup(after).distance == turns_left - 1)
    assert state.is_terminal()
    assert state.winners() == [0 if value == 1 else 1]


# How it is asked.


def test_states_of_any_implementation_and_limit(load):
    solved, rng = solution(NONE), random.Random(3)
    for max_turns in (0, 5, 2000):
        state = load("pylos", base=3, patterns="none", max_turns=max_turns).new_initial_state()
        while not state.is_terminal():
            assert solved.lookup(state) == solved.results[solved.least[key_of(state)]]
            state.apply_action(rng.choice(list(state.legal_actions())))
        assert (solved.lookup(state).distance == 0) == (max_turns != 5)


def test_pylos_4_4_the_limit_of_turns_is_ignored():
    state = small("patterns=none,max_turns=1").new_initial_state()
    assert solution(NONE).lookup(state) == (-1, 16)
    state.apply_action(0)
    assert state.is_terminal()
    assert state.winners() == []
    assert solution(NONE).lookup(state).value == 1


def test_bad_input():
    with pytest.raises(ValueError, match=r"'pylos\(\)' has too many positions .* expected base=3"):
        pylos_solve.solve(reference.load_game("pylos"))
    with pytest.raises(ValueError, match=r"'blokus\(\)' is not solved here; expected a game of pylos with base=3"):
        pylos_solve.solve(reference.load_game("blokus"))
    with pytest.raises(TypeError, match="game is 'pylos'; expected a game"):
        pylos_solve.solve("pylos")
    with pytest.raises(TypeError, match="state is 'LDL'; expected the state of a game"):
        solution().lookup("LDL")
    with pytest.raises(ValueError, match=r"removal=mandatory.* has other options"):
        solution().lookup(small("removal=mandatory").new_initial_state())
    with pytest.raises(ValueError, match="blokus"):
        solution().lookup(reference.load_game("blokus").new_initial_state())
    state = at("LL. L.. ... / .... / .")
    state.apply_action(state.string_to_action("1b2"))
    assert state.in_turn()
    with pytest.raises(ValueError, match="1b2 0' is inside a turn; expected a position between turns"):
        solution().lookup(state)


def test_tables_say_the_same_of_every_position(options, tmp_path):
    """The fast solver, which was written apart from this one: all positions, reachable or not, no symmetry assumed."""
    table = build(small(options, zg), tmp_path, threads=1)
    brute = solution(options)
    keys = list(brute.least)
    own, other = np.array(keys, np.uint32).T
    values, distances = table.probe_batch(own.copy(), other.copy())
    expected = [brute.results[brute.least[key]] for key in keys]
    assert len(keys) > 90_000
    assert values.tolist() == [result.value for result in expected]
    assert distances.tolist() == [-1 if result.distance is None else result.distance for result in expected]
