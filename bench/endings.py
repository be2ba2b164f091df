"""How games of Numberplace City end: random games beside careful ones, for 2, 3 and 4 players.

    python bench/endings.py [--games 100000] [--seed 0]

A careful player lays a tile, drawn uniformly, that no built tile contradicts; where there is none he does anything that
is legal, and bonuses are decided by lot: he looks at the board and nowhere else. Every game has to end by its rules: if
one reaches the limit of turns, or does not end, the exit status is 1.
"""

import argparse
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from harness import table

import ziggurat as zg

ENDS = ("points", "area", "bonus", "last", "nobody", "count", "limit")  # [NC-8.3, NC-5.2]
PLAYERS = (2, 3, 4)
LAYS = 9 * 81  # ids of actions that lay a tile [NC-7]: number x cell, as in the view `candidates`
HEADERS = ["games", "players", *ENDS, "turns", "longest", "points", "penalties", "built", "seconds"]


class EndlessError(Exception):
    """A game that did not end by its rules."""


@dataclass
class Tally:
    """What came of some games; lists have an entry a game."""

    ends: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ENDS, 0))
    turns: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)  # of all players together
    penalties: list[int] = field(default_factory=list)
    built: list[int] = field(default_factory=list)

    def add(self, state: zg.State, turns: int) -> None:
        """Count a game that is over."""
        end = state.serialize().split(" ")[9].partition(":")[0]
        self.ends["limit" if end == "-" else end] += 1
        self.turns.append(turns)
        self.points.append(int(state.scores().sum()))
        self.penalties.append(int(state.analysis("penalties").sum()))
        self.built.append(int(np.count_nonzero(state.analysis("built"))))


def random_games(game: zg.Game, games: int, seed: int) -> Tally:
    """Uniform random games, played by the engine."""
    results = zg.simulate(game, games, seed=seed, threads=1)
    count = results.counters
    ends = {end: int(count["limit" if end == "limit" else f"end_{end}"].sum()) for end in ENDS}
    columns = (results.turns, results.scores.sum(axis=1), count["penalties"], count["built"])
    return Tally(ends, *(column.tolist() for column in columns))


def careful_games(game: zg.Game, games: int, seed: int) -> Tally:
    """Games of careful players; game i depends on the seed, i and the number of players alone."""
    tally, view = Tally(), np.empty((9, 9, 9), np.int32)
    fits, limit = view.reshape(-1), game.max_game_length() or sys.maxsize
    for number in range(games):
        rng = random.Random(f"{seed} {game.num_players()} {number}")
        state, turns = game.new_initial_state(rng.getrandbits(64)), 0
        while not state.is_terminal():
            if turns >= limit:
                raise EndlessError(f"game {number} goes on after {turns} turns")
            state.apply_action(careful_action(state, view, fits, rng))
            turns += 1
        tally.add(state, turns)
    return tally


def careful_action(state: zg.State, view: Any, fits: Any, rng: random.Random) -> int:
    """What a careful player does; `fits` are the entries of `view`, which is written anew."""
    legal = state.legal_actions()
    if legal[0] < LAYS:
        state.view("candidates", state.current_player(), view)
        lays = legal[: legal.searchsorted(LAYS)]
        careful = lays[fits[lays] != 0]
        legal = careful if len(careful) else legal
    return int(legal[int(rng.random() * len(legal))])


def row(what: str, game: zg.Game, play: Callable[[zg.Game, int, int], Tally], games: int, seed: int) -> list[str]:
    """A line of the table. EndlessError if a game did not end by its rules."""
    start = perf_counter()
    tally = play(game, games, seed)
    seconds = perf_counter() - start
    if tally.ends["limit"] or sum(tally.ends.values()) != games:
        raise EndlessError(f"{tally.ends['limit']} of {games} {what} games of {game} ended by the limit of turns")
    shares = [f"{count / games:.2%}" for count in tally.ends.values()]
    means = [f"{np.mean(column):.2f}" for column in (tally.points, tally.penalties, tally.built)]
    length = [f"{np.mean(tally.turns):.2f}", str(max(tally.turns))]
    return [what, str(game.num_players()), *shares, *length, *means, f"{seconds:.1f}"]


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="How games of Numberplace City end.")
    parser.add_argument(
        "--games", type=int, default=100_000, help="random and careful games for each number of players"
    )
    parser.add_argument("--seed", type=int, default=0, help="decides all games")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="another option of the game"
    )
    arguments = parser.parse_args()
    if arguments.games < 1 or arguments.seed < 0:
        parser.error("--games is 1 or more, --seed 0 or more")
    return arguments


def main() -> int:
    """Print the table; 1 if a game did not end by its rules."""
    arguments, rows = parse_arguments(), []
    try:
        for players in PLAYERS:
            game = zg.load_game(f"numberplace_city({','.join([f'players={players}', *arguments.option])})")
            for what, play in (("random", random_games), ("careful", careful_games)):
                rows.append(row(what, game, play, arguments.games, arguments.seed))
    except EndlessError as error:
        print(f"not all games end: {error}", file=sys.stderr)
        return 1
    print(f"ziggurat {zg.__version__}, {arguments.games:,} games a row, seed {arguments.seed}\n")
    print(table(HEADERS, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
