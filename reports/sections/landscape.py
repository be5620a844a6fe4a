"""Strategies that the game needs, strategies that are never right, and circles of three."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, at_setting, labels_of, table
from simkit.reporting.pages.scope import setting_looked_at
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.phrases import capital, in_words, listed
from simkit.reporting.text.strength import MOST_NAMED, Tables, cycle_words, standing, tables_at, verdicts

WORDS = {
    "Picked": "how often perfect rivals would pick a plan, so that nobody gains by another (Nash weight).",
    "Copied": "the part of the time that a group plays a plan if, now and then, someone copied whatever wins "
    "(α-rank; Omidshafiei and others 2019).",
}
HEADS = {
    "nash": Show("picked", "{:.0%}", "by perfect rivals: the Nash weight"),
    "against_nash": Show("against them", "{:.1%}", "its share against rivals who pick so"),
    "alpha_rank": Show("if winners are copied", "{:.0%}", "part of the time that a group would play it"),
    "needed": Show("is"),
}


def section(findings: Findings) -> Section | None:
    """Return the landscape of strategies, or None if no two met at the setting shown."""
    if at_setting(findings, findings.matchups).is_empty():
        return None
    plans = at_setting(findings, findings.landscape)
    reasons = plans["reason"].drop_nulls().unique(maintain_order=True)
    text = [f"Without numbers: {labels_of(findings).in_text(reason)}." for reason in reasons]
    plans = plans.filter(pl.col("nash").is_not_null())
    needed = pl.col("strategy").replace_strict(verdicts(plans), default="", return_dtype=pl.String)
    names = "strategy nash against_nash alpha_rank needed dominated_by"
    listed_plans = table(
        findings,
        plans.with_columns(needed=needed),
        names,
        "Which plans matter",
        dominated_by="better is",
        **HEADS,
    )
    tables = tables_at(findings, setting_looked_at(findings))
    heading = _heading(tables) + looked_place(findings, tables("cycles"))
    return Section(heading, text, tables=[listed_plans], words=WORDS)


def _heading(tables: Tables) -> str:
    plans, cycles = standing(tables), tables("cycles")
    if cycles.height:
        return f"A circle: {cycle_words(cycles.row(0, named=True))}"
    if plans.never:
        verb = "is" if len(plans.never) == 1 else "are"
        names = plans.never if len(plans.never) <= MOST_NAMED else [f"{in_words(len(plans.never))} plans"]
        return f"{capital(listed(names))} {verb} never the right choice"
    return "No plan is always wrong" if plans.needed else "What each plan is good for stays open"
