"""How often intervals hold the truth: many small runs are drawn from known laws, not played, and the
intervals counted.

What is promised at 95 % stands in simkit/verify/validate/promise.md, and for each kind of interval in KINDS; the
ranges for some and few deals were measured with 2,000 to 20,000 replications (spreads: 400).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from simkit.stats.deals import difference_from_moments, joint_level, mean_from_moments, wilson
from simkit.stats.spread import equality_p_value, largest_gap
from simkit.stats.sprt import elo_of_score
from tests.stats.by_deal import paired_difference, seat_covariance, seat_intervals, share_interval

Floats = NDArray[np.float64]
Covered = Callable[
    [np.random.Generator, float, int, float], bool
]  # (rng, share, deals, level): one small run
Range = tuple[float, float]
Exact = Callable[[float, int], float]  # (share, deals) -> coverage at 95 %

LARGE, SOME = 100, 5  # expected deals with the rarer result
TINY = 1e-12  # probabilities not worth adding


class Kind(NamedTuple):
    """A kind of interval in a setting: one small run, and between what its coverage lies at 95 %.

    Wins are whole numbers, so that coverage jumps from one number of deals to the next, the more the fewer
    results are rare; the wider ranges for some and few say how far, at shares from .02 to .5 and 20 deals or
    more.
    """

    covered: Covered
    some: Range = (0.94, 0.96)  # 5 to 100 deals with the rarer result are expected
    few: Range = (0.94, 0.96)  # fewer than 5
    large: Range = (0.94, 0.96)
    exact: Exact | None = None  # instead of the ranges


def coverage(
    kind: str, share: float, deals: int, replications: int = 2_000, seed: int = 1, level: float = 0.95
) -> float:
    """The part of so many small runs in which the interval holds the truth.

    kind: one of KINDS. share: of the seat or strategy looked at. deals: of each small run.
    Formula: mean of 1{low ≤ truth ≤ high}; its standard error is √(c(1 − c)/replications), 0.005 at 2,000 and
    95 %.
    Source: Burton, Altman, Royston & Holder 2006, Stat. Med. 25, 4279-4292, section 5.3. Errors: ValueError
    for an unknown kind, fewer than 2 deals, a share outside 0 to 1.

    >>> 0.92 < coverage("share of single games", 0.5, 40, replications=500) < 0.98
    True
    """
    if kind not in KINDS or deals < 2 or not 0 < share < 1:
        raise ValueError(
            f"one of {list(KINDS)}, 2 deals or more and a share within 0 to 1 are needed, not {kind}, {deals} and {share}"
        )
    rng = np.random.default_rng([seed, deals, round(1e6 * share), *kind.encode()])
    return sum(KINDS[kind].covered(rng, share, deals, level) for _ in range(replications)) / replications


def promised(kind: str, share: float, deals: int) -> Range:
    """Between what the coverage lies at 95 %, by how many deals with the rarer result are expected.

    Formula: the range of `Kind` for deals × min(share, 1 − share), or the exact coverage, where results can
    be enumerated, twice.
    Source: measured, 2,000 to 20,000 replications each; Brown, Cai & DasGupta 2001, Stat. Sci. 16, 101-133
    (enumeration). Errors: ValueError for an unknown kind.

    >>> promised("share over 3 rotations", 0.5, 1000)
    (0.94, 0.96)
    >>> [round(x, 4) for x in promised("share of single games", 0.5, 100)]
    [0.9431, 0.9431]
    """
    if kind not in KINDS:
        raise ValueError(f"one of {list(KINDS)} is needed, not {kind}")
    of, rarer = KINDS[kind], deals * min(share, 1 - share)
    if of.exact is not None:
        result = of.exact(share, deals)
        return result, result
    return of.large if rarer >= LARGE else of.some if rarer >= SOME else of.few


def allowance(replications: int) -> float:
    """How far luck may take a coverage found from the true one: three standard errors at 95 %.

    Formula: 3 √(.95 × .05 / replications). Source: as `coverage`.

    >>> round(allowance(2_000), 4)
    0.0146
    """
    return 3 * math.sqrt(0.95 * 0.05 / replications)


# Coverage that can be computed: the probabilities of all results whose interval holds the truth, added up.


def exact_share(share: float, games: int) -> float:
    """Of Wilson's interval at 95 % over single games. Formula: Σ of the binomial probabilities of the counts
    whose interval holds the share.

    >>> round(exact_share(0.5, 100), 4)
    0.9431
    """
    from scipy.stats import binom

    return float(binom.pmf(np.arange(games + 1), games, share) @ _holding(share, games, 0.95))


def exact_joint(shares: Floats, games: int) -> float:
    """Of all seat shares together at 95 %, over single games. Formula: the multinomial sum, seat by seat as
    binomials of what is left.

    >>> round(exact_joint(np.full(3, 1 / 3), 100), 3)
    0.95
    """
    from scipy.stats import binom

    each, rest, left = joint_level(shares.size), 1.0, np.zeros(games + 1)
    left[games] = 1.0  # probability that so many games are won by the seats to come, all before being held
    for share in shares[:-1]:
        holds, after = _holding(share, games, each), np.zeros(games + 1)
        for count in np.flatnonzero(left):
            won = np.arange(count + 1)
            after[count - won] += (
                left[count] * binom.pmf(won, count, min(1.0, share / rest)) * holds[: count + 1]
            )
        left, rest = after, rest - share
    return float(left @ _holding(shares[-1], games, each))


def exact_paired(gain: float, share: float, deals: int, ties: float = 0.9) -> float:
    """Of a paired difference at 95 %, over deals of one play under two rule sets with normal luck of that
    correlation.

    Formula: Σ over the numbers of deals won under one rule set only, and under the other only, of their
    trinomial probabilities.

    >>> round(exact_paired(0.0, 0.5, 100), 2)
    0.96
    """
    from scipy.stats import binom, multivariate_normal

    ends = [float(special.ndtri(x)) for x in (share + gain, share)]
    both = float(multivariate_normal(cov=[[1, ties], [ties, 1]]).cdf(ends))
    up, down = share + gain - both, share - both
    total = 0.0
    for more in range(deals + 1):
        if (outer := float(binom.pmf(more, deals, up))) > TINY:
            lost = np.arange(deals - more + 1)
            inner = binom.pmf(lost, deals - more, down / (1 - up))
            likely = np.flatnonzero(inner > TINY)
            total += outer * sum(float(inner[x]) for x in likely if _pair_holds(gain, more, int(x), deals))
    return total


def _pair_holds(gain: float, more: int, less: int, deals: int) -> bool:
    mean = (more - less) / deals
    variance = max(0.0, (more + less - deals * mean**2) / (deals - 1))
    result = difference_from_moments(mean, variance, 0.5, deals, 1.0)
    return result.low <= gain <= result.high


def _holding(share: float, games: int, level: float) -> Floats:
    """For each number of games won: 1 if Wilson's interval holds the share, else 0."""
    ends = [wilson(won / games, games, level) for won in range(games + 1)]
    return np.array([float(low <= share <= high) for low, high in ends])


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
    """Results of one strategy over the rotations of each deal [deal, play]: normal luck with that
    correlation, cut at the share.
    """
    ties = np.full((plays, plays), alike) + (1 - alike) * np.eye(plays)
    luck = rng.standard_normal((deals, plays)) @ np.linalg.cholesky(ties).T
    return np.asarray(luck < special.ndtri(share), dtype=np.float64)


