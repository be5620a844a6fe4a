"""Outpost: setup: piles, colonies, supply of upgrades, seats (OP-2)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rng import below, shuffle
from simkit.games.outpost.facts import NOBODY, ORDINARY, REAL, TYPES, Site
from simkit.games.outpost.holdings import count_vp
from simkit.games.outpost.options import Start, Supply

MOST_COPIES = 7  # of an upgrade (OP-1.6)
FEWEST_PAIRS, MOST_PAIRS = 4, 10  # types with two copies in the Expert game of two (OP-2.5)


@rule
def lay_out(s, rules, rng):
    """Lay out piles, supply, colonies, and the purchase order of turn 1 (OP-2, OP-2.6)."""
    s.lot = s.bidder = s.thing = s.payer = s.jump_hi = s.assign_at = NOBODY
    s.victim = s.target = s.answer_at = NOBODY
    s.log.game.phase2_turn = s.log.game.phase3_turn = -1
    for kind in range(REAL):
        s.draw[kind] = rules.copies[kind]
        s.pile[rules.product_of[kind]] += rules.copies[kind]
    fill_supply(s, rules, rng)
    s.phase = 1
    s.threshold = rules.victory_vp
    s.phase3_vp = rules.chart_phase3_vp[s.seats] if rules.phase3_vp < 0 else rules.phase3_vp
    for seat in range(s.seats):
        found_colony(s, rules, seat)
        s.order[seat] = seat
    if rules.initial_order == Start.random:
        shuffle(rng.first_order, s.order, s.seats)
    for place in range(s.seats):
        s.order_turn1[place] = s.order[place]
        s.log.seat[s.order[place]].initial_order = place
    s.first = s.order[0]


@rule
def found_colony(s, rules, seat):
    """Give a player population and factories; operators go to water first (OP-2.2)."""
    at_water = min(rules.start_water, rules.start_population)
    s.population[seat] = rules.start_population
    s.factories[seat, Site.ore] = rules.start_ore
    s.factories[seat, Site.water] = rules.start_water
    s.operated[seat, Site.ore] = min(rules.start_ore, rules.start_population - at_water)
    s.operated[seat, Site.water] = at_water
    count_vp(s, rules, seat)


@rule
def fill_supply(s, rules, rng):
    """Set the copies of each upgrade (OP-2.4); in the Expert game of two one or two, drawn (OP-2.5)."""
    chart, pairs = rules.supply_rule == Supply.expert_chart, 0
    for t in range(TYPES):
        printed = rules.chart_first_ten[s.seats] if t < ORDINARY else rules.chart_last_three[s.seats]
        s.supply[t] = printed if chart else min(s.seats - 1, MOST_COPIES)
    while chart and s.seats == 2 and not FEWEST_PAIRS <= pairs <= MOST_PAIRS:
        pairs = 0
        for t in range(TYPES):
            s.supply[t] = 1 + below(rng.supply, 2)
            pairs += s.supply[t] - 1
    for t in range(TYPES):
        more = rules.supply_delta + rules.supply_more[t]
        s.supply[t] = min(max(s.supply[t] + more, 0), MOST_COPIES)
        s.supply_start[t] = s.supply[t]
