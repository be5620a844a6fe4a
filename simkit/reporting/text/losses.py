"""Sentences about how a team loses and which rules change its chances."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.analysis.compare import wins
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.groups import over
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import ends, headed, number, whole

MAX_RULES_NAMED = 4  # rules in a sentence


def how_lost(findings: Findings) -> str:
    """Return the most common end of lost games with its frequency over the lineups."""
    looked = findings.losses.filter(pl.col("cell").is_in(cells_to_look_at(findings.run)))
    lost = looked["cell"].unique(maintain_order=True).to_list()
    if not lost:
        return "No game is lost."
    by_reason = looked.group_by("end_reason").agg(pl.col("share").sum())
    reason = by_reason.sort("share", "end_reason", descending=[True, False])["end_reason"][0]
    shares = dict(looked.filter(end_reason=reason).select("cell", "share").iter_rows())
    each = [shares.get(cell, 0.0) for cell in lost]
    frequency = ends(whole(min(each)), whole(max(each)))
    return f"{frequency} of 100 lost games end by “{labels_of(findings).name(reason)}”{over(findings, lost)}."


def what_helps(findings: Findings) -> str:
    """Return the rules that change the team's wins beyond luck with every lineup, the strongest first."""
    rows = (
        findings.comparisons.filter(wins(findings.run))
        if findings.comparisons.width
        else findings.comparisons
    )
    effects: list[tuple[float, str]] = []
    for part in rows.partition_by("setting", maintain_order=True) if rows.height else ():
        differences = sorted(100 * effect for effect in part["difference"])
        if (part["p_adjusted"] < SURE).all() and differences[0] * differences[-1] > 0:
            size = ends(number(differences[0], 0, sign=True), number(differences[-1], 0, sign=True))
            text = headed(labels_of(findings).at(part["setting"][0]), size)
            effects.append((min(map(abs, differences)), text))
    if not effects:
        return "Which rules change how often the team wins is not settled."
    texts = [text for _, text in sorted(effects, key=lambda effect: -effect[0])]
    more = f"; and {len(texts) - MAX_RULES_NAMED} more in the tables" if len(texts) > MAX_RULES_NAMED else ""
    return f"Wins of 100 games more or less, beyond luck: {'; '.join(texts[:MAX_RULES_NAMED])}{more}."
