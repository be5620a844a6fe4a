"""Cells that answer the question of a run: the baseline, and the setting closest to fair."""

import math

import polars as pl

from simkit.analysis.compare import same_share
from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.stats.quantiles import normal

NEAREST_LEVEL = 0.95
# Distance from fair of the farthest seat. It ranks settings, so it is rounded: the last digits of a mean
# depend on the order in which threads add up.
OFF_FAIR = (pl.col("farthest_share") - pl.col("fair")).abs().round(12)


def _won(first: pl.DataFrame) -> pl.DataFrame:
    """Return the cells in which games are won at all, if every lineup has such cells; else all cells."""
    winnable = first.filter(pl.col("fair") > 0)
    return winnable if winnable["lineup"].n_unique() == first["lineup"].n_unique() else first


@finding
def answered(findings: Findings) -> pl.DataFrame:
    """Per lineup: the cells of the baseline, else the cell farthest from fair, the farthest first.

    Rows of `first_player_advantage`, and chosen: whether the cell was selected from several settings.
    """
    first = findings.first_player_advantage
    if first["baseline"].any():
        return first.filter("baseline").with_columns(chosen=False)
    farthest = first.sort(OFF_FAIR, descending=True, maintain_order=True)
    one_each = farthest.unique("lineup", keep="first", maintain_order=True)
    return one_each.with_columns(chosen=first["setting"].n_unique() > 1)


@finding
def nearest(findings: Findings) -> pl.DataFrame:
    """Per lineup: `first_player_advantage` at the setting where all seats are closest to their fair share."""
    ordered = _won(findings.first_player_advantage).sort(OFF_FAIR, maintain_order=True)
    return ordered.unique("lineup", keep="first", maintain_order=True).sort("cell")


@finding
def settings(findings: Findings) -> pl.DataFrame:
    """Per setting that all lineups played: distance from fair of the worst lineup, closest to fair first.

    off: for the worst lineup; least, most: share less fair, over the lineups; close: whether the games do not
    distinguish it from the first (as if on independent deals; Bonferroni).
    """
    return ranked(_won(findings.first_player_advantage))


def ranked(first: pl.DataFrame) -> pl.DataFrame:
    """Return `settings` of the given rows of `first_player_advantage`."""
    gain = pl.col("share") - pl.col("fair")
    wider = normal(1 - (1 - NEAREST_LEVEL) / max(1, first["setting"].n_unique() - 1)) / normal(NEAREST_LEVEL)
    noise = ((pl.col("high") - pl.col("low")) / 2).max() * math.sqrt(2) * wider
    columns = {
        "off": OFF_FAIR.max(),
        "least": gain.min(),
        "most": gain.max(),
        "noise": noise,
        "lineups": pl.len(),
    }
    each = first.group_by("setting", maintain_order=True).agg(pl.col("baseline").any(), **columns)
    played = each.filter(pl.col("lineups") == first["lineup"].n_unique()).sort("off", maintain_order=True)
    close = pl.col("off") < (pl.col("off") + pl.col("noise")).first()
    return played.with_columns(close=close).drop("noise", "lineups")


@finding
def lineups_apart(findings: Findings) -> pl.DataFrame:
    """Per setting that is closest to fair for a lineup: whether lineups differ beyond luck, deal by deal.

    base, cell: the lineups with the smallest and the greatest share; p_adjusted: Bonferroni over the pairs of
    lineups and all settings. Empty where one setting is closest for all, or numbers of seats differ.
    """
    best, first = findings.nearest, findings.first_player_advantage
    tests = first["setting"].n_unique() * math.comb(best.height, 2)
    settings, rows = best["setting"].unique(maintain_order=True), []
    for setting in settings if len(settings) > 1 and best["fair"].n_unique() == 1 else ():
        cells = first.filter(setting=setting).sort("share", maintain_order=True)["cell"]
        p_value = same_share(findings, cells[0], cells[-1])
        rows.append((setting, cells[0], cells[-1], p_value, min(1.0, p_value * tests)))
    kinds = texts("setting") | whole("base", "cell") | reals("p_value", "p_adjusted")
    return pl.DataFrame(rows, schema=kinds, orient="row")
