"""FAIR, UNFAIR: claims with a stated error rate at every look, over all cells; BORDERLINE, TOO FEW GAMES.

FAIR: the share of every seat lies within `margin` of the fair share; UNFAIR: that of some seat does not. Each
claim has an e-value. A cell without a claim is BORDERLINE if some seat is about as far off as the margin, and
measured well: its 95 % interval holds fair − margin or fair + margin and reaches at most margin / 2 to either
side. So the seat is half a margin to one and a half margins off, and more games would hardly tell. The same
must hold of every seat whose interval holds such an edge, and no interval may lie wholly beyond the margin
(UNFAIR will come). Any other cell has TOO FEW GAMES: more will give it another word (`deals_that_do`).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats.betting import aimed, log_capital, log_capital_below
from simkit.stats.deals import joint_level
from simkit.stats.quantiles import Floats, normal

Places = NDArray[np.int64]
FAIR, UNFAIR, BORDERLINE, TOO_FEW = "FAIR", "UNFAIR", "BORDERLINE", "TOO FEW GAMES"
FAULTY = "TOO MANY FAILED"  # instead of any of them: of the games too many failed for a claim about the game
ON_TARGET, EASY, HARD = "ON TARGET", "EASY", "HARD"  # of a co-operative game: FAIR, UNFAIR by side
INSIDE, EDGE, WIDE, OUTSIDE = range(4)  # of a seat's interval; that of a cell is the greatest of its seats
WELL = 0.5  # half-width of an interval, in margins, from which on a share is measured well
STEP, FAR = 1.02, 20  # between numbers of deals that are tried; how many times those that measure well
AT_LEAST = 2_000  # deals that are tried in any case
FEWEST = 20  # deals that say anything about how many are needed


class Evidence(NamedTuple):
    """Natural logarithms of the e-values for two claims about a cell, in the leading shape of the counts."""

    fair: Floats  # for FAIR: against "some seat is more than the margin off"
    unfair: Floats  # for UNFAIR: against "every seat is within the margin"
    place: Places = np.array(WIDE)  # of the interval: INSIDE the margin, on its EDGE (or WIDE), OUTSIDE


Seen = tuple[ArrayLike, ArrayLike]  # the values that deals gave a seat, and how many deals gave each


def evidence(
    values: ArrayLike, counts: ArrayLike, fair: float, margin: float = 0.02, seats: int = 2
) -> Evidence:
    """The evidence about one seat of `seats`, from how many deals gave it which share.

    Formula: with K⁺(m), K⁻(m) the capital against "at most m", "at least m" (`betting.log_capital`): UNFAIR
    (K⁺(fair + margin) + K⁻(fair − margin)) / 2, FAIR min(K⁺(fair − margin), K⁻(fair + margin)) with bets
    aimed at `fair` (1 / seats); the interval mean ± z √(v / D), z for all seats together. Source: Ramdas et
    al. 2023, Stat. Sci. 38, 576-601 (averages of e-values are e-values; the least one tests a union);
    `deals.joint_level`. Units: shares. Errors: ValueError for a margin not above 0.

    >>> found = evidence([0, 1], [1000, 3000], 0.5)
    >>> bool(found.unfair > 100), bool(found.fair < 0)
    (True, True)
    """
    if not margin > 0:
        raise ValueError(f"a margin above 0 is needed, not {margin}")
    above = log_capital(values, counts, fair + margin)
    below = log_capital_below(values, counts, fair - margin)
    not_below = log_capital(values, counts, fair - margin, aimed(fair - margin, fair))
    not_above = log_capital_below(values, counts, fair + margin, aimed(1 - fair - margin, 1 - fair))
    place = _place(*_interval(values, counts, fair, seats), margin)
    return Evidence(np.minimum(not_below, not_above), np.logaddexp(above, below) - math.log(2), place)


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
    """The evidence about a cell from its seats: the least for FAIR, the mean for UNFAIR, the greatest place.

    Source: `evidence`. Shapes: all seats alike. Errors: ValueError for no seats.

    >>> e = [Evidence(np.array(3.0), np.array(1.0)), Evidence(np.array(2.0), np.array(1.0))]
    >>> [float(x) for x in evidence_of_cell(e)[:2]]
    [2.0, 1.0]
    """
    if not seats:
        raise ValueError("at least one seat is needed")
    mean = np.logaddexp.reduce([one.unfair for one in seats], axis=0) - math.log(len(seats))
    place = np.maximum.reduce([one.place for one in seats])
    return Evidence(np.minimum.reduce([one.fair for one in seats]), np.asarray(mean), place)


def verdicts(cells: Sequence[Evidence], rate: float = 0.05) -> list[str]:
    """A verdict for each cell; of those FAIR or UNFAIR an expected part of at most `rate` is wrong.

    Formula: e-BH over the 2K claims about K cells: the k strongest are made, k the greatest number for which
    each has e ≥ K / (rate k) (K, since only K of the claims can be wrong). Source: Wang & Ramdas 2022, J. R.
    Stat. Soc. B 84, 822-852, Theorem 5.1: valid for any dependence, at every look. Errors: another rate.

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
    7390
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
    if not 0 < rate < 1:
        raise ValueError(f"a rate between 0 and 1 is needed, not {rate}")
    strongest = sorted((float(max(one.fair, one.unfair)) for one in cells), reverse=True)
    bars = [math.log(len(cells) / (rate * place)) for place in range(1, len(cells) + 1)]
    kept = [bar for bar, found in zip(bars, strongest, strict=True) if found >= bar]
    return kept[-1] if kept else bars[0] if bars else math.inf
