"""Players that need no teaching: uniform random, and greedy for points one turn ahead. Any game, whole turns.

Where a game has been solved there is a perfect one, too.

A bot sees what its player sees: it never looks at a state itself, only at what `State.resample` makes of it for the
player to move. Its choices depend on its seed and on the decisions it has made before, on every machine alike.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Protocol, SupportsIndex

from ziggurat.formats.errors import shortened
from ziggurat.protocols import State
from ziggurat.reference.random import Stream, stream_key
from ziggurat.turns import legal_turns, nth_turn

OPPONENTS = 3  #: tag of a key of the random stream (docs/random-stream.md)
WORLDS = 8  #: states that a greedy player looks at where something is hidden
MOST_TURNS = 10_000  #: that a greedy player looks at; of more it takes as many at random


class Bot(Protocol):
    """What chooses turns."""

    def choose_turn(self, state: State) -> list[int]:
        """The action ids of a legal turn of the player to move, or of the rest of a begun one; the state is kept.

        ValueError after the end.
        """


class RandomBot:
    """Every legal turn is equally likely."""

    def __init__(self, seed: int = 0, index: int = 0) -> None:
        self.stream = bot_stream(seed, index)

    def choose_turn(self, state: State) -> list[int]:
        """As `Bot.choose_turn`."""
        guess = state.resample(player_to_move(state), self.stream.draw())
        return nth_turn(guess, self.stream.bounded(guess.count_turns()))


class GreedyBot:
    """A turn after which the player is best off; ties are broken at random.

    Best off by the game's own points, compared with those of the others on average, then by returns. Where something is
    hidden, on average over `worlds` states that the player cannot tell apart.
    """

    def __init__(self, seed: int = 0, index: int = 0, worlds: int = WORLDS) -> None:
        if worlds < 1:
            raise ValueError(f"worlds is at least 1, not {worlds}")
        self.stream = bot_stream(seed, index)
        self.worlds = worlds

    def choose_turn(self, state: State) -> list[int]:
        """As `Bot.choose_turn`."""
        player = player_to_move(state)
        worlds = [state.resample(player, self.stream.draw()) for _ in range(self.worlds)]
        if all(world == worlds[0] for world in worlds):
            del worlds[1:]  # nothing is hidden: one look is enough
        turns = self.candidates(worlds[0])
        values = [worth(worlds, turn, player) for turn in turns]
        best = max(values)
        ties = [turn for turn, value in zip(turns, values, strict=True) if value == best]
        return ties[self.stream.bounded(len(ties))]

    def candidates(self, world: State) -> list[list[int]]:
        """All legal turns; where they are too many some, drawn at random."""
        count = world.count_turns()
        if count <= MOST_TURNS:
            return list(legal_turns(world))
        return [nth_turn(world, self.stream.bounded(count)) for _ in range(MOST_TURNS)]


def perfect_bot(seed: int = 0, index: int = 0) -> Bot:
    """A `ziggurat.solver.PerfectBot`: it looks for the table of a game when it is to move."""
    from ziggurat.solver.player import PerfectBot

    return PerfectBot(seed, index)


BOTS: dict[str, Callable[[int, int], Bot]] = {"random": RandomBot, "greedy": GreedyBot}  #: those that play any game
SOLVERS: dict[str, Callable[[int, int], Bot]] = {"perfect": perfect_bot}  #: those that need the table of a game


def make_bot(name: str, seed: int = 0, index: int = 0) -> Bot:
    """The bot of a name in BOTS or SOLVERS; those of one seed with different indices choose independently.

    ValueError for another name, and for a seed or index that is not from 0 to 2**64 - 1; TypeError for one that is no
    whole number (those of NumPy are).
    """
    known = BOTS | SOLVERS
    if name not in known:
        raise ValueError(f"unknown bot {name!r}; there are: {', '.join(known)}")
    return known[name](seed, index)


def checked_seed(argument: str, value: SupportsIndex) -> int:
    """A seed as an int of Python, whatever kind of whole number it is: those of NumPy would overflow.

    TypeError for what is none, ValueError for one that is not from 0 to 2**64 - 1; both name the argument.
    """
    try:
        seed = operator.index(value)
    except TypeError:
        raise TypeError(f"{argument} is a whole number, not {shortened(repr(value))}") from None
    if not 0 <= seed < 2**64:
        raise ValueError(f"{argument} is from 0 to 2**64 - 1, not {seed}")
    return seed


# The rest is private to this module.


def bot_stream(seed: int, index: int) -> Stream:
    """The stream of a bot's choices."""
    return Stream(stream_key(checked_seed("seed", seed), checked_seed("index", index), OPPONENTS))


def player_to_move(state: State) -> int:
    """The player to move; ValueError after the end."""
    if state.is_terminal():
        raise ValueError("the game is over: there is no turn to choose")
    return state.current_player()


def worth(worlds: Sequence[State], turn: Sequence[int], player: int) -> tuple[int, float]:
    """What a turn is worth to its player: points and returns, summed over some worlds."""
    points, returns = 0, 0.0
    for world in worlds:
        after = world.clone()
        for action in turn:
            after.apply_action(action)
        scores = after.scores().tolist()
        others = len(scores) - 1
        points += max(others, 1) * scores[player] - (sum(scores) - scores[player])
        returns += float(after.returns()[player])
    return points, round(returns, 9)  # the order of adding up must not decide
