"""What a tuning says, from literal rows: the gain against the panel and against others."""

from __future__ import annotations

from typing import Any

import pytest
from simkit.content.reports import tune

from simkit.questions import tune as question


def result(role: str, against: str, gain: float, half: float = 0.02) -> dict[str, Any]:
    """A row of `labelled`; the defaults win 50 %."""
    row = {"role": role, "against": against, "share": 0.5 + gain, "base": 0.5, "gain": gain, "deals": 1_000}
    return row | {"low": gain - half, "high": gain + half}


HOLDOUT = result("holdout", "random", 0.1)


@pytest.mark.parametrize(
    ("rows", "text", "gained"),
    [
        (
            [result("panel", "greedy", 0.08), HOLDOUT],
            "Bold wins 58.0 % against greedy, 8.0 percentage points (6.0 to 10.0) more than the defaults.",
            True,
        ),
        (
            [result("panel", "greedy", 0.08), HOLDOUT, result("direct", "the defaults", 0.41)],
            "Bold wins 91.0 % against the defaults; equal players would win 50.0 %.",
            True,
        ),
        (
            [result("panel", "the defaults", 0.08), result("holdout", "random", -0.1)],
            "Gained on the panel alone: bold wins 58.0 % against the defaults, 8.0 percentage points (6.0 to 10.0) "
            "more than equal players would, but less against random.",
            False,
        ),
        (
            [result("average", "the panel of 2", 0.01), HOLDOUT],
            "It is not settled whether the best of 9 candidates wins more than the defaults against the panel of "
            "2: +1.0 percentage points (−1.0 to +3.0); about 4,000 fresh deals would settle it.",
            False,
        ),
    ],
)
def test_a_gain_is_one_on_fresh_deals_that_holds_outside_the_panel(
    rows: list[dict[str, Any]], text: str, gained: bool
) -> None:
    assert tune.tune_headline(rows, "bold", 9) == text
    assert question.has_gained(rows) == gained


def test_the_advice_has_the_results_outside_the_panel_and_the_label_for_lineups() -> None:
    rows = [result("panel", "greedy", 0.1), HOLDOUT, result("direct", "the defaults", 0.05)]
    assert tune.tune_advice(rows, "bold(weight=2)") == (
        "Against greedy the gain is +10.0 percentage points (+8.0 to +12.0). Against random, which was not in the "
        "panel, the gain is +10.0 percentage points (+8.0 to +12.0). In a lineup it is bold(weight=2)."
    )
