"""What a drawing of Blox knows of a position: what is public, and the cards of one player at most, or of all.

It is read through the public methods of a state: arrays (RULES BX-10.1), and the information state of a player
(BX-7.5), which holds nobody else's cards; only an umpire's drawing reads the whole position (BX-7.2).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ziggurat.formats.svg import PLAYERS, Position, Wishes, numbers, seen_fields

COLOURS = "WRGK"  # [BX-1.1] white, red, grey, black
WAYS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}  # [BX-5.1] rows and columns of a step

ENTER = re.compile(r"@([a-j]\d+)j?")  # [BX-5] the texts of actions
STRAIGHT = re.compile(r"(\d)([nesw])([-xd])([wrgk]?).*")  # move, capture, demolish
BUILD = re.compile(r"(\d)b")
BLOCK = re.compile(r"([wrgk])j?")


@dataclass(frozen=True)
class Seat:
    """A player: his cards are letters, or None where they lie face down."""

    points: int
    held: int  # how many cards
    cards: str | None
    blocks: tuple[int, ...]  # of each colour
    joker: bool
    pawns: tuple[int, ...]  # fields, ascending: the place in it is the rank [BX-5.1]


@dataclass(frozen=True)
class Table:
    """A position; in a begun turn its start (BX-5.5), and the turn beside it."""

    size: int
    colours: tuple[int, ...]  # of each field
    towers: tuple[tuple[int, ...], ...]  # of each field, blocks of each colour
    owners: tuple[int, ...]  # of each field, the player whose pawn stands there, else -1
    seats: tuple[Seat, ...]
    pawns: int  # of each player
    cards: int  # in all
    deck: int
    order: str  # of the deck, from its front, as far as it is seen
    discard: str
    phase: str
    side: int
    turn: str  # played so far in a begun turn, else empty

    def field(self, text: str) -> int:
        """[BX-1.2] The field that has a text such as `e5`."""
        return self.size * (self.size - int(text[1:])) + ord(text[0]) - ord("a")

    def name(self, field: int) -> str:
        """[BX-1.2] The text of a field."""
        row, column = divmod(field, self.size)
        return f"{chr(ord('a') + column)}{self.size - row}"

    def is_free(self, field: int) -> bool:
        """Whether neither a tower nor a pawn stands on a field."""
        return self.owners[field] < 0 and not any(self.towers[field])

    def line(self, field: int, step: tuple[int, int]) -> Iterator[int]:
        """The fields behind a field, up to the edge."""
        row, column = divmod(field, self.size)
        for k in range(1, self.size):
            there = row + k * step[0], column + k * step[1]
            if not (0 <= there[0] < self.size and 0 <= there[1] < self.size):
                return
            yield there[0] * self.size + there[1]


def read(state: Position, wishes: Wishes) -> Table:
    """The position of a state; the cards of the viewer, if there is one, or of all are face up."""
    _, _, seats, deck, discard, phase, side, turn, _ = seen_fields(state, wishes)
    options = state.get_game().options
    size = int(options["board"])
    blocks, fields = numbers(state.analysis("towers")), size * size
    order = letters(deck) if wishes.secrets else ""
    table = Table(
        size=size,
        colours=tuple(numbers(state.analysis("colours"))),
        towers=tuple(tuple(blocks[f + fields * colour] for colour in range(4)) for f in range(fields)),
        owners=tuple(numbers(state.analysis("pawns"))),
        seats=(),
        pawns=int(options["pawns"]),
        cards=4 * int(options["cards_per_colour"]),
        deck=len(order) if wishes.secrets else int(deck),
        order=order,
        discard=letters(discard),
        phase=phase,
        side=int(side),
        turn="" if turn == "-" else turn,
    )
    told = (read_seat(table, part, p, wishes) for p, part in enumerate(seats.split("/")))
    return Table(**{**vars(table), "seats": tuple(told)})


def read_seat(table: Table, text: str, player: int, wishes: Wishes) -> Seat:
    """[BX-7.2] A player, from his part of what is seen: it has cards, or their number."""
    points, cards, blocks, joker, pawns = text.split(":")
    has_cards = wishes.secrets or player == (wishes.player or 0)
    open_hand = wishes.secrets or player == wishes.player
    return Seat(
        points=int(points),
        held=len(letters(cards)) if has_cards else int(cards),
        cards=letters(cards) if open_hand else None,
        blocks=tuple(letters(blocks).count(colour) for colour in COLOURS),
        joker=joker == "j",
        pawns=tuple(table.field(pawn) for pawn in pawns.split("+")) if pawns != "-" else (),
    )


def letters(text: str) -> str:
    """A set of cards or blocks, in capitals."""
    return "" if text == "-" else text.upper()


# Where actions lead.


def target(table: Table, text: str) -> int | None:
    """The field that a legal action leads to; None for blocks, swaps and `done`."""
    if entered := ENTER.fullmatch(text):
        return table.field(entered[1])
    pawns = table.seats[table.side].pawns
    if built := BUILD.fullmatch(text):
        return pawns[int(built[1])]
    straight = STRAIGHT.fullmatch(text)
    if straight is None:
        return None
    rank, way, kind, colour = straight.groups()
    for field in table.line(pawns[int(rank)], WAYS[way]):
        if not table.is_free(field) or (kind == "-" and COLOURS[table.colours[field]] == colour.upper()):
            return field
    return None


@dataclass(frozen=True)
class Mark:
    """A field that the last turn has touched, and the way in which a pawn came to it, or looked away from it."""

    field: int
    way: str | None = None
    away: bool = False


def last_marks(table: Table, last: Sequence[str], capture_moves: bool) -> tuple[Mark, ...]:
    """What the last turn of some actions has touched: empty for swaps; ValueError if it cannot have been the last one.

    A position does not tell which pawn has moved. Where more than one can have done so, each is marked.
    """
    turn = last_turn(last)
    if not turn:
        return ()
    if table.turn and table.turn.endswith("".join(turn)):
        return (Mark(table.seats[table.side].pawns[int(table.turn[0])]),) if BUILD.match(table.turn) else ()
    seat = table.seats[table.side - 1]  # the last turn was made by the seat before the one to move
    if built := BUILD.fullmatch(turn[0]):
        found = built_towers(table, seat, int(built[1]), turn[1:])
    elif entered := ENTER.fullmatch(turn[0]):
        found = [Mark(field) for field in seat.pawns if field == table.field(entered[1])]
    elif straight := STRAIGHT.fullmatch(turn[0]):
        rank, way, kind, colour = straight.groups()
        stays = kind == "x" and not capture_moves
        found = stayed(seat, int(rank), way) if stays else arrivals(table, seat, int(rank), way, kind + colour.upper())
    else:
        return ()
    if not found:
        player = PLAYERS[table.seats.index(seat)]
        raise ValueError(f"last_action is what has been played last, not '{' '.join(last)}': no piece of {player} fits")
    return tuple(found)


def last_turn(last: Sequence[str]) -> Sequence[str]:
    """The last turn of some actions, without `done`: of a build all of it [BX-5.3]."""
    actions = [text for text in last[:-1] if text != "done"] + [text for text in last[-1:] if text != "done"]
    start = len(actions) - 1
    while start > 0 and BLOCK.fullmatch(actions[start]):
        start -= 1
    return actions[max(start, 0) :]


def built_towers(table: Table, seat: Seat, rank: int, blocks: Iterable[str]) -> list[Mark]:
    """The towers that a pawn of that rank can have become."""
    wanted = [match[1].upper() for text in blocks if (match := BLOCK.fullmatch(text))]
    counts = tuple(wanted.count(colour) for colour in COLOURS)
    fits = (field for field, tower in enumerate(table.towers) if any(tower) and tower == counts)
    return [Mark(field) for field in fits if sum(pawn < field for pawn in seat.pawns) == rank]


def stayed(seat: Seat, rank: int, way: str) -> list[Mark]:
    """[BX-3.3] The pawn that has captured from where it stands."""
    return [Mark(field, way, away=True) for field in seat.pawns[rank : rank + 1]]


def arrivals(table: Table, seat: Seat, rank: int, way: str, kind: str) -> list[Mark]:
    """The pawns that can have come straight from a field where they had that rank."""
    step = WAYS[way]
    back = -step[0], -step[1]
    return [Mark(field, way) for field in seat.pawns if came_from(table, seat, field, rank, back, kind)]


def came_from(table: Table, seat: Seat, field: int, rank: int, back: tuple[int, int], kind: str) -> bool:
    """Whether a pawn can have come to a field, and had that rank before.

    `kind` is `-` with the card's colour, `x` or `d`: a move and a capture end at the first field of the field's own
    colour [BX-3.2, BX-3.3].
    """
    colour = table.colours[field]
    if kind[0] == "-" and COLOURS[colour] != kind[1]:
        return False
    others = [pawn for pawn in seat.pawns if pawn != field]
    for origin in table.line(field, back):
        if not table.is_free(origin):
            return False
        if sum(pawn < origin for pawn in others) == rank:
            return True
        if kind[0] != "d" and table.colours[origin] == colour:
            return False
    return False
