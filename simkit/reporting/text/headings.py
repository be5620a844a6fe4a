"""Headings that stand in for a table: what there is to decide, and what the deal decides."""

from typing import Any

from simkit.analysis import Findings
from simkit.reporting.text.groups import over
from simkit.reporting.text.phrases import ends, number

LITTLE, MUCH = 0.15, 0.45  # correlation of the winner with the deal


def load(findings: Findings) -> str:
    """Return the decisions per turn and the options per decision, over all lineups in view."""
    rows = findings.at_baseline().load.drop_nulls("branching")
    turns, wide = rows["per_turn"].drop_nulls().to_list(), rows["branching"].to_list()
    decisions = f"{ends(number(min(turns)), number(max(turns)))} decisions in a turn, " if turns else ""
    among = f"among {ends(number(min(wide), 0), number(max(wide), 0))} possibilities"
    return f"What a player decides: {decisions}{among}{over(findings, rows['cell'].to_list())}"


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
