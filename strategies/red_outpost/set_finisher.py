"""A player of Red Outpost that completes sets begun by others (RO-15.4)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.red_outpost.facts import NO, NOBODY, RESOURCES, Decision, Location, Store
from simkit.games.red_outpost.goods import export_worth

from .features import completes, cubes, export_vp, lacks_one, others_follow, pairs, wheel_vp
from .player import player
from .reference import decides
from .whatif import choosing, try_move

EXPORT, WHEEL, PAIR = 4, 2, 2  # worth of a victory point of each, and of a pair at the Spaceship, in cubes


@rule
def dearest_set(s, rules):
    """Return the highest value of a set that lacks one cube."""
    most = 0
    for resource in range(RESOURCES):
        if lacks_one(s, rules, resource):
            most = max(most, export_worth(s, rules, resource))
    return most


@rule
def finish(view, rules, action, gift, w, after):
    """Return certain victory points and cubes, less the pairs left to others, plus what may be completed."""
    try_move(after, view, rules, action)
    worth = EXPORT * export_vp(after) + WHEEL * wheel_vp(after) + cubes(after) - gift * pairs(after, rules)
    if after.cur_loc == Location.storehouse and view.crystals[view.seat] > 0:
        return worth + EXPORT * dearest_set(view, rules)
    return worth + (PAIR * pairs(view, rules) if after.cur_loc == Location.spaceship else 0)


best_finish = choosing(finish)


@player(gift=Weight(3, 0, 40, "Cost of a pair left to another seat, in cubes"))
def set_finisher(view, rules, legal, w, scratch, work):
    """Complete sets, leave none to be completed (RO-15.4)."""
    if view.decision == Decision.move:
        gift = w.gift if others_follow(view, rules, scratch[0]) else 0
        return best_finish(view, rules, legal, gift, w, scratch[0])
    if view.decision == Decision.store_opt:
        return finish_or_spoil(view, rules, legal, scratch[0])
    best = NOBODY
    if view.decision == Decision.ship_res or view.decision == Decision.farm_res:
        best = completes(view, rules, legal, 0)
    elif view.decision == Decision.miner_extra:
        best = completes(view, rules, legal, 1)
    return decides(view, rules, legal, w, scratch, work) if best == NOBODY else best


@rule
def finish_or_spoil(view, rules, legal, copy):
    """Complete a set, else take a cube from the dearest pair before another seat's turn."""
    bought = completes(view, rules, legal, Store.buy.value)
    if bought != NOBODY:
        return bought
    sold = completes(view, rules, legal, Store.sell.value)
    return sold if sold != NOBODY and others_follow(view, rules, copy) else NO
