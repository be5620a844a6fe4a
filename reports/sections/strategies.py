"""How often each of the strategies that met wins, over all lineups in which it met another."""

from itertools import islice

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.strengths import strength_figures


def strategies(findings: Findings) -> Section | None:
    """Return the ranking at the setting in view, or None for a team or where no strategies met."""
    if findings.ranking.is_empty() or findings.run.team:
        return None
    return Section("How often each strategy wins", figures=[*islice(strength_figures(findings), 1)])
