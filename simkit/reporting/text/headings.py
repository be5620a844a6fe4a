"""What tables of the course of games find, in a few words: headings, true of all groups shown."""

from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.beginners import in_hundred
from simkit.reporting.text.groups import over, place
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import ends, number

LATE, EARLY = 0.75, 0.5  # parts of the game after which the winner leads for good, on average
LITTLE, MUCH = 0.15, 0.45  # how much of who wins goes with the deal: a correlation


def drama(findings: Findings) -> str:
    """Whether the lead changes hands, and until when, in all lineups looked at."""
    looked = findings.looked()
    decided = dict(looked.decided_at.select("cell", "mean").iter_rows())
    changes = dict(looked.lead_changes.select("cell", "mean").iter_rows())
    said = {_drama(changes[cell], decided.get(cell)) for cell in changes}
    known = [share for cell in changes if (share := decided.get(cell)) is not None]
    if len(said) == 1 and (only := said.pop()):
        return f"{only}{over(findings, list(changes))}"
    if len(known) < len(changes):
        return f"Whether the lead changes hands depends on who plays{_at(findings)}"
    part = ends(in_hundred(min(known)), in_hundred(max(known)))
    return f"The winner leads for good after {part} % of the game{over(findings, list(changes))}"


def _drama(changes: float, decided: float | None) -> str:
    """What is found with one lineup; nothing where a number says it."""
    if not changes or decided is None:
        return "Nobody wins alone" if changes else "The lead never changes hands"
    if changes < 1:
        return "Who leads first mostly stays ahead"
    if decided < EARLY:
        return "The winner leads for good before half-way"
    return "The lead changes hands until late" if decided >= LATE else ""


def length(findings: Findings) -> str:
    """The medians of all cells, and what nine of ten games lie between in each of them."""
    rows = findings.lengths.filter(measure="turns")
    medians, low, high = sorted(rows["p50"]), min(rows["p5"]), max(rows["p95"])
    middle = ends(f"{medians[0]}", f"{medians[-1]}")
    turns = f"A game takes {middle} turn{'' if middle == '1' else 's'}"
    most = "" if (low, high) == (medians[0], medians[-1]) else f", most {low} to {high}"
    return f"{turns}{most}{over(findings, rows['cell'].to_list())}"


def load(findings: Findings) -> str:
    """How many decisions a turn has, among how many possibilities, in all lineups looked at."""
    rows = findings.looked().load.drop_nulls("branching")
    turns, wide = rows["per_turn"].drop_nulls().to_list(), rows["branching"].to_list()
    among = f"{ends(number(min(wide), 0), number(max(wide), 0))} possibilities"
    where = over(findings, rows["cell"].to_list())
    if len(turns) < rows.height:
        return f"Among {among} at each decision{where}"
    many = f"{ends(number(min(turns)), number(max(turns)))} decisions"
    if max(abs(turn - 1) for turn in turns) < 0.05:
        many = "One decision"
    return f"{many} in a turn of one's own, among {among}{where}"


def endings(findings: Findings) -> str:
    """How most games end, from the cell where fewest do so to the one where most do."""
    reasons = findings.end_reasons.group_by("end_reason").agg(pl.col("share").sum())
    reason = reasons.sort("share", "end_reason", descending=[True, False])["end_reason"][0]
    shares = dict(findings.end_reasons.filter(end_reason=reason).select("cell", "share").iter_rows())
    each = [shares.get(cell, 0.0) for cell in findings.cells["cell"]]
    how = labels_of(findings).name(reason)
    if min(each) == 1:
        return f"All games end by “{how}”"
    many = ends(in_hundred(min(each)), in_hundred(max(each)))
    return f"{many} of 100 games end by “{how}”{over(findings, findings.cells['cell'].to_list())}"


def scores(findings: Findings) -> str:
    """The mean scores of the seats, from the least to the most of all cells."""
    means = findings.scores["mean"].to_list()
    score = ends(number(min(means), 0), number(max(means), 0))
    points, where = findings.run.words.score, over(findings, findings.cells["cell"].to_list())
    is_ = "The score is" if findings.run.team or " " not in score else "Scores are"
    return f"{is_} {score} on average{where} ({points})"


def _at(findings: Findings) -> str:
    """The setting that is looked at, where there are several."""
    several = findings.cells["setting"].n_unique() > 1
    return f", {place(findings, findings.looked().cells['setting'][0])}" if several else ""


def skill(findings: Findings) -> str:
    """How much the luck of the deal decides, where both seatings were played."""
    luck = findings.looked().deal_luck
    known = luck.drop_nulls("correlation") if luck.width else luck
    if known.is_empty():
        return "Skill and luck"
    least, most = (_much(often) for often in (known["correlation"].min(), known["correlation"].max()))
    much = ends(least, most)
    return f"The luck of the deal decides {much} of who wins{over(findings, known['cell'].to_list())}"


def _much(often: Any) -> str:
    return "little" if often < LITTLE else "some" if often < MUCH else "much"
