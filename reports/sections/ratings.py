"""Strategies and seats on one scale of strength."""

import polars as pl

from simkit.pages import Figure, Findings, Section, Show, at_setting, charts, figure, labels_of, prose, table
from simkit.pages.strengths import by_size
from simkit.words import seat_name

TEXT = prose("""All games put on one scale (Elo): a strategy 70 points above another wins about 60 % against
    it, 191 points 75 %, 400 points 91 %. 0 is the mean of the strategies here. The last rows are seats: what
    a later player is worth against the first for the same strategy.""")
SCALE = "of two strategies 70 points apart the better wins about 60 %, 191 points 75 %, 400 points 91 %"
WORDS = {"Elo": f"a scale of strength: {SCALE}."}


def section(found: Findings) -> Section:
    rated = _named(found)
    missing = at_setting(found, rated)["reason"].drop_nulls().unique(maintain_order=True)
    called = dict(rated.select("name", "called").iter_rows())
    shows = {"name": Show("strategy or seat", called.__getitem__), "reason": "why there is no rating"}
    names = f"where name elo low high n {'reason' if len(missing) else ''}"
    listed = table(found, rated, names, "Elo ratings of strategies and seats", **shows)
    text = [*(f"No ratings: {reason}." for reason in missing), TEXT]
    return Section("Ratings", text, _pictures(found, rated), [listed], words=WORDS)


def _named(found: Findings) -> pl.DataFrame:
    """With what people call each strategy and seat, and the number of the seat."""
    strategy, number = labels_of(found).strategy, pl.col("name").str.extract(r"(\d+)$").cast(pl.Int64)
    seat = pl.when(pl.col("kind") == "seat").then(number)
    called = pl.col("name").map_elements(strategy, return_dtype=pl.String)
    of_seat = seat.map_elements(seat_name, return_dtype=pl.String)
    return found.ratings.with_columns(seat.alias("seat"), pl.coalesce(of_seat, called).alias("called"))


def _pictures(found: Findings, rated: pl.DataFrame) -> list[Figure]:
    known = rated.filter(pl.col("elo").is_not_null() & (pl.col("name") != "seat 0"))
    instead = pl.format("{} instead of the first", "called")
    label = pl.when(pl.col("seat").is_null()).then("called").otherwise(instead)
    parts = {"label": label, "value": "elo", "style": pl.col("seat").fill_null(-2)}
    how, figures = {"unit": "Elo points", "form": "{:+.0f}"}, []
    for seats, shown, about in by_size(found, known):
        alt = f"Elo of each strategy and seat at a table of {seats}, with 95 % interval"
        figures.append(figure(found, (f"ratings{seats}", charts.bars), shown, alt, about, parts, **how))
    return figures
