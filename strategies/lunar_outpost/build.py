"""Purchases of players of Lunar Outpost: SPEND, TARGET and PAY of the reference player (LO-9, LO-19)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.games.lunar_outpost.facts import (
    BUILDING_SLOT,
    BUY_INTEL,
    CONSTRUCT,
    DONE,
    NOBODY,
    PAY,
    RECRUIT,
    RELOCATE,
    Building,
    Mod,
)
from simkit.games.lunar_outpost.hexes import of_others, union
from simkit.games.lunar_outpost.scoring import troops_on_map
from simkit.games.lunar_outpost.spending import can_recruit, targets
from simkit.games.lunar_outpost.stores import building_slots, terrain_slots
from simkit.games.lunar_outpost.works import of_type

from .features import is_full, is_last_turn, steps_between

NEVER = -1
SAVE, INTEL = 20, 10
TROOP, MORE_TROOPS, ENOUGH_TROOPS, FAR_TO_GO = 33, 15, 3, 8
DOME, SILO, BARRACKS, TOWER, BARRICADE, DIG = 35, 30, 32, 12, 7, 40  # target scores of useful buildings
IDLE_DIG, IDLE_SILO, IDLE_BARRACKS = 5, 6, 8
SETTLED = 3  # buildings before the barracks


@rule
def is_legal(legal, action):
    """Return whether an action is among the legal ones."""
    for i in range(legal.size):
        if legal[i] == action:
            return True
    return False


@rule
def offered(legal):
    """Return the tiles among which TARGET or RELOC_SRC chooses, as a set."""
    tiles = 0
    for i in range(legal.size):
        tiles |= bit(legal[i])
    return tiles


@rule
def sites_by(s, rules, kind, neighbour):
    """Return the sites for a building of a type that are connected to an own building of another type."""
    connected = union(s.link, of_type(s, int(s.own[s.seat]), neighbour))
    return targets(s, rules, s.seat, kind, NOBODY) & connected


@rule
def has_store(s, rules, tiles):
    """Return whether one of some tiles has a slot of either kind, full or free."""
    while tiles != 0:
        t = lowest_bit(tiles)
        tiles &= tiles - 1
        if building_slots(s, rules, t) + terrain_slots(s, rules, t) > 0:
            return True
    return False


@rule
def can_keep(s, rules, own, t):
    """Return whether an excavator on a tile would have a slot, there or on a connected own tile."""
    if terrain_slots(s, rules, t) > 0 or rules.storage[Building.excavator] > 0:
        return True
    return has_store(s, rules, int(s.link[t]) & own)


@rule
def dig_score(s, rules, seat, t):
    """Return the target score of an excavator."""
    deposits = bit_count(int(s.link[t] & s.live))
    return DIG + 10 * deposits if deposits > 0 and can_keep(s, rules, int(s.own[seat]), t) else IDLE_DIG


@rule
def produces(s, tiles):
    """Return whether there is a dome or an excavator on some tiles."""
    return of_type(s, tiles, Building.dome.value) | of_type(s, tiles, Building.excavator.value) != 0


@rule
def barracks_score(s, seat):
    """Return the target score of a barracks, the same for every site."""
    own = int(s.own[seat])
    first = of_type(s, own, Building.barracks.value) == 0
    return BARRACKS if first and bit_count(own) >= SETTLED else IDLE_BARRACKS


@rule
def target_score(s, rules, kind, t):
    """Return how good a site is for a building of a type (LO-19)."""
    seat = s.seat
    if kind == Building.excavator:
        return dig_score(s, rules, seat, t)
    if kind == Building.dome:
        return DOME + 5 * (s.link[t] & s.own[seat] != 0)
    if kind == Building.silo:
        return SILO if produces(s, int(s.link[t] & s.own[seat])) else IDLE_SILO
    if kind == Building.tower:
        return TOWER + 3 * bit_count(int(s.near[t] & s.own[seat]))
    return barracks_score(s, seat) if kind == Building.barracks else BARRICADE


@rule
def best_site(s, rules, kind, sites):
    """Return the site with the highest target score, and this score; NOBODY if there is no site."""
    best, most = NOBODY, NEVER
    while sites != 0:
        t = lowest_bit(sites)
        sites &= sites - 1
        score = target_score(s, rules, kind, t)
        if score > most:
            best, most = t, score
    return best, most


@rule
def recruit_worth(s, rules):
    """Return the value of a recruit at SPEND."""
    if is_last_turn(s):
        return NEVER
    if troops_on_map(s, rules, s.seat) >= ENOUGH_TROOPS:
        return MORE_TROOPS
    barracks, goals = can_recruit(s, rules, s.seat), of_others(s, s.own, s.seat)
    near = steps_between(s, barracks, goals, s.mod[Mod.move_rough]) <= FAR_TO_GO
    return TROOP if near else MORE_TROOPS


@rule
def spend_worth(s, rules, action, recruits):
    """Return the value of an id at SPEND; `recruits` is False for players that never recruit."""
    if action == DONE:
        return 0 if is_full(s, rules) else SAVE
    if action == RECRUIT:
        return recruit_worth(s, rules) if recruits else NEVER
    if action == BUY_INTEL:
        return INTEL
    if action == RELOCATE:
        return NEVER
    kind = action - CONSTRUCT
    return best_site(s, rules, kind, targets(s, rules, s.seat, kind, NOBODY))[1]


@rule
def spends(view, rules, legal, recruits):
    """Decide SPEND: the purchase of the highest value, or none."""
    best, most = DONE, NEVER - 1
    for i in range(legal.size):
        worth = spend_worth(view, rules, legal[i], recruits)
        if worth > most:
            best, most = legal[i], worth
    return best


@rule
def site(view, rules, legal):
    """Decide TARGET of a building: the site with the highest target score."""
    return best_site(view, rules, view.buy_type, offered(legal))[0]


@rule
def pays(view, legal):
    """Decide PAY: from a building slot on a tile with an own dome, else the lowest id."""
    domes = of_type(view, int(view.own[view.seat]), Building.dome.value)
    for i in range(legal.size):
        if PAY.kind(legal[i]) == BUILDING_SLOT and domes >> PAY.tile(legal[i]) & 1:
            return legal[i]
    return legal[0]
