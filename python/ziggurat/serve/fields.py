"""The fields of a request: each is asked for by its name and type, and what nobody asked for is refused."""

from typing import Any

from ziggurat.formats.errors import shortened
from ziggurat.serve.errors import RequestError

LONGEST_TEXT = 10_000  #: characters of a text; a layout of Blox has fewer
MISSING: Any = object()


class Fields:
    """The fields of a request that have not been asked for yet."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.rest = dict(fields)

    def take(self, name: str, default: Any, kinds: tuple[type, ...], expected: str) -> Any:
        """The value of a field; RequestError if it is missing and has no default, or of another type."""
        value = self.rest.pop(name, default)
        if value is MISSING:
            raise RequestError("bad_request", f"'{name}' is missing: {expected}")
        if value is not default and type(value) not in kinds:  # so that true is no number
            raise RequestError("bad_request", f"'{name}' is {expected}, not {told(value)}")
        return value

    def text(self, name: str, default: Any = MISSING) -> Any:
        """A text."""
        value = self.take(name, default, (str,), "a text")
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            raise RequestError("bad_request", f"'{name}' has at most {LONGEST_TEXT} characters, not {len(value)}")
        return value

    def flag(self, name: str) -> bool:
        """True or false; false if it is missing."""
        return bool(self.take(name, False, (bool,), "true or false"))

    def whole(self, name: str, default: Any = MISSING, lowest: int = 0, highest: int = 2**64 - 1) -> Any:
        """A whole number in a range."""
        value = self.take(name, default, (int,), f"a whole number from {lowest} to {highest}")
        if value is not default and not lowest <= value <= highest:
            raise RequestError("bad_request", f"'{name}' is a whole number from {lowest} to {highest}, not {value}")
        return value

    def word(self, name: str, words: tuple[str, ...]) -> str:
        """One of some words; the first if it is missing."""
        value = self.take(name, words[0], (str,), f"one of {', '.join(words)}")
        if value not in words:
            raise RequestError("bad_request", f"'{name}' is one of {', '.join(words)}, not {told(value)}")
        return str(value)

    def mapping(self, name: str) -> dict[str, Any]:
        """An object; an empty one if it is missing."""
        return dict(self.take(name, {}, (dict,), "an object"))

    def values(self, name: str) -> list[Any] | None:
        """A list; None if it is missing."""
        found: list[Any] | None = self.take(name, None, (list,), "a list")
        return found

    def done(self) -> None:
        """Refuse fields that nobody has asked for."""
        if self.rest:
            raise RequestError("bad_request", f"the command has no field {told(next(iter(self.rest)))}")


def told(value: Any) -> str:
    """A value as a message tells it."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    return "null" if value is None else shortened(repr(value))
