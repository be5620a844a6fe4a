"""What other rules change in the columns of the log that were asked for: pictures and tables of each."""

import polars as pl

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.columns import spaced
from simkit.reporting.pages.differences import change_section
from simkit.reporting.text.phrases import listed

USUAL = ("share", "fpa", "team_wins", "score", "draw", "turns", "decisions")


def section(findings: Findings) -> Section | None:
    asked, made, names = findings.comparisons.filter(~pl.col("measure").is_in(USUAL)), [], []
    for number, part in enumerate(asked.partition_by("measure")):
        name = spaced(part["measure"][0])
        names.append(name)
        made.append(change_section(findings, f"column{number}-", name, part, f"Change of {name}"))
    text = [line for one in made for line in one.text]
    figures = [figure for one in made for figure in one.figures]
    tables = [table for one in made for table in one.tables]
    if not made:
        return None
    heading = made[0].heading if len(made) == 1 else f"What changes in {listed(names)}"
    return Section(heading, text, figures, tables)
