"""Strategies that never met are not ranked as if they had."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_met import met_run
from simkit.content.reports.sections import ladder, matchups, strategies
from simkit.content.reports.sections import strength as first_screen

from simkit.analysis import Findings
from simkit.engine import registry
from simkit.reporting.text.meetings import met_at
from simkit.reporting.text.strength import headline, tables_at

CHAIN = [["a", "b"], ["b", "c"], ["c", "d"]]
SEPARATE = [["a", "b"], ["c", "d"]]
ROUND = [["a", "b"], ["b", "c"], ["a", "c"]]


def result(folder: Path, tables: list[list[str]], deals: int = 60) -> Findings:
    folder.mkdir(parents=True, exist_ok=True)
    return Findings(met_run(folder, [(first, other, 0.7) for first, other in tables], deals))


def test_who_met_whom_and_who_is_linked(tmp_path: Path) -> None:
    chain = met_at(result(tmp_path / "chain", CHAIN).meetings, 2)
    assert chain.groups == [["a", "b", "c", "d"]] and not chain.everybody
    assert chain.met("b", "a") and not chain.met("a", "c")
    separate = met_at(result(tmp_path / "apart", SEPARATE).meetings, 2)
    assert separate.groups == [["a", "b"], ["c", "d"]] and not separate.everybody
    assert met_at(result(tmp_path / "round", ROUND).meetings, 2).everybody


def test_plans_of_a_chain_are_ranked_through_common_opponents_and_by_rating(tmp_path: Path) -> None:
    chain = result(tmp_path, CHAIN, deals=300)
    rated = chain.ratings.filter(kind="strategy").sort("elo", descending=True)["name"].to_list()
    message = headline(tables_at(chain, ""))
    assert message == f"{rated[0].upper()} rates highest, through common opponents."


def test_plans_that_are_not_linked_are_not_ranked_together(tmp_path: Path) -> None:
    separate = result(tmp_path, SEPARATE)
    message = headline(tables_at(separate, ""))
    assert "Not ranked together" in message and "(a, b)" in message and "(c, d)" in message
    assert not any(word in message for word in ("wins", "rates"))
    assert separate.ratings["elo"].null_count() == separate.ratings.height


@pytest.mark.parametrize("tables", [CHAIN, SEPARATE])
def test_shares_against_different_opponents_are_no_ranking(tmp_path: Path, tables: list[list[str]]) -> None:
    some = result(tmp_path, tables)
    headings = [section.heading for section in (strategies.section(some), ladder.section(some))]
    assert not any("weakest" in heading or "stronger" in heading for heading in headings)
    glance = first_screen.section(some).glance
    assert glance and "best" not in glance.caption


def test_all_who_met_are_ranked(tmp_path: Path) -> None:
    some = result(tmp_path, ROUND, deals=300)
    assert strategies.section(some).heading.startswith("The weakest, c, ")
    assert "A wins most: 70 games of 100" in headline(tables_at(some, ""))


def test_plans_that_are_equal_are_not_told_apart(tmp_path: Path) -> None:
    equal = Findings(met_run(tmp_path, [("a", "b", 0.5), ("b", "c", 0.5), ("a", "c", 0.5)], 100))
    assert strategies.section(equal).heading == "Which plan wins most is not settled"
    assert matchups.section(equal).heading == "Who beats whom is not settled"


@pytest.mark.parametrize(("share", "message"), [(0.8, "at every setting"), (0.5, "at goal 1")])
def test_who_beats_whom_is_told_of_every_setting_where_it_holds_there(
    share: float, message: str, tmp_path: Path
) -> None:
    edges = [("a", "b", 0.9), ("a", "c", 0.9), ("a", "b", 0.9), ("a", "c", share)]
    some = Findings(met_run(tmp_path, edges, 100, goals=[1, 1, 2, 2]))
    assert matchups.section(some).heading == f"A beats 2 of 2 others beyond luck, {message}"
    page = registry.recipe("compare").build(some.run)
    assert [section.heading for section in page.sections].count(
        f"A beats 2 of 2 others beyond luck, {message}"
    ) == 1


def test_a_rating_within_luck_of_the_next_is_the_highest_so_far_only(tmp_path: Path) -> None:
    some = Findings(met_run(tmp_path, [("a", "b", 0.52), ("b", "c", 0.5), ("c", "d", 0.5)], 60))
    message = headline(tables_at(some, ""))
    assert "rates highest, through common opponents; " in message and message.endswith(" may be as good.")
