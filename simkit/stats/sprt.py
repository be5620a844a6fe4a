"""Sequential probability ratio test and Elo estimates for two strategies, from pairs of games.

counts: the five results of pairs, or (L, D, W) of independent games; ValueError for others. Logistic Elo: 400
log10(odds of the score). Normalised Elo: the surplus over 1/2 in standard deviations of a game.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from simkit.stats.quantiles import Floats, normal, root

PER_UNIT = 800 / math.log(10)  # normalised Elo per (score − 1/2)/σ of a game
MAX_ELO = 4_000.0  # beyond it a score is 0 or 1
MIN_POINTS = 20  # points of the side with fewer points, below which no interval is given
UNSEEN = 1e-3  # replaces a count of zero
MAX_STEPS = 400
TOLERANCE = 1e-10  # distributions closer than this are the same


class Elo(NamedTuple):
    """An Elo difference with its interval and the likelihood of superiority."""

    elo: float
    low: float
    high: float
    superiority: float  # probability that the true score is above 1/2, from a flat prior


def score_of_elo(elo: float, seats: int = 2) -> float:
    """Return the expected score at a logistic Elo difference; at k seats that of a deal of a match.

    Formula: 1/2 + (w/(w + k − 1) − 1/(1 + (k − 1)w))/2, w = 10^(elo/400); with k = 2 w/(1 + w). Source: Elo
    1978, The Rating of Chessplayers; Plackett 1975, Appl. Stat. 24, 193-202 (the first of k). Units:
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
    """Return the logistic Elo difference at which a score is expected; infinite for 0 and 1.

    Formula: the root of `score_of_elo`. Errors: ValueError for a score outside 0 to 1.

    >>> round(elo_of_score(0.75), 2), round(elo_of_score(0.6072, seats=4), 1), elo_of_score(1.0)
    (190.85, 100.0, inf)
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a score from 0 to 1 is needed, not {score}")
    least, most = (score_of_elo(end, seats) for end in (-MAX_ELO, MAX_ELO))
    if not least < score < most:
        return math.copysign(math.inf, score - 0.5)
    return root(lambda elo: score_of_elo(elo, seats) - score, -MAX_ELO, MAX_ELO, xtol=1e-9)


def llr_logistic(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of "the difference is elo1" to "it is elo0", in logistic Elo.

    Formula: N Σ p̂ ln(p₁/p₀), p_j = p̂/(1 + λ_j(a − s_j)) the likeliest distribution with mean s_j; a count
    of 0 is taken as 0.001. Source: Van den Bergh, "The generalized maximum likelihood ratio for the
    expectation value of a distribution"; Owen 1988, Biometrika 75, 237-249 (tilting). Units: Elo.

    >>> round(llr_logistic((223, 9863, 21279, 10037, 246), 0.5, 2.5), 4)
    -3.0741
    """
    points = np.linspace(0, 1, len(counts))
    return llr_of_scores(points, _checked(counts), score_of_elo(elo0), score_of_elo(elo1))


def llr_of_scores(
    points: Sequence[float] | Floats, counts: Sequence[float] | Floats, score0: float, score1: float
) -> float:
    """Return the log-likelihood ratio of "the mean is score1" to "it is score0", from results of any points.

    Formula, source and zero counts: `llr_logistic`. Units: those of the points. Errors: ValueError for no
    results, or scores outside the range of the points.

    >>> ends = score_of_elo(0.5), score_of_elo(2.5)
    >>> round(llr_of_scores([0, 0.25, 0.5, 0.75, 1], (223, 9863, 21279, 10037, 246), *ends), 4)
    -3.0741
    """
    n, shares, values = _shares(points, counts)
    if not all(values.min() < score < values.max() for score in (score0, score1)):
        raise ValueError(f"scores between the least and the greatest result are needed: {score0}, {score1}")
    likeliest = [_tilted(shares, values - score) for score in (score0, score1)]
    return float(n * shares @ np.log(likeliest[1] / likeliest[0]))


