"""All rule sets, nearest to fair first: with each lineup who wins, with interval and verdict."""

from simkit.pages import Findings, Section, table
from simkit.pages.ranked import ranked
from simkit.words.rules import by_distance, rules_said
from simkit.words.whose import side_of


def section(found: Findings) -> Section | None:
    if not found.comparisons.width:
        return None
    rows, which = ranked(found), "farthest farthest_share" if by_distance(found) else "low high"
    names = f"rank rules lineup share {which} verdict deals"
    heads = {"share": f"{side_of(found.run).name} wins", "rules": "rule set"}
    return Section(rules_said(found), [], tables=[table(found, rows, names, "All rule sets", **heads)])
