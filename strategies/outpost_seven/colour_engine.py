"""Is population a viable engine or a trap, and are the colours interchangeable?"""

import numpy as np

from simkit.games.outpost_seven.facts import NO_CARD
from simkit.jit import rule
from simkit.strategy import Weight

from .counting import tried
from .oneply import CARD, e_now, one_ply
from .player import player
from .whatif import of_colour, sign_of


@rule(allocates=True)
def main_colour(view, rules, w):
    """E now, and the colour of which hand, offer and own lines show most."""
    shown = np.zeros(3, np.int64)
    for slot in range(view.hand_n[view.seat]):
        shown[rules.colour[view.hand[view.seat, slot]]] += 2
    for slot in range(view.dealt_n[view.seat]):
        shown[rules.colour[view.dealt[view.seat, slot]]] += 2
    for slot in range(view.offer_n):
        shown[rules.colour[view.offer[slot]]] += 1
    for cell in range(rules.cells):
        own = view.seat in (view.vote[rules.row_of[cell]], view.vote[rules.col_of[cell]])
        if own and view.grid_card[cell] != NO_CARD:
            shown[rules.colour[view.grid_card[cell]]] += 1
    return e_now(view, rules, w), shown.argmax()


@rule
def engine_gain(view, after, rules, mind, w):
    """E gain, and the cards of the module's colour beside it: own lines count for it, opposing against."""
    cell = after.played_cell
    colour = rules.colour[after.grid_card[cell]]
    beside = 0
    for line in (rules.row_of[cell], rules.col_of[cell]):
        beside += sign_of(after, line) * int(view.colours[line, colour])
    return e_now(after, rules, w) - mind[0] + w.engine * beside


@rule
def engine_cards(view, rules, n, taken, held, mind, w):
    return CARD * n + w.colour * of_colour(taken, mind[1])


@player(
    label="colour engine",
    colour=Weight(25, 0, 1000, "Worth of a card of the main colour more than another", "main colour"),
    engine=Weight(15, 0, 1000, "Worth of a same-colour card beside it in an own line", "same colour beside"),
)
@one_ply(outlook=main_colour, repair=tried(engine_gain), salvage=engine_cards, keep=engine_cards)
def colour_engine():
    """Collect one colour and build it up in own lines, where population pays (O7-15.6)."""
