"""Players of Red Outpost that look one decision ahead: the choice after which M is highest (RO-12.2).

`one_ply` makes every decision of such a player from its measure, ties to the lowest id.
"""

from functools import cache

import numpy as np

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import workspace
from simkit.games.red_outpost.facts import LOCATIONS, MOVE, NOBODY, Decision, Location, Worker
from simkit.games.red_outpost.locations import make
from simkit.games.red_outpost.scoring import mood_worth

from .answers import answering
from .values import Measure, staking, step_worth, worth_at
from .whatif import try_out

UNKNOWN = 1 << 60
OWN = workspace(  # shared by all players
    scores=(int, MOVE.stop),  # of moves
    first=(int, MOVE.stop),  # scores of the own moves, of players that simulate the others' moves
    ids=(int, MOVE.stop),  # legal actions of the others
    produced=(int, LOCATIONS),  # what a visit produces, in V
    hosts=(int, LOCATIONS),  # what the host's change of mood adds to M
    stream=(np.uint64, 1),  # luck of simulated games
)


def one_ply(measure=Measure()):  # noqa: B008
    """Return the function for every decision of a player that takes what is best by a measure now."""
    weigh_moves, answers, outlook = weighing(measure), answering(measure), measure.outlook

    def decide(view, rules, legal, w, scratch, work):
        mind = outlook(view, rules, w)
        if view.decision != Decision.move:
            return answers(view, rules, legal, mind, w, scratch[0])
        scores = OWN(work).scores[: legal.size]
        weigh_moves(view, rules, legal, mind, w, scratch[0], work, scores)
        return legal[np.argmax(scores)]

    return decide


@cache
def weighing(measure):
    """Return the rule that fills in what each MOVE adds to M, with its bonus.

    Only what a move changes is computed, once for all moves that change it alike.
    """
    counts, bonus, goods = measure.counts, measure.bonus, measure.goods
    stake, production_worth = staking(measure), making(measure)

    @rule
    def weigh_moves(view, rules, legal, mind, w, copy, work, scores):
        own, moved, mood, raised = OWN(work), NOBODY, 0, 0
        own.produced[:] = own.hosts[:] = UNKNOWN
        mine, before = counts(view, view.seat, mind, w), goods(view, rules, view.seat, mind, w)
        disks = min(1, view.reserve[view.seat])
        for i in range(legal.size):
            worker, location = MOVE.worker(legal[i]), MOVE.location(legal[i])
            if worker != moved:
                moved = worker
                mood = stake(view, worker, 0, mind, w) * int(mood_worth(view, rules, worker))
                raised = stake(view, worker, disks, mind, w)
            if is_specialist(worker, location):
                gain = production_worth(view, rules, worker, location, mind, w, copy, before)
            else:
                if own.produced[location] == UNKNOWN:
                    own.produced[location] = usual_production(view, rules, location, mind, w, copy, before)
                gain = own.produced[location]
            gain += bonus(view, rules, worker, location, mind, w)
            place = view.mood[worker] + rules.visit_mood[location, worker]
            scores[i] = mine * gain - mood + raised * worth_at(rules, place)
            host = rules.host[location]
            if host >= 0 and host != worker:
                if own.hosts[location] == UNKNOWN:
                    step = step_worth(view, rules, host, rules.host_mood[location])
                    own.hosts[location] = stake(view, host, 0, mind, w) * step
                scores[i] += own.hosts[location]

    @rule
    def usual_production(view, rules, location, mind, w, copy, before):
        """Return what a visit produces with any worker who is no specialist, in V."""
        if not PRODUCES >> location & 1:
            return 0
        return production_worth(view, rules, Worker.shepherd, location, mind, w, copy, before)

    return weigh_moves


PRODUCES = 1 << Location.pasture | 1 << Location.farm | 1 << Location.mine | 1 << Location.labor_camp  # bit L


@rule
def is_specialist(worker, location):
    """Return whether a visit produces something that it does not with other workers (RO-5.6, RO-5.8)."""
    if location == Location.mine:
        return worker == Worker.miner
    return location == Location.administration and worker == Worker.bureaucrat


@cache
def making(measure):
    """Return the rule for what the production of a visit adds to the goods `before`, in V."""
    goods, more = measure.goods, measure.more

    @rule
    def production_worth(view, rules, worker, location, mind, w, copy, before):
        try_out(copy, view)
        copy.cur_w, copy.cur_loc = worker, location
        make(copy, rules)
        return goods(copy, rules, view.seat, mind, w) - before + more(copy)

    return production_worth


@rule
def is_among_best(scores, i, count):
    """Return whether a score is one of the `count` best, the first among equals."""
    better = 0
    for other in range(scores.size):
        better += scores[other] > scores[i] or (scores[other] == scores[i] and other < i)
    return better < count
