"""Wins of the player who goes without a thing, at every setting."""

import polars as pl

from simkit.reporting.pages import Findings, Section, labels_of, table
from simkit.reporting.pages.columns import with_extremes
from simkit.reporting.text.restricted import HEADS, with_things

TEXT = "Intervals hold for all of those at one setting together."


def section(findings: Findings) -> Section | None:
    """Return all settings; a long table opens on the cases farthest from the baseline."""
    if not findings.restricted.width:
        return None
    rows = with_things(findings, findings.restricted)
    listed = table(findings, rows, "setting thing share low high result", "Who goes without", **HEADS)
    base = pl.coalesce(pl.col("share").filter("baseline").first().over("thing"), "fair")
    selection = f"those farthest from the {labels_of(findings).base}"
    listed = with_extremes(listed, rows, (pl.col("share") - base).abs(), selection)
    return Section("Who goes without wins how often", [TEXT], tables=[listed])
