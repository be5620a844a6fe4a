"""The worth of the first seat among equals, the strongest strategy first."""

import polars as pl

from simkit.reporting.pages import Findings, Section, at_setting, charts, figure, table, where


def mirrors(findings: Findings) -> Section | None:
    """Return the mirrors by strength, or None where no strategy sat in every seat."""
    mirrors = findings.mirrors
    if mirrors.is_empty():
        return None
    parts = {"label": "strategy", "kind": pl.format("tables of {}", "seats")}
    alt, unit = "How often the first player wins among equals", "Share of the first player"
    shown, chart = at_setting(findings, mirrors), ("mirrors", charts.forest)
    picture = figure(findings, chart, shown, alt, where(findings), parts, unit=unit)
    names = "where strategy elo share fpa fpa_low fpa_high verdict n"
    listed = table(findings, mirrors, names, "First place by strength", share="first player")
    return Section("What first place is worth among equals", [], [picture], [listed])
