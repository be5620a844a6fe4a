"""Sentences about a screen of many options: which matter, which do nothing, which depend on each other."""

from collections.abc import Iterable, Sequence

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.changes import measure_name
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import number, percent, span
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import TableRow, capital, join_names, seat_name
from simkit.stats.factorial import MATTERS, NOTHING, OPEN, SLIGHT

MAX_LUCK = 0.5  # part of a spread that is luck, above which an index says nothing
MAX_OPTIONS_NAMED = 12  # options without effect that are named
EFFECT_VERDICTS = dict.fromkeys((SLIGHT, OPEN), "not settled")
EFFECT_VERDICTS |= {MATTERS: "matters", NOTHING: "nothing that counts"}


def label_effects(findings: Findings, effects: pl.DataFrame) -> list[TableRow]:
    """Return effects in words, the greatest first as multiples of what does not count.

    change: the option with its two values; other: the option of an interaction; what: the measure; lineup: ""
    if there is only one. The effect of two options is what both changes do beyond the sum of each.
    """
    if not effects.height:
        return []
    labels, side = labels_of(findings), side_of(findings.run).name
    several = findings.dials["lineup"].n_unique() > 1
    called = (labels.of_column("lineup") or str) if several else (lambda lineup: "")
    levels = findings.run.screened.levels
    rows = []
    for row in effects.rows(named=True):
        name, other = row["option"], row.get("with")
        ends = " → ".join(labels.value(name, value) for value in levels[name])
        words = {"change": f"{labels.option(name)} ({ends})", "other": labels.option(other) if other else ""}
        words |= {"what": measure_words(row["measure"], row["seat"], side), "lineup": called(row["lineup"])}
        size = {end: 2 * row[end] for end in ("effect", "low", "high")} if other else {}
        rows.append(row | size | words | {"name": name, "option": labels.option(name)})
    return sorted(rows, key=lambda row: -abs(row["effect"]) / max(row["margin"], 1e-12))


def measure_words(measure: str, seat: int | None, side: str = "first player") -> str:
    """Return what was measured: who wins, or a column of the log."""
    if measure == "share":
        return f"how often the {seat_name(seat) if seat else side} wins"
    return measure_name(measure, seat)


def amount(row: TableRow, key: str = "effect") -> str:
    """Return a change in the unit of its measure: `−3.1 percentage points` of a share, else `+2.35`."""
    share = row["unit"] == "share"
    return (
        f"{number(100 * row[key], sign=True)} percentage points" if share else number(row[key], 2, sign=True)
    )


def effect_interval(row: TableRow, prefix: str = "") -> str:
    """Return the interval of `amount`; `prefix`: prefix of the columns of its ends."""
    share = row["unit"] == "share"
    return span(row[f"{prefix}low"], row[f"{prefix}high"], 1 if share else 2, True, 100 if share else 1)


def screen_effects(rows: Sequence[TableRow]) -> list[str]:
    """Return the greatest effect by itself, what else changes each measure, and measures without any."""
    sentences, nothing = list[str](), list[str]()
    for measure in measures_of(rows):
        own = [row for row in rows if row["measure"] == measure]
        sure = [row for row in own if row["alone_verdict"] == MATTERS]
        if not sure:
            nothing.append("how often a player wins" if own[0]["seat"] else own[0]["what"])
            continue
        first = not sentences
        if first:
            best, *sure = sure
            effect = f"the greatest effect by itself on {best['what']}{_lineup_suffix(best)}: {_size(best)}"
            sentences.append(f"{capital(best['change'])} has {effect}.")
        if sure:
            sizes = "; ".join(f"{row['option']}{_lineup_suffix(row)}, {_size(row)}" for row in sure)
            what = f"{own[0]['what']} by more than the margin of {amount(own[0], 'margin')[1:]}"
            sentences.append(f"What {'else ' if first else ''}changes {what}: {sizes}.")
    if nothing:
        limit = "by an amount that matters"
        sentences.append(f"No option by itself was shown to change {join_names(nothing, 'or')} {limit}.")
    return sentences


def _lineup_suffix(row: TableRow) -> str:
    return f" with {row['lineup']}" if row["lineup"] else ""


def _size(row: TableRow) -> str:
    return f"{amount(row)} ({effect_interval(row)})"


def measures_of(rows: Iterable[TableRow]) -> list[str]:
    """Return the measures: who wins, if an option surely changes it, then that with the greatest effect."""
    wins = [row["measure"] for row in rows if row["unit"] == "share" and row["alone_verdict"] == MATTERS]
    return list(dict.fromkeys([*wins[:1], *(row["measure"] for row in rows)]))


def verdicts(rows: Iterable[TableRow], key: str = "verdict") -> dict[str, set[str]]:
    """Return the verdicts on each option over measures, seats and lineups."""
    kinds = dict[str, set[str]]()
    for row in rows:
        kinds.setdefault(row["option"], set()).add(row[key])
    return kinds


def screen_advice(rows: Sequence[TableRow], pairs: Sequence[TableRow]) -> str:
    """Return what matters only averaged over the others, what does nothing, and which two interact."""
    kinds, alone = verdicts(rows), verdicts(rows, "alone_verdict")
    texts = []
    if averaged := [option for option in kinds if MATTERS in kinds[option] - alone[option]]:
        texts.append(f"These matter only on average over the others: {join_names(averaged)}.")
    if idle := [option for option, own in kinds.items() if own == {NOTHING}]:
        texts.append(f"Nothing that counts: {join_names(idle, most=MAX_OPTIONS_NAMED)}.")
    return " ".join([*texts, pairs_sentence(pairs)]).strip()


def pairs_sentence(pairs: Sequence[TableRow]) -> str:
    """Return the interactions of two options, the strongest first; empty where there are no pairs."""
    sure = [row for row in pairs if row["verdict"] == MATTERS]
    if not sure:
        return "No two options were shown to change what the other does." if pairs else ""
    pair = f"{capital(sure[0]['option'])} and {sure[0]['other']} interact"
    moved = f"both changes together move {sure[0]['what']} by {_size(sure[0])}"
    others = [f"{row['option']} and {row['other']} ({row['what']}, {_size(row)})" for row in sure[1:]]
    rest = f"So do {join_names(others)}." if others else "No other pair was shown to interact."
    touched = {row["what"] for row in sure}
    untouched = dict.fromkeys(row["what"] for row in pairs if row["what"] not in touched)
    none = f" No two were shown to interact on {join_names(untouched, 'or')}." if untouched and others else ""
    return f"{pair}: {moved} beyond the sum of each. {rest}{none}"


def method(findings: Findings) -> str:
    """Return how many deals were played for each part of a screen, and what was left out."""
    screen = findings.run.screened
    averaged = f"{screen.rows} settings of all of them on {screen.deals:,}"
    left_out = f" Left out: {'; '.join(screen.notes)}." if screen.notes else ""
    return f"Each option was played by itself on {screen.alone:,} common deals, and {averaged}.{left_out}"


def spread_sentences(findings: Findings) -> list[str]:
    """Return for each measure the option that explains most of its spread, unless that is mostly luck."""
    rows, called = findings.sobol_indices, labels_of(findings).option
    if not rows.width:
        return []
    certain = rows.filter(pl.col("luck") < MAX_LUCK).sort("total", descending=True)
    form = "{} of the spread of {} goes back to {}, alone or with others (Sobol index)."
    return [
        form.format(
            percent(min(1.0, row["total"])), measure_words(row["measure"], row["seat"]), called(row["option"])
        )
        for row in certain.unique(["measure", "seat"], keep="first", maintain_order=True).rows(named=True)
    ]
