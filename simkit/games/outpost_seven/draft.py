"""Outpost Seven: starting hands drafted from an open pool (O7-2.11)."""

from simkit.jit import rule

from .cards import discard, remove_at, take, value_of
from .facts import NO_CARD, Decision
from .starting_hands import total_target


@rule
def go_on_drafting(s, rules):
    """The other player picks; who cannot is passed over; when neither can, the rest is discarded."""
    if s.dealt_n[0] > 0:
        open_pool(s, rules)
        s.seat = s.first
    for seat in (1 - s.seat, s.seat):
        for slot in range(int(s.pool_n)):
            if may_pick(s, rules, seat, slot):
                s.decision, s.seat = Decision.draft, seat
                return
    for slot in range(int(s.pool_n)):
        discard(s, s.pool[slot])
        s.pool[slot] = NO_CARD
    s.pool_n = 0


@rule
def open_pool(s, rules):
    """The dealt cards of both form one open pool, player 0's first."""
    for seat in range(2):
        for slot in range(int(s.dealt_n[seat])):
            card = s.dealt[seat, slot]
            s.log.seat[seat].dealt_total += rules.value[card]
            s.pool[s.pool_n] = card
            s.pool_n += 1
            s.known[card] = 1
            s.dealt[seat, slot] = NO_CARD
        s.dealt_n[seat] = 0


@rule
def may_pick(s, rules, seat, slot):
    """A pick keeps the total within the target and the hand within its limit."""
    n = int(s.hand_n[seat])
    total = value_of(rules, s.hand[seat], n) + int(rules.value[s.pool[slot]])
    return total <= total_target(s, rules, seat) and n < rules.hand_limit


@rule
def legal_draft(s, rules, out):
    n = 0
    for slot in range(int(s.pool_n)):
        if may_pick(s, rules, s.seat, slot):
            out[n] = slot
            n += 1
    return n


@rule
def pick(s, slot):
    """Take one card of the pool, openly; the slots close up."""
    take(s, s.seat, s.pool[slot])
    remove_at(s.pool[:], int(s.pool_n), slot)
    s.pool_n -= 1
