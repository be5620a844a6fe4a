"""Exoplanet Colony: what nobody can see, and what may be true of it (EX-11.2, EX-12.3)."""

from simkit.engine.compile.jit import bit, bit_count, clone_before, lowest_bit, rule
from simkit.engine.rng import below, shuffle
from simkit.games.exoplanet_colony.cards import pile_set
from simkit.games.exoplanet_colony.facts import CARDS, EVENTS, FIRST_CRITICAL, NOBODY


@rule
def observe(s, rules, seat, view):
    """Write the state without the deck order, the unknown events and the log, alike for all seats."""
    clone_before(view, s, "deck")
    view.deck[:] = view.events[:] = NOBODY
    for place in range(s.events_n - s.events_known, s.events_n):
        view.events[place] = s.events[place]


@rule
def redeal(view, rules, seat, stream):
    """Deal unseen cards to the deck and unseen events to the unknown places of the event deck (EX-12.3)."""
    redeal_cards(view, stream)
    redeal_events(view, rules, stream)


@rule
def redeal_cards(view, stream):
    """Deal the unseen cards to the deck."""
    elsewhere, n = int(view.removed) | pile_set(view), 0
    for holder in range(view.seats):
        elsewhere |= int(view.hand[holder])
    for slot in range(1, view.slots):
        elsewhere |= bit(view.slot_card[slot])
    for place in range(2):
        if view.got[place] != NOBODY:
            elsewhere |= bit(view.got[place])
    left = ~elsewhere & bit(CARDS) - 1
    while left != 0:
        view.deck[n] = lowest_bit(left)
        left &= left - 1
        n += 1
    shuffle(stream, view.deck, n)


@rule
def redeal_events(view, rules, stream):
    """Deal the unseen events block by block from the bottom, as piles were stacked."""
    unknown, met = view.events_n - view.events_known, known_events(view)
    criticals, size = int(rules.criticals_per_pile), int(rules.normals_per_pile + rules.criticals_per_pile)
    left = rules.piles * criticals - bit_count(met >> FIRST_CRITICAL)
    for bottom in range(0, unknown, size):
        cards = min(size, unknown - bottom)
        harsh = criticals if cards == size else left
        left -= harsh
        for place in range(cards):
            first, after = (FIRST_CRITICAL, EVENTS) if place < harsh else (0, FIRST_CRITICAL)
            event = unmet_event(stream, met, first, after)
            met |= bit(event)
            view.events[bottom + place] = event
        shuffle(stream, view.events[bottom:], cards)


@rule
def known_events(view):
    """Return the events that were revealed or seen, bit e."""
    known_set = int(view.seen)
    for place in range(view.events_n - view.events_known, view.events_n):
        known_set |= bit(view.events[place])
    return known_set


@rule
def unmet_event(stream, met, first, after):
    """Return a random event of a kind among those that nobody has seen."""
    unmet = ~met >> first & bit(after - first) - 1
    for _ in range(below(stream, bit_count(unmet))):
        unmet &= unmet - 1
    return first + lowest_bit(unmet)
