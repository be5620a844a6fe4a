"""Pig: the share of the first player when both hold at 20, by dynamic programming."""

from functools import cache

import pytest

from reference.positions import exact_answer
from simkit.games.pig import game

GOAL = 100


@cache
def banked(enough, total=0):
    """Chances of the points that a turn banks, holding at `enough`."""
    if total >= enough:
        return {total: 1.0}
    results = {0: 1 / 6}
    for face in range(2, 7):
        for points, chance in banked(enough, total + face).items():
            results[points] = results.get(points, 0) + chance / 6
    return results


@cache
def wins(own, other):
    """The chance of the seat to roll; a turn of each may bank nothing, which leads back here."""
    (a, p), (b, q) = (part(own, other), part(other, own))
    return (a + p * (1 - b - q)) / (1 - p * q) if p * q < 1 else 0.0


def part(own, other):
    """The chance to win if this turn banks points, and the chance that it banks none."""
    turn = banked(min(20, GOAL - own))
    later = sum(
        chance * (1 if own + points >= GOAL else 1 - wins(other, own + points))
        for points, chance in turn.items()
        if points
    )
    return later, turn[0]


def test_the_known_share_is_that_of_dynamic_programming():
    for total in range(2 * GOAL - 2, -1, -1):
        for own in range(max(0, total - GOAL + 1), min(GOAL, total + 1)):
            wins(own, total - own)
    assert wins(0, 0) == pytest.approx(0.53469833, abs=5e-9)
    assert exact_answer(game, "share", "hold_at*2", seat=0) == pytest.approx(wins(0, 0), abs=5e-9)
