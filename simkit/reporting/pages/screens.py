"""Figures and tables of a screen: effects of options, by themselves and averaged over the others."""

from collections.abc import Sequence

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts, document
from simkit.reporting.document import Figure, Show, Table
from simkit.reporting.document.page import slug
from simkit.reporting.pages.pictures import figure
from simkit.reporting.text.phrases import TableRow
from simkit.reporting.text.screens import EFFECT_VERDICTS, amount, effect_interval

MAX_OPTIONS = 9  # options in a figure


def effects_picture(findings: Findings, rows: Sequence[TableRow], measure: str) -> Figure:
    """Return the effects by themselves on a measure, for the seat and lineup that change most."""
    own = [row for row in rows if row["measure"] == measure]
    shown = [row for row in own if (row["seat"], row["lineup"]) == (own[0]["seat"], own[0]["lineup"])]
    share = own[0]["unit"] == "share"
    scale, points, form = (100, ", percentage points", "{:+.1f}") if share else (1, "", "{:+.2f}")
    ends = {"value": "effect", "low": "low", "high": "high"}
    drawn = [
        {"label": row["change"]} | {end: scale * row[key] for end, key in ends.items()}
        for row in shown[:MAX_OPTIONS]
    ]
    alt = f"What each option by itself changes: {own[0]['what']}, with its interval"
    chart, parts = (f"screen-{slug(measure)}", charts.forest), {"label": pl.col("label"), "kind": pl.lit("")}
    unit = f"Change of {own[0]['what']}{points}"
    return figure(findings, chart, pl.DataFrame(drawn), alt, own[0]["lineup"], parts, unit=unit, form=form)


def effects_table(rows: Sequence[TableRow], caption: str, key: str = "verdict") -> Table:
    """Return effects in words with the verdict of a key; of two options also the other one."""
    frame = pl.DataFrame([_cells(row, key) for row in rows], infer_schema_length=None)
    heads = {name: Show(name) for name in frame.columns if any(frame[name])}
    return document.table(frame, heads, caption)


def _cells(row: TableRow, key: str) -> dict[str, str]:
    cells = {"measure": row["what"], "option": row["change"], "with": row["other"], "lineup": row["lineup"]}
    cells |= {
        "verdict": EFFECT_VERDICTS[row[key]],
        "change by itself": amount(row),
        "95 %": effect_interval(row),
    }
    if key == "verdict" and "averaged" in row:
        averaged = amount(row, "averaged"), effect_interval(row, "averaged_")
        cells |= dict(zip(("averaged over the others", "its 95 %"), averaged, strict=True))
    return cells | {"in commands": row["name"]}
