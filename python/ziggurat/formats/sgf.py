"""Game trees in the Smart Game Format, FF[4], as UTF-8: read and written without a loss.

A `Tree` keeps every property in its order, with its values as they were written (escapes untouched), so that what is
not understood comes out as it went in. Nothing here recurses: the depth of a tree is bounded by memory alone.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from string import ascii_lowercase

from ziggurat.formats.errors import RecordError, decoded, shortened

SPACE = " \t\n\r\v\f"
LINE_BREAK = re.compile(r"\r\n|\r|\n")
LINE_BREAK_OF_BYTES = re.compile(LINE_BREAK.pattern.encode())
IDENTIFIER = re.compile(r"[a-z]*[A-Z0-9][A-Za-z0-9]*")
STOP = re.compile(r"[\]\\]")
NOT_SPACE = re.compile(rf"[^{SPACE}]|\Z")
WITHOUT_SMALL = dict.fromkeys(map(ord, ascii_lowercase))
WORD = re.compile(r"[A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Property:
    """An identifier and its values, raw: what stood between `[` and `]`. ValueError if a text could not hold them."""

    identifier: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not IDENTIFIER.fullmatch(self.identifier):
            raise ValueError(
                f"{self.identifier!r} is no identifier; expected letters and digits, not all of them small"
            )
        if isinstance(self.values, str):
            raise TypeError(f"values of {self.identifier} is a tuple of texts, not the text {self.values!r}")
        if not self.values:
            raise ValueError(f"{self.identifier} has no value; expected one or more, which may be empty")
        for value in self.values:
            if _end_of_value(f"{value}]", 0) != len(value):
                raise ValueError(f"{value!r} is no raw value; expected every ] and \\ in it behind a \\")
            _check_unicode(value)

    def __str__(self) -> str:
        return self.identifier + "".join(f"[{value}]" for value in self.values)

    @property
    def name(self) -> str:
        """The identifier without small letters, which mean nothing: FF[3] writes `AddBlack` for `AB`."""
        return self.identifier.translate(WITHOUT_SMALL)


@dataclass(slots=True)
class Node:
    """A node: its properties, the numbers of its parent (None for the root) and children, and its line in the text.

    The line is None for a node that was not read. Children are added by `Tree.add` alone.
    """

    properties: list[Property]
    parent: int | None = None
    line: int | None = None
    children: list[int] = field(default_factory=list)

    def all(self, name: str) -> list[Property]:
        """The properties of a name, in order."""
        return [entry for entry in self.properties if entry.name == name]

    def value(self, name: str) -> str | None:
        """The first raw value of the first property of a name; None if there is none."""
        found = self.all(name)
        return found[0].values[0] if found else None


class Tree:
    """A tree of nodes. A node is known by its number: its index in `nodes`, where the root is 0.

    In a tree that was read the numbers are the pre-order, which SGF calls the numbering of nodes.
    """

    def __init__(self, properties: Iterable[Property] = ()) -> None:
        self.nodes = [Node(list(properties))]

    def __eq__(self, other: object) -> bool:
        """Are the properties and the variations the same, whatever the numbers and lines?"""
        if not isinstance(other, Tree):
            return NotImplemented
        return self._shape() == other._shape()

    __hash__ = None  # type: ignore[assignment]  # a tree may grow

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        return f"<SGF tree of {len(self)} nodes: {shortened(''.join(map(str, self.nodes[0].properties)))}>"

    def add(self, parent: int, properties: Iterable[Property] = (), line: int | None = None) -> int:
        """Add a last child to a node; its number. IndexError if there is no such parent."""
        above = self.node(parent)
        self.nodes.append(Node(list(properties), parent, line))
        above.children.append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def node(self, number: int) -> Node:
        """The node of a number. IndexError if there is no such node."""
        if not 0 <= number < len(self.nodes):
            raise IndexError(f"there is no node {number} in a tree of {len(self.nodes)}")
        return self.nodes[number]

    def preorder(self) -> Iterator[int]:
        """The numbers of all nodes, each before its children, first variations first."""
        waiting = [0]
        while waiting:
            number = waiting.pop()
            yield number
            waiting += reversed(self.nodes[number].children)

    def main_line(self) -> list[int]:
        """The numbers from the root to a leaf, always along the first variation."""
        line = [0]
        while self.nodes[line[-1]].children:
            line.append(self.nodes[line[-1]].children[0])
        return line

    def path(self, number: int) -> list[int]:
        """The numbers from the root to a node. IndexError if there is no such node."""
        self.node(number)
        backwards = [number]
        while (parent := self.nodes[backwards[-1]].parent) is not None:
            backwards.append(parent)
        return backwards[::-1]

    def error(self, kind: type[RecordError], number: int, message: str, text: str | None = None) -> RecordError:
        """The error that something is wrong with a node, or with a text in it, ready to be raised."""
        place = list(self.preorder()).index(number)
        return kind(message, line=self.nodes[number].line, node=place, text=text)

    def _shape(self) -> list[tuple[list[Property], int]]:
        return [(self.nodes[n].properties, len(self.nodes[n].children)) for n in self.preorder()]


def loads(text: str | bytes) -> Tree:
    """The first game tree of a text; what stands behind it is left out.

    Bytes are UTF-8; a byte order mark is skipped. White space may stand wherever the grammar has a border. RecordError
    with line and column if the text is something else, TypeError if it is none.
    """
    return _Reader(_decoded(text)).tree()


def dumps(tree: Tree) -> str:
    """The text of a tree: a node a line, brackets around variations only where there are several."""
    parts: list[str] = []
    waiting: list[str | int] = [")\n", 0, "("]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node = tree.nodes[item]
        parts.append(";" + "".join(map(str, node.properties)))
        if len(node.children) == 1:
            waiting += [node.children[0], "\n"]
        else:
            for child in reversed(node.children):
                waiting += [")", child, "\n("]
    return "".join(parts)


# Texts in values.


def escape(text: str, composed: bool = False) -> str:
    """The raw value that says a text, simple or not; `composed` escapes : as well, which divides composed values."""
    return re.sub(r"[\]\\:]" if composed else r"[\]\\]", r"\\\g<0>", text)


def unescape(value: str) -> str:
    """The text of a raw value of type Text: line breaks are kept as \\n, those behind a \\ vanish, tabs are spaces."""
    return _unescaped(value, "\n")


def unescape_simple(value: str) -> str:
    """The text of a raw value of type SimpleText, which has one line: a line break is a space."""
    return _unescaped(value, " ")


def _unescaped(value: str, line_break: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        kept = match[0].removeprefix("\\")
        if kept in ("\r\n", "\n\r", "\r", "\n"):
            return "" if match[0][0] == "\\" else line_break
        return " " if kept in tuple(SPACE) else kept

    return re.sub(r"\\?(?:\r\n|\n\r|[\r\n\t\v\f])|\\(?:.|\Z)", replaced, value)


# The rest is private to this module.


class _State(Enum):
    """What has just been read, in words that say what may follow."""

    NOTHING = "'(' as the first character"
    OPENED = "';', the beginning of a node"
    NODE = "a property, ';', '(' or ')'"
    CLOSED = "'(' or ')'"
    WORD = "'[' and a value"


class _Reader:
    """A text and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]
        self.state = _State.NOTHING
        self.found = Tree()
        self.parents: list[int] = []  # for each open bracket the node before it; -1 before the root
        self.last = -1  # the node that a child would be added to

    def tree(self) -> Tree:
        """The tree that the text begins with."""
        while self.state is _State.NOTHING or self.parents:
            sign = self.next_sign()
            if sign == "(" and self.state in (_State.NOTHING, _State.NODE, _State.CLOSED):
                self.parents.append(self.last)
                self.state = _State.OPENED
            elif sign == ";" and self.state in (_State.OPENED, _State.NODE):
                self.add_node()
            elif sign == ")" and self.state in (_State.NODE, _State.CLOSED):
                self.last = self.parents.pop()
                self.state = _State.CLOSED
            elif self.state is _State.NODE and (word := WORD.match(self.text, self.place)):
                self.add_property(word)
                continue
            else:
                raise self.error()
            self.place += 1
        return self.found

    def next_sign(self) -> str:
        """Skip white space; the character behind it, empty at the end of the text."""
        match = NOT_SPACE.search(self.text, self.place)
        assert match is not None
        self.place = match.start()
        return match[0]

    def add_node(self) -> None:
        line = self.line()
        if self.last < 0:
            self.last = 0
            self.found.nodes[0].line = line
        else:
            self.last = self.found.add(self.last, (), line)
        self.state = _State.NODE

    def add_property(self, word: re.Match[str]) -> None:
        if not IDENTIFIER.fullmatch(word[0]):
            raise self.error(f"'{shortened(word[0])}' is no identifier", "a capital letter or a digit in it")
        self.place = word.end()
        values = []
        while self.next_sign() == "[":
            values.append(self.value())
        if not values:
            self.state = _State.WORD
            raise self.error()
        self.found.nodes[self.last].properties.append(Property(word[0], tuple(values)))

    def value(self) -> str:
        """The raw value at the place of a [; the place behind its ]."""
        start = self.place + 1
        end = _end_of_value(self.text, start)
        if end < 0:
            raise self.error("the text ends inside of the value that begins here", "']'")
        self.place = end + 1
        return self.text[start:end]

    def error(self, what: str = "", expected: str = "") -> RecordError:
        """The error that something else was expected at the place."""
        sign = self.text[self.place : self.place + 1]
        found = what or (f"'{shortened(sign)}' is not what follows here" if sign else "the text ends")
        line = self.line()
        column = self.place - self.starts[line - 1] + 1
        return RecordError(f"{found}; expected {expected or self.state.value}", line=line, column=column)

    def line(self) -> int:
        return bisect_right(self.starts, self.place)


def _end_of_value(text: str, start: int) -> int:
    """The place of the ] that ends the value from `start` on; -1 if there is none."""
    while stop := STOP.search(text, start):
        if stop[0] == "]":
            return stop.start()
        start = stop.end() + 1
    return -1


def _decoded(text: str | bytes) -> str:
    if isinstance(text, str):
        _check_unicode(text)
        return text.removeprefix("\ufeff")
    return decoded(text, LINE_BREAK_OF_BYTES).removeprefix("\ufeff")


def _check_unicode(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        line = len(LINE_BREAK.findall(text[: error.start])) + 1
        raise RecordError(f"character U+{ord(text[error.start]):04X} is not Unicode text", line=line) from error
