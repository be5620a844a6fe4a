"""Lunar Outpost: troops on the map: recruits, losses, steps (LO-1.8, LO-10)."""

from simkit.engine.compile.jit import bit, lowest_bit, rule
from simkit.engine.rule_helpers import add
from simkit.games.lunar_outpost.facts import DIRECTIONS, EDGE, ENOUGH, NOBODY, Mod, Phase


@rule
def place_troops(s, seat, t, n):
    """Move figures from the supply onto a tile."""
    if n > 0:
        s.figures[seat] -= n
        s.troops[t, seat] += n
        s.manned[seat] |= bit(t)


@rule
def lose_troops(s, seat, t, n):
    """Return troops from a tile to the supply (LO-5.8)."""
    s.figures[seat] += n
    s.troops[t, seat] -= n
    if s.troops[t, seat] == 0:
        s.manned[seat] &= ~bit(t)
    s.log.seat[seat].troops_lost += n


@rule
def begin_moving(s):
    """Allow all troops of the active seat to step (LO-10.1)."""
    s.phase = Phase.move.value
    s.unmoved[:] = 0
    left = int(s.manned[s.active])
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        s.unmoved[t] = s.troops[t, s.active]


@rule
def steps_from(s, t):
    """Return the tiles to which a troop on a tile can step (LO-10.1)."""
    if s.mod[Mod.no_move]:
        return 0
    return int(s.near[t] if s.mod[Mod.move_rough] else s.link[t])


@rule
def legal_move(s, out):
    """Write every step of a troop that has not moved, then done (LO-10.1, LO-15)."""
    n, left = 0, int(s.manned[s.active])
    while left != 0:
        t = lowest_bit(left)
        left &= left - 1
        reach = steps_from(s, t) if s.unmoved[t] > 0 else 0
        for d in range(DIRECTIONS):
            u = s.nb[t, d]
            if u != NOBODY and reach & bit(u):
                n = add(out, n, EDGE.pack(t, d))
    return add(out, n, ENOUGH)


@rule
def step(s, action):
    """Move one troop to a neighbour, once per turn (LO-10.1)."""
    seat, t = s.active, EDGE.tile(action)
    u = s.nb[t, EDGE.direction(action)]
    s.unmoved[t] -= 1
    s.troops[t, seat] -= 1
    s.troops[u, seat] += 1
    s.manned[seat] |= bit(u)
    if s.troops[t, seat] == 0:
        s.manned[seat] &= ~bit(t)
    s.log.game.moves += 1
