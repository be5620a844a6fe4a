"""A match of two strategies at tables of k seats, deal by deal: score, Elo, the sequential test.

A deal is played in all rotations; at tables of three and more with each strategy alone against a table of the
other. Its score is 1/2 + (mean share of the one alone − mean share of the other alone)/2: of two seats the
points per game of a seat-swapped pair, whose five results are the pentanomial counts.
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


class Counts(NamedTuple):
    """How many deals had which score: points[v], rising from 0 to 1, and deals[v]."""

    points: Floats
    deals: Floats

    @property
    def score(self) -> float:
        return float(self.points @ self.deals / self.deals.sum())

    @property
    def variance(self) -> float:
        return float(self.deals @ (self.points - self.score) ** 2 / self.deals.sum())


def counted(scores: ArrayLike, deals: ArrayLike, seats: int) -> Counts:
    """Scores of deals with their numbers, on all 2k + 1 multiples of 1/(2k) and those in between that came.

    Errors: ValueError for scores outside 0 to 1 or no deals.

    >>> counted([0.5, 1.0], [3, 1], seats=2)
    Counts(points=array([0.  , 0.25, 0.5 , 0.75, 1.  ]), deals=array([0., 0., 3., 0., 1.]))
    """
    seen, many = np.asarray(scores, np.float64).round(9), np.asarray(deals, np.float64)
    if not seen.size or seen.min() < 0 or seen.max() > 1 or not many.sum() > 0:
        raise ValueError("scores from 0 to 1 of at least one deal are needed")
    grid = np.linspace(0, 1, 2 * seats + 1).round(9)
    points, places = np.unique(np.concatenate([grid, seen]), return_inverse=True)
    return Counts(points, np.bincount(places[grid.size :], many, points.size).astype(np.float64))


def classes(known: Counts, seats: int) -> list[int]:
    """The deals of each of the 2k + 1 multiples of 1/(2k), those in between (shared wins) at the nearest.

    >>> classes(counted([0.5, 0.6, 1.0], [3, 1, 1], seats=2), 2)
    [0, 0, 4, 0, 1]
    """
    places = np.rint(known.points * 2 * seats).astype(int)
    return [int(many) for many in np.bincount(places, known.deals, 2 * seats + 1)]


def llr(known: Counts, elos: tuple[float, float], seats: int, normalized: bool = False) -> float:
    """The log-likelihood ratio of the second Elo difference to the first: `sprt.llr_of_scores`.

    Of normalised Elo `sprt.llr_of_ratios`; where all deals have one score, and so no deviation, as logistic.

    >>> golden = Counts(np.linspace(0, 1, 5), np.array([223, 9863, 21279, 10037, 246.0]))
    >>> round(llr(golden, (0.5, 2.5), 2), 4)
    -3.0741
    >>> golden = Counts(np.linspace(0, 1, 5), np.array([365, 16618, 36229, 16974, 390.0]))
    >>> round(llr(golden, (0, 2), 2, normalized=True), 4)
    2.2504
    """
    scores = scores_of_test(known, elos, seats, normalized)
    if normalized and known.variance > 0:
        ratios = ((score - 0.5) / math.sqrt(known.variance) for score in scores)
        return sprt.llr_of_ratios(known.points, known.deals, *ratios)
    return sprt.llr_of_scores(known.points, known.deals, *scores)


def scores_of_test(known: Counts, elos: Sequence[float], seats: int, normalized: bool = False) -> list[float]:
    """Return the scores of a deal at the two Elo differences of a test."""
    if normalized and known.variance > 0:
        return [0.5 + elo * normalized_unit(known, seats) for elo in elos]
    return [sprt.score_of_elo(elo, seats) for elo in elos]


def normalized_unit(known: Counts, seats: int) -> float:
    """Return the score above 1/2 that one normalised Elo is worth in these deals.

    Formula: σ ln 10 / 800, σ² the variance of a deal's score times its games (2 at a table of two, 2k at one
    of k). Source: Van den Bergh, "Normalized Elo".

    >>> golden = Counts(np.linspace(0, 1, 5), np.array([379, 10170, 21828, 10640, 343.0]))
    >>> round((golden.score - 0.5) / normalized_unit(golden, 2), 2)
    3.05
    """
    return math.sqrt(known.variance * (2 if seats == 2 else 2 * seats)) / sprt.PER_UNIT


def fixed(known: Counts, games: int) -> Estimate:
    """The mean score with its 95 % interval, the number of deals being fixed: `deals.share_from_moments`.

    >>> [round(x, 3) for x in fixed(counted([0.0, 0.5, 1.0], [100, 200, 100], 2), games=800)]
    [0.5, 0.465, 0.535]
    """
    n = int(known.deals.sum())
    sample = known.variance * n / max(1, n - 1)
    found = share_from_moments(known.score, sample, n, games, off=n - int(known.deals.max()))
    return Estimate(*found[:3])


def stopped(known: Counts, looks: list[int], scores: Sequence[float], games: int) -> Estimate:
    """The score and its 95 % interval after a test that stopped at the last of the looks: `stages.stagewise`.

    scores: that the test decides between. Where fewer than `sprt.FEW` points were won, or lost, or all deals
    have one score, as `fixed`: such a test stops at its first look.

    >>> known = counted([0.0, 0.5, 1.0], [40, 100, 60], 2)
    >>> [round(x, 3) for x in stopped(known, [200], scores_of_test(known, (0, 40), 2), games=400)]
    [0.55, 0.501, 0.599]
    """
    n = float(known.deals.sum())
    if n * min(known.score, 1 - known.score) < sprt.FEW or not known.variance > 0:
        return fixed(known, games)
    low, high = scores
    slope = (high - low) / known.variance
    walk = Walk(looks, *sprt.sprt_bounds(), slope, (low + high) / 2, known.variance)
    found = stages.stagewise(walk, known.score)
    return Estimate(*(min(1.0, max(0.0, end)) for end in found))
