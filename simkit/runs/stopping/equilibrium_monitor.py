"""Every strategy in every seat: which pairings the value of the game of picking strategies depends on.

Of two seats only: there the first player's gain is the second's loss, so that best mixes have one value. Of
three and more seats equilibria are many, and worth different shares to a seat.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit.runs.experiment import Cell
from simkit.runs.run import Run
from simkit.runs.stopping.pairings import everybody
from simkit.stats import zero_sum

FAR = 3.0  # over the root of the deals: a strategy so much worse than the value is left out from then on
SIDES = 2
MAX_UNITS = 20_000  # deals, or bundles of deals, that are resampled
Entry = tuple[int, int]  # the places of the strategies of the first and the second player
Sums = dict[Entry, tuple[float, int]]  # of what the first player got, and the games


class Pairings(NamedTuple):
    """The cells of one setting in which every strategy meets every one in either seat, itself too."""

    cells: list[Cell]
    names: list[str]

    def entry(self, cell: Cell, rotation: int) -> Entry:
        """Who sits where in a rotation of a cell."""
        first, second = (cell.labels[(seat + rotation) % SIDES] for seat in range(SIDES))
        return self.names.index(first), self.names.index(second)

    @property
    def entries(self) -> dict[tuple[int, int], Entry]:
        """Cell and rotation -> who sits where."""
        return {(cell.index, turn): self.entry(cell, turn) for cell, turn in _places(self)}


class Kept(NamedTuple):
    """The strategies of the first and of the second player that may still matter, by their places."""

    rows: list[int]
    columns: list[int]

    def holds(self, entry: Entry) -> bool:
        return entry[0] in self.rows and entry[1] in self.columns


def pairings(cells: Sequence[Cell]) -> list[Pairings]:
    """The pairings of each setting, in the order of the cells; none where some are missing, or more sit."""
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
    """Rows of the log of two seats with `gain`: what a row adds to the share of the first player.

    A game that nobody won counts half, so that the shares of both seats add up to 1. `of` the score: to half
    of what the first player is ahead, which is his score where the scores add up to 0.
    """
    side, value = 1 - 2 * pl.col("seat").cast(pl.Int64), pl.col(of).cast(pl.Float64)
    return seats.with_columns(gain=(0.25 if of == "share" else 0.0) + side * value / 2)


def sums_by(rows: pl.LazyFrame, setting: Pairings) -> Sums:
    """What the first player got in each pairing, and the games."""
    mine = rows.filter(pl.col("cell").is_in([cell.index for cell in setting.cells]))
    counted = gains(mine).group_by("cell", "rotation").agg(total=pl.col("gain").sum(), rows=pl.len())
    entries = setting.entries
    every = counted.sort("cell", "rotation").collect(engine="streaming").iter_rows()
    return {entries[cell, turn]: (total, rows // SIDES) for cell, turn, total, rows in every}


def added(sums: Sums, more: Sums) -> Sums:
    nothing = (0.0, 0)
    pairs = {entry: (sums.get(entry, nothing), more.get(entry, nothing)) for entry in {**sums, **more}}
    return {entry: (a[0] + b[0], a[1] + b[1]) for entry, (a, b) in pairs.items()}


def matrix(sums: Sums, rows: Sequence[int], columns: Sequence[int]) -> np.ndarray:
    """The mean share of the first player, by the strategies of both."""
    return np.array([[sums[i, j][0] / sums[i, j][1] for j in columns] for i in rows])


def narrowed(sums: Sums, remaining: Kept) -> Kept:
    """Without strategies that are worse against the best mix of the other side than luck allows.

    Left out is what gets less than the value by more than FAR/√n, n the games of a pairing: over four
    standard errors of such a difference, whatever the shares.
    """
    shares = matrix(sums, *remaining)
    solution = zero_sum.solve(shares)
    slack = FAR / np.sqrt(min(sums[i, j][1] for i in remaining.rows for j in remaining.columns))
    rows = shares @ solution.columns >= solution.value - slack
    columns = solution.rows @ shares <= solution.value + slack
    return Kept(_select(remaining.rows, rows), _select(remaining.columns, columns))


def _select(places: list[int], stay: np.ndarray) -> list[int]:
    return [place for place, stays in zip(places, stay, strict=True) if stays]


def everything(setting: Pairings) -> Kept:
    every = [*range(len(setting.names))]
    return Kept(every, every)


class Outclassed:
    """Stops pairings with a strategy that the best mixes surely leave out; fed with the rows of each look."""

    said = ""  # nothing that a line could tell

    def __init__(self, run: Run) -> None:
        self.tables = pairings(run.cells)
        self.remaining = [everything(setting) for setting in self.tables]
        self.sums: list[Sums] = [{} for _ in self.tables]

    def enough(self, more: pl.LazyFrame) -> set[int]:
        """The cells upon which no value depends any more."""
        for place, setting in enumerate(self.tables):
            self.sums[place] = added(self.sums[place], sums_by(more, setting))
            self.remaining[place] = narrowed(self.sums[place], self.remaining[place])
        return set(self._stopped())

    def _stopped(self) -> Iterator[int]:
        for setting, remaining in zip(self.tables, self.remaining, strict=True):
            for cell in setting.cells:
                if not any(remaining.holds(setting.entry(cell, turn)) for turn in range(cell.rotations)):
                    yield cell.index


def kept_of(run: Run, setting: Pairings) -> Kept:
    """The strategies that still mattered when a setting had been played: by the analyses of the run."""
    remaining, sums, before = everything(setting), Sums(), 0
    if not run.experiment.until_outclassed:
        return remaining
    last = max(cell.deals for cell in setting.cells)
    for analysis in [deals for deals in run.analyses if deals <= last]:
        inside = pl.col("deal").is_between(before, analysis, closed="left")
        sums = added(sums, sums_by(run.between(before, analysis).seats().filter(inside), setting))
        remaining, before = narrowed(sums, remaining), analysis
    return remaining


def deals_of(setting: Pairings, remaining: Kept) -> int:
    """The deals that all pairings kept have."""
    return min(cell.deals for cell, turn in _places(setting) if remaining.holds(setting.entry(cell, turn)))


def units(run: Run, setting: Pairings, remaining: Kept, of: str = "share") -> np.ndarray:
    """The share of the first player by deal, and by the strategies kept: [deal, first, second].

    Of many deals some are taken together, of the even and of the odd ones apart, so that there are at most
    MOST of them; as every deal has all pairings kept, this changes no mean. `of`: as `gains`.
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
    """Each rotation of each cell."""
    return ((cell, turn) for cell in setting.cells for turn in range(cell.rotations))