def winners(
    rng: np.random.Generator, shares: Floats, deals: int, plays: int = 1, alike: float = 0.0
) -> Floats:
    """Seat shares of each deal [deal, seat]: in each of its plays the winner is drawn anew, or with chance
    `alike` that of the first.
    """
    picks = np.searchsorted(np.cumsum(shares)[:-1], rng.random((deals, plays)), side="right")
    picks = np.where(rng.random((deals, plays)) < alike, picks[:, :1], picks)
    return np.asarray((picks[:, :, None] == np.arange(shares.size)).mean(axis=1))


def unequal(share: float, seats: int) -> Floats:
    """Seat 0 with the share, the others equal."""
    return np.array([share] + [(1 - share) / (seats - 1)] * (seats - 1))


# What is looked at: one small run, and whether its interval holds the truth.


def _share(values: Floats, share: float, plays: int, level: float) -> bool:
    result = share_interval(values, plays, level)
    return result.low <= share <= result.high


def _plain(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    return _share(single_games(rng, share, deals), share, 1, level)


def _drawn(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    return _share(games_with_draws(rng, share, deals), share, 1, level)


def _rotations(plays: int, alike: float) -> Covered:
    return lambda rng, share, deals, level: _share(
        rotated(rng, share, deals, plays, alike).mean(axis=1), share, plays, level
    )


def _seats(seats: int, plays: int = 1, alike: float = 0.0) -> Covered:
    def covered(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
        truth = unequal(share, seats)
        result = seat_intervals(winners(rng, truth, deals, plays, alike), plays, level)
        return all(first.low <= true <= first.high for first, true in zip(result, truth, strict=True))

    return covered


def _mean(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    """Scores, whatever the share: gamma with skewness 1."""
    shape = 4.0
    seen = rng.gamma(shape, size=deals)
    result = mean_from_moments(float(seen.mean()), float(seen.var(ddof=1)), deals, level)
    return result.low <= shape <= result.high


def _paired(gain: float, plays: int) -> Covered:
    """The same luck under two rule sets, the second with the share `gain` higher; ties of .9 between the two."""

    def covered(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
        common, own = rng.standard_normal((2, deals, plays))
        base = common < special.ndtri(share)
        other = 0.9 * common + math.sqrt(1 - 0.9**2) * own < special.ndtri(share + gain)
        result = paired_difference(other.mean(axis=1), base.mean(axis=1), 1.0, level, plays)
        return result.low <= gain <= result.high

    return covered


def _gap(seats: int, fair: bool) -> Covered:
    def covered(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
        shares = unequal(1 / seats if fair else share, seats)
        gap = largest_gap(seat_covariance(winners(rng, shares, deals, 2, 0.3)), level)
        return gap.low - 1e-12 <= np.ptp(shares) <= gap.high + 1e-12

    return covered


def _equality(seats: int) -> Covered:
    """The p-value of a fair game: above 1 − level as often as the level says."""

    def covered(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
        return (
            equality_p_value(seat_covariance(winners(rng, unequal(1 / seats, seats), deals, 2, 0.3)))
            >= 1 - level
        )

    return covered


def _elo_of_share(rng: np.random.Generator, share: float, deals: int, level: float) -> bool:
    """As reports tell it: the Elo of the limits of the share."""
    result = share_interval(rotated(rng, share, deals, 2, 0.0).mean(axis=1), 2, level)
    return elo_of_score(result.low) <= elo_of_score(share) <= elo_of_score(result.high)


KINDS: dict[str, Kind] = {
    "share of single games": Kind(_plain, exact=exact_share),
    "share of games with draws": Kind(_drawn, (0.935, 0.97), (0.93, 0.98)),
    "share over 2 rotations, alike": Kind(_rotations(2, 0.5), (0.935, 0.985), (0.935, 1.0)),
    "share over 2 rotations, opposite": Kind(_rotations(2, -0.6), (0.935, 0.985), (0.935, 1.0)),
    "share over 3 rotations": Kind(_rotations(3, 0.3), (0.935, 0.985), (0.935, 1.0)),
    "all shares of 2 seats": Kind(_seats(2), exact=exact_share),
    "all shares of 3 seats": Kind(
        _seats(3), exact=lambda share, deals: exact_joint(unequal(share, 3), deals)
    ),
    "all shares of 4 seats": Kind(
        _seats(4), exact=lambda share, deals: exact_joint(unequal(share, 4), deals)
    ),
    "all shares of 3 seats, rotated": Kind(_seats(3, 3, 0.3), (0.94, 0.97), (0.945, 0.98)),
    "difference on the same deals, none": Kind(
        _paired(0.0, 1), exact=lambda share, deals: exact_paired(0.0, share, deals)
    ),
    "difference on the same deals, 10 points": Kind(
        _paired(0.1, 1), exact=lambda share, deals: exact_paired(0.1, share, deals)
    ),
    "difference on the same deals, rotated": Kind(_paired(0.1, 2), (0.94, 0.965), (0.925, 0.96)),
    "mean score": Kind(_mean, (0.935, 0.96), (0.935, 0.96)),
    "largest gap of 3 seats": Kind(_gap(3, False), (0.925, 0.98), (0.94, 0.995), large=(0.935, 0.965)),
    "largest gap of 3 seats, fair game": Kind(_gap(3, True), (0.935, 0.975), (0.935, 0.98)),
    "largest gap of 4 seats": Kind(_gap(4, False), (0.915, 0.975), (0.94, 1.0), large=(0.93, 0.965)),
    "equality of 3 seats": Kind(_equality(3), (0.92, 0.96), (0.92, 0.96)),
    "equality of 4 seats": Kind(_equality(4), (0.92, 0.96), (0.92, 0.96)),
    "Elo of the share": Kind(_elo_of_share, (0.935, 0.985), (0.94, 1.0)),
}
