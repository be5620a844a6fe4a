"""What a screen says, from literal rows: the greatest effect first, what does nothing, what interacts."""

from __future__ import annotations

from typing import Any

import pytest
from simkit.content.reports import screen
from simkit.content.reports.screen import effects_table

from simkit.stats.factorial import MATTERS, NOTHING, OPEN


def effect(option: str, size: float, verdict: str = MATTERS, **keys: Any) -> dict[str, Any]:
    """A row of `labelled` about turns."""
    row = {"option": option, "change": f"{option} (1 → 2)", "what": "turns", "measure": "turns", "seat": None}
    return (
        row
        | {
            "unit": "turns",
            "lineup": "",
            "effect": size,
            "margin": 0.5,
            "low": size - 1,
            "high": size + 1,
            "verdict": verdict,
            "alone_verdict": verdict,
        }
        | keys
    )


WINS = {"measure": "share", "unit": "share", "seat": 0, "what": "how often the first player wins"}


def test_the_greatest_effect_on_each_measure_comes_before_measures_without_one() -> None:
    rows = [effect("goal", 10.13), effect("die", 2.0), effect("goal", 0.01, OPEN, **WINS)]
    assert " ".join(screen.screen_effects(rows)) == (
        "Goal (1 → 2) has the greatest effect by itself on turns: +10.13 (+9.13 to +11.13). "
        "What else changes turns by more than the margin of 0.50: die, +2.00 (+1.00 to +3.00). "
        "No option by itself was shown to change how often the first player wins by an amount that matters."
    )
    rows = [effect("goal", -0.031, **WINS | {"lineup": "greedy", "low": -0.05, "high": -0.012})]
    assert " ".join(screen.screen_effects(rows)) == (
        "Goal (1 → 2) has the greatest effect by itself on how often the first player wins with greedy: "
        "−3.1 percentage points (−5.0 to −1.2)."
    )


def test_the_brief_names_what_else_matters_and_counts_what_does_not() -> None:
    """It was a paragraph of 200 words."""
    rows = [
        effect(option, size, **WINS) for option, size in (("komi", -0.27), ("total", -0.13), ("rows", 0.06))
    ]
    rows += [effect("deal", 3.6), effect("start", 0.0, NOTHING)]
    pairs = [effect("komi", 0.1, other="rows"), effect("rows", 0.1, other="deal")]
    assert screen.screen_in_brief(rows, pairs) == (
        "Others beyond the margin: total and rows. The greatest effect is that of deal for turns (+3.60). "
        "Komi and rows interact (turns); so does 1 other pair. 1 option does nothing that counts."
    )
    assert screen.screen_in_brief([effect("goal", 1.0, OPEN)], []) == ""


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [((MATTERS, NOTHING, NOTHING), "Nothing that counts: b and c."), ((OPEN, OPEN, OPEN), "")],
)
def test_options_that_do_nothing_that_counts_are_named(verdicts: tuple[str, ...], text: str) -> None:
    rows = [effect(option, 1.0, verdict) for option, verdict in zip("abc", verdicts, strict=True)]
    assert screen.screen_advice(rows, []) == text


def test_an_option_that_matters_only_with_others_is_not_counted_among_those_by_themselves() -> None:
    rows = [effect("goal", 1.0), effect("die", 0.1, MATTERS, alone_verdict=OPEN)]
    assert screen.screen_advice(rows, []) == "These matter only on average over the others: die."


def test_the_options_that_change_a_further_measure_are_listed_with_size_interval_and_margin() -> None:
    rows = [
        effect("die", 0.061, **WINS | {"low": 0.03, "high": 0.092}),
        effect("goal", 10.0),
        effect("die", -4.0),
    ]
    assert screen.screen_effects(rows)[1] == (
        "What changes turns by more than the margin of 0.50: goal, +10.00 (+9.00 to +11.00); "
        "die, −4.00 (−5.00 to −3.00)."
    )


def test_the_table_of_the_brief_has_the_verdict_on_each_option_by_itself() -> None:
    kinds = (MATTERS, NOTHING, OPEN)
    rows = [
        effect(name, 1.0, MATTERS, alone_verdict=kind, low=0.5, high=1.5, other="", name=name, averaged=9.0)
        for name, kind in zip("abc", kinds, strict=True)
    ]
    listed = effects_table(rows, "Effects", "alone_verdict")
    heads = [column.heading for column in listed.columns]
    assert heads == ["measure", "option", "verdict", "change by itself", "95 %", "in commands"]
    assert [row[2] for row in listed.rows] == ["matters", "nothing that counts", "not settled"]


def test_the_strongest_pair_that_matters_is_said_with_what_both_do_together() -> None:
    pairs = [effect("goal", 3.0, OPEN, other="die"), effect("goal", -2.5, other="bust")]
    assert screen.pairs_sentence(pairs) == (
        "Goal and bust interact: both changes together move turns by −2.50 (−3.50 to −1.50) beyond the sum of each. No other pair was shown to interact."
    )
    assert screen.pairs_sentence(pairs[:1]) == "No two options were shown to change what the other does."
    assert screen.pairs_sentence([]) == ""
