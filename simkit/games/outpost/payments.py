"""Outpost: payments, and what is received for them (OP-5.6, OP-5.8, OP-5.10 to OP-5.14)."""

from simkit.engine.compile.jit import rule
from simkit.games.outpost import hands, holdings, payer
from simkit.games.outpost.facts import NOBODY, Decision, Product, Purpose
from simkit.games.outpost.options import Payment


@rule
def charge(s, rules, seat, due, research, purpose, goods, pieces):
    """Begin a payment: settle it at once, or ask the payer (OP-5.12, OP-5.13)."""
    s.payer, s.due, s.research_due = seat, due, research
    s.purpose, s.goods, s.pieces = purpose, goods, pieces
    if due > 0 or research > 0:
        if rules.payment == Payment.explicit:
            s.decision, s.seat = Decision.pay, seat
            return
        pay_at_once(s, rules, due, research)
    settle(s, rules)


@rule(allocates=True)
def pay_at_once(s, rules, due, research):
    """Pay with the automatic payer (OP-5.12)."""
    cards, first, n = payer.pick(s, rules, s.payer, due, research)
    pay_cards(s, rules, cards, first, n)


@rule
def pay_cards(s, rules, cards, first, n):
    for i in range(first, n):
        pay_card(s, rules, cards[i], 1)


@rule
def pay_card(s, rules, kind, n):
    hands.give_up(s, rules, s.payer, kind, n)
    s.paid += n * rules.value[kind]
    if rules.product_of[kind] == Product.research:
        s.research_due = max(0, s.research_due - n)


@rule
def pay_one(s, rules, kind):
    """Add a card; the payment is over when sum and research cards are reached (OP-5.13)."""
    pay_card(s, rules, kind, 1)
    s.decision = Decision.pay
    if s.paid >= s.due and s.research_due == 0:
        settle(s, rules)


@rule
def settle(s, rules):
    """Count the finished payment and hand over the goods (OP-5.6)."""
    seat, purpose, goods, pieces, log = s.payer, s.purpose, s.goods, s.pieces, s.log.game
    log.payments += purpose != Purpose.penalty or s.due > 0  # OP-15.1
    log.credits_paid += s.paid
    log.credits_overpaid += s.paid - s.due
    s.log.seat[seat].overpaid += s.paid - s.due
    if purpose != Purpose.penalty:
        log.pay[purpose] += 1
        s.bought[seat] = 1
    if purpose == Purpose.factory:
        holdings.add_factories(s, seat, goods, pieces)
        log.fac[goods] += pieces
    elif purpose == Purpose.population:
        s.population[seat] += pieces
        log.pop_bought += pieces
    elif purpose == Purpose.robots:
        s.robots[seat] += pieces
        log.robots_bought += pieces
    elif purpose == Purpose.upgrade:
        holdings.gain_upgrade(s, rules, seat, goods)
    s.payer = NOBODY
    s.due = s.paid = s.research_due = s.purpose = s.goods = s.pieces = 0
    s.decision = Decision.none
