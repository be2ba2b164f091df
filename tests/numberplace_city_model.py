"""Positions of Numberplace City made from a few facts and drawn boards, and the parts of their texts."""

from collections import Counter
from types import SimpleNamespace

from playing import play

CHANCE = "0123456789abcdef.0000000000000007"
AREAS = {  # [NC-1.3]
    2: ["034678", "012458"],
    3: ["4678", "0346", "2458"],
    4: ["4678", "0346", "0124", "2458"],
}
EMPTY = "\n".join(["... ... ..."] * 9)
SOLVED = """
    123 456 789
    456 789 123
    789 123 456

    234 567 891
    567 891 234
    891 234 567

    345 678 912
    678 912 345
    912 345 678
"""
PARTS = ("board", "laid", "seats", "supply", "discard", "start", "place", "bonus", "end", "turns", "chance")


# Cells.


def number(cell):
    """The id of a cell."""
    return 9 * (int(cell[1]) - 1) + int(cell[3]) - 1


def name(cell):
    """The text of the cell that has an id."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def names(cells):
    """The texts of some cells."""
    return {name(cell) for cell in cells}


def lines(cell):
    """The lines of a cell, as three lists of ids: its row, its column, its block."""
    top, left = 3 * (cell // 27), 3 * (cell % 9 // 3)
    return [
        [9 * (cell // 9) + i for i in range(9)],
        [9 * i + cell % 9 for i in range(9)],
        [9 * (top + i // 3) + left + i % 3 for i in range(9)],
    ]


def block(cell):
    """The number of the block of a cell."""
    return 3 * (cell // 27) + cell % 9 // 3


def area(game, player):
    """The ids of the cells of a player's area."""
    text = game.options["areas"]
    blocks = (AREAS[game.num_players()] if text == "standard" else text.split("+"))[player]
    return [cell for cell in range(81) if str(block(cell)) in blocks]


# Boards.


def drawn(board):
    """The 81 characters of a board that is drawn as nine lines; spaces are for the eye."""
    rows = [line.replace(" ", "") for line in board.splitlines() if line.strip()]
    assert [len(row) for row in rows] == [9] * 9, board
    return "".join(rows)


def fill(board, *cells):
    """A drawn board with more tiles, or without some: "r1c1=5", "r1c2=."."""
    rows = list(drawn(board))
    for cell in cells:
        rows[9 * (int(cell[1]) - 1) + int(cell[3]) - 1] = cell[-1]
    return redrawn("".join(rows))


def redrawn(cells):
    """The drawing of 81 characters."""
    return "\n".join(cells[9 * row : 9 * row + 9] for row in range(9))


def tiles(text):
    """A set of tiles as it is written."""
    return "".join(sorted(text)) or "-"


# Positions.


def city(load, **options):
    """The game in one of the implementations."""
    return load("numberplace_city", **options)


def seat(hand="", penalties="", points=0, status="in"):
    """What is known of a seat."""
    return SimpleNamespace(hand=hand, penalties=penalties, points=points, status=status)


OUT = seat(penalties="12345", status="out")  # of three or four players


def all_seats(game, given):
    """All seats of a game, where some are given by their numbers: copies that may be changed."""
    seats = [seat() for _ in range(game.num_players())]
    for player, one in (given or {}).items():
        seats[player] = SimpleNamespace(**vars(one))
    return seats


def leftover(game, used):
    """The tiles that are left when some are used, ascending."""
    counts = Counter(used)
    copies = game.options["tiles_per_number"]
    for digit, count in counts.items():
        assert count <= copies, f"{count} tiles of number {digit}"
    return "".join(digit * (copies - counts[digit]) for digit in "123456789")


