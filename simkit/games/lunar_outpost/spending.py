"""Lunar Outpost: buildings, relocations, troops and intel for cubes (LO-9)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.engine.rule_helpers import offer_set
from simkit.games.lunar_outpost.events import draw_event, has_room
from simkit.games.lunar_outpost.facts import (
    BUY_INTEL,
    CONSTRUCT,
    DONE,
    NOBODY,
    RECRUIT,
    RELOCATE,
    TYPES,
    Building,
    Buy,
    Mod,
    Phase,
)
from simkit.games.lunar_outpost.hexes import of_others, union
from simkit.games.lunar_outpost.stores import begin_paying, spendable
from simkit.games.lunar_outpost.troops import place_troops
from simkit.games.lunar_outpost.works import lift_building, put_building, working


@rule
def price(s, rules, kind):
    """Return the price of a building, in cubes (LO-9.2)."""
    return max(1, rules.cost[kind] + s.mod[Mod.cost_all] + s.mod[Mod.cost_dome + kind])


@rule
def relocation_price(s, rules, kind):
    """Return the price of relocating a building, in cubes."""
    return max(1, price(s, rules, kind) + s.mod[Mod.cost_relocate])


@rule
def troop_price(s, rules):
    """Return the price of a troop, in cubes."""
    return max(1, rules.troop_cost + s.mod[Mod.cost_troop])


@rule
def intel_price(s, rules):
    """Return the price of an event card, in cubes."""
    return max(1, rules.intel_cost + s.mod[Mod.cost_intel])


@rule
def open_sites(s, seat):
    """Return the unoccupied locations without troops of others (LO-9.4)."""
    return int(s.sites) & ~of_others(s, s.manned, seat)


@rule
def is_free(s, rules, kind):
    """Return whether a building needs no connection, such as a dome (LO-9.5)."""
    return kind == Building.dome and rules.domes_anywhere and not s.mod[Mod.dome_connected]


@rule
def is_adjacent_enough(s, kind):
    """Return whether a building may be built next to own ones over rough edges (LO-13.2)."""
    return kind != Building.dome and s.mod[Mod.build_adjacent]


@rule
def targets(s, rules, seat, kind, lifted):
    """Return where a building may be built; `lifted` is the tile it is relocated from (LO-9.4 to LO-9.6)."""
    sites = open_sites(s, seat)
    if is_free(s, rules, kind):
        return sites
    own = int(s.own[seat])
    if lifted != NOBODY:
        own &= ~bit(lifted)
    if is_adjacent_enough(s, kind):
        return sites & union(s.near, own)
    return sites & union(s.link, own)


@rule
def can_relocate(s, rules, seat, cubes):
    """Return the own buildings that can be relocated for that many cubes (LO-9.6)."""
    movable, left = 0, int(s.own[seat]) if rules.relocation and cubes > 0 else 0
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        kind = s.btype[t]
        if relocation_price(s, rules, kind) <= cubes and targets(s, rules, seat, kind, t) != 0:
            movable |= bit(t)
    return movable


@rule
def can_recruit(s, rules, seat):
    """Return the barracks that may recruit (LO-9.7)."""
    barracks = working(s, rules, seat, Building.barracks) if s.figures[seat] > 0 else 0
    if rules.recruit_per_barracks > 0:
        left = barracks
        while left != 0:
            t = lowest_bit(left)
            left &= left - 1
            if s.recruited[t] >= rules.recruit_per_barracks:
                barracks &= ~bit(t)
    return barracks


@rule
def can_build(s, rules, seat, cubes):
    """Return the types of buildings that may be built for that many cubes, bit k (LO-9.4)."""
    kinds, free, joined = 0, 0, 0
    if cubes > 0:
        free = targets(s, rules, seat, Building.dome, NOBODY)
        joined = targets(s, rules, seat, Building.silo, NOBODY)
    for kind in range(TYPES):
        sites = free if kind == Building.dome else joined
        if sites != 0 and s.supply[seat, kind] > 0 and price(s, rules, kind) <= cubes:
            kinds |= bit(kind)
    return kinds


@rule
def legal_spend(s, rules, out):
    """Write the ids: done, the types to build, recruit, intel, relocate (LO-15)."""
    seat = s.active
    cubes = spendable(s, rules, seat)
    if cubes == 0:
        return offer_set(out, bit(DONE))
    purchases = can_build(s, rules, seat, cubes) << CONSTRUCT
    if troop_price(s, rules) <= cubes and can_recruit(s, rules, seat) != 0:
        purchases |= bit(RECRUIT)
    if can_buy_intel(s, rules, seat, cubes):
        purchases |= bit(BUY_INTEL)
    if can_relocate(s, rules, seat, cubes) != 0:
        purchases |= bit(RELOCATE)
    return offer_set(out, purchases | bit(DONE))


@rule
def can_buy_intel(s, rules, seat, cubes):
    """Return whether an event card may be bought (LO-9.8)."""
    there = rules.events and s.event_n > 0 and has_room(s, rules, seat)
    return there and intel_price(s, rules) <= cubes


@rule
def choose_purchase(s, rules, action):
    """Choose the purchase; its target, the building to relocate, or the cubes come next (LO-9.1)."""
    s.phase = Phase.target.value
    s.buy_src = s.buy_dst = NOBODY
    s.buy_type = 0
    if action < RECRUIT:
        s.buy_kind, s.buy_type = Buy.construct, action - CONSTRUCT
    elif action == RECRUIT:
        s.buy_kind = Buy.recruit
    elif action == BUY_INTEL:
        s.buy_kind = Buy.intel
        begin_paying(s, rules, intel_price(s, rules))
    else:
        s.buy_kind = Buy.relocate
        s.phase = Phase.reloc_src.value


@rule
def choose_building(s, t):
    """Choose the building to relocate (LO-9.6)."""
    s.buy_src, s.buy_type = t, s.btype[t]
    s.phase = Phase.target.value


@rule
def target_set(s, rules):
    """Return where the purchase in progress may take effect (LO-15)."""
    if s.buy_kind == Buy.recruit:
        return can_recruit(s, rules, s.active)
    return targets(s, rules, s.active, s.buy_type, s.buy_src)


@rule
def choose_target(s, rules, t):
    """Choose the tile of the purchase, which is then paid (LO-9.3)."""
    s.buy_dst = t
    if s.buy_kind == Buy.recruit:
        begin_paying(s, rules, troop_price(s, rules))
    elif s.buy_kind == Buy.relocate:
        begin_paying(s, rules, relocation_price(s, rules, s.buy_type))
    else:
        begin_paying(s, rules, price(s, rules, s.buy_type))


@rule
def take_effect(s):
    """Carry out the purchase that has been paid (LO-9.4 to LO-9.8)."""
    seat, game, own = s.active, s.log.game, s.log.seat[s.active]
    s.phase = Phase.spend.value
    if s.buy_kind == Buy.construct:
        s.supply[seat, s.buy_type] -= 1
        put_building(s, seat, s.buy_type, s.buy_dst)
        game.build[s.buy_type] += 1
        own.built += 1
        own.built_of[s.buy_type] += 1
    elif s.buy_kind == Buy.recruit:
        place_troops(s, seat, s.buy_dst, 1)
        s.recruited[s.buy_dst] += 1
        game.recruits += 1
        own.troops_recruited += 1
    elif s.buy_kind == Buy.intel:
        draw_event(s, seat)
        game.intel_bought += 1
        own.intel_bought += 1
    else:
        relocate(s, seat)
        game.relocations += 1
        own.relocated += 1


@rule
def relocate(s, seat):
    """Move a building with the cubes in its slots (LO-9.6)."""
    source, target = int(s.buy_src), int(s.buy_dst)
    cubes = s.st_b[source]
    s.st_b[source] = 0
    lift_building(s, source)
    put_building(s, seat, s.buy_type, target)
    s.st_b[target] = cubes
    if cubes > 0:
        s.stocked |= bit(target)
