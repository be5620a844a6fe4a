"""Outpost Seven: small arithmetic on arrays and subsets of cards (O7-10.2)."""

import numpy as np

from simkit.jit import rule

COUNT = np.array([bin(mask).count("1") for mask in range(256)], np.int64)  # cards in a subset of up to 8
HIGHEST = np.array(
    [1 << (mask.bit_length() - 1) if mask else 0 for mask in range(64)], np.int64
)  # its highest bit

# Byte m of a packed word tells of subset m of three cards: their total in the low 6 bits, their number above. The word
# of up to 8 cards is three such words, and a subset of the 8 takes three look-ups and two additions.
HAS_FIRST, HAS_SECOND, HAS_THIRD = 0x0100010001000100, 0x0101000001010000, 0x0101010100000000
ONE_CARD = 64  # one in the number of cards
TOTAL_BITS = 63


@rule
def pack(rules, cards, start):
    """Totals and numbers of all subsets of cards[start : start + 3], one byte each."""
    packed = np.uint64(0)
    if start < cards.size and cards[start] >= 0:
        packed += np.uint64(rules.value[cards[start]] + ONE_CARD) * np.uint64(HAS_FIRST)
    if start + 1 < cards.size and cards[start + 1] >= 0:
        packed += np.uint64(rules.value[cards[start + 1]] + ONE_CARD) * np.uint64(HAS_SECOND)
    if start + 2 < cards.size and cards[start + 2] >= 0:
        packed += np.uint64(rules.value[cards[start + 2]] + ONE_CARD) * np.uint64(HAS_THIRD)
    return packed


@rule
def pack_all(rules, cards):
    """The three packed words of up to 8 cards."""
    return pack(rules, cards, np.int64(0)), pack(rules, cards, np.int64(3)), pack(rules, cards, np.int64(6))


@rule
def subset_of(low, middle, high, mask):
    """Total value + 64 * number of the cards in the mask, from the three packed words."""
    return byte_of(low, mask & 7) + byte_of(middle, mask >> 3 & 7) + byte_of(high, mask >> 6 & 7)


@rule
def subset_total(low, middle, high, mask):
    """Total value of the cards in the mask."""
    return subset_of(low, middle, high, mask) & TOTAL_BITS


@rule
def byte_of(word, place):
    return np.int64(word >> np.uint64(place << 3) & np.uint64(255))


@rule
def value_of(rules, cards, n):
    """Total value of the first n cards of an array."""
    total = 0
    for slot in range(int(n)):
        total += int(rules.value[cards[slot]])
    return total


@rule
def remove_at(cards, n, slot):
    """Take one card out of an array of n; the others close up (O7-10.2)."""
    for i in range(slot, n - 1):
        cards[i] = cards[i + 1]
    cards[n - 1] = -1
