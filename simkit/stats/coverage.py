"""How often each kind of interval holds the truth: many small runs are drawn from a known law, not played, and the intervals counted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from simkit.stats.deals import paired_difference, pentanomial, seat_covariance, seat_intervals, share_interval, mean_from_moments
from simkit.stats.proportions import newcombe, wilson
from simkit.stats.spread import deviation, equality_p_value, largest_gap
from simkit.stats.sprt import elo_logistic, elo_normalized, elo_of_score, PER_UNIT

Floats = NDArray[np.float64]
Covered = Callable[[np.random.Generator, float, int, float], bool]  # (rng, share, deals, level): one small run


def coverage(kind: str, share: float, deals: int, replications: int = 2_000, seed: int = 1, level: float = 0.95) -> float:
    """The part of so many small runs in which the interval holds the truth.

    kind: one of KINDS. share: of the seat or strategy looked at. deals: of each small run.
    Formula: mean of 1{low ≤ truth ≤ high}; its standard error is √(c(1 − c)/replications), 0.005 at 2,000 and 95 %.
    Source: Burton, Altman, Royston & Holder 2006, Stat. Med. 25, 4279-4292, section 5.3.
    Errors: ValueError for an unknown kind, fewer than 2 deals, a share outside 0 to 1.

    >>> 0.92 < coverage("share of single games", 0.5, 40, replications=500) < 0.98
    True
    """
    if kind not in KINDS or deals < 2 or not 0 < share < 1:
        raise ValueError(f"one of {list(KINDS)}, 2 deals or more and a share within 0 to 1 are needed, not {kind}, {deals} and {share}")
    rng = np.random.default_rng([seed, deals, round(1e6 * share), *kind.encode()])
    return sum(KINDS[kind](rng, share, deals, level) for _ in range(replications)) / replications


# What happens at the table. Each law gives one small run.


def single_games(rng: np.random.Generator, share: float, deals: int) -> Floats:
    """Won or lost [deal]."""
    return np.asarray(rng.random(deals) < share, dtype=np.float64)


def games_with_draws(rng: np.random.Generator, share: float, deals: int) -> Floats:
    """Won, drawn (a fifth of all games, or twice the rarer result if that is less) or lost [deal]."""
    drawn = min(0.2, share, 1 - share)
    luck = rng.random(deals)
    return np.where(luck < share - drawn / 2, 1.0, np.where(luck < share + drawn / 2, 0.5, 0.0))


def rotated(rng: np.random.Generator, share: float, deals: int, plays: int, alike: float) -> Floats:
    """Results of one strategy over the rotations of each deal [deal, play]: normal luck with that correlation, cut at the share."""
    ties = np.full((plays, plays), alike) + (1 - alike) * np.eye(plays)
    luck = rng.standard_normal((deals, plays)) @ np.linalg.cholesky(ties).T
    return np.asarray(luck < special.ndtri(share), dtype=np.float64)


def winners(rng: np.random.Generator, shares: Floats, deals: int, plays: int = 1, alike: float = 0.0) -> Floats:
    """Seat shares of each deal [deal, seat]: in each of its plays the winner is drawn anew, or with chance `alike` that of the first."""
    picks = np.searchsorted(np.cumsum(shares)[:-1], rng.random((deals, plays)), side="right")
    picks = np.where(rng.random((deals, plays)) < alike, picks[:, :1], picks)
    return np.asarray((picks[:, :, None] == np.arange(shares.size)).mean(axis=1))


def unequal(share: float, seats: int) -> Floats:
    """Seat 0 with the share, the others equal."""
    return np.array([share] + [(1 - share) / (seats - 1)] * (seats - 1))


# What is looked at: one small run, and whether its interval holds the truth.


def _share(values: Floats, share: float, plays: int, level: float) -> bool:
    found = share_interval(values, plays, level)
    return found.low <= share <= found.high


def _plain(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    return _share(single_games(rng, share, deals), share, 1, level)


def _drawn(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    return _share(games_with_draws(rng, share, deals), share, 1, level)


def _rotations(plays: int, alike: float) -> Covered:
    return lambda rng, share, deals, level: _share(rotated(rng, share, deals, plays, alike).mean(axis=1), share, plays, level)


def _seats(seats: int, plays: int = 1, alike: float = 0.0) -> Covered:
    def covered(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
        truth = unequal(share, seats)
        found = seat_intervals(winners(rng, truth, deals, plays, alike), plays, level)
        return all(one.low <= true <= one.high for one, true in zip(found, truth, strict=True))

    return covered


def _mean(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    """Scores, whatever the share: gamma with skewness 1."""
    shape = 4.0
    seen = rng.gamma(shape, size=deals)
    found = mean_from_moments(float(seen.mean()), float(seen.var(ddof=1)), deals, level)
    return found.low <= shape <= found.high


def _independent(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    other = share + 0.1
    a, b = single_games(rng, other, deals), single_games(rng, share, deals)
    low, high = newcombe(float(a.mean()), deals, float(b.mean()), deals, level)
    return low <= other - share <= high


def _independent_rotated(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    other = share + 0.1
    a = share_interval(rotated(rng, other, deals, 2, 0.5).mean(axis=1), 2, level)
    b = share_interval(rotated(rng, share, deals, 2, 0.5).mean(axis=1), 2, level)
    low, high = newcombe(a.share, a.effective, b.share, b.effective, level)
    return low <= other - share <= high


def _paired(gain: float, plays: int) -> Covered:
    """The same luck under two rule sets, the second with the share `gain` higher; ties of .9 between the two."""

    def covered(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
        common, own = rng.standard_normal((2, deals, plays))
        base = common < special.ndtri(share)
        other = 0.9 * common + math.sqrt(1 - 0.9**2) * own < special.ndtri(share + gain)
        found = paired_difference(other.mean(axis=1), base.mean(axis=1), 1.0, level, plays)
        return found.low <= gain <= found.high

    return covered


def _spread(seats: int, rms: bool, fair: bool) -> Covered:
    def covered(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
        shares = unequal(1 / seats if fair else share, seats)
        truth = float(shares.std() if rms else np.ptp(shares))
        known = seat_covariance(winners(rng, shares, deals, 2, 0.3))
        found = deviation(known, level) if rms else largest_gap(known, level)
        return found.low - 1e-12 <= truth <= found.high + 1e-12

    return covered


def _equality(seats: int) -> Covered:
    """The p-value of a fair game: above 1 − level as often as the level says."""

    def covered(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
        return equality_p_value(seat_covariance(winners(rng, unequal(1 / seats, seats), deals, 2, 0.3))) >= 1 - level

    return covered


def _elo(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    found = elo_logistic(_pairs(rng, share, deals), level)
    return found.low <= elo_of_score(share) <= found.high


def _normalised(estimated: bool) -> Covered:
    def covered(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
        counts = _pairs(rng, share, deals)
        if max(counts) == deals:
            return False  # all pairs ended alike: there is no interval
        found = elo_normalized(counts, level, estimated)
        return found.low <= (share - 0.5) / math.sqrt(share * (1 - share)) * PER_UNIT <= found.high

    return covered


def _pairs(rng: np.random.Generator, share: float, deals: int) -> tuple[int, ...]:
    results = rotated(rng, share, deals, 2, 0.0)
    return pentanomial(results[:, 0], results[:, 1]).counts


KINDS: dict[str, Covered] = {
    "share of single games": _plain,
    "share of games with draws": _drawn,
    "share over 2 rotations, alike": _rotations(2, 0.5),
    "share over 2 rotations, opposite": _rotations(2, -0.6),
    "share over 3 rotations": _rotations(3, 0.3),
    "all shares of 2 seats": _seats(2),
    "all shares of 3 seats": _seats(3),
    "all shares of 4 seats": _seats(4),
    "all shares of 3 seats, rotated": _seats(3, 3, 0.3),
    "difference of independent shares": _independent,
    "difference of independent shares, rotated": _independent_rotated,
    "difference on the same deals, none": _paired(0.0, 1),
    "difference on the same deals, 10 points": _paired(0.1, 1),
    "difference on the same deals, rotated": _paired(0.1, 2),
    "mean score": _mean,
    "largest gap of 3 seats": _spread(3, False, False),
    "largest gap of 3 seats, fair game": _spread(3, False, True),
    "largest gap of 4 seats": _spread(4, False, False),
    "deviation of 3 seats": _spread(3, True, False),
    "deviation of 3 seats, fair game": _spread(3, True, True),
    "equality of 3 seats": _equality(3),
    "equality of 4 seats": _equality(4),
    "Elo": _elo,
    "normalised Elo": _normalised(True),
    "normalised Elo, deviation taken as known": _normalised(False),
}
