"""Worth of a position for players of Lunar Outpost that look one step ahead (LO-19, planner)."""

from enum import IntEnum

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.engine.strategy import NamedChoice, Weight
from simkit.games.lunar_outpost.conflicts import total_defence
from simkit.games.lunar_outpost.facts import BUILDINGS, CONSTRUCT, Kind, Mod
from simkit.games.lunar_outpost.scoring import score
from simkit.games.lunar_outpost.stores import spendable
from simkit.games.lunar_outpost.works import income

from .features import is_last_turn, next_to, points_of, slots, turns_left
from .place import building_ground, excavators

CLOSING_TURNS, MOST_TURNS = 3, 6  # last turns, in which income does not count; most turns for which it does
MINED, MINEABLE, GROUND = 2, 1.4, 1  # worth of a tile: per deposit in reach, per site next to one, per site

Without = IntEnum("Without", ["nothing", *BUILDINGS], start=CONSTRUCT - 1)  # ids of SPEND

OUTLOOK = {
    "points": Weight(3.0, 0.0, 20.0, "Worth of a victory point"),
    "income": Weight(2.0, 0.0, 20.0, "Worth of a cube that comes in a later turn"),
    "cubes": Weight(0.5, 0.0, 20.0, "Worth of a cube that can be spent"),
    "danger": Weight(1.5, 0.0, 20.0, "Loss for each point of a building that troops nearby can raze"),
    "room": Weight(0, 0, 1, "1 = cubes count only as far as slots are left for the income of a turn"),
    "without": NamedChoice(Without.nothing, "Building that it never builds: restricted play"),
}


@rule
def troops_on(s, seat, tiles):
    """Return the number of troops of a seat on some tiles."""
    n, left = 0, tiles & int(s.manned[seat])
    while left != 0:
        n += s.troops[lowest_bit(left), seat]
        left &= left - 1
    return n


@rule
def within_two(s, tiles):
    """Return the tiles that troops reach from some tiles in at most two steps."""
    near = tiles | next_to(s, tiles, s.mod[Mod.move_rough])
    return near | next_to(s, near, s.mod[Mod.move_rough])


@rule
def points_in_danger(s, rules, seat):
    """Return the points of own buildings that troops of another player within two steps can raze."""
    points = 0
    reachable = 0
    for other in range(s.seats):
        if other != seat and s.manned[other] != 0:
            reachable |= within_two(s, int(s.manned[other]))
    left = int(s.own[seat]) & reachable
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        if total_defence(s, rules, t) <= most_troops(s, seat, within_two(s, bit(t))):
            points += points_of(s, rules, s.btype[t])
    return points


@rule
def most_troops(s, seat, tiles):
    """Return the most troops that one other player has on some tiles."""
    most = 0
    for other in range(s.seats):
        if other != seat:
            most = max(most, troops_on(s, other, tiles))
    return most


@rule
def cubes_kept(s, rules, seat, room):
    """Return the spendable cubes; with `room`, only those that leave slots for the next turn's income."""
    cubes = spendable(s, rules, seat)
    if room:
        cubes = min(cubes, max(0, slots(s, rules, seat) - income(s, rules, seat)))
    return cubes


@rule
def outlook(s, rules, w):
    """Return the worth of the position to the decider (LO-19)."""
    seat, turns = s.seat, turns_left(s)
    worth = w.points * score(s, rules, seat) - w.danger * points_in_danger(s, rules, seat)
    if not is_last_turn(s):
        worth += w.cubes * cubes_kept(s, rules, seat, w.room)
    if turns > CLOSING_TURNS:
        twice = min(2 * income(s, rules, seat), slots(s, rules, seat))
        worth += w.income * (0.5 * twice) * min(turns - 1, MOST_TURNS)
    return worth


@rule
def tile_gain(view, rules, tile, joined, adjacent, seat):
    """Return what a tile laid there gives a seat to mine: deposits now in reach, sites next to a deposit."""
    if rules.tile_kind[tile] == Kind.deposit:
        rough = view.mod[Mod.transport_rough] or not rules.extract_needs_passable
        mined = excavators(view, (adjacent if rough else joined) & int(view.own[seat]))
        return MINED * mined + MINEABLE * bit_count(building_ground(view, joined, seat))
    if rules.tile_kind[tile] == Kind.barren or joined & view.own[seat] == 0:
        return 0.0
    return MINEABLE * bit_count(joined & int(view.live))


@rule
def tile_worth(view, rules, tile, joined, adjacent, w):
    """Return the worth of a tile laid there: own gain over the opponents' mean, and a site to build on."""
    seat, theirs, others = view.seat, 0.0, 0
    for other in range(view.seats):
        if other != seat and view.alive[other]:
            theirs += tile_gain(view, rules, tile, joined, adjacent, other)
            others += 1
    kind = rules.tile_kind[tile]
    site = kind != Kind.deposit and kind != Kind.barren and joined & view.own[seat] != 0
    return tile_gain(view, rules, tile, joined, adjacent, seat) - theirs / others + GROUND * site
