"""Questions put to tables of solved Pylos: openings, games of perfect players, positions drawn at random."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ziggurat as zg
from ziggurat.solver.player import saving_replies
from ziggurat.solver.tablebase import JudgedTurn, Tablebase

Masks = NDArray[np.uint32]  #: sets of cells: bit i stands for cell i
CLASSES = {"1a1": "corner", "1b1": "edge", "1b2": "centre"}  # of the cells of the lowest level, by their first one


# Positions


@cache
def supports(base: int) -> tuple[int, ...]:
    """For each cell the set of those that it rests on (PY-1.4)."""
    found, first = [0] * (base * base), 0
    for side in range(base - 1, 0, -1):
        corners = [first + row * (side + 1) + column for row in range(side) for column in range(side)]
        found += [1 << c | 1 << c + 1 | 1 << c + side + 1 | 1 << c + side + 2 for c in corners]
        first += (side + 1) ** 2
    return tuple(found)


@cache
def pyramids(base: int) -> tuple[Masks, ...]:
    """The sets of cells that can be occupied, ascending, by number of balls."""
    found = [np.zeros(1, np.uint32)]
    for _ in supports(base):
        last = found[-1]
        grown = [
            last[(last & held == held) & (last >> cell & 1 == 0)] | np.uint32(1 << cell)
            for cell, held in enumerate(map(np.uint32, supports(base)))
        ]
        found.append(np.unique(np.concatenate(grown)))
    return tuple(found)


def own_counts(base: int, balls: int) -> range:
    """How many of the balls on the board may be the mover's."""
    each = len(supports(base)) // 2
    return range(max(0, balls - each), min(balls, each) + 1)


def sample(base: int, size: int, seed: int) -> tuple[Masks, Masks]:
    """`size` positions between turns with a free apex, all equally likely: own and other balls, uint32[size] each."""
    rng = np.random.default_rng(seed)
    sets = pyramids(base)[:-1]
    weights = [len(masks) * sum(comb(n, own) for own in own_counts(base, n)) for n, masks in enumerate(sets)]
    balls = rng.choice(len(sets), size, p=np.array(weights) / sum(weights))
    cells, own = np.zeros(size, np.uint32), np.zeros(size, np.int64)
    for n, masks in enumerate(sets):
        rows = np.flatnonzero(balls == n)
        cells[rows] = rng.choice(masks, len(rows))
        ways = np.array([comb(n, k) for k in own_counts(base, n)], float)
        own[rows] = rng.choice(own_counts(base, n), len(rows), p=ways / ways.sum())
    mine = _some(cells, own, len(supports(base)), rng)
    return mine, cells & ~mine


def _some(cells: Masks, count: NDArray[np.int64], width: int, rng: np.random.Generator) -> Masks:
    """`count` cells of each set, all choices equally likely."""
    bits = np.arange(width, dtype=np.uint32)
    keys = np.where(cells[:, None] >> bits & 1 == 1, rng.random((len(cells), width)), 2.0)
    chosen = keys.argsort(axis=1).argsort(axis=1) < count[:, None]
    return np.asarray((chosen.astype(np.uint32) << bits).sum(axis=1, dtype=np.uint32))


def all_positions(base: int, balls: int) -> Iterator[tuple[Masks, Masks]]:
    """All positions with so many balls: own and other balls, in one part for each number of own balls."""
    masks = pyramids(base)[balls]
    digits = np.array([[i for i in range(32) if int(mask) >> i & 1] for mask in masks], np.uint32).reshape(
        len(masks), balls
    )
    for choice in range(1 << balls):
        if choice.bit_count() in own_counts(base, balls):
            picked = [i for i in range(balls) if choice >> i & 1]
            own = (np.uint32(1) << digits[:, picked]).sum(axis=1, dtype=np.uint32)
            yield own, masks & ~own


def text_of(game: zg.Game, own: int, other: int) -> str:
    """The serialized position with light to move."""
    side, cell, levels = int(game.options["base"]), 0, []
    for width in range(side, 0, -1):
        ids = range(cell, cell + width * width)
        levels.append("".join("L" if own >> i & 1 else "D" if other >> i & 1 else "." for i in ids))
        cell += width * width
    return f"{game} {'/'.join(levels)} L - 0"


def balls_of(text: str) -> tuple[int, int]:
    """(own, other) of a serialized position between turns."""
    levels, side = text.split(") ")[-1].split(" ")[:2]
    cells = levels.replace("/", "")
    light, dark = (sum(1 << i for i, ball in enumerate(cells) if ball == colour) for colour in "LD")
    return (light, dark) if side == "L" else (dark, light)


