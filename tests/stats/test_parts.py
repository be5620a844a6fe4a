"""Parts of the variance of an outcome: against enumeration, against SALib, and how often intervals hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simkit.stats import parts
from simkit.stats.parts import Parts, variance_parts
from tests.everyday import everyday

Outcome = Callable[..., Any]
# Outcomes of factors that are uniform over whole numbers, with how many values each has.
BUILT: dict[str, tuple[Outcome, tuple[int, ...]]] = {
    "three kinds of luck": (lambda s, n, c: 2 * s + n + (c == 2) * 2 * (n % 2) > 6, (4, 6, 3)),
    "two, nothing by itself": (lambda s, n, c: (s + n) % 2 == 0 * c, (4, 6, 3)),
    "three, nothing by itself": (lambda s, n, c: (s + n + c) % 2 == 0, (6, 6, 2)),
    "mostly one": (lambda s, c: s + (c == 0) * 10 > 38, (50, 20)),
}


def exact(outcome: Outcome, sizes: tuple[int, ...]) -> tuple[list[float], list[float]]:
    """alone and total, from all combinations."""
    grid = np.asarray(outcome(*np.meshgrid(*map(np.arange, sizes), indexing="ij")), float)
    axes = range(len(sizes))
    alone = [
        grid.mean(axis=tuple(first for first in axes if first != axis)).var() / grid.var() for axis in axes
    ]
    return alone, [1 - grid.mean(axis=axis).var() / grid.var() for axis in axes]


def plays(rng: np.random.Generator, outcome: Outcome, sizes: tuple[int, ...], deals: int) -> np.ndarray:
    """Both draws of every factor, crossed: the shares of two seats."""
    k, drawn = len(sizes), []
    for axis, size in enumerate(sizes, 1):
        shape = [2 if first == axis else 1 for first in range(k + 1)]
        drawn.append(rng.integers(size, size=(deals, 2)).reshape([deals, *shape[1:]]))
    won = np.broadcast_to(np.asarray(outcome(*drawn), float), (deals, *(2,) * k))
    return np.stack([won, 1 - won], axis=-1)


def numbers(parts: Parts) -> list[float]:
    return [first.share for first in (*parts.alone, *parts.total, parts.together)]


@pytest.mark.parametrize("name", BUILT)
def test_the_parts_are_those_of_all_combinations(name: str) -> None:
    rng = np.random.default_rng(1)
    result = variance_parts(plays(rng, *BUILT[name], deals=40_000))
    alone, total = exact(*BUILT[name])
    assert result is not None
    assert numbers(result) == pytest.approx([*alone, *total, 1 - sum(alone)], abs=0.03)


def test_the_parts_of_the_ishigami_function_are_the_published_ones() -> None:
    """Saltelli et al. 2008, Global Sensitivity Analysis: The Primer, a = 7, b = 0.1."""
    x = np.random.default_rng(2).uniform(-np.pi, np.pi, (3, 40_000, 2))
    first, two, three = x[0][:, :, None, None], x[1][:, None, :, None], x[2][:, None, None, :]
    expected = np.sin(first) + 7 * np.sin(two) ** 2 + 0.1 * three**4 * np.sin(first)
    result = variance_parts(expected[..., None])
    assert result is not None
    assert numbers(result) == pytest.approx([0.314, 0.442, 0.0, 0.558, 0.442, 0.244, 0.244], abs=0.015)


@pytest.mark.proof("stats")
@pytest.mark.parametrize(("deals", "least"), [(100, 0.88), (400, 0.925)])
@pytest.mark.parametrize("name", everyday(["mostly one", "three kinds of luck"], 1))
def test_intervals_hold_the_true_part(name: str, deals: int, least: float) -> None:
    """At least 92.5 % of the time from 400 deals on, 88 % with 100, the fewest that a study may have."""
    alone, total = exact(*BUILT[name])
    true, rng = [*alone, *total, 1 - sum(alone)], np.random.default_rng(3)
    held = np.zeros(len(true))
    for _ in range(800):
        result = variance_parts(plays(rng, *BUILT[name], deals=deals))
        assert result is not None
        every = (*result.alone, *result.total, result.together)
        held += [first.low <= part <= first.high for first, part in zip(every, true, strict=True)]
    assert (held / 800).min() >= least


def test_estimates_of_few_deals_have_no_bias_but_where_they_are_cut_off_at_nothing() -> None:
    rng, built = np.random.default_rng(4), BUILT["three kinds of luck"]
    results = [
        numbers(first) for _ in range(1000) if (first := variance_parts(plays(rng, *built, deals=100)))
    ]
    alone, total = exact(*built)
    middle = np.mean(results, axis=0)
    assert middle[[0, 1]] == pytest.approx(alone[:2], abs=0.01)
    assert middle[3:6] == pytest.approx(total, abs=0.01)
    assert middle[6] == pytest.approx(1 - sum(alone), abs=0.01)


def test_what_hangs_on_all_factors_at_once_is_estimated_near_1_and_its_interval_holds_1() -> None:
    """Luck that makes a part of one factor negative makes up for luck that makes another positive."""
    rng, built = np.random.default_rng(7), BUILT["three, nothing by itself"]
    results = [first.together for _ in range(400) if (first := variance_parts(plays(rng, *built, deals=400)))]
    assert np.mean([first.share for first in results]) > 0.955
    assert np.mean([first.high == 1 for first in results]) > 0.95


def test_a_part_that_is_1_but_for_rounding_has_an_interval() -> None:
    sums = np.array([0.2, 0.3, 0.1]), np.array([0.1, 0.2, 0.3])
    assert 1 - 1e-15 < sums[0].sum() / sums[1].sum() < 1
    assert parts._part(*sums, level=0.95, near_end=True).high == pytest.approx(1)


def test_a_factor_that_changes_nothing_has_nothing_and_the_only_one_that_does_has_all() -> None:
    rng = np.random.default_rng(5)
    expected = plays(rng, lambda s, c: s > 1 + 0 * c, (4, 3), deals=150)
    result = variance_parts(expected)
    assert result is not None
    assert (result.alone[0].share, result.total[0].share, result.alone[1].share) == (1, 1, 0)
    assert result.alone[1].high == result.total[1].high == result.together.high == 1 - result.alone[0].low > 0


def test_means_of_groups_of_deals_are_no_luck() -> None:
    """Strategies that change places every other deal: who sits where decides much, and is no luck."""
    rng = np.random.default_rng(6)
    groups = np.arange(20_000) % 2
    rare = [
        plays(rng, outcome, (10, 10), 20_000) for outcome in (lambda s, c: s + c > 12, lambda s, c: s + c > 4)
    ]
    mixed = np.where(groups[:, None, None, None] == 0, *rare)
    separate = [variance_parts(first) for first in rare]
    result, pooled = variance_parts(mixed, groups), variance_parts(mixed)
    assert result is not None and pooled is not None and separate[0] is not None and separate[1] is not None
    between = sorted(first.alone[0].share for first in separate if first)
    assert between[0] - 0.02 < result.alone[0].share < between[1] + 0.02
    assert pooled.together.share < result.together.share


def test_what_never_varies_has_no_parts() -> None:
    assert variance_parts(np.ones((50, 2, 2, 1))) is None


@pytest.mark.parametrize("shape", [(50, 1), (50, 3, 1), (1, 2, 1)])
def test_other_designs_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="two draws of one factor or more"):
        variance_parts(np.zeros(shape))
