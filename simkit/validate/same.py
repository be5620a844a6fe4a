"""A/A tests: the same cell again must be the same games; on other luck it must not differ by more than luck."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from simkit.runlog import Run
from simkit.stats.deals import paired_difference
from simkit.validate.result import Result, Subject, exact, measured
from simkit.validate.runs import Question, Runs

AGAIN, SHARD = 20_000, 777  # deals played again, in shards of an odd size
Values = NDArray[np.float64]


def checks(runs: Runs, question: Question, run: Run) -> Iterator[Result]:
    """The cell again on the same deals and on other luck."""
    of, deals = Subject(runs.game.name, question.words), min(AGAIN, runs.plays)
    again = runs.play(question.lineups, question.options, runs.seed, deals, SHARD)
    yield exact(
        of, "games that differ when the same deals are played in other batches", _differing(run, again), deals
    )
    other = runs.play(question.lineups, question.options, runs.seed + 1)
    here, there = first_seat(run), first_seat(other)
    yield _no_difference(of, here, there)
    yield from correlations(of, "correlation of the same deal under two seeds", here, there)
    yield from correlations(of, "correlation of neighbouring deals", here[:-1], here[1:])


def _differing(run: Run, again: Run) -> int:
    """The games of the shorter run whose rows are not those of the longer one."""
    found: set[int] = set()
    for table in ("games", "seats"):
        long, short = getattr(run, table)(), getattr(again, table)()
        rows = (
            long.filter(pl.col("play") < again.experiment.deals).collect().drop("cell"),
            short.collect().drop("cell"),
        )
        if rows[0].height != rows[1].height:
            return int(again.experiment.deals)
        apart = pl.any_horizontal(rows[0][name].ne_missing(rows[1][name]) for name in rows[0].columns)
        found |= set(rows[1].filter(rows[1].select(apart).to_series())["play"])
    return len(found)


def first_seat(run: Run) -> Values:
    """The share of seat 0 by deal."""
    rows = run.seats().filter(pl.col("seat") == 0).group_by("deal").agg(pl.col("share").mean())
    return rows.sort("deal").collect()["share"].to_numpy()


def _no_difference(of: Subject, here: Values, there: Values) -> Result:
    """The difference between two seeds is 0 but for luck."""
    gap = paired_difference(here, there)
    error = math.sqrt(float((here - there).var(ddof=1)) / here.size)
    return measured(
        of, "difference of the share of seat 0 between two seeds", 0.0, gap.difference, error, gap.deals
    )


def correlations(of: Subject, check: str, a: Values, b: Values) -> Iterator[Result]:
    """The correlation of independent values is 0, with standard error 1/sqrt(n); values that never vary have none."""
    if a.std() > 0 and b.std() > 0:
        yield measured(of, check, 0.0, float(np.corrcoef(a, b)[0, 1]), 1 / math.sqrt(a.size), a.size)
