"""What the nodes of a Blokus record mean: moves and setups, played on the engine one node after the other."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ziggurat import load_game
from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.formats.errors import RecordError, shortened
from ziggurat.formats.sgf import Property, Tree
from ziggurat.protocols import Game, State
from ziggurat.reference.blokus_pieces import PIECES
from ziggurat.reference.blokus_text import LETTERS

WORDS = {2: ("B", "W"), 4: ("1", "2", "3", "4")}  #: the colours in properties, by the number of colours
OLD_WORDS = ("BLUE", "YELLOW", "RED", "GREEN")  #: of games of four colours; read, never written
NAMES = {2: ("purple", "orange"), 4: ("blue", "yellow", "red", "green")}

CELL = re.compile("[a-z][1-9][0-9]?")
MOVES = {*WORDS[2], *WORDS[4], *OLD_WORDS}
ADDS = {f"A{word}" for word in (*WORDS[2], *WORDS[4])}
SETUPS = {*ADDS, "AE", "PL"}

Cells: TypeAlias = tuple[str, ...]  #: of a piece, in small letters, in the order of BK-4.2


@dataclass(frozen=True)
class Piece:
    """A piece on the board."""

    colour: int
    cells: Cells


@dataclass(frozen=True)
class Position:
    """A state, which nobody plays on, and the pieces on its board: the state alone does not say where one ends."""

    state: State
    pieces: tuple[Piece, ...] = ()


class Replay:
    """A tree and the game that it is played on."""

    def __init__(self, tree: Tree, preset: str) -> None:
        self.tree = tree
        self.game: Game = load_game("blokus", preset)
        self.pass_action = self.game.num_distinct_actions() - 1  # [BK-4.1]
        colours = int(self.game.options["colours"])
        self.words, self.names = WORDS[colours], NAMES[colours]

    def positions(self, path: Iterable[int]) -> Iterator[tuple[int, State]]:
        """The states after the nodes of a path from the root."""
        position, before = self.start(), None
        for number in path:
            if (number != 0) if before is None else (number not in self.tree.nodes[before].children):
                raise ValueError(f"node {number} does not follow {'nothing' if before is None else f'node {before}'}")
            position, before = self.after(position, number), number
            yield number, position.state.clone()

    def validate(self) -> None:
        """Play all variations, in pre-order."""
        waiting = [(0, self.start())]
        while waiting:
            number, position = waiting.pop()
            after = self.after(position, number)
            waiting += [(child, after) for child in reversed(self.tree.nodes[number].children)]

    def start(self) -> Position:
        """The empty board."""
        return Position(self.game.new_initial_state())

    def after(self, position: Position, number: int) -> Position:
        """The position after what a node says. RecordError if it may not say that."""
        properties = self.tree.nodes[number].properties
        moves = [entry for entry in properties if entry.name in MOVES]
        setups = [entry for entry in properties if entry.name in SETUPS]
        about = "".join(map(str, [*moves, *setups]))
        try:
            check_once([*moves, *setups])
            if moves and setups:
                raise ParseError("a node has a move or a setup, not both")
            if len(moves) > 1:
                raise ParseError("a node has one move, not several")
            if moves:
                return self.moved(position, moves[0])
            return self.set_up(position, setups) if setups else position
        except (IllegalActionError, ParseError) as error:
            raise self.tree.error(RecordError, number, str(error), about) from error

    def moved(self, position: Position, move: Property) -> Position:
        """The position after a move, and after the forced passes before it."""
        colour = self.colour(move.name)
        cells = self.cells(move)
        action = self.game.string_to_action(",".join(cells))
        state = position.state.clone()
        self.give_turn(state, colour)
        state.apply_action(action)
        return Position(state, (*position.pieces, Piece(colour, cells)))

    def give_turn(self, state: State, colour: int) -> None:
        """Pass until it is a colour's turn: no pass is written, so the move tells who has passed."""
        if state.is_terminal():
            raise ParseError("the game is over: no colour can place")
        while (side := side_to_move(state)) != colour:
            if not state.is_legal(self.pass_action):
                raise ParseError(f"it is the turn of {self.names[side]}; only a colour that cannot place is left out")
            state.apply_action(self.pass_action)

    def set_up(self, position: Position, setups: list[Property]) -> Position:
        """The position after a setup: first pieces are removed, then others are added."""
        pieces, side = list(position.pieces), side_to_move(position.state)
        for setup in sorted(setups, key=lambda entry: entry.name != "AE"):
            if setup.name == "PL":
                side = self.side(setup)
                continue
            for value in setup.values:
                cells = self.parsed(value.split(","))
                if setup.name == "AE":
                    pieces.remove(on_the_board(pieces, cells))
                else:
                    pieces.append(self.added(pieces, Piece(self.colour(setup.name[1:]), cells)))
        return Position(self.game.deserialize(self.text(pieces, side)), tuple(pieces))

    def added(self, pieces: list[Piece], piece: Piece) -> Piece:
        """A piece, if its colour holds it and its cells are empty."""
        name = self.piece_name(piece.cells)
        for other in pieces:
            if taken := set(other.cells).intersection(piece.cells):
                raise ParseError(f"{min(taken)} is not empty")
        held = [other for other in pieces if other.colour == piece.colour and self.piece_name(other.cells) == name]
        if len(held) == self.game.options["copies"]:
            raise ParseError(f"{self.names[piece.colour]} has no {name} left for {','.join(piece.cells)}")
        return piece

    def side(self, setup: Property) -> int:
        """The colour that PL names."""
        if len(setup.values) > 1 or setup.values[0] not in self.words:
            raise ParseError(f"the side to move is one of {', '.join(self.words)}")
        return self.words.index(setup.values[0])

    def colour(self, word: str) -> int:
        """The colour of a word."""
        if word in self.words:
            return self.words.index(word)
        if word in OLD_WORDS and len(self.words) == 4:
            return OLD_WORDS.index(word)
        raise ParseError(f"{word} is no colour of this game; expected {', '.join(self.words)}")

    def cells(self, move: Property) -> Cells:
        """The cells of a move: joined by commas in one value or, an old form, each in a value of its own."""
        return self.parsed(move.values[0].split(",") if len(move.values) == 1 else move.values)

    def parsed(self, texts: Iterable[str]) -> Cells:
        """The cells that have some texts, in any case and order."""
        size = int(self.game.options["board"])
        cells = [text.lower() if text.isascii() else text for text in texts]
        for cell in cells:
            if not CELL.fullmatch(cell) or ord(cell[0]) >= ord("a") + size or int(cell[1:]) > size:
                corner = f"{chr(ord('a') + size - 1)}{size}"
                raise ParseError(f"'{shortened(cell)}' is no cell; expected cells from a1 to {corner}, and no pass")
        if twice := [cell for cell, count in Counter(cells).items() if count > 1]:
            raise ParseError(f"{twice[0]} is named twice")
        return in_order(cells)

    def piece_name(self, cells: Cells) -> str:
        """The name of the piece that has these cells; ParseError if no piece of the game has."""
        return self.pieces[self.game.string_to_action(",".join(cells))]

    @cached_property
    def pieces(self) -> list[str]:
        """[BK-9.5] The name of the piece of each placement."""
        parts = self.game.table("action_parts")
        return [PIECES[piece] for piece in parts[: self.pass_action, 0].tolist()]

    @cached_property
    def piece_set(self) -> list[str]:
        """The pieces of the game, in their order."""
        return sorted(set(self.pieces), key=PIECES.index)

    def text(self, pieces: list[Piece], side: int) -> str:
        """The state with these pieces on its board as `serialize` writes it; nobody is marked as passed or single."""
        hands = "/".join(self.hand(pieces, colour) for colour in range(len(self.words)))
        return f"{self.game} {board_text(pieces, int(self.game.options['board']))} {LETTERS[side]} {hands} - -"

    def hand(self, pieces: list[Piece], colour: int) -> str:
        """[BK-5.3] What a colour holds."""
        placed = Counter(self.piece_name(piece.cells) for piece in pieces if piece.colour == colour)
        if not placed:
            return "*"
        copies = int(self.game.options["copies"])
        return ",".join(name for name in self.piece_set for _ in range(copies - placed[name])) or "-"


def check_once(properties: list[Property]) -> None:
    """Refuse a property that stands twice in its node."""
    for name, count in Counter(entry.name for entry in properties).items():
        if count > 1:
            raise ParseError(f"{name} stands {count} times in one node")


def in_order(cells: Iterable[str]) -> Cells:
    """[BK-4.2] Cells from the lowest row up, in a row from the left."""
    return tuple(sorted(cells, key=lambda cell: (int(cell[1:]), cell[0])))


def on_the_board(pieces: list[Piece], cells: Cells) -> Piece:
    """The piece that lies on exactly these cells."""
    for piece in pieces:
        if piece.cells == cells:
            return piece
    raise ParseError(f"no piece lies on exactly {','.join(cells)}")


def side_to_move(state: State) -> int:
    """[BK-5.2] The colour to move."""
    return LETTERS.index(state.serialize().split(" ")[2])


def board_text(pieces: Iterable[Piece], size: int) -> str:
    """[BK-5.1] The rows of a board from the top."""
    colours = {cell: LETTERS[piece.colour] for piece in pieces for cell in piece.cells}
    columns = [chr(ord("a") + column) for column in range(size)]
    rows = ["".join(colours.get(f"{column}{row}", ".") for column in columns) for row in range(size, 0, -1)]
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
