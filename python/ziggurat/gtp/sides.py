"""Who plays in GTP's words: the colours of a game. They are its players, unless the game says otherwise in SIDES."""

from collections.abc import Sequence

from ziggurat.errors import ParseError
from ziggurat.formats.blksgf_replay import side_to_move
from ziggurat.formats.errors import shortened
from ziggurat.protocols import Game, State
from ziggurat.reference.blokus_text import LETTERS

#: words for the colours of a game of two, beside `b` and `w`; of other games with more, beside numbers
NAMES: dict[str, Sequence[Sequence[str]]] = {"pylos": (("light", "l"), ("dark", "d"))}
BLACK_AND_WHITE = (("b", "black"), ("w", "white"))


class Sides:
    """The colours of a game, numbered from 0; `words[c]` are the names of colour c, the one that is written first."""

    def __init__(self, game: Game, count: int, names: Sequence[Sequence[str]]) -> None:
        both = BLACK_AND_WHITE if count == 2 else [[] for _ in range(count)]
        more = [*names, *([] for _ in range(count - len(names)))]
        self.game = game
        self.words = [[*both[side], str(side + 1), *more[side]] for side in range(count)]

    def find(self, word: str) -> int:
        """The colour of a word; ParseError if there is none."""
        for side, words in enumerate(self.words):
            if word.lower() in words:
                return side
        known = ", ".join("/".join(words) for words in self.words)
        raise ParseError(f"unknown colour '{shortened(word)}'; expected {known}")

    def to_move(self, state: State) -> int:
        """The colour to move; after the end it means nothing."""
        return state.current_player()

    def is_shut_out(self, state: State, side: int) -> bool:
        """Has the colour nothing to play now or later, so that it is passed over?"""
        return False

    def points(self, state: State) -> list[int]:
        """The points of each colour, as `final_score` tells them to more than two players."""
        return [int(score) for score in state.scores()]


class PlayerSides(Sides):
    """Colours that are the players."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, game.num_players(), NAMES.get(game.name, ()))


class BlokusSides(Sides):
    """The colours of Blokus, which two or three players share in some variants."""

    WORDS = (("blue",), ("yellow",), ("red",), ("green",))
    TWO = (("blue", "purple"), ("green", "orange"))

    def __init__(self, game: Game) -> None:
        colours = int(game.options["colours"])
        super().__init__(game, colours, self.TWO if colours == 2 else self.WORDS[:colours])

    def to_move(self, state: State) -> int:
        """[BK-5.2] The colour to move, whoever plays it."""
        return side_to_move(state)

    def is_shut_out(self, state: State, side: int) -> bool:
        """[BK-2.4] A blocked colour stays blocked."""
        return int(state.analysis("mobility")[side]) == 0

    def points(self, state: State) -> list[int]:
        """Squares on the board and [BK-3.1] the bonus, of each colour."""
        board, _, hands, _, single = state.serialize().removeprefix(f"{self.game} ").split(" ")
        scored = self.game.options["scoring"] == "advanced"
        points = []
        for letter, hand in zip(LETTERS, hands.split("/"), strict=False):
            bonus = (15 if hand == "-" else 0) + (5 if letter in single else 0)
            points.append(board.count(letter) + scored * bonus)
        return points


SIDES = {"blokus": BlokusSides}


def sides_of(game: Game) -> Sides:
    """The colours of a game."""
    return SIDES.get(game.name, PlayerSides)(game)
