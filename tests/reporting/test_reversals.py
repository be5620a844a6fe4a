"""A page on plans leads with the settings that reverse who wins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from made_met import met_run
from simkit.content.reports.sections import strength as first_screen

from simkit.analysis import Findings
from simkit.reporting.pages import Section


def brief(folder: Path, *there: float) -> Section:
    """The brief where a beats b at goal 8, and wins so many of their games at goal 9 and others."""
    folder.mkdir()
    goals = [*range(8, 9 + len(there))]
    run = met_run(folder, [("a", "b", share) for share in (0.7, *there)], 200, goals=goals)
    return first_screen.section(Findings(run))


def answered(folder: Path, *there: float) -> list[str]:
    return [takeaway.text for takeaway in brief(folder, *there).takeaways]


def test_a_setting_that_reverses_who_wins_is_the_subject_of_the_answer(tmp_path: Path) -> None:
    assert answered(tmp_path / "turned", 0.4)[0].startswith(
        "Goal 9 reverses who wins: b beats a (60 games of 100 instead of 30 at goal 8)"
    )
    for name, there in (("even", 0.48), ("same", 0.8)):
        assert "goal 9" not in answered(tmp_path / name, there)[0]


def test_settings_that_reverse_nothing_are_named_and_those_where_it_is_open_have_numbers(
    tmp_path: Path,
) -> None:
    section = brief(tmp_path / "some", 0.4, 0.48, 0.8, 0.75)
    texts = [takeaway.text for takeaway in section.takeaways]
    (unsure,) = [text for text in texts if text.startswith("It is not settled")]
    pattern = r"It is not settled who wins between b and a with goal 10 \((\d+) to (\d+) games of 100\)\."
    low, high = re.fullmatch(pattern, unsure).groups()  # type: ignore[union-attr]
    assert int(low) < 52 < int(high)
    advised = r"Settle the open matches: about ([\d,]+) deals each narrow them to ±2 percentage points\."
    (deals,) = re.fullmatch(advised, section.step.text).groups()  # type: ignore[union-attr]
    assert f"--deals {deals.replace(',', '')} " in section.step.command
    assert int(deals.replace(",", "")) == pytest.approx(200 * ((int(high) - int(low)) / 4) ** 2, rel=0.15)
    assert "Goal 11 and 12 reverse nothing." in texts
    assert not [text for text in answered(tmp_path / "one", 0.4) if "settled" in text or "nothing" in text]
