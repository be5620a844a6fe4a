"""Outpost Seven: salvage (O7-4)."""

from simkit.engine.compile.jit import rule

from .cards import pack_all, refill, subsets, take
from .facts import NO_CARD, NONE


@rule
def salvage_limit(s, rules):
    """Return the greatest total of a salvage; the very first turn may have its own (O7-4.1, O7-4.7)."""
    if s.turn == 0 and rules.first_turn_salvage_limit > 0:
        return int(rules.first_turn_salvage_limit)
    return int(rules.salvage_limit)


@rule
def legal_salvages(s, rules, out):
    """Write masks over the offer within the limit and the room in hand (O7-4.1 to O7-4.3)."""
    packed = pack_all(rules, s.offer[:])
    room = int(rules.hand_limit) - int(s.hand_n[s.seat])
    limit = salvage_limit(s, rules)
    first = 0 if rules.allow_empty_salvage else 1
    if room <= 0:
        out[0] = 0
        return 1 - first
    return subsets(packed, int(s.offer_n), 0, limit, first, room, out)


@rule
def salvage(s, rules, mask):
    """Take the cards of the mask into the hand, openly, and refill (O7-4.1, O7-4.4, O7-4.6)."""
    if mask == 0:  # when all who are still in do so in direct succession, the game ends (O7-4.3)
        s.passes += 1
        s.log.game.empty_salvages += 1
        return
    size, left, value = int(s.offer_n), 0, 0
    for slot in range(size):
        card = s.offer[slot]
        s.offer[slot] = NO_CARD
        if mask >> slot & 1:
            take(s, s.seat, card)
            value += int(rules.value[card])
        else:
            s.offer[left] = card
            left += 1
    s.offer_n = left
    count_salvage(s.log.game, size - left, value)
    count_salvage(s.log.seat[s.seat], size - left, value)
    refill(s, rules)
    if s.deck_pos == s.deck_n and s.log.game.deck_empty_turn == NONE:
        s.log.game.deck_empty_turn = s.turn + 1
    s.passes = 0


@rule
def count_salvage(log, cards, value):
    """Count a salvage in the log of the game or of a seat."""
    log.salvages += 1
    log.salvaged_cards += cards
    log.salvaged_value += value
