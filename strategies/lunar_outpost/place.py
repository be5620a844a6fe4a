"""Where players of Lunar Outpost lay the drawn tile, and which of several they take (LO-8, LO-19).

A tile that fits shows passable edges just where the tiles around the cell do, in every rotation that fits
(LO-8.3): what it is worth depends on the cell alone, and of its rotations the lowest is as good as any.
"""

from functools import cache

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.games.lunar_outpost.facts import Building, Kind, Phase
from simkit.games.lunar_outpost.hexes import around, fits_cell, of_others
from simkit.games.lunar_outpost.works import of_type

LEAST = -1_000_000


@rule
def excavators(s, tiles):
    """How many of some tiles have an excavator."""
    return bit_count(of_type(s, tiles, Building.excavator.value))


@rule
def building_ground(s, tiles, seat):
    """Of some tiles, unoccupied locations that are connected to a building of the seat."""
    found, left = 0, tiles & int(s.sites)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        if s.link[t] & s.own[seat] != 0:
            found |= bit(t)
    return found


@rule
def reference_worth(view, rules, tile, joined, beside, w):
    """Worth of a tile that is connected to the tiles `joined` and lies beside others (LO-19)."""
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
def placing(worth, needs_beside=False):
    """The answers to PLACE_CELL, PLACE_ROT and TILE of a player to whom a tile in a cell is worth
    `worth(view, rules, tile, joined, beside, w)`: joined = the tiles that it is connected to there, as a set.
    With `needs_beside`, beside = all tiles around the cell, else those joined."""

    @rule
    def worth_in(view, rules, tile, cell, w):
        joined = around(view, cell, int(view.cell_pass[cell]))
        beside = around(view, cell, int(view.cell_there[cell])) if needs_beside else joined
        return worth(view, rules, tile, joined, beside, w)

    @rule
    def best_cell(view, rules, legal, w):
        best, most, cell = legal[0], LEAST, 0
        for i in range(legal.size):
            while view.cells[cell] != legal[i]:  # both are in the order of names
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
