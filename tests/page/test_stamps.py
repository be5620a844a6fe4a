"""Stamps and what settles an open question, from literal rows."""

from __future__ import annotations

from typing import Any

import pytest
from simkit.content.reports.sections.best_choices import open_words

from simkit.page.words.stamps import (
    CHANGE,
    KEEP,
    comparison_stamp,
    equilibrium_stamp,
    fairness_stamp,
    games_by_interval,
    match_stamp,
    not_known,
    stamp_of_sizes,
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


def test_a_match_names_the_stronger_or_the_games_to_play() -> None:
    row = {"strategy": "greedy", "opponent": "random", "decision": None, "same": False}
    assert (match_stamp(row | {"low": 0.52, "high": 0.58}).text) == "Greedy is stronger"
    assert (
        match_stamp(row | {"low": 0.48, "high": 0.53, "score": 0.505, "games": 1000}).text
    ) == "Not known yet (play 24,000 more games)"
    assert (
        match_stamp(row | {"low": 0.49, "high": 0.5, "decision": "H0"}).text
    ) == "No meaningful difference"


def test_a_value_is_used_if_fresh_deals_find_it_fair() -> None:
    assert (value_stamp("20", [FAIR, BORDERLINE]).text, value_stamp("20", [UNFAIR]).text) == (
        "Use 20",
        "No fair value in range",
    )
    assert (value_stamp("20", [OPEN]).text) == "Not known yet"


def test_rules_change_only_where_all_lineups_are_nearer_to_fair() -> None:
    assert (comparison_stamp(False, 2, 0, 2).text, comparison_stamp(True, 0, 0, 2).text) == (
        "Change it",
        "Keep it",
    )
    assert (comparison_stamp(False, 0, 1, 2).text, comparison_stamp(False, 1, 0, 2).text) == (
        "Not known yet",
        "Not known yet",
    )


def test_table_sizes_that_ask_for_a_change_are_named() -> None:
    assert (stamp_of_sizes({2: KEEP, 3: KEEP}).text, stamp_of_sizes({2: KEEP, 3: not_known()}).text) == (
        "Keep it",
        "Not known yet",
    )
    assert (stamp_of_sizes({2: KEEP, 3: CHANGE, 4: CHANGE}).text) == "Change it with 3 and 4 players"


def test_the_interval_of_the_value_decides_an_equilibrium() -> None:
    row = {"setting": "goal = 50", "fair": 0.5, "share": 0.5, "low": 0.49, "high": 0.51, "deals": 800}
    assert (equilibrium_stamp([row], 0.02).text) == "Keep it"
    assert (
        equilibrium_stamp([row | {"share": 0.53, "high": 0.56, "low": 0.5}], 0.02).text
    ) == "Not known yet (play up to 6,400 more games each)"
    assert (
        equilibrium_stamp([row, row | {"setting": "goal = 60", "share": 0.6, "low": 0.58}], 0.02).text
    ) == "Use goal = 50"


def test_a_player_surely_ahead_by_an_open_amount_is_said_to_be() -> None:
    assert (open_words([{"fair": 0.5, "share": 0.57, "low": 0.504, "high": 0.638}], 0.02)) == [
        "The first player is surely ahead, but not surely by more than 2 percentage points."
    ]
