"""Simulate checks on fresh deals: what is recommended, and the shares and intervals that are printed.

Run it with `python -m tests.stats.checks_on_fresh_deals` (some minutes); `test_verdicts.py` runs a part of it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simkit.runs.experiment import schedule
from simkit.stats.betting import confidence_sequence
from simkit.stats.stopping import adjusted_mean
from simkit.stats.verdicts import NOT_SETTLED, Evidence, FirstClaims, agreeing_ends, evidence
from simkit.studies.confirm import MAX_GAMES

MARGIN, RESULTS = 0.02, np.array([0.0, 1.0])


class Case(NamedTuple):
    """A lineup of a simulated check when it stops, with single games of two players."""

    verdict: str
    bar: float
    tests: Evidence
    counts: np.ndarray  # games lost and won

    @property
    def near(self) -> bool:
        return bool(self.tests.within_outer >= self.bar)

    @property
    def share(self) -> float:
        return float(self.counts[1] / self.counts.sum())

    @property
    def interval(self) -> tuple[float, float]:
        low, high = (end - 0.5 for end in confidence_sequence(RESULTS, self.counts))
        off, bars = np.float64(self.share - 0.5), (self.bar, self.bar)
        ends = agreeing_ends(low, high, off, self.tests, self.tests, bars, MARGIN)
        return float(0.5 + ends[0]), float(0.5 + ends[1])

    @property
    def adjusted(self) -> float:
        """As `sequential_stopping.adjusted_shares` gives it."""

        def stops(counts: np.ndarray) -> np.ndarray:
            return np.asarray(evidence(RESULTS, counts, 0.5, MARGIN).strongest >= self.bar)

        return adjusted_mean(RESULTS, self.counts, schedule(MAX_GAMES), stops)


def simulate(shares: Sequence[float], runs: int, seed: int = 1) -> list[list[Case]]:
    """Play checks of one setting, a lineup for each true share, each until its verdict."""
    ends, rng = np.array(schedule(MAX_GAMES)), np.random.default_rng(seed)
    steps = [rng.binomial(step, shares, (runs, len(shares))) for step in np.diff([0, *ends])]
    won = np.stack(steps, axis=-1).cumsum(axis=-1)
    counts = np.stack([ends - won, won], axis=-1)  # [run, lineup, analysis, result]
    tests = np.stack(evidence(RESULTS, counts, 0.5, MARGIN))
    return [_check(tests[:, run], counts[run]) for run in range(runs)]


def _check(tests: np.ndarray, counts: np.ndarray) -> list[Case]:
    claims = FirstClaims(len(counts))
    while claims.analyses < counts.shape[1] and NOT_SETTLED in claims.verdicts:
        claims.analyse(Evidence(*tests[:, :, claims.analyses]))
    stops = enumerate(zip(claims.verdicts, claims.bars, claims.decided_at, strict=True))
    return [
        Case(word, float(bar), Evidence(*tests[:, place, at]), counts[place, at])
        for place, (word, bar, at) in stops
    ]
