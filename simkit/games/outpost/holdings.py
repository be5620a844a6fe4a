"""Outpost: what a player owns and what follows from it (OP-3.1, OP-3.2, OP-4.7, OP-5.7, OP-5.8, OP-5.20, OP-5.22)."""

from simkit.games.outpost.facts import (
    ECOPLANTS,
    F_RESEARCH,
    F_TITANIUM,
    HEAVY,
    LABORATORY,
    LIBRARY,
    LIMIT,
    NODULE,
    ORDINARY,
    OUTPOST,
    ROBOTS,
    SITES,
    TYPES,
    WAREHOUSE,
    RobotsLimit,
)
from simkit.jit import rule


@rule
def count_vp(s, rules, seat):
    """Victory points, counted anew: upgrades 1 to 10 and operated sites (OP-3.1)."""
    total = 0
    for t in range(ORDINARY):
        total += int(s.upgrades[seat, t]) * int(rules.vp[t])
    for site in range(SITES):
        total += int(s.operated[seat, site]) * int(rules.site_vp[site])
    s.score[seat] = total


@rule
def cost_sum(s, rules, seat):
    """Printed costs of upgrades 1 to 10 and of operated specials (OP-3.2)."""
    total = 0
    for t in range(TYPES):
        n = s.upgrades[seat, t] if t < ORDINARY else s.operated[seat, t - ORDINARY + 5]
        total += int(n) * int(rules.cost[t])
    return total


@rule
def capacity(s, rules, seat):
    """Hand capacity in units (OP-4.7)."""
    own = s.upgrades[seat]
    return (
        int(rules.hand_capacity_base)
        + int(own[WAREHOUSE]) * int(rules.capacity_warehouse)
        + int(own[OUTPOST]) * int(rules.capacity_outpost)
    )


@rule
def discount(s, rules, seat, t):
    """Discount of a player on an upgrade, credits (OP-5.7)."""
    own = s.upgrades[seat]
    first = int(own[LIBRARY]) * int(rules.discount[0, t]) + int(own[HEAVY]) * int(rules.discount[1, t])
    return first + int(own[ECOPLANTS]) * int(rules.discount[2, t])


@rule
def specials(s, seat):
    """Stations, cruisers and moon bases owned."""
    return (
        int(s.upgrades[seat, ORDINARY])
        + int(s.upgrades[seat, ORDINARY + 1])
        + int(s.upgrades[seat, ORDINARY + 2])
    )


@rule
def factories(s, seat):
    """Factories owned."""
    total = 0
    for f in range(5):
        total += int(s.factories[seat, f])
    return total


@rule
def housing(s, rules, seat):
    """Population maximum without the places of the specials (OP-5.20)."""
    own = s.upgrades[seat]
    return (
        int(rules.pop_max_base)
        + int(own[NODULE]) * int(rules.pop_nodule)
        + int(own[OUTPOST]) * int(rules.pop_outpost)
    )


@rule
def room(s, rules, seat):
    """Population units that may be bought (OP-5.20, OP-1.5)."""
    return min(housing(s, rules, seat) + specials(s, seat), LIMIT) - int(s.population[seat])


@rule
def robots_limit(s, rules, seat):
    """Robots that could be used (OP-5.22)."""
    if rules.robots_limit == RobotsLimit.unlimited:
        return LIMIT
    return int(s.upgrades[seat, ROBOTS]) * int(s.population[seat])


@rule
def usable_robots(s, rules, seat):
    """Robots that can be used (OP-5.22)."""
    return min(int(s.robots[seat]), robots_limit(s, rules, seat))


@rule
def add_factories(s, seat, f, n):
    """New factories, without operators; never more than the state can hold (OP-1.5)."""
    s.factories[seat, f] = min(int(s.factories[seat, f]) + n, LIMIT)


@rule
def gain_upgrade(s, rules, seat, t):
    """Take an upgrade from the market, with its effects at once (OP-5.8)."""
    s.market[t] -= 1
    s.upgrades[seat, t] += 1
    if t == LABORATORY:
        add_factories(s, seat, F_RESEARCH, 1)
    elif t == OUTPOST:
        add_factories(s, seat, F_TITANIUM, 1)
    elif t == ROBOTS:
        s.robots[seat] = min(int(s.robots[seat]) + int(rules.bonus_robots), LIMIT)
    count_vp(s, rules, seat)
