"""Strategies and seats on one scale of strength."""

import polars as pl

from simkit.pages import Figure, Findings, Section, Show, charts, figure, labels_of, table
from simkit.pages.strengths import at_setting, caption, tables_of
from simkit.words import seat_name

TEXT = (
    "All games put on one scale (Elo): a strategy 70 points above another wins about 60 % against it, 191 "
    "points 75 %, 400 points 91 %. 0 is the mean of the strategies here. The last rows are seats: what a "
    "later seat is worth against the first for the same strategy."
)
WORDS = {
    "Elo": "a scale of strength: of two strategies 70 points apart the better wins about 60 %, 191 points "
    "75 %, 400 points 91 %."
}


def section(found: Findings) -> Section:
    """Elo of the strategies and, on the same scale, of the seats."""
    rated = _named(found)
    missing = at_setting(found, rated)["reason"].drop_nulls().unique(maintain_order=True)
    known = rated.filter(pl.col("elo").is_not_null() & (pl.col("name") != "seat 0"))
    figures = [_picture(found, known, seats) for seats in tables_of(found, known)] if known.height else []
    called = dict(rated.select("name", "called").iter_rows())
    shows = {"name": Show("strategy or seat", called.__getitem__), "reason": "why there is no rating"}
    names = f"where name elo low high n {'reason' if len(missing) else ''}"
    listed = table(found, rated, names, "Elo ratings of strategies and seats", **shows)
    text = [*(f"No ratings: {reason}." for reason in missing), TEXT]
    return Section("Ratings", text, figures, [listed], words=WORDS)


def _named(found: Findings) -> pl.DataFrame:
    """With what people call each strategy and seat, and the number of the seat."""
    strategy, number = labels_of(found).strategy, pl.col("name").str.extract(r"(\d+)$").cast(pl.Int64)
    seat = pl.when(pl.col("kind") == "seat").then(number)
    called = pl.col("name").map_elements(strategy, return_dtype=pl.String)
    of_seat = seat.map_elements(seat_name, return_dtype=pl.String)
    return found.ratings.with_columns(seat.alias("seat"), pl.coalesce(of_seat, called).alias("called"))


def _picture(found: Findings, known: pl.DataFrame, seats: int) -> Figure:
    shown = at_setting(found, known).filter(seats=seats)
    instead = pl.format("{} instead of the first", "called")
    label = pl.when(pl.col("seat").is_null()).then("called").otherwise(instead)
    parts = {"label": label, "value": "elo", "style": pl.col("seat").fill_null(-2)}
    alt = f"Elo of each strategy and seat at a table of {seats}, with 95 % interval"
    about, how = caption(found, found.ratings, seats), {"unit": "Elo points", "form": "{:+.0f}"}
    return figure(found, (f"ratings{seats}", charts.bars), shown, alt, about, parts, **how)