def unlimited(game: zg.Game) -> zg.Game:
    """The game without a limit of turns: positions that differ in the turns played are equal."""
    options: dict[str, Any] = {**game.options, "max_turns": 0}
    return zg.load_game(game.name, **options)


def state_of(game: zg.Game, own: int, other: int) -> zg.State:
    """The position with light to move; ParseError for one that cannot be."""
    return game.deserialize(text_of(game, own, other))


# Openings and games


def played(state: zg.State, actions: list[int]) -> zg.State:
    """The state after some actions."""
    after = state.clone()
    for action in actions:
        after.apply_action(action)
    return after


def by_class(state: zg.State, turns: list[list[int]]) -> list[tuple[list[int], int]]:
    """The first turn of each class, and how many there are in it: those with equal results up to symmetry."""
    found: dict[Any, tuple[list[int], int]] = {}
    for actions in turns:
        after = played(state, actions)
        key = str(after) if after.is_terminal() else after.canonical()[0].serialize()
        first, count = found.get(key, (actions, 0))
        found[key] = first, count + 1
    return list(found.values())


def openings(table: Tablebase) -> list[dict[str, Any]]:
    """The classes of first turns: value and distance for the first player, and the best replies, one of each class.

    "answers" counts all replies, "keep" those that keep the value.
    """
    start = table.game.new_initial_state()
    judged = {tuple(turn.actions): turn for turn in table.turns(start)}
    rows = []
    for actions, count in by_class(start, [list(actions) for actions in judged]):
        turn, after = judged[tuple(actions)], played(start, actions)
        answers = table.turns(after)
        keep = [answer for answer in answers if answer.value == -turn.value]
        best = by_class(after, table.best_turns(after))
        rows.append(
            {
                "turn": start.turn_to_string(actions),
                "turns": count,
                "value": turn.value,
                "distance": turn.distance,
                "answers": len(answers),
                "keep": len(keep),
                "replies": [[after.turn_to_string(reply), n] for reply, n in best],
            }
        )
    return rows


Choice = Callable[[Tablebase, zg.State, list[JudgedTurn]], JudgedTurn]


def first_best(_table: Tablebase, _state: zg.State, best: list[JudgedTurn]) -> JudgedTurn:
    """The best turn whose action ids come first."""
    return best[0]


def hardest(table: Tablebase, state: zg.State, best: list[JudgedTurn]) -> JudgedTurn:
    """The best turn that leaves the opponent the fewest turns that keep his win; of equals the first."""
    return min(best, key=lambda turn: saving_replies(table, state, turn))


def perfect_game(table: Tablebase, loser: Choice, draw: int = 12) -> list[list[Any]]:
    """A game of two perfect players. The winner plays `first_best`; so do both in a draw: `draw` turns of one are told.

    A row a turn: text, value for its player, distance from the end before it, legal turns, those that keep the value,
    those that are best, and the shortest distance that the player to move could have come to with the same value.
    """
    rows: list[list[Any]] = []
    state = table.game.new_initial_state()
    while not state.is_terminal():
        turns = table.turns(state)
        top = max(turn.merit for turn in turns)
        if top == 0 and len(rows) == draw:
            break
        best = [turn for turn in turns if turn.merit == top]
        keep = [turn for turn in turns if turn.value == best[0].value]
        chosen = (loser if best[0].value < 0 else first_best)(table, state, best)
        ends = [turn.distance for turn in keep if turn.distance is not None]
        told = [state.turn_to_string(chosen.actions), chosen.value, chosen.distance]
        rows.append([*told, len(turns), len(keep), len(best), min(ends, default=None)])
        state = played(state, chosen.actions)
    return rows


# Random positions


class Kinds:
    """What turns of a game do, told from their action ids."""

    def __init__(self, game: zg.Game) -> None:
        self.texts = [game.action_to_string(action) for action in range(game.num_distinct_actions())]

    def takes(self, turn: JudgedTurn) -> bool:
        """Does it take balls back?"""
        return any(self.texts[action][0] == "-" for action in turn.actions)

    def raises(self, turn: JudgedTurn) -> bool:
        """Does it begin with raising a ball?"""
        return ">" in self.texts[turn.actions[0]]

    def waits(self, turn: JudgedTurn) -> bool:
        """Does it take back the ball that it has just placed, and no other?"""
        texts = [text for text in map(self.texts.__getitem__, turn.actions) if text != "stop"]
        return len(texts) == 2 and texts[1] == f"-{texts[0]}"


