"""How many settings have a verdict, and how many deals would give one to the others, in words."""

from collections import Counter
from collections.abc import Collection

from simkit.analysis import Findings
from simkit.formatting import counted
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import roughly
from simkit.stats.verdicts import BORDERLINE, EASY, HARD, NOT_SETTLED, UNFAIR

RIGHT, OFF, EDGE, OPEN = "right", "off", "edge", "open"


def standings(findings: Findings) -> dict[str, str]:
    """Of each setting whether it is right with every lineup, off with some, on the edge, or open."""
    good, kinds = side_of(findings.run).verdicts[0], dict[str, str]()
    for (setting,), part in findings.first_player_advantage.group_by("setting", maintain_order=True):
        kinds[str(setting)] = _standing(part["verdict"].unique().to_list(), good)
    return kinds


def _standing(verdicts: Collection[str], good: str) -> str:
    """What the verdicts with several lineups make of a setting.

    >>> _standing(["FAIR"], "FAIR"), _standing(["FAIR", "UNFAIR"], "FAIR")
    ('right', 'off')
    >>> _standing(["FAIR", "BORDERLINE"], "FAIR"), _standing(["FAIR", "NOT SETTLED"], "FAIR")
    ('edge', 'open')
    """
    if {UNFAIR, EASY, HARD} & set(verdicts):
        return OFF
    rest = set(verdicts) - {good}
    return OPEN if rest - {BORDERLINE} else EDGE if rest else RIGHT


def settings_decided(findings: Findings) -> str:
    """How many settings are fair, off or open; where all are open, how many games would settle them."""
    kinds = standings(findings)
    tally, many = Counter(kinds.values()), counted(len(kinds), "setting")
    good, several = side_of(findings.run).verdicts[0], findings.cells["lineup"].n_unique() > 1
    if tally[OPEN] == len(kinds):
        return f"{unsettled(findings)} which of {many} are {good}{settled_by(findings)}"
    bad = "too easy or too hard" if findings.run.team else UNFAIR
    words = {
        RIGHT: good + (" with every lineup" if several else ""),
        OFF: bad + (" with some lineup" if several else ""),
    }
    words |= {EDGE: BORDERLINE, OPEN: NOT_SETTLED}
    some = [(tally[kind], text) for kind, text in words.items() if tally[kind]]
    if len(some) == 1:
        return f"All {many} are {some[0][1]}" if len(kinds) > 1 else f"The setting is {some[0][1]}"
    (first, text), *rest = some
    others = "".join(f", {count} {other}" for count, other in rest)
    return f"{first} of {many} {'is' if first == 1 else 'are'} {text}{others}"


def unsettled(findings: Findings) -> str:
    """Say why there is no verdict."""
    few = (findings.first_player_advantage["verdict"] == NOT_SETTLED).any()
    return "It is not settled" if few else "Too many games failed to say"


def settled_by(findings: Findings) -> str:
    """Say about how many deals would give every open case a verdict; nothing where that is unknown."""
    needed = findings.first_player_advantage.filter(verdict=NOT_SETTLED)["needed"]
    if needed.is_empty() or needed.null_count():
        return ""
    return f": about {roughly(max(needed))} deals each would settle it"
