"""Interesting games: which plays to replay."""

import polars as pl

from simkit.analysis.drama import traced_games
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import cells_to_look_at, text
from simkit.analysis.turns import TRACE

MOST_DEALS = 20_000  # deals per cell among which games are chosen
FIGURES = ("turns", "lead_changes", "margin")
COLUMNS = ["kind", "play", "deal", "rotation", "turns", "lead_changes", "decided", "margin", "winner"]
COLUMNS += ["end_reason"]


@TRACE("play", "lead_changes", "decided")
def stories(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Return the lead changes and decision time of each traced game of the cells to look at."""
    inside = pl.col("cell").is_in(cells_to_look_at(findings.run)) & (pl.col("deal") < MOST_DEALS)
    return traced_games(standings.filter(inside)).select("play", "lead_changes", "decided")


@finding
def interesting_games(findings: Findings) -> pl.DataFrame:
    """Per cell to look at: a typical and the wildest game, chosen reproducibly.

    Definition (simkit's own), among the games of the cell's first MOST_DEALS deals, or the traced ones if
    there are any: typical: nearest to the medians of turns, lead changes and margin (sum of distances in
    standard deviations); wildest: most lead changes, then latest decision, then smallest margin. Ties go to
    the first play. margin: best score less the second best. lead_changes, decided: as in `traced_games`;
    without a trace as logged, or null. For a team, whose margin is its score and which has no lead: typical
    (among wins or defeats, whichever are more frequent, nearest to the median length, then margin), and among
    the others the narrowest win or defeat (smallest margin, then the longest).
    """
    games = pl.concat([_games(findings, cell) for cell in cells_to_look_at(findings.run)])
    if findings.run.experiment.trace and findings.run.team:
        games = games.filter(pl.col("deal") < findings.run.experiment.trace)
    elif findings.run.experiment.trace:
        games = games.drop("lead_changes", "decided").join(
            stories(findings), on="play", maintain_order="left"
        )
    choose = _chosen_of_team if findings.run.team else _chosen
    chosen = [choose(part) for part in games.partition_by("cell", maintain_order=True)]
    return findings.with_cells(pl.concat(chosen))


def _games(findings: Findings, cell: int) -> pl.DataFrame:
    inside = (pl.col("cell") == cell) & (pl.col("deal") < MOST_DEALS)
    part = findings.run.only([cell]).between(0, MOST_DEALS)
    score, games = pl.col("score").cast(pl.Int64), part.games().filter(inside)
    margin = (score.max() - score.top_k(2).min()).alias("margin")
    changes = pl.col("lead_changes") if "lead_changes" in games.collect_schema() else pl.lit(None)
    unknown = {"lead_changes": changes.cast(pl.Int64), "decided": pl.lit(None, pl.Float64)}
    rows = games.select("cell", "play", "deal", "rotation", "turns", "winner", text("end_reason"), **unknown)
    if findings.run.team:
        margin = score.first().alias("margin")
    margins = part.seats().filter(inside).group_by("play").agg(margin, won=pl.col("share").first() > 0)
    return rows.join(margins, on="play").sort("play").collect(engine="streaming")


def _chosen(games: pl.DataFrame) -> pl.DataFrame:
    gaps = {name: (pl.col(name) - pl.col(name).quantile(0.5, "lower")).abs() for name in FIGURES}
    spread = {name: pl.col(name).std(ddof=0) for name in FIGURES}
    total = pl.sum_horizontal(pl.when(spread[name] > 0).then(gaps[name] / spread[name]) for name in FIGURES)
    orders = {
        "typical": [total],
        "wildest": [-pl.col("lead_changes"), -pl.col("decided").fill_null(0), pl.col("margin")],
    }
    firsts = {kind: games.sort(*order, "play").head(1) for kind, order in orders.items()}
    rows = pl.concat(row.with_columns(kind=pl.lit(kind)) for kind, row in firsts.items())
    return rows.select("cell", *COLUMNS, "won", games=pl.lit(games.height, pl.Int64))


def _chosen_of_team(games: pl.DataFrame) -> pl.DataFrame:
    near, turns = pl.col("margin").abs(), pl.col("turns")
    usual = 2 * int(games["won"].sum()) > games.height
    alike, others = games.filter(pl.col("won") == usual), games.filter(pl.col("won") != usual)
    kinds = {
        "typical": alike.sort((turns - turns.median()).abs(), (near - near.median()).abs(), "play"),
        f"narrowest {'defeat' if usual else 'win'}": others.sort(near, -turns, "play"),
    }
    rows = pl.concat(part.head(1).with_columns(kind=pl.lit(kind)) for kind, part in kinds.items())
    return rows.select("cell", *COLUMNS, "won", games=pl.lit(games.height, pl.Int64))
