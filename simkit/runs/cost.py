"""Cost of players that search, estimated before they play."""

import time

import numpy as np

from simkit.engine import registry
from simkit.runs.cell_player import seating
from simkit.runs.experiment import Experiment
from simkit.runs.plan import Cell


def search_seconds(experiment: Experiment, cells: list[Cell]) -> float:
    """Return the processor time of all games with players that search, from one deal of each lineup."""
    game, per_game, total = registry.game(experiment.game), dict[str, float](), 0.0
    for cell in cells:
        lineup = ", ".join(cell.labels)
        if lineup not in per_game:
            searches = any(registry.player(game, named).search for named in cell.lineup)
            per_game[lineup] = _seconds_per_game(experiment, cell) if searches else 0.0
        total += per_game[lineup] * cell.plays
    return total


def _seconds_per_game(experiment: Experiment, cell: Cell) -> float:
    """Return the processor time of a game, from the rotations of one deal, after one game for warming up."""
    seated, shifts = seating(experiment, cell), np.arange(cell.rotations)
    seated.table.play(seated.lineup, seated.seed, np.zeros(1, np.int64), shifts[:1])
    began = time.process_time()
    seated.table.play(seated.lineup, seated.seed, np.zeros_like(shifts), shifts)
    return (time.process_time() - began) / cell.rotations
