"""Cards that a seat takes from partners and from the discard pile (EX-13.3)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.games.exoplanet_colony.base import within
from simkit.games.exoplanet_colony.cards import pile_set
from simkit.games.exoplanet_colony.facts import FIRST_ITEM, ITEM_SET, MODULE_SET, NOBODY

from .aims import NEVER, aim_of, cheapest, missing_cards
from .values import POINT, gain

ENOUGH = 2  # actions to take a card and to deploy
CHEAP = 20 * POINT


@rule
def wanted(s, rules, partners, saved, style):
    """Return a partner and its card that completes the module for which the active seat saves.

    Of several cards it is the one that its holder needs least; NOBODY for none.
    """
    seat, owner, chosen, least = int(s.active), NOBODY, NOBODY, CHEAP
    hand = int(s.hand[seat])
    if partners == 0 or saved == NOBODY or s.actions_left < ENOUGH:
        return owner, chosen
    if missing_cards(s, rules, seat, hand, saved) != 1:
        return owner, chosen
    while partners != 0:
        other = lowest_bit(partners)
        partners &= partners - 1
        cards = completing(s, rules, seat, int(s.hand[other]) & ~ITEM_SET, saved)
        if cards != 0:
            aim = aim_of(s, rules, other, style)
            card, worth = cheapest(s, rules, cards, aim, style)
            if worth < least:
                owner, chosen, least = other, card, worth
    return owner, chosen


@rule
def completing(s, rules, seat, cards, module):
    """Return those of some cards with any of which a seat would lack nothing for a module."""
    suitable, hand = 0, int(s.hand[seat])
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        suitable |= (missing_cards(s, rules, seat, hand | bit(card), module) == 0) << card
    return suitable


@rule
def lowers(s, rules, seat, card, module):
    """Return whether a seat lacks fewer cards for a module with this card in hand."""
    hand = int(s.hand[seat])
    now = missing_cards(s, rules, seat, hand, module)
    return missing_cards(s, rules, seat, hand | bit(card), module) < now


@rule
def printer_choice(s, rules, seat, saved, style):
    """Return the card of the discard pile that a seat prints for the module it saves for, -1 for none."""
    pile = pile_set(s)
    if saved == NOBODY:
        return best_module(s, rules, pile & MODULE_SET, style)
    while pile != 0:
        card = lowest_bit(pile)
        pile &= pile - 1
        if lowers(s, rules, seat, card, saved):
            return card
    return NOBODY


@rule
def best_module(s, rules, modules, style):
    """Return the module with the greatest gain of some modules, if it is worth deploying."""
    best, most = NOBODY, NEVER
    while modules != 0:
        card = lowest_bit(modules)
        modules &= modules - 1
        worth = gain(s, rules, card, style)
        if worth >= POINT and worth > most and within(s, rules, card, 1):
            best, most = card, worth
    return best


@rule
def is_salvage(s, rules, seat, saved, style):
    """Return whether the top card of the discard pile is worth an action to a seat that saves for `saved`."""
    card = int(s.discard[s.discard_n - 1])
    if card >= FIRST_ITEM:
        return True
    if saved != NOBODY:
        return lowers(s, rules, seat, card, saved)
    return best_module(s, rules, bit(card), style) != NOBODY
