"""Headings and captions say what the tables beneath them say, and no more."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from made_met import met_run
from simkit.content.reports.sections import changes, components, matchups, tornado
from synthetic import made_run

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


def test_a_sign_is_named_where_it_is_sure_and_names_the_seat() -> None:
    signs = {"column": ["x", "y"], "component": ["X", "Y"], "has": True, "low": 0, "high": 1}
    ends = {"difference": [0.4, -0.5], "difference_low": [-0.1, -0.6], "difference_high": [0.9, -0.4]}
    rows = pl.DataFrame(signs | ends | {"deals": 400})
    counts = {"with_share": [0.4, 0.1], "without_share": [0.5, 0.6], "with_games": 200, "without_games": 200}
    shares = pl.DataFrame({"column": ["y", "y"], "seat": [0, 1]} | counts)
    adjusted = "Y: adjusted difference −50.0 percentage points (95 % interval −60.0 to −40.0, n = 400 deals)."
    sign = ("Y: the second player wins 10 % with some and 60 % with none", adjusted)
    assert list(components._headings(rows, shares)) == [sign]
    rare = shares.with_columns(with_games=pl.lit(20))
    assert not list(components._headings(rows, rare))


def test_lines_that_do_not_fit_into_a_picture_are_told_of(tmp_path: Path) -> None:
    lineups = [[name] * 2 for name in "abcdefgh"]
    keys = {"sweep": {"second": [-2, 0, 2]}, "baseline": {"second": 0}}
    findings = Findings(made_run(tmp_path / "run", lineups, [0.5] * 24, deals=40, **keys))
    (picture,) = changes.section(findings).figures
    assert picture.caption == "The first 7 of 8 lineups."
    assert "−2" in picture.drawing.svg() and ">-2" not in picture.drawing.svg()


def test_up_to_three_unusual_things_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["decisions", "branching", "wait", "draws"]
    rows = [{"measure": name, "unusual": "more"} for name in names]
    for count, message in ((3, "many decisions, many possibilities, long waits between turns"),
                       (4, "many decisions, many possibilities and 2 more")):  # fmt: skip
        monkeypatch.setattr(yardsticks, "unusual", lambda _, count=count: rows[:count])
        assert yardsticks.heading(None) == f"What stands out: {message}"
