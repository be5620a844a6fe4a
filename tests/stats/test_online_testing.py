"""e-LOND: levels that add up to the budget, and gates that keep it."""

import math

import numpy as np
import pytest

from simkit.stats import online_testing
from simkit.stats.online_testing import level
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


def test_at_most_five_percent_of_histories_of_sound_rules_have_a_claim_called_broken() -> None:
    assert false_alarms(HIGH, histories=200, changes=20) <= 0.05


def test_three_points_beyond_the_limit_are_called_broken() -> None:
    broken, games = gated(HIGH + 0.03, np.full(50, level(26, 0)), np.random.default_rng(1))
    assert broken.mean() > 0.9
    assert np.median(games) <= 16_000


def test_the_budget_is_five_percent() -> None:
    assert online_testing.ALPHA == 0.05
