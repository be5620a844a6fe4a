"""A player of Lunar Outpost that mines deposits (LO-19, prospector)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import CONSTRUCT, DONE, NOBODY, RELOCATE, Building, Buy, Kind, Phase
from simkit.games.lunar_outpost.hexes import of_others
from simkit.games.lunar_outpost.spending import can_relocate, targets
from simkit.games.lunar_outpost.stores import room, spendable
from simkit.games.lunar_outpost.works import in_reach, of_type

from .answers import answers, is_placing
from .build import best_site, can_keep, is_legal, offered, sites_by
from .closing import best_points
from .features import is_full, is_last_turn, turns_left
from .place import building_ground, excavators, placing, reference_worth

DOME, EXCAVATOR, SILO = CONSTRUCT + Building.dome, CONSTRUCT + Building.excavator, CONSTRUCT + Building.silo
WORTH_A_SHAFT = 2  # least cubes on a single deposit for an excavator
WORTH_A_MOVE = 3  # least turns left for a relocation
PROSPECTS = {
    "deposits": Weight(2, 1, 6, "Live deposits in reach of a site for which an excavator comes first"),
    "slots": Weight(2, 0, 20, "Free slots below which a silo comes next"),
}


@rule
def near_shafts(view, rules, tile, joined, adjacent, w):
    """Return the worth of a tile: deposits next to own excavators or their sites; else as the reference."""
    if rules.tile_kind[tile] != Kind.deposit:
        return reference_worth(view, rules, tile, joined, adjacent, w)
    mine, others = joined & int(view.own[view.seat]), joined & of_others(view, view.own, view.seat)
    free = bit_count(building_ground(view, joined, view.seat))
    return 8 * excavators(view, mine) + 4 * free + bit_count(mine) - 6 * excavators(view, others)


mines = placing(near_shafts)


@rule
def shafts(s, rules, sites, own, deposits, cubes):
    """Return the sites that have slots for an excavator and at least so many live deposits in reach.

    One of the deposits has at least so many cubes; `own` are the tiles of own buildings.
    """
    suitable = 0
    while sites != 0:
        t = lowest_bit(sites)
        sites &= sites - 1
        live, most = in_reach(s, rules, t), 0
        n = bit_count(live)
        while live != 0:
            most = max(most, s.cubes[lowest_bit(live)])
            live &= live - 1
        if n >= deposits and most >= cubes and can_keep(s, rules, own, t):
            suitable |= bit(t)
    return suitable


@rule
def new_shafts(s, rules, deposits, cubes):
    """Return the `shafts` for a new excavator."""
    sites = targets(s, rules, s.seat, Building.excavator.value, NOBODY)
    return shafts(s, rules, sites, int(s.own[s.seat]), deposits, cubes)


@rule
def moved_shafts(s, rules, t):
    """Return the sites with a live deposit for the excavator that leaves a tile."""
    sites = targets(s, rules, s.seat, Building.excavator.value, t)
    return shafts(s, rules, sites, int(s.own[s.seat]) & ~bit(t), 1, 1)


@rule
def idle_shaft(s, rules):
    """Return the first excavator without a live deposit that can be relocated to one, NOBODY for none."""
    left = 0
    if turns_left(s) >= WORTH_A_MOVE:
        left = can_relocate(s, rules, s.seat, spendable(s, rules, s.seat))
    left = of_type(s, left, Building.excavator.value)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        if in_reach(s, rules, t) == 0 and moved_shafts(s, rules, t) != 0:
            return t
    return NOBODY


@rule
def silo_sites(s, rules):
    """Return the sites for a silo that are connected to an own excavator."""
    return sites_by(s, rules, Building.silo.value, Building.excavator.value)


@rule
def digs(view, rules, legal, w):
    """Decide SPEND: rich shafts, silos for their cubes, poorer shafts, domes, points with full slots."""
    if is_last_turn(view):
        return best_points(view, rules, legal)
    if is_legal(legal, RELOCATE) and idle_shaft(view, rules) != NOBODY:
        return RELOCATE
    digs_on = is_legal(legal, EXCAVATOR)
    if digs_on and new_shafts(view, rules, w.deposits, 0) != 0:
        return EXCAVATOR
    if room(view, rules, view.seat) < w.slots and is_legal(legal, SILO) and silo_sites(view, rules) != 0:
        return SILO
    if digs_on and new_shafts(view, rules, 1, WORTH_A_SHAFT) != 0:
        return EXCAVATOR
    if is_legal(legal, DOME):
        return DOME
    return best_points(view, rules, legal) if is_full(view, rules) else DONE


@rule
def dig_site(view, rules, legal, w):
    """Decide TARGET: the highest target score among the sites for which the building was chosen."""
    sites, preferred = offered(legal), 0
    if view.buy_kind == Buy.relocate:
        preferred = sites & moved_shafts(view, rules, view.buy_src)
    elif view.buy_type == Building.excavator:
        preferred = sites & new_shafts(view, rules, w.deposits, 0)
        if preferred == 0:
            preferred = sites & new_shafts(view, rules, 1, WORTH_A_SHAFT)
    elif view.buy_type == Building.silo:
        preferred = sites & silo_sites(view, rules)
    return best_site(view, rules, view.buy_type, preferred if preferred != 0 else sites)[0]


@rule
def prospects(view, rules, legal, w):
    """Decide everything as the prospector does."""
    if view.phase == Phase.spend:
        return digs(view, rules, legal, w)
    if view.phase == Phase.target and view.buy_kind != Buy.recruit:
        return dig_site(view, rules, legal, w)
    if view.phase == Phase.reloc_src:
        idle = idle_shaft(view, rules)
        return legal[0] if idle == NOBODY else idle
    if is_placing(view.phase):
        return mines(view, rules, legal, w)
    return answers(view, rules, legal, False)


@strategy(game, allocates=False, **PROSPECTS)
def prospector(view, rules, legal, w):
    """Excavators where deposits are, silos for the cubes, domes for the rest (LO-19)."""
    return prospects(view, rules, legal, w)
