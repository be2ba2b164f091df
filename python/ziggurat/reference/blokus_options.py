"""The options of Blokus: what they may be, what they mean, and the presets.

The contract is section 7 of `cpp/games/blokus/RULES.md`; how the game is played is in `blokus.py`.
"""

from dataclasses import dataclass, replace
from typing import Any

from ziggurat.reference.blokus_board import Layout, board_of, layout_of
from ziggurat.reference.blokus_pieces import pieces_in, pieces_text
from ziggurat.reference.engine import Text, Words

LARGEST = 20


@dataclass(frozen=True)
class Options:
    """The options of the game, with the defaults of the preset `classic`."""

    board: int = 20
    colours: int = 4
    sharing: str = "none"
    start: str = "own_corner"
    starts: str = "corners"
    pieces: str = "all"
    copies: int = 1
    pass_mode: str = "action"
    scoring: str = "advanced"


def read_starts(text: str) -> str:
    """[BK-7.1] A text of `starts`, if some board has its cells; what fits the other options is for `canonical`."""
    for part in () if text == "corners" else text.split("+"):
        if part not in board_of(LARGEST).ids:
            raise ValueError(f"'{part}' is not a cell from a1 to t20")
    return text


def read_pieces(text: str) -> str:
    """[BK-7.2] A text of `pieces` in its canonical form."""
    return pieces_text(pieces_in(text))


OPTION_VALUES: dict[str, tuple[Any, ...] | range] = {
    "board": range(5, LARGEST + 1),
    "colours": range(1, 5),
    "sharing": ("none", "pairs", "fourth"),
    "start": Words(("own_corner", "any_corner"), {"own": "own_corner", "either": "any_corner"}),  # [BK-2.1]
    "starts": Text(
        (
            "corners",
            "e16+p16+p5+e5",
            "a1+a2+b2+b1",
            "j10+k10+j11+k11",
            "b2+d2+d4+b4",
            "t20+a20+a1+t1",
            "a10+j20+t11+k1",
            "c3+a20+t9+a1",
            "t19+t20+s20+s19",
            "h13+m13+m8+h8",
        ),
        "corners, or cells",
        read_starts,
    ),
    "pieces": Text(
        (
            "all",
            "junior",
            "up_to_4",
            "up_to_3",
            "up_to_2",
            "1",
            "X",
            "1+V3+X",
            "2+I3+O",
            "1+I5+W+Z5",
        ),
        "all, junior, up_to_4, up_to_3, up_to_2, or names",
        read_pieces,
    ),
    "copies": range(1, 3),
    "pass_mode": ("action", "skip"),
    "scoring": ("advanced", "basic"),
}

DUO: dict[str, Any] = {"board": 14, "colours": 2, "starts": "e10+j5"}
PRESETS: dict[str, dict[str, Any]] = {
    "classic": {},
    "classic-3": {"sharing": "fourth"},
    "classic-2": {"sharing": "pairs"},
    "duo": DUO,
    "junior": {**DUO, "pieces": "junior", "copies": 2, "scoring": "basic"},
    "mini": {"board": 8, "colours": 2, "starts": "c6+f3", "pieces": "up_to_4", "scoring": "basic"},
}

# Settings that make rare ends common, for tests.
LAW_OPTIONS: list[dict[str, Any]] = [
    {"start": "any_corner"},
    {"pass_mode": "skip"},
    {"scoring": "basic"},
    {"start": "any_corner", "pass_mode": "skip", "scoring": "basic"},
    # One colour, alone: no pass, and everybody wins.
    {"board": 6, "colours": 1, "starts": "c4", "pieces": "up_to_3", "copies": 2},
    # Colours that place everything, the single square last or before.
    {"board": 5, "colours": 2, "starts": "b2+d4", "pieces": "up_to_2", "copies": 2},
    # Green is played in turn, and passes.
    {"board": 5, "sharing": "fourth", "pieces": "up_to_3"},
    {"board": 7, "sharing": "fourth", "start": "any_corner", "pieces": "up_to_4", "pass_mode": "skip"},
    {"board": 6, "sharing": "pairs", "pieces": "1+I3+V3+O", "scoring": "basic"},
    # Start squares side by side: a first piece may cover those of others, who are shut out.
    {"board": 8, "sharing": "pairs", "start": "any_corner", "starts": "d5+e5+e4+d4", "pieces": "junior", "copies": 2},
    {"board": 5, "colours": 3, "starts": "a1+a2+b1", "pieces": "1+2+V3", "pass_mode": "skip"},
    # The cross covers no corner: blue cannot begin.
    {"board": 8, "colours": 3, "starts": "a1+d4+f6", "pieces": "X", "copies": 2, "pass_mode": "skip"},
    {"board": 8, "colours": 3, "starts": "a8+d4+e6", "pieces": "X", "copies": 2},
]


def canonical(options: Options) -> Options:
    """The options as their texts are written; ValueError if they contradict each other."""
    if options.sharing != "none" and options.colours != 4:  # [BK-7.3]
        raise ValueError(f"sharing={options.sharing} needs colours=4, not colours={options.colours}")
    cells = options.starts.split("+")
    if options.starts == "corners" or cells == corners(options):
        return replace(options, starts="corners")
    check_starts(options, cells)
    return options


def check_starts(options: Options, cells: list[str]) -> None:
    """[BK-7.1] ValueError if some start squares do not fit the board and the colours."""
    what = f"starts={options.starts} is not allowed with board={options.board},colours={options.colours}"
    if len(cells) != options.colours:
        raise ValueError(f"{what}; expected {options.colours} cells, not {len(cells)}")
    for i, cell in enumerate(cells):
        if cell not in board_of(options.board).ids:
            raise ValueError(f"{what}; {cell} is not on the board")
        if cell in cells[:i]:
            raise ValueError(f"{what}; {cell} is there twice")


def corners(options: Options) -> list[str]:
    """[BK-1.4] The start squares of `corners`."""
    texts, side = board_of(options.board).texts, options.board
    return [texts[0], texts[side - 1], texts[-1], texts[-side]][: options.colours]


def starts_of(options: Options) -> list[int]:
    """[BK-1.4] The start square of each colour."""
    texts = corners(options) if options.starts == "corners" else options.starts.split("+")
    return [board_of(options.board).ids[text] for text in texts]


def layout(options: Options) -> Layout:
    """[BK-4.1] The placements."""
    return layout_of(options.board, pieces_in(options.pieces))


def full_hand(options: Options) -> tuple[str, ...]:
    """[BK-1.3] All pieces of a colour, in order."""
    return tuple(piece for piece in pieces_in(options.pieces) for _ in range(options.copies))


def colours_of(options: Options) -> range:
    """[BK-1.1] The colours."""
    return range(options.colours)


def num_players(options: Options) -> int:
    """[BK-1.5] The number of players."""
    return {"none": options.colours, "pairs": 2, "fourth": 3}[options.sharing]


def scoring_colours(options: Options, player: int) -> list[int]:
    """[BK-3.4] The colours that count for a player."""
    return [player, player + 2] if options.sharing == "pairs" else [player]
