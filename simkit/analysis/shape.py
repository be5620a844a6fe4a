"""How games go: lengths, end reasons, draws, scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from simkit.analysis.table import deal_sums, share_columns, text, with_cells
from simkit.stats.deals import mean_from_moments

if TYPE_CHECKING:
    from simkit.runlog import Run

MEASURES = ("turns", "decisions")


def length_counts(run: Run, measure: str) -> pl.DataFrame:
    """Per cell: how many games had each value of a whole-number column of the games table (`value`, `games`)."""
    value = pl.col(measure).cast(pl.Int64).alias("value")
    counted = run.games().group_by("cell", value).agg(pl.len().cast(pl.Int64).alias("games"))
    return with_cells(run, counted.collect(engine="streaming").sort("cell", "value"))


def length_bars(run: Run, measure: str, most: int = 40) -> pl.DataFrame:
    """Per cell: the share of games from `low` up to below `high`, in bars of equal whole width, at most `most` of them.

    The bars reach from the shortest to the longest game, save one in a thousand of a cell at either end: those would squeeze the rest.
    """
    counts = _without_ends(length_counts(run, measure))
    start, end = counts.select(pl.col("value").min(), pl.col("value").max().alias("end")).row(0)
    width = max(1, -(-(end - start + 1) // most))
    low = start + (pl.col("value") - start) // width * width
    bars = counts.group_by("cell", low.alias("low"), maintain_order=True).agg(pl.col("games").sum())
    every = (
        counts.select("cell")
        .unique(maintain_order=True)
        .join(pl.DataFrame({"low": range(start, end + 1, width)}), how="cross")
    )
    full = every.join(bars, on=["cell", "low"], how="left").with_columns(pl.col("games").fill_null(0))
    full = full.with_columns((pl.col("low") + width).alias("high"))
    return with_cells(
        run, full.with_columns((pl.col("games") / pl.col("games").sum().over("cell")).alias("share"))
    )


def _without_ends(counts: pl.DataFrame, part: float = 0.001) -> pl.DataFrame:
    """The counts without the least and the greatest values, up to so great a part of a cell's games at either end."""
    games = pl.col("games")
    up_to, every = games.cum_sum().over("cell"), games.sum().over("cell")
    return counts.sort("cell", "value").filter((up_to > part * every) & (up_to - games < (1 - part) * every))


def lengths(run: Run, measures: tuple[str, ...] = MEASURES) -> pl.DataFrame:
    """Per cell and measure (turns, decisions): games, mean, low, high (95 %), sd, p5, p50, p95."""
    table = pl.concat([_length(run, measure) for measure in measures]).sort("cell", maintain_order=True)
    means = deal_sums(run, lambda part: part.games(), ["cell"], {name: pl.col(name) for name in measures})
    found = {
        (row["cell"], name): mean_from_moments(row[name], row[f"{name}_var"], row["deals"])
        for row in means.rows(named=True)
        for name in measures
    }
    ends = [found[key][1:3] for key in table.select("cell", "measure").iter_rows()]
    return table.hstack(
        pl.DataFrame(ends, schema={"low": pl.Float64, "high": pl.Float64}, orient="row").fill_nan(None)
    )


def _length(run: Run, measure: str) -> pl.DataFrame:
    counts = length_counts(run, measure)
    games, value = pl.col("games"), pl.col("value")
    mean = (games * value).sum() / games.sum()
    variance = (games * (value - mean) ** 2).sum() / (games.sum() - 1).clip(1)
    table = counts.group_by("cell", maintain_order=True).agg(
        pl.lit(measure).alias("measure"),
        mean.alias("mean"),
        variance.sqrt().alias("sd"),
        *(
            value.filter(games.cum_sum() >= part * games.sum()).first().alias(f"p{round(100 * part)}")
            for part in (0.05, 0.5, 0.95)
        ),
        games.sum().alias("games"),
    )
    return with_cells(run, table)


def end_reasons(run: Run) -> pl.DataFrame:
    """Per cell and end reason that occurred: games, deals, share, low, high (games is that of the cell)."""
    names = (
        run.games()
        .select(text("end_reason").unique())
        .collect(engine="streaming")
        .to_series()
        .sort()
        .to_list()
    )
    parts = [
        _game_share(run, text("end_reason") == name).with_columns(pl.lit(name).alias("end_reason"))
        for name in names
    ]
    return pl.concat(parts).sort("cell", maintain_order=True)


def draws(run: Run) -> pl.DataFrame:
    """Per cell: the share of games whose win was shared."""
    return _game_share(run, pl.col("draw"))


def _game_share(run: Run, happened: pl.Expr) -> pl.DataFrame:
    """Per cell: the share of games in which something happened."""
    return with_cells(
        run,
        share_columns(
            deal_sums(run, lambda part: part.games(), ["cell"], {"happened": happened}), "happened", "rows"
        ),
    )


def end_winners(run: Run) -> pl.DataFrame:
    """Per cell, end reason and winning seat (null: nobody alone): games, and their share of the games of the cell."""
    counted = (
        run.games().group_by("cell", text("end_reason"), "winner").agg(pl.len().cast(pl.Int64).alias("games"))
    )
    table = with_cells(
        run, counted.collect(engine="streaming").sort("cell", "end_reason", "winner", nulls_last=True)
    )
    return table.with_columns((pl.col("games") / pl.col("games").sum().over("cell")).alias("share"))


def scores(run: Run) -> pl.DataFrame:
    """Per cell and seat: mean score with its interval (deal as unit), and the standard deviation over games."""
    score = pl.col("score").cast(pl.Float64)
    sums = deal_sums(run, lambda part: part.seats(), ["cell", "seat"], {"score": score, "square": score**2})
    found = [mean_from_moments(*row) for row in sums.select("score", "score_var", "deals").iter_rows()]
    spread = (
        (pl.col("square") - pl.col("score") ** 2).clip(0) * pl.col("rows") / (pl.col("rows") - 1).clip(1)
    ).sqrt()
    table = sums.select(
        "cell",
        "seat",
        pl.col("score").alias("mean"),
        spread.alias("sd"),
        pl.col("rows").alias("games"),
        "deals",
    )
    ends = [
        pl.Series("low", [m.low for m in found], dtype=pl.Float64),
        pl.Series("high", [m.high for m in found], dtype=pl.Float64),
    ]
    return with_cells(run, table.with_columns(ends))
