"""The duration of games at the table, and the cell that facts are about."""

from collections.abc import Iterator

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.groups import of_first


def feel_cell(findings: Findings) -> int:
    """Return the cell that the facts are about."""
    return cells_to_look_at(findings.run)[0]


def at_the_table(findings: Findings) -> Iterator[str]:
    """Yield a sentence on the duration of games and waits, if seconds per decision were given."""
    minutes = findings.at_baseline().minutes  # reads no trace of other cells
    rows = minutes.filter(cell=feel_cell(findings)) if minutes.width else minutes
    for row in rows.rows(named=True):
        wait = "" if row["wait"] is None else f"; between two turns one waits {row['wait']:.0f} seconds"
        yield f"""At {row["seconds"]:g} seconds per decision a game takes about {in_minutes(row["p50"])} (nine
            of ten games {row["p5"]:.0f} to {row["p95"]:.0f}), if all decide one after the
            other{wait}{of_first(findings)}."""


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
