"""Verdicts on settings with several lineups, and the deals needed to settle the open ones."""

from collections.abc import Collection, Sequence

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.numbers import in_words, roughly
from simkit.reporting.text.phrases import TableRow, join_names
from simkit.stats.verdicts import BORDERLINE, FAULTY, GOOD, NOT_EQUAL, NOT_SETTLED, OFF


def with_not_equal(rows: pl.DataFrame, team: bool = False) -> pl.DataFrame:
    """Return cells with the verdict NOT EQUAL where only that is certain about the seats.

    >>> rows = {"verdict": ["NOT SETTLED", "NOT SETTLED", "FAIR"], "unequal": [True, False, True]}
    >>> with_not_equal(pl.DataFrame(rows))["verdict"].to_list()
    ['NOT EQUAL', 'NOT SETTLED', 'FAIR']
    """
    if team:
        return rows
    only_unequal = (pl.col("verdict") == NOT_SETTLED) & pl.col("unequal")
    return rows.with_columns(verdict=pl.when(only_unequal).then(pl.lit(NOT_EQUAL)).otherwise("verdict"))


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
    return next(kind for kind in (FAULTY, NOT_SETTLED, NOT_EQUAL, BORDERLINE, *GOOD) if kind in verdicts)


def holds(cases: Sequence[TableRow]) -> bool:
    """Return whether a setting is FAIR with one lineup at least, UNFAIR with none, and surely near with all.

    Every case that is FAIR or BORDERLINE is near: surely less than 1.5 margins off. So is a case between both
    that is open. The chance of this for a setting falls with the distance from fair of any lineup.

    >>> fair, between = {"verdict": "FAIR", "near": True}, {"verdict": "NOT SETTLED", "near": True}
    >>> holds([fair, between]), holds([between]), holds([fair, {"verdict": "UNFAIR", "near": True}])
    (True, False, False)
    """
    verdicts = {row["verdict"] for row in cases}
    return all(row["near"] for row in cases) and bool(verdicts & set(GOOD)) and not verdicts & set(OFF)


def games_that_settle(rows: pl.DataFrame) -> int | None:
    """Return about how many games would settle the last open case; None where that is unknown."""
    games = pl.col("needed") * pl.col("games") / pl.col("deals")
    amounts = rows.filter(verdict=NOT_SETTLED).select(games).to_series()
    return None if amounts.is_empty() or amounts.null_count() else round(max(amounts))


def games_to_settle(rows: pl.DataFrame) -> str:
    """Return about how many games would settle every open case; empty where unknown."""
    games = games_that_settle(rows)
    return f": about {roughly(games)} games each would settle it" if games else ""


def of_each_case(findings: Findings) -> str:
    """Return what is counted by itself, as a suffix: ` for each setting and lineup`; empty for one cell."""
    cells = findings.cells
    sizes = cells["seats"].n_unique()
    several = {"setting": cells["setting"].n_unique() > 1, "number of players": sizes > 1}
    several["lineup"] = cells["lineup"].n_unique() > sizes
    names = [name for name, varies in several.items() if varies]
    return f" for each {join_names(names)}" if names else ""


def joint_verdict_words(verdicts: list[str], lineups: str) -> str:
    """Return the verdict on a setting with several lineups, and with how many of them it is so.

    >>> joint_verdict_words(["UNFAIR", "UNFAIR"], "teams")
    'UNFAIR'
    >>> joint_verdict_words(["UNFAIR", "FAIR", "BORDERLINE"], "teams")
    'UNFAIR with one of three teams'
    >>> joint_verdict_words(["TOO EASY", "TOO HARD", "NOT SETTLED"], "teams")
    'TOO EASY with one and TOO HARD with one of three teams'
    """
    kinds = joint_verdict(verdicts).split(" or ")
    if len(set(verdicts)) == 1:
        return kinds[0]
    counts = (f"{kind} with {in_words(verdicts.count(kind))}" for kind in kinds)
    return f"{' and '.join(counts)} of {in_words(len(verdicts))} {lineups}"
