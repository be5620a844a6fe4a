"""Figures and tables of the effects of changing components."""

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

MAX_ROWS = 20  # components in a figure
REVERSED = "if what goes with winning were its cause"
NO_VALUE = pl.lit(None, pl.Float64)
FDR = "of those below 0.05 in this table at most 5 % are expected to be luck (Benjamini and Hochberg)"
UNITS = {LOT: "The seat that is dealt it wins more than all in its place"}
EFFECTS, USUAL = {LOT: "who has it less all in its place"}, "changed less as printed"


def picture(findings: Findings, cell: int) -> Figure:
    """Return the figure of the first measure: the seat that a component falls to, else who wins."""
    return drawn(findings, cell, measured(findings, cell)[0], "first")


def drawn(findings: Findings, cell: int, measure: Measured, name: str) -> Figure:
    """Return the figure of the largest effects by a measure; owners' wins are shown for comparison."""
    effects = measure.rows.sort(pl.col("effect").abs(), descending=True, maintain_order=True)
    shown = effects.head(MAX_ROWS).sort("effect", maintain_order=True)
    other = -measure.scale * pl.col("gap") if measure.name == FALLS else NO_VALUE
    ends = {"value": "effect", "low": "low", "high": "high"}
    parts = {part: measure.scale * pl.col(column) for part, column in ends.items()} | {
        "other": other, "label": pl.col("component"), "sure": pl.col("p_adjusted") < SURE,
    }  # fmt: skip
    unit = f"{UNITS.get(measure.name, capital(measure.subject) + ' more with it changed')}, {measure.unit}"
    word = findings.run.words.ablation.word if findings.run.words.ablation else "component"
    selection = (
        f"The {MAX_ROWS} greatest of {plural(effects.height, word)}. " if effects.height > MAX_ROWS else ""
    )
    caption = f"{selection}{_where(findings, cell)}".strip()
    names = {"dot": f"{EFFECTS.get(measure.name, USUAL)}, 95 %"} | (
        {"other": REVERSED} if measure.name == FALLS else {}
    )
    chart = (f"ablation-{name}", charts.ranked)
    return figure(
        findings, chart, shown, f"What changing each {word} does: {unit}", caption, parts, unit=unit, **names
    )


def _where(findings: Findings, cell: int) -> str:
    """Return a note on the setting and lineup shown, where there are several."""
    several = {name: findings.cells[name].n_unique() > 1 for name in ("setting", "lineup")}
    row = labels_of(findings).named(findings.cells.filter(cell=cell)).row(0, named=True)
    names = ", ".join(row[name] for name, varies in several.items() if varies)
    return f"Shown for {names}." if names else ""


def listed(findings: Findings, measure: Measured, caption: str) -> Table:
    """Return the table of all effects by a measure in one cell."""
    form = "{:+.1f}" if measure.scale == HUNDRED else "{:+.2f}"
    rows = measure.rows.with_columns(pl.col("effect", "low", "high") * measure.scale)
    word = findings.run.words.ablation.word if findings.run.words.ablation else "component"
    count = "fell" if "fell" in rows.columns else "changed"
    meaning = "deals in which it was changed" if count == "changed" else "games in which it fell to a seat"
    heading = f"{EFFECTS.get(measure.name, USUAL)}, {measure.unit}"
    shows = {
        "component": Show(word), "effect": Show("effect", form, heading),
        count: Show("n", "{:,}", meaning), "p_adjusted": Show("adjusted p-value", p_value, FDR),
    }  # fmt: skip
    result = table(findings, rows, f"component effect low high p_adjusted {count}", caption, **shows)
    return with_extremes(result, rows, pl.col("effect").abs(), "the greatest effects")
