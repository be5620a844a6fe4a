"""The brief of a tuning: what the best weights gain on fresh deals, and the course of the search."""

import polars as pl

from simkit.reporting.document import Figure, Step
from simkit.reporting.pages import (
    Findings,
    Section,
    Show,
    Takeaway,
    charts,
    figure,
    labels_of,
    points,
    query,
    table,
)
from simkit.reporting.pages.commands import command_again, game_words, more_command
from simkit.reporting.text.tuning import has_gained, labelled, tune_advice, tune_headline

WORDS = {
    "Gain": "share of the wins with tuned weights less that with the defaults, on the same deals against the "
    "same opponents, in percentage points.",
    "Panel": "the opponents on which the weights were chosen. The others of the check show whether the gain "
    "is one against these alone.",
    "Dropped": "played on few deals only, where the interval of the paired difference lay below the best "
    "candidate so far.",
    "Fresh deals": "deals that were not used to pick the weights. What was picked as the best of many looks "
    "better than it is; on fresh deals it cannot.",
}
STYLES = {"kept": 0, "dropped early": -2, "best so far": 1}  # lines of the picture
COLUMNS = {
    "against": Show("against"),
    "role": Show("role", "{}", "holdout: was not in the panel; direct: the defaults themselves"),
    "share": Show("tuned wins", "{:.1%}"),
    "base": Show("defaults win", "{:.1%}"),
    "gain": Show("gain", points, "in percentage points"),
    "deals": Show("fresh deals", "{:,}"),
}


def section(findings: Findings) -> Section | None:
    """Return the brief, or None for a run that is no tuning."""
    if not findings.tuned.width:
        return None
    rows, results, source = labelled(findings), findings.run.tuned, query(findings, "tuned")
    best = labels_of(findings).strategy(results.tuned)
    headline = tune_headline(rows, best, len(results.trials) - 1)
    names = "against role share base gain low high deals"
    return Section(
        takeaways=[
            Takeaway(headline, source, "answer"),
            Takeaway(tune_advice(rows, results.tuned), source, "advice"),
        ],
        picture=_course(findings),
        glance=table(findings, pl.DataFrame(rows), names, "On fresh deals", **COLUMNS),
        step=_step(findings, has_gained(rows)),
        words=WORDS,
    )


def _step(findings: Findings, gained: bool) -> Step:
    """Return the next step: a match of the tuned strategy with the defaults, or a longer search."""
    run, results = findings.run, findings.run.tuned
    if not gained or run.team or run.cells[0].seats > 2:
        return Step("Search longer.", more_command(run, "--trials", 4 * len(results.trials)))
    words = [run.experiment.game, results.tuned, results.strategy, *game_words(run, [])]
    return Step("See how much stronger it is, move by move.", command_again(run, "match", *words))


def _course(findings: Findings) -> Figure:
    """Return the gain of each candidate with its interval, and the best so far."""
    points, kinds = (
        {name: 100 * pl.col(name) for name in ("low", "high")},
        {False: "kept", True: "dropped early"},
    )
    trials = findings.trials.with_columns(value=100 * pl.col("gain"), measured=True, **points)
    best = trials.with_columns(value=100 * pl.col("best"), low=None, high=None, measured=False)
    trials = trials.with_columns(line=pl.col("dropped").replace_strict(kinds, return_dtype=pl.String))
    drawn = pl.concat([trials, best.with_columns(line=pl.lit("best so far"))], how="vertical_relaxed")
    alt = f"Gain of each of {findings.trials.height - 1} candidates over the defaults, with the best so far."
    words = {"label": "Trial (0: the defaults)", "unit": "Gain over the defaults, percentage points"}
    parts = {"x": "trial", "line": pl.col("line"), "style": pl.col("line").replace_strict(STYLES)}
    dropped = int(findings.trials["dropped"].sum())
    note = f"{dropped} were dropped early. Lines through dots are 95 % intervals on the deals of the search."
    return figure(findings, ("tuning", charts.curve), drawn, alt, note, parts, form="{:+.1f}", **words)
