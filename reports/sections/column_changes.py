"""What other rules change in the columns of the log that were asked for."""

import polars as pl

from simkit.pages import Findings, Section
from simkit.pages.columns import spaced
from simkit.pages.differences import by_rules, change_section

USUAL = ("share", "fpa", "score", "draw", "turns", "decisions")


def section(found: Findings) -> Section | None:
    """Pictures and tables of each column."""
    asked = by_rules(found).filter(~pl.col("measure").is_in(USUAL))
    made = [_of_column(found, number, part) for number, part in enumerate(asked.partition_by("measure"))]
    if not made:
        return None
    text = [line for one in made for line in one.text]
    figures, tables = (
        [each for one in made for each in getattr(one, kind)] for kind in ("figures", "tables")
    )
    return Section(", ".join(one.heading for one in made), text, figures, tables)


def _of_column(found: Findings, number: int, part: pl.DataFrame) -> Section:
    column = part["measure"][0]
    return change_section(found, f"column{number}-", spaced(column).capitalize(), part, f"Change of {column}")
