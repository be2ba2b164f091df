"""What a request is refused with: a code that stays the same, and a message that may change."""

CODES = {
    "too_long": "the line is longer than the limit",
    "not_json": "the line is not one JSON value in UTF-8, or has numbers or depths that no request needs",
    "bad_request": "not an object, or a field is missing, unknown, or of another type or range",
    "unknown_command": "there is no such command",
    "bad_game": "there is no such game, preset, option or value",
    "too_many_games": "as many games are open as may be",
    "unknown_game": "no game has this handle",
    "bad_seat": "the game has no such seat",
    "not_your_turn": "another seat is to move",
    "game_over": "the game has ended",
    "bad_turn": "the text or number is of no action of the game",
    "illegal_turn": "the turn is not legal now",
    "cannot_undo": "there is nothing to take back, or something has been revealed since",
    "secret": "the answer would tell what the seat may not know",
    "unsupported": "the game does not have this",
    "internal": "a bug of the server; nothing was changed",
}


class RequestError(Exception):
    """A request is refused; `code` is a key of CODES."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        assert code in CODES
        self.code = code
