"""FAIR, BORDERLINE, UNFAIR: claims with a stated error rate at every analysis, over all cells of a run.

With margin m and d the largest deviation of any seat from its fair share (of a team from its target):

| claim | says | evidence |
| --- | --- | --- |
| FAIR | d < m | "within m", and "within 3m/2" |
| BORDERLINE | m/2 < d < 3m/2 | "beyond m/2", and "within 3m/2" |
| UNFAIR | d > m | "beyond m", and "beyond m/2" |

Neighbouring claims overlap by m/2, so that every d is settled in finite time; between m/2 and 3m/2 two of
them are true. NOT SETTLED: no claim is certain yet. The first claim that becomes certain stands
(`FirstClaims`). UNEQUAL, a claim of its own, says that not all shares are exactly fair.

A cell makes one claim, and whichever d is true, every wrong claim rests on one and the same test of a true
hypothesis: on "beyond m/2" where d <= m/2, "beyond m" up to m, "within m" from m on, "within 3m/2" from 3m/2
on (exactly at m both FAIR and UNFAIR count as right). So the chance of any wrong claim about a cell, ever, is
that of one e-value reaching the threshold, though there are three claims, and e-BH needs no correction.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.betting import EVEN, aimed, log_capital
from simkit.stats.quantiles import Floats, normal

FAIR, BORDERLINE, UNFAIR, NOT_SETTLED = "FAIR", "BORDERLINE", "UNFAIR", "NOT SETTLED"
FAULTY = "TOO MANY FAILED"  # instead of any of them: of the games too many failed for a claim about the game
ON_TARGET, EASY, HARD = "ON TARGET", "TOO EASY", "TOO HARD"  # FAIR and UNFAIR of a co-operative game
OF_SEATS = FAIR, BORDERLINE, UNFAIR, NOT_SETTLED, FAULTY
OF_TEAM = ON_TARGET, BORDERLINE, EASY, HARD, NOT_SETTLED, FAULTY
INNER, OUTER = 0.5, 1.5  # margins between which a cell is BORDERLINE
STEP, FAR = 1.02, 1_000  # between numbers of deals that are tried; up to a standard error of 1/√FAR margins
FEWEST = 20  # deals that say anything about how many are needed


class Evidence(NamedTuple):
    """Natural logarithms of the e-values of five tests about a cell or a seat, in the shape of the counts."""

    within: Floats  # against "d is the margin or more"
    within_outer: Floats  # against "d is OUTER margins or more"
    beyond_inner: Floats  # against "d is at most INNER margins"
    beyond: Floats  # against "d is at most the margin"
    unequal: Floats  # against "every share is exactly fair"

    @property
    def fair(self) -> Floats:
        return np.minimum(self.within, self.within_outer)

    @property
    def borderline(self) -> Floats:
        return np.minimum(self.beyond_inner, self.within_outer)

    @property
    def unfair(self) -> Floats:
        return np.minimum(self.beyond, self.beyond_inner)

    @property
    def strongest(self) -> Floats:
        return np.maximum(np.maximum(self.fair, self.borderline), self.unfair)


Seen = tuple[ArrayLike, ArrayLike]  # the values that deals gave a seat, and how many deals gave each


def evidence(values: ArrayLike, counts: ArrayLike, fair: float, margin: float = 0.02) -> Evidence:
    """The evidence about one seat, from how many deals gave it which share.

    Formula: with K⁺(x), K⁻(x) the capital against "at most x", "at least x" (`betting.log_capital`): beyond w
    (K⁺(fair + w) + K⁻(fair − w)) / 2; within w min(K⁺(fair − w), K⁻(fair + w)). Bets are aimed at the share
    that a claim is meant for: fair for FAIR (a fifth of a margin off, since luck is), the margin for
    BORDERLINE, two margins off for UNFAIR, two and a half for UNEQUAL. Source: Ramdas et al. 2023, Stat. Sci.
    38, 576-601 (averages of e-values are e-values; the least one tests a union). Units: shares. Errors:
    ValueError for a margin not above 0.

    >>> found = evidence([0, 1], [1000, 3000], 0.5)
    >>> bool(found.unfair > 100), bool(found.fair < 0)
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
    """The evidence that a share is less than `width` off, on both sides."""
    not_below = _against_low(values, counts, fair - width, ahead)
    return np.minimum(not_below, _against_high(values, counts, fair + width, ahead))


