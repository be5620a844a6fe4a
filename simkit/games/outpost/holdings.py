"""Outpost: what a player owns and what follows from it (OP-3.1, OP-3.2, OP-4.7, OP-5.7, OP-5.20)."""

from simkit.engine.compile.jit import rule
from simkit.games.outpost.facts import FACTORIES, LIMIT, ORDINARY, SITES, SPECIAL, TYPES, Thing, Upgrade
from simkit.games.outpost.options import RobotsLimit


@rule
def owned(s, seat, site):
    """Return the sites of a kind owned: a factory, or the upgrade that is a special."""
    return s.factories[seat, site] if site < FACTORIES else s.upgrades[seat, site + SPECIAL]


@rule
def count_vp(s, rules, seat):
    """Count victory points anew: upgrades 1 to 10 and operated sites (OP-3.1)."""
    points = 0
    for t in range(ORDINARY):
        points += s.upgrades[seat, t] * rules.vp[t]
    for site in range(SITES):
        points += s.operated[seat, site] * rules.site_vp[site]
    s.score[seat] = points


@rule
def cost_sum(s, rules, seat):
    """Return the printed costs of upgrades 1 to 10 and of operated specials (OP-3.2)."""
    costs = 0
    for t in range(TYPES):
        n = s.upgrades[seat, t] if t < ORDINARY else s.operated[seat, t - SPECIAL]
        costs += n * rules.cost[t]
    return costs


@rule
def capacity(s, rules, seat):
    """Return the hand capacity in units (OP-4.7)."""
    own = s.upgrades[seat]
    more = own[Upgrade.warehouse] * rules.capacity_warehouse + own[Upgrade.outpost] * rules.capacity_outpost
    return rules.hand_capacity_base + more


@rule
def discount(s, rules, seat, t):
    """Return the discount of a player on an upgrade, in credits (OP-5.7)."""
    own = s.upgrades[seat]
    return (
        own[Upgrade.data_library] * rules.discount[Upgrade.data_library, t]
        + own[Upgrade.heavy_equipment] * rules.discount[Upgrade.heavy_equipment, t]
        + own[Upgrade.ecoplants] * rules.discount[Upgrade.ecoplants, t]
    )


@rule
def specials(s, seat):
    """Return the stations, cruisers and moon bases owned."""
    return s.upgrades[seat, ORDINARY:].sum()


@rule
def housing(s, rules, seat):
    """Return the population maximum without the places of the specials (OP-5.20)."""
    own = s.upgrades[seat]
    more = own[Upgrade.nodule] * rules.pop_nodule + own[Upgrade.outpost] * rules.pop_outpost
    return rules.pop_max_base + more


@rule
def room(s, rules, seat):
    """Return the population units that may be bought (OP-5.20, OP-1.5)."""
    return min(housing(s, rules, seat) + specials(s, seat), LIMIT) - s.population[seat]


@rule
def robots_limit(s, rules, seat):
    """Return the robots that could be used (OP-5.22)."""
    if rules.robots_limit == RobotsLimit.unlimited:
        return LIMIT
    return s.upgrades[seat, Upgrade.robots] * s.population[seat]


@rule
def usable_robots(s, rules, seat):
    """Return the robots that can be used (OP-5.22)."""
    return min(s.robots[seat], robots_limit(s, rules, seat))


@rule
def add_factories(s, seat, f, n):
    """Add factories without operators, up to what the state can hold (OP-1.5)."""
    s.factories[seat, f] = min(s.factories[seat, f] + n, LIMIT)


@rule
def gain_upgrade(s, rules, seat, t):
    """Take an upgrade from the market, with its effects at once (OP-5.8)."""
    s.market[t] -= 1
    s.upgrades[seat, t] += 1
    if t == Upgrade.laboratory:
        add_factories(s, seat, Thing.research, 1)
    elif t == Upgrade.outpost:
        add_factories(s, seat, Thing.titanium, 1)
    elif t == Upgrade.robots:
        s.robots[seat] = min(s.robots[seat] + rules.bonus_robots, LIMIT)
    count_vp(s, rules, seat)
