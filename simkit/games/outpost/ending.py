"""Outpost: the end of the game, and what is known of it only then (OP-7, OP-15.1)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import end
from simkit.games.outpost.facts import TYPES, Decision
from simkit.games.outpost.holdings import cost_sum
from simkit.games.outpost.options import Tiebreak


@rule
def top_score(s):
    """Return the highest score."""
    top = s.score[0]
    for seat in range(1, s.seats):
        top = max(top, s.score[seat])
    return top


@rule
def finish(s, rules, reason):
    """Rank by victory points, then by the tie-break; remaining ties are shared (OP-7.2, OP-7.3)."""
    first = second = -1
    for seat in range(s.seats):
        ahead = 0
        for other in range(s.seats):
            tied = s.score[other] == s.score[seat] and tiebreak(s, rules, other) > tiebreak(s, rules, seat)
            ahead += tied or s.score[other] > s.score[seat]
        s.rank[seat] = 1 + ahead
        first, second = max(first, s.score[seat]), max(second, min(first, s.score[seat]))
    s.log.game.margin = first - second
    log_end(s)
    s.decision = Decision.none
    end(s, reason)


@rule
def tiebreak(s, rules, seat):
    """Return the value that decides among equal victory points (OP-7.3)."""
    if rules.victory_tiebreak == Tiebreak.upgrade_cost:
        return cost_sum(s, rules, seat)
    return s.wealth[seat] if rules.victory_tiebreak == Tiebreak.hand_value else 0


@rule
def log_end(s):
    """Log holdings, changes between sole leaders, and whether a winner led at half time (OP-15.1)."""
    last, log = 0, s.log.game
    for turn in range(1, s.turn + 1):
        leaders = s.leaders[turn]
        if leaders & (leaders - 1) == 0:
            log.leader_changes += last != 0 and leaders != last
            last = leaders
    half = s.leaders[(s.turn - 1) // 2 + 1]
    for seat in range(s.seats):
        if s.rank[seat] == 1 and half >> seat & 1:
            log.winner_led_at_half = 1
        own = s.log.seat[seat]
        for t in range(TYPES):
            own.owned[t] = s.upgrades[seat, t]
        own.upgrades, own.factories = s.upgrades[seat].sum(), s.factories[seat].sum()
        own.population, own.robots = s.population[seat], s.robots[seat]
