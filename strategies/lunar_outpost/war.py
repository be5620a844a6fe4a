"""War in Lunar Outpost: distances, recruits, victims and steps of the reference player (LO-19)."""

from simkit.engine.compile.jit import bit, rule
from simkit.games.lunar_outpost.conflicts import total_defence
from simkit.games.lunar_outpost.facts import EDGE, ENOUGH, NOBODY, Mod
from simkit.games.lunar_outpost.hexes import of_others

from .features import enemy_distance, next_to

RAZE, APPROACH, STAY = 100, 10, -1


@rule
def nearer(s, goals, t):
    """Return the tiles that are fewer steps from the nearest of some goals than a tile."""
    seen, before = goals, 0
    while seen & bit(t) == 0 and seen != before:
        before = seen
        seen |= next_to(s, seen, s.mod[Mod.move_rough])
    return before


@rule
def muster(s, legal):
    """Decide TARGET of a recruit: the barracks with the smallest enemy distance."""
    best, least = NOBODY, 0
    for i in range(legal.size):
        steps = enemy_distance(s, s.seat, legal[i])
        if best == NOBODY or steps < least:
            best, least = legal[i], steps
    return best


@rule
def victim(s, legal):
    """Decide REMOVE: the opponent with most troops on the tile."""
    best = legal[0]
    for i in range(1, legal.size):
        if s.troops[s.ctile, legal[i]] > s.troops[s.ctile, best]:
            best = legal[i]
    return best


@rule
def can_take(s, rules, t, u):
    """Return whether the troops on a tile and those that may still come match its defence."""
    return s.troops[u, s.seat] + s.unmoved[t] >= total_defence(s, rules, u)


@rule
def step_worth(s, rules, t, u, towards):
    """Return the value of a step of a troop at MOVE; `towards` are the tiles nearer to the goal."""
    enemies = of_others(s, s.own, s.seat)
    if enemies & bit(u):
        return RAZE + rules.vp[s.btype[u]] if can_take(s, rules, t, u) else STAY
    if (of_others(s, s.manned, s.seat) & bit(u)) | (enemies & bit(t)):
        return STAY
    return APPROACH if towards & bit(u) else STAY


@rule
def moves(view, rules, legal):
    """Decide MOVE: raze what can be razed, else approach the next building of another player, else done."""
    best, most = ENOUGH, 0
    goals, source, towards = of_others(view, view.own, view.seat), NOBODY, 0
    for i in range(legal.size - 1):
        t = EDGE.tile(legal[i])
        if t != source:
            source, towards = t, nearer(view, goals, t)
        worth = step_worth(view, rules, t, view.nb[t, EDGE.direction(legal[i])], towards)
        if worth > most:
            best, most = legal[i], worth
    return best
