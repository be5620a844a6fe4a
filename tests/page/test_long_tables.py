"""Of a table too long for a page the rows that matter are shown, and no sentence speaks of rows that are not there."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from simkit.content.reports.sections.seats import seats
from synthetic import made_run

from simkit.page import document
from simkit.page.document.tables import MAX_ROWS_SHOWN, MAX_ROWS_STORED, MAX_ROWS_WHOLE, Show, with_extremes
from simkit.tables.findings import Findings

LONG = pl.DataFrame({"x": range(MAX_ROWS_WHOLE + 1)})
ODD = pl.when(pl.col("x") % 2 == 1).then("x")


def test_the_greatest_rows_are_shown_and_the_csv_has_all() -> None:
    table = document.table(LONG, {"x": Show("x")}, "All")
    listed = with_extremes(table, LONG, ODD, "the odd ones").on_page
    assert listed.shown == set(range(1, MAX_ROWS_WHOLE, 2)) and len(listed.rows) == LONG.height
    count = f"{MAX_ROWS_SHOWN} of {LONG.height} rows"
    assert listed.caption == f"All: {count}, the odd ones; the CSV has all"
    assert table.on_page.caption == f"All: {count}, the first; the CSV has all"
    assert table.in_text.caption == f"All: {count}, the first; --format json has all"


def test_of_a_table_that_is_too_long_for_a_page_the_data_have_the_rest() -> None:
    frame = pl.DataFrame({"x": range(MAX_ROWS_STORED + 1)})
    listed = document.table(frame, {"x": Show("x")})
    listed = with_extremes(listed, frame, pl.col("x"), "the greatest").on_page
    assert [row[0] for row in listed.values] == frame["x"].to_list()[-MAX_ROWS_SHOWN:]
    assert listed.caption.endswith("the greatest; --format json has all")


def test_a_table_that_fits_is_shown_whole() -> None:
    short = LONG.head(MAX_ROWS_WHOLE)
    built = with_extremes(document.table(short, {"x": Show("x")}, "All"), short, pl.lit(1.0), "some")
    assert built.on_page == built


def test_rule_sets_of_many_options_are_named_and_get_no_column_for_each(tmp_path: Path) -> None:
    keys = "second, third, fourth, fifth"
    tied = {"sweep": {keys: [[1, 1, 1, 1], [1, 2, 1, 1]]}, "baseline": dict.fromkeys(keys.split(", "), 1)}
    run = made_run(tmp_path, [["a"] * 3], [0.3, 0.4], 20, **tied)
    (listed,) = seats(Findings(run)).tables
    assert [column.name for column in listed.columns][:3] == ["setting", "lineup", "seat"]
    assert [row[0] for row in listed.rows[::3]] == ["baseline", "third 2"]
