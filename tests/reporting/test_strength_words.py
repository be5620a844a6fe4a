"""What is said of strategies, from literal rows: the best, those needed, and what first place is worth."""

from __future__ import annotations

import polars as pl
import pytest

from simkit.reporting.text.strength import Tables, advice, first_place, headline, verdicts, weakest


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
    return first_place(pl.DataFrame(rows))


@pytest.mark.parametrize(
    ("strong", "weak", "message"),
    [
        (0.08, 0.03, "First place matters more to strong players than to weak ones"),
        (-0.02, -0.06, "First place matters less to strong players than to weak ones"),
        (-0.06, 0.03, "First place hurts strong players and helps weak ones"),
        (0.04, -0.05, "First place helps strong players and hurts weak ones"),
        (-0.06, 0.005, "First place is worth less to strong players than to weak ones"),
        (0.005, -0.06, "First place is worth more to strong players than to weak ones"),
        (0.03, 0.025, "Whether first place favours strong players is open"),
    ],
)
def test_first_place_helps_or_hurts_only_where_the_signs_are_sure(
    strong: float, weak: float, message: str
) -> None:
    assert brief(strong, weak) == message


def test_where_no_plan_is_stronger_beyond_luck_nothing_is_said_of_strong_players() -> None:
    message = brief(0.08, 0.03, elo=30)
    assert message == "What first place is worth to strong players is open: no plan is stronger beyond luck"


def test_intervals_that_overlap_a_little_are_not_taken_for_no_difference() -> None:
    assert brief(0.068, -0.014, half=0.049) == "Whether first place favours strong players is open"


def tables(nash: dict[str, float], settled: bool = True, never: str = "") -> Tables:
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
            "One plan answers all others: a. ",
            "Weaken the main source of points of a, or give another plan a counter.",
        ),
        (
            tables({"a": 0.6, "b": 0.4, "c": 0.0}, never="c"),
            "No single best plan: two of three are needed, a and b. ",
            "C is never the right choice: make what it goes for worth more.",
        ),
        (
            tables({"a": 0.4, "b": 0.3, "c": 0.3}),
            "No single best plan: three of three are needed, a, b and c. ",
            "No change needed: each of these plans has a counter among the others.",
        ),
    ],
)
def test_the_plans_that_are_needed_and_what_to_do_are_said(
    rows: Tables, answer: str, recommended: str
) -> None:
    assert headline(rows) == f"{answer}Best: a wins 70 games of 100 against the 2 others."
    assert advice(rows) == recommended


def test_plans_that_are_not_told_apart_are_no_reason_for_a_change() -> None:
    rows = tables({"a": 0.4, "b": 0.3, "c": 0.3}, settled=False)
    assert headline(rows).endswith("against the 2 others. No plan was shown to beat all others.")
    assert advice(rows).startswith("Play more deals before changing anything")


def test_each_plan_is_needed_not_needed_doubtful_or_never_right() -> None:
    rows = {"strategy": ["a", "b", "c", "d", "e"], "nash": [0.9, 0.0, 0.0, 0.0, None]}
    rows |= {"strictly": [False, True, False, False, None], "dominated_by": [None, "a", "a", None, None]}
    said = verdicts(pl.DataFrame(rows))
    assert said == {"a": "needed", "b": "never right", "c": "doubtful", "d": "not needed"}


def test_the_weakest_is_named_only_where_it_is_surely_weaker() -> None:
    rows = tables({})("ranking").rows(named=True)
    assert weakest(rows) == "The weakest, c, wins 30 games of 100"
    assert weakest([rows[0], rows[0]]) == "No plan wins more than others beyond luck"
