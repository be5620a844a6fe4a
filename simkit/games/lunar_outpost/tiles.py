"""Lunar Outpost: drawing and placing a terrain tile (LO-8)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rng import shuffle
from simkit.engine.rule_helpers import add, offer
from simkit.games.lunar_outpost.facts import MOST_OFFER, NOBODY, Kind, Mod, Phase
from simkit.games.lunar_outpost.hexes import find_cell, fits_cell, put_tile, turns_that_fit
from simkit.games.lunar_outpost.options import Unplaceable
from simkit.games.lunar_outpost.works import fill_deposit


@rule
def fits_map(s, rules, tile):
    """Return whether a tile can be placed anywhere (LO-8.4)."""
    for i in range(s.n_cells):
        if fits_cell(rules, tile, s.cell_there[i], s.cell_pass[i]):
            return True
    return False


@rule
def draw_offer(s, rules, rng):
    """Draw until an offered tile fits; without one the step is over (LO-8.1, LO-8.4, LO-8.8)."""
    while s.stack_n > 0:
        if draw_once(s, rules):
            s.phase = Phase.tile.value
            return
        s.tile_out[s.offer[0]] = 1
        s.log.game.tiles_discarded += 1
        put_back(s, rng, 0)
        if rules.unplaceable == Unplaceable.discard:
            break
    s.phase = Phase.spend.value


@rule
def draw_once(s, rules):
    """Draw the tiles to choose from, and return whether one of them fits."""
    fits = False
    for slot in range(min(rules.tile_choice, s.stack_n)):
        s.stack_n -= 1
        s.offer[slot] = s.stack[s.stack_n]
        s.stack[s.stack_n] = NOBODY
        fits |= fits_map(s, rules, s.offer[slot])
    return fits


@rule
def put_back(s, rng, slot):
    """Shuffle all offered tiles but one back into the stack (LO-8.8)."""
    more = False
    for other in range(MOST_OFFER):
        if other != slot and s.offer[other] != NOBODY:
            s.stack[s.stack_n] = s.offer[other]
            s.stack_n += 1
            more = True
    if more:
        shuffle(rng.put_back, s.stack, s.stack_n)
    s.offer[:] = NOBODY


@rule
def legal_tile(s, rules, out):
    """Write the slots of the offered tiles that fit (LO-15); a single tile was checked when drawn."""
    if s.offer[1] == NOBODY:
        return offer(out, 0, 0)
    n = 0
    for slot in range(MOST_OFFER):
        if s.offer[slot] != NOBODY and fits_map(s, rules, s.offer[slot]):
            n = add(out, n, slot)
    return n


@rule
def take_tile(s, rng, slot):
    """Choose the tile to place (LO-8.8)."""
    s.drawn = s.offer[slot]
    put_back(s, rng, slot)
    s.phase = Phase.place_cell.value


@rule
def legal_cell(s, rules, out):
    """Write the names of the cells into which the drawn tile fits (LO-8.7)."""
    n = 0
    for i in range(s.n_cells):
        out[n] = s.cells[i]
        n += fits_cell(rules, s.drawn, s.cell_there[i], s.cell_pass[i])
    return n


@rule
def turns_in_cell(s, rules, tile, name):
    """Return the rotations in which a tile fits into a cell, bit rho (LO-8.6)."""
    cell = find_cell(s, name)
    return turns_that_fit(rules, tile, s.cell_there[cell], s.cell_pass[cell])


@rule
def choose_cell(s, name):
    """Choose the cell of the tile."""
    s.cell = name
    s.phase = Phase.place_rot.value


@rule
def place(s, rules, rotation):
    """Put the drawn tile on the map; a deposit gets its cubes (LO-8.2, LO-8.5)."""
    cell, tile = find_cell(s, s.cell), s.drawn
    t = put_tile(s, rules, tile, s.cell_q[cell], s.cell_r[cell], rotation)
    fill_deposit(s, rules, t, s.mod[Mod.deposit_bonus])
    s.drawn, s.cell = NOBODY, 0
    s.log.game.tiles_placed += 1
    s.log.game.deposits_placed += rules.tile_kind[tile] == Kind.deposit
    s.phase = Phase.spend.value