def llr_of_ratios(
    points: Sequence[float] | Floats, counts: Sequence[float] | Floats, ratio0: float, ratio1: float
) -> float:
    """Return the log-likelihood ratio of two values of (mean − 1/2)/deviation, from results of any points.

    Formula, source and zero counts: `llr_normalized`. Errors: ValueError for no results.

    >>> ratios = (end / PER_UNIT * math.sqrt(2) for end in (0, 2))
    >>> round(llr_of_ratios([0, 0.25, 0.5, 0.75, 1], (365, 16618, 36229, 16974, 390), *ratios), 4)
    2.2504
    """
    n, shares, values = _shares(points, counts)
    likeliest = [_likeliest_at(shares, values, ratio) for ratio in (ratio0, ratio1)]
    return float(n * shares @ np.log(likeliest[1] / likeliest[0]))


def llr_normalized(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of "the difference is elo1" to "it is elo0", in normalised Elo.

    Formula: N Σ p̂ log(p₁/p₀), p_j the likeliest distribution with (mean − 1/2)/σ = elo_j ln 10 / 800 (times
    √2 for pairs), by repeated tilting along the influence function of mean − tσ. Source: Van den Bergh,
    "Normalized Elo". Zero counts, units: as `llr_logistic`.

    >>> round(llr_normalized((365, 16618, 36229, 16974, 390), 0, 2), 4)
    2.2504
    """
    ratios = (elo / PER_UNIT * _root_games(counts) for elo in (elo0, elo1))
    return llr_of_ratios(np.linspace(0, 1, len(counts)), _checked(counts), *ratios)


def sprt_bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """Return the log-likelihood ratios at which the test ends: H0 at or below the first, H1 from the second.

    Formula: log(β/(1 − α)), log((1 − β)/α); α: the probability of accepting H1 at elo0, β: H0 at elo1, with
    any number of interim analyses. Source: Wald 1945, Ann. Math. Stat. 16, 117-186, section 3. Errors:
    ValueError for other α, β.

    >>> [round(bound, 3) for bound in sprt_bounds(0.05, 0.05)]
    [-2.944, 2.944]
    """
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise ValueError(f"alpha and beta above 0 that sum to less than 1 are needed, not {alpha} and {beta}")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def decision(llr: float, alpha: float = 0.05, beta: float = 0.05) -> str:
    """Return the decision of the test: "H0", "H1" or "continue". Formula, source, errors: `sprt_bounds`.

    >>> decision(3.0), decision(0.0), decision(-3.0)
    ('H1', 'continue', 'H0')
    """
    low, high = sprt_bounds(alpha, beta)
    return "H1" if llr >= high else "H0" if llr <= low else "continue"


def elo_logistic(counts: Sequence[float], level: float = 0.95) -> Elo:
    """Return the logistic Elo difference with its interval, for a number of pairs fixed in advance.

    Formula: −400 log10(1/s − 1) at the mean s and at s ± z √(v/N), v the variance of the N pair means;
    superiority Φ((s − 1/2)/√(v/N)). With fewer than MIN_POINTS points won (or lost) the limits would be too
    narrow and are nan: use `elo_of_score` of the limits of a share instead. Source: Van den Bergh,
    "Normalized Elo". Units: Elo.

    >>> elo = elo_logistic((96, 111, 136))
    >>> round(elo.elo, 2), round((elo.high - elo.low) / 2, 2), round(100 * elo.superiority, 2)
    (40.7, 30.43, 99.6)
    """
    score, half, superiority = _scored(counts, level)
    low, middle, high = (float(np.clip(s, 0, 1)) for s in (score - half, score, score + half))
    ends = (math.nan, math.nan) if math.isnan(half) else (elo_of_score(low), elo_of_score(high))
    return Elo(elo_of_score(middle), *ends, superiority)


def _root_games(counts: Sequence[float]) -> float:
    """Return the square root of the number of games per result: 1, or 2 for pairs."""
    return math.sqrt((len(counts) - 1) / 2)


def _checked(counts: Sequence[float]) -> Floats:
    """Return 3 or 5 counts as an array; ValueError for others."""
    n = np.asarray(counts, dtype=np.float64)
    if n.shape not in ((3,), (5,)) or not np.isfinite(n).all() or n.min() < 0 or n.sum() == 0:
        raise ValueError(f"3 or 5 counts that are not negative and not all 0 are needed, not {list(counts)}")
    return n


def _scored(counts: Sequence[float], level: float) -> tuple[float, float, float]:
    """Return score, half-width of its interval (nan: too few points won, or lost) and superiority."""
    frequencies = _checked(counts)
    points, n = np.linspace(0, 1, frequencies.size), frequencies.sum()
    score, error = float(frequencies @ points / n), math.sqrt(_variance(frequencies / n, points) / n)
    half = normal(level) * error if n * min(score, 1 - score) >= MIN_POINTS else math.nan
    surely = 0.5 + 0.5 * float(np.sign(score - 0.5))
    return score, half, float(special.ndtr((score - 0.5) / error)) if error else surely


def _shares(
    points: Sequence[float] | Floats, counts: Sequence[float] | Floats
) -> tuple[float, Floats, Floats]:
    """Return the number of results, their shares without zeros, and the points of each."""
    values, frequencies = np.asarray(points, np.float64), np.asarray(counts, np.float64)
    if values.shape != frequencies.shape or not frequencies.sum() > 0 or frequencies.min() < 0:
        raise ValueError("a count that is not negative is needed for each result, and not all of them 0")
    positive = np.maximum(frequencies, UNSEEN)
    return float(positive.sum()), positive / positive.sum(), values


def _tilted(shares: Floats, deviations: Floats) -> Floats:
    """Return the likeliest distribution under which the deviations have mean 0: p̂/(1 + λ deviation)."""

    def mean(tilt: float) -> float:
        return float(np.sum(shares * deviations / (1 + tilt * deviations)))

    lowest, highest = -1 / deviations.max(), -1 / deviations.min()
    edge = 1e-9 * (highest - lowest)
    tilted = shares / (1 + root(mean, lowest + edge, highest - edge, xtol=1e-15) * deviations)
    return np.asarray(tilted / tilted.sum())


def _likeliest_at(shares: Floats, points: Floats, ratio: float) -> Floats:
    """Return the likeliest distribution whose (mean − 1/2)/deviation is the ratio, by repeated tilting."""

    def beyond(mean: float) -> float:
        return mean - 0.5 - ratio * math.sqrt(_variance(_tilted(shares, points - mean), points))

    fit = _tilted(shares, points - root(beyond, 1e-6, 1 - 1e-6))  # has the ratio, may not be the likeliest
    for iteration in range(MAX_STEPS):
        target = _tilted(shares, _influence(fit, points, ratio))
        if np.abs(target - fit).max() < TOLERANCE:
            return target
        step = 1.0 if iteration < MAX_STEPS // 4 else 0.5  # half steps, in case whole ones cycle
        while (
            ahead := _influence(fit + step * (target - fit), points, ratio)
        ).min() >= 0 or ahead.max() <= 0:
            step /= 2
        fit = fit + step * (target - fit)
    raise ValueError(f"no distribution with (mean - 1/2)/deviation {ratio:.3f} found near {shares.round(4)}")


def _influence(current: Floats, points: Floats, ratio: float) -> Floats:
    """Return the influence of each result on mean − 1/2 − ratio × deviation, plus its current value."""
    mean, deviation = float(current @ points), math.sqrt(_variance(current, points))
    return points - 0.5 - ratio * deviation * (1 + ((points - mean) / deviation) ** 2) / 2


def _variance(distribution: Floats, points: Floats) -> float:
    return float(distribution @ (points - distribution @ points) ** 2)
