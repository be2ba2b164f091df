"""Records of Blokus: SGF game trees whose root names one of the game types below. The usual file name ends in .blksgf.

`loads` and `load` read, `dumps` and `dump` write, `positions` and `validate` play a record on the engine, `from_moves`
and `from_states` make one of a game that the engine has played.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import index
from os import PathLike
from pathlib import Path
from typing import SupportsIndex

from ziggurat import __version__, load_game
from ziggurat.formats import sgf
from ziggurat.formats.blksgf_replay import CELL, OLD_WORDS, WORDS, Replay, in_order, side_to_move
from ziggurat.formats.errors import RecordError, UnsupportedGameError, shortened
from ziggurat.formats.sgf import Node, Property, Tree, escape
from ziggurat.protocols import Game, State

#: The values of GM and the presets that they stand for.
GAME_TYPES = {
    "Blokus": "classic",
    "Blokus Two-Player": "classic-2",
    "Blokus Three-Player": "classic-3",
    "Blokus Duo": "duo",
    "Blokus Junior": "junior",
}


@dataclass(frozen=True)
class BlokusTree:
    """A game tree of Blokus. UnsupportedGameError if its root names no game type that is known.

    `names`, `comment` and the functions of this module read the properties that they know; `tree` has all of them.
    """

    tree: Tree

    def __post_init__(self) -> None:
        self.game_type  # noqa: B018  # raises if there is none

    @property
    def game_type(self) -> str:
        """The value of GM in the root: one of GAME_TYPES."""
        found = self.tree.nodes[0].all("GM")
        if not found:
            raise self.tree.error(UnsupportedGameError, 0, f"the root has no GM; expected one of {type_names()}")
        text = str(found[0])
        if len(found) > 1 or len(found[0].values) > 1:
            raise self.tree.error(RecordError, 0, "the root has one GM with one value", text)
        if found[0].values[0] not in GAME_TYPES:
            message = f"'{shortened(found[0].values[0])}' is not supported; expected one of {type_names()}"
            raise self.tree.error(UnsupportedGameError, 0, message, text)
        return found[0].values[0]

    @property
    def preset(self) -> str:
        """The preset of `blokus` that the record is played by."""
        return GAME_TYPES[self.game_type]

    def names(self) -> list[str | None]:
        """The names of the players, in their order; None for a player without a name."""
        raw = [self.tree.nodes[0].value(word) for word in name_words(load_game("blokus", self.preset))]
        return [None if value is None else sgf.unescape_simple(value) for value in raw]

    def comment(self, number: int) -> str | None:
        """The comment of a node; None if it has none. IndexError if there is no such node."""
        value = self.tree.node(number).value("C")
        return None if value is None else sgf.unescape(value)


def loads(text: str | bytes) -> BlokusTree:
    """The record that a text begins with. RecordError if it is none; whether its moves are legal is not looked at."""
    return BlokusTree(sgf.loads(text))


def dumps(record: BlokusTree) -> str:
    """The text of a record. Old forms of moves are written in the new form, all else as it is."""
    words = WORDS[2] if record.preset in ("duo", "junior") else WORDS[4]
    modern = Tree()
    modern.nodes = [
        Node([modernised(entry, words) for entry in node.properties], node.parent, node.line, node.children)
        for node in record.tree.nodes
    ]
    return sgf.dumps(modern)


def load(path: str | PathLike[str]) -> BlokusTree:
    """The record in a file. RecordError if it is none, OSError if the file cannot be read."""
    return loads(Path(path).read_bytes())


def dump(record: BlokusTree, path: str | PathLike[str]) -> None:
    """Write a record to a file, as UTF-8."""
    data = dumps(record).encode("utf-8")
    Path(path).write_bytes(data)


def positions(record: BlokusTree, path: Iterable[int] | None = None) -> Iterator[tuple[int, State]]:
    """The number of each node of a path from the root and the state after it; without a path of the main line.

    Each state is the caller's own. Blocked colours pass before the next move. RecordError, with line, node and text,
    at the first node that is not legal; ValueError if the numbers are not a path.
    """
    line = record.tree.main_line() if path is None else path
    return Replay(record.tree, record.preset).positions(line)


def validate(record: BlokusTree) -> None:
    """Play all variations: RecordError at the first node, in pre-order, that is not legal."""
    Replay(record.tree, record.preset).validate()


def from_moves(
    game: str | Game,
    actions: Iterable[SupportsIndex | str],
    names: Sequence[str | None] | None = None,
    comments: Mapping[int, str] | None = None,
) -> BlokusTree:
    """The record of a game: a preset or what `load_game` makes of one, and its actions from the start, ids or texts.

    `names` has an entry for each player. `comments[n]` is said after n actions; a pass has no node, so what is said
    after one goes to the node before. Raises ValueError for a game without a game type, wrong names or comments, and
    IllegalActionError or ParseError for actions that cannot be played.
    """
    played = playable(game)
    state, tree = played.new_initial_state(), Tree()
    nodes = [0]  # after each number of actions
    for action in actions:
        move = play(state, action)
        nodes.append(nodes[-1] if move is None else tree.add(nodes[-1], [move]))
    tree.nodes[0].properties += root_properties(state, names)
    for count, comment in sorted((comments or {}).items()):
        if not 0 <= count < len(nodes):
            raise ValueError(f"a comment is said after {count} actions; expected 0 to {len(nodes) - 1}")
        add_comment(tree.nodes[nodes[count]], comment)
    return BlokusTree(tree)


def from_states(
    states: Iterable[State],
    names: Sequence[str | None] | None = None,
    comments: Mapping[int, str] | None = None,
) -> BlokusTree:
    """The record of a game by its states, from the start on, one after each action; else like `from_moves`.

    ValueError if there are none, if the first is not the start, or if no action leads from one to the next.
    """
    kept = list(states)
    for state in kept:
        if not hasattr(state, "get_game"):
            raise TypeError(f"states are states of a game of load_game, not {state!r}")
    if not kept or kept[0] != kept[0].get_game().new_initial_state():
        found = f"{kept[0].serialize()} as the first" if kept else "none"
        raise ValueError(f"expected the states of a game from its start on, not {found}")
    game = kept[0].get_game()
    playable(game)
    actions = [action_between(before, after) for before, after in pairwise(kept)]
    return from_moves(game, actions, names, comments)


# The rest is private to this module.


def type_names() -> str:
    return ", ".join(GAME_TYPES)


def playable(game: str | Game) -> Game:
    """The game of a preset, or the game itself, if it has a game type."""
    if isinstance(game, str):
        if game not in GAME_TYPES.values():
            known = ", ".join(GAME_TYPES.values())
            raise ValueError(f"{game!r} has no game type; presets that have one: {known}")
        return load_game("blokus", game)
    game_type_of(game)
    return game


def game_type_of(game: Game) -> str:
    """The game type of a game that is equal to a preset which has one."""
    for game_type, preset in GAME_TYPES.items():
        if str(load_game("blokus", preset)) == str(game):
            return game_type
    known = ", ".join(f"{load_game('blokus', preset)} ({name})" for name, preset in GAME_TYPES.items())
    raise ValueError(f"{game} has no game type; there are {known}")


def play(state: State, action: SupportsIndex | str) -> Property | None:
    """Play an action; the property that says so, None for a pass."""
    played = state.string_to_action(action) if isinstance(action, str) else index(action)
    colours = int(state.get_game().options["colours"])
    word = WORDS[colours][side_to_move(state)]
    state.apply_action(played)
    text = state.action_to_string(played)
    return None if text == "pass" else Property(word, (text,))


def action_between(before: State, after: State) -> int:
    """The action that leads from a state to another one."""
    for action in before.legal_actions():
        state = before.clone()
        state.apply_action(int(action))
        if state == after:
            return int(action)
    raise ValueError(f"no action leads from {before.serialize()} to {after.serialize()}")


def root_properties(state: State, names: Sequence[str | None] | None) -> list[Property]:
    """What the root says of a game that ends with a state."""
    game = state.get_game()
    words = name_words(game)
    if names is not None and len(names) != len(words):
        raise ValueError(f"there are {len(names)} names; expected one for each of {len(words)} players")
    for name in names or ():
        if name is not None and not isinstance(name, str):
            raise TypeError(f"a name is a text or None, not {name!r}")
    entries = {
        "GM": game_type_of(game),
        "FF": "4",
        "CA": "UTF-8",
        "AP": f"ziggurat:{escape(__version__, composed=True)}",
        **{word: escape(name) for word, name in zip(words, names or (), strict=False) if name is not None},
        **result(state),
    }
    return [Property(name, (value,)) for name, value in entries.items()]


def name_words(game: Game) -> list[str]:
    """The properties that name the players."""
    return ["PB", "PW"] if game.num_players() == 2 else [f"P{player + 1}" for player in range(game.num_players())]


def result(state: State) -> dict[str, str]:
    """RE for a finished game of two players: the format has no other."""
    if state.get_game().num_players() != 2 or not state.is_terminal():
        return {}
    first, second = (int(score) for score in state.scores())
    winner = "B+" if first > second else "W+" if second > first else ""
    return {"RE": f"{winner}{abs(first - second)}"}


def add_comment(node: Node, comment: str) -> None:
    """Say something in a node, on a line of its own if something has been said."""
    said = [sgf.unescape(entry.values[0]) for entry in node.all("C")]
    node.properties = [entry for entry in node.properties if entry.name != "C"]
    node.properties.append(Property("C", (escape("\n".join([*said, comment])),)))


def modernised(entry: Property, words: Sequence[str]) -> Property:
    """A property without old forms: colours as words, a value for each cell."""
    name = entry.name
    if name in OLD_WORDS and len(words) == 4:
        name = words[OLD_WORDS.index(name)]
    elif name not in words or len(entry.values) == 1:
        return entry
    text = ",".join(entry.values)
    cells = text.lower().split(",")
    if text.isascii() and all(CELL.fullmatch(cell) for cell in cells):
        text = ",".join(in_order(cells))
    return Property(name, (text,))
