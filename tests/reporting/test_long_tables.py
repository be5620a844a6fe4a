"""Of a table too long for a page the rows that matter are shown, and no sentence speaks of rows that are not there."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from synthetic import made_run

from reports import balance, compare, sweep
from simkit.analysis import Findings
from simkit.engine import registry
from simkit.reporting import document
from simkit.reporting.document import Show
from simkit.reporting.document.markdown import render_markdown
from simkit.reporting.document.tables import MOST_PICKED, MOST_ROWS, picked
from simkit.reporting.pages import Recipe

LONG = pl.DataFrame({"x": range(MOST_ROWS + 1)})


def test_the_greatest_rows_are_shown_in_their_order_and_the_data_keep_all() -> None:
    table = document.table(LONG, {"x": Show("x")}, "All")
    sizes = [abs(x - 20) if x % 2 else None for x in LONG["x"]]
    listed = picked(table, sizes, "the odd ones")
    shown = [row[0] for row in listed.on_page.values]
    assert shown == sorted(x for x in range(1, MOST_ROWS + 1, 2)) and len(listed.records()) == MOST_ROWS + 1
    assert listed.on_page.caption == f"All: 30 of {MOST_ROWS + 1} rows, the odd ones; --format json has all"
    count = picked(table, LONG["x"].to_list(), "the last").on_page
    assert [row[0] for row in count.values] == LONG["x"].to_list()[-MOST_PICKED:]


def test_a_table_that_fits_is_shown_whole() -> None:
    built = picked(document.table(LONG.head(MOST_ROWS), {"x": Show("x")}, "All"), [1.0] * MOST_ROWS, "some")
    assert built.on_page == built and not built.instead


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """Ten goals, four lineups: more than 60 rows of seats, scores, lengths and changes."""
    lineups = [[name] * 3 for name in "abcd"]
    keys = {"sweep": {"goal": list(range(1, 11))}, "baseline": {"goal": 1}, "deals": 40}
    return Findings(
        made_run(tmp_path_factory.mktemp("long"), lineups, [0.2 + i / 60 for i in range(40)], **keys)
    )


@pytest.mark.parametrize("recipe", [balance.recipe, sweep.recipe, compare.recipe])
def test_a_long_run_has_rows_where_sentences_need_them(long_run: Findings, recipe: Recipe) -> None:
    page = recipe.build(long_run.run)
    text = render_markdown(page, {})
    assert not re.search(r"the tables? ha(s|ve)|in the tables?\b", text)
    sentence = ("Share of each player", "Score of each seat", "Length of a game", "Change of")
    long = [
        first for first in page.tables() if first.caption.startswith(sentence) and len(first.rows) > MOST_ROWS
    ]
    assert long
    for table in long:
        assert f"{len(table.on_page.rows)} of {len(table.rows)} rows" in text or table.instead
    seats = next((first for first in long if first.caption == "Share of each player"), None)
    if seats:
        off = [abs(row["share"] - 1 / 3) for row in seats.records()]
        shown = {
            abs(dict(zip([c.name for c in seats.columns], row, strict=True))["share"] - 1 / 3)
            for row in seats.on_page.values
        }
        assert shown == set(sorted(off, reverse=True)[:MOST_PICKED])


def test_rule_sets_of_many_options_are_named_and_get_no_column_for_each(tmp_path: Path) -> None:
    keys = "second, third, fourth, fifth"
    tied = {"sweep": {keys: [[1, 1, 1, 1], [1, 2, 1, 1]]}, "baseline": dict.fromkeys(keys.split(", "), 1)}
    run = made_run(tmp_path, [["a"] * 3], [0.3, 0.4], 20, **tied)
    (listed,) = registry.section("seats")(Findings(run)).tables
    assert [column.name for column in listed.columns][:3] == ["setting", "lineup", "seat"]
    assert [row[0] for row in listed.rows[::3]] == ["baseline", "third 2"]
