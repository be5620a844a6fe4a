"""Elo and score, and the sequential probability ratio test of a mean score.

Logistic Elo: 400 log10(odds of the score). Normalised Elo: the surplus over 1/2 in standard deviations of a
game. The test of a match: `simkit.stats.matches`.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.quantiles import Floats, root

PER_UNIT = 800 / math.log(10)  # normalised Elo per (score − 1/2)/σ of a game
MAX_ELO = 4_000.0  # beyond it a score is 0 or 1
UNSEEN = 1e-3  # replaces a count of zero
MAX_STEPS = 400
FARTHEST = 200.0  # search range of a tilt to both sides of its middle, in logits
TOLERANCE = 1e-10  # distributions closer than this are the same


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


def elo_of_share(share: float, fair: float = 0.5) -> float:
    """Return the logistic Elo difference at which one wins a share p of games where equals win `fair`.

    Formula: 400 log₁₀(p (1 − f) / ((1 − p) f)). Against k − 1 equal rivals f = 1/k, and p = w/(w + k − 1)
    with w = 10^(elo/400). Source: Luce 1959, Individual Choice Behavior. Errors: ValueError for a share
    outside 0 to 1; infinite for 0 and 1.

    >>> round(elo_of_share(0.75), 2), round(elo_of_share(0.5, fair=1 / 3), 2), elo_of_share(0.0)
    (190.85, 120.41, -inf)
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share from 0 to 1 is needed, not {share}")
    return float((special.logit(share) - special.logit(fair)) * 400 / math.log(10))


def log_likelihood_ratio(
    points: ArrayLike, counts: ArrayLike, ends: Sequence[float], of_ratio: bool = False
) -> float:
    """Return the log-likelihood ratio of "the mean is ends[1]" to "it is ends[0]".

    of_ratio: (mean − 1/2)/deviation in place of the mean. points[v], counts[v]: results and how often each
    occurred. Formula: N Σ p̂ ln(p₁/p₀), p_j = p̂/(1 + λ_j(a − s_j)) the likeliest distribution with mean s_j;
    with a given ratio by repeated tilting along the influence function of mean − ratio × deviation; a count
    of 0 is taken as 0.001. Source: Van den Bergh, "The generalized maximum likelihood ratio for the
    expectation value of a distribution" and "Normalized Elo"; Owen 1988, Biometrika 75, 237-249 (tilting).
    Units: those of the points. Errors: ValueError for no results, or means outside the range of the points.

    >>> ends = score_of_elo(0.5), score_of_elo(2.5)
    >>> round(log_likelihood_ratio([0, 0.25, 0.5, 0.75, 1], (223, 9863, 21279, 10037, 246), ends), 4)
    -3.0741
    """
    n, shares, values = _shares(points, counts)
    if of_ratio:
        first, second = (_likeliest_at(shares, values, ratio) for ratio in ends)
    elif all(values.min() < mean < values.max() for mean in ends):
        first, second = (_tilted(shares, values - mean) for mean in ends)
    else:
        raise ValueError(f"means between the least and the greatest result are needed, not {ends}")
    return float(n * shares @ np.log(second / first))


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


def _shares(points: ArrayLike, counts: ArrayLike) -> tuple[float, Floats, Floats]:
    """Return the number of results, their shares without zeros, and the points of each."""
    values, frequencies = np.asarray(points, np.float64), np.asarray(counts, np.float64)
    if values.shape != frequencies.shape or not frequencies.sum() > 0 or frequencies.min() < 0:
        raise ValueError("a count that is not negative is needed for each result, and not all of them 0")
    positive = np.maximum(frequencies, UNSEEN)
    return float(positive.sum()), positive / positive.sum(), values


def _tilted(shares: Floats, deviations: Floats) -> Floats:
    """Return the likeliest distribution under which the deviations have mean 0: p̂/(1 + λ deviation).

    The factor is sought as λ = −(1 − t)/max − t/min with t = e^u/(1 + e^u), because with many equal results
    it lies closer to an end of its range than doubles can tell apart.
    """
    from_lowest, from_highest = 1 - deviations / deviations.max(), 1 - deviations / deviations.min()

    def tilt(u: float) -> Floats:
        weights = shares / (from_lowest * (1 + math.exp(-u)) + from_highest * (1 + math.exp(u)))
        return np.asarray(weights / weights.sum())

    return tilt(root(lambda u: tilt(u) @ deviations, -FARTHEST, FARTHEST))


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
