"""How positions of Blox are written, and which texts are refused.

The contract is section 7 of `cpp/games/blox/RULES.md`; how the game is played is in `blox_play.py`.
"""

import re
from itertools import pairwise

from ziggurat.errors import ParseError
from ziggurat.reference.blox_actions import action_to_text, decode, encode, text_to_action
from ziggurat.reference.blox_board import LETTERS, NONE, Counts, counted, grid_of, listed, plus
from ziggurat.reference.blox_options import Options, all_blocks, all_cards
from ziggurat.reference.blox_play import fault, is_terminal
from ziggurat.reference.blox_state import MOST_POINTS, Seat, State, in_turn
from ziggurat.reference.blox_turns import play

POSITION = "<sides> <towers> <seats> <deck> <discard> <phase> <seat> <turn> <turns> <chance>"


def to_text(s: State) -> str:
    """[BX-7.1] [BX-7.2] [BX-7.3] The text of a position."""
    seats = "/".join(seat_text(s.options, seat, set_text(seat.hand)) for seat in s.seats)
    deck = "".join(LETTERS[colour] for colour in s.deck) or "-"
    return f"{s.sides} {towers_text(s)} {seats} {deck} {public_text(s)} {s.key:016x}.{s.counter:016x}"


def information_state(s: State, viewer: int) -> str:
    """[BX-7.5] What a player knows, as text."""
    seats = "/".join(
        seat_text(s.options, seat, set_text(seat.hand) if player == viewer else str(sum(seat.hand)))
        for player, seat in enumerate(s.seats)
    )
    return f"{viewer} {s.sides} {towers_text(s)} {seats} {len(s.deck)} {public_text(s)}"


def public_text(s: State) -> str:
    """[BX-7.3] The text of a position from the discard to the turns."""
    turn = "".join(action_to_text(s.options, encode(s.options, move)) for move in s.turn) or "-"
    return f"{set_text(s.discard)} {s.phase}{'+' * s.ending} {s.seat} {turn} {s.turns}"


def towers_text(s: State) -> str:
    """[BX-7.1] The towers, ascending by field."""
    return ",".join(f"{s.grid.texts[field]}:{set_text(tower)}" for field, tower in s.towers) or "-"


def seat_text(options: Options, seat: Seat, cards: str) -> str:
    """[BX-7.2] What a player has."""
    pawns = "+".join(grid_of(options.board).texts[field] for field in seat.pawns) or "-"
    return f"{seat.points}:{cards}:{set_text(seat.blocks)}:{'j' if seat.joker else 'x'}:{pawns}"


def set_text(counts: Counts) -> str:
    """The letters of some cards or blocks, in the order of colours."""
    return "".join(LETTERS[colour] for colour in listed(counts)) or "-"


def parse(options: Options, text: str) -> State:
    """The position that has a text; ParseError if there is none."""
    parts = text.split(" ")
    if len(parts) != 10:
        raise ParseError(f"'{text}' is not a position; expected {POSITION}")
    sides, towers, seats, deck, discard, phase, seat, turn, turns, chance = parts
    key, counter = parse_chance(chance)
    state = State(
        options,
        parse_sides(options, sides),
        parse_towers(options, towers),
        tuple(parse_seat(options, part) for part in parse_list(seats, "/", options.players, "seats")),
        parse_deck(deck),
        parse_set(discard),
        *parse_phase(phase),
        parse_number(seat, options.players - 1, "seat"),
        (),
        parse_number(turns, options.max_turns, "number of turns"),
        key,
        counter,
    )
    if wrong := field_fault(state) or card_fault(state) or block_fault(state):
        raise ParseError(f"'{text}' is not a position: {wrong}")
    return state if turn == "-" else begun(state, turn)


# The parts of a text.


def parse_sides(options: Options, text: str) -> str:
    """[BX-7.4] The sides that have a text."""
    wanted = "[AB]{4}" if options.sides == "random" else options.sides
    if not re.fullmatch(wanted, text):
        expected = "four letters A or B" if options.sides == "random" else options.sides
        raise ParseError(f"'{text}' are not the sides; expected {expected}")
    return text


def parse_list(text: str, separator: str, length: int, what: str) -> list[str]:
    """The parts of a text, of which there must be so many."""
    parts = text.split(separator)
    if len(parts) != length:
        raise ParseError(f"'{text}' has {len(parts)} {what}; expected {length}")
    return parts


def parse_towers(options: Options, text: str) -> tuple[tuple[int, Counts], ...]:
    """[BX-7.1] The towers that have a text."""
    towers = []
    for part in [] if text == "-" else text.split(","):
        field, blocks = parse_list(part, ":", 2, "parts of a tower")
        if blocks == "-":
            raise ParseError(f"'{part}' is not a tower; expected blocks")
        towers.append((parse_field(options, field), parse_set(blocks)))
    check_order([field for field, _ in towers], text)
    return tuple(towers)


