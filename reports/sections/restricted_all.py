"""Wins of the player who goes without a thing, at every setting."""

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, Show, labels_of, table, with_extremes
from simkit.reporting.text.restricted import thing

TEXT = "Intervals hold for all of those at one setting together."


def section(findings: Findings) -> Section | None:
    """Return all settings; a long table opens on the settings farthest from the baseline."""
    if not findings.restricted.width:
        return None
    things = [thing(findings, row) for row in findings.restricted.rows(named=True)]
    rows = findings.restricted.with_columns(pl.Series("thing", things))
    shows = {"thing": "goes without", "share": Show("wins", "{:.1%}"), "result": "than a fair share"}
    listed = table(findings, rows, "setting thing share low high result", "Who goes without", **shows)
    selection = f"those farthest from the {labels_of(findings).base}"
    return Section(
        _heading(rows), [TEXT], tables=[with_extremes(listed, rows, _distance_from_baseline(), selection)]
    )


def _distance_from_baseline() -> pl.Expr:
    """Return the distance of each share from the one at the baseline, without the same thing."""
    base = pl.col("share").filter("baseline").first().over("thing")
    return (pl.col("share") - pl.coalesce(base, "fair")).abs()


def _heading(rows: pl.DataFrame) -> str:
    less, more = (rows.filter(result=result).height for result in ("less", "more"))
    cases = counted(rows.height, "case")
    return f"Beyond luck who goes without wins less in {less} and more in {more} of {cases}"
