"""Outpost: setup, purchase order, phases, the end of turns and of the game (OP-2, OP-3, OP-7)."""

from simkit.chance import shuffle
from simkit.game import OVER
from simkit.games.outpost.facts import (
    LIMIT,
    NOBODY,
    PRODUCTS,
    TYPES,
    DiscardTiming,
    End,
    Kind,
    Order,
    Start,
    Step,
    Tiebreak,
)
from simkit.games.outpost.holdings import cost_sum, count_vp, factories
from simkit.games.outpost.market import fill_supply, market_size, refill
from simkit.jit import rule


@rule
def lay_out(s, rules, rng):
    """Piles, colonies, supply and seats (OP-2)."""
    blank(s)
    for product in range(PRODUCTS):
        for kind in range(int(rules.start[product]), int(rules.start[product + 1])):
            s.draw[kind] = rules.copies[kind]
            s.pile[product] += rules.copies[kind]
    for seat in range(s.seats):
        found_colony(s, rules, seat)
    fill_supply(s, rules, rng)
    s.phase = 1
    s.threshold = rules.victory_vp
    s.phase3_vp = rules.chart_phase3[s.seats] if rules.phase3_vp < 0 else rules.phase3_vp
    first_order(s, rules, rng)


@rule
def blank(s):
    """What is nobody's and nothing's holds -1."""
    s.lot = s.bidder = s.thing = s.payer = s.jump_hi = s.assign_at = s.victim = s.target = s.answer_at = (
        NOBODY
    )
    s.log.game.phase2_turn = s.log.game.phase3_turn = -1


@rule
def found_colony(s, rules, seat):
    """Population and factories; operators go to water first (OP-2.2)."""
    population, ore, water = int(rules.start_population), int(rules.start_ore), int(rules.start_water)
    s.population[seat] = population
    s.factories[seat, 0] = ore
    s.factories[seat, 1] = water
    s.operated[seat, 1] = min(water, population)
    s.operated[seat, 0] = min(ore, population - min(water, population))
    count_vp(s, rules, seat)


@rule
def first_order(s, rules, rng):
    """The purchase order of turn 1: by seat, or drawn (OP-2.6)."""
    for place in range(s.seats):
        s.order[place] = place
    if rules.initial_order == Start.random:
        shuffle(rng.first_order, s.order, s.seats)
    for place in range(s.seats):
        s.order_turn1[place] = s.order[place]
        s.log.seat[s.order[place]].initial_order = place
    s.first = s.order[0]


@rule
def begin_turn(s, rules, rng):
    """Steps 1 and 2 of a turn; production follows (OP-3.0)."""
    s.turn += 1
    if s.turn > 1:
        set_order(s, rules, rng)
    set_phase(s, rules)
    for seat in range(s.seats):
        s.bought[seat] = s.won[seat] = s.barred[seat] = 0
        s.immune[seat, :] = 0
    refill(s, rules, rng)
    s.step = Step.production
    s.at = 0


@rule
def set_order(s, rules, rng):
    """Purchase order from turn 2 on (OP-3.3)."""
    first = s.order[0]
    if rules.purchase_order == Order.rotate:
        for place in range(s.seats - 1):
            s.order[place] = s.order[place + 1]
        s.order[s.seats - 1] = first
        return
    shuffle(rng.order, s.order, s.seats)  # what is still tied stays in random order
    if rules.purchase_order == Order.random:
        return
    sign = 1 if rules.purchase_order == Order.leader_first else -1
    for place in range(1, s.seats):
        seat = s.order[place]
        key = sign * rank_key(s, rules, int(seat))
        before = place - 1
        while before >= 0 and sign * rank_key(s, rules, int(s.order[before])) < key:
            s.order[before + 1] = s.order[before]
            before -= 1
        s.order[before + 1] = seat


@rule
def rank_key(s, rules, seat):
    """Victory points, then upgrade cost sum, as one number (OP-3.3)."""
    return int(s.score[seat]) * 100_000 + cost_sum(s, rules, seat)


@rule
def top_score(s):
    """The most victory points of any player."""
    top = int(s.score[0])
    for seat in range(1, s.seats):
        top = max(top, int(s.score[seat]))
    return top


