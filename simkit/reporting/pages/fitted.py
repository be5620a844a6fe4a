"""The curves of a search for a fair value: a picture per option, of three and more seats a line for each."""

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import figure
from simkit.reporting.text.fairness import title
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import beyond_two, side_of


def fitted(findings: Findings) -> list[Figure]:
    names = findings.fair_values["option"].unique(maintain_order=True).to_list()
    return [_picture(findings, name, f"fair{place}") for place, name in enumerate(names)]


def _picture(findings: Findings, option: str, name: str) -> Figure:
    """The shares along an option: of three and more seats a line for each, else one per lineup."""
    labels, every, side = labels_of(findings), beyond_two(findings), side_of(findings.run)
    value = findings.fair_values.filter(option=option).row(-1, named=True)
    curve = findings.fair_curve.filter(option=option).with_columns(measured=False)
    rows = pl.concat([curve, _points(findings)], how="diagonal")
    rows = rows.filter(lineup=value["lineup"]) if every else rows.filter(seat=0)
    rows = rows.with_columns(fair=pl.lit(findings.run.search["fair"]))
    label, meaning = labels.option(option), labels.meaning(option)
    unit = "Share of each player" if every else f"{side.name[0].upper()}{side.name[1:]} wins"
    how = {"label": f"{label}\n({meaning})" if meaning else label, "margin": findings.run.experiment.margin}
    how |= {"unit": unit, "aim": "target" if findings.run.team else "fair", "usual": value["usual"]}
    how["base"] = labels.book
    if value["value"] is not None:
        ends = (value["low"], value["least"]), (value["high"], value["most"])
        how["between"] = tuple(end if end is not None else limit for end, limit in ends)
    line = "seat" if every else "lineup"
    alt = f"{unit}, along {label}: {title(findings)}"
    return figure(findings, (name, charts.fitted), rows, alt, "", {"line": line, "x": "x"}, line, **how)


def _points(findings: Findings) -> pl.DataFrame:
    """What was measured along the only option, all looks together; of several options nothing."""
    if len(findings.run.search["vary"]) > 1:
        return pl.DataFrame()
    (option,) = findings.run.search["vary"]
    mean = (pl.col("share") * pl.col("deals")).sum() / pl.col("deals").sum()
    groups = findings.fair_points.group_by("lineup", "seat", pl.col(option).cast(pl.Float64).alias("x"))
    return groups.agg(share=mean, games=pl.col("deals").sum()).sort("x").with_columns(measured=True)
