"""Outpost: what a seat sees, and how the unseen may be (OP-9.12).

All see cards counted by product, the back (`cards`, `pile`); the counts by kind of others' real cards and of
the draw piles are blanked. Mega-cards, IOUs and discards are public.
"""

import numpy as np

from simkit.engine.compile.jit import clone_before, rule
from simkit.engine.rng import below
from simkit.games.outpost import auctions, hands, holdings, purchases
from simkit.games.outpost.facts import JUMP, KINDS, MOST, NOBODY, PRODUCTS, REAL, Decision, Step
from simkit.games.outpost.options import DiscardTiming, StartHand

TRIES = 50  # draws of a hand before it is made to fit
PILE = MOST  # in the place of a seat: the draw pile


@rule
def observe(s, rules, seat, view):
    """Write the state without the values of others' cards, the draw piles and the log (OP-9.12)."""
    clone_before(view, s, "draw")
    view.draw[:] = -1
    for other in range(s.seats):
        if other != seat:
            view.hand[other, :REAL] = -1
            view.wealth[other] = -1


@rule(allocates=True)
def redeal(view, rules, seat, stream):
    """Deal the unseen cards to the other hands and the piles, uniformly over what the view shows as possible.

    A hand is worth what its owner needs: a high bidder can pay its bid, a seat that is to choose can choose
    (OP-5.4, OP-9), an opening hand reaches its floor (OP-4.5). Such hands are drawn before all others, each
    again until it is worth enough, or made to fit. With several of them this is not exactly uniform, but it
    is how opening hands are drawn.

    What others chose is not inferred. In 4,000 positions of random games the hands of all others together
    were worth 0.7 credits less than redealt ones (z = -13). The difference comes with purchases and bids: in
    games without them it was 0.1 credits in the other direction (z = 0.9, 1,753 positions before any draw
    pile was refilled). Nor does the view tell which discards a draw pile was refilled with.
    """
    needs = np.zeros(MOST, np.int64)
    collect_unseen(view, rules, seat)
    for other in range(view.seats):
        if other != seat:
            needs[other] = max(need_of(view, rules, other), opening_floor(view, rules, other))
    for needy in (True, False):
        for other in range(view.seats):
            if other != seat and (needs[other] > 0) == needy:
                draw_hand(view, rules, other, needs[other], stream)
    for _ in range(4 * KINDS):
        short = short_seat(view, needs)
        if short == NOBODY or not improve(view, rules, seat, short, needs):
            return


@rule
def collect_unseen(view, rules, seat):
    """Put all unseen cards into the draw pile."""
    for kind in range(REAL):
        view.draw[kind] = rules.copies[kind] - view.discard[kind] - view.hand[seat, kind]
    for other in range(view.seats):
        if other != seat:
            view.hand[other, :REAL] = 0


@rule
def draw_hand(view, rules, other, need, stream):
    """Draw a hand's cards of each product from those unseen, again while it is worth less than it needs."""
    for _ in range(TRIES):
        for kind in range(REAL):
            view.draw[kind] += view.hand[other, kind]
            view.hand[other, kind] = 0
        for product in range(PRODUCTS):
            draw_unseen(view, rules, other, product, stream)
        view.wealth[other] = hands.hand_value(rules, view.hand[other])
        if view.wealth[other] >= need:
            return


@rule
def draw_unseen(view, rules, other, product, stream):
    """Draw the real cards of a product in a hand one by one from what is left."""
    first, left, n = rules.start[product], 0, view.cards[other, product]
    for kind in range(first, rules.start[product + 1]):
        left += view.draw[kind]
    for kind in range(REAL, KINDS):
        if rules.product_of[kind] == product:
            n -= view.hand[other, kind]
    for _ in range(n):
        ticket = below(stream, left)
        kind = first
        while ticket >= view.draw[kind]:
            ticket -= view.draw[kind]
            kind += 1
        view.draw[kind] -= 1
        view.hand[other, kind] += 1
        left -= 1


@rule
def need_of(view, rules, seat):
    """Return the least value of a hand that fits what the seat has done or is asked now."""
    decision = view.decision if view.seat == seat else Decision.none.value
    if view.lot != NOBODY and (decision == Decision.honor or not rules.secret_overbidding):
        off = holdings.discount(view, rules, seat, view.lot)
        if view.bidder == seat:
            return view.bid - off
        if decision == Decision.bid:
            return auctions.least_bid(view, rules) - off
        if decision == Decision.jump_hi or decision == Decision.jump_lo:
            return auctions.least_bid(view, rules) - off + max(1, JUMP.pack(max(0, view.jump_hi), 0))
    elif view.payer == seat:
        return view.due - view.paid
    elif decision == Decision.qty:
        return purchases.price_of(view, rules, seat, view.thing)
    return 0


@rule
def opening_floor(view, rules, seat):
    """Return the least value of an opening hand of which nothing has been spent or discarded (OP-4.5)."""
    has_floor = rules.start_hand == StartHand.floor and rules.discard_timing == DiscardTiming.after_actions
    untouched = view.turn == 1 and view.step == Step.actions and view.bought[seat] + view.barred[seat] == 0
    if not has_floor or not untouched:
        return 0
    return rules.start_hand_floor - (view.paid if view.payer == seat else 0)


@rule
def short_seat(view, needs):
    """Return a seat whose hand is worth less than it needs, -1 if there is none."""
    for seat in range(view.seats):
        if view.wealth[seat] >= 0 and view.wealth[seat] < needs[seat]:
            return seat
    return NOBODY


@rule
def improve(view, rules, seat, short, needs):
    """Exchange a card of a short hand for the best available of its product; return whether it could."""
    gain, best_from, best_give, best_take = 0, NOBODY, 0, 0
    for give in range(REAL):
        if view.hand[short, give] == 0:
            continue
        for take in range(give + 1, rules.start[rules.product_of[give] + 1]):
            more = rules.value[take] - rules.value[give]
            source = spares(view, seat, short, take, more, needs) if more > gain else NOBODY
            if source != NOBODY:
                gain, best_from, best_give, best_take = more, source, give, take
    if gain > 0:
        exchange(view, short, best_give, best_take, gain)
        exchange(view, best_from, best_take, best_give, -gain)
    return gain > 0


@rule
def spares(view, seat, short, kind, loss, needs):
    """Return who can give a card away at that loss: the pile, a hand, or nobody."""
    if view.draw[kind] > 0:
        return PILE
    for other in range(view.seats):
        can = view.hand[other, kind] > 0 and view.wealth[other] - loss >= needs[other]
        if can and other != seat and other != short:
            return other
    return NOBODY


@rule
def exchange(view, holder, give, take, gain):
    """Exchange one card of a hand, or of the draw pile, for another."""
    if holder == PILE:
        view.draw[give] -= 1
        view.draw[take] += 1
    else:
        view.hand[holder, give] -= 1
        view.hand[holder, take] += 1
        view.wealth[holder] += gain
