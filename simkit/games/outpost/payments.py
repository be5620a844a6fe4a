"""Outpost: paying, by the automatic payer or card by card, and what is then received (OP-5.6, OP-5.8, OP-5.10 to OP-5.14)."""

import numpy as np

from simkit.games.outpost.facts import (
    FOR_FACTORY,
    FOR_PENALTY,
    FOR_POP,
    FOR_ROBOT,
    FOR_UPGRADE,
    KINDS,
    NOBODY,
    POPULATION,
    RESEARCH,
    ROBOT,
    Kind,
    Payment,
)
from simkit.games.outpost.hands import give_up
from simkit.games.outpost.holdings import add_factories, gain_upgrade
from simkit.games.outpost.payer import choose_cards
from simkit.jit import rule


@rule
def charge(s, rules, seat, due, research, purpose, goods, pieces):
    """A payment begins: the automatic payer settles it at once, else the payer is asked (OP-5.12, OP-5.13)."""
    s.payer, s.due, s.paid, s.research_due = seat, due, 0, research
    s.purpose, s.goods, s.pieces = purpose, goods, pieces
    s.kind = Kind.none
    if due <= 0 and research <= 0:
        settle(s, rules)
    elif rules.payment == Payment.auto:
        pay_automatically(s, rules)
        settle(s, rules)
    else:
        s.kind, s.seat = Kind.pay, seat


@rule(allocates=True)
def pay_automatically(s, rules):
    """Give up the best set of cards (OP-5.12)."""
    chosen = np.empty(KINDS, np.int64)
    seat = int(s.payer)
    choose_cards(rules, s.hand[seat], int(s.due), int(s.research_due), chosen)
    for kind in range(KINDS):
        if chosen[kind] > 0:
            pay_card(s, rules, seat, kind, chosen[kind])


@rule
def pay_card(s, rules, seat, kind, n):
    """n cards of a kind are paid."""
    give_up(s, rules, seat, kind, n)
    s.paid += n * int(rules.value[kind])
    if rules.product_of[kind] == RESEARCH:
        s.research_due = max(0, int(s.research_due) - n)


@rule
def legal_pay(s, rules, out):
    """Any kind held; only research when nothing else is missing (OP-5.13)."""
    n = 0
    for kind in range(KINDS):
        if s.hand[s.seat, kind] > 0 and (s.paid < s.due or rules.product_of[kind] == RESEARCH):
            out[n] = kind
            n += 1
    return n


@rule
def pay_one(s, rules, kind):
    """Add a card; the payment is over when sum and research cards are reached (OP-5.13)."""
    pay_card(s, rules, int(s.payer), kind, 1)
    if s.paid >= s.due and s.research_due == 0:
        s.kind = Kind.none
        settle(s, rules)


@rule
def settle(s, rules):
    """The payment is made: count it and hand over the goods (OP-5.6)."""
    seat, purpose = int(s.payer), int(s.purpose)
    count_payment(s, seat, purpose)
    s.bought[seat] |= purpose != FOR_PENALTY
    if purpose == FOR_FACTORY:
        add_factories(s, seat, int(s.goods), int(s.pieces))
        s.log.game.fac[s.goods] += s.pieces
    elif purpose == FOR_POP:
        s.population[seat] += s.pieces
        s.log.game.pop_bought += s.pieces
    elif purpose == FOR_ROBOT:
        s.robots[seat] += s.pieces
        s.log.game.robots_bought += s.pieces
    elif purpose == FOR_UPGRADE:
        gain_upgrade(s, rules, seat, int(s.goods))
    s.payer = NOBODY
    s.due, s.paid, s.research_due, s.purpose, s.goods, s.pieces = 0, 0, 0, 0, 0, 0


@rule
def count_payment(s, seat, purpose):
    log = s.log.game
    log.payments += 1
    log.credits_paid += s.paid
    log.credits_overpaid += s.paid - s.due
    s.log.seat[seat].overpaid += s.paid - s.due
    if purpose != FOR_PENALTY:
        log.pay[purpose] += 1


@rule
def purpose_of(thing):
    """What the payment for a thing of QTY is for."""
    if thing == POPULATION:
        return FOR_POP
    return FOR_ROBOT if thing == ROBOT else FOR_FACTORY
