"""One cell with known answers; for intervals and evidence one long run is cut into many small ones."""

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from simkit.analysis import Findings
from simkit.analysis.deals import deal_counts, deal_sums, means, moment, moments, shares
from simkit.engine.game import Known
from simkit.runs.run import Run
from simkit.stats.betting import log_capital, log_capital_below
from simkit.stats.verdicts import evidence
from simkit.verify.validate.result import ROUNDING, Result, exact, measured, rate
from simkit.verify.validate.runs import Question, first_seat

LEVEL, ALLOWANCE = 0.95, 0.01
SMALL, LENGTH = 100, 500  # deals of a small run looked at once, and of one looked at after every deal
MOST, FEWEST = 2_000, 20  # small runs
MARGIN, EDGE = 0.02, 1e-9


def checks(run: Run, question: Question) -> Iterator[Result]:
    """Each known value, whether the tables of the analysis say what the log says, intervals, evidence."""
    for known in question.known:
        rows, value = _rows(run, known)
        row = deal_sums(rows, ["cell"], {"value": value.mean()}).collect().row(0, named=True)
        (mean, variance), deals = moment(row, "value"), row["deals"]
        yield measured(question.subject, known.words, known.value, mean, math.sqrt(variance / deals), deals)
    differ, n = _tables_against_log(run)
    yield exact(question.subject, "values of the analysis that are not those of the log", differ, n)
    yield from intervals(run, question)
    yield from looks(run, question)


def _rows(run: Run, known: Known) -> tuple[pl.LazyFrame, pl.Expr]:
    """The rows of the log that a known answer is about, and its value in each row."""
    rows = run.games() if known.seat is None else run.seats().filter(pl.col("seat") == known.seat)
    column = pl.col(known.column)
    return rows, (column == known.equals if known.equals is not None else column).cast(pl.Float64)


def _tables_against_log(run: Run) -> tuple[int, int]:
    """How many values of the analysis differ from plain means of the log, and how many there are."""
    means = pl.col("share", "score").cast(pl.Float64).mean()
    seats = run.seats().group_by("seat").agg(means).sort("seat").collect()
    sides = seats.head(1) if run.team else seats
    games = run.games().select(pl.col("draw", "turns", "decisions").cast(pl.Float64).mean()).collect().row(0)
    found = Findings(run)
    of_seats = [*found.seat_shares.sort("seat")["share"], *found.scores.sort("seat")["mean"]]
    told = [*of_seats, found.draws["share"][0], *found.lengths["mean"]]
    plain = [*sides["share"], *seats["score"], *games]
    return sum(abs(a - b) > ROUNDING for a, b in zip(told, plain, strict=True)), len(plain)


def intervals(run: Run, question: Question) -> Iterator[Result]:
    """How often intervals cover the known share or score of the first and the last seat."""
    times, last = min(MOST, run.experiment.deals // SMALL), run.cells[0].seats - 1
    seats = {0, last} if last > 1 else {0}
    for known in question.known:
        if known.column in ("share", "score") and known.seat in seats and times >= FEWEST:
            said = f"{100 * LEVEL:.0f} % intervals of {SMALL} deals that cover the {known.words}"
            yield rate(question.subject, said, LEVEL, _covered(run, known, times), LEVEL, ALLOWANCE)


def _covered(run: Run, known: Known, times: int) -> np.ndarray:
    """Whether the interval holds the known value, by small run."""
    rows, value = _rows(run, known)
    small = rows.with_columns((pl.col("deal") // SMALL).alias("small")).filter(pl.col("small") < times)
    if known.column == "share":
        ends = shares(moments(deal_counts(small, ["small"], value.mean()).collect(), ["small"]))
    else:
        ends = means(deal_sums(small, ["small"], {"value": value.mean()}).collect(), "value")
    return ends.select(pl.lit(known.value).is_between("low", "high")).to_series().to_numpy()


def looks(run: Run, question: Question) -> Iterator[Result]:
    """How many runs looked at after every deal ever miss the known share or have a wrong verdict.

    The likeliest wrong verdict is UNFAIR of a share just within the margin.
    """
    known, times, wrong = question.share, min(MOST, run.experiment.deals // LENGTH), 1 - LEVEL
    if known is None or times < FEWEST:
        return
    values, place = np.unique(first_seat(run)[: times * LENGTH], return_inverse=True)
    counts = np.eye(len(values))[place.reshape(times, LENGTH)].cumsum(axis=1)  # [run, look, value]
    capital = np.maximum(log_capital(values, counts, known), log_capital_below(values, counts, known))
    fair = run.cells[0].fair
    unfair = evidence(values, counts, fair, max(MARGIN, abs(known - fair) + EDGE)).unfair
    missed, misjudged = capital >= math.log(2 / wrong), unfair >= math.log(1 / wrong)
    for said, found in (("interval without the known share", missed), ("verdict", misjudged)):
        check = f"{LENGTH}-deal runs with a wrong {said} at any look"
        yield rate(question.subject, check, 0.0, np.any(found, axis=1), wrong, wrong)
