"""Few games of people beside many simulated ones: which simulated players remain possible."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simkit.stats.quantiles import Floats

Codes = NDArray[np.int64]  # [game, column]: results of games; MISSING where people noted none
MISSING = -1
SMOOTHING = 1.0  # games spread over all codes (Perks), so that no result of people is impossible


def fits(
    groups: Sequence[tuple[Codes, Sequence[Codes]]], draws: int = 999, seed: int = 1
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return how well simulated players fit; those with p > 0.05 remain possible.

    groups: games of people, and of each player, at one setting. Results: mean log-loss [player, column], its
    sum over games and columns [player], p [player], and leads [draw, player]: log-likelihood ratios of random
    series of the best player. A player predicts a column by its frequencies in half of its games; the others
    calibrate the test. Statistics: the best player's lead over this one, and for each column the distance of
    the log-likelihood from its mean. Formula: permutation test. Series of as many games as people's are drawn
    from people's and the player's together, and the least p-value of the statistics is compared with that of
    each series. So the right player has p ≤ 0.05 in about 5 % of cases. Source: Westfall & Young 1993,
    Resampling-Based Multiple Testing, section 2.3.

    >>> heads, tails = np.array([[0], [0], [0], [0], [1]] * 9), np.array([[1], [1], [1], [1], [0]] * 9)
    >>> (fits([(heads[:20], [heads, tails])])[2] > 0.05).tolist()
    [True, False]
    """
    rng, series = np.random.default_rng(seed), [np.zeros(())] * len(groups[0][1])  # by player tested
    for people, simulated in groups:
        size = 1 + max(int(games.max()) for games in [people, *simulated])
        halves = [[np.bincount(codes, minlength=size) for codes in games[::2].T] for games in simulated]
        counts = np.array(halves) + SMOOTHING / size
        logs = np.log(counts / counts.sum(axis=2, keepdims=True))
        for player, games in enumerate(simulated):
            series[player] = series[player] + _sums(people, games[1::2], logs, draws, rng)
    noted, total = sum((people != MISSING).sum(axis=0) for people, _ in groups), -series[0][0].sum(axis=1)
    p = np.array([_p_value(sums, player) for player, sums in enumerate(series)])
    totals = series[total.argmin()][1:].sum(axis=2)
    leads = totals[:, [total.argmin()]] - totals
    return -series[0][0] / np.where(noted, noted, np.nan), total, p, leads


def _sums(people: Codes, simulated: Codes, logs: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return sums [series, player, column] over people's games, then over random games of both."""
    noted, n = people != MISSING, len(people)
    filled = np.where(noted, people, simulated[rng.integers(len(simulated), size=n)])
    scores = logs[:, np.arange(people.shape[1]), np.concatenate([filled, simulated])]
    picks = [rng.choice(scores.shape[1], n, replace=False) for _ in range(draws)]
    return np.array([np.einsum("pgc,gc->pc", scores[:, rows], noted) for rows in [np.arange(n), *picks]])


def _p_value(sums: Floats, player: int) -> float:
    """Return the p-value of a player from sums [series, player, column]; series 0 is people's."""
    totals, own = sums.sum(axis=2), sums[:, player]
    distance = np.abs(own - own.mean(axis=0))
    statistics = np.round(np.column_stack([totals.max(axis=1) - totals[:, player], distance]), 9)
    ranks = [np.searchsorted(np.sort(-column), -column, side="right") for column in statistics.T]
    return float(np.mean(np.min(ranks, axis=0) <= np.min(ranks, axis=0)[0]))
