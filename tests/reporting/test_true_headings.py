"""Headings and captions say what the tables beneath them say, and no more."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from made_met import met_run
from synthetic import made_run

from reports.sections import changes, components, gain, matchups, tornado, what_changes
from simkit.analysis import Findings
from simkit.reporting.text import yardsticks
from simkit.reporting.text.changes import times


def test_the_best_plan_is_counted_against_those_that_it_met(tmp_path: Path) -> None:
    edges = [("b", "c", 0.9), ("b", "d", 0.9), ("a", "c", 0.5)]
    heading = matchups.section(Findings(met_run(tmp_path, edges, 60))).heading
    assert heading == "B beats 2 of the 2 that it met beyond luck"
    heading = matchups.section(Findings(met_run(tmp_path, [*edges, ("a", "b", 0.5)], 60))).heading
    assert heading == "B beats 2 of 3 others beyond luck"
    heading = matchups.section(Findings(met_run(tmp_path, [("a", "b", 0.9)], 60))).heading
    assert heading == "A beats b beyond luck"


def _two_rules(folder: Path, other: float) -> Findings:
    keys = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}}
    return Findings(made_run(folder, [["a", "a"], ["b", "b"]], [0.5, 0.5, other, other], deals=60, **keys))


def test_what_only_some_lineups_change_is_not_said_to_be_luck(tmp_path: Path) -> None:
    section = changes.section(_two_rules(tmp_path / "run", 0.5))
    assert section.heading == "What else the rules change is not settled with every lineup"
    assert section.text[0] == "second 14: nothing that is beyond luck with every lineup."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ({"turns +1": ["x", "y"]}, "Both other rule sets change"),
        ({"turns +1": ["x"], changes.NOTHING: ["y"]}, "1 of 2 other rule sets changes"),
        ({"turns +1": ["x"]}, "The other rule set changes"),
    ],
)
def test_the_rule_sets_that_change_something_are_counted(text: dict[str, list[str]], message: str) -> None:
    result = SimpleNamespace(comparisons=pl.DataFrame({"lineup": ["a"]}))
    assert changes._heading(result, text) == f"{message} something other than who wins beyond luck"


def test_what_the_same_deals_gained_is_headed_by_the_greatest_gain(tmp_path: Path) -> None:
    section = gain.section(_two_rules(tmp_path / "run", 0.4))
    rows = section.tables[0].records()
    most = max(row["factor"] for row in rows if row["factor"] is not None)
    assert f"up to {most:.1f} times as many" in section.heading


def test_a_gain_past_a_thousand_is_told_as_that() -> None:
    """Where a rule hardly ever changes anything, the gain may be in the millions."""
    rows = {"factor": [2_965_842.5, 3.04], "compared": ["decisions", "turns"]}
    text = gain._heading(pl.DataFrame(rows))
    assert text == "The same deals were as good as over 1,000 times as many played apart (decisions)"
    assert (times(1000.4), times(999.96), times(204.68)) == ("over 1,000", "over 1,000", "204.7")


def test_a_step_that_may_be_luck_does_not_matter_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tornado, "labels_of", lambda _: SimpleNamespace(named=lambda rows: rows))
    steps = {"step": ["a", "b"], "difference": [-0.3, 0.2], "p_adjusted": [0.09, 0.01], "lineup": ["x", "x"]}
    rows = pl.DataFrame(steps)
    assert tornado._heading(None, rows, "team").startswith("B matters most: the team wins 20.0 ")
    none = "Whether a single step changes how often the team wins is not settled"
    assert tornado._heading(None, rows.head(1), "team") == none
    two = rows.with_columns(lineup=pl.Series(["x", "y"]))
    assert tornado._heading(None, two, "team").endswith(" percentage points more (y)")


def test_a_sign_is_named_where_it_is_sure() -> None:
    signs = {"component": ["x", "y"], "much": ["some", "some"], "difference": [0.4, -0.5]}
    rows = pl.DataFrame(signs | {"difference_low": [-0.1, -0.6], "difference_high": [0.9, -0.4]})
    heading = components._heading
    assert heading(rows.clear(), rows) == "y: those with some show a sign of losing, no lever"
    unsure = "Nothing that seats end with is a sure sign of winning"
    assert heading(rows.clear(), rows.head(1)) == unsure


def test_lines_that_do_not_fit_into_a_picture_are_told_of(tmp_path: Path) -> None:
    lineups = [[name] * 2 for name in "abcdefgh"]
    keys = {"sweep": {"second": [-2, 0, 2]}, "baseline": {"second": 0}}
    findings = Findings(made_run(tmp_path / "run", lineups, [0.5] * 24, deals=40, **keys))
    (picture,) = what_changes.section(findings).figures
    assert picture.caption == "The first 7 of 8 lineups."
    assert "−2" in picture.drawing.svg() and ">-2" not in picture.drawing.svg()


def test_up_to_three_unusual_things_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["decisions", "branching", "wait", "draws"]
    rows = [{"measure": name, "unusual": "more"} for name in names]
    for count, message in ((3, "many decisions, many possibilities, long waits between turns"),
                       (4, "many decisions, many possibilities and 2 more")):  # fmt: skip
        monkeypatch.setattr(yardsticks, "unusual", lambda _, count=count: rows[:count])
        assert yardsticks.heading(None) == f"Unusual: {message}"
