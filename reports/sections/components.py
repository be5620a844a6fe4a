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
from simkit.reporting.text.column_groups import CAUTION, named_columns, rates_by_seat, sided
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.labels import lowered

MAX_BARS = 8  # columns in a picture
MEAN = Show("mean", "{:.2f}")
SD = Show("sd", "{:.2f}", "standard deviation")
METHOD = prose("""The table counts the games that each seat wins with much and with little of each thing: it
    has it or not, or, where nearly all have it, a third of the seats has the most and a third the least. The
    adjusted difference puts these comparisons together: within the same seat with the same strategy only,
    since whoever sits first or plays best would else seem to win by what it has. Right of zero: winners have
    more of it.""")
NOTHING = prose("""This game logs nothing of its own about the seats that divides them, so there is nothing to
    set against winning.""")
LEFT_OUT = "Left out, since they decide who wins, follow from it or are fixed by the seat"
ADJUSTED = "percentage points, within the same seat and strategy; correlational, not causal"
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
    shares = first_cell(findings, baseline.component_shares)
    tables = [_by_seat(baseline, shares, part) for part in parts if part[2].height]
    heading = _heading(levers, signs, shares, findings.run.team) + of_first(findings)
    return Section(heading, text, figures, [*tables, _adjusted(baseline, first), *counted], words=WORDS)


def _heading(levers: pl.DataFrame, signs: pl.DataFrame, shares: pl.DataFrame, team: bool = False) -> str:
    """Return the wins of a seat by the most certain lever, or else by the most certain sign of winning."""
    beyond_luck = (pl.col("difference_low") > 0) | (pl.col("difference_high") < 0)
    for row in (levers if levers.height else signs).filter(beyond_luck).rows(named=True):
        if rates := rates_by_seat(row, shares.filter(column=row["column"]), team):
            return f"{row['component']}: {rates}{'' if levers.height else ', a sign and no lever'}"
    if levers.height:
        return "Nothing that seats begin with decides"
    return "Nothing that seats end with is a sure sign of winning"


def _picture(findings: Findings, name: str, caption: str, rows: pl.DataFrame) -> Figure:
    """Return bars of the most certain adjusted differences."""
    label = pl.format("{}\n{} against {}", "component", "much", "little")
    ends = {"value": "difference", "low": "difference_low", "high": "difference_high"}
    parts = {part: 100 * pl.col(column) for part, column in ends.items()} | {
        "label": label,
        "style": pl.lit(-2),
    }
    alt = f"{caption}: adjusted difference of the shares won between those with much and little of each thing"
    unit = f"{caption}. Adjusted difference of the shares won, percentage points"
    return figure(
        findings,
        (f"components-{name}", charts.bars),
        rows.head(MAX_BARS),
        alt,
        here(findings),
        parts,
        unit=unit,
    )


def _by_seat(baseline: Findings, shares: pl.DataFrame, part: tuple[str, str, pl.DataFrame]) -> Table:
    """Return the games won by each seat with much and with little of each thing, as counted."""
    _, caption, rows = part
    counted = rows.select("column", "component", "much", "little").join(
        shares, on="column", maintain_order="left"
    )
    seat = pl.col("seat").map_elements(seat_name, return_dtype=pl.String)
    counted = counted.with_columns(of=seat)
    with_, without = (f"{side}_share {side}_low {side}_high {side}_games" for side in ("with", "without"))
    return table(baseline, counted, f"component of much {with_} little {without}", caption, of="seat")


def _adjusted(baseline: Findings, rows: pl.DataFrame) -> Table:
    names = "component much little difference difference_low difference_high deals"
    shown = Show("adjusted difference", points, ADJUSTED)
    return table(baseline, rows, names, "Adjusted differences of the shares won", difference=shown)


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
