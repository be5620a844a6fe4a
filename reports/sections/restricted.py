"""The brief of restricted play: the worth of each thing by the wins of a player without it."""

import polars as pl

from simkit.reporting.document import Step
from simkit.reporting.pages import (
    Findings,
    Section,
    Takeaway,
    charts,
    figure,
    labels_of,
    query,
    table,
    where,
    with_extremes,
)
from simkit.reporting.pages.commands import more_command
from simkit.reporting.text.phrases import listed
from simkit.reporting.text.restricted import HEADS, restricted_said, things_looked_at, with_things

from . import answer

JOINT = "intervals hold for all things of a setting together"


def section(findings: Findings) -> Section:
    """Return the brief; the answer about fairness where nobody goes without anything."""
    if not findings.restricted.width:
        return answer.section(findings)
    rows = things_looked_at(findings)
    takeaways = [Takeaway(restricted_said(rows), query(findings, "restricted"), "answer")]
    takeaways.append(Takeaway(JOINT, kind="sure"))
    alt = "How often a player wins who goes without each thing, with 95 % intervals and the fair share"
    parts, chart = {"label": "thing", "kind": pl.lit("")}, ("restricted", charts.forest)
    picture = figure(findings, chart, rows, alt, where(findings), parts, unit="Who goes without wins")
    every = with_things(findings, findings.restricted)
    glance = table(findings, every, "setting thing share low high result", "Who goes without", **HEADS)
    base = pl.coalesce(pl.col("share").filter("baseline").first().over("thing"), "fair")
    selection = f"those farthest from the {labels_of(findings).base}"
    glance = with_extremes(glance, every, (pl.col("share") - base).abs(), selection)
    return Section(takeaways=takeaways, picture=picture, glance=glance, step=_open(findings, rows))


def _open(findings: Findings, rows: pl.DataFrame) -> Step | None:
    """Return the games that may settle what is open; None where all is settled."""
    things = rows.filter(result="not settled")["thing"].to_list()
    if not things:
        return None
    command = more_command(findings.run, "--deals", 4 * findings.run.experiment.deals)
    return Step(f"Play more deals for what is open: {listed(things)}.", command)
