"""Two seats: strategies and the first seat rated from wins, ties and losses; the Plackett-Luce model with two seats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.plackett_luce import Ratings, plackett_luce

OUTCOMES = ([1, 2], [1, 1], [2, 1])  # ranks of the two seats: the first wins, a tie, the second wins


def bradley_terry(
    strategies: Sequence[str],
    first: ArrayLike,
    second: ArrayLike,
    wins_first: ArrayLike,
    ties: ArrayLike,
    wins_second: ArrayLike,
    deals: ArrayLike | None = None,
    *,
    seat_effects: bool = True,
    prior: float | None = None,
) -> Ratings:
    """Strengths of strategies and the effect of the seat in games of two, by maximum likelihood, with standard errors.

    first[row], second[row]: index of the strategy in seat 0 and seat 1; wins_first, ties, wins_second [row]: games.
    deals[row]: the deal, where games on one deal are not independent (then a row holds the games of one deal).
    `seat_effects`, `prior`: as `plackett_luce`.

    Formula: with d = λ_first − λ_second − σ (σ: seat 1 above seat 0), the chances of win : tie : loss are e^(d/2) : ν : e^(−d/2).
    Without ties this is Bradley-Terry with a home advantage. Errors and intervals: `plackett_luce`, `ratings`, `rating_difference`,
    `seat_ratings` (whose seat 1 is minus the advantage of the first seat).
    Source: Bradley & Terry 1952, Biometrika 39, 324-345; Davidson 1970, J. Am. Stat. Assoc. 65, 317-328; home advantage: Agresti
    2002, Categorical Data Analysis, 2nd ed., section 10.6. Davidson & Beaver 1977, Biometrics 33, 693-702, let the seat shift wins
    against ties as well; here it adds to the strength of who sits there, so that ties are likeliest between equals, seat included,
    and the model is the same as with more seats. Rao & Kupper's model of ties is not used: it has no form for more seats.
    Units: log odds. Errors: ValueError as `plackett_luce`, and for arrays of different length.

    >>> fit = bradley_terry(["a", "b"], [0, 1], [1, 0], [60, 40], [0, 0], [40, 60])
    >>> float(fit.estimate[1].round(3)), fit.orders  # b against a: log(40/60), no ties
    (-0.405, [])
    """
    columns = [np.asarray(part, dtype=np.float64) for part in (wins_first, ties, wins_second)]
    pairs = np.stack([np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)], axis=-1)
    if pairs.ndim != 2 or any(part.shape != pairs.shape[:1] for part in columns):
        raise ValueError("first, second, wins_first, ties and wins_second need one number per row each")
    seated = np.repeat(pairs, 3, axis=0)
    ranks = np.tile(np.array(OUTCOMES), (len(pairs), 1))
    games, tripled = (
        np.stack(columns, axis=1).ravel(),
        None if deals is None else np.repeat(np.asarray(deals), 3),
    )
    return plackett_luce(strategies, seated, ranks, games, tripled, seat_effects=seat_effects, prior=prior)
