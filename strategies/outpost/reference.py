"""Outpost: the reference player, decision by decision (OP-S0); other players borrow from it."""

import numpy as np

from simkit.games.outpost import game
from simkit.games.outpost.auctions import least_bid
from simkit.games.outpost.facts import (
    BUY,
    END,
    KINDS,
    MINIMUM,
    OPEN,
    PASS,
    POPULATION,
    ROBOT,
    TYPES,
    WATER,
    WATER_DEAL,
    Kind,
    RobotsLimit,
)
from simkit.games.outpost.holdings import discount, robots_limit
from simkit.games.outpost.payer import choose_cards
from simkit.games.outpost.purchases import most
from simkit.jit import rule
from simkit.strategy import strategy
from strategies.outpost.estimates import free_operators, one_more_robot, operator_cost, worst_place

WORTH_FIRST = np.array(
    [18, 28, 45, 45, 60, 70, 90, 90, 55, 140, 190, 250, 320]
)  # credits, first copy of upgrade 0..12 (OP-S0)
WORTH_MORE = np.array([12, 26, 15, 40, 60, 70, 45, 40, 35, 130, 190, 250, 320])  # every further copy
WIN_WORTH = 9999
REPLACE_MARGIN = 6
CHEAPEST_LAST = np.array([4, 3, 2, 1, 0])  # new chemicals, research, titanium, water, ore


@rule
def is_legal(legal, action):
    """Whether an action is among the legal ones."""
    for i in range(legal.size):
        if legal[i] == action:
            return True
    return False


@rule
def reference_worth(view, rules, seat, t):
    """What an upgrade is worth to the reference player, credits (OP-S0)."""
    if int(view.score[seat]) + int(rules.vp[t]) >= rules.victory_vp:
        return WIN_WORTH
    return int(WORTH_FIRST[t]) if view.upgrades[seat, t] == 0 else int(WORTH_MORE[t])


@rule
def best_opening(view, rules, legal, seat):
    """The legal opening with the greatest worth less price, or END (OP-S0)."""
    wealth = int(view.wealth[seat])
    best, gain = END, -1
    for i in range(legal.size):
        t = legal[i] - OPEN
        if 0 <= t < TYPES:
            price = max(0, int(rules.cost[t]) - discount(view, rules, seat, t))
            worth = reference_worth(view, rules, seat, t)
            if price <= wealth and worth >= price and worth - price > gain:
                best, gain = legal[i], worth - price
    return best


@rule
def reference_main(view, rules, legal):
    """Open, deal for water, man, build, end (OP-S0)."""
    seat = int(view.seat)
    opening = best_opening(view, rules, legal, seat)
    if opening != END:
        return opening
    if is_legal(legal, WATER_DEAL) and view.wealth[seat] < rules.factory_cost[WATER]:
        return WATER_DEAL
    free = free_operators(view, rules, seat)
    if free < 0:
        if is_legal(legal, BUY + POPULATION):
            return BUY + POPULATION
        if is_legal(legal, BUY + ROBOT) and one_more_robot(view, rules, seat):
            return BUY + ROBOT
    for f in CHEAPEST_LAST:
        if is_legal(legal, BUY + f) and wants_factory(view, rules, seat, f, free):
            return BUY + f
    return END


@rule
def wants_factory(view, rules, seat, f, free):
    """An operator is free or affordable, or the factory is clearly better than the worst place (OP-S0)."""
    if free > 0:
        return True
    operator = operator_cost(view, rules, seat)
    if operator > 0:
        return free == 0 and view.wealth[seat] >= int(rules.factory_cost[f]) + operator
    return int(rules.average[rules.site_product[f]]) >= worst_place(view, rules, seat) + REPLACE_MARGIN


@rule
def reference_quantity(view, rules):
    """One factory; as many operators as are missing (OP-S0)."""
    seat, thing = int(view.seat), int(view.thing)
    if thing < POPULATION:
        return 1
    pieces = min(most(view, rules, seat, thing), max(1, -free_operators(view, rules, seat)))
    if thing == ROBOT and rules.robots_limit == RobotsLimit.times_population:
        pieces = min(pieces, max(1, robots_limit(view, rules, seat) - int(view.robots[seat])))
    return pieces


@rule
def reference_bid(view, rules, legal):
    """The least bid as long as its price is within worth and hand (OP-S0)."""
    seat, t = int(view.seat), int(view.lot)
    if legal[0] == MINIMUM:
        return MINIMUM
    price = max(0, least_bid(view, rules) - discount(view, rules, seat, t))
    return MINIMUM if price <= min(reference_worth(view, rules, seat, t), int(view.wealth[seat])) else PASS


@rule
def cheapest_discard(rules, legal):
    """The card worth least for the room it takes (OP-S0)."""
    best, least = legal[0], 1 << 30
    for i in range(legal.size):
        worth = int(rules.value[legal[i]]) * 4 // int(rules.units[legal[i]])
        if worth < least:
            best, least = legal[i], worth
    return best


@rule(allocates=True)
def as_automatic(view, rules):
    """The lowest kind of the automatic payer's set for what is still due (OP-S0)."""
    chosen = np.empty(KINDS, np.int64)
    due = int(view.due) - int(view.paid)
    choose_cards(rules, view.hand[view.seat], due, int(view.research_due), chosen)
    kind = 0
    while chosen[kind] == 0:
        kind += 1
    return kind


@rule(allocates=True)
def usual_answer(view, rules, legal):
    """What the reference player answers where nothing is bought or bid for (OP-S0)."""
    if view.kind == Kind.discard:
        return cheapest_discard(rules, legal)
    if view.kind == Kind.pay:
        return as_automatic(view, rules)
    if view.kind == Kind.t_response:
        return legal[0]
    return legal[legal.size - 1]  # MEGA and ASSIGN: the most; HONOR: pay


@rule(allocates=True)
def reference_answer(view, rules, legal):
    """What the reference player does at every decision (OP-S0)."""
    if view.kind == Kind.main:
        return reference_main(view, rules, legal)
    if view.kind == Kind.bid:
        return reference_bid(view, rules, legal)
    if view.kind == Kind.qty:
        return reference_quantity(view, rules)
    return usual_answer(view, rules, legal)


@strategy(game)
def reference_greedy(view, rules, legal):
    """Open what is worth more than its price, man sites, build the best factory (OP-S0)."""
    return reference_answer(view, rules, legal)
