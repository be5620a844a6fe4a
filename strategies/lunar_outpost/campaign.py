"""Marches of troops on one building, for several players of Lunar Outpost (LO-19, raider)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.games.lunar_outpost.conflicts import total_defence
from simkit.games.lunar_outpost.facts import EDGE, ENOUGH, NOBODY, Building, Mod
from simkit.games.lunar_outpost.hexes import of_others
from simkit.games.lunar_outpost.works import of_type

from .features import next_to, steps_between
from .war import nearer


@rule
def has_barracks(s):
    """Return whether the decider owns a barracks."""
    return of_type(s, int(s.own[s.seat]), Building.barracks.value) != 0


@rule
def nearest_to(s, tiles, goals):
    """Return the tile with the fewest steps to the nearest goal, the lowest among equals."""
    best, least = NOBODY, 0
    while tiles != 0:
        t = lowest_bit(tiles)
        tiles &= tiles - 1
        steps = steps_between(s, bit(t), goals, s.mod[Mod.move_rough])
        if best == NOBODY or steps < least:
            best, least = t, steps
    return best


@rule
def is_enough(s, rules, goal):
    """Return whether own troops on a tile and the unmoved ones a step away match its defence."""
    n, left = int(s.troops[goal, s.seat]), next_to(s, bit(goal), s.mod[Mod.move_rough])
    while left != 0:
        n += s.unmoved[lowest_bit(left)]
        left &= left - 1
    return n >= total_defence(s, rules, goal)


@rule
def marches(view, rules, legal, goal):
    """Decide MOVE: the first step of a troop that brings it nearer to the goal.

    A troop enters the goal only with enough others, and stays on a tile with another player's building.
    """
    if goal == NOBODY:
        return ENOUGH
    enemies = of_others(view, view.own, view.seat)
    closed = 0 if is_enough(view, rules, goal) else bit(goal)
    source, towards = NOBODY, 0
    for i in range(legal.size - 1):
        t = EDGE.tile(legal[i])
        if t != source:
            source = t
            towards = 0 if enemies & bit(t) else nearer(view, bit(goal), t) & ~closed
        if towards & bit(view.nb[t, EDGE.direction(legal[i])]):
            return legal[i]
    return ENOUGH
