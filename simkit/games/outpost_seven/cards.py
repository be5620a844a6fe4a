"""Outpost Seven: cards in piles and hands, and subsets of them as masks (O7-2, O7-4, O7-10.2)."""

import numpy as np

from simkit.engine.compile.jit import lowest_bit, rule

from .facts import NO_CARD

COUNT = np.array([mask.bit_count() for mask in range(256)], np.int64)  # cards in a subset of up to 8

# Byte m of a packed word tells of subset m of three cards: their total in the low 6 bits, their number above.
# The word of up to 8 cards is three such words; a subset of the 8 takes three look-ups and two additions.
HAS = np.array([0x0100010001000100, 0x0101000001010000, 0x0101010100000000], np.uint64)
ONE_CARD = 64  # one in the number of cards
TOTAL_BITS = 63
EACH = 0x0101010101010101  # a one in each byte
TOP = 127  # above it the top bit of a byte is set
ONES, TOTALS, SEVEN = np.uint64(EACH), np.uint64(EACH * TOTAL_BITS), np.uint64(7)
# Bytes of the subsets of at most 0, 1, 2 and 3 cards.
FEW = np.array([sum((mask.bit_count() <= n) << 8 * mask for mask in range(8)) for n in range(4)], np.uint64)


@rule
def pack(rules, cards, start):
    """Return totals and numbers of all subsets of cards[start : start + 3], one byte each."""
    packed = np.uint64(0)
    for place in range(min(3, cards.size - start)):
        if cards[start + place] >= 0:
            packed += np.uint64(rules.value[cards[start + place]] + ONE_CARD) * HAS[place]
    return packed


@rule
def pack_all(rules, cards):
    """Return the three packed words of up to 8 cards."""
    return pack(rules, cards, 0), pack(rules, cards, 3), pack(rules, cards, 6)


@rule
def subset_of(packed, mask):
    """Return total value + ONE_CARD * number of the cards in the mask."""
    return byte_of(packed[0], mask & 7) + byte_of(packed[1], mask >> 3 & 7) + byte_of(packed[2], mask >> 6)


@rule
def subsets(packed, cards, least, greatest, fewest, most, out):
    """Write the masks of the subsets whose total and number of cards are in these ranges, ascending.

    Eight subsets at once, which share the cards behind the third: one by one random play is 3 to 6 % slower.
    """
    n, there = 0, EACH if cards > 2 else (1 << 8 * (1 << cards)) - 1
    for others in range(0, 1 << cards, 8):
        behind = subset_of(packed, others)
        total, count = behind & TOTAL_BITS, behind // ONE_CARD
        fits = within(packed[0], greatest - total, most - count) & there
        fits &= ~(within(packed[0], least - 1 - total, 3) | within(packed[0], TOP, fewest - 1 - count))
        while fits != 0:
            out[n] = others + (lowest_bit(fits) >> 3)
            fits &= fits - 1
            n += 1
    return n


@rule
def within(word, total, count):
    """Return which subsets of three cards have at most this total and number: bit 8 * m for subset m."""
    if total < 0 or count < 0:
        return 0
    sums = (word & TOTALS) + np.uint64(TOP - min(total, TOP)) * ONES  # above TOP where above the total
    return np.int64(~sums >> SEVEN & FEW[min(count, 3)])


@rule
def byte_of(word, place):
    return np.int64(word >> np.uint64(place << 3) & np.uint64(255))


@rule
def value_of(rules, cards, n):
    """Return the total value of the first n cards of an array."""
    total = 0
    for slot in range(n):
        total += int(rules.value[cards[slot]])
    return total


@rule
def remove_at(cards, n, slot):
    """Remove one card from an array of n and close the gap."""
    for i in range(slot, n - 1):
        cards[i] = cards[i + 1]
    cards[n - 1] = NO_CARD


@rule
def take_top(s):
    card = s.deck[s.deck_pos]
    s.deck_pos += 1
    return card


@rule
def take(s, seat, card):
    s.hand[seat, s.hand_n[seat]] = card
    s.hand_n[seat] += 1


@rule
def discard(s, card):
    """Lay a card face up on the discard pile (O7-2.6)."""
    s.discard[s.discard_n] = card
    s.discard_n += 1
    s.revealed[card] = 1


@rule
def refill(s, rules):
    """Turn up cards behind those in the offer; an empty deck leaves it short (O7-2.7, O7-4.4 to O7-4.6)."""
    while s.offer_n < rules.faceup and s.deck_pos < s.deck_n:
        card = take_top(s)
        s.offer[s.offer_n] = card
        s.offer_n += 1
        s.revealed[card] = 1
