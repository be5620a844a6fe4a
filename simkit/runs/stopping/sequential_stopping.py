"""Sequential stopping: a cell with enough evidence stops at an interim analysis, by its deals alone."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np
import polars as pl

from simkit.runs.experiment import Cell
from simkit.runs.run import Run
from simkit.runs.shards import Layout, Shard, between_analyses
from simkit.runs.stopping import equilibrium_monitor, sprt_monitor
from simkit.stats import betting, stopping, verdicts
from simkit.stats.verdicts import Evidence

ROUNDING = 1e-9  # what shares add up to beyond 1 by rounding
MAX_OUTCOMES = 2_000  # most different outcomes of a deal for which the adjusted estimate is worked out


class Tally(NamedTuple):
    """How many deals gave the seats which shares: outcomes[v, seat] and counts[v]."""

    outcomes: np.ndarray
    counts: np.ndarray


def tally(seats: pl.LazyFrame) -> Tally:
    (cell_tally,) = tallies(seats).values()
    return cell_tally


def tallies(seats: pl.LazyFrame) -> dict[int, Tally]:
    """The tally of each cell in a seats table."""
    means = seats.group_by("cell", "deal", "seat").agg(pl.col("share").mean())
    deals = means.group_by("cell", "deal").agg(pl.col("share").sort_by("seat"))
    counted = deals.group_by("cell", "share").agg(pl.len().cast(pl.Float64)).collect(engine="streaming")
    parts = {cell: rows for (cell,), rows in counted.partition_by("cell", as_dict=True).items()}
    return {
        cell: merged([Tally(np.array(rows["share"].to_list()), rows["len"].to_numpy())])
        for cell, rows in parts.items()
    }


def merged(parts: list[Tally]) -> Tally:
    every, counts = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    outcomes, place = np.unique(every, axis=0, return_inverse=True)
    return Tally(outcomes, np.bincount(place.ravel(), counts, len(outcomes)))


def unclaimed(cell_tally: Tally) -> np.ndarray:
    """The share of each outcome that no seat of a competitive game won."""
    rest = 1 - cell_tally.outcomes.sum(axis=1)
    return np.where(np.abs(rest) < ROUNDING, 0.0, rest)


def even(cell_tally: Tally, cell: Cell) -> Tally:
    """The tally with what nobody won divided among all seats, so that fair is 1 / seats; a team's as is."""
    if cell.target is not None or not unclaimed(cell_tally).any():
        return cell_tally
    rest = unclaimed(cell_tally)[:, np.newaxis]
    return merged([Tally(cell_tally.outcomes + rest / cell.seats, cell_tally.counts)])


def evidence(cell_tally: Tally, fair: float, margin: float, counts: np.ndarray | None = None) -> Evidence:
    """The evidence about a cell, all seats together; counts[..., v] instead of its own for imagined runs."""
    deals = cell_tally.counts if counts is None else counts
    seats = [verdicts.evidence(seat, deals, fair, margin) for seat in cell_tally.outcomes.T]
    return verdicts.evidence_of_cell(seats)


def width(cell_tally: Tally) -> float:
    """The width of the widest interval of a seat's share that holds at every look."""
    ends = (betting.confidence_sequence(values, cell_tally.counts) for values in cell_tally.outcomes.T)
    return max(float(high - low) for low, high in ends)


class Verdicts:
    """Stops a cell at its verdict, at the width of its interval, or at both."""

    said = ""  # no progress line

    def __init__(self, run: Run) -> None:
        self.run, self.tallies, self.evidence = run, dict[int, Tally](), dict[int, Evidence]()
        self.claims = verdicts.FirstClaims(len(run.cells))

    def enough(self, more: pl.LazyFrame) -> set[int]:
        """Return the cells to stop after the rows of one more analysis, of those that have some."""
        keys, cells = self.run.experiment, {cell.index: cell for cell in self.run.cells}
        added = tallies(more)
        for index, rows in added.items():
            parts = [self.tallies[index]] if index in self.tallies else []
            self.tallies[index] = merged([*parts, even(rows, cells[index])])
            self.evidence[index] = evidence(self.tallies[index], cells[index].fair, keys.margin)
        self.claims.analyse(verdicts.together([self.evidence[index] for index in cells]))
        words = dict(zip(cells, self.claims.verdicts, strict=True))
        return {
            index
            for index in added
            if not (keys.until_verdict and words[index] == verdicts.NOT_SETTLED)
            and not (keys.until_width and width(self.tallies[index]) > keys.until_width)
        }


def rounds(
    run: Run, cells: list[Cell], report: Callable[[str], None] = lambda line: None
) -> Iterator[list[Shard]]:
    """Yield the shards between analyses, to be played in turn; `cells` of the run learn where they stop.

    `tell`: told where a match stands.
    """
    keys, before = run.experiment, 0
    rule = _rule(run)
    for deals in run.analyses:
        shards = between_analyses(
            cells, Layout(*run.manifest["layout"]), before, deals, keys.trace, run.has_pieces
        )
        yield shards
        enough = rule.enough(replace(run, every=shards).seats())
        if rule.said:
            report(rule.said)
        for place, cell in enumerate(cells):
            if cell.deals > before and cell.index in enough:
                cells[place] = replace(cell, deals=deals)
        if all(cell.deals <= deals for cell in cells):
            return
        before = deals


def _rule(run: Run) -> sprt_monitor.Test | equilibrium_monitor.Outclassed | Verdicts:
    """Return the stopping rule of a run."""
    if run.experiment.until_elo:
        return sprt_monitor.Test(run)
    return equilibrium_monitor.Outclassed(run) if run.experiment.until_outclassed else Verdicts(run)


def adjusted_shares(run: Run, cell: Cell, bar: float) -> list[float] | None:
    """The stopping-adjusted share of each seat of a cell that stopped by itself; `bar`: where verdicts begin.

    None if a deal can end in more than OUTCOMES ways, nobody wins some games, or something else than the
    cell itself decided. In imagined runs the width goes with the deviation.
    """
    if run.experiment.until_elo or run.experiment.until_outclassed:
        return None
    cell_tally = tally(run.only([cell.index]).seats())
    if len(cell_tally.counts) > MAX_OUTCOMES or even(cell_tally, cell) is not cell_tally:
        return None
    keys, per_deviation = run.experiment, width(cell_tally) / _deviation(cell_tally, cell_tally.counts)

    def stops(counts: np.ndarray) -> np.ndarray:
        imagined = evidence(cell_tally, cell.fair, keys.margin, counts)
        decided = (imagined.strongest >= bar) | (not keys.until_verdict)
        narrow = per_deviation * _deviation(cell_tally, counts) <= (keys.until_width or np.inf)
        return cast(np.ndarray, decided & narrow)

    seats = cell_tally.outcomes.T[:1] if cell.seats == 2 and not run.team else cell_tally.outcomes.T
    shares = [stopping.adjusted_mean(values, cell_tally.counts, run.analyses, stops) for values in seats]
    return [*shares, 1 - shares[0]] if len(seats) < len(cell_tally.outcomes.T) else shares


def _deviation(cell_tally: Tally, counts: np.ndarray) -> np.ndarray:
    """The greatest standard error of a seat's share."""
    n = counts.sum(axis=-1, keepdims=True)
    variance = (counts @ cell_tally.outcomes**2) / n - ((counts @ cell_tally.outcomes) / n) ** 2
    return cast(np.ndarray, np.sqrt(variance.clip(1e-12).max(axis=-1) / n[..., 0]))
