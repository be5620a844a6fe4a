"""Figures of equilibria: every pairing as a field, the value along an option."""

import polars as pl

from simkit.analysis import Findings, axes
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import figure
from simkit.reporting.pages.scope import at_setting, where
from simkit.reporting.text.labels import labels_of

MIN_VALUES = 3  # values of an option that are enough for a line
UNIT = "First player wins if both choose best"


def pairings(findings: Findings) -> Figure:
    """Return the first player's share in every pairing; the strategies chosen most come first."""
    tables = findings.equilibrium_matrix, findings.equilibrium_mixes
    rows, mixes = (at_setting(findings, table) for table in tables)
    orders = {side: mixes.filter(seat=seat)["strategy"] for seat, side in enumerate(("row", "column"))}
    places = [pl.col(side).replace_strict(order, range(len(order))) for side, order in orders.items()]
    options = {"across": "second player", "down": "first player", "middle": "half"}
    options["title"] = "Share of the first player, %"
    alt, parts = "How often the first player wins in every pairing", {"row": "row", "column": "column"}
    chart = ("pairings", charts.heat)
    return figure(findings, chart, rows.sort(places), alt, where(findings), parts, **options)


def value_along(findings: Findings) -> Figure | None:
    """Return the value along the varied option, if it is a single whole number with enough values."""
    swept = [axis for axis in axes(findings.run) if len(axis.options) == 1 and axis.whole_numbers]
    if len(axes(findings.run)) != 1 or not swept or len(swept[0].values) < MIN_VALUES:
        return None
    parts = {"x": swept[0].options[0], "line": pl.lit(""), "style": pl.lit(0)}
    label, margin = labels_of(findings).axis(swept[0]), findings.run.experiment.margin
    alt = f"How often the first player wins if both choose best, by {label}, with 95 % interval"
    chart, rows = ("values", charts.curve), findings.equilibrium
    return figure(findings, chart, rows, alt, "", parts, label=label, unit=UNIT, margin=margin)
