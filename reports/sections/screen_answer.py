"""The brief of a screen: the options that matter and how much, those that do nothing, and a picture."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Step, takeaways_of
from simkit.reporting.pages.screens import effects_picture, effects_table
from simkit.reporting.text.commands import more_command, step_through
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Summary, TableRow
from simkit.reporting.text.screens import MATTERS, label_effects, measures_of, screen_advice, screen_effects

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
    rows = label_effects(findings, findings.dials)
    pairs = label_effects(findings, findings.together.filter(pl.col("with").is_not_null()))
    first, *rest = screen_effects(rows)
    summary = Summary(first, " ".join([*rest, screen_advice(rows, pairs)]), [], [])
    first_measure = measures_of(rows)[0]
    mattering = [row for row in rows if row["alone_verdict"] == MATTERS and row["measure"] == first_measure]
    return Section(
        takeaways=takeaways_of(findings, summary, "dials", "together"),
        picture=effects_picture(findings, rows, first_measure),
        glance=effects_table(rows[:MAX_SCREEN_EFFECTS], ALONE_CAPTION, "alone_verdict"),
        step=_screen_step(findings, mattering[0] if mattering else None),
        words=SCREEN_WORDS,
    )


def _screen_step(findings: Findings, strongest: TableRow | None) -> Step:
    """Return the next step: the strongest option value by value, or more deals where none matters."""
    run = findings.run
    if strongest is None:
        return Step("Play more deals.", more_command(run, "--deals", 4 * run.screened.alone))
    name, levels = strongest["name"], run.screened.levels[strongest["name"]]
    least, most = (labels_of(findings).value(name, value) for value in levels)
    text = f"See {strongest['what']} with {strongest['option']} from {least} to {most}."
    return Step(text, step_through(run, name, *levels))
