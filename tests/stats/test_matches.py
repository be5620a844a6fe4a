"""Matches at tables of two and more: scores of deals, Elo, the published log-likelihood ratio."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.stats import matches, sprt
from simkit.stats.matches import Counts

GOLDEN = Counts(np.linspace(0, 1, 5), np.array([223, 9863, 21279, 10037, 246.0]))


def test_two_seats_have_the_ratio_and_the_elo_that_the_field_publishes() -> None:
    assert matches.llr(GOLDEN, (0.5, 2.5), 2) == pytest.approx(-3.0741, abs=5e-5)
    long = Counts(GOLDEN.points, np.array([379, 10170, 21828, 10640, 343.0]))
    score, low, high = matches.fixed(long, games=2 * 43360)
    assert sprt.elo_of_score(score) == pytest.approx(1.5946, abs=5e-4)
    half = (sprt.elo_of_score(high) - sprt.elo_of_score(low)) / 2
    assert half == pytest.approx(1.2087, rel=2e-3)  # Wilson's form, where theirs is Wald's


def test_two_seats_have_the_normalised_ratio_and_elo_that_the_field_publishes() -> None:
    published = Counts(GOLDEN.points, np.array([365, 16618, 36229, 16974, 390.0]))
    long = Counts(GOLDEN.points, np.array([379, 10170, 21828, 10640, 343.0]))
    assert matches.llr(published, (0, 2), 2, normalized=True) == pytest.approx(2.2504, abs=5e-5)
    assert matches.llr(long, (0, 2), 2, normalized=True) == pytest.approx(2.9455, abs=5e-5)
    assert (long.score - 0.5) / matches.normalized_unit(long) == pytest.approx(3.05, abs=5e-3)
    assert matches.scores_of_test(long, (0, 3.05), 2, normalized=True)[1] == pytest.approx(
        long.score, abs=1e-5
    )


def test_a_deal_of_three_seats_is_six_games_to_normalised_elo() -> None:
    """Each alone in each seat: of independent games the deviation of one is that of a deal times the root."""
    expected = matches.counted([0.4, 0.6], [50, 50], seats=3)
    assert 0.1 / matches.normalized_unit(expected) == pytest.approx(sprt.PER_UNIT / 6**0.5)


def test_deals_that_are_all_even_decide_against_a_lead_in_normalised_elo_too() -> None:
    expected = matches.counted([0.5], [200], seats=2)
    assert matches.llr(expected, (0.0, 10.0), 2, normalized=True) < -3


@given(st.floats(-800, 800), st.integers(2, 10))
def test_score_and_elo_are_each_others_inverse_at_every_table(elo: float, seats: int) -> None:
    score = sprt.score_of_elo(elo, seats)
    assert sprt.elo_of_score(score, seats) == pytest.approx(elo, abs=1e-4)
    assert sprt.score_of_elo(-elo, seats) == pytest.approx(1 - score)


def test_at_a_table_of_two_it_is_the_logistic_elo() -> None:
    for elo in (-300.0, 0.0, 12.5, 400.0):
        assert sprt.score_of_elo(elo) == pytest.approx(1 / (1 + 10 ** (-elo / 400)))


def test_at_a_table_of_three_one_who_is_ten_times_as_strong_wins_ten_of_twelve() -> None:
    """And one as weak alone against two such 1 of 21: odds of Plackett and Luce."""
    assert sprt.score_of_elo(400, seats=3) == pytest.approx(0.5 + (10 / 12 - 1 / 21) / 2)


def test_scores_between_the_multiples_stay_what_they_are_and_are_shown_at_the_nearest() -> None:
    expected = matches.counted([1 / 3, 0.5, 0.55], [2, 3, 4], seats=3)
    assert expected.score == pytest.approx((2 / 3 + 1.5 + 2.2) / 9)
    assert matches.classes(expected, 3) == [0, 0, 2, 7, 0, 0, 0]


def test_a_match_won_by_nearly_all_has_the_interval_of_a_share() -> None:
    expected = matches.counted([0.5, 1.0], [3, 197], seats=2)
    first = matches.stopped(expected, [200], matches.scores_of_test(expected, (0, 10), 2), games=400)
    assert first == matches.fixed(expected, 400) and first.low < first.value < first.high < 1


def test_a_match_in_which_every_deal_is_even_has_an_interval_too() -> None:
    """As of two strategies that never differ: who sits first decides, and a pair of games is always shared."""
    expected = matches.counted([0.5], [200], seats=2)
    assert matches.llr(expected, (0.0, 10.0), 2) < -3
    first = matches.stopped(expected, [200], matches.scores_of_test(expected, (0, 10), 2), games=400)
    assert first.low < first.value == 0.5 < first.high


@pytest.mark.parametrize("wrong", [([], []), ([1.2], [3]), ([0.5], [0])])
def test_what_is_no_score_is_refused(wrong: tuple[list[float], list[int]]) -> None:
    with pytest.raises(ValueError, match="scores from 0 to 1"):
        matches.counted(*wrong, seats=2)
