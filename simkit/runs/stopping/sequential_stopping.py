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

NOTHING = 1e-9  # what shares add up to beyond 1 by rounding
OUTCOMES = 2_000  # most different outcomes of a deal for which the adjusted estimate is worked out


class Tally(NamedTuple):
    """How many deals gave the seats which shares: outcomes[v, seat] and counts[v]."""

    outcomes: np.ndarray
    counts: np.ndarray


def tally(seats: pl.LazyFrame) -> Tally:
    (found,) = tallies(seats).values()
    return found


def tallies(seats: pl.LazyFrame) -> dict[int, Tally]:
    """The tally of each cell in a seats table."""
    means = seats.group_by("cell", "deal", "seat").agg(pl.col("share").mean())
    deals = means.group_by("cell", "deal").agg(pl.col("share").sort_by("seat"))
    counted = deals.group_by("cell", "share").agg(pl.len().cast(pl.Float64)).collect(engine="streaming")
    parts = {cell: of for (cell,), of in counted.partition_by("cell", as_dict=True).items()}
    found = {cell: Tally(np.array(of["share"].to_list()), of["len"].to_numpy()) for cell, of in parts.items()}
    return {cell: merged([one]) for cell, one in found.items()}


def merged(parts: list[Tally]) -> Tally:
    every, counts = (np.concatenate(found) for found in zip(*parts, strict=True))
    outcomes, place = np.unique(every, axis=0, return_inverse=True)
    return Tally(outcomes, np.bincount(place.ravel(), counts, len(outcomes)))


def unclaimed(known: Tally) -> np.ndarray:
    """The share of each outcome that no seat of a competitive game won."""
    rest = 1 - known.outcomes.sum(axis=1)
    return np.where(np.abs(rest) < NOTHING, 0.0, rest)


def even(known: Tally, cell: Cell) -> Tally:
    """The tally with what nobody won divided among all seats, so that fair is 1 / seats; a team's as is."""
    if cell.target is not None or not unclaimed(known).any():
        return known
    rest = unclaimed(known)[:, np.newaxis]
    return merged([Tally(known.outcomes + rest / cell.seats, known.counts)])


def evidence(known: Tally, fair: float, margin: float, counts: np.ndarray | None = None) -> Evidence:
    """The evidence about a cell, all seats together; counts[..., v] instead of its own for imagined runs."""
    deals = known.counts if counts is None else counts
    seats = [verdicts.evidence(seat, deals, fair, margin) for seat in known.outcomes.T]
    return verdicts.evidence_of_cell(seats)


def width(known: Tally) -> float:
    """The width of the widest interval of a seat's share that holds at every look."""
    ends = (betting.confidence_sequence(values, known.counts) for values in known.outcomes.T)
    return max(float(high - low) for low, high in ends)


class Verdicts:
    """Stops a cell at its verdict, at the width of its interval, or at both."""

    said = ""  # no progress line

    def __init__(self, run: Run) -> None:
        self.run, self.known, self.evidence = run, dict[int, Tally](), dict[int, Evidence]()
        self.claims = verdicts.FirstClaims(len(run.cells))

    def enough(self, more: pl.LazyFrame) -> set[int]:
        """Return the cells to stop after the rows of one more analysis, of those that have some."""
        keys, cells = self.run.experiment, {cell.index: cell for cell in self.run.cells}
        added = tallies(more)
        for index, rows in added.items():
            parts = [self.known[index]] if index in self.known else []
            self.known[index] = merged([*parts, even(rows, cells[index])])
            self.evidence[index] = evidence(self.known[index], cells[index].fair, keys.margin)
        self.claims.analyse(verdicts.together([self.evidence[index] for index in cells]))
        words = dict(zip(cells, self.claims.verdicts, strict=True))
        return {
            index
            for index in added
            if not (keys.until_verdict and words[index] == verdicts.NOT_SETTLED)
            and not (keys.until_width and width(self.known[index]) > keys.until_width)
        }


def rounds(
    run: Run, cells: list[Cell], tell: Callable[[str], None] = lambda said: None
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
            tell(rule.said)
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
    known = tally(run.only([cell.index]).seats())
    if len(known.counts) > OUTCOMES or even(known, cell) is not known:
        return None
    keys, per_deviation = run.experiment, width(known) / _deviation(known, known.counts)

    def stops(counts: np.ndarray) -> np.ndarray:
        found = evidence(known, cell.fair, keys.margin, counts)
        decided = (found.strongest >= bar) | (not keys.until_verdict)
        narrow = per_deviation * _deviation(known, counts) <= (keys.until_width or np.inf)
        return cast(np.ndarray, decided & narrow)

    seats = known.outcomes.T[:1] if cell.seats == 2 and not run.team else known.outcomes.T
    shares = [stopping.adjusted_mean(values, known.counts, run.analyses, stops) for values in seats]
    return [*shares, 1 - shares[0]] if len(seats) < len(known.outcomes.T) else shares


def _deviation(known: Tally, counts: np.ndarray) -> np.ndarray:
    """The greatest standard error of a seat's share."""
    n = counts.sum(axis=-1, keepdims=True)
    variance = (counts @ known.outcomes**2) / n - ((counts @ known.outcomes) / n) ** 2
    return cast(np.ndarray, np.sqrt(variance.clip(1e-12).max(axis=-1) / n[..., 0]))
