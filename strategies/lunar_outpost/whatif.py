"""Trials of purchases on a copy of the view: every target, paid as the reference pays (LO-19, planner)."""

from simkit.engine.compile.jit import clone_before, lowest_bit, rule, wipe
from simkit.games.lunar_outpost.events import handle_card
from simkit.games.lunar_outpost.facts import (
    BUILDING_SLOT,
    BUY_INTEL,
    CONSTRUCT,
    DONE,
    HANDLED,
    NOBODY,
    RECRUIT,
    RELOCATE,
    TERRAIN_SLOT,
    Building,
    Buy,
)
from simkit.games.lunar_outpost.spending import (
    can_relocate,
    choose_building,
    choose_purchase,
    choose_target,
    take_effect,
    target_set,
    targets,
)
from simkit.games.lunar_outpost.stores import pay_the_rest, sources, spendable, take_cube
from simkit.games.lunar_outpost.works import lift_building, of_type, put_building

from .features import PER_INTEL
from .outlook import outlook

LEAST = -1e9  # less than any worth
GAIN = 1  # least rise in worth for which a card is disclosed


@rule
def try_out(copy, view):
    """Make a copy of the view for trials, with an empty log."""
    clone_before(copy, view, "log")
    wipe(copy.log)


@rule
def pay_as_reference(s, rules):
    """Pay the purchase in progress: from building slots of own domes, else from the lowest source."""
    while s.buy_left > 0:
        left = sources(s, rules, s.active)
        t, domes = lowest_bit(left), of_type(s, left & int(s.own[s.active]), Building.dome.value)
        while domes != 0:
            dome = lowest_bit(domes)
            domes = domes & domes - 1 if s.st_b[dome] == 0 else 0
            t = dome if s.st_b[dome] > 0 else t
        take_cube(s, t, BUILDING_SLOT if s.st_b[t] > 0 else TERRAIN_SLOT)
        pay_the_rest(s, rules)


@rule
def after_target(copy, view, rules, action, source, t, w):
    """Return the worth after a purchase for a tile.

    `action` is NOBODY if SPEND is already decided, `source` is NOBODY if RELOC_SRC is.
    """
    try_out(copy, view)
    if action != NOBODY:
        choose_purchase(copy, rules, action)
    if source != NOBODY:
        choose_building(copy, source)
    choose_target(copy, rules, t)
    pay_as_reference(copy, rules)
    take_effect(copy)
    return outlook(copy, rules, w)


@rule
def build_elsewhere(copy, last, t):
    """Put the building of a trial on another tile, for which as much is paid from the same slots."""
    lift_building(copy, last)
    put_building(copy, copy.active, copy.buy_type, t)


@rule
def best_target(copy, view, rules, action, source, sites, w):
    """Return the tile of the highest worth, the first among equals, and this worth."""
    best, most, last = NOBODY, LEAST, NOBODY
    while sites != 0:
        t = lowest_bit(sites)
        sites &= sites - 1
        if last != NOBODY and copy.buy_kind == Buy.construct:
            build_elsewhere(copy, last, t)
            worth = outlook(copy, rules, w)
        else:
            worth = after_target(copy, view, rules, action, source, t, w)
        last = t
        if worth > most:
            best, most = t, worth
    return best, most


@rule
def best_source(copy, view, rules, action, w):
    """Return the own building whose relocation has the highest worth, and this worth."""
    best, most, seat = NOBODY, LEAST, view.seat
    left = can_relocate(view, rules, seat, spendable(view, rules, seat))
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        sites = targets(view, rules, seat, view.btype[t], t)
        worth = best_target(copy, view, rules, action, t, sites, w)[1]
        if worth > most:
            best, most = t, worth
    return best, most


@rule
def after_intel(copy, view, rules, w):
    """Return the worth after intel is bought, for an unknown card."""
    try_out(copy, view)
    choose_purchase(copy, rules, BUY_INTEL)
    pay_as_reference(copy, rules)
    return outlook(copy, rules, w) + w.points * PER_INTEL


@rule
def after_purchase(copy, view, rules, action, w):
    """Return the highest worth after an id at SPEND."""
    if action == DONE:
        return outlook(view, rules, w)
    if action == BUY_INTEL:
        return after_intel(copy, view, rules, w)
    if action == RELOCATE:
        return best_source(copy, view, rules, action, w)[1]
    if action == RECRUIT:
        return LEAST
    sites = targets(view, rules, view.seat, action - CONSTRUCT, NOBODY)
    return best_target(copy, view, rules, action, NOBODY, sites, w)[1]


@rule
def best_purchase(copy, view, rules, legal, w):
    """Decide SPEND: the id of the highest worth, the lowest among equals."""
    best, most = DONE, LEAST
    for i in range(legal.size):
        worth = after_purchase(copy, view, rules, legal[i], w)
        if worth > most:
            best, most = legal[i], worth
    return best


@rule
def finds_target(copy, view, rules, w):
    """Decide TARGET: the tile of the highest worth."""
    return best_target(copy, view, rules, NOBODY, NOBODY, target_set(view, rules), w)[0]


@rule
def discloses_best(copy, view, rules, w):
    """Decide INTEL: the card that raises the worth most, if by enough."""
    best, most = HANDLED, outlook(view, rules, w) + GAIN
    for slot in range(view.hand_n[view.seat]):
        try_out(copy, view)
        handle_card(copy, rules, slot)
        worth = outlook(copy, rules, w)
        if worth > most or (worth == most and best == HANDLED):
            best, most = slot, worth
    return best
