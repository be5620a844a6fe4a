"""Each seat's part of what the team does, against its part of the turns."""

import polars as pl

from simkit.reporting.pages import Findings, Section, charts, figure, first_cell, here, prose, table
from simkit.reporting.pages.pictures import in_points
from simkit.reporting.text.phrases import seats_named

CONTRIBUTIONS_TEXT = prose("""Each seat's part of what all do together, less its part of the turns: 0 means
    that nobody plays the game for the others.""")
MORE = "part of the sum less part of the turns, in percentage points"


def contributions(findings: Findings) -> Section | None:
    """Return the parts by seat, or None where the log holds no contributions."""
    baseline = findings.at_baseline()
    if not baseline.contributions.width or (baseline.contributions["column"] == "turns").all():
        return None
    meanings = findings.run.meanings("seats")
    labels = [seats_named(meanings.get(name) or name) for name in baseline.contributions["column"]]
    labelled = baseline.contributions.with_columns(pl.Series("component", labels, dtype=pl.String))
    rows = first_cell(findings, labelled)
    names = "component seat per_game part low high more more_low more_high n"
    heads = {"component": "what", "more": "less its part of turns"}
    listed = table(baseline, rows, names, "What each seat contributes", **heads)
    parts = in_points("more") | {"label": pl.col("component"), "kind": "seat"}
    alt, chart = f"By column and seat: {MORE}, with 95 % interval", ("contributions", charts.forest)
    shown, how = rows.filter(pl.col("column") != "turns"), {"unit": MORE.capitalize(), "form": "{:+.1f}"}
    picture = figure(findings, chart, shown, alt, here(findings), parts, **how)
    return Section("Who contributes what", [CONTRIBUTIONS_TEXT], [picture], [listed])
