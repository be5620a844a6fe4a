"""The gain from playing the same deals: the variance-reduction factor by rule set, lineup and measure."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, prose, table
from simkit.reporting.pages.differences import compared
from simkit.reporting.text.changes import times

TEXT = prose("""Every deal was played under both rule sets, so most of its luck is the same on both sides and
    cancels out of the difference. The gain says by how much: at 1.8 the interval is as narrow as if 1.8 times
    as many deals had been played for each rule set apart. A gain near 1 means that the luck of a deal plays
    out quite differently under the two rule sets; below 1 pairing would have cost something.""")


def section(findings: Findings) -> Section:
    """Return a row per rule set, lineup and measure."""
    rows = findings.comparisons.with_columns(
        compared(), (pl.col("factor") * pl.col("deals")).alias("unpaired_deals")
    )
    shows = {"factor": Show("gain", "× {:,.2f}"), "deals": "deals played"}
    listed = table(
        findings, rows, "setting lineup compared factor deals unpaired_deals", "Gain by measure", **shows
    )
    return Section(_heading(rows), [TEXT], tables=[listed])


def _heading(rows: pl.DataFrame) -> str:
    """Name the measure with the greatest gain."""
    finite = rows.filter(pl.col("factor").is_finite()).sort("factor", descending=True, maintain_order=True)
    if finite.is_empty():
        return "Nothing varied, so the same deals gained nothing"
    greatest = finite.row(0, named=True)
    gained = times(greatest["factor"])
    up_to = "" if gained.startswith("over") else "up to "
    played = f"{up_to}{gained} times as many played apart"
    return f"The same deals were as good as {played} ({greatest['compared']})"
