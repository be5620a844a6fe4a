"""Outpost: assigning operators (OP-6), dismissing population that lost its housing (OP-8.5)."""

from simkit.engine.compile.jit import rule
from simkit.games.outpost.facts import FACTORIES, NOBODY, SITES, Decision
from simkit.games.outpost.holdings import count_vp, housing, owned, specials, usable_robots


@rule
def go_on_assigning(s, rules):
    """Ask players with a choice, from moon bases down to ore, where none is left (OP-6.3, OP-9.9)."""
    seat = s.order[s.at]
    if s.assign_at == NOBODY:
        begin_assigning(s, rules, seat)
    while s.assign_at >= 0:
        low, high = assign_range(s, seat)
        if low < high:
            s.decision, s.seat = Decision.assign, seat
            return
        operate(s, rules, seat, low)
    s.specials_least = s.specials_most = 0
    s.at += 1


@rule
def begin_assigning(s, rules, seat):
    """Dismiss people without housing, take operators off, count operable sites (OP-6.2, OP-8.5)."""
    base, own = housing(s, rules, seat), specials(s, seat)
    s.population[seat] = min(s.population[seat], base + own)
    population = s.population[seat]
    can = own if rules.robots_man_specials else min(own, population)
    operated = min(can + s.factories[seat].sum(), population + usable_robots(s, rules, seat))
    s.operated[seat, :] = 0
    count_vp(s, rules, seat)
    s.assign_at = SITES - 1
    s.assign_left = operated
    s.specials_least = max(0, population - base, operated - s.factories[seat].sum())
    s.specials_most = min(own, operated if rules.robots_man_specials else population)


@rule
def assign_range(s, seat):
    """Return the fewest and most operated sites of the current kind (OP-9.9)."""
    site, rest = s.assign_at, 0
    special = site >= FACTORIES
    for later in range(FACTORIES if special else 0, site):
        rest += owned(s, seat, later)
    least, most = (s.specials_least, s.specials_most) if special else (s.assign_left, s.assign_left)
    return max(0, least - rest), min(owned(s, seat, site), most)


@rule
def operate(s, rules, seat, n):
    """Operate that many sites of the kind and go on to the next kind."""
    s.operated[seat, s.assign_at] = n
    s.score[seat] += n * rules.site_vp[s.assign_at]
    s.assign_left -= n
    if s.assign_at >= FACTORIES:
        s.specials_least -= n
        s.specials_most -= n
    s.assign_at -= 1
