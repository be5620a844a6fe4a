"""Outpost: what a seat sees, and how the unseen may be (OP-9.12).

Cards are known by product, the back, and hidden by value: `cards` and `pile` count them by product for all to see, the
counts by kind of others' real cards and of the draw piles are blanked. Mega-cards, IOUs and discards are public.
"""

import numpy as np

from simkit.chance import below
from simkit.games.outpost.auctions import least_bid
from simkit.games.outpost.facts import KINDS, MOST, NOBODY, PRODUCTS, REAL, Kind
from simkit.games.outpost.holdings import discount
from simkit.games.outpost.purchases import price_of
from simkit.jit import clone_before, rule

TRIES = 50  # redeals before hands are made to fit


@rule
def observe(s, rules, seat, view):
    """The state without the values of others' cards, the draw piles and the log (OP-9.12)."""
    clone_before(view, s, "draw")
    view.draw[:] = -1
    for other in range(s.seats):
        if other != seat:
            view.hand[other, :REAL] = -1
            view.wealth[other] = -1


@rule(allocates=True)
def redeal(view, rules, seat, stream):
    """Deal the unseen cards to the other hands and the piles, uniformly over what the view shows as possible.

    A high bidder can pay its bid, who is to choose can choose (OP-5.4, OP-9): tried again until it fits; then made to fit.
    """
    unseen, needs = np.empty(REAL, np.int64), np.zeros(MOST, np.int64)
    for kind in range(REAL):
        unseen[kind] = int(rules.copies[kind]) - int(view.discard[kind]) - int(view.hand[seat, kind])
    for other in range(view.seats):
        if other != seat:
            needs[other] = need_of(view, rules, other)
    for _ in range(TRIES):
        deal_unseen(view, rules, seat, unseen, stream)
        if short_seat(view, needs) == NOBODY:
            return
    make_fit(view, rules, seat, needs)


@rule
def deal_unseen(view, rules, seat, unseen, stream):
    """Each hand draws its cards of a product from those unseen; the rest are the draw pile."""
    for kind in range(REAL):
        view.draw[kind] = unseen[kind]
    for other in range(view.seats):
        if other == seat:
            continue
        view.hand[other, :REAL] = 0
        for product in range(PRODUCTS):
            draw_unseen(view, rules, other, product, stream)
        view.wealth[other] = worth_of(view, rules, other)


@rule
def draw_unseen(view, rules, other, product, stream):
    """The real cards of a product in a hand, one by one from what is left."""
    first, end = int(rules.start[product]), int(rules.start[product + 1])
    left = 0
    for kind in range(first, end):
        left += int(view.draw[kind])
    for _ in range(real_cards(view, rules, other, product)):
        ticket = below(stream, left)
        kind = first
        while ticket >= view.draw[kind]:
            ticket -= int(view.draw[kind])
            kind += 1
        view.draw[kind] -= 1
        view.hand[other, kind] += 1
        left -= 1


@rule
def real_cards(view, rules, seat, product):
    """Cards of a product in a hand that are neither mega-cards nor IOUs."""
    n = int(view.cards[seat, product])
    for kind in range(REAL, KINDS):
        if rules.product_of[kind] == product:
            n -= int(view.hand[seat, kind])
    return n


@rule
def worth_of(view, rules, seat):
    """Value of a hand, counted."""
    total = 0
    for kind in range(KINDS):
        total += int(view.hand[seat, kind]) * int(rules.value[kind])
    return total


@rule
def need_of(view, rules, seat):
    """Least value of a hand that fits what the seat has done or is asked now."""
    need = 0
    if view.lot != NOBODY and not rules.secret_overbidding:
        off = discount(view, rules, seat, int(view.lot))
        if view.bidder == seat:
            need = int(view.bid) - off
        elif view.seat == seat and view.kind == Kind.bid:
            need = least_bid(view, rules) - off
        elif view.seat == seat and (view.kind == Kind.jump_hi or view.kind == Kind.jump_lo):
            need = least_bid(view, rules) - off + max(1, 16 * int(view.jump_hi))
    elif view.payer == seat:
        need = int(view.due) - int(view.paid)
    elif view.kind == Kind.qty and view.seat == seat:
        need = price_of(view, rules, seat, int(view.thing))
    elif view.kind == Kind.honor and view.seat == seat:
        need = int(view.bid) - discount(view, rules, seat, int(view.lot))
    return need


@rule
def short_seat(view, needs):
    """A seat whose hand is worth less than it needs, -1 none."""
    for seat in range(view.seats):
        if view.wealth[seat] >= 0 and view.wealth[seat] < needs[seat]:
            return seat
    return NOBODY


@rule
def make_fit(view, rules, seat, needs):
    """Exchange cards of short hands for better ones of the same product, the greatest gain first."""
    for _ in range(4 * KINDS):
        short = short_seat(view, needs)
        if short == NOBODY or not improve(view, rules, seat, short, needs):
            return


@rule
def improve(view, rules, seat, short, needs):
    """The best exchange of one card with the draw pile or with a hand that can spare it; whether there was one."""
    gain, best_from, best_give, best_take = 0, NOBODY, 0, 0
    for give in range(REAL):
        if view.hand[short, give] == 0:
            continue
        for take in range(give + 1, int(rules.start[rules.product_of[give] + 1])):
            more = int(rules.value[take]) - int(rules.value[give])
            if more <= gain:
                continue
            source = spares(view, seat, short, take, more, needs)
            if source != NOBODY:
                gain, best_from, best_give, best_take = more, source, give, take
    if gain == 0:
        return False
    exchange(view, short, best_from, best_give, best_take, gain)
    return True


@rule
def spares(view, seat, short, kind, loss, needs):
    """Who can give a card of a kind away at that loss: the pile (10), a hand, or nobody (-1)."""
    if view.draw[kind] > 0:
        return MOST
    for other in range(view.seats):
        if (
            other != seat
            and other != short
            and view.hand[other, kind] > 0
            and view.wealth[other] - loss >= needs[other]
        ):
            return other
    return NOBODY


@rule
def exchange(view, short, source, give, take, gain):
    """One card for a better one."""
    view.hand[short, give] -= 1
    view.hand[short, take] += 1
    view.wealth[short] += gain
    if source == MOST:
        view.draw[give] += 1
        view.draw[take] -= 1
    else:
        view.hand[source, give] += 1
        view.hand[source, take] -= 1
        view.wealth[source] -= gain
