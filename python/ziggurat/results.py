"""What `simulate` returns: one NumPy column a quantity, one row a game."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:  # as in protocols.py
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Results:
    """Columns of a run of n games of p players, in the order of the games' indices."""

    game: str  #: canonical text of the game
    seed: int
    first: int  #: index of the first game
    uniform: str  #: "action" or "turn": what was drawn uniformly
    scores: NDArray[np.int32]  #: [n, p] the game's own points at the end
    returns: NDArray[np.float64]  #: [n, p]
    winners: NDArray[np.uint32]  #: [n] bit mask of the players who won
    plies: NDArray[np.int32]  #: [n] actions played
    turns: NDArray[np.int32]  #: [n] turns played
    legal_total: NDArray[np.int64]  #: [n] choices (actions or turns, as drawn), summed over the decisions
    legal_max: NDArray[np.int32]  #: [n] the most choices at one decision
    forced_passes: NDArray[np.int32]  #: [n] plies where a pass was the only legal action
    counters: dict[str, NDArray[np.int32]] = field(default_factory=dict)  #: [n] each: what this game counts besides
    build: dict[str, str] = field(default_factory=dict)  #: what played the games: `ziggurat.build_info`

    def __len__(self) -> int:
        return len(self.plies)

    @property
    def decisions(self) -> NDArray[np.int32]:
        """[n] how often something was drawn: plies or turns."""
        return self.turns if self.uniform == "turn" else self.plies

    def columns(self) -> dict[str, NDArray[Any]]:
        """The arrays by name, the game's counters last."""
        about = ("game", "seed", "first", "uniform", "counters", "build")
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in about} | self.counters

    def summary(self) -> dict[str, Any]:
        """Means over all games: scores, win shares (a shared win counts in parts), lengths, free choices, counters.

        "score_quartiles" has for each player the least score, the three quartiles and the greatest one.
        """
        import numpy as np

        if len(self) == 0:
            return {"game": self.game, "games": 0}
        players = self.scores.shape[1]
        won = (self.winners[:, None] >> np.arange(players, dtype=np.uint32)) & 1
        shares = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
        free = int(self.decisions.sum()) - int(self.forced_passes.sum())
        return {
            "game": self.game,
            "games": len(self),
            "seed": self.seed,
            "uniform": self.uniform,
            "mean_scores": [float(x) for x in self.scores.mean(axis=0)],
            "score_quartiles": np.percentile(self.scores, (0, 25, 50, 75, 100), axis=0).T.tolist(),
            "win_shares": [float(x) for x in shares.mean(axis=0)],
            "draws": float((self.winners == 0).mean()),
            "mean_plies": float(self.plies.mean()),
            "mean_turns": float(self.turns.mean()),
            "shortest": int(self.turns.min()),
            "longest": int(self.turns.max()),
            "mean_forced_passes": float(self.forced_passes.mean()),
            "mean_choices": (int(self.legal_total.sum()) - int(self.forced_passes.sum())) / max(free, 1),
            "most_choices": int(self.legal_max.max()),
            "counters": {name: float(values.mean()) for name, values in self.counters.items()},
        }

    def to_table(self) -> Any:
        """A pyarrow.Table (extra `data`) with a row a game, and all about the run in its schema's metadata.

        Columns with a value for each player are split: scores_0, scores_1, ... The metadata are texts: "game",
        "options" (JSON), "seed", "first", "uniform", and those of `build`.
        """
        from ziggurat import tables

        return tables.to_table(self)

    @classmethod
    def from_table(cls, table: Any) -> Results:
        """The results that `to_table` made a pyarrow.Table of: equal to the last bit.

        Raises ParseError for tables with other contents, also where columns and metadata do not belong together: a
        game that is none, options, players or counters that it has not, numbers that `simulate` does not take.
        """
        from ziggurat import tables

        return tables.from_table(table)

    def to_parquet(self, target: str | os.PathLike[str] | BinaryIO) -> None:
        """Write `to_table` to a Parquet file (extra `data`).

        A file with that name is replaced when the new one is complete, and stays as it is after an error.
        """
        from ziggurat import tables

        tables.to_parquet(self, target)

    @classmethod
    def from_parquet(cls, source: str | os.PathLike[str] | BinaryIO) -> Results:
        """The results that `to_parquet` or `ziggurat simulate --out` wrote: equal to the last bit.

        Raises ParseError for damaged files and those with other contents, as `from_table`; OSError for files that
        cannot be read.
        """
        from ziggurat import tables

        return tables.from_parquet(source)
