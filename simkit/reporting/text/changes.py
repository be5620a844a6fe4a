"""What other rules change, in sentences: rule sets against the baseline on the same deals."""

import math
from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.compare import EFFECT, PRIMARY
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, Said, ends, listed, number, percent, prose, seat_name

VISIBLE = 0.0005  # a difference of shares that is seen in percent with one digit
MOST_TOLD = 4  # further changes in a sentence
MOST_TIMES = 1000  # a greater gain is told as more than that
NAMES = {"fpa": "first-player advantage", "draw": "drawn games"}
NOTHING, NOTHING_SHARED = "nothing beyond luck", "nothing that is beyond luck with every lineup"
IS_WIN, NOT_SEATS = pl.col("measure").is_in(PRIMARY), ~pl.col("measure").is_in(["share", *PRIMARY])


LENGTH = ("turns", "decisions", "rounds")  # they grow together: one of them tells it


def measure_name(measure: str, seat: int | None) -> str:
    """What is compared, in words.

    >>> measure_name("share", 0), measure_name("fpa", 0), measure_name("turns", None)
    ('share of the first player', 'first-player advantage', 'turns')
    """
    name = NAMES.get(measure, measure.replace("_", " "))
    return name if seat is None or measure == "fpa" else f"{name} of the {seat_name(seat)}"


def p_value(value: float) -> str:
    """How often luck alone would do as much.

    >>> p_value(0.00012), p_value(0.0312)
    ('< 0.001', '0.031')
    """
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def confidence(level: float) -> str:
    """The level of an interval, with as many digits as tell it from 100 %.

    >>> confidence(0.95), confidence(0.975), confidence(1 - 0.05 / 12), confidence(1 - 0.05 / 900)
    ('95 %', '97.5 %', '99.6 %', '99.994 %')
    """
    missed = 100 * (1 - level)
    digits = 0 if abs(missed - round(missed)) < 1e-9 else max(1, math.ceil(-math.log10(missed)))
    return f"{100 - missed:.{digits}f} %"


def differs(row: Row) -> bool:
    """Whether a difference is more than luck, allowing for all of its family that were looked at."""
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
    """A difference in the unit of its measure."""
    scale, digits = (100, 1) if row["unit"] == "share" else (1, 2)
    return number(scale * row[key], digits, sign=True)


def comparison_sentences(table: pl.DataFrame) -> list[str]:
    """What `comparisons` says of the first player (the team), and what common deals were worth."""
    won = shares_won(table)
    return [_sentence(row, won.get(row["cell"], row)) for row in table.filter(IS_WIN).rows(named=True)]


def shares_won(table: pl.DataFrame) -> dict[int, Row]:
    """By cell of a competitive game the row of `comparisons` that has the share of the first player."""
    return {row["cell"]: row for row in table.filter(measure="share", seat=0).rows(named=True)}


def fair_of(row: Row, won: Row) -> tuple[float, float]:
    """The fair share with a rule set and at the baseline, from the advantage and the share."""
    return won["value"] - row["value"], won["base_value"] - row["base_value"]


def fair_moves(row: Row, won: Row) -> bool:
    """Whether the fair share is another with a rule set, as nobody wins more games, or fewer."""
    here, before = fair_of(row, won)
    return row["measure"] == "fpa" and abs(here - before) >= VISIBLE


def _who(row: Row) -> str:
    return "first player" if row["measure"] == "fpa" else "team"


def _sentence(row: Row, won: Row) -> str:
    here, before = (percent(won[name]) for name in ("value", "base_value"))
    aims = " instead of ".join(map(percent, fair_of(row, won)))
    fair = f", where {aims} is fair: against that" if fair_moves(row, won) else ":"
    change = "no change"
    if row["difference"]:
        more = "more" if row["difference"] > 0 else "less"
        change = f"{number(abs(100 * row['difference']))} percentage points {more}"
    luck = f"; {doubt(row)}" if doubt(row) else ""
    worth = row["factor"] and math.isfinite(row["factor"])
    paired = f"; common deals were worth {row['factor']:.1f} times as many" if worth else ""
    level = confidence(row["confidence"])
    low, high = amount(row, "low"), amount(row, "high")
    sure = f"{level} interval {low} to {high}, n = {row['deals']:,} common deals"
    return prose(f"""With {row["setting"]} the {_who(row)} wins {here} instead of {before}
        ({row["lineup"]}){fair} {change} ({sure}{luck}{paired}).""")


def greatest(changes: pl.DataFrame) -> Row | None:
    """Of the changes beyond luck the greatest: of the measure that moves most against its usual scatter."""
    real = changes.filter(pl.col("p_adjusted") < SURE).sort(EFFECT, descending=True, maintain_order=True)
    same = real.filter(pl.col("measure") == pl.col("measure").first())
    sizes = same.sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    return sizes.row(0, named=True) if sizes.height else None


