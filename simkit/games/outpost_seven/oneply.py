"""Outpost Seven: players that look one action ahead: score every legal action, take the best, ties at random (O7-15)."""

import numpy as np

from simkit.chance import below
from simkit.games.outpost_seven.facts import GO_SECOND, KEEP_HAND, MAX_CELLS, MAX_HAND, PAIR, Phase
from simkit.games.outpost_seven.whatif import pair_cubes, removal_first, try_repair
from simkit.jit import lowest_bit, rule

CUBES = 7  # a pair pays for 0 to 6 cubes
NEVER = -1.0e12  # the worth of what is done only if nothing else is legal


def one_ply(outlook, repair_worth, salvage_worth, keep_worth):
    """A player who takes the action of the highest worth, ties at random.

    outlook(view, rules, w)                          what he has in mind before he looks at the actions: a number or a tuple
    repair_worth(view, after, rules, mind, w)        what a repair is worth that leaves the board as `after` shows
    salvage_worth(view, rules, mask, mind, w)        what taking the offer cards of the mask is worth
    keep_worth(view, rules, mask, mind, w)           what keeping the dealt cards of the mask is worth
    """

    @rule
    def weigh_cells(view, rules, mind, w, copy, module, n, worth):
        """The worth of the repair in each cell, worth[cell]; returns the highest."""
        best = 2 * NEVER
        left = np.int64(view.frontier)
        while left != 0:
            cell = lowest_bit(left)
            left &= left - 1
            try_repair(view, rules, copy, module, n, cell)
            worth[cell] = repair_worth(view, copy, rules, mind, w)
            best = max(best, worth[cell])
        return best

    @rule(allocates=True)
    def weigh_main(view, rules, legal, mind, w, copy, scores, worth):
        known = np.full(
            (MAX_HAND, CUBES), np.nan
        )  # a pair's worth depends only on the module and the cubes it gets
        for i in range(legal.size):
            if legal[i] < PAIR:
                scores[i] = salvage_worth(view, rules, legal[i], mind, w)
                continue
            slot = (legal[i] - PAIR) // 10
            n = pair_cubes(view, rules, slot, (legal[i] - PAIR) % 10)
            if np.isnan(known[slot, n]):
                known[slot, n] = weigh_cells(
                    view, rules, mind, w, copy, np.int64(view.hand[view.seat, slot]), n, worth
                )
            scores[i] = known[slot, n]

    @rule(allocates=True)
    def decide(view, rules, legal, w, rng, scratch):
        if view.phase != Phase.main and view.phase != Phase.cell and view.phase != Phase.keep:
            return plain_answer(view, rules, legal, rng)
        scores = np.empty(legal.size)
        worth = np.empty(MAX_CELLS)
        mind = outlook(view, rules, w)
        if view.phase == Phase.main:
            weigh_main(view, rules, legal, mind, w, scratch[0], scores, worth)
        elif view.phase == Phase.cell:
            weigh_cells(
                view,
                rules,
                mind,
                w,
                scratch[0],
                np.int64(view.hand[view.seat, view.sel_module]),
                np.int64(view.sel_cubes),
                worth,
            )
            for i in range(legal.size):
                scores[i] = worth[legal[i]]
        else:
            for i in range(legal.size):
                scores[i] = keep_worth(view, rules, legal[i], mind, w)
        return best_of(legal, scores, rng)

    return decide


@rule
def best_of(legal, scores, rng):
    """The action of the highest score, uniform among ties."""
    chosen, ties = 0, 1
    for i in range(1, legal.size):
        if scores[i] > scores[chosen]:
            chosen, ties = i, 1
        elif scores[i] == scores[chosen]:
            ties += 1
            if below(rng, ties) == 0:
                chosen = i
    return legal[chosen]


@rule(allocates=True)
def plain_answer(view, rules, legal, rng):
    """The reference answers to the rarer decisions (O7-11.2)."""
    if view.phase == Phase.bonus:
        return removal_first(view, rules)
    if view.phase == Phase.side:
        return GO_SECOND
    if view.phase == Phase.mulligan:
        return KEEP_HAND
    scores = np.empty(legal.size)
    for i in range(legal.size):
        scores[i] = -rules.value[view.pool[legal[i]]] if view.phase == Phase.draft else view.pop[legal[i]]
    return best_of(legal, scores, rng)
