"""A game that is played by colours: what an engine and a referee both need to know of it."""

from dataclasses import dataclass

from ziggurat.errors import IllegalActionError
from ziggurat.gtp.sides import sides_of
from ziggurat.protocols import Game, State
from ziggurat.turns import check_playable, parse_turn


@dataclass(frozen=True)
class Step:
    """What `undo` goes back to: the state before a turn, and how many actions had been played."""

    state: State
    actions: int


class Board:
    """A game in progress: the state, all actions since the start, and the steps that can be taken back.

    Colours without a placement (Blokus) pass by themselves when another colour acts.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game, self.seed = game, seed
        self.sides = sides_of(game)
        self.state = game.new_initial_state(seed)
        self.actions: list[int] = []
        self.steps: list[Step] = []
        self.from_setup = False  # then the actions do not lead here from the start

    @property
    def side(self) -> int:
        """The colour that has the turn: after the passes of those that are shut out."""
        return self.sides.to_move(self.advanced()[0])

    def advanced(self) -> tuple[State, list[int]]:
        """The state after the passes of colours that are shut out, and these passes; the board is kept."""
        state, passes = self.state.clone(), []
        while not state.is_terminal() and self.sides.is_shut_out(state, self.sides.to_move(state)):
            passes += state.legal_actions().tolist()
            state.apply_action(passes[-1])
        return state, passes

    def is_shut_out(self, side: int) -> bool:
        """Has the colour nothing to play, because it is shut out or the game is over?"""
        return self.state.is_terminal() or self.sides.is_shut_out(self.state, side)

    def ready(self, side: int) -> State:
        """The state in which a colour acts. IllegalActionError if it is not its turn or the game is over."""
        state, _ = self.advanced()
        if state.is_terminal():
            raise IllegalActionError("the game is over")
        if self.sides.to_move(state) != side:
            words = self.sides.words
            raise IllegalActionError(
                f"not the turn of {words[side][0]}: {words[self.sides.to_move(state)][0]} is to move"
            )
        return state

    def parse(self, side: int, text: str) -> list[int]:
        """The actions of a colour's turn. ParseError or IllegalActionError if it cannot be played."""
        return parse_turn(self.ready(side), text)

    def play(self, side: int, actions: list[int]) -> None:
        """Play a whole turn of a colour, after the passes before it; IllegalActionError, and nothing, if it is none."""
        state, passes = self.ready(side), self.advanced()[1]
        check_playable(state, actions)
        for action in actions:
            state.apply_action(action)
        if state.in_turn() or not actions:
            raise IllegalActionError("the turn is not played to its end")
        self.steps.append(Step(self.state, len(self.actions)))
        self.state = state
        self.actions += [*passes, *actions]

    def play_pass(self, side: int) -> None:
        """What `play C pass` means for a colour that is shut out: if it is its turn it passes, else nothing happens."""
        if self.state.is_terminal() or self.sides.to_move(self.state) != side:
            return
        before = self.state.clone()
        action = int(self.state.legal_actions()[0])
        self.state.apply_action(action)
        self.steps.append(Step(before, len(self.actions)))
        self.actions.append(action)

    def undo(self) -> None:
        """Take back the last turn. IllegalActionError if there is none."""
        if not self.steps:
            raise IllegalActionError("there is no turn to take back")
        step = self.steps.pop()
        self.state = step.state
        del self.actions[step.actions :]

    def turn_text(self, actions: list[int]) -> str:
        """The text of a turn."""
        return self.state.turn_to_string(actions)

    def final_score(self) -> str:
        """`B+10`, `W+3` or `0` of two players, else the points of each colour."""
        if self.game.num_players() != 2:
            return " ".join(map(str, self.sides.points(self.state)))
        first, second = (int(score) for score in self.state.scores())
        return "0" if first == second else f"{'B' if first > second else 'W'}+{abs(first - second)}"