def greatest_change(findings: Findings, what: str, changes: pl.DataFrame) -> str:
    """Which rule set changes something the most, of the changes beyond luck: a heading."""
    most = greatest(changes)
    if most is None:
        return f"No rule set changes {what} beyond luck"
    several = findings.cells["seats"].n_unique() > 1 or changes["seat"].n_unique() > 1
    whose = f" of the {seat_name(most['seat'])}" if several and most["seat"] is not None else ""
    unit = {"share": " percentage points", "turns": " turns"}.get(most["unit"], "")
    unit = {"score": f" {findings.run.words.score}", "decisions": " decisions"}.get(most["measure"], unit)
    name, by = what[0].upper() + what[1:], amount(most, "difference")
    labels = labels_of(findings)
    lineup = labels.of_column("lineup")
    where = f" ({lineup(most['lineup'])})" if lineup and changes["lineup"].n_unique() > 1 else ""
    at = labels.at(most["setting"])
    return f"{name}{whose}: the greatest change beyond luck is {by}{unit}, with {at}{where}"


def also_changed(findings: Findings) -> Iterator[tuple[str, str]]:
    """For each rule set, by its setting: what it changes besides who wins, more than luck."""
    labels = labels_of(findings)
    for (setting,), part in findings.comparisons.group_by("setting", maintain_order=True):
        named = labels.named(part)
        several = part["lineup"].n_unique() > 1
        score = findings.run.words.score
        yield str(setting), (_everywhere if several else _sure)(named.filter(NOT_SEATS), score)


def _told(texts: list[str], changed: int) -> str:
    """The first of the texts; how many of the things `changed` are left out."""
    told = texts[:MOST_TOLD]
    more = f"; and {changed - len(told)} more beyond luck" if changed > len(told) else ""
    return "; ".join(told) + more


def changed(row: Row, score: str, by: str = "") -> str:
    """What changes by how much, with its unit: `score` is what the game counts."""
    unit = {"score": f" {score}", "turns": " per game", "decisions": " per game"}.get(row["measure"], "")
    unit = " percentage points" if row["unit"] == "share" else unit
    return f"{measure_name(row['measure'], row['seat'])} {by or amount(row, 'difference')}{unit}"


def _of_each_kind(parts: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """Of changes that say much the same, as the scores of the seats do, the greatest; the greatest first.

    A change is as great as it is with the lineup that it changes least.
    """
    kinds: dict[str, pl.DataFrame] = {}
    for part in sorted(parts, key=lambda part: -part.select(EFFECT.min()).item()):
        measure = part["measure"][0]
        kinds.setdefault("length" if measure in LENGTH else measure, part)
    return list(kinds.values())


def _everywhere(others: pl.DataFrame, score: str) -> str:
    """What changes beyond luck with every lineup, from the least to the most; the greatest change first.

    Of a seat that only some lineups have it is said of which.
    """
    parts = others.partition_by("measure", "seat", maintain_order=True)
    sure = [part for part in parts if all(map(differs, part.rows(named=True)))]
    lineups = others["lineup"].n_unique()
    texts = [_from_to(part, score, lineups) for part in _of_each_kind(sure)]
    return _told(texts, len(sure)) or NOTHING_SHARED


def _from_to(part: pl.DataFrame, score: str, lineups: int) -> str:
    """A change from the least to the most; where the signs differ each end by itself, no span about 0."""
    rows = part.sort("difference").rows(named=True)
    least, most = (amount(row, "difference") for row in (rows[0], rows[-1]))
    if rows[0]["difference"] < 0 < rows[-1]["difference"]:
        return f"{changed(rows[0], score)} with {rows[0]['lineup']}, {most} with {rows[-1]['lineup']}"
    fewer = listed(part["lineup"]) if part.height < lineups else ""
    return changed(rows[0], score, ends(least, most)) + f" ({fewer})" * bool(fewer)


def _sure(others: pl.DataFrame, score: str) -> str:
    """What of the changes is more than luck, allowing for how many were looked at; the greatest first."""
    sure = others.filter(pl.col("p_adjusted") < SURE)
    rows = [part.row(0, named=True) for part in _of_each_kind(sure.partition_by("measure", "seat"))]
    return _told([_also(row, score) for row in rows], sure.height) or NOTHING


def _also(row: Row, score: str) -> str:
    return f"{changed(row, score)} ({amount(row, 'low')} to {amount(row, 'high')})"


def times(factor: float) -> str:
    """How many times the deals; a rule that hardly ever changes anything may gain millions.

    >>> times(1.25), times(2_965_842.5)
    ('1.2', 'over 1,000')
    """
    return f"{factor:.1f}" if round(factor, 1) < MOST_TIMES else f"over {MOST_TIMES:,}"


def pairing(findings: Findings) -> Said:
    fpa = findings.comparisons.filter(IS_WIN & pl.col("factor").is_finite())
    text, rows = "All rule sets were played on the same deals.", fpa.sort("factor").rows(named=True)
    if rows:
        least, most = rows[0]["factor"], rows[-1]["factor"]
        played = f"{ends(times(least), times(most))} times as many deals played apart"
        nothing = "the luck of the deals hardly decides who wins, or the rules change it all"
        who, of = _who(rows[0]), rows[0]["measure"]
        what = "the first player's advantage" if of == "fpa" else "the team's share"
        more = "" if most >= 1.05 else f" (for the {who} it gained nothing: {nothing})"
        many = f"n = {rows[-1]['deals']:,} deals"
        text += f" For {what} that was as good as {played} ({many}){more}."
        return Said(text, f"comparisons.filter(measure='{of}')")
    return Said(text, "comparisons")