def _beyond(values: ArrayLike, counts: ArrayLike, fair: float, width: float, ahead: float) -> Floats:
    """The evidence that a share is more than `width` off, on either side."""
    above = _against_low(values, counts, fair + width, ahead)
    below = _against_high(values, counts, fair - width, ahead)
    return np.asarray(np.logaddexp(above, below) - math.log(2))


def _against_low(values: ArrayLike, counts: ArrayLike, mean: float, ahead: float) -> Floats:
    """The capital against "at most `mean`" of bets aimed at a truth so far above it."""
    return log_capital(values, counts, mean, aimed(mean, min(1.0, mean + ahead)) if mean < 1 else EVEN)


def _against_high(values: ArrayLike, counts: ArrayLike, mean: float, ahead: float) -> Floats:
    return _against_low(1 - np.asarray(values, np.float64), counts, 1 - mean, ahead)


def evidence_of_cell(seats: Sequence[Evidence]) -> Evidence:
    """The evidence about a cell from its seats: the least of "within", the mean of "beyond" and UNEQUAL.

    Source: `evidence`. Shapes: all seats alike. Errors: ValueError for no seats.

    >>> e = [evidence([0, 1], [4000, 6000], 0.5), evidence([0, 1], [5000, 5000], 0.5)]
    >>> cell = evidence_of_cell(e)
    >>> bool(cell.within == e[0].within), bool(e[1].beyond < cell.beyond < e[0].beyond)
    (True, True)
    """
    if not seats:
        raise ValueError("at least one seat is needed")
    within, within_outer, *beyond = zip(*seats, strict=True)
    return Evidence(np.minimum.reduce(within), np.minimum.reduce(within_outer), *map(_mean, beyond))


def _mean(logs: Sequence[Floats]) -> Floats:
    return np.asarray(np.logaddexp.reduce(logs, axis=0) - math.log(len(logs)))


def together(cells: Sequence[Evidence]) -> Evidence:
    """Stack the evidence about cells along a new first axis."""
    return Evidence(*map(np.stack, zip(*cells, strict=True)))


