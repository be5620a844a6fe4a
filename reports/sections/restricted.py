"""The first screen of restricted play: what each thing is worth, by what who goes without it wins."""

import polars as pl

from reports.sections import answer
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

HOW = "programs played, not people: another player might make more of a thing, or less"
SURE = "intervals hold for all of them together"


def section(findings: Findings) -> Section:
    """The usual answer where nobody goes without anything."""
    if not findings.restricted.width:
        return answer.section(findings)
    rows = looked_at(findings, findings.restricted).sort("share")
    rows = rows.with_columns(thing=pl.Series([thing(findings, row) for row in rows.rows(named=True)]))
    told = [Takeaway(restricted_said(findings), query(findings, "restricted"), "answer")]
    told += [Takeaway(one, kind="sure") for one in (HOW, SURE)]
    alt = "Share of the games won by the one who goes without, with 95 % intervals and the fair share"
    parts, chart = {"label": "thing", "kind": pl.lit("")}, ("restricted", charts.forest)
    picture = figure(findings, chart, rows, alt, where(findings), parts, unit="Who goes without wins")
    shows = {"thing": "goes without", "share": Show("wins", "{:.0%}"), "result": "than a fair share"}
    glance = table(findings, rows, "thing share low high result", "Who goes without", **shows)
    return Section(takeaways=told, picture=picture, glance=glance)
