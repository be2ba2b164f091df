"""Positions of Blox made from a few facts, the parts of their texts, and their legal turns, found in a plain way."""

from itertools import product
from types import SimpleNamespace

LETTERS = "wrgk"
COLUMNS = "abcdefghij"
STEPS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
QUARTERS = ("NW", "NE", "SW", "SE")
CHANCE = "0123456789abcdef.0000000000000007"


# Fields.


def place(field, size):
    """The row, from the top, and the column of a field."""
    return size - int(field[1:]), COLUMNS.index(field[0])


def name(at, size):
    """The text of the field in a row and a column."""
    return f"{COLUMNS[at[1]]}{size - at[0]}"


def number(field, size):
    """The id of a field."""
    row, column = place(field, size)
    return size * row + column


def names(ids, size):
    """The texts of the fields that have some ids."""
    return {name(divmod(one, size), size) for one in ids}


# Layouts.


def faces(rows, towers="00010203"):
    """The layout of a board given by its rows: both sides of a quarter are alike, all have the same tower fields."""
    halves = [slice(0, 5), slice(5, None)]
    quarters = ["".join(row[across] for row in rows[down]) for down in halves for across in halves]
    return "+".join(f"{quarter.upper()}:{towers}" for quarter in quarters for _ in "AB")


def painted(size, fill, colours):
    """The rows of a board of one colour, but for some fields."""
    at = {place(field, size): colour for field, colour in colours.items()}
    return ["".join(at.get((row, column), fill) for column in range(size)) for row in range(size)]


def board(load, colours=None, fill="k", **options):
    """The game on a board of one colour, but for some fields: {"e5": "r"}."""
    rows = painted(options.get("board", 10), fill, colours or {})
    return load("blox", faces=faces(rows), sides="AAAA", **options)


# Positions.


def seat(hand=None, pawns="", blocks=None, points=0, joker=True):
    """What is known of a seat: its whole hand, the fields of its pawns; None is whatever remains."""
    return SimpleNamespace(hand=hand, pawns=pawns.split(), blocks=blocks, points=points, joker=joker)


def in_order(letters):
    """A set of cards or blocks as it is written."""
    return "".join(sorted(letters, key=LETTERS.index)) or "-"


def take(rest, letters):
    """Take some letters from those that remain."""
    for letter in letters:
        rest.remove(letter)


def take_most(rest, height):
    """Take a tower of the colours that most is left of."""
    tower = ""
    for _ in range(height):
        tower += max(LETTERS, key=rest.count)
        rest.remove(tower[-1])
    return tower


def text_of(game, *seats, towers=None, **facts):
    """The text of a position, without the game.

    Two `calm` towers of the phase's height, on the last two fields of the lowest row if nothing else is said, keep the
    phase as it is. The blocks that remain lie in front of the last seat of which nothing is said, but of the one to
    move only if there is no other. The cards that remain fill the hands of which nothing is said, black ones first;
    the others come after the `deck` given, or go to the discard (`rest="discard"`).
    """
    options, size = game.options, game.options["board"]
    facts = {"phase": 1, "seat": 0, "turn": "-", "turns": 0, "deck": "", "discard": "", "rest": "deck", **facts}
    seats = [*seats, *(seat() for _ in range(options["players"] - len(seats)))]
    printed = options["two_player_setup"] == "printed"
    blocks = list(LETTERS * (options["blocks_per_colour"] - printed))
    towers = dict(towers or {})
    take(blocks, "".join(towers.values()))
    take(blocks, "".join(one.blocks or "" for one in seats))
    calm = facts.get("calm", f"{COLUMNS[size - 2]}1 {COLUMNS[size - 1]}1").split()
    towers |= {field: take_most(blocks, int(str(facts["phase"])[0])) for field in calm}
    if open_seats := [i for i, one in enumerate(seats) if one.blocks is None]:
        owner = max(open_seats, key=lambda i: (i != int(facts["seat"]), i))
        seats[owner].blocks, blocks = "".join(blocks), []
    assert not blocks, "blocks are left"
    return finish(game, seats, towers, facts)


