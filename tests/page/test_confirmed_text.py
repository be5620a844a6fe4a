"""What the check on fresh deals says, from literal rows: recommended, not recommended, not known yet."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.page.words.confidence import check_sentences
from simkit.page.words.numbers import join_names
from simkit.page.words.verdicts import FIRST_SEAT, TEAM, Side, holds
from simkit.stats.verdicts import BORDERLINE, EASY, FAIR, FAULTY, HARD, NOT_SETTLED, ON_TARGET, UNFAIR

NEAR = {FAIR, ON_TARGET, BORDERLINE}  # these imply it


def case(
    setting: str, lineup: str, share: float, verdict: str, more: int | None = None, near: bool = False
) -> dict[str, Any]:
    """A row of `confirmed` of a game for two."""
    row = {"setting": setting, "lineup": lineup, "seats": 2, "fair": 0.5, "share": share, "games": 1200}
    return (
        row
        | {"farthest_share": share, "verdict": verdict, "more_games": more}
        | {"near": near or verdict in NEAR}
    )


def sentences(rows: list[dict[str, Any]], side: Side = FIRST_SEAT) -> list[str]:
    return list(check_sentences(rows, lambda names: join_names(names, "or"), "computer players", side, 0.02))


def test_settings_that_held_are_recommended_together() -> None:
    rows = [case("20", "a", 0.51, FAIR), case("20", "b", 0.49, BORDERLINE)]
    rows += [case("21", "a", 0.5, FAIR), case("21", "b", 0.49, FAIR)]
    assert sentences(rows) == [
        "Recommended: 20 or 21. On fresh deals the first player wins 49 to 51 games of 100, certainly within 3 "
        "percentage points of fair with both computer players."
    ]


def test_a_setting_whose_verdict_is_open_with_a_lineup_is_recommended_if_it_is_surely_near_fair() -> None:
    rows = [case("20", "a", 0.5, FAIR), case("20", "b", 0.515, NOT_SETTLED, 51_000, near=True)]
    (text,) = sentences(rows)
    assert text.endswith("certainly within 3 percentage points of fair with both computer players.")
    assert sentences([rows[0]])[0].endswith("games of 100, certainly within 2 percentage points of fair.")


def test_a_setting_that_is_unfair_with_one_lineup_is_not_recommended() -> None:
    rows = [case("20", "a", 0.56, UNFAIR), case("20", "b", 0.5, FAIR)]
    assert sentences(rows) == [
        "On fresh deals 20 is UNFAIR with a, surely more than 2 percentage points off, so it is not recommended: "
        "the first player wins 56 games of 100 (1,200 games)."
    ]
    (text,) = sentences([*rows, case("21", "a", 0.5, FAIR), case("21", "b", 0.5, FAIR)])
    assert text.startswith("Recommended: 21.")


def test_of_settings_that_are_not_recommended_those_that_may_still_be_fair_are_named() -> None:
    rows = [case("20", "a", 0.56, UNFAIR), case("21", "a", 0.515, NOT_SETTLED, 51_000)]
    assert sentences(rows) == [
        "Whether 21 is fair is not known yet: about 51,000 more games would settle it."
    ]


def test_a_borderline_case_with_every_lineup_is_not_recommended() -> None:
    assert sentences([case("20", "a", 0.52, BORDERLINE)]) == [
        "On fresh deals 20 is BORDERLINE, surely 1 to 3 percentage points off, so it is not recommended: "
        "the first player wins 52 games of 100 (1,200 games)."
    ]


def test_what_is_open_at_the_cap_is_not_known_yet_and_says_how_many_games_would_tell() -> None:
    rows = [case("20", "a", 0.515, NOT_SETTLED, 51_000), case("20", "b", 0.514, NOT_SETTLED, 19_500)]
    assert sentences([*rows, case("20", "c", 0.5, FAIR)]) == [
        "Whether 20 is fair with a and b is not known yet: about 71,000 more games would settle it."
    ]
    assert "not known yet: more games would settle it" in sentences([case("20", "a", 0.515, NOT_SETTLED)])[0]


def test_too_many_failed_games_are_named_as_what_they_are() -> None:
    assert sentences([case("20", "a", 0.5, FAULTY)])[0] == "Too many games failed to say whether 20 is fair."


def test_a_team_is_on_target() -> None:
    rows = [case("2", "a", 0.5, ON_TARGET), case("3", "a", 0.7, EASY)]
    assert sentences(rows, TEAM) == [
        "Recommended: 2. On fresh deals the team wins 50 games of 100, certainly within 2 percentage points of "
        "the target."
    ]


def test_a_team_that_is_off_target_in_both_directions_is_told_of_both() -> None:
    assert sentences([case("2", "a", 0.36, HARD), case("2", "b", 0.58, EASY)], TEAM) == [
        "On fresh deals 2 is TOO EASY with b and TOO HARD with a, surely more than 2 percentage points off, so "
        "it is not recommended: the team wins 36 to 58 games of 100 (up to 1,200 games)."
    ]


def test_lineups_of_several_players_stand_in_quotes() -> None:
    """Their commas ran into those of the sentence."""
    rows = [case("4", "a, b, b", 0.41, UNFAIR), case("4", "a", 0.5, FAIR)]
    assert sentences(rows)[0].startswith("On fresh deals 4 is UNFAIR with “a, b, b”, surely more than")


def test_of_three_players_the_distance_from_fair_is_said() -> None:
    row = case("20", "a", 0.33, FAIR) | {"seats": 3, "fair": 1 / 3, "farthest_share": 0.347}
    assert sentences([row]) == [
        "Recommended: 20. On fresh deals no player is more than 1.4 percentage points off fair, certainly within "
        "2 percentage points of fair."
    ]
    assert sentences([row | {"verdict": UNFAIR, "farthest": 2, "farthest_share": 0.41}]) == [
        "On fresh deals 20 is UNFAIR, surely more than 2 percentage points off, so it is not recommended: "
        "the third player wins 41 games of 100, where 33 would be fair (1,200 games)."
    ]


@pytest.mark.parametrize(
    ("cases", "held"),
    [
        ([(FAIR, True), (FAIR, True)], True),
        ([(FAIR, True), (BORDERLINE, True)], True),
        ([(FAIR, True), (NOT_SETTLED, True)], True),
        ([(BORDERLINE, True), (NOT_SETTLED, True)], False),
        ([(FAIR, True), (NOT_SETTLED, False)], False),
        ([(FAIR, True), (UNFAIR, False)], False),
        ([(FAIR, True), (FAULTY, False)], False),
        ([(ON_TARGET, True)], True),
    ],
)
def test_a_setting_holds_if_it_is_fair_with_a_lineup_and_surely_near_with_all(
    cases: list[tuple[str, bool]], held: bool
) -> None:
    assert holds([{"verdict": verdict, "near": near} for verdict, near in cases]) == held
