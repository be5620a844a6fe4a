"""Two players whose games are compared with those of another implementation (LO-19)."""

from simkit.engine.compile.jit import bit, rule
from simkit.engine.rng import below
from simkit.engine.strategy import strategy
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import EDGE, ENOUGH, Phase
from simkit.games.lunar_outpost.hexes import of_others

from .answers import answers


@strategy(game, allocates=False, label="reference player")
def reference_greedy(view, rules, legal):
    """Dig, store, build by fixed values, save up, attack what is weaker (LO-19)."""
    return answers(view, rules, legal, True)


@strategy(game, allocates=False, label="busy player")
def uniform_busy(view, legal, rng):
    """Never done before it must, onto the others with every troop; otherwise any legal action (LO-19)."""
    phase = view.phase
    if phase == Phase.move:
        return rushes(view, legal, rng)
    if phase == Phase.spend:
        return legal[1 + below(rng, legal.size - 1)]
    if phase == Phase.intel or phase == Phase.extract or phase == Phase.generate:
        return legal[below(rng, legal.size - 1)]
    return legal[below(rng, legal.size)]


@rule
def rushes(view, legal, rng):
    """Decide MOVE: any step onto another player's building or troops, else any from no such building."""
    buildings = of_others(view, view.own, view.seat)
    goals = buildings | of_others(view, view.manned, view.seat)
    for leaves in (False, True):
        n = 0
        for i in range(legal.size - 1):
            n += is_rush(view, legal[i], leaves, buildings if leaves else goals)
        if n > 0:
            return rush(view, legal, leaves, buildings if leaves else goals, below(rng, n))
    return ENOUGH


@rule
def is_rush(view, action, leaves, tiles):
    """Return whether a step leads onto one of some tiles or, with `leaves`, starts from none of them."""
    t = EDGE.tile(action)
    if leaves:
        return tiles & bit(t) == 0
    return tiles & bit(view.nb[t, EDGE.direction(action)]) != 0


@rule
def rush(view, legal, leaves, tiles, place):
    """Return the rush at this index among all rushes."""
    for i in range(legal.size - 1):
        if is_rush(view, legal[i], leaves, tiles):
            if place == 0:
                return legal[i]
            place -= 1
    return ENOUGH
