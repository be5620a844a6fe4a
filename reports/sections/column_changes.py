"""Effects of other rules on the logged columns requested: a picture and a table of each."""

import polars as pl

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.columns import spaced
from simkit.reporting.pages.differences import change_section
from simkit.reporting.text.phrases import listed

USUAL = ("share", "fpa", "team_wins", "score", "draw", "turns", "decisions")


def section(findings: Findings) -> Section | None:
    """Return one section for all columns beyond the usual measures, or None without any."""
    changes, parts, names = findings.comparisons.filter(~pl.col("measure").is_in(USUAL)), [], []
    for number, rows in enumerate(changes.partition_by("measure")):
        name = spaced(rows["measure"][0])
        names.append(name)
        parts.append(change_section(findings, f"column{number}-", name, rows, f"Change of {name}"))
    text = [line for part in parts for line in part.text]
    figures = [figure for part in parts for figure in part.figures]
    tables = [table for part in parts for table in part.tables]
    if not parts:
        return None
    heading = parts[0].heading if len(parts) == 1 else f"What changes in {listed(names)}"
    return Section(heading, text, figures, tables)
