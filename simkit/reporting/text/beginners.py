"""Sentences about the chances of a player who errs."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.numbers import percent, span, whole
from simkit.reporting.text.phrases import Sentence

REPORTED_RATE = 0.2  # error rate of the beginner that sentences report, or the nearest one played


def in_hundred(share: float) -> str:
    """Return a share as whole wins of 100 games; tiny shares read "less than 1".

    >>> in_hundred(0.263), in_hundred(0.004)
    ('26', 'less than 1')
    """
    return whole(share) if share >= 0.005 or share == 0 else "less than 1"


def beginners(findings: Findings) -> Iterator[Sentence]:
    """Yield for each number of seats what a player who errs at the reported rate wins."""
    distance = (pl.col("errs") - REPORTED_RATE).abs()
    erring = findings.beginners.filter(pl.col("errs") > 0).sort(distance, maintain_order=True)
    winner = "the team" if findings.run.team else "this player"
    for row in erring.unique("seats", keep="first").sort("seats").rows(named=True):
        errs = f"With {row['seats']} players, of whom one errs in {percent(row['errs'])} of the decisions"
        interval = span(row["low"], row["high"], scale=100)
        wins = f"{winner} wins {percent(row['share'])} of the games ({interval})"
        rests = f"beginners.filter(seats={row['seats']}, errs={row['errs']})"
        yield Sentence(f"{errs}, {wins}; without errors it would be {percent(row['fair'])}.", rests)
