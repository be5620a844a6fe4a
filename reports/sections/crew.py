"""Wins of the team with each member."""

import polars as pl

from simkit.reporting.document import with_extremes
from simkit.reporting.pages import Findings, Section, charts, figure, here, labels_of, prose, table
from simkit.reporting.pages.scope import first_cell

CREW_TEXT = prose("""How often the team wins with each among its seats, and how often without. What luck
    deals is compared fairly; what is chosen in play may go with winning without bringing it about; what the
    rules fix is compared deal by deal in another run, which varies it. An adjusted p-value below 0.05 says
    that a difference is beyond luck.""")


def crew(findings: Findings) -> Section | None:
    """Return wins by member, or None where the members have no names or never differ."""
    baseline = findings.at_baseline()
    if not baseline.members.width or baseline.members["difference"].is_null().all():
        return None
    label = pl.col("name").map_elements(labels_of(findings).name, return_dtype=pl.String)
    rows = baseline.members.with_columns(label)
    names = "case name share low high without_share difference difference_low difference_high p_adjusted n"
    heads = {"name": "with", "share": "team wins", "without_share": "team wins without it"}
    listed = table(baseline, rows, names, "Wins by member", **heads)
    listed = with_extremes(listed, rows, pl.col("difference").abs(), "the greatest differences")
    parts = {"label": pl.col("name"), "kind": pl.lit(""), "style": pl.lit(-1)}
    alt, chart = "How often the team wins with each member, with 95 % intervals", ("members", charts.forest)
    how = {"unit": "Team wins", "aim": "target" if findings.run.judged else ""}
    picture = figure(findings, chart, first_cell(findings, rows), alt, here(findings), parts, **how)
    return Section("Which member helps the team", [CREW_TEXT], [picture], [listed])
