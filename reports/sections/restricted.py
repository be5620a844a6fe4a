"""The brief of restricted play: the worth of each thing by the wins of a player without it."""

import polars as pl

from simkit.reporting.pages import (
    Findings,
    Section,
    Show,
    Takeaway,
    charts,
    figure,
    looked_at,
    query,
    table,
    where,
)
from simkit.reporting.text.restricted import restricted_said, thing

from . import answer

CAVEAT = "programs played, not people: another player might make more of a thing, or less"
JOINT = "intervals hold for all of them together"


def section(findings: Findings) -> Section:
    """Return the brief; the answer about fairness where nobody goes without anything."""
    if not findings.restricted.width:
        return answer.section(findings)
    rows = looked_at(findings, findings.restricted).sort("share")
    rows = rows.with_columns(thing=pl.Series([thing(findings, row) for row in rows.rows(named=True)]))
    takeaways = [Takeaway(restricted_said(findings), query(findings, "restricted"), "answer")]
    takeaways += [Takeaway(note, kind="sure") for note in (CAVEAT, JOINT)]
    alt = "How often a player wins who goes without each thing, with 95 % intervals and the fair share"
    parts, chart = {"label": "thing", "kind": pl.lit("")}, ("restricted", charts.forest)
    picture = figure(findings, chart, rows, alt, where(findings), parts, unit="Who goes without wins")
    shows = {"thing": "goes without", "share": Show("wins", "{:.0%}"), "result": "than a fair share"}
    glance = table(findings, rows, "thing share low high result", "Who goes without", **shows)
    return Section(takeaways=takeaways, picture=picture, glance=glance)
