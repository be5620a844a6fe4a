"""Lineups between which the first player's share differs most beyond luck, by number of players."""

from collections.abc import Iterator
from math import comb, hypot

from simkit.analysis import Findings
from simkit.reporting.text.groups import place
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, games_of_100, whole
from simkit.stats.quantiles import normal

LEVEL = 0.95  # level of the intervals


def who_plays(findings: Findings, setting: str) -> Iterator[str]:
    """Yield for each number of players with whom the first player wins least and most at a setting."""
    firsts = findings.seat_shares.filter(setting=setting, seat=0).sort("seats", "share", "cell")
    for (seats,), part in firsts.group_by("seats", maintain_order=True):
        least, most = part.row(0, named=True), part.row(-1, named=True)
        if part.height > 1 and _differ(least, most, comb(part.height, 2)):
            yield f"{_where(findings, setting)}{seats} players {_ends(findings, least, most)}"


def _differ(least: Row, most: Row, pairs: int) -> bool:
    """Return whether two shares differ beyond luck, chosen as the extremes of `pairs` possible pairs.

    >>> _differ({"share": 0.5, "low": 0.48, "high": 0.52}, {"share": 0.53, "low": 0.51, "high": 0.55}, 1)
    True
    >>> _differ({"share": 0.5, "low": 0.48, "high": 0.52}, {"share": 0.53, "low": 0.51, "high": 0.55}, 10)
    False
    """
    half = hypot(*((row["high"] - row["low"]) / 2 for row in (least, most)))
    stricter = normal(1 - (1 - LEVEL) / pairs) / normal(LEVEL)
    return bool(most["share"] - least["share"] > half * stricter)


def _where(findings: Findings, setting: str) -> str:
    several = findings.cells["setting"].n_unique() > 1
    at = place(findings, setting)
    return f"{at[:1].upper()}{at[1:]}, with " if several else "With "


def _ends(findings: Findings, least: Row, most: Row) -> str:
    labels, called = labels_of(findings), labels_of(findings).of_column("lineup") or str
    low, high = (labels.when(called(row["lineup"])) for row in (least, most))
    games = games_of_100(least["share"])
    return f"the first player wins least, {games}, {low}, and most, {whole(most['share'])}, {high}."
