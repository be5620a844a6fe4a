"""Checks of formulas against published values: tests of matches, two-person games with known values."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from simkit.stats import matches, zero_sum
from simkit.verify.validate.result import Result, Subject, measured

STATISTICS = Subject("statistics")
LOGISTIC = (223, 9863, 21279, 10037, 246), (0.5, 2.5), -3.0741
NORMALIZED = (
    ((365, 16618, 36229, 16974, 390), (0.0, 2.0), 2.2504),
    ((379, 10170, 21828, 10640, 343), (0.0, 2.0), 2.9455),
)
DIGITS = 5e-5  # precision of the published values
ROCK_PAPER_SCISSORS = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]
KUHN = -1 / 18  # Kuhn 1950
JACK, QUEEN, KING = range(3)
EXACT = 1e-9


def checks() -> Iterator[Result]:
    """Yield checks of log-likelihood ratios of pentanomial counts, and of values of two small games."""
    counts, elos, expected = LOGISTIC
    ratio = matches.llr(_pairs(counts), elos, 2)
    yield _same("logistic log-likelihood ratio (fishtest)", expected, ratio, DIGITS)
    for counts, elos, expected in NORMALIZED:
        ratio = matches.llr(_pairs(counts), elos, 2, normalized=True)
        yield _same("normalised log-likelihood ratio (fishtest, fastchess)", expected, ratio, DIGITS)
    value = zero_sum.solve(ROCK_PAPER_SCISSORS).value
    yield _same("value of rock, paper, scissors", 0.5, value, EXACT)
    yield _same("value of Kuhn poker to the first", KUHN, zero_sum.solve(kuhn_poker()).value, EXACT)


def _pairs(counts: tuple[int, ...]) -> matches.Counts:
    """Return pentanomial counts of seat-swapped pairs as counts by score."""
    return matches.Counts(np.linspace(0, 1, len(counts)), np.array(counts, np.float64))


def _same(check: str, expected: float, value: float, tolerance: float) -> Result:
    return measured(STATISTICS, check, expected, value, 0.0, 1, tolerance)


def kuhn_poker() -> np.ndarray:
    """Return the first player's mean payoff over the six deals, by sensible strategies [first, second].

    A strategy: whether the jack bets, whether the queen calls, and for the first whether the king bets at
    once.

    >>> kuhn_poker().shape
    (8, 4)
    """
    deals = [(card, opposing) for card, opposing in product(range(3), repeat=2) if card != opposing]
    firsts, seconds = product((False, True), repeat=3), list(product((False, True), repeat=2))
    return np.array([[np.mean([_won(*deal, a, b) for deal in deals]) for b in seconds] for a in firsts])


def _won(card: int, opposing: int, first: tuple[bool, ...], second: tuple[bool, ...]) -> int:
    """Return the payoff of the first player on a deal."""
    stake = 1 if card > opposing else -1
    bets = {JACK: first[0], QUEEN: False, KING: first[2]}[card]
    if bets:
        return 2 * stake if {JACK: False, QUEEN: second[1], KING: True}[opposing] else 1
    if {JACK: second[0], QUEEN: False, KING: True}[opposing]:
        return 2 * stake if {JACK: False, QUEEN: first[1], KING: True}[card] else -1
    return stake
