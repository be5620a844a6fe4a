"""A player of Red Outpost that wants the first place at the Palace (RO-15.7)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.red_outpost.facts import NO, NOBODY, RESOURCES, Decision, Location, Palace, Store
from simkit.games.red_outpost.goods import export_worth

from .features import completes, is_legal
from .oneply import one_ply
from .player import player
from .values import CRYSTAL, Measure, bonus, goods

WANTED = 5  # V of an own crystal while others have donated as much
CERTAIN, DONATION = 8, 4  # in a MOVE: V of a certain crystal, and of the Palace with a crystal
DEAR = 4  # least victory points of an export for which a crystal is paid


@rule
def others_most(s, seat):
    """Return the most crystals that another seat has donated."""
    most = 0
    for other in range(s.seats):
        if other != seat:
            most = max(most, s.palace[other])
    return most


@rule
def crystal_worth(view, rules, w):
    """Return V of an own crystal now."""
    return WANTED if view.palace[view.seat] <= others_most(view, view.seat) else CRYSTAL


@rule
def patron_goods(s, rules, seat, mind, w):
    """Return the goods, with the present worth of an own crystal."""
    dearer = mind - CRYSTAL if seat == s.seat else 0
    return goods(s, rules, seat, mind, w) + dearer * int(s.crystals[seat])


@rule
def crystals_made(after):
    """Return the worth of the crystals that a visit gains."""
    return CERTAIN * after.log.seat[after.seat].crystals_gained


@rule
def patron_bonus(view, rules, worker, location, mind, w):
    """Return the bonus, higher for a donation at the Palace."""
    donates = location == Location.palace and view.crystals[view.seat] > 0
    return bonus(view, rules, worker, location, mind, w) + (DONATION if donates else 0)


PATRON = Measure(outlook=crystal_worth, goods=patron_goods, more=crystals_made, bonus=patron_bonus)
decides = rule(one_ply(PATRON))


@player(ahead=Weight(1, 0, 20, "Donations by which it wants to be ahead of the second"))
def palace_patron(view, rules, legal, w, scratch, work):
    """Gather crystals and donate more than all others (RO-15.7)."""
    kind = view.decision
    if kind == Decision.beer_gain:
        return NO
    if kind == Decision.store_opt:
        return dear_or_sold(view, rules, legal)
    if kind == Decision.palace or kind == Decision.commissar_donate:
        if view.palace[view.seat] < others_most(view, view.seat) + w.ahead:
            return Palace.donate.value
        return NO
    return decides(view, rules, legal, w, scratch, work)


@rule
def dear_or_sold(view, rules, legal):
    """Buy a cube for a dear export, else sell a cube for a crystal, a single one first."""
    bought = completes(view, rules, legal, Store.buy.value)
    if bought != NOBODY and export_worth(view, rules, bought - Store.buy) >= DEAR:
        return bought
    sold, fewest = NO, 3
    for resource in range(RESOURCES):
        if is_legal(legal, Store.sell + resource):
            left = min(2, view.store[resource])
            if left < fewest:
                sold, fewest = Store.sell + resource, left
    return sold
