"""Sentences about a beginner's chances."""

from collections.abc import Iterator
from fractions import Fraction

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.beginners import beginner_findings
from simkit.reporting.text.labels import Labels
from simkit.reporting.text.phrases import Row, Sentence, in_words, prose, whole

REPORTED_RATE = 0.2  # error rate of the beginner that sentences report, or the nearest one played


def decisions(errs: float) -> str:
    """Return an error rate as a part of all decisions.

    >>> decisions(0.1), decisions(0.4), decisions(1.0), decisions(0.15)
    ('one decision in ten', 'two decisions in five', 'every decision', '15 decisions in 100')
    """
    if errs == 1:
        return "every decision"
    part = Fraction(errs).limit_denominator(10)
    if part and abs(part - errs) < 0.001:
        decision = "decision" if part.numerator == 1 else "decisions"
        return f"{in_words(part.numerator)} {decision} in {in_words(part.denominator)}"
    return f"{100 * errs:g} decisions in 100"


def told_rows(findings: Findings) -> list[Row]:
    """Return for each number of seats the row that sentences report; empty where no beginner played."""
    table = findings.beginners
    if table.is_empty():
        return []
    distance = (pl.col("errs") - REPORTED_RATE).abs()
    erring = table.filter(pl.col("errs") > 0).sort(distance, maintain_order=True)
    return erring.group_by("seats", maintain_order=True).first().sort("seats").rows(named=True)


def in_hundred(share: float) -> str:
    """Return a share as whole wins of 100 games; tiny shares read "less than 1".

    >>> in_hundred(0.263), in_hundred(0.004)
    ('26', 'less than 1')
    """
    return whole(share) if share >= 0.005 or share == 0 else "less than 1"


def short(row: Row, team: bool) -> str:
    """Return a fact for a heading: `a player who errs in one decision in five wins 26 games in 100`."""
    wins = in_hundred(row["share"])
    if team:
        without = in_hundred(row["fair"])
        return prose(f"""one player who errs in {decisions(row["errs"])} cuts the team's wins from {without}
            to {wins} games in 100""")
    return f"a player who errs in {decisions(row['errs'])} wins {wins} games in 100"


def beginners(findings: Findings) -> Iterator[Sentence]:
    """Yield for each number of seats the wins of a beginner; shared wording appears only in the first."""
    sentence = _of_team if findings.run.team else _of_player
    for place, row in enumerate(told_rows(findings)):
        rests = f"beginners.filter(seats={row['seats']}, errs={row['errs']})"
        yield Sentence(sentence(row, place == 0), rests)


def _of_player(row: Row, first: bool) -> str:
    wins, fair, sure = in_hundred(row["share"]), in_hundred(row["fair"]), _interval(row)
    if not first:
        return f"With {row['seats']} players it is {wins} ({sure}; fair is {fair})."
    others = "one who never errs" if row["seats"] == 2 else f"{row['seats'] - 1} players who never err"
    return f"Against {others} ({sure}; a fair share is {fair})."


def _of_team(row: Row, first: bool) -> str:
    wins, without, sure = in_hundred(row["share"]), in_hundred(row["fair"]), _interval(row)
    if not first:
        return f"With {row['seats']} players it is {wins} ({sure}) in place of {without}."
    return f"""If one of {row["seats"]} players errs in {decisions(row["errs"])}, the team wins {wins} of 100
        games ({sure}); without errors it wins {without}."""


def _interval(row: Row) -> str:
    """Return the interval in whole percent and the number of games."""
    return f"{whole(row['low'])} to {whole(row['high'])}, n = {row['games']:,} games"


def who_plays(findings: Findings) -> str:
    """Return the labels of the strategies in the games with beginners."""
    side_run = findings.cached(beginner_findings)
    labels = Labels(side_run.run if side_run else findings.run)
    return ", ".join(dict.fromkeys(map(labels.strategy, findings.beginners["strategy"])))
