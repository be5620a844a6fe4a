"""Exoplanet Colony: revealing events and carrying out their ops (EX-6)."""

from simkit.engine.compile.jit import bit, bit_count, lowest_bit, rule
from simkit.games.exoplanet_colony import cards, crew, life, tokens
from simkit.games.exoplanet_colony.base import all_slots, farthest
from simkit.games.exoplanet_colony.facts import (
    EMERGENCY,
    EVENTS,
    FIRST_CRITICAL,
    HUB,
    LEAST_PRODUCTION,
    MOST_OPS,
    NOBODY,
    RESOURCES,
    Decision,
    Op,
    Where,
    Who,
)


@rule
def reveal(s):
    """Turn over the top event (EX-6.1)."""
    s.events_n -= 1
    s.event = s.events[s.events_n]
    s.events[s.events_n] = NOBODY
    s.events_known = max(0, s.events_known - 1)
    s.seen |= bit(s.event)
    s.key, s.op_i, s.cancelled = NOBODY, 0, 0
    if s.event >= FIRST_CRITICAL:
        s.log.game.critical_events += 1
    else:
        s.log.game.normal_events += 1


@rule
def is_done(s, rules):
    """Return whether the event has no op left (EX-6.1); leave a finished list of the scenario."""
    if s.key != NOBODY and (s.key_i == MOST_OPS or rules.op_kind[EVENTS + s.key, s.key_i] == Op.none):
        s.key = NOBODY
    if s.key != NOBODY or s.cancelled:
        return s.cancelled != 0
    return s.op_i == MOST_OPS or rules.op_kind[s.event, s.op_i] == Op.none


@rule
def next_op(s, rules):
    """Carry out the next op of the event, or of the scenario's list that it refers to (EX-6.4)."""
    inside = s.key != NOBODY
    row = EVENTS + s.key if inside else int(s.event)
    op = int(s.key_i if inside else s.op_i)
    kind, what, amount = (
        int(rules.op_kind[row, op]),
        int(rules.op_what[row, op]),
        int(rules.op_amount[row, op]),
    )
    if (kind == Op.draw or kind == Op.discard) and not for_a_seat(s, kind, what, amount):
        return
    if inside:
        s.key_i += 1
    else:
        s.op_i += 1
    carry_out(s, rules, kind, what, amount, int(rules.op_where[row, op]))


@rule
def carry_out(s, rules, kind, what, amount, where):
    """Carry out an op on the base or the crew; cards were drawn and discarded before (EX-6.4)."""
    if kind == Op.supply:
        life.change_supply(s, what, amount)
        life.look_at_level(s, rules)
    elif kind == Op.loss:
        lose(s, rules, what, where)
    elif kind == Op.emergency:
        alarm(s, rules, where)
    elif kind == Op.health and rules.health:
        crew.fall_ill(s, s.active, what)
    elif kind == Op.pawns_home:
        s.pawn[:] = HUB
    elif kind == Op.scenario:
        s.key, s.key_i = what, 0
        s.log.game.scenario_of[what] += 1


@rule
def for_a_seat(s, kind, scope, amount):
    """Let the next seat draw or discard (EX-6.8); return True when all of them have."""
    if s.seats_asked == (s.seats if scope == Who.each else 1):
        s.seats_asked = 0
        return True
    seat = (s.active + s.seats_asked) % s.seats
    s.seats_asked += 1
    if kind == Op.draw:
        cards.draw_cards(s, seat, amount)
    elif s.hand[seat] != 0 and amount > 0:
        s.drawer, s.to_discard = seat, min(amount, bit_count(s.hand[seat]))
        s.seat, s.decision = seat, Decision.event_discard
    return False


@rule
def event_discard(s, card):
    """Discard a card for an event (EX-6.8)."""
    cards.discard(s, s.drawer, card)
    s.log.game.event_discards += 1
    s.log.seat[s.drawer].event_discards += 1
    s.to_discard -= 1
    if s.to_discard == 0:
        s.decision = Decision.none


@rule
def candidates(s, where):
    """Return the modules that an op may strike (EX-6.7)."""
    if where < RESOURCES:
        return int(s.coloured[where])
    if where < 2 * RESOURCES:
        slots = int(s.coloured[where - RESOURCES])
        return slots if slots != 0 else bit(HUB)
    if where == Where.hub:
        return bit(HUB)
    if where == Where.here:
        return bit(s.pawn[s.active])
    return all_slots(s) if where == Where.any else farthest(s, s.pawn[s.active])


@rule
def lose(s, rules, r, where):
    """Place a Loss token, unless there is no place, no token or no production to lose (EX-6.5)."""
    places = candidates(s, where)
    if places == 0 or s.loss_left[r] == 0 or s.production[r] == LEAST_PRODUCTION:
        s.log.game.loss_skipped += 1
    else:
        strike(s, rules, r, places)


@rule
def alarm(s, rules, where):
    """Place an Emergency token, unless there is no place or no token left (EX-6.6, EX-6.7)."""
    places = candidates(s, where)
    if places == 0 or s.emerg_left == 0:
        s.log.game.emergencies_skipped += 1
    else:
        strike(s, rules, EMERGENCY, places)


@rule
def strike(s, rules, token, places):
    """Let the active seat choose where a token is placed, if there is a choice."""
    if bit_count(places) == 1:
        tokens.place_token(s, rules, lowest_bit(places), token)
    else:
        s.strike, s.places = token, places
        s.seat, s.decision = s.active, Decision.event_place


@rule
def place(s, rules, slot):
    """Place the token on the chosen slot."""
    s.decision = Decision.none
    tokens.place_token(s, rules, slot, int(s.strike))
