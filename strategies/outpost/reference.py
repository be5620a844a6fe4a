"""The reference player of Outpost (OP-S0): fixed worths; overpayment is ignored."""

import numpy as np

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import strategy
from simkit.games.outpost import game

from .shopper import likes_dear, shop

# Credits by upgrade, data library to moon base: for the first copy, and for every further one (OP-S0).
WORTH_FIRST = np.array([18, 28, 45, 45, 60, 70, 90, 90, 55, 140, 190, 250, 320])
WORTH_MORE = np.array([12, 26, 15, 40, 60, 70, 45, 40, 35, 130, 190, 250, 320])
WIN_WORTH = 9999


@rule
def reference_worth(view, rules, seat, t, w, memo):
    """Return the worth of an upgrade to the reference player, credits (OP-S0)."""
    if view.score[seat] + rules.vp[t] >= rules.victory_vp:
        return WIN_WORTH
    return WORTH_FIRST[t] if view.upgrades[seat, t] == 0 else WORTH_MORE[t]


@rule
def as_printed(view, rules, seat, due):
    """Return the amount due."""
    return due


decides = rule(shop(reference_worth, likes_dear, as_printed))


@strategy(game, allocates=False)
def reference_greedy(view, rules, legal, w, memo):
    """Open what is worth more than its price, man sites, build the best factory (OP-S0)."""
    return decides(view, rules, legal, w, memo)
