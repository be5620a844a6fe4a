"""A page on plans leads with the settings that reverse who wins; it takes no seat for a strategy."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from made_met import met_run
from simkit.content.reports.sections.players import matchups, skill
from simkit.content.reports.strategies import strength

from simkit.page.document.parts import Section
from simkit.page.words.answer import balance_headline
from simkit.page.words.stamps import answer_stamp
from simkit.tables.findings import Findings, all_findings


def brief(folder: Path, *there: float) -> Section:
    """The brief where a beats b at goal 8, and wins so many of their games at goal 9 and others."""
    folder.mkdir()
    goals = [*range(8, 9 + len(there))]
    run = met_run(folder, [("a", "b", share) for share in (0.7, *there)], 200, goals=goals)
    return strength(Findings(run))


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


@pytest.mark.parametrize("first", ["a", "b"])
def test_a_page_does_not_take_a_seat_for_a_strategy(first: str, tmp_path: Path) -> None:
    """Whoever sits first wins 70 %: the page had said that this plan wins most, beyond luck."""
    findings = Findings(met_run(tmp_path, [(first, "b" if first == "a" else "a", 0.7)], rotate=False))
    section = strength(findings)
    assert section.takeaways[0].text.startswith("Seat and strategy cannot be told apart: ")
    assert section.glance is None and section.picture is None
    assert not matchups(findings).tables[0].rows
    assert answer_stamp(findings) is None and "this lineup" in balance_headline(findings).lower()


def test_a_plan_that_sat_in_one_seat_is_left_out_of_the_ranking(tmp_path: Path) -> None:
    pairs = [("a", "b", 0.7), ("b", "a", 0.6), ("a", "c", 0.8), ("c", "a", 0.6), ("d", "a", 0.9)]
    findings = Findings(met_run(tmp_path, pairs, rotate=False))
    assert dict(findings.ranking.select("strategy", "balanced").iter_rows()) == {
        "a": False, "b": True, "c": True, "d": False,
    }  # fmt: skip
    assert set(findings.matchups.filter(strategy="d")["result"]) == {"seats differ"}
    text = strength(findings).takeaways[0].text
    assert "did not sit in each seat equally often" in text and "D is strongest" not in text


def test_a_change_of_sign_between_numbers_of_players_is_no_artefact(tmp_path: Path) -> None:
    """First place may be good for two and bad for three: only players at one table size are compared."""
    rows = [("a", 2, 0.05), ("a", 3, -0.05), ("b", 2, 0.04), ("b", 3, -0.04)]
    table = pl.DataFrame(
        [
            {"setting": "", "strategy": name, "seats": n, "fpa": off, "fpa_low": off - 0.01, "fpa_high": off + 0.01}
            for name, n, off in rows
        ]
    )  # fmt: skip
    findings = Findings(met_run(tmp_path, [("a", "a", 0.5)]))
    findings._cache[all_findings()["mirrors"]] = table
    assert skill(findings) is None
    other = table.filter(seats=3, strategy="b").with_columns(seats=pl.lit(2), strategy=pl.lit("c"))
    findings._cache[all_findings()["mirrors"]] = pl.concat([table, other], how="vertical_relaxed")
    assert "ahead when all play a, b, but behind with c" in str(skill(findings))
