"""Games worth looking at: which plays to replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from simkit.analysis.drama import traced_games
from simkit.analysis.table import cells_to_look_at, text, with_cells

if TYPE_CHECKING:
    from simkit.runlog import Run

MOST_DEALS = 20_000  # deals of a cell among which games are chosen
FIGURES = ("turns", "lead_changes", "margin")


def interesting_games(run: Run, deals: int = MOST_DEALS) -> pl.DataFrame:
    """For each cell to look at: a representative, a median and the wildest game, the same each time.

    Definition (simkit's own), among the games of the cell's first `deals` deals, in a run with a trace among the traced ones:
    representative: nearest to the medians of turns, lead changes and margin (sum of distances, each in standard deviations);
    median: of the games nearest to the median length, the one whose margin is nearest to the median margin;
    wildest: most lead changes, then decided latest, then the smallest margin. Of equals the first play.
    margin: best score minus the second best. lead_changes and decided (t/T) as in `traced_games`; without a trace lead_changes is what
    the game logs (null if it does not) and decided is null.
    Columns: kind, play, deal, rotation, turns, lead_changes, decided, margin, winner, end_reason, games (chosen among).
    """
    cells = cells_to_look_at(run)
    games = _with_story(run, pl.concat([_games(run, cell, deals) for cell in cells]))
    return with_cells(run, pl.concat([_chosen(games.filter(pl.col("cell") == cell)) for cell in cells]))


def _games(run: Run, cell: int, deals: int) -> pl.DataFrame:
    """The first games of a cell, as the log has them."""
    inside = (pl.col("cell") == cell) & (pl.col("deal") < deals)
    score = pl.col("score").cast(pl.Int64)
    run = run.only([cell]).between(0, deals)
    margins = (
        run.seats().filter(inside).group_by("play").agg((score.max() - score.top_k(2).min()).alias("margin"))
    )
    logged = "lead_changes" in run.games().collect_schema().names()
    changes = (
        pl.col("lead_changes").cast(pl.Int64) if logged else pl.lit(None, pl.Int64).alias("lead_changes")
    )
    columns = [
        "cell",
        "play",
        "deal",
        "rotation",
        "turns",
        "winner",
        text("end_reason"),
        changes,
        pl.lit(None, pl.Float64).alias("decided"),
    ]
    return (
        run.games()
        .filter(inside)
        .select(columns)
        .join(margins, on="play")
        .sort("play")
        .collect(engine="streaming")
    )


def _with_story(run: Run, games: pl.DataFrame) -> pl.DataFrame:
    """In a run with a trace: the traced ones of the games, with what the trace says."""
    if not run.experiment.trace:
        return games
    plays = games.select("play")
    traced = pl.concat(
        [
            block.select("play", "lead_changes", "decided").join(plays, on="play")
            for block in traced_games(run)
        ]
    )
    return games.drop("lead_changes", "decided").join(traced, on="play", maintain_order="left")


def _chosen(games: pl.DataFrame) -> pl.DataFrame:
    """The three games of a cell."""
    away = {name: (pl.col(name) - pl.col(name).quantile(0.5, "lower")).abs() for name in FIGURES}
    spread = {name: pl.col(name).std(ddof=0) for name in FIGURES}
    apart = pl.sum_horizontal(pl.when(spread[name] > 0).then(away[name] / spread[name]) for name in FIGURES)
    orders = {
        "representative": [apart],
        "median": [away["turns"], away["margin"]],
        "wildest": [-pl.col("lead_changes"), -pl.col("decided").fill_null(0), pl.col("margin")],
    }
    rows = [
        games.sort(*order, "play").head(1).with_columns(pl.lit(kind).alias("kind"))
        for kind, order in orders.items()
    ]
    columns = [
        "cell",
        "kind",
        "play",
        "deal",
        "rotation",
        "turns",
        "lead_changes",
        "decided",
        "margin",
        "winner",
        "end_reason",
    ]
    return pl.concat(rows).select(*columns, pl.lit(games.height, pl.Int64).alias("games"))
