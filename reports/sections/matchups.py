"""Matchups of strategies: whom each beats beyond luck; their picture is in the brief."""

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, at_setting, labels_of, table
from simkit.reporting.pages.strengths import order
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.phrases import capital

CAPTION = "Pairs decided beyond luck (all intervals together right in 95 of 100 such runs)"


def section(findings: Findings) -> Section | None:
    """Return the significant matchups, or None if no two strategies met at the setting shown."""
    met = at_setting(findings, findings.matchups)
    if met.is_empty():
        return None
    won = met.filter(result="beats").sort("share", descending=True)
    listed = table(
        findings, won, "strategy opponent share low high", CAPTION, share="wins", opponent="against"
    )
    return Section(_heading(findings, met), [], tables=[listed])


def _heading(findings: Findings, met: pl.DataFrame) -> str:
    """Name the strategy that beats most of its opponents; add whether it does so at every setting."""
    by_plan = met.partition_by("strategy", as_dict=True)
    names = [name for name in order(findings) if (name,) in by_plan]
    beats = {name: by_plan[name,].filter(result="beats").height for name in names}
    best = max(names, key=beats.__getitem__)
    if not beats[best]:
        return f"Who beats whom is not settled{looked_place(findings, met)}"
    own, called = met.filter(strategy=best), labels_of(findings).strategy
    others = counted(own.height, "other") if own.height == len(names) - 1 else f"the {own.height} that it met"
    beaten = called(own["opponent"][0]) if own.height == 1 else f"{beats[best]} of {others}"
    always = _everywhere(findings, best, own)
    return f"{capital(called(best))} beats {beaten} beyond luck{always or looked_place(findings, met)}"


def _everywhere(findings: Findings, plan: str, shown: pl.DataFrame) -> str:
    """Return a phrase if a strategy beats the same opponents at each of several settings, else ""."""
    results = (
        findings.matchups.filter(strategy=plan)
        .group_by("setting")
        .agg(pl.struct("opponent", "result").sort())
    )
    settings = findings.cells["setting"].n_unique()
    alike = results.height == settings and results[results.columns[1]].n_unique() == 1
    return ", at every setting" if settings > 1 and alike else ""
