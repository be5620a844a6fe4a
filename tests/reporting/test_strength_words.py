"""What first place is worth to strong and to weak players is said as the numbers have it."""

from __future__ import annotations

import polars as pl
import pytest

from simkit.reporting.text.strength import first_place


def brief(strong: float, weak: float, half: float = 0.01, elo: float = 60) -> str:
    """The sentence for first-player advantages of the strongest and of the weakest, with intervals.

    elo: how much stronger the one is than the other, with an interval of 20 on either side for each.
    """
    rows = [
        {"strategy": name, "share": 0.5 + fpa, "low": 0.5 + fpa - half, "high": 0.5 + fpa + half, "fpa": fpa}
        | {"fpa_low": fpa - half, "fpa_high": fpa + half, "games": 900}
        | {"elo_low": rating - 20, "elo_high": rating + 20}
        for name, fpa, rating in (("banker", strong, elo), ("random", weak, 0))
    ]
    return first_place(pl.DataFrame(rows))[0]


@pytest.mark.parametrize(
    ("strong", "weak", "message"),
    [
        (0.08, 0.03, "First place matters more to strong players than to weak ones"),
        (-0.02, -0.06, "First place matters less to strong players than to weak ones"),
        (-0.06, 0.03, "First place hurts strong players and helps weak ones"),
        (0.04, -0.05, "First place helps strong players and hurts weak ones"),
        (-0.06, 0.005, "First place is worth less to strong players than to weak ones"),
        (0.005, -0.06, "First place is worth more to strong players than to weak ones"),
        (0.03, 0.025, "Whether first place favours strong players is not settled"),
    ],
)
def test_first_place_helps_or_hurts_only_where_the_signs_are_sure(
    strong: float, weak: float, message: str
) -> None:
    assert brief(strong, weak) == message


def test_where_no_plan_is_stronger_beyond_luck_nothing_is_said_of_strong_players() -> None:
    message = brief(0.08, 0.03, elo=30)
    assert (
        message == "What first place is worth to strong players is not settled: nor is which plan is stronger"
    )


def test_intervals_that_overlap_a_little_are_not_taken_for_no_difference() -> None:
    assert brief(0.068, -0.014, half=0.049) == "Whether first place favours strong players is not settled"
