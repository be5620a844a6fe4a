"""Outpost: the automatic payer (OP-5.12).

It pays the least sum that is enough, then with the cards of the greatest weight, then with the fewest of the
highest kinds. What is paid, or what is kept, is mostly so little that the sums of cards are the bits of one
number: only those on the way to the answer are weighed. Else a table of all sums is filled.

Its arrays are made in `pick` and handed on, so that what reckons is compiled without reference counts.
"""

import numpy as np

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.games.outpost.facts import KINDS, PRODUCTS, REAL, Product

UNREACHABLE = -(1 << 60)
WORD = 61  # the highest sum that is a bit
WITHIN = (1 << WORD + 1) - 1


@rule(allocates=True)
def first_card(s, rules, seat, due, research):
    """Return the lowest kind among the cards that pay (OP-5.12)."""
    cards, first, _ = pick(s, rules, seat, due, research)
    return cards[first]


@rule(allocates=True)
def price(s, rules, seat, due):
    """Return the worth of the cards that pay, in credits (OP-5.12)."""
    cards, first, n = pick(s, rules, seat, due, 0)
    return worth_of(rules, cards, first, n)


@rule
def worth_of(rules, cards, first, n):
    worth = 0
    for i in range(first, n):
        worth += rules.value[cards[i]]
    return worth


@rule(allocates=True)
def pick(s, rules, seat, due, research):
    """Return kinds of cards, first and n, where cards first to n - 1 pay; the hand must be able to pay.

    Of the cards in hand, by kind, either those paid or those kept are found by a subset sum.
    """
    n, total = count(s, seat), s.wealth[seat]
    cards = np.empty(n + 1, np.int64)
    least, highest = hold(s, rules, seat, n, cards)
    if total - due < least:  # no card can be spared
        return cards, 0, n
    keeps = total - due < due + highest
    amount = total - due if keeps else max(due, 0)
    if amount <= WORD:
        sums = np.empty((2, n + 1, research + 1), np.int64)
        amount = reach(rules, cards, n, amount, keeps, sums[0])
        if amount <= WORD:
            only = lead_on(rules, cards, n, amount, keeps, sums[0], sums[1])
            best = np.empty((n + 1, research + 1, 1 if only else amount + 1), np.int64)
            if not only:
                weigh(rules, cards, n, keeps, sums[1], best)
            return cards, take_back(rules, cards, n, amount, keeps, only, sums[1], best), n
    most = most_paid(rules, total, highest, due, research)
    best = np.empty((n + 1, research + 1, most + 1), np.int64)
    return cards, fill(rules, cards, n, total, max(due, 0), best), n


@rule
def count(s, seat):
    """Return the number of cards in hand."""
    n = 0
    for product in range(PRODUCTS):
        n += s.cards[seat, product]
    return n


@rule
def hold(s, rules, seat, n, cards):
    """Write all cards in hand by kind; return the least and the highest value of a card."""
    held = 0
    for product in range(PRODUCTS):
        if s.cards[seat, product] > 0:
            held = lay(s, seat, rules.start[product], rules.start[product + 1], held, cards)
    if held < n:  # mega-cards and IOUs
        lay(s, seat, REAL, KINDS, held, cards)
    least, highest = 1 << 30, 0
    for i in range(n):
        value = rules.value[cards[i]]
        least, highest = min(least, value), max(highest, value)
    return least, highest


@rule
def lay(s, seat, first, end, n, cards):
    """Write the cards of some kinds from place n on, and return the next place."""
    for kind in range(first, end):
        cards[n] = kind
        n += s.hand[seat, kind] > 0
        for _ in range(1, s.hand[seat, kind]):
            cards[n] = kind
            n += 1
    return n


@rule
def ways(rules, kind, need, keeps):
    """Return the research cards that earlier cards must pay: without a card, and with it in the sum."""
    below = need - (need > 0 and rules.product_of[kind] == Product.research)
    return (below, need) if keeps else (need, below)


@rule
def reach(rules, cards, n, amount, keeps, sums):
    """Return the sum to pay (or to keep) nearest to the amount; above WORD if it is no bit.

    sums[i, need] becomes, as bits, what some of the first i cards can be worth, `need` of research paid.
    """
    last = sums.shape[1] - 1
    for need in range(last + 1):
        sums[0, need] = need == 0
    for i in range(n):
        value = min(rules.value[cards[i]], WORD + 1)
        for need in range(last + 1):
            without, with_it = ways(rules, cards[i], need, keeps)
            sums[i + 1, need] = (sums[i, without] | sums[i, with_it] << value) & WITHIN
    while amount <= WORD and not sums[n, last] >> amount & 1:
        amount += -1 if keeps else 1
    return amount


