"""Strategies that never met are not ranked as if they had."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from made_met import met_run
from simkit.content.reports.strategies import skill_against_luck, strategies_headline, strength, tables_at

from simkit.page.words.strength import meetings_at
from simkit.tables.findings import Findings

CHAIN = [["a", "b"], ["b", "c"], ["c", "d"]]
SEPARATE = [["a", "b"], ["c", "d"]]
ROUND = [["a", "b"], ["b", "c"], ["a", "c"]]


def result(folder: Path, tables: list[list[str]], deals: int = 60) -> Findings:
    folder.mkdir(parents=True, exist_ok=True)
    return Findings(met_run(folder, [(first, other, 0.7) for first, other in tables], deals))


def test_who_met_whom_and_who_is_linked(tmp_path: Path) -> None:
    chain = meetings_at(result(tmp_path / "chain", CHAIN).meetings, 2)
    assert chain.groups == [["a", "b", "c", "d"]] and not chain.everybody
    separate = meetings_at(result(tmp_path / "apart", SEPARATE).meetings, 2)
    assert separate.groups == [["a", "b"], ["c", "d"]] and not separate.everybody
    assert meetings_at(result(tmp_path / "round", ROUND).meetings, 2).everybody


def test_plans_of_a_chain_are_ranked_through_common_opponents_and_by_rating(tmp_path: Path) -> None:
    chain = result(tmp_path, CHAIN, deals=300)
    rated = chain.ratings.filter(kind="strategy").sort("elo", descending=True)["name"].to_list()
    message = strategies_headline(tables_at(chain, ""))
    start = f"{rated[0].upper()} is strongest, judged by common opponents (Elo +2"
    assert re.fullmatch(rf"{re.escape(start)}\d\d, \+1\d\d to \+2\d\d\)\.", message)


def test_plans_that_are_not_linked_are_not_ranked_together(tmp_path: Path) -> None:
    separate = result(tmp_path, SEPARATE)
    message = strategies_headline(tables_at(separate, ""))
    assert "Not ranked together" in message and "(a, b)" in message and "(c, d)" in message
    assert not any(word in message for word in ("wins", "rates"))
    assert separate.ratings["elo"].null_count() == separate.ratings.height


@pytest.mark.parametrize("tables", [CHAIN, SEPARATE])
def test_shares_against_different_opponents_are_no_ranking(tmp_path: Path, tables: list[list[str]]) -> None:
    some = result(tmp_path, tables)
    assert not any("stronger" in text for text in skill_against_luck(some).text)
    glance = strength(some).glance
    assert glance and "best" not in glance.caption


def test_all_who_met_are_ranked(tmp_path: Path) -> None:
    some = result(tmp_path, ROUND, deals=300)
    assert "A wins most: 70 games of 100" in strategies_headline(tables_at(some, ""))


def test_a_rating_within_luck_of_the_next_is_the_highest_so_far_only(tmp_path: Path) -> None:
    some = Findings(met_run(tmp_path, [("a", "b", 0.52), ("b", "c", 0.5), ("c", "d", 0.5)], 60))
    message = strategies_headline(tables_at(some, ""))
    assert "is strongest, judged by common opponents (Elo " in message
    assert message.endswith("; b, c and d may be as good.")
