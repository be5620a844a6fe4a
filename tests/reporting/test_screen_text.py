"""What a screen says, from literal rows: the greatest effect first, what does nothing, what interacts."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.reporting.text import screens
from simkit.stats.factorial import MATTERS, NOTHING, OPEN


def effect(option: str, size: float, verdict: str = MATTERS, **keys: Any) -> dict[str, Any]:
    """A row of `labelled` about turns."""
    row = {"option": option, "change": f"{option} (1 → 2)", "what": "turns", "measure": "turns", "seat": None}
    return (
        row
        | {"unit": "turns", "lineup": "", "effect": size, "verdict": verdict, "alone_verdict": verdict}
        | keys
    )


WINS = {"measure": "share", "unit": "share", "seat": 0, "what": "how often the first player wins"}


def test_the_greatest_effect_on_each_measure_comes_before_measures_without_one() -> None:
    rows = [effect("goal", 10.13), effect("die", 2.0), effect("goal", 0.01, OPEN, **WINS)]
    assert " ".join(screens.screen_effects(rows)) == (
        "Goal (1 → 2) has the greatest effect on turns: +10.13. "
        "No option by itself was shown to change how often the first player wins."
    )
    rows = [effect("goal", -0.031, **WINS | {"lineup": "greedy"})]
    assert " ".join(screens.screen_effects(rows)) == (
        "Goal (1 → 2) has the greatest effect on how often the first player wins with greedy: −3.1 points."
    )


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [
        ((MATTERS, NOTHING, NOTHING), "1 of 3 options matters. Nothing that counts: b and c."),
        ((MATTERS, MATTERS, OPEN), "2 of 3 options matter."),
        ((OPEN, OPEN, OPEN), "None of 3 options matters."),
    ],
)
def test_options_that_matter_are_counted_and_idle_ones_named(verdicts: tuple[str, ...], text: str) -> None:
    rows = [effect(option, 1.0, verdict) for option, verdict in zip("abc", verdicts, strict=True)]
    assert screens.screen_advice(rows, []) == text


def test_the_strongest_pair_that_matters_is_said_with_what_both_do_together() -> None:
    pairs = [effect("goal", 3.0, OPEN, other="die"), effect("goal", -2.5, other="bust")]
    assert screens.pair_said(pairs) == (
        "Goal and bust interact: both changes together move turns by −2.50 beyond the sum of each."
    )
    assert screens.pair_said(pairs[:1]) == "No two options were shown to change what the other does."
    assert screens.pair_said([]) == ""