def habits(table: Tablebase, size: int, seed: int) -> dict[str, Any]:
    """Properties of `size` random positions: {"positions", "open", "won": {trait: n}, "drawn": ..., "lost": ...}.

    Open positions are those that are not over. Traits are "all"; "by one turn" (keeps the result), "by every turn"; and
    for takes, raises and waits "... may" (some turns do, others do not), "... must" (of these: only such turns keep the
    result), "... must not" (only others keep it), "... best" and "... not best" (likewise, of the best turns).
    """
    kinds, counts = Kinds(table.game), Counter[tuple[str, str]]()
    own, other = sample(int(table.game.options["base"]), size, seed)
    stays = ~_skipped(table.game, own, other) if table.game.options["no_move"] == "passes" else np.ones(size, bool)
    for mine, his in zip(own[stays].tolist(), other[stays].tolist(), strict=True):
        turns = table.turns(state_of(table.game, mine, his))
        if turns:
            result = {1: "won", 0: "drawn", -1: "lost"}[max(turn.value for turn in turns)]
            counts.update((result, trait) for trait in _traits(turns, kinds))
    by_result = {
        result: {trait: n for (name, trait), n in sorted(counts.items()) if name == result}
        for result in ("won", "drawn", "lost")
    }
    return {"positions": int(stays.sum()), "open": sum(one.get("all", 0) for one in by_result.values()), **by_result}


def _traits(turns: list[JudgedTurn], kinds: Kinds) -> Iterator[str]:
    """What can be said of a position by its turns."""
    top = max(turns, key=lambda turn: turn.merit)
    keep = [turn for turn in turns if turn.value == top.value]
    best = [turn for turn in keep if turn.merit == top.merit]
    yield "all"
    if len(keep) == len(turns):
        yield "by every turn"
    elif len(keep) == 1:
        yield "by one turn"
    for name in ("takes", "raises", "waits"):
        does = getattr(kinds, name)
        if len({does(turn) for turn in turns}) == 1:
            continue
        yield f"{name} may"
        for group, right, wrong in ((keep, "must", "must not"), (best, "best", "not best")):
            shown = {does(turn) for turn in group}
            if len(shown) == 1:
                yield f"{name} {right if shown == {True} else wrong}"


def differences(tables: dict[str, Tablebase], size: int, seed: int) -> dict[str, Any]:
    """How often the result of a random position is another one under other rules than the first ones.

    {"positions": n, "changes": {game: {"win>draw": n, ..., "distance": n}}}; "distance": the same player wins, but in
    more or fewer turns. Positions whose player would be skipped under one of the rules are left out.
    """
    first = next(iter(tables.values()))
    own, other = sample(int(first.game.options["base"]), size, seed)
    stays = np.ones(size, bool)
    for table in tables.values():
        if table.game.options["no_move"] == "passes":
            stays &= ~_skipped(table.game, own, other)
    own, other = own[stays], other[stays]
    values, distances = first.probe_batch(own, other)
    changes = {}
    for text, table in tables.items():
        if table is not first:
            changes[text] = _changes(values, distances, *table.probe_batch(own, other))
    return {"positions": len(own), "changes": changes}


def _skipped(game: zg.Game, own: Masks, other: Masks) -> NDArray[np.bool_]:
    """Where the player to move could neither place nor raise."""
    full = len(supports(int(game.options["base"]))) // 2
    found = np.zeros(len(own), bool)
    counts = np.array([mask.bit_count() for mask in own.tolist()])
    for row in np.flatnonzero(counts == full).tolist():
        found[row] = not _is_position(game, int(own[row]), int(other[row]))
    return found


def _is_position(game: zg.Game, own: int, other: int) -> bool:
    try:
        state_of(game, own, other)
    except zg.ParseError:
        return False
    return True


def _changes(
    values: NDArray[np.int8], distances: NDArray[np.int16], after: NDArray[np.int8], ends: NDArray[np.int16]
) -> dict[str, int]:
    words = {1: "win", 0: "draw", -1: "loss"}
    out = {f"{words[a]}>{words[b]}": int(((values == a) & (after == b)).sum()) for a in words for b in words if a != b}
    return {**out, "distance": int(((values == after) & (distances != ends)).sum())}


# Examples


