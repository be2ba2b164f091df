"""The options of Numberplace City: what they may be, what they mean, and the presets.

The contract is sections 1 and 10 of `cpp/games/numberplace_city/RULES.md`; how the game is played is in
`numberplace_city_turns.py`.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ziggurat.reference.engine import Text
from ziggurat.reference.numberplace_city_board import BLOCKS, CELLS, block_of

HAND = 4  # [NC-1.2]
EFFECTS = "rsdtpw"  # [NC-4.1]

# [NC-1.3] The blocks of each seat, by the number of players.
STANDARD = {
    2: ("034678", "012458"),
    3: ("4678", "0346", "2458"),
    4: ("4678", "0346", "0124", "2458"),
}


@dataclass(frozen=True)
class Options:
    """The options of the game, with the defaults of the preset `standard`."""

    players: int = 4
    tiles_per_number: int = 9
    areas: str = "standard"
    board_conflict: str = "all"
    out_at: int = 0
    points_to_win: int = 3
    bonus_table: str = "rrsddttpw"
    bonus_scope: str = "own"
    penalties_open: bool = True
    solo_point: str = "built"
    final_pass: str = "free"
    recycle: bool = True
    start_in_final: bool = False
    max_turns: int = 2000


def read_areas(text: str) -> str:
    """[NC-10.1] A text of `areas` in its canonical form, but for the number of areas."""
    return text if text == "standard" else "+".join(read_area(part) for part in text.split("+"))


def read_area(text: str) -> str:
    """[NC-10.1] The blocks of a seat, ascending."""
    if not text:
        raise ValueError("an area is empty")
    for digit in text:
        if digit not in "012345678":
            raise ValueError(f"'{digit}' is not a block from 0 to 8")
        if text.count(digit) > 1:
            raise ValueError(f"block {digit} is twice in the area {text}")
    return "".join(sorted(text))


def read_table(text: str) -> str:
    """[NC-10.2] A text of `bonus_table`."""
    if len(text) != 9:
        raise ValueError(f"there are {len(text)} letters")
    for letter in text:
        if letter not in f"{EFFECTS}-":
            raise ValueError(f"'{letter}' is not an effect")
    return text


OPTION_VALUES: dict[str, tuple[Any, ...] | range] = {
    "players": range(2, 5),
    "tiles_per_number": range(1, 13),
    "areas": Text(
        ("standard", "0+2+8+6", "012+012+345678+4", "012345678+012345678+012345678+012345678", "3+14+4+58"),
        "standard, or areas as text",
        read_areas,
    ),
    "board_conflict": ("all", "one"),
    "out_at": range(128),
    "points_to_win": range(1, 100),
    "bonus_table": Text(
        ("rrsddttpw", "wwwwwwwww", "---------", "ppppppppp", "trtrtrtrs", "-d-s-r-t-"),
        "nine letters of r, s, d, t, p, w and -",
        read_table,
    ),
    "bonus_scope": ("own", "one_of_up_to", "all_up_to"),
    "penalties_open": (True, False),
    "solo_point": ("built", "laid"),
    "final_pass": ("free", "penalty"),
    "recycle": (True, False),
    "start_in_final": (False, True),
    "max_turns": range(65536),
}

PRESETS: dict[str, dict[str, Any]] = {"standard": {}}

# Settings that make rare ends common, for tests.
LAW_OPTIONS: list[dict[str, Any]] = [
    # One turn: the limit ends the game in mid-round.
    {"players": 3, "max_turns": 1},
    # The first line, or the first bonus, wins.
    {"points_to_win": 1, "bonus_scope": "one_of_up_to", "max_turns": 120},
    {"players": 2, "bonus_table": "--d--t--w", "bonus_scope": "all_up_to", "board_conflict": "one", "max_turns": 120},
    {"players": 3, "bonus_table": "wwwwwwwww", "max_turns": 40},
    {"players": 3, "bonus_table": "ppppppppp", "penalties_open": False, "points_to_win": 4, "max_turns": 120},
    # Few tiles, none of which comes back: nobody can lay any more.
    {"players": 2, "tiles_per_number": 2, "recycle": False, "out_at": 127, "bonus_table": "---------"},
    # Nine tiles that go round between the hands, the board and the discard: one block gets full.
    {
        "players": 2,
        "tiles_per_number": 1,
        "areas": "4+4",
        "out_at": 127,
        "points_to_win": 99,
        "bonus_table": "ddddddddd",
        "max_turns": 120,
    },
    # Solo tiles, and ends by passing.
    {"start_in_final": True, "solo_point": "laid", "points_to_win": 2, "out_at": 127, "max_turns": 120},
    {
        "players": 3,
        "start_in_final": True,
        "solo_point": "laid",
        "final_pass": "penalty",
        "out_at": 3,
        "max_turns": 120,
    },
    {"players": 3, "start_in_final": True, "areas": "0+0+0", "points_to_win": 9, "out_at": 127, "max_turns": 120},
    # Players go out, some of them together.
    {"out_at": 2, "penalties_open": False, "board_conflict": "one", "bonus_table": "dddddrrrr", "max_turns": 120},
    {"players": 2, "out_at": 3, "areas": "34+45", "bonus_scope": "all_up_to", "tiles_per_number": 12, "max_turns": 120},
    # The board is turned and emptied again and again; several decisions in a row, the start player changes.
    {
        "out_at": 127,
        "points_to_win": 99,
        "areas": "012+012+345678+4",
        "bonus_table": "trtrtrtrs",
        "bonus_scope": "all_up_to",
        "max_turns": 120,
    },
    {
        "tiles_per_number": 2,
        "out_at": 4,
        "areas": "0+2+8+6",
        "bonus_table": "sdrtpdsrt",
        "bonus_scope": "all_up_to",
        "max_turns": 120,
    },
]


def canonical(options: Options) -> Options:
    """The options as their texts are written; ValueError if they contradict each other."""
    if options.areas != "standard" and len(options.areas.split("+")) != options.players:  # [NC-10.1]
        raise ValueError(
            f"areas={options.areas} is not allowed with players={options.players};"
            f" expected {options.players} areas, not {len(options.areas.split('+'))}"
        )
    if options.areas == "+".join(STANDARD[options.players]):  # [NC-10.1]
        options = replace(options, areas="standard")
    if options.out_at == eliminating(replace(options, out_at=0)):  # [NC-10.3]
        options = replace(options, out_at=0)
    if options.players == 2:  # [NC-10.3]
        return replace(options, solo_point="built", final_pass="free", start_in_final=False)
    return options


def eliminating(options: Options) -> int:
    """[NC-3.7] The number of penalty tiles that eliminates."""
    return options.out_at or (7 if options.players == 2 else 5)


def num_players(options: Options) -> int:
    """The number of players."""
    return options.players


def all_tiles(options: Options) -> list[int]:
    """[NC-1.4] The numbers of all tiles, ascending."""
    return [number for number in range(1, 10) for _ in range(options.tiles_per_number)]


def blocks_of(options: Options, player: int) -> tuple[int, ...]:
    """[NC-1.3] The blocks of a player's area."""
    return blocks_by_seat(options.areas, options.players)[player]


