"""Reads the `.perft` files of the games: figures to count up to, and signatures of seeded runs.

Blocks are separated by blank lines; `#` begins a comment. The lines of a block:

    game pylos(removal=mandatory)    the game, always first
    moves 1a1 1b1 1c3-1a1            turns that lead to the position; the start if there are none
    unit action                      what is counted; turns if nothing is said
    perft DEPTH COUNT                any number of times
    signature UNIFORM GAMES HEX      of a run with seed 0 (see `test_signature.py`), any number of times
"""

from dataclasses import dataclass, field
from pathlib import Path

import ziggurat as zg

ROOT = Path(__file__).parents[1]
FILES = sorted(ROOT.glob("cpp/games/*/*.perft"))


@dataclass
class Block:
    """One block of a file."""

    file: str
    game: str
    seed: int = 0
    moves: list[str] = field(default_factory=list)
    unit: str = "turn"
    counts: dict[int, int] = field(default_factory=dict)  # of each depth
    signatures: list[tuple[str, int, str]] = field(default_factory=list)

    def actions(self) -> list[int]:
        """What leads to the position. The engine finds turns by their texts fast; the reference plays all turns."""
        state, found = zg.load_game(self.game).new_initial_state(self.seed), []
        for turn in self.moves:
            for action in state.string_to_turn(turn):
                state.apply_action(action)
                found.append(action)
        return found

    def state(self, load_game):
        """The position, in an implementation."""
        state = load_game(self.game).new_initial_state(self.seed)
        for action in self.actions():
            state.apply_action(action)
        return state


def read_block(file: str, lines: list[str]) -> Block:
    """The block that these lines say."""
    assert lines[0].startswith("game "), f"{file}: a block begins with its game, not with {lines[0]!r}"
    block = Block(file, lines[0].split()[1])
    for line in lines[1:]:
        word, *rest = line.split()
        if word == "seed":
            block.seed = int(*rest)
        elif word == "moves":
            block.moves = rest
        elif word == "unit":
            (block.unit,) = rest
        elif word == "perft":
            depth, count = map(int, rest)
            assert depth not in block.counts, f"{file}: depth {depth} twice in {lines[0]!r}"
            block.counts[depth] = count
        elif word == "signature":
            uniform, games, digits = rest
            block.signatures.append((uniform, int(games), digits))
        else:
            raise ValueError(f"{file}: unknown line {line!r}")
    return block


def blocks() -> list[Block]:
    """All blocks of all files."""
    found = []
    for path in FILES:
        for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
            lines = [line.split("#")[0].strip() for line in paragraph.splitlines()]
            lines = [line for line in lines if line]
            if lines:
                found.append(read_block(path.name, lines))
    return found
