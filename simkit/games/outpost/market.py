"""Outpost: the supply of upgrades and the refilling of the market (OP-2.4, OP-2.5, OP-3.6 to OP-3.9)."""

from simkit.chance import below
from simkit.games.outpost.facts import ORDINARY, TYPES, Supply
from simkit.jit import rule

FEWEST_PAIRS, MOST_PAIRS = 4, 10  # types with two copies in the Expert game of two (OP-2.5)


@rule
def fill_supply(s, rules, rng):
    """Copies of each upgrade (OP-2.4, OP-2.5)."""
    if rules.supply_rule == Supply.players_minus_1:
        for t in range(TYPES):
            s.supply[t] = min(int(s.seats) - 1, 7)
    elif s.seats == 2:
        draw_supply_of_two(s, rng)
    else:
        for t in range(TYPES):
            s.supply[t] = rules.chart_first_ten[s.seats] if t < ORDINARY else rules.chart_last_three[s.seats]
    for t in range(TYPES):
        s.supply[t] = min(max(int(s.supply[t]) + int(rules.supply_delta), 0), 7)
        s.supply_start[t] = s.supply[t]


@rule
def draw_supply_of_two(s, rng):
    """One or two copies of each type, until 4 to 10 types have two (OP-2.5)."""
    pairs = 0
    while pairs < FEWEST_PAIRS or pairs > MOST_PAIRS:
        pairs = 0
        for t in range(TYPES):
            s.supply[t] = 1 + below(rng.supply, 2)
            pairs += int(s.supply[t]) - 1


@rule
def places(s, rules):
    """Cards that the market should hold (OP-3.6)."""
    return max(1, int(s.seats) + int(rules.market_size_delta))


@rule
def duplicate_limit(s, rules):
    """Most copies of a type on the market (OP-3.8)."""
    return max(1, int(s.seats) // 2 + int(rules.duplicate_limit_delta))


@rule
def market_size(s):
    """Cards on the market."""
    total = 0
    for t in range(TYPES):
        total += int(s.market[t])
    return total


@rule
def lowest_face(s):
    """The die of the phase: faces 1-4, 1-10 or 2-13 (OP-3.6)."""
    return 2 if s.phase == 3 else 1


@rule
def highest_face(s):
    return 4 if s.phase == 1 else 10 if s.phase == 2 else 13


@rule
def found_by(s, rules, face):
    """The upgrade that a face of the die leads to, -1 = roll again (OP-3.7, OP-3.8)."""
    t = face - 1
    while t >= 0 and s.supply[t] == 0:
        t -= 1
    if t >= 0 and s.market[t] >= duplicate_limit(s, rules):
        return -1
    return t


@rule
def some_face_succeeds(s, rules):
    """Whether rolling can end at all (OP-3.8)."""
    for face in range(lowest_face(s), highest_face(s) + 1):
        if found_by(s, rules, face) >= 0:
            return True
    return False


@rule
def refill(s, rules, rng):
    """Roll for cards until the market is full, or no face leads to a card (OP-3.6 to OP-3.9)."""
    missing = places(s, rules) - market_size(s)
    s.force_phase = rules.phase_auto_advance and s.phase < 3 and market_size(s) == 0 and is_exhausted(s)
    while missing > 0 and some_face_succeeds(s, rules):
        roll_for_card(s, rules, rng)
        missing -= 1
    s.log.game.slots_left_empty += max(0, missing)


@rule
def is_exhausted(s):
    """Whether the supply of all types of the phase is empty (OP-3.9)."""
    for t in range(highest_face(s)):
        if s.supply[t] > 0:
            return False
    return True


@rule
def roll_for_card(s, rules, rng):
    """Roll until a face leads to a card; one does."""
    t = -1
    while t < 0:
        low = lowest_face(s)
        t = found_by(s, rules, low + below(rng.die, highest_face(s) - low + 1))
        s.log.game.die_rolls += 1
        s.log.game.die_rerolls += t < 0
    s.supply[t] -= 1
    s.market[t] += 1
