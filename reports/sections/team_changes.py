"""Changes of the team's wins by each rule set, those that help most on top."""

import polars as pl

from simkit.analysis.compare import wins
from simkit.reporting.pages import Findings, Section, prose, table
from simkit.reporting.pages.differences import REAL, difference_figure

TEXT = prose(f"""By how much the team wins more often than at the baseline, on the same deals; the rule sets
    that help most on top; {REAL}.""")


def section(findings: Findings) -> Section | None:
    """Return the changes, or None for a competitive game, whose seats gain from each other."""
    if not findings.run.team or not findings.comparisons.width:
        return None
    worst_lineup = pl.col("difference").min().over("setting")
    rows = findings.comparisons.filter(wins(findings.run))
    rows = rows.sort(worst_lineup, "setting", "cell", descending=[True, False, False], maintain_order=True)
    picture = difference_figure(findings, rows, "team_changes", "Change of the team's share")
    heads = {"share": "team wins", "base_share": "team at the baseline", "low": "from"}
    names = "setting lineup share base_share difference low high confidence p_adjusted deals"
    shown = rows.with_columns(share="value", base_share="base_value")
    listed = table(findings, shown, names, "Changes of the team's share", **heads)
    return Section("Which rule set helps the team", [TEXT], [picture], [listed])
