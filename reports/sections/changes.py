"""What each rule set changes, and whether it is fair."""

import polars as pl

from simkit.pages import Findings, Section, Show, Table, Takeaway, query, table, told
from simkit.pages.columns import points
from simkit.pages.differences import stopped
from simkit.words.changes import Change, changes, pairing

WORDS = {"Rule set": "one choice of values for the options that are compared."}


def section(found: Findings) -> Section:
    """A sentence per rule set, and what the same deals gained."""
    each = [_takeaway(found, change) for change in changes(found)]
    return Section(takeaways=[*each, *told(found, [pairing(found)])], warnings=stopped(found), words=WORDS)


def _takeaway(found: Findings, change: Change) -> Takeaway:
    rows = _by_lineup(found, change) if len(change.rows) > 1 else None
    return Takeaway(change.text, query(found, *change.rests), rows, change.lead)


def _by_lineup(found: Findings, change: Change) -> Table:
    """A row for each lineup: the first seat here and at the baseline, the change, the verdicts."""
    fair = 1 / pl.col("seats")
    shares = {"share": pl.col("value") + fair, "base_share": pl.col("base_value") + fair}
    rows = pl.DataFrame(change.rows).with_columns(**shares)
    heads = {"share": "first seat wins", "difference": Show("change, percentage points", points)}
    names = "lineup share base_share difference low high verdict before deals"
    return table(found, rows, names, f"Lineup by lineup: {change.rows[0]['setting']}", **heads)
