"""e-LOND and its e-values: levels that add up to the budget, and evidence that is worth at most 1 if it is false."""

import math

import numpy as np
import pytest
from scipy import stats

from simkit.stats import online_testing
from simkit.stats.online_testing import level, log_evidence_against_range
from simkit.stats.sequences import at_every_look, log_evidence
from tests.stats.gate_histories import HIGH, false_alarms, gated


def test_levels_without_rejections_add_up_to_the_budget() -> None:
    spent = sum(level(test, 0) for test in range(1, 100_000))
    assert spent == pytest.approx(0.05 * (1 - 1 / math.log2(100_001)))


def test_a_rejection_raises_later_levels_in_proportion() -> None:
    assert level(9, 2) == pytest.approx(3 * level(9, 0))
    assert level(10, 2) < level(9, 2)


def test_tests_are_counted_from_one() -> None:
    with pytest.raises(ValueError, match="from 1"):
        level(0, 0)


@pytest.mark.parametrize("mean", [0.3, 0.35, 0.42, 0.5])
@pytest.mark.parametrize("games", [5, 40, 400])
def test_the_expected_e_value_of_a_true_range_is_at_most_one(mean: float, games: int) -> None:
    wins = np.arange(games + 1)
    evidence = log_evidence_against_range([0, 1], np.stack([games - wins, wins], axis=-1), 0.3, 0.5)
    assert stats.binom.pmf(wins, games, mean) @ np.exp(evidence) <= 1 + 1e-9


def test_a_range_that_holds_every_mean_is_never_refuted() -> None:
    assert log_evidence_against_range([0, 1], [0, 100], 0.0, 1.0) == -math.inf


def test_normal_evidence_reaches_twenty_where_the_confidence_sequence_ends() -> None:
    for deals in (200, 3_000, 50_000):
        away = at_every_look(deals) * math.sqrt(2.5 / deals)
        assert log_evidence(away, 2.5, deals) == pytest.approx(math.log(20))
    assert log_evidence(0, 2.5, 200) < 0


def test_values_that_do_not_vary_refute_only_other_means() -> None:
    assert log_evidence(1, 0, 500) == math.inf
    assert log_evidence(0, 0, 500) < 0


def test_at_most_five_percent_of_histories_of_sound_rules_have_a_claim_called_broken() -> None:
    assert false_alarms(HIGH, histories=200, changes=20) <= 0.05


def test_three_points_beyond_the_limit_are_called_broken() -> None:
    broken, games = gated(HIGH + 0.03, np.full(50, level(26, 0)), np.random.default_rng(1))
    assert broken.mean() > 0.9
    assert np.median(games) <= 16_000


def test_the_budget_is_five_percent() -> None:
    assert online_testing.ALPHA == 0.05
