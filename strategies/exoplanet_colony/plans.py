"""Plans that the players of Exoplanet Colony play (EX-4.12, EX-13.3)."""

from simkit.engine.compile.jit import rule
from simkit.games.exoplanet_colony.facts import CARD, NOBODY, ORDERS, PERM, RESOURCES, Act, Plan, Stage
from simkit.games.exoplanet_colony.plans import looked_at

from .values import POINT, severity

HUNGER = 6  # total negative production for which the update is skipped
BASE = 1000  # more than any severity


@rule
def plays(s, rules, legal, style):
    """Return the plan to play in a plan window, or the pass."""
    chosen = NOBODY
    if s.stage == Stage.start:
        chosen = Plan.forecast.value
    elif s.stage == Stage.update:
        chosen = Plan.rationing.value if is_hungry(s) else NOBODY
    elif s.stage == Stage.event:
        harsh = severity(s, rules, int(s.event)) >= POINT * style.contingency
        chosen = Plan.contingency.value if harsh else NOBODY
    for i in range(legal.size):
        if legal[i] == CARD + chosen:
            return legal[i]
    return Act.pass_.value


@rule
def is_hungry(s):
    """Return whether a supply would run dry in the update, or much production is missing in all."""
    total = 0
    for r in range(RESOURCES):
        if s.supply[r] > 0 and s.supply[r] + s.production[r] <= 0:
            return True
        total += max(0, -int(s.production[r]))
    return total >= HUNGER


@rule
def best_order(s, rules, legal):
    """Return the order of the next events that puts the mildest ones first."""
    best, least = legal[0], 0
    for i in range(legal.size):
        worth = order_worth(s, rules, legal[i] - PERM)
        if i == 0 or worth < least:
            best, least = legal[i], worth
    return best


@rule
def order_worth(s, rules, order):
    """Return the severities in an order as one number, in which earlier events count more."""
    n, total = looked_at(s), 0
    for j in range(n):
        which = ORDERS[order][j] if n > 2 else (j + order) % n
        total = BASE * total + severity(s, rules, int(s.events[s.events_n - 1 - which]))
    return total
