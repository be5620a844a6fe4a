"""Sequential stopping: a cell with enough evidence, judged by its own deals, stops at an interim analysis."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple, Protocol, cast

import numpy as np
import polars as pl

from simkit.runs.folder import Run
from simkit.runs.plan import Cell, Shard, between_analyses, own_stopping_rule
from simkit.stats import betting, stopping, verdicts
from simkit.stats.verdicts import Evidence

ROUNDING = 1e-9  # largest rounding error of a sum of shares
MAX_OUTCOMES = 2_000  # limit for the adjusted estimate


class Tally(NamedTuple):
    """Distinct outcomes of deals: shares outcomes[v, seat], and counts[v] of deals."""

    outcomes: np.ndarray
    counts: np.ndarray


def tally(seats: pl.LazyFrame) -> Tally:
    """Return the tally of a seats table with one cell."""
    (cell_tally,) = tallies(seats).values()
    return cell_tally


def tallies(seats: pl.LazyFrame) -> dict[int, Tally]:
    """Return the tally of each cell in the rows that are judged (`Run.judged_rows`)."""
    means = seats.group_by("cell", "deal", "seat").agg(pl.col("share").mean())
    deals = means.group_by("cell", "deal").agg(pl.col("share").sort_by("seat"))
    counted = deals.group_by("cell", "share").agg(pl.len().cast(pl.Float64)).collect(engine="streaming")
    parts = {cell: rows for (cell,), rows in counted.partition_by("cell", as_dict=True).items()}
    return {
        cell: merge_tallies([Tally(np.array(rows["share"].to_list()), rows["len"].to_numpy())])
        for cell, rows in parts.items()
    }


def merge_tallies(parts: list[Tally]) -> Tally:
    """Return one tally of several."""
    every, counts = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    outcomes, place = np.unique(every, axis=0, return_inverse=True)
    return Tally(outcomes, np.bincount(place.ravel(), counts, len(outcomes)))


def unclaimed_shares(cell_tally: Tally) -> np.ndarray:
    """Return the share of each outcome that no seat of a competitive game won."""
    rest = 1 - cell_tally.outcomes.sum(axis=1)
    return np.where(np.abs(rest) < ROUNDING, 0.0, rest)


def divide_unclaimed(cell_tally: Tally, cell: Cell) -> Tally:
    """Divide unclaimed shares among all seats, so that fair is 1 / seats; a single share stays as it is."""
    if cell.target is not None or not unclaimed_shares(cell_tally).any():
        return cell_tally
    rest = unclaimed_shares(cell_tally)[:, np.newaxis]
    return merge_tallies([Tally(cell_tally.outcomes + rest / cell.seats, cell_tally.counts)])


def evidence(cell_tally: Tally, fair: float, margin: float, counts: np.ndarray | None = None) -> Evidence:
    """Return the evidence about a cell from all seats; `counts[..., v]` replaces those of the tally."""
    deals = cell_tally.counts if counts is None else counts
    seats = [verdicts.evidence(seat, deals, fair, margin) for seat in cell_tally.outcomes.T]
    return verdicts.evidence_of_cell(seats)


def width(cell_tally: Tally) -> float:
    """Return the width of the widest confidence sequence of a seat's share."""
    ends = (betting.confidence_sequence(values, cell_tally.counts) for values in cell_tally.outcomes.T)
    return max(float(high - low) for low, high in ends)


class StoppingRule(Protocol):
    """What stops cells at an interim analysis; a rule for one kind of question also has `check`."""

    progress_line: str  # after an analysis; empty for none

    def __init__(self, run: Run) -> None: ...

    def enough(self, more: pl.LazyFrame) -> set[int]:
        """Return the cells to stop after the rows of one more analysis."""


class Verdicts:
    """The stopping rule for cells: stops at a verdict, at a width of the interval, or at both."""

    progress_line = ""  # no progress line

    def __init__(self, run: Run) -> None:
        self.run, self.tallies, self.evidence = run, dict[int, Tally](), dict[int, Evidence]()
        self.claims = verdicts.FirstClaims(len(run.cells))

    def enough(self, more: pl.LazyFrame) -> set[int]:
        """Return the cells to stop after the rows of one more analysis, of those that have some."""
        keys, cells = self.run.experiment, {cell.index: cell for cell in self.run.cells}
        added = tallies(self.run.judged_rows(more))
        for index, rows in added.items():
            parts = [self.tallies[index]] if index in self.tallies else []
            self.tallies[index] = merge_tallies([*parts, divide_unclaimed(rows, cells[index])])
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
    """Yield the shards before each interim analysis, to be played in turn; set the deals of stopped cells.

    `cells` is changed in place. `report` is called with the progress line of a match.
    """
    keys, before = run.experiment, 0
    rule = _rule(run)
    for deals in run.analyses:
        shards = between_analyses(cells, run.manifest.layout, before, deals, keys.trace, run.has_pieces)
        shards = [shard._replace(interim=True) for shard in shards]
        yield shards
        enough = rule.enough(replace(run, every=shards).seats())
        if rule.progress_line:
            report(rule.progress_line)
        for place, cell in enumerate(cells):
            if cell.deals > before and cell.index in enough:
                cells[place] = replace(cell, deals=deals)
        if all(cell.deals <= deals for cell in cells):
            return
        before = deals


def _rule(run: Run) -> StoppingRule:
    """Return the stopping rule of a run."""
    own: type[StoppingRule] = own_stopping_rule(run.experiment) or Verdicts
    return own(run)


def adjusted_shares(run: Run, cell: Cell, bar: float) -> list[float] | None:
    """Return the stopping-adjusted share of each seat of a cell; `bar` is the evidence needed for a verdict.

    None if a deal has more than MAX_OUTCOMES outcomes, nobody wins some games, or not the cell alone decided.
    In simulated runs the width is taken as proportional to the standard error.
    """
    if run.experiment.until_elo or run.experiment.until_outclassed:
        return None
    cell_tally = tally(run.judged_rows(run.only([cell.index]).seats()))
    if len(cell_tally.counts) > MAX_OUTCOMES or divide_unclaimed(cell_tally, cell) is not cell_tally:
        return None
    keys, per_deviation = run.experiment, width(cell_tally) / _deviation(cell_tally, cell_tally.counts)

    def stops(counts: np.ndarray) -> np.ndarray:
        imagined = evidence(cell_tally, cell.fair, keys.margin, counts)
        decided = (imagined.strongest >= bar) | (not keys.until_verdict)
        narrow = per_deviation * _deviation(cell_tally, counts) <= (keys.until_width or np.inf)
        return cast(np.ndarray, decided & narrow)

    seats = cell_tally.outcomes.T[:1] if cell.judged_shares == 2 else cell_tally.outcomes.T
    shares = [stopping.adjusted_mean(values, cell_tally.counts, run.analyses, stops) for values in seats]
    return [*shares, 1 - shares[0]] if len(seats) < len(cell_tally.outcomes.T) else shares


def _deviation(cell_tally: Tally, counts: np.ndarray) -> np.ndarray:
    """Return the largest standard error of a seat's share."""
    n = counts.sum(axis=-1, keepdims=True)
    variance = (counts @ cell_tally.outcomes**2) / n - ((counts @ cell_tally.outcomes) / n) ** 2
    return cast(np.ndarray, np.sqrt(variance.clip(1e-12).max(axis=-1) / n[..., 0]))
