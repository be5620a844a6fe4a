"""Do hand limit and salvage limit reward waiting, and how much tempo does a repair cost in the card race?"""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.outpost_seven.salvage import salvage_limit

from .counting import counted
from .oneply import e_line, one_ply
from .player import player
from .whatif import NEVER, pairs_added

MAX_VALUE = 6  # highest value of a card


@rule
def hoards(view, rules, w):
    """Return whether hand and offer allow another salvage."""
    cheapest, total = 0, 0
    limit = salvage_limit(view, rules)
    for value in range(1, MAX_VALUE + 1):
        for slot in range(view.offer_n):
            if rules.value[view.offer[slot]] == value and total + value <= limit:
                cheapest += 1
                total += value
    room = int(rules.hand_limit) - int(view.hand_n[view.seat])
    return cheapest >= w.take and room >= w.room


@rule
def gain_when_done(rise, view, rules, hoards_on, w):
    """Return the rise; while hoarding, far below every salvage."""
    return rise + (NEVER if hoards_on else 0.0)


@rule
def most_while_hoarding(view, rules, n, taken, held, hoards_on, w):
    """Return the worth of taking n cards: the more the better; after hoarding, far below every repair."""
    return 100.0 * n + pairs_added(held, taken) + (0.0 if hoards_on else NEVER)


@player(
    label="hoarder",
    room=Weight(2, 1, 10, "Salvage while the hand has room for so many cards", "room in hand"),
    take=Weight(2, 1, 8, "... and the offer can give so many", "cards to take"),
)
@one_ply(outlook=hoards, repair=counted(e_line, gain_when_done), salvage=most_while_hoarding)
def hoarder():
    """Salvage as much as possible while hand and offer allow, only then repair (O7-15.3)."""
