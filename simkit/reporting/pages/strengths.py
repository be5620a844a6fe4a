"""Figures of strategies: the matrix of matches, how often each wins, how often teams of one win."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import figure
from simkit.reporting.pages.scope import at_setting, setting_looked_at, where
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.strength import DIFFERENT, meetings_at, reversals

FOREST: dict[str, Any] = {"label": "strategy", "kind": pl.lit(""), "style": pl.lit(-1)}


def strength_figures(findings: Findings) -> Iterator[Figure]:
    """Yield what settings change, the matrix of three and more strategies, how often each wins, by size."""
    if reversals(findings, setting_looked_at(findings)):
        yield _matches_by_setting(findings)
    ranked = at_setting(findings, findings.ranking)
    ranked = ranked.filter("balanced") if ranked.width else ranked
    order = ranked.filter(seats=2)["strategy"] if ranked.width else pl.Series()
    if len(order) > 2:
        best_first = pl.col("row", "column").replace_strict(order, range(len(order)), default=len(order))
        pairs = at_setting(findings, findings.win_matrix).filter("balanced").sort(best_first)
        alt = "How often each plan beats each other, with the best on top"
        parts = {"row": "row", "column": "column", "fair": pl.lit(0.5)}
        options = {"title": "Wins of the row's strategy against the column's, %", "middle": "half"}
        chart = "matches", charts.heat
        yield figure(findings, chart, pairs, alt, where(findings), parts, across="", **options)
    for part in ranked.partition_by("seats", maintain_order=True):
        seats = part["seats"][0]
        met = meetings_at(at_setting(findings, findings.meetings), seats)
        alt = f"How often each plan wins at a table of {seats}, with 95 % intervals"
        caption = where(findings, "" if met.everybody else DIFFERENT)
        chart, parts = (f"ranking{seats}", charts.forest), FOREST | {"fair": pl.lit(1 / seats)}
        yield figure(findings, chart, part, alt, caption, parts, aim="if all were equal")


def _matches_by_setting(findings: Findings) -> Figure:
    """Return a picture, over all settings, of the pairs of strategies whose winner depends on the setting."""
    pair, matchups = ["strategy", "opponent"], findings.matchups
    decided = at_setting(findings, matchups).filter(result="loses to")
    decided = decided.join(matchups.filter(result="beats"), on=pair, how="semi")
    name = labels_of(findings).strategy
    sides = (pl.col(side).map_elements(name, return_dtype=pl.String) for side in pair)
    against = pl.format("{} against {}", *sides)
    rows = matchups.join(decided, on=pair, how="semi", maintain_order="left")
    rows = rows.sort(pl.concat_str(pair), maintain_order=True).with_columns(kind=against, fair=0.5)
    alt = "Who wins at each setting, with 95 % intervals"
    how = {"aim": "if both were equal", "unit": "Share of games won"}
    parts = {"label": "setting", "kind": pl.col("kind")}
    return figure(findings, ("settings", charts.forest), rows, alt, "", parts, **how)


def team_figures(findings: Findings) -> Iterator[Figure]:
    """Yield for each team size how often teams of one strategy win."""
    rows = at_setting(findings, findings.team_strategies)
    for part in rows.partition_by("seats", maintain_order=True) if rows.width else ():
        seats = part["seats"][0]
        alt = f"How often teams of {seats} of one strategy win, with 95 % intervals"
        chart, options = (f"teams{seats}", charts.forest), {"unit": "Share of the team"}
        options["aim"] = "target" if findings.run.judged else ""
        yield figure(findings, chart, part, alt, where(findings), FOREST, **options)
