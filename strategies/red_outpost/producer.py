"""A player of Red Outpost that only makes goods (RO-15.3)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.red_outpost.facts import NO, NOBODY, Decision, Disk, Location, Store

from .features import completes, cubes, export_vp, is_legal, mood_change, wheel_vp
from .player import player
from .reference import decides
from .whatif import choosing, try_move

POINT, CUBE = 8, 4  # worth of a victory point and of a cube, against a step of mood


@rule
def move_worth(view, rules, action, mind, w, after):
    """Return the worth of a MOVE in certain victory points and cubes."""
    try_move(after, view, rules, action)
    worth = POINT * (export_vp(after) + wheel_vp(after)) + CUBE * cubes(after) + mood_change(view, after)
    return worth + (w.ship if after.cur_loc == Location.spaceship else 0)


best_move = choosing(move_worth)


@player(label="shock worker", ship=Weight(4, 0, 100, "Worth of a visit to the Spaceship, in steps of mood"))
def producer(view, rules, legal, w, scratch, work):
    """Produce and export, pay crystals only to complete a set (RO-15.3)."""
    kind = view.decision
    if kind == Decision.move:
        return best_move(view, rules, legal, 0, w, scratch[0])
    if kind == Decision.store_opt:
        return completes_or_sells(view, rules, legal)
    if kind == Decision.beer_gain or kind == Decision.palace or kind == Decision.commissar_donate:
        return NO
    if kind == Decision.alt:
        return int(view.cur_loc == Location.mine)
    if kind == Decision.disk and is_legal(legal, Disk.forgo.value):
        return Disk.forgo.value
    return decides(view, rules, legal, w, scratch, work)


@rule
def completes_or_sells(view, rules, legal):
    """Buy a cube that completes a set, else sell one for a crystal, as the reference player does."""
    bought = completes(view, rules, legal, Store.buy.value)
    if bought != NOBODY:
        return bought
    for i in range(legal.size):
        if Store.sell <= legal[i] < Store.buy:
            return legal[i]
    return NO