def finish(game, seats, towers, facts):
    """The text of a position whose blocks are all in their places: deals the cards that remain."""
    options, size = game.options, game.options["board"]
    cards = [letter for letter in LETTERS for _ in range(options["cards_per_colour"])]
    take(cards, facts["deck"] + facts["discard"] + "".join(one.hand or "" for one in seats))
    for one in seats:
        if one.hand is None:
            one.hand, cards = "".join(cards[-options["hand"] :]), cards[: -options["hand"]]
        assert len(one.hand) == options["hand"], one.hand
    piles = {"deck": facts["deck"], "discard": facts["discard"]}
    piles[facts["rest"]] += "".join(cards)
    tower_text = ",".join(f"{at}:{in_order(towers[at])}" for at in sorted(towers, key=lambda at: number(at, size)))
    return " ".join(
        [
            options["sides"] if options["sides"] != "random" else "AAAA",
            tower_text or "-",
            "/".join(seat_text(one, size) for one in seats),
            piles["deck"] or "-",
            in_order(piles["discard"]),
            *(str(facts[key]) for key in ("phase", "seat", "turn", "turns")),
            facts.get("chance", CHANCE),
        ]
    )


def seat_text(one, size):
    """The text of a seat."""
    pawns = "+".join(sorted(one.pawns, key=lambda field: number(field, size))) or "-"
    return f"{one.points}:{in_order(one.hand)}:{in_order(one.blocks or '')}:{'jx'[not one.joker]}:{pawns}"


def at(game, *seats, **facts):
    """The state of a position; see `text_of`."""
    return game.deserialize(f"{game} {text_of(game, *seats, **facts)}")


# Reading.


def read_seat(text):
    """The parts of the text of a seat."""
    points, hand, blocks, joker, pawns = (part if part != "-" else "" for part in text.split(":"))
    return SimpleNamespace(
        points=int(points), hand=hand, blocks=blocks, joker=joker == "j", pawns=pawns.split("+") if pawns else []
    )


def read(state):
    """The parts of the text of a state."""
    parts = [part if part != "-" else "" for part in state.serialize().split(" ")[1:]]
    sides, towers, seats, deck, discard, phase, mover, turn, turns, chance = parts
    return SimpleNamespace(
        sides=sides,
        towers=dict(tower.split(":") for tower in towers.split(",")) if towers else {},
        seats=[read_seat(text) for text in seats.split("/")],
        deck=deck,
        discard=discard,
        phase=phase,
        seat=int(mover),
        turn=turn,
        turns=int(turns),
        chance=chance,
    )


def flat(array):
    """The numbers of an array in C order, whatever holds them."""
    return [value.item() for value in array.ravel()] if hasattr(array, "ravel") else list(array)


def marks(array, size):
    """The texts of the fields that are 1 in an array of zeros and ones."""
    values = flat(array)
    assert set(values) <= {0, 1}
    assert len(values) == size * size
    return names((one for one, value in enumerate(values) if value), size)


# Legal turns, from the text of a position and the colours of its board.


