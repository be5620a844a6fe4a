"""Headings and captions say what the tables beneath them say, and no more."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from made_met import met_run

from reports.sections import matchups, tornado
from simkit.analysis import Findings
from simkit.reporting.text import yardsticks


def test_the_best_plan_is_counted_against_those_that_it_met(tmp_path: Path) -> None:
    edges = [("b", "c", 0.9), ("b", "d", 0.9), ("a", "c", 0.5)]
    heading = matchups.section(Findings(met_run(tmp_path, edges, 60))).heading
    assert heading == "B beats 2 of the 2 that it met beyond luck"
    heading = matchups.section(Findings(met_run(tmp_path, [*edges, ("a", "b", 0.5)], 60))).heading
    assert heading == "B beats 2 of 3 others beyond luck"
    heading = matchups.section(Findings(met_run(tmp_path, [("a", "b", 0.9)], 60))).heading
    assert heading == "A beats b beyond luck"


def test_a_step_that_may_be_luck_does_not_matter_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tornado, "labels_of", lambda _: SimpleNamespace(named=lambda rows: rows))
    steps = {"step": ["a", "b"], "difference": [-0.3, 0.2], "p_adjusted": [0.09, 0.01], "lineup": ["x", "x"]}
    rows = pl.DataFrame(steps)
    assert tornado._heading(None, rows, "team").startswith("B matters most: the team wins 20.0 ")
    none = "Whether a single step changes how often the team wins is not settled"
    assert tornado._heading(None, rows.head(1), "team") == none
    two = rows.with_columns(lineup=pl.Series(["x", "y"]))
    assert tornado._heading(None, two, "team").endswith(" percentage points more (y)")


def test_up_to_three_unusual_things_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["decisions", "branching", "wait", "draws"]
    rows = [{"measure": name, "unusual": "more"} for name in names]
    for count, message in ((3, "many decisions, many possibilities, long waits between turns"),
                       (4, "many decisions, many possibilities and 2 more")):  # fmt: skip
        monkeypatch.setattr(yardsticks, "unusual", lambda _, count=count: rows[:count])
        assert yardsticks.heading(None) == f"What stands out: {message}"
