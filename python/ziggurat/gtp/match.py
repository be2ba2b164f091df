"""A referee: GTP engines play games against each other, and our engine says what is legal and who has won."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ziggurat.bots import checked_seed
from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.formats.errors import shortened
from ziggurat.gtp.board import Board
from ziggurat.gtp.engine import Engine, EngineError
from ziggurat.gtp.files import record_text
from ziggurat.gtp.names import names_of
from ziggurat.protocols import Game
from ziggurat.reference.random import Stream, stream_key

MOST_SECONDS = 10**6
OPPONENTS = 3  #: tag of a key of the random stream (docs/random-stream.md)


@dataclass(frozen=True)
class GameReport:
    """How a game of a match went. `seats` has the engine of each player, numbered from 0."""

    number: int
    seats: tuple[int, ...]
    seed: int
    outcome: str  #: "end", or the kind of a fault of `offender`: one of EngineError.KINDS
    offender: int | None  #: the engine that ended the game by its fault
    message: str
    turns: int
    scores: tuple[int, ...]  #: of each player, also if the game was not played to its end
    returns: tuple[float, ...]  #: of each player; after a fault the engine at fault has lost and the others have won
    suffix: str  #: of a file with `record`: .blksgf or .json
    record: str

    def as_json(self) -> dict[str, Any]:
        """The report without the record."""
        return {name: value for name, value in vars(self).items() if name not in ("suffix", "record")}


class Referee:
    """A match. `time` and `startup` are limits in seconds of the clock, as `play_match` says."""

    def __init__(
        self, game: Game, commands: Sequence[str], seed: int, time: float, startup: float, show_errors: bool
    ) -> None:
        if not 1 <= len(commands) <= game.num_players():
            raise ValueError(f"{game} is played by 1 to {game.num_players()} engines, not {len(commands)}")
        if not (0 < time <= MOST_SECONDS and 0 < startup <= MOST_SECONDS):
            raise ValueError(f"limits of time are above 0 and at most {MOST_SECONDS} seconds, not {time} and {startup}")
        self.game, self.commands, self.seed = game, commands, checked_seed("seed", seed)
        self.time, self.startup, self.show_errors = time, startup, show_errors
        self.engines: dict[int, Engine] = {}

    def play(self, number: int) -> GameReport:
        """Play a game: its seats are those of the game before, moved on by one engine."""
        seats = tuple((player + number) % len(self.commands) for player in range(self.game.num_players()))
        seed = Stream(stream_key(self.seed, number, OPPONENTS)).bounded(2**31)  # every engine can read it
        board = Board(self.game, seed)
        try:
            for engine in sorted(set(seats)):
                with self.watched(engine):
                    self.prepare(engine, seed)
            while not board.state.is_terminal():
                self.move(board, seats)
        except ForfeitError as forfeit:
            return report(number, seats, board, forfeit)
        return report(number, seats, board, None)

    @contextmanager
    def watched(self, engine: int) -> Iterator[None]:
        """An engine acts; if it is at fault its process is ended, and the game is forfeited."""
        try:
            yield
        except EngineError as fault:
            if broken := self.engines.pop(engine, None):
                broken.kill()
            raise ForfeitError(engine, fault) from fault

    def prepare(self, number: int, seed: int) -> None:
        """An engine that stands at the start of the game."""
        if number not in self.engines:
            self.engines[number] = Engine(self.commands[number], self.show_errors)
        engine = self.engines[number]
        if engine.knows("set_game", self.startup):
            self.set_game(engine)
        if engine.knows("set_random_seed", self.startup):
            engine.ask(f"set_random_seed {seed}", self.startup)
        engine.ask("clear_board", self.startup)

    def set_game(self, engine: Engine) -> None:
        """Tell an engine what is played, by the first name that it knows."""
        *others, last = names_of(self.game)
        if not any(self.is_taken(engine, f"set_game {name}") for name in others):
            engine.ask(f"set_game {last}", self.startup)

    def is_taken(self, engine: Engine, command: str) -> bool:
        """Ask something that an engine may refuse."""
        try:
            engine.ask(command, self.startup)
        except EngineError as fault:
            if fault.kind != "refused":
                raise
            return False
        return True

    def move(self, board: Board, seats: tuple[int, ...]) -> None:
        """Let the engine whose turn it is move, and tell the others."""
        side = board.side
        state = board.ready(side)
        mover, word = seats[state.current_player()], board.sides.words[side][0]
        with self.watched(mover):
            text = self.chosen(self.engines[mover], word, board, side)
        for other in sorted(set(seats) - {mover}):
            with self.watched(other):
                self.engines[other].ask(f"play {word} {text}", min(self.time, self.startup))

    def chosen(self, engine: Engine, word: str, board: Board, side: int) -> str:
        """The move that an engine has chosen, as we write it: it is on the board then."""
        text = engine.ask(f"genmove {word}", self.time)
        if text.lower() == "resign":
            raise EngineError("resign", "has resigned")
        state = board.ready(side)
        try:
            actions = board.parse(side, text)
        except (IllegalActionError, ParseError) as error:
            raise EngineError("illegal", f"'{shortened(text)}' of {word}: {error}") from error
        board.play(side, actions)
        return state.turn_to_string(actions)

    def close(self) -> None:
        """End all engines."""
        while self.engines:
            self.engines.popitem()[1].close()


class ForfeitError(Exception):
    """A game ends by an engine's fault."""

    def __init__(self, engine: int, fault: EngineError) -> None:
        super().__init__(str(fault))
        self.engine, self.kind = engine, fault.kind


