"""Outpost: the automatic payer (OP-5.12): the best set of cards for a payment, by a subset sum over the kinds in hand."""

import numpy as np

from simkit.games.outpost.facts import KINDS, Product
from simkit.jit import rule

UNREACHABLE = -(1 << 60)


@rule(allocates=True)
def choose_cards(rules, hand, due, research, chosen):
    """Write how many cards of each kind pay `due` with at least `research` research cards; the hand can.

    best[k, need, v] is the greatest weight of cards of the first k kinds held that are worth v together and hold at
    least `need` research cards. The least v >= due is the answer; going back from the highest kind with the fewest
    copies of each gives the least count vector.
    """
    held, n, total, least, highest = hold(rules, hand)
    chosen[:] = 0
    if total - due < least:  # no card can be spared
        for i in range(n):
            chosen[held[i]] = hand[held[i]]
        return
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
    v, need = max(due, 0), research
    while best[n, need, v] < UNREACHABLE // 2:
        v += 1
    for i in range(n - 1, -1, -1):
        c, need, v = copies_used(rules, best[i], best[i + 1], held[i], need, v)
        chosen[held[i]] = c


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
