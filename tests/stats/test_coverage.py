"""Every kind of interval holds the truth as often as it says: 94 to 96 % at 95 %, or what is stated for few
deals.

The allowance for luck is three standard errors of the replications: 2.1 points at 1,000, 1.5 at 2,000.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simkit.stats.deals import wilson
from tests.stats.small_runs import (
    KINDS,
    allowance,
    coverage,
    exact_joint,
    exact_paired,
    exact_share,
    promised,
)

SHARES = [0.02, 0.1, 0.3, 0.5]
SLOW = [kind for kind in KINDS if kind.startswith("largest")]  # thirty times slower
QUICK = [kind for kind in KINDS if kind not in SLOW]


def _holds(kind: str, share: float, deals: int, replications: int) -> None:
    (low, high), beyond = promised(kind, share, deals), allowance(replications)
    assert low - beyond <= coverage(kind, share, deals, replications) <= high + beyond


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize(("share", "deals"), [(0.02, 50), (0.3, 20), (0.5, 250)])
def test_coverage_in_brief(kind: str, share: float, deals: int) -> None:
    _holds(kind, share, deals, 400)


@pytest.mark.parametrize("kind", SLOW)
def test_coverage_of_spreads_in_brief(kind: str) -> None:
    _holds(kind, 0.3, 100, 60)


@pytest.mark.slow
@pytest.mark.proof("stats")
@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("deals", [20, 50, 100, 400, 1000])
def test_coverage_in_full(kind: str, share: float, deals: int) -> None:
    _holds(kind, share, deals, 2_000)


@pytest.mark.slow
@pytest.mark.proof("stats")
@pytest.mark.parametrize("kind", SLOW)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("deals", [20, 100, 400])
def test_coverage_of_spreads_in_full(kind: str, share: float, deals: int) -> None:
    _holds(kind, share, deals, 1_000)


def _exact(share: float, n: int) -> float:
    """The coverage of Wilson's interval, from the binomial distribution."""
    ends = [wilson(won / n, n) for won in range(n + 1)]
    return float(
        sum(stats.binom.pmf(won, n, share) for won, (low, high) in enumerate(ends) if low <= share <= high)
    )


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_wilson_covers_as_promised_on_average_over_20_to_60_games(share: float) -> None:
    """Its coverage swings from one n to the next (97.5 % at n = 20, share .3): the mean over n is near 95 %."""
    assert 0.945 < np.mean([_exact(share, n) for n in range(20, 61)]) < 0.965


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("games", [100, 200, 400])
def test_the_shares_of_a_fair_game_are_covered_in_94_to_96_of_100(seats: int, games: int) -> None:
    """Exactly, by enumeration: each seat alone, and all together."""
    assert 0.94 <= exact_share(1 / seats, games) <= 0.96
    assert 0.94 <= exact_joint(np.full(seats, 1 / seats), games) <= 0.96


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("games", [20, 50, 100, 400])
def test_the_enumeration_is_scipys(share: float, games: int) -> None:
    assert exact_share(share, games) == pytest.approx(_exact(share, games))
    assert exact_joint(np.array([share, 1 - share]), games) == pytest.approx(_exact(share, games))


def test_paired_differences_of_a_fair_game_are_covered_as_stated() -> None:
    assert all(0.94 <= exact_paired(0.0, share, 100) <= 0.975 for share in (1 / 2, 1 / 3, 1 / 4))


@pytest.mark.slow
@pytest.mark.proof("stats")
@pytest.mark.parametrize(
    "kind", ["Elo of the share", "mean score", "equality of 3 seats", "largest gap of 3 seats, fair game"]
)
def test_what_reports_show_of_a_fair_game_over_100_deals(kind: str) -> None:
    times = 300 if kind.startswith("largest") else 2000
    assert 0.94 - allowance(times) <= coverage(kind, 0.5, 100, times) <= 0.96 + allowance(times)


@pytest.mark.parametrize("share", SHARES)
def test_the_simulation_finds_the_exact_coverage(share: float) -> None:
    result = coverage("share of single games", share, 30, 3_000)
    assert result == pytest.approx(_exact(share, 30), abs=allowance(3_000))


def test_the_same_seed_finds_the_same_coverage_and_another_one_does_not() -> None:
    seen = [coverage("share of single games", 0.3, 40, 300, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert seen[0] == seen[1] and len(set(seen)) > 1


def test_unknown_kinds_are_refused() -> None:
    for ask in (
        lambda: coverage("guess", 0.5, 20),
        lambda: promised("guess", 0.5, 20),
        lambda: coverage("Elo of the share", 1.0, 20),
    ):
        with pytest.raises(ValueError, match="needed"):
            ask()
