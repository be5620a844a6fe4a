"""Players of Lunar Outpost that try every purchase and take the best one (LO-19, planner)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import strategy, workspace
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import DONE, NOBODY, Phase

from .answers import answers, is_placing
from .closing import best_points
from .features import is_last_turn
from .outlook import OUTLOOK, tile_worth
from .place import placing
from .whatif import best_purchase, best_source, discloses_best, finds_target

planned_places = placing(tile_worth, needs_adjacent=True)
OWN = workspace(allowed=(int, game.max_actions))  # ids of SPEND
PATIENT = OUTLOOK | {
    "cubes": OUTLOOK["cubes"]._replace(default=2.0),
    "room": OUTLOOK["room"]._replace(default=1),
}


@rule
def buys(view, rules, legal, w, copy, work):
    """Decide SPEND: in the last turn the most points, before it the purchase of the best outlook."""
    allowed, n = OWN(work).allowed, 0
    for i in range(legal.size):
        allowed[n] = legal[i]
        n += legal[i] != w.without or legal[i] == DONE
    if is_last_turn(view):
        return best_points(view, rules, allowed[:n])
    return best_purchase(copy, view, rules, allowed[:n], w)


@rule
def plans(view, rules, legal, w, copy, work):
    """Decide everything as the planner does."""
    phase = view.phase
    if phase == Phase.spend:
        return buys(view, rules, legal, w, copy, work)
    if phase == Phase.target:
        return finds_target(copy, view, rules, w)
    if phase == Phase.reloc_src:
        return best_source(copy, view, rules, NOBODY, w)[0]
    if phase == Phase.intel:
        return discloses_best(copy, view, rules, w)
    if is_placing(phase):
        return planned_places(view, rules, legal, w)
    return answers(view, rules, legal, False)


@strategy(game, allocates=False, plays_on=True, **OUTLOOK)
def planner(view, rules, legal, w, scratch, work):
    """Try every purchase and take what leaves points, income and cubes best (LO-19)."""
    return plans(view, rules, legal, w, scratch[0], work)


@strategy(game, allocates=False, **PATIENT)
def patient_planner(view, rules, legal, w, scratch, work):
    """The planner, but cubes are worth what they may buy later, as long as there is room for more."""
    return plans(view, rules, legal, w, scratch[0], work)
