"""Strength of strategies as teams: one strategy in every seat, compared deal by deal."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, at_setting, labels_of, prose, table
from simkit.reporting.pages.strengths import team_figures
from simkit.reporting.text.teams import strongest_team

TEXT = prose("""How often a team wins in which all seats play the same strategy. Teams are compared on the
    same deals with the strategy listed first: an adjusted p-value below 0.05, which allows for all of these
    comparisons, settles which of the two is better.""")


def section(findings: Findings) -> Section | None:
    """Return the teams, or None for a run without teams of one strategy."""
    rows = findings.team_strategies
    if not rows.width:
        return None
    names = "where strategy share low high against difference difference_low difference_high p_adjusted n"
    heads = {"share": "team wins", "against": Show("compared with")}
    label = pl.col("against").map_elements(labels_of(findings).strategy, return_dtype=pl.String)
    listed = table(findings, rows.with_columns(label), names, "Teams of one strategy", **heads)
    return Section(
        strongest_team(findings, at_setting(findings, rows)), [TEXT], team_figures(findings)[1:], [listed]
    )
