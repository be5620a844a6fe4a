"""A page on plans leads with the settings that reverse who wins."""

from __future__ import annotations

from pathlib import Path

from made_met import met_run
from simkit.content.reports.sections import strength as first_screen

from simkit.analysis import Findings


def answered(folder: Path, there: float) -> str:
    """What the brief answers where a beats b at goal 8, and wins so many of their games at goal 9."""
    folder.mkdir()
    run = met_run(folder, [("a", "b", 0.7), ("a", "b", there)], 200, goals=[8, 9])
    return first_screen.section(Findings(run)).takeaways[0].text


def test_a_setting_that_reverses_who_wins_is_the_subject_of_the_answer(tmp_path: Path) -> None:
    assert answered(tmp_path / "turned", 0.4).startswith(
        "Goal 9 reverses who wins: b beats a (60 games of 100 instead of 30 at goal 8)"
    )
    for name, there in (("even", 0.48), ("same", 0.8)):
        assert "goal 9" not in answered(tmp_path / name, there)
