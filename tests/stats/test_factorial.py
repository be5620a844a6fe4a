"""Designs of many options at once have the properties that make effects readable; planted effects are found."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.stats import factorial


@pytest.mark.parametrize(("options", "runs"), [(4, 16), (5, 16), (7, 16), (8, 32), (15, 32), (16, 64)])
def test_a_design_has_twice_as_many_runs_as_the_next_power_of_two(options: int, runs: int) -> None:
    assert len(factorial.screening_design(options)) == runs


@given(st.integers(1, 60))
def test_main_effects_are_clear_of_each_other_and_of_pairs_and_run_0_is_all_low(options: int) -> None:
    design = factorial.screening_design(options)
    both, which = factorial.with_pairs(design)
    ones, pairs = both[:, :options].astype(int), both[:, options:].astype(int)
    assert (ones.T @ ones == len(design) * np.eye(options)).all() and not ones.sum(axis=0).any()
    assert not (ones.T @ pairs).any() and (design[0] == -1).all()
    assert len(np.unique(design, axis=0)) == len(design) and len(which) == options * (options + 1) // 2


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=3), st.floats(-5, 5))
def test_of_all_combinations_every_main_effect_and_pair_is_found_exactly(
    ones: list[float], two: float
) -> None:
    design = factorial.all_combinations(3).astype(float)
    truth = design @ np.array(ones) / 2 + two / 2 * design[:, 0] * design[:, 1]
    columns, which = factorial.with_pairs(factorial.all_combinations(3))
    values = truth[:, None] + np.array([[0.0, 1.0, 4.0]])  # the luck of a deal is common to all runs
    result = factorial.effects(factorial.balanced(columns), values, tests=6)
    assert np.allclose(result.effect, [*ones, two, 0, 0]) and np.allclose(result.high - result.low, 0)
    assert which[3:] == list(itertools.combinations(range(3), 2))


def test_the_chemical_pilot_plant_of_box_hunter_and_hunter_has_the_effects_in_the_book() -> None:
    """Statistics for Experimenters, 2nd ed., table 5.1: temperature 23, concentration −5, catalyst 1.5, TK 10."""
    yields = np.array([60, 72, 54, 68, 52, 83, 45, 80], float)  # temperature fastest, then concentration
    rows = factorial.all_combinations(3)[:, ::-1]  # temperature, concentration, catalyst
    columns, which = factorial.with_pairs(rows)
    result = factorial.effects(factorial.balanced(columns), np.stack([yields, yields], axis=1), tests=6)
    of = dict(zip(which, result.effect.round(6).tolist(), strict=True))
    assert (of[0,], of[1,], of[2,]) == (23, -5, 1.5)
    assert (of[0, 1], of[0, 2], of[1, 2]) == (1.5, 10, 0)


def test_each_option_by_itself_is_compared_with_run_0() -> None:
    values = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 3.0]])
    result = factorial.effects(factorial.one_by_one(2), values, tests=2)
    assert result.effect.tolist() == [2.0, 0.0] and result.low[0] == result.high[0] == 2.0


def test_all_intervals_hold_together_in_95_of_100_screens_however_unequal_the_runs() -> None:
    luck, design = np.random.default_rng(1), factorial.screening_design(7)
    spread, held = np.linspace(0.2, 3, len(design))[:, None], 0
    for _ in range(1000):
        values = luck.normal(0, 1, (len(design), 40)) * spread + luck.exponential(1, (1, 40))
        result = factorial.effects(factorial.balanced(design), values, tests=7)
        held += bool(((result.low <= 0) & (result.high >= 0)).all())
    assert 935 <= held <= 985


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1))
def test_nothing_is_said_only_within_the_margin_and_matters_only_beyond_it(
    low: float, width: float, margin: float
) -> None:
    message, high = factorial.kind(low, low + width, margin), low + width
    assert (message == factorial.MATTERS) == (low > margin or high < -margin)
    assert (message == factorial.NOTHING) == (-margin <= low and high <= margin)


@pytest.mark.parametrize(
    ("weights", "values", "tests"),
    [([[1.0]], [[1.0]], 1), ([[1.0]], [[1.0, 2.0], [1.0, 2.0]], 1), ([[1.0]], [[1.0, 2.0]], 0)],
)
def test_effects_refuse_what_they_cannot_tell(weights: list, values: list, tests: int) -> None:
    with pytest.raises(ValueError, match="two deals"):
        factorial.effects(weights, values, tests)
    with pytest.raises(ValueError, match="an option or more"):
        factorial.screening_design(0)
