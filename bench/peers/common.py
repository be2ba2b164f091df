"""What the comparisons with other packages of Blokus share: the same random games in both, findings, rates."""

import argparse
import random
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import ziggurat as zg
from ziggurat.reference.random import CHOICES, Stream, stream_key

sys.path.append(str(Path(__file__).resolve().parent.parent))

from harness import (
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
SQUARES = 89  # of a whole set
PASS = "pass"
Cell = tuple[int, int]  # row from the top, column
OUR_CORNERS: tuple[Cell, ...] = ((0, 0), (0, SIDE - 1), (SIDE - 1, SIDE - 1), (SIDE - 1, 0))
Fact = tuple[str, Any, Any]  # what it is, ziggurat's word, the package's


def placements_by_cells(game: zg.Game) -> dict[frozenset[Cell], int]:
    """Our action on each set of cells."""
    return {cells_of(game.action_to_string(action)): action for action in range(game.num_distinct_actions() - 1)}


def cells_of(text: str) -> frozenset[Cell]:
    """The cells of a placement as ziggurat writes them."""
    return frozenset((SIDE - int(name[1:]), ord(name[0]) - ord("a")) for name in text.split(","))


class Peer(ABC):
    """One game in the other package."""

    known: ClassVar[Mapping[str, str]] = {}  # kind of fact that is known to differ: the clause of RULES.md and why
    corners: ClassVar[tuple[Cell, ...]] = OUR_CORNERS  # of the seats in the order of play

    @abstractmethod
    def facts(self, state: zg.State, legal: list[int]) -> Iterable[Fact]:
        """What both say of the position; `legal` are our placements."""

    @abstractmethod
    def play(self, seat: int, action: int) -> None:
        """Play one of our actions; an AssertionError if the package refuses it."""

    def admitted(self, ply: int, state: zg.State, legal: list[int]) -> list[int]:
        """Our legal actions that count: our game is `any_corner` if the package has corners of its own."""
        if self.corners == OUR_CORNERS or ply >= len(self.corners):
            return legal
        return [action for action in legal if self.corners[ply] in cells_of(state.action_to_string(action))]


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

    def compare(self, state: zg.State, ply: int, placements: int, facts: Iterable[Fact]) -> None:
        """Count a position, and note what the two do not agree on."""
        self.positions += 1
        self.placements += placements
        for kind, ours, theirs in facts:
            if ours != theirs:
                self.add(kind, ply, f"{state.serialize()}\n  ziggurat {ours!r:.300}\n  package  {theirs!r:.300}")

    def end(self, state: zg.State) -> None:
        """Count the colours that placed everything."""
        self.finishers.update(int(score) for score in state.scores() if score >= 0)

    def report(self, known: Mapping[str, str]) -> str:
        """All of it as text."""
        head = (
            f"{self.games:,} games, {self.positions:,} positions, {self.placements:,} legal placements compared; "
            f"colours that placed everything, by score: {dict(self.finishers) or 'none'}"
        )
        rows = [
            f"{'known difference' if kind in known else 'DIFFERENCE'}: {kind}, {n} times{note(known.get(kind))}; "
            f"first at ply {self.earliest[kind][0]}:\n  {self.earliest[kind][1]}"
            for kind, n in self.counts.items()
        ]
        return "\n".join([head, *(rows or ["no difference"])])


def note(text: str | None) -> str:
    """A known difference's reason in brackets."""
    return f" ({text})" if text else ""


Choose = Callable[[zg.State, list[int], Stream], int]


def play_both(state: zg.State, peer: Peer, choose: Choose, stream: Stream, findings: Findings) -> None:
    """Play one game, comparing everything on the way; given up at an action that the package refuses."""
    findings.games += 1
    pass_action = state.get_game().num_distinct_actions() - 1
    ply = 0
    while True:
        legal = peer.admitted(ply, state, [int(action) for action in state.legal_actions()])
        placements = [] if legal == [pass_action] else legal
        start = [("start square", OUR_CORNERS[ply], peer.corners[ply])] if ply < len(OUR_CORNERS) else []
        findings.compare(state, ply, len(placements), chain(start, peer.facts(state, placements)))
        if state.is_terminal():
            break
        seat, action = state.current_player(), choose(state, legal, stream)
        try:
            peer.play(seat, action)
        except AssertionError as error:
            findings.add("refused action", ply, f"{state.serialize()}\n  package: {error}")
            return
        state.apply_action(action)
        ply += 1
    findings.end(state)


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


def compare_games(game: zg.Game, new_peer: Callable[[], Peer], numbers: "Numbers") -> Iterator[tuple[str, Findings]]:
    """Findings of uniform random games, and of games in which blue is helped to place everything."""
    for label, choose, number in (
        ("uniform", uniformly, numbers.games),
        ("blue helped, single square last", helping_blue(single=1), numbers.helped_games),
        ("blue helped, single square first", helping_blue(single=6), numbers.helped_games),
    ):
        findings = Findings()
        for index in range(number):
            stream = Stream(stream_key(0, index, CHOICES))
            play_both(game.new_initial_state(), new_peer(), choose, stream, findings)
        yield label, findings


# Rates.


def our_contestants(*, two_threads: bool = False) -> list[Contestant]:
    """Our side of the rates, in games."""
    game = zg.load_game("blokus")
    return [
        Contestant("ziggurat, simulate, 1 thread", lambda: native_games(game, 5000, 1), 5000),
        *([Contestant("ziggurat, simulate, 2 threads", lambda: native_games(game, 5000, 2), 5000)] * two_threads),
        Contestant("ziggurat, loop in Python", lambda: python_games(game, 100), 100),
    ]


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


def rates_table(ours: Sequence[Contestant], theirs: Sequence[Contestant]) -> str:
    """Games a second, and how many times the package's best loop that is."""
    best = max(theirs, key=lambda runner: runner.best())
    rows = [[runner.label, *ratio_cells(runner, best)] for runner in (*ours, *theirs)]
    return table(["random games of Blokus, games/s", *RATIO_HEADERS], rows)


# The script.


@dataclass
class Numbers:
    """How much to do."""

    games: int
    helped_games: int
    repetitions: int
    json: str | None = None


def parse_arguments(package: str, default: Numbers) -> Numbers:
    """The command line."""
    parser = argparse.ArgumentParser(description=f"Blokus beside the package {package}.")
    parser.add_argument("--games", type=int, default=default.games, help="uniform random games to compare")
    if default.helped_games:
        text = "games to compare in which blue is helped to place everything, of two kinds"
        parser.add_argument("--helped-games", type=int, default=default.helped_games, help=text)
    parser.add_argument("--repetitions", type=int, default=default.repetitions, help="timed runs of each")
    parser.add_argument("--json", metavar="FILE", help="write findings, times and machine facts")
    return Numbers(**(vars(default) | vars(parser.parse_args())))


def run(
    package: str,
    numbers: Numbers,
    findings: Iterable[tuple[str, Findings]],
    theirs: list[Contestant],
    known: Mapping[str, str],
    ours: list[Contestant] | None = None,
) -> int:
    """Compare, then time; 1 if anything differed that is not known to."""
    ours = ours or our_contestants()
    facts = machine() | engine_facts() | {package: metadata.version(package), "load before": load_average()}
    print(facts_text(facts), end="\n\n")
    found = {}
    for label, found[label] in findings:
        print(f"{label}: {found[label].report(known)}\n", flush=True)
    interleave([*ours, *theirs], numbers.repetitions)
    check_build(facts)
    facts["load after"] = load_average()
    print(f"{rates_table(ours, theirs)}\nload after: {facts['load after']}")
    rates = {runner.label: runner.data() for runner in (*ours, *theirs)}
    save(numbers.json, {"facts": facts, "findings": {k: vars(f) for k, f in found.items()}, "rates": rates})
    return int(any(kind not in known for f in found.values() for kind in f.counts))
