"""The reveal of Numberplace City: what becomes of the laid tiles, who wins by it, and who goes out.

The contract is section 3 of `cpp/games/numberplace_city/RULES.md`. Each step returns the position after it and what
it has made public (section 12).
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ziggurat.reference.numberplace_city_board import (
    LINES,
    PEERS,
    TEXTS,
    Board,
    block_of,
    cells_text,
    contradicting,
    is_full,
    with_tiles,
)
from ziggurat.reference.numberplace_city_options import area_of, eliminating, is_exclusive
from ziggurat.reference.numberplace_city_state import (
    End,
    Event,
    Laid,
    State,
    Step,
    all_have_passed,
    chained,
    clockwise,
    event,
    has_all_points,
    is_in,
    players,
    with_penalties,
    with_player,
    with_points,
)


class Knock(NamedTuple):
    """[NC-3.2] A tile that becomes a penalty tile within the round, why, and by whose tile."""

    tile: Laid
    reason: str
    by: int


class Fall(NamedTuple):
    """[NC-3.3] A claim that the board contradicts, the cells that do, and those of them whose tiles its owner takes."""

    claim: Laid
    cells: list[int]
    taken: list[int]


def reveal(s: State, solo: bool, after: Callable[[State, list[Laid]], Step]) -> Step:
    """[NC-2.6] The reveal; then, if the game goes on, what comes after it, which is told the tiles that were built.

    `solo` says whether the one tile of the round is a solo tile ([NC-2.5]).
    """
    claims, knocks = compared(s.laid)
    standing, falls = against_board(s, claims)
    return chained(
        s,
        partial(score_laid, solo=solo),
        *(partial(knock_out, knock=knock) for knock in knocks),
        *(partial(fall, fallen=fallen) for fallen in falls),
        *(partial(build, tile=claim, solo=solo) for claim in standing),
        eliminate,
        lambda s: after(s, standing),
    )


def score_laid(s: State, solo: bool) -> Step:
    """[NC-3.1] With `solo_point=laid` the point for a solo tile."""
    if not solo or s.options.solo_point != "laid":
        return s, []
    player = s.laid[0].player
    s, events = score_solo(s, player)
    return (win(s, "points", player) if has_all_points(s, player) else s), events


def score_solo(s: State, player: int) -> Step:
    """The point for a solo tile."""
    s = with_points(s, player, 1)
    return s, [event("solo_point", player=player, points=s.seats[player].points)]


def win(s: State, how: str, player: int) -> State:
    """The position after a player has won."""
    return replace(s, end=End(how, player))


# Within the round.


def compared(laid: tuple[Laid, ...]) -> tuple[list[Laid], list[Knock]]:
    """[NC-3.2] The claims in their order, and what is knocked out, in laying order."""
    claims: list[Laid] = []
    knocks = []
    for tile in laid:
        place = next((i for i, claim in enumerate(claims) if claim.cell == tile.cell), None)
        if place is None:
            rival = next((claim for claim in claims if clashes(claim, tile)), None)
            if rival is None:
                claims.append(tile)
            else:
                knocks.append(Knock(tile, "line", rival.player))
        elif claims[place].number == tile.number:
            knocks.append(Knock(claims[place], "same_number", tile.player))
            claims[place] = tile
        else:
            knocks.append(Knock(tile, "other_number", claims[place].player))
    return claims, knocks


def clashes(claim: Laid, tile: Laid) -> bool:
    """[NC-3.2] Whether a claim has the number of a tile on another cell and shares a line with it."""
    return claim.number == tile.number and claim.cell in PEERS[tile.cell]


def knock_out(s: State, knock: Knock) -> Step:
    """[NC-3.2] A tile becomes its owner's penalty tile."""
    player, cell, number = knock.tile
    told = event("knocked_out", player=player, cell=TEXTS[cell], number=number, reason=knock.reason, by=knock.by)
    return with_penalties(picked_up(s, knock.tile), player, number), [told]


def picked_up(s: State, tile: Laid) -> State:
    """The position without a laid tile."""
    place = s.laid.index(tile)
    return replace(s, laid=s.laid[:place] + s.laid[place + 1 :])


# Against the board.


def against_board(s: State, claims: list[Laid]) -> tuple[list[Laid], list[Fall]]:
    """[NC-3.3] The claims that the board as it stands does not contradict, and the others, both in claim order."""
    standing, falls = [], []
    gone: set[int] = set()  # cells whose tiles an earlier claim has taken
    for claim in claims:
        cells = contradicting(s.board, claim.cell, claim.number)
        if not cells:
            standing.append(claim)
            continue
        left = [cell for cell in cells if cell not in gone]
        taken = left if s.options.board_conflict == "all" else left[:1]
        gone.update(taken)
        falls.append(Fall(claim, cells, taken))
    return standing, falls


def fall(s: State, fallen: Fall) -> Step:
    """[NC-3.3] The owner of a claim takes his tile and built tiles, whose cells are empty again."""
    player, cell, number = fallen.claim
    told = event(
        "contradicted",
        player=player,
        cell=TEXTS[cell],
        number=number,
        tiles=cells_text(fallen.cells),
        taken=cells_text(fallen.taken),
    )
    s = with_penalties(picked_up(s, fallen.claim), player, number, *(number for _ in fallen.taken))
    return replace(s, board=with_tiles(s.board, dict.fromkeys(fallen.taken, 0))), [told]


# Building.


def build(s: State, tile: Laid, solo: bool) -> Step:
    """[NC-3.4] [NC-3.5] A claim is built and scored; then the win check."""
    player, cell, number = tile
    s = replace(picked_up(s, tile), board=with_tiles(s.board, {cell: number}))
    points = line_points(s, player, s.board, cell)
    s = with_points(s, player, points)
    events = [event("built", player=player, cell=TEXTS[cell], number=number, points=points)]
    if solo and s.options.solo_point == "built":
        s, more = score_solo(s, player)
        events += more
    return win_check(s, player), events


def line_points(s: State, player: int, board: Board, cell: int) -> int:
    """[NC-3.4] What a player scores for the lines of a cell that are filled on a board."""
    row, column, block = (is_full(board, line) for line in LINES[cell])
    return row + column + block * (2 if is_exclusive(s.options, player, block_of(cell)) else 1)


def win_check(s: State, builder: int) -> State:
    """[NC-3.6] The position in which a player has won, if one has."""
    if has_all_points(s, builder):
        return win(s, "points", builder)
    for player in (builder, *clockwise(s)):
        if is_in(s, player) and is_full(s.board, area_of(s.options, player)):
            return win(s, "area", player)
    return s


# Elimination.


def eliminate(s: State) -> Step:
    """[NC-3.7] Who has too many penalty tiles is out; perhaps the game is over."""
    events: list[Event] = []
    for player, seat in enumerate(s.seats):
        if seat.status != "out" and len(seat.penalties) >= eliminating(s.options):
            s = with_player(s, player, status="out")
            events.append(event("eliminated", player=player, penalties=len(seat.penalties)))
    rest = [player for player in players(s) if is_in(s, player)]
    if len(rest) == 1:
        return win(s, "last", rest[0]), events
    if not rest:
        return replace(s, end=End("nobody")), events
    return (replace(s, end=End("count")) if all_have_passed(s) else s), events
