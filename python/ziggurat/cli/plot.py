"""The picture of a run (extra `plot`). No window is ever opened: figures are drawn by Agg or as SVG."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ziggurat import Results
from ziggurat.cli.report import bin_edges

BINS = 40
FEW = 6  #: up to so many different scores, players stand side by side


def draw_results(results: Results) -> Figure:
    """Three panels: scores by player, lengths, choices at a decision."""
    figure = Figure(figsize=(13, 4), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(
        f"{results.game}: {len(results):,} random games, uniform over {results.uniform}s, seed {results.seed}"
    )
    scores, lengths, choices = figure.subplots(1, 3)
    _draw_scores(scores, results)
    lengths.hist(results.turns, bins=(bin_edges(results.turns, BINS) - 0.5).tolist())
    lengths.set(title="length", xlabel="turns", ylabel="games")
    _draw_choices(choices, results)
    return figure


def _draw_scores(axes: Axes, results: Results) -> None:
    players = range(results.scores.shape[1])
    edges = (bin_edges(results.scores, BINS) - 0.5).tolist()
    few = len(edges) <= FEW
    columns = [results.scores[:, player] for player in players]
    axes.hist(columns, bins=edges, histtype="bar" if few else "step", label=[f"player {player}" for player in players])
    if few:
        axes.set_xticks(np.unique(results.scores))
    axes.set(title="scores", xlabel="score", ylabel="games")
    axes.legend()


def _draw_choices(axes: Axes, results: Results) -> None:
    free = np.maximum(results.decisions - results.forced_passes, 1)
    axes.hist((results.legal_total - results.forced_passes) / free, bins=BINS)
    axes.set(title="branching", xlabel=f"mean number of {results.uniform}s to choose from", ylabel="games")
