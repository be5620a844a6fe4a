"""Optimal play of Pig with two seats, by value iteration (Neller & Presser, UMAP Journal 25, 2004)."""

from functools import cache

import numba
import numpy as np

from simkit.engine.strategy import strategy
from simkit.games.pig import HOLD, ROLL, game

GOAL, FACES, BUST = 100, 6, 1
TOLERANCE = 1e-9


@numba.njit
def _after_roll(value, own, other, total):
    """Return the chance to win by a roll; `value` is the chance of the seat to decide."""
    chance = 1 - value[other, own, 0]
    for face in range(BUST + 1, FACES + 1):
        chance += 1.0 if own + total + face >= GOAL else value[own, other, total + face]
    return chance / FACES


@cache
def solved():
    """Return `solve()`, which takes seconds to compile: not whenever tests are collected."""
    return solve()


@numba.njit
def solve():
    """Return the chance to win and whether to hold, by own score, other score and turn total."""
    value, holds = np.full((GOAL, GOAL, GOAL), 0.5), np.zeros((GOAL, GOAL, GOAL), np.bool_)
    change = 1.0
    while change > TOLERANCE:
        change = 0.0
        for own in range(GOAL - 1, -1, -1):
            for other in range(GOAL - 1, -1, -1):
                for total in range(GOAL - own - 1, -1, -1):
                    roll = _after_roll(value, own, other, total)
                    hold = 1 - value[other, own + total, 0] if total > 0 else 0.0
                    holds[own, other, total] = hold > roll
                    best = max(hold, roll)
                    change = max(change, abs(best - value[own, other, total]))
                    value[own, other, total] = best
    return value, holds


@cache
def optimal():
    """Return the strategy."""
    _, holds = solved()
    hold_bits = np.packbits(holds, axis=2, bitorder="little")  # a constant of compiled code

    @strategy(game)
    def optimal(view, rules):
        """Win as often as possible against a seat that does the same."""
        own, other, total = view.score[view.seat], view.score[1 - view.seat], view.turn_total
        if own + total >= rules.goal:
            return HOLD
        return HOLD if hold_bits[own, other, total // 8] >> (total % 8) & 1 else ROLL

    return optimal
