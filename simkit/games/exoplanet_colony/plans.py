"""Exoplanet Colony: plans and the windows in which they are played (EX-4.12)."""

from simkit.engine.compile.jit import bit, rule
from simkit.games.exoplanet_colony.cards import discard
from simkit.games.exoplanet_colony.facts import (
    FIRST_PLAN,
    MOST_KNOWN,
    NOBODY,
    ORDERS,
    PLAN_SET,
    Decision,
    Plan,
    Stage,
)


@rule
def usable_plans(s, seat):
    """Return the plans of a hand that are legal now: in a window, or in the Actions step."""
    held = int(s.hand[seat]) & PLAN_SET
    if held == 0:
        return 0
    if s.stage == Stage.event:
        return held & bit(Plan.contingency)
    usable = 0
    if s.slots > 1:
        usable |= bit(Plan.evacuation)
    if s.events_n > 1:
        usable |= bit(Plan.forecast)
    if s.stage == Stage.update:
        usable |= bit(Plan.rationing)
    return held & usable


@rule
def ask_window(s, rules, first):
    """Ask the next seat that may play a plan, `first` seats after the active one; return whether one may."""
    last = int(s.seats) if rules.offturn_plans else 1
    for offset in range(max(int(s.seats_asked), first), last):
        seat = s.active + offset
        seat -= s.seats * (seat >= s.seats)  # a division would take longer than all else here
        if usable_plans(s, seat) != 0:
            s.seats_asked, s.seat, s.decision = offset, seat, Decision.plan_window
            return True
    s.seats_asked = max(int(s.seats_asked), first, last)
    return False


@rule
def play_plan(s, card):
    """Play a plan; its target is chosen before it is discarded."""
    s.card = card
    s.log.game.plans += 1
    s.log.game.plan_of[card - FIRST_PLAN] += 1
    s.log.game.plans_offturn += s.seat != s.active
    s.log.seat[s.seat].plans += 1
    if card == Plan.evacuation:
        s.decision = Decision.plan_seat
    elif card == Plan.forecast:
        s.events_known = max(s.events_known, looked_at(s))
        s.decision = Decision.plan_perm
    elif card == Plan.rationing:
        s.skip_update = 1
        lay_down(s)
    else:
        s.cancelled = 1
        s.log.game.events_cancelled += 1
        lay_down(s)


@rule
def lay_down(s):
    """Discard the plan that was played."""
    discard(s, s.seat, s.card)
    s.decision = Decision.none


@rule
def evacuate(s, slot):
    """Move a pawn to any other module."""
    s.pawn[s.partner] = slot
    lay_down(s)


@rule
def looked_at(s):
    """Return the number of event cards that a Forecast shows."""
    return min(MOST_KNOWN, s.events_n)


@rule
def reorder(s, order):
    """Put the shown events back: entry j of the order is the j-th next event (EX-11.1)."""
    n, top = looked_at(s), s.events_n - 1
    first, second = s.events[top], s.events[top - 1]
    third = s.events[top - 2] if n > 2 else NOBODY
    for j in range(n):
        which = ORDERS[order][j] if n > 2 else (j + order) % n
        s.events[top - j] = first if which == 0 else second if which == 1 else third
    lay_down(s)
