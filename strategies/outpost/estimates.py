"""Outpost: what strategies reckon with: operators, income, how many turns are left, the price of exact payment (OP-13)."""

import numpy as np

from simkit.games.outpost.facts import (
    KINDS,
    MICROBIOTICS,
    ORBITAL,
    POPULATION,
    PRODUCTS,
    REAL,
    RESEARCH,
    ROBOT,
    ROBOTS,
    SCIENTISTS,
    SITES,
)
from simkit.games.outpost.holdings import factories, robots_limit, room, specials, usable_robots
from simkit.games.outpost.payer import choose_cards
from simkit.games.outpost.purchases import price_of
from simkit.jit import rule


@rule
def free_operators(view, rules, seat):
    """Operators without a site, negative: sites without an operator."""
    return (
        int(view.population[seat])
        + usable_robots(view, rules, seat)
        - factories(view, seat)
        - specials(view, seat)
    )


@rule
def one_more_robot(view, rules, seat):
    """Whether another robot could be bought and used."""
    if view.upgrades[seat, ROBOTS] == 0:
        return False
    return int(view.robots[seat]) < robots_limit(view, rules, seat)


@rule
def operator_cost(view, rules, seat):
    """Cost of another operator, 0 if none can be added."""
    if room(view, rules, seat) > 0:
        return price_of(view, rules, seat, POPULATION)
    return price_of(view, rules, seat, ROBOT) if one_more_robot(view, rules, seat) else 0


@rule
def worst_place(view, rules, seat):
    """Average product of the worst place filled when all operators are on the best places, 0 without operators."""
    operators = int(view.population[seat]) + usable_robots(view, rules, seat)
    worst = 0
    for site in range(SITES - 1, -1, -1):
        if operators <= 0:
            break
        own = int(view.factories[seat, site]) if site < 5 else int(view.upgrades[seat, 5 + site])
        if own > 0:
            worst = int(rules.average[rules.site_product[site]])
            operators -= own
    return worst


@rule
def income(view, rules, seat):
    """Expected credits of the next production: operated sites, scientists and orbital labs."""
    total = int(view.upgrades[seat, SCIENTISTS]) * int(rules.average[RESEARCH])
    total += int(view.upgrades[seat, ORBITAL]) * int(rules.average[MICROBIOTICS])
    for site in range(SITES):
        total += int(view.operated[seat, site]) * int(rules.average[rules.site_product[site]])
    return total


@rule
def top_vp(view):
    """Victory points of the leader."""
    top = int(view.score[0])
    for seat in range(1, view.seats):
        top = max(top, int(view.score[seat]))
    return top


@rule
def note_turn(view, memo):
    """Remember the leader's victory points of this and the three turns before: memo[0] turn, memo[1..4] points."""
    if memo[0] != view.turn:
        memo[4], memo[3], memo[2] = memo[3], memo[2], memo[1]
        memo[0], memo[1] = view.turn, top_vp(view)


@rule
def turns_left(view, rules, memo):
    """How many more turns the leader needs at the pace of the last three (H of OP-13)."""
    pace = 3.0
    if memo[4] > 0:
        pace = max(pace, (memo[1] - memo[4]) / 3.0)
    return max(1, int(np.ceil((int(view.threshold) - top_vp(view)) / pace)))


@rule
def expected_hand(view, rules, seat):
    """Expected value of another hand: for each product the mean of its unseen cards; IOUs and mega-cards as they are."""
    total = 0.0
    for product in range(PRODUCTS):
        unseen, worth, n = 0, 0, int(view.cards[seat, product])
        for kind in range(int(rules.start[product]), int(rules.start[product + 1])):
            left = int(rules.copies[kind]) - int(view.discard[kind]) - int(view.hand[view.seat, kind])
            unseen += left
            worth += left * int(rules.value[kind])
        for kind in range(REAL, KINDS):
            if rules.product_of[kind] == product:
                n -= int(view.hand[seat, kind])
                total += int(view.hand[seat, kind]) * int(rules.value[kind])
        total += n * worth / max(1, unseen)
    return total


@rule(allocates=True)
def exact_price(view, rules, seat, due):
    """What the automatic payer would give for an amount, surplus included."""
    if due <= 0:
        return 0
    chosen = np.empty(KINDS, np.int64)
    choose_cards(rules, view.hand[seat], due, 0, chosen)
    total = 0
    for kind in range(KINDS):
        total += chosen[kind] * int(rules.value[kind])
    return total
