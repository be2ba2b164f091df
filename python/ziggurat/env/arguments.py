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
    if not hasattr(game, "_batch"):
        raise TypeError(f"game is a game's name or what load_game returns, not {game!r}")
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


def drawing(mode: str | None, state: State, player: int) -> str | None:
    """A state as a player sees it, as text or as SVG: nothing that is hidden from him is in it. None without a mode."""
    if mode == "ansi":
        return state.observation_string(player)
    if mode == "svg":
        return state.to_svg(player=player if has_secrets(state.get_game()) else None, hands=True)
    return None


def has_secrets(game: Game) -> bool:
    """Does a player know less than all there is? Drawings for one player are for such games alone."""
    state = game.new_initial_state()
    whole = state.serialize().removeprefix(f"{game} ")
    return any(state.information_state_string(player) != whole for player in range(game.num_players()))
