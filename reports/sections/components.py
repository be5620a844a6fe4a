"""Logged columns that go with winning: levers, known at the start, and signs, known at the end."""

import polars as pl

from simkit.reporting.pages import (
    Figure,
    Findings,
    Section,
    Show,
    Table,
    charts,
    figure,
    points,
    prose,
    table,
)
from simkit.reporting.pages.scope import first_cell, here
from simkit.reporting.text import seat_name
from simkit.reporting.text.column_groups import CAUTION, named_columns, sided
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.labels import lowered

MAX_ROWS = 8  # columns in a picture
MEAN = Show("mean", "{:.2f}")
SD = Show("sd", "{:.2f}", "standard deviation")
METHOD = prose("""Seats are divided in two by each thing that the game logs: those that have it against those
    that do not, or, where nearly all have it, the third with the most against the third with the least. Each
    is compared with others in the same seat with the same strategy only, and these comparisons are put
    together: whoever sits first or plays best would else seem to win by what it has. The dot is the
    difference of the shares of the games won, in percentage points. Right of zero: winners have more of
    it.""")
NOTHING = prose("""This game logs nothing of its own about the seats that divides them, so there is nothing to
    set against winning.""")
LEFT_OUT = "Left out, since they decide who wins, follow from it or are fixed by the seat"
WORDS = {"Correlational, not causal": "goes together with winning, but may not be what brings about the win."}
LEVERS, SIGNS = "Levers: what seats begin with", "Signs of winning: what seats end with"
SIGNS_TOLD = "What seats end with are signs of winning, no levers."


def section(findings: Findings) -> Section:
    """Return pictures and tables of the columns that divide winners from others."""
    baseline = findings.at_baseline()
    rows = named_columns(baseline, baseline.components, "seats")
    divided = sided(baseline, rows.drop_nulls("difference")) if rows.height else rows
    counted = [_means(baseline, first_cell(baseline, rows) if rows.height else rows), _counters(baseline)]
    if not divided.height:
        return Section("Nothing logged goes with winning", [NOTHING], [], counted, words=WORDS)
    text = [f"What the seats that win have more or less of. {CAUTION}", METHOD]
    if left_out := named_columns(baseline, baseline.telling_columns, "seats")["component"].to_list():
        text.append(f"{LEFT_OUT}: {', '.join(map(lowered, left_out))}.")
    first = first_cell(findings, divided)
    levers, signs = first.filter("lever"), first.filter(~pl.col("lever"))
    if signs.height and levers.height:  # otherwise the heading says so
        text.append(SIGNS_TOLD)
    parts = [("levers", LEVERS, levers), ("signs", SIGNS, signs)]
    figures = [_picture(findings, *part) for part in parts if part[2].height]
    tables = [_winning(baseline, rows, caption) for _, caption, rows in parts if rows.height]
    return Section(
        _heading(levers, signs) + of_first(findings), text, figures, [*tables, *counted], words=WORDS
    )


def _heading(levers: pl.DataFrame, signs: pl.DataFrame) -> str:
    """Name the most important significant lever, or else the most telling sign of winning or losing."""
    beyond_luck = (pl.col("difference_low") > 0) | (pl.col("difference_high") < 0)
    if (certain := levers.filter(beyond_luck)).height:
        row = certain.row(0, named=True)
        comparison = "more" if row["difference"] > 0 else "less"
        return f"{row['component']}: those with {row['much']} win {comparison} often"
    if levers.height:
        return "Nothing that seats begin with decides"
    if (certain := signs.filter(beyond_luck)).is_empty():
        return "Nothing that seats end with is a sure sign of winning"
    row = certain.row(0, named=True)
    outcome = "winning" if row["difference"] > 0 else "losing"
    return f"{row['component']}: those with {row['much']} show a sign of {outcome}, no lever"


def _picture(findings: Findings, name: str, caption: str, rows: pl.DataFrame) -> Figure:
    """Return the picture of the most certain differences."""
    label = pl.format("{}\n{} against {}", "component", "much", "little")
    ends = {"value": "difference", "low": "difference_low", "high": "difference_high"}
    parts = {part: 100 * pl.col(column) for part, column in ends.items()} | {
        "label": label,
        "style": pl.lit(-2),
    }
    alt = f"{caption}: difference of the shares won between those with much and little of each thing"
    unit = f"{caption}. Difference of the shares won, percentage points"
    return figure(
        findings,
        (f"components-{name}", charts.forest),
        rows.head(MAX_ROWS),
        alt,
        here(findings),
        parts,
        unit=unit,
        form="{:+.1f}",
    )


def _winning(baseline: Findings, rows: pl.DataFrame, caption: str) -> Table:
    with_, without = "much with_share with_games", "little without_share without_games"
    names = f"component {with_} {without} difference difference_low difference_high deals"
    shown = Show("difference", points, "in percentage points; correlational, not causal")
    return table(baseline, rows, names, caption, difference=shown)


def _counters(baseline: Findings) -> Table:
    counters = named_columns(baseline, baseline.game_counters, "games")
    counters = first_cell(baseline, counters) if counters.height else counters
    names = "component mean sd p5 p50 p95 games"
    return table(baseline, counters, names, "What happens in a game", component="per game", mean=MEAN, sd=SD)


def _means(baseline: Findings, rows: pl.DataFrame) -> Table:
    seats = named_columns(baseline, baseline.component_seats, "seats")
    if seats.is_empty():
        return Table([], [], [])
    seat = pl.col("seat").map_elements(seat_name, return_dtype=pl.String)
    parts = [first_cell(baseline, seats).with_columns(of=seat).drop("seat")]
    no_interval = pl.lit(None, pl.Float64)
    for name in ("winners", "others") if rows.height else ():
        columns = {"of": pl.lit(name), "mean": pl.col(name), "games": pl.col(f"{name}_games")}
        named = rows.with_columns(**columns, low=no_interval, high=no_interval)
        parts.append(named.select(name for name in parts[0].columns if name in named.columns))
    means = pl.concat(parts, how="diagonal_relaxed").sort("cell", "column", maintain_order=True)
    caption = "Means by seat; of winners and of others, each seat and strategy with its like"
    return table(baseline, means, "component of mean low high n", caption, mean=MEAN)
