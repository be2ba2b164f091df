"""A GTP engine: its board, its bot, and what it answers to each command."""

import sys
import time
import traceback
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ziggurat import __version__, load_game
from ziggurat.bots import checked_seed, make_bot
from ziggurat.formats.errors import shortened
from ziggurat.gtp import files
from ziggurat.gtp.board import Board
from ziggurat.gtp.lines import TOO_LONG, Request, answer, failure, parse, requests
from ziggurat.gtp.names import find_game
from ziggurat.protocols import Game
from ziggurat.turns import legal_turns

EXPECTED = (ValueError, TypeError, OverflowError, OSError, MemoryError, RecursionError)  #: what bad input leads to


class Command(NamedTuple):
    """What answers a command, and the arguments that it takes; those in brackets may be missing."""

    run: Callable[..., str]
    arguments: str = ""


class Session:
    """An engine that plays one game after the other. `answer` takes a line and never raises for what stands in it."""

    def __init__(self, game: Game | None = None, bot: str = "random", seed: int = 0) -> None:
        self.bot_name, self.seed = bot, checked_seed("seed", seed)
        self.bot = make_bot(bot, self.seed)
        self.board = Board(load_game("blokus") if game is None else game, self.seed)
        self.ended = False
        self.commands = self.all_commands()

    def all_commands(self) -> dict[str, Command]:
        """The commands by name."""
        return {
            "all_legal": Command(self.all_legal, "COLOUR"),
            "clear_board": Command(self.clear_board),
            "cputime": Command(lambda: f"{time.process_time():.3f}"),
            "final_score": Command(self.final_score),
            "g": Command(lambda: self.genmove(self.turn_word())),
            "genmove": Command(self.genmove, "COLOUR"),
            "known_command": Command(lambda name: str(name in self.commands).lower(), "NAME"),
            "list_commands": Command(lambda: "\n".join(sorted(self.commands))),
            "loadsgf": Command(self.loadsgf, "FILE [MOVE]"),
            "name": Command(lambda: "ziggurat"),
            "p": Command(lambda move: self.play(self.turn_word(), move), "MOVE"),
            "play": Command(self.play, "COLOUR MOVE"),
            "protocol_version": Command(lambda: "2"),
            "quit": Command(self.quit),
            "reg_genmove": Command(self.reg_genmove, "COLOUR"),
            "savesgf": Command(self.savesgf, "FILE"),
            "set_game": Command(self.set_game, "NAME..."),
            "set_random_seed": Command(self.set_random_seed, "NUMBER"),
            "showboard": Command(self.showboard),
            "undo": Command(self.undo),
            "version": Command(lambda: __version__),
        }

    def run(self, lines: BinaryIO, out: BinaryIO) -> None:
        """Answer the lines of a stream until `quit` or its end."""
        for line in requests(lines):
            if text := self.answer(line):
                out.write(text.encode("utf-8", "backslashreplace"))
                out.flush()
            if self.ended:
                return

    def answer(self, line: bytes | str) -> str:
        """The answer to a line, with the empty line at its end; no text to an empty line."""
        request = parse(line)
        if request is None:
            return ""
        try:
            return answer(request.id, self.obey(request))
        except EXPECTED as error:
            return failure(request.id, told(error))
        except Exception as error:  # a bug of ours must not end a match
            traceback.print_exc(file=sys.stderr)
            return failure(request.id, f"internal error: {type(error).__name__}")

    def obey(self, request: Request) -> str:
        """What a command answers. ValueError if there is no such command, or if it takes other arguments."""
        command = self.commands.get(request.command)
        if command is None:
            raise ValueError("line too long" if request.command == TOO_LONG else "unknown command")
        form, given = command.arguments, request.arguments
        if form.startswith(("NAME...", "FILE")):  # of several words
            given = [" ".join(given)] if given else []
        if len(given) != len(form.replace(" [MOVE]", "").split()):
            raise ValueError(f"syntax error: expected {' '.join([request.command, *form.split()])}")
        return command.run(*given)

    # Games

    def set_game(self, name: str) -> str:
        """Another game, at its start."""
        self.board = Board(find_game(name, self.board.game.name), self.seed)
        return ""

    def clear_board(self) -> str:
        """The start of the game, with the chance of the last seed that was set."""
        self.board = Board(self.board.game, self.seed)
        return ""

    def set_random_seed(self, number: str) -> str:
        """The bot's choices from now on, and the chance of the games that begin from now on."""
        if not (number.isascii() and number.isdigit() and len(number) <= 20 and int(number) < 2**64):
            raise ValueError(f"'{shortened(number)}' is not a whole number from 0 to 2^64 - 1")
        self.seed = int(number)
        self.bot = make_bot(self.bot_name, self.seed)
        return ""

    def loadsgf(self, words: str) -> str:
        """The game of a file; a whole number as the last word is the move to stop before."""
        name, _, last = words.rpartition(" ")
        numbered = bool(name) and last.isascii() and last.isdigit() and len(last) < 10 and not Path(words).exists()
        self.board = files.load(Path(name), int(last)) if numbered else files.load(Path(words))
        return ""

    def savesgf(self, name: str) -> str:
        """A record of the game so far."""
        _, text = files.record_text(self.board)
        Path(name).write_text(text, encoding="utf-8", newline="\n")
        return ""

    def quit(self) -> str:
        """The end, after this answer."""
        self.ended = True
        return ""

    # Moves

    def turn_word(self) -> str:
        """The colour that has the turn; after the end the first one, which has nothing to play."""
        side = 0 if self.board.state.is_terminal() else self.board.side
        return self.board.sides.words[side][0]

    def play(self, colour: str, move: str) -> str:
        """Play a move; a pass of a colour that is shut out may be told or not."""
        side = self.board.sides.find(colour)
        if move.lower() == "pass" and self.board.is_shut_out(side):
            self.board.play_pass(side)
        else:
            self.board.play(side, self.board.parse(side, move))
        return ""

    def genmove(self, colour: str) -> str:
        """Choose a move and play it; `pass`, and nothing is changed, if there is none."""
        side = self.board.sides.find(colour)
        if self.board.is_shut_out(side):
            return "pass"
        state = self.board.ready(side)
        actions = self.bot.choose_turn(state)
        self.board.play(side, actions)
        return state.turn_to_string(actions)

    def reg_genmove(self, colour: str) -> str:
        """What `genmove` would answer; nothing is played, and no chance spent."""
        side = self.board.sides.find(colour)
        if self.board.is_shut_out(side):
            return "pass"
        state = self.board.ready(side)
        return state.turn_to_string(deepcopy(self.bot).choose_turn(state))

    def all_legal(self, colour: str) -> str:
        """The moves of a colour, one a line."""
        side = self.board.sides.find(colour)
        if self.board.is_shut_out(side):
            return ""
        state = self.board.ready(side)
        return "\n".join(map(state.turn_to_string, legal_turns(state)))

    def undo(self) -> str:
        """Take back the last turn."""
        self.board.undo()
        return ""

    def final_score(self) -> str:
        """The score; before the end what the position is worth if it ended now."""
        return self.board.final_score()

    def showboard(self) -> str:
        """The drawing, all secrets included."""
        return f"\n{self.board.state}"


def told(error: BaseException) -> str:
    """What an answer says of an error: one line."""
    if isinstance(error, OSError):
        return f"cannot use {shortened(str(error.filename))}: {error.strerror or error}"
    return " ".join(str(error).split()) or type(error).__name__
