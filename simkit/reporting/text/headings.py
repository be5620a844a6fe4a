"""Headings for the tables on the course of games, true of all groups shown."""

from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.beginners import in_hundred
from simkit.reporting.text.groups import over, place
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import ends, number

LATE, EARLY = 0.75, 0.5  # mean part of the game after which the winner leads for good
LITTLE, MUCH = 0.15, 0.45  # correlation of the winner with the deal


def drama(findings: Findings) -> str:
    """Return how long the lead changes hands, over all lineups in view."""
    looked = findings.at_baseline()
    decided_at = dict(looked.decided_at.select("cell", "mean").iter_rows())
    changes = dict(looked.lead_changes.select("cell", "mean").iter_rows())
    texts = {_drama(changes[cell], decided_at.get(cell)) for cell in changes}
    parts = [share for cell in changes if (share := decided_at.get(cell)) is not None]
    if len(texts) == 1 and (only := texts.pop()):
        return f"{only}{over(findings, list(changes))}"
    if len(parts) < len(changes):
        return f"Whether the lead changes hands depends on who plays{_at(findings)}"
    part = ends(in_hundred(min(parts)), in_hundred(max(parts)))
    return f"The winner leads for good after {part} % of the game{over(findings, list(changes))}"


def _drama(changes: float, decided: float | None) -> str:
    """Return the heading for one lineup; empty where the heading is to give a number."""
    if not changes or decided is None:
        return "Nobody wins alone" if changes else "The lead never changes hands"
    if changes < 1:
        return "Who leads first mostly stays ahead"
    if decided < EARLY:
        return "The winner leads for good before half-way"
    return "The lead changes hands until late" if decided >= LATE else ""


def untraced(counters: pl.DataFrame) -> str:
    """Return what a run without a trace tells of the lead; counters: of the game's own log.

    >>> untraced(pl.DataFrame({"column": ["lead_changes"], "mean": [7.9]}))
    'The lead changes 7.9 times in a game; when was not recorded'
    >>> untraced(pl.DataFrame())
    'Who leads when was not recorded'
    """
    rows = counters.filter(column="lead_changes") if counters.width else counters
    if rows.is_empty():
        return "Who leads when was not recorded"
    return f"The lead changes {number(rows['mean'][0])} times in a game; when was not recorded"


def length(findings: Findings) -> str:
    """Return the range of the medians of all cells and the span that holds nine of ten games in each."""
    rows = findings.lengths.filter(measure="turns")
    medians, low, high = sorted(rows["p50"]), min(rows["p5"]), max(rows["p95"])
    median = ends(f"{medians[0]}", f"{medians[-1]}")
    turns = f"A game takes {median} turn{'' if median == '1' else 's'}"
    usual = "" if (low, high) == (medians[0], medians[-1]) else f", most {low} to {high}"
    return f"{turns}{usual}{over(findings, rows['cell'].to_list())}"


def load(findings: Findings) -> str:
    """Return the decisions per turn and the options per decision, over all lineups in view."""
    rows = findings.at_baseline().load.drop_nulls("branching")
    turns, wide = rows["per_turn"].drop_nulls().to_list(), rows["branching"].to_list()
    among = f"{ends(number(min(wide), 0), number(max(wide), 0))} possibilities"
    where = over(findings, rows["cell"].to_list())
    if len(turns) < rows.height:
        return f"Among {among} at each decision{where}"
    decisions = f"{ends(number(min(turns)), number(max(turns)))} decisions"
    if max(abs(turn - 1) for turn in turns) < 0.05:
        decisions = "One decision"
    return f"{decisions} in a turn of one's own, among {among}{where}"


def endings(findings: Findings) -> str:
    """Return the most common end of games with its frequency over all cells."""
    reasons = findings.end_reasons.group_by("end_reason").agg(pl.col("share").sum())
    reason = reasons.sort("share", "end_reason", descending=[True, False])["end_reason"][0]
    shares = dict(findings.end_reasons.filter(end_reason=reason).select("cell", "share").iter_rows())
    each = [shares.get(cell, 0.0) for cell in findings.cells["cell"]]
    name = labels_of(findings).name(reason)
    if min(each) == 1:
        return f"All games end by “{name}”"
    wins = ends(in_hundred(min(each)), in_hundred(max(each)))
    return f"{wins} of 100 games end by “{name}”{over(findings, findings.cells['cell'].to_list())}"


def scores(findings: Findings) -> str:
    """Return the range of the seats' mean scores over all cells."""
    means = findings.scores["mean"].to_list()
    score = ends(number(min(means), 0), number(max(means), 0))
    points, where = findings.run.words.score, over(findings, findings.cells["cell"].to_list())
    verb = "The score is" if findings.run.team or " " not in score else "Scores are"
    return f"{verb} {score} on average{where} ({points})"


def _at(findings: Findings) -> str:
    """Return the setting in view as a suffix where there are several."""
    several = findings.cells["setting"].n_unique() > 1
    return f", {place(findings, findings.at_baseline().cells['setting'][0])}" if several else ""


def skill(findings: Findings) -> str:
    """Return how much the luck of the deal decides, where both seatings of deals were played."""
    luck = findings.at_baseline().deal_luck
    measured = luck.drop_nulls("correlation") if luck.width else luck
    if measured.is_empty():
        return "Skill and luck"
    least, most = (_much(value) for value in (measured["correlation"].min(), measured["correlation"].max()))
    much = ends(least, most)
    return f"The luck of the deal decides {much} of who wins{over(findings, measured['cell'].to_list())}"


def _much(correlation: Any) -> str:
    return "little" if correlation < LITTLE else "some" if correlation < MUCH else "much"
