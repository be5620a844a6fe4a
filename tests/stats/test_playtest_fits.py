"""Playtests: people who play like a simulated player are rarely told from it, others soon are."""

import numpy as np
import pytest
from scipy import stats

from simkit.stats.playtests import ERROR, fits
from tests.stats import playtest_fits

RIGHT, CLOSE, FAR = 0.5, 0.55, 0.9


def games(chance: float, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return games with a winner of this chance and a length that goes with it."""
    winner = rng.random(count) < chance
    return np.column_stack([winner, np.minimum(rng.poisson(6 * chance, count) + winner, 9)]).astype(float)


def p_values(count: int, series: int) -> np.ndarray:
    """Return the p-values of three players in series of games that are played like the first."""
    rng = np.random.default_rng(count)
    rows = []
    for seed in range(series):
        simulated = [games(chance, 300, rng) for chance in (RIGHT, CLOSE, FAR)]
        rows.append(fits([(games(RIGHT, count, rng), simulated)], draws=99, seed=seed).p)
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
    people = np.array([[1.0, 4.0]])
    assert (fits([(people, simulated)]).p > ERROR).all()


def test_columns_that_people_never_noted_change_nothing() -> None:
    rng = np.random.default_rng(2)
    simulated, people = [games(chance, 400, rng) for chance in (RIGHT, FAR)], games(RIGHT, 30, rng)
    people[:, 1] = np.nan
    result = fits([(people, simulated)], seed=3)
    only = fits([(people[:, :1], [part[:, :1] for part in simulated])], seed=3)
    assert np.isnan(result.loss[:, 1]).all() and np.array_equal(result.loss[:, :1], only.loss)
    assert np.array_equal(result.leads, only.leads) and np.array_equal(result.p, only.p)
    assert (result.p > ERROR).tolist() == [True, False]


def test_some_gaps_leave_the_right_player_possible_and_log_losses_are_of_noted_games() -> None:
    rng = np.random.default_rng(4)
    simulated, people = [games(chance, 2_000, rng) for chance in (RIGHT, FAR)], games(RIGHT, 40, rng)
    people[::2, 0] = np.nan
    result = fits([(people, simulated)])
    assert result.loss[0, 0] == pytest.approx(np.log(2), abs=0.05)
    assert (result.p > ERROR).tolist() == [True, False]


def test_settings_add_up() -> None:
    rng = np.random.default_rng(5)
    simulated = [games(chance, 400, rng) for chance in (RIGHT, CLOSE)]
    people = games(RIGHT, 20, rng)
    halves = fits([(people[:10], simulated), (people[10:], simulated)])
    assert np.allclose(halves.loss, fits([(people, simulated)]).loss)


def test_results_that_no_player_ever_had_rule_out_all() -> None:
    rng = np.random.default_rng(6)
    simulated = [games(chance, 2_000, rng) for chance in (RIGHT, CLOSE)]
    for column, odd in ((0, 2), (1, 1_000)):  # a seat that never won; a length beyond all
        people = games(RIGHT, 10, rng)
        people[0, column] = odd
        assert (fits([(people, simulated)]).p <= ERROR).all()


def test_possible_players_come_first() -> None:
    rng = np.random.default_rng(7)
    lengths, winner = rng.integers(1, 40, (2_000, 1)), rng.integers(0, 2, (2_000, 1))
    usual, even = np.hstack([winner, lengths]), np.hstack([winner, np.full((2_000, 1), 20)])
    people = np.hstack([rng.integers(0, 2, (30, 1)), np.full((30, 1), 20)])
    result = fits([(people.astype(float), [usual.astype(float), even.astype(float)])])
    assert result.order == [1, 0] and (result.p > ERROR).tolist() == [False, True]


def test_numbers_are_compared_by_the_energy_distance_and_codes_by_chi_square() -> None:
    rng, series = np.random.default_rng(8), 20
    p_values, energy, chi_square = [], [], []
    for seed in range(series):
        people, simulated = (rng.poisson(20 + 2 * (n < 99), (n, 1)).astype(float) for n in (20, 400))
        flat = [np.hstack([np.zeros_like(part), part]) for part in (people, simulated)]
        codes = [part % 3 for part in (people, simulated)]
        p_values.append([fits([(a, [b])], draws=199, seed=seed).p[0] for a, b in (flat, codes)])
        pool = np.concatenate([people, simulated])[:, 0]
        random = [rng.permutation(pool) for _ in range(199)]
        distances = [stats.energy_distance(part[:20], part[20:]) for part in [pool, *random]]
        energy.append(np.mean(np.array(distances) >= distances[0] - 1e-12))
        table = [np.bincount(part[:, 0].astype(int), minlength=3) for part in codes]
        chi_square.append(stats.chi2_contingency(table, correction=False).pvalue)
    of_numbers, of_codes = np.transpose(p_values)
    assert np.abs(of_numbers - energy).max() < 0.15 and np.corrcoef(of_numbers, energy)[0, 1] > 0.95
    assert np.abs(of_codes - chi_square).max() < 0.15 and np.corrcoef(of_codes, chi_square)[0, 1] > 0.95


@pytest.mark.parametrize(("people", "count"), [((0.5, 0.45, 0.05), 200), ((0.0, 1.0, 0.0), 100)])
def test_who_wins_rules_a_player_out_as_surely_as_a_chi_square_test(
    people: tuple[float, ...], count: int
) -> None:
    assert playtest_fits.ruled_out(people, count, 20) == (1, 1)


@pytest.mark.slow
@pytest.mark.proof("stats")
@pytest.mark.parametrize("size", [5, 30])
def test_exact_intervals_hold_the_share_and_the_right_player_stays_possible(size: int) -> None:
    tallies = list(playtest_fits.tallies("pig", size, 160, pool=4_000))
    covered, possible, gaps, best, left = np.mean(tallies, axis=0)
    error = 3 * np.sqrt(0.05 * 0.95 / 160)
    assert min(covered, possible, gaps) > 0.95 - error
    assert best > 0.85 and left < 2
