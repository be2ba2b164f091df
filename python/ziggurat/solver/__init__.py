"""Perfect play: who wins a position, how far away the end is, and which turns are best.

`solve` finds it for small games of two players who see everything. `build` solves a large game and writes a table of
all its positions, `load` opens one.
"""

from ziggurat.solver.building import BuildProgress, build
from ziggurat.solver.general import Probe, Solution, solve
from ziggurat.solver.player import PerfectBot
from ziggurat.solver.tablebase import JudgedTurn, Tablebase, TableProbe, load

__all__ = [
    "BuildProgress",
    "JudgedTurn",
    "PerfectBot",
    "Probe",
    "Solution",
    "TableProbe",
    "Tablebase",
    "build",
    "load",
    "solve",
]
