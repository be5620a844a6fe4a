"""Outpost: the refilling of the market (OP-3.6 to OP-3.9)."""

from simkit.chance import below
from simkit.games.outpost.holdings import total
from simkit.jit import rule

FIRST_FACE = (1, 1, 2)  # of the die of phase 1, 2, 3 (OP-3.6)
LAST_FACE = (4, 10, 13)


@rule
def found_by(s, rules, face):
    """The upgrade that a face of the die leads to, -1 = roll again (OP-3.7, OP-3.8)."""
    t = face - 1
    while t >= 0 and s.supply[t] == 0:
        t -= 1
    most_copies = max(1, s.seats // 2 + rules.duplicate_limit_delta)
    return -1 if t >= 0 and s.market[t] >= most_copies else t


@rule
def some_face_succeeds(s, rules):
    """Whether rolling can end at all (OP-3.8)."""
    for face in range(FIRST_FACE[s.phase - 1], LAST_FACE[s.phase - 1] + 1):
        if found_by(s, rules, face) >= 0:
            return True
    return False


@rule
def refill(s, rules, rng):
    """Roll for cards until the market is full, or no face leads to a card (OP-3.6 to OP-3.9)."""
    on_market, in_supply = total(s.market), total(s.supply[: LAST_FACE[s.phase - 1]])
    s.force_phase = rules.phase_auto_advance and s.phase < 3 and on_market == 0 and in_supply == 0
    missing = max(1, s.seats + rules.market_size_delta) - on_market
    while missing > 0 and some_face_succeeds(s, rules):
        roll_for_card(s, rules, rng)
        missing -= 1
    s.log.game.slots_left_empty += max(0, missing)


@rule
def roll_for_card(s, rules, rng):
    """Roll until a face leads to a card; one does."""
    first, faces = FIRST_FACE[s.phase - 1], LAST_FACE[s.phase - 1] - FIRST_FACE[s.phase - 1] + 1
    t = -1
    while t < 0:
        t = found_by(s, rules, first + below(rng.die, faces))
        s.log.game.die_rolls += 1
        s.log.game.die_rerolls += t < 0
    s.supply[t] -= 1
    s.market[t] += 1
