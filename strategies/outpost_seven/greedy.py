"""The plain greedy player with weights that can be set."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight

from .counting import counted
from .oneply import CARD, PAIR_OF_CARDS, one_ply, weighted_cards
from .player import player
from .whatif import CAP, SIGN, board_value, line_value, margin_of

HANGING = 20  # bits for the population of hanging votes


@rule
def cautious(view, rules, w):
    """Return E with tunable numbers, and the population of own votes that hang on a lead of at most 1."""
    hanging = 0
    for line in range(rules.lines):
        if view.vote[line] == view.seat and margin_of(view, line) <= 1:
            hanging += int(view.pop[line])
    return board_value(view, rules, w.sign, w.margin_cap), hanging


@rule
def cautious_line(rules, line, pop, lead, token, mind, w):
    """Return what a line counts in E, and its population if its vote hangs, packed in one number."""
    own = lead == 1 or (lead == 0 and token == 1)
    return (line_value(pop, lead, token, w.sign, w.margin_cap) << HANGING) + (pop if own else 0)


@rule
def cautious_gain(rise, view, rules, before, w):
    """Return the gain in cautious worth by the repair, rounded in the same steps."""
    hanging = (rise + (1 << HANGING - 1) & (1 << HANGING) - 1) - (1 << HANGING - 1)
    value, hung = before
    return (
        value
        + (rise - hanging >> HANGING)
        - w.caution * (w.sign * (hung + hanging))
        - (value - w.caution * (w.sign * hung))
    )


@player(
    label="greedy, tunable",
    sign=Weight(SIGN, 0, 100, "Worth of a line's vote, per population", "worth of a vote"),
    margin_cap=Weight(CAP, 0, 40, "Cubes of lead in a line; more are worth nothing", "lead that counts"),
    card=Weight(CARD, 0, 1000, "Worth of a card taken, in its own points", "worth of a card"),
    pair=Weight(PAIR_OF_CARDS, 0, 1000, "Worth of a same-colour pair, in its own points", "worth of a pair"),
    caution=Weight(0.0, 0.0, 1.0, "How little it trusts a line that it leads by one cube"),
)
@one_ply(
    outlook=cautious,
    repair=counted(cautious_line, cautious_gain),
    salvage=weighted_cards,
    keep=weighted_cards,
)
def greedy():
    """Take what gains most now, as the plain greedy player, with weights that can be set (O7-15.4)."""