def examples(table: Tablebase, both_lose: list[int], draws: list[int]) -> dict[str, Any]:
    """Small mutual zugzwangs and small drawn positions, one of each class under symmetry, and a circle of drawn turns.

    The numbers of both, by balls on the board, say where to look: at the zugzwangs with three balls or more that are
    rarest, and at the smallest draws.
    """
    few = range(9)
    zugzwangs = min((n for n in few[3:] if both_lose[n]), key=lambda n: both_lose[n], default=None)
    drawn = next((n for n in few if draws[n]), None)
    found = {
        "zugzwangs": None if zugzwangs is None else _classes(table, zugzwangs, _both_lose),
        "draws": None if drawn is None else _classes(table, drawn, _drawn),
    }
    if found["draws"]:
        own, other = balls_of(found["draws"]["classes"][0])
        found["circle"] = circle(table, state_of(unlimited(table.game), own, other))
    return found


Search = Callable[[Tablebase, Masks, Masks], NDArray[np.bool_]]


def _both_lose(table: Tablebase, own: Masks, other: Masks) -> NDArray[np.bool_]:
    lost: NDArray[np.bool_] = table.probe_batch(own, other)[0] < 0
    lost[lost] = table.probe_batch(other[lost], own[lost])[0] < 0
    return lost


def _drawn(table: Tablebase, own: Masks, other: Masks) -> NDArray[np.bool_]:
    return np.asarray(table.probe_batch(own, other)[0] == 0)


def _classes(table: Tablebase, balls: int, wanted: Search) -> dict[str, Any]:
    """{"balls", "positions": how many there are, "classes": one text of each class, light to move}."""
    states = []
    for own, other in all_positions(int(table.game.options["base"]), balls):
        rows = np.flatnonzero(wanted(table, own, other)).tolist()
        states += [state_of(table.game, int(own[row]), int(other[row])) for row in rows]
    classes = sorted({state.canonical()[0].serialize() for state in states})
    return {"balls": balls, "positions": len(states), "classes": classes}


def circle(table: Tablebase, start: zg.State) -> dict[str, Any]:
    """Where perfect play can lead from a drawn position, and a shortest circle there.

    {"classes": how many positions, but for symmetry, "start": text of one on the circle, "turns": those that lead back
    to it}. Of equally short circles it is the first one that a search from `start` meets.
    """
    states = {start.serialize(): start}
    ahead: dict[str, list[tuple[str, str]]] = {}
    for key in (queue := [start.serialize()]):
        state, ahead[key] = states[key], []
        for actions in table.best_turns(state):
            after = played(state, actions)
            ahead[key].append((state.turn_to_string(actions), after.serialize()))
            if after.serialize() not in states:
                states[after.serialize()] = after
                queue.append(after.serialize())
    first, turns = _shortest(ahead, queue)
    classes = {state.canonical()[0].serialize() for state in states.values()}
    return {"classes": len(classes), "start": first, "turns": turns}


def _shortest(ahead: dict[str, list[tuple[str, str]]], keys: list[str]) -> tuple[str, list[str]]:
    """Where a shortest circle begins, and its turns. All positions are drawn, so there is one, of two turns or more."""
    found: tuple[str, list[str]] | None = None
    for key in keys:
        line = _way_back(ahead, key)
        if line and (found is None or len(line) < len(found[1])):
            found = key, line
        if found and len(found[1]) == 2:
            break
    if found is None:
        raise ValueError(f"from {keys[0]}, which is drawn, perfect play comes to an end")
    return found


def circles(table: Tablebase, size: int, seed: int) -> dict[str, Any]:
    """The shortest circles that perfect play can enter from those of `size` random positions that are drawn.

    {"positions": how many are drawn, "turns": {length: positions}, "waits": where each turn of the circle just waits,
    "classes": quartiles of how many positions perfect play can lead to}.
    """
    own, other = sample(int(table.game.options["base"]), size, seed)
    rows = np.flatnonzero(_drawn(table, own, other)).tolist()
    game = unlimited(table.game)
    found = [circle(table, state_of(game, int(own[row]), int(other[row]))) for row in rows]
    lengths = Counter(len(one["turns"]) for one in found)
    waits = sum(all(len(set(text.split("-"))) == 1 for text in one["turns"]) for one in found)
    quartiles = np.percentile([one["classes"] for one in found], (0, 25, 50, 75, 100)).tolist() if found else []
    return {"positions": len(rows), "turns": dict(sorted(lengths.items())), "waits": waits, "classes": quartiles}


def _way_back(ahead: dict[str, list[tuple[str, str]]], goal: str) -> list[str]:
    """The texts of a shortest line from a position to itself; none where there is no such line."""
    lines: dict[str, list[str]] = {goal: []}
    for key in (queue := [goal]):
        for text, after in ahead[key]:
            if after == goal:
                return [*lines[key], text]
            if after not in lines:
                lines[after] = [*lines[key], text]
                queue.append(after)
    return []
