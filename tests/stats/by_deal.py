"""Intervals from the values of single deals, as the tables of a report give them from sums over deals."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.deals import (
    Difference,
    SeatCovariance,
    Share,
    difference_from_moments,
    joint_level,
    share_from_moments,
)


def share_interval(values: ArrayLike, rotations: int = 1, level: float = 0.95) -> Share:
    """The interval of a share; values[deal]: mean over the plays of the deal."""
    seen = np.asarray(values, dtype=np.float64)
    variance = float(seen.var(ddof=1)) if seen.size > 1 else 0.0
    commonest = int(np.unique(seen.round(9), return_counts=True)[1].max())
    off = seen.size - commonest
    return share_from_moments(float(seen.mean()), variance, seen.size, seen.size * rotations, level, off)


def paired_difference(
    a: ArrayLike, b: ArrayLike, bound: float = 0.0, level: float = 0.95, plays: int = 1
) -> Difference:
    """The mean of a − b over common deals with its interval; a[deal], b[deal]."""
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    gap, own = first - second, float(first.var(ddof=1) + second.var(ddof=1))
    moments = float(gap.mean()), float(gap.var(ddof=1))
    return difference_from_moments(*moments, own, gap.size, bound, level, plays)


def seat_intervals(values: ArrayLike, rotations: int = 1, level: float = 0.95) -> list[Share]:
    """The intervals of all seat shares that hold jointly; values[deal, seat]."""
    seen = np.asarray(values, dtype=np.float64)
    return [share_interval(seat, rotations, joint_level(seen.shape[1], level)) for seat in seen.T]


def seat_covariance(values: ArrayLike) -> SeatCovariance:
    """The seat shares and the covariance of these means; values[deal, seat]."""
    seen = np.asarray(values, dtype=np.float64)
    covariance = np.cov(seen, rowvar=False).reshape(seen.shape[1], -1) / len(seen)
    return SeatCovariance(seen.mean(axis=0), covariance, len(seen))
