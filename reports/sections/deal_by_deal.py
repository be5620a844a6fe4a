"""Changes of who wins by other rules, deal by deal."""

import polars as pl

from simkit.analysis.compare import wins
from simkit.reporting.pages import Findings, Section, labels_of
from simkit.reporting.pages.differences import DIFFERENCE_WORDS, REAL, difference_figure, difference_table


def deal_by_deal(findings: Findings) -> Section | None:
    """Return the changes, those that help most on top, or None for a run without a comparison."""
    if not findings.comparisons.width:
        return None
    base = f"{labels_of(findings).base} ({labels_of(findings).baseline})"
    text = f"Change against the {base} on the same deals; {REAL}."
    chosen, heading = pl.col("measure") == "share", "Change of the share of games won"
    if findings.run.team:
        chosen, heading = wins(findings.run), "Change of the team's share"
    elif set(findings.cells["seats"]) == {2}:  # then the advantage is enough
        chosen, heading = pl.col("measure") == "fpa", "Change of what sitting first is worth"
    worst, order = pl.col("difference").min().over("setting"), ["setting", "cell", "seat"]
    rows = findings.comparisons.filter(chosen)
    rows = rows.sort(worst, *order, descending=[True, False, False, False], maintain_order=True)
    drawn = rows.filter(pl.col("seat").is_null() | (pl.col("seat") == 0))
    owner = " by the first player" if drawn.height < rows.height else ""
    picture = difference_figure(findings, drawn, "deal_by_deal", heading + owner)
    listed = difference_table(findings, rows, heading)
    return Section(heading, [text], [picture], [listed], words=DIFFERENCE_WORDS)
