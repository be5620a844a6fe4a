"""Intervals of shares seen in independent games, or in deals that tell as much as so many such games."""

import math

from simkit.stats.quantiles import normal


def wilson(share: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Score interval of a share seen in n independent games; n need not be whole.

    Formula: (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n). Source: Wilson 1927, J. Am. Stat. Assoc. 22,
    209-212. Coverage at 95 % swings, as wins are whole numbers: exactly 94 to 96 % where 100 or more rarer
    results are expected, 91.5 to 98 % with 5 to 100, 89.5 to 98.5 % with fewer. Units: shares. Errors:
    ValueError for a share outside 0 to 1, n not above 0.

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


def joint_level(seats: int, level: float = 0.95) -> float:
    """The level that each of k seat shares needs for all k intervals to hold together at `level`.

    Formula: 1 − (1 − level)/k; `level` for two shares, which are one number told twice. Source: Goodman 1965,
    Technometrics 7, 247-254 (Bonferroni). Errors: ValueError for no seats or a level outside 0 to 1.

    >>> joint_level(2), round(joint_level(4), 4)
    (0.95, 0.9875)
    """
    if seats < 1 or not 0 < level < 1:
        raise ValueError(f"a seat or more and a level between 0 and 1 are needed, not {seats} and {level}")
    return level if seats < 3 else 1 - (1 - level) / seats
