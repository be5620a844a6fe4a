"""Intervals that hold at every look: against the martingale they come from, and how often they hold the truth."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from simkit.runs.plan import schedule
from simkit.stats.deals import mean_from_moments
from simkit.stats.plackett_luce import ELO, clustered, plackett_luce, ratings
from simkit.stats.sequences import NARROWEST, at_every_look, mean_at_every_look

SIDE_RUNS = schedule(22_000)


@pytest.mark.parametrize("deals", [200, 1_000, 50_000])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_at_the_end_of_an_interval_the_mixed_wealth_is_one_over_alpha(deals, level):
    """∫ exp(λS − λ²D/2) N(λ; 0, ρ²) dλ, by numbers: a martingale that reaches 1/α with probability α at most.

    ρ is read from the narrowest interval, where the derivative of q in D is 0 by numbers.
    """
    x = _x(level)
    rho, end = math.sqrt(x / NARROWEST), at_every_look(deals, level) * math.sqrt(deals)
    middle = end / (deals + 1 / rho**2)  # where the integrand is greatest

    def wealth(bet: float) -> float:
        return math.exp(bet * end - bet**2 * deals / 2) * float(stats.norm.pdf(bet, 0, rho))

    far = 12 / math.sqrt(deals + 1 / rho**2)
    result, _ = integrate.quad(wealth, middle - far, middle + far, epsabs=0, limit=200)
    assert result == pytest.approx(1 / (1 - level), rel=1e-4)


def _x(level: float) -> float:
    """ρ² times the number of deals at which (1 + 1/x) ln((1 + x)/α²) is least."""
    from scipy.optimize import minimize_scalar

    alpha = 1 - level
    result = minimize_scalar(
        lambda x: (1 + 1 / x) * math.log((1 + x) / alpha**2), bounds=(0.1, 100), options={"xatol": 1e-8}
    )
    return float(result.x)


def test_it_is_narrowest_where_it_is_said_to_be():
    tenth = [at_every_look(NARROWEST * times) for times in (0.9, 1.0, 1.1)]
    assert tenth[1] == min(tenth)
    assert at_every_look(100, narrowest=100) == pytest.approx(at_every_look(NARROWEST))


LAWS = {
    "scores": lambda rng, count: rng.normal(40, 12, count),
    "skewed": lambda rng, count: rng.exponential(5, count),
    "few kinds": lambda rng, count: rng.choice([0.0, 1.0, 9.0], count, p=[0.7, 0.25, 0.05]),
}
TRUTH = {"scores": 40.0, "skewed": 5.0, "few kinds": 0.7}


@pytest.mark.parametrize("law", LAWS)
def test_a_mean_is_held_at_all_looks_at_once_in_19_of_20_runs(law):
    """What the interval for one look does not: it misses in four to five times as many."""
    rng, missed, once = np.random.default_rng(1), 0, 0
    for _ in range(400):
        seen = LAWS[law](rng, SIDE_RUNS[-1])
        total, squares = seen.cumsum(), (seen**2).cumsum()
        moments = [
            (total[n - 1] / n, (squares[n - 1] - total[n - 1] ** 2 / n) / (n - 1), n) for n in SIDE_RUNS
        ]
        ends = [(mean_at_every_look(*first), mean_from_moments(*first)) for first in moments]
        missed += any(not a.low <= TRUTH[law] <= a.high for a, _ in ends)
        once += any(not b.low <= TRUTH[law] <= b.high for _, b in ends)
    assert missed / 400 <= 0.05 < 0.15 < once / 400


@pytest.mark.slow
@pytest.mark.proof("stats")
def test_ratings_are_held_at_all_looks_at_once():
    """Two strategies 60 Elo apart whose two games of a deal share their luck."""
    rng, truth, missed, once = np.random.default_rng(2), 60 / ELO, 0, 0
    seated, ranks = [[0, 1], [0, 1], [1, 0], [1, 0]], [[1, 2], [2, 1], [1, 2], [2, 1]]
    analyses = SIDE_RUNS[::9][:5]
    for _ in range(300):
        luck = rng.normal(0, 0.8, analyses[-1])
        chance = 1 / (1 + np.exp(-(truth * 1.1 + luck)))
        first, second = rng.random(analyses[-1]) < chance, rng.random(analyses[-1]) < chance
        missing, gone_once = False, False
        for look in analyses:
            a, b = first[:look], second[:look]
            counts = [a.sum(), (~a).sum(), (~b).sum(), b.sum()]
            fit = plackett_luce(["x", "y"], seated, ranks, counts)
            scores = np.where(a[:, None], fit.scores[0], fit.scores[1])
            scores = scores + np.where(b[:, None], fit.scores[3], fit.scores[2])
            fit = clustered(fit, scores.T @ scores, look)
            for always in (True, False):
                single = ratings(fit, always=always)[0]
                away = not single.low <= _long_run(truth) / 2 <= single.high
                missing, gone_once = missing or (away and always), gone_once or (away and not always)
        missed, once = missed + missing, once + gone_once
    assert missed / 300 <= 0.05 < once / 300


def _long_run(truth: float) -> float:
    """The Elo difference that endless games would show: of the mean chance over the luck of deals."""
    luck = np.linspace(-8, 8, 4001)
    weights = stats.norm.pdf(luck)
    mean = float((weights / (1 + np.exp(-(truth * 1.1 + 0.8 * luck)))).sum() / weights.sum())
    return ELO * math.log(mean / (1 - mean))


def test_one_deal_has_no_interval_and_no_deals_are_refused():
    assert math.isnan(mean_at_every_look(3.0, 0.0, 1).low)
    with pytest.raises(ValueError, match="deals and a level"):
        at_every_look(0)
    with pytest.raises(ValueError, match="deals and a level"):
        at_every_look(10, 1.0)
