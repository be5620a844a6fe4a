"""Outpost: payments, what is received for them, the automatic payer (OP-5.6, OP-5.8, OP-5.10 to OP-5.14)."""

import numpy as np

from simkit.games.outpost import hands, holdings
from simkit.games.outpost.facts import KINDS, NOBODY, Decision, Product, Purpose
from simkit.games.outpost.options import Payment
from simkit.jit import rule

UNREACHABLE = -(1 << 60)


@rule(allocates=True)
def charge(s, rules, seat, due, research, purpose, goods, pieces):
    """A payment begins: the automatic payer settles it at once, or the payer is asked (OP-5.12, OP-5.13)."""
    s.payer, s.due, s.research_due = seat, due, research
    s.purpose, s.goods, s.pieces = purpose, goods, pieces
    if due > 0 or research > 0:
        if rules.payment == Payment.explicit:
            s.decision, s.seat = Decision.pay, seat
            return
        chosen = choose_cards(rules, s.hand[seat], due, research)
        for kind in range(KINDS):
            if chosen[kind] > 0:
                pay_card(s, rules, kind, chosen[kind])
    settle(s, rules)


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
    """The payment is made: count it and hand over the goods (OP-5.6)."""
    seat, purpose, goods, pieces, log = s.payer, s.purpose, s.goods, s.pieces, s.log.game
    log.payments += 1
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


@rule(allocates=True)
def choose_cards(rules, hand, due, research):
    """The automatic payer: how many cards of each kind pay `due`, so many of research at least (OP-5.12).

    By a subset sum over the kinds held, which must be able to pay.

    best[k, need, v] is the greatest weight of cards of the first k kinds held that are worth v together and
    hold at least `need` research cards. The least v >= due is the answer; going back from the highest kind
    with the fewest copies of each gives the least count vector.
    """
    held, n, total, least, highest = hold(rules, hand)
    if total - due < least:  # no card can be spared
        return hand.astype(np.int64)
    most_research = rules.value[rules.start[Product.research + 1] - 1]
    # no superfluous card is in the best set, so that it is worth at most:
    columns = min(total, max(due + highest, research * most_research + highest)) + 1
    best = np.empty((n + 1, research + 1, columns), np.int64)
    best[0] = UNREACHABLE
    best[0, 0, 0] = 0
    reach = 0
    for i in range(n):
        reach = min(reach + hand[held[i]] * rules.value[held[i]], columns - 1)
        add_kind(rules, best[i], best[i + 1], held[i], min(hand[held[i]], columns), reach)
    v, need, chosen = max(due, 0), research, np.zeros(KINDS, np.int64)
    while best[n, need, v] < UNREACHABLE // 2:
        v += 1
    for i in range(n - 1, -1, -1):
        c, need, v = copies_used(rules, best[i], best[i + 1], held[i], need, v)
        chosen[held[i]] = c
    return chosen


@rule(allocates=True)
def hold(rules, hand):
    """The kinds in hand, their number, total value, least and highest value of a card."""
    held = np.empty(KINDS, np.int64)
    n, total, least, highest = 0, 0, 1 << 30, 0
    for kind in range(KINDS):
        if hand[kind] > 0:
            held[n] = kind
            n += 1
            value = rules.value[kind]
            total += value * hand[kind]
            least, highest = min(least, value), max(highest, value)
    return held, n, total, least, highest


@rule
def add_kind(rules, before, after, kind, count, reach):
    """Extend the table by up to `count` cards of a kind; values above `reach` cannot be reached."""
    value, weight = rules.value[kind], rules.payer_weight[kind]
    is_research = int(rules.product_of[kind] == Product.research)
    for need in range(before.shape[0]):
        row, plain = after[need], before[need]
        for v in range(plain.size):
            row[v] = plain[v]
        for c in range(1, count + 1):
            shift = c * value
            if shift > reach:
                break
            source = before[max(0, need - c * is_research)]
            extra = c * weight
            for v in range(shift, reach + 1):
                row[v] = max(row[v], source[v - shift] + extra)


@rule
def copies_used(rules, before, after, kind, need, v):
    """Fewest copies of a kind with which the best weight is reached, and what is left to reach without it."""
    value, weight = rules.value[kind], rules.payer_weight[kind]
    is_research = int(rules.product_of[kind] == Product.research)
    c = 0
    while before[max(0, need - c * is_research), v - c * value] + c * weight != after[need, v]:
        c += 1
    return c, max(0, need - c * is_research), v - c * value
