"""Interesting games: which plays to replay."""

import polars as pl

from simkit.analysis.drama import traced_games
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import cells_to_look_at, text
from simkit.analysis.turns import TRACE

MOST_DEALS = 20_000  # deals per cell among which games are chosen
COURSE_NUMBERS = ("turns", "lead_changes", "margin")
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

    Definition (simkit's own), among the cell's first MOST_DEALS deals, or the traced ones if there are any:
    typical: nearest to the medians of turns, lead changes and margin (sum of distances in standard
    deviations); wildest: most lead changes, then latest decision, then smallest margin; ties go to the first
    play. margin: best score less the second best. lead_changes, decided: as in `traced_games`; without a
    trace as logged, or null. For a team, whose margin is its score: typical (of wins or defeats, whichever
    are more frequent, nearest to the median length, then margin), and the narrowest of the others (smallest
    margin, then the longest).
    """
    run, looked_at = findings.run, cells_to_look_at(findings.run)
    games = pl.concat([_games(findings, cell) for cell in looked_at])
    if run.experiment.trace and run.team:
        games = games.filter(pl.col("deal") < run.experiment.trace)
    elif run.experiment.trace:
        logged = games.drop("lead_changes", "decided")
        games = logged.join(stories(findings), on="play", maintain_order="left")
    choose = _chosen_of_team if run.team else _chosen
    parts = games.partition_by("cell", maintain_order=True)
    return findings.with_cells(pl.concat(_listed(choose(part), part.height) for part in parts))


def _listed(kinds: dict[str, pl.DataFrame], count: int) -> pl.DataFrame:
    """Return the first game of each kind, out of `count` games."""
    rows = pl.concat(games.head(1).with_columns(kind=pl.lit(kind)) for kind, games in kinds.items())
    return rows.select("cell", *COLUMNS, "won", games=pl.lit(count, pl.Int64))


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


def _chosen(games: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return the games, the most typical first and the wildest first."""
    gaps = {name: (pl.col(name) - pl.col(name).quantile(0.5, "lower")).abs() for name in COURSE_NUMBERS}
    spread = {name: pl.col(name).std(ddof=0) for name in COURSE_NUMBERS}
    total = pl.sum_horizontal(
        pl.when(spread[name] > 0).then(gaps[name] / spread[name]) for name in COURSE_NUMBERS
    )
    wildest = -pl.col("lead_changes"), -pl.col("decided").fill_null(0), pl.col("margin")
    return {"typical": games.sort(total, "play"), "wildest": games.sort(*wildest, "play")}


def _chosen_of_team(games: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return wins or defeats, the most typical first, and the others, the narrowest first."""
    near, turns = pl.col("margin").abs(), pl.col("turns")
    usual = 2 * int(games["won"].sum()) > games.height
    alike, others = games.filter(pl.col("won") == usual), games.filter(pl.col("won") != usual)
    return {
        "typical": alike.sort((turns - turns.median()).abs(), (near - near.median()).abs(), "play"),
        f"narrowest {'defeat' if usual else 'win'}": others.sort(near, -turns, "play"),
    }
