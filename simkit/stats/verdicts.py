"""What an interval says about fairness."""

from __future__ import annotations


def verdict(low: float, high: float, fair: float, margin: float = 0.02) -> str:
    """FAIR if the interval lies within fair ± margin, UNFAIR if wholly outside, else UNDECIDED.

    Source: interval inclusion, Schuirmann 1987, J. Pharmacokin. Biopharm. 15, 657-680, at the level of the interval. For one look at
    a number of deals fixed beforehand. Units: shares 0 to 1. Errors: ValueError for a margin not above 0.

    >>> verdict(0.49, 0.51, 0.5), verdict(0.46, 0.47, 0.5), verdict(0.47, 0.49, 0.5)
    ('FAIR', 'UNFAIR', 'UNDECIDED')
    """
    if not margin > 0:
        raise ValueError(f"a margin above 0 is needed, not {margin}")
    if fair - margin <= low and high <= fair + margin:
        return "FAIR"
    return "UNFAIR" if high < fair - margin or low > fair + margin else "UNDECIDED"