def text_of(game, board=EMPTY, seats=None, **facts):
    """The text of a position, without the game.

    `seats` are given by number; the others have nothing. Tiles that are named nowhere lie in the supply, ascending,
    after those that are given there; or elsewhere: `rest="discard"`, or the number of a seat, as its penalty tiles.
    """
    facts = {"laid": "", "supply": "", "discard": "", "start": 0, "bonus": "-", "end": "-", "turns": 0, **facts}
    seats, cells = all_seats(game, seats), drawn(board)
    laid = facts["laid"].replace(" ", ",")
    piles = {"supply": facts["supply"], "discard": facts["discard"]}
    used = cells.replace(".", "") + "".join(part[-1] for part in laid.split(",") if part) + "".join(piles.values())
    rest = leftover(game, used + "".join(one.hand + one.penalties for one in seats))
    where = facts.get("rest", "supply")
    if isinstance(where, int):
        seats[where].penalties += rest
    else:
        piles[where] += rest
    waits = facts["bonus"] == "-" == facts["end"]
    place = facts.get("place", 0 if waits else "-")
    fields = [cells, laid or "-", "/".join(map(seat_text, seats)), piles["supply"] or "-", tiles(piles["discard"])]
    fields += [facts["start"], place, facts["bonus"], facts["end"], facts["turns"], facts.get("chance", CHANCE)]
    return " ".join(map(str, fields))


def seat_text(one):
    """The text of a seat."""
    return f"{one.points}:{tiles(one.hand)}:{tiles(one.penalties)}:{one.status}"


def at(game, board=EMPTY, seats=None, **facts):
    """The state of a position; see `text_of`."""
    return game.deserialize(f"{game} {text_of(game, board, seats, **facts)}")


# Rounds.


def order(game, seats, start):
    """The seats in the order in which they act in a round [NC-2.1]."""
    if len(seats) == 2:
        return [start, 1 - start, 1 - start, start]
    clockwise = [(start + i) % len(seats) for i in range(len(seats))]
    return [player for player in clockwise if seats[player].status == "in"]


def ready(game, board, acts, seats=None, start=0, **facts):
    """A position at the start of a round, in which the players also hold the tiles of some acts, and these acts.

    Who is not told what to do passes, which costs nothing with an empty hand.
    """
    seats = all_seats(game, seats)
    players = order(game, seats, start)
    acts = [*acts, *["pass"] * (len(players) - len(acts))]
    for player, act in zip(players, acts, strict=True):
        seats[player].hand += act.partition("=")[2]
    return at(game, board, dict(enumerate(seats)), start=start, **facts), acts


def revealed(game, board, *acts, **facts):
    """The state after a round."""
    state, acts = ready(game, board, acts, **facts)
    return play(state, *acts)


def told(game, board, *acts, **facts):
    """The events of the last act of a round."""
    state, acts = ready(game, board, acts, **facts)
    return events(play(state, *acts[:-1]), acts[-1])


def events(state, act):
    """The events of an act, which is not played."""
    before = state.serialize()
    found = state.events(state.string_to_action(act))
    assert state.serialize() == before
    return found


# Reading.


def read_seat(text):
    points, hand, penalties, status = text.split(":")
    return seat(hand.strip("-"), penalties.strip("-"), int(points), status)


def read(state):
    """The parts of the text of a state."""
    parts = SimpleNamespace(**dict(zip(PARTS, state.serialize().split(" ")[1:], strict=True)))
    parts.laid = [part for part in parts.laid.split(",") if part != "-"]
    parts.seats = [read_seat(part) for part in parts.seats.split("/")]
    parts.supply, parts.discard = parts.supply.strip("-"), parts.discard.strip("-")
    parts.turns = int(parts.turns)
    return parts


def built(state):
    """The built tiles: {cell: number}."""
    return {name(cell): int(digit) for cell, digit in enumerate(read(state).board) if digit != "."}


def of_board(board):
    """The tiles of a drawn board: {cell: number}."""
    return {name(cell): int(digit) for cell, digit in enumerate(drawn(board)) if digit != "."}


def hands(state):
    return [one.hand for one in read(state).seats]


def penalties(state):
    return [one.penalties for one in read(state).seats]


def points(state):
    return [one.points for one in read(state).seats]


def statuses(state):
    return [one.status for one in read(state).seats]


def every_tile(state):
    """All tiles, wherever they are."""
    now = read(state)
    held = "".join(one.hand + one.penalties for one in now.seats)
    return tiles(now.board.replace(".", "") + "".join(part[-1] for part in now.laid) + held + now.supply + now.discard)


def flat(array):
    """The numbers of an array in C order, whatever holds them."""
    return [value.item() for value in array.ravel()] if hasattr(array, "ravel") else list(array)
