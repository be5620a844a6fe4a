"""The screening page: which of many options matter, which do nothing, and which depend on each other.

The brief has each option by itself; the chapter adds effects averaged over the other options, and those of
two options together.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from simkit.formatting import counted
from simkit.page import charts
from simkit.page.document.files import slug
from simkit.page.document.parts import Figure, Report, Section, Step
from simkit.page.document.tables import Show, Table
from simkit.page.document.tables import table as table_of
from simkit.page.pictures import figure, takeaways_of
from simkit.page.recipe import Recipe
from simkit.page.terminal import study_document
from simkit.page.words.commands import command_again, game_words, lineups, more_command
from simkit.page.words.labels import labels_of, measure_name
from simkit.page.words.numbers import Summary, TableRow, capital, join_names, number, percent, seat_name, span
from simkit.page.words.verdicts import side_of
from simkit.questions.screen.result import Screening, alone_again, dials, sobol_indices, together
from simkit.runs.folder import Run
from simkit.stats.factorial import MATTERS, NOTHING, OPEN, SLIGHT
from simkit.tables.findings import Findings, written_value

from .sections.changes import changes, tornado
from .sections.players import who

# Sentences: effects in words, the greatest first


def label_effects(findings: Findings, effects: pl.DataFrame) -> list[TableRow]:
    """Return effects in words, the greatest first as multiples of what does not count.

    change: the option with its two values; other: the option of an interaction; what: the measure; lineup: ""
    if there is only one. The effect of two options is what both changes do beyond the sum of each.
    """
    if not effects.height:
        return []
    labels, side = labels_of(findings), side_of(findings.run).name
    several = dials(findings)["lineup"].n_unique() > 1
    called = (labels.of_column("lineup") or str) if several else (lambda lineup: "")
    levels = findings.run.answer_of(Screening).levels
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


def measures_of(rows: Iterable[TableRow]) -> list[str]:
    """Return the measures: who wins, if an option surely changes it, then that with the greatest effect."""
    wins = [row["measure"] for row in rows if row["unit"] == "share" and row["alone_verdict"] == MATTERS]
    return list(dict.fromkeys([*wins[:1], *(row["measure"] for row in rows)]))


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


MAX_IN_BRIEF = 4  # options named in the brief


def screen_in_brief(rows: Sequence[TableRow], pairs: Sequence[TableRow]) -> str:
    """Return what follows the greatest effect: what else matters, which two interact, how many do nothing."""
    sure = [row for row in rows if row["alone_verdict"] == MATTERS]
    by_measure = ([row for row in sure if row["measure"] == measure] for measure in measures_of(rows))
    first, *others = list(filter(None, by_measure)) or [[]]
    named, texts = dict.fromkeys(row["option"] for row in first[1:]), list[str]()
    if named:
        texts.append(f"Others beyond the margin: {join_names(named, most=MAX_IN_BRIEF)}.")
    if others:
        most = (f"{own[0]['option']} for {own[0]['what']} ({amount(own[0])})" for own in others)
        texts.append(f"The greatest effect is that of {join_names(most)}.")
    if interact := [row for row in pairs if row["verdict"] == MATTERS]:
        best, more = interact[0], counted(len(interact) - 1, "other pair")
        others_do = f"; so do{'es' if len(interact) == 2 else ''} {more}" if interact[1:] else ""
        texts.append(f"{capital(best['option'])} and {best['other']} interact ({best['what']}){others_do}.")
    if idle := [option for option, own in verdicts(rows).items() if own == {NOTHING}]:
        do = "does" if len(idle) == 1 else "do"
        texts.append(f"{counted(len(idle), 'option')} {do} nothing that counts.")
    return " ".join(texts)


MAX_OPTIONS_NAMED = 12  # options without effect that are named


def screen_advice(rows: Sequence[TableRow], pairs: Sequence[TableRow]) -> str:
    """Return what matters only averaged over the others, what does nothing, and which two interact."""
    kinds, alone = verdicts(rows), verdicts(rows, "alone_verdict")
    texts = []
    if averaged := [option for option in kinds if MATTERS in kinds[option] - alone[option]]:
        texts.append(f"These matter only on average over the others: {join_names(averaged)}.")
    if idle := [option for option, own in kinds.items() if own == {NOTHING}]:
        texts.append(f"Nothing that counts: {join_names(idle, most=MAX_OPTIONS_NAMED)}.")
    return " ".join([*texts, pairs_sentence(pairs)]).strip()


def verdicts(rows: Iterable[TableRow], key: str = "verdict") -> dict[str, set[str]]:
    """Return the verdicts on each option over measures, seats and lineups."""
    kinds = dict[str, set[str]]()
    for row in rows:
        kinds.setdefault(row["option"], set()).add(row[key])
    return kinds


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
    screen = findings.run.answer_of(Screening)
    averaged = f"{screen.rows} settings of all of them on {screen.deals:,}"
    left_out = f" Left out: {'; '.join(screen.notes)}." if screen.notes else ""
    return f"Each option was played by itself on {screen.alone:,} common deals, and {averaged}.{left_out}"


MAX_LUCK = 0.5  # part of a spread that is luck, above which an index says nothing


def spread_sentences(findings: Findings) -> list[str]:
    """Return for each measure the option that explains most of its spread, unless that is mostly luck."""
    rows, called = sobol_indices(findings), labels_of(findings).option
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


# Figures, tables and the next step

MAX_OPTIONS = 9  # options in a figure


def effects_picture(findings: Findings, rows: Sequence[TableRow], measure: str) -> Figure:
    """Return the effects by themselves on a measure, for the seat and lineup that change most."""
    own = [row for row in rows if row["measure"] == measure]
    shown = [row for row in own if (row["seat"], row["lineup"]) == (own[0]["seat"], own[0]["lineup"])]
    share = own[0]["unit"] == "share"
    scale, points, form = (100, ", percentage points", "{:+.1f}") if share else (1, "", "{:+.2f}")
    ends = {"value": "effect", "low": "low", "high": "high"}
    drawn = [
        {"label": row["change"]} | {end: scale * row[key] for end, key in ends.items()}
        for row in shown[:MAX_OPTIONS]
    ]
    alt = f"What each option by itself changes: {own[0]['what']}, with its interval"
    chart, parts = (f"screen-{slug(measure)}", charts.forest), {"label": pl.col("label"), "kind": pl.lit("")}
    unit = f"Change of {own[0]['what']}{points}"
    return figure(findings, chart, pl.DataFrame(drawn), alt, own[0]["lineup"], parts, unit=unit, form=form)


EFFECT_VERDICTS = dict.fromkeys((SLIGHT, OPEN), "not settled")
EFFECT_VERDICTS |= {MATTERS: "matters", NOTHING: "nothing that counts"}


def effects_table(rows: Sequence[TableRow], caption: str, key: str = "verdict") -> Table:
    """Return effects in words with the verdict of a key; of two options also the other one."""
    frame = pl.DataFrame([_cells(row, key) for row in rows], infer_schema_length=None)
    heads = {name: Show(name) for name in frame.columns if any(frame[name])}
    return table_of(frame, heads, caption)


def _cells(row: TableRow, key: str) -> dict[str, str]:
    cells = {"measure": row["what"], "option": row["change"], "with": row["other"], "lineup": row["lineup"]}
    cells |= {
        "verdict": EFFECT_VERDICTS[row[key]],
        "change by itself": amount(row),
        "95 %": effect_interval(row),
    }
    if key == "verdict" and "averaged" in row:
        averaged = amount(row, "averaged"), effect_interval(row, "averaged_")
        cells |= dict(zip(("averaged over the others", "its 95 %"), averaged, strict=True))
    return cells | {"in commands": row["name"]}


def _screen_step(findings: Findings, strongest: TableRow | None) -> Step:
    """Return the next step: the strongest option value by value, or more deals where none matters."""
    run = findings.run
    if strongest is None:
        return Step("Play more deals.", more_command(run, "--deals", 4 * run.answer_of(Screening).alone))
    name, levels = strongest["name"], run.answer_of(Screening).levels[strongest["name"]]
    least, most = (labels_of(findings).value(name, value) for value in levels)
    text = f"See {strongest['what']} with {strongest['option']} from {least} to {most}."
    return Step(text, _step_through(run, name, *levels))


def _step_through(run: Run, name: str, first: Any, last: Any) -> str:
    """Return the command that sweeps an option between two values."""
    values = f"{written_value(first)},{written_value(last)}"
    if type(first) is int:
        low, high = sorted((first, last))
        values = ",".join(map(str, sorted({round(low + part * (high - low) / 4) for part in range(5)})))
    words = [f"{name}={values}", *game_words(run, lineups(run))]
    return command_again(run, "sweep", run.experiment.game, *words)


# Sections

MAX_SCREEN_EFFECTS = 12  # effects in the small table
ALONE_CAPTION = "Each option by itself, as in the answer, the greatest effect first"
SCREEN_WORDS = {
    "By itself": "one option is turned, all others are as in the rulebook (or as set for all games).",
    "Averaged over the others": "an option is turned while all others take both their values in a balanced "
    "design (of resolution IV), which tells of rules far from the rulebook, too.",
    "Matters": "the interval lies beyond the margin (2 points of a share and 5 % of another mean, unless the "
    "command says otherwise).",
    "Nothing that counts": "the interval lies within the margin. Where it holds 0 and reaches beyond the "
    "margin it is not settled.",
}


def screen_answer(findings: Findings) -> Section:
    """Return the brief."""
    rows = label_effects(findings, dials(findings))
    pairs = label_effects(findings, together(findings).filter(pl.col("with").is_not_null()))
    summary = Summary(screen_effects(rows)[0], screen_in_brief(rows, pairs), [], [])
    first_measure = measures_of(rows)[0]
    mattering = [row for row in rows if row["alone_verdict"] == MATTERS and row["measure"] == first_measure]
    return Section(
        takeaways=takeaways_of(findings, summary, "dials", "together"),
        picture=effects_picture(findings, rows, first_measure),
        glance=effects_table(rows[:MAX_SCREEN_EFFECTS], ALONE_CAPTION, "alone_verdict"),
        step=_screen_step(findings, mattering[0] if mattering else None),
        words=SCREEN_WORDS,
    )


DIALS_CAPTION = "Effects with a verdict on either; those of two options are beyond the sum of each"


def screen_dials(findings: Findings) -> Section:
    """Return the effects."""
    rows = label_effects(findings, dials(findings))
    every_pair = label_effects(findings, together(findings).filter(pl.col("with").is_not_null()))
    pairs = [row for row in every_pair if row["verdict"] == MATTERS]
    sentences = [" ".join(screen_effects(rows)), screen_advice(rows, every_pair)]
    figures = [effects_picture(findings, rows, measure) for measure in measures_of(rows)[1:2]]
    texts = [*sentences, method(findings), *spread_sentences(findings)]
    listed = effects_table([*rows, *pairs], DIALS_CAPTION)
    return Section("What each option changes", texts, figures, [listed])


# The JSON document and the page


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    results = findings.run.answer_of(Screening)
    return study_document(findings, brief) | {
        "levels": results.levels,
        "effects": dials(findings).rows(named=True),
        "strongest": results.strongest,
        "alone_again": alone_again(findings).rows(named=True),
        "together": together(findings).rows(named=True),
        "sobol": [index.model_dump() for index in results.sobol],
        "left_out": results.notes,
    }


recipe = Recipe(
    "which options matter",
    brief=[screen_answer],
    chapters={
        "Option by option": [screen_dials],
        "One step from the rulebook, on fresh deals": [tornado, changes],
        "Players": [who],
    },
    needs="a run of simkit screen",
    fits=lambda findings: findings.run.kind == "screen",
    document=document,
)