def area_of(options: Options, player: int) -> tuple[int, ...]:
    """[NC-1.3] The cells of a player's area, ascending."""
    return cells_by_seat(options.areas, options.players)[player]


@cache
def blocks_by_seat(areas: str, players: int) -> tuple[tuple[int, ...], ...]:
    """[NC-1.3] The blocks of each seat."""
    parts = STANDARD[players] if areas == "standard" else areas.split("+")
    return tuple(tuple(int(digit) for digit in part) for part in parts)


@cache
def cells_by_seat(areas: str, players: int) -> tuple[tuple[int, ...], ...]:
    """[NC-1.3] The cells of each seat."""
    return tuple(tuple(cell for cell in CELLS if block_of(cell) in blocks) for blocks in blocks_by_seat(areas, players))


def is_exclusive(options: Options, player: int, block: int) -> bool:
    """[NC-1.3] Whether a block is of a player's area, and of no other."""
    return [seat for seat in range(options.players) if block in blocks_of(options, seat)] == [player]


def table_areas(options: Options) -> list[int]:
    """[NC-11.1] The cells of each seat's area."""
    return [int(cell in area_of(options, seat)) for seat in range(options.players) for cell in CELLS]


def table_exclusive(options: Options) -> list[int]:
    """[NC-11.1] The blocks that are exclusive to each seat."""
    return [int(is_exclusive(options, seat, block)) for seat in range(options.players) for block in BLOCKS]
