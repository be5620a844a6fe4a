"""The values found in the log against those that are known, and the tables of the analysis against the log."""

from __future__ import annotations

import math
from collections.abc import Iterator

import polars as pl

from simkit import analysis
from simkit.analysis.table import deal_sums
from simkit.errors import unknown
from simkit.game import Known
from simkit.runlog import Run
from simkit.validate.result import ROUNDING, Result, Subject, exact, measured
from simkit.validate.runs import Question


def checks(run: Run, question: Question) -> Iterator[Result]:
    """Each known value of a cell, then whether the tables of the analysis say what the log says."""
    of = Subject(run.experiment.game, question.words)
    for known in question.known:
        mean, error, deals = found(run, known)
        yield measured(of, known.words, known.value, mean, error, deals)
    differ, n = _tables_against_log(run)
    yield exact(of, "values of the analysis that are not those of the log", differ, n)


def rows_of(run: Run, known: Known) -> tuple[pl.LazyFrame, pl.Expr]:
    """The rows of the log that a known answer is about, and its value in each row."""
    rows = run.games() if known.seat is None else run.seats().filter(pl.col("seat") == known.seat)
    columns = rows.collect_schema().names()
    if known.column not in columns:
        raise unknown(f"column of a known answer of {run.experiment.game}", known.column, columns)
    column = pl.col(known.column)
    return rows, (column == known.equals if known.equals is not None else column).cast(pl.Float64)


def found(run: Run, known: Known) -> tuple[float, float, int]:
    """Mean, standard error over deals, and number of deals."""
    rows, value = rows_of(run, known)
    row = deal_sums(run, rows, ["cell"], {"value": value}).row(0, named=True)
    return row["value"], math.sqrt(row["value_var"] / row["deals"]), row["deals"]


def _tables_against_log(run: Run) -> tuple[int, int]:
    """How many values of the analysis differ from plain means of the log's columns, and how many there are."""
    seats = (
        run.seats()
        .group_by("seat")
        .agg(pl.col("share", "score").cast(pl.Float64).mean())
        .sort("seat")
        .collect()
    )
    games = run.games().select(pl.col("draw", "turns", "decisions").cast(pl.Float64).mean()).collect().row(0)
    told = [
        *analysis.seat_shares(run).sort("seat")["share"],
        *analysis.scores(run).sort("seat")["mean"],
        analysis.draws(run)["share"][0],
        *analysis.lengths(run, ("turns", "decisions"))["mean"],
    ]
    plain = [*seats["share"], *seats["score"], *games]
    return sum(abs(a - b) > ROUNDING for a, b in zip(told, plain, strict=True)), len(plain)
