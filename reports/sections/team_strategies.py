"""Strength of strategies as teams: one strategy in every seat, compared deal by deal."""

from itertools import islice

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, labels_of, table
from simkit.reporting.pages.strengths import team_figures

HEADING = "Teams of one strategy, compared on the same deals"


def team_strategies(findings: Findings) -> Section | None:
    """Return the teams, or None for a run without teams of one strategy."""
    rows = findings.team_strategies
    if not rows.width:
        return None
    names = "where strategy share low high against difference difference_low difference_high p_adjusted n"
    heads = {"share": "team wins", "against": Show("compared with")}
    label = pl.col("against").map_elements(labels_of(findings).strategy, return_dtype=pl.String)
    listed = table(findings, rows.with_columns(label), names, HEADING, **heads)
    return Section(HEADING, [], [*islice(team_figures(findings), 1, 2)], [listed])
