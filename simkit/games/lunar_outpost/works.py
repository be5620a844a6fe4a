"""Lunar Outpost: buildings and deposits on the map, extracting and generating (LO-6, LO-7, LO-8.5)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.engine.rule_helpers import add
from simkit.games.lunar_outpost.facts import (
    BUILDING_SLOT,
    DIRECTIONS,
    EDGE,
    ENOUGH,
    ENOUGH_CUBES,
    NOBODY,
    OWN_TILE,
    STORE,
    TERRAIN_SLOT,
    Building,
    Kind,
    Mod,
    Phase,
)
from simkit.games.lunar_outpost.hexes import of_others
from simkit.games.lunar_outpost.stores import (
    building_slots,
    free_slots,
    has_free_slot,
    note_stock,
    put_cube,
    terrain_slots,
)

TAKEN = 3  # the two bits that count the cubes taken in a direction


@rule
def put_building(s, seat, kind, t):
    """Put a building on a tile."""
    s.btype[t], s.bowner[t] = kind, seat
    s.own[seat] |= bit(t)
    s.built[kind] |= bit(t)
    s.sites &= ~bit(t)


@rule
def lift_building(s, t):
    """Lift the building off a tile; its location is unoccupied."""
    s.own[s.bowner[t]] &= ~bit(t)
    s.built[s.btype[t]] &= ~bit(t)
    s.btype[t] = s.bowner[t] = NOBODY
    s.sites |= bit(t)
    note_stock(s, t)


@rule
def fill_deposit(s, rules, t, bonus):
    """Fill a deposit that comes onto the map with cubes from the pile (LO-2.4, LO-8.5)."""
    tile = s.tile_id[t]
    if rules.tile_kind[tile] == Kind.deposit:
        cubes = min(max(1, rules.tile_cubes[tile] + rules.deposit_delta + bonus), s.pile)
        s.cubes[t] = cubes
        s.pile -= cubes
        if cubes > 0:
            s.live |= bit(t)


@rule
def of_type(s, tiles, kind):
    """Return those of some tiles with a building of a type."""
    return int(tiles & s.built[kind])


@rule
def working(s, rules, seat, kind):
    """Return the buildings of a type that are not blocked by a siege (LO-5.9)."""
    tiles = int(s.own[seat])
    if rules.siege_blocks:
        tiles &= ~of_others(s, s.manned, seat)
    return of_type(s, tiles, kind)


@rule
def in_reach(s, rules, t):
    """Return the deposits with cubes that an excavator on a tile reaches (LO-6.2)."""
    rough = s.mod[Mod.transport_rough] or not rules.extract_needs_passable
    return int((s.near[t] if rough else s.link[t]) & s.live)


@rule
def destinations(s, seat, t):
    """Return the tiles where a producer on a tile of the seat may store its cubes (LO-6.3)."""
    if s.mod[Mod.transport_self_only]:
        return bit(t)
    return int((s.near[t] if s.mod[Mod.transport_rough] else s.link[t]) & s.own[seat]) | bit(t)


@rule
def can_store(s, rules, seat, t):
    """Return whether a producer has a free slot in reach (LO-6.4)."""
    left = destinations(s, seat, t)
    while left != 0:
        if has_free_slot(s, rules, lowest_bit(left)):
            return True
        left &= left - 1
    return False


@rule
def taken(s, t, d):
    """Return the cubes that an excavator took from the deposit in a direction this turn."""
    return s.ext_used[t] >> 2 * d & TAKEN


@rule
def legal_extract(s, rules, out):
    """Write every extraction by excavator and direction, then done (LO-6.1, LO-15)."""
    n, seat, rate, left = 0, s.active, s.mod[Mod.excavator_rate], 0
    if rate > 0 and s.live != 0:
        left = working(s, rules, seat, Building.excavator)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        reach = in_reach(s, rules, t)
        if reach != 0 and can_store(s, rules, seat, t):
            for d in range(DIRECTIONS):
                u = s.nb[t, d]
                if u != NOBODY and reach & bit(u) and taken(s, t, d) < rate:
                    n = add(out, n, EDGE.pack(t, d))
    return add(out, n, ENOUGH)


@rule
def legal_generate(s, rules, out):
    """Write every dome that may generate, then done (LO-7.1, LO-15)."""
    n, seat, rate, left = 0, s.active, s.mod[Mod.dome_rate], 0
    if rate > 0 and s.pile > 0:
        left = working(s, rules, seat, Building.dome)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        if s.gen_used[t] < rate and can_store(s, rules, seat, t):
            n = add(out, n, t)
    return add(out, n, ENOUGH_CUBES)


@rule
def legal_store(s, rules, out):
    """Write every free slot in reach by direction and kind (LO-6.3, LO-15)."""
    n, t, reach = 0, s.prod_t, destinations(s, s.active, s.prod_t)
    for k in range(DIRECTIONS + 1):
        u = t if k == OWN_TILE else s.nb[t, k]
        if u != NOBODY and reach & bit(u):
            for kind in (BUILDING_SLOT, TERRAIN_SLOT):
                if free_slots(s, rules, u, kind) > 0:
                    n = add(out, n, STORE.pack(k, kind))
    return n


@rule
def choose_producer(s, t, d):
    """Choose the producer; d is the direction of its deposit, NOBODY for a dome."""
    s.prod_t, s.prod_d = t, d
    s.phase = Phase.store.value


@rule
def store(s, action):
    """Move the cube from deposit or pile into the slot (LO-6.3, LO-7.1)."""
    t, d = int(s.prod_t), int(s.prod_d)
    k, kind = STORE.direction(action), STORE.kind(action)
    game, own = s.log.game, s.log.seat[s.active]
    if d == NOBODY:
        s.pile -= 1
        s.gen_used[t] += 1
        game.generated += 1
        own.generated += 1
    else:
        take_from_deposit(s, s.nb[t, d])
        s.ext_used[t] += 1 << 2 * d
        game.extracted += 1
        own.extracted += 1
    put_cube(s, t if k == OWN_TILE else s.nb[t, k], kind)
    game.transported += k != OWN_TILE
    game.stored_terrain += kind
    s.phase = Phase.generate.value if d == NOBODY else Phase.extract.value
    s.prod_t = s.prod_d = NOBODY


@rule
def take_from_deposit(s, t):
    """Take a cube from a deposit."""
    s.cubes[t] -= 1
    if s.cubes[t] == 0:
        s.live &= ~bit(t)
        s.log.game.deposits_depleted += 1


@rule
def note_unextracted(s, rules):
    """Count what excavators could still have taken (LO-21.1, `extraction_missed`)."""
    missed, left = 0, working(s, rules, s.active, Building.excavator)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        reach = in_reach(s, rules, t)
        for d in range(DIRECTIONS):
            u = s.nb[t, d]
            if u != NOBODY and reach & bit(u):
                missed += min(s.mod[Mod.excavator_rate] - taken(s, t, d), s.cubes[u])
    s.log.game.extraction_missed += missed
    s.log.seat[s.active].output_missed += missed


@rule
def note_ungenerated(s, rules):
    """Count what domes could still have generated (LO-21.1, `generation_missed`)."""
    missed, left = 0, working(s, rules, s.active, Building.dome)
    while left != 0:
        missed += s.mod[Mod.dome_rate] - s.gen_used[lowest_bit(left)]
        left &= left - 1
    s.log.game.generation_missed += missed
    s.log.seat[s.active].output_missed += missed


@rule
def has_slots(s, rules, seat, t):
    """Return whether a producer on a tile has any slot in reach, full or free."""
    left = destinations(s, seat, t)
    while left != 0:
        u = lowest_bit(left)
        if building_slots(s, rules, u) + terrain_slots(s, rules, u) > 0:
            return True
        left &= left - 1
    return False


@rule
def income(s, rules, seat):
    """Return the cubes that the domes and excavators of a seat can give in a turn (LO-21: the trace)."""
    cubes, left = 0, int(s.own[seat])
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        if s.btype[t] == Building.dome and has_slots(s, rules, seat, t):
            cubes += s.mod[Mod.dome_rate]
        elif s.btype[t] == Building.excavator and has_slots(s, rules, seat, t):
            cubes += s.mod[Mod.excavator_rate] * bit_count(in_reach(s, rules, t))
    return cubes
