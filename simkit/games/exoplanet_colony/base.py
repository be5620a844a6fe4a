"""Exoplanet Colony: the base: its modules, who stands where, distances (EX-1.10, EX-4.4, EX-4.5)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.games.exoplanet_colony.facts import (
    COLOUR,
    DIRECTIONS,
    HUB,
    LEAST_PRODUCTION,
    MOST_PRODUCTION,
    NOBODY,
    RESOURCES,
    STEP_X,
    STEP_Y,
)


@rule
def put_module(s, card, slot, direction):
    """Put a module next to a slot and return its own slot (EX-4.4)."""
    new = int(s.slots)
    s.slots += 1
    s.slot_card[new] = card
    s.slot_x[new] = s.slot_x[slot] + STEP_X[direction]
    s.slot_y[new] = s.slot_y[slot] + STEP_Y[direction]
    s.coloured[COLOUR[card]] |= bit(new)
    for other in range(new):
        for d in range(DIRECTIONS):
            if s.slot_x[other] + STEP_X[d] == s.slot_x[new] and s.slot_y[other] + STEP_Y[d] == s.slot_y[new]:
                join(s, other, d, new)
    return new


@rule
def join(s, slot, direction, new):
    """Make two slots neighbours."""
    s.slot_nb[slot, direction] = new
    s.slot_nb[new, (direction + 2) % DIRECTIONS] = slot
    s.near[slot] |= bit(new)
    s.near[new] |= bit(slot)


@rule
def all_slots(s):
    """Return all slots, bit s."""
    return bit(s.slots) - 1


@rule
def free_directions(s, slot):
    """Return the directions in which the cell next to a slot is free, bit d."""
    directions = 0
    for d in range(DIRECTIONS):
        directions |= (s.slot_nb[slot, d] == NOBODY) << d
    return directions


@rule
def with_space(s):
    """Return the slots with a free neighbour cell, bit s."""
    slots = 0
    for slot in range(s.slots):
        slots |= (bit_count(s.near[slot]) < DIRECTIONS) << slot
    return slots


@rule
def next_to(s, slots):
    """Return the neighbours of a set of slots."""
    neighbours = 0
    while slots != 0:
        neighbours |= s.near[lowest_bit(slots)]
        slots &= slots - 1
    return int(neighbours)


@rule
def farthest(s, slot):
    """Return the slots at the greatest walking distance from a slot (EX-6.7)."""
    reached = last = bit(slot)
    while True:
        new = next_to(s, last) & ~reached
        if new == 0:
            return last
        reached, last = reached | new, new


@rule
def radius(s):
    """Return the greatest walking distance from the Hub."""
    steps, reached, last = -1, bit(HUB), bit(HUB)
    while last != 0:
        last = next_to(s, last) & ~reached
        reached, steps = reached | last, steps + 1
    return steps


@rule
def within(s, rules, card, sign):
    """Return whether adding or removing a module's effect keeps all productions within bounds (EX-4.1)."""
    in_bounds = True
    for r in range(RESOURCES):
        after = s.production[r] + sign * rules.effect[card, r]
        in_bounds &= (after >= LEAST_PRODUCTION) & (after <= MOST_PRODUCTION)
    return in_bounds
