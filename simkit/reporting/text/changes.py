"""Sentences about what rule sets change, compared with the baseline on the same deals."""

import math
from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.compare import EFFECT, PRIMARY
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, ends, listed, number, seat_name

VISIBLE = 0.0005  # smallest difference of shares that shows in percent with one decimal
MAX_CHANGES = 4  # further changes in a sentence
NAMES = {"fpa": "first-player advantage", "draw": "drawn games"}
NAMES |= {"decided": "part of the game until the winner leads for good"}
NOTHING, NOTHING_SHARED = "nothing beyond luck", "nothing that is beyond luck with every lineup"
NOT_SEATS = ~pl.col("measure").is_in(["share", *PRIMARY])


LENGTH = ("turns", "decisions", "rounds")  # measures that grow together, so one of them is enough


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


def differs(row: Row) -> bool:
    """Return whether a difference is beyond luck, adjusted for all comparisons of its family."""
    return bool(row["p_adjusted"] < SURE)


def doubt(row: Row) -> str:
    """Return what to doubt about a difference; an empty text if it is beyond luck.

    >>> same = {"p_adjusted": 1.0, "difference": 0.0, "low": 0.0, "high": 0.0}
    >>> doubt(same), doubt(same | {"high": 0.1}), doubt(same | {"p_adjusted": 0.01})
    ('the same in every deal', 'may be luck', '')
    """
    if differs(row):
        return ""
    varies = any(row[name] for name in ("difference", "low", "high"))
    return "may be luck" if varies else "the same in every deal"


def amount(row: Row, key: str) -> str:
    """Return a difference in the unit of its measure."""
    scale, digits = (100, 1) if row["unit"] == "share" else (1, 2)
    return number(scale * row[key], digits, sign=True)


def shares_won(table: pl.DataFrame) -> dict[int, Row]:
    """Return by cell of a competitive game the row of `comparisons` with the first player's share."""
    return {row["cell"]: row for row in table.filter(measure="share", seat=0).rows(named=True)}


def fair_of(row: Row, won: Row) -> tuple[float, float]:
    """Return the fair share with a rule set and at the baseline: the share minus the advantage."""
    return won["value"] - row["value"], won["base_value"] - row["base_value"]


def fair_moves(row: Row, won: Row) -> bool:
    """Return whether a rule set changes the fair share, because more or fewer games have no winner."""
    now, before = fair_of(row, won)
    return row["measure"] == "fpa" and abs(now - before) >= VISIBLE


def greatest(changes: pl.DataFrame) -> Row | None:
    """Return the greatest change beyond luck, of the measure with the largest standardized effect."""
    real = changes.filter(pl.col("p_adjusted") < SURE).sort(EFFECT, descending=True, maintain_order=True)
    same = real.filter(pl.col("measure") == pl.col("measure").first())
    sizes = same.sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    return sizes.row(0, named=True) if sizes.height else None


def greatest_said(findings: Findings) -> str:
    """Return the greatest change beyond luck besides who wins; empty without one."""
    row = greatest(labels_of(findings).named(findings.comparisons.filter(NOT_SEATS)))
    if row is None:
        return ""
    lineup = f" ({row['lineup']})" if findings.comparisons["lineup"].n_unique() > 1 else ""
    return f"{change_said(row, findings.run.words.score)} with {row['setting']}{lineup}"


def change_said(row: Row, score: str) -> str:
    """Return a change as a sentence; `score` is the game's unit of score.

    >>> row = {"measure": "score", "seat": 0, "unit": "number", "difference": -1.5}
    >>> change_said(row, "points"), change_said(row | {"measure": "turns", "seat": None}, "points")
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


def greatest_change(findings: Findings, subject: str, changes: pl.DataFrame) -> str:
    """Return a heading that names the rule set with the greatest change beyond luck."""
    most = greatest(changes)
    if most is None and (changes["low"] == 0).all() and (changes["high"] == 0).all():
        return f"No rule set changes {subject}"
    if most is None:
        return f"Whether a rule set changes {subject} is not settled"
    several = findings.cells["seats"].n_unique() > 1 or changes["seat"].n_unique() > 1
    owner = f" of the {seat_name(most['seat'])}" if several and most["seat"] is not None else ""
    unit = {"share": " percentage points", "turns": " turns"}.get(most["unit"], "")
    unit = {"score": f" {findings.run.words.score}", "decisions": " decisions"}.get(most["measure"], unit)
    name, size = subject[0].upper() + subject[1:], amount(most, "difference")
    labels = labels_of(findings)
    lineup = labels.of_column("lineup")
    where = f" ({lineup(most['lineup'])})" if lineup and changes["lineup"].n_unique() > 1 else ""
    at = labels.at(most["setting"])
    return f"{name}{owner}: the greatest change beyond luck is {size}{unit}, with {at}{where}"


def also_changed(findings: Findings) -> Iterator[tuple[str, str]]:
    """Yield each rule set's setting and a text on its changes beyond luck besides the winner."""
    labels = labels_of(findings)
    for (setting,), part in findings.comparisons.group_by("setting", maintain_order=True):
        named = labels.named(part)
        yield str(setting), _everywhere(named.filter(NOT_SEATS), findings.run.words.score)


def _first_texts(texts: list[str], changed: int) -> str:
    """Join the first few texts and count the changes left out."""
    shown = texts[:MAX_CHANGES]
    more = f"; and {changed - len(shown)} more beyond luck" if changed > len(shown) else ""
    return "; ".join(shown) + more


def changed(row: Row, score: str, size: str = "") -> str:
    """Return a change with its measure and unit; `score` is the game's unit of score."""
    unit = {"score": f" {score}", "turns": " per game", "decisions": " per game"}.get(row["measure"], "")
    unit = " percentage points" if row["unit"] == "share" else unit
    return f"{measure_name(row['measure'], row['seat'])} {size or amount(row, 'difference')}{unit}"


def _of_each_kind(parts: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """Keep of related changes (such as the scores of the seats) the greatest; sort the greatest first.

    The size of a change is its effect with the lineup that it affects least.
    """
    kinds: dict[str, pl.DataFrame] = {}
    for part in sorted(parts, key=lambda part: -part.select(EFFECT.min()).item()):
        measure = part["measure"][0]
        kinds.setdefault("length" if measure in LENGTH else measure, part)
    return list(kinds.values())


def _everywhere(others: pl.DataFrame, score: str) -> str:
    """Return the changes beyond luck with every lineup, as ranges; the greatest change comes first.

    A change of a seat that only some lineups have names these lineups.
    """
    parts = others.partition_by("measure", "seat", maintain_order=True)
    sure = [part for part in parts if all(map(differs, part.rows(named=True)))]
    lineups = others["lineup"].n_unique()
    texts = [_from_to(part, score, lineups) for part in _of_each_kind(sure)]
    return _first_texts(texts, len(sure)) or (NOTHING if lineups == 1 else NOTHING_SHARED)


def _from_to(part: pl.DataFrame, score: str, lineups: int) -> str:
    """Return a change as a range over lineups; changes of opposite sign are given separately."""
    rows = part.sort("difference").rows(named=True)
    least, most = (amount(row, "difference") for row in (rows[0], rows[-1]))
    if rows[0]["difference"] < 0 < rows[-1]["difference"]:
        return f"{changed(rows[0], score)} with {rows[0]['lineup']}, {most} with {rows[-1]['lineup']}"
    fewer = listed(part["lineup"]) if part.height < lineups else ""
    return changed(rows[0], score, ends(least, most)) + (f" ({fewer})" if fewer else "")
