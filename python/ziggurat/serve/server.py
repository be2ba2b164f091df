"""The commands: fields in, answers out."""

import sys
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO

from ziggurat import __version__, describe, games, load_game
from ziggurat.bots import BOTS
from ziggurat.serve.errors import CODES, RequestError
from ziggurat.serve.fields import MISSING, Fields, told
from ziggurat.serve.playing import GAME_COMMANDS
from ziggurat.serve.table import ALL, Seat, Table, random_seed
from ziggurat.serve.wire import LONGEST_ID, dumped, lines, parsed

PROTOCOL = 1  #: rises when an answer to an old request changes


@dataclass(frozen=True)
class Limits:
    """What a server takes on: bytes of a line, games that are open at once."""

    line: int = 1 << 16
    games: int = 100


class Server:
    """Open games and what is answered about them. `answer` and `run` never raise for what a request says."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.tables: dict[str, Table] = {}
        self.opened = 0
        self.ended = False
        self.commands: dict[str, Callable[[Fields], dict[str, Any]]] = {
            "hello": self.hello,
            "games": self.games,
            "describe": self.describe,
            "new": self.new,
            "open": self.open,
            "close": self.close,
            "quit": self.quit,
        }

    def run(self, stream: BinaryIO, out: BinaryIO) -> None:
        """Answer the lines of a stream until its end or a `quit`."""
        for line in lines(stream, self.limits.line):
            out.write(self.answer_line(line))
            out.flush()
            if self.ended:
                return

    def answer_line(self, line: bytes | None) -> bytes:
        """The line that answers a line; None stands for one that was too long."""
        try:
            if line is None:
                raise RequestError("too_long", f"a line has at most {self.limits.line} bytes")
            request = parsed(line)
        except RequestError as error:
            return dumped({"id": None, "error": {"code": error.code, "message": str(error)}})
        return dumped(self.answer(request))

    def answer(self, request: Any) -> dict[str, Any]:
        """The answer to a request, as objects of JSON: `id` and `result`, or `id` and `error`."""
        number = request.get("id") if isinstance(request, dict) else None
        number = number if is_id(number) else None
        try:
            return {"id": number, "result": self.obey(request)}
        except RequestError as error:
            return {"id": number, "error": {"code": error.code, "message": str(error)}}
        except Exception as error:  # a bug of ours must not end other games; its words might tell secrets
            traceback.print_exc(file=sys.stderr)
            return {"id": number, "error": {"code": "internal", "message": type(error).__name__}}

    def obey(self, request: Any) -> dict[str, Any]:
        """The result of a request."""
        if not isinstance(request, dict):
            raise RequestError("bad_request", f"a request is an object, not {told(request)}")
        fields = Fields(request)
        if not is_id(fields.rest.pop("id", None)):
            raise RequestError(
                "bad_request", f"'id' is null, a whole number or a text of at most {LONGEST_ID} characters"
            )
        command = fields.text("command")
        if command in self.commands:
            return self.commands[command](fields)
        if command in GAME_COMMANDS:
            table = self.table(fields)
            return GAME_COMMANDS[command](table, asking_seat(table, fields), fields)
        raise RequestError("unknown_command", f"no command {told(command)}; there are: {', '.join(self.known())}")

    def known(self) -> list[str]:
        """The names of all commands."""
        return [*self.commands, *GAME_COMMANDS]

    # The server

    def hello(self, fields: Fields) -> dict[str, Any]:
        """What speaks here."""
        fields.done()
        about = {"name": "ziggurat", "version": __version__, "protocol": PROTOCOL}
        return about | {"commands": self.known(), "bots": list(BOTS), "limits": asdict(self.limits), "codes": CODES}

    def games(self, fields: Fields) -> dict[str, Any]:
        """The games that there are."""
        fields.done()
        return {"games": games()}

    def describe(self, fields: Fields) -> dict[str, Any]:
        """The options and presets of a game, and the arrays it offers."""
        name = fields.text("name")
        fields.done()
        if name not in games():
            raise RequestError("bad_game", f"unknown game {told(name)}; there are: {', '.join(games())}")
        return {"name": name, **describe(name)}

    def open(self, fields: Fields) -> dict[str, Any]:
        """The open games."""
        fields.done()
        about = [
            {"game": t.handle, "name": str(t.game), "terminal": t.state.is_terminal()} for t in self.tables.values()
        ]
        return {"games": about}

    def quit(self, fields: Fields) -> dict[str, Any]:
        """The end, after this answer."""
        fields.done()
        self.ended = True
        return {}

    # A game

    def new(self, fields: Fields) -> dict[str, Any]:
        """Open a game."""
        name, preset, options = fields.text("name"), fields.text("preset", None), fields.mapping("options")
        seed, bot_seed = fields.whole("seed", None), fields.whole("bot_seed", None)
        bots = fields.mapping("bots")
        fields.done()
        if len(self.tables) >= self.limits.games:
            raise RequestError("too_many_games", f"{len(self.tables)} games are open: close one first")
        if odd := {"name", "preset"} & set(options):
            raise RequestError("bad_game", f"unknown option {told(odd.pop())}")
        try:
            game = load_game(name, preset, **options)
        except (ValueError, TypeError) as error:
            raise RequestError("bad_game", str(error)) from error
        seats = bot_seats(bots, game.num_players())
        chosen = [random_seed() if number is None else number for number in (seed, bot_seed)]
        table = Table(f"g{self.opened + 1}", game, chosen[0], seats, chosen[1])
        self.opened += 1
        self.tables[table.handle] = table
        return {"game": table.handle, "name": str(game), "players": game.num_players(), "secrets": table.secretive}

    def table(self, fields: Fields) -> Table:
        """The game of a request."""
        handle = fields.text("game")
        if handle not in self.tables:
            raise RequestError("unknown_game", f"no game {told(handle)} is open")
        return self.tables[handle]

    def close(self, fields: Fields) -> dict[str, Any]:
        """Forget a game."""
        table = self.table(fields)
        fields.done()
        del self.tables[table.handle]
        return {"closed": table.handle}


# The rest is private to this module.


def is_id(value: Any) -> bool:
    """May a request be known by this?"""
    return value is None or type(value) is int or (isinstance(value, str) and len(value) <= LONGEST_ID)


def asking_seat(table: Table, fields: Fields) -> Seat:
    """Who asks."""
    last = table.game.num_players() - 1
    expected = f"a number from 0 to {last}, or {ALL!r}"
    seat: Seat = fields.take("seat", MISSING, (int, str), expected)
    if seat != ALL and seat not in range(last + 1):
        raise RequestError("bad_seat", f"a seat is {expected}, not {told(seat)}")
    return seat


def bot_seats(bots: dict[str, Any], players: int) -> dict[int, str]:
    """Which seats bots play, and which bots: null is no bot, and "*" stands for all seats that are not named.

    RequestError for what is no seat or no bot.
    """
    for seat, name in bots.items():
        if seat not in ("*", *map(str, range(players))):
            raise RequestError(
                "bad_seat", f"'bots' names seats from 0 to {players - 1}, as texts, or *, not {told(seat)}"
            )
        if name is not None and (not isinstance(name, str) or name not in BOTS):
            raise RequestError("bad_request", f"a bot is null or one of {', '.join(BOTS)}, not {told(name)}")
    chosen = {seat: bots.get(str(seat), bots.get("*")) for seat in range(players)}
    return {seat: name for seat, name in chosen.items() if name is not None}
