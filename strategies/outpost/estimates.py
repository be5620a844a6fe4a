"""What the players of Outpost reckon with: operators, income, turns left, hands, exact payment (OP-13)."""

import numpy as np

from simkit.engine.compile.jit import rule
from simkit.games.outpost import ending, holdings, payer, purchases
from simkit.games.outpost.facts import KINDS, PRODUCTS, REAL, SITES, Product, Thing, Upgrade

LEAST_PACE = 3.0  # victory points a turn that the leader makes at least (OP-13)


@rule
def free_operators(view, rules, seat):
    """Operators without a site, negative: sites without an operator."""
    operators = view.population[seat] + holdings.usable_robots(view, rules, seat)
    return operators - view.factories[seat].sum() - holdings.specials(view, seat)


@rule
def one_more_robot(view, rules, seat):
    """Whether another robot could be bought and used."""
    limit = holdings.robots_limit(view, rules, seat)
    return view.upgrades[seat, Upgrade.robots] > 0 and view.robots[seat] < limit


@rule
def operator_cost(view, rules, seat):
    """Cost of another operator, 0 if none can be added."""
    if holdings.room(view, rules, seat) > 0:
        return purchases.price_of(view, rules, seat, Thing.population)
    return rules.robot_cost if one_more_robot(view, rules, seat) else 0


@rule
def site_average(rules, site):
    """Average value of the cards of a site, credits."""
    return rules.average[rules.site_product[site]]


@rule
def worst_place(view, rules, seat):
    """Average of the worst place filled when all operators are on the best places, 0 without operators."""
    left, worst = view.population[seat] + holdings.usable_robots(view, rules, seat), 0
    for site in range(SITES - 1, -1, -1):
        if left > 0 and holdings.owned(view, seat, site) > 0:
            left -= holdings.owned(view, seat, site)
            worst = site_average(rules, site)
    return worst


@rule
def income(view, rules, seat):
    """Expected credits of the next production: operated sites, scientists and orbital labs."""
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
    """How many more turns the leader needs at the pace of the last three, this one included (H of OP-13)."""
    pace = max(LEAST_PACE, (memo[1] - memo[4]) / 3.0) if memo[4] > 0 else LEAST_PACE
    return max(1, int(np.ceil((view.threshold - ending.top_score(view)) / pace)))


@rule
def expected_hand(view, rules, seat):
    """Expected value of another hand: products at the mean of their unseen cards; IOUs and mega-cards."""
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
    """What the automatic payer would give for an amount, surplus included."""
    if due <= 0:
        return 0
    return payer.price(view, rules, seat, due)
