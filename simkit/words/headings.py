"""What tables of the course of games find, in a few words: headings of sections, about the first cell."""

from simkit.analysis import Findings
from simkit.wording import counted
from simkit.words.beginners import in_hundred
from simkit.words.feel import feel_cell, row_of
from simkit.words.labels import labels_of
from simkit.words.phrases import number

LATE, EARLY = 0.75, 0.5  # parts of the game after which the winner leads for good, on average
LITTLE, MUCH = 0.15, 0.45  # how much of who wins goes with the deal: a correlation


def drama(found: Findings) -> str:
    """Whether the lead changes hands, and until when."""
    changes, decided = row_of(found, "lead_changes")["mean"], row_of(found, "decided_at")["mean"]
    if not changes or decided is None:
        return "Nobody wins alone" if changes else "The lead never changes hands"
    if changes < 1:
        return "Who leads first mostly stays ahead"
    if decided < EARLY:
        return "The winner leads for good before half-way"
    if decided >= LATE:
        return "The lead changes hands until late"
    return f"The winner leads for good after {in_hundred(decided)} % of the game"


def length(found: Findings) -> str:
    row = found.lengths.filter(cell=feel_cell(found), measure="turns").row(0, named=True)
    turns = f"A game takes {counted(row['p50'], 'turn')}{_sized(found)}"
    return f"{turns}, most {row['p5']} to {row['p95']}" if row["p5"] < row["p95"] else turns


def load(found: Findings) -> str:
    row = row_of(found, "load")
    turn = "turn of one's own"
    if row.get("per_turn") is None:
        return f"Among {row['branching']:.0f} possibilities at each decision"
    many = "One decision" if abs(row["per_turn"] - 1) < 0.05 else f"{row['per_turn']:.1f} decisions"
    return f"{many} in a {turn}, among {row['branching']:.0f} possibilities"


def endings(found: Findings) -> str:
    """How most games end."""
    ends = found.end_reasons.filter(cell=feel_cell(found)).sort("share", descending=True, maintain_order=True)
    row = ends.row(0, named=True)
    how = labels_of(found).name(row["end_reason"])
    many = "All" if row["share"] == 1 else f"{in_hundred(row['share'])} of 100"
    return f"{many} games end by “{how}”"


def scores(found: Findings) -> str:
    """The mean scores of the seats."""
    rows = found.scores.filter(cell=feel_cell(found))
    means = sorted(rows["mean"].to_list())
    least, most = number(means[0], 0), number(means[-1], 0)
    points = found.run.words.score
    if found.run.team or least == most:
        return f"The score is {least} on average{_sized(found)} ({points})"
    return f"Scores are {least} to {most} on average{_sized(found)} ({points})"


def _sized(found: Findings) -> str:
    """With how many players, where tables of several sizes were played."""
    if found.cells["seats"].n_unique() == 1:
        return ""
    return f" with {found.cells.filter(cell=feel_cell(found))['seats'][0]} players"


def skill(found: Findings) -> str:
    """How much the luck of the deal decides, where both seatings were played."""
    luck = found.looked().deal_luck
    if luck.is_empty() or luck["correlation"][0] is None:
        return "Skill and luck"
    often = luck["correlation"][0]
    much = "little" if often < LITTLE else "some" if often < MUCH else "much"
    return f"The luck of the deal decides {much} of who wins"
