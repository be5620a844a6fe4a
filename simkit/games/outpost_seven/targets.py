"""Outpost Seven: how much of the dealt cards a player is to keep (O7-2.9 to O7-2.12)."""

from simkit.games.outpost_seven.facts import Infeasible, Redraw
from simkit.games.outpost_seven.subsets import ONE_CARD, TOTAL_BITS, pack_all, subset_of
from simkit.jit import rule


@rule
def total_target(s, rules, seat):
    """The total that the seat is to keep, lowered by a mulligan (O7-2.9, O7-2.12)."""
    target = int(rules.start_total_first if seat == s.first else rules.start_total_second)
    if s.mulliganed[seat] == Redraw.yes:
        return max(0, target - int(rules.mulligan_cost))
    return target


@rule
def count_target(s, rules, seat):
    """Cards that the seat keeps with keep_count and deal_count; a mulligan costs none of them (O7-2.11)."""
    count = int(rules.start_count_first if seat == s.first else rules.start_count_second)
    return min(count, int(s.dealt_n[seat]), int(rules.hand_limit))


@rule
def nearest_total(s, rules, seat, target):
    """The reachable total nearest to the target: from below, or with `closest` the lower on ties (O7-2.10)."""
    packed = pack_all(rules, s.dealt[seat])
    best = 0
    above = rules.start_infeasible == Infeasible.closest
    for mask in range(1 << int(s.dealt_n[seat])):
        subset = subset_of(packed, mask)
        total = subset & TOTAL_BITS
        if subset >= (rules.hand_limit + 1) * ONE_CARD or (total > target and not above):
            continue
        if total == target:
            return target
        nearer = abs(total - target) - abs(best - target)
        if nearer < 0 or (nearer == 0 and total < best):
            best = total
    return best
