"""Drawings of positions and pieces as SVG: self-contained, without scripts, styles or ids, and equal for equal input.

`draw` finds the drawer of a game by its name: the module `svg_<game>.py` beside this one, whose `draw(state, wishes)`
gets checked arguments. This module has what all drawers share. They read a state through its public methods alone, so
native states and those of the reference look the same.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import index
from pkgutil import iter_modules
from typing import Any, NamedTuple, Protocol, SupportsIndex, TypeAlias, cast
from xml.etree import ElementTree as ET

from ziggurat import formats

Action: TypeAlias = SupportsIndex | str  #: an action id, or the text of an action

MOST_PIXELS = 1000
INK = "#333333"
PAPER = "#ffffff"
FONT = 12  #: the size of words, in units of the drawing
SMALL = 10  #: the size of coordinates
AT_MIDDLE = 0.35  #: what a line of text is lowered by, as a part of its size, to stand in the middle
ACCENT = "#004488"  #: of what is marked, always beside white
HALO = "#ffffff"

IN_LINE = 36  #: letters in a line that tells the order of a pile

PLAYERS = "ABCD"  #: the letters of players, where they have no names


class Look(NamedTuple):
    """How something looks: its fill, and the ink of letters on it."""

    fill: str
    ink: str


# Yellow, green and pink are near to those of Okabe and Ito; tests measure how far apart they look to colour-blind eyes.
SEATS = {
    "A": Look("#0055aa", "#ffffff"),
    "B": Look("#f0e442", "#000000"),
    "C": Look("#00a878", "#000000"),
    "D": Look("#d98fc0", "#000000"),
}


class Rules(Protocol):
    """What drawings ask a game."""

    @property
    def name(self) -> str: ...
    @property
    def options(self) -> Mapping[str, str | int | bool]: ...
    def num_players(self) -> int: ...
    def action_to_string(self, action: int, /) -> str: ...
    def string_to_action(self, text: str, /) -> int: ...
    def table(self, name: str, /) -> Any: ...


class Position(Protocol):
    """What drawings ask a state; native states and those of the reference have all of it."""

    def get_game(self) -> Rules: ...
    def serialize(self) -> str: ...
    def current_player(self) -> int: ...
    def is_terminal(self) -> bool: ...
    def winners(self) -> list[int]: ...
    def legal_actions(self, player: int | None = None, /) -> Iterable[Any]: ...
    def analysis(self, name: str, /) -> Any: ...
    def information_state_string(self, player: int, /) -> str: ...


@dataclass(frozen=True)
class Wishes:
    """The arguments of `draw`, checked: `last` and `legal` are texts of actions of the game.

    An action that stands `alone`, not in a list, must be one that can be marked. For games without secrets `player` is
    None, and `secrets` means nothing.
    """

    last: tuple[str, ...] = ()
    alone: bool = False
    size: float | None = None
    coordinates: bool = True
    hands: bool = False
    legal: tuple[str, ...] = ()
    player: int | None = None
    secrets: bool = False


Drawer: TypeAlias = Callable[[Position, Wishes], str]


def draw(
    state: Position,
    *,
    last_action: Action | Iterable[Action] | None = None,
    size: float | None = None,
    coordinates: bool = True,
    hands: bool = False,
    legal: bool | Iterable[Action] | None = None,
    player: int | None = None,
    secrets: bool = False,
) -> str:
    """The SVG text of a position.

    `last_action` is marked: an action that has been played, as an id or a text, or several, such as those of the last
    turn (passes and stops among several mark nothing, alone they are refused). `size` is the width of a cell (Pylos: of
    a ball's place) in pixels, up to 1000. `coordinates` are the names of rows and columns. `hands` shows what is not on
    the board. `legal` shows where legal actions lead: all of them (True), or some. `player` is for games with secrets:
    whose view it is. What he sees is face up, and `legal` are his actions; with None only what all players see is, and
    `legal` are the actions of the player to move. With `secrets` everything is face up, whoever it is hidden from: the
    view of an umpire, and of those who look at a game that is over. Where there are no secrets it changes nothing.

    Raises ValueError for a value that is not possible, TypeError for a wrong type and NotImplementedError for a game
    that has no drawings; each says what there is.
    """
    game = _game_of(state)
    drawer = _drawer(game)
    viewer, umpire = checked_player(game, player), checked_flag("secrets", secrets)
    if umpire and viewer is not None:
        raise ValueError(f"secrets=True shows what is hidden from player {viewer}: give secrets or player, not both")
    wishes = Wishes(
        last=last_texts(state, last_action),
        alone=is_action(last_action),
        size=checked_size(size),
        coordinates=checked_flag("coordinates", coordinates),
        hands=checked_flag("hands", hands),
        legal=legal_texts(state, legal, viewer),
        player=viewer,
        secrets=umpire,
    )
    return drawer(state, wishes)


def repr_svg(state: Position) -> str | None:
    """The drawing that a notebook shows; None for a game that has no drawings."""
    return draw(state) if _game_of(state).name in drawn_games() else None


def draw_piece(name: str, *, orientation: int = 0, colour: str = "blue", size: float | None = None) -> str:
    """The SVG text of one piece of Blokus: its name (`F`), an orientation (in the order of BK-4.1), a colour's name.

    `size` is the width of a square in pixels. Raises ValueError for a piece, orientation, colour or size that there is
    not, and TypeError for a wrong type.
    """
    from ziggurat.formats import svg_blokus

    return svg_blokus.draw_piece(name, orientation, colour, checked_size(size))


# The registry.


@cache
def drawn_games() -> tuple[str, ...]:
    """The names of the games that have drawings: there is a module svg_<name>.py."""
    modules = (module.name for module in iter_modules(formats.__path__))
    return tuple(sorted(module[4:] for module in modules if module.startswith("svg_")))


def _drawer(game: Rules) -> Drawer:
    """The function that draws the states of a game."""
    if game.name not in drawn_games():
        raise NotImplementedError(f"no drawings of {game.name!r}; there are drawings of {', '.join(drawn_games())}")
    return cast(Drawer, _module(game).draw)


def _module(game: Rules) -> Any:
    """The module that draws a game."""
    return import_module(f"ziggurat.formats.svg_{game.name}")


# Arguments.


def _game_of(state: Position) -> Rules:
    get_game = getattr(state, "get_game", None)
    if get_game is None:
        raise TypeError(f"state is a state of a game of load_game, not {state!r}")
    return cast(Rules, get_game())


def last_texts(state: Position, last: Action | Iterable[Action] | None) -> tuple[str, ...]:
    """The texts of the actions to mark."""
    return () if last is None else _texts(state, "last_action", last)


def legal_texts(state: Position, legal: bool | Iterable[Action] | None, player: int | None) -> tuple[str, ...]:
    """The texts of the legal actions, of a player or of the one to move, to show; ValueError for one that is not."""
    if legal is None or legal is False:
        return ()
    game = state.get_game()
    allowed = tuple(game.action_to_string(int(action)) for action in state.legal_actions(player))
    if legal is True:
        return allowed
    wanted = _texts(state, "legal", legal)
    for text in sorted(set(wanted) - set(allowed)):
        raise ValueError(f"legal is True, False or some of the {len(allowed)} legal actions; '{text}' is none")
    return wanted


def _texts(state: Position, argument: str, value: Action | Iterable[Action]) -> tuple[str, ...]:
    """The canonical texts of an action, or of several."""
    game = state.get_game()
    if is_action(value):
        return (_text(game, argument, cast(Action, value)),)
    if not isinstance(value, Iterable) or isinstance(value, (bytes, bytearray)):
        raise TypeError(f"{argument} is an action's id or text, or several of them, not {value!r}")
    return tuple(_text(game, argument, action) for action in value)


def is_action(value: object) -> bool:
    """Whether a value is an id or a text, not several of them."""
    return isinstance(value, str) or hasattr(value, "__index__")


def _text(game: Rules, argument: str, action: Action) -> str:
    """The canonical text of an action; the game says what is wrong with a text or id that it does not know."""
    if isinstance(action, bool) or not is_action(action):
        raise TypeError(f"{argument} is an action's id or text, or several of them, not {action!r}")
    return game.action_to_string(game.string_to_action(action) if isinstance(action, str) else index(action))


def checked_size(size: float | None) -> float | None:
    """The size, if it is a number of pixels."""
    if size is None:
        return None
    if (
        isinstance(size, bool)
        or hasattr(size, "__len__")
        or not (hasattr(size, "__float__") or hasattr(size, "__index__"))
    ):
        raise TypeError(f"size is a number of pixels, not {size!r}")
    if not 1 <= size <= MOST_PIXELS:  # also refuses nan
        raise ValueError(f"size is a number of pixels from 1 to {MOST_PIXELS}, not {size!r}")
    return float(size)


def checked_player(game: Rules, player: int | None) -> int | None:
    """The player, if the game has secrets and this player."""
    if player is None:
        return None
    if isinstance(player, bool) or not hasattr(player, "__index__"):
        raise TypeError(f"player is the number of a player or None, not {player!r}")
    if not getattr(_module(game), "SECRETS", False):
        raise ValueError(f"player is None for {game.name}, which has no secrets, not {player}")
    if not 0 <= index(player) < game.num_players():
        raise ValueError(f"player is None or a number from 0 to {game.num_players() - 1}, not {player}")
    return index(player)


def checked_flag(argument: str, value: bool) -> bool:
    """The value, if it is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{argument} is True or False, not {value!r}")
    return value


# What positions say.


def seen_fields(state: Position, wishes: Wishes) -> list[str]:
    """The fields of the position text that the wished eyes read: without game, viewer and stream of chance.

    With neither `player` nor `secrets` those of player 0: a drawer leaves out what he alone sees.
    """
    if wishes.secrets:
        return state.serialize().split(" ")[1:-1]
    return state.information_state_string(wishes.player or 0).split(" ")[1:]


def numbers(array: Any) -> list[int]:
    """An array as a flat list: native ones have dimensions, those of the reference have none."""
    return [int(value) for value in (array.ravel() if hasattr(array, "ravel") else array)]


# Elements.


def sheet(title: str, description: str, width: float, height: float, scale: float) -> ET.Element:
    """An empty drawing of `width` x `height` units, each `scale` pixels; screen readers read title and description."""
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg")
    box = f"0 0 {number(width)} {number(height)}"
    _set(root, {"role": "img", "width": width * scale, "height": height * scale, "viewBox": box})
    ET.SubElement(root, "title").text = title
    ET.SubElement(root, "desc").text = description
    add(root, "rect", width=width, height=height, fill=PAPER)
    return root


def add(parent: ET.Element, tag: str, **attributes: str | float) -> ET.Element:
    """A new element; `_` in the name of an attribute stands for `-`."""
    element = ET.SubElement(parent, tag)
    _set(element, {name.replace("_", "-"): value for name, value in attributes.items()})
    return element


def group(parent: ET.Element, part: str, **attributes: str | float) -> ET.Element:
    """A group of elements that says what it shows."""
    return add(parent, "g", data_part=part, **attributes)


def words(parent: ET.Element, x: float, middle: float, text: str, **attributes: str | float) -> ET.Element:
    """A line of text whose middle is at the height `middle`."""
    size = float(parent.get("font-size", FONT))
    element = add(parent, "text", x=x, y=middle + AT_MIDDLE * size, **attributes)
    element.text = text
    return element


def lettering(parent: ET.Element, part: str, size: int = FONT, **attributes: str | float) -> ET.Element:
    """A group of lines of text."""
    return group(parent, part, font_family="sans-serif", font_size=size, fill=INK, **attributes)


class Frame(NamedTuple):
    """Where a square board of `size` x `size` cells lies in a drawing; cells are numbered row by row from the top."""

    size: int
    left: float
    top: float
    unit: float = 40

    def corner(self, cell: int) -> tuple[float, float]:
        """The top left corner of a cell."""
        row, column = divmod(cell, self.size)
        return self.left + self.unit * column, self.top + self.unit * row

    def middle(self, cell: int) -> tuple[float, float]:
        """The middle of a cell."""
        x, y = self.corner(cell)
        return x + self.unit / 2, y + self.unit / 2

    @property
    def side(self) -> float:
        """The side of the board."""
        return self.unit * self.size


def draw_token(part: ET.Element, player: str, x: float, y: float, radius: float = 8) -> None:
    """A small disc that stands for a player."""
    look = SEATS[player]
    token = add(part, "g", font_family="sans-serif", font_size=1.25 * radius, font_weight="bold", text_anchor="middle")
    add(token, "circle", cx=x, cy=y, r=radius, fill=look.fill, stroke=INK, stroke_width=1)
    words(token, x, y, player, fill=look.ink)


def draw_caption(root: ET.Element, player: str | None, status: str, left: float, middle: float) -> None:
    """The line above a board: whose turn it is, or who has won."""
    part = group(root, "caption")
    if player is not None:
        draw_token(part, player, left + 8, middle)
        left += 22
    words(lettering(part, "words"), left, middle, status)


def draw_dots(root: ET.Element, places: Iterable[tuple[float, float]]) -> None:
    """The dots of legal actions; nothing where there are none."""
    dots = list(places)
    if not dots:
        return
    part = group(root, "legal", fill=ACCENT, stroke=HALO, stroke_width=1.5)
    for x, y in dots:
        add(part, "circle", cx=x, cy=y, r=5)


def outline(part: ET.Element, x: float, y: float, side: float) -> None:
    """A line inside a square that marks it, in a group without fill."""
    for colour, width in ((HALO, 5), (ACCENT, 2.5)):
        add(part, "rect", x=x + 2, y=y + 2, width=side - 4, height=side - 4, rx=2, stroke=colour,
            stroke_width=width)  # fmt: skip


def draw_order(part: ET.Element, pile: str, left: float, top: float) -> None:
    """The order of a pile, from its front on, in lines of text; nothing for an empty one."""
    if not pile:
        return
    lines = group(part, "order", font_family="monospace", font_size=9, fill=INK)
    for k in range(0, len(pile), IN_LINE):
        words(lines, left, top + 12 * (k // IN_LINE), pile[k : k + IN_LINE])


def order_height(most: int) -> float:
    """The height of the lines of a pile of at most so many."""
    return 12 * -(-most // IN_LINE)


def finished(root: ET.Element) -> str:
    """The text of a drawing, an element a line."""
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode") + "\n"


def number(value: float) -> str:
    """A number with at most two decimals, without the noise of binary fractions."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _set(element: ET.Element, attributes: Mapping[str, str | float]) -> None:
    for name, value in attributes.items():
        element.set(name, value if isinstance(value, str) else number(value))


def count_of(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Words joined as in a sentence: `blue, red and green`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
