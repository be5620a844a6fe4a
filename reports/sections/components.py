"""Logged columns that go with winning: levers, known at the start, and signs, known at the end."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, Table, charts, figure, here, prose, table
from simkit.reporting.pages.pictures import in_points
from simkit.reporting.pages.scope import first_cell
from simkit.reporting.text import seat_name
from simkit.reporting.text.column_groups import named_columns, sided
from simkit.reporting.text.labels import lowered

MAX_ROWS = 8  # columns in a picture
METHOD = prose("""Correlational, not causal: winners may have more of something because they were winning
    anyway. For each seat, games with much and with little of each thing are counted: it has it or not, or,
    where nearly all have it, a third of the seats has the most and a third the least. The adjusted difference
    puts these comparisons together, within the same seat with the same strategy only: whoever sits first or
    plays best would else seem to win by what it has.""")
LEFT_OUT = "Left out, since they decide who wins, follow from it or are fixed by the seat"
WORDS = {"Correlational, not causal": "goes together with winning, but may not be what brings about the win."}
LEVERS, SIGNS = "Levers: what seats begin with", "Signs of winning: what seats end with, a result of winning"


def section(findings: Findings) -> Section | None:
    """Return a picture and a table of the columns that divide winners from others; None without any."""
    baseline = findings.at_baseline()
    rows = named_columns(baseline, baseline.components, "seats")
    rows = rows.drop_nulls("difference") if rows.height else rows
    if rows.is_empty():
        return None
    text, first = [METHOD], sided(baseline, first_cell(findings, rows))
    if left_out := named_columns(baseline, baseline.telling_columns, "seats")["component"].to_list():
        text.append(f"{LEFT_OUT}: {', '.join(map(lowered, left_out))}.")
    heading = LEVERS if first["lever"].any() else SIGNS
    shown = first.filter(pl.col("lever") == first["lever"].any())
    counted = _by_seat(baseline, first_cell(findings, baseline.component_shares), shown, heading)
    return Section(heading, text, [_picture(findings, shown)], [counted], words=WORDS)


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the picture of the most certain adjusted differences."""
    label = pl.format("{}\n{} against {}", "component", "much", "little")
    parts = in_points("difference") | {"label": label, "style": pl.lit(-2)}
    alt, chart = "Games won more by those who have much of each thing", ("components", charts.forest)
    unit = "Adjusted difference of the games won with much and with little, percentage points"
    shown, how = rows.head(MAX_ROWS), {"unit": unit, "form": "{:+.1f}"}
    return figure(findings, chart, shown, alt, here(findings), parts, **how)


def _by_seat(baseline: Findings, shares: pl.DataFrame, rows: pl.DataFrame, caption: str) -> Table:
    """Return the games won by each seat with much and with little of each thing, as counted."""
    counted = rows.select("column", "component", "much", "little")
    counted = counted.join(shares, on="column", maintain_order="left")
    seat = pl.col("seat").map_elements(seat_name, return_dtype=pl.String)
    with_, without = (f"{side}_share {side}_low {side}_high {side}_games" for side in ("with", "without"))
    names = f"component of much {with_} little {without}"
    return table(baseline, counted.with_columns(of=seat), names, caption, of="seat")