class FirstClaims:
    """The claims about the cells of a run, analysis by analysis: the first that becomes certain stands.

    Formula: e-BH over K cells: the k with the strongest evidence make a claim, k the greatest number such
    that each has e ≥ K / (rate k); a cell that made one keeps it with the e-value it had. BORDERLINE if two
    become certain at once. Of the claims an expected part of at most `rate` is wrong, at every analysis and
    for any dependence. Source: Wang & Ramdas 2022, J. R. Stat. Soc. B 84, 822-852, Theorem 5.1, with the
    e-value of each cell stopped at its first claim. Errors: ValueError for another rate.

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
        self.bars = np.full(cells, math.inf)  # what the claim of a cell had to reach; of open cells the last
        self.decided_at = np.zeros(cells, np.int64)  # the analysis of the claim; of open cells the last

    def analyse(self, cells: Evidence) -> None:
        """Take the evidence about all cells at one more analysis."""
        still_open = np.array([word == NOT_SETTLED for word in self.verdicts], np.bool_)
        self.strongest = np.where(still_open, cells.strongest, self.strongest)
        self.decided_at[still_open] = self.analyses
        self.bars[still_open] = bar = threshold(self.strongest, self.rate)
        for place in np.flatnonzero(still_open & (self.strongest >= bar)):
            self.verdicts[place] = verdict(Evidence(*(test[place] for test in cells)), bar)
        self.analyses += 1


def verdict(one: Evidence, bar: float) -> str:
    """The verdict on a cell whose claims have to reach `bar`: BORDERLINE also where two of them do."""
    claims = {FAIR: one.fair, BORDERLINE: one.borderline, UNFAIR: one.unfair}
    certain = [word for word, e_value in claims.items() if e_value >= bar]
    return NOT_SETTLED if not certain else certain[0] if len(certain) == 1 else BORDERLINE


def deals_that_do(seen: Sequence[Seen], fair: float, margin: float, bar: float) -> int | None:
    """About how many deals settle a cell if all shares stay about as they are.

    seen: of each seat (or of a team). Formula: the least D, in steps of 2 %, at which a claim about the
    counts times D / deals reaches `bar`; FAIR and BORDERLINE, whose ranges have two ends, with the luck of
    the deals to come that half of all runs have (`_worse`). None: no such D is near, or the deals say nothing
    about it: all alike, or fewer than FEWEST. Errors: those of `evidence`.

    >>> deals_that_do([([0, 1], [500, 500]), ([0, 1], [500, 500])], 0.5, 0.02, math.log(20))
    6827
    """
    deals, seats = float(np.sum(seen[0][1])), len(seen)
    if deals < FEWEST or all(np.count_nonzero(counts) < 2 for _, counts in seen):
        return None
    error = max(float(_spread(*one, fair)[1]) for one in seen)
    most = max(2.0, FAR * (error / margin) ** 2)
    times = STEP ** np.arange(1, 1 + math.ceil(math.log(most, STEP)))
    grown = [(values, np.multiply.outer(times, np.asarray(counts))) for values, counts in seen]
    edges = [fair + math.copysign(margin, float(_spread(*one, fair)[0])) for one in seen]
    off_fair = [_worse(*one, fair, deals, seats) for one in grown]
    off_edge = [_worse(*one, edge, deals, 2) for one, edge in zip(grown, edges, strict=True)]

    def cell(shares: Sequence[Seen]) -> Evidence:
        return evidence_of_cell([evidence(values, counts, fair, margin) for values, counts in shares])

    stays, near, border = cell(grown), cell(off_fair), cell(off_edge)
    claims = np.minimum(stays.fair, near.fair), np.minimum(stays.borderline, border.borderline), stays.unfair
    enough = times[np.maximum.reduce(claims) >= bar]
    return math.ceil(enough[0] * deals) if enough.size else None


def _spread(values: ArrayLike, counts: ArrayLike, fair: float) -> tuple[Floats, Floats]:
    """How far a share is from fair, and its standard error."""
    deviations, weights = np.asarray(values, np.float64) - fair, np.asarray(counts, np.float64)
    deals = weights.sum(axis=-1)
    off = weights @ deviations / deals
    return off, np.sqrt((weights @ deviations**2 / deals - off**2).clip(0) / deals)


def _worse(values: ArrayLike, counts: Floats, middle: float, deals: float, seats: int) -> Seen:
    """Values and counts[times, v] with the share farther from the middle, by the luck of the deals to come.

    Formula: off² + z² v (1 − deals / D) / D in place of off², z the luck that the unluckiest seat exceeds in
    half of all runs; some deals have the value 0 or 1 instead, whichever is farther off.
    """
    off, error = _spread(values, counts, middle)
    z = normal(0.5 ** (1 / max(1, seats - 1)))
    luck = z * error * np.sqrt(1 - deals / counts.sum(axis=-1))
    end = np.where(off < 0, 0.0, 1.0)
    part = ((np.hypot(off, luck) - np.abs(off)) / np.maximum(np.abs(end - middle - off), 1e-9)).clip(0, 1)
    moved = part * counts.sum(axis=-1)
    more = np.stack([moved * (end == 0), moved * (end == 1)], axis=-1)
    return np.append(np.asarray(values, np.float64), [0.0, 1.0]), np.concatenate(
        [counts * (1 - part[..., np.newaxis]), more], axis=-1
    )


def threshold(strongest: ArrayLike, rate: float = 0.05) -> float:
    """The least log of an e-value that makes a claim, each cell making one: e-BH.

    strongest: of each cell the log of the e-value of its strongest claim. Formula, source: `FirstClaims`.
    Errors: ValueError for another rate.

    >>> round(math.exp(threshold([0.0])), 6), round(math.exp(threshold([4.0, 2.0])), 6)
    (20.0, 40.0)
    """
    if not 0 < rate < 1:
        raise ValueError(f"a rate between 0 and 1 is needed, not {rate}")
    ranked = np.sort(np.asarray(strongest, np.float64))[::-1]
    bars = np.log(ranked.size / (rate * np.arange(1, ranked.size + 1)))
    reached = bars[ranked >= bars]
    return float(reached[-1] if reached.size else bars[0] if bars.size else math.inf)
