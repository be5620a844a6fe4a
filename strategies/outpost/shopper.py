"""Outpost: a player made of what upgrades are worth to him and which factories he likes (OP-13)."""

from simkit.games.outpost.auctions import least_bid
from simkit.games.outpost.facts import (
    BUY,
    END,
    MINIMUM,
    OPEN,
    PASS,
    POPULATION,
    ROBOT,
    TYPES,
    WATER,
    WATER_DEAL,
    Kind,
)
from simkit.games.outpost.holdings import discount
from simkit.jit import rule
from strategies.outpost.estimates import (
    exact_price,
    free_operators,
    note_turn,
    one_more_robot,
    operator_cost,
    worst_place,
)
from strategies.outpost.reference import REPLACE_MARGIN, is_legal, reference_quantity, usual_answer


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
                if (
                    due <= view.wealth[seat]
                    and surplus > gain
                    and surplus >= exact_price(view, rules, seat, due) - max(0, due)
                ):
                    best, gain = legal[i], surplus
        return best

    @rule(allocates=True)
    def builds(view, rules, legal, seat, free, w, memo):
        operator = 0 if free > 0 else operator_cost(view, rules, seat)
        best, most_liked = END, 0.0
        for f in range(5):
            if is_legal(legal, BUY + f) and can_man(view, rules, seat, f, free, operator):
                liked = likes(view, rules, seat, f, int(rules.factory_cost[f]) + operator, w, memo)
                if liked > most_liked:
                    best, most_liked = BUY + f, liked
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
        return builds(view, rules, legal, seat, free, w, memo)

    @rule(allocates=True)
    def bids(view, rules, legal, w, memo):
        if legal[0] == MINIMUM:
            return MINIMUM
        seat, t = int(view.seat), int(view.lot)
        due = max(0, least_bid(view, rules) - discount(view, rules, seat, t))
        if due > view.wealth[seat] or due > worth(view, rules, seat, t, w, memo):
            return PASS
        return (
            MINIMUM if exact_price(view, rules, seat, due) <= worth(view, rules, seat, t, w, memo) else PASS
        )

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
def can_man(view, rules, seat, f, free, operator):
    """Whether a new factory would have an operator: a free one, one that can be paid too, or one from a clearly worse place."""
    if free > 0:
        return True
    return (
        view.wealth[seat] >= int(rules.factory_cost[f]) + operator
        if operator > 0
        else replaces(view, rules, seat, f)
    )


@rule
def replaces(view, rules, seat, f):
    """Whether a factory is clearly better than the worst place, where no operator can be added (OP-S0)."""
    return int(rules.average[rules.site_product[f]]) >= worst_place(view, rules, seat) + REPLACE_MARGIN
