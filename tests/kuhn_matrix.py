"""The matrix of Kuhn poker, worked out by hand: what each sensible strategy wins against each other."""

from itertools import product

import numpy as np

JACK, QUEEN, KING = range(3)


def kuhn_poker() -> np.ndarray:
    """Return the first player's mean payoff over the six deals, by sensible strategies [first, second].

    A strategy: whether the jack bets, whether the queen calls, and for the first whether the king bets at
    once.
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
