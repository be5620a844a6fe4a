"""Growth of leads, from the turn trace. Definitions: `simkit.analysis.turns`."""

import polars as pl

from simkit.analysis.deals import COUNT, deal_sums, reals
from simkit.analysis.findings import Findings, finding
from simkit.analysis.turns import SECOND_TRACE, TRACE
from simkit.stats import ratios

LEAD_KEY = ["cell", "seat", "strategy", "phase"]


def later(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Return d of each seat at a turn (x) and one round of the table later (y)."""
    d = pl.col("score") - pl.col("score").mean().over("moment")
    now = standings.with_columns(x=d).join(findings.cells.lazy().select("cell", lag="seats"), on="cell")
    then = now.select("play", "seat", pl.col("turn") - pl.col("lag"), y="x")
    return now.with_columns(phase=pl.col("turn") % pl.col("lag")).join(then, on=["play", "seat", "turn"])


@TRACE(*LEAD_KEY)
def lead_sums(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Sum n, x, y, x² and xy by cell, seat, strategy and phase."""
    x, y = pl.col("x"), pl.col("y")
    parts = {"n": COUNT, "sx": x.sum(), "sy": y.sum(), "xx": (x * x).sum(), "xy": (x * y).sum()}
    return later(findings, standings).group_by(LEAD_KEY).agg(**parts)


def lines(findings: Findings) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return means and slope b per group, and Σx̃², Σx̃y, pairs and b per cell."""
    n, sx, mean_x, mean_y = (pl.col(name) for name in ("n", "sx", "mean_x", "mean_y"))
    groups = lead_sums(findings).with_columns(mean_x=sx / n, mean_y=pl.col("sy") / n)
    parts = {"xx": pl.col("xx") - sx * mean_x, "xy": pl.col("xy") - sx * mean_y, "pairs": n}
    cells = groups.group_by("cell").agg(**{name: part.sum() for name, part in parts.items()})
    cells = cells.with_columns(b=pl.when(pl.col("xx") > 1e-9).then(pl.col("xy") / pl.col("xx")))
    return groups.select(*LEAD_KEY, "mean_x", "mean_y").join(cells.select("cell", "b"), on="cell"), cells


@SECOND_TRACE("cell")
def lead_scores(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Sum over deals u = Σ x̃e, with the residuals e."""
    x = pl.col("x") - pl.col("mean_x")
    residual = pl.col("y") - pl.col("mean_y") - pl.col("b") * x
    pairs = later(findings, standings).join(findings.cached(lines)[0].lazy(), on=LEAD_KEY)
    values = {"u": (x * residual).sum(), "games": pl.col("play").n_unique()}
    return deal_sums(pairs, ["cell"], values, [("u", "u")]).with_columns(pl.col("games").cast(pl.Int64))


@finding
def runaway(findings: Findings) -> pl.DataFrame:
    """Per cell: slope of later leads on present ones (whether being ahead helps to get further ahead).

    Definition (simkit's own): d_t(s) = x_t(s) − mean over seats of x_t. The slope is that of the
    least-squares line of d_{t+lag}(s) on d_t(s) over all games, seats and 1 <= t <= T − lag, with lag the
    number of seats (one round of the table) and an intercept for each seat, strategy and t mod lag, so that
    neither a steady gain nor the gain of the seat that has just moved counts as a runaway. 1: gains do not
    depend on the standing; above 1: leads grow (snowball); below 1: trailing seats catch up. Interval:
    clustered by deal. Where reaching a score ends the game, the gains that end it are missing, which lowers
    the slope of pure luck slightly below 1 (to 0.98 in Pig, both holding at 20). Null where no d varies.
    """
    table = findings.cached(lines)[1].join(lead_scores(findings), on="cell")
    rows = table.select("b", "xx", "xy", "u*u", "deals").iter_rows()
    ends = [(None,) * 3 if b is None else ratios.slope_from_sums(*sums)[:3] for b, *sums in rows]
    slopes = pl.DataFrame(ends, schema=reals("slope", "low", "high"), orient="row").fill_nan(None)
    estimates = table.select("cell", "pairs", "games", "deals").hstack(slopes)
    cells = findings.cells.select(pl.col("cell").cast(estimates.schema["cell"]))
    return findings.with_cells(cells.join(estimates, on="cell", how="left", maintain_order="left"))
