"""How Numberplace City is played: laying, passing, the bonus, the refill, the next round.

The contract is sections 2 to 4 of `cpp/games/numberplace_city/RULES.md`; the reveal is in
`numberplace_city_reveal.py`. Each step returns the position after it and what it has made public (section 12), so that
playing and telling are one.
"""

from dataclasses import replace
from functools import partial

from ziggurat.reference.numberplace_city_actions import Kind, Move
from ziggurat.reference.numberplace_city_board import TEXTS, turned, with_tiles
from ziggurat.reference.numberplace_city_options import HAND
from ziggurat.reference.numberplace_city_play import is_first_number, offers_choice
from ziggurat.reference.numberplace_city_reveal import reveal, win
from ziggurat.reference.numberplace_city_state import (
    Bonus,
    End,
    Event,
    Laid,
    State,
    Step,
    acts,
    all_have_passed,
    begin_round,
    chained,
    clockwise,
    event,
    has_all_points,
    how_ended,
    is_final,
    is_in,
    is_terminal,
    places_to_act,
    players,
    sorted_tiles,
    to_move,
    winners,
    with_penalties,
    with_player,
    with_points,
    without,
)
from ziggurat.reference.random import Stream


def play(s: State, move: Move) -> Step:
    """The position after a legal action, and what it makes public."""
    s, events = act(s, move) if s.bonus is None else decide(s, s.bonus, move)
    return s, events + ([end_event(s)] if is_terminal(s) else [])


def end_event(s: State) -> Event:
    """[NC-12.4] What is told at the end."""
    return event("end", by=how_ended(s), winners="+".join(map(str, winners(s))) or "-")


# Laying and passing.


def act(s: State, move: Move) -> Step:
    """[NC-2.1] A lay or a pass; then the next player acts, or the tiles are revealed."""
    player = to_move(s)
    others = [other for other in players(s) if other != player and acts(s, other)]
    solo = move.kind == Kind.LAY and not others  # [NC-2.5]
    step = partial(lay if move.kind == Kind.LAY else pass_on, move=move, player=player)
    return chained(count_turn(s), step, partial(go_on, solo=solo))


def count_turn(s: State) -> State:
    """[NC-5.2] Turns are counted where there is a limit."""
    return replace(s, turns=s.turns + 1) if s.options.max_turns else s


def lay(s: State, move: Move, player: int) -> Step:
    """[NC-2.2] A tile is laid face down."""
    s = with_player(s, player, hand=without(s.seats[player].hand, move.number))
    s = replace(s, laid=(*s.laid, Laid(player, move.cell, move.number)))
    return s, [event("laid", player=player, cell=TEXTS[move.cell])]  # [NC-12.1]


def pass_on(s: State, move: Move, player: int) -> Step:
    """[NC-2.3] [NC-2.4] A pass; in the final phase it is for good, and may be the end."""
    told = event("passed", player=player)
    if is_final(s):
        s = with_player(s, player, status="passed")
    if move.kind == Kind.GIVE:
        s = with_player(s, player, hand=without(s.seats[player].hand, move.number))
        s = with_penalties(s, player, move.number)
        told |= {"number": move.number} if s.options.penalties_open else {}  # [NC-12.1]
    return (replace(s, place=None, end=End("count")) if all_have_passed(s) else s), [told]


def go_on(s: State, solo: bool) -> Step:
    """[NC-2.6] The next player acts, or, if all have acted, the tiles are revealed."""
    assert s.place is not None
    places = places_to_act(s, s.place)
    if places:
        return replace(s, place=places[0]), []
    return reveal(replace(s, place=None), solo, give_bonus)


# The bonus.


def give_bonus(s: State, built: list[Laid]) -> Step:
    """[NC-3.8] Who has built the lowest number has a bonus."""
    if not built:
        return end_round(s)
    number = min(tile.number for tile in built)
    owners = [tile.player for tile in built if tile.number == number]
    player = next(seat for seat in clockwise(s) if seat in owners)
    bonus = first_decision(s, player, number) if is_in(s, player) else None
    told = event("bonus_lapsed" if bonus is None else "bonus", player=player, number=number)  # [NC-12.2]
    if bonus is not None:
        return replace(s, bonus=bonus), [told]
    s, events = end_round(s)
    return s, [told, *events]


def first_decision(s: State, player: int, number: int) -> Bonus | None:
    """[NC-4.3] What the owner of a bonus decides first; None if nothing is asked."""
    if s.options.bonus_scope == "all_up_to":
        return next_decision(s, Bonus(player, number, 0))
    return Bonus(player, number) if offers_choice(s, Bonus(player, number)) else None


