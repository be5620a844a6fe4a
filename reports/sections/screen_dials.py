"""Effects of each option on each measure, by itself and averaged over the others: pictures and all rows."""

import polars as pl

from simkit.reporting.document import Table
from simkit.reporting.pages import Findings, Section, Show, prose, table, with_extremes
from simkit.reporting.pages.screens import pictures
from simkit.reporting.text.screens import (
    SIZE,
    VERDICT_WORDS,
    amount,
    change_words,
    group_told,
    interval_said,
    measures_of,
    seat_label,
)

TEXT = prose("""Each option has two values: the usual one (or the first that was given) and another. Bars are
    changes from the first to the second, with intervals that all hold together at 95 %: once by itself, all
    others as in the rulebook; once averaged over both values of all others. Where the two differ, what an
    option does depends on the others.""")


def section(findings: Findings) -> Section | None:
    """Return the effects, or None for a run without screened options."""
    if not findings.dials.width:
        return None
    measures = measures_of(findings)
    figures = [picture for key in measures for picture in pictures(findings, key)][1:]
    tables = [_table(findings, key) for key in measures]
    option_count = findings.dials["option"].n_unique()
    return Section(f"What each of {option_count} options changes", [TEXT], figures, tables)


def _table(findings: Findings, measure: str) -> Table:
    rows = findings.dials.filter(measure=measure).sort(SIZE, descending=True, maintain_order=True)
    records = rows.rows(named=True)
    described = rows.with_columns(
        pl.Series("seat_label", [seat_label(findings, row) for row in records]),
        pl.Series("change", [change_words(findings, row["option"]) for row in records]),
        pl.Series("by_itself", [amount(row) for row in records]),
        pl.Series("interval", [interval_said(row) for row in records]),
        pl.Series("over_others", [amount(row, "averaged") for row in records]),
        pl.Series("averaged_interval", [interval_said(row, "averaged_") for row in records]),
        pl.Series("said", [VERDICT_WORDS[row["verdict"]] for row in records]),
    )
    heads = {"change": Show("option"), "by_itself": Show("by itself")}
    heads |= {"over_others": Show("averaged over the others"), "averaged_interval": Show("its interval")}
    heads |= {"said": Show("which says"), "name": Show("in commands")}
    several = {"lineup": rows["lineup"].n_unique() > 1, "seat_label": rows["seat"].n_unique() > 1}
    names = ["change", *(name for name, shown in several.items() if shown), "by_itself", "interval"]
    names += ["over_others", "averaged_interval", "said", "name"]
    listed = table(
        findings, described.rename({"option": "name"}), names, group_told(findings, measure), **heads
    )
    return with_extremes(listed, rows, SIZE, "those that change it most")
