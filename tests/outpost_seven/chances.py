"""Statistical checks with fixed seeds: they give the same answer every time, and a wrong distribution fails
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from scipy import stats

LEAST_P = 1e-4


def fits(counts: Any, shares: Any) -> None:
    """Observed counts fit expected shares (Pearson's chi-square)."""
    counts, shares = np.asarray(counts, float), np.asarray(shares, float)
    expected = shares / shares.sum() * counts.sum()
    assert expected.min() >= 5, f"too few cases for a chi-square test: {expected.min():.1f} expected"
    p = stats.chisquare(counts, expected).pvalue
    assert p > LEAST_P, (
        f"p = {p:.2g}: observed {counts.astype(int).tolist()}, expected {np.round(expected, 1).tolist()}"
    )


def uniform(values: Iterable[Hashable], over: Iterable[Hashable]) -> None:
    """Each of the possible values is equally likely, and nothing else occurs."""
    counts, possible = Counter(values), list(over)
    strange = set(counts) - set(possible)
    assert not strange, f"impossible values: {sorted(map(str, strange))[:5]}"
    fits([counts[v] for v in possible], [1] * len(possible))


def share(hits: Any, expected: float, sigmas: float = 4.5) -> None:
    """The share of true values is `expected`, within sampling error."""
    hits = np.asarray(hits, bool)
    error = np.sqrt(expected * (1 - expected) / hits.size)
    z = (hits.mean() - expected) / error
    assert abs(z) < sigmas, (
        f"share {hits.mean():.4f} of {hits.size}, expected {expected:.4f}: {z:.1f} standard errors"
    )


def mean(values: Any, expected: float, rounding: float = 0.0, sigmas: float = 4.5) -> None:
    """The mean is `expected` (known to within `rounding`), within sampling error."""
    values = np.asarray(values, float)
    allowed = sigmas * values.std() / np.sqrt(values.size) + rounding
    assert abs(values.mean() - expected) <= allowed, (
        f"mean {values.mean():.4f}, expected {expected} within {allowed:.4f}"
    )
