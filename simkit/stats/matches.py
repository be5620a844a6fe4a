"""Matches of two strategies at tables of k seats, deal by deal: score, Elo, the sequential test.

A deal is played in all rotations; at tables of three or more with each strategy alone against a table of the
other. The score of a deal is 1/2 + (mean share of the first alone − mean share of the second alone)/2: with
two seats the points per game of a seat-swapped pair, whose five results are the pentanomial counts.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats import sprt, stages
from simkit.stats.deals import share_from_moments
from simkit.stats.quantiles import Floats
from simkit.stats.stages import Estimate, Walk

MIN_POINTS = 20  # points of the side with fewer, below which a test stops at its first analysis


class Counts(NamedTuple):
    """Number of deals with each score: points[v], ascending from 0 to 1, and deals[v]; games of each deal."""

    points: Floats
    deals: Floats
    games: int = 2

    @property
    def score(self) -> float:
        """Mean score of a deal."""
        return float(self.points @ self.deals / self.deals.sum())

    @property
    def variance(self) -> float:
        """Variance of the score of a deal (divisor D)."""
        return float(self.deals @ (self.points - self.score) ** 2 / self.deals.sum())


def counted(scores: ArrayLike, deals: ArrayLike, seats: int) -> Counts:
    """Count deals by score, over all 2k + 1 multiples of 1/(2k) and the scores in between that occurred.

    Errors: ValueError for scores outside 0 to 1 or no deals.

    >>> counted([0.5, 1.0], [3, 1], seats=2)
    Counts(points=array([0.  , 0.25, 0.5 , 0.75, 1.  ]), deals=array([0., 0., 3., 0., 1.]), games=2)
    """
    values, frequencies = np.asarray(scores, np.float64).round(9), np.asarray(deals, np.float64)
    if not values.size or values.min() < 0 or values.max() > 1 or not frequencies.sum() > 0:
        raise ValueError("scores from 0 to 1 of at least one deal are needed")
    grid = np.linspace(0, 1, 2 * seats + 1).round(9)
    points, indices = np.unique(np.concatenate([grid, values]), return_inverse=True)
    numbers = np.bincount(indices[grid.size :], frequencies, points.size).astype(np.float64)
    return Counts(points, numbers, games=2 if seats == 2 else 2 * seats)


def classes(counts: Counts, seats: int) -> list[int]:
    """Return the number of deals at each of the 2k + 1 multiples of 1/(2k); others count at the nearest.

    >>> classes(counted([0.5, 0.6, 1.0], [3, 1, 1], seats=2), 2)
    [0, 0, 4, 0, 1]
    """
    indices = np.rint(counts.points * 2 * seats).astype(int)
    return [int(count) for count in np.bincount(indices, counts.deals, 2 * seats + 1)]


def llr(counts: Counts, elos: tuple[float, float], parties: int, normalized: bool = False) -> float:
    """Return the log-likelihood ratio of the second Elo difference to the first: `sprt.log_likelihood_ratio`.

    parties: sides that win together, or seats that play for themselves. Normalised Elo: of the ratio; if all
    deals have the same score, and so no deviation, as logistic.

    >>> golden = Counts(np.linspace(0, 1, 5), np.array([365, 16618, 36229, 16974, 390.0]))
    >>> round(llr(golden, (0, 2), 2, normalized=True), 4)
    2.2504
    """
    ends = scores_of_test(counts, elos, parties, normalized)
    of_ratio = normalized and counts.variance > 0
    if of_ratio:
        ends = [(score - 0.5) / math.sqrt(counts.variance) for score in ends]
    return sprt.log_likelihood_ratio(counts.points, counts.deals, ends, of_ratio)


def scores_of_test(
    counts: Counts, elos: Sequence[float], parties: int, normalized: bool = False
) -> list[float]:
    """Return the scores of a deal at the two Elo differences of a test."""
    if normalized and counts.variance > 0:
        return [0.5 + elo * normalized_unit(counts) for elo in elos]
    return [sprt.score_of_elo(elo, parties) for elo in elos]


def normalized_unit(counts: Counts) -> float:
    """Return the score above 1/2 that one normalised Elo is worth in these deals.

    Formula: σ ln 10 / 800, σ² the variance of a deal's score times its games (2 at a table of two, 2k at one
    of k). Source: Van den Bergh, "Normalized Elo".

    >>> golden = Counts(np.linspace(0, 1, 5), np.array([379, 10170, 21828, 10640, 343.0]))
    >>> round((golden.score - 0.5) / normalized_unit(golden), 2)
    3.05
    """
    return math.sqrt(counts.variance * counts.games) / sprt.PER_UNIT


def fixed(counts: Counts, games: int) -> Estimate:
    """Return the mean score with its 95 % interval for a fixed number of deals: `deals.share_from_moments`.

    >>> [round(x, 3) for x in fixed(counted([0.0, 0.5, 1.0], [100, 200, 100], 2), games=800)]
    [0.5, 0.465, 0.535]
    """
    n = int(counts.deals.sum())
    sample = counts.variance * n / max(1, n - 1)
    share = share_from_moments(counts.score, sample, n, games, off=n - int(counts.deals.max()))
    return Estimate(*share[:3])


def stopped(counts: Counts, analyses: list[int], scores: Sequence[float], games: int) -> Estimate:
    """Return the score with its 95 % interval after a test that stopped at the last of these analyses.

    scores: the two that the test decides between. Formula: `stages.stagewise`; if fewer than
    MIN_POINTS points were won, or lost, or all deals have the same score, as `fixed`.

    >>> counts = counted([0.0, 0.5, 1.0], [40, 100, 60], 2)
    >>> [round(x, 3) for x in stopped(counts, [200], scores_of_test(counts, (0, 40), 2), games=400)]
    [0.55, 0.501, 0.599]
    """
    n = float(counts.deals.sum())
    if n * min(counts.score, 1 - counts.score) < MIN_POINTS or not counts.variance > 0:
        return fixed(counts, games)
    low, high = scores
    slope = (high - low) / counts.variance
    walk = Walk(analyses, *sprt.sprt_bounds(), slope, (low + high) / 2, counts.variance)
    estimate = stages.stagewise(walk, counts.score)
    return Estimate(*(min(1.0, max(0.0, end)) for end in estimate))
