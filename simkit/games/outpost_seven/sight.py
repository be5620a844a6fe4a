"""Outpost Seven: what a seat sees, and how the unseen may be (O7-13: hidden from; O7-4.6, O7-2.6)."""

import numpy as np

from simkit.chance import shuffle
from simkit.games.outpost_seven.facts import NO_CARD, NONE, Decision, StartRule
from simkit.games.outpost_seven.targets import nearest_total, total_target
from simkit.jit import clone_before, rule


@rule
def observe(s, rules, seat, view):
    """The state without the deck order, the opponent's kept and dealt cards, and the log.

    Public: grid, offer, discards, population, votes, hand sizes and every card taken openly (O7-2.6, O7-4.6).
    """
    clone_before(view, s, "deck")
    other = 1 - seat
    view.deck[:] = NO_CARD
    view.dealt[other, :] = NO_CARD
    for slot in range(int(s.hand_n[other])):
        if not s.known[s.hand[other, slot]]:
            view.hand[other, slot] = NO_CARD
    if s.decision != Decision.keep or s.seat != seat:
        view.keep_total = NONE


@rule(allocates=True)
def redeal(view, rules, seat, stream):
    """Deal the cards that the seat has not seen to the opponent's unseen places and the deck, uniformly."""
    seen = np.zeros(rules.cards, np.bool_)
    mark_seen(view, rules, seen)
    unseen = np.empty(rules.cards, np.int8)
    n = 0
    for card in range(rules.cards):
        if not seen[card]:
            unseen[n] = card
            n += 1
    shuffle(stream, unseen, n)
    n = fill(view.hand[1 - seat], view.hand_n[1 - seat], unseen, n)
    n = fill(view.dealt[1 - seat], view.dealt_n[1 - seat], unseen, n)
    for i in range(int(view.deck_pos), int(view.deck_n)):
        n -= 1
        view.deck[i] = unseen[n]
    if view.decision == Decision.keep and view.seat != seat and rules.start_rule == StartRule.keep_exact:
        view.keep_total = nearest_total(view, rules, 1 - seat, total_target(view, rules, 1 - seat))


@rule
def fill(cards, size, unseen, n):
    """Give unseen cards to the empty places of an array; returns how many are left."""
    for slot in range(int(size)):
        if cards[slot] == NO_CARD:
            n -= 1
            cards[slot] = unseen[n]
    return n


@rule
def mark_seen(view, rules, seen):
    """Note every card whose place the view shows."""
    for seat in range(2):
        mark(view.hand[seat], view.hand_n[seat], seen)
        mark(view.dealt[seat], view.dealt_n[seat], seen)
    mark(view.pool, view.pool_n, seen)
    mark(view.offer, view.offer_n, seen)
    mark(view.discard, view.discard_n, seen)
    mark(view.grid_card, rules.cells, seen)


@rule
def mark(cards, n, seen):
    for slot in range(int(n)):
        if cards[slot] != NO_CARD:
            seen[cards[slot]] = True