def next_decision(s: State, bonus: Bonus) -> Bonus | None:
    """[NC-4.2] [NC-4.3] With `all_up_to` the next effect that offers a choice; None if there is none."""
    for effect in range(bonus.effect + 1, bonus.number + 1):
        decision = bonus._replace(effect=effect)
        if is_first_number(s, effect) and offers_choice(s, decision):
            return decision
    return None


def decide(s: State, bonus: Bonus, move: Move) -> Step:
    """[NC-4.2] A decision about a bonus; then the next one, or the end of the round."""
    return chained(s, partial(use, player=bonus.player, move=move), partial(go_on_deciding, bonus=bonus))


def go_on_deciding(s: State, bonus: Bonus) -> Step:
    """[NC-4.2] The next decision with `all_up_to`, or the end of the round."""
    following = next_decision(s, bonus) if s.options.bonus_scope == "all_up_to" else None
    return end_round(replace(s, bonus=None)) if following is None else (replace(s, bonus=following), [])


def use(s: State, player: int, move: Move) -> Step:
    """[NC-4.1] An effect, or none."""
    effects = {
        Kind.REMOVE: remove,
        Kind.START: make_start,
        Kind.DISCARD: give_away,
        Kind.TURN: turn,
        Kind.POINT: take_point,
        Kind.WIN: win_at_once,
        Kind.DECLINE: decline,
    }
    s, told = effects[move.kind](s, player, move)
    return (replace(s, bonus=None, next_start=None) if s.end is not None else s), [told]  # [NC-8.2]


def remove(s: State, player: int, move: Move) -> tuple[State, Event]:
    """[NC-4.1] `r`: a built tile goes to the discard."""
    number = s.board[move.cell]
    s = replace(s, board=with_tiles(s.board, {move.cell: 0}), discard=sorted_tiles(s.discard, [number]))
    return s, event("removed", player=player, cell=TEXTS[move.cell], number=number)


def make_start(s: State, player: int, move: Move) -> tuple[State, Event]:
    """[NC-4.1] `s`: the player becomes start player from the next round on."""
    return replace(s, next_start=None if player == s.start else player), event("start_player", player=player)


def give_away(s: State, player: int, move: Move) -> tuple[State, Event]:
    """[NC-4.1] `d`: an own penalty tile goes to the discard."""
    s = with_player(s, player, penalties=without(s.seats[player].penalties, move.number))
    s = replace(s, discard=sorted_tiles(s.discard, [move.number]))
    return s, event("discarded", player=player, number=move.number)


def turn(s: State, player: int, move: Move) -> tuple[State, Event]:
    """[NC-4.1] `t`: all built tiles turn; lines are not scored, areas not looked at."""
    return replace(s, board=turned(s.board, move.turn)), event("turned", player=player, turn=move.turn)


def take_point(s: State, player: int, move: Move) -> tuple[State, Event]:
    """[NC-4.1] `p`: a point, with which the player may win."""
    s = with_points(s, player, 1)
    told = event("point", player=player, points=s.seats[player].points)
    return (win(s, "points", player) if has_all_points(s, player) else s), told


def win_at_once(s: State, player: int, move: Move) -> tuple[State, Event]:
    """[NC-4.1] `w`: the player wins."""
    return win(s, "bonus", player), event("bonus_win", player=player)


def decline(s: State, player: int, move: Move) -> tuple[State, Event]:
    """[NC-4.2] The player does without."""
    return s, event("declined", player=player)


# The end of a round.


def end_round(s: State) -> Step:
    """[NC-4.4] [NC-4.6] The hands are filled, then the next round begins."""
    drawing = [player for player in clockwise(s) if acts(s, player)]
    return chained(s, *(partial(refill, player=player) for player in drawing), next_round)


def refill(s: State, player: int) -> Step:
    """[NC-4.4] [NC-4.5] A player draws up to four tiles."""
    stream = Stream(s.key, s.counter)
    hand, supply, discard = list(s.seats[player].hand), list(s.supply), list(s.discard)
    events, drawn = [], 0
    while len(hand) < HAND:
        if not supply and discard and s.options.recycle:
            supply, discard = discard, []
            stream.shuffle(supply)
            events.append(event("recycled", tiles=len(supply)))
        if not supply:
            break
        hand.append(supply.pop(0))
        drawn += 1
    if drawn:
        events.append(event("refilled", player=player, tiles=drawn))
    s = with_player(s, player, hand=sorted_tiles(hand))
    return replace(s, supply=tuple(supply), discard=tuple(discard), counter=stream.counter), events


def next_round(s: State) -> Step:
    """[NC-4.6] The next round, with its start player."""
    start = s.start if s.next_start is None else s.next_start
    s = replace(s, start=start, next_start=None)
    if is_in(s, start):
        return begin_round(s), []
    start = next(player for player in clockwise(s) if is_in(s, player))
    return begin_round(replace(s, start=start)), [event("start_player", player=start)]  # [NC-12.4]
