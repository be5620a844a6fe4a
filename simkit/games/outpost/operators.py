"""Outpost: assigning operators (OP-6), dismissing population that lost its housing (OP-8.5)."""

from simkit.games.outpost.facts import NOBODY, ORDINARY, SITES, Kind
from simkit.games.outpost.holdings import count_vp, factories, housing, specials, usable_robots
from simkit.jit import rule


@rule
def most_operated(s, rules, seat):
    """Sites that are operated: all that can be (OP-6.2)."""
    population, robots, own = int(s.population[seat]), usable_robots(s, rules, seat), specials(s, seat)
    if rules.robots_man_specials:
        return min(own + factories(s, seat), population + robots)
    return min(min(own, population) + factories(s, seat), population + robots)


@rule
def owned(s, seat, site):
    """Sites of a kind owned."""
    return int(s.factories[seat, site]) if site < 5 else int(s.upgrades[seat, ORDINARY + site - 5])


@rule
def site_of(place):
    """Moon bases, cruisers, stations, then new chemicals to ore (OP-6.3)."""
    return SITES - 1 - place


@rule
def go_on_assigning(s, rules):
    """The next kind of site with a choice; forced numbers are set at once (OP-6.3, OP-9.9)."""
    seat = int(s.order[s.at])
    if s.assign_at == NOBODY:
        begin_assigning(s, rules, seat)
    while s.assign_at < SITES:
        low, high = assign_range(s, seat)
        if low < high:
            s.kind, s.seat = Kind.assign, seat
            return
        operate(s, rules, seat, low)
    s.assign_at = NOBODY
    s.specials_done = s.specials_least = s.specials_most = s.assign_left = 0
    s.at += 1


@rule
def begin_assigning(s, rules, seat):
    """Dismiss whom no house holds, take all operators off, and see how many specials can be operated (OP-6.2, OP-8.5)."""
    base, own = housing(s, rules, seat), specials(s, seat)
    s.population[seat] = min(int(s.population[seat]), base + own)
    population, total = int(s.population[seat]), most_operated(s, rules, seat)
    s.operated[seat, :] = 0
    count_vp(s, rules, seat)
    s.assign_at = 0
    s.assign_left = total
    s.specials_done = 0
    s.specials_least = max(0, population - base, total - factories(s, seat))
    s.specials_most = min(own, total) if rules.robots_man_specials else min(own, population)


@rule
def assign_range(s, seat):
    """Fewest and most operated sites of the kind whose turn it is (OP-9.9)."""
    site = site_of(int(s.assign_at))
    rest = 0
    for later in range(site - 1, 4 if site >= 5 else -1, -1):
        rest += owned(s, seat, later)
    own = owned(s, seat, site)
    if site >= 5:
        done = int(s.specials_done)
        return max(0, int(s.specials_least) - done - rest), min(own, int(s.specials_most) - done)
    left = int(s.assign_left)
    return max(0, left - rest), min(own, left)


@rule
def operate(s, rules, seat, n):
    """So many sites of the kind are operated; on to the next kind."""
    site = site_of(int(s.assign_at))
    s.operated[seat, site] = n
    s.assign_left -= n
    if site >= 5:
        s.specials_done += n
    s.assign_at += 1
    count_vp(s, rules, seat)


@rule
def legal_assign(s, out):
    """The numbers of sites that may be operated (OP-9.9)."""
    low, high = assign_range(s, int(s.seat))
    for i in range(high - low + 1):
        out[i] = low + i
    return high - low + 1
