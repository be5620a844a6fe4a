"""Is one strategy stronger than another by so many Elo? Sequential test and estimates from pairs of games.

counts: of `deals.pentanomial`, or (L, D, W) of independent games; ValueError for others. Logistic Elo: 400
log10(odds of the score). Normalised Elo: the surplus over 1/2 in standard deviations of a game.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from simkit.stats.quantiles import Floats, normal, root

PER_UNIT = 800 / math.log(10)  # normalised Elo per (score − 1/2)/σ of a game
MOST_ELO = 4_000.0  # beyond it a score is 0 or 1
FEW = 20  # results of the rarer kind below which no interval is given
UNSEEN = 1e-3  # stands for a count of zero
STEPS = 400
CLOSE = 1e-10  # distributions closer than this are the same


class Elo(NamedTuple):
    """An Elo difference with its interval and the likelihood of superiority."""

    elo: float
    low: float
    high: float
    superiority: float  # probability that the true score is above 1/2, from a flat prior


def score_of_elo(elo: float, seats: int = 2) -> float:
    """The expected score at a logistic Elo difference; at a table of k seats that of a deal of a match.

    Formula: 1/2 + (w/(w + k − 1) − 1/(1 + (k − 1)w))/2, w = 10^(elo/400); with k = 2 w/(1 + w). Source: Elo
    1978, The Rating of Chessplayers; Plackett 1975, Appl. Stat. 24, 193-202 (who is first of k). Units:
    points per game. Errors: ValueError for fewer than two seats.

    >>> score_of_elo(0.0), round(score_of_elo(100), 4), round(score_of_elo(100, seats=4), 4)
    (0.5, 0.6401, 0.6072)
    """
    if seats < 2:
        raise ValueError(f"two seats or more are needed, not {seats}")
    others, strength = math.log(seats - 1), elo * math.log(10) / 400
    alone, against = special.expit([strength - others, -strength - others])
    return float(0.5 + (alone - against) / 2)


def elo_of_score(score: float, seats: int = 2) -> float:
    """The logistic Elo difference at which a score is expected; infinite for 0 and 1.

    Formula: the root of `score_of_elo`. Errors: ValueError for a score outside 0 to 1.

    >>> round(elo_of_score(0.75), 2), round(elo_of_score(0.6072, seats=4), 1), elo_of_score(1.0)
    (190.85, 100.0, inf)
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a score from 0 to 1 is needed, not {score}")
    least, most = (score_of_elo(end, seats) for end in (-MOST_ELO, MOST_ELO))
    if not least < score < most:
        return math.copysign(math.inf, score - 0.5)
    return root(lambda elo: score_of_elo(elo, seats) - score, -MOST_ELO, MOST_ELO, xtol=1e-9)


