"""The strongest player of Outpost, which rates everything by its earnings until the end (OP-13.8)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.outpost.facts import SPECIAL, TYPES, Product, Thing, Upgrade
from simkit.games.outpost.holdings import capacity, room
from simkit.games.outpost.options import DiscardTiming

from . import estimates as guess
from .reference import WIN_WORTH
from .shopper import shopper

NEAR_THE_END = 2  # turns left
PLACE_COST = 40  # credits of income that fill one operator place per turn
TARGETS = 0.6  # share of a discount that counts for every upgrade still available (OP-13.8)


@rule
def vp_worth(view, w, memo):
    """Return the credits for a victory point: more in later phases, most at the presumed end."""
    if guess.turns_left(view, memo) <= NEAR_THE_END:
        return w.last
    return w.first if view.phase == 1 else w.second if view.phase == 2 else w.third


@rule
def likes_payback(view, rules, seat, f, cost, w, memo):
    """Return earnings until the presumed end and victory points, less the cost, per credit of the cost."""
    earned = (guess.turns_left(view, memo) - 1) * guess.site_average(rules, f)
    gain = earned + vp_worth(view, w, memo) * rules.site_vp[f]
    return (gain - cost) / cost


@rule
def slots_worth(view, rules, seat, places, cost, w, memo):
    """Return the worth of new operator places: those likely to be used, each with the best factory."""
    best = Thing.water if view.upgrades[seat, Upgrade.heavy_equipment] == 0 else Thing.titanium
    best = Thing.research if view.upgrades[seat, Upgrade.laboratory] > 0 else best
    left = guess.turns_left(view, memo) - 1
    used = min(float(places), guess.income(view, rules, seat) / PLACE_COST * left)
    free_places = room(view, rules, seat)
    used = used if free_places <= 0 else max(0.0, min(used, used - 0.5 * free_places))
    earned = guess.site_average(rules, best) * left + 2 * vp_worth(view, w, memo)
    return max(0.0, used * (earned - rules.factory_cost[best] - cost))


@rule
def special_gain(view, rules, seat, t):
    """Return the income of a special, less that of the place which its operator leaves."""
    leaves = guess.free_operators(view, rules, seat) <= 0 and room(view, rules, seat) < 0
    left = guess.worst_place(view, rules, seat) if leaves else 0
    return guess.site_average(rules, t - SPECIAL) - left


@rule
def discounts_worth(view, rules, seat, owned):
    """Return a share of each discount on available upgrades that the player lacks (OP-13.8)."""
    worth = 0.0
    for t in range(TYPES):
        if view.upgrades[seat, t] == 0 and view.supply[t] + view.market[t] > 0:
            worth += TARGETS * rules.discount[owned, t]
    return worth


@rule
def spilt(view, rules, seat):
    """Return the credits about to be discarded: excess cards at the mean value of the hand (OP-4.8)."""
    load = view.load[seat]
    beyond = load - capacity(view, rules, seat)
    if rules.discard_timing == DiscardTiming.before_actions:
        beyond += view.operated[seat].sum()
    return view.wealth[seat] * min(max(0, beyond), load) / max(1, load)


@rule
def use(view, rules, seat, t, left, w, memo):
    """Return the main use of an upgrade: places for operators, income in the turns left, discounts."""
    average = rules.average
    if t == Upgrade.nodule:
        return w.slots * slots_worth(view, rules, seat, rules.pop_nodule, rules.pop_cost, w, memo)
    if t == Upgrade.scientists:
        return average[Product.research] * left * w.income
    if t == Upgrade.orbital_lab:
        return average[Product.microbiotics] * left * w.income
    if t == Upgrade.robots:
        places = 4 + view.population[seat] // 2
        return w.slots * slots_worth(view, rules, seat, places, rules.robot_cost, w, memo)
    if t == Upgrade.laboratory:
        return average[Product.research] * left * w.income + 2 * vp_worth(view, w, memo)
    if t == Upgrade.ecoplants:
        return discounts_worth(view, rules, seat, t) + 5 * max(0, room(view, rules, seat))
    if t == Upgrade.outpost:
        places = w.slots * slots_worth(view, rules, seat, rules.pop_outpost, rules.pop_cost, w, memo)
        return places + average[Product.titanium] * left * w.income
    if t > Upgrade.outpost:
        return special_gain(view, rules, seat, t) * left * w.income
    return discounts_worth(view, rules, seat, t)  # data library, heavy equipment


@rule
def more_use(view, rules, seat, t, left, w):
    """Return its further use: room for cards in a strained hand, the technology of titanium."""
    strained = min(1.0, max(0.0, view.load[seat] / max(1, capacity(view, rules, seat)) - 0.3))
    if t == Upgrade.warehouse:
        return w.room * rules.capacity_warehouse * strained
    if t == Upgrade.outpost:
        return w.room * rules.capacity_outpost * strained
    if t == Upgrade.heavy_equipment and view.upgrades[seat, t] == 0:
        better = rules.average[Product.titanium] - rules.average[Product.ore]
        built = min(6.0, guess.income(view, rules, seat) / PLACE_COST * left / 2)
        return better * built * w.technology
    return 0.0


HORIZON = {
    "first": Weight(4.0, 0.0, 40.0, "Credits for a victory point in phase 1"),
    "second": Weight(5.0, 0.0, 40.0, "... in phase 2"),
    "third": Weight(7.0, 0.0, 40.0, "... in phase 3"),
    "last": Weight(12.0, 0.0, 80.0, "... in the presumed last two turns"),
    "income": Weight(1.0, 0.0, 4.0, "Share of the income until the presumed end that counts"),
    "slots": Weight(1.0, 0.0, 4.0, "Share of the worth of new operator places that counts"),
    "technology": Weight(1.0, 0.0, 8.0, "Share of the worth of building titanium that counts"),
    "spill": Weight(0.2, 0.0, 2.0, "Share of credits about to be discarded that an upgrade is worth"),
    "room": Weight(3.0, 0.0, 40.0, "Credits for a place in a strained hand"),
}


@shopper(likes_payback, **HORIZON)
def horizon_valuer(view, rules, seat, t, w, memo):
    """Rate upgrades and factories by what they earn until the presumed end, and by victory points."""
    if view.score[seat] + rules.vp[t] >= view.threshold:
        return float(WIN_WORTH)
    left = guess.turns_left(view, memo) - 1
    worth = vp_worth(view, w, memo) * rules.vp[t] + w.spill * spilt(view, rules, seat)
    worth += use(view, rules, seat, t, left, w, memo)
    return worth + more_use(view, rules, seat, t, left, w)
