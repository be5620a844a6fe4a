"""The duration of games at the table, and the rows of the cell that facts are about."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.phrases import Row


def feel_cell(findings: Findings) -> int:
    """Return the cell that the facts are about."""
    return cells_to_look_at(findings.run)[0]


def row_of(findings: Findings, name: str) -> Row:
    """Return the row of a finding for that cell, or an empty row."""
    table: pl.DataFrame = getattr(findings.at_baseline(), name)  # reads no trace of other cells
    rows = table.filter(cell=feel_cell(findings)).rows(named=True) if table.width else []
    return rows[0] if rows else {}


def at_the_table(findings: Findings) -> Iterator[str]:
    """Yield a sentence on the duration of games and waits, if seconds per decision were given."""
    if row := row_of(findings, "minutes"):
        minutes = f"{row['p5']:.0f} to {row['p95']:.0f}"
        wait = "" if row["wait"] is None else f"; between two turns one waits {row['wait']:.0f} seconds"
        duration = in_minutes(row["p50"])
        yield f"""At {row["seconds"]:g} seconds per decision a game takes about {duration} (nine of ten games
            {minutes}), if all decide one after the other{wait}{of_first(findings)}."""


def in_minutes(minutes: float) -> str:
    """Return a duration, rounded as one plans it.

    >>> in_minutes(0.4), in_minutes(1.2), in_minutes(37.4), in_minutes(93)
    ('a minute', 'a minute', '37 minutes', '1½ hours')
    """
    if minutes < 75:
        return "a minute" if minutes < 1.5 else f"{minutes:.0f} minutes"
    halves = round(minutes / 30)
    hours = f"{halves // 2}{'½' if halves % 2 else ''}"
    return "an hour" if halves == 2 else f"{hours} hours"
