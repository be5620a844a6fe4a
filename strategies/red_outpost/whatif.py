"""Simulation of choices: certain effects of a MOVE, the best of several actions (RO-12.2)."""

from simkit.engine.compile.jit import clone_before, rule, wipe
from simkit.games.red_outpost.facts import Disk
from simkit.games.red_outpost.locations import make
from simkit.games.red_outpost.moods import visit_mood
from simkit.games.red_outpost.moves import move, place_disk

LEAST = -(1 << 60)  # less than any worth


@rule
def try_out(copy, view):
    """Make a copy of the view for trials, with an empty log."""
    clone_before(copy, view, "log")
    wipe(copy.log)


@rule
def carry_out(s, rules, action):
    """Carry out move, disk, printed mood and production of the normal action, without cards (RO-12.2)."""
    move(s, action)
    place_disk(s, Disk.normal.value)
    visit_mood(s, rules)
    make(s, rules)


@rule
def try_move(copy, view, rules, action):
    """Copy the view and carry out the certain effects of a MOVE."""
    try_out(copy, view)
    carry_out(copy, rules, action)


def choosing(score):
    """Return the rule that takes the action of the highest score, the first among equals.

    The score is score(view, rules, action, mind, w, copy).
    """

    @rule
    def choose(view, rules, legal, mind, w, copy):
        best, most = legal[0], LEAST
        for i in range(legal.size):
            worth = score(view, rules, legal[i], mind, w, copy)
            if worth > most:
                best, most = legal[i], worth
        return best

    return choose
