"""How strong is REMOVE, and does denial of the offer matter?"""

from simkit.games.outpost_seven.cards import COUNT
from simkit.games.outpost_seven.facts import NO_CARD
from simkit.jit import rule
from simkit.strategy import Weight

from .oneply import CARD, one_ply
from .player import player
from .whatif import CAP, SIGN, margin_of, sign_of


@rule
def opposed_value(s, rules, w):
    """E with the lines that vote for the opponent weighing more."""
    total = 0.0
    for line in range(rules.lines):
        sign = sign_of(s, line)
        worth = int(s.pop[line]) * (SIGN * sign + min(max(margin_of(s, line), -CAP), CAP))
        total += worth * w.opposing if sign < 0 else worth
    return total


@rule
def sabotage(view, after, rules, before, w):
    """What the opponent loses counts extra: cubes removed, population voted away."""
    other = 1 - view.seat
    removed = int(view.on_grid[other]) - int(after.on_grid[other])
    away = 0
    for line in range(rules.lines):
        if view.vote[line] == other and after.vote[line] != other:
            away += int(after.pop[line])
    return opposed_value(after, rules, w) - before + w.removed * removed + w.voted_away * away


@rule
def denial(view, rules, mask, mind, w):
    """The cards taken, and partners of their colour among the opponent's known cards."""
    other = 1 - view.seat
    partners = 0
    for slot in range(view.offer_n):
        for theirs in range(view.hand_n[other]):
            card = view.hand[other, theirs]
            if mask >> slot & 1 and card != NO_CARD:
                partners += rules.colour[card] == rules.colour[view.offer[slot]]
    return CARD * COUNT[mask] + w.deny * partners


@player(
    label="saboteur",
    opposing=Weight(
        1.5, 0.0, 10.0, "How much more the lines that vote for the opponent weigh", "opposing lines"
    ),
    removed=Weight(20, 0, 1000, "Worth of a cube removed, in its own points", "cubes removed"),
    voted_away=Weight(10, 0, 1000, "Worth of a population voted away, in its own points"),
    deny=Weight(
        3, 0, 1000, "Worth of a card that pairs in the opponent's known hand, in its own points", "denial"
    ),
)
@one_ply(outlook=opposed_value, repair=sabotage, salvage=denial)
def saboteur():
    """Take from the opponent: his cubes, his votes, the cards he needs (O7-15.7)."""
