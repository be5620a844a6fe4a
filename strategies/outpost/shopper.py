"""Players of Outpost that bid what upgrades are worth to them, man sites, build what they like (OP-13)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import strategy
from simkit.games.outpost import auctions, game, holdings, payer, purchases
from simkit.games.outpost.facts import FACTORIES, TYPES, Bid, Decision, Main, Thing

from . import estimates as guess

REPLACE_MARGIN = 6  # credits by which a factory must beat the place that its operator leaves (OP-S0)


@rule
def likes_dear(view, rules, seat, f, cost, w, memo):
    """Prefer new chemicals, ore last (OP-S0)."""
    return 1.0 + f


def shopper(likes=likes_dear, label="", **weights):
    """Return the decorator that makes a player from a function for the worth of upgrades (see `shop`)."""

    def wrap(worth):
        body = shop(rule(worth), likes, guess.exact_price)
        body.__name__, body.__doc__ = worth.__name__, worth.__doc__
        return strategy(game, label=label, allocates=False, **weights)(body)

    return wrap


def shop(worth, likes, price):
    """Return the function for every decision of a player of the family.

    worth(view, rules, seat, t, w, memo)        worth of upgrade t in credits
    likes(view, rules, seat, f, cost, w, memo)  preference for factory f at this cost; none for 0 or less
    price(view, rules, seat, due)               cost of paying an amount, at least that amount
    """
    (opens, bids), builds = trading(worth, price), building(likes)

    @rule
    def acts(view, rules, legal, w, memo):
        seat, action = view.seat, opens(view, rules, legal, w, memo)
        if action != Main.end:
            return action
        if Main.water_deal.value in legal and view.wealth[seat] < rules.factory_cost[Thing.water]:
            return Main.water_deal
        if guess.free_operators(view, rules, seat) < 0:
            if Main.buy + Thing.population in legal:
                return Main.buy + Thing.population
            if Main.buy + Thing.robot in legal and guess.one_more_robot(view, rules, seat):
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
    """Return the rules to open auctions and to bid (OP-S0).

    A player opens the upgrade worth most beyond its price, and bids the least if the upgrade is worth it.
    """

    @rule
    def opens(view, rules, legal, w, memo):
        seat, best, gain = view.seat, Main.end, -1.0
        for i in range(legal.size):
            t = legal[i] - Main.open
            if 0 <= t < TYPES:
                due = max(0, rules.cost[t] - holdings.discount(view, rules, seat, t))
                value = worth(view, rules, seat, t, w, memo)
                if due <= view.wealth[seat] and value - due > gain and value >= price(view, rules, seat, due):
                    best, gain = legal[i], value - due
        return best

    @rule
    def bids(view, rules, legal, w, memo):
        if legal[0] == Bid.least:
            return Bid.least
        seat, t = view.seat, view.lot
        due = max(0, auctions.least_bid(view, rules) - holdings.discount(view, rules, seat, t))
        value = worth(view, rules, seat, t, w, memo)
        can = due <= view.wealth[seat] and due <= value and price(view, rules, seat, due) <= value
        return Bid.least if can else Bid.drop

    return opens, bids


def building(likes):
    """Return the rule that chooses the preferred factory that can be built and operated, or END."""

    @rule
    def builds(view, rules, legal, w, memo):
        seat, best, most_liked = view.seat, Main.end, 0.0
        free = guess.free_operators(view, rules, seat)
        operator = 0 if free > 0 else guess.operator_cost(view, rules, seat)
        for f in range(FACTORIES):
            if Main.buy + f in legal and can_man(view, rules, f, free, operator):
                liked = likes(view, rules, seat, f, rules.factory_cost[f] + operator, w, memo)
                if liked > most_liked:
                    best, most_liked = Main.buy + f, liked
        return best

    return builds


@rule
def can_man(view, rules, f, free, operator):
    """Return whether an operator is free, can be paid too, or else comes from a worse place (OP-S0)."""
    if free > 0 or operator > 0:
        return view.wealth[view.seat] >= rules.factory_cost[f] + operator
    return guess.site_average(rules, f) >= guess.worst_place(view, rules, view.seat) + REPLACE_MARGIN


@rule
def quantity(view, rules):
    """Return the amount to buy: one factory; as many operators as are missing and usable (OP-S0)."""
    seat, thing = view.seat, view.thing
    if thing < FACTORIES:
        return 1
    pieces = min(purchases.most(view, rules, seat, thing), max(1, -guess.free_operators(view, rules, seat)))
    if thing == Thing.robot:
        pieces = min(pieces, max(1, holdings.robots_limit(view, rules, seat) - view.robots[seat]))
    return pieces


@rule
def usual(view, rules, legal):
    """Decide everything else as the reference player does (OP-S0).

    PAY is the automatic payer's; DISCARD is what is worth least for its room; MEGA and ASSIGN are the most.
    """
    if view.decision == Decision.pay:
        due, seat = view.due - view.paid, view.seat
        return payer.first_card(view, rules, seat, due, view.research_due)
    if view.decision != Decision.discard:
        return legal[0] if view.decision == Decision.t_response else legal[-1]
    best, least = legal[0], 1 << 30
    for kind in legal:
        worth = rules.value[kind] * 4 // rules.units[kind]
        if worth < least:
            best, least = kind, worth
    return best
