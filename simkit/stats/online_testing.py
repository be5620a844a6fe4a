"""Online testing with e-values: hypotheses that come one after another share one error budget (e-LOND)."""

import math

ALPHA = 0.05  # expected share of false rejections among all rejections


def level(test: int, rejections: int) -> float:
    """Return the level of a test, which rejects if its e-value is 1/level or more.

    test: its number, from 1; rejections: those of the tests before it, or fewer. Formula: α γ_t (D + 1),
    γ_t = 1/log₂(t + 1) − 1/log₂(t + 2), which adds up to 1. The false discovery rate is at most α at all
    times, however the tests depend on each other. A confidence sequence of level 1 − α_t (`betting`,
    `sequences`) excludes what has an e-value of 1/α_t. Source: Xu & Ramdas 2024, Online multiple testing with
    e-values, AISTATS, PMLR 238 (e-LOND). Errors: ValueError for a test below 1.

    >>> [round(level(test, 0), 4) for test in (1, 2, 10)], round(level(10, 3), 4)
    ([0.0185, 0.0065, 0.0005], 0.002)
    """
    if test < 1:
        raise ValueError(f"tests are counted from 1, not {test}")
    return ALPHA * (1 / math.log2(test + 1) - 1 / math.log2(test + 2)) * (rejections + 1)
