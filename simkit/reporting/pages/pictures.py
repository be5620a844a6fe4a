"""Pictures of a page: which column plays which part in a chart, in labels, each thing looking the same."""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from simkit.analysis import Axis, Findings
from simkit.reporting import charts
from simkit.reporting.charts.drawing import Chart
from simkit.reporting.document import Figure
from simkit.reporting.pages.alt_text import seen
from simkit.reporting.text.labels import labels_of

MOST_LINES = 7  # lines that can be told apart in one picture
MOST_PICTURES = 8  # of one kind on a page
TEXTS = ("label", "kind", "line", "part", "row", "column")  # parts that are read
Parts = Mapping[str, Any]  # part of a chart -> the column that plays it, or what is made of columns


def figure(
    findings: Findings,
    chart: tuple[str, Chart],
    frame: pl.DataFrame,
    alt: str,
    caption: str,
    parts: Parts,
    looks: str = "",
    **how: Any,
) -> Figure:
    """The drawing of a table by a chart, under a name; `parts` say what the chart takes, `how` goes to it.

    `alt`: what the picture shows; what is seen in it follows, unless the alt is a sentence that says so.
    `looks`: the column by which things look alike in all pictures, `lineup`, `seat` or `measure`. Of many
    lines the first are drawn.
    """
    made = [_played(findings, part, one).alias(part) for part, one in parts.items()]
    unplayed = [part for part in TEXTS if part in frame.columns and part not in parts]
    drawn = frame.with_columns(*_style(findings, looks)).with_columns(made).drop(unplayed)
    if "line" in parts:
        lines = drawn["line"].unique(maintain_order=True).head(MOST_LINES)
        drawn = drawn.filter(pl.col("line").is_in(lines.to_list()))
    name, draw = chart
    words = alt if alt.endswith(".") else f"{alt}. {seen(draw, drawn, how)}".strip()
    return Figure(charts.picture(name, draw, drawn, **how), words, caption)


def first_lines(many: int) -> str:
    """Of more lineups than a picture holds, that it has the first."""
    return f"The first {MOST_LINES} of {many} lineups." if many > MOST_LINES else ""


def _played(findings: Findings, part: str, one: str | pl.Expr) -> pl.Expr:
    """What plays a part: read in labels, drawn as it is."""
    if isinstance(one, pl.Expr):
        return one
    return called(findings, one) if part in TEXTS else pl.col(one)


def called(findings: Findings, column: str) -> pl.Expr:
    labels = labels_of(findings)
    label = labels.of_column(column) or (lambda value: labels.value(column, value))
    return pl.col(column).map_elements(label, return_dtype=pl.String)


def by_lineup(findings: Findings, frame: pl.DataFrame) -> Iterator[tuple[int, str, pl.DataFrame]]:
    """Of as many lineups as get a picture each: the place, the label, the rows."""
    for place, part in enumerate(frame.partition_by("lineup", maintain_order=True)[:MOST_PICTURES]):
        yield place, labels_of(findings).named(part)["lineup"][0], part


def ticks(axis: Axis, place: pl.Expr, name: pl.Expr) -> pl.Expr:
    """What stands below the places of the values of an axis; the chart leaves out what has no room."""
    return name


def _style(findings: Findings, looks: str) -> list[pl.Expr]:
    """The style by a column: seats come first, lineups after them; measures without a seat are grey."""
    if looks == "lineup":
        lineups = findings.cells["lineup"].unique(maintain_order=True).to_list()
        places = {name: max(findings.cells["seats"]) + place for place, name in enumerate(lineups)}
        return [pl.col("lineup").replace_strict(places, default=-1, return_dtype=pl.Int64).alias("style")]
    seat = pl.col("seat").cast(pl.Int64)
    grey = -1 - pl.col("measure").eq("decisions").cast(pl.Int64)
    return {"": [], "seat": [seat.alias("style")], "measure": [pl.coalesce(seat, grey).alias("style")]}[looks]
