"""Sentences about how a team loses and which rules change its chances."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.analysis.compare import wins
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.groups import over
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import ends, number, whole
from simkit.reporting.text.phrases import TableRow, with_heading

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


def helpful_rules(findings: Findings) -> list[TableRow]:
    """Return the rules that surely change how often every team wins, the most helpful first."""
    return sure_changes(findings, wins(findings.run)) if findings.run.team else []


def sure_changes(findings: Findings, measure: pl.Expr) -> list[TableRow]:
    """Return the settings that surely change a measure with every lineup, sorted from rise to fall.

    difference: the smallest over the lineups; most: the largest.
    """
    if not findings.comparisons.width:
        return []
    rows = findings.comparisons.filter(measure)
    size, sign = pl.col("difference").abs(), pl.col("difference").sign()
    parts = rows.group_by("setting", maintain_order=True).agg(
        pl.col("difference").sort_by(size).first(),
        most=pl.col("difference").sort_by(size).last(),
        sure=(pl.col("p_adjusted") < SURE).all() & (sign.n_unique() == 1),
    )
    return parts.filter("sure").sort("difference", descending=True).rows(named=True)


def what_helps(findings: Findings) -> str:
    """Return the rules that change the team's wins beyond luck with every lineup, the strongest first."""
    effects = sorted(helpful_rules(findings), key=lambda row: -abs(row["difference"]))
    if not effects:
        return "Which rules change how often the team wins is not settled."
    texts = []
    for row in effects[:MAX_RULES_NAMED]:
        least, most = sorted((row["difference"], row["most"]))
        size = ends(number(100 * least, 0, sign=True), number(100 * most, 0, sign=True))
        texts.append(with_heading(labels_of(findings).at(row["setting"]), size))
    more = f"; and {len(effects) - len(texts)} more in the tables" if len(effects) > len(texts) else ""
    return f"Wins of 100 games more or less, beyond luck: {'; '.join(texts)}{more}."
