"""The worth of the first seat among equals, the strongest strategy first."""

import polars as pl

from simkit.reporting.pages import (
    Findings,
    Section,
    Story,
    at_setting,
    charts,
    figure,
    labels_of,
    prose,
    table,
)
from simkit.reporting.pages.commands import with_mirrors
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.strength import first_place

NO_MIRRORS = prose("""No plan sat in every seat, so this run cannot say whether first place is worth more to
    strong players. Another run would:""")
TEXT = prose("""A seat advantage that grows with strength is in the game; one that strong play loses came from
    weak play.""")


def section(findings: Findings) -> Section:
    """Return the mirrors by strength; for a run without mirrors the command that plays them."""
    mirrors = findings.mirrors
    if mirrors.is_empty():
        command = Story("Commands for a run that says it", with_mirrors(findings.run))
        return Section("What first place is worth to whom was not measured", [NO_MIRRORS], stories=[command])
    shown = at_setting(findings, mirrors)
    rated = labels_of(findings).named(shown).drop_nulls("elo").partition_by("seats", maintain_order=True)
    statements = [first_place(part) for part in rated if part.height > 1]
    heading = statements[0][0] if statements else "What first place is worth to each"
    parts = {"label": "strategy", "kind": pl.format("tables of {}", "seats")}
    alt = f"{heading}: share of the first player, the strongest plan on top"
    picture = figure(
        findings, ("mirrors", charts.forest), shown, alt, "", parts, unit="Share of the first player"
    )
    names = "where strategy elo share fpa fpa_low fpa_high verdict n"
    listed = table(findings, mirrors, names, "First place by strength", share="first player")
    heading += looked_place(findings, shown)
    return Section(heading, [*(prose(text) for _, text in statements), TEXT], [picture], [listed])
