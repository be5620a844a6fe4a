"""Outpost Seven: cards on their way between deck, offer, hands and discard pile (O7-2, O7-4, O7-10.2)."""

from simkit.games.outpost_seven.facts import NO_CARD
from simkit.jit import rule


@rule
def take_top(s):
    card = s.deck[s.deck_pos]
    s.deck_pos += 1
    return card


@rule
def take(s, seat, card):
    """Put a card into a hand."""
    s.hand[seat, s.hand_n[seat]] = card
    s.hand_n[seat] += 1


@rule
def discard(s, card):
    """Lay a card face up on the discard pile (O7-2.6)."""
    s.discard[s.discard_n] = card
    s.discard_n += 1
    s.known[card] = 1


@rule
def refill(s, rules):
    """Turn up cards behind those in the offer; an empty deck leaves it short (O7-2.7, O7-4.4 to O7-4.6)."""
    while s.offer_n < rules.faceup and s.deck_pos < s.deck_n:
        card = take_top(s)
        s.offer[s.offer_n] = card
        s.offer_n += 1
        s.known[card] = 1


@rule
def remove_at(cards, n, slot):
    """Take one card out of an array of n; the others close up (O7-10.2)."""
    for i in range(slot, n - 1):
        cards[i] = cards[i + 1]
    cards[n - 1] = NO_CARD


@rule
def value_of(rules, cards, n):
    """Total value of the first n cards of an array."""
    total = 0
    for slot in range(n):
        total += int(rules.value[cards[slot]])
    return total
