"""A weak player: do raw cubes win without looking at lines?"""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight, any_of, best_of
from simkit.games.outpost_seven.cards import COUNT
from simkit.games.outpost_seven.facts import PAIR, REPAIR, Bonus, Decision
from simkit.games.outpost_seven.repair import pair_cubes

from .oneply import key_of, usual_answer
from .player import player
from .whatif import NEVER, OWN, value_in

CUBE = 100  # in hundredths of a cube


@rule
def cubes_and_bonuses(view, rules, pair, w):
    """Return the cubes paid and the bonuses that they trigger at once, in hundredths of a cube."""
    n, hand = pair_cubes(view, rules, pair), view.hand[view.seat]
    worth = CUBE * n - w.scrap * int(rules.value[hand[REPAIR.scrap(pair)]])
    for space in range(n):
        kind = rules.bonus[hand[REPAIR.module(pair)], space]
        worth += w.population if kind == Bonus.pop else w.cascade * (kind != Bonus.none)
    return worth


@player(
    label="cubes first",
    cascade=Weight(40, 0, 1000, "Worth of a PLACE or REMOVE at once, hundredths of a cube", "PLACE, REMOVE"),
    population=Weight(30, 0, 1000, "Worth of a POP at once, hundredths of a cube", "POP"),
    scrap=Weight(1, 0, 100, "Cost of a point of scrap value, hundredths of a cube", "cost of the scrap"),
)
def cube_rush(view, rules, legal, w, rng, work):
    """Repair whenever possible, with the most cubes at once; else take the cheapest cards (O7-15.2)."""
    if view.decision == Decision.cell:
        return any_of(legal, key_of(view, rng))
    if view.decision != Decision.main:
        return usual_answer(view, rules, legal, rng, OWN(work))
    scores = OWN(work).scores
    for i in range(legal.size):
        if legal[i] < PAIR:
            scores[i] = NEVER + CUBE * COUNT[legal[i]] - value_in(rules, view.offer[:], legal[i])
        else:
            scores[i] = cubes_and_bonuses(view, rules, legal[i], w)
    return best_of(legal, scores, key_of(view, rng))
