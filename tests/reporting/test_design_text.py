"""What a search for rules says, from literal rows: the setting that meets the wishes, else how far it is."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.analysis.goals import MET, MISSED, OPEN
from simkit.reporting.text import designs


def setting(name: str, *verdicts: str, printed: bool = False) -> dict[str, Any]:
    """A row of `labelled` with verdicts on fairness and on turns."""
    wishes = dict(zip(("fairness", "turns=10:20"), verdicts, strict=False))
    return {"name": name, "printed": printed, "verdicts": wishes, "measured": []}


PRINTED = setting("the printed rules", MISSED, OPEN, printed=True)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ([setting("a", MET, OPEN), PRINTED, setting("b", MET, MET)], "B meets both wishes on fresh deals."),
        (
            [setting("a", MET, MISSED), setting("b", OPEN, MET), PRINTED],
            "B may meet both wishes: “turns 10 to 20” is met, “fairness” is not proven.",
        ),
        (
            [setting("a", MISSED, OPEN), setting("b", MET, MISSED), PRINTED],
            "No setting checked meets both wishes. The nearest is a: “fairness” is not met, "
            "“turns 10 to 20” is not proven.",
        ),
        (
            [setting("the printed rules", MET, MET, printed=True), setting("b", MET, MET)],
            "The printed rules meet both wishes on fresh deals. So does b.",
        ),
        ([setting("the usual rules", MET, printed=True)], "The usual rules meet the wish on fresh deals."),
    ],
)
def test_the_answer_names_a_setting_and_the_wishes_that_it_meets(
    settings: list[dict[str, Any]], text: str
) -> None:
    assert designs.design_headline(settings) == text


def test_measures_are_given_over_lineups_beside_those_of_the_printed_rules() -> None:
    def measured(*turns: float) -> list[dict[str, Any]]:
        return [{"what": "turns", "value": value, "amount": f"{value:.1f}"} for value in turns]

    settings = [
        setting("a", MET, MET) | {"measured": measured(12.0, 11.0)},
        PRINTED | {"measured": measured(9.0)},
    ]
    assert designs.design_advice(settings) == "At that setting: turns 11.0 to 12.0 (printed 9.0)."
    alone = [setting("the usual rules", MET, printed=True) | {"measured": measured(9.0)}]
    assert designs.design_advice(alone) == "At that setting: turns 9.0."
