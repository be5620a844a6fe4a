"""The brief of a tuning: what the best weights gain on fresh deals, and the course of the search."""

import polars as pl

from simkit.reporting.document import Figure, Step
from simkit.reporting.pages import Findings, Section, Show, Takeaway, charts, figure, labels_of, query, table
from simkit.reporting.pages.columns import points
from simkit.reporting.text.commands import command_again, game_words, more_command
from simkit.reporting.text.tuning import has_gained, label_opponents, tune_advice, tune_headline

TUNE_WORDS = {
    "Gain": "share of the wins with tuned weights less that with the defaults, on the same deals against the "
    "same opponents, in percentage points.",
    "Panel": "the opponents on which the weights were chosen. The others of the check show whether the gain "
    "is one against these alone.",
    "Dropped": "played on few deals only, where the interval of the paired difference lay below the best "
    "candidate so far.",
}
TUNE_HEADS = {
    "against": Show("against"),
    "role": Show("role", "{}", "holdout: was not in the panel; direct: the defaults themselves"),
    "share": Show("tuned wins", "{:.1%}"),
    "base": Show("defaults win", "{:.1%}"),
    "gain": Show("gain", points, "in percentage points"),
    "deals": Show("fresh deals", "{:,}"),
}


def tune_answer(findings: Findings) -> Section:
    """Return the brief."""
    rows, results, source = label_opponents(findings), findings.run.tuned, query(findings, "tuned")
    headline = tune_headline(rows, labels_of(findings).strategy(results.tuned), len(results.trials) - 1)
    advice, names = tune_advice(rows, results.tuned), "against role share base gain low high deals"
    return Section(
        takeaways=[Takeaway(headline, source, "answer"), Takeaway(advice, source, "advice")],
        picture=_trials_figure(findings),
        glance=table(findings, pl.DataFrame(rows), names, "On fresh deals", **TUNE_HEADS),
        step=_tune_step(findings, has_gained(rows)),
        words=TUNE_WORDS,
    )


def _tune_step(findings: Findings, gained: bool) -> Step:
    """Return the next step: a match of the tuned strategy with the defaults, or a longer search."""
    run, results = findings.run, findings.run.tuned
    if not gained or run.team or run.cells[0].seats > 2:
        return Step("Search longer.", more_command(run, "--trials", 4 * len(results.trials)))
    words = [run.experiment.game, results.tuned, results.strategy, *game_words(run, [])]
    return Step("See how much stronger it is, move by move.", command_again(run, "match", *words))


def _trials_figure(findings: Findings) -> Figure:
    """Return the gain of each candidate with its interval, and the best so far."""
    line, style = pl.when("dropped"), pl.when("dropped")
    trials = findings.trials.with_columns(
        pl.col("low", "high") * 100,
        value=100 * pl.col("gain"),
        measured=True,
        line=line.then(pl.lit("dropped early")).otherwise(pl.lit("kept")),
        style=style.then(-2).otherwise(0),
    )
    so_far = {"value": 100 * pl.col("best"), "line": pl.lit("best so far"), "style": pl.lit(1, pl.Int32)}
    best = trials.with_columns(low=None, high=None, measured=False, **so_far)
    drawn = pl.concat([trials, best], how="vertical_relaxed")
    alt = f"Gain of each of {trials.height - 1} candidates over the defaults, with the best so far."
    options = {"label": "Trial (0: the defaults)", "unit": "Gain over the defaults, percentage points"}
    options["form"], chart = "{:+.1f}", ("tuning", charts.curve)
    dropped, intervals = trials["dropped"].sum(), "Lines are 95 % intervals on the deals of the search."
    note, parts = f"{dropped} dropped early. {intervals}", {"x": "trial", "line": pl.col("line")}
    return figure(findings, chart, drawn, alt, note, parts, **options)
