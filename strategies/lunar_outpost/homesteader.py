"""A player of Lunar Outpost that lives on domes and silos (LO-19, homesteader)."""

from simkit.engine.compile.jit import bit_count, lowest_bit, rule
from simkit.engine.strategy import strategy
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import BUY_INTEL, CONSTRUCT, DONE, NOBODY, Building, Buy, Kind, Phase
from simkit.games.lunar_outpost.hexes import of_others, union
from simkit.games.lunar_outpost.spending import price
from simkit.games.lunar_outpost.works import of_type

from .answers import answers, is_placing
from .build import is_legal, offered, site, sites_by
from .closing import best_points
from .features import is_full, is_last_turn, slots
from .place import LEAST, placing, reference_worth

DOME, SILO = CONSTRUCT + Building.dome, CONSTRUCT + Building.silo
OWN_WEIGHT = 8  # weight of an own building; a tile connects to fewer free locations


@rule
def near_domes(view, rules, tile, joined, adjacent, w):
    """Return the worth of a tile: locations next to own domes; deposits and barren tiles as the reference."""
    if rules.tile_kind[tile] == Kind.deposit or rules.tile_kind[tile] == Kind.barren:
        return reference_worth(view, rules, tile, joined, adjacent, w)
    mine = joined & int(view.own[view.seat])
    domes, others = of_type(view, mine, Building.dome.value), joined & of_others(view, view.own, view.seat)
    return 6 * bit_count(domes) + 2 * bit_count(mine & ~domes) - 3 * bit_count(others)


settles = placing(near_domes)


@rule
def can_add_silo(view, rules, legal):
    """Return whether a silo connected to an own dome is legal."""
    return is_legal(legal, SILO) and sites_by(view, rules, Building.silo.value, Building.dome.value) != 0


@rule
def homes(view, rules, legal):
    """Decide SPEND: domes while there are tokens, silos to save for them; then what is left over."""
    if is_last_turn(view):
        return best_points(view, rules, legal)
    if view.supply[view.seat, Building.dome] > 0:
        if is_legal(legal, DOME):
            return DOME
        saves = slots(view, rules, view.seat) >= price(view, rules, Building.dome.value)
        return SILO if not saves and can_add_silo(view, rules, legal) else DONE
    if not is_full(view, rules):
        return DONE
    if can_add_silo(view, rules, legal):
        return SILO
    return BUY_INTEL if is_legal(legal, BUY_INTEL) else best_points(view, rules, legal)


@rule
def best_home(view, sites):
    """Decide TARGET of a dome: most own buildings connected, then most free locations connected."""
    best, most = NOBODY, LEAST
    while sites != 0:
        t = lowest_bit(sites)
        sites &= sites - 1
        worth = OWN_WEIGHT * bit_count(int(view.link[t] & view.own[view.seat]))
        worth += bit_count(int(view.link[t] & view.sites))
        if worth > most:
            best, most = t, worth
    return best


@rule
def home_site(view, rules, legal):
    """Decide TARGET: for a silo a site connected to an own dome, if there is one."""
    if view.buy_type == Building.dome:
        return best_home(view, offered(legal))
    domes = of_type(view, int(view.own[view.seat]), Building.dome.value)
    connected = offered(legal) & union(view.link, domes)
    if view.buy_type == Building.silo and connected != 0:
        return lowest_bit(connected)
    return site(view, rules, legal)


@strategy(game, allocates=False)
def homesteader(view, rules, legal):
    """Domes, and silos to save for them; no mining while there are dome tokens (LO-19)."""
    if view.phase == Phase.spend:
        return homes(view, rules, legal)
    if view.phase == Phase.target and view.buy_kind == Buy.construct:
        return home_site(view, rules, legal)
    if is_placing(view.phase):
        return settles(view, rules, legal, 0)
    return answers(view, rules, legal, False)
