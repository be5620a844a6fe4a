"""Pictures and tables of what changing components does."""

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts
from simkit.reporting.document import Figure, Show, Table
from simkit.reporting.pages.columns import table, with_extremes
from simkit.reporting.pages.pictures import figure
from simkit.reporting.text.ablation import FALLS, HUNDRED, LOT, Measured, measured
from simkit.reporting.text.changes import p_value
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.pieces import plural
from simkit.reporting.text.rules import capital

MOST = 20  # components that a picture holds
REVERSED = "if what goes with winning were its cause"
NONE = pl.lit(None, pl.Float64)
FOUND_OUT = "of those below 0.05 in this table at most 5 % are expected to be luck (Benjamini and Hochberg)"
UNITS = {LOT: "The seat that is dealt it wins more than all in its place"}
EFFECTS, USUAL = {LOT: "who has it less all in its place"}, "changed less as printed"


def picture(findings: Findings, cell: int) -> Figure:
    """The effects by the first measure: on the seat that a component falls to, else on who wins."""
    return drawn(findings, cell, measured(findings, cell)[0], "first")


def drawn(findings: Findings, cell: int, one: Measured, name: str) -> Figure:
    """The largest effects by a measure; of the seat that it falls to beside what goes with winning."""
    known = one.rows.sort(pl.col("effect").abs(), descending=True, maintain_order=True)
    shown = known.head(MOST).sort("effect", maintain_order=True)
    other = -one.scale * pl.col("gap") if one.name == FALLS else NONE
    ends = {"value": "effect", "low": "low", "high": "high"}
    parts = {part: one.scale * pl.col(column) for part, column in ends.items()} | {
        "other": other, "label": pl.col("component"), "sure": pl.col("p_adjusted") < SURE,
    }  # fmt: skip
    what = f"{UNITS.get(one.name, capital(one.subject) + ' more with it changed')}, {one.unit}"
    word = findings.run.words.ablation.word if findings.run.words.ablation else "component"
    some = f"The {MOST} greatest of {plural(known.height, word)}. " if known.height > MOST else ""
    caption = f"{some}{_where(findings, cell)}".strip()
    names = {"dot": f"{EFFECTS.get(one.name, USUAL)}, 95 %"} | (
        {"other": REVERSED} if one.name == FALLS else {}
    )
    chart = (f"ablation-{name}", charts.ranked)
    return figure(
        findings, chart, shown, f"What changing each {word} does: {what}", caption, parts, unit=what, **names
    )


def _where(findings: Findings, cell: int) -> str:
    """The setting and lineup shown, where there are several."""
    several = {name: findings.cells[name].n_unique() > 1 for name in ("setting", "lineup")}
    row = labels_of(findings).named(findings.cells.filter(cell=cell)).row(0, named=True)
    said = ", ".join(row[name] for name, many in several.items() if many)
    return f"Shown for {said}." if said else ""


def listed(findings: Findings, one: Measured, caption: str) -> Table:
    """All effects by a measure in one cell."""
    form = "{:+.1f}" if one.scale == HUNDRED else "{:+.2f}"
    rows = one.rows.with_columns(pl.col("effect", "low", "high") * one.scale)
    word = findings.run.words.ablation.word if findings.run.words.ablation else "component"
    many = "fell" if "fell" in rows.columns else "changed"
    meaning = "deals in which it was changed" if many == "changed" else "games in which it fell to a seat"
    what = f"{EFFECTS.get(one.name, USUAL)}, {one.unit}"
    shows = {
        "component": Show(word), "effect": Show("effect", form, what),
        many: Show("n", "{:,}", meaning), "p_adjusted": Show("adjusted p-value", p_value, FOUND_OUT),
    }  # fmt: skip
    made = table(findings, rows, f"component effect low high p_adjusted {many}", caption, **shows)
    return with_extremes(made, rows, pl.col("effect").abs(), "the greatest effects")
