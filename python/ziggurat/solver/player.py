"""The perfect player: never gives away a value, and asks as much of the other player as can be."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ziggurat.bots import bot_stream, player_to_move
from ziggurat.protocols import Game, State
from ziggurat.solver.files import table_files
from ziggurat.solver.tablebase import JudgedTurn, Tablebase, load


class PerfectBot:
    """Wins as soon as can be, holds a draw, and loses as late as can be: all by the table of the game.

    Of the turns that are best it takes one that leaves the opponent the fewest *saving* replies:

    - where the opponent is lost, those that hold out longest;
    - where it is a draw, those that keep the draw;
    - where the opponent wins, those that keep the win, and, of turns that leave equally many, the one that leaves the
      fewest that win soonest.

    A turn after which the opponent has no reply leaves none. What is left of equals is drawn with the seed.
    """

    def __init__(self, seed: int = 0, index: int = 0, table: Tablebase | None = None) -> None:
        """A player that has a table, or looks for that of each game in the cache folder when it is to move."""
        if table is not None and not isinstance(table, Tablebase):
            raise TypeError(f"table is what ziggurat.solver.load returns, or None, not {table!r}")
        self.stream = bot_stream(seed, index)
        self.table = table

    def choose_turn(self, state: State) -> list[int]:
        """As `Bot.choose_turn`; FileNotFoundError, which tells the command to run, where there is no table."""
        position = state.resample(player_to_move(state), self.stream.draw())
        table = self.table or found_table(position.get_game())
        turns = table.turns(position)
        best = max(turn.merit for turn in turns)
        best_turns = [turn for turn in turns if turn.merit == best]
        chances = [saving_replies(table, position, turn) for turn in best_turns]
        fewest = min(chances)
        ties = [turn for turn, count in zip(best_turns, chances, strict=True) if count == fewest]
        return ties[self.stream.bounded(len(ties))].actions


def saving_replies(table: Tablebase, position: State, turn: JudgedTurn) -> tuple[int, int]:
    """(saving replies that a turn leaves, those of them that are also best by distance): fewer are better."""
    after = position.clone()
    for action in turn.actions:
        after.apply_action(action)
    if after.is_terminal() or after.current_player() == position.current_player():
        return 0, 0
    replies = table.turns(after)
    best = max(replies, key=lambda reply: reply.merit)
    exact = sum(reply.merit == best.merit for reply in replies)
    return (exact if best.value < 0 else sum(reply.value == best.value for reply in replies)), exact


def found_table(game: Game) -> Tablebase:
    """The table of a game in the cache folder, opened once for each state of its files. Raises as `load` does."""
    files = table_files(game)
    return _opened(str(game), files.wdl, (_mark(files.wdl), _mark(files.distances)))


@lru_cache(maxsize=8)
def _opened(game: str, wdl: Path, marks: object) -> Tablebase:
    return load(game, path=wdl)


def _mark(path: Path) -> tuple[int, ...]:
    """What changes when a file is replaced; nothing if there is none."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
