"""Choice and placement of tiles by the players of Lunar Outpost (LO-8, LO-19).

In every rotation that fits, a tile has passable edges exactly where the tiles around the cell do (LO-8.3).
Its worth therefore depends on the cell alone, and the lowest of its rotations is as good as any.
"""

from functools import cache

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.games.lunar_outpost.facts import Building, Kind, Phase
from simkit.games.lunar_outpost.hexes import around, fits_cell, of_others
from simkit.games.lunar_outpost.works import of_type

LEAST = -1_000_000


@rule
def excavators(s, tiles):
    """Return how many of some tiles have an excavator."""
    return bit_count(of_type(s, tiles, Building.excavator.value))


@rule
def building_ground(s, tiles, seat):
    """Return those of some tiles that are free locations connected to a building of the seat."""
    ground, left = 0, tiles & int(s.sites)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        if s.link[t] & s.own[seat] != 0:
            ground |= bit(t)
    return ground


@rule
def reference_worth(view, rules, tile, joined, adjacent, w):
    """Return the worth of a tile that is connected to the tiles `joined`, to the reference player (LO-19)."""
    kind, mine = rules.tile_kind[tile], joined & int(view.own[view.seat])
    others = joined & of_others(view, view.own, view.seat)
    own, opp = bit_count(mine), bit_count(others)
    if kind == Kind.deposit:
        free = bit_count(building_ground(view, joined, view.seat))
        return 6 * excavators(view, mine) + 3 * free + own - 4 * excavators(view, others)
    if kind == Kind.barren:
        return 3 * opp - 4 * own
    deposits = bit_count(joined & int(view.live)) if own > 0 else 0
    return 4 * own - 3 * opp + 2 * deposits


@cache
def placing(worth, needs_adjacent=False):
    """Return the rule that decides PLACE_CELL, PLACE_ROT and TILE by the worth of a tile in a cell.

    The worth is worth(view, rules, tile, joined, adjacent, w): `joined` is the set of tiles to which the tile
    is connected there; `adjacent` is the set of all tiles around the cell, without `needs_adjacent` the same
    as `joined`.
    """

    @rule
    def worth_in(view, rules, tile, cell, w):
        joined = around(view, cell, int(view.cell_pass[cell]))
        adjacent = around(view, cell, int(view.cell_there[cell])) if needs_adjacent else joined
        return worth(view, rules, tile, joined, adjacent, w)

    @rule
    def best_cell(view, rules, legal, w):
        best, most, cell = legal[0], LEAST, 0
        for i in range(legal.size):
            while view.cells[cell] != legal[i]:  # cells and legal ids are in the same order
                cell += 1
            gain = worth_in(view, rules, view.drawn, cell, w)
            if gain > most:
                best, most = legal[i], gain
        return best

    @rule
    def best_tile(view, rules, legal, w):
        best, most = legal[0], LEAST
        for i in range(legal.size):
            tile = view.offer[legal[i]]
            for cell in range(view.n_cells):
                if fits_cell(rules, tile, view.cell_there[cell], view.cell_pass[cell]):
                    gain = worth_in(view, rules, tile, cell, w)
                    if gain > most:
                        best, most = legal[i], gain
        return best

    @rule
    def places(view, rules, legal, w):
        if view.phase == Phase.place_cell:
            return best_cell(view, rules, legal, w)
        return legal[0] if view.phase == Phase.place_rot else best_tile(view, rules, legal, w)

    return places
