"""Changes of the length of games by other rules, in turns and decisions."""

import polars as pl

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.differences import change_section


def section(findings: Findings) -> Section:
    """Return the changes of turns and decisions against the baseline."""
    changes = findings.comparisons.filter(pl.col("measure").is_in(["turns", "decisions"]))
    return change_section(findings, "length-change", "turns and decisions", changes, "Change per game")
