"""What a search for rules says, from literal rows: the setting that meets the wishes, else how far it is."""

from __future__ import annotations

from typing import Any

import pytest
from simkit.content.reports import design

from simkit.questions.design.result import MET, MISSED, OPEN, Goal


def setting(name: str, *verdicts: str, printed: bool = False) -> dict[str, Any]:
    """A row of `labelled` with verdicts on fairness and on turns."""
    wishes = dict(zip(("fairness", "turns=10:20"), verdicts, strict=False))
    return {"name": name, "printed": printed, "verdicts": wishes, "measured": []}


PRINTED = setting("the printed rules", MISSED, OPEN, printed=True)


@pytest.mark.parametrize(
    ("settings", "text", "stamp"),
    [
        (
            [setting("a", MET, OPEN), PRINTED, setting("b", MET, MET)],
            "With b, every wish is met on fresh deals: “fairness” and “turns 10 to 20”.",
            "Use b",
        ),
        (
            [setting("a", MET, MISSED), setting("b", OPEN, MET), PRINTED],
            "B may meet every wish (met: “turns 10 to 20”; not settled: “fairness”).",
            "Not known yet",
        ),
        (
            [setting("a", MISSED, OPEN), setting("b", MET, MISSED), PRINTED],
            "No setting checked meets every wish. The nearest is a (not met: “fairness”; not settled: “turns 10 to 20”).",
            "No rules meet every wish",
        ),
        (
            [setting("the printed rules", MET, MET, printed=True), setting("b", MET, MET)],
            "With b, every wish is met on fresh deals: “fairness” and “turns 10 to 20”.",
            "Use b",
        ),
        (
            [setting("the usual rules", MET, printed=True)],
            "With the usual rules, every wish is met on fresh deals: “fairness”.",
            "Keep it",
        ),
    ],
)
def test_the_answer_names_a_setting_and_the_wishes_that_it_meets(
    settings: list[dict[str, Any]], text: str, stamp: str
) -> None:
    assert design.design_headline(settings) == text
    assert design.design_stamp(settings).text == stamp


def test_measures_are_given_over_lineups_beside_those_of_the_printed_rules() -> None:
    def measured(*turns: float) -> list[dict[str, Any]]:
        ends = {"ends": "8.8 to 9.2", "of_change": False}
        return [{"what": "turns", "value": value, "amount": f"{value:.1f}", **ends} for value in turns]

    settings = [
        setting("a", MET, MET) | {"measured": measured(12.0, 11.0)},
        PRINTED | {"measured": measured(9.0)},
    ]
    assert design.design_advice(settings) == "On average there: turns 11.0 to 12.0 (printed 9.0)."
    more = [*settings, setting("b", MET, MET)]
    assert design.design_advice(more).endswith(" Every wish is also met with b.")
    alone = [setting("the usual rules", MET, printed=True) | {"measured": measured(9.0)}]
    assert design.design_advice(alone) == "On average there: turns 9.0 (8.8 to 9.2)."
    alike = [setting("a", MET, MET) | {"measured": measured(9.0)}, PRINTED | {"measured": measured(12.0)}]
    assert design.design_advice(alike) == "On average there: turns 9.0 (8.8 to 9.2; printed 12.0)."
    alike[0]["measured"][0]["of_change"] = True
    assert design.design_advice(alike) == "On average there: turns 9.0 (printed 12.0)."


def test_the_next_step_settles_the_open_wishes_of_a_setting_that_misses_none() -> None:
    rows = [{"verdict": OPEN, "times": times} for times in (2.0, 4.0)] + [{"verdict": MET, "times": 90.0}]
    best = setting("a", MET, OPEN) | {"measured": rows}
    assert design.open_wishes(best) == ["turns=10:20"] and design.deals_to_settle(best, 1_000) == 4_000
    assert design.open_wishes(setting("a", MISSED, OPEN)) == design.open_wishes(setting("a", MET, MET)) == []


def test_a_search_goes_on_where_settings_are_left_and_names_the_wishes_that_are_not_met() -> None:
    best = setting("a", MET, MISSED)
    assert design.search_words(best, all_tried=False) == (
        "More deals would settle nothing. Search longer for rules that meet “turns 10 to 20”, or widen the ranges."
    )
    assert design.search_words(best, all_tried=True) == (
        "All settings were tried. Widen the ranges, or vary other options, to find rules that meet “turns 10 to 20”."
    )
    printed = setting("the printed rules", MET, MET, printed=True)
    assert "other rules that meet “fairness” and “turns 10 to 20”" in design.search_words(printed, False)


@pytest.mark.parametrize(("mean", "times"), [(0.51, 4.0), (0.5, 1.0), (0.52, design.MAX_DEALS_FACTOR)])
def test_deals_that_settle_a_wish_depend_on_how_near_the_mean_is_to_its_end(
    mean: float, times: float
) -> None:
    goal = Goal(wish="fairness", measure="share", unit="share", seat=0, low=0.48, high=0.52, printed=False)
    row = {"mean": mean, "value": mean, "low": mean - 0.02, "high": mean + 0.02}
    assert design.measurement_words(goal, row, "first player")["times"] == pytest.approx(times)
