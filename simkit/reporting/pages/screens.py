"""Figures and tables of a screen: effects of options, by themselves and averaged over the others."""

from collections.abc import Sequence

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts
from simkit.reporting.document import Figure, Show, Table
from simkit.reporting.document.page import slug
from simkit.reporting.pages.columns import table
from simkit.reporting.pages.pictures import figure
from simkit.reporting.text.phrases import Row
from simkit.reporting.text.screens import VERDICT_WORDS, amount, interval_said

MAX_OPTIONS = 9  # options in a figure
KINDS = {"": "by itself", "averaged_": "averaged over the others"}


def picture(findings: Findings, rows: Sequence[Row], measure: str) -> Figure:
    """Return the effects on a measure, the greatest on top, of the seat and lineup that changes most."""
    own = [row for row in rows if row["measure"] == measure]
    shown = [row for row in own if (row["seat"], row["lineup"]) == (own[0]["seat"], own[0]["lineup"])]
    scale, points, form = (
        (100, ", percentage points", "{:+.1f}") if own[0]["unit"] == "share" else (1, "", "{:+.2f}")
    )
    drawn = pl.DataFrame(
        [
            {"label": row["change"], "kind": kind, "value": scale * row["averaged" if prefix else "effect"]}
            | {end: scale * row[f"{prefix}{end}"] for end in ("low", "high")}
            for prefix, kind in KINDS.items()
            for row in shown[:MAX_OPTIONS]
        ]
    )
    unit, lineup = f"Change of {own[0]['what']}{points}", own[0]["lineup"]
    alt = f"What each option changes: {own[0]['what']}, with its interval"
    chart, parts = (
        (f"screen-{slug(measure)}", charts.forest),
        {"label": pl.col("label"), "kind": pl.col("kind")},
    )
    return figure(findings, chart, drawn, alt, lineup, parts, unit=unit, form=form)


def effects_table(findings: Findings, rows: Sequence[Row], caption: str) -> Table:
    """Return effects in words; of a single option also averaged over the others, of two the other one."""
    frame = pl.DataFrame([_cells(row) for row in rows], infer_schema_length=None)
    filled = [name for name in frame.columns if any(frame[name])]
    heads = {"change": "option", "other": "with", "size": "change", "interval": "95 %", "said": "verdict"}
    heads |= {"averaged": KINDS["averaged_"], "averaged_interval": "its 95 %", "name": "in commands"}
    return table(findings, frame, filled, caption, **{name: Show(heads.get(name, name)) for name in filled})


def _cells(row: Row) -> dict[str, str]:
    cells = {"what": row["what"], "change": row["change"], "other": row["other"], "lineup": row["lineup"]}
    cells |= {"size": amount(row), "interval": interval_said(row)}
    if "averaged" in row:
        cells |= {"averaged": amount(row, "averaged"), "averaged_interval": interval_said(row, "averaged_")}
    return cells | {"said": VERDICT_WORDS[row["verdict"]], "name": row["name"]}
