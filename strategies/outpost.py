"""Strategies for Outpost (OP-13).

All know what an upgrade is worth to them in credits, and bid up to that. They differ in that worth and in what they build.
"""

import numpy as np

from simkit.games.outpost import game
from simkit.games.outpost.auctions import least_bid
from simkit.games.outpost.estimates import (
    exact_price,
    expected_hand,
    free_operators,
    income,
    note_turn,
    one_more_robot,
    operator_cost,
    top_vp,
    turns_left,
    worst_place,
)
from simkit.games.outpost.facts import (
    ATTACK,
    BUY,
    DONE,
    ECOPLANTS,
    END,
    F_CHEMICALS,
    HEAVY,
    JOIN,
    JUMP,
    KINDS,
    LABORATORY,
    LET_BE,
    LIBRARY,
    MINIMUM,
    NODULE,
    OPEN,
    ORBITAL,
    ORDINARY,
    OUTPOST,
    PASS,
    POPULATION,
    RESEARCH,
    ROBOT,
    ROBOTS,
    SCIENTISTS,
    TYPES,
    WAREHOUSE,
    WATER,
    WATER_DEAL,
    Kind,
    RobotsLimit,
)
from simkit.games.outpost.holdings import capacity, discount, factories, robots_limit, room, specials, usable_robots
from simkit.games.outpost.payer import choose_cards
from simkit.games.outpost.purchases import most, price_of
from simkit.jit import rule
from simkit.strategy import Weight, strategy

WORTH_FIRST = np.array([18, 28, 45, 45, 60, 70, 90, 90, 55, 140, 190, 250, 320])  # credits, first copy of upgrade 0..12 (OP-S0)
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


@strategy(game)
def reference_greedy(view, rules, legal, w, rng, scratch, memo):
    """Open what is worth more than its price, man sites, build the best factory (OP-S0)."""
    if view.kind == Kind.main:
        return reference_main(view, rules, legal)
    if view.kind == Kind.bid:
        return reference_bid(view, rules, legal)
    if view.kind == Kind.qty:
        return reference_quantity(view, rules)
    return usual_answer(view, rules, legal)


# What the players below share: worth of an upgrade and liking of a factory are their own, the rest is as follows.


def shopper(worth, likes):
    """A player who buys upgrades for up to `worth` credits, mans sites, and builds the factory that it `likes` most.

    worth(view, rules, seat, t, w, memo) in credits; likes(view, rules, seat, f, cost, w, memo): 0 or less = does not build.
    """

    @rule(allocates=True)
    def opens(view, rules, legal, seat, w, memo):
        best, gain = END, -1.0
        for i in range(legal.size):
            t = legal[i] - OPEN
            if 0 <= t < TYPES:
                due = int(rules.cost[t]) - discount(view, rules, seat, t)
                surplus = worth(view, rules, seat, t, w, memo) - max(0, due)
                if due <= view.wealth[seat] and surplus > gain and surplus >= exact_price(view, rules, seat, due) - max(0, due):
                    best, gain = legal[i], surplus
        return best

    @rule(allocates=True)
    def acts(view, rules, legal, w, memo):
        seat = int(view.seat)
        opening = opens(view, rules, legal, seat, w, memo)
        if opening != END:
            return opening
        if is_legal(legal, WATER_DEAL) and view.wealth[seat] < rules.factory_cost[WATER]:
            return WATER_DEAL
        free = free_operators(view, rules, seat)
        if free < 0 and is_legal(legal, BUY + POPULATION):
            return BUY + POPULATION
        if free < 0 and is_legal(legal, BUY + ROBOT) and one_more_robot(view, rules, seat):
            return BUY + ROBOT
        best, most_liked = END, 0.0
        for f in range(5):
            if is_legal(legal, BUY + f):
                operator = 0 if free > 0 else operator_cost(view, rules, seat)
                cost = int(rules.factory_cost[f]) + operator
                liked = likes(view, rules, seat, f, cost, w, memo)
                if liked > most_liked and view.wealth[seat] >= cost and (free > 0 or operator > 0):
                    best, most_liked = BUY + f, liked
                elif free <= 0 and operator == 0 and replaces(view, rules, seat, f) and liked > most_liked:
                    best, most_liked = BUY + f, liked
        return best

    @rule(allocates=True)
    def bids(view, rules, legal, w, memo):
        if legal[0] == MINIMUM:
            return MINIMUM
        seat, t = int(view.seat), int(view.lot)
        due = max(0, least_bid(view, rules) - discount(view, rules, seat, t))
        if due > view.wealth[seat] or due > worth(view, rules, seat, t, w, memo):
            return PASS
        return MINIMUM if exact_price(view, rules, seat, due) <= worth(view, rules, seat, t, w, memo) else PASS

    @rule(allocates=True)
    def decide(view, rules, legal, w, memo):
        note_turn(view, memo)
        if view.kind == Kind.main:
            return acts(view, rules, legal, w, memo)
        if view.kind == Kind.bid:
            return bids(view, rules, legal, w, memo)
        if view.kind == Kind.qty:
            return reference_quantity(view, rules)
        return usual_answer(view, rules, legal)

    return decide


@rule
def replaces(view, rules, seat, f):
    """Whether a factory is clearly better than the worst place, where no operator can be added (OP-S0)."""
    return int(rules.average[rules.site_product[f]]) >= worst_place(view, rules, seat) + REPLACE_MARGIN


@rule
def wins_with(view, rules, seat, t):
    """Whether the upgrade's victory points would be enough to end the game."""
    return int(view.score[seat]) + int(rules.vp[t]) >= view.threshold


