"""Matchups of strategies: whom each beats beyond luck; their picture is in the brief."""

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, at_setting, labels_of, table
from simkit.reporting.pages.strengths import order
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.phrases import capital

CAPTION = "Who beats whom beyond luck (all intervals together right in 95 of 100 such runs)"
RESULTS = {"beats": "beats", "not_settled": "not settled", "loses": "loses to"}


def section(findings: Findings) -> Section | None:
    """Return the significant matchups, or None if no two strategies met at the setting shown."""
    met = at_setting(findings, findings.matchups)
    if met.is_empty():
        return None
    listed = table(findings, _tally(findings, met), ["strategy", *RESULTS], CAPTION)
    return Section(_heading(findings, met), [], tables=[listed])


def _heading(findings: Findings, met: pl.DataFrame) -> str:
    """Name the strategy that beats most of its opponents; add whether it does so at every setting."""
    by_plan = met.partition_by("strategy", as_dict=True)
    names = [name for name in order(findings) if (name,) in by_plan]
    beats = {name: by_plan[name,].filter(result="beats").height for name in names}
    best = max(names, key=beats.__getitem__)
    if not beats[best]:
        return f"No plan beats another beyond luck{looked_place(findings, met)}"
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


def _tally(findings: Findings, met: pl.DataFrame) -> pl.DataFrame:
    """Return for each strategy, in order, the names of those it beats, does not settle with or loses to."""
    by_plan, label, ordered, rows = (
        met.partition_by("strategy", as_dict=True),
        labels_of(findings).strategy,
        order(findings),
        [],
    )
    for name in ordered:
        results = dict(by_plan.get((name,), met.clear()).select("opponent", "result").iter_rows())
        opponents = [opponent for opponent in ordered if opponent in results]
        row = {"strategy": name}
        for column, result in RESULTS.items():
            own = [label(opponent) for opponent in opponents if results[opponent] == result]
            row[column] = _names(own, list(map(label, opponents)))
        rows.append(row)
    return pl.DataFrame(rows)


def _names(names: list[str], met_names: list[str]) -> str:
    """Return a list of names in short: all, or all but a few, where that is shorter.

    >>> _names(["a", "b", "c", "d"], ["a", "b", "c", "d", "e"]), _names(["a"], ["a", "b"]), _names([], ["a"])
    ('all but e', 'a', 'nobody')
    >>> _names(["greedy, careful", "planner"], ["greedy, careful", "planner", "c"])
    'greedy, careful; planner'
    """
    missing = [name for name in met_names if name not in names]
    if len(met_names) > 3 and len(missing) < min(3, len(names)):
        return f"all but {'; '.join(missing)}" if missing else "all"
    return "; ".join(names) or "nobody"
