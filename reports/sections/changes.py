"""What each rule set changes, whether it is fair, and what the same deals gained."""

from typing import Any

import polars as pl

from simkit.pages import Findings, Section, Show, Table, Takeaway, points, query, table, told
from simkit.pages.differences import stopped
from simkit.words.answer import TEAM, side_of
from simkit.words.changes import Change, changes, pairing

MOST_TOLD = 6  # rule sets of a team in sentences
WORDS = {"Rule set": "one choice of values for the options that are compared."}


def section(found: Findings) -> Section:
    each = [Takeaway(one.text, query(found, *one.rests)) for one in _told(found, list(changes(found)))]
    return Section(takeaways=[*each, *told(found, [pairing(found)])], warnings=stopped(found), words=WORDS)


def _told(found: Findings, every: list[Change]) -> list[Change]:
    """Of many rule sets of a team those that help it most and least; a table has all."""
    if not found.run.team or len(every) <= MOST_TOLD:
        return every
    ordered = sorted(every, key=lambda one: -min(row["difference"] for row in one.rows))
    return [*ordered[: MOST_TOLD // 2], *ordered[-(MOST_TOLD // 2) :]]


def _by_lineup(found: Findings, change: Change) -> Table | None:
    """Of several lineups: the first player here and at the baseline, the change, the verdicts."""
    if len(change.rows) < 2:
        return None
    side = side_of(found.run)
    fair = 0.0 if side == TEAM else 1 / pl.col("seats")
    shares = {"share": pl.col("value") + fair, "base_share": pl.col("base_value") + fair}
    rows = pl.DataFrame(change.rows).with_columns(**shares)
    heads: dict[str, Any] = {"base_share": "team at the baseline"} if side == TEAM else {}
    heads |= {"share": f"{side.name} wins", "difference": Show("change, percentage points", points)}
    names = "lineup share base_share difference low high verdict before deals"
    return table(found, rows, names, f"Lineup by lineup: {change.rows[0]['setting']}", **heads)
