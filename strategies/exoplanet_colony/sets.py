"""Aims of seats that save for sets of modules (EX-17, set_planner)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.games.exoplanet_colony.base import within
from simkit.games.exoplanet_colony.deploy import missing
from simkit.games.exoplanet_colony.facts import (
    LEAST_PRODUCTION,
    MODULE_SET,
    MOST_PRODUCTION,
    NOBODY,
    RESOURCES,
)

from .values import POINT, WINS, change, gain

MAX_SET = 3  # most modules of a set
NEVER = -1_000_000


@rule
def best_set(s, rules, hand, replaced, style):
    """Return the set of modules of a hand that is worth most, 0 if none is worth anything."""
    modules = hand & MODULE_SET
    best, most, size, cards = 0, POINT - 1, 0, -modules & modules
    while cards != 0:
        n = bit_count(cards)
        if n <= MAX_SET:
            worth = set_worth(s, rules, hand, cards, replaced, style)
            if worth > most or (worth == most and comes_first(cards, n, best, size)):
                best, most, size = cards, worth, n
        cards = (cards - modules) & modules
    return best


@rule
def comes_first(cards, n, others, size):
    """Return whether a set precedes one of equal worth: fewer cards, then the lowest ids."""
    if n != size:
        return n < size
    differing = cards ^ others
    return cards & differing & -differing != 0


@rule
def set_worth(s, rules, hand, cards, replaced, style):
    """Return the joint worth of the modules of a set, less the cost of the cards that each of them lacks."""
    total, wins, left = 0, True, cards
    for r in range(RESOURCES):
        n = added(rules, cards, r)
        after = int(s.production[r]) + n
        if after < LEAST_PRODUCTION or after > MOST_PRODUCTION:
            return NEVER
        total += change(s, rules, r, n, style)
        wins = wins and after >= rules.win_production
    while left != 0:
        card = lowest_bit(left)
        left &= left - 1
        total -= POINT * style.planned * missing(rules, hand & ~cards | bit(card), card, replaced)
    return total + WINS if wins else total


@rule
def added(rules, cards, r):
    """Return what the modules of a set add to a production."""
    total = 0
    while cards != 0:
        total += int(rules.effect[lowest_bit(cards), r])
        cards &= cards - 1
    return total


@rule
def next_of(s, rules, hand, cards, replaced, style):
    """Return the module of a set that lacks the fewest cards, then gains most; -1 for none."""
    best, fewest, most = NOBODY, 0, 0
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        if within(s, rules, card, 1):
            missing_cards, worth = missing(rules, hand, card, replaced), gain(s, rules, card, style)
            if best == NOBODY or missing_cards < fewest or (missing_cards == fewest and worth > most):
                best, fewest, most = card, missing_cards, worth
    return best
