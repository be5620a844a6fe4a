"""Figures of equilibria: every pairing as a field, the value along an option."""

from typing import Any

import polars as pl

from simkit.analysis import Findings, axes
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import figure
from simkit.reporting.pages.scope import at_setting, where
from simkit.reporting.text.labels import labels_of

MIN_VALUES = 3  # values of an option that are enough for a line
UNIT = "First player wins if both choose best"


def pairings(findings: Findings, name: str) -> list[Figure]:
    """Return the first player's share in every pairing; the strategies chosen most come first."""
    rows, mixes = (
        at_setting(findings, findings.equilibrium_matrix),
        at_setting(findings, findings.equilibrium_mixes),
    )
    if not rows.width:
        return []
    orders = [mixes.filter(seat=seat)["strategy"].to_list() for seat in (0, 1)]
    places = [
        pl.col(side).replace_strict({strategy: i for i, strategy in enumerate(order)})
        for side, order in zip(("row", "column"), orders, strict=True)
    ]
    options = {"across": "second player", "down": "first player", "middle": "half"}
    options["title"] = "Share of the first player, %"
    alt = "How often the first player wins in every pairing of strategies"
    parts = {"row": "row", "column": "column"}
    return [figure(findings, (name, charts.heat), rows.sort(places), alt, where(findings), parts, **options)]


def values_along(findings: Findings) -> list[Figure]:
    """Return the value along the varied option, if it is a single whole number with enough values."""
    swept = axes(findings.run)
    if len(swept) != 1 or len(swept[0].options) != 1 or not swept[0].whole_numbers:
        return []
    (option,), nothing = swept[0].options, pl.lit("")
    if len(swept[0].values) < MIN_VALUES:
        return []
    rows = findings.equilibrium
    parts = {"x": option, "line": nothing, "style": pl.lit(0)}
    along = labels_of(findings).span(swept[0])
    alt = f"How often the first player wins if both choose best: {along}, with 95 % interval"
    options: dict[str, Any] = {"label": labels_of(findings).axis(swept[0]), "unit": UNIT}
    options["margin"] = findings.run.experiment.margin
    return [figure(findings, ("values", charts.curve), rows, alt, "", parts, **options)]
