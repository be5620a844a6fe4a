"""Figures of a screen: effects of options, by themselves and averaged over the others, largest on top."""

from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.document.page import slug
from simkit.reporting.pages.pictures import figure
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.screens import change_words, group_told, leading, seat_label

MAX_BARS = 12  # options in a figure
KINDS = {"": "by itself", "averaged_": "averaged over the others"}


def pictures(findings: Findings, measure: str) -> list[Figure]:
    """Return a tornado chart for each lineup."""
    rows = leading(findings, measure, MAX_BARS)
    lineups = rows["lineup"].unique(maintain_order=True).to_list()
    return [_picture(findings, rows.filter(lineup=name), len(lineups) > 1) for name in lineups]


def _picture(findings: Findings, rows: pl.DataFrame, several: bool) -> Figure:
    first = rows.row(0, named=True)
    measure = group_told(findings, first["measure"])
    share = first["unit"] == "share"
    unit = f"Change of {measure}{', percentage points' if share else ''}"
    lineup = (labels_of(findings).of_column("lineup") or str)(first["lineup"])
    called = {row["option"]: _called(findings, row) for row in rows.rows(named=True)}
    label = pl.col("option").replace_strict(called, return_dtype=pl.String)
    drawn = pl.concat([_bars(rows, prefix, kind, 100 if share else 1) for prefix, kind in KINDS.items()])
    drawn = drawn.with_columns(label=label).drop("option")
    name = f"screen-{slug(first['measure'])}" + (f"-{slug(first['lineup'])}" if several else "")
    form = "{:+.1f}" if share else "{:+.2f}"
    parts = {"label": pl.col("label"), "kind": pl.col("kind")}
    return figure(
        findings, (name, charts.bars), drawn, unit, lineup if several else "", parts, unit=unit, form=form
    )


def _called(findings: Findings, row: dict[str, Any]) -> str:
    """Return an option with its two values, and the seat it changes most where there are several."""
    return ", ".join(filter(None, [change_words(findings, row["option"]), seat_label(findings, row)]))


def _bars(rows: pl.DataFrame, prefix: str, kind: str, scale: int) -> pl.DataFrame:
    value = "averaged" if prefix else "effect"
    ends = {"value": value, "low": f"{prefix}low", "high": f"{prefix}high"}
    numbers = {name: scale * pl.col(column) for name, column in ends.items()}
    return rows.select("option", kind=pl.lit(kind), **numbers)
