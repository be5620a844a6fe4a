"""The players of Exoplanet Colony: what they share, and how one is made (EX-13.3, EX-17).

values: what productions, modules, tokens and events are worth; aims: what a hand is kept for (sets: modules
that go together); trade: cards of partners and of the discard pile; ways: distances; actions: the rules M1 to
M10 of MAIN, one function each; main: their order; plans: when plans are played; answers: all other decisions.
Values are counted in halves, so that they are whole numbers.

A player is a `Style`, made by `style(...)` of what is not as the reference player has it, and handed to every
function; `main.decides(view, rules, legal, style)` then answers everything. One with another order of rules
writes its own MAIN of the functions in `actions` (they take the legal ids as a set and return an action id or
-1) and asks `answers.answers` for the rest: see builder, survivor. One with
another aim changes `aims.target` and `aims.best_deploy`, where a field of `Style` says so: all else follows
from them. A `Style` always has the same type, so that everything is compiled once for all players.
"""

from collections import namedtuple

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight

FEEDS = -1  # edge of those who never let a supply run dry
AT_SKULL = 0  # edge of those who let all run dry but the last
NO_SETS = -1  # price of lacking cards of those who save for one module at a time
ANY_WAY = 99  # distance of those who go anywhere
Style = namedtuple(
    "Style",
    "scarcity threshold full_threshold distance junk capsule contingency edge reaches divides planned",
)
WEIGHTS = {
    "scarcity": Weight(5, 0, 20, "Worth of a missing production of which the supply is gone in 3 turns"),
    "threshold": Weight(1, 0, 20, "Gain from which a module is deployed"),
    "distance": Weight(2, 0, 30, "Steps that are gone for a token of less worth than an Emergency"),
    "junk": Weight(10, 0, 100, "Worth below which cards are discarded to recover"),
    "capsule": Weight(4, 0, 19, "Lowest supply at which a Supply Capsule is used"),
    "contingency": Weight(5, -5, 20, "Severity from which an event is cancelled"),
}


@rule
def style(
    scarcity=5, threshold=1, full_threshold=1, distance=2, junk=10, capsule=4, contingency=5, edge=FEEDS,
    reaches=1, divides=0, planned=NO_SETS,
):  # fmt: skip
    """A way to play.

    threshold, full_threshold: the gain from which modules are deployed, and with a full hand
    edge: the level from which supplies are refilled: AT_SKULL, or FEEDS whatever the level
    reaches: 1 = goes for a token only if it can be repaired in this turn
    divides: 1 = leaves repairs, healing and generating to who is best at it
    planned: saves for sets of modules, each card that they lack at this price; NO_SETS for one at a time
    """
    return Style(
        scarcity, threshold, full_threshold, distance, junk, capsule, contingency, edge, reaches, divides,
        planned,
    )  # fmt: skip


@rule
def weighted(w, edge):
    """A way to play by WEIGHTS."""
    return style(w.scarcity, w.threshold, w.threshold, w.distance, w.junk, w.capsule, w.contingency, edge)
