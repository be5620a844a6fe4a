"""What is said of strategies, from literal rows: the best, those needed, and what to do."""

from __future__ import annotations

import polars as pl
import pytest

from simkit.page.words.strength import Tables, needs, strategies_advice, strategies_headline


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
    rows: Tables, answer: str, recommended: str
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
