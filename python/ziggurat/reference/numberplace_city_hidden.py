"""What a player of Numberplace City sees of the tiles, and what he does not see, drawn anew.

The contract is section 6 of `cpp/games/numberplace_city/RULES.md`.
"""

from dataclasses import replace

from ziggurat.reference.numberplace_city_state import Laid, State, Tiles, players, sorted_tiles
from ziggurat.reference.random import Stream


def sees_hand(s: State, viewer: int, player: int) -> bool:
    """[NC-6.1] Whether a player sees the hand of a player."""
    return viewer == player


def sees_penalties(s: State, viewer: int, player: int) -> bool:
    """[NC-6.1] Whether a player sees the numbers of the penalty tiles of a player."""
    return viewer == player or s.options.penalties_open


def sees_laid(s: State, viewer: int, tile: Laid) -> bool:
    """[NC-6.1] [NC-8.5] Whether a player sees the number of a laid tile: after an end, unless the limit was it, all."""
    return viewer == tile.player or s.end is not None


def determinize(s: State, viewer: int, stream: Stream) -> State:
    """[NC-6.2] A position that a player cannot tell from this one, drawn from a stream."""
    s = replace(s, key=stream.draw(), counter=0)
    tiles = unseen(s, viewer)
    stream.shuffle(tiles)
    laid = tuple(tile if sees_laid(s, viewer, tile) else tile._replace(number=tiles.pop(0)) for tile in s.laid)
    seats = list(s.seats)
    for player in players(s):
        if not sees_hand(s, viewer, player):
            seats[player] = replace(seats[player], hand=dealt(tiles, seats[player].hand))
    for player in players(s):
        if not sees_penalties(s, viewer, player):
            seats[player] = replace(seats[player], penalties=dealt(tiles, seats[player].penalties))
    return replace(s, laid=laid, seats=tuple(seats), supply=tuple(tiles))


def unseen(s: State, viewer: int) -> list[int]:
    """[NC-6.2] The tiles that a player does not see, by number."""
    tiles = [*s.supply, *(tile.number for tile in s.laid if not sees_laid(s, viewer, tile))]
    for player, seat in enumerate(s.seats):
        tiles += [] if sees_hand(s, viewer, player) else seat.hand
        tiles += [] if sees_penalties(s, viewer, player) else seat.penalties
    return sorted(tiles)


def dealt(tiles: list[int], old: Tiles) -> Tiles:
    """As many tiles as there were, taken from the front."""
    taken = [tiles.pop(0) for _ in old]
    return sorted_tiles(taken)
