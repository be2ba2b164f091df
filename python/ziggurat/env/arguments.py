"""What environments check and make of their arguments."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

import ziggurat

if TYPE_CHECKING:
    from collections.abc import Collection

    from ziggurat import Game, State

RENDER_MODES = ("ansi", "svg")


def loaded(game: str | Game, preset: str | None, options: dict[str, str | int | bool]) -> Game:
    """The game by name, preset and options, or as it is; ValueError for a game with further options."""
    if isinstance(game, str):
        return ziggurat.load_game(game, preset, **options)
    if not hasattr(game, "new_initial_state"):
        raise TypeError(f"game is a name or what load_game returns, not {game!r}")
    if preset is not None or options:
        raise ValueError(f"{game} has its options already; preset and options go with the name of a game")
    return game


def one_of(argument: str, value: str | None, allowed: Collection[str | None]) -> str | None:
    """The word; ValueError if it is not allowed."""
    if value not in allowed:
        raise ValueError(f"{argument} is one of {', '.join(map(repr, allowed))}, not {value!r}")
    return value


def action_id(action: object, count: int) -> int:
    """The action of a caller as a plain int; TypeError or ValueError if it is no id."""
    try:
        number = index(action)  # type: ignore[arg-type]  # that is what is being found out
    except TypeError as error:
        raise TypeError(f"an action is an integer from 0 to {count - 1}, not {action!r}") from error
    if not 0 <= number < count:
        raise ValueError(f"an action is an integer from 0 to {count - 1}, not {action!r}")
    return number


def drawing(mode: str, state: State, player: int) -> str:
    """A state as a player sees it, as text or as SVG: nothing that is hidden from him is in it."""
    if mode == "ansi":
        return state.observation_string(player)
    return state.to_svg(player=player if is_for_one(state, player) else None, hands=True)


def is_for_one(state: State, player: int) -> bool:
    """Does the player know less than all there is? Drawings for one player are for games with secrets alone."""
    return f"{state.get_game()} {state.information_state_string(player)}" != state.serialize()
