"""Simulated histories of gates: how often a sound claim is called broken, and when a planted change is found.

    python -m tests.stats.gate_histories

A claim is "wins 48 to 52"; every change of the rules is a test of e-LOND, on fresh games, in the stages of a
gate. Sound rules win at the limit of the range, where false alarms are likeliest, or in its middle.
"""

import math

import numpy as np

from simkit.analysis import claims
from simkit.stats import betting, online_testing, planning
from simkit.studies.gate import stages

LOW, HIGH = 0.48, 0.52
HISTORIES, CHANGES = 1_000, 50
DEALS, PLANTED_DEALS = 20_000, 40_000
PLANTED_AT = 26  # number of the test that meets a planted change


def gated(
    truth: float, levels: np.ndarray, rng: np.random.Generator, deals: int = DEALS
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each level whether a gate calls the claim broken, and the games that it took."""
    counts, broken = np.zeros((len(levels), 2)), np.zeros(len(levels), bool)
    games, left = np.full(len(levels), deals), np.arange(len(levels))
    for stage in stages(deals):
        new = rng.binomial(stage - int(counts[left[0]].sum()), truth, len(left))
        counts[left] += np.stack([stage - counts[left].sum(axis=-1) - new, new], axis=-1)
        low, high = betting.confidence_sequence([0, 1], counts[left], 0.95, claims.BETS)
        broken[left] = _beyond(counts[left], levels[left])
        settled = broken[left] | ((low >= LOW) & (high <= HIGH))
        games[left[settled]] = stage
        left = left[~settled]
        if not len(left):
            break
    return broken, games


def _beyond(counts: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return where the confidence sequence of the level of a test lies outside the range."""
    broken = np.zeros(len(counts), bool)
    for level in np.unique(levels):
        rows = levels == level
        low, high = betting.confidence_sequence([0, 1], counts[rows], 1 - level, claims.BETS)
        broken[rows] = (low > HIGH) | (high < LOW)
    return broken


def false_alarms(truth: float, histories: int = HISTORIES, changes: int = CHANGES) -> float:
    """Return the share of histories of sound rules in which some claim is called broken."""
    rng, rejections = np.random.default_rng(33), np.zeros(histories, int)
    for test in range(1, changes + 1):
        levels = np.array([online_testing.level(test, count) for count in rejections])
        rejections += gated(truth, levels, rng)[0]
    return float((rejections > 0).mean())


def main() -> None:
    """Print the table of the manual."""
    for place, truth in (("at the limit of the range", HIGH), ("in its middle", (LOW + HIGH) / 2)):
        share = false_alarms(truth)
        print(
            f"{HISTORIES} histories of {CHANGES} sound changes {place}: {100 * share:.1f} % with a false BROKEN"
        )
    level = np.full(HISTORIES, online_testing.level(PLANTED_AT, 0))
    for points in (1, 2, 3):
        rng = np.random.default_rng(points)
        broken, games = gated(HIGH + points / 100, level, rng, PLANTED_DEALS)
        half = float(np.median(np.where(broken, games, math.inf)))
        needed = planning.games_needed(points / 100, 2)
        print(
            f"{points} points beyond the limit: {100 * broken.mean():.0f} % by {PLANTED_DEALS:,} games, "
            f"half by {half:,.0f}; plan: {needed:,} games for a single test"
        )


if __name__ == "__main__":
    main()
