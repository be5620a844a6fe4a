"""Counts of settings by verdict, and the deals needed to settle the open ones."""

from collections import Counter
from collections.abc import Collection

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted
from simkit.reporting.text.perspective import FIRST_SEAT, TEAM, side_of
from simkit.reporting.text.phrases import roughly
from simkit.stats.verdicts import BORDERLINE, EASY, FAIR, HARD, NOT_SETTLED, UNFAIR

RIGHT, OFF, EDGE, OPEN = "right", "off", "edge", "open"


def standings(findings: Findings) -> dict[str, str]:
    """Return for each setting whether it is right with every lineup, off with some, on the edge, or open."""
    good, kinds = side_of(findings.run).verdicts[0], dict[str, str]()
    for (setting,), part in findings.first_player_advantage.group_by("setting", maintain_order=True):
        kinds[str(setting)] = _standing(part["verdict"].unique().to_list(), good)
    return kinds


def _standing(verdicts: Collection[str], good: str) -> str:
    """Return the standing of a setting from its verdicts with several lineups.

    >>> _standing(["FAIR"], "FAIR"), _standing(["FAIR", "UNFAIR"], "FAIR")
    ('right', 'off')
    >>> _standing(["FAIR", "BORDERLINE"], "FAIR"), _standing(["FAIR", "NOT SETTLED"], "FAIR")
    ('edge', 'open')
    """
    if {UNFAIR, EASY, HARD} & set(verdicts):
        return OFF
    rest = set(verdicts) - {good}
    return OPEN if rest - {BORDERLINE} else EDGE if rest else RIGHT


def advisable(findings: Findings) -> set[str]:
    """Return the settings that may be advised."""
    good, first = side_of(findings.run).verdicts[0], findings.first_player_advantage
    parts = first.group_by("setting").agg("verdict").iter_rows()
    return {setting for setting, verdicts in parts if may_be_advised(verdicts, good)}


def may_be_advised(verdicts: Collection[str], good: str) -> bool:
    """Return whether a setting is settled with every lineup, right with at least one and off with none.

    >>> may_be_advised(["FAIR", "BORDERLINE"], "FAIR"), may_be_advised(["FAIR", "NOT SETTLED"], "FAIR")
    (True, False)
    >>> may_be_advised(["BORDERLINE", "BORDERLINE"], "FAIR")
    False
    """
    return good in verdicts and set(verdicts) <= {good, BORDERLINE}


def settings_decided(findings: Findings) -> str:
    """Return the number of settings that are fair, off or open; if all are open, the deals needed."""
    kinds = standings(findings)
    tally, total = Counter(kinds.values()), counted(len(kinds), "setting")
    good, several = side_of(findings.run).verdicts[0], findings.cells["lineup"].n_unique() > 1
    if tally[OPEN] == len(kinds):
        return f"{unsettled(findings)} which of {total} are {good}{settled_by(findings)}"
    off = "too easy or too hard" if findings.run.team else UNFAIR
    words = {
        RIGHT: good + (" with every lineup" if several else ""),
        OFF: off + (" with some lineup" if several else ""),
    }
    words |= {EDGE: BORDERLINE, OPEN: NOT_SETTLED}
    counts = [(tally[kind], text) for kind, text in words.items() if tally[kind]]
    if len(counts) == 1:
        return f"All {total} are {counts[0][1]}" if len(kinds) > 1 else f"The setting is {counts[0][1]}"
    (first, text), *rest = counts
    others = "".join(f", {count} {other}" for count, other in rest)
    return f"{first} of {total} {'is' if first == 1 else 'are'} {text}{others}"


def unsettled(findings: Findings) -> str:
    """Return why there is no verdict."""
    open_cases = (findings.first_player_advantage["verdict"] == NOT_SETTLED).any()
    return "It is not settled" if open_cases else "Too many games failed to say"


def settled_by(findings: Findings, settings: Collection[str] | None = None) -> str:
    """Return about how many deals would settle every open case (of some settings); empty where unknown."""
    first = findings.first_player_advantage.filter(verdict=NOT_SETTLED)
    rows = first if settings is None else first.filter(pl.col("setting").is_in(settings))
    needed = rows["needed"]
    if needed.is_empty() or needed.null_count():
        return ""
    return f": about {roughly(max(needed))} deals each would settle it"


def more_games(first: pl.DataFrame) -> int | None:
    """Return about how many games would settle the last open case; None where that is unknown."""
    games = first.filter(verdict=NOT_SETTLED).select(pl.col("needed") * pl.col("games") / pl.col("deals"))
    numbers = games.to_series()
    return None if numbers.is_empty() or numbers.null_count() else round(max(numbers))


def tally(verdicts: list[str], lineups: str) -> str:
    """Count the verdicts of several lineups; `lineups` is their noun.

    >>> tally(["UNFAIR", "UNFAIR"], "teams"), tally(["FAIR", "BORDERLINE", "BORDERLINE"], "lineups")
    ('UNFAIR with every team', 'FAIR with 1, BORDERLINE with 2 lineups')
    """
    scale = FIRST_SEAT.verdicts if {FAIR, UNFAIR} & set(verdicts) else TEAM.verdicts
    kinds = [kind for kind in scale if kind in verdicts]
    if len(kinds) == 1:
        return f"{kinds[0]} with every {lineups.removesuffix('s')}"
    last = verdicts.count(kinds[-1])
    lineups = lineups.removesuffix("s") if last == 1 else lineups
    return f"{', '.join(f'{kind} with {verdicts.count(kind)}' for kind in kinds)} {lineups}"
