"""Who beats whom beyond luck: a line for each plan, and the pairs; their picture is on the first screen."""

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, Show, at_setting, labels_of, prose, table
from simkit.reporting.pages.strengths import order
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.strength import capital

TEXT = prose("""A plan beats another if it wins more than half of their games beyond luck; not settled: the
    interval still holds one half. The intervals are wide enough that all of them together are right in 95 of
    100 such runs.""")
JOINT = "of an interval that holds for all matchups together (95 %, Bonferroni)"


def section(findings: Findings) -> Section | None:
    met = at_setting(findings, findings.matchups)
    if met.is_empty():
        return None
    pairs = findings.win_matrix.select("setting", "games", "deals", strategy="row", opponent="column")
    counted = findings.matchups.join(pairs, on=["setting", "strategy", "opponent"], maintain_order="left")
    places = {name: place for place, name in enumerate(order(findings))}
    one, other = (
        pl.col(name).replace_strict(places, default=len(places)) for name in ("strategy", "opponent")
    )
    counted = counted.filter((one < other) | (one == len(places))).sort(one, other, maintain_order=True)
    low, high = Show("from", "{:.1%}", f"lower end {JOINT}"), Show("to", "{:.1%}", f"upper end {JOINT}")
    names, caption = "strategy beats not_settled loses", "Who beats whom beyond luck"
    tables = [table(findings, _tally(findings, met), names, caption)]
    names = "where strategy result opponent share low high n"
    tables.append(table(findings, counted, names, "Pair by pair", low=low, high=high))
    return Section(_heading(findings, met), [TEXT], tables=tables)


def _heading(findings: Findings, met: pl.DataFrame) -> str:
    """Of all plans the one that beats most of those it met; at every setting, where it does."""
    of = met.partition_by("strategy", as_dict=True)
    names = [name for name in order(findings) if (name,) in of]
    beats = {name: of[name,].filter(result="beats").height for name in names}
    best = max(names, key=beats.__getitem__)
    if not beats[best]:
        return f"No plan beats another beyond luck{looked_place(findings, met)}"
    who = capital(labels_of(findings).strategy(best))
    rivals = met.filter(strategy=best).height
    others = counted(rivals, "other") if rivals == len(names) - 1 else f"the {rivals} that it met"
    whom = f"{beats[best]} of {others}"
    if rivals == 1:
        whom = labels_of(findings).strategy(met.filter(strategy=best)["opponent"][0])
    always = _everywhere(findings, best, met.filter(strategy=best))
    return f"{who} beats {whom} beyond luck{always or looked_place(findings, met)}"


def _everywhere(findings: Findings, plan: str, here: pl.DataFrame) -> str:
    """That a plan beats the same others at every setting, where several were played and it does."""
    beaten = here.filter(result="beats")["opponent"].sort().to_list()
    met = findings.matchups.filter(strategy=plan)
    won = met.filter(result="beats").group_by("setting").agg(pl.col("opponent").sort())
    several = findings.cells["setting"].n_unique()
    alike = won.height == several and all(some == beaten for some in won["opponent"].to_list())
    as_many = met.height == several * here.height
    return ", at every setting" if several > 1 and alike and as_many else ""


def _tally(findings: Findings, met: pl.DataFrame) -> pl.DataFrame:
    """Per strategy, in order, the names of those it beats, is not told apart from, loses to."""
    places = {name: place for place, name in enumerate(order(findings))}
    of, called, rows = met.partition_by("strategy", as_dict=True), labels_of(findings).strategy, []
    for name in places:
        results = dict(of.get((name,), met.clear()).select("opponent", "result").iter_rows())
        there = sorted(results.keys() & places.keys(), key=places.__getitem__)
        every, row = [called(one) for one in there], {"strategy": name}
        for column, result in {"beats": "beats", "not_settled": "not settled", "loses": "loses to"}.items():
            row[column] = _names([called(one) for one in there if results[one] == result], every)
        rows.append(row)
    return pl.DataFrame(rows)


def _names(some: list[str], every: list[str]) -> str:
    """Names in short.

    >>> _names(["a", "b", "c", "d"], ["a", "b", "c", "d", "e"]), _names(["a"], ["a", "b"]), _names([], ["a"])
    ('all but e', 'a', 'nobody')
    >>> _names(["greedy, careful", "planner"], ["greedy, careful", "planner", "c"])
    'greedy, careful; planner'
    """
    left = [name for name in every if name not in some]
    if len(every) > 3 and len(left) < min(3, len(some)):
        return f"all but {'; '.join(left)}" if left else "all"
    return "; ".join(some) or "nobody"
