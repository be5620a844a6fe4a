"""How often each kind of interval holds the truth: many small runs are drawn from a known law, not played, and the intervals counted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from simkit.stats.deals import mean_from_moments, paired_difference, pentanomial, seat_covariance, seat_intervals, share_interval
from simkit.stats.proportions import newcombe
from simkit.stats.spread import deviation, equality_p_value, largest_gap
from simkit.stats.sprt import PER_UNIT, elo_logistic, elo_normalized, elo_of_score

Floats = NDArray[np.float64]
Covered = Callable[[np.random.Generator, float, int, float], bool]  # (rng, share, deals, level): one small run
Range = tuple[float, float]

MANY, SOME = 100, 5  # expected deals with the rarer result


class Kind(NamedTuple):
    """A kind of interval in a setting: one small run, and between what its coverage lies at 95 %.

    Wins are whole numbers, so that coverage jumps from one number of deals to the next, the more the fewer results are rare; the wider
    ranges for some and few say how far, at shares from .02 to .5 and 20 deals or more.
    """

    covered: Covered
    some: Range  # 5 to 100 deals with the rarer result are expected
    few: Range  # fewer than 5
    many: Range = (0.94, 0.96)


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
    return sum(KINDS[kind].covered(rng, share, deals, level) for _ in range(replications)) / replications


def promised(kind: str, share: float, deals: int) -> Range:
    """Between what the coverage lies at 95 %, by how many deals with the rarer result are expected.

    Formula: the range of `Kind` for deals × min(share, 1 − share). Source: measured, 3,000 to 20,000 replications each.
    Errors: ValueError for an unknown kind.

    >>> promised("share of single games", 0.5, 1000), promised("share of single games", 0.02, 50)
    ((0.94, 0.96), (0.895, 0.985))
    """
    if kind not in KINDS:
        raise ValueError(f"one of {list(KINDS)} is needed, not {kind}")
    rarer = deals * min(share, 1 - share)
    return KINDS[kind].many if rarer >= MANY else KINDS[kind].some if rarer >= SOME else KINDS[kind].few


def allowance(replications: int) -> float:
    """How far luck may take a coverage found from the true one: three standard errors at 95 %.

    Formula: 3 √(.95 × .05 / replications). Source: as `coverage`.

    >>> round(allowance(2_000), 4)
    0.0146
    """
    return 3 * math.sqrt(0.95 * 0.05 / replications)


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


def _normalised(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    counts = _pairs(rng, share, deals)
    if max(counts) == deals:
        return False  # all pairs ended alike: there is no interval
    found = elo_normalized(counts, level, estimated=True)
    return found.low <= (share - 0.5) / math.sqrt(share * (1 - share)) * PER_UNIT <= found.high


def _pairs(rng: np.random.Generator, share: float, deals: int) -> tuple[int, ...]:
    results = rotated(rng, share, deals, 2, 0.0)
    return pentanomial(results[:, 0], results[:, 1]).counts


KINDS: dict[str, Kind] = {
    "share of single games": Kind(_plain, (0.915, 0.98), (0.895, 0.985)),
    "share of games with draws": Kind(_drawn, (0.935, 0.97), (0.93, 0.98)),
    "share over 2 rotations, alike": Kind(_rotations(2, 0.5), (0.935, 0.965), (0.935, 0.98)),
    "share over 2 rotations, opposite": Kind(_rotations(2, -0.6), (0.935, 0.965), (0.94, 0.98)),
    "share over 3 rotations": Kind(_rotations(3, 0.3), (0.935, 0.965), (0.94, 0.98)),
    "all shares of 2 seats": Kind(_seats(2), (0.915, 0.98), (0.895, 0.985)),
    "all shares of 3 seats": Kind(_seats(3), (0.935, 0.97), (0.92, 0.975)),
    "all shares of 4 seats": Kind(_seats(4), (0.935, 0.975), (0.90, 0.98)),
    "all shares of 3 seats, rotated": Kind(_seats(3, 3, 0.3), (0.94, 0.97), (0.945, 0.98)),
    "difference of independent shares": Kind(_independent, (0.94, 0.965), (0.94, 0.99)),
    "difference of independent shares, rotated": Kind(_independent_rotated, (0.94, 0.965), (0.94, 0.99)),
    "difference on the same deals, none": Kind(_paired(0.0, 1), (0.94, 1.0), (0.98, 1.0), many=(0.94, 0.965)),
    "difference on the same deals, 10 points": Kind(_paired(0.1, 1), (0.94, 0.99), (0.93, 1.0)),
    "difference on the same deals, rotated": Kind(_paired(0.1, 2), (0.94, 0.965), (0.925, 0.96)),
    "mean score": Kind(_mean, (0.935, 0.96), (0.935, 0.96)),
    "largest gap of 3 seats": Kind(_spread(3, False, False), (0.93, 0.98), (0.94, 0.995)),
    "largest gap of 3 seats, fair game": Kind(_spread(3, False, True), (0.96, 0.995), (0.96, 0.995), many=(0.955, 0.99)),
    "largest gap of 4 seats": Kind(_spread(4, False, False), (0.915, 0.975), (0.94, 1.0), many=(0.93, 0.96)),
    "deviation of 3 seats": Kind(_spread(3, True, False), (0.93, 0.98), (0.96, 1.0), many=(0.94, 0.97)),
    "deviation of 3 seats, fair game": Kind(_spread(3, True, True), (0.96, 0.995), (0.96, 0.995), many=(0.955, 0.99)),
    "equality of 3 seats": Kind(_equality(3), (0.92, 0.96), (0.92, 0.96)),
    "equality of 4 seats": Kind(_equality(4), (0.92, 0.96), (0.92, 0.96)),
    "Elo": Kind(_elo, (0.915, 0.965), (0.5, 0.92)),
    "normalised Elo": Kind(_normalised, (0.87, 0.97), (0.48, 0.96)),
}
