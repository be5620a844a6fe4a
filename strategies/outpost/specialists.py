"""Players of Outpost with one idea each (OP-13.1 to OP-13.5, OP-13.7)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.outpost.facts import ORDINARY, Site, Thing, Upgrade
from simkit.games.outpost.holdings import room
from simkit.games.outpost.options import RobotsLimit

from .estimates import site_average, turns_left
from .reference import WIN_WORTH, reference_worth
from .shopper import shopper

FIRST_TURNS = 6  # turns in which the sandbagger builds ore regardless


@shopper(places=Weight(20, 0, 300, "Credits beyond the reference player's worth for places of operators"))
def factory_builder(view, rules, seat, t, w, memo):
    """Ignore the auctions except for places of operators; build all that can be built (OP-13.1)."""
    gives_places = t in (Upgrade.nodule, Upgrade.outpost, Upgrade.robots)
    if gives_places and room(view, rules, seat) <= 0:
        return reference_worth(view, rules, seat, t, w, memo) + w.places
    return -1


@shopper(
    label="VP shopper",
    vp=Weight(8, 0, 60, "Credits for a victory point"),
    first=Weight(10, 0, 200, "Credits for the first copy of an upgrade"),
)
def vp_shopper(view, rules, seat, t, w, memo):
    """Rate upgrades by their victory points only (OP-13.2)."""
    if view.score[seat] + rules.vp[t] >= view.threshold:
        return WIN_WORTH
    return w.vp * rules.vp[t] + (w.first if view.upgrades[seat, t] == 0 else 0)


@rule
def likes_titanium(view, rules, seat, f, cost, w, memo):
    """Prefer titanium until there is enough (OP-13.3)."""
    return 10.0 if f == Thing.titanium and view.factories[seat, f] < w.enough else 1.0 + f


@shopper(
    likes_titanium,
    heavy=Weight(30, 0, 200, "Credits more for the first heavy equipment in the early turns"),
    early=Weight(6, 0, 50, "Last of the early turns"),
    enough=Weight(6, 0, 40, "Titanium factories that are enough"),
    others=Weight(70, 0, 200, "Percent of the usual worth of other upgrades before that"),
    late=Weight(20, 0, 200, "Credits more for outposts and specials"),
)
def titanium_rush(view, rules, seat, t, w, memo):
    """Heavy equipment and titanium first, then outposts and stations (OP-13.3)."""
    worth = reference_worth(view, rules, seat, t, w, memo)
    if t == Upgrade.heavy_equipment and view.upgrades[seat, t] == 0 and view.turn <= w.early:
        return worth + w.heavy
    needed = t == Upgrade.heavy_equipment or t == Upgrade.nodule or t >= ORDINARY
    if view.factories[seat, Site.titanium] < w.enough and not needed:
        return worth * w.others // 100
    return worth + (w.late if t >= Upgrade.outpost else 0)


@shopper(
    library=Weight(20, 0, 100, "Credits for a data library"),
    research=Weight(25, 0, 200, "Credits more for scientists and the first laboratory"),
    chemistry=Weight(3, 0, 40, "New chemicals factories from which on stations are wanted more"),
    stations=Weight(30, 0, 300, "... by so many credits"),
)
def research_chemist(view, rules, seat, t, w, memo):
    """Research cards for new chemicals, chemistry for stations (OP-13.4)."""
    worth = reference_worth(view, rules, seat, t, w, memo)
    if t == Upgrade.data_library:
        return max(worth, w.library)
    if t == Upgrade.scientists or (t == Upgrade.laboratory and view.upgrades[seat, t] == 0):
        return worth + w.research
    chemist = view.factories[seat, Site.new_chemicals] >= w.chemistry
    return worth + (w.stations if t >= ORDINARY and chemist else 0)


@rule
def likes_mass(view, rules, seat, f, cost, w, memo):
    """Prefer cheap factories in numbers once there are robots."""
    liked = site_average(rules, f) / cost
    return liked if view.upgrades[seat, Upgrade.robots] > 0 and f <= Thing.water else liked / 2


@shopper(
    likes_mass,
    robots=Weight(130, 0, 400, "Credits for the first robots card without a limit"),
    base=Weight(80, 0, 400, "... with one"),
    each=Weight(10, 0, 50, "... and for each population unit"),
    nodule=Weight(45, 0, 200, "Credits for a nodule"),
)
def robot_baron(view, rules, seat, t, w, memo):
    """Robots at almost any price, then ore and water in masses (OP-13.5)."""
    worth = reference_worth(view, rules, seat, t, w, memo)
    if t == Upgrade.robots and view.upgrades[seat, t] == 0:
        limited = rules.robots_limit == RobotsLimit.times_population
        return max(worth, w.base + w.each * view.population[seat] if limited else w.robots)
    return max(worth, w.nodule) if t == Upgrade.nodule else worth


@rule
def would_lead(view, seat, vp):
    """Return whether so many more victory points put the seat first in the purchase order."""
    for other in range(view.seats):
        if other != seat and view.score[other] > view.score[seat] + vp:
            return False
    return True


@rule
def likes_behind(view, rules, seat, f, cost, w, memo):
    """Refuse ore sites while their point would give the lead."""
    early = view.turn > FIRST_TURNS and turns_left(view, memo) > w.late
    return 0.0 if early and f == Thing.ore and would_lead(view, seat, 1) else 1.0 + f


@shopper(
    likes_behind,
    late=Weight(4, 0, 30, "Turns left from which on the lead is taken"),
    warehouse=Weight(15, 0, 200, "Credits more for a warehouse"),
    shy=Weight(60, 0, 100, "Percent of its worth for an upgrade that would give the lead too early"),
)
def sandbagger(view, rules, seat, t, w, memo):
    """Avoid the lead until the end is near (OP-13.7)."""
    worth = reference_worth(view, rules, seat, t, w, memo) + (w.warehouse if t == Upgrade.warehouse else 0)
    idle = t in (Upgrade.data_library, Upgrade.ecoplants, Upgrade.orbital_lab)  # useful mainly for points
    shy = idle and turns_left(view, memo) > w.late and would_lead(view, seat, rules.vp[t])
    return worth * w.shy // 100 if shy else worth
