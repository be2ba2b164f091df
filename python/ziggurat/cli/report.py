"""How a run of random games looks in a terminal."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text

from ziggurat import Results
from ziggurat.cli.terminal import console, facts, seconds_text, show, table

BINS = 12  #: rows of the histogram, at most
WIDEST = 40  #: characters of its longest bar
QUARTILES = ("least", "25%", "median", "75%", "most")
#: counters that begin so, and `limit`, are 1 in games that ended so, else 0: they are told as shares of all games
END = "end_"


def print_report(results: Results, summary: dict[str, Any]) -> None:
    """Print who won, how long the games were, what was played in them, and how fast they were played."""
    title = Text(f"{summary['game']}: {summary['games']:,} games", style="bold")
    counted = [_counters(results)] if results.counters else []
    show(title, _players(summary), facts(_rows(summary)), *counted, _histogram(results.turns))


def _players(summary: dict[str, Any]) -> Table:
    made = table("player", "mean score", "win share", *QUARTILES, numbers=["mean score", "win share", *QUARTILES])
    rows = zip(summary["mean_scores"], summary["win_shares"], summary["score_quartiles"], strict=True)
    for player, (score, share, quartiles) in enumerate(rows):
        made.add_row(
            str(player),
            f"{score:.3f}",
            f"{share:.2%}",
            *(f"{value:.2f}".rstrip("0").rstrip(".") for value in quartiles),
        )
    return made


def _counters(results: Results) -> Table:
    """What the game counts, a row each: how often in a game, as a share of its turns, the least and the most."""
    columns = ("a game", "of turns", "least", "most")
    made = table("counted", *columns, numbers=columns)
    turns = max(int(results.turns.sum()), 1)
    for name, values in results.counters.items():
        if end_words(name) is None:
            share = int(values.sum()) / turns
            made.add_row(name.replace("_", " "), f"{values.mean():.2f}", f"{share:.2%}", f"{values.min()}",
                         f"{values.max()}")  # fmt: skip
    return made


def end_words(counter: str) -> str | None:
    """How a row tells the way to end that a counter counts; None for all other counters."""
    if counter == "limit":
        return "ended by the limit of turns"
    return f"end: {counter.removeprefix(END)}" if counter.startswith(END) else None


def _rows(summary: dict[str, Any]) -> dict[str, str]:
    choices = f"{summary['mean_choices']:.2f} {summary['uniform']}s at a decision, at most {summary['most_choices']:,}"
    rows = {
        "draws": f"{summary['draws']:.2%}",
        "turns": f"{summary['mean_turns']:.2f} ({summary['shortest']} to {summary['longest']})",
        "actions": f"{summary['mean_plies']:.2f}",
        "choices": choices,
        "seconds": seconds_text(summary["seconds"]),
        "games a second": f"{summary['games_per_second']:,.0f}",
    }
    if summary["mean_forced_passes"]:
        rows["forced passes"] = f"{summary['mean_forced_passes']:.2f}"
    shares = {end_words(name): f"{share:.2%}" for name, share in summary["counters"].items()}
    return rows | {words: share for words, share in shares.items() if words is not None}


def bin_edges(values: NDArray[np.integer[Any]], bins: int) -> NDArray[np.int64]:
    """Edges of at most `bins` equally wide bins of whole numbers that hold all values."""
    lowest, highest = int(values.min()), int(values.max())
    width = -(-(highest - lowest + 1) // bins)
    return np.arange(lowest, highest + width + 1, width)


def _histogram(turns: NDArray[np.int32]) -> Table:
    """The lengths of the games, a row a bin."""
    edges = bin_edges(turns, BINS)
    counts, _ = np.histogram(turns, edges)
    block = "█" if console().encoding.lower().startswith("utf") else "#"
    made = table("turns", "games", "", numbers=["turns", "games"])
    for low, high, count in zip(edges, edges[1:] - 1, counts, strict=False):
        bar = block * round(WIDEST * count / counts.max())
        made.add_row(str(low) if low == high else f"{low}-{high}", f"{count / len(turns):.1%}", bar)
    return made