class Table:
    """A position as it lies on the table: `turns` are the texts of the legal turns."""

    def __init__(self, state):
        self.options, text = state.get_game().options, read(state)
        self.size = self.options["board"]
        every = list(product(range(self.size), repeat=2))
        self.colour = {at: LETTERS[c] for at, c in zip(every, flat(state.analysis("colours")), strict=True)}
        self.towers = {place(field, self.size): blocks for field, blocks in text.towers.items()}
        self.owner = {place(field, self.size): i for i, one in enumerate(text.seats) for field in one.pawns}
        self.phase, self.seat = int(text.phase[0]), text.seat
        self.me = text.seats[text.seat]
        self.pawns = [place(field, self.size) for field in self.me.pawns]

    def line(self, at, step):
        """The free fields after one in a direction, and what stands behind them: a field or None."""
        free, (down, right) = [], STEPS[step]
        at = at[0] + down, at[1] + right
        while at in self.colour and at not in self.towers and at not in self.owner:
            free.append(at)
            at = at[0] + down, at[1] + right
        return free, at if at in self.colour else None

    def first_fields(self, free):
        """The first field of each colour in a line."""
        found = {}
        for at in free:
            found.setdefault(self.colour[at], at)
        return found

    def around(self, at):
        """The fields beside a field."""
        beside = [(at[0] + down, at[1] + right) for down, right in STEPS.values()]
        return [other for other in beside if other in self.colour]

    def is_edge(self, at):
        return len(self.around(at)) < 4

    def entered(self):
        """The fields that can be entered, whatever the cards."""
        if len(self.pawns) == self.options["pawns"]:
            return set()
        starts = [
            ((row - down, column - right), step)
            for row, column in self.colour
            for step, (down, right) in STEPS.items()
            if (row - down, column - right) not in self.colour
        ]
        if self.options["entry"] == "from_edge_field":
            taken = {*self.towers, *self.owner}
            starts = [(at, step) for at in self.colour if self.is_edge(at) and at not in taken for step in STEPS]
        return {at for start, step in starts for at in self.first_fields(self.line(start, step)[0]).values()}

    def payments(self, price):
        """The colours that the joker can stand for so that the rest of a price is in the hand; None: no joker."""
        prices = {None: price} | {c: price.replace(c, "", 1) for c in price if self.me.joker}
        return [c for c, rest in prices.items() if all(rest.count(x) <= self.me.hand.count(x) for x in rest)]

    def steps(self):
        """The texts of entering and moving."""
        ends = {f"@{name(at, self.size)}": self.colour[at] for at in self.entered()}
        for rank, at in enumerate(self.pawns):
            for step in STEPS:
                ends |= {f"{rank}{step}-{colour}": colour for colour in self.first_fields(self.line(at, step)[0])}
        return {text + "j" * bool(joker) for text, colour in ends.items() for joker in self.payments(colour)}

    def attacks(self):
        """The texts of capturing and demolishing."""
        found = set()
        for rank, at in enumerate(self.pawns):
            for step in STEPS:
                free, end = self.line(at, step)
                between = {self.colour[other] for other in free}
                if self.owner.get(end, self.seat) != self.seat and self.colour[end] not in between:
                    ways = [(n, joker) for n in (3, 4) for joker in self.payments(self.colour[end] * n)]
                    found |= {f"{rank}{step}x{n}{'j' * bool(joker)}" for n, joker in ways}
                if self.falls(end, between):
                    paid = self.payments(self.towers[end])
                    found |= {f"{rank}{step}d{joker + 'j' if joker else ''}" for joker in paid}
        return found

    def falls(self, at, between):
        """Whether a tower can be demolished over fields of some colours."""
        tower = self.towers.get(at, "")
        few = len(self.me.blocks) < self.options["block_limit"]
        return 0 < len(tower) <= self.phase and few and not between & set(tower)

    def opens(self, at, towers):
        """Whether a tower has access."""
        ways = [other for other in self.around(at) if other not in towers]
        seen = set(ways)
        while ways and self.options["reach"] == "region":
            at = ways.pop()
            if self.is_edge(at):
                return True
            ways += (beside := {other for other in self.around(at) if other not in towers} - seen)
            seen |= beside
        return bool(seen) and self.options["reach"] == "side"

    def builds(self):
        """The texts of building."""
        heights = {self.phase + 1} if self.options["build_height"] == "exact" else range(self.phase + 1, 41)
        towers = [
            "".join(letter * n for letter, n in zip(LETTERS, counts, strict=True))
            for counts in product(*(range(self.me.blocks.count(letter) + 1) for letter in LETTERS))
            if sum(counts) in heights
        ]
        paid = {with_joker(tower, joker) for tower in towers for joker in self.payments(tower)}
        ranks = [rank for rank, at in enumerate(self.pawns) if self.may_build(at)]
        return {f"{rank}b{tower}" for rank in ranks for tower in paid}

    def may_build(self, at):
        """Whether all towers keep their access when one more is built."""
        towers = {*self.towers, at}
        asked = [other for other in self.around(at) if other in towers] + [at] * self.options["reach_new"]
        return all(self.opens(other, towers) for other in asked)

    def swaps(self):
        """The texts of swaps."""
        counts = product(*(range(self.me.hand.count(letter) + 1) for letter in LETTERS))
        return {
            "".join(f"~{letter}" * n for letter, n in zip(LETTERS, some, strict=True))
            for some in counts
            if 1 <= sum(some) <= 5
        }

    def turns(self):
        """The texts of the legal turns."""
        return self.steps() | self.attacks() | self.builds() | self.swaps()


def with_joker(tower, joker):
    """The text of the blocks of a tower; the last one of its colour may be paid by the joker."""
    if joker is None:
        return tower
    last = tower.rindex(joker) + 1
    return f"{tower[:last]}j{tower[last:]}"
