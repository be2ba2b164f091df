"""A position of Numberplace City, the set-up, and small questions about it.

The contract is sections 1, 2 and 5 of `cpp/games/numberplace_city/RULES.md`; how the game is played is in
`numberplace_city_turns.py`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from ziggurat.reference.numberplace_city_board import EMPTY, Board
from ziggurat.reference.numberplace_city_options import HAND, Options, all_tiles, area_of
from ziggurat.reference.random import Stream

Tiles = tuple[int, ...]  # numbers: ascending, but for the supply


class Laid(NamedTuple):
    """A laid tile: whose it is, where it lies, its number."""

    player: int
    cell: int
    number: int


class Bonus(NamedTuple):
    """[NC-8.3] A bonus that is decided: by whom, the number of the tile, with `all_up_to` that of the effect."""

    player: int
    number: int
    effect: int = 0  # 0 where there are no effects one after the other


class End(NamedTuple):
    """[NC-8.3] How the game has ended, and who has won; with `nobody` and `count` -1."""

    how: str
    winner: int = -1


@dataclass(frozen=True)
class Seat:
    """What a player has. `status` is `in`, `passed` (for good) or `out`."""

    points: int = 0
    hand: Tiles = ()
    penalties: Tiles = ()
    status: str = "in"


@dataclass(frozen=True)
class State:
    """A position. Of `place`, `bonus` and `end` exactly one is there."""

    options: Options
    seats: tuple[Seat, ...]
    supply: Tiles  # from the front
    board: Board = EMPTY
    laid: tuple[Laid, ...] = ()  # in laying order
    discard: Tiles = ()
    start: int = 0
    next_start: int | None = None  # whom the bonus has made start player from the next round on
    place: int | None = None  # of the player to move in the order of the round
    bonus: Bonus | None = None
    end: End | None = None
    turns: int = 0
    key: int = 0  # of the stream of chance
    counter: int = 0


Event = dict[str, int | str]
Step = tuple[State, list[Event]]  # the position after a step, and what it has made public


def event(name: str, **facts: int | str) -> Event:
    """Something that becomes public, section 12."""
    return {"event": name, **facts}


def chained(s: State, *steps: Callable[[State], Step]) -> Step:
    """Steps one after the other; the end of the game ends them."""
    events: list[Event] = []
    for step in steps:
        if s.end is None:
            s, more = step(s)
            events += more
    return s, events


def initial(options: Options, key: int) -> State:
    """[NC-1.4] The start of a game; the key is that of its chance stream."""
    stream = Stream(key)
    tiles = all_tiles(options)
    stream.shuffle(tiles)
    seats = []
    for _ in range(options.players):
        hand, tiles = tiles[:HAND], tiles[HAND:]
        seats.append(Seat(hand=tuple(sorted(hand))))
    s = State(options, tuple(seats), tuple(tiles), key=key, counter=stream.counter)
    return begin_round(s)


def begin_round(s: State) -> State:
    """[NC-4.6] The position at the start of a round; the end, if nobody can lay."""
    if not any(could_lay(s, player) for player in players(s)):
        return replace(s, end=End("count"))
    return replace(s, place=places_to_act(s, -1)[0])


# Tiles.


def sorted_tiles(*parts: Iterable[int]) -> Tiles:
    """Some tiles together, ascending."""
    return tuple(sorted(number for part in parts for number in part))


def without(tiles: Tiles, number: int) -> Tiles:
    """Some tiles with one less of a number."""
    place = tiles.index(number)
    return tiles[:place] + tiles[place + 1 :]


# Players.


def players(s: State) -> range:
    """All players by seat."""
    return range(s.options.players)


def clockwise(s: State) -> list[int]:
    """[NC-1.3] The players from the start player on, clockwise."""
    return [(s.start + i) % s.options.players for i in players(s)]


def is_in(s: State, player: int) -> bool:
    """[NC-3.6] Whether a player is in: who has passed for good is."""
    return s.seats[player].status != "out"


def acts(s: State, player: int) -> bool:
    """[NC-2.1] Whether a player is in and has not passed for good."""
    return s.seats[player].status == "in"


def all_have_passed(s: State) -> bool:
    """[NC-2.4] Whether all who are in have passed for good."""
    return not any(acts(s, player) for player in players(s))


def has_all_points(s: State, player: int) -> bool:
    """[NC-3.6] Whether a player has the points that win."""
    return s.seats[player].points >= s.options.points_to_win


def free_cells(s: State, player: int) -> list[int]:
    """[NC-2.2] The cells of a player's area that hold no built tile."""
    return [cell for cell in area_of(s.options, player) if not s.board[cell]]


