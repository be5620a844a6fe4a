"""Distances in the base, in walking steps from module to module (EX-4.5, EX-13.3)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.games.exoplanet_colony.base import next_to
from simkit.games.exoplanet_colony.facts import DIRECTIONS, NOBODY


@rule
def nearest(s, slot, goals):
    """Return the nearest of some slots, the lowest among equals, and its distance; NOBODY for none."""
    reached, last, steps = bit(slot), bit(slot), 0
    if goals == 0:
        return NOBODY, steps
    while last & goals == 0:
        last = next_to(s, last) & ~reached
        if last == 0:
            return NOBODY, steps
        reached, steps = reached | last, steps + 1
    return lowest_bit(last & goals), steps


@rule
def step_towards(s, slot, goal):
    """Return the first direction whose neighbour is a step nearer to another slot."""
    last = reached = bit(goal)
    while last & s.near[slot] == 0:
        last = next_to(s, last) & ~reached
        reached |= last
    direction = 0
    while direction < DIRECTIONS - 1 and not is_among(s.slot_nb[slot, direction], last):
        direction += 1
    return direction


@rule
def is_among(slot, slots):
    """Return whether a slot is in a set of slots."""
    return slot != NOBODY and slots & bit(slot) != 0
