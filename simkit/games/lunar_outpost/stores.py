"""Lunar Outpost: cubes in slots: what is free, what a seat may spend, paying (LO-1.6, LO-1.11, LO-9.3)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.engine.rule_helpers import add
from simkit.games.lunar_outpost.facts import BUILDING_SLOT, NOBODY, PAY, TERRAIN_SLOT, TILES, Buy, Phase
from simkit.games.lunar_outpost.hexes import of_others


@rule
def building_slots(s, rules, t):
    """Return the slots of the building on a tile (LO-1.6)."""
    return 0 if s.btype[t] == NOBODY else int(rules.storage[s.btype[t]])


@rule
def terrain_slots(s, rules, t):
    """Return the slots of the terrain of a tile."""
    return int(rules.tile_slots[s.tile_id[t]])


@rule
def free_slots(s, rules, t, kind):
    """Return the free slots of a kind on a tile."""
    if kind == BUILDING_SLOT:
        return building_slots(s, rules, t) - int(s.st_b[t])
    return terrain_slots(s, rules, t) - int(s.st_t[t])


@rule
def has_free_slot(s, rules, t):
    """Return whether a tile has a free slot."""
    return free_slots(s, rules, t, BUILDING_SLOT) + free_slots(s, rules, t, TERRAIN_SLOT) > 0


@rule
def room(s, rules, seat):
    """Return the free slots on tiles with an own building."""
    n, left = 0, int(s.own[seat])
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        n += free_slots(s, rules, t, BUILDING_SLOT) + free_slots(s, rules, t, TERRAIN_SLOT)
    return n


@rule
def put_cube(s, t, kind):
    """Put a cube into a slot."""
    if kind == BUILDING_SLOT:
        s.st_b[t] += 1
    else:
        s.st_t[t] += 1
    s.stocked |= bit(t)


@rule
def note_stock(s, t):
    """Remove a tile without stored cubes from the stocked ones."""
    if s.st_b[t] + s.st_t[t] == 0:
        s.stocked &= ~bit(t)


@rule
def controlled(s, seat):
    """Return the tiles that a seat controls by a building or troops (LO-1.10)."""
    return int(s.own[seat] | s.manned[seat])


@rule
def sources(s, rules, seat):
    """Return the tiles with cubes that a seat may spend (LO-1.11)."""
    tiles = controlled(s, seat) & int(s.stocked)
    return tiles if rules.siege_spend else tiles & ~of_others(s, s.own, seat)


@rule
def spendable(s, rules, seat):
    """Return the number of cubes that a seat may spend (LO-1.11)."""
    cubes, left = 0, sources(s, rules, seat)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        cubes += s.st_b[t] + s.st_t[t]
    return cubes


@rule
def legal_pay(s, rules, out):
    """Write the tiles and kinds of slots with cubes (LO-15)."""
    n, left = 0, sources(s, rules, s.active)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        if s.st_b[t] > 0:
            n = add(out, n, PAY.pack(t, BUILDING_SLOT))
        if s.st_t[t] > 0:
            n = add(out, n, PAY.pack(t, TERRAIN_SLOT))
    return n


@rule
def take_cube(s, t, kind):
    """Return a cube from a slot to the pile to pay for the purchase in progress (LO-9.3)."""
    if kind == BUILDING_SLOT:
        s.st_b[t] -= 1
    else:
        s.st_t[t] -= 1
    note_stock(s, t)
    s.pile += 1
    s.buy_left -= 1
    note_paid(s, 1)


@rule
def begin_paying(s, rules, price):
    """Ask for the cubes one by one, unless all spendable cubes are due (LO-9.3)."""
    s.buy_left = price
    s.phase = Phase.pay
    pay_the_rest(s, rules)


@rule
def pay_the_rest(s, rules):
    """Pay without asking where all spendable cubes are due (LO-9.3)."""
    if spendable(s, rules, s.active) > s.buy_left:
        return
    left = sources(s, rules, s.active)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        for kind in (BUILDING_SLOT, TERRAIN_SLOT):
            for _ in range(s.st_b[t] if kind == BUILDING_SLOT else s.st_t[t]):
                take_cube(s, t, kind)


@rule
def note_paid(s, cubes):
    """Count cubes paid by purpose (LO-21.1)."""
    game = s.log.game
    game.spent += cubes
    s.log.seat[s.active].cubes_spent += cubes
    if s.buy_kind == Buy.construct:
        game.spent_building += cubes
    elif s.buy_kind == Buy.relocate:
        game.spent_relocation += cubes
    elif s.buy_kind == Buy.recruit:
        game.spent_troop += cubes
    else:
        game.spent_intel += cubes


@rule
def stored(s):
    """Return the cubes in all slots of the map."""
    cubes = 0
    for t in range(TILES):
        cubes += s.st_b[t] + s.st_t[t]
    return cubes
