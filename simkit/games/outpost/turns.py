"""Outpost: the turn: purchase order, phases and refill of the market, steps, end (OP-3, OP-7.1, OP-8.6)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rng import below, shuffle
from simkit.games.outpost import ending, holdings
from simkit.games.outpost.facts import End, Step
from simkit.games.outpost.options import DiscardTiming, Order

BEYOND_COSTS = 100_000  # no upgrade cost sum is as high
FIRST_FACE = (1, 1, 2)  # of the die of phase 1, 2, 3 (OP-3.6)
LAST_FACE = (4, 10, 13)


@rule
def begin_turn(s, rules, rng):
    """Carry out steps 1 and 2 of a turn; production follows (OP-3.0)."""
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
    """Set the purchase order from turn 2 on (OP-3.3)."""
    if rules.purchase_order == Order.rotate:
        for place in range(s.seats - 1):
            s.order[place], s.order[place + 1] = s.order[place + 1], s.order[place]
        return
    shuffle(rng.order, s.order, s.seats)  # what is still tied stays in random order
    if rules.purchase_order == Order.random:
        return
    sign = 1 if rules.purchase_order == Order.leader_first else -1
    for place in range(1, s.seats):
        key = sign * rank_key(s, rules, s.order[place])
        while place > 0 and sign * rank_key(s, rules, s.order[place - 1]) < key:
            s.order[place - 1], s.order[place] = s.order[place], s.order[place - 1]
            place -= 1


@rule
def rank_key(s, rules, seat):
    """Return victory points, then upgrade cost sum, as one number (OP-3.3)."""
    return s.score[seat] * BEYOND_COSTS + holdings.cost_sum(s, rules, seat)


@rule
def set_phase(s, rules):
    """Set the phase by the leader's victory points; it never goes back (OP-3.5, OP-3.9)."""
    top, log = ending.top_score(s), s.log.game
    if s.force_phase:
        s.phase = min(3, s.phase + 1)
        log.auto_advances += 1
    if top >= rules.phase2_vp:
        s.phase = max(s.phase, 2)
    if top >= s.phase3_vp:
        s.phase = 3
    if s.phase >= 2 and log.phase2_turn < 0:
        log.phase2_turn = s.turn
    if s.phase == 3 and log.phase3_turn < 0:
        log.phase3_turn = s.turn


@rule
def found_by(s, rules, face):
    """Return the upgrade that a face of the die leads to, -1 = roll again (OP-3.7, OP-3.8)."""
    t = face - 1
    while t >= 0 and s.supply[t] == 0:
        t -= 1
    most_copies = max(1, s.seats // 2 + rules.duplicate_limit_delta)
    return -1 if t >= 0 and s.market[t] >= most_copies else t


@rule
def some_face_succeeds(s, rules):
    """Return whether rolling can end at all (OP-3.8)."""
    for face in range(FIRST_FACE[s.phase - 1], LAST_FACE[s.phase - 1] + 1):
        if found_by(s, rules, face) >= 0:
            return True
    return False


@rule
def refill(s, rules, rng):
    """Roll for cards until the market is full, or no face leads to a card (OP-3.6 to OP-3.9)."""
    first, last, on_market = FIRST_FACE[s.phase - 1], LAST_FACE[s.phase - 1], s.market.sum()
    exhausted = on_market == 0 and s.supply[:last].sum() == 0
    s.force_phase = rules.phase_auto_advance and s.phase < 3 and exhausted
    missing = max(1, s.seats + rules.market_size_delta) - on_market
    while missing > 0 and some_face_succeeds(s, rules):
        t = -1
        while t < 0:
            t = found_by(s, rules, first + below(rng.die, last - first + 1))
            s.log.game.die_rolls += 1
            s.log.game.die_rerolls += t < 0
        s.supply[t] -= 1
        s.market[t] += 1
        missing -= 1
    s.log.game.slots_left_empty += max(0, missing)


@rule
def next_step(s, rules, rng):
    """Go on to the next step after all players, or end the turn (OP-3.0)."""
    s.at = 0
    early = rules.discard_timing == DiscardTiming.before_actions
    step = s.step + 1
    step += step == (Step.late_discard if early else Step.early_discard)
    if step > Step.late_discard:
        end_turn(s, rules, rng)
    else:
        s.step = step


@rule
def end_turn(s, rules, rng):
    """Carry out step 8: note the leader, and end the game if a player has won (OP-7.1, OP-7.4, OP-8.6)."""
    s.log.game.turns, top = s.turn, ending.top_score(s)
    for seat in range(s.seats):
        s.leaders[s.turn] |= int(s.score[seat] == top) << seat
    if top >= s.threshold:
        ending.finish(s, rules, End.death_spiral if s.threshold < rules.victory_vp else End.victory)
    elif s.turn >= rules.max_turns:
        ending.finish(s, rules, End.turn_cap)
    else:
        if rules.death_spiral and s.supply.sum() + s.market.sum() == 0:
            s.threshold -= rules.death_spiral_step
        begin_turn(s, rules, rng)