def play_match(
    game: Game,
    commands: Sequence[str],
    games: int = 1,
    seed: int = 0,
    time: float = 60.0,
    startup: float = 60.0,
    show_errors: bool = False,
) -> Iterator[GameReport]:
    """Play games and report each when it has ended. One engine a command; seats go round from game to game.

    In seconds, `time` is what an engine has to choose a move, `startup` for what stands before a game, and the smaller
    of them to take in a move of others. Raises ValueError for numbers that are not possible, TypeError for a seed that
    is no whole number (those of NumPy are), and OSError for a command that cannot be started; engines are ended when
    the iterator is.
    """
    referee = Referee(game, commands, seed, time, startup, show_errors)
    try:
        for number in range(games):
            yield referee.play(number)
    finally:
        referee.close()


def report(number: int, seats: tuple[int, ...], board: Board, forfeit: ForfeitError | None) -> GameReport:
    """The report of a game that stands on a board when it ends."""
    returns = tuple(map(float, board.state.returns()))
    if forfeit is not None:
        losers = [seat == forfeit.engine for seat in seats]
        winning = len(seats) - sum(losers)
        returns = (
            tuple(-1 / sum(losers) if lost else 1 / winning for lost in losers) if winning else (0.0,) * len(seats)
        )
    suffix, record = record_text(board)
    return GameReport(
        number=number,
        seats=seats,
        seed=board.seed,
        outcome=forfeit.kind if forfeit else "end",
        offender=forfeit.engine if forfeit else None,
        message=str(forfeit) if forfeit else "",
        turns=len(board.steps),
        scores=tuple(map(int, board.state.scores())),
        returns=returns,
        suffix=suffix,
        record=record,
    )


def standings(commands: Sequence[str], reports: Sequence[GameReport]) -> list[dict[str, Any]]:
    """For each engine its games, wins (a shared one counts in parts), mean points and returns of a seat, and faults."""
    rows = []
    for engine, command in enumerate(commands):
        seats = [(game, place) for game in reports for place, seat in enumerate(game.seats) if seat == engine]
        faults = [game.outcome for game in reports if game.offender == engine]
        rows.append(
            {
                "engine": command,
                "games": len({game.number for game, _ in seats}),
                "wins": sum(max(game.returns[place], 0.0) for game, place in seats),
                "mean_score": sum(game.scores[place] for game, place in seats) / max(len(seats), 1),
                "mean_return": sum(game.returns[place] for game, place in seats) / max(len(seats), 1),
                "faults": {kind: faults.count(kind) for kind in EngineError.KINDS if kind in faults},
            }
        )
    return rows
