"""All rule sets, nearest to fair first: shares with each lineup, with interval and verdict."""

import polars as pl

from simkit.reporting.pages import Findings, Section, table, with_extremes
from simkit.reporting.pages.ranked import ranked
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.rules import by_distance


def section(findings: Findings) -> Section | None:
    """Return the ranked table, or None for a run without a comparison, or a team without a target."""
    if not findings.comparisons.width or not findings.run.judged:
        return None
    rows, columns = ranked(findings), "farthest farthest_share" if by_distance(findings) else "low high"
    names = f"rank setting lineup share {columns} verdict deals"
    heads = {"share": f"{side_of(findings.run).name} wins"}
    listed = table(findings, rows, names, "All rule sets", **heads)
    best = pl.when("baseline").then(1).otherwise(-pl.col("rank").cast(pl.Int64))
    listed = with_extremes(listed, rows, best, "the best rule sets and the baseline")
    return Section(f"Rule sets, nearest to {side_of(findings.run).aim} first", [], tables=[listed])
