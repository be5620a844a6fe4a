"""Exoplanet Colony: tokens placed and removed, modules switched (EX-4.7, EX-4.8, EX-6.5, EX-6.6)."""

from simkit.engine.compile.jit import bit, rule
from simkit.games.exoplanet_colony.base import within
from simkit.games.exoplanet_colony.facts import EMERGENCY, HUB, MOST_PRODUCTION, RESOURCES
from simkit.games.exoplanet_colony.life import add_effect, look_at_level, look_at_production, note_cut
from simkit.games.exoplanet_colony.scoring import deficit


@rule
def removable(s):
    """Return the slots with a token that can be removed, bit s (EX-4.7)."""
    slots = int(s.alarmed)
    for r in range(RESOURCES):
        if s.production[r] < MOST_PRODUCTION:
            slots |= int(s.damaged[r])
    return slots


@rule
def tokens_on(s, slot):
    """Return the removable tokens of a slot: bit r Loss of resource r, bit 4 Emergency."""
    tokens = (s.slot_emerg[slot] > 0) << EMERGENCY
    for r in range(RESOURCES):
        tokens |= ((s.slot_loss[slot, r] > 0) & (s.production[r] < MOST_PRODUCTION)) << r
    return tokens


@rule
def remove_token(s, rules, slot, token):
    """Return a token to the board for the active seat (EX-4.7)."""
    s.log.seat[s.active].tokens_fixed += 1
    if token == EMERGENCY:
        s.slot_emerg[slot] -= 1
        s.emerg_left += 1
        s.log.game.emergencies_fixed += 1
        if s.slot_emerg[slot] == 0:
            s.alarmed &= ~bit(slot)
        look_at_level(s, rules)
    else:
        remove_loss(s, rules, slot, token)


@rule
def remove_loss(s, rules, slot, r):
    """Remove a Loss token."""
    before = deficit(s, rules)
    s.slot_loss[slot, r] -= 1
    s.loss_left[r] += 1
    s.production[r] += 1
    s.log.game.loss_fixed += 1
    if s.slot_loss[slot, r] == 0:
        s.damaged[r] &= ~bit(slot)
    note_cut(s, rules, s.active, before)
    look_at_production(s, rules)


@rule
def place_token(s, rules, slot, token):
    """Put a token on a module for an event (EX-6.5, EX-6.6)."""
    s.since[slot, token] = s.turn_no
    if token == EMERGENCY:
        s.slot_emerg[slot] += 1
        s.emerg_left -= 1
        s.alarmed |= bit(slot)
        s.log.game.emergencies_placed += 1
        look_at_level(s, rules)
    else:
        place_loss(s, rules, slot, token)


@rule
def place_loss(s, rules, slot, r):
    """Place a Loss token."""
    before = deficit(s, rules)
    s.slot_loss[slot, r] += 1
    s.loss_left[r] -= 1
    s.production[r] -= 1
    s.damaged[r] |= bit(slot)
    s.log.game.loss_placed += 1
    s.log.game.deficit_events += deficit(s, rules) - before
    look_at_production(s, rules)


@rule
def can_switch(s, rules, slot):
    """Return whether a module can be switched (EX-4.8)."""
    if slot == HUB:
        return False
    if s.off & bit(slot):
        return within(s, rules, int(s.slot_card[slot]), 1)
    return s.shut_left > 0 and within(s, rules, int(s.slot_card[slot]), -1)


@rule
def switch(s, rules, slot):
    """Switch a module off, or on again (EX-4.8)."""
    on = s.off & bit(slot) != 0
    s.off ^= bit(slot)
    s.shut_left += 1 if on else -1
    s.log.game.switch_on += on
    s.log.game.switch_off += not on
    add_effect(s, rules, int(s.slot_card[slot]), 1 if on else -1)
