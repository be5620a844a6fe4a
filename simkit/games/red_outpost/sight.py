"""Red Outpost: all is public but the order of the lake and the spaceship deck (RO-11)."""

from simkit.engine.compile.jit import clone_before, rule
from simkit.engine.rng import shuffle
from simkit.games.red_outpost.facts import LAKE_KINDS, NOBODY, SHIP_KINDS


@rule
def observe(s, rules, seat, view):
    """Write the state without the decks and the log."""
    clone_before(view, s, "lake_deck")
    view.lake_deck[:] = view.ship_deck[:] = NOBODY


@rule
def redeal(view, rules, seat, stream):
    """Shuffle the undrawn cards anew: all but the discard piles and the cards in hand."""
    n = 0
    for kind in range(LAKE_KINDS):
        left = rules.lake_count[kind] - view.lake_disc[kind]
        for place in range(2):
            left -= view.lake_held[place] == kind
        for _ in range(left):
            view.lake_deck[n] = kind
            n += 1
    shuffle(stream, view.lake_deck, n)
    n = 0
    for kind in range(SHIP_KINDS):
        for _ in range(rules.ship_count[kind] - view.ship_disc[kind]):
            view.ship_deck[n] = kind
            n += 1
    shuffle(stream, view.ship_deck, n)
