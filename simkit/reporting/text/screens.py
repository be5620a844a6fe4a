"""Sentences about a screen of many options: which matter, which do nothing, how certain that is."""

from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted
from simkit.reporting.text.changes import measure_name
from simkit.reporting.text.confidence import reconstructions
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row, Summary, distance, listed, number, percent, seat_name, span
from simkit.stats.factorial import MATTERS, NOTHING, OPEN, SLIGHT

MAX_OPTIONS_LISTED = 5  # options listed per measure
MAX_OPTIONS_NAMED = 12  # options without effect that are named
VERDICT_WORDS = {MATTERS: "matters", NOTHING: "nothing that counts", SLIGHT: "perhaps a little", OPEN: "open"}
SIZE = pl.col("effect").abs()


def measure_told(findings: Findings, measure: str, seat: int | None) -> str:
    """Return what was measured: who wins, or a column of the log."""
    if measure == "share":
        side = side_of(findings.run).name
        return f"how often the {side} wins" if not seat else measure_name(measure, seat)
    return measure_name(measure, seat)


def change_words(findings: Findings, option: str) -> str:
    """Return an option with its two values: second player keeps 16 → 28."""
    labels = labels_of(findings)
    first, second = (labels.value(option, end) for end in findings.run.screened.levels[option])
    return f"{labels.option(option)}: {first} → {second}"


def amount(row: Row, key: str = "effect") -> str:
    """Return a change in the unit of its measure.

    >>> amount({"unit": "share", "effect": -0.0312}), amount({"unit": "turns", "effect": 2.345})
    ('−3.1 points', '+2.35')
    """
    if row["unit"] == "share":
        return f"{number(100 * row[key], sign=True)} points"
    return number(row[key], 2, sign=True)


def interval_said(row: Row, prefix: str = "") -> str:
    """Return the interval of `amount`; `prefix`: prefix of the columns of its ends."""
    share = row["unit"] == "share"
    return span(row[f"{prefix}low"], row[f"{prefix}high"], 1 if share else 2, True, 100 if share else 1)


def screen_answer(findings: Findings) -> Summary:
    """Return which options matter and for what, which do nothing, the certainty and the warnings."""
    verdicts = findings.dials.group_by("option", maintain_order=True).agg("verdict").rows()
    mattering = [name for name, kinds in verdicts if MATTERS in kinds]
    nothing = [name for name, kinds in verdicts if set(kinds) == {NOTHING}]
    left = len(verdicts) - len(mattering) - len(nothing)
    options = counted(len(verdicts), "option")
    summary = f"{len(mattering)} of {options} {_verb(mattering, 'matter')}"
    parts = [summary if mattering else "No option was shown to matter"]
    parts += [f"{len(nothing)} {_verb(nothing, 'do')} nothing that counts"] if nothing else []
    parts += [f"{left} {'is' if left == 1 else 'are'} open"] if left else []
    first, *rest = [_most(findings, measure) for measure in measures_of(findings)]
    doubts = [*failures(findings), *_mixed(findings), *reconstructions(findings.run)]
    advice = " ".join(filter(None, [*rest, pair_said(findings)]))
    return Summary(f"{', '.join(parts)}. {first}", advice, _sureness(findings), doubts)


def _verb(names: list[str], verb: str) -> str:
    """Return a verb in the number of its subject: 1 matters, 2 matter; 1 does, 2 do."""
    return {"do": "does"}.get(verb, f"{verb}s") if len(names) == 1 else verb


def measures_of(findings: Findings) -> list[str]:
    """Return the measures of a screen."""
    return findings.dials["measure"].unique(maintain_order=True).to_list()


def group_told(findings: Findings, measure: str) -> str:
    """Return the name of a measure for all seats together."""
    seats = findings.dials.filter(measure=measure)["seat"].n_unique()
    if seats > 1:
        name = measure_name(measure, None)
        return "how often a player wins" if measure == "share" else f"{name} of a player"
    return measure_told(findings, measure, findings.dials.filter(measure=measure)["seat"][0])


def seat_label(findings: Findings, row: Row) -> str:
    """Return the seat of a measure where there are several."""
    seats = findings.dials.filter(measure=row["measure"])["seat"].n_unique()
    return seat_name(row["seat"]) if seats > 1 else ""


def leading(findings: Findings, measure: str, most: int) -> pl.DataFrame:
    """Return the options that change a measure most by themselves with some lineup, the largest first.

    Of several seats only the one that an option changes most is included.
    """
    ordered = findings.dials.filter(measure=measure).sort(SIZE, descending=True, maintain_order=True)
    ranked = ordered["option"].unique(maintain_order=True).head(most).to_list()
    place = {name: i for i, name in enumerate(ranked)}
    best_seats = ordered.unique(["option", "lineup"], keep="first", maintain_order=True)
    best_seats = best_seats.filter(pl.col("option").is_in(ranked))
    return best_seats.sort(pl.col("option").replace_strict(place, return_dtype=pl.Int64), maintain_order=True)


