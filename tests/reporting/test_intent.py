"""Rules that make the player whom they favour win less are pointed out."""

from pathlib import Path
from typing import Any

import pytest
from synthetic import made_run, with_words

from simkit.analysis import Findings
from simkit.engine import registry
from simkit.reporting.text.intent import against_intent, favoured_seat
from simkit.runs.run_metadata import OptionWords


def option(**more: Any) -> OptionWords:
    usual = {"meaning": "", "kind": "integer", "default": 0, "low": 0, "high": 9, "values": "{}"}
    return OptionWords(**usual | more)


@pytest.mark.parametrize(
    ("words", "value", "seat"),
    [
        ({"label": "second player adds population", "treats": (1,)}, 5, 1),
        ({"label": "cubes", "meaning": "Extra cubes of the third seat", "treats": (2,)}, 1, 2),
        ({"label": "salvage limit of the first turn", "treats": (0,)}, 6, None),
        ({"label": "cards the first player pays", "treats": (0,)}, 6, None),
        ({"label": "first player's cards", "treats": ()}, 6, None),
        ({"label": "first player's cards", "treats": (0, 1)}, 6, None),
    ],
)
def test_a_number_favours_the_seat_that_its_words_name(
    words: dict[str, Any], value: int, seat: int | None
) -> None:
    assert favoured_seat(option(**words), value, 0) == seat
    assert favoured_seat(option(**words), 0, value) is None, "less than at the baseline favours nobody"


def test_a_choice_favours_the_seat_that_its_value_names() -> None:
    values = {"none": "nobody", "second": "the second player", "both": "both players"}
    mulligan = option(label="mulligan for", kind="choice", treats=(1,), values=values)
    assert favoured_seat(mulligan, "second", "none") == 1 and favoured_seat(mulligan, "both", "none") is None


def findings(folder: Path, shares: list[float], label: str) -> Findings:
    keys: dict[str, Any] = {"sweep": {"gift": [0, 2, 5]}, "baseline": {"gift": 0}}
    run = made_run(folder, [["greedy"] * 2], shares, deals=400, **keys)
    words = option(label=label, treats=(1,)).model_dump() | {"clause": "", "needs": {}, "tries": []}
    return Findings(with_words(run, options={"gift": words}))


def test_the_page_points_out_the_greatest_effect_against_the_intent(tmp_path: Path) -> None:
    result = findings(tmp_path, [0.5, 0.6, 0.7], "second player adds")
    row = result.comparisons.filter(measure="share", seat=1).sort("difference").row(0, named=True)
    less = round(-100 * row["difference"])
    sentence = f"Second player adds 5 makes the second player win {less} games of 100 less, although the rule"
    (warning,) = against_intent(result)
    assert warning == f"{sentence} gives it something."
    assert warning in registry.recipe("compare").build(result.run).warnings


def test_an_effect_as_intended_or_of_a_rule_for_nobody_is_not(tmp_path: Path) -> None:
    assert not list(against_intent(findings(tmp_path / "meant", [0.5, 0.4, 0.3], "second player adds")))
    assert not list(against_intent(findings(tmp_path / "free", [0.5, 0.6, 0.7], "cards in the offer")))
    assert not list(against_intent(findings(tmp_path / "luck", [0.5, 0.5, 0.5], "second player adds")))
