"""What the parts of the game go with: what winners had more of, and how often each thing happens."""

import polars as pl

from simkit.pages import Figure, Findings, Section, Show, Table, charts, figure, points, prose, table
from simkit.pages.scope import first_and_all, first_cell, here
from simkit.words import seat_name, seats_named
from simkit.words.highlights import CAUTION
from simkit.words.labels import lowered

MOST = 8  # components that are shown first
MEAN = Show("mean", "{:.2f}")
SD = Show("sd", "{:.2f}", "standard deviation")
HOW = prose("""Seats are divided in two by each thing that the game logs: those that have it against those
    that do not, or, where nearly all have it, the third with the most against the third with the least. Each
    is compared with others in the same seat with the same strategy only, and these comparisons are put
    together: whoever sits first or plays best would else seem to win by what it has. The bar is the
    difference of the shares of the games won, in percentage points. Right of zero: winners have more of
    it.""")
NOTHING = prose("""This game logs nothing of its own about the seats that divides them, so there is nothing to
    set against winning.""")
LEFT_OUT = "Left out, since they decide who wins, follow from it or are fixed by the seat"
WORDS = {"Correlational, not causal": "goes together with winning, but may not be what brings about the win."}


def section(found: Findings) -> Section:
    looked = found.looked()
    rows = _named(looked, looked.components, "seats")
    divided = rows.drop_nulls("difference") if rows.height else rows
    text, figures, tables = [NOTHING], list[Figure](), list[Table]()
    if divided.height:
        divided = _sided(divided)
        text = [f"What the seats that win have more or less of. {CAUTION}", HOW]
        if left_out := _named(looked, looked.telling_columns, "seats")["component"].to_list():
            text.append(f"{LEFT_OUT}: {', '.join(map(lowered, left_out))}.")
        figures = [_picture(found, first_cell(found, divided).head(MOST))]
        tables = _winning(looked, divided)
    counters = _named(looked, looked.game_counters, "games")
    names = "case component mean sd p5 p50 p95 games"
    counted = table(looked, counters, names, "What happens in a game", component="per game", mean=MEAN, sd=SD)
    return Section("Components", text, figures, [*tables, _means(looked, rows), counted], words=WORDS)


def _named(found: Findings, rows: pl.DataFrame, kind: str) -> pl.DataFrame:
    if not rows.width:
        return rows
    meanings = found.run.meanings(kind)
    texts = [seats_named(meanings.get(name) or name) for name in rows["column"]]
    return rows.with_columns(pl.Series("component", texts, dtype=pl.String))


def _sided(rows: pl.DataFrame) -> pl.DataFrame:
    """With what has much and what has little, in words."""
    low, high = (pl.col(end).map_elements("{:g}".format, return_dtype=pl.String) for end in ("low", "high"))
    much = pl.when("has").then(pl.lit("some")).otherwise(pl.format("at least {}", high))
    little = pl.when("has").then(pl.lit("none")).otherwise(pl.format("at most {}", low))
    return rows.with_columns(much.alias("much"), little.alias("little"))


def _picture(found: Findings, first: pl.DataFrame) -> Figure:
    """Bars of the differences; a long label is cut before what it divides by."""
    sides = pl.format("{}: {} against {}", "component", "much", "little").str.splitn(": ", 2).struct
    label = pl.format("{}\n{}", sides[0].str.slice(0, 40), sides[1])
    ends = {"value": "difference", "low": "difference_low", "high": "difference_high"}
    parts = {part: 100 * pl.col(name) for part, name in ends.items()} | {"label": label, "style": pl.lit(-2)}
    alt = "Difference of the shares won between those with much and little of each thing"
    unit = "Difference of the shares won, percentage points"
    return figure(found, ("components", charts.bars), first, alt, here(found), parts, unit=unit)


def _winning(looked: Findings, rows: pl.DataFrame) -> list[Table]:
    with_, without = "much with_share with_games", "little without_share without_games"
    names = f"component {with_} {without} difference difference_low difference_high deals"
    shown = Show("difference", points, f"in percentage points; {CAUTION}")
    return first_and_all(looked, rows, names, "What goes with winning", MOST, difference=shown)


def _means(looked: Findings, rows: pl.DataFrame) -> Table:
    seats = _named(looked, looked.component_seats, "seats")
    if seats.is_empty():
        return Table([], [], [])
    of = pl.col("seat").map_elements(seat_name, return_dtype=pl.String)
    parts = [seats.with_columns(of=of).drop("seat")]
    unknown = pl.lit(None, pl.Float64)
    for name in ("winners", "others") if rows.height else ():
        made = {"of": pl.lit(name), "mean": pl.col(name), "games": pl.col(f"{name}_games")}
        parts.append(rows.with_columns(**made, low=unknown, high=unknown).select(parts[0].columns))
    every = pl.concat(parts, how="vertical_relaxed").sort("cell", "column", maintain_order=True)
    caption = "Means by seat, of winners and of others"
    return table(looked, every, "case component of mean low high n", caption, mean=MEAN)
