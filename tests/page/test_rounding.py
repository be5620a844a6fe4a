"""Sentences, tables and pictures round alike: to the nearest, halves away from zero."""

from __future__ import annotations

import re
from fractions import Fraction

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.cli.commands import plan
from simkit.formatting import rounded
from simkit.page import charts
from simkit.page.columns import gap, points
from simkit.page.document.tables import format_value
from simkit.page.terminal import verdict_of
from simkit.page.words.numbers import about, games_of_100, in_words, roughly, whole
from simkit.questions.plan import Need

HALVES = st.integers(1, 198).filter(lambda count: count % 2)  # of 200 games


def nearest(exact: Fraction) -> int:
    """The whole number next to one, of two the farther from zero."""
    away = int(abs(exact) + Fraction(1, 2))
    return away if exact > 0 else -away


@given(st.integers(-4000, 4000), st.integers(1, 4000))
def test_a_share_of_games_is_told_as_the_nearest_whole_percent(won: int, games: int) -> None:
    share = won / games
    assert int(whole(share).replace("−", "-")) == nearest(Fraction(100 * won, games))


@given(HALVES)
def test_halves_go_up_wherever_a_share_is_shown(won: int) -> None:
    share, up = won / 200, f"{(won + 1) // 2}"
    assert whole(share) == up
    assert games_of_100(share, share).split()[0] == ("more" if won == 199 else up)
    assert format_value(share, "{:.0%}") == f"{up} %"


@settings(max_examples=10)  # each draws a picture
@given(st.integers(1, 1998).filter(lambda count: count % 2))
def test_halves_go_up_in_a_table_and_in_a_picture(won: int) -> None:
    share, up = won / 2000, f"{(won + 1) // 2 / 10:.1f}"
    drawn = charts.picture(
        "row", charts.forest, pl.DataFrame([{"label": "a", "value": share}]), form="{:.1%}"
    )
    assert f">{up} %<" in drawn.svg()
    assert format_value(share, "{:.1%}") == f"{up} %"
    assert [format_value(share, gap), format_value(share, points), format_value(-share, points)] == [
        up,
        f"+{up}",
        f"−{up}",
    ]


@given(st.integers(-(10**6), 10**6), st.integers(0, 3))
def test_rounding_keeps_order_and_goes_no_farther_than_half_a_digit(thousandths: int, digits: int) -> None:
    value = thousandths / 1000
    assert abs(rounded(value, digits) - value) <= 0.5 * 10**-digits + 1e-9
    assert rounded(-value, digits) == -rounded(value, digits)


@given(st.integers(1, 10**7))
def test_deals_that_would_do_are_told_as_about_so_many(deals: int) -> None:
    text = verdict_of({"verdict": "NOT SETTLED", "needed": deals})
    match = re.fullmatch(r"NOT SETTLED \(([\d,]+)\)", text)
    assert match and deals <= int(match[1].replace(",", "")) <= 1.1 * deals + 1


def test_a_plan_tells_whole_deals_in_two_digits() -> None:
    need = Need("FAIR, at the edge", 12_345, verdict="FAIR", most=23_456)
    assert plan._deals_in_words(need) == "FAIR after about 13,000 deals (24,000 in 95 % of runs) at the edge"


def test_numbers_of_deals_are_rounded_up_to_two_digits_and_small_counts_are_words() -> None:
    assert [about(deals) for deals in (12_345, 950, 15_001)] == [13_000, 950, 16_000]
    assert (roughly(12_345), in_words(3), in_words(13)) == ("13,000", "three", "13")
