"""Blokus beside the public package blokus-rl: the same random games in both, then the rates of both.

    pip install blokus-rl ziggurat
    python bench/peers/blokus_rl.py [--games 200] [--helped-games 100] [--repetitions 7] [--json FILE]

At every ply of every game the legal placements, the scores and the end of the game are compared. A difference is
counted, shown with the earliest position it was seen in, and makes the exit status 1. See README.md beside this file.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module, metadata
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ziggurat as zg
from ziggurat.reference.random import CHOICES, Stream, stream_key

HERE = Path(__file__).resolve().parent
sys.path = [folder for folder in sys.path if Path(folder).resolve() != HERE]  # this file has the package's name
sys.path.append(str(HERE.parent))

from harness import (  # noqa: E402
    RATIO_HEADERS,
    Contestant,
    check_build,
    engine_facts,
    facts_text,
    interleave,
    load_average,
    machine,
    ratio_cells,
    save,
    table,
)

SIDE = 20
PASS = "pass"
Cells = tuple[tuple[int, int], ...]  # (row from the top, column) of each square


def load_peer() -> Any:
    """The class of the package's native game, without the learning environment around it."""
    try:
        return import_module("blokus_rl._blokus").PyBlokus
    except ImportError as error:
        sys.exit(f"The package blokus-rl is needed beside ziggurat: pip install blokus-rl ({error})")


# Which placement is which action.


def board(peer: Any) -> NDArray[np.uint8]:
    """[4, 20, 20] squares of each colour, colour 0 first."""
    return np.frombuffer(peer.observe(0).observation, np.uint8).reshape(4, SIDE, SIDE)


def legal_in(peer: Any) -> NDArray[np.intp]:
    """Actions that the package allows the colour to move."""
    return np.frombuffer(peer.observe(peer.agent_selection).action_mask, bool).nonzero()[0]


def placed(peer: Any, action: int) -> Cells:
    """The squares that an action fills: found by playing it in a copy."""
    copy = peer.copy()
    copy.step(int(action))
    return tuple((int(row), int(column)) for _, row, column in np.argwhere(board(copy) != board(peer)))


def examples(peer_class: Any, seat: int) -> Iterator[tuple[int, int, int, Cells]]:
    """Actions of a seat in random games: the package's orientation, row and column, and the squares they fill."""
    rng = random.Random(seat)
    while True:
        peer = peer_class()
        while not peer.is_over and not peer.terminations[peer.agent_selection]:
            actions = legal_in(peer)
            for action in actions if peer.agent_selection == seat else ():
                orientation, row, column = np.unravel_index(action, peer_class.action_grid_shape)
                yield int(orientation), int(row), int(column), placed(peer, action)
            peer.step(int(rng.choice(actions)))


def learn_shapes(peer_class: Any) -> dict[int, Cells]:
    """Squares of each of the package's orientations for seat 0, relative to the action's row and column."""
    shapes: dict[int, Cells] = {}
    for orientation, row, column, cells in examples(peer_class, 0):
        shape = tuple((r - row, c - column) for r, c in cells)
        if shapes.setdefault(orientation, shape) != shape:
            sys.exit(f"orientation {orientation} has two shapes: {shapes[orientation]} and {shape}")
        if len(shapes) == peer_class.action_grid_shape[0]:
            return shapes
    raise AssertionError("unreachable")


def seen(cells: Cells, k: int) -> frozenset[tuple[int, int]]:
    """Cells under symmetry k of the board: bit 0 mirrors the columns, bit 1 the rows, bit 2 swaps both."""
    last = SIDE - 1
    mirrored = ((last - r if k & 2 else r, last - c if k & 1 else c) for r, c in cells)
    return frozenset((c, r) if k & 4 else (r, c) for r, c in mirrored)


