"""Simulated histories of gates: how often a sound claim is called broken, and when a planted change is found.

    python -m tests.stats.gate_histories

A claim is "wins 48 to 52"; every change of the rules is a test of e-LOND, on fresh games, in the stages of a
gate. Sound rules win at the limit of the range, where false alarms are likeliest, or in its middle. Where the
lock is never committed, every change is tested at the level of the first one. Other columns have their mean at
a limit of the range, in single tests at several levels.
"""

import math
from collections.abc import Sequence

import numpy as np

from simkit.ask import claims
from simkit.ask.gate import stages
from simkit.stats import betting, online_testing, planning

LOW, HIGH = 0.48, 0.52
HISTORIES, CHANGES = 1_000, 50
DEALS, PLANTED_DEALS = 20_000, 40_000
PLANTED_AT = 26  # number of the test that meets a planted change
UNSPENT_CHANGES = 40  # of a project whose lock is never committed
LEVELS = (online_testing.level(1, 0), 5e-4, 1e-5)
WHOLE = np.arange(80.0)
LAWS: dict[str, tuple[np.ndarray, np.ndarray]] = {  # values of a column, and weights of their chances
    "turns": (WHOLE[8:61], np.exp(-0.5 * ((np.log(WHOLE[8:61]) - 3.2) / 0.3) ** 2) / WHOLE[8:61]),
    "0 or 1, .01": (WHOLE[:2], np.array([0.99, 0.01])),
    "0 or 1, .5": (WHOLE[:2], np.array([0.5, 0.5])),
    "Poisson, .006": (WHOLE[:5], np.array([0.006**k / math.factorial(k) for k in range(5)])),
    "10 or 0, .006": (np.array([0.0, 10.0]), np.array([0.9994, 0.0006])),
    "30 or 0, .03": (np.array([0.0, 30.0]), np.array([0.999, 0.001])),
}
COLUMN = claims.Claim("column 0 to 1", "column", 0, 1, "", (), "column")


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


def false_alarms(
    truth: float, histories: int = HISTORIES, changes: int = CHANGES, committed: bool = True
) -> float:
    """Return the share of histories of sound rules in which some claim is called broken."""
    rng, rejections = np.random.default_rng(33), np.zeros(histories, int)
    for test in range(1, changes + 1):
        levels = np.array([online_testing.level(test, count) for count in rejections])
        if not committed:
            levels[:] = online_testing.level(1, 0)
        rejections += gated(truth, levels, rng)[0]
    return float((rejections > 0).mean())


def column_alarms(
    law: str, levels: Sequence[float] = LEVELS, tests: int = 20_000, deals: int = DEALS
) -> list[float]:
    """Return for each level the share of tests of a column that call its true mean impossible."""
    values, weights = LAWS[law]
    chances, rng = weights / weights.sum(), np.random.default_rng(7)
    counts, broken, played = np.zeros((tests, len(values)), int), np.zeros((len(levels), tests), bool), 0
    for stage in stages(deals):
        counts += rng.multinomial(stage - played, chances, tests)
        rows, place = np.unique(counts, axis=0, return_inverse=True)
        ends = np.array([[_ends(values, row, level) for row in rows] for level in levels])[:, place.ravel()]
        broken |= (ends[..., 0] > values @ chances) | (ends[..., 1] < values @ chances)
        played = stage
    return [float(share) for share in broken.mean(axis=1)]


def _ends(values: np.ndarray, counts: np.ndarray, level: float) -> tuple[float, float]:
    estimated = claims.estimate(COLUMN, np.repeat(values, counts).tolist(), False, 1 - level)
    return estimated.low, estimated.high


def main() -> None:
    """Print the table of the manual."""
    for place, truth in (("at the limit of the range", HIGH), ("in its middle", (LOW + HIGH) / 2)):
        share = false_alarms(truth)
        print(
            f"{HISTORIES} histories of {CHANGES} sound changes {place}: {100 * share:.1f} % with a false BROKEN"
        )
    for committed, lock in ((True, "committed with every change"), (False, "never committed")):
        share = false_alarms(HIGH, HISTORIES, UNSPENT_CHANGES, committed)
        print(f"{UNSPENT_CHANGES} sound changes at the limit, lock {lock}: {100 * share:.1f} %")
    for law, (values, _) in LAWS.items():
        tests = 20_000 if len(values) < 10 else 500
        shares = ", ".join(
            f"{share:.1e} at {level:.1e}"
            for share, level in zip(column_alarms(law, tests=tests), LEVELS, strict=True)
        )
        print(f"column {law}: false BROKEN {shares} ({tests} tests)")
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
