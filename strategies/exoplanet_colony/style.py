"""Players of Exoplanet Colony: their common parts, and how to make one (EX-13.3, EX-17).

values: worth of productions, modules, tokens and events; aims: what a hand is kept for (sets: modules that go
together); trade: cards of partners and of the discard pile; ways: distances; actions: the rules M1 to M10 of
MAIN, one function each; main: their order; plans: when plans are played; answers: all other decisions. Values
are counted in halves, so that they are whole numbers.

A player is a `Style`, made by `style(...)` from its differences to the reference player and passed to every
function; `main.decides(view, rules, legal, style)` then makes every decision. A player with another order of
rules composes its own MAIN from the functions in `actions` (they take the legal ids as a set and return an
action id or -1) and leaves the rest to `answers.answers`: see builder, survivor. For another aim, extend
`aims.target` and `aims.best_deploy` under a field of `Style`; all other decisions follow from them. A `Style`
always has the same type, so that everything is compiled once for all players.
"""

from collections import namedtuple

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight

FEEDS = -1  # edge: never let a supply run dry
AT_SKULL = 0  # edge: let all supplies run dry but the last
NO_SETS = -1  # planned: save for one module at a time
ANY_WAY = 99  # distance: walk any distance
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
    """Return a way to play.

    threshold, full_threshold: gain from which modules are deployed, and with a full hand
    edge: level from which supplies are refilled: AT_SKULL, or FEEDS for any level
    reaches: 1 = walks to a token only if it can be removed in this turn
    divides: 1 = leaves repairs, healing and generating to the seat that is best at it
    planned: saves for sets of modules, at this cost for each card they lack; NO_SETS for one at a time
    """
    return Style(
        scarcity, threshold, full_threshold, distance, junk, capsule, contingency, edge, reaches, divides,
        planned,
    )  # fmt: skip


@rule
def weighted(w, edge):
    """Return a way to play by the weights WEIGHTS."""
    return style(w.scarcity, w.threshold, w.threshold, w.distance, w.junk, w.capsule, w.contingency, edge)
