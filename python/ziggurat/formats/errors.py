"""The errors of records: what is wrong, and where it stands."""

import re

from ziggurat.errors import ParseError

LONGEST_TEXT = 80  #: characters of a text that a message quotes


class RecordError(ParseError):
    """A record cannot be read or played: the message begins with the place.

    `line` and `column` count from 1, `node` is the place of a node in pre-order, the root being 0, and `text` is what
    was read there: a property, or an action. Each is None where it has no meaning.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        node: int | None = None,
        text: str | None = None,
    ) -> None:
        places = {"line": line, "column": column, "node": node}
        words = [f"{name} {number}" for name, number in places.items() if number is not None]
        if text is not None and node is not None:
            words.append(shortened(text))
        super().__init__(f"{', '.join(words)}: {message}" if words else message)
        self.line, self.column, self.node, self.text = line, column, node, text


class UnsupportedGameError(RecordError):
    """A record is of a game that is not implemented: the message names it and what there is."""


class LayoutError(ParseError):
    """A layout of Blox cannot be read: the message begins with the face and the place in it.

    `face` is the name of the face, such as `NWA`, and `place` what is wrong in it, such as `grid, row 2`; each is None
    where it has no meaning.
    """

    def __init__(self, message: str, *, face: str | None = None, place: str | None = None) -> None:
        where = ", ".join(word for word in (face and f"face {face}", place) if word)
        super().__init__(f"{where}: {message}" if where else message)
        self.face, self.place = face, place


def shortened(text: str) -> str:
    """A text as a message quotes it: characters that do not print are escaped, and the end of a long one is cut off."""
    head = text[:LONGEST_TEXT].encode("unicode_escape").decode() if not text.isprintable() else text[:LONGEST_TEXT]
    return head if len(text) <= LONGEST_TEXT else f"{head}..."


def decoded(data: object, line_break: re.Pattern[bytes]) -> str:
    """The text of bytes; RecordError, with the line, if they are not UTF-8, TypeError if they are no bytes."""
    if not isinstance(data, bytes):
        raise TypeError(f"text is a str or bytes, not {shortened(repr(data))}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = len(line_break.findall(data, 0, error.start)) + 1
        raise RecordError(f"byte 0x{data[error.start]:02x} is not UTF-8 ({error.reason})", line=line) from error
