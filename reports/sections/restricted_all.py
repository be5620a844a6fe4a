"""What who goes without wins at every setting, as at every price."""

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, Show, labels_of, table, with_extremes
from simkit.reporting.text.restricted import thing

TEXT = "Intervals hold for all of those at one setting together."


def section(findings: Findings) -> Section | None:
    """Of too many rows those in which going without is worth most else than with the baseline."""
    if not findings.restricted.width:
        return None
    named = [thing(findings, row) for row in findings.restricted.rows(named=True)]
    rows = findings.restricted.with_columns(pl.Series("thing", named))
    shows = {"thing": "goes without", "share": Show("wins", "{:.1%}"), "result": "than a fair share"}
    listed = table(findings, rows, "setting thing share low high result", "Who goes without", **shows)
    some = f"those farthest from the {labels_of(findings).base}"
    return Section(_heading(rows), [TEXT], tables=[with_extremes(listed, rows, _moved(), some)])


def _moved() -> pl.Expr:
    """How far a share is from that of who goes without the same thing with the baseline."""
    base = pl.col("share").filter("baseline").first().over("thing")
    return (pl.col("share") - pl.coalesce(base, "fair")).abs()


def _heading(rows: pl.DataFrame) -> str:
    less, more = (rows.filter(result=result).height for result in ("less", "more"))
    cases = counted(rows.height, "case")
    return f"Beyond luck who goes without wins less in {less} and more in {more} of {cases}"
