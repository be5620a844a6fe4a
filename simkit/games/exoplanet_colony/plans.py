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
    """Plans of a hand that are legal at this moment: in a window, or in the Actions step."""
    held = int(s.hand[seat]) & PLAN_SET
    if held == 0:
        return 0
    if s.stage == Stage.event:
        return held & bit(Plan.contingency)
    found = 0
    if s.slots > 1:
        found |= bit(Plan.evacuation)
    if s.events_n > 1:
        found |= bit(Plan.forecast)
    if s.stage == Stage.update:
        found |= bit(Plan.rationing)
    return held & found


@rule
def ask_window(s, rules, first):
    """Ask the next seat that may play a plan, from the active one or the next on; whether there is one."""
    last = int(s.seats) if rules.offturn_plans else 1
    for asked in range(max(int(s.asked), first), last):
        seat = s.active + asked
        seat -= s.seats * (seat >= s.seats)  # a division would take longer than all else here
        if usable_plans(s, seat) != 0:
            s.asked, s.seat, s.decision = asked, seat, Decision.plan_window
            return True
    s.asked = max(int(s.asked), first, last)
    return False


@rule
def play_plan(s, card):
    """A plan is played; what it acts on is chosen before it is discarded."""
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
    """A plan is discarded and done."""
    discard(s, s.seat, s.card)
    s.decision = Decision.none


@rule
def evacuate(s, slot):
    """A pawn moves to any other module."""
    s.pawn[s.partner] = slot
    lay_down(s)


@rule
def looked_at(s):
    """Event cards that a Forecast looks at."""
    return min(MOST_KNOWN, s.events_n)


@rule
def reorder(s, order):
    """The events looked at are put back: entry j is which of them comes as the j-th next one (EX-11.1)."""
    n, top = looked_at(s), s.events_n - 1
    first, second = s.events[top], s.events[top - 1]
    third = s.events[top - 2] if n > 2 else NOBODY
    for j in range(n):
        which = ORDERS[order][j] if n > 2 else (j + order) % n
        s.events[top - j] = first if which == 0 else second if which == 1 else third
    lay_down(s)