def llr_logistic(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Log-likelihood ratio of "the difference is elo1" to "it is elo0", in logistic Elo.

    Formula: N Σ p̂ ln(p₁/p₀), p_j = p̂/(1 + λ_j(a − s_j)) the likeliest distribution with mean s_j; a count of
    0 is taken as 0.001. Source: Van den Bergh, "The generalized maximum likelihood ratio for the expectation
    value of a distribution"; Owen 1988, Biometrika 75, 237-249 (tilting). Units: Elo.

    >>> round(llr_logistic((223, 9863, 21279, 10037, 246), 0.5, 2.5), 4)
    -3.0741
    """
    points = np.linspace(0, 1, len(counts))
    return llr_of_scores(points, _checked(counts), score_of_elo(elo0), score_of_elo(elo1))


def llr_of_scores(
    points: Sequence[float] | Floats, counts: Sequence[float] | Floats, score0: float, score1: float
) -> float:
    """Log-likelihood ratio of "the mean is score1" to "it is score0", from results of whatever points.

    Formula, source and zero counts: `llr_logistic`. Units: those of the points. Errors: ValueError for no
    results, or scores that are not between the least and the greatest of the points.

    >>> ends = score_of_elo(0.5), score_of_elo(2.5)
    >>> round(llr_of_scores([0, 0.25, 0.5, 0.75, 1], (223, 9863, 21279, 10037, 246), *ends), 4)
    -3.0741
    """
    n, seen, values = _seen(points, counts)
    if not all(values.min() < score < values.max() for score in (score0, score1)):
        raise ValueError(f"scores between the least and the greatest result are needed: {score0}, {score1}")
    likely = [_tilted(seen, values - score) for score in (score0, score1)]
    return float(n * seen @ np.log(likely[1] / likely[0]))


def llr_of_ratios(
    points: Sequence[float] | Floats, counts: Sequence[float] | Floats, ratio0: float, ratio1: float
) -> float:
    """Return the log-likelihood ratio of two values of (mean − 1/2)/deviation, from results of any points.

    Formula, source and zero counts: `llr_normalized`. Errors: ValueError for no results.

    >>> ratios = (end / PER_UNIT * math.sqrt(2) for end in (0, 2))
    >>> round(llr_of_ratios([0, 0.25, 0.5, 0.75, 1], (365, 16618, 36229, 16974, 390), *ratios), 4)
    2.2504
    """
    n, seen, values = _seen(points, counts)
    likely = [_likeliest_at(seen, values, ratio) for ratio in (ratio0, ratio1)]
    return float(n * seen @ np.log(likely[1] / likely[0]))


def llr_normalized(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Log-likelihood ratio of "the difference is elo1" to "it is elo0", in normalised Elo.

    Formula: N Σ p̂ log(p₁/p₀), p_j the likeliest distribution with (mean − 1/2)/σ = elo_j ln 10 / 800 (times
    √2 for pairs), by repeated tilting along the influence function of mean − tσ. Source: Van den Bergh,
    "Normalized Elo". Zero counts, units: as `llr_logistic`.

    >>> round(llr_normalized((365, 16618, 36229, 16974, 390), 0, 2), 4)
    2.2504
    """
    ratios = (elo / PER_UNIT * _root_games(counts) for elo in (elo0, elo1))
    return llr_of_ratios(np.linspace(0, 1, len(counts)), _checked(counts), *ratios)


def sprt_bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """The log-likelihood ratios at which the test ends: at or below the first take H0, from the second H1.

    Formula: log(β/(1 − α)), log((1 − β)/α); α: the chance to take H1 at elo0, β: H0 at elo1, however often
    one looks. Source: Wald 1945, Ann. Math. Stat. 16, 117-186, section 3. Errors: ValueError for other α, β.

    >>> [round(bound, 3) for bound in sprt_bounds(0.05, 0.05)]
    [-2.944, 2.944]
    """
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise ValueError(f"alpha and beta above 0 that sum to less than 1 are needed, not {alpha} and {beta}")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def decision(llr: float, alpha: float = 0.05, beta: float = 0.05) -> str:
    """What the test says: "H0", "H1" or "continue". Formula, source and errors: `sprt_bounds`.

    >>> decision(3.0), decision(0.0), decision(-3.0)
    ('H1', 'continue', 'H0')
    """
    low, high = sprt_bounds(alpha, beta)
    return "H1" if llr >= high else "H0" if llr <= low else "continue"


def elo_logistic(counts: Sequence[float], level: float = 0.95) -> Elo:
    """Logistic Elo difference with its interval, for a number of pairs fixed beforehand.

    Formula: −400 log10(1/s − 1) at the mean s and at s ± z √(v/N), v the variance of the N pair means;
    superiority Φ((s − 1/2)/√(v/N)). With fewer than FEW points won (or lost) the limits would be too narrow,
    so nan: take `elo_of_score` of the limits of a share. Source: Van den Bergh, "Normalized Elo". Units: Elo.

    >>> found = elo_logistic((96, 111, 136))
    >>> round(found.elo, 2), round((found.high - found.low) / 2, 2), round(100 * found.superiority, 2)
    (40.7, 30.43, 99.6)
    """
    score, half, superiority = _scored(counts, level)
    low, middle, high = (float(np.clip(s, 0, 1)) for s in (score - half, score, score + half))
    ends = (math.nan, math.nan) if math.isnan(half) else (elo_of_score(low), elo_of_score(high))
    return Elo(elo_of_score(middle), *ends, superiority)


def _root_games(counts: Sequence[float]) -> float:
    return math.sqrt((len(counts) - 1) / 2)  # one result is of a single game, or of a pair


def _checked(counts: Sequence[float]) -> Floats:
    seen = np.asarray(counts, dtype=np.float64)
    if seen.shape not in ((3,), (5,)) or not np.isfinite(seen).all() or seen.min() < 0 or seen.sum() == 0:
        raise ValueError(f"3 or 5 counts that are not negative and not all 0 are needed, not {list(counts)}")
    return seen


def _scored(counts: Sequence[float], level: float) -> tuple[float, float, float]:
    """Score, half its interval (nan: too few points won, or lost), superiority."""
    seen = _checked(counts)
    points, n = np.linspace(0, 1, seen.size), seen.sum()
    score, error = float(seen @ points / n), math.sqrt(_variance(seen / n, points) / n)
    half = normal(level) * error if n * min(score, 1 - score) >= FEW else math.nan
    surely = 0.5 + 0.5 * float(np.sign(score - 0.5))
    return score, half, float(special.ndtr((score - 0.5) / error)) if error else surely


def _seen(points: Sequence[float] | Floats, counts: Sequence[float] | Floats) -> tuple[float, Floats, Floats]:
    """Number of results, their distribution without zeros, and the points of each."""
    values, many = np.asarray(points, np.float64), np.asarray(counts, np.float64)
    if values.shape != many.shape or not many.sum() > 0 or many.min() < 0:
        raise ValueError("a count that is not negative is needed for each result, and not all of them 0")
    full = np.maximum(many, UNSEEN)
    return float(full.sum()), full / full.sum(), values


def _tilted(seen: Floats, away: Floats) -> Floats:
    """The likeliest distribution under which `away` has mean 0: seen/(1 + λ away)."""

    def mean(tilt: float) -> float:
        return float(np.sum(seen * away / (1 + tilt * away)))

    lowest, highest = -1 / away.max(), -1 / away.min()
    edge = 1e-9 * (highest - lowest)
    found = seen / (1 + root(mean, lowest + edge, highest - edge, xtol=1e-15) * away)
    return np.asarray(found / found.sum())


def _likeliest_at(seen: Floats, points: Floats, ratio: float) -> Floats:
    """The likeliest distribution whose (mean − 1/2)/deviation is the ratio: tilted again until it stays."""

    def beyond(mean: float) -> float:
        return mean - 0.5 - ratio * math.sqrt(_variance(_tilted(seen, points - mean), points))

    now = _tilted(seen, points - root(beyond, 1e-6, 1 - 1e-6))  # has the ratio, but may not be the likeliest
    for step in range(STEPS):
        aim = _tilted(seen, _influence(now, points, ratio))
        if np.abs(aim - now).max() < CLOSE:
            return aim
        part = 1.0 if step < STEPS // 4 else 0.5  # half steps, should whole ones go in circles
        while (away := _influence(now + part * (aim - now), points, ratio)).min() >= 0 or away.max() <= 0:
            part /= 2
        now = now + part * (aim - now)
    raise ValueError(f"no distribution with (mean - 1/2)/deviation {ratio:.3f} found near {seen.round(4)}")


def _influence(now: Floats, points: Floats, ratio: float) -> Floats:
    """How much mean − 1/2 − ratio × deviation changes with the weight of each result, plus its value now."""
    mean, deviation = float(now @ points), math.sqrt(_variance(now, points))
    return points - 0.5 - ratio * deviation * (1 + ((points - mean) / deviation) ** 2) / 2


def _variance(now: Floats, points: Floats) -> float:
    return float(now @ (points - now @ points) ** 2)
