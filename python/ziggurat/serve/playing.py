"""The commands about an open game: each is asked by a seat, and answered by what that seat may know."""

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

from ziggurat.bots import BOTS
from ziggurat.errors import IllegalActionError, ParseError
from ziggurat.formats import blksgf
from ziggurat.protocols import State
from ziggurat.serve.errors import RequestError
from ziggurat.serve.fields import Fields, told
from ziggurat.serve.table import Seat, Table
from ziggurat.turns import legal_turns, parse_turn

LONGEST_PAGE = 1000  #: entries of a list in one answer
MOST_ACTIONS = 1000  #: of a turn in one request


def view(table: Table, seat: Seat, fields: Fields) -> dict[str, Any]:
    """The position, and turns from number `since` on: without it those since the seat could have moved last."""
    latest = max(len(table.turns) - table.game.num_players(), 0)
    since, limit = fields.whole("since", latest), fields.whole("limit", 100, 1, LONGEST_PAGE)
    wants_svg = fields.flag("svg")
    fields.done()
    numbers = range(len(table.turns))[since : since + limit]
    found = table.view(seat) | {"turns": [table.entry(number, seat) for number in numbers]}
    return found | {"svg": drawn(table, seat)} if wants_svg else found


def drawn(table: Table, seat: Seat) -> str:
    """The drawing, if the game has any."""
    try:
        return table.svg(seat)
    except NotImplementedError as error:
        raise RequestError("unsupported", str(error)) from error


def legal(table: Table, seat: Seat, fields: Fields) -> dict[str, Any]:
    """A page of the legal turns, or of the legal actions, of the seat to move."""
    unit = fields.word("unit", ("turn", "action"))
    start, limit = fields.whole("start", 0), fields.whole("limit", 100, 1, LONGEST_PAGE)
    fields.done()
    table.must_have_turn(seat)
    state = table.imagined()
    count = state.count_turns() if unit == "turn" else state.count_legal()
    page = turns_page(state, start, limit) if unit == "turn" else actions_page(state, start, limit)
    after = start + len(page)
    return {"count": count, "start": start, f"{unit}s": page, "next": after if page and after < count else None}


def turns_page(state: State, start: int, limit: int) -> list[dict[str, Any]]:
    """Some legal turns, from number `start` on."""
    return [{"turn": state.turn_to_string(turn), "actions": turn} for turn in islice(legal_turns(state, start), limit)]


def actions_page(state: State, start: int, limit: int) -> list[dict[str, Any]]:
    """Some legal actions, from number `start` on."""
    actions = state.legal_actions().tolist()[start : start + limit]
    return [{"action": action, "text": state.action_to_string(action)} for action in actions]


def play(table: Table, seat: Seat, fields: Fields) -> dict[str, Any]:
    """Play a turn, or some actions of one."""
    text, actions = fields.text("turn", None), fields.values("actions")
    fields.done()
    if (text is None) == (actions is None):
        raise RequestError("bad_request", "a turn is given as 'turn', a text, or as 'actions', a list: one of them")
    table.must_have_turn(seat)
    chosen = turn_of(table, text) if actions is None else actions_of(table.imagined(), actions)
    return played(table, seat, chosen)


def turn_of(table: Table, text: str) -> list[int]:
    """The actions of the turn that a text says."""
    try:
        return parse_turn(table.imagined(), text)
    except IllegalActionError as error:
        raise RequestError("illegal_turn", str(error)) from error
    except ParseError as error:
        raise RequestError("bad_turn", str(error)) from error


def actions_of(state: State, given: list[Any]) -> list[int]:
    """The ids of actions, which are ids or texts."""
    if not 1 <= len(given) <= MOST_ACTIONS:
        raise RequestError("bad_request", f"'actions' has 1 to {MOST_ACTIONS} actions, not {len(given)}")
    return [action_of(state, action) for action in given]


def action_of(state: State, given: Any) -> int:
    """The id of an action, which is an id or a text."""
    highest = state.get_game().num_distinct_actions() - 1
    if type(given) is int and 0 <= given <= highest:
        return given
    if not isinstance(given, str):
        raise RequestError("bad_turn", f"an action is a text or a number from 0 to {highest}, not {told(given)}")
    try:
        return state.string_to_action(given)
    except ParseError as error:
        raise RequestError("bad_turn", str(error)) from error


def played(table: Table, seat: Seat, actions: list[int]) -> dict[str, Any]:
    """Play actions and tell what has come of it: the turn, with all its events, and how many actions were played."""
    count = table.play(actions)
    return {"turn": table.entry(len(table.turns) - 1, seat), "played": count, **table.status()}


def bot(table: Table, seat: Seat, fields: Fields) -> dict[str, Any]:
    """Let a bot play the turn, or the rest of it: everybody may for seats that are bots."""
    name = fields.text("bot", None)
    fields.done()
    table.must_be_open()
    player = table.state.current_player()
    own = table.names.get(player)
    if own is None or name is not None:
        table.must_have_turn(seat)
    name = name or own
    if name not in BOTS:
        raise RequestError("bad_request", f"'bot' is one of {', '.join(BOTS)}, not {told(name)}")
    return played(table, seat, table.bot(player, name).choose_turn(table.state))


def undo(table: Table, seat: Seat, fields: Fields) -> dict[str, Any]:
    """Take back the last turn, or what is begun of one."""
    fields.done()
    turn = table.undo(seat)
    return {"player": turn.player, "turns_played": len(table.turns), **table.status()}


def record(table: Table, seat: Seat, fields: Fields) -> dict[str, Any]:
    """The record: of a game with secrets after the end alone, or for who sees all."""
    form = fields.word("format", ("json", "blksgf"))
    fields.done()
    found = table.record(seat)
    if form == "json":
        return {"record": json.loads(found.to_json())}
    try:
        return {"record": blksgf.dumps(blksgf.from_moves(table.game, found.actions))}
    except ValueError as error:
        raise RequestError("unsupported", str(error)) from error


GAME_COMMANDS: dict[str, Callable[[Table, Seat, Fields], dict[str, Any]]] = {
    "view": view,
    "legal": legal,
    "play": play,
    "bot": bot,
    "undo": undo,
    "record": record,
}
