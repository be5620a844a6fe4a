"""Stamps and what settles an open question, from literal rows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from simkit.page.words.verdicts import (
    CHANGE,
    fairness_stamp,
    games_by_interval,
    not_known,
    open_setting,
    value_stamp,
)


def test_an_open_question_says_how_many_games_settle_it() -> None:
    assert (not_known().text, not_known(14_000).text, not_known(300, each=True).text) == (
        "Not known yet",
        "Not known yet (play 14,000 more games)",
        "Not known yet (play up to 300 more games each)",
    )


UNFAIR = {"verdict": "UNFAIR", "near": False}
FAIR, BORDERLINE, BETWEEN = (
    {"verdict": word, "near": True} for word in ("FAIR", "BORDERLINE", "NOT SETTLED")
)
OPEN = {"verdict": "NOT SETTLED", "near": False}


@pytest.mark.parametrize(
    ("cases", "stamp"),
    [
        ([UNFAIR, FAIR], "Change it"),
        ([FAIR, BORDERLINE], "Keep it"),
        ([FAIR, BETWEEN], "Keep it"),
        ([BORDERLINE], "Not known yet"),
        ([FAIR, OPEN], "Not known yet (play up to 1,300 more games each)"),
    ],
)
def test_what_is_certain_with_all_players_decides_on_a_rule(cases: list[dict[str, Any]], stamp: str) -> None:
    assert fairness_stamp(cases, 1_234).text == stamp


def test_games_that_settle_a_share_follow_from_its_interval() -> None:
    row = {"fair": 0.5, "share": 0.53, "low": 0.51, "high": 0.55, "deals": 1_000}
    assert ([round(games_by_interval(row | {"share": share}, 0.02)) for share in (0.53, 0.5)]) == [4000, 1000]


def test_a_value_is_used_if_fresh_deals_find_it_fair() -> None:
    assert (value_stamp("20", [FAIR, BORDERLINE]).text, value_stamp("20", [UNFAIR]).text) == (
        "Use 20",
        "No fair value in range",
    )
    assert (value_stamp("20", [OPEN]).text) == "Not known yet"


def test_a_page_plays_on_at_the_setting_of_an_open_stamp_alone() -> None:
    def run(*cells: tuple[dict[str, Any], int]) -> Any:
        every = [SimpleNamespace(varied=varied, seats=seats) for varied, seats in cells]
        return SimpleNamespace(cells=every, words=SimpleNamespace(options={"total": 0, "draft": 0}))

    other = {"total": 20, "draft": True}
    two, name = run(({"total": 16, "draft": False}, 2), (other, 2)), "total = 20, draft = true"
    assert open_setting(two, not_known(300), [name]) == "seats=2&total=20&draft=true"
    assert open_setting(run(({}, 3)), not_known(), [""]) == "seats=3"
    assert not open_setting(two, CHANGE, [name]) and not open_setting(two, None, [name])
    assert not open_setting(two, not_known(), [name, "total = 16, draft = false"])
    assert not open_setting(run((other, 2), (other, 3)), not_known(), [name])
    assert not open_setting(run(({"files.cards": "own.csv"}, 2)), not_known(), ["files.cards = own.csv"])
