"""How strong is REMOVE, and does denial of the offer matter?"""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.outpost_seven.facts import NO_CARD

from .counting import by_trial
from .oneply import CARD, one_ply
from .player import player
from .whatif import CAP, SIGN, margin_of, of_colour, sign_of


@rule
def opposed_value(s, rules, w):
    """Return E with more weight on the lines that vote for the opponent."""
    total = 0.0
    for line in range(rules.lines):
        sign = sign_of(s, line)
        worth = int(s.pop[line]) * (SIGN * sign + min(max(margin_of(s, line), -CAP), CAP))
        total += worth * w.opposing if sign < 0 else worth
    return total


@rule
def sabotage(view, after, rules, before, w):
    """Return the gain, with extra worth for the opponent's losses: cubes removed, population voted away."""
    other, away = 1 - view.seat, 0
    removed = int(view.on_grid[other]) - int(after.on_grid[other])
    for line in range(rules.lines):
        if view.vote[line] == other and after.vote[line] != other:
            away += int(after.pop[line])
    return opposed_value(after, rules, w) - before + w.removed * removed + w.voted_away * away


@rule
def denial(view, rules, n, taken, held, mind, w):
    """Return the worth of the cards taken, and of their colour partners among the opponent's known cards."""
    other, partners = 1 - view.seat, 0
    for slot in range(view.hand_n[other]):
        card = view.hand[other, slot]
        if card != NO_CARD:
            partners += of_colour(taken, int(rules.colour[card]))
    return CARD * n + w.deny * partners


@player(
    label="saboteur",
    opposing=Weight(1.5, 0.0, 10.0, "How much more lines that vote for the opponent weigh", "opposing lines"),
    removed=Weight(20, 0, 1000, "Worth of a cube removed, in its own points", "cubes removed"),
    voted_away=Weight(10, 0, 1000, "Worth of a population voted away, in its own points"),
    deny=Weight(3, 0, 1000, "Worth of a partner for the opponent's known cards, in its own points", "denial"),
)
@one_ply(outlook=opposed_value, repair=by_trial(sabotage), salvage=denial)
def saboteur():
    """Take from the opponent: his cubes, his votes, the cards he needs (O7-15.7)."""
