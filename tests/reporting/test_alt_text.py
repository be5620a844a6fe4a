"""What is seen in a picture stands in its alternative text, with the numbers of its table."""

from __future__ import annotations

import re

import polars as pl
import pytest
from drawn import ALL, CURVE, ERRS, FAN, FOREST, HEAT, RANKED, RATINGS

from simkit.reporting import charts
from simkit.reporting.pages import alt_text as module
from simkit.reporting.pages.alt_text import seen

SAY = [name for name, (draw, _, _) in ALL.items() if hasattr(module, draw.__name__)]


@pytest.mark.parametrize("name", SAY)
def test_every_chart_of_numbers_says_what_is_seen(name: str) -> None:
    draw, table, how = ALL[name]
    message = seen(draw, table, how)
    assert message.endswith(".") and re.search(r"\d", message) and not re.search(r"\bNone\b|\bnan\b", message)


def test_a_curve_says_its_ends_and_where_it_crosses() -> None:
    message = seen(charts.curve, CURVE.with_columns(line=pl.lit("plain player")), {"aim": "target"})
    assert (
        message
        == "Plain player: rises from 47 % at 12 to 50 % at 16, crosses target between 12 and 14 and 14 and 16."
    )
    above = CURVE.with_columns(share=pl.col("share") + 0.1)
    assert seen(charts.curve, above, {}).endswith("stays above fair.")
    about = pl.DataFrame({"line": "a", "x": range(9), "share": [0.49, 0.51] * 4 + [0.49], "fair": 0.5})
    assert seen(charts.curve, about, {}) == "A: goes from 49 % at 0 to 49 % at 8, is about fair."


def test_only_lines_that_are_known_are_told() -> None:
    unknown = CURVE.with_columns(share=pl.lit(None, pl.Float64))
    assert seen(charts.curve, unknown, {}) == "" and seen(charts.curve, CURVE.clear(), {}) == ""


def test_a_forest_says_highest_lowest_and_which_intervals_are_off() -> None:
    assert seen(charts.forest, FOREST.with_columns(label=pl.lit("x")), {}) == (
        "Highest: x, seat 1, 53 %; lowest: x, seat 0, 47 %. Intervals off fair: x, seat 0 and x, seat 1."
    )
    calm = FOREST.with_columns(low=pl.lit(0.4), high=pl.lit(0.6))
    assert seen(charts.forest, calm, {"fair": "target"}).endswith("Every interval reaches target.")
    off = FOREST.with_columns(low=pl.lit(0.55), high=pl.lit(0.6))
    assert seen(charts.forest, off, {}).endswith("No interval reaches fair.")


def test_other_charts_say_their_highest_and_lowest_in_their_own_form() -> None:
    assert seen(charts.bars, RATINGS, {}) == "Highest: a, +25.5; lowest: b, −12.0."
    assert seen(charts.heat, HEAT, {}) == "Highest: a and seat 0, 61 %; lowest: a and seat 1, 20 %."
    assert seen(charts.dots, RANKED, {}).startswith("Highest: as printed, 56 %; lowest: draw three, 46 %.")
    assert seen(charts.skill_curve, ERRS, {}) == "A: falls from 100 % at 0 % to 30 % at 40 %."
    assert seen(charts.fan, FAN, {}).startswith("Winner: rises from 20 at 1 to 40 at 3.")


def test_a_field_that_is_left_white_is_neither_the_highest_nor_the_lowest() -> None:
    shaded = HEAT.with_columns(shade=pl.when(pl.col("share") > 0.3).then("share"))
    assert seen(charts.heat, shaded, {}) == "A and seat 0, 61 %."
    assert seen(charts.heat, HEAT.with_columns(shade=pl.lit(None)), {}) == ""


def test_a_drawing_of_another_name_says_nothing() -> None:
    assert seen(lambda paper, table: None, CURVE, {}) == ""


def test_a_ranking_is_told_in_the_form_in_which_it_is_drawn() -> None:
    points = RANKED.with_columns(value=100 * pl.col("value") - 40, low=None, high=None)
    message = seen(charts.dots, points, {"form": "{:.1f}"})
    most, least = points["value"].max(), points["value"].min()
    assert re.findall(r"(\d+\.\d)(?! %)", message) == [f"{most:.1f}", f"{least:.1f}"] and "%" not in message
    assert "56.0 %" in seen(charts.dots, RANKED, {"form": "{:.1%}"})
