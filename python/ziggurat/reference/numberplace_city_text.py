"""How positions of Numberplace City are written and read.

The contract is section 8 of `cpp/games/numberplace_city/RULES.md`; which positions are refused is in
`numberplace_city_check.py`.
"""

import re

from ziggurat.errors import ParseError
from ziggurat.reference.numberplace_city_board import CELLS, IDS, TEXTS, Board
from ziggurat.reference.numberplace_city_check import wrong_with
from ziggurat.reference.numberplace_city_hidden import sees_hand, sees_laid, sees_penalties
from ziggurat.reference.numberplace_city_options import HAND, Options
from ziggurat.reference.numberplace_city_state import Bonus, End, Laid, Seat, State, Tiles, order

POSITION = "<board> <laid> <seats> <supply> <discard> <start> <place> <bonus> <end> <turns> <chance>"
WON = ("points", "area", "bonus", "last")  # [NC-8.3] ends with a winner
MOST_POINTS = 10**4  # more are refused before anything else is looked at


def to_text(s: State) -> str:
    """[NC-8.1] [NC-8.2] [NC-8.3] The text of a position."""
    return f"{known_text(s, None)} {s.key:016x}.{s.counter:016x}"


def information_state(s: State, viewer: int) -> str:
    """[NC-8.5] What a player knows, as text."""
    return f"{viewer} {known_text(s, viewer)}"


def known_text(s: State, viewer: int | None) -> str:
    """The text of a position, but for the stream, as a player sees it, or as it is."""
    board = "".join(str(number) if number else "." for number in s.board)
    laid = ",".join(laid_text(tile, viewer is None or sees_laid(s, viewer, tile)) for tile in s.laid) or "-"
    seats = "/".join(seat_text(s, player, viewer) for player in range(len(s.seats)))
    supply = tiles_text(s.supply) if viewer is None else str(len(s.supply))
    start = f"{s.start}" if s.next_start is None else f"{s.start}>{s.next_start}"
    place = "-" if s.place is None else str(s.place)
    return (
        f"{board} {laid} {seats} {supply} {tiles_text(s.discard)} {start} {place}"
        f" {bonus_text(s.bonus)} {end_text(s.end)} {s.turns}"
    )


def tiles_text(tiles: Tiles, seen: bool = True) -> str:
    """Some tiles as digits, or as question marks."""
    return "".join(str(number) if seen else "?" for number in tiles) or "-"


def laid_text(tile: Laid, seen: bool) -> str:
    """[NC-8.1] A laid tile."""
    return f"{tile.player}:{TEXTS[tile.cell]}={tiles_text((tile.number,), seen)}"


def seat_text(s: State, player: int, viewer: int | None) -> str:
    """[NC-8.1] What a player has, as another one sees it, or as it is."""
    seat = s.seats[player]
    hand = tiles_text(seat.hand, viewer is None or sees_hand(s, viewer, player))
    penalties = tiles_text(seat.penalties, viewer is None or sees_penalties(s, viewer, player))
    return f"{seat.points}:{hand}:{penalties}:{seat.status}"


def bonus_text(bonus: Bonus | None) -> str:
    """[NC-8.3] A bonus that is decided."""
    if bonus is None:
        return "-"
    return f"{bonus.player}:{bonus.number}" + (f":{bonus.effect}" if bonus.effect else "")


def end_text(end: End | None) -> str:
    """[NC-8.3] How the game has ended."""
    if end is None:
        return "-"
    return f"{end.how}:{end.winner}" if end.how in WON else end.how


def parse(options: Options, text: str) -> State:
    """The position that has a text; ParseError if there is none."""
    parts = text.split(" ")
    if len(parts) != 11:
        raise ParseError(f"'{text}' is not a position; expected {POSITION}")
    board, laid, seats, supply, discard, start, place, bonus, end, turns, chance = parts
    key, counter = parse_chance(chance)
    first, following = parse_start(options, start)
    state = State(
        options,
        parse_seats(options, seats),
        parse_supply(supply),
        parse_board(board),
        parse_laid(options, laid),
        parse_set(discard),
        first,
        following,
        None if place == "-" else parse_number(place, len(order(options, first)) - 1, "place"),
        parse_bonus(options, bonus),
        parse_end(options, end),
        parse_number(turns, 10**5, "number of turns"),
        key,
        counter,
    )
    if wrong := wrong_with(state):
        raise ParseError(f"'{text}' is not a position: {wrong}")
    return state


# The parts of a text.