def _most(findings: Findings, measure: str) -> str:
    """Return the option that changes a measure most."""
    heading = group_told(findings, measure)
    heading = heading[:1].upper() + heading[1:]
    rows = findings.dials.filter(measure=measure, alone_verdict=MATTERS)
    if rows.is_empty():
        return f"{heading}: no option was shown to matter by itself."
    row = rows.sort(SIZE, descending=True, maintain_order=True).row(0, named=True)
    lineup = (labels_of(findings).of_column("lineup") or str)(row["lineup"])
    several = findings.dials["lineup"].n_unique() > 1
    details = ", ".join(filter(None, [amount(row), seat_label(findings, row), lineup if several else ""]))
    return f"{heading}: most by {change_words(findings, row['option'])} ({details})."


def pair_said(findings: Findings) -> str:
    """Return the strongest interaction of two options; empty for a single option."""
    pairs = findings.together.filter(pl.col("with").is_not_null())
    real = pairs.filter(verdict=MATTERS)
    if real.is_empty():
        nothing = "Of the strongest options no two were shown to change what the other does."
        return nothing if pairs.height else ""
    row = real.sort(SIZE / pl.col("margin"), descending=True, maintain_order=True).row(0, named=True)
    labels = labels_of(findings)
    partner = change_words(findings, row["with"])
    size = amount(row | {"effect": 2 * row["effect"]})
    measure = measure_told(findings, row["measure"], row["seat"])
    return f"What “{labels.option(row['option'])}” changes depends on “{partner}”: {measure} by {size}."


def _sureness(findings: Findings) -> list[str]:
    screen = findings.run.screened
    small = [_small(row.measure, row.margin) for row in screen.margins]
    cells = len({str(cell.varied) for cell in findings.run.cells})
    lineups = findings.dials["lineup"].n_unique()
    texts = [
        "programs played, not people",
        f"each option by itself on {screen.alone:,} common deals, and in {screen.rows} settings of all "
        f"of them on {screen.deals:,}",
        "all these intervals hold together at 95 %",
        f"nothing that counts: within {listed(small)}, both by itself and on average over the others",
        f"the strongest again in all {counted(cells, 'combination')} on fresh deals",
        f"{lineups} lineups, each for itself" if lineups > 1 else "",
    ]
    return list(filter(None, texts))


def _small(measure: str, margin: float) -> str:
    return (
        f"{distance(margin)} of a share"
        if measure == "share"
        else f"{number(margin, 2)} {measure_name(measure, None)}"
    )


def _mixed(findings: Findings) -> list[str]:
    """Return a warning about options that move lineups in opposite directions."""
    beyond = findings.dials.filter(pl.col("alone_verdict") == MATTERS)
    key = ["option", "measure", "seat"]
    signs = beyond.group_by(key, maintain_order=True).agg(pl.col("effect").sign().n_unique().alias("ways"))
    names = signs.filter(pl.col("ways") > 1)["option"].unique(maintain_order=True).to_list()
    if not names:
        return []
    return [f"{listed(map(labels_of(findings).option, names))}: lineups are moved in opposite directions."]


def strongest_rows(findings: Findings) -> list[tuple[str, list[Row]]]:
    """Return for the terminal the options that change each measure most."""
    listings = []
    for measure in measures_of(findings):
        head, rows = (
            group_told(findings, measure),
            leading(findings, measure, MAX_OPTIONS_LISTED).rows(named=True),
        )
        listings.append((f"{head[:1].upper()}{head[1:]}:", [_strongest_row(findings, row) for row in rows]))
    return listings


def _strongest_row(findings: Findings, row: Row) -> dict[str, Any]:
    front = {"option": change_words(findings, row["option"])}
    if findings.dials["lineup"].n_unique() > 1:
        front["lineup"] = (labels_of(findings).of_column("lineup") or str)(row["lineup"])
    front |= {"seat_label": seat_label(findings, row)} if seat_label(findings, row) else {}
    front |= {"by itself": amount(row), "95 % interval": interval_said(row)}
    front |= {"averaged over the others": amount(row, "averaged")}
    return front | {"its interval": interval_said(row, "averaged_"), "": VERDICT_WORDS[row["verdict"]]}


def idle(findings: Findings) -> list[str]:
    """Return the labels of the options that have no effect that counts."""
    verdicts = findings.dials.group_by("option", maintain_order=True).agg("verdict").rows()
    return [labels_of(findings).option(name) for name, kinds in verdicts if set(kinds) == {NOTHING}]


def idle_said(findings: Findings) -> str:
    """Return the sentence that names the options without effect."""
    names = idle(findings)
    if not names:
        return "No option was shown to do nothing."
    more = f" and {len(names) - MAX_OPTIONS_NAMED} more" if len(names) > MAX_OPTIONS_NAMED else ""
    shown = listed(names) if not more else ", ".join(names[:MAX_OPTIONS_NAMED])
    return f"Nothing that counts: {shown}{more}."


def index_percent(value: float) -> str:
    """Return a Sobol index as a percentage of the spread."""
    return percent(max(0.0, min(1.0, value)))
