"""Playtests: people who play like a simulated player are rarely told from it, others soon are."""

import numpy as np
import pytest

from simkit.stats.playtests import MISSING, fits
from tests.stats import playtest_fits

RIGHT, CLOSE, FAR = 0.5, 0.55, 0.9


def games(chance: float, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return games with a winner of this chance and a length that goes with it."""
    winner = rng.random(count) < chance
    return np.column_stack([winner, np.minimum(rng.poisson(6 * chance, count) + winner, 9)]).astype(int)


def p_values(count: int, series: int) -> np.ndarray:
    """Return the p-values of three players in series of games that are played like the first."""
    rng = np.random.default_rng(count)
    rows = []
    for seed in range(series):
        simulated = [games(chance, 300, rng) for chance in (RIGHT, CLOSE, FAR)]
        rows.append(fits([(games(RIGHT, count, rng), simulated)], draws=99, seed=seed)[2])
    return np.array(rows)


@pytest.mark.parametrize("count", [10, 30])
def test_the_right_player_has_a_small_p_value_as_seldom_as_it_says(count: int) -> None:
    p = p_values(count, 200)
    for level in (0.05, 0.2):  # 3 standard errors
        assert (p[:, 0] <= level).mean() < level + 3 * np.sqrt(level * (1 - level) / 200)
    assert (p[:, 2] <= 0.05).mean() > (0.5 if count == 10 else 0.95)


def test_one_game_rules_out_nobody_for_whom_it_is_usual() -> None:
    rng = np.random.default_rng(1)
    simulated = [games(chance, 1_000, rng) for chance in (RIGHT, CLOSE)]
    people = np.array([[1, 4]])
    assert (fits([(people, simulated)])[2] > 0.05).all()


def test_columns_that_people_never_noted_change_nothing() -> None:
    rng = np.random.default_rng(2)
    simulated, people = [games(chance, 400, rng) for chance in (RIGHT, FAR)], games(RIGHT, 30, rng)
    people[:, 1] = MISSING
    loss, total, p, leads = fits([(people, simulated)], seed=3)
    only = fits([(people[:, :1], [part[:, :1] for part in simulated])], seed=3)
    assert (
        np.isnan(loss[:, 1]).all()
        and np.allclose(loss[:, :1], only[0], atol=0.02)
        and np.allclose(total, only[1], atol=0.5)
    )
    assert np.allclose(leads.mean(axis=0), only[3].mean(axis=0), atol=1.0) and (p > 0.05).tolist() == [
        True,
        False,
    ]


def test_some_gaps_leave_the_right_player_possible_and_log_losses_are_of_noted_games() -> None:
    rng = np.random.default_rng(4)
    simulated, people = [games(chance, 2_000, rng) for chance in (RIGHT, FAR)], games(RIGHT, 40, rng)
    people[::2, 0] = MISSING
    loss, total, p, _ = fits([(people, simulated)])
    assert loss[0, 0] == pytest.approx(np.log(2), abs=0.05)
    assert total[0] == pytest.approx(20 * loss[0, 0] + 40 * loss[0, 1])
    assert (p > 0.05).tolist() == [True, False]


def test_settings_add_up() -> None:
    rng = np.random.default_rng(5)
    simulated = [games(chance, 400, rng) for chance in (RIGHT, CLOSE)]
    people = games(RIGHT, 20, rng)
    halves = fits([(people[:10], simulated), (people[10:], simulated)])
    assert np.allclose(halves[1], fits([(people, simulated)])[1])


def test_a_result_that_no_player_ever_had_rules_out_all() -> None:
    rng = np.random.default_rng(6)
    simulated = [games(chance, 2_000, rng) for chance in (RIGHT, CLOSE)]
    people = games(RIGHT, 10, rng)
    people[0, 0] = 2
    assert (fits([(people, simulated)])[2] <= 0.05).all()


@pytest.mark.slow
@pytest.mark.parametrize("size", playtest_fits.SIZES)
def test_exact_intervals_hold_the_share_and_the_right_player_stays_possible(size: int) -> None:
    covered, possible, best, left = np.mean(list(playtest_fits.tallies("pig", size, 160, pool=4_000)), axis=0)
    error = 3 * np.sqrt(0.05 * 0.95 / 160)
    assert covered > 0.95 - error and possible > 0.95 - error
    assert best > 0.9 and left < 1.5
