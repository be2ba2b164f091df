"""Solving a game completely: passes over all positions, kept on disk, and a table that is checked before it counts."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeAlias

from ziggurat._core import _native
from ziggurat.protocols import Game
from ziggurat.solver.files import TableFiles, check_disk, check_memory, locked, replaced, table_files
from ziggurat.solver.forecast import Forecast
from ziggurat.solver.tablebase import Tablebase, as_game

MOST_PASSES = 254  #: that a table can tell apart
SAMPLES = 1000  #: positions of a new table that are compared with what follows from the rules


@dataclass(frozen=True)
class BuildProgress:
    """How far a build is. Passes are told by the number of turns to the end of what they find."""

    phase: str  #: "resume" (the work of an earlier run), "solve", "save", "verify" (checksums) or "check" (the rules)
    number: int  #: of the pass at hand, from 1 on; in later phases the number of all passes
    last: dict[str, Any] | None  #: the last complete pass, as in `Tablebase.summary`
    done: int  #: parts of this pass or phase that are done
    total: int  #: and all of them; 0 where that is not known
    decided: int  #: positions that are won or lost for sure
    positions: int  #: all positions
    seconds: float  #: since the build began
    rate: float  #: of this pass or phase: positions gone through in a second
    remaining: float | None  #: seconds to the end of the passes, or of a later phase; None: nobody can tell yet


Listener: TypeAlias = Callable[[BuildProgress], object]


def build(
    game: str | Game,
    folder: str | os.PathLike[str] | None = None,
    threads: int = 0,
    memory_gb: float | None = None,
    resume: bool = True,
    listener: Listener | None = None,
) -> Tablebase:
    """Solve a game completely and write its table to a folder, by default the cache folder, where `load` finds it.

    Every pass is kept in a work file in the folder. A run that was stopped, even killed, is continued by the next one,
    unless `resume` is False: that one begins again. The work file goes when the table is complete and has been read
    back; only then a table that was there before is replaced.

    `threads=0` uses all cores. `memory_gb` gigabytes (10^9 bytes) may be used, by default what is free. `listener` is
    called with a `BuildProgress` when a pass or phase begins, and about 20 times a second; what it raises stops the
    build, and so does Ctrl-C.

    Raises ValueError for a game that cannot be solved, for bad numbers and for a damaged work file; MemoryError or
    OSError, before anything is written, where memory or disk do not suffice; BlockingIOError where another process
    solves this game in this folder; OSError where a file cannot be written. Nothing but the work file is left behind.
    """
    chosen = as_game(game)
    _check_arguments(threads, resume, listener)
    files = table_files(chosen, folder)
    needs = _native.solver_needs(chosen)
    check_memory(chosen, needs["memory"], memory_gb)
    kept = files.work.stat().st_blocks * 512 if files.work.exists() else 0
    check_disk(chosen, files.work.parent, max(needs["disk"] - kept, 0) + needs["disk"] // 2)  # tables take less
    with locked(files):
        if not resume:
            files.work.unlink(missing_ok=True)
        run = _Run(chosen, files, needs, listener)
        run.solve(threads)
        return run.finish(threads)


class _Run:
    """One process that solves a game, or the rest of it."""

    def __init__(self, game: Game, files: TableFiles, needs: dict[str, Any], listener: Listener | None) -> None:
        self.game, self.files, self.listener = game, files, listener
        self.positions: int = needs["positions"]
        self.forecast = Forecast(MOST_PASSES)
        self.passes: list[dict[str, Any]] = []
        self.decided = 0
        self.begin = self.phase_begin = perf_counter()
        self.phase = "solve"
        self.raised: ValueError | None = None

    def solve(self, threads: int) -> None:
        """Make the passes that are not in the work file yet."""
        try:
            self._open(threads)
            found = self.builder.advance(self._tell)  # first it looks at all that was done before
        except ValueError as error:
            if error is self.raised:
                raise
            words = "the work cannot be continued; resume=False (`--anew`) begins again"
            raise ValueError(f"{self.files.work}: {error}: {words}") from error
        while found is not None:
            self._note(found, None if self.phase == "resume" else perf_counter() - self.phase_begin)
            self._begin("solve")
            found = self.builder.advance(self._tell)

    def finish(self, threads: int) -> Tablebase:
        """Write the table, read it back, give it its name, and remove the work file."""
        with replaced(self.files) as (wdl, distances):
            self._begin("save")
            self.builder.save(str(wdl), str(distances), self._tell)
            del self.builder  # and with it most of the memory
            table = Tablebase(self.game, wdl, distances)
            self._begin("verify")
            table.verify(self._tell)
            self._begin("check")
            table.self_check(SAMPLES, 0, threads, self._tell)
        table = Tablebase(self.game, self.files.wdl, self.files.distances)
        self.files.work.unlink(missing_ok=True)
        return table

    def _open(self, threads: int) -> None:
        """Go on with the work file, or make one."""
        begun = self.files.work.exists()
        try:
            self.builder = _native.TableBuilder(self.game, str(self.files.work), threads)
        except BaseException:
            if not begun:
                self.files.work.unlink(missing_ok=True)  # not whole
            raise
        for found in self.builder.passes:
            self._note(found, None)
        self._begin("resume" if self.passes else "solve")

    def _note(self, found: dict[str, Any], seconds: float | None) -> None:
        """A pass is complete."""
        self.passes.append(found)
        self.decided += found["positions"]
        self.forecast.add(found["positions"], seconds)

    def _begin(self, phase: str) -> None:
        """A pass or a phase begins: the listener hears at least that of it."""
        self.phase, self.phase_begin = phase, perf_counter()
        self._tell(0, 0)

    def _tell(self, done: int, total: int) -> None:
        """Tell the listener."""
        now = perf_counter()
        if self.phase == "resume" and done:
            self.phase, self.phase_begin = "solve", now
        if self.listener is None:
            return
        seconds = now - self.phase_begin
        share = done / total if total else 0.0
        number = len(self.passes) + (self.phase in ("resume", "solve"))
        last = self.passes[-1] if self.passes else None
        amounts = done, total, self.decided, self.positions
        rate = self.positions * share / max(seconds, 1e-9)
        remaining = self._remaining(done, total, seconds)
        try:
            self.listener(BuildProgress(self.phase, number, last, *amounts, now - self.begin, rate, remaining))
        except ValueError as error:
            self.raised = error  # it says nothing about the work
            raise

    def _remaining(self, done: int, total: int, seconds: float) -> float | None:
        if self.phase == "solve":
            return self.forecast.remaining(done, total, seconds)
        return seconds * max(total - done, 0) / done if done and total else None


def _check_arguments(threads: int, resume: bool, listener: Listener | None) -> None:
    """TypeError or ValueError before anything is written."""
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise TypeError(f"threads is a whole number, not {threads!r}")
    if not 0 <= threads <= 1024:
        raise ValueError(f"threads is an integer from 0 to 1024, not {threads}")
    if not isinstance(resume, bool):
        raise TypeError(f"resume is True or False, not {resume!r}")
    if listener is not None and not callable(listener):
        raise TypeError(f"listener is a function or None, not {listener!r}")