def learn_frame(peer_class: Any, seat: int, shapes: dict[int, Cells]) -> int:
    """The symmetry that leads from a seat's own view, in which the package numbers its actions, to the board."""
    frames = set(range(8))
    for orientation, row, column, cells in islice(examples(peer_class, seat), 3000):
        own = tuple((row + r, column + c) for r, c in shapes[orientation])
        frames = {k for k in frames if seen(own, k) == frozenset(cells)}
    if len(frames) != 1:
        sys.exit(f"seat {seat}: {len(frames)} symmetries explain the actions of the package, not one")
    return frames.pop()


def translate(peer_class: Any, game: zg.Game) -> NDArray[np.int32]:
    """[seats, actions of the package] our action on the same cells; -1 for numbers of what does not fit the board."""
    placements = range(game.num_distinct_actions() - 1)
    action_on = {frozenset(game.action_to_string(action).split(",")): action for action in placements}
    shapes = learn_shapes(peer_class)
    ours = np.full((4, peer_class.num_actions), -1, np.int32)
    for seat in range(4):
        frame = learn_frame(peer_class, seat, shapes)
        for index, own in numbered(shapes, peer_class.action_grid_shape):
            ours[seat, index] = action_on[frozenset(cell_text(*cell) for cell in seen(own, frame))]
        known = ours[seat][ours[seat] >= 0]
        if sorted(known) != list(placements):
            sys.exit(f"seat {seat}: the placements do not match one to one: {len(known)} and {len(placements)}")
    return ours


def numbered(shapes: dict[int, Cells], grid: tuple[int, int, int]) -> Iterator[tuple[int, Cells]]:
    """The package's actions that fit the board, with their cells in the mover's own view."""
    for orientation, shape in shapes.items():
        height, width = (1 + max(axis) for axis in zip(*shape, strict=True))
        for row in range(SIDE - height + 1):
            for column in range(SIDE - width + 1):
                cells = tuple((row + r, column + c) for r, c in shape)
                yield int(np.ravel_multi_index((orientation, row, column), grid)), cells


def cell_text(row: int, column: int) -> str:
    """The cell as ziggurat writes it."""
    return f"{'abcdefghijklmnopqrst'[column]}{SIDE - row}"


# The same games in both.