@rule
def set_phase(s, rules):
    """The phase by the victory points of the leader; it never goes back (OP-3.5, OP-3.9)."""
    top = top_score(s)
    phase = int(s.phase)
    if s.force_phase:
        phase = min(3, phase + 1)
        s.log.game.auto_advances += 1
    if top >= rules.phase2_vp:
        phase = max(phase, 2)
    if top >= s.phase3_vp:
        phase = 3
    s.phase = phase
    log = s.log.game
    if phase >= 2 and log.phase2_turn < 0:
        log.phase2_turn = s.turn
    if phase == 3 and log.phase3_turn < 0:
        log.phase3_turn = s.turn


@rule
def next_step(s, rules, rng):
    """All players have done this step: the next one, or the end of the turn (OP-3.0)."""
    s.at = 0
    if s.step == Step.production:
        early = rules.discard_timing == DiscardTiming.before_actions
        s.step = Step.early_discard if early else Step.actions
    elif s.step == Step.early_discard:
        s.step = Step.actions
    elif s.step == Step.actions:
        s.step = Step.operators
    elif s.step == Step.operators and rules.discard_timing == DiscardTiming.after_actions:
        s.step = Step.late_discard
    else:
        end_turn(s, rules, rng)


@rule
def end_turn(s, rules, rng):
    """Step 8: has somebody won? (OP-7.1, OP-7.4, OP-8.6)"""
    s.log.game.turns = s.turn
    note_leaders(s)
    if top_score(s) >= s.threshold:
        finish(s, rules, End.death_spiral if s.threshold < rules.victory_vp else End.victory)
    elif s.turn >= rules.max_turns:
        finish(s, rules, End.turn_cap)
    else:
        if rules.death_spiral and upgrades_left(s) == 0:
            s.threshold -= rules.death_spiral_step
        begin_turn(s, rules, rng)


@rule
def upgrades_left(s):
    """Upgrades in supply and on the market (OP-8.6)."""
    total = market_size(s)
    for t in range(TYPES):
        total += int(s.supply[t])
    return total


@rule
def note_leaders(s):
    """Who leads at the end of the turn (OP-15.1)."""
    top, leaders = top_score(s), 0
    for seat in range(s.seats):
        if s.score[seat] == top:
            leaders |= 1 << seat
    s.leaders[min(int(s.turn), LIMIT)] = leaders


@rule
def tiebreak(s, rules, seat):
    """What decides among equal victory points (OP-7.3)."""
    if rules.victory_tiebreak == Tiebreak.upgrade_cost:
        return cost_sum(s, rules, seat)
    return int(s.wealth[seat]) if rules.victory_tiebreak == Tiebreak.hand_value else 0


@rule
def finish(s, rules, reason):
    """Ranks by victory points, then by the tie-break; what is still tied is shared (OP-7.2, OP-7.3)."""
    s.seat = OVER
    s.kind = Kind.none
    s.log.game.end_reason = reason
    for seat in range(s.seats):
        ahead = 0
        for other in range(s.seats):
            more = s.score[other] > s.score[seat]
            tied = s.score[other] == s.score[seat]
            ahead += more or (tied and tiebreak(s, rules, other) > tiebreak(s, rules, seat))
        s.rank[seat] = 1 + ahead
    count_end(s)


@rule
def count_end(s):
    """What is known only at the end (OP-15.1)."""
    second = -(1 << 30)
    best = top_score(s)
    seen = False
    for seat in range(s.seats):
        log = s.log.seat[seat]
        total = 0
        for t in range(TYPES):
            total += int(s.upgrades[seat, t])
            log.owned[t] = s.upgrades[seat, t]
        log.upgrades, log.factories = total, factories(s, seat)
        log.population, log.robots = s.population[seat], s.robots[seat]
        if s.score[seat] == best and not seen:
            seen = True
        else:
            second = max(second, int(s.score[seat]))
    s.log.game.margin = best - second
    count_leaders(s)


@rule
def count_leaders(s):
    """Changes between sole leaders, and whether a winner led at half time (OP-15.1)."""
    last, changes = 0, 0
    for turn in range(1, int(s.turn) + 1):
        leaders = int(s.leaders[turn])
        if leaders & (leaders - 1) == 0:
            changes += last != 0 and leaders != last
            last = leaders
    half = int(s.leaders[(int(s.turn) - 1) // 2 + 1])
    for seat in range(s.seats):
        if s.rank[seat] == 1 and half >> seat & 1:
            s.log.game.winner_led_at_half = 1
    s.log.game.leader_changes = changes
