"""Lunar Outpost: event cards in hand, in force and discarded; what they change (LO-4, LO-13)."""

from simkit.engine.compile.jit import bit, rule
from simkit.engine.rule_helpers import offer_set
from simkit.games.lunar_outpost.facts import (
    ACTIVE,
    CATEGORIES,
    FACE_DOWN,
    FACE_UP,
    HANDLED,
    IN_HAND,
    MODS,
    NOBODY,
    PREVENT,
)


@rule
def draw_event(s, seat):
    """Draw the top card of the deck into a hand (LO-9.8)."""
    s.event_n -= 1
    card = s.event_deck[s.event_n]
    s.event_deck[s.event_n] = NOBODY
    s.hand[seat, s.hand_n[seat]] = card
    s.hand_n[seat] += 1
    s.event_where[card] = IN_HAND + seat


@rule
def leave_hand(s, seat, slot, where):
    """Take a card out of a hand, close the gap and return the card (LO-4.5)."""
    card = int(s.hand[seat, slot])
    s.hand_n[seat] -= 1
    for i in range(slot, s.hand_n[seat]):
        s.hand[seat, i] = s.hand[seat, i + 1]
    s.hand[seat, s.hand_n[seat]] = NOBODY
    s.event_where[card] = where
    return card


@rule
def discard_hand(s, seat):
    """Discard all cards of a hand unseen (LO-5.10)."""
    while s.hand_n[seat] > 0:
        leave_hand(s, seat, s.hand_n[seat] - 1, FACE_DOWN + seat)


@rule
def legal_intel(s, out):
    """Write the ids: disclose a slot, prevent a slot, done (LO-15)."""
    slots = bit(s.hand_n[s.active]) - 1
    return offer_set(out, slots | slots << PREVENT | bit(HANDLED))


@rule
def handle_card(s, rules, action):
    """Disclose or prevent a card of the hand (LO-4.2, LO-4.4)."""
    seat = s.active
    if action < PREVENT:
        disclose(s, rules, seat, leave_hand(s, seat, action, ACTIVE))
    else:
        leave_hand(s, seat, action - PREVENT, FACE_DOWN + seat)
        s.log.game.prevented += 1
        s.log.seat[seat].prevented += 1


@rule
def disclose(s, rules, seat, card):
    """Make a card active; the previous one of its category is discarded face up (LO-4.2)."""
    category = rules.event_category[card]
    before = s.active_event[category]
    if before != NOBODY:
        s.event_where[before] = FACE_UP
        s.log.game.events_replaced += 1
    s.active_event[category], s.event_owner[category] = card, seat
    s.disclosed_vp[seat] += rules.event_points[card]
    s.log.game.disclosed += 1
    s.log.seat[seat].disclosed += 1
    set_modifiers(s, rules)


@rule
def set_modifiers(s, rules):
    """Set base and deltas of the active events, within the limits (LO-13.1)."""
    for mod in range(MODS):
        value = int(rules.mod_base[mod])
        for category in range(CATEGORIES):
            if s.active_event[category] != NOBODY:
                value += rules.event_delta[s.active_event[category], mod]
        s.mod[mod] = min(max(value, rules.mod_least[mod]), rules.mod_most[mod])


@rule
def has_room(s, rules, seat):
    """Return whether a hand is below its limit (LO-9.8)."""
    return s.hand_n[seat] < rules.intel_limit
