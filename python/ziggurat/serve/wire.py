"""Lines and JSON: what comes in is checked to the last digit, what goes out is ASCII."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, TypeAlias

from ziggurat.serve.errors import RequestError

Json: TypeAlias = Any  #: what `json` makes of a text
LONGEST_NUMBER = 20  #: digits of 2**64 - 1
LONGEST_ID = 200  #: characters


def lines(stream: BinaryIO, longest: int) -> Iterator[bytes | None]:
    """The lines of a stream that are not blank; None for one that has more than `longest` bytes, which is skipped."""
    while line := stream.readline(longest + 1):
        if len(line) > longest and not line.endswith(b"\n"):
            while (rest := stream.readline(longest + 1)) and not rest.endswith(b"\n"):
                pass
            yield None
        elif line.strip():
            yield line


def parsed(line: bytes) -> Json:
    """The value of a line. RequestError with code not_json if it is none."""
    try:
        return json.loads(
            line.decode("utf-8"),
            object_pairs_hook=once,
            parse_int=whole_number,
            parse_float=no_number,
            parse_constant=no_number,
        )
    except UnicodeDecodeError as error:
        raise RequestError("not_json", f"byte {error.start} of the line is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise RequestError("not_json", f"{error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise RequestError("not_json", "lists or objects lie too deep in each other") from error


def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object, if each of its keys stands in it once."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RequestError("not_json", "a key stands twice in an object")
    return found


def whole_number(text: str) -> int:
    """A number, if it is not longer than any that is asked for."""
    if len(text) > LONGEST_NUMBER:
        raise RequestError("not_json", f"a number of {len(text)} characters; expected at most {LONGEST_NUMBER}")
    return int(text)


def no_number(text: str) -> Json:
    """Refuse fractions and what JSON has no number for."""
    raise RequestError("not_json", f"all numbers are whole, not {text[:LONGEST_NUMBER]}")


def dumped(answer: dict[str, Json]) -> bytes:
    """The line of an answer."""
    return json.dumps(answer, allow_nan=False).encode("ascii") + b"\n"
