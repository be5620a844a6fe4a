"""How much of the seat advantage is parity and the last move?"""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight

from .counting import counted
from .oneply import CARD, PAIR_OF_CARDS, one_ply
from .player import player
from .whatif import CAP, SIGN, line_value, pairs_added


@rule
def tempo(view, rules, w):
    """Return sign, margin cap and worth of a card at this time of the game."""
    deck = int(view.deck_n) - int(view.deck_pos)
    sign, cap, card = SIGN, CAP, CARD
    if deck > w.early:
        sign, card = w.early_sign, w.early_card
    elif deck == 0:
        sign, cap = w.late_sign, w.late_cap
    return sign, cap, card


@rule
def last_repair(view, hand, taken):
    """Return whether more repairs remain than for the opponent, who gets the larger half of the cards."""
    left = int(view.deck_n) - int(view.deck_pos) + int(view.offer_n) - taken
    return hand // 2 + left // 2 > int(view.hand_n[1 - view.seat]) // 2 + (left + 1) // 2


@rule
def timed_line(rules, line, pop, lead, token, mind, w):
    """Return what a line counts with the present sign and cap."""
    return line_value(pop, lead, token, mind[0], mind[1])


@rule
def timed_gain(rise, view, rules, mind, w):
    """Return the rise, plus the worth of having the last repair."""
    return rise + w.last * last_repair(view, int(view.hand_n[view.seat]) - 2, 0)


@rule
def timed_take(view, rules, n, taken, held, mind, w):
    """Return the worth of the cards taken, their pairs, and the last repair."""
    last = last_repair(view, int(view.hand_n[view.seat]) + n, n)
    return mind[2] * n + PAIR_OF_CARDS * pairs_added(held, taken) + w.last * last


@player(
    label="tempo planner",
    early=Weight(8, 0, 54, "The game is early while the deck has more cards than this", "early deck"),
    early_card=Weight(75, 0, 1000, "Worth of a card early in the game, in its own points", "early card"),
    early_sign=Weight(6, 0, 100, "Worth of a vote early in the game, per population", "early vote"),
    late_sign=Weight(20, 0, 100, "Worth of a vote when the deck is empty, per population", "late vote"),
    late_cap=Weight(1, 0, 40, "Lead in cubes that still counts when the deck is empty", "late lead"),
    last=Weight(40, 0, 1000, "Worth of having more repairs left, in its own points", "last repair"),
)
@one_ply(outlook=tempo, repair=counted(timed_line, timed_gain), salvage=timed_take)
def tempo_planner():
    """Cards and margins early, votes late, and the last repair of the game (O7-15.8)."""
