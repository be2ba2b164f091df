"""Writes generated/000.blksgf to 199.blksgf: small game trees of all five game types, from seeded random games.

It builds texts from the rules of the format alone, without ziggurat.formats, which the files test.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import ziggurat as zg
from ziggurat.reference.random import Stream, stream_key

FILES = 200
FOLDER = Path(__file__).parent / "generated"
TYPES = [
    ("Blokus", "classic", "1234", ("P1", "P2", "P3", "P4")),
    ("Blokus Two-Player", "classic-2", "1234", ("PB", "PW")),
    ("Blokus Three-Player", "classic-3", "1234", ("P1", "P2", "P3")),
    ("Blokus Duo", "duo", "BW", ("PB", "PW")),
    ("Blokus Junior", "junior", "BW", ("PB", "PW")),
]
NAMES = ["Ada", "Bo \\] Li", "Åse", "Юлия", "李", "x:y\\:z"]
COMMENTS = [
    "",
    "good",
    "a \\] and a \\\\",
    "two\nlines",
    "soft \\\nbreak",
    "(;B[a1\\])",
    "коммент",
    "終わり",
    "tab\there",
]
UNKNOWN = ["TE[1]", "GB[2]", "XY[a][b][]", "KO[]", "BL[99.5]", "1L[300]", "FooBar[\\[;\\](]", "LB[a1:x][b2:y \\: z]"]
SPACES = ["", "", "", "", " ", "\n", "\r\n", "\t", "\r", " \n "]


class Leaf(NamedTuple):
    """The end of a line: the numbers of its nodes in pre-order, and the state there."""

    path: tuple[int, ...]
    state: str


class Maker:
    """A file in the making."""

    def __init__(self, number: int) -> None:
        self.random = Stream(stream_key(0, number, 1))
        self.game_type, self.preset, self.words, self.players = TYPES[number % len(TYPES)]
        self.plies = 500 if number % 4 == 0 else 1 + self.random.bounded(16)  # some are played to the end
        self.forks = 0 if number % 3 == 0 else 1 + self.random.bounded(3)
        self.nodes = 0
        self.leaves: list[Leaf] = []

    def text(self) -> str:
        """The text of the file."""
        state = zg.load_game("blokus", self.preset).new_initial_state()
        parts = ["(", *self.root(), *self.line(state, self.plies, (0,)), ")"]
        return "".join(part + self.pick(SPACES) for part in parts) + "\n"

    def root(self) -> Iterator[str]:
        """The root: the game type, and some names."""
        self.nodes = 1
        yield from (";", f"GM[{self.game_type}]", "CA[UTF-8]")
        yield from (f"{word}[{self.pick(NAMES)}]" for word in self.players if self.random.bounded(2))
        yield from self.extras()

    def line(self, state: zg.State, plies: int, path: tuple[int, ...]) -> Iterator[str]:
        """What follows a node: moves, and now and then variations."""
        passed = state.get_game().num_distinct_actions() - 1
        placed = 0
        while placed < plies and not state.is_terminal():
            if self.forks and placed and not self.random.bounded(8):
                self.forks -= 1
                for _ in range(2 + self.random.bounded(2)):
                    yield from ("(", *self.line(state.clone(), 1 + self.random.bounded(9), path), ")")
                return
            action = self.choose(state)
            word = self.words[self.side(state)]
            state.apply_action(action)
            if action != passed:
                placed += 1
                path = (*path, self.nodes)
                yield from self.node(f"{word}[{state.action_to_string(action)}]")
        self.leaves.append(Leaf(path, state.serialize()))

    def node(self, move: str) -> Iterator[str]:
        """A node with a move and other properties, in any order."""
        self.nodes += 1
        extras = list(self.extras())
        extras.insert(self.random.bounded(len(extras) + 1), move)
        yield from (";", *extras)

    def extras(self) -> Iterator[str]:
        """A comment and a property that nobody knows, both rare."""
        if not self.random.bounded(6):
            yield f"C[{self.pick(COMMENTS)}]"
        if not self.random.bounded(6):
            yield self.pick(UNKNOWN)

    def choose(self, state: zg.State) -> int:
        """One of the legal actions."""
        return int(state.legal_actions()[self.random.bounded(state.count_legal())])

    def pick(self, words: list[str]) -> str:
        """One of some words."""
        return words[self.random.bounded(len(words))]

    @staticmethod
    def side(state: zg.State) -> int:
        """The colour to move."""
        return "byrg".index(state.serialize().split(" ")[2])


def make(number: int) -> tuple[str, list[Leaf]]:
    """The text of a file and the ends of its lines."""
    maker = Maker(number)
    return maker.text(), maker.leaves


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for number in range(FILES):
        (FOLDER / f"{number:03}.blksgf").write_bytes(make(number)[0].encode())


if __name__ == "__main__":
    main()
