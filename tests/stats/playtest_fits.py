"""Simulate the table of playtests in `docs/ask.md`: how often the right player stays possible and fits best.

Run it with `python -m tests.stats.playtest_fits` (some minutes); `test_playtests.py` runs a part of it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

import simkit
from simkit.analysis.playtests import Group, _codes, _groups, _shares
from simkit.runs.run import Run
from simkit.stats.playtests import fits

SIZES = (10, 30, 100)
SERIES = 300  # of each size and player
PLAYERS = {
    "pig": ("hold_at(threshold=15)", "hold_at(threshold=20)", "hold_at(threshold=25)", "random"),
    "outpost_seven": ("reference_greedy", "greedy", "hoarder", "line_banker", "cube_rush", "random"),
}


class Tally(NamedTuple):
    """What series of one size say: parts of the series, and of the intervals."""

    covered: float  # intervals of the first player's share that hold the true one
    possible: float  # series in which the right player stays possible
    best: float  # series in which it fits best
    left: float  # players that remain possible, the right one included, on average
    series: int
