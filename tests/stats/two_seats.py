"""Games of two seats as results to rate, and standard errors over deals from the scores of single games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.plackett_luce import Ratings, clustered, plackett_luce

OUTCOMES = ([1, 2], [1, 1], [2, 1])  # ranks of the two seats: the first wins, a tie, the second wins


def bradley_terry(
    strategies: Sequence[str],
    first: ArrayLike,
    second: ArrayLike,
    wins_first: ArrayLike,
    ties: ArrayLike,
    wins_second: ArrayLike,
    deals: ArrayLike | None = None,
    **keys: Any,
) -> Ratings:
    """first[row], second[row]: strategies in seats 0 and 1; wins_first, ties, wins_second, deals [row]."""
    pairs = np.stack([np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)], axis=-1)
    games = np.stack([np.asarray(part, dtype=np.float64) for part in (wins_first, ties, wins_second)], axis=1)
    seated, ranks = np.repeat(pairs, 3, axis=0), np.tile(np.array(OUTCOMES), (len(pairs), 1))
    fit = plackett_luce(strategies, seated, ranks, games.ravel(), **keys)
    return fit if deals is None else over_deals(fit, np.repeat(np.asarray(deals), 3), games.ravel())


def over_deals(fit: Ratings, deals: ArrayLike, counts: ArrayLike | None = None) -> Ratings:
    """The ratings with standard errors over deals; deals[row], counts[row] of the results."""
    games = np.ones(len(fit.scores)) if counts is None else np.asarray(counts, dtype=np.float64)
    numbers, which = np.unique(np.asarray(deals)[games > 0], return_inverse=True)
    sums = np.zeros((numbers.size, fit.scores.shape[1]))
    np.add.at(sums, which, (games[:, np.newaxis] * fit.scores)[games > 0])
    return clustered(fit, sums.T @ sums, numbers.size)
