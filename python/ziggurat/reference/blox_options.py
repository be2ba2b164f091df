"""The options of Blox: what they may be, what they mean, and the presets.

The contract is section 9 of `cpp/games/blox/RULES.md`; how the game is played is in `blox_play.py`.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from ziggurat.reference.blox_layout import SHAPES, check_faces, read_faces, shipped
from ziggurat.reference.engine import Text


@dataclass(frozen=True)
class Options:
    """The options of the game, with the defaults of the preset `standard`."""

    players: int = 2
    board: int = 10
    faces: str = "synthetic"
    sides: str = "random"
    hand: int = 6
    cards_per_colour: int = 15
    blocks_per_colour: int = 10
    pawns: int = 4
    block_limit: int = 7
    build_height: str = "min"
    reach: str = "side"
    reach_new: bool = True
    entry: str = "outside"
    capture_moves: bool = True
    start_phase: int = 1
    two_player_setup: str = "same"
    max_turns: int = 2000


def read_sides(text: str) -> str:
    """[BX-1.3] A text of `sides`."""
    if text != "random" and not re.fullmatch("[AB]{4}", text):
        raise ValueError(f"'{text}' has not a letter A or B for each of NW NE SW SE")
    return text


def own_faces(size: int, letters: tuple[str, ...], towers: str) -> str:
    """A layout of which each face repeats some letters, one of `letters` after the other, and has the same towers."""
    areas = [rows * columns for rows, columns in SHAPES[size].values() for _ in "AB"]
    patterns = [letters[i % len(letters)] for i in range(len(areas))]
    return "+".join(f"{(pattern * area)[:area]}:{towers}" for pattern, area in zip(patterns, areas, strict=True))


STRIPES = own_faces(10, ("WRGK", "KGRW"), "00044044")  # towers in the corners, also those of the board
WHITE = own_faces(10, ("W",), "11122122")  # towers in blocks of four, seen from afar if they have no white
QUARTERS = own_faces(10, ("W", "R", "G", "K"), "00010211")  # towers side by side, some on the edge
NINE = own_faces(9, ("WRGKK", "RWK"), "00010211")

OPTION_VALUES: dict[str, tuple[Any, ...] | range] = {
    "players": range(2, 5),
    "board": (10, 9),
    "faces": Text(("synthetic", STRIPES, WHITE, QUARTERS), "synthetic, or a layout as text", read_faces),
    "sides": Text(("random", "AAAA", "ABBA", "BBBB", "BABA"), "random, or four letters A or B", read_sides),
    "hand": range(1, 11),
    "cards_per_colour": range(1, 17),
    "blocks_per_colour": range(1, 11),
    "pawns": range(1, 5),
    "block_limit": range(1, 41),
    "build_height": ("min", "exact"),
    "reach": ("side", "region"),
    "reach_new": (True, False),
    "entry": ("outside", "from_edge_field"),
    "capture_moves": (True, False),
    "start_phase": range(1, 5),
    "two_player_setup": ("same", "printed"),
    "max_turns": range(65536),
}

PRESETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "ravensburger2008": {"board": 9, "hand": 5, "build_height": "exact", "two_player_setup": "printed"},
}

# Settings that make rare ends common, for tests.
LAW_OPTIONS: list[dict[str, Any]] = [
    # One card, one pawn.
    {"hand": 1, "cards_per_colour": 1, "pawns": 1, "max_turns": 40},
    # No deck: what is discarded is drawn again at once.
    {"players": 4, "hand": 3, "cards_per_colour": 3, "pawns": 2, "max_turns": 60},
    # Many cards: captures, high builds, long turns.
    {"hand": 10, "cards_per_colour": 16, "pawns": 3, "capture_moves": False, "max_turns": 30},
    # Few moves, so many swaps, demolitions and builds; there phases pass.
    {"faces": WHITE, "hand": 8, "pawns": 1, "build_height": "exact", "start_phase": 2, "max_turns": 60},
    {"faces": QUARTERS, "hand": 10, "pawns": 2, "reach": "region", "max_turns": 60},
    {"faces": QUARTERS, "hand": 10, "cards_per_colour": 6, "pawns": 2, "start_phase": 2, "max_turns": 60},
    {"faces": STRIPES, "sides": "ABBA", "hand": 9, "pawns": 2, "reach_new": False, "block_limit": 1, "max_turns": 40},
    # The end is near from the start, in a round of several.
    {
        "players": 3,
        "faces": QUARTERS,
        "hand": 10,
        "pawns": 2,
        "blocks_per_colour": 5,
        "start_phase": 4,
        "max_turns": 60,
    },
    {"blocks_per_colour": 1, "two_player_setup": "printed"},  # no block at all
    # Towers that got fewer blocks.
    {
        "players": 3,
        "blocks_per_colour": 4,
        "block_limit": 2,
        "entry": "from_edge_field",
        "start_phase": 3,
        "max_turns": 40,
    },
    # The printed game, and all that it is not.
    {
        "players": 4,
        "board": 9,
        "faces": NINE,
        "sides": "BABA",
        "hand": 9,
        "cards_per_colour": 9,
        "reach": "region",
        "reach_new": False,
        "entry": "from_edge_field",
        "capture_moves": False,
        "max_turns": 40,
    },
]


def canonical(options: Options) -> Options:
    """The options as their texts are written; ValueError if they contradict each other."""
    cards, wanted = 4 * options.cards_per_colour, options.players * options.hand
    if cards < wanted:  # [BX-1.6]
        raise ValueError(
            f"cards_per_colour={options.cards_per_colour} is not allowed with players={options.players},"
            f"hand={options.hand}; there are {cards} cards, expected at least {wanted}"
        )
    if options.faces != "synthetic":
        check_faces(options.faces, options.board)
        if options.faces == shipped(options.board):  # [BX-9.1]
            options = replace(options, faces="synthetic")
    if options.players != 2:  # [BX-1.7] [BX-9.2]
        return replace(options, two_player_setup="same")
    return replace(options, start_phase=max(2, options.start_phase)) if is_printed(options) else options


def is_printed(options: Options) -> bool:
    """[BX-1.7] Whether the printed set-up for two players is made."""
    return options.two_player_setup == "printed"


def all_blocks(options: Options) -> tuple[int, ...]:
    """[BX-1.4] [BX-1.7] The blocks of each colour that are in the game."""
    return (options.blocks_per_colour - is_printed(options),) * 4


def all_cards(options: Options) -> tuple[int, ...]:
    """[BX-1.4] The cards of each colour."""
    return (options.cards_per_colour,) * 4


def num_players(options: Options) -> int:
    """The number of players."""
    return options.players
