"""A page on plans says at which other settings those win that lose at the one looked at."""

from __future__ import annotations

from pathlib import Path

from made_met import met_run
from simkit.content.reports.sections import strength as first_screen

from simkit.analysis import Findings


def advised(folder: Path, there: float, deals: int = 200) -> list[str]:
    """What the first screen advises where a beats b at goal 8, and wins so many of their games at goal 9."""
    run = met_run(folder, [("a", "b", 0.7), ("a", "b", there)], deals, goals=[8, 9])
    return [first.text for first in first_screen.section(Findings(run)).takeaways if first.kind == "advice"]


def test_a_setting_at_which_the_loser_wins_is_named_with_how_often(tmp_path: Path) -> None:
    (turned,) = [text for text in advised(tmp_path, 0.4) if "goal 9" in text]
    assert "b beats a" in turned and "60 games of 100" in turned


def test_no_setting_turns_what_may_be_luck(tmp_path: Path) -> None:
    for name, there in (("even", 0.48), ("same", 0.8)):
        (tmp_path / name).mkdir()
        message = advised(tmp_path / name, there)
        assert any("No other setting" in text for text in message)
        assert not any("goal 9" in text for text in message)


def test_of_one_setting_or_of_matches_that_are_open_nothing_is_said_of_others(tmp_path: Path) -> None:
    for name, run_of in {
        "one": lambda folder: met_run(folder, [("a", "b", 0.7)]),
        "open": lambda folder: met_run(folder, [("a", "b", 0.5), ("a", "b", 0.5)], goals=[8, 9]),
    }.items():
        (tmp_path / name).mkdir()
        message = first_screen.section(Findings(run_of(tmp_path / name))).takeaways
        assert not any("setting" in first.text for first in message if first.kind == "advice")