@dataclass
class Findings:
    """What was compared, and the differences of each kind: how many, and the earliest."""

    games: int = 0
    positions: int = 0
    placements: int = 0
    finishers: Counter[int] = field(default_factory=Counter)  # scores of the colours that placed everything
    counts: dict[str, int] = field(default_factory=dict)
    earliest: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, kind: str, ply: int, detail: str) -> None:
        """Note a difference."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if kind not in self.earliest or ply < self.earliest[kind][0]:
            self.earliest[kind] = (ply, detail)

    def report(self) -> str:
        """All of it as text."""
        head = (
            f"{self.games:,} games, {self.positions:,} positions, {self.placements:,} legal placements compared; "
            f"colours that placed everything, by score: {dict(self.finishers) or 'none'}"
        )
        rows = [
            f"DIFFERENCE {kind}: {n} times, first at ply {self.earliest[kind][0]}:\n  {self.earliest[kind][1]}"
            for kind, n in self.counts.items()
        ]
        return "\n".join(
            [head, *(rows or ["no difference in legal placements, blocked colours, scores or ends of games"])]
        )


Choose = Callable[[zg.State, list[int], Stream], int]


@dataclass
class Pair:
    """One game in both engines."""

    state: zg.State
    peer: Any
    translation: NDArray[np.int32]  # [seats, actions of the package]
    inverse: NDArray[np.intp]  # [seats, our actions]
    pass_action: int
    ply: int = 0

    def step(self, action: int) -> None:
        """Play one of our actions in both."""
        seat = self.state.current_player()
        self.state.apply_action(action)
        self.peer.step(None if action == self.pass_action else int(self.inverse[seat, action]))
        self.ply += 1


def compare(pair: Pair, findings: Findings) -> list[int]:
    """Compare the position in both; our legal actions."""
    ours = [int(action) for action in pair.state.legal_actions()]
    placements = [] if ours == [pair.pass_action] else ours
    theirs = sorted(pair.translation[pair.peer.agent_selection][legal_in(pair.peer)].tolist())
    findings.positions += 1
    findings.placements += len(placements)
    for kind, one, other in (
        ("end of the game", pair.state.is_terminal(), pair.peer.is_over),
        ("scores", pair.state.scores().tolist(), list(pair.peer.scores)),
        *(() if pair.state.is_terminal() else on_the_move(pair, placements, theirs)),
    ):
        if one != other:
            findings.add(
                kind, pair.ply, f"{pair.state.serialize()}\n  ziggurat {one!r:.300}\n  blokus-rl {other!r:.300}"
            )
    return ours


def on_the_move(pair: Pair, placements: list[int], theirs: list[int]) -> list[tuple[str, Any, Any]]:
    """What both say of the player to move: kind of fact, ziggurat's, the package's."""
    return [
        ("player to move", pair.state.current_player(), pair.peer.agent_selection),
        ("blocked", not placements, pair.peer.terminations[pair.peer.agent_selection]),
        ("placements", placements, theirs),
    ]


def play_both(pair: Pair, choose: Choose, stream: Stream, findings: Findings) -> None:
    """Play one game, comparing everything on the way; given up at a difference that cannot be played on."""
    findings.games += 1
    legal = compare(pair, findings)
    while not pair.state.is_terminal():
        try:
            pair.step(choose(pair.state, legal, stream))
        except AssertionError as error:
            findings.add("refused action", pair.ply, f"{pair.state.serialize()}\n  blokus-rl: {error}")
            return
        legal = compare(pair, findings)
    findings.finishers.update(int(score) for score in pair.state.scores() if score > 0)


def uniformly(state: zg.State, legal: list[int], stream: Stream) -> int:
    """A legal action, each with the same chance."""
    return legal[stream.bounded(len(legal))]


def helping_blue(single: int) -> Choose:
    """For games in which blue places everything: of a few actions it keeps its ways open, the others close theirs.

    Large pieces go first; the single square counts as a piece of `single` squares.
    """

    def choose(state: zg.State, legal: list[int], stream: Stream) -> int:
        candidates = {legal[stream.bounded(len(legal))] for _ in range(16)}
        best = max if state.current_player() == 0 else min
        return best(sorted(candidates), key=lambda action: (squares(state, action, single), contacts(state, action)))

    return choose


def squares(state: zg.State, action: int, single: int) -> int:
    """How many squares a placement counts for."""
    text = state.action_to_string(action)
    return 0 if text == PASS else single if "," not in text else text.count(",") + 1


def contacts(state: zg.State, action: int) -> float:
    """How many cells the mover's next piece may start from."""
    player, after = state.current_player(), state.clone()
    after.apply_action(action)
    return float(after.observation_tensor(player)[4].sum())


def compare_games(peer_class: Any, game: zg.Game, games: int, helped_games: int) -> Iterator[tuple[str, Findings]]:
    """Findings of uniform random games, and of games in which blue is helped to place everything."""
    translation = translate(peer_class, game)
    inverse = np.zeros((4, game.num_distinct_actions()), np.intp)
    for seat, known in enumerate(translation >= 0):
        inverse[seat, translation[seat, known]] = np.flatnonzero(known)
    pass_action = game.string_to_action(PASS)
    for label, choose, number in (
        ("uniform", uniformly, games),
        ("blue helped, single square last", helping_blue(single=1), helped_games),
        ("blue helped, single square first", helping_blue(single=6), helped_games),
    ):
        findings = Findings()
        for index in range(number):
            pair = Pair(game.new_initial_state(), peer_class(), translation, inverse, pass_action)
            play_both(pair, choose, Stream(stream_key(0, index, CHOICES)), findings)
        yield label, findings


