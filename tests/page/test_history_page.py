"""The timeline page of a lock file, on literal states."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.collections import FillBetweenPolyCollection

from simkit.ask import lock_file
from simkit.errors import UsageError
from simkit.page.document.files import as_text
from simkit.questions.history import history, history_page

EXAMPLE = lock_file.read(Path(__file__).parents[1] / "runs/example.lock")
FIRST = EXAMPLE.claims[0]


def test_every_accepted_state_is_a_row_and_what_was_gated_since_is_the_last() -> None:
    text = as_text(history_page(EXAMPLE, "balance.lock"), "md")
    assert "| 2026-03-01 | first lock | 1a2b3c4 | 50.4 | 48.6 | 52.2 | – | 8,000 | NOT KNOWN YET |" in text
    assert "| 2026-03-08 | dearer reserves | 9f8e7d6 | 49.9 | 48.2 | 51.6 | −0.4 | 8,000 | HOLDS |" in text
    assert "| now | not accepted yet |  | 54.2 | 52.4 | 56.0 | +4.2 | 8,000 | BROKEN |" in text


def test_the_broken_target_is_the_answer_and_the_picture_and_every_target_has_a_chart() -> None:
    page = history_page(EXAMPLE, "balance.lock")
    assert page.answer == f"1 of 3 claims broken: {FIRST}."
    assert page.stamp is not None and page.stamp.text == "BROKEN"
    assert page.picture is not None and page.picture.title == FIRST
    assert len(page.figures()) == len(EXAMPLE.claims)


def test_a_target_is_a_band_without_a_line_in_its_middle() -> None:
    figure = history_page(EXAMPLE, "balance.lock").picture
    axes = figure.drawing.figure(False).axes[0]  # type: ignore[union-attr]
    assert {line.get_linestyle() for line in axes.get_lines()} == {"None"}
    (band,) = [part for part in axes.collections if isinstance(part, FillBetweenPolyCollection)]
    assert {48.0, 52.0} == set(band.get_paths()[0].vertices[:, 1])


def test_without_new_tests_the_last_accepted_state_is_the_answer() -> None:
    page = history_page(EXAMPLE.model_copy(update={"tests": []}), "balance.lock")
    assert page.answer == "All 3 claims hold."


def test_a_claim_whose_range_was_edited_keeps_its_history() -> None:
    edited = [FIRST.replace("48 to 52", "45 to 55"), *EXAMPLE.claims[1:]]
    page = history_page(EXAMPLE.model_copy(update={"claims": edited}), "balance.lock")
    (section,) = [section for section in page.sections if section.heading == edited[0]]
    assert len(section.tables[0].rows) == 3


def test_a_claim_that_was_never_measured_has_no_chart() -> None:
    added = EXAMPLE.model_copy(update={"claims": [*EXAMPLE.claims, "decisions 10 to 20"]})
    assert len(history_page(added, "balance.lock").figures()) == len(EXAMPLE.claims)


def test_a_lock_without_history_has_a_page_that_says_so() -> None:
    page = history_page(EXAMPLE.model_copy(update={"history": [], "tests": []}), "balance.lock")
    assert page.answer == "No claim was measured yet." and page.picture is None
    assert as_text(page)


def test_a_missing_lock_file_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no.lock"):
        history(tmp_path / "no.lock")
    assert not list(tmp_path.iterdir())
