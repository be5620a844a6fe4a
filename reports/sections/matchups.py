"""Matchups of strategies: a line per strategy, and the pairs; their picture is on the first screen."""

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, Show, at_setting, labels_of, prose, table
from simkit.reporting.pages.strengths import order
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.phrases import capital

TEXT = prose("""A plan beats another if it wins more than half of their games beyond luck; not settled: the
    interval still holds one half. The intervals are wide enough that all of them together are right in 95 of
    100 such runs.""")
JOINT = "of an interval that holds for all matchups together (95 %, Bonferroni)"


def section(findings: Findings) -> Section | None:
    """Return the significant matchups, or None if no two strategies met at the setting shown."""
    met = at_setting(findings, findings.matchups)
    if met.is_empty():
        return None
    pairs = findings.win_matrix.select("setting", "games", "deals", strategy="row", opponent="column")
    matchups = findings.matchups.join(pairs, on=["setting", "strategy", "opponent"], maintain_order="left")
    places = {name: place for place, name in enumerate(order(findings))}
    strategy_place, opponent_place = (
        pl.col(name).replace_strict(places, default=len(places)) for name in ("strategy", "opponent")
    )
    matchups = matchups.filter((strategy_place < opponent_place) | (strategy_place == len(places))).sort(
        strategy_place, opponent_place, maintain_order=True
    )
    low, high = Show("from", "{:.1%}", f"lower end {JOINT}"), Show("to", "{:.1%}", f"upper end {JOINT}")
    names, caption = "strategy beats not_settled loses", "Who beats whom beyond luck"
    tables = [table(findings, _tally(findings, met), names, caption)]
    names = "where strategy result opponent share low high n"
    tables.append(table(findings, matchups, names, "Pair by pair", low=low, high=high))
    return Section(_heading(findings, met), [TEXT], tables=tables)


def _heading(findings: Findings, met: pl.DataFrame) -> str:
    """Name the strategy that beats most of its opponents; add whether it does so at every setting."""
    by_plan = met.partition_by("strategy", as_dict=True)
    names = [name for name in order(findings) if (name,) in by_plan]
    beats = {name: by_plan[name,].filter(result="beats").height for name in names}
    best = max(names, key=beats.__getitem__)
    if not beats[best]:
        return f"Who beats whom is not settled{looked_place(findings, met)}"
    plan = capital(labels_of(findings).strategy(best))
    rivals = met.filter(strategy=best).height
    others = counted(rivals, "other") if rivals == len(names) - 1 else f"the {rivals} that it met"
    beaten = f"{beats[best]} of {others}"
    if rivals == 1:
        beaten = labels_of(findings).strategy(met.filter(strategy=best)["opponent"][0])
    always = _everywhere(findings, best, met.filter(strategy=best))
    return f"{plan} beats {beaten} beyond luck{always or looked_place(findings, met)}"


def _everywhere(findings: Findings, plan: str, shown: pl.DataFrame) -> str:
    """Return a phrase if a strategy beats the same opponents at each of several settings, else ""."""
    beaten = shown.filter(result="beats")["opponent"].sort().to_list()
    met = findings.matchups.filter(strategy=plan)
    won = met.filter(result="beats").group_by("setting").agg(pl.col("opponent").sort())
    several = findings.cells["setting"].n_unique()
    same_opponents = won.height == several and all(
        opponents == beaten for opponents in won["opponent"].to_list()
    )
    complete = met.height == several * shown.height
    return ", at every setting" if several > 1 and same_opponents and complete else ""


def _tally(findings: Findings, met: pl.DataFrame) -> pl.DataFrame:
    """Return for each strategy, in order, the names of those it beats, does not settle with or loses to."""
    places = {name: place for place, name in enumerate(order(findings))}
    by_plan, label, rows = met.partition_by("strategy", as_dict=True), labels_of(findings).strategy, []
    for name in places:
        results = dict(by_plan.get((name,), met.clear()).select("opponent", "result").iter_rows())
        opponents = sorted(results.keys() & places.keys(), key=places.__getitem__)
        labels, row = [label(opponent) for opponent in opponents], {"strategy": name}
        for column, result in {"beats": "beats", "not_settled": "not settled", "loses": "loses to"}.items():
            row[column] = _names(
                [label(opponent) for opponent in opponents if results[opponent] == result], labels
            )
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
