"""Counts of settings by verdict, and the deals needed to settle the open ones."""

from collections import Counter
from collections.abc import Collection

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import in_words, roughly
from simkit.stats.verdicts import BORDERLINE, EASY, FAULTY, GOOD, HARD, NOT_SETTLED, OFF


def joint_verdicts(findings: Findings) -> dict[str, str]:
    """Return the verdict on each setting with all lineups."""
    parts = findings.first_player_advantage.group_by("setting", maintain_order=True).agg("verdict")
    return {setting: joint_verdict(verdicts) for setting, verdicts in parts.iter_rows()}


def joint_verdict(verdicts: Collection[str]) -> str:
    """Return the verdict on a setting with several lineups: off with one is off, open with one is open.

    >>> joint_verdict(["FAIR", "FAIR"]), joint_verdict(["FAIR", "UNFAIR"])
    ('FAIR', 'UNFAIR')
    >>> joint_verdict(["FAIR", "BORDERLINE"]), joint_verdict(["FAIR", "NOT SETTLED"])
    ('BORDERLINE', 'NOT SETTLED')
    >>> joint_verdict(["TOO EASY", "TOO HARD"])
    'TOO EASY or TOO HARD'
    """
    if off := [kind for kind in OFF if kind in verdicts]:
        return " or ".join(off)
    return next(kind for kind in (FAULTY, NOT_SETTLED, BORDERLINE, *GOOD) if kind in verdicts)


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
    """Return the number of settings with each verdict; if all are open, the deals needed."""
    tally = Counter(joint_verdicts(findings).values())
    total, count = counted(tally.total(), "setting"), tally.total()
    if set(tally) <= {NOT_SETTLED, FAULTY}:
        good = side_of(findings.run).verdicts[0]
        return f"{unsettled(findings)} which of {total} are {good}{settled_by(findings)}"
    several = findings.cells["lineup"].n_unique() > 1
    words = {kind: f"{kind}{_lineups_of(kind)}" if several else kind for kind in tally}
    scale = [*GOOD, *OFF, f"{EASY} or {HARD}", BORDERLINE, NOT_SETTLED, FAULTY]
    ranked = sorted(tally, key=scale.index)
    if len(ranked) == 1:
        return f"All {total} are {words[ranked[0]]}" if count > 1 else f"The setting is {words[ranked[0]]}"
    first, *rest = ranked
    others = "".join(f", {tally[kind]} {words[kind]}" for kind in rest)
    return f"{tally[first]} of {total} {'is' if tally[first] == 1 else 'are'} {words[first]}{others}"


def _lineups_of(kind: str) -> str:
    """Return with how many lineups a setting has its joint verdict.

    >>> _lineups_of("FAIR"), _lineups_of("UNFAIR"), _lineups_of("NOT SETTLED")
    (' with every lineup', ' with some lineup', '')
    """
    if kind in GOOD:
        return " with every lineup"
    return "" if kind in (BORDERLINE, NOT_SETTLED, FAULTY) else " with some lineup"


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


def games_that_settle(first: pl.DataFrame) -> int | None:
    """Return about how many games would settle the last open case; None where that is unknown."""
    games = first.filter(verdict=NOT_SETTLED).select(pl.col("needed") * pl.col("games") / pl.col("deals"))
    numbers = games.to_series()
    return None if numbers.is_empty() or numbers.null_count() else round(max(numbers))


def joint_with(verdicts: list[str], lineups: str) -> str:
    """Return the verdict on a setting with several lineups, and with how many of them it is so.

    >>> joint_with(["UNFAIR", "UNFAIR"], "teams"), joint_with(["UNFAIR", "FAIR", "BORDERLINE"], "teams")
    ('UNFAIR', 'UNFAIR with one of three teams')
    >>> joint_with(["TOO EASY", "TOO HARD", "NOT SETTLED"], "teams")
    'TOO EASY with one and TOO HARD with one of three teams'
    """
    kinds = joint_verdict(verdicts).split(" or ")
    if len(set(verdicts)) == 1:
        return kinds[0]
    counts = (f"{kind} with {in_words(verdicts.count(kind))}" for kind in kinds)
    return f"{' and '.join(counts)} of {in_words(len(verdicts))} {lineups}"
