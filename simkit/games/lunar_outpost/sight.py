"""Lunar Outpost: what a seat cannot see, and what may be true of it (LO-16)."""

from simkit.engine.compile.jit import bit, clone_before, rule
from simkit.engine.rng import shuffle
from simkit.games.lunar_outpost.facts import (
    ACTIVE,
    EVENTS,
    FACE_DOWN,
    FACE_UP,
    HIDDEN,
    IN_DECK,
    IN_HAND,
    MOST_OFFER,
    NOBODY,
    TILES,
)


@rule
def observe(s, rules, seat, view):
    """Write the state without stack, deck, other hands, unseen discards, scores and log.

    Scores hold the points of hands, so that they are hidden as `leaders` is.
    """
    clone_before(view, s, "event_deck")
    view.event_deck[:] = view.stack[:] = NOBODY
    view.leaders[:] = NOBODY
    view.score[:] = 0
    for other in range(s.seats):
        if other != seat:
            view.hand[other, :] = NOBODY
    for card in range(EVENTS):
        where = s.event_where[card]
        open_to_all = (where == ACTIVE) | (where == FACE_UP)
        visible = open_to_all | (where == IN_HAND + seat) | (where == FACE_DOWN + seat)
        view.event_where[card] = where if visible else HIDDEN


@rule
def redeal(view, rules, seat, stream):
    """Deal unseen tiles to the stack and unseen cards to deck, hands and discards, at random."""
    redeal_tiles(view, stream)
    redeal_cards(view, seat, stream)


@rule
def redeal_tiles(view, stream):
    """Deal the unseen tiles to the stack."""
    seen, n = 0, 0
    for t in range(view.n_tiles):
        seen |= bit(view.tile_id[t])
    for tile in range(TILES):
        if view.tile_out[tile] or view.drawn == tile:
            seen |= bit(tile)
    for slot in range(MOST_OFFER):
        if view.offer[slot] != NOBODY:
            seen |= bit(view.offer[slot])
    for tile in range(TILES):
        if not seen >> tile & 1:
            view.stack[n] = tile
            n += 1
    shuffle(stream, view.stack, n)
    for place in range(view.stack_n, n):
        view.stack[place] = NOBODY


@rule
def redeal_cards(view, seat, stream):
    """Deal the unseen cards to deck, hands and discards."""
    cards, n = view.event_deck, 0
    for card in range(EVENTS):
        if view.event_where[card] == HIDDEN:
            cards[n] = card
            n += 1
    shuffle(stream, cards, n)
    for other in range(view.seats):
        if other != seat:
            for slot in range(view.hand_n[other]):
                n -= 1
                view.hand[other, slot] = cards[n]
                view.event_where[cards[n]] = IN_HAND + other
    for place in range(n):
        view.event_where[cards[place]] = IN_DECK if place < view.event_n else FACE_DOWN + (seat == 0)
    for place in range(view.event_n, EVENTS):
        cards[place] = NOBODY
