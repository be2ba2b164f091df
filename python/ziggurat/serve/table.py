"""One open game: its state, who may ask what of it, and the turns that led there."""

from dataclasses import dataclass, field
from secrets import randbits
from typing import Any, Literal, TypeAlias

from ziggurat.bots import Bot, make_bot
from ziggurat.errors import IllegalActionError
from ziggurat.formats.record import Record
from ziggurat.protocols import Game, State
from ziggurat.serve.errors import RequestError
from ziggurat.serve.publicity import public_text
from ziggurat.serve.undoing import hides, reveals
from ziggurat.turns import check_playable

ALL: Literal["all"] = "all"  #: the seat of who sees everything
Seat: TypeAlias = int | Literal["all"]


def random_seed() -> int:
    """A seed that nobody knows; JavaScript keeps all of its digits."""
    return randbits(53)


@dataclass
class Turn:
    """A turn, perhaps begun only: the state before it, its actions and what they made public.

    `revealed` is set once for good: asked again, the samples of `undo` could come out otherwise.
    """

    player: int
    before: State
    actions: list[int] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    revealed: bool = False


class Table:
    """An open game. What is asked for a seat is answered from what that seat knows; RequestError says why not."""

    def __init__(self, handle: str, game: Game, seed: int, bots: dict[int, str], bot_seed: int) -> None:
        self.handle, self.game, self.seed, self.bot_seed = handle, game, seed, bot_seed
        self.state = game.new_initial_state(seed)
        self.turns: list[Turn] = []
        self.revision = 0
        self.names = bots  # of the seats that are bots
        self.bots: dict[tuple[int, str], Bot] = {}
        self.secretive = hides(self.state, random_seed)
        self.undoable = True

    # Who asks

    def must_be_open(self) -> None:
        """Refuse to play on after the end."""
        if self.state.is_terminal():
            raise RequestError("game_over", "the game has ended")

    def must_have_turn(self, seat: Seat) -> None:
        """Refuse a seat that is not to move; it is not told why the turn would be wrong."""
        self.must_be_open()
        if seat not in (ALL, self.state.current_player()):
            raise RequestError("not_your_turn", f"seat {self.state.current_player()} is to move, not {seat}")

    def knows_all(self, seat: Seat) -> bool:
        """May the seat know everything that has happened? After the end all may."""
        return seat == ALL or not self.secretive or self.state.is_terminal()

    def imagined(self) -> State:
        """A state that the player to move cannot tell from the true one: answers about it tell him nothing new."""
        return self.state.resample(self.state.current_player(), random_seed())

    # Playing

    def play(self, actions: list[int]) -> int:
        """Play actions of one turn; how many were played.

        Actions that the player could know to be illegal are refused, all of them. Should one turn out to be illegal by
        what an earlier one has revealed, then those before it stay played.
        """
        self.must_be_open()
        try:
            check_playable(self.imagined(), actions)
        except IllegalActionError as error:
            raise RequestError("illegal_turn", str(error)) from error
        state, played = self.state.clone(), 0
        events: list[dict[str, Any]] = []
        for action in actions:
            if played and not (state.in_turn() and state.is_legal(action)):
                break
            events += state.events(action)
            state.apply_action(action)
            played += 1
        turn = self.turns[-1] if self.state.in_turn() else Turn(self.state.current_player(), self.state)
        if not self.state.in_turn():
            self.turns.append(turn)
        turn.actions += actions[:played]
        turn.events += events
        self.state, self.undoable = state, True
        self.revision += 1
        return played

    def bot(self, player: int, name: str) -> Bot:
        """The bot of that name that plays for a player."""
        if (player, name) not in self.bots:
            self.bots[player, name] = make_bot(name, self.bot_seed, player)
        return self.bots[player, name]

    def undo(self, seat: Seat) -> Turn:
        """Take back the last turn, or what is begun of one; the turn. RequestError if the rule forbids it."""
        if not self.turns:
            raise RequestError("cannot_undo", "no turn has been played")
        turn = self.turns[-1]
        may_ask = seat in (ALL, turn.player) or (turn.player in self.names and not self.secretive)
        if not may_ask:
            raise RequestError("cannot_undo", f"the last turn is that of seat {turn.player}, not of {seat}")
        if self.secretive and (not self.undoable or self.has_revealed(turn)):
            raise RequestError("cannot_undo", "something may have been revealed since")
        self.turns.pop()
        self.state, self.undoable = turn.before, False
        self.revision += 1
        return turn

    def has_revealed(self, turn: Turn) -> bool:
        """Has anybody learned something that was hidden? The end opens the record, so it reveals all.

        A first yes stands, also when the turn is played on: each new sample would be another chance of a no.
        """
        turn.revealed = turn.revealed or self.state.is_terminal() or reveals(turn.before, turn.actions, random_seed)
        return turn.revealed

    # Telling

    def status(self) -> dict[str, Any]:
        """What everybody may know at any time; `revision` rises with every change."""
        state = self.state
        return {
            "revision": self.revision,
            "to_move": None if state.is_terminal() else state.current_player(),
            "in_turn": state.in_turn(),
            "terminal": state.is_terminal(),
            "scores": state.scores().tolist(),
        }

    def entry(self, number: int, seat: Seat) -> dict[str, Any]:
        """A turn as a seat may know it: `turn` is null where its text is a secret, and then `actions` is, too."""
        turn = self.turns[number]
        text = turn.before.turn_to_string(turn.actions)
        told = text if self.knows_all(seat) or seat == turn.player else public_text(self.game, text)
        actions = turn.actions if told == text else None
        return {"number": number, "player": turn.player, "turn": told, "actions": actions, "events": turn.events}

    def view(self, seat: Seat) -> dict[str, Any]:
        """The position as a seat knows it."""
        state = self.state
        return {
            "game": self.handle,
            "name": str(self.game),
            "players": self.game.num_players(),
            "seat": seat,
            "bots": {str(player): name for player, name in self.names.items()},
            **self.status(),
            "returns": state.returns().tolist(),
            "winners": state.winners(),
            "position": self.position() if seat == ALL else state.information_state_string(seat),
            "drawing": str(state) if seat == ALL else state.observation_string(seat),
            "turns_played": len(self.turns),
        }

    def position(self) -> str:
        """The position text, all secrets included."""
        return self.state.serialize().removeprefix(f"{self.game} ")

    def svg(self, seat: Seat) -> str:
        """The drawing as a seat sees it, with the last turn marked where that can be."""
        wishes: dict[str, Any] = {"hands": True}
        if self.secretive:
            wishes |= {"secrets": True} if seat == ALL else {"player": seat}
        last = self.turns[-1].actions if self.turns else None
        try:
            return self.state.to_svg(last_action=last, **wishes)
        except ValueError:  # the board does not show the turn any more
            return self.state.to_svg(**wishes)

    def record(self, seat: Seat) -> Record:
        """The record of the game. RequestError if it would tell the seat secrets."""
        if not self.knows_all(seat):
            raise RequestError("secret", "the record has the seed, which tells all secrets: ask again after the end")
        return Record.of(self.game, self.seed, [action for turn in self.turns for action in turn.actions])
