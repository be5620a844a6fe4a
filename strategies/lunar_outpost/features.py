"""Features for the players of Lunar Outpost: turns left, points, prices, slots, the leader (LO-19)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.games.lunar_outpost.facts import BUY_INTEL, CONSTRUCT, NOBODY, RECRUIT, Building, Mod
from simkit.games.lunar_outpost.hexes import of_others, union
from simkit.games.lunar_outpost.scoring import active_points, building_points
from simkit.games.lunar_outpost.spending import intel_price, price, troop_price
from simkit.games.lunar_outpost.stores import building_slots, spendable, terrain_slots
from simkit.games.lunar_outpost.works import has_slots, in_reach, of_type

FAR = 99  # steps where there is no way
PER_INTEL = 1  # expected points of an unknown card


@rule
def living(s):
    """Return the number of players who are not eliminated."""
    n = 0
    for seat in range(s.seats):
        n += s.alive[seat]
    return n


@rule
def is_last_turn(s):
    """Return whether the decider has no other turn: fewer tiles in the stack than living players."""
    return s.stack_n < living(s)


@rule
def turns_left(s):
    """Return the tiles in the stack for each living player, plus one in the own turn."""
    return s.stack_n // living(s) + (s.seat == s.active)


@rule
def points_of(s, rules, kind):
    """Return the points of a building with the active modifiers."""
    return rules.vp[kind] + s.mod[Mod.vp_dome + kind]


@rule
def purchase_points(s, rules, action):
    """Return the points of a purchase at SPEND: of the building, one for intel, none for the rest."""
    if CONSTRUCT <= action < RECRUIT:
        return points_of(s, rules, action - CONSTRUCT)
    return PER_INTEL if action == BUY_INTEL else 0


@rule
def purchase_price(s, rules, action):
    """Return the price of a building, a troop or intel, by the id at SPEND (LO-9.2)."""
    if action < RECRUIT:
        return price(s, rules, action - CONSTRUCT)
    return troop_price(s, rules) if action == RECRUIT else intel_price(s, rules)


@rule
def slots(s, rules, seat):
    """Return C, the building and terrain slots on tiles with an own building."""
    n, left = 0, int(s.own[seat])
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        n += building_slots(s, rules, t) + terrain_slots(s, rules, t)
    return n


@rule
def is_full(s, rules):
    """Return whether the decider has to spend now: in its last turn, or with at most one slot to spare."""
    return is_last_turn(s) or spendable(s, rules, s.seat) >= slots(s, rules, s.seat) - 1


@rule
def live_deposits(s, rules, seat):
    """Return the number of pairs of an own excavator and a deposit with cubes in its reach."""
    n, left = 0, of_type(s, int(s.own[seat]), Building.excavator.value)
    while left != 0:
        n += bit_count(in_reach(s, rules, lowest_bit(left)))
        left &= left - 1
    return n


@rule
def producers(s, rules, seat):
    """Return the number of own domes and excavators that have a slot in reach, full or free."""
    n, left = 0, int(s.own[seat])
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        if s.btype[t] == Building.dome or s.btype[t] == Building.excavator:
            n += has_slots(s, rules, seat, t)
    return n


@rule
def visible_points(s, rules, seat):
    """Return the points of buildings, and of the active events that the seat disclosed."""
    return building_points(s, rules, seat) + active_points(s, rules, seat)


@rule
def leader(s, rules):
    """Return the living opponent with the most visible points, the lowest seat among equals."""
    best, most = NOBODY, -1
    for seat in range(s.seats):
        if seat != s.seat and s.alive[seat]:
            points = visible_points(s, rules, seat)
            if points > most:
                best, most = seat, points
    return best


@rule
def next_to(s, tiles, rough):
    """Return the tiles one step from some tiles: over passable edges, or over any edge."""
    return union(s.near, tiles) if rough else union(s.link, tiles)


@rule
def steps_between(s, tiles, goals, rough):
    """Return the steps from the nearest of some tiles to the nearest of others, FAR if there is no way."""
    seen, steps = tiles, 0
    while seen & goals == 0:
        more = seen | next_to(s, seen, rough)
        if more == seen:
            return FAR
        seen = more
        steps += 1
    return steps


@rule
def enemy_distance(s, seat, t):
    """Return the steps of troops from a tile to the nearest one with another player's building."""
    return steps_between(s, bit(t), of_others(s, s.own, seat), s.mod[Mod.move_rough])
