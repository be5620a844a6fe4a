"""Checks of a cell with known answers; for intervals and evidence, a long run is cut into many small ones."""

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from simkit.engine.game import KnownAnswer
from simkit.runs.folder import Run
from simkit.stats.betting import log_capital
from simkit.stats.verdicts import evidence
from simkit.tables.findings import Findings
from simkit.tables.length import draws, lengths, scores
from simkit.tables.reading import deal_counts, deal_sums, means, moment, moments, shares
from simkit.tables.seats import seat_shares
from simkit.verify.validate.result import ROUNDING, Result, exact, measured, rate
from simkit.verify.validate.runs import Question, first_seat

LEVEL, ALLOWANCE = 0.95, 0.01
SMALL_RUN, LONG_RUN = 100, 500  # deals of a small run analysed once, and of one analysed after every deal
MAX_RUNS, MIN_RUNS = 2_000, 20  # number of small runs
MARGIN, EDGE = 0.02, 1e-9


def checks(run: Run, question: Question) -> Iterator[Result]:
    """Yield the checks of known values, of the analysis tables against the log, of intervals and evidence."""
    for answer in question.known_answers:
        rows, value = _rows(run, answer)
        row = deal_sums(rows, ["cell"], {"value": value.mean()}).collect().row(0, named=True)
        (mean, variance), deals = moment(row, "value"), row["deals"]
        yield measured(question.subject, answer.words, answer.value, mean, math.sqrt(variance / deals), deals)
    differ, n = _tables_against_log(run)
    yield exact(question.subject, "values of the analysis that differ from the log", differ, n)
    yield from intervals(run, question)
    yield from interim_analyses(run, question)


def _rows(run: Run, answer: KnownAnswer) -> tuple[pl.LazyFrame, pl.Expr]:
    """Return the rows of the log that a known answer refers to, and its value in each row."""
    rows = run.games() if answer.seat is None else run.seats().filter(pl.col("seat") == answer.seat)
    column = pl.col(answer.column)
    return rows, (column == answer.equals if answer.equals is not None else column).cast(pl.Float64)


def _tables_against_log(run: Run) -> tuple[int, int]:
    """Return how many values of the analysis differ from plain means of the log, and their number."""
    means = pl.col("share", "score").cast(pl.Float64).mean()
    seats = run.seats().group_by("seat").agg(means).sort("seat").collect()
    sides = seats.head(1) if run.team else seats
    games = run.games().select(pl.col("draw", "turns", "decisions").cast(pl.Float64).mean()).collect().row(0)
    findings = Findings(run)
    of_seats = [*seat_shares(findings).sort("seat")["share"], *scores(findings).sort("seat")["mean"]]
    reported = [*of_seats, draws(findings)["share"][0], *lengths(findings)["mean"]]
    plain = [*sides["share"], *seats["score"], *games]
    return sum(abs(a - b) > ROUNDING for a, b in zip(reported, plain, strict=True)), len(plain)


def intervals(run: Run, question: Question) -> Iterator[Result]:
    """Check how often intervals cover the known share or score of the first and the last seat."""
    run_count, last = min(MAX_RUNS, run.experiment.deals // SMALL_RUN), run.cells[0].seats - 1
    seats = {0, last} if last > 1 else {0}
    for answer in question.known_answers:
        if answer.column in ("share", "score") and answer.seat in seats and run_count >= MIN_RUNS:
            check = f"{100 * LEVEL:.0f} % intervals of {SMALL_RUN} deals that cover the {answer.words}"
            yield rate(question.subject, check, LEVEL, _covered(run, answer, run_count), LEVEL, ALLOWANCE)


def _covered(run: Run, answer: KnownAnswer, run_count: int) -> np.ndarray:
    """Return whether the interval of each small run covers the known value."""
    rows, value = _rows(run, answer)
    small = rows.with_columns((pl.col("deal") // SMALL_RUN).alias("small")).filter(
        pl.col("small") < run_count
    )
    if answer.column == "share":
        ends = shares(moments(deal_counts(small, ["small"], value.mean()).collect(), ["small"]))
    else:
        ends = means(deal_sums(small, ["small"], {"value": value.mean()}).collect(), "value")
    return ends.select(pl.lit(answer.value).is_between("low", "high")).to_series().to_numpy()


def interim_analyses(run: Run, question: Question) -> Iterator[Result]:
    """Check how many runs analysed after every deal ever miss the known share or have a wrong verdict.

    The likeliest wrong verdict is UNFAIR for a share just within the margin.
    """
    share, run_count, wrong = question.share, min(MAX_RUNS, run.experiment.deals // LONG_RUN), 1 - LEVEL
    if share is None or run_count < MIN_RUNS:
        return
    values, index = np.unique(first_seat(run)[: run_count * LONG_RUN], return_inverse=True)
    counts = np.eye(len(values))[index.reshape(run_count, LONG_RUN)].cumsum(axis=1)  # [run, analysis, value]
    above, below = log_capital(values, counts, share), log_capital(1 - values, counts, 1 - share)
    capital = np.maximum(above, below)
    fair = run.cells[0].fair
    unfair = evidence(values, counts, fair, max(MARGIN, abs(share - fair) + EDGE)).unfair
    missed, misjudged = capital >= math.log(2 / wrong), unfair >= math.log(1 / wrong)
    for failure, failed in (("an interval without the known share", missed), ("a wrong verdict", misjudged)):
        check = f"runs of {LONG_RUN} deals with {failure} at any interim analysis"
        yield rate(question.subject, check, 0.0, np.any(failed, axis=1), wrong, wrong)
