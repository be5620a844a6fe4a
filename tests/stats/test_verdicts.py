"""FAIR, UNFAIR, UNDECIDED."""

from __future__ import annotations

from simkit.stats.verdicts import verdict


def test_verdicts() -> None:
    assert [verdict(low, low + 0.01, 0.5) for low in (0.44, 0.475, 0.49, 0.515, 0.53)] == [
        "UNFAIR",
        "UNDECIDED",
        "FAIR",
        "UNDECIDED",
        "UNFAIR",
    ]