def could_lay(s: State, player: int) -> bool:
    """[NC-4.6] Whether a player is in, has not passed for good, and has both a tile and an unbuilt cell in his area."""
    return acts(s, player) and bool(s.seats[player].hand) and bool(free_cells(s, player))


def with_player(s: State, player: int, **facts: int | str | Tiles) -> State:
    """The position with other things of a player."""
    seat = replace(s.seats[player], **facts)  # type: ignore[arg-type]  # facts are fields of a seat
    return replace(s, seats=(*s.seats[:player], seat, *s.seats[player + 1 :]))


def with_points(s: State, player: int, points: int) -> State:
    """The position after a player has scored."""
    return with_player(s, player, points=s.seats[player].points + points)


def with_penalties(s: State, player: int, *numbers: int) -> State:
    """The position after a player has taken penalty tiles."""
    return with_player(s, player, penalties=sorted_tiles(s.seats[player].penalties, numbers))


# Rounds.


def order(options: Options, start: int) -> list[int]:
    """[NC-2.1] The players in the order in which they act in a round, whether they are in or not."""
    if options.players == 2:
        return [start, 1 - start, 1 - start, start]
    return [(start + i) % options.players for i in range(options.players)]


def places_to_act(s: State, after: int) -> list[int]:
    """[NC-2.1] The places after one in the order of the round whose players act."""
    return [place for place, player in enumerate(order(s.options, s.start)) if place > after and acts(s, player)]


def is_final(s: State) -> bool:
    """[NC-2.4] Whether it is the final phase."""
    if s.options.players == 2:
        return False
    return s.options.start_in_final or not all(is_in(s, player) for player in players(s))


def to_move(s: State) -> int:
    """The player to move; after the end the start player."""
    if s.bonus is not None:
        return s.bonus.player
    return s.start if s.place is None else order(s.options, s.start)[s.place]


def in_turn(s: State) -> bool:
    """[NC-7.1] Whether a turn has been begun and not ended: every action is a whole turn."""
    return False


# The end.


def limit_reached(s: State) -> bool:
    """[NC-5.2] Whether the next lay or pass would be one more than there may be."""
    return s.place is not None and 0 < s.options.max_turns <= s.turns


def is_terminal(s: State) -> bool:
    """Whether the game is over."""
    return s.end is not None or limit_reached(s)


def how_ended(s: State) -> str:
    """[NC-12.4] How the game has ended."""
    return "limit" if s.end is None else s.end.how


def winners(s: State) -> list[int]:
    """[NC-5.3] The players who have won; nobody before the end."""
    if not is_terminal(s) or how_ended(s) == "nobody":
        return []
    return [s.end.winner] if s.end is not None and s.end.winner >= 0 else best(s)


def best(s: State) -> list[int]:
    """[NC-5.1] Of those who are in, the players with most points, of these those with fewest penalty tiles."""
    ranks = {player: (seat.points, -len(seat.penalties)) for player, seat in enumerate(s.seats) if is_in(s, player)}
    return [player for player, rank in ranks.items() if rank == max(ranks.values())]


def scores(s: State) -> list[int]:
    """[NC-5.3] The points, at any time."""
    return [seat.points for seat in s.seats]
