"""How every player of Lunar Outpost spends in its last turn: the most points per cube (LO-19)."""

from simkit.engine.compile.jit import rule
from simkit.games.lunar_outpost.facts import DONE

from .features import purchase_points, purchase_price


@rule
def is_better_buy(s, rules, one, other):
    """Whether a purchase gives more points per cube than another, or as many and is dearer."""
    points, than = purchase_points(s, rules, one), purchase_points(s, rules, other)
    price, its = purchase_price(s, rules, one), purchase_price(s, rules, other)
    return points * its > than * price or (points * its == than * price and price > its)


@rule
def best_points(view, rules, legal):
    """Of the legal ids at SPEND the one with the most points per cube, then the dearest; DONE without points.

    Troops and relocations have no points.
    """
    best = DONE
    for i in range(legal.size):
        action = legal[i]
        has_points = purchase_points(view, rules, action) > 0
        if has_points and (best == DONE or is_better_buy(view, rules, action, best)):
            best = action
    return best
