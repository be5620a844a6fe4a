"""Verdicts FAIR, BORDERLINE, UNFAIR: claims with a stated error rate at every analysis, over all cells.

With margin m and d the largest deviation of any seat from its fair share (of a team from its target):

| claim | meaning | evidence |
| --- | --- | --- |
| FAIR | d < m | "within m", and "within 3m/2" |
| BORDERLINE | m/2 < d < 3m/2 | "beyond m/2", and "within 3m/2" |
| UNFAIR | d > m | "beyond m", and "beyond m/2" |

Neighbouring claims overlap by m/2, so that every d is settled in finite time; between m/2 and 3m/2 two of
them are true. NOT SETTLED: no claim is certain yet. The first claim that becomes certain stands
(`FirstClaims`). NOT EQUAL is a separate claim that not all shares are exactly fair.

A cell makes one claim, and whatever d is, every wrong claim rests on the same test of a true hypothesis: on
"beyond m/2" for d <= m/2, "beyond m" up to m, "within m" from m on, "within 3m/2" from 3m/2 on. So the
probability of any wrong claim about a cell, ever, is that of one e-value reaching the threshold.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.betting import EVEN, aimed, log_capital
from simkit.stats.quantiles import Floats, normal

FAIR, BORDERLINE, UNFAIR, NOT_SETTLED = "FAIR", "BORDERLINE", "UNFAIR", "NOT SETTLED"
NOT_EQUAL = "NOT EQUAL"  # the separate claim that not all shares are exactly fair
FAULTY = "TOO MANY FAILED"  # replaces them if too many games failed for a claim about the game
ON_TARGET, EASY, HARD = "ON TARGET", "TOO EASY", "TOO HARD"  # FAIR and UNFAIR for a co-operative game
GOOD, OFF = (FAIR, ON_TARGET), (UNFAIR, EASY, HARD)
OF_SEATS = FAIR, BORDERLINE, UNFAIR, NOT_SETTLED, FAULTY
OF_TEAM = ON_TARGET, BORDERLINE, EASY, HARD, NOT_SETTLED, FAULTY
INNER, OUTER = 0.5, 1.5  # margins between which a cell is BORDERLINE
GROWTH, MAX_GROWTH = 1.02, 1_000  # ratio of candidate numbers of deals; up to errors of 1/√MAX_GROWTH margins
LOG_2 = math.log(2)
ROUNDING = 1e-9  # of log e-values that are equal
MIN_DEALS = 20  # fewest deals from which the number still needed is estimated


class Evidence(NamedTuple):
    """Natural logarithms of the e-values of five tests of a cell or a seat, in the shape of the counts."""

    within: Floats  # against "d is the margin or more"
    within_outer: Floats  # against "d is OUTER margins or more"
    beyond_inner: Floats  # against "d is at most INNER margins"
    beyond: Floats  # against "d is at most the margin"
    unequal: Floats  # against "every share is exactly fair"

    @property
    def fair(self) -> Floats:
        """Evidence for FAIR."""
        return np.minimum(self.within, self.within_outer)

    @property
    def borderline(self) -> Floats:
        """Evidence for BORDERLINE."""
        return np.minimum(self.beyond_inner, self.within_outer)

    @property
    def unfair(self) -> Floats:
        """Evidence for UNFAIR."""
        return np.minimum(self.beyond, self.beyond_inner)

    @property
    def strongest(self) -> Floats:
        """Evidence for the claim with the strongest evidence."""
        return np.maximum(np.maximum(self.fair, self.borderline), self.unfair)


Seen = tuple[ArrayLike, ArrayLike]  # the shares of a seat, and the number of deals with each


def evidence(values: ArrayLike, counts: ArrayLike, fair: float, margin: float = 0.02) -> Evidence:
    """Return the evidence about one seat from the numbers of deals (counts) with each share (values).

    Formula: with K⁺(x), K⁻(x) the capital against "at most x", "at least x" (`betting.log_capital`): beyond w
    (K⁺(fair + w) + K⁻(fair − w)) / 2; within w min(K⁺(fair − w), K⁻(fair + w)). Bets are aimed at a typical
    share for each claim: for FAIR a fifth of a margin off fair (to allow for luck), for BORDERLINE the
    margin, for UNFAIR two margins, for NOT EQUAL two and a half. Source: Ramdas et al. 2023, Stat. Sci. 38,
    576-601 (averages of e-values are e-values; the least one tests a union). Units: shares. Errors:
    ValueError for a margin not above 0.

    >>> seat = evidence([0, 1], [1000, 3000], 0.5)
    >>> bool(seat.unfair > 100), bool(seat.fair < 0)
    (True, True)
    """
    if not margin > 0:
        raise ValueError(f"a margin above 0 is needed, not {margin}")
    return Evidence(
        within=_within(values, counts, fair, margin, 0.8 * margin),
        within_outer=_within(values, counts, fair, OUTER * margin, (OUTER - 1) * margin),
        beyond_inner=_beyond(values, counts, fair, INNER * margin, (1 - INNER) * margin),
        beyond=_beyond(values, counts, fair, margin, margin),
        unequal=_beyond(values, counts, fair, 0.0, 2.5 * margin),
    )


def _within(values: ArrayLike, counts: ArrayLike, fair: float, width: float, ahead: float) -> Floats:
    """Return the evidence that a share is less than `width` off fair, on both sides."""
    return np.minimum(*_capitals(values, counts, fair - width, fair + width, ahead))


def _beyond(values: ArrayLike, counts: ArrayLike, fair: float, width: float, ahead: float) -> Floats:
    """Return the evidence that a share is more than `width` off fair, on either side."""
    return np.asarray(np.logaddexp(*_capitals(values, counts, fair + width, fair - width, ahead)) - LOG_2)


def _capitals(
    values: ArrayLike, counts: ArrayLike, low: float, high: float, ahead: float
) -> tuple[Floats, Floats]:
    """Return the log capitals against "at most `low`" and "at least `high`", of bets aimed `ahead`."""

    def against(shares: ArrayLike, mean: float) -> Floats:
        return log_capital(shares, counts, mean, aimed(mean, min(1.0, mean + ahead)) if mean < 1 else EVEN)

    return against(values, low), against(1 - np.asarray(values, np.float64), 1 - high)


def evidence_of_cell(seats: Sequence[Evidence]) -> Evidence:
    """Return the evidence about a cell from that of its seats.

    Formula: the least e-value of each "within", the mean of each "beyond" and of NOT EQUAL.
    Source: `evidence`.

    >>> e = [evidence([0, 1], [4000, 6000], 0.5), evidence([0, 1], [5000, 5000], 0.5)]
    >>> cell = evidence_of_cell(e)
    >>> bool(cell.within == e[0].within), bool(e[1].beyond < cell.beyond < e[0].beyond)
    (True, True)
    """
    within, within_outer, *beyond = zip(*seats, strict=True)
    return Evidence(np.minimum.reduce(within), np.minimum.reduce(within_outer), *map(_mean, beyond))


def _mean(logs: Sequence[Floats]) -> Floats:
    """Return the log of the mean of e-values from their logs."""
    return np.asarray(np.logaddexp.reduce(logs, axis=0) - math.log(len(logs)))


def together(cells: Sequence[Evidence]) -> Evidence:
    """Stack the evidence about cells along a new first axis."""
    return Evidence(*map(np.stack, zip(*cells, strict=True)))


class FirstClaims:
    """The claims about the cells of a run, analysis by analysis: the first that becomes certain stands.

    Formula: e-BH over K cells: the k cells with the strongest evidence make a claim, k the greatest number
    such that each has e ≥ K / (rate k); a cell keeps its claim with the e-value at that time. BORDERLINE if
    two become certain at once. Promise: an expected part of at most `rate` of the claims is wrong, at every
    analysis. Source: Wang & Ramdas 2022, J. R. Stat. Soc. B 84, 822-852, Theorem 5.1. Errors: ValueError for
    a rate outside 0 to 1.

    >>> strong, weak = evidence([0, 1], [1000, 3000], 0.5), evidence([0, 1], [10, 10], 0.5)
    >>> claims = FirstClaims(2)
    >>> claims.analyse(together([strong, weak]))
    >>> claims.verdicts
    ['UNFAIR', 'NOT SETTLED']
    """

    def __init__(self, cells: int, rate: float = 0.05) -> None:
        self.rate, self.analyses = rate, 0
        self.verdicts = [NOT_SETTLED] * cells
        self.strongest = np.full(cells, -math.inf)
        self.bars = np.full(cells, math.inf)  # threshold of the claim of a cell; for open cells the last one
        self.decided_at = np.zeros(cells, np.int64)  # analysis of the claim; for open cells the last one

    def analyse(self, cells: Evidence) -> None:
        """Update the claims with the evidence about all cells at the next analysis."""
        still_open = np.array([word == NOT_SETTLED for word in self.verdicts], np.bool_)
        self.strongest = np.where(still_open, cells.strongest, self.strongest)
        self.decided_at[still_open] = self.analyses
        self.bars[still_open] = bar = threshold(self.strongest, self.rate)
        for cell in np.flatnonzero(still_open & (self.strongest >= bar)):
            self.verdicts[cell] = verdict(Evidence(*(test[cell] for test in cells)), bar)
        self.analyses += 1


def verdict(cell: Evidence, bar: float) -> str:
    """Return the verdict on a cell whose claims must reach `bar`; BORDERLINE also if two of them do."""
    claims = {FAIR: cell.fair, BORDERLINE: cell.borderline, UNFAIR: cell.unfair}
    certain = [word for word, e_value in claims.items() if e_value >= bar]
    return NOT_SETTLED if not certain else certain[0] if len(certain) == 1 else BORDERLINE


def agreeing_ends(
    low: Floats, high: Floats, off: Floats, seat: Evidence, cell: Evidence, bars: Floats, margin: float
) -> tuple[Floats, Floats]:
    """Return the ends of intervals as the tests of the verdicts have them at their limits.

    low, high: ends of a confidence sequence of each seat; off: its share; all less the fair share. seat,
    cell: evidence about each seat and about its cell at the first claim (else at the last analysis); bars:
    for a claim and for NOT EQUAL. Formula: where a test is certain, ends beyond its limit move to the limit
    ("beyond" is certain of seats with at least the e-value of the cell, on the side of their share). Without
    a claim, ends that say more than a test does move out to its limit; for "within" the nearer end of the
    least certain seat. So a verdict and the intervals beside it never contradict each other, unless later
    games refute a first claim, which leaves an interval as it was. Coverage:
    tests/stats/checks_on_fresh_deals.py.

    >>> seat, bar = evidence([0, 1], [11_220, 10_780], 0.5), math.log(20)  # 49 %, from 47.8 to 50.2
    >>> low, high, off, bars = map(np.array, (-0.022, 0.002, -0.01, [bar, bar]))
    >>> low, high = agreeing_ends(low, high, off, seat, seat, bars, 0.02)
    >>> verdict(seat, bar), round(float(low), 3), round(float(high), 3)
    ('FAIR', -0.02, 0.002)
    """
    (bar, bar_unequal), is_open, up = bars, cell.strongest < bars[0], off > 0
    plain = low, high
    within = (OUTER, seat.within_outer, cell.within_outer), (1.0, seat.fair, cell.fair)
    for size, own, joint in within:
        limit, certain = size * margin, joint >= bar
        low = np.where(certain, np.maximum(low, -limit), low)
        high = np.where(certain, np.minimum(high, limit), high)
        sure = is_open & ~certain & (own <= joint) & (low > -limit) & (high < limit)
        lower = -low > high  # the lower end is nearer to its limit
        low, high = np.where(sure & lower, -limit, low), np.where(sure & ~lower, limit, high)
    unequal = 0.0, seat.unequal, cell.unequal, bar_unequal
    inner = INNER, seat.beyond_inner, cell.beyond_inner, bar
    for size, own, joint, needed in (unequal, inner, (1.0, seat.unfair, cell.unfair, bar)):
        limit, certain = size * margin, (joint >= needed) & (own >= joint - ROUNDING)
        sure = is_open & (joint < needed)
        low = np.where(sure, np.minimum(low, limit), low)
        high = np.where(sure, np.maximum(high, -limit), high)
        low = np.where(certain & up, np.maximum(low, limit), low)
        high = np.where(certain & ~up, np.minimum(high, -limit), high)
    low, high = (np.where(low <= high, end, before) for end, before in zip((low, high), plain, strict=True))
    return low, high


def deals_that_do(seen: Sequence[Seen], fair: float, margin: float, bar: float) -> int | None:
    """Estimate the number of deals that settles a cell if all shares stay about as they are.

    seen: values and counts of each seat (or of a team). Formula: the least D, in steps of 2 %, at which a
    claim about the counts times D / deals reaches `bar`; for FAIR and BORDERLINE, whose ranges have two ends,
    with bad luck in the remaining deals as half of all runs have it (`_worse`). None if no such D is near, or
    if nothing can be estimated: all deals are equal, or fewer than MIN_DEALS. Errors: as `evidence`.

    >>> deals_that_do([([0, 1], [500, 500]), ([0, 1], [500, 500])], 0.5, 0.02, math.log(20))
    6827
    """
    deals, seats = float(np.sum(seen[0][1])), len(seen)
    if deals < MIN_DEALS or all(np.count_nonzero(counts) < 2 for _, counts in seen):
        return None
    error = max(float(_spread(*seat, fair)[1]) for seat in seen)
    max_factor = max(2.0, MAX_GROWTH * (error / margin) ** 2)
    factors = GROWTH ** np.arange(1, 1 + math.ceil(math.log(max_factor, GROWTH)))
    grown = [(values, np.multiply.outer(factors, np.asarray(counts))) for values, counts in seen]
    edges = [fair + math.copysign(margin, float(_spread(*seat, fair)[0])) for seat in seen]
    off_fair = [_worse(*seat, fair, deals, seats) for seat in grown]
    off_edge = [_worse(*seat, edge, deals, 2) for seat, edge in zip(grown, edges, strict=True)]

    def cell(shares: Sequence[Seen]) -> Evidence:
        return evidence_of_cell([evidence(values, counts, fair, margin) for values, counts in shares])

    stays, near, border = cell(grown), cell(off_fair), cell(off_edge)
    claims = np.minimum(stays.fair, near.fair), np.minimum(stays.borderline, border.borderline), stays.unfair
    enough = factors[np.maximum.reduce(claims) >= bar]
    return math.ceil(enough[0] * deals) if enough.size else None


def _spread(values: ArrayLike, counts: ArrayLike, fair: float) -> tuple[Floats, Floats]:
    """Return the deviation of a share from fair, and its standard error."""
    deviations, weights = np.asarray(values, np.float64) - fair, np.asarray(counts, np.float64)
    deals = weights.sum(axis=-1)
    off = weights @ deviations / deals
    return off, np.sqrt((weights @ deviations**2 / deals - off**2).clip(0) / deals)


def _worse(values: ArrayLike, counts: Floats, middle: float, deals: float, seats: int) -> Seen:
    """Return values and counts[factor, v] with the share moved away from the middle by bad luck.

    Formula: off² + z² v (1 − deals / D) / D in place of off², z the luck that the unluckiest seat exceeds in
    half of all runs; some deals get the value 0 or 1, whichever is farther off.
    """
    off, error = _spread(values, counts, middle)
    z = normal(0.5 ** (1 / max(1, seats - 1)))
    luck = z * error * np.sqrt(1 - deals / counts.sum(axis=-1))
    end = np.where(off < 0, 0.0, 1.0)
    fraction = ((np.hypot(off, luck) - np.abs(off)) / np.maximum(np.abs(end - middle - off), 1e-9)).clip(0, 1)
    moved = fraction * counts.sum(axis=-1)
    ends = np.stack([moved * (end == 0), moved * (end == 1)], axis=-1)
    return np.append(np.asarray(values, np.float64), [0.0, 1.0]), np.concatenate(
        [counts * (1 - fraction[..., np.newaxis]), ends], axis=-1
    )


def threshold(strongest: ArrayLike, rate: float = 0.05) -> float:
    """Return the least log e-value that makes a claim, with one claim per cell (e-BH).

    strongest: log e-value of the strongest claim of each cell. Formula, source: `FirstClaims`.
    Errors: ValueError for a rate outside 0 to 1.

    >>> round(math.exp(threshold([0.0])), 6), round(math.exp(threshold([4.0, 2.0])), 6)
    (20.0, 40.0)
    """
    if not 0 < rate < 1:
        raise ValueError(f"a rate between 0 and 1 is needed, not {rate}")
    ranked = np.sort(np.asarray(strongest, np.float64))[::-1]
    bars = np.log(ranked.size / (rate * np.arange(1, ranked.size + 1)))
    reached = bars[ranked >= bars]
    return float(reached[-1] if reached.size else bars[0] if bars.size else math.inf)
