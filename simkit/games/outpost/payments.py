"""Outpost: payments, and what is received for them (OP-5.6, OP-5.8, OP-5.10 to OP-5.14)."""

import numpy as np

from simkit.games.outpost.facts import KINDS, NOBODY, Decision, Product, Purpose
from simkit.games.outpost.hands import give_up
from simkit.games.outpost.holdings import add_factories, gain_upgrade
from simkit.games.outpost.options import Payment
from simkit.games.outpost.payer import choose_cards
from simkit.jit import rule


@rule
def charge(s, rules, seat, due, research, purpose, goods, pieces):
    """A payment begins: the automatic payer settles it at once, else the payer is asked (OP-5.12, OP-5.13)."""
    s.payer, s.due, s.paid, s.research_due = seat, due, 0, research
    s.purpose, s.goods, s.pieces = purpose, goods, pieces
    if rules.payment == Payment.explicit and (due > 0 or research > 0):
        s.decision, s.seat = Decision.pay, seat
        return
    if due > 0 or research > 0:
        pay_automatically(s, rules)
    settle(s, rules)


@rule(allocates=True)
def pay_automatically(s, rules):
    """Give up the best set of cards (OP-5.12)."""
    chosen = np.empty(KINDS, np.int64)
    choose_cards(rules, s.hand[s.payer], s.due, s.research_due, chosen)
    for kind in range(KINDS):
        if chosen[kind] > 0:
            pay_card(s, rules, kind, chosen[kind])


@rule
def pay_card(s, rules, kind, n):
    """n cards of a kind are paid."""
    give_up(s, rules, s.payer, kind, n)
    s.paid += n * rules.value[kind]
    if rules.product_of[kind] == Product.research:
        s.research_due = max(0, s.research_due - n)


@rule
def legal_pay(s, rules, out):
    """Any kind held; only research when nothing else is missing (OP-5.13)."""
    n = 0
    for kind in range(KINDS):
        fits = s.paid < s.due or rules.product_of[kind] == Product.research
        if fits and s.hand[s.seat, kind] > 0:
            out[n] = kind
            n += 1
    return n


@rule
def pay_one(s, rules, kind):
    """Add a card; the payment is over when sum and research cards are reached (OP-5.13)."""
    pay_card(s, rules, kind, 1)
    if s.paid >= s.due and s.research_due == 0:
        settle(s, rules)


@rule
def settle(s, rules):
    """The payment is made: count it and hand over the goods (OP-5.6)."""
    seat, purpose, goods, pieces, log = s.payer, s.purpose, s.goods, s.pieces, s.log.game
    count_payment(s)
    s.bought[seat] |= purpose != Purpose.penalty
    if purpose == Purpose.factory:
        add_factories(s, seat, goods, pieces)
        log.fac[goods] += pieces
    elif purpose == Purpose.population:
        s.population[seat] += pieces
        log.pop_bought += pieces
    elif purpose == Purpose.robots:
        s.robots[seat] += pieces
        log.robots_bought += pieces
    elif purpose == Purpose.upgrade:
        gain_upgrade(s, rules, seat, goods)
    s.payer = NOBODY
    s.due = s.paid = s.research_due = s.purpose = s.goods = s.pieces = 0
    s.decision = Decision.none


@rule
def count_payment(s):
    """A payment in the log; a penalty is one without a purpose."""
    log = s.log.game
    log.payments += 1
    log.credits_paid += s.paid
    log.credits_overpaid += s.paid - s.due
    s.log.seat[s.payer].overpaid += s.paid - s.due
    if s.purpose != Purpose.penalty:
        log.pay[s.purpose] += 1
