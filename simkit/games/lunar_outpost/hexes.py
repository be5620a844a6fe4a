"""Lunar Outpost: the map: neighbours, sets of tiles, the empty cells next to it (LO-1.2 to LO-1.4, LO-8)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.games.lunar_outpost.facts import (
    DIRECTION_OF,
    DIRECTIONS,
    EDGE,
    HERE,
    MOST,
    NOBODY,
    STEP_Q,
    STEP_R,
    Kind,
)


@rule
def union(sets, tiles):
    """Return the union of the sets of some tiles: `near` gives neighbours, `link` connected tiles."""
    members = 0
    while tiles != 0:
        members |= int(sets[lowest_bit(tiles)])
        tiles &= tiles - 1
    return members


@rule
def of_others(s, sets, seat):
    """Return the union of the sets of all seats but one; sets of absent seats are empty."""
    members = 0
    for other in range(MOST):
        members |= int(sets[other]) * (other != seat)  # no branches: much is asked of others
    return members


@rule
def has_location(rules, tile):
    """Return whether a building may stand on a tile (LO-1.3)."""
    kind = rules.tile_kind[tile]
    return kind == Kind.start or kind == Kind.location


@rule
def fits(rules, tile, rotation, there, passes):
    """Return whether a rotated tile agrees with the edges that face a cell (LO-8.3)."""
    return rules.tile_edges[tile, rotation] & there == passes


@rule
def turns_that_fit(rules, tile, there, passes):
    """Return the rotations that fit into a cell, bit rho; of equal ones the smallest (LO-8.6)."""
    rotations, left = 0, int(rules.tile_turns[tile])
    while left != 0:
        rotation = lowest_bit(left)
        left &= left - 1
        rotations |= fits(rules, tile, rotation, there, passes) << rotation
    return rotations


@rule
def fits_cell(rules, tile, there, passes):
    """Return whether a tile fits into a cell in any rotation."""
    return rules.tile_fits[tile, there] >> passes & 1 == 1


@rule
def find_cell(s, name):
    """Return the place of a cell in the list, which is sorted by name."""
    place = 0
    for i in range(s.n_cells):
        place += s.cells[i] < name
    return place


@rule
def tile_at(s, q, r):
    """Return the board index of the tile at these coordinates, NOBODY where there is none."""
    for t in range(s.n_tiles):
        if s.q[t] == q and s.r[t] == r:
            return t
    return NOBODY


@rule
def around(s, cell, directions):
    """Return the set of tiles around a cell in some directions.

    A walk around the cell, both ways from the tile that names it: tiles in directions next to each other are
    neighbours, so that each tells the next one. Only those behind a gap are looked for on the map.
    """
    name = int(s.cells[cell])
    first, d = EDGE.tile(name), opposite(EDGE.direction(name))
    tiles, left = (directions >> d & 1) << first, directions & ~bit(d)
    for turn in (1, DIRECTIONS - 1):
        t, at = first, d
        while left != 0:
            t = int(s.nb[t, (at + 2 * turn) % DIRECTIONS])
            if t == NOBODY:
                break
            at = (at + turn) % DIRECTIONS
            tiles |= (left >> at & 1) << t
            left &= ~bit(at)
    while left != 0:
        at = lowest_bit(left)
        left &= left - 1
        tiles |= bit(tile_at(s, s.cell_q[cell] + STEP_Q[at], s.cell_r[cell] + STEP_R[at]))
    return tiles


@rule
def direction(q, r):
    """Return the direction of a step to a neighbour (LO-1.2), NOBODY for any other, HERE for none."""
    return NOBODY if abs(q) | abs(r) > 1 else DIRECTION_OF[3 * q + r + 4]


@rule
def opposite(d):
    """Return the opposite direction."""
    return (d + 3) % DIRECTIONS


@rule
def put_tile(s, rules, tile, q, r, rotation):
    """Put a tile on the map at the next board index; its cell is no longer empty (LO-1.3)."""
    t = int(s.n_tiles)
    s.n_tiles += 1
    s.tile_id[t], s.q[t], s.r[t], s.rot[t] = tile, q, r, rotation
    s.edges[t] = rules.tile_edges[tile, rotation]
    if has_location(rules, tile):
        s.sites |= bit(t)
    for other in range(t):
        d = direction(s.q[other] - q, s.r[other] - r)
        if d != NOBODY:
            join(s, t, d, other)
    face_cells(s, t)
    return t


@rule
def join(s, t, d, other):
    """Make two tiles neighbours (LO-1.2), directly connected over a passable edge (LO-1.4)."""
    s.nb[t, d], s.nb[other, opposite(d)] = other, t
    s.near[t] |= bit(other)
    s.near[other] |= bit(t)
    if s.edges[t] >> d & 1:
        s.link[t] |= bit(other)
        s.link[other] |= bit(t)


@rule
def face_cells(s, t):
    """Fill the cell of a new tile and face the cells around it; cells faced first are added."""
    filled, faced = NOBODY, 0
    for i in range(s.n_cells):
        d = direction(s.cell_q[i] - s.q[t], s.cell_r[i] - s.r[t])
        if d == HERE:
            filled = i
        elif d != NOBODY:
            faced |= bit(d)
            face_cell(s, t, d, i)
    if filled != NOBODY:
        drop_cell(s, filled)
    for d in range(DIRECTIONS):
        if s.nb[t, d] == NOBODY and not faced >> d & 1:
            add_cell(s, t, d)


@rule
def face_cell(s, t, d, cell):
    """Note that a cell lies in a direction of a tile."""
    s.cell_there[cell] |= bit(opposite(d))
    s.cell_pass[cell] |= (s.edges[t] >> d & 1) << opposite(d)


@rule
def add_cell(s, t, d):
    """Add a cell that a tile is the first to face; its name is the greatest (LO-8.7)."""
    cell = int(s.n_cells)
    s.n_cells += 1
    s.cells[cell] = EDGE.pack(t, d)
    s.cell_q[cell], s.cell_r[cell] = s.q[t] + STEP_Q[d], s.r[t] + STEP_R[d]
    s.cell_there[cell] = s.cell_pass[cell] = 0
    face_cell(s, t, d, cell)


@rule
def drop_cell(s, cell):
    """Drop a filled cell; the others stay in the order of their names."""
    s.n_cells -= 1
    for i in range(cell, s.n_cells):
        s.cells[i], s.cell_q[i], s.cell_r[i] = s.cells[i + 1], s.cell_q[i + 1], s.cell_r[i + 1]
        s.cell_there[i], s.cell_pass[i] = s.cell_there[i + 1], s.cell_pass[i + 1]
