"""What the others are told of a turn. Where a game has secrets, nothing, unless it is known what is public."""

import re
from collections.abc import Callable

from ziggurat.protocols import Game


def whole(game: Game, text: str) -> str:
    """Blox [BX-6.1]: cards that are played or swapped are shown."""
    return text


def without_numbers(game: Game, text: str) -> str:
    """Numberplace City [NC-6.1]: tiles are laid face down; tiles given for a pass are open if penalty tiles are."""
    what, equals, _ = text.partition("=")
    is_lay = re.match(r"r\d", what) is not None
    hidden = is_lay or (what == "pass" and not game.options["penalties_open"])
    return f"{what}=?" if hidden and equals else text


#: by the name of a game with secrets: what all may know of the text of a turn
PUBLIC: dict[str, Callable[[Game, str], str]] = {"blox": whole, "numberplace_city": without_numbers}


def public_text(game: Game, text: str) -> str | None:
    """The text of a turn as everybody may know it, in a game with secrets; None if that is not known."""
    return PUBLIC[game.name](game, text) if game.name in PUBLIC else None
