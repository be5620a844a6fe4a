"""Round robins: stop pairings that the value of the game of choosing strategies does not depend on.

Only for two seats: there one player's gain is the other's loss, so that best mixes have one value. With three
or more seats there are many equilibria, and a seat's share may differ between them.
"""

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit.errors import UsageError
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.runs.stopping.pairings import everybody
from simkit.stats import zero_sum

FAR = 3.0  # divided by the root of the games: strategies below the value by more are dropped
SIDES = 2
MAX_UNITS = 20_000  # deals, or bundles of deals, to resample
Entry = tuple[int, int]  # indices of the strategies of the first and the second player


class Remaining(NamedTuple):
    """Indices of strategies that may still matter: rows for the first player, columns for the second."""

    rows: list[int]
    columns: list[int]


class Pairings(NamedTuple):
    """The cells of one setting, where every strategy meets every one, itself included, in either seat."""

    cells: list[Cell]
    names: list[str]

    @property
    def entries(self) -> dict[tuple[int, int], Entry]:
        """(cell, rotation) -> indices of the strategies of both seats."""
        entries = dict[tuple[int, int], Entry]()
        for cell in self.cells:
            for turn in range(cell.rotations):
                first, second = (self.names.index(cell.labels[(seat + turn) % SIDES]) for seat in (0, 1))
                entries[cell.index, turn] = first, second
        return entries

    def mattering(self, remaining: Remaining) -> list[Cell]:
        """Return the cells in which both strategies may still matter, in one of the rotations."""
        entries = self.entries.items()
        cells = {cell for (cell, _), (i, j) in entries if i in remaining.rows and j in remaining.columns}
        return [cell for cell in self.cells if cell.index in cells]


def pairings(cells: Sequence[Cell]) -> list[Pairings]:
    """Return the pairings of each setting, in the order of cells; [] unless all are round robins."""
    settings = []
    for varied in dict.fromkeys(repr(cell.varied) for cell in cells):
        mine = [cell for cell in cells if repr(cell.varied) == varied]
        names = everybody([cell.labels for cell in mine])
        rotated = all(cell.rotations == len(set(cell.labels)) for cell in mine)
        if names is None or len(names) < 2 or not rotated or mine[0].target is not None:
            return []
        settings.append(Pairings(mine, names))
    return settings


def gains(seats: pl.LazyFrame) -> pl.LazyFrame:
    """Return the seats table with `gain`, what a row adds to the share of the first player.

    A game that nobody won counts half, so that the shares of both seats add up to 1.
    """
    side, share = 1 - 2 * pl.col("seat").cast(pl.Int64), pl.col("share").cast(pl.Float64)
    return seats.with_columns(gain=0.25 + side * share / 2)


def _sums(rows: pl.LazyFrame, setting: Pairings, ends: list[int]) -> np.ndarray:
    """Return the total share of the first player and the number of games in the deals before each end.

    float[end, 2, first, second]
    """
    mine = rows.filter(pl.col("cell").is_in([cell.index for cell in setting.cells]))
    end = pl.lit(pl.Series(ends)).search_sorted(pl.col("deal"), side="right")
    groups = gains(mine).group_by("cell", "rotation", end=end)
    counted = groups.agg(total=pl.col("gain").sum(), rows=pl.len()).collect(engine="streaming")
    entries, sums = setting.entries, np.zeros((len(ends), 2, len(setting.names), len(setting.names)))
    for cell, turn, place, total, count in counted.iter_rows():
        sums[place, :, *entries[cell, turn]] = total, count // SIDES
    return sums.cumsum(axis=0)


def narrowed(sums: np.ndarray, remaining: Remaining) -> Remaining:
    """Drop strategies that are worse against the other side's best mix than luck allows.

    A strategy is dropped if its share is below the value by more than FAR/√n, with n the games of a pairing:
    over four standard errors of such a difference, whatever the shares. `sums` holds the total shares of the
    first player and the numbers of games.
    """
    totals, games = sums[:, remaining.rows][:, :, remaining.columns]
    shares = totals / games
    solution = zero_sum.solve(shares)
    slack = FAR / np.sqrt(games.min())
    rows = shares @ solution.columns >= solution.value - slack
    columns = solution.rows @ shares <= solution.value + slack
    return Remaining([*compress(remaining.rows, rows)], [*compress(remaining.columns, columns)])


def everything(setting: Pairings) -> Remaining:
    """Return all strategies of a setting."""
    every = [*range(len(setting.names))]
    return Remaining(every, every)


class Outclassed:
    """The stopping rule for round robins: stops pairings with a strategy outside the best mixes."""

    progress_line = ""  # no progress line

    def __init__(self, run: Run) -> None:
        self.tables, self.most = pairings(run.cells), run.experiment.deals
        self.remaining = [everything(setting) for setting in self.tables]
        self.sums = [np.zeros(1) for _ in self.tables]

    @staticmethod
    def check(experiment: Experiment, lineups: list[list[str]], rotated: bool) -> None:
        """Refuse an experiment that is no round robin; `rotated` as in a match."""
        if not rotated or everybody(lineups) is None:
            requirement = "every strategy has to meet every one, itself too, in both of two seats"
            raise UsageError(f"key 'until_outclassed': {requirement}: give round_robin with mirrors = true")

    def enough(self, more: pl.LazyFrame) -> set[int]:
        """Return the cells to stop after the rows of one more analysis: no value depends on them."""
        stopped = set[int]()
        for place, setting in enumerate(self.tables):
            self.sums[place] = self.sums[place] + _sums(more, setting, [self.most])[0]
            self.remaining[place] = narrowed(self.sums[place], self.remaining[place])
            mattering = {cell.index for cell in setting.mattering(self.remaining[place])}
            stopped |= {cell.index for cell in setting.cells} - mattering
        return stopped


def kept_of(run: Run, setting: Pairings) -> Remaining:
    """Return the strategies that still mattered after the last analysis of a setting."""
    remaining, last = everything(setting), max(cell.deals for cell in setting.cells)
    if run.experiment.until_outclassed:
        for sums in _sums(run.seats(), setting, [deals for deals in run.analyses if deals <= last]):
            remaining = narrowed(sums, remaining)
    return remaining


def deals_of(setting: Pairings, remaining: Remaining) -> int:
    """Return the number of deals that all remaining pairings have."""
    return min(cell.deals for cell in setting.mattering(remaining))


def units(run: Run, setting: Pairings, remaining: Remaining) -> np.ndarray:
    """Return the share of the first player by deal: float[deal, first strategy, second strategy].

    If there are more than MAX_UNITS deals, even and odd deals are bundled separately. As every deal has all
    remaining pairings, bundling changes no mean.
    """
    deals = deals_of(setting, remaining)
    bundle = -(-deals // MAX_UNITS)
    end = deals - deals % (2 * bundle) or deals
    unit = 2 * (pl.col("deal") // (2 * bundle)) + pl.col("deal") % 2
    in_cells = pl.col("cell").is_in([cell.index for cell in setting.cells])
    mine = run.seats().filter(in_cells & (pl.col("deal") < end)).with_columns(unit=unit)
    counted = gains(mine).group_by("unit", "cell", "rotation").agg(share=SIDES * pl.col("gain").mean())
    table = counted.collect(engine="streaming").sort("unit")
    shares = np.full((table["unit"].n_unique(), len(setting.names), len(setting.names)), np.nan)
    for (cell, turn), (first, second) in setting.entries.items():
        means = table.filter(cell=cell, rotation=turn)["share"].to_numpy()
        shares[: len(means), first, second] = means
    return shares[:, remaining.rows][:, :, remaining.columns]
