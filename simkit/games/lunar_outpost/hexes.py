"""Lunar Outpost: the map: neighbours, sets of tiles, the empty cells next to it (LO-1.2 to LO-1.4, LO-8)."""

from simkit.games.lunar_outpost.facts import DIRECTIONS, NOBODY, STEP_Q, STEP_R, Kind
from simkit.jit import bit, lowest_bit, rule


@rule
def union(sets, tiles):
    """The members of all the sets of some tiles: of `near` their neighbours, of `link` what is connected."""
    found = 0
    while tiles != 0:
        found |= int(sets[lowest_bit(tiles)])
        tiles &= tiles - 1
    return found


@rule
def of_others(s, sets, seat):
    """The union of the sets of all seats but one."""
    found = 0
    for other in range(s.seats):
        if other != seat:
            found |= int(sets[other])
    return found


@rule
def has_location(rules, tile):
    """Whether a building may stand on a tile (LO-1.3)."""
    kind = rules.tile_kind[tile]
    return kind == Kind.start or kind == Kind.location


@rule
def fits(rules, tile, rotation, there, passes):
    """Whether a rotated tile agrees with the edges that face a cell (LO-8.3)."""
    return rules.tile_edges[tile, rotation] & there == passes


@rule
def turns_that_fit(rules, tile, there, passes):
    """The rotations that fit into a cell, bit rho; of those that look alike the smallest (LO-8.6)."""
    found, left = 0, int(rules.tile_turns[tile])
    while left != 0:
        rotation = lowest_bit(left)
        left &= left - 1
        if fits(rules, tile, rotation, there, passes):
            found |= 1 << rotation
    return found


@rule
def fits_cell(rules, tile, there, passes):
    """Whether a tile fits into a cell in any rotation."""
    found = False
    for rotation in range(DIRECTIONS):
        found |= fits(rules, tile, rotation, there, passes)
    return found


@rule
def find_cell(s, name):
    """The place of a cell in the list, by its name."""
    for i in range(s.n_cells):
        if s.cells[i] == name:
            return i
    return NOBODY


@rule
def cell_at(s, q, r):
    """The place in the list of the cell at these coordinates, NOBODY where there is none."""
    for i in range(s.n_cells):
        if s.cell_q[i] == q and s.cell_r[i] == r:
            return i
    return NOBODY


@rule
def tile_at(s, q, r):
    """The board index of the tile at these coordinates, NOBODY where there is none."""
    for t in range(s.n_tiles):
        if s.q[t] == q and s.r[t] == r:
            return t
    return NOBODY


@rule
def opposite(direction):
    return (direction + 3) % DIRECTIONS


@rule
def put_tile(s, rules, tile, q, r, rotation):
    """A tile comes onto the map at the next board index; its cell is no longer empty (LO-1.3)."""
    t, cell = int(s.n_tiles), cell_at(s, q, r)
    there = 0
    s.n_tiles += 1
    s.tile_id[t], s.q[t], s.r[t], s.rot[t] = tile, q, r, rotation
    s.edges[t] = rules.tile_edges[tile, rotation]
    s.btype[t] = s.bowner[t] = NOBODY
    if has_location(rules, tile):
        s.sites |= bit(t)
    if cell != NOBODY:
        there = int(s.cell_there[cell])
        drop_cell(s, cell)
    for d in range(DIRECTIONS):
        if there >> d & 1:
            join(s, t, d, tile_at(s, q + STEP_Q[d], r + STEP_R[d]))
        else:
            s.nb[t, d] = NOBODY
            face_cell(s, t, d, q + STEP_Q[d], r + STEP_R[d])
    return t


@rule
def join(s, t, d, other):
    """Two tiles are neighbours (LO-1.2); over a passable edge they are directly connected (LO-1.4)."""
    s.nb[t, d], s.nb[other, opposite(d)] = other, t
    s.near[t] |= bit(other)
    s.near[other] |= bit(t)
    if s.edges[t] >> d & 1:
        s.link[t] |= bit(other)
        s.link[other] |= bit(t)


@rule
def face_cell(s, t, d, q, r):
    """A tile faces an empty cell, perhaps as the first one, which names it (LO-8.7)."""
    cell = cell_at(s, q, r)
    if cell == NOBODY:
        cell = int(s.n_cells)
        s.n_cells += 1
        s.cells[cell], s.cell_q[cell], s.cell_r[cell] = DIRECTIONS * t + d, q, r
        s.cell_there[cell] = s.cell_pass[cell] = 0
    s.cell_there[cell] |= 1 << opposite(d)
    if s.edges[t] >> d & 1:
        s.cell_pass[cell] |= 1 << opposite(d)


@rule
def drop_cell(s, cell):
    """A cell is filled; the others stay in the order of their names."""
    s.n_cells -= 1
    for i in range(cell, s.n_cells):
        s.cells[i], s.cell_q[i], s.cell_r[i] = s.cells[i + 1], s.cell_q[i + 1], s.cell_r[i + 1]
        s.cell_there[i], s.cell_pass[i] = s.cell_there[i + 1], s.cell_pass[i + 1]
