"""Do the intervals cover? One long run is cut into many small ones, and each interval held against the known value.

The same tables as in any report: sums over deals by `analysis.table`, intervals by `stats.deals`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import polars as pl

from simkit.analysis.table import deal_sums, share_columns
from simkit.game import Known
from simkit.runlog import Run
from simkit.stats.deals import mean_from_moments
from simkit.validate.answers import rows_of
from simkit.validate.result import Result, Subject, measured
from simkit.validate.runs import Question

LEVEL, ALLOWANCE = 0.95, 0.01
SMALL, REPLICATIONS, FEWEST = 100, 2_000, 20  # deals of a small run, small runs at most, small runs at least


def checks(run: Run, question: Question) -> Iterator[Result]:
    """The coverage for the first and last seat whose share or score is known in a cell (of two seats one tells all)."""
    times = min(REPLICATIONS, run.experiment.deals // SMALL)
    if times < FEWEST:
        return
    of = Subject(run.experiment.game, question.words)
    error = math.sqrt(LEVEL * (1 - LEVEL) / times)
    for known in _chosen(run, question):
        said = f"{100 * LEVEL:.0f} % intervals of {SMALL} deals that cover the {known.words}"
        yield measured(of, said, LEVEL, _covered(run, known, times), error, times, ALLOWANCE)


def _chosen(run: Run, question: Question) -> list[Known]:
    last = run.cells[0].seats - 1
    seats = {0, last} if last > 1 else {0}
    return [one for one in question.known if one.column in ("share", "score") and one.seat in seats]


def _covered(run: Run, known: Known, times: int) -> float:
    """The part of the small runs whose interval holds the known value."""
    rows, value = rows_of(run, known)
    small = rows.with_columns((pl.col("deal") // SMALL).alias("small")).filter(pl.col("small") < times)
    sums = deal_sums(run, small, ["small"], {"value": value})
    ends = share_columns(sums, "value", "rows") if known.column == "share" else _mean_columns(sums)
    return float(
        ends.select(((pl.col("low") <= known.value) & (pl.col("high") >= known.value)).mean()).item()
    )


def _mean_columns(sums: pl.DataFrame) -> pl.DataFrame:
    found = [mean_from_moments(*row) for row in sums.select("value", "value_var", "deals").iter_rows()]
    return pl.DataFrame(
        [(one.low, one.high) for one in found], schema={"low": pl.Float64, "high": pl.Float64}, orient="row"
    )
