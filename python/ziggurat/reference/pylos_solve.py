"""Small Pylos solved by brute force: every position between turns, its value and the number of turns to the end.

Only for `base=3`: it has about a hundred thousand positions. All of them are looked at, whether play can lead to them
or not, as the player to move sees them: which balls are his own and which the other's. One of each class under the
eight symmetries is worked on. What may be played is asked of the rules in `pylos.py`; nothing here knows them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, combinations
from typing import Any, NamedTuple, Protocol, cast, runtime_checkable

from ziggurat.reference import engine, pylos
from ziggurat.reference.pylos_board import BALLS, Board, Options, State, pyramid

SMALL = 3  # the base of the pyramid that is solved
RULES = cast(engine.Rules, pylos)

Key = tuple[int, int]  # the cells of the mover's balls and of the other's: bit `i` stands for cell `i`
Edge = tuple[Key, bool]  # what a turn leads to, and whether the same player moves again: the other one was skipped
Graph = dict[Key, set[Edge]]


class Result(NamedTuple):
    """What best play comes to: the value for the player to move and the turns of both sides until the end.

    Value 1: he wins, as soon as he can. -1: he loses, as late as he can. 0: neither can win, the game goes on for ever,
    and the distance is None. A turn that is skipped is not counted; a finished game has distance 0.
    """

    value: int
    distance: int | None


class Counts(NamedTuple):
    """How many positions are won, drawn and lost for the player to move."""

    wins: int
    draws: int
    losses: int


@runtime_checkable
class SomeGame(Protocol):
    """A game of any implementation."""

    @property
    def name(self) -> str:
        """The name of the game."""

    @property
    def options(self) -> dict[str, Any]:
        """All options."""


@runtime_checkable
class SomeState(Protocol):
    """A state of any implementation."""

    def get_game(self) -> Any:
        """The game."""

    def serialize(self) -> str:
        """The game and the position as text."""


@dataclass(frozen=True)
class Solution:
    """All positions of a game that are between turns, up to symmetry, with their results. Made by `solve`."""

    options: Options  # without a limit of turns
    results: dict[Key, Result]  # of the least position of each class
    least: dict[Key, Key] = field(repr=False)  # of every position the least one of its class
    sizes: dict[Key, int] = field(repr=False)  # of the least position of each class: how many are in it

    def lookup(self, state: SomeState) -> Result:
        """The result of a state between turns, wherever it comes from; its limit of turns is ignored.

        ValueError inside a turn and for another game or other options, TypeError for what is no state.
        """
        if not isinstance(state, SomeState):
            raise TypeError(f"state is {state!r}; expected the state of a game")
        game = state.get_game()
        options = options_of(game)
        if without_limit(options) != self.options:
            raise ValueError(f"'{game}' has other options than this solution: {self.options}")
        s = pylos.parse(options, state.serialize().removeprefix(f"{game} "))
        if pylos.in_turn(s):
            raise ValueError(f"'{state.serialize()}' is inside a turn; expected a position between turns")
        return self.results[self.least[key_of(s)]]

    def by_balls(self) -> dict[int, Counts]:
        """How many positions there are with each number of balls on the board."""
        return self.count(lambda key, _: balls_on(key))

    def by_distance(self) -> dict[int, Counts]:
        """How many positions there are at each distance from the end; drawn ones have none and are left out."""
        return self.count(lambda _, result: result.distance)

    def total(self) -> Counts:
        """How many positions there are."""
        return self.count(lambda key, result: 0)[0]

    def count(self, label: Callable[[Key, Result], int | None]) -> dict[int, Counts]:
        """How many positions there are of each label, the labels ascending; those with the label None are left out.

        A class counts as often as it is large.
        """
        found: Counter[tuple[int, int]] = Counter()
        for key, result in self.results.items():
            number = label(key, result)
            if number is not None:
                found[number, result.value] += self.sizes[key]
        numbers = sorted({number for number, _ in found})
        return {number: Counts(*(found[number, value] for value in (1, 0, -1))) for number in numbers}


def solve(game: SomeGame) -> Solution:
    """Solve a game of Pylos with `base=3`; its limit of turns is ignored [PY-4.4].

    ValueError for another game and for the large pyramid, TypeError for what is no game.
    """
    options = without_limit(options_of(game))
    least, sizes = classes(options)
    results = finished(options, sizes)
    graph = {key: edges(options, key, least) for key in sizes if key not in results}
    return Solution(options, induct(graph, results), least, sizes)


def position(options: Options, key: Key) -> State:
    """The position of a key; player 0 is to move."""
    own, other = key
    board = tuple(0 if own >> cell & 1 else 1 if other >> cell & 1 else None for cell in range(pyramid(options).size))
    return State(options, board)


def key_of(s: State) -> Key:
    """The key of a position between turns: the balls as the player to move sees them."""
    own = sum(1 << cell for cell, owner in enumerate(s.board) if owner == s.side)
    return own, sum(1 << cell for cell, owner in enumerate(s.board) if owner == 1 - s.side)


# The rest is private to this module.


def options_of(game: SomeGame) -> Options:
    """The options of a game, if it is one that is solved here."""
    if not isinstance(game, SomeGame):
        raise TypeError(f"game is {game!r}; expected a game of Pylos")
    if game.name != "pylos":
        raise ValueError(f"'{game}' is not solved here; expected a game of pylos with base={SMALL}")
    if game.options["base"] != SMALL:
        raise ValueError(f"'{game}' has too many positions to be solved here; expected base={SMALL}")
    return Options(**game.options)


def without_limit(options: Options) -> Options:
    """The options without a limit of turns."""
    return replace(options, max_turns=0)


def balls_on(key: Key) -> int:
    """The number of balls on the board."""
    return (key[0] | key[1]).bit_count()


def classes(options: Options) -> tuple[dict[Key, Key], dict[Key, int]]:
    """Of every position the least one of its class, and of that one the size of the class."""
    least: dict[Key, Key] = {}
    sizes: dict[Key, int] = {}
    for board in boards(options):
        s = State(options, board)
        if key_of(s) not in least and not pylos.must_be_skipped(s):  # [PY-4.2] he is never the one to play
            positions = {key_of(image) for image in images(s)}
            least.update(dict.fromkeys(positions, min(positions)))
            sizes[min(positions)] = len(positions)
    return least, sizes


def boards(options: Options) -> Iterator[Board]:
    """Every way in which balls can lie."""
    for occupied in occupied_sets(options):
        for own in colourings(options, occupied):
            owners = dict.fromkeys(occupied, 1) | dict.fromkeys(own, 0)
            yield tuple(owners.get(cell) for cell in range(pyramid(options).size))


def occupied_sets(options: Options) -> list[frozenset[int]]:
    """Every set of cells that can be occupied: each ball has its four supports [PY-2.1]."""
    sets = [frozenset[int]()]
    for cell, supports in enumerate(pyramid(options).supports):  # supports come before what they carry
        sets += [occupied | {cell} for occupied in sets if occupied.issuperset(supports)]
    return sets


def colourings(options: Options, occupied: frozenset[int]) -> Iterator[tuple[int, ...]]:
    """The cells of player 0, in every way that leaves nobody with more balls than there are [PY-1.1]."""
    most = BALLS[options.base]
    fits = [own for own in range(len(occupied) + 1) if own <= most and len(occupied) - own <= most]
    return chain.from_iterable(combinations(sorted(occupied), own) for own in fits)


def images(s: State) -> Iterator[State]:
    """The position seen through each symmetry, itself among them [PY-9.1]."""
    return (pylos.transform(s, k) for k in range(pylos.num_symmetries(s.options)))


def edges(options: Options, key: Key, least: dict[Key, Key]) -> set[Edge]:
    """Where the turns of a position lead, up to symmetry."""
    s = position(options, key)
    return {(least[key_of(after)], after.side == s.side) for _, after in engine.turns(RULES, s)}


def finished(options: Options, keys: dict[Key, int]) -> dict[Key, Result]:
    """The results of the positions at which the game is over.

    The player to move has lost, but for one kind of position that play never leads to and the text of a position
    allows: his own ball is on the apex.
    """
    found = {}
    for key in keys:
        s = position(options, key)
        if pylos.is_terminal(s):
            found[key] = Result(1 if pylos.winner(s) == s.side else -1, 0)
    return found


def induct(graph: Graph, results: dict[Key, Result]) -> dict[Key, Result]:
    """The results of all positions, found backwards from those of the finished ones, one distance after the other.

    What is found in a round was not decided by the rounds before it, so it needs exactly one turn more than the last
    of them. A round that finds nothing is the last one: in what is left nobody can force an end.
    """
    results, undecided = dict(results), dict(graph)
    distance, found = 0, dict.fromkeys(results, 0)
    while found:
        distance += 1
        found = {key: value for key, turns in undecided.items() if (value := value_of(turns, results))}
        results |= {key: Result(value, distance) for key, value in found.items()}
        undecided = {key: turns for key, turns in undecided.items() if key not in found}
    return results | dict.fromkeys(undecided, Result(0, None))


def value_of(turns: set[Edge], results: dict[Key, Result]) -> int:
    """1 if a turn is known to win, -1 if all are known to lose, otherwise 0."""
    values = [worth(results.get(key, Result(0, None)).value, again) for key, again in turns]
    return 1 if 1 in values else -1 if set(values) == {-1} else 0


def worth(value: int, again: bool) -> int:
    """What a position is worth for the player whose turn has led there: the value is that of the next one's."""
    return value if again else -value
