"""How a team loses, and which rules make it win more or less, in sentences."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.analysis.compare import wins
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.groups import over
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import ends, headed, number, whole

MOST_TOLD = 4  # rules in a sentence


def how_lost(findings: Findings) -> str:
    """What ends most of the lost games, from the lineup with the least of them to that with the most."""
    looked = findings.losses.filter(pl.col("cell").is_in(cells_to_look_at(findings.run)))
    lost = looked["cell"].unique(maintain_order=True).to_list()
    if not lost:
        return "No game is lost."
    by_reason = looked.group_by("end_reason").agg(pl.col("share").sum())
    reason = by_reason.sort("share", "end_reason", descending=[True, False])["end_reason"][0]
    shares = dict(looked.filter(end_reason=reason).select("cell", "share").iter_rows())
    each = [shares.get(cell, 0.0) for cell in lost]
    often = ends(whole(min(each)), whole(max(each)))
    return f"{often} of 100 lost games end by “{labels_of(findings).name(reason)}”{over(findings, lost)}."


def what_helps(findings: Findings) -> str:
    """Which rules make the team win more or less beyond luck with every lineup, those that do most first."""
    rows = (
        findings.comparisons.filter(wins(findings.run))
        if findings.comparisons.width
        else findings.comparisons
    )
    told: list[tuple[float, str]] = []
    for part in rows.partition_by("setting", maintain_order=True) if rows.height else ():
        by = sorted(100 * one for one in part["difference"])
        if (part["p_adjusted"] < SURE).all() and by[0] * by[-1] > 0:
            size = ends(number(by[0], 0, sign=True), number(by[-1], 0, sign=True))
            told.append((min(map(abs, by)), headed(labels_of(findings).at(part["setting"][0]), size)))
    if not told:
        return "No other rule changes how often the team wins beyond luck."
    texts = [text for _, text in sorted(told, key=lambda one: -one[0])]
    more = f"; and {len(texts) - MOST_TOLD} more in the tables" if len(texts) > MOST_TOLD else ""
    return f"Wins of 100 games more or less, beyond luck: {'; '.join(texts[:MOST_TOLD])}{more}."
