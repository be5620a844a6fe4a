"""Wording for columns of the log that divide seats into those with much and with little of something."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.labels import titled
from simkit.reporting.text.phrases import in_words, number, seat_name, span, whole
from simkit.reporting.text.pieces import MIN_GAMES, MIN_USERS

CAUTION = "Correlational, not causal: winners may have more of something because they were winning anyway."


def sides(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the labels of the seats with much and with little.

    >>> sides({"has": True, "low": 0, "high": 2}), sides({"has": False, "low": 2, "high": 5})
    (('some', 'none'), ('at least 5', 'at most 2'))
    >>> sides({"has": False, "low": 0, "high": 1})
    ('some', 'none')
    """
    if row["has"] or (row["low"], row["high"]) == (0, 1):
        return "some", "none"
    return f"at least {row['high']:g}", f"at most {row['low']:g}"


def rates_by_seat(row: Mapping[str, Any], shares: pl.DataFrame, team: bool = False) -> str:
    """Return how often the seat that a column divides most wins, with much and with little.

    row: of `components`; shares: its rows of `component_shares`. The seat has the sign of the adjusted
    difference. Empty where no such seat has enough games on both sides.

    >>> cards = {"has": False, "low": 3, "high": 4, "difference": 0.08}
    >>> games = {"seat": [0, 1], "with_games": [300, 800], "without_games": [900, 400]}
    >>> shares = pl.DataFrame(games | {"with_share": [0.57, 0.5], "without_share": [0.55, 0.36]})
    >>> rates_by_seat(cards, shares)
    'the second player wins 50 % with four or more and 36 % with fewer'
    >>> rates_by_seat(cards | {"low": 2}, shares, team=True)
    'the team wins 50 % where the second player has at least 4 and 36 % where at most 2'
    >>> rates_by_seat(cards, shares.with_columns(with_games=pl.lit(40)))
    ''
    """
    games = pl.col("with_games", "without_games")
    least = pl.max_horizontal(pl.lit(MIN_GAMES), MIN_USERS * pl.sum_horizontal(games))
    gap = (pl.col("with_share") - pl.col("without_share")) * (1 if row["difference"] > 0 else -1)
    seats = shares.filter((pl.min_horizontal(games) >= least) & (gap > 0)).sort(gap, descending=True)
    if seats.is_empty():
        return ""
    most, (much, little) = seats.row(0, named=True), sides(row)
    if not row["has"] and row["high"] == row["low"] + 1 and row["low"] > 0:
        much, little = f"{in_words(int(row['high']))} or more", "fewer"
    with_, without = (f"{whole(most[f'{side}_share'])} %" for side in ("with", "without"))
    name = seat_name(most["seat"])
    if team:
        return f"the team wins {with_} where the {name} has {much} and {without} where {little}"
    return f"the {name} wins {with_} with {much} and {without} with {little}"


def adjusted_difference(row: Mapping[str, Any]) -> str:
    """Return the adjusted difference of the shares won with much and with little.

    >>> ends = {"difference": 0.081, "difference_low": 0.05, "difference_high": 0.11, "deals": 9000}
    >>> adjusted_difference({"component": "Cards kept"} | ends)
    'Cards kept: adjusted difference +8.1 percentage points (95 % interval +5.0 to +11.0, n = 9,000 deals).'
    """
    low, high = row["difference_low"], row["difference_high"]
    size = f"{number(100 * row['difference'], sign=True)} percentage points"
    sure = f"95 % interval {span(low, high, sign=True, scale=100)}, n = {row['deals']:,} deals"
    return f"{row['component']}: adjusted difference {size} ({sure})."


def named_columns(findings: Findings, rows: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Add `component`: the meaning of each column in the words of the log."""
    if not rows.width:
        return rows
    meanings = findings.run.meanings(kind)
    texts = [titled(meanings.get(name) or name) for name in rows["column"]]
    return rows.with_columns(pl.Series("component", texts, dtype=pl.String))


def sided(findings: Findings, rows: pl.DataFrame) -> pl.DataFrame:
    """Add `much` and `little` as text, and `lever`: whether the column is fixed when play begins."""
    both = [sides(row) for row in rows.iter_rows(named=True)]
    much, little = ([pair[side] for pair in both] for side in (0, 1))
    levers = pl.col("column").is_in(findings.run.words.levers)
    return rows.with_columns(
        pl.Series("much", much, pl.String), pl.Series("little", little, pl.String), lever=levers
    )
