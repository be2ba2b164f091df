"""Which positions of Numberplace City are none.

The contract is [NC-8.4] of `cpp/games/numberplace_city/RULES.md`; its numbers in brackets are cited.
"""

from ziggurat.reference.numberplace_city_board import CELLS, TEXTS, contradicting, is_full
from ziggurat.reference.numberplace_city_options import all_tiles, area_of, eliminating
from ziggurat.reference.numberplace_city_play import is_first_number, offers_choice
from ziggurat.reference.numberplace_city_state import (
    Bonus,
    End,
    State,
    acts,
    all_have_passed,
    could_lay,
    has_all_points,
    is_final,
    is_in,
    order,
    players,
    sorted_tiles,
    to_move,
)


def wrong_with(s: State) -> str:
    """[NC-8.4] What is wrong with a position; empty if nothing is."""
    return (
        phase_fault(s)
        or board_fault(s)
        or tiles_fault(s)
        or laid_fault(s)
        or status_fault(s)
        or points_fault(s)
        or (running_fault(s) if s.end is None else end_fault(s, s.end))
        or turns_fault(s)
    )


def phase_fault(s: State) -> str:
    """(1) What is wrong with place, bonus and end as such."""
    if [s.place, s.bonus, s.end].count(None) != 2:
        return "expected one of place, bonus and end"
    if s.next_start is not None and s.bonus is None:  # [NC-8.2]
        return "there is a next start player, but no bonus is decided"
    return ""


def board_fault(s: State) -> str:
    """(2) What is wrong with the built tiles."""
    for cell in CELLS:
        for other in contradicting(s.board, cell, s.board[cell]) if s.board[cell] else []:
            return f"the tiles on {TEXTS[cell]} and {TEXTS[other]} are equal and share a line"
    return ""


def tiles_fault(s: State) -> str:
    """(3) What is wrong with the number of tiles."""
    built = [number for number in s.board if number]
    laid = [tile.number for tile in s.laid]
    held = [number for seat in s.seats for number in (*seat.hand, *seat.penalties)]
    tiles = sorted_tiles(built, laid, held, s.supply, s.discard)
    if list(tiles) == all_tiles(s.options):
        return ""
    return f"the tiles are {''.join(map(str, tiles))}; expected {s.options.tiles_per_number} of each number"


def laid_fault(s: State) -> str:
    """(4) What is wrong with the laid tiles."""
    for tile in s.laid:
        if s.board[tile.cell]:
            return f"a laid tile lies on the built one on {TEXTS[tile.cell]}"
        if tile.cell not in area_of(s.options, tile.player):
            return f"the laid tile on {TEXTS[tile.cell]} is outside the area of seat {tile.player}"
    if not laid_in_order(s):
        return "the laid tiles are not those of different places before the place to move, in their order"
    for tile in s.laid:
        if not acts(s, tile.player):
            return f"seat {tile.player} has laid a tile and has passed for good or is out"
    if s.laid and s.place is None and (s.end is None or s.end.how not in ("points", "area")):
        return "there are laid tiles, but no round"
    return ""


def laid_in_order(s: State) -> bool:
    """(4) Whether the laid tiles can be of different places before the place to move, in their order."""
    owners = [tile.player for tile in s.laid]
    for player in order(s.options, s.start)[: s.place]:
        if owners and player == owners[0]:
            owners.pop(0)
    return not owners


def status_fault(s: State) -> str:
    """(5) What is wrong with who is out or has passed for good."""
    for player, seat in enumerate(s.seats):
        if seat.status == "out" and len(seat.penalties) < eliminating(s.options):
            return f"seat {player} is out with {len(seat.penalties)} penalty tiles"
        if seat.status == "passed" and not is_final(s):
            return f"seat {player} has passed for good outside the final phase"
    return ""


def points_fault(s: State) -> str:
    """(6) What is wrong with the points."""
    for player, seat in enumerate(s.seats):
        has_won = s.end == End("points", player)
        if has_all_points(s, player) != has_won:
            return f"seat {player} has {seat.points} points and has {'' if has_won else 'not '}won by them"
        if seat.points > s.options.points_to_win + 4:
            return f"seat {player} has {seat.points} points; expected at most {s.options.points_to_win + 4}"
    return ""


def running_fault(s: State) -> str:
    """(7) What is wrong before the end."""
    if sum(is_in(s, player) for player in players(s)) < 2:
        return "fewer than two players are in"
    if all_have_passed(s):
        return "all who are in have passed for good"
    return place_fault(s) if s.bonus is None else next_start_fault(s, s.bonus) or bonus_fault(s, s.bonus)


def place_fault(s: State) -> str:
    """(7) What is wrong while places act."""
    if not is_in(s, s.start):
        return "the start player is out"
    return "" if acts(s, to_move(s)) else "the player to move is out or has passed for good"


def next_start_fault(s: State, bonus: Bonus) -> str:
    """(7) What is wrong with the next start player."""
    if s.next_start is None:
        return ""
    if s.options.bonus_scope != "all_up_to":
        return "there is a next start player while the one decision about a bonus is made"
    if s.next_start == s.start:
        return "the next start player is the start player"
    if "s" not in s.options.bonus_table[: bonus.effect - 1]:
        return "there is a next start player, and no effect of start has been decided yet"
    return "" if s.next_start == bonus.player else "the next start player does not decide the bonus"


def bonus_fault(s: State, bonus: Bonus) -> str:
    """(7) What is wrong with the bonus that is decided."""
    if not acts(s, bonus.player):
        return f"seat {bonus.player} decides a bonus and has passed for good or is out"
    if bonus.effect > bonus.number or (bonus.effect and not is_first_number(s, bonus.effect)):
        return f"{bonus.effect} is not the first number of an effect up to {bonus.number}"
    return "" if offers_choice(s, bonus) else "the bonus offers no choice"


def end_fault(s: State, end: End) -> str:
    """(8) What is wrong after the end."""
    rest = [player for player in players(s) if is_in(s, player)]
    if end.winner >= 0 and end.winner not in rest:
        return f"the winner, seat {end.winner}, is out"
    if end.how == "area" and not is_full(s.board, area_of(s.options, end.winner)):
        return f"the area of seat {end.winner} is not full"
    if len(rest) > {"last": 1, "nobody": 0}.get(end.how, s.options.players):
        return f"{len(rest)} players are in"
    return count_fault(s, len(rest)) if end.how == "count" else ""


def count_fault(s: State, rest: int) -> str:
    """(8) What is wrong after an end by points."""
    if rest < 2:
        return "fewer than two players are in"
    return "somebody can still lay a tile" if any(could_lay(s, player) for player in players(s)) else ""


def turns_fault(s: State) -> str:
    """(9) What is wrong with the number of turns."""
    if s.turns > s.options.max_turns:
        return f"{s.turns} turns are counted; expected at most {s.options.max_turns}"
    return ""
