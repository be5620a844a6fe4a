"""The plain greedy player with weights that can be set."""

from simkit.jit import rule
from simkit.strategy import Weight

from .oneply import CARD, PAIR_OF_CARDS, one_ply, weighted_cards
from .player import player
from .whatif import CAP, SIGN, board_value, margin_of


@rule
def cautious_value(s, rules, w):
    """E with named numbers, less `caution` times the own votes that hang on a lead of at most one cube."""
    hanging = 0
    for line in range(rules.lines):
        if s.vote[line] == s.seat and margin_of(s, line) <= 1:
            hanging += int(s.pop[line])
    return board_value(s, rules, w.sign, w.margin_cap) - w.caution * (w.sign * hanging)


@rule
def cautious_gain(view, after, rules, before, w):
    return cautious_value(after, rules, w) - before


@player(
    label="greedy, tunable",
    sign=Weight(SIGN, 0, 100, "Worth of a line's vote, per population", "worth of a vote"),
    margin_cap=Weight(CAP, 0, 40, "Cubes of lead in a line; more are worth nothing", "lead that counts"),
    card=Weight(CARD, 0, 1000, "Worth of a card taken, in its own points", "worth of a card"),
    pair=Weight(PAIR_OF_CARDS, 0, 1000, "Worth of a same-colour pair, in its own points", "worth of a pair"),
    caution=Weight(0.0, 0.0, 1.0, "Share of an own vote that counts nothing on a lead of at most one cube"),
)
@one_ply(outlook=cautious_value, repair=cautious_gain, salvage=weighted_cards, keep=weighted_cards)
def greedy():
    """Take what gains most now, as the plain greedy player, with weights that can be set (O7-15.4)."""
