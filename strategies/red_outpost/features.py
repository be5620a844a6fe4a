"""Features of a MOVE (RO-15), and sets to complete.

The results of a visit are read from the log of the position after the MOVE, which starts at zero.
"""

from simkit.engine.compile.jit import rule
from simkit.games.red_outpost.facts import NOBODY, RESOURCES, Location, Phase
from simkit.games.red_outpost.goods import export_worth
from simkit.games.red_outpost.options import Pass
from simkit.games.red_outpost.turns import seat_of_turn, turns_of_phase

from .whatif import LEAST, try_out


@rule
def cubes(after):
    """Return prod: cubes produced; the Lake counts one."""
    return after.log.seat[after.seat].cubes_produced + (after.cur_loc == Location.lake)


@rule
def wheel_vp(after):
    """Return wvp: victory points from the wheel."""
    return after.log.seat[after.seat].vp_wheel


@rule
def export_vp(after):
    """Return xvp: victory points from exports."""
    return after.log.seat[after.seat].vp_export


@rule
def mood_change(view, after):
    """Return dm: steps of the visitor's mood."""
    return after.mood[after.cur_w] - view.mood[after.cur_w]


@rule
def pairs(s, rules):
    """Return the number of types of which one more cube completes a set."""
    count = 0
    for resource in range(RESOURCES):
        count += lacks_one(s, rules, resource)
    return count


@rule
def lacks_one(s, rules, resource):
    """Return whether one more cube of a type completes a set."""
    return s.store[resource] == rules.export_threshold - 1


@rule
def others_follow(s, rules, copy):
    """Return others: whether the next turn is another seat's, no turn after the last (RO-3.2, RO-3.3)."""
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
    """Return whether an action is among the legal ones."""
    for i in range(legal.size):
        if legal[i] == action:
            return True
    return False


@rule
def completes(s, rules, legal, first):
    """Return the legal action `first` + type that completes the set of the highest value, -1 for none."""
    best, most = NOBODY, LEAST
    for resource in range(RESOURCES):
        worth = export_worth(s, rules, resource)
        if worth > most and lacks_one(s, rules, resource) and is_legal(legal, first + resource):
            best, most = first + resource, worth
    return best
