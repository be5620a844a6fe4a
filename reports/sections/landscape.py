"""Strategies that the game needs, strategies that are never right, and circles of three."""

from typing import Any

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, at_setting, labels_of, points, prose, table
from simkit.reporting.pages.scope import setting_looked_at
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.phrases import capital, in_words, listed
from simkit.reporting.text.strength import MOST_NAMED, Tables, cycles, standing, tables_at

TEXT = prose("""Needed: suppose rivals who know all matches and may pick their plan anew for each game: these
    are the plans they would pick, so that nobody gains by another pick. Never right: another plan, or a mix
    of others, does better against every opponent beyond luck. Doubtful: another was nowhere worse in this
    run, which may be luck. Not needed: perfect rivals would not pick it, though no other was always at
    least as good. A match that is not settled counts as even.""")
WORDS = {
    "Nash weight": "how often perfect rivals would pick a plan if nobody could gain by another pick.",
    "α-rank": "the part of the time that a group plays a plan if, now and then, someone copied whatever wins "
    "(Omidshafiei and others 2019).",
    "Dominated": "never right: another plan, or a mix of others, does better whoever the opponent is.",
    "Circle": "three plans of which each beats the next and the last beats the first, as in "
    "rock-paper-scissors.",
}
NASH = Show("picked", "{:.0%}", "by perfect rivals: the Nash weight")
AGAINST_NASH = Show("against them", "{:.1%}", "its share against rivals who pick so")
COPIED = Show("if winners are copied", "{:.0%}", "part of the time that a group would play it: the α-rank")
CYCLE_HEADS = {"first": "beats the next", "second": "who beats", "third": "who beats the first"}
SHARE_HEADS = {"first_second": "first", "second_third": "second", "third_first": "third"}
WEAKEST_LINK = "lower end of the least of the three shares above one half, in percentage points"


def section(findings: Findings) -> Section | None:
    """Return the landscape of strategies, or None if no two met at the setting shown."""
    if at_setting(findings, findings.matchups).is_empty():
        return None
    met = findings.matchups["strategy"].unique().to_list()
    plans = findings.landscape.filter(pl.col("strategy").is_in(met)).with_columns(_verdict().alias("verdict"))
    texts = plans["reason"].drop_nulls().unique(maintain_order=True)
    reasons = [labels_of(findings).in_text(text) for text in texts]
    plans = plans.filter(pl.col("reason").is_null())  # rows with a reason have no numbers
    names = "where strategy nash against_nash alpha_rank verdict dominated_by"
    shows = {name: Show(head, "{:.1%}") for name, head in SHARE_HEADS.items()}
    shows["low"] = Show("weakest link, at least", points, WEAKEST_LINK)
    heads: dict[str, Any] = {"nash": NASH, "against_nash": AGAINST_NASH, "alpha_rank": COPIED}
    matter = table(findings, plans, names, "Which plans matter", dominated_by="better is", **heads)
    ring = table(
        findings,
        findings.cycles,
        ["where", *CYCLE_HEADS, *SHARE_HEADS, "low"],
        "Circles of three",
        **CYCLE_HEADS,
        **shows,
    )
    tables = tables_at(findings, setting_looked_at(findings))
    sentences = [prose(sentence) for sentence in cycles(tables)]
    text = [*(f"Without numbers: {reason}." for reason in reasons), *sentences]
    text += [TEXT] if plans.height else []
    heading = _heading(tables) + looked_place(findings, tables("cycles"))
    return Section(heading, text, tables=[matter, ring], words=WORDS)


def _heading(tables: Tables) -> str:
    plans, cycles = standing(tables), tables("cycles")
    if cycles.height:
        circle = " beats ".join(cycles.row(0, named=True)[column] for column in CYCLE_HEADS)
        return f"A circle: {circle} beats the first"
    if plans.never:
        verb = "is" if len(plans.never) == 1 else "are"
        names = plans.never if len(plans.never) <= MOST_NAMED else [f"{in_words(len(plans.never))} plans"]
        return f"{capital(listed(names))} {verb} never the right choice"
    return "No plan is always wrong" if plans.needed else "What each plan is good for stays open"


def _verdict() -> pl.Expr:
    doubt = pl.when("strictly").then(pl.lit("never right")).otherwise(pl.lit("doubtful"))
    worse = pl.when(pl.col("dominated_by").is_null()).then(pl.lit("not needed")).otherwise(doubt)
    return pl.when(pl.col("nash") >= 0.05).then(pl.lit("needed")).otherwise(worse)
