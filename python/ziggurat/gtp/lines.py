"""GTP's lines: what is a request, and how an answer is written."""

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

LONGEST_LINE = 1 << 16  #: bytes; the rest of a longer one is dropped
TOO_LONG = "(line-too-long)"  #: the command of a line that is
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")  # all but tab and line feed, which are spaces


class Request(NamedTuple):
    """`[id] command arguments`; the id as it was written, or no text."""

    id: str
    command: str
    arguments: list[str]


def requests(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; of one that is too long its id, if it has one, and TOO_LONG as its command."""
    while line := stream.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        head = re.match(rb"\s*(\d{1,20})\s", line)
        yield (head[1] if head else b"") + f" {TOO_LONG}\n".encode()


def parse(line: bytes | str) -> Request | None:
    """The request of a line; None if nothing is left of it without comment and control characters."""
    text = line if isinstance(line, str) else line.decode("utf-8", "replace")
    words = CONTROL.sub("", text).partition("#")[0].split()
    if not words:
        return None
    number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
    return Request(number, words[0] if words else "", words[1:])


def answer(number: str, text: str) -> str:
    """An answer; empty lines in the text, which would end it, are left out."""
    lines = [line.rstrip() for line in text.split("\n")]
    kept = [line for place, line in enumerate(lines) if line or place == 0]
    return f"={number} " + "\n".join(kept) + "\n\n"


def failure(number: str, message: str) -> str:
    """An answer that says why not: one line."""
    return f"?{number} {' '.join(message.split()) or 'failed'}\n\n"
