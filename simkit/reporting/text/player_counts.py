"""Sentences about who gains and loses by the order of play, for each number of players."""

from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import rounded
from simkit.reporting.text.answer import headline
from simkit.reporting.text.perspective import players
from simkit.reporting.text.phrases import Row, number, seat_name
from simkit.reporting.text.verdict_counts import joint_with

GAIN = (pl.col("share") - pl.col("fair")).alias("gain")


def size_rows(findings: Findings, setting: str) -> list[Row]:
    """Return for each number of players who gains and loses most over the lineups, and the verdict."""
    rows = list[Row]()
    for seats, part in findings.by_size():
        shares = part.seat_shares.filter(setting=setting)
        verdicts = part.first_player_advantage.filter(setting=setting)["verdict"].to_list()
        means = shares.group_by("seat", maintain_order=True).agg(GAIN.mean()).sort("gain")
        best, worst = (_end_row(shares, means.row(place, named=True)) for place in (-1, 0))
        rows.append(
            {"seats": seats, "gains": best, "loses": worst, "verdict": joint_with(verdicts, players(part))}
        )
    return rows


def _end_row(shares: pl.DataFrame, mean: Row) -> Row:
    """Add to a seat's mean gain whether its sign is the same with all lineups."""
    gains = shares.filter(seat=mean["seat"]).select(GAIN)["gain"].to_list()
    low, high = min(gains), max(gains)
    both_ways = low < 0 < high and bool(rounded(100 * low)) and bool(rounded(100 * high))
    return mean | {"alike": not both_ways}


def player_of(seat: int, seats: int) -> str:
    """Return the name of a seat; the last of three and more is the "last player".

    >>> player_of(1, 2), player_of(3, 4)
    ('second player', 'last player')
    """
    return "last player" if seats > 2 and seat == seats - 1 else seat_name(seat)


def gain_words(mean: Any, seats: int) -> str:
    """Return a player with the percentage points above or below fair, unless lineups differ in the sign.

    >>> one = {"seat": 0, "gain": 0.047, "alike": True}
    >>> gain_words(one, 2), gain_words(one | {"alike": False}, 2)
    ('first player +4.7', 'depends on who plays')
    """
    if not mean["alike"]:
        return "depends on who plays"
    return f"{player_of(mean['seat'], seats)} {number(100 * mean['gain'], sign=True)}"


def other_setting(findings: Findings, setting: str) -> str:
    """Return the answer for the other setting, where two were played."""
    settings = findings.cells["setting"].unique(maintain_order=True).to_list()
    others = [name for name in settings if name != setting]
    if len(others) != 1:
        return ""
    return headline(findings.only(findings.cells.filter(setting=others[0])["cell"].to_list()))
