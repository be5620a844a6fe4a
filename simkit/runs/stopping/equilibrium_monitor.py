"""Round robins: stop pairings that the value of the game of choosing strategies does not depend on.

Only for two seats: there one player's gain is the other's loss, so that best mixes have one value. With three
or more seats there are many equilibria, and a seat's share may differ between them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit.runs.experiment import Cell
from simkit.runs.run import Run
from simkit.runs.stopping.pairings import everybody
from simkit.stats import zero_sum

FAR = 3.0  # divided by the root of the games: strategies below the value by more are dropped
SIDES = 2
MAX_UNITS = 20_000  # deals, or bundles of deals, to resample
Entry = tuple[int, int]  # indices of the strategies of the first and the second player
Sums = dict[Entry, tuple[float, int]]  # total of the first player's shares, and number of games


class Pairings(NamedTuple):
    """The cells of one setting, where every strategy meets every one, itself included, in either seat."""

    cells: list[Cell]
    names: list[str]

    def entry(self, cell: Cell, rotation: int) -> Entry:
        """Return the indices of the strategies of both seats in a rotation of a cell."""
        first, second = (cell.labels[(seat + rotation) % SIDES] for seat in range(SIDES))
        return self.names.index(first), self.names.index(second)

    @property
    def entries(self) -> dict[tuple[int, int], Entry]:
        """(cell, rotation) -> indices of the strategies of both seats."""
        return {(cell.index, turn): self.entry(cell, turn) for cell, turn in _places(self)}


class Remaining(NamedTuple):
    """Indices of strategies that may still matter: rows for the first player, columns for the second."""

    rows: list[int]
    columns: list[int]

    def holds(self, entry: Entry) -> bool:
        """Return whether both strategies of a pairing may still matter."""
        return entry[0] in self.rows and entry[1] in self.columns


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


def gains(seats: pl.LazyFrame, of: str = "share") -> pl.LazyFrame:
    """Return the seats table with `gain`, what a row adds to the share of the first player.

    A game that nobody won counts half, so that the shares of both seats add up to 1. With `of="score"` the
    gains of a game add up to half the first player's lead, which is his score if the scores add up to 0.
    """
    side, value = 1 - 2 * pl.col("seat").cast(pl.Int64), pl.col(of).cast(pl.Float64)
    return seats.with_columns(gain=(0.25 if of == "share" else 0.0) + side * value / 2)


def sums_by(rows: pl.LazyFrame, setting: Pairings) -> Sums:
    """Return the total share of the first player and the number of games, for each pairing."""
    mine = rows.filter(pl.col("cell").is_in([cell.index for cell in setting.cells]))
    counted = gains(mine).group_by("cell", "rotation").agg(total=pl.col("gain").sum(), rows=pl.len())
    entries = setting.entries
    every = counted.sort("cell", "rotation").collect(engine="streaming").iter_rows()
    return {entries[cell, turn]: (total, rows // SIDES) for cell, turn, total, rows in every}


def added(sums: Sums, more: Sums) -> Sums:
    """Return the sums of two sets of games."""
    nothing = (0.0, 0)
    pairs = {entry: (sums.get(entry, nothing), more.get(entry, nothing)) for entry in {**sums, **more}}
    return {entry: (a[0] + b[0], a[1] + b[1]) for entry, (a, b) in pairs.items()}


def matrix(sums: Sums, rows: Sequence[int], columns: Sequence[int]) -> np.ndarray:
    """Return the mean share of the first player, [row strategy, column strategy]."""
    return np.array([[sums[i, j][0] / sums[i, j][1] for j in columns] for i in rows])


def narrowed(sums: Sums, remaining: Remaining) -> Remaining:
    """Drop strategies that are worse against the other side's best mix than luck allows.

    A strategy is dropped if its share is below the value by more than FAR/√n, with n the games of a pairing:
    over four standard errors of such a difference, whatever the shares.
    """
    shares = matrix(sums, *remaining)
    solution = zero_sum.solve(shares)
    slack = FAR / np.sqrt(min(sums[i, j][1] for i in remaining.rows for j in remaining.columns))
    rows = shares @ solution.columns >= solution.value - slack
    columns = solution.rows @ shares <= solution.value + slack
    return Remaining(_select(remaining.rows, rows), _select(remaining.columns, columns))


def _select(places: list[int], stay: np.ndarray) -> list[int]:
    return [place for place, stays in zip(places, stay, strict=True) if stays]


def everything(setting: Pairings) -> Remaining:
    """Return all strategies of a setting."""
    every = [*range(len(setting.names))]
    return Remaining(every, every)


class Outclassed:
    """The stopping rule for round robins: stops pairings with a strategy outside the best mixes."""

    progress_line = ""  # no progress line

    def __init__(self, run: Run) -> None:
        self.tables = pairings(run.cells)
        self.remaining = [everything(setting) for setting in self.tables]
        self.sums: list[Sums] = [{} for _ in self.tables]

    def enough(self, more: pl.LazyFrame) -> set[int]:
        """Return the cells to stop after the rows of one more analysis: no value depends on them."""
        for place, setting in enumerate(self.tables):
            self.sums[place] = added(self.sums[place], sums_by(more, setting))
            self.remaining[place] = narrowed(self.sums[place], self.remaining[place])
        return set(self._stopped())

    def _stopped(self) -> Iterator[int]:
        for setting, remaining in zip(self.tables, self.remaining, strict=True):
            for cell in setting.cells:
                if not any(remaining.holds(setting.entry(cell, turn)) for turn in range(cell.rotations)):
                    yield cell.index


def kept_of(run: Run, setting: Pairings) -> Remaining:
    """Return the strategies that still mattered after the last analysis of a setting."""
    remaining, sums, before = everything(setting), Sums(), 0
    if not run.experiment.until_outclassed:
        return remaining
    last = max(cell.deals for cell in setting.cells)
    for analysis in [deals for deals in run.analyses if deals <= last]:
        inside = pl.col("deal").is_between(before, analysis, closed="left")
        sums = added(sums, sums_by(run.between(before, analysis).seats().filter(inside), setting))
        remaining, before = narrowed(sums, remaining), analysis
    return remaining


def deals_of(setting: Pairings, remaining: Remaining) -> int:
    """Return the number of deals that all remaining pairings have."""
    return min(cell.deals for cell, turn in _places(setting) if remaining.holds(setting.entry(cell, turn)))


def units(run: Run, setting: Pairings, remaining: Remaining, of: str = "share") -> np.ndarray:
    """Return the share of the first player by deal: float[deal, first strategy, second strategy].

    If there are more than MAX_UNITS deals, even and odd deals are bundled separately. As every deal has all
    remaining pairings, bundling changes no mean. `of` as in `gains`.
    """
    deals = deals_of(setting, remaining)
    bundle = -(-deals // MAX_UNITS)
    end = deals - deals % (2 * bundle) or deals
    unit = 2 * (pl.col("deal") // (2 * bundle)) + pl.col("deal") % 2
    mine = run.seats().filter(
        pl.col("cell").is_in([cell.index for cell in setting.cells]) & (pl.col("deal") < end)
    )
    counted = (
        gains(mine, of)
        .with_columns(unit=unit)
        .group_by("unit", "cell", "rotation")
        .agg(share=SIDES * pl.col("gain").mean())
    )
    table = counted.collect(engine="streaming").sort("unit")
    shares = np.full((table["unit"].n_unique(), len(setting.names), len(setting.names)), np.nan)
    for (cell, turn), (first, second) in setting.entries.items():
        means = table.filter(cell=cell, rotation=turn)["share"].to_numpy()
        shares[: len(means), first, second] = means
    return shares[:, remaining.rows][:, :, remaining.columns]


def _places(setting: Pairings) -> Iterator[tuple[Cell, int]]:
    """Return each cell with each of its rotations."""
    return ((cell, turn) for cell in setting.cells for turn in range(cell.rotations))
