"""Who beats whom beyond noise."""

import polars as pl

from simkit.pages import Findings, Section, Show, labels_of, table
from simkit.pages.strengths import at_setting, matrix, order

TEXT = (
    "Share of the row against the column. beats: more than half, beyond noise; not settled: the interval "
    "still holds one half. The intervals are wide enough that all of them together are right in 95 of 100 "
    "such runs."
)
JOINT = "of an interval that holds for all matchups together (95 %, Bonferroni)"


def section(found: Findings) -> Section | None:
    """The heat map, a line for each strategy, and the pairs."""
    met = at_setting(found, found.matchups)
    if met.is_empty():
        return None
    pairs = found.win_matrix.select("setting", "games", "deals", strategy="row", opponent="column")
    counted = found.matchups.join(pairs, on=["setting", "strategy", "opponent"], maintain_order="left")
    ends = {
        name: Show(head, "{:.1%}", f"{end} end {JOINT}")
        for name, head, end in (("low", "from", "lower"), ("high", "to", "upper"))
    }
    names = "where strategy result opponent share low high n"
    tables = [
        table(found, _tally(found, met), "strategy beats not_settled loses", "Who beats whom beyond noise"),
        table(found, counted, names, "Pair by pair", **ends),
    ]
    return Section("Matchups", [TEXT], matrix(found, "matchups"), tables)


def _tally(found: Findings, met: pl.DataFrame) -> pl.DataFrame:
    """Per strategy, in order, the names of those it beats, is not told apart from, loses to."""
    names, called = order(found), labels_of(found).strategy
    rows = []
    for name in names:
        mine = met.filter(strategy=name)
        every = [called(one) for one in names if one in mine["opponent"]]
        kinds = [("beats", "beats"), ("not_settled", "not settled"), ("loses", "loses to")]
        row = {"strategy": name}
        for column, result in kinds:
            some = [called(one) for one in names if one in mine.filter(result=result)["opponent"]]
            row[column] = _names(some, every)
        rows.append(row)
    return pl.DataFrame(rows)


def _names(some: list[str], every: list[str]) -> str:
    """Names in short.

    >>> _names(["a", "b", "c", "d"], ["a", "b", "c", "d", "e"]), _names(["a"], ["a", "b"]), _names([], ["a"])
    ('all but e', 'a', 'nobody')
    """
    left = [name for name in every if name not in some]
    if len(every) > 3 and len(left) < min(3, len(some)):
        return f"all but {', '.join(left)}" if left else "all"
    return ", ".join(some) or "nobody"
