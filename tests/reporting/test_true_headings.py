"""Headings and captions say what the tables beneath them say, and no more."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from simkit.content.reports.sections import changes, components
from synthetic import made_run

from simkit.analysis import Findings


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
