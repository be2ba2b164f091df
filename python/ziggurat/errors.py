"""The errors that ziggurat raises on top of `ValueError` and `TypeError`."""


class IllegalActionError(ValueError):
    """An action was applied that is not legal: the message names the action, the player and the reason.

    The state is unchanged.
    """

    rows: tuple[int, ...] = ()  #: of a batch: those whose actions are not legal


class ParseError(ValueError):
    """A text is not what it should be: the message says what was read and what was expected."""
