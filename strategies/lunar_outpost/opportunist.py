"""A player of Lunar Outpost that plans, and makes war when it pays (LO-19, opportunist)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.conflicts import total_defence
from simkit.games.lunar_outpost.facts import ENOUGH, NOBODY, RECRUIT, Building, Buy, Mod, Phase
from simkit.games.lunar_outpost.scoring import troops_on_map
from simkit.games.lunar_outpost.spending import price, target_set, targets, troop_price
from simkit.games.lunar_outpost.works import of_type

from .build import is_legal
from .campaign import has_barracks, marches, nearest_to
from .features import is_last_turn, leader, next_to, points_of, turns_left
from .outlook import OUTLOOK, most_troops, within_two
from .planner import plans
from .raider import BARRACKS

LEAST_TURNS = 4  # least turns left for a war
BARRACKS_KIND = Building.barracks.value


@rule
def bases(s, rules):
    """Return the own barracks; without one, the sites on which one could stand."""
    seat = s.seat
    if has_barracks(s):
        return of_type(s, int(s.own[seat]), BARRACKS_KIND)
    return targets(s, rules, seat, BARRACKS_KIND, NOBODY) if s.supply[seat, BARRACKS_KIND] > 0 else 0


@rule
def reachable(s, tiles, steps):
    """Return the tiles that troops reach from some tiles in so many steps."""
    for _ in range(steps):
        tiles |= next_to(s, tiles, s.mod[Mod.move_rough])
    return tiles


@rule
def profit(s, rules, t, w):
    """Return the worth of razing a building, less the cost of the troops and of a missing barracks."""
    kind = s.btype[t]
    cost = total_defence(s, rules, t) * troop_price(s, rules)
    if not has_barracks(s):
        cost += price(s, rules, BARRACKS_KIND)
    return price(s, rules, kind) + w.gain * points_of(s, rules, kind) - cost


@rule
def war_goal(s, rules, w):
    """Return the leader's building that is most worth a war, NOBODY if none is."""
    best, most, rival = NOBODY, 0.0, leader(s, rules)
    if rival == NOBODY or turns_left(s) < LEAST_TURNS:
        return best
    left = int(s.own[rival]) & reachable(s, bases(s, rules), w.reach)
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        gain = profit(s, rules, t, w)
        if gain > most and most_troops(s, s.seat, within_two(s, bit(t))) == 0:
            best, most = t, gain
    return best


@rule
def arms_for(view, rules, legal, goal):
    """Decide SPEND in a war: the barracks, then enough troops for the goal; NOBODY for no purchase."""
    if not has_barracks(view):
        return BARRACKS if is_legal(legal, BARRACKS) else NOBODY
    short = troops_on_map(view, rules, view.seat) < total_defence(view, rules, goal)
    return RECRUIT if short and is_legal(legal, RECRUIT) else NOBODY


@rule
def is_for_war(view):
    """Return whether the target is one of a recruit, or of the first barracks."""
    if view.buy_kind == Buy.recruit:
        return True
    return view.buy_kind == Buy.construct and view.buy_type == BARRACKS_KIND and not has_barracks(view)


@strategy(
    game,
    **OUTLOOK,
    reach=Weight(3, 0, 20, "Steps from the barracks to a building that is worth a war, at most"),
    gain=Weight(2.0, 0.0, 20.0, "What a victory point of a razed building counts, in cubes"),
)
def opportunist(view, rules, legal, w, scratch, work):
    """The planner, who razes the leader's buildings where that costs less than they are worth (LO-19)."""
    phase = view.phase
    goal = NOBODY
    if phase == Phase.spend or phase == Phase.target or phase == Phase.move:
        goal = war_goal(view, rules, w)
    if phase == Phase.move:
        return ENOUGH if goal == NOBODY else marches(view, rules, legal, goal)
    if goal != NOBODY and phase == Phase.spend and not is_last_turn(view):
        wanted = arms_for(view, rules, legal, goal)
        if wanted != NOBODY:
            return wanted
    if goal != NOBODY and phase == Phase.target and is_for_war(view):
        return nearest_to(view, target_set(view, rules), bit(goal))
    return plans(view, rules, legal, w, scratch[0], work)
