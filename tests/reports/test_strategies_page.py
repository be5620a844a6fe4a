"""A page on plans leads with the settings that reverse who wins; it takes no seat for a strategy."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from made_met import met_run
from simkit.content.reports.sections.answer import answer_stamp, balance_headline
from simkit.content.reports.sections.players import matchups, skill
from simkit.content.reports.strategies import (
    TablesAt,
    needs,
    strategies_advice,
    strategies_headline,
    strength,
)

from simkit.page.document.parts import Section
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


# The best plans, those that are needed, and what to do, from literal rows.


def tables(nash: dict[str, float], settled: bool = True, never: str = "") -> TablesAt:
    """Tables of one setting at which a, b and c all met; `nash`: how often perfect rivals pick each."""
    shares = {"a": 0.7, "b": 0.5, "c": 0.3}
    ranked = [
        {
            "strategy": name,
            "share": share,
            "low": share - 0.05,
            "high": share + 0.05,
            "seats": 2,
            "opponents": 2,
            "balanced": True,
        }
        for name, share in shares.items()
    ]
    pairs = [(first, other) for first in shares for other in shares if first != other]
    result = "beats" if settled else "not settled"
    frames = {
        "ranking": pl.DataFrame(ranked),
        "meetings": pl.DataFrame([{"seats": 2, "group": 0, "strategy": x, "opponent": y} for x, y in pairs]),
        "matchups": pl.DataFrame([{"strategy": x, "opponent": y, "result": result} for x, y in pairs]),
        "landscape": pl.DataFrame(
            [
                {"strategy": name, "nash": weight, "strictly": name == never, "dominated_by": None}
                for name, weight in nash.items()
            ],
            schema_overrides={"dominated_by": pl.String},
        ),
    }
    return frames.__getitem__


@pytest.mark.parametrize(
    ("rows", "answer", "recommended"),
    [
        (
            tables({"a": 1.0, "b": 0.0, "c": 0.0}),
            " One plan answers all others: a.",
            "Weaken the main source of points of a, or give another plan a counter.",
        ),
        (
            tables({"a": 0.6, "b": 0.4, "c": 0.0}, never="c"),
            " No single best plan: two of three are needed.",
            "Never the right choice: c. Make what such a plan goes for worth more.",
        ),
        (
            tables({"a": 0.4, "b": 0.3, "c": 0.3}),
            " No single best plan: three of three are needed.",
            "No change needed: each of these plans has a counter among the others.",
        ),
    ],
)
def test_the_plans_that_are_needed_and_what_to_do_are_said(
    rows: TablesAt, answer: str, recommended: str
) -> None:
    assert strategies_headline(rows) == f"A wins most: 70 games of 100 against 2 others.{answer}"
    assert strategies_advice(rows) == recommended


def test_plans_that_are_not_told_apart_are_no_reason_for_a_change() -> None:
    rows = tables({"a": 0.4, "b": 0.3, "c": 0.3}, settled=False)
    assert strategies_headline(rows).endswith("against 2 others. No plan was shown to beat all others.")
    assert strategies_advice(rows).startswith("Play more deals before changing anything")


def test_each_plan_is_needed_not_needed_doubtful_or_never_right() -> None:
    rows = {"nash": [0.9, 0.0, 0.0, 0.0], "strictly": [False, True, False, False]}
    table = pl.DataFrame(rows | {"dominated_by": [None, "a", "a", None]})
    assert table.select(needs()).to_series().to_list() == ["needed", "never right", "doubtful", "not needed"]
