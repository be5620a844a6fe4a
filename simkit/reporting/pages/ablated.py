"""Figures of the effects of changing components."""

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import figure, sure_style
from simkit.reporting.text.ablation import FALLS, Measured, word_of
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.phrases import capital

MAX_ROWS = 12  # components in a figure
GAINED = "Wins gained (+) or lost (−) by whoever gets it changed"


def drawn(findings: Findings, measure: Measured) -> Figure:
    """Return the greatest effects by a measure."""
    effects = measure.rows.sort(pl.col("effect").abs(), descending=True, maintain_order=True)
    shown = effects.head(MAX_ROWS).sort("effect", maintain_order=True)
    ends = {"value": "effect", "low": "joint_low", "high": "joint_high"}
    parts = {part: measure.scale * pl.col(column) for part, column in ends.items()}
    parts |= {"label": pl.col("component"), "style": sure_style(pl.col("p_adjusted") < SURE)}
    what = GAINED if measure.name == FALLS else f"{capital(measure.subject)} more with it changed"
    options = {"unit": f"{what}, {measure.unit}", "form": f"{{:+.{measure.digits}f}}"}
    most = f"The {MAX_ROWS} greatest of {effects.height}." if effects.height > MAX_ROWS else ""
    alt = f"What each {word_of(findings.run)} does to {measure.outcome}, with joint intervals"
    chart = (f"ablation-{measure.name}", charts.forest)
    return figure(findings, chart, shown, alt, most, parts, **options)
