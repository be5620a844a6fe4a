"""The recommended setting is on the first picture: on the key of the sweep that has it, else beside the baseline."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import polars as pl
from synthetic import MadeRun, made_run

from simkit.page import charts
from simkit.page.advice import advised_settings
from simkit.page.pictures import figure
from simkit.page.sweeps import along, main_axis
from simkit.tables.findings import Findings

FIRST, SECOND = [1, 2, 3, 4], [1, 2, 3]


def grid(folder: Path, good: tuple[int, int]) -> MadeRun:
    """Two whole numbers varied, each by itself; nothing is fair but one setting."""
    pairs = [list(pair) for pair in product(FIRST, SECOND)]
    shares = [0.45 if tuple(pair) == good else 0.8 for pair in pairs]
    keys = {"sweep": {"first, second": pairs}, "baseline": {"first": 1, "second": 1}, "margin": 0.08}
    run = made_run(folder, [["a", "a"]], shares, deals=600, **keys)
    separate = run.experiment.model_copy(update={"sweep": {"first": FIRST, "second": SECOND}})
    return replace(run, experiment=separate)


def drawn(run: MadeRun) -> tuple[Findings, pl.DataFrame]:
    findings = Findings(run)
    return findings, along(findings)[0].drawing.table


def test_the_key_with_most_values_is_taken_where_it_has_the_recommended(tmp_path: Path) -> None:
    result, table = drawn(grid(tmp_path, (3, 1)))
    axis = main_axis(result)
    assert axis and axis.label == "first" and advised_settings(result) == ["first = 3, second = 1"]
    assert table.filter(setting=advised_settings(result)[0]).height == 1 and table["baseline"].any()


def test_the_title_says_whose_wins_are_drawn_along_what(tmp_path: Path) -> None:
    picture = along(Findings(grid(tmp_path, (3, 1))))[0]
    assert picture.title == "How often the first player wins: first 1 to 4"


def test_another_key_is_taken_where_that_has_the_recommended(tmp_path: Path) -> None:
    result, table = drawn(grid(tmp_path, (1, 3)))
    axis = main_axis(result)
    assert axis and axis.label == "second"
    assert table.filter(setting=advised_settings(result)[0]).height == 1 and table["baseline"].any()


def test_off_all_keys_the_recommended_stands_beside_the_baseline(tmp_path: Path) -> None:
    result, table = drawn(grid(tmp_path, (3, 3)))
    assert table.filter("baseline").height == 1
    assert (
        set(table["setting"]) == {"first = 1, second = 1", *advised_settings(result)}
        and len(advised_settings(result)) == 1
    )
    names = [figure.drawing.name for figure in along(result)]
    assert names[0] == "recommended" and len(names) == len(set(names)) == 1 + len(SECOND)


def test_the_interval_of_a_share_is_not_drawn_about_another_number(tmp_path: Path) -> None:
    frame = pl.DataFrame({"thing": ["a"], "share": [0.5], "low": [0.4], "high": [0.6], "over": [1.5]})
    findings, label = Findings(grid(tmp_path, (3, 1))), {"label": pl.col("thing")}
    of_share, of_other = (
        figure(findings, ("one", charts.forest), frame, "", "", label | value).drawing.table
        for value in ({}, {"value": "over"})
    )
    assert of_share.select("value", "low", "high").row(0) == (0.5, 0.4, 0.6)
    assert of_other["value"].to_list() == [1.5] and not {"low", "high"} & set(of_other.columns)
