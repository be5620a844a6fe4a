"""Skill: whether the first player's advantage depends on who plays, and how much the deal decides."""

import polars as pl

from simkit.reporting.pages import Findings, Section, at_setting, labels_of, prose
from simkit.reporting.text.numbers import ends, number

ARTEFACT = prose("""Beware of a bot artefact: the first player is ahead when all play {}, but behind with {}.
    It is made by how the bots play, not by the rules alone; trust the strategies that play most like
    people.""")
DEAL = prose("""How much the deal decides ({}): 1, the luck of the deal alone says which seat wins; 0, nothing
    of it carries over when the strategies change seats; below 0, the luck of the deal goes with the strategy
    rather than with the seat.""")


def skill(findings: Findings) -> Section | None:
    """Return a change of sign among equals and the luck of the deal; None for a team or without either."""
    luck = findings.at_baseline().deal_luck
    measured = luck["correlation"].drop_nulls().to_list() if luck.width else []
    text = [DEAL.format(ends(number(min(measured), 2), number(max(measured), 2)))] if measured else []
    if not findings.mirrors.is_empty():
        mirrors = labels_of(findings).label(at_setting(findings, findings.mirrors))
        for size in mirrors.partition_by("seats", maintain_order=True):
            sides = (size.filter(side) for side in (pl.col("fpa_low") > 0, pl.col("fpa_high") < 0))
            ahead, behind = (", ".join(side["strategy"]) for side in sides)
            text += [ARTEFACT.format(ahead, behind)] if ahead and behind else []
    return Section("Skill and luck", text) if text and not findings.run.team else None
