"""Intervals of means of values from 0 to 1: exact for wins, draws and losses, Clopper and Pearson's without."""

import numpy as np
import pytest
from scipy import stats

from simkit.stats.bounded import mean_interval
from tests.stats import draws


@pytest.mark.parametrize(
    ("won", "of"), [(0, 1), (1, 1), (7, 10), (0, 30), (30, 30), (1, 500), (4_000, 10_000)]
)
def test_wins_and_losses_have_the_interval_of_clopper_and_pearson(won: int, of: int) -> None:
    assert mean_interval((0, 1), (of - won, won)) == pytest.approx(
        tuple(stats.binomtest(won, of).proportion_ci()), abs=1e-6
    )


@pytest.mark.parametrize("games", [1, 3, 10])
def test_each_end_misses_the_share_of_wins_and_half_the_draws_in_at_most_2_5_percent(games: int) -> None:
    assert max(draws.errors(games)) <= 0.025


def test_draws_narrow_the_interval_as_they_lessen_the_variance() -> None:
    low, high = mean_interval((0, 0.5, 1), (102, 162, 236))
    error = np.sqrt(np.repeat([0, 0.5, 1], (102, 162, 236)).var() / 500)
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.04)
    wins_alone = mean_interval((0, 1), (183, 317))
    assert high - low < 0.83 * (wins_alone[1] - wins_alone[0])


def test_shares_of_three_are_values_as_others() -> None:
    low, high = mean_interval((0, 1 / 3, 0.5, 1), (10, 2, 3, 4))
    dirichlet = np.random.default_rng(1).dirichlet([10, 2, 3, 4, 1], 200_000)
    assert high == pytest.approx(np.quantile(dirichlet @ [0, 1 / 3, 0.5, 1, 1], 0.975), abs=2e-3)
    assert 0 < low < high


@pytest.mark.parametrize(("values", "counts"), [((0, 2), (1, 1)), ((0, 1), (0, 0)), ((-1, 1), (1, 1))])
def test_other_values_and_no_games_are_refused(values: tuple[float, ...], counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="values from 0 to 1 of one game or more are needed"):
        mean_interval(values, counts)


@pytest.mark.parametrize("chances", [(0.5, 0.0, 0.5), (0.1, 0.8, 0.1)])
def test_as_many_more_games_as_are_named_narrow_the_interval_to_ten_points(
    chances: tuple[float, ...],
) -> None:
    halves = draws.widths_after(chances, 12, 30)
    assert np.median(halves) < 0.1 and (halves < 0.11).mean() > 0.9
