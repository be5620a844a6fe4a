"""A player of Lunar Outpost that lays tiles against the others (LO-19, denier)."""

from simkit.engine.compile.jit import bit_count, lowest_bit, rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import Kind
from simkit.games.lunar_outpost.hexes import of_others

from .answers import is_placing
from .place import building_ground, excavators, placing
from .prospector import PROSPECTS, prospects


@rule
def wanted_by_others(s, tiles):
    """Return how many of some tiles are free locations connected to a building of another player."""
    count, left, others = 0, tiles & int(s.sites), of_others(s, s.own, s.seat)
    while left != 0:
        count += s.link[lowest_bit(left)] & others != 0
        left &= left - 1
    return count


@rule
def against_others(view, rules, tile, joined, adjacent, w):
    """Return the worth of a tile: rough edges for the others, deposits for itself, barren tiles for them."""
    mine, others = int(view.own[view.seat]), of_others(view, view.own, view.seat)
    worth = 2 * bit_count(adjacent & ~joined & others) - w.passable * bit_count(joined & others)
    if rules.tile_kind[tile] == Kind.deposit:
        worth += 6 * excavators(view, joined & mine) - 5 * excavators(view, joined & others)
        return worth + 3 * bit_count(building_ground(view, joined, view.seat))
    if rules.tile_kind[tile] == Kind.barren:
        return worth + 4 * wanted_by_others(view, adjacent)
    return worth + 2 * bit_count(joined & mine)


denies = placing(against_others, needs_adjacent=True)


@strategy(
    game,
    allocates=False,
    passable=Weight(3, 0, 20, "What a passable edge towards another player's building costs a cell"),
    **PROSPECTS,
)
def denier(view, rules, legal, w):
    """Rough edges and barren tiles for the others, deposits for itself; buys like a prospector (LO-19)."""
    if is_placing(view.phase):
        return denies(view, rules, legal, w)
    return prospects(view, rules, legal, w)
