"""A beginner's chances in sentences."""

from collections.abc import Iterator
from fractions import Fraction

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.beginners import beside
from simkit.reporting.text.labels import Labels
from simkit.reporting.text.phrases import Row, Said, in_words, whole

TOLD = 0.2  # how often the player errs of whom sentences tell, or the nearest that was asked for


def decisions(errs: float) -> str:
    """A part of all decisions.

    >>> decisions(0.1), decisions(0.4), decisions(1.0), decisions(0.15)
    ('one of ten decisions', 'two of five decisions', 'every decision', '15 of 100 decisions')
    """
    if errs == 1:
        return "every decision"
    part = Fraction(errs).limit_denominator(10)
    if part and abs(part - errs) < 0.001:
        return f"{in_words(part.numerator)} of {in_words(part.denominator)} decisions"
    return f"{100 * errs:g} of 100 decisions"


def told_rows(findings: Findings) -> list[Row]:
    """Per number of seats the row that sentences tell of; none where no beginner played."""
    table = findings.beginners
    if table.is_empty():
        return []
    erring = table.filter(pl.col("errs") > 0).sort((pl.col("errs") - TOLD).abs(), maintain_order=True)
    return erring.group_by("seats", maintain_order=True).first().sort("seats").rows(named=True)


def in_hundred(share: float) -> str:
    """A share as wins of 100 games, in whole numbers; the parts of few are told.

    >>> in_hundred(0.263), in_hundred(0.004)
    ('26', 'less than 1')
    """
    return whole(share) if share >= 0.005 or share == 0 else "less than 1"


def short(row: Row, team: bool) -> str:
    """`who errs in one of five decisions wins 26 of 100`: a heading, a fact."""
    wins = in_hundred(row["share"])
    if team:
        without = in_hundred(row["fair"])
        return f"one who errs in {decisions(row['errs'])} makes the team win {wins} of 100, not {without}"
    return f"who errs in {decisions(row['errs'])} wins {wins} of 100"


def beginners(findings: Findings) -> Iterator[Said]:
    """Per number of seats what a player who errs wins; what all have in common is said once."""
    say = _of_team if findings.run.team else _of_player
    for place, row in enumerate(told_rows(findings)):
        rests = f"beginners.filter(seats={row['seats']}, errs={row['errs']})"
        yield Said(say(row, place == 0), rests)


def _of_player(row: Row, first: bool) -> str:
    wins, fair, sure = in_hundred(row["share"]), in_hundred(row["fair"]), _sure(row)
    if not first:
        return f"With {row['seats']} players it is {wins} ({sure}; fair is {fair})."
    others = "one who never errs" if row["seats"] == 2 else f"{row['seats'] - 1} who never err"
    return f"Against {others} ({sure}; a fair share is {fair})."


def _of_team(row: Row, first: bool) -> str:
    wins, without, sure = in_hundred(row["share"]), in_hundred(row["fair"]), _sure(row)
    if not first:
        return f"With {row['seats']} players it is {wins} ({sure}) in place of {without}."
    return f"""If one of {row["seats"]} players errs in {decisions(row["errs"])}, the team wins {wins} of 100
        games ({sure}); without errors it wins {without}."""


def _sure(row: Row) -> str:
    """The interval in whole numbers, and the games."""
    return f"{whole(row['low'])} to {whole(row['high'])}, n = {row['games']:,} games"


def who_plays(findings: Findings) -> str:
    """The strategies that all play, in labels."""
    small = findings.kept(beside)
    labels = Labels(small.run if small else findings.run)
    return ", ".join(dict.fromkeys(map(labels.strategy, findings.beginners["strategy"])))
