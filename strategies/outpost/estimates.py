"""Estimates for the players of Outpost: operators, income, turns left, hands, exact payment (OP-13)."""

import numpy as np

from simkit.engine.compile.jit import rule
from simkit.games.outpost import ending, holdings, payer, purchases
from simkit.games.outpost.facts import KINDS, PRODUCTS, REAL, SITES, Product, Thing, Upgrade

LEAST_PACE = 3.0  # least assumed victory points of the leader per turn (OP-13)


@rule
def free_operators(view, rules, seat):
    """Return the number of operators without a site; negative for sites without an operator."""
    operators = view.population[seat] + holdings.usable_robots(view, rules, seat)
    return operators - view.factories[seat].sum() - holdings.specials(view, seat)


@rule
def one_more_robot(view, rules, seat):
    """Return whether another robot could be bought and used."""
    limit = holdings.robots_limit(view, rules, seat)
    return view.upgrades[seat, Upgrade.robots] > 0 and view.robots[seat] < limit


@rule
def operator_cost(view, rules, seat):
    """Return the cost of another operator, 0 if none can be added."""
    if holdings.room(view, rules, seat) > 0:
        return purchases.price_of(view, rules, seat, Thing.population)
    return rules.robot_cost if one_more_robot(view, rules, seat) else 0


@rule
def site_average(rules, site):
    """Return the average value of the cards of a site, credits."""
    return rules.average[rules.site_product[site]]


@rule
def worst_place(view, rules, seat):
    """Return the average of the worst filled place with operators on the best ones, 0 without operators."""
    left, worst = view.population[seat] + holdings.usable_robots(view, rules, seat), 0
    for site in range(SITES - 1, -1, -1):
        if left > 0 and holdings.owned(view, seat, site) > 0:
            left -= holdings.owned(view, seat, site)
            worst = site_average(rules, site)
    return worst


@rule
def income(view, rules, seat):
    """Return the expected credits of the next production: operated sites, scientists and orbital labs."""
    own = view.upgrades[seat]
    credits = own[Upgrade.scientists] * rules.average[Product.research]
    credits += own[Upgrade.orbital_lab] * rules.average[Product.microbiotics]
    for site in range(SITES):
        credits += view.operated[seat, site] * site_average(rules, site)
    return credits


@rule
def note_turn(view, memo):
    """Remember the leader's points of this and three turns before: memo[0] turn, memo[1..4] points."""
    if memo[0] != view.turn:
        memo[4], memo[3], memo[2] = memo[3], memo[2], memo[1]
        memo[0], memo[1] = view.turn, ending.top_score(view)


@rule
def turns_left(view, memo):
    """Return H, the turns that the leader needs at the pace of the last three, with this one (OP-13)."""
    pace = max(LEAST_PACE, (memo[1] - memo[4]) / 3.0) if memo[4] > 0 else LEAST_PACE
    return max(1, int(np.ceil((view.threshold - ending.top_score(view)) / pace)))


@rule
def expected_hand(view, rules, seat):
    """Return the expected value of another hand: products at the mean of unseen cards, IOUs, mega-cards."""
    expected = 0.0
    for product in range(PRODUCTS):
        unseen, worth, n = 0, 0, view.cards[seat, product]
        for kind in range(rules.start[product], rules.start[product + 1]):
            left = rules.copies[kind] - view.discard[kind] - view.hand[view.seat, kind]
            unseen += left
            worth += left * rules.value[kind]
        for kind in range(REAL, KINDS):
            if rules.product_of[kind] == product:
                n -= view.hand[seat, kind]
                expected += view.hand[seat, kind] * rules.value[kind]
        expected += n * worth / max(1, unseen)
    return expected


@rule
def exact_price(view, rules, seat, due):
    """Return what the automatic payer would give for an amount, surplus included."""
    if due <= 0:
        return 0
    return payer.price(view, rules, seat, due)
