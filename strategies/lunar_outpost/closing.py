"""Spending of every player of Lunar Outpost in its last turn: the most points per cube (LO-19)."""

from simkit.engine.compile.jit import rule
from simkit.games.lunar_outpost.facts import DONE

from .features import purchase_points, purchase_price


@rule
def is_better_buy(s, rules, action, other):
    """Return whether a purchase gives more points per cube than another, or as many and costs more."""
    points, other_points = purchase_points(s, rules, action), purchase_points(s, rules, other)
    price, other_price = purchase_price(s, rules, action), purchase_price(s, rules, other)
    return points * other_price > other_points * price or (
        points * other_price == other_points * price and price > other_price
    )


@rule
def best_points(view, rules, legal):
    """Return the legal id at SPEND with the most points per cube, then the highest price, or DONE.

    Troops and relocations have no points.
    """
    best = DONE
    for i in range(legal.size):
        action = legal[i]
        has_points = purchase_points(view, rules, action) > 0
        if has_points and (best == DONE or is_better_buy(view, rules, action, best)):
            best = action
    return best