# Rates.


def native_games(game: zg.Game, games: int, threads: int) -> int:
    """Plies of random games played inside ziggurat."""
    return int(zg.simulate(game, games, threads=threads).plies.sum())


def python_games(game: zg.Game, games: int) -> None:
    """Random games with one Python call for the list and one for the step."""
    rng = random.Random(1)
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])


def peer_games(peer_class: Any, games: int) -> None:
    """The same loop on the package's native class; blocked colours are passed over."""
    rng = random.Random(1)
    for _ in range(games):
        peer = peer_class()
        while not peer.is_over:
            player = peer.agent_selection
            if peer.terminations[player]:
                peer.step(None)
                continue
            legal = np.frombuffer(peer.observe(player).action_mask, bool).nonzero()[0]
            peer.step(int(legal[int(rng.random() * len(legal))]))


def environment_games(games: int) -> None:
    """The same through the package's PettingZoo environment, its documented door."""
    rng, environment = random.Random(1), import_module("blokus_rl").BlokusEnv()
    for _ in range(games):
        environment.reset()
        while environment.agents:
            player = environment.agent_selection
            if environment.terminations[player]:
                environment.step(None)
                continue
            legal = environment.observe(player)["action_mask"].view(bool).nonzero()[0]
            environment.step(int(legal[int(rng.random() * len(legal))]))


def contestants(peer_class: Any, game: zg.Game) -> list[Contestant]:
    """What is timed in turns, in games."""
    return [
        Contestant("ziggurat, simulate, 1 thread", lambda: native_games(game, 5000, 1), 5000),
        Contestant("ziggurat, simulate, 2 threads", lambda: native_games(game, 5000, 2), 5000),
        Contestant("ziggurat, loop in Python", lambda: python_games(game, 100), 100),
        Contestant("blokus-rl, loop in Python on PyBlokus", lambda: peer_games(peer_class, 50), 50),
        Contestant("blokus-rl, loop in Python on BlokusEnv", lambda: environment_games(20), 20),
    ]


def rates_table(runners: list[Contestant]) -> str:
    """Games a second, and how many times the package's best loop that is."""
    peer = next(runner for runner in runners if "PyBlokus" in runner.label)
    rows = [[runner.label, *ratio_cells(runner, peer)] for runner in runners]
    return table(["random games of Blokus, games/s", *RATIO_HEADERS], rows)


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Blokus beside the package blokus-rl.")
    parser.add_argument("--games", type=int, default=200, help="uniform random games to compare")
    parser.add_argument(
        "--helped-games",
        type=int,
        default=100,
        help="games to compare in which blue is helped to place everything, of two kinds",
    )
    parser.add_argument("--repetitions", type=int, default=7, help="timed runs of each")
    parser.add_argument("--json", metavar="FILE", help="write findings, times and machine facts")
    return parser.parse_args()


def main() -> int:
    """Compare, then time; 1 if anything differed."""
    arguments = parse_arguments()
    peer_class, game = load_peer(), zg.load_game("blokus")
    facts = machine() | engine_facts() | {"blokus-rl": metadata.version("blokus-rl"), "load before": load_average()}
    print(facts_text(facts), end="\n\n")
    findings = dict(compare_games(peer_class, game, arguments.games, arguments.helped_games))
    for label, found in findings.items():
        print(f"{label}: {found.report()}\n")
    runners = contestants(peer_class, game)
    interleave(runners, arguments.repetitions)
    check_build(facts)
    facts["load after"] = load_average()
    print(f"{rates_table(runners)}\nload after: {facts['load after']}")
    seconds = {runner.label: runner.data() for runner in runners}
    save(arguments.json, {"facts": facts, "findings": {k: vars(f) for k, f in findings.items()}, "rates": seconds})
    return int(any(found.counts for found in findings.values()))


if __name__ == "__main__":
    sys.exit(main())
