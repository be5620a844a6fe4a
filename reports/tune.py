"""The tune page: whether tuned weights win more, on fresh deals.

The brief has the gain against the panel and against others, and the course of the search.
"""

from collections.abc import Sequence

import polars as pl

from simkit.formatting import counted
from simkit.page import charts
from simkit.page.columns import points, table
from simkit.page.document.parts import Figure, Report, Section, Step, Takeaway
from simkit.page.document.tables import Show
from simkit.page.pictures import figure, query
from simkit.page.recipe import Recipe
from simkit.page.terminal import study_document
from simkit.page.words.commands import command_again, game_words, more_command
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, capital, join_names, number, percent, roughly, span
from simkit.page.words.verdicts import games_needed
from simkit.questions.tune import (
    DIRECT,
    HOLDOUT,
    Tuning,
    has_gained,
    label_opponents,
    trials,
    tuned,
    worse_against,
)
from simkit.tables.findings import Findings

from .sections.players import who
from .sections.seats import seats

# Sentences: what the weights gain, if anything


def tune_headline(rows: Sequence[TableRow], best: str, candidates: int) -> str:
    """Return what the best weights gain against the panel on fresh deals, and whom they win less against."""
    panel, candidate = rows[0], f"the best of {counted(candidates, 'candidate')}"
    than = "equal players would" if panel["against"] == "the defaults" else "the defaults"
    if panel["high"] < 0:
        wins = f"{candidate} wins less than {than}, {_points(panel)}"
        return f"Nothing gained: against {panel['against']} {wins}."
    if panel["low"] <= 0:
        needed = games_needed(panel | {"score": 0.5 + panel["gain"], "games": panel["deals"]})
        more = f"; about {roughly(needed)} fresh deals would settle it" if needed else ""
        wins = f"{candidate} wins more than {than} against {panel['against']}"
        return f"It is not settled whether {wins}: {_points(panel)}{more}."
    gain = f"{_points(panel, sign=False)} more than {than}"
    share = f"{percent(panel['share'])} against {panel['against']}, {gain}"
    if worse := [row["against"] for row in worse_against(rows)]:
        return f"Gained on the panel alone: {best} wins {share}, but less against {join_names(worse)}."
    if direct := _surely_better(rows):
        equal = f"equal players would win {percent(direct['base'])}"
        return f"{capital(best)} wins {percent(direct['share'])} against {direct['against']}; {equal}."
    return f"{capital(best)} wins {share}."


def _surely_better(rows: Sequence[TableRow]) -> TableRow | None:
    """Return the result against the defaults themselves if the tuned weights surely win more there."""
    return next((row for row in rows if row["role"] == DIRECT and row["low"] > 0), None)


def tune_advice(rows: Sequence[TableRow], label: str) -> str:
    """Return the results against others than the panel, and the label of the tuned strategy in lineups."""
    gained = has_gained(rows) and _surely_better(rows)
    panel = [f"Against {rows[0]['against']} the gain is {_points(rows[0])}."] if gained else []
    others = [row for row in rows if row["role"] == HOLDOUT or (row["role"] == DIRECT and not gained)]
    texts = [*panel, *map(_opponent_result, others)]
    return " ".join([*texts, f"In a lineup it is {label}."])


def _points(row: TableRow, sign: bool = True) -> str:
    """Return a gain with its interval."""
    interval = span(row["low"], row["high"], sign=sign, scale=100)
    return f"{number(100 * row['gain'], sign=sign)} percentage points ({interval})"


def _opponent_result(row: TableRow) -> str:
    """Return the result against an opponent that was not in the panel, or against the defaults."""
    if row["role"] == DIRECT:
        base = percent(row["base"])
        return f"Against {row['against']} it wins {percent(row['share'])}; equal players would win {base}."
    return f"Against {row['against']}, which was not in the panel, the gain is {_points(row)}."


# Figures and the next step


