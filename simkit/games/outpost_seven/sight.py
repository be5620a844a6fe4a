"""Outpost Seven: what a seat sees, and how the unseen may be (O7-13: hidden from; O7-4.6, O7-2.6)."""

import numpy as np

from simkit.engine.compile.jit import clone_before, rule
from simkit.engine.rng import below, shuffle

from .facts import NO_CARD, NONE, Decision, Infeasible, StartRule
from .starting_hands import nearest_total, total_target

MAX_TRIES = 100  # hands drawn before the last is made to fit
STRICT_TRIES = MAX_TRIES // 2  # of them those that need the exact total where hands were redrawn to reach it


@rule
def observe(s, rules, seat, view):
    """Write the state without the deck order, the opponent's kept and dealt cards, and the log.

    Public: grid, offer, discards, population, votes, hand sizes and every card taken openly (O7-2.6, O7-4.6).
    """
    clone_before(view, s, "deck")
    other = 1 - seat
    view.deck[:] = NO_CARD
    view.dealt[other, :] = NO_CARD
    hide(view.hand[other], s.hand_n[other], s.revealed)
    hide(view.start_cards[other], s.start_n[other], s.revealed)
    if s.decision != Decision.keep or s.seat != seat:
        view.keep_total = NONE


@rule
def hide(cards, size, revealed):
    """Blank the cards of an array that are not public."""
    for slot in range(size):
        if not revealed[cards[slot]]:
            cards[slot] = NO_CARD


@rule(allocates=True)
def redeal(view, rules, seat, stream):
    """Deal the unseen cards to the opponent's unseen places and the deck, uniformly over what is possible.

    The seat has seen the cards that the opponent laid aside at the start, and how many were kept. Each card
    kept becomes public when it is played or pays, and each card that came later was taken openly. So the
    unseen cards of the opponent's hand are the rest of the starting hand, and their total is known: the total
    that the rule demands, less the cards of the starting hand that are public by now. If the cards dealt had
    no such total, the nearest counts, which depends on the cards laid aside; with keep_at_most the total is a
    bound (O7-2.9 to O7-2.12). Hands are drawn until one fits. In 0.1 % of positions of random games 100 draws
    are not enough, and the last hand is made to fit.

    Why the opponent kept or played these cards and no others is not inferred. At the first turn 5.4 % of
    redealt hands have another total than the one demanded, against 3.5 % of hands in 6,000 random games: the
    cards dealt then leave more choices (13 on average, else 8).
    """
    other, seen = 1 - seat, view.revealed.copy()
    for own in (view.hand[seat], view.dealt[seat]):
        for card in own:
            if card != NO_CARD:
                seen[card] = 1
    unseen = np.flatnonzero(seen[: rules.cards] == 0)
    draw_hand(view, rules, other, unseen, stream)
    fill(view.start_cards[other], view.start_n[other], unseen, unseen.size)
    n = fill(view.hand[other], view.hand_n[other], unseen, unseen.size)
    shuffle(stream, unseen, n)
    n = fill(view.dealt[other], view.dealt_n[other], unseen, n)
    for i in range(view.deck_pos, view.deck_n):
        n -= 1
        view.deck[i] = unseen[n]
    if view.decision == Decision.keep and view.seat != seat and rules.start_rule == StartRule.keep_exact:
        target = total_target(view, rules, other)
        view.keep_total = nearest_total(rules, view.dealt[other], view.dealt_n[other], target)


@rule
def fill(cards, size, unseen, n):
    """Give unseen cards to the empty places of an array; return how many are left."""
    for slot in range(size):
        if cards[slot] == NO_CARD:
            n -= 1
            cards[slot] = unseen[n]
    return n


@rule(allocates=True)
def draw_hand(view, rules, other, unseen, stream):
    """Move cards for the opponent's unseen places to the end of the unseen cards, so that they fit."""
    n, hidden = unseen.size, 0
    for slot in range(view.hand_n[other]):
        hidden += view.hand[other, slot] == NO_CARD
    for tries in range(MAX_TRIES):
        for last in range(n - 1, n - 1 - hidden, -1):
            place = below(stream, last + 1)
            unseen[last], unseen[place] = unseen[place], unseen[last]
        if may_keep(view, rules, other, unseen, tries < STRICT_TRIES):
            return
    while approach(view, rules, other, unseen, n - hidden):
        pass


@rule(allocates=True)
def may_keep(view, rules, other, unseen, strict):
    """Return whether the rule allows a starting hand with the last unseen cards in it (O7-2.9 to O7-2.12)."""
    at_most = rules.start_rule == StartRule.keep_at_most
    exact = rules.start_rule == StartRule.keep_exact or rules.start_rule == StartRule.random_exact
    if not (at_most or exact) or view.start_n[other] == 0:
        return True
    target = total_target(view, rules, other)
    total, reachable = start_totals(view, rules, other, unseen)
    if total == target or at_most:
        return total <= target
    if total > target and rules.start_infeasible != Infeasible.closest:
        return False
    if reachable >> target & 1 and rules.hand_limit >= rules.deal_size:
        return False
    if rules.start_infeasible == Infeasible.redraw and strict:
        return False
    dealt = view.start_cards[other].copy()
    fill(dealt, view.start_n[other], unseen, unseen.size)
    return nearest_total(rules, dealt, rules.deal_size, target) == total


@rule
def start_totals(view, rules, other, unseen):
    """Return the value of a starting hand with the last unseen cards in it.

    Also return, as bits, the values of all subsets of the cards dealt, which are below 64.
    """
    total, reachable, n = 0, 1, unseen.size
    for slot in range(rules.deal_size):
        card = view.start_cards[other, slot]
        if card == NO_CARD:
            n -= 1
            card = unseen[n]
        value = int(rules.value[card])
        reachable |= reachable << value
        if slot < view.start_n[other]:
            total += value
    return total, reachable


@rule
def approach(view, rules, other, unseen, first):
    """Exchange a card from `first` on so that the total comes nearest to its target; return success."""
    excess = start_totals(view, rules, other, unseen)[0] - total_target(view, rules, other)
    nearest, give, take = abs(excess), NONE, NONE
    for i in range(first, unseen.size):
        for j in range(first):
            distance = abs(excess + int(rules.value[unseen[j]]) - int(rules.value[unseen[i]]))
            if distance < nearest:
                nearest, give, take = distance, i, j
    if take == NONE:
        return False
    unseen[give], unseen[take] = unseen[take], unseen[give]
    return True
