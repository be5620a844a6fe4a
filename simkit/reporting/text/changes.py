"""Sentences about what rule sets change, compared with the baseline on the same deals."""

import math

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.compare import EFFECT, PRIMARY
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import number, span
from simkit.reporting.text.phrases import TableRow, seat_name

VISIBLE = 0.0005  # smallest difference of shares that shows in percent with one decimal
NAMES = {"fpa": "first-player advantage", "draw": "drawn games"}
NAMES |= {"decided": "part of the game until the winner leads for good"}
NOT_SEATS = ~pl.col("measure").is_in(["share", *PRIMARY])


def measure_name(measure: str, seat: int | None) -> str:
    """Return the name of what is compared.

    >>> measure_name("share", 0), measure_name("fpa", 0), measure_name("turns", None)
    ('share of the first player', 'first-player advantage', 'turns')
    """
    name = NAMES.get(measure, measure.replace("_", " "))
    return name if seat is None or measure == "fpa" else f"{name} of the {seat_name(seat)}"


def p_value(value: float) -> str:
    """Return the p-value as text.

    >>> p_value(0.00012), p_value(0.0312)
    ('< 0.001', '0.031')
    """
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def confidence(level: float) -> str:
    """Return the level of an interval with enough decimals to distinguish it from 100 %.

    >>> confidence(0.95), confidence(0.975), confidence(1 - 0.05 / 12), confidence(1 - 0.05 / 900)
    ('95 %', '97.5 %', '99.6 %', '99.994 %')
    """
    missed = 100 * (1 - level)
    digits = 0 if abs(missed - round(missed)) < 1e-9 else max(1, math.ceil(-math.log10(missed)))
    return f"{100 - missed:.{digits}f} %"


def differs(row: TableRow) -> bool:
    """Return whether a difference is beyond luck, adjusted for all comparisons of its family."""
    return bool(row["p_adjusted"] < SURE)


def doubt(row: TableRow) -> str:
    """Return what to doubt about a difference; an empty text if it is beyond luck.

    >>> same = {"p_adjusted": 1.0, "difference": 0.0, "low": 0.0, "high": 0.0}
    >>> doubt(same), doubt(same | {"high": 0.1}), doubt(same | {"p_adjusted": 0.01})
    ('the same in every deal', 'may be luck', '')
    """
    if differs(row):
        return ""
    varies = any(row[name] for name in ("difference", "low", "high"))
    return "may be luck" if varies else "the same in every deal"


def shares_won(table: pl.DataFrame) -> dict[int, TableRow]:
    """Return by cell of a competitive game the row of `comparisons` with the first player's share."""
    return {row["cell"]: row for row in table.filter(measure="share", seat=0).rows(named=True)}


def fair_moves(row: TableRow, won: TableRow) -> bool:
    """Return whether a rule set changes the fair share: the share won less the advantage."""
    now, before = won["value"] - row["value"], won["base_value"] - row["base_value"]
    return bool(row["measure"] == "fpa" and abs(now - before) >= VISIBLE)


def greatest(changes: pl.DataFrame) -> TableRow | None:
    """Return the greatest change beyond luck, of the measure with the largest standardized effect."""
    real = changes.filter(pl.col("p_adjusted") < SURE).sort(EFFECT, descending=True, maintain_order=True)
    same = real.filter(pl.col("measure") == pl.col("measure").first())
    sizes = same.sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    return sizes.row(0, named=True) if sizes.height else None


def greatest_change_sentence(findings: Findings) -> str:
    """Return a sentence on the greatest change beyond luck, apart from who wins; empty if there is none."""
    row = greatest(labels_of(findings).label(findings.comparisons.filter(NOT_SEATS)))
    if row is None:
        return ""
    lineup = f" ({row['lineup']})" if findings.comparisons["lineup"].n_unique() > 1 else ""
    scale = 100 if row["unit"] == "share" else 1
    interval = span(row["low"], row["high"], sign=True, scale=scale)
    return f"{change_sentence(row, findings.run.words.score)} ({interval}) with {row['setting']}{lineup}"


def change_sentence(row: TableRow, score: str) -> str:
    """Return a change as a sentence; `score` is the game's unit of score.

    >>> row = {"measure": "score", "seat": 0, "unit": "number", "difference": -1.5}
    >>> change_sentence(row, "points"), change_sentence(row | {"measure": "turns", "seat": None}, "points")
    ('The score of the first player falls by 1.5 points', 'Games are 1.5 turns shorter')
    """
    size, grows = number(abs(row["difference"])), row["difference"] > 0
    if row["measure"] == "turns":
        return f"Games are {size} turns {'longer' if grows else 'shorter'}"
    if row["measure"] == "decisions":
        return f"Games take {size} decisions {'more' if grows else 'less'}"
    size = f"{number(100 * abs(row['difference']))} percentage points" if row["unit"] == "share" else size
    size += f" {score}" if row["measure"] == "score" else ""
    return f"The {measure_name(row['measure'], row['seat'])} {'rises' if grows else 'falls'} by {size}"
