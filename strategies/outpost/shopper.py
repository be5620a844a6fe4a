"""The family of players of Outpost told apart by what upgrades are worth to them, and what they build.

All open and bid up to that worth, man their sites, and build the factory that they like most (OP-S0, OP-13).
"""

import numpy as np

from simkit.games.outpost import game
from simkit.games.outpost.auctions import least_bid
from simkit.games.outpost.facts import FACTORIES, KINDS, TYPES, Bid, Decision, Main, Thing
from simkit.games.outpost.holdings import discount, robots_limit
from simkit.games.outpost.payments import choose_cards
from simkit.games.outpost.purchases import most
from simkit.jit import rule
from simkit.strategy import strategy
from strategies.outpost import estimates as guess
from strategies.outpost.estimates import is_legal

# Credits by which a factory must be better than the place that its operator leaves (OP-S0).
REPLACE_MARGIN = 6


@rule
def likes_dear(view, rules, seat, f, cost, w, memo):
    """New chemicals first, ore last (OP-S0)."""
    return 1.0 + f


def shopper(likes=likes_dear, label="", **weights):
    """Make a player of the family of a function that says what an upgrade is worth to it (see `shop`)."""

    def wrap(worth):
        body = shop(rule(worth), likes, guess.exact_price)
        body.__name__, body.__doc__ = worth.__name__, worth.__doc__
        return strategy(game, label=label, **weights)(body)

    return wrap


def shop(worth, likes, price):
    """Every decision of a player of the family.

    worth(view, rules, seat, t, w, memo)        credits for upgrade t
    likes(view, rules, seat, f, cost, w, memo)  how gladly it builds factory f for so much; not for 0 or less
    price(view, rules, seat, due)               what paying an amount costs, at least that amount
    """
    (opens, bids), builds = trading(worth, price), building(likes)

    @rule(allocates=True)
    def acts(view, rules, legal, w, memo):
        seat, action = view.seat, opens(view, rules, legal, w, memo)
        if action != Main.end:
            return action
        if is_legal(legal, Main.water_deal) and view.wealth[seat] < rules.factory_cost[Thing.water]:
            return Main.water_deal
        if guess.free_operators(view, rules, seat) < 0:
            if is_legal(legal, Main.buy + Thing.population):
                return Main.buy + Thing.population
            if is_legal(legal, Main.buy + Thing.robot) and guess.one_more_robot(view, rules, seat):
                return Main.buy + Thing.robot
        return builds(view, rules, legal, w, memo)

    def decide(view, rules, legal, w, memo):
        guess.note_turn(view, memo)
        if view.decision == Decision.main:
            return acts(view, rules, legal, w, memo)
        if view.decision == Decision.bid:
            return bids(view, rules, legal, w, memo)
        return quantity(view, rules) if view.decision == Decision.qty else usual(view, rules, legal)

    return decide


def trading(worth, price):
    """Open what is worth most beyond what is due, bid the least, if it is worth the price (OP-S0)."""

    @rule(allocates=True)
    def opens(view, rules, legal, w, memo):
        seat, best, gain = view.seat, Main.end, -1.0
        for i in range(legal.size):
            t = legal[i] - Main.open
            if 0 <= t < TYPES:
                due = max(0, rules.cost[t] - discount(view, rules, seat, t))
                value = worth(view, rules, seat, t, w, memo)
                if due <= view.wealth[seat] and value - due > gain and value >= price(view, rules, seat, due):
                    best, gain = legal[i], value - due
        return best

    @rule(allocates=True)
    def bids(view, rules, legal, w, memo):
        if legal[0] == Bid.least:
            return Bid.least
        seat, t = view.seat, view.lot
        due = max(0, least_bid(view, rules) - discount(view, rules, seat, t))
        value = worth(view, rules, seat, t, w, memo)
        can = due <= view.wealth[seat] and due <= value and price(view, rules, seat, due) <= value
        return Bid.least if can else Bid.drop

    return opens, bids


def building(likes):
    """The factory liked most that can be built and operated, or END."""

    @rule
    def builds(view, rules, legal, w, memo):
        seat, best, most_liked = view.seat, Main.end, 0.0
        free = guess.free_operators(view, rules, seat)
        operator = 0 if free > 0 else guess.operator_cost(view, rules, seat)
        for f in range(FACTORIES):
            if is_legal(legal, Main.buy + f) and can_man(view, rules, f, free, operator):
                liked = likes(view, rules, seat, f, rules.factory_cost[f] + operator, w, memo)
                if liked > most_liked:
                    best, most_liked = Main.buy + f, liked
        return best

    return builds


@rule
def can_man(view, rules, f, free, operator):
    """An operator is free, can be paid too, or, where none can be added, comes from a worse place (OP-S0)."""
    if free > 0 or operator > 0:
        return view.wealth[view.seat] >= rules.factory_cost[f] + operator
    return guess.site_average(rules, f) >= guess.worst_place(view, rules, view.seat) + REPLACE_MARGIN


@rule
def quantity(view, rules):
    """One factory; as many operators as are missing and can be used (OP-S0)."""
    seat, thing = view.seat, view.thing
    if thing < FACTORIES:
        return 1
    pieces = min(most(view, rules, seat, thing), max(1, -guess.free_operators(view, rules, seat)))
    if thing == Thing.robot:
        pieces = min(pieces, max(1, robots_limit(view, rules, seat) - view.robots[seat]))
    return pieces


@rule(allocates=True)
def usual(view, rules, legal):
    """The answer where nothing is bought or bid for: MEGA and ASSIGN the most; HONOR pay (OP-S0)."""
    if view.decision == Decision.discard:
        return cheapest_discard(rules, legal)
    if view.decision == Decision.pay:
        return as_automatic(view, rules)
    return legal[0] if view.decision == Decision.t_response else legal[legal.size - 1]


@rule
def cheapest_discard(rules, legal):
    """The card worth least for the room it takes (OP-S0)."""
    best, least = legal[0], 1 << 30
    for i in range(legal.size):
        worth = rules.value[legal[i]] * 4 // rules.units[legal[i]]
        if worth < least:
            best, least = legal[i], worth
    return best


@rule(allocates=True)
def as_automatic(view, rules):
    """The lowest kind of the automatic payer's set for what is still due (OP-S0)."""
    chosen = np.empty(KINDS, np.int64)
    choose_cards(rules, view.hand[view.seat], view.due - view.paid, view.research_due, chosen)
    kind = 0
    while chosen[kind] == 0:
        kind += 1
    return kind
