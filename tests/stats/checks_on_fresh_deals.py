"""Simulate checks on fresh deals: what is recommended, and the shares and intervals that are printed.

Run it with `python -m tests.stats.checks_on_fresh_deals` (some minutes); `test_verdicts.py` runs a part of it.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simkit.ask.confirm import MAX_GAMES
from simkit.page.words.verdicts import holds
from simkit.runs.plan import schedule
from simkit.stats.betting import confidence_sequence
from simkit.stats.stopping import adjusted_mean
from simkit.stats.verdicts import FAIR, NOT_SETTLED, Evidence, FirstClaims, agreeing_ends, evidence

MARGIN, RESULTS, BAR = 0.02, np.array([0.0, 1.0]), math.log(20)
DEVIATIONS = (0.0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03)


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
        off, bars = np.array(self.share - 0.5), np.array([self.bar, self.bar])
        ends = agreeing_ends(low, high, off, self.tests, self.tests, bars, MARGIN)
        return float(0.5 + ends[0]), float(0.5 + ends[1])


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


def share_recommended(off: Sequence[float], runs: int) -> float:
    """Return the fraction of checks that recommend a setting whose lineups are so far from fair."""
    checks = simulate([0.5 + deviation for deviation in off], runs)
    rows = [[{"verdict": case.verdict, "near": case.near} for case in check] for check in checks]
    return float(np.mean(list(map(holds, rows))))


def print_recommended(runs: int) -> None:
    print("| off by | two of three lineups | all three lineups |")
    for off in DEVIATIONS:
        some, every = share_recommended([0, off, off], runs), share_recommended([off] * 3, runs)
        print(f"| {off} | {some:.1%} | {every:.1%} |", flush=True)


def adjust_shares(shares: np.ndarray) -> np.ndarray:
    """Return the shares less the bias of stopping of a single case, which depends on the share at the stop alone."""
    grid = np.linspace(shares.min(), shares.max(), 25)

    def stops(counts: np.ndarray) -> np.ndarray:
        return np.asarray(evidence(RESULTS, counts, 0.5, MARGIN).strongest >= BAR)

    analyses = schedule(MAX_GAMES)
    return np.interp(shares, grid, [adjusted_mean(RESULTS, [1 - x, x], analyses, stops) for x in grid])


def print_shares(runs: int) -> None:
    """Print the bias of shares at the stop, of all and of those that are FAIR, and coverage."""
    print("\n| true share | games | plain | adjusted | FAIR | plain | adjusted | 95 % interval covers |")
    for true in (0.49, 0.485, 0.5):
        cases = [case for (case,) in simulate([true], runs)]
        low, high = np.array([case.interval for case in cases]).T
        plain = np.array([case.share for case in cases])
        fair = np.array([case.verdict == FAIR for case in cases])
        kinds = plain, adjust_shares(plain)
        of_all = [f"{100 * shares.mean():.2f} (sd {100 * shares.std():.2f})" for shares in kinds]
        at_fair = [f"{100 * shares[fair].mean():.2f}" for shares in kinds]
        games = np.mean([case.counts.sum() for case in cases])
        covered = ((low <= true) & (true <= high)).mean()
        columns = [f"{games:,.0f}", *of_all, f"{fair.mean():.0%}", *at_fair, f"{covered:.1%}"]
        print(f"| {true} | {' | '.join(columns)} |", flush=True)


if __name__ == "__main__":
    print_recommended(1_000)
    print_shares(2_000)
