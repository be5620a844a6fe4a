"""Heads of a table say what stands below them: none occurs twice, but the ends of intervals."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from synthetic import made_run

from simkit.engine import registry
from simkit.page import document
from simkit.page.document.parts import Report
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run

ENDS = {"95 % from", "to"}  # of the number before them


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Report]:
    """A page of each kind, of a team with seats that log something, and of a sweep of two options."""
    keys = {"question": "?", "game": "exoplanet_colony", "deals": 60, "options": {"scenario": 2}}
    sweep = {
        "sweep": {"supply_offset": [0, 4], "piles": [4, 5]},
        "baseline": {"supply_offset": 0, "piles": 5},
    }
    request = experiment.parse(keys | sweep | {"lineups": ["reference_greedy*2"]})
    run = open_run(runner.run(request, tmp_path_factory.mktemp("heads") / "run", jobs=1))
    return [registry.recipe(name).build(run) for name in ("balance", "sweep", "compare")]


def test_no_head_stands_twice_in_a_table(pages: list[Report]) -> None:
    for page in pages:
        for table in page.tables():
            heads = [column.heading for column in table.columns if column.heading not in ENDS]
            assert len(heads) == len(set(heads)), (table.caption, heads)


def test_a_score_that_its_word_does_not_explain_is_explained(pages: list[Report], tmp_path: Path) -> None:
    for page in pages:
        text = document.as_text(page, "md", {})
        assert "margin)" not in text and "event cards left" in page.glossary()["Points"]
    plain = registry.recipe("balance").build(made_run(tmp_path, [["a", "a"]], [0.5], deals=60))
    assert "Points" not in plain.words


def test_outcomes_of_several_settings_are_drawn_by_name(pages: list[Report]) -> None:
    """Four settings of a team of one lineup: a bar each, also on the page of rules compared."""
    for page in pages:
        drawn = [figure.drawing.table for figure in page.figures() if figure.drawing.name.startswith("ends_")]
        assert drawn
        for table in drawn:
            assert table["cell"].n_unique() == table["label"].n_unique() == 4
            totals = table.group_by("label").agg(pl.col("share").sum())["share"]
            assert totals.to_list() == pytest.approx([1] * 4)