@rule
def lead_on(rules, cards, n, amount, keeps, sums, leads):
    """Keep the sums that lead to the amount, and return whether there is only one way."""
    last, most = sums.shape[1] - 1, 1
    for i in range(n + 1):
        for need in range(last + 1):
            leads[i, need] = 0
    leads[n, last] = bit(amount)
    for i in range(n - 1, -1, -1):
        value, reached = min(rules.value[cards[i]], WORD + 1), 0
        for need in range(last + 1):
            without, with_it = ways(rules, cards[i], need, keeps)
            leads[i, without] |= leads[i + 1, need] & sums[i, without]
            leads[i, with_it] |= leads[i + 1, need] >> value & sums[i, with_it]
        for need in range(last + 1):
            reached += bit_count(leads[i, need])
        most = max(most, reached)
    return most == 1


@rule
def weigh(rules, cards, n, keeps, leads, best):
    """Fill best[i, need, v]: the greatest weight of some of the first i cards with `need` of research paid.

    These cards are worth v. The weight of cards that are kept counts negative, so that the least is kept.
    """
    best[0, 0, 0] = 0
    for i in range(n):
        value, weight = rules.value[cards[i]], rules.payer_weight[cards[i]]
        gain = -weight if keeps else weight
        for need in range(leads.shape[1]):
            without, with_it = ways(rules, cards[i], need, keeps)
            left = leads[i + 1, need]
            while left != 0:
                v = lowest_bit(left)
                left &= left - 1
                before = max(0, v - value)
                can = (leads[i, with_it] >> before & 1) & (v >= value)
                # No branches: they would go either way. What was never set is not taken.
                most, with_card = best[i, without, v], best[i, with_it, before] + (gain if can else 0)
                most = most if leads[i, without] >> v & 1 else UNREACHABLE
                best[i + 1, need, v] = max(most, with_card) if can else most


@rule
def take_back(rules, cards, n, v, keeps, only, leads, best):
    """Return the first place that pays, going back from the highest card.

    A card pays only where the best is not reached otherwise.
    """
    need, first = leads.shape[1] - 1, n
    for i in range(n - 1, -1, -1):
        kind = cards[i]
        value, weight = rules.value[kind], rules.payer_weight[kind]
        without, with_it = ways(rules, kind, need, keeps)
        if keeps:
            can = v >= value and leads[i, with_it] >> v - value & 1
            takes = can and (only or best[i, with_it, v - value] - weight == best[i + 1, need, v])
        else:
            can = leads[i, without] >> v & 1
            takes = not (can and (only or best[i, without, v] == best[i + 1, need, v]))
        need = with_it if takes else without
        v -= value if takes else 0
        first -= takes != keeps
        cards[first] = kind if takes != keeps else cards[first]
    return first


@rule
def most_paid(rules, total, highest, due, research):
    """Return the most that is paid; no card of the best set is superfluous."""
    most_research = rules.value[rules.start[Product.research + 1] - 1]
    return min(total, max(due + highest, research * most_research + highest))


@rule
def fill(rules, cards, n, total, due, best):
    """Fill the table and return the first place that pays.

    best[i, need, v] is the greatest weight of some of the first i cards that are worth v and hold at least
    `need` research cards.
    """
    last, before = best.shape[1] - 1, 0
    for need in range(last + 1):
        best[0, need, 0] = UNREACHABLE if need else 0
    for i in range(n):
        value = rules.value[cards[i]]
        low = max(0, before + value - (total - due))  # with less, too little is left to pay
        for need in range(last + 1):
            _, with_it = ways(rules, cards[i], need, False)
            weight = rules.payer_weight[cards[i]]
            add_card(best[i, need], best[i, with_it], best[i + 1, need], value, weight, low, before)
        before += value
    v = due
    while best[n, last, v] < UNREACHABLE // 2:
        v += 1
    return take_back_from_table(rules, cards, n, v, total, best)


@rule
def add_card(without, with_it, after, value, weight, low, before):
    """Update the best weights by one card for sums from `low` on; `before` is the worth of earlier cards."""
    for v in range(low, min(before, after.size - 1) + 1):
        after[v] = without[v]
    for v in range(max(low, before + 1), min(before + value, after.size - 1) + 1):
        after[v] = UNREACHABLE
    first = max(low, value)
    for v in range(first, min(before + value, after.size - 1) + 1):
        after[v] = max(after[v], with_it[v - value] + weight)


@rule
def take_back_from_table(rules, cards, n, v, total, best):
    """Return the first place that pays, going back from the highest card through the table.

    A card pays only where the best is not reached otherwise.
    """
    need, first = best.shape[1] - 1, n
    for i in range(n - 1, -1, -1):
        kind = cards[i]
        value = rules.value[kind]
        total -= value
        if v > total or best[i, need, v] != best[i + 1, need, v]:
            _, need = ways(rules, kind, need, False)
            v -= value
            first -= 1
            cards[first] = kind
    return first
