"""Curves of a search for a fair value: a figure per option, with a line per seat for three and more."""

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import figure
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import beyond_two, side_of
from simkit.reporting.text.phrases import capital


def fitted(findings: Findings) -> list[Figure]:
    """Return a figure per option."""
    names = findings.fair_values["option"].unique(maintain_order=True).to_list()
    return [_picture(findings, name, f"fair{place}") for place, name in enumerate(names)]


def _picture(findings: Findings, option: str, name: str) -> Figure:
    """Return the shares along an option: a line per seat for three and more, else one per lineup."""
    label, by_seat, side = labels_of(findings).option(option), beyond_two(findings), side_of(findings.run)
    value = findings.fair_values.filter(option=option).row(-1, named=True)
    curve = findings.fair_curve.filter(option=option).with_columns(measured=False)
    rows = pl.concat([curve, _points(findings)], how="diagonal")
    rows = rows.filter(lineup=value["lineup"]) if by_seat else rows.filter(seat=0)
    rows = rows.with_columns(fair=pl.lit(findings.run.search.fair))
    marks = [charts.Mark(labels_of(findings).book, value["usual"])]
    if value["value"] is not None:
        ends = (value["low"], value["least"]), (value["high"], value["most"])
        marks.append(charts.Mark("fair value", *(end if end is not None else limit for end, limit in ends)))
    who, line = ("each player", "seat") if by_seat else (f"the {side.name}", "lineup")
    options = {"label": label, "margin": findings.run.experiment.margin, "marks": marks}
    options |= {"unit": f"{capital(who)} wins", "aim": "target" if findings.run.team else "fair"}
    alt = f"How often {who} wins by {label}, with intervals"
    return figure(findings, (name, charts.curve), rows, alt, "", {"line": line, "x": "x"}, line, **options)


def _points(findings: Findings) -> pl.DataFrame:
    """Return the measured shares of each look along the only option; empty for several options."""
    option, *others = findings.run.search.vary
    columns = {"x": pl.col(option).cast(pl.Float64), "measured": pl.lit(True)}
    rows = findings.fair_points.filter(pl.lit(not others))
    return rows.select("lineup", "seat", "share", "low", "high", **columns)
