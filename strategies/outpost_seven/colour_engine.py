"""Is population a viable engine or a trap, and are the colours interchangeable?"""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.outpost_seven.facts import NO_CARD

from .counting import COLOURS, by_trial
from .oneply import CARD, e_now, one_ply
from .player import player
from .whatif import colours_in, held_by, of_colour, one_of, sign_of


@rule
def main_colour(view, rules, w):
    """Return E now, and the colour that hand, offer and own lines show most."""
    dealt, offered = (1 << int(view.dealt_n[view.seat])) - 1, (1 << int(view.offer_n)) - 1
    shown = held_by(view, rules) + colours_in(rules, view.dealt[view.seat], dealt)
    shown += shown + colours_in(rules, view.offer[:], offered)  # cards in hand (or dealt) count twice
    for cell in range(rules.cells):
        own = view.seat in (view.vote[rules.row_of[cell]], view.vote[rules.col_of[cell]])
        if own and view.grid_card[cell] != NO_CARD:
            shown += one_of(rules.colour[view.grid_card[cell]])
    return e_now(view, rules, w), most_shown(shown)


@rule
def most_shown(shown):
    """Return the colour of the most cards, the first among equals."""
    best = 0
    for colour in range(1, COLOURS):
        if of_colour(shown, colour) > of_colour(shown, best):
            best = colour
    return best


@rule
def engine_gain(view, after, rules, mind, w):
    """Return the gain in E, plus same-colour cards in own lines, minus those in opposing lines."""
    cell = after.played_cell
    colour = rules.colour[after.grid_card[cell]]
    same_colour = 0
    for line in (rules.row_of[cell], rules.col_of[cell]):
        same_colour += sign_of(after, line) * int(view.colours[line, colour])
    return e_now(after, rules, w) - mind[0] + w.engine * same_colour


@rule
def engine_cards(view, rules, n, taken, held, mind, w):
    """Return the worth of cards taken: their number, and those of the main colour."""
    return CARD * n + w.colour * of_colour(taken, mind[1])


@player(
    label="colour engine",
    colour=Weight(25, 0, 1000, "Worth of a card of the main colour more than another", "main colour"),
    engine=Weight(15, 0, 1000, "Worth of a same-colour card beside it in an own line", "same colour beside"),
)
@one_ply(outlook=main_colour, repair=by_trial(engine_gain), salvage=engine_cards, keep=engine_cards)
def colour_engine():
    """Collect one colour and build it up in own lines, where population pays (O7-15.6)."""
