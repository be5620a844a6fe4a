"""A player of Lunar Outpost that fortifies what it has (LO-19, turtle)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import CONSTRUCT, DONE, NOBODY, Building, Buy, Phase
from simkit.games.lunar_outpost.hexes import of_others, union
from simkit.games.lunar_outpost.spending import targets
from simkit.games.lunar_outpost.works import income

from .answers import answers, is_placing
from .build import is_legal, offered, site, spends
from .closing import best_points
from .features import is_full, is_last_turn
from .place import LEAST, placing, reference_worth

DOME, TOWER, BARRICADE = CONSTRUCT + Building.dome, CONSTRUCT + Building.tower, CONSTRUCT + Building.barricade


@rule
def behind_rocks(view, rules, tile, joined, adjacent, w):
    """Return the worth of a tile: as the reference, and rough edges towards another player's buildings."""
    rough = adjacent & ~joined & of_others(view, view.own, view.seat)
    return reference_worth(view, rules, tile, joined, adjacent, w) + 3 * bit_count(rough)


walls_off = placing(behind_rocks, needs_adjacent=True)


@rule
def tower_sites(s, sites, least):
    """Return those of some sites that have at least so many own buildings adjacent."""
    suitable = 0
    while sites != 0:
        t = lowest_bit(sites)
        sites &= sites - 1
        if bit_count(int(s.near[t] & s.own[s.seat])) >= least:
            suitable |= bit(t)
    return suitable


@rule
def front_sites(s, sites, steps):
    """Return those of some sites within so many steps of another player's building or troop."""
    reached = of_others(s, s.own, s.seat) | of_others(s, s.manned, s.seat)
    for _ in range(steps):
        reached |= union(s.link, reached)
    return sites & reached


@rule
def is_rich(view, rules, w):
    """Return whether the income is high enough to fortify."""
    return income(view, rules, view.seat) >= w.income


@rule
def fortifies(view, rules, legal, w):
    """Decide SPEND: as the reference; with enough income towers, barricades at the front, domes."""
    if is_last_turn(view):
        return best_points(view, rules, legal)
    if not is_rich(view, rules, w):
        return spends(view, rules, legal, False)
    towers = is_legal(legal, TOWER)
    sites = targets(view, rules, view.seat, Building.tower.value, NOBODY)
    if towers and tower_sites(view, sites, 2) != 0:
        return TOWER
    if is_legal(legal, BARRICADE) and front_sites(view, sites, w.steps) != 0:
        return BARRICADE
    if towers and tower_sites(view, sites, 1) != 0:
        return TOWER
    if is_legal(legal, DOME):
        return DOME
    return best_points(view, rules, legal) if is_full(view, rules) else DONE


@rule
def strongest(view, rules, sites):
    """Return the site with the highest 4 x terrain bonus less passable edges."""
    best, most = NOBODY, LEAST
    while sites != 0:
        t = lowest_bit(sites)
        sites &= sites - 1
        worth = 4 * rules.tile_defence[view.tile_id[t]] - bit_count(int(view.edges[t]))
        if worth > most:
            best, most = t, worth
    return best


@rule
def fortified_site(view, rules, legal, w):
    """Decide TARGET of a tower, a barricade or a dome: the strongest of the sites for which it was chosen."""
    sites, preferred = offered(legal), 0
    if view.buy_type == Building.tower:
        preferred = tower_sites(view, sites, 2)
        if preferred == 0:
            preferred = tower_sites(view, sites, 1)
    elif view.buy_type == Building.barricade:
        preferred = front_sites(view, sites, w.steps)
    elif view.buy_type != Building.dome:
        return site(view, rules, legal)
    return strongest(view, rules, preferred if preferred != 0 else sites)


@strategy(
    game,
    allocates=False,
    income=Weight(3, 0, 20, "Income, cubes a turn, from which it fortifies"),
    steps=Weight(2, 0, 10, "Steps to another player's building or troop within which a barricade is due"),
)
def turtle(view, rules, legal, w):
    """From some income on towers next to own buildings and barricades where the others are near (LO-19)."""
    if view.phase == Phase.spend:
        return fortifies(view, rules, legal, w)
    if view.phase == Phase.target and view.buy_kind == Buy.construct and is_rich(view, rules, w):
        return fortified_site(view, rules, legal, w)
    if is_placing(view.phase):
        return walls_off(view, rules, legal, w)
    return answers(view, rules, legal, False)