def parse_board(text: str) -> Board:
    """[NC-8.1] The board that has a text."""
    if not re.fullmatch(f"[1-9.]{{{len(CELLS)}}}", text):
        raise ParseError(f"'{text}' is not a board; expected 81 characters, each a digit 1 .. 9 or a point")
    return tuple(0 if character == "." else int(character) for character in text)


def parse_laid(options: Options, text: str) -> tuple[Laid, ...]:
    """[NC-8.1] The laid tiles that have a text."""
    tiles = []
    for part in [] if text == "-" else text.split(","):
        matched = re.fullmatch("([0-9]):(r[1-9]c[1-9])=([1-9])", part)
        if matched is None:
            raise ParseError(f"'{part}' is not a laid tile; expected a text like 2:r4c5=7")
        player, cell, number = matched.groups()
        tiles.append(Laid(parse_seat(options, player), IDS[cell], int(number)))
    return tuple(tiles)


def parse_seats(options: Options, text: str) -> tuple[Seat, ...]:
    """[NC-8.1] What the players have, from its text."""
    parts = text.split("/")
    if len(parts) != options.players:
        raise ParseError(f"'{text}' are {len(parts)} seats; expected {options.players}")
    return tuple(parse_belongings(part) for part in parts)


def parse_belongings(text: str) -> Seat:
    """[NC-8.1] What a player has, from its text."""
    parts = text.split(":")
    if len(parts) != 4:
        raise ParseError(f"'{text}' is not a seat; expected <points>:<hand>:<penalty tiles>:<in, passed or out>")
    points, hand, penalties, status = parts
    if status not in ("in", "passed", "out"):
        raise ParseError(f"'{status}' is not in, passed or out")
    if len(hand) > HAND:  # [NC-1.2]
        raise ParseError(f"'{hand}' are {len(hand)} tiles in a hand; expected at most {HAND}")
    return Seat(parse_number(points, MOST_POINTS, "number of points"), parse_set(hand), parse_set(penalties), status)


def parse_supply(text: str) -> Tiles:
    """[NC-8.2] The tiles that have a text, in any order."""
    if not re.fullmatch("-|[1-9]+", text):
        raise ParseError(f"'{text}' are not tiles; expected - or digits 1 .. 9")
    return () if text == "-" else tuple(int(digit) for digit in text)


def parse_set(text: str) -> Tiles:
    """[NC-8.4] The tiles that have a text, ascending."""
    tiles = parse_supply(text)
    if list(tiles) != sorted(tiles):
        raise ParseError(f"'{text}' is out of order; expected ascending digits")
    return tiles


def parse_start(options: Options, text: str) -> tuple[int, int | None]:
    """[NC-8.2] The start player, and that of the next round if a bonus has named one."""
    first, arrow, following = text.partition(">")
    return parse_seat(options, first), parse_seat(options, following) if arrow else None


def parse_bonus(options: Options, text: str) -> Bonus | None:
    """[NC-8.3] The bonus that has a text."""
    if text == "-":
        return None
    form, example = ("[0-9]:[1-9]:[1-9]", "2:7:4") if options.bonus_scope == "all_up_to" else ("[0-9]:[1-9]", "2:7")
    if not re.fullmatch(form, text):
        raise ParseError(f"'{text}' is not a bonus; expected - or a text like {example}")
    player, *numbers = text.split(":")
    return Bonus(parse_seat(options, player), *(int(number) for number in numbers))


def parse_end(options: Options, text: str) -> End | None:
    """[NC-8.3] The end that has a text."""
    if text in ("nobody", "count"):
        return End(text)
    how, _, winner = text.partition(":")
    if how in WON:
        return End(how, parse_seat(options, winner))
    if text != "-":
        raise ParseError(f"'{text}' is not an end; expected -, nobody, count, or a text like points:2")
    return None


def parse_seat(options: Options, text: str) -> int:
    """The seat that has a text."""
    return parse_number(text, options.players - 1, "seat")


def parse_number(text: str, most: int, what: str) -> int:
    """[NC-8.4] The number that has a text."""
    if not re.fullmatch("0|[1-9][0-9]{0,9}", text) or int(text) > most:
        raise ParseError(f"'{text}' is not a {what}; expected 0 .. {most}")
    return int(text)


def parse_chance(text: str) -> tuple[int, int]:
    """[NC-8.3] The key and the counter of the stream that have a text."""
    if not re.fullmatch(r"[0-9a-f]{16}\.[0-9a-f]{16}", text):
        raise ParseError(f"'{text}' is not a stream; expected two numbers of 16 hexadecimal digits, joined by a point")
    return int(text[:16], 16), int(text[17:], 16)
