"""Intervals of shares seen in independent games, or in deals that tell as much as so many independent games."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simkit.stats.quantiles import normal


def wilson(share: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Score interval of a share seen in n independent games; n need not be whole.

    Formula: (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n).
    Source: Wilson 1927, J. Am. Stat. Assoc. 22, 209-212; Brown, Cai & DasGupta 2001, Stat. Sci. 16, eq. (4). The same as SciPy's
    `binomtest(...).proportion_ci(method="wilson")`, which takes whole counts only.
    Coverage at 95 %: swings around it with n and p, since wins are whole numbers: exactly 94 to 96 % where 100 or more rarer results are
    expected, 91.5 to 98 % with 5 to 100 of them (conservative 97.5 % at 20 games, share .3; liberal 93.5 % at 50 games, share .5), and
    89.5 to 98.5 % with fewer (94.0 % at 20 games, share .02; worst 89.9 % at 27).
    Units: shares from 0 to 1. Errors: ValueError for a share outside 0 to 1, n not above 0, a level outside 0 to 1.

    >>> [round(x, 4) for x in wilson(53 / 150, 150)]
    [0.2814, 0.4326]
    """
    if not 0 <= share <= 1 or not n > 0:
        raise ValueError(f"a share from 0 to 1 of more than 0 games is needed, not {share} of {n}")
    z2 = normal(level) ** 2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return (0.0 if share == 0 else low), (1.0 if share == 1 else high)


def newcombe(
    share_a: float, n_a: float, share_b: float, n_b: float, level: float = 0.95
) -> tuple[float, float]:
    """Interval of share_a − share_b, seen in two independent sets of games; n_a and n_b need not be whole.

    Formula: d − √((p_a − l_a)² + (u_b − p_b)²) to d + √((u_a − p_a)² + (p_b − l_b)²), l and u Wilson's limits, d = p_a − p_b.
    Source: Newcombe 1998, Stat. Med. 17, 873-890, method 10. The same as statsmodels' `confint_proportions_2indep(method="newcomb")`,
    which takes whole counts. For the same deals under two rule sets use `deals.paired_difference`, which is far narrower.
    Coverage found at 95 %, shares .02 to .5 against 10 points more: 94 to 96.5 %, conservative at 20 games and share .02 (98.7 %).
    Units: shares from 0 to 1, the difference from −1 to 1. Errors: as `wilson`.

    >>> [round(x, 4) for x in newcombe(56 / 70, 70, 48 / 80, 80)]
    [0.0524, 0.3339]
    """
    low_a, high_a = wilson(share_a, n_a, level)
    low_b, high_b = wilson(share_b, n_b, level)
    apart = share_a - share_b
    return apart - math.hypot(share_a - low_a, high_b - share_b), apart + math.hypot(
        high_a - share_a, share_b - low_b
    )


def joint_level(seats: int, level: float = 0.95) -> float:
    """The level that each of k seat shares needs for all k intervals to hold together at `level`.

    Formula: 1 − (1 − level)/k for three seats or more; `level` itself for two seats, whose shares are one number told twice
    (p and 1 − p), and for one.
    Source: Goodman 1965, Technometrics 7, 247-254 (Bonferroni's inequality).
    Errors: ValueError for no seats or a level outside 0 to 1.

    >>> joint_level(2), round(joint_level(4), 4)
    (0.95, 0.9875)
    """
    if seats < 1 or not 0 < level < 1:
        raise ValueError(
            f"at least one seat and a level between 0 and 1 are needed, not {seats} seats and {level}"
        )
    return level if seats < 3 else 1 - (1 - level) / seats


def simultaneous(
    shares: Sequence[float], effective: float | Sequence[float], level: float = 0.95
) -> list[tuple[float, float]]:
    """Intervals of the k seat shares of a cell, which sum to 1, that hold jointly at `level`.

    shares[seat], effective[seat] or one number for all: independent games, or `deals.effective_games` at `joint_level(k, level)`.
    Formula: Wilson's interval of each share at `joint_level(k, level)`.
    Source: Goodman 1965, Technometrics 7, 247-254; for three seats or more the same as statsmodels'
    `multinomial_proportions_confint(method="goodman")`, which takes whole counts.
    Coverage found at 95 % of all seats together: 94 to 97 % (Bonferroni's inequality gives a little too much), 90.5 to 93 % for a share of
    .02 in 20 games, 97 % for .1 in 20; two seats as `wilson`.
    Units: shares from 0 to 1. Errors: ValueError for shares that do not sum to 1, another number of sizes than of shares; as `wilson`.

    >>> [(round(low, 3), round(high, 3)) for low, high in simultaneous([0.3, 0.4, 0.3], 100)]
    [(0.204, 0.418), (0.291, 0.52), (0.204, 0.418)]
    """
    sizes = [effective] * len(shares) if isinstance(effective, (int, float)) else list(effective)
    if len(sizes) != len(shares) or not math.isclose(sum(shares), 1, abs_tol=1e-6):
        raise ValueError("seat shares that sum to 1, and one size for each, are needed")
    each = joint_level(len(shares), level)
    return [wilson(share, size, each) for share, size in zip(shares, sizes, strict=True)]
