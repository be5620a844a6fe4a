"""Gains of the weights of a strategy over its defaults, deal by deal."""

from typing import Any

import numpy as np
import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import text
from simkit.runs.folder import Run
from simkit.stats.deals import Difference, difference_from_moments
from simkit.stats.quantiles import Floats

TUNING_LEVEL = 0.95
PANEL, HOLDOUT, DIRECT, AVERAGE = "panel", "holdout", "direct", "average"  # roles of opponents
Shares = dict[tuple[str, str], Floats]  # (first strategy of a lineup, last one) -> its share by deal


def deal_shares(run: Run) -> Shares:
    """Return the share of the first strategy of each lineup in each deal, over all rotations.

    Between equal players it is the same in every deal, as it should be: the mean over all seats.
    """
    first = {cell.index: cell.labels[0] for cell in run.cells}
    mine = text("strategy") == pl.col("cell").replace_strict(first, return_dtype=pl.String)
    share = pl.col("share").cast(pl.Float64).mean()
    rows = run.seats().filter(mine).group_by("cell", "deal").agg(share)
    by_cell = rows.collect(engine="streaming").sort("deal").partition_by("cell", as_dict=True)
    ends = {cell.index: (cell.labels[0], cell.labels[-1]) for cell in run.cells}
    return {ends[cell]: table["share"].to_numpy() for (cell,), table in by_cell.items()}


def against(values: Shares, strategy: str, opponents: list[str]) -> Floats:
    """Return the mean share of a strategy against some opponents in each deal; "" is the strategy itself."""
    every = np.stack([values[strategy, other or strategy] for other in opponents])
    return np.asarray(every.mean(axis=0))


def gain(own: Floats, base: Floats, plays: int, level: float = TUNING_LEVEL) -> Difference:
    """Return the paired difference of two shares over common deals; `plays`: games of each deal."""
    gaps, unpaired = own - base, float(own.var(ddof=1) + base.var(ddof=1))
    return difference_from_moments(
        float(gaps.mean()), float(gaps.var(ddof=1)), unpaired, gaps.size, 1.0, level, plays
    )


@finding
def tuned(findings: Findings) -> pl.DataFrame:
    """Per opponent of a tuned strategy on fresh deals: its share, that of the defaults, and the gain.

    role: average (over the panel, on which the weights were chosen), panel, holdout (was not in the panel),
    direct (against the defaults themselves, whose `base` is the share of equal players). All intervals hold
    together at 95 %.
    """
    if findings.run.kind != "tune":
        return pl.DataFrame()
    run, results, values = findings.run, findings.run.tuned, deal_shares(findings.run)
    seats = run.cells[0].seats
    groups = [(AVERAGE, results.panel)] if len(results.panel) > 1 else []
    groups += [(PANEL, [name]) for name in results.panel] + [(HOLDOUT, [name]) for name in results.holdout]
    groups += [] if run.team or results.strategy in results.panel else [(DIRECT, [results.strategy])]
    level, rows = 1 - (1 - TUNING_LEVEL) / len(groups), list[dict[str, Any]]()
    for role, opponents in groups:
        own = against(values, results.tuned, opponents)
        base = 0 * own + 1 / seats if role == DIRECT else against(values, results.strategy, opponents)
        each = gain(own, base, len(opponents) * run.cells[0].rotations, level)
        means = {"share": float(own.mean()), "base": float(base.mean()), "deals": each.deals}
        ends = {"gain": each.difference, "low": each.low, "high": each.high}
        rows.append({"role": role, "opponent": ", ".join(opponents), **means, **ends})
    kinds = texts("role", "opponent") | reals("share", "base", "gain", "low", "high") | whole("deals")
    return pl.DataFrame(rows, schema_overrides=kinds)


@finding
def trials(findings: Findings) -> pl.DataFrame:
    """Per candidate of a tuning, the defaults first: gain over them on the deals of the search, and interval.

    dropped: measured on few deals only; best: the greatest gain so far on all deals.
    """
    if findings.run.kind != "tune":
        return pl.DataFrame()
    results = findings.run.tuned
    rows = [each.model_dump(exclude={"weights"}) for each in results.trials]
    dropped = pl.col("deals") < results.deals
    best = pl.when(dropped).then(None).otherwise(pl.col("gain")).cum_max().forward_fill()
    return pl.DataFrame(rows).with_row_index("trial").with_columns(dropped=dropped, best=best)
