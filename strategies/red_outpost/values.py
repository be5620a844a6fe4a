"""Worth of positions of Red Outpost to its players (RO-12.2): V of a seat, M of all seats.

A `Measure` defines how a player rates positions; all its decisions are derived from it. M is the sum of what
counts for each seat; of a worker's mood it counts the seats' shares in it, so that a change of disks on one
portrait, or of one mood, can be computed without the others.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from simkit.engine.compile.jit import rule
from simkit.games.red_outpost.facts import DATA, WORKERS, Location, Worker
from simkit.games.red_outpost.scoring import influence, mood_worth, palace_points

GREEDY = DATA["greedy"]
VP, CRYSTAL, WHEEL = GREEDY["w_vp"], GREEDY["w_crystal"], GREEDY["w_wheel"]
MOOD, PALACE = GREEDY["w_mood"], GREEDY["w_palace"]
LAKE, LAKE_FISHERMAN = GREEDY["bonus_lake"], GREEDY["bonus_lake_fisherman"]
SPACESHIP, STOREHOUSE = GREEDY["bonus_spaceship"], GREEDY["bonus_storehouse"]
BEER_HOUSE, PALACE_VISIT = GREEDY["bonus_beer_house"], GREEDY["bonus_palace"]
ADMINISTRATION = GREEDY["bonus_administration"]


@rule
def nothing(view, rules, w):
    """Return an empty outlook."""
    return 0


@rule
def counts(s, seat, mind, w):
    """Return the weight of V of a seat in M: own V against the others' (RO-12.2)."""
    return s.seats - 1 if seat == s.seat else -1


@rule
def goods(s, rules, seat, mind, w):
    """Return V of a seat without the moods (RO-12.2)."""
    worth = VP * int(s.score[seat]) + CRYSTAL * int(s.crystals[seat]) + WHEEL * int(s.wheel[seat])
    return worth + PALACE * int(palace_points(s, rules, seat))


@rule
def leads(s, own, rival):
    """Return what a point of a worker's mood counts in V: all for each leader (RO-7.1, RO-12.2)."""
    return MOOD if own > 0 and own >= rival else 0


@rule
def no_more(after):
    """Return no further worth: the production of a visit is worth what it adds to V."""
    return 0


@rule
def bonus(view, rules, worker, location, mind, w):
    """Return b of a MOVE: further possible results of a visit, in V (RO-12.2)."""
    if location == Location.lake:
        return LAKE_FISHERMAN if worker == Worker.fisherman else LAKE
    if location == Location.spaceship:
        return SPACESHIP
    if location == Location.storehouse:
        return STOREHOUSE
    if location == Location.administration and worker != Worker.bureaucrat:
        return ADMINISTRATION
    if view.crystals[view.seat] > 0:
        return BEER_HOUSE if location == Location.beer_house else PALACE_VISIT * (location == Location.palace)
    return 0


class Measure(NamedTuple):
    """Rating of positions by a player; s.seat is the seat to decide, `mind` the result of `outlook`.

    outlook(view, rules, w)                         a number or a tuple, computed once per decision
    counts(s, seat, mind, w)                        weight of V of a seat in M
    goods(s, rules, seat, mind, w)                  V without the moods
    share(s, own, rival)                            weight of a point of a mood in V, by own influence and
                                                    that of the best rival
    more(after)                                     worth of the production of a visit beyond V, in V
    bonus(view, rules, worker, location, mind, w)   further possible results of a visit, in V
    """

    outlook: Callable[..., Any] = nothing
    counts: Callable[..., Any] = counts
    goods: Callable[..., Any] = goods
    share: Callable[..., Any] = leads
    more: Callable[..., Any] = no_more
    bonus: Callable[..., Any] = bonus


@cache
def staking(measure):
    """Return the rule for what a point of a worker's mood counts in M, with `more` own disks there."""
    counts, share = measure.counts, measure.share

    @rule
    def stake(s, worker, more, mind, w):
        top = second = 0
        for seat in range(s.seats):
            disks = influence(s, seat, worker) + (more if seat == s.seat else 0)
            if disks > top:
                top, second = disks, top
            elif disks > second:
                second = disks
        counted = 0
        for seat in range(s.seats):
            own = influence(s, seat, worker) + (more if seat == s.seat else 0)
            counted += counts(s, seat, mind, w) * share(s, own, second if own == top else top)
        return counted

    return stake


@cache
def valuing(measure):
    """Return the rule for V of a seat."""
    goods, share = measure.goods, measure.share

    @rule
    def value(s, rules, seat, mind, w):
        worth = goods(s, rules, seat, mind, w)
        for worker in range(WORKERS):
            part = share(s, influence(s, seat, worker), best_rival(s, seat, worker))
            worth += part * int(mood_worth(s, rules, worker))
        return worth

    return value


@cache
def totalling(measure):
    """Return the rule for M of a position."""
    counts, goods, stake = measure.counts, measure.goods, staking(measure)

    @rule
    def total(s, rules, mind, w):
        worth = 0
        for seat in range(s.seats):
            worth += counts(s, seat, mind, w) * goods(s, rules, seat, mind, w)
        for worker in range(WORKERS):
            worth += stake(s, worker, 0, mind, w) * int(mood_worth(s, rules, worker))
        return worth

    return total


@rule
def best_rival(s, seat, worker):
    """Return the highest influence of another seat on a worker."""
    most = 0
    for other in range(s.seats):
        if other != seat:
            most = max(most, influence(s, other, worker))
    return most


@rule
def worth_at(rules, place):
    """Return the victory points of a place on the mood track, or of its end beyond it (RO-4.7)."""
    return int(rules.mood_value[min(max(place, 0), rules.mood_spaces - 1)]) * int(rules.mood_multiplier)


@rule
def step_worth(s, rules, worker, steps):
    """Return the victory points that so many steps of mood add to a worker's worth."""
    return worth_at(rules, s.mood[worker] + steps) - int(mood_worth(s, rules, worker))
