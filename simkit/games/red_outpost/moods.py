"""Red Outpost: effects of visits and swaps on moods (RO-4.4, RO-4.7)."""

from simkit.engine.compile.jit import rule
from simkit.games.red_outpost.facts import NOBODY


@rule
def shift_mood(s, rules, worker, steps):
    """Move a marker step by step; it stops at the ends of the track (RO-4.7)."""
    place = min(max(s.mood[worker] + steps, 0), rules.mood_spaces - 1)
    done, log = place - s.mood[worker], s.log.game
    s.mood[worker] = place
    log.mood_up += max(done, 0)
    log.mood_down += max(-done, 0)
    log.mood_clamped += abs(steps) - abs(done)


@rule
def swap_mood(s, rules, gains, loses):
    """Raise one worker's mood by a step, then lower another's (RO-5.4, RO-5.5)."""
    shift_mood(s, rules, gains, 1)
    shift_mood(s, rules, loses, -1)


@rule
def visit_mood(s, rules):
    """Apply the printed changes for the visitor and for the worker concerned (RO-4.4, RO-6.11)."""
    worker, location = s.cur_w, s.cur_loc
    if not s.forgone:
        shift_mood(s, rules, worker, rules.visit_mood[location, worker])
    host = rules.host[location]
    if host != NOBODY and host != worker:
        shift_mood(s, rules, host, rules.host_mood[location])
