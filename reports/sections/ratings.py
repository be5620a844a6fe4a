"""How strong each strategy is: ranking by wins, Elo ratings, and what the seats are worth on the same scale."""

from __future__ import annotations

import polars as pl

from reports.sections.common import COUNT, HIGH, LOW, SHARE, N, looked_at
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, table
from simkit.runlog import Run

ELO = {
    "elo": Show(
        "Elo",
        "{:+.0f}",
        "a strategy 70 points above another wins 60 % against it, 191 points 75 %, 400 points 91 %",
    ),
    "low": Show("95 % from", "{:+.0f}", LOW),
    "high": Show("to", "{:+.0f}", HIGH),
}


def setting(run: Run) -> str:
    """The setting that pictures and sentences are about: the baseline, else the first."""
    return str(looked_at(run, analysis.cells_table(run))["setting"][0])


def where_of(frame: pl.DataFrame) -> dict[str, Show]:
    """The columns that tell settings and tables of different size apart, where there are several."""
    heads = {"setting": "setting", "seats": "seats"}
    return {
        name: Show(head)
        for name, head in heads.items()
        if name in frame.columns and frame[name].n_unique() > 1
    }


def ranking_section(run: Run, ranked: pl.DataFrame) -> Section:
    """Share of wins of each strategy, best first, against the share all would have if equally strong."""
    figures = []
    for seats in _seats(run, ranked):
        shown = ranked.filter((pl.col("setting") == setting(run)) & (pl.col("seats") == seats))
        drawn = shown.with_columns(
            pl.col("strategy").alias("label"),
            pl.lit("").alias("kind"),
            pl.lit(-1, pl.Int64).alias("style"),
            pl.lit(1 / seats).alias("fair"),
        )
        drawing = charts.picture(
            f"ranking{seats}",
            charts.forest,
            drawn,
            height=1.0 + 0.27 * drawn.height,
            fair="if all were equal",
        )
        alt = f"Share of games won by each strategy at a table of {seats}, with 95 % interval; numbers in the table"
        figures.append(Figure(drawing, alt, _caption(run, ranked, seats)))
    text = (
        "How often each strategy wins, over all lineups in which it met another, each lineup counting alike. The dashed line is the share "
        "of everybody if all were equally strong. Intervals that overlap do not settle an order."
    )
    columns = (
        where_of(ranked)
        | {"strategy": Show("strategy"), "opponents": Show("opponents", COUNT, "other strategies met")}
        | SHARE
        | N
    )
    return Section("Ranking", [text], figures, [table(ranked, columns, "Ranking")])


def rating_section(run: Run, rated: pl.DataFrame) -> Section:
    """Elo of the strategies and, on the same scale, of the seats."""
    figures, missing = [], []
    for seats in _seats(run, rated):
        shown = rated.filter((pl.col("setting") == setting(run)) & (pl.col("seats") == seats))
        known = shown.filter(pl.col("elo").is_not_null() & (pl.col("name") != "seat 0"))
        missing += [
            f"No ratings: {reason}." for reason in shown["reason"].drop_nulls().unique(maintain_order=True)
        ]
        if known.height:
            figures.append(_rating_figure(known, seats, _caption(run, rated, seats)))
    text = (
        "All games put on one scale (Elo): a strategy 70 points above another wins about 60 % against it, 191 points 75 %, 400 points 91 %. "
        "0 is the mean of the strategies here. The last rows are seats: what a later seat is worth against the first for the same strategy."
    )
    columns = where_of(rated) | {"name": Show("strategy or seat", _seat)} | ELO | N
    if missing:
        columns |= {"reason": Show("why there is no rating")}
    return Section(
        "Ratings", [*missing, text], figures, [table(rated, columns, "Elo ratings of strategies and seats")]
    )


def _rating_figure(known: pl.DataFrame, seats: int, caption: str) -> Figure:
    label = (
        pl.when(pl.col("kind") == "seat")
        .then(
            pl.format("{} instead of the first", pl.col("name").map_elements(_seat, return_dtype=pl.String))
        )
        .otherwise(pl.col("name"))
    )
    seat = (
        pl.when(pl.col("kind") == "seat")
        .then(pl.col("name").str.extract(r"(\d+)$").cast(pl.Int64))
        .otherwise(-2)
    )
    drawn = known.with_columns(label.alias("label"), pl.col("elo").alias("value"), seat.alias("style")).drop(
        "kind"
    )
    drawing = charts.picture(
        f"ratings{seats}",
        charts.bars,
        drawn,
        height=0.9 + 0.3 * drawn.height,
        unit="Elo points",
        form="{:+.0f}",
    )
    return Figure(
        drawing,
        f"Elo of each strategy and seat at a table of {seats}, with 95 % interval; numbers in the table",
        caption,
    )


def _seat(name: str) -> str:
    """The name of a seat; strategies stay as they are."""
    return analysis.seats_named(name, article="") if name.startswith("seat ") else name


def _seats(run: Run, frame: pl.DataFrame) -> list[int]:
    return frame.filter(pl.col("setting") == setting(run))["seats"].unique(maintain_order=True).to_list()


def _caption(run: Run, frame: pl.DataFrame, seats: int) -> str:
    said = [f"Tables of {seats} seats."] if frame["seats"].n_unique() > 1 else []
    said += (
        [f"Shown for {setting(run)}; the table has every setting."] if frame["setting"].n_unique() > 1 else []
    )
    return " ".join(said)
