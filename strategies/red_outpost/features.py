"""Features of a MOVE (RO-15), and what sets there are to complete.

What a visit makes is read off the log of the position after the MOVE, which begins at zero.
"""

from simkit.engine.compile.jit import rule
from simkit.games.red_outpost.facts import NOBODY, RESOURCES, Location, Phase
from simkit.games.red_outpost.goods import export_worth
from simkit.games.red_outpost.options import Pass
from simkit.games.red_outpost.turns import seat_of_turn, turns_of_phase

from .whatif import LEAST, try_out


@rule
def cubes(after):
    """prod: cubes produced; the Lake counts one."""
    return after.log.seat[after.seat].cubes_produced + (after.cur_loc == Location.lake)


@rule
def wheel_vp(after):
    """wvp: victory points from the wheel."""
    return after.log.seat[after.seat].vp_wheel


@rule
def export_vp(after):
    """xvp: victory points from exports."""
    return after.log.seat[after.seat].vp_export


@rule
def mood_change(view, after):
    """dm: steps of the visitor's mood."""
    return after.mood[after.cur_w] - view.mood[after.cur_w]


@rule
def pairs(s, rules):
    """Types of which one cube more completes a set."""
    found = 0
    for resource in range(RESOURCES):
        found += lacks_one(s, rules, resource)
    return found


@rule
def lacks_one(s, rules, resource):
    """Whether one cube more of a type completes a set."""
    return s.store[resource] == rules.export_threshold - 1


@rule
def others_follow(s, rules, copy):
    """others: whether the next turn is another seat's; after the last there is none (RO-3.2, RO-3.3)."""
    try_out(copy, s)
    copy.turn_no += 1
    if copy.turn_no < turns_of_phase(copy, rules):
        return seat_of_turn(copy, rules) != s.seat
    evening = s.phase == Phase.evening
    if evening and s.round_no == rules.rounds - 1:
        return False
    passes = rules.first_player_pass == Pass.phase or (evening and rules.first_player_pass == Pass.round)
    return (s.token + passes) % s.seats != s.seat


@rule
def is_legal(legal, action):
    """Whether an action is among the legal ones."""
    for i in range(legal.size):
        if legal[i] == action:
            return True
    return False


@rule
def completes(s, rules, legal, first):
    """The legal action `first` + type that completes the set of the highest value; -1 none."""
    best, most = NOBODY, LEAST
    for resource in range(RESOURCES):
        worth = export_worth(s, rules, resource)
        if worth > most and lacks_one(s, rules, resource) and is_legal(legal, first + resource):
            best, most = first + resource, worth
    return best
