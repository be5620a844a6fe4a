"""FAIR, UNFAIR: claims with a stated error rate at every look, over all cells; BORDERLINE, TOO FEW GAMES.

FAIR: the share of every seat is less than `margin` off the fair share; UNFAIR: that of some seat is more than
INNER of the margin off. Between the two (off by half a margin to one) both are right, so that a game on the
edge of one can be told by the other. UNEQUAL, said beside these: not all shares are exactly fair. Each claim
has an e-value. A cell without FAIR or UNFAIR is BORDERLINE if some seat is about as far off as the margin,
and measured well: its 95 % interval holds fair − margin or fair + margin and reaches at most margin / 2 to
either side. So the seat is half a margin to one and a half margins off, and more games would hardly tell. The
same must hold of every seat whose interval holds such an edge, and no interval may lie wholly beyond the
margin (UNFAIR will come). Any other cell has TOO FEW GAMES: more will give it another word (`deals_that_do`).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats.betting import EVEN, aimed, log_capital
from simkit.stats.deals import joint_level
from simkit.stats.quantiles import Floats, normal

Places = NDArray[np.int64]
FAIR, UNFAIR, BORDERLINE, TOO_FEW = "FAIR", "UNFAIR", "BORDERLINE", "TOO FEW GAMES"
FAULTY = "TOO MANY FAILED"  # instead of any of them: of the games too many failed for a claim about the game
ON_TARGET, EASY, HARD = "ON TARGET", "EASY", "HARD"  # of a co-operative game: FAIR, UNFAIR by side
INSIDE, EDGE, WIDE, OUTSIDE = range(4)  # of a seat's interval; that of a cell is the greatest of its seats
WELL = 0.5  # half-width of an interval, in margins, from which on a share is measured well
INNER = 0.5  # of the margin: a seat farther off than that may be called UNFAIR
AIM_FAIR, AIM_UNFAIR = 0.2, 2.5  # margins off fair, where the bets for FAIR, and for UNFAIR, gain fastest
STEP, FAR = 1.02, 20  # between numbers of deals that are tried; how many times those that measure well
AT_LEAST = 2_000  # deals that are tried in any case
FEWEST = 20  # deals that say anything about how many are needed


class Evidence(NamedTuple):
    """Natural logarithms of the e-values for two claims about a cell, in the leading shape of the counts."""

    fair: Floats  # for FAIR: against "some seat is the margin off, or more"
    unfair: Floats  # for UNFAIR: against "every seat is within INNER of the margin"
    place: Places = np.array(WIDE)  # of the interval: INSIDE the margin, on its EDGE (or WIDE), OUTSIDE
    unequal: Floats = np.array(-math.inf)  # for UNEQUAL: against "every share is exactly fair"


Seen = tuple[ArrayLike, ArrayLike]  # the values that deals gave a seat, and how many deals gave each


def evidence(
    values: ArrayLike, counts: ArrayLike, fair: float, margin: float = 0.02, seats: int = 2
) -> Evidence:
    """The evidence about one seat of `seats`, from how many deals gave it which share.

    Formula: with K⁺(m), K⁻(m) the capital against "at most m", "at least m" (`betting.log_capital`), i =
    INNER margin: UNFAIR (K⁺(fair + i) + K⁻(fair − i)) / 2, bets aimed at 2.5 margins off; UNEQUAL the same
    for i = 0; FAIR min(K⁺(fair − margin), K⁻(fair + margin)), bets aimed at a fifth of a margin off; the
    interval mean ± z √(v / D), z for all seats together. Source: Ramdas et al. 2023, Stat. Sci. 38, 576-601
    (averages of e-values are e-values; the least one tests a union); the zone between the claims: Wald 1945,
    Ann. Math. Stat. 16, 117-186; `deals.joint_level`. Units: shares. Errors: ValueError for a margin not
    above 0.

    >>> found = evidence([0, 1], [1000, 3000], 0.5)
    >>> bool(found.unfair > 100), bool(found.fair < 0)
    (True, True)
    """
    if not margin > 0:
        raise ValueError(f"a margin above 0 is needed, not {margin}")
    near = 1 - AIM_FAIR
    not_below = _against_low(values, counts, fair - margin, near * margin)
    not_above = _against_high(values, counts, fair + margin, near * margin)
    unfair, unequal = (_off(values, counts, fair, inner * margin, margin) for inner in (INNER, 0.0))
    place = _place(*_interval(values, counts, fair, seats), margin)
    return Evidence(np.minimum(not_below, not_above), unfair, place, unequal)


def _off(values: ArrayLike, counts: ArrayLike, fair: float, inner: float, margin: float) -> Floats:
    """The evidence that a share is more than `inner` off, on either side."""
    ahead = AIM_UNFAIR * margin - inner
    above = _against_low(values, counts, fair + inner, ahead)
    below = _against_high(values, counts, fair - inner, ahead)
    return np.asarray(np.logaddexp(above, below) - math.log(2))


def _against_low(values: ArrayLike, counts: ArrayLike, mean: float, ahead: float) -> Floats:
    """The capital against "at most `mean`" of bets aimed at a truth so far above it."""
    return log_capital(values, counts, mean, aimed(mean, min(1.0, mean + ahead)) if mean < 1 else EVEN)


def _against_high(values: ArrayLike, counts: ArrayLike, mean: float, ahead: float) -> Floats:
    return _against_low(1 - np.asarray(values, np.float64), counts, 1 - mean, ahead)


def _place(off: Floats, half: Floats, margin: float) -> Places:
    held = np.where(half <= WELL * margin, EDGE, WIDE)
    return np.where(np.abs(off) + half < margin, INSIDE, np.where(np.abs(off) - half > margin, OUTSIDE, held))


def _interval(values: ArrayLike, counts: ArrayLike, fair: float, seats: int) -> tuple[Floats, Floats]:
    """How far a share is from fair, and the half-width of its interval."""
    apart, many = np.asarray(values, np.float64) - fair, np.asarray(counts, np.float64)
    deals = many.sum(axis=-1)
    off = many @ apart / deals
    variance = (many @ apart**2 / deals - off**2).clip(0)
    return off, normal(joint_level(seats)) * np.sqrt(variance / deals)


def evidence_of_cell(seats: Sequence[Evidence]) -> Evidence:
    """The evidence about a cell from its seats: the least for FAIR, the greatest place, of the rest the mean.

    Source: `evidence`. Shapes: all seats alike. Errors: ValueError for no seats.

    >>> e = [Evidence(np.array(3.0), np.array(1.0)), Evidence(np.array(2.0), np.array(1.0))]
    >>> [float(x) for x in evidence_of_cell(e)[:2]]
    [2.0, 1.0]
    """
    if not seats:
        raise ValueError("at least one seat is needed")
    place = np.maximum.reduce([one.place for one in seats])
    unfair, unequal = _mean([one.unfair for one in seats]), _mean([one.unequal for one in seats])
    return Evidence(np.minimum.reduce([one.fair for one in seats]), unfair, place, unequal)


def _mean(logs: Sequence[Floats]) -> Floats:
    return np.asarray(np.logaddexp.reduce(logs, axis=0) - math.log(len(logs)))


def verdicts(cells: Sequence[Evidence], rate: float = 0.05) -> list[str]:
    """A verdict for each cell; of those FAIR or UNFAIR an expected part of at most `rate` is wrong.

    Formula: e-BH over the 2K claims about K cells: the k strongest are made, k the greatest number for which
    each has e ≥ K / (rate k) (K, since of the two claims about a cell only one can be wrong). Source: Wang &
    Ramdas 2022, J. R. Stat. Soc. B 84, 822-852, Theorem 5.1: valid for any dependence, at every look. Errors:
    another rate.

    >>> verdicts([Evidence(np.array(4.0), np.array(-9.0)), Evidence(np.array(-9.0), np.array(1.0))])
    ['FAIR', 'TOO FEW GAMES']
    """
    bar = threshold(cells, rate)
    return [verdict(one, bar) for one in cells]


def verdict(one: Evidence, bar: float) -> str:
    """The verdict on a cell whose claims have to reach `bar`."""
    if max(one.fair, one.unfair) >= bar:
        return FAIR if one.fair >= bar else UNFAIR
    return BORDERLINE if one.place == EDGE else TOO_FEW


def settled(one: Evidence, bar: float) -> NDArray[np.bool_]:
    """Where there is a verdict, by the shape of the evidence: all but TOO FEW GAMES."""
    return np.asarray((one.fair >= bar) | (one.unfair >= bar) | (one.place == EDGE))


def deals_that_do(seen: Sequence[Seen], fair: float, margin: float, bar: float) -> int | None:
    """About how many deals give a cell another word than TOO FEW GAMES if all shares stay about as they are.

    seen: of each seat (or of a team). Formula: the least D, in steps of 2 %, at which `settled` holds of the
    counts times D / deals; for FAIR with the luck of the deals to come that half of all runs have (`_worse`).
    In simulated runs about half to nine tenths had a verdict by then (tests/stats/test_verdicts.py). None: no
    such D is near, or the deals say nothing about it: all alike, or fewer than FEWEST. Errors: those of
    `evidence`.

    >>> deals_that_do([([0, 1], [500, 500]), ([0, 1], [500, 500])], 0.5, 0.02, math.log(20))
    6827
    """
    deals, seats = float(np.sum(seen[0][1])), len(seen)
    if deals < FEWEST or all(np.count_nonzero(counts) < 2 for _, counts in seen):
        return None
    half = max(float(_interval(*one, fair, seats)[1]) for one in seen)
    most = max(AT_LEAST, 2 * deals, FAR * deals * (half / (WELL * margin)) ** 2)
    times = STEP ** np.arange(1, 1 + math.ceil(math.log(most / deals, STEP)))
    grown = [(values, np.multiply.outer(times, np.asarray(counts))) for values, counts in seen]
    worse = [_worse(*one, fair, deals, seats) for one in grown]
    stays = evidence_of_cell([evidence(*one, fair, margin, seats) for one in grown])
    fairs = evidence_of_cell([evidence(*one, fair, margin, seats) for one in worse])
    enough = times[settled(stays._replace(fair=np.minimum(stays.fair, fairs.fair)), bar)]
    return math.ceil(enough[0] * deals) if enough.size else None


def _worse(values: ArrayLike, counts: Floats, fair: float, deals: float, seats: int) -> Seen:
    """Values and counts[look, v] with the share farther from fair, by the luck of the deals after `deals`.

    Formula: off² + z² v (1 − deals / D) / D in place of off², z the luck that the unluckiest seat exceeds in
    half of all runs; some deals have the value 0 or 1 instead, whichever is farther off.
    """
    off, half = _interval(values, counts, fair, 2)
    z = normal(0.5 ** (1 / max(1, seats - 1))) / normal(0.95)
    luck = z * half * np.sqrt(1 - deals / counts.sum(axis=-1))
    end = np.where(off < 0, 0.0, 1.0)
    part = ((np.hypot(off, luck) - np.abs(off)) / np.maximum(np.abs(end - fair - off), 1e-9)).clip(0, 1)
    moved = part * counts.sum(axis=-1)
    more = np.stack([moved * (end == 0), moved * (end == 1)], axis=-1)
    return np.append(np.asarray(values, np.float64), [0.0, 1.0]), np.concatenate(
        [counts * (1 - part[..., np.newaxis]), more], axis=-1
    )


def threshold(cells: Sequence[Evidence], rate: float = 0.05) -> float:
    """The log of the e-value from which on a claim is made. Formula, source, errors: `verdicts`.

    >>> round(math.exp(threshold([Evidence(np.array(0.0), np.array(0.0))])), 6)
    20.0
    """
    return _bar([max(one.fair, one.unfair) for one in cells], rate)


def threshold_unequal(cells: Sequence[Evidence], rate: float = 0.05) -> float:
    """The log of the e-value from which on UNEQUAL is said; of the cells said so at most `rate` are equal.

    Formula: e-BH over these K claims, apart from the verdicts: e ≥ K / (rate k). Source, errors: `verdicts`.

    >>> cells = [Evidence(np.array(0.0), np.array(0.0), unequal=np.array(e)) for e in (4.0, 2.0)]
    >>> round(math.exp(threshold_unequal(cells)), 6)
    40.0
    """
    return _bar([one.unequal for one in cells], rate)


def _bar(found: Sequence[Floats], rate: float) -> float:
    """The least log of an e-value that makes a claim, one claim of each cell at most being wrong."""
    if not 0 < rate < 1:
        raise ValueError(f"a rate between 0 and 1 is needed, not {rate}")
    strongest = sorted(map(float, found), reverse=True)
    bars = [math.log(len(found) / (rate * place)) for place in range(1, len(found) + 1)]
    kept = [bar for bar, one in zip(bars, strongest, strict=True) if one >= bar]
    return kept[-1] if kept else bars[0] if bars else math.inf
