"""Logged columns that go with winning: levers, known at the start, and signs, known at the end."""

from collections.abc import Iterator

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, Table, charts, figure, prose, table
from simkit.reporting.pages.scope import first_cell, here
from simkit.reporting.text import seat_name
from simkit.reporting.text.column_groups import (
    CAUTION,
    adjusted_difference,
    named_columns,
    rates_by_seat,
    sided,
)
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.labels import lowered

MAX_ROWS = 8  # columns in a picture
METHOD = prose("""For each seat, games with much and with little of each thing are counted: it has it or
    not, or, where nearly all have it, a third of the seats has the most and a third the least. The adjusted
    difference puts these comparisons together, within the same seat with the same strategy only: whoever sits
    first or plays best would else seem to win by what it has.""")
NOTHING = prose("""This game logs nothing of its own about the seats that divides them, so there is nothing to
    set against winning.""")
LEFT_OUT = "Left out, since they decide who wins, follow from it or are fixed by the seat"
WORDS = {"Correlational, not causal": "goes together with winning, but may not be what brings about the win."}
NO_SIGN = "Nothing that seats end with is a sure sign of winning"
LEVERS, SIGNS = "Levers: what seats begin with", "Signs of winning: what seats end with"
SIGNS_TOLD = "What seats have at the end is a result of winning, not its cause."


def section(findings: Findings) -> Section:
    """Return pictures and tables of the columns that divide winners from others."""
    baseline = findings.at_baseline()
    rows = named_columns(baseline, baseline.components, "seats")
    divided = sided(baseline, rows.drop_nulls("difference")) if rows.height else rows
    if not divided.height:
        return Section("Nothing logged goes with winning", [NOTHING], words=WORDS)
    text = [f"What the seats that win have more or less of. {CAUTION}", METHOD]
    if left_out := named_columns(baseline, baseline.telling_columns, "seats")["component"].to_list():
        text.append(f"{LEFT_OUT}: {', '.join(map(lowered, left_out))}.")
    first = first_cell(findings, divided)
    levers, signs = first.filter("lever"), first.filter(~pl.col("lever"))
    if signs.height and levers.height:  # otherwise the heading says so
        text.append(SIGNS_TOLD)
    part = ("levers", LEVERS, levers) if levers.height else ("signs", SIGNS, signs)
    shares = first_cell(findings, baseline.component_shares)
    headings = list(_headings(levers if levers.height else signs, shares, findings.run.team))
    text[:0] = [adjusted for _, adjusted in headings[:1]]
    if levers.height:
        heading = headings[0][0] if headings else "Nothing that seats begin with decides"
    else:
        heading = f"{headings[0][0]}, a result of winning rather than its cause" if headings else NO_SIGN
    return Section(
        heading + of_first(findings),
        text,
        [_picture(findings, *part)],
        [_by_seat(baseline, shares, part)],
        words=WORDS,
    )


def _headings(rows: pl.DataFrame, shares: pl.DataFrame, team: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the wins of a seat, and the adjusted difference, by each thing beyond luck."""
    for row in rows.filter((pl.col("difference_low") > 0) | (pl.col("difference_high") < 0)).rows(named=True):
        if rates := rates_by_seat(row, shares.filter(column=row["column"]), team):
            yield f"{row['component']}: {rates}", adjusted_difference(row)


def _picture(findings: Findings, name: str, caption: str, rows: pl.DataFrame) -> Figure:
    """Return the picture of the most certain adjusted differences."""
    label = pl.format("{}\n{} against {}", "component", "much", "little")
    ends = {"value": "difference", "low": "difference_low", "high": "difference_high"}
    parts = {part: 100 * pl.col(column) for part, column in ends.items()} | {
        "label": label,
        "style": pl.lit(-2),
    }
    alt = f"Adjusted difference of the games won, by {caption.partition(': ')[2]}"
    unit = "Adjusted difference of the games won with much and with little, percentage points"
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
