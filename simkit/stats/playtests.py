"""Few games of people beside many simulated ones: which simulated players remain possible."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.stats.quantiles import Floats

ERROR = 0.05  # chance that the right player is ruled out
Codes = NDArray[np.int64]  # [game, column]: places of results in the grids; MISSING where people noted none
# Games of people and of each player at one setting, and the bin of each place of the grid [column].
Group = tuple[Codes, list[Codes], list[Codes]]
MISSING = -1
SMOOTHING = 1.0  # games spread over all bins (Perks), so that no result of people is impossible
BINS = np.linspace(0, 1, 13)[1:-1]  # quantiles of simulated numbers that part the bins of a prediction
QUANTILES = np.linspace(0, 1, 201)  # of numbers with more values than these: the grid of a distance


class Fits(NamedTuple):
    """How well simulated players fit people's games."""

    loss: Floats  # mean log-loss of the prediction [player, column]; nan where nothing is noted
    p: Floats  # of the test that people play like this player [player]
    order: list[int]  # players, the possible ones (p > ERROR) first, then by log-loss of all games
    leads: Floats  # log-likelihood ratios of the best player to each, in its random series [series, player]


def fits(groups: Sequence[tuple[Floats, Sequence[Floats]]], draws: int = 999, seed: int = 1) -> Fits:
    """Return how well simulated players fit; those with p > ERROR remain possible.

    groups: results of people, and of each player, at one setting [game, column], nan where not noted. The
    first column is a code (of who wins), the others are numbers. A player predicts each column by its
    frequencies. Statistics of the test: Pearson's chi-square of the codes (1900, Philos. Mag. 50, 157-175),
    the energy distance 2 ∫ (F − G)² of each number (Székely & Rizzo 2013, J. Stat. Plan. Inference 143,
    1249-1272, section 2), and the likelihood ratio of the best predictor to this player. Formula: permutation
    test. Series of as many games as people's are drawn from people's and the player's together, and the least
    p-value of the statistics is compared with that of each series. So the right player has p ≤ ERROR in about
    5 % of cases. Source: Westfall & Young 1993, Resampling-Based Multiple Testing, section 2.3.

    >>> heads, tails = np.array([[0.0], [0], [0], [0], [1]] * 9), np.array([[1.0], [1], [1], [1], [0]] * 9)
    >>> (fits([(heads[:20], [heads, tails])]).p > 0.05).tolist()
    [True, False]
    """
    rng, players = np.random.default_rng(seed), range(len(groups[0][1]))
    columns = zip(*(np.concatenate([people, *simulated]).T for people, simulated in groups), strict=True)
    grids = [_grid(np.concatenate(parts), place > 0) for place, parts in enumerate(columns)]
    coded = [_codes_of(*group, grids) for group in groups]
    series = [_series(coded, player, grids, draws, rng) for player in players]
    noted = np.sum([(~np.isnan(people)).sum(axis=0) for people, _ in groups], axis=0)
    loss = np.array([part[0] for part in series])
    p = np.array([_p_value(*series[player][1:], player) for player in players])
    order = np.lexsort([loss.sum(axis=1), p <= ERROR]).tolist()
    likelihoods = series[order[0]][2][1:]
    leads = likelihoods[:, order[:1]] - likelihoods
    return Fits(loss / np.where(noted, noted, np.nan), p, order, leads)


def _grid(values: Floats, numbers: bool) -> Floats:
    """Return the noted values in ascending order, or so many quantiles of numbers that take more."""
    grid = np.unique(values[~np.isnan(values)])
    return np.unique(np.quantile(grid, QUANTILES)) if numbers and grid.size > QUANTILES.size else grid


def _codes_of(people: Floats, simulated: Sequence[Floats], grids: Sequence[Floats]) -> Group:
    """Return the games at one setting as places in the grids, and the bin of each place [column]."""
    numbers = zip(grids[1:], np.concatenate(simulated).T[1:], strict=True)
    parted = [np.searchsorted(np.unique(np.quantile(part, BINS)), grid, "right") for grid, part in numbers]
    pairs = [list(zip(grids, games.T, strict=True)) for games in [people, *simulated]]
    own, *others = [np.transpose([np.searchsorted(*pair) for pair in part]) for part in pairs]
    return np.where(np.isnan(people), MISSING, own), others, [np.arange(grids[0].size), *parted]


def _series(
    groups: Sequence[Group], player: int, grids: Sequence[Floats], draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Return people's log-loss [column], distances [series, column], log-likelihoods [series, player].

    Series 0 is people's; the others are drawn from theirs and the player's games together.
    """
    loss, excess, usual = np.zeros(len(grids)), [np.zeros(1) for _ in grids], [np.zeros(1) for _ in grids]
    likelihoods = np.zeros(1)
    for people, simulated, bins in groups:
        noted, own, n = people != MISSING, simulated[player], len(people)
        pool = np.concatenate([np.where(noted, people, own[rng.integers(len(own), size=n)]), own])
        series = np.array([range(n), *(rng.choice(len(pool), n, replace=False) for _ in range(draws))])
        for column, grid in enumerate(grids):
            codes, games = pool[:, column], series[:, noted[:, column]]
            places = codes[games] + grid.size * np.arange(draws + 1)[:, np.newaxis]
            counts = np.bincount(places.ravel(), minlength=grid.size * (draws + 1)).reshape(draws + 1, -1)
            expected = np.bincount(codes, minlength=grid.size) * (games.shape[1] / len(pool))
            excess[column], usual[column] = excess[column] + counts - expected, usual[column] + expected
            logs = [_logs(part[:, column], bins[column]) for part in simulated]
            loss[column] -= counts[0] @ logs[player]
            logs[player] = _logs(codes, bins[column], left_out=1)
            likelihoods = likelihoods + counts @ np.transpose(logs)
    distances = [excess[0] ** 2 @ (1 / np.where(usual[0] > 0, usual[0], np.inf))]
    distances += [excess[c].cumsum(axis=1)[:, :-1] ** 2 @ np.diff(grids[c]) for c in range(1, len(grids))]
    return loss, np.column_stack(distances), likelihoods


def _logs(codes: Codes, bins: Codes, left_out: int = 0) -> Floats:
    """Return log-probabilities of the places of a grid by the frequencies of codes.

    With left_out = 1 each of the codes is predicted by the others.
    """
    size = bins.max(initial=0) + 1
    counts = np.maximum(np.bincount(bins[codes], minlength=size) - left_out, 0) + SMOOTHING / size
    return np.asarray(np.log(counts / (len(codes) - left_out + SMOOTHING))[bins], np.float64)


def _p_value(distances: Floats, likelihoods: Floats, player: int) -> float:
    """Return the p-value of a player; series 0 is people's."""
    statistics = np.column_stack([likelihoods.max(axis=1) - likelihoods[:, player], distances])
    statistics = np.round(statistics / np.maximum(statistics.max(axis=0), 1e-300), 9)
    ranks = [np.searchsorted(np.sort(-column), -column, side="right") for column in statistics.T]
    combined = np.min(ranks, axis=0) + 1e-6 * np.sum(ranks, axis=0)  # the sum breaks ties
    return float(np.mean(combined <= combined[0]))