def _trials_figure(findings: Findings) -> Figure:
    """Return the gain of each candidate with its interval, and the best so far."""
    dropped = pl.when("dropped")
    rows = trials(findings).with_columns(
        pl.col("low", "high") * 100,
        value=100 * pl.col("gain"),
        measured=True,
        line=dropped.then(pl.lit("dropped early")).otherwise(pl.lit("kept")),
        style=dropped.then(-2).otherwise(0),
    )
    so_far = {"value": 100 * pl.col("best"), "line": pl.lit("best so far"), "style": pl.lit(1, pl.Int32)}
    best = rows.with_columns(low=None, high=None, measured=False, **so_far)
    drawn = pl.concat([rows, best], how="vertical_relaxed")
    alt = f"Gain of each of {rows.height - 1} candidates over the defaults, with the best so far."
    options = {"label": "Trial (0: the defaults)", "unit": "Gain over the defaults, percentage points"}
    options["form"], chart = "{:+.1f}", ("tuning", charts.curve)
    note = f"{rows['dropped'].sum()} dropped early. Lines are 95 % intervals on the deals of the search."
    parts = {"x": "trial", "line": pl.col("line")}
    return figure(findings, chart, drawn, alt, note, parts, **options)


def _tune_step(findings: Findings, gained: bool) -> Step:
    """Return the next step: a match of the tuned strategy with the defaults, or a longer search."""
    run, results = findings.run, findings.run.answer_of(Tuning)
    if not gained or run.team or run.cells[0].seats > 2:
        return Step("Search longer.", more_command(run, "--trials", 4 * len(results.trials)))
    words = [run.experiment.game, results.tuned, results.strategy, *game_words(run, [])]
    return Step("See how much stronger it is, move by move.", command_again(run, "match", *words))


# Sections

TUNE_HEADS = {
    "against": Show("against"),
    "role": Show("role", "{}", "holdout: was not in the panel; direct: the defaults themselves"),
    "share": Show("tuned wins", "{:.1%}"),
    "base": Show("defaults win", "{:.1%}"),
    "gain": Show("gain", points, "in percentage points"),
    "deals": Show("fresh deals", "{:,}"),
}
TUNE_WORDS = {
    "Gain": "share of the wins with tuned weights less that with the defaults, on the same deals against the "
    "same opponents, in percentage points.",
    "Panel": "the opponents on which the weights were chosen. The others of the check show whether the gain "
    "is one against these alone.",
    "Dropped": "played on few deals only, where the interval of the paired difference lay below the best "
    "candidate so far.",
}


def tune_answer(findings: Findings) -> Section:
    """Return the brief."""
    rows, results = label_opponents(findings), findings.run.answer_of(Tuning)
    source = query(findings, "tuned")
    headline = tune_headline(rows, labels_of(findings).strategy(results.tuned), len(results.trials) - 1)
    advice, names = tune_advice(rows, results.tuned), "against role share base gain low high deals"
    return Section(
        takeaways=[Takeaway(headline, source, "answer"), Takeaway(advice, source, "advice")],
        picture=_trials_figure(findings),
        glance=table(findings, pl.DataFrame(rows), names, "On fresh deals", **TUNE_HEADS),
        step=_tune_step(findings, has_gained(rows)),
        words=TUNE_WORDS,
    )


# The JSON document and the page


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    results = findings.run.answer_of(Tuning)
    keys = ("strategy", "tuned", "panel", "holdout", "sampler")
    candidates = [trial.model_dump(include={"weights", "deals", "gain"}) for trial in results.trials]
    front = results.model_dump(include={*keys}) | {"gained": has_gained(label_opponents(findings))}
    checked = {"checked": tuned(findings).rows(named=True), "trials": candidates}
    return study_document(findings, brief) | front | checked


recipe = Recipe(
    "tuned weights",
    brief=[tune_answer],
    chapters={"Players": [who, seats]},
    needs="a search of simkit tune",
    fits=lambda findings: findings.run.kind == "tune",
    document=document,
)