def parse_seat(options: Options, text: str) -> Seat:
    """[BX-7.2] What a player has, from its text."""
    points, cards, blocks, joker, pawns = parse_list(text, ":", 5, "parts of a seat")
    if joker not in ("j", "x"):
        raise ParseError(f"'{joker}' is not a joker; expected j or x")
    fields = [] if pawns == "-" else [parse_field(options, part) for part in pawns.split("+")]
    check_order(fields, pawns)
    if len(fields) > options.pawns:
        raise ParseError(f"'{pawns}' are {len(fields)} pawns; expected at most {options.pawns}")
    hand = parse_set(cards)
    if sum(hand) != options.hand:
        raise ParseError(f"'{cards}' are {sum(hand)} cards; expected {options.hand}")
    return Seat(
        parse_number(points, MOST_POINTS, "number of points"), hand, parse_set(blocks), joker == "j", tuple(fields)
    )


def parse_field(options: Options, text: str) -> int:
    """[BX-1.2] The field that has a text."""
    ids = grid_of(options.board).ids
    if text not in ids:
        raise ParseError(f"'{text}' is not a field; expected a1 to {'abcdefghij'[options.board - 1]}{options.board}")
    return ids[text]


def check_order(fields: list[int], text: str) -> None:
    """Refuse fields that are not ascending."""
    if any(a >= b for a, b in pairwise(fields)):
        raise ParseError(f"'{text}' is out of order; expected rows from the top, in a row from the left, none twice")


def parse_set(text: str) -> Counts:
    """The cards or blocks that have a text."""
    counts = counted(LETTERS.find(letter) for letter in text)
    if set_text(counts) != text:
        raise ParseError(f"'{text}' are not cards or blocks; expected - or letters {LETTERS} in this order")
    return counts


def parse_deck(text: str) -> tuple[int, ...]:
    """[BX-7.3] The cards of the deck that have a text."""
    if not re.fullmatch(f"-|[{LETTERS}]+", text):
        raise ParseError(f"'{text}' is not a deck; expected - or letters {LETTERS}")
    return tuple(LETTERS.index(letter) for letter in text if letter != "-")


def parse_phase(text: str) -> tuple[int, bool]:
    """[BX-7.3] The phase that has a text, and whether the end is triggered."""
    if text not in ("1", "2", "3", "4", "4+"):
        raise ParseError(f"'{text}' is not a phase; expected 1, 2, 3, 4 or 4+")
    return int(text[0]), text == "4+"


def parse_number(text: str, most: int, what: str) -> int:
    """The number that has a text."""
    if not re.fullmatch("0|[1-9][0-9]{0,9}", text) or int(text) > most:
        raise ParseError(f"'{text}' is not a {what}; expected 0 .. {most}")
    return int(text)


def parse_chance(text: str) -> tuple[int, int]:
    """[BX-7.3] The key and the counter of the stream that have a text."""
    if not re.fullmatch(r"[0-9a-f]{16}\.[0-9a-f]{16}", text):
        raise ParseError(f"'{text}' is not a stream; expected two numbers of 16 hexadecimal digits, joined by a point")
    return int(text[:16], 16), int(text[17:], 16)


def begun(s: State, text: str) -> State:
    """[BX-7.4] The position with the begun turn that has a text."""
    if is_terminal(s):
        raise ParseError(f"'{text}' is not a begun turn: the game is over")
    for part in re.findall(r"[0-9]b|~.|.j?", text, re.DOTALL) or [""]:
        action = text_to_action(s.options, part)
        if action_to_text(s.options, action) != part:
            raise ParseError(
                f"'{part}' is not in the begun turn '{text}'; expected {action_to_text(s.options, action)}"
            )
        if wrong := fault(s, decode(s.options, action)):
            raise ParseError(f"'{text}' is not a begun turn: {part}: {wrong}")
        s = play(s, decode(s.options, action))
        if not in_turn(s):
            raise ParseError(f"'{text}' is not a begun turn: it is complete")
    return s


# What is wrong with a position.


def field_fault(s: State) -> str:
    """[BX-7.4] What is wrong with the pieces on the board and the phase."""
    fields = [field for field, _ in s.towers] + [field for seat in s.seats for field in seat.pawns]
    for field in fields:
        if fields.count(field) > 1:
            return f"two pieces are on {s.grid.texts[field]}"
    return f"the phase is below {s.options.start_phase}" if s.phase < s.options.start_phase else ""


def card_fault(s: State) -> str:
    """[BX-7.4] What is wrong with the cards."""
    cards = plus(counted(s.deck), s.discard)
    for seat in s.seats:
        cards = plus(cards, seat.hand)
    if cards == all_cards(s.options):
        return ""
    return f"the cards are {set_text(cards)}; expected {s.options.cards_per_colour} of each colour"


def block_fault(s: State) -> str:
    """[BX-7.4] What is wrong with the blocks."""
    blocks = NONE
    for some in [*(tower for _, tower in s.towers), *(seat.blocks for seat in s.seats)]:
        blocks = plus(blocks, some)
    if blocks == all_blocks(s.options):
        return ""
    return f"the blocks are {set_text(blocks)}; expected {all_blocks(s.options)[0]} of each colour"
