"""Outpost Seven: what a seat sees, and how the unseen may be (O7-13: hidden from; O7-4.6, O7-2.6)."""

import numpy as np

from simkit.engine.compile.jit import clone_before, rule
from simkit.engine.rng import shuffle

from .facts import NO_CARD, NONE, Decision, StartRule
from .starting_hands import nearest_total, total_target


@rule
def observe(s, rules, seat, view):
    """Write the state without the deck order, the opponent's kept and dealt cards, and the log.

    Public: grid, offer, discards, population, votes, hand sizes and every card taken openly (O7-2.6, O7-4.6).
    """
    clone_before(view, s, "deck")
    other = 1 - seat
    view.deck[:] = NO_CARD
    view.dealt[other, :] = NO_CARD
    for slot in range(int(s.hand_n[other])):
        if not s.revealed[s.hand[other, slot]]:
            view.hand[other, slot] = NO_CARD
    if s.decision != Decision.keep or s.seat != seat:
        view.keep_total = NONE


@rule(allocates=True)
def redeal(view, rules, seat, stream):
    """Deal the cards that the seat has not seen to the opponent's unseen places and the deck, uniformly."""
    other, seen = 1 - seat, view.revealed.copy()
    for own in (view.hand[seat], view.dealt[seat]):
        for card in own:
            if card != NO_CARD:
                seen[card] = 1
    unseen = np.flatnonzero(seen[: rules.cards] == 0)
    n = unseen.size
    shuffle(stream, unseen, n)
    n = fill(view.hand[other], view.hand_n[other], unseen, n)
    n = fill(view.dealt[other], view.dealt_n[other], unseen, n)
    for i in range(view.deck_pos, view.deck_n):
        n -= 1
        view.deck[i] = unseen[n]
    if view.decision == Decision.keep and view.seat != seat and rules.start_rule == StartRule.keep_exact:
        view.keep_total = nearest_total(view, rules, other, total_target(view, rules, other))


@rule
def fill(cards, size, unseen, n):
    """Give unseen cards to the empty places of an array; return how many are left."""
    for slot in range(size):
        if cards[slot] == NO_CARD:
            n -= 1
            cards[slot] = unseen[n]
    return n