@rule
def best_average(view, rules, seat):
    """Average and cost of the best factory that technology allows, research cards set aside."""
    best = 1 if view.upgrades[seat, HEAVY] == 0 else 2
    best = 3 if view.upgrades[seat, LABORATORY] > 0 else best
    return int(rules.average[rules.site_product[best]]), int(rules.factory_cost[best])


@rule
def likes_reference(view, rules, seat, f, cost, w, memo):
    """New chemicals first, ore last (OP-S0)."""
    return 1.0 + f


@rule
def likes_payback(view, rules, seat, f, cost, w, memo):
    """Credits until the presumed end and victory points, less the cost."""
    left = max(0, turns_left(view, rules, memo) - 1)
    gain = left * int(rules.average[rules.site_product[f]]) + vp_worth(view, rules, w, memo) * int(rules.site_vp[f])
    return (gain - cost) / cost


@rule
def vp_worth(view, rules, w, memo):
    """Credits for a victory point: more in later phases, most at the presumed end."""
    if turns_left(view, rules, memo) <= 2:
        return w.last
    return w.first if view.phase == 1 else w.second if view.phase == 2 else w.third


@rule
def slots_worth(view, rules, seat, places, cost, w, memo):
    """Worth of new operator places: those likely to be used, each with the best factory until the presumed end."""
    average, factory = best_average(view, rules, seat)
    left = max(0, turns_left(view, rules, memo) - 1)
    used = min(float(places), income(view, rules, seat) / 40 * left)
    spare = room(view, rules, seat)
    used = used if spare <= 0 else max(0.0, min(used, used - 0.5 * spare))
    return max(0.0, used * (average * left + 2 * vp_worth(view, rules, w, memo) - factory - cost))


@rule
def special_gain(view, rules, seat, t):
    """Income of a special, less that of the place its operator leaves."""
    left = worst_place(view, rules, seat) if free_operators(view, rules, seat) <= 0 and room(view, rules, seat) < 0 else 0
    return int(rules.average[rules.site_product[t - 5]]) - left


@rule
def discounts_worth(view, rules, seat, owner):
    """0.6 of each discount for every target type still to be had that the player lacks (OP-13.8)."""
    total = 0.0
    for t in range(TYPES):
        if view.upgrades[seat, t] == 0 and view.supply[t] + view.market[t] > 0:
            total += 0.6 * int(rules.discount[owner, t])
    return total


@rule
def horizon_worth(view, rules, seat, t, w, memo):
    """Victory points, income until the presumed end, places, discounts, room for cards (OP-13.8)."""
    if wins_with(view, rules, seat, t):
        return float(WIN_WORTH)
    left = max(0, turns_left(view, rules, memo) - 1)
    total = vp_worth(view, rules, w, memo) * int(rules.vp[t])
    if t == LIBRARY:
        total += discounts_worth(view, rules, seat, 0)
    elif t == WAREHOUSE:
        total += w.room * int(rules.capacity_warehouse) * overflow(view, rules, seat)
    elif t == HEAVY:
        total += discounts_worth(view, rules, seat, 1)
        if view.upgrades[seat, HEAVY] == 0:
            total += 7 * min(6.0, income(view, rules, seat) / 40 * left / 2) * w.technology
    elif t == NODULE:
        total += w.slots * slots_worth(view, rules, seat, int(rules.pop_nodule), int(rules.pop_cost), w, memo)
    elif t == SCIENTISTS:
        total += int(rules.average[RESEARCH]) * left * w.income
    elif t == ORBITAL:
        total += 17 * left * w.income
    elif t == ROBOTS:
        total += w.slots * slots_worth(view, rules, seat, 4 + int(view.population[seat]) // 2, int(rules.robot_cost), w, memo)
    elif t == LABORATORY:
        total += 13 * left * w.income + 2 * vp_worth(view, rules, w, memo)
    elif t == ECOPLANTS:
        total += discounts_worth(view, rules, seat, 2) + 5 * max(0, room(view, rules, seat))
    elif t == OUTPOST:
        total += w.slots * slots_worth(view, rules, seat, int(rules.pop_outpost), int(rules.pop_cost), w, memo) + 10 * left * w.income
        total += w.room * int(rules.capacity_outpost) * overflow(view, rules, seat)
    else:
        total += special_gain(view, rules, seat, t) * left * w.income
    return total


@rule
def overflow(view, rules, seat):
    """How much the hand strains its capacity, 0 to 1."""
    return min(1.0, max(0.0, int(view.load[seat]) / max(1, capacity(view, rules, seat)) - 0.3))


HORIZON = {
    "first": Weight(4.0, 0.0, 40.0, "Credits for a victory point in phase 1"),
    "second": Weight(5.0, 0.0, 40.0, "... in phase 2"),
    "third": Weight(7.0, 0.0, 40.0, "... in phase 3"),
    "last": Weight(12.0, 0.0, 80.0, "... in the presumed last two turns"),
    "income": Weight(1.0, 0.0, 4.0, "Share of the income until the presumed end that counts"),
    "slots": Weight(1.0, 0.0, 4.0, "Share of the worth of new operator places that counts"),
    "technology": Weight(1.0, 0.0, 8.0, "Share of the worth of building titanium that counts"),
    "room": Weight(3.0, 0.0, 40.0, "Credits for a place in a strained hand"),
}
values_horizon = shopper(horizon_worth, likes_payback)


@strategy(game, **HORIZON)
def horizon_valuer(view, rules, legal, w, rng, scratch, memo):
    """Rate upgrades and factories by what they earn until the presumed end, and by victory points (OP-13.8)."""
    return values_horizon(view, rules, legal, w, memo)
