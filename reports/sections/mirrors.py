"""The worth of the first seat among equals, the strongest strategy first."""

import polars as pl

from simkit.reporting.pages import Findings, Section, at_setting, charts, figure, labels_of, table
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.strength import first_place


def section(findings: Findings) -> Section | None:
    """Return the mirrors by strength, or None where no strategy sat in every seat."""
    mirrors = findings.mirrors
    if mirrors.is_empty():
        return None
    shown = at_setting(findings, mirrors)
    rated = labels_of(findings).named(shown).drop_nulls("elo").partition_by("seats", maintain_order=True)
    statements = [first_place(part) for part in rated if part.height > 1]
    heading = statements[0] if statements else "What first place is worth to each"
    parts = {"label": "strategy", "kind": pl.format("tables of {}", "seats")}
    alt, unit = (
        f"{heading}: share of the first player, the strongest plan on top",
        "Share of the first player",
    )
    picture = figure(findings, ("mirrors", charts.forest), shown, alt, "", parts, unit=unit)
    names = "where strategy elo share fpa fpa_low fpa_high verdict n"
    listed = table(findings, mirrors, names, "First place by strength", share="first player")
    return Section(heading + looked_place(findings, shown), [], [picture], [listed])
