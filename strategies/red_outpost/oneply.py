"""Players of Red Outpost who look one decision ahead: the choice after which M is highest (RO-12.2).

`one_ply` makes every decision of such a player out of what it looks at, ties to the lowest id.
"""

from functools import cache

import numpy as np

from simkit.games.red_outpost.facts import LOCATIONS, WORKERS, Decision, Location, Worker
from simkit.games.red_outpost.locations import make
from simkit.games.red_outpost.scoring import mood_worth
from simkit.jit import rule

from .answers import answering
from .values import Measure, staking, step_worth, totalling, worth_at
from .whatif import try_out

PRODUCERS = (Location.pasture.value, Location.farm.value, Location.mine.value, Location.labor_camp.value)


def one_ply(measure=Measure()):  # noqa: B008
    """Every decision of a player who takes what is best by a measure now."""
    weigh_moves, answers, outlook = weighing(measure), answering(measure), measure.outlook

    def decide(view, rules, legal, w, scratch):
        mind = outlook(view, rules, w)
        if view.decision != Decision.move:
            return answers(view, rules, legal, mind, w, scratch[0])
        scores = np.empty(legal.size, np.int64)
        weigh_moves(view, rules, legal, mind, w, scratch[0], scores)
        return legal[np.argmax(scores)]

    return decide


@cache
def weighing(measure):
    """The function that says M after each MOVE, with its bonus: only what a move changes is reckoned anew."""
    counts, bonus, stake, total = measure.counts, measure.bonus, staking(measure), totalling(measure)
    made = making(measure)

    @rule(allocates=True)
    def weigh_moves(view, rules, legal, mind, w, copy, scores):
        stakes, raised = np.empty(WORKERS, np.int64), np.empty(WORKERS, np.int64)
        products = np.zeros(LOCATIONS, np.int64)
        before, mine = total(view, rules, mind, w), counts(view, view.seat, mind, w)
        raise_stakes(view, mind, w, copy, stakes, raised)
        for location in PRODUCERS:
            products[location] = made(view, rules, Worker.shepherd, location, mind, w, copy)
        for i in range(legal.size):
            worker, location = legal[i] // LOCATIONS, legal[i] % LOCATIONS
            gain = products[location]
            if is_specialist(worker, location):
                gain = made(view, rules, worker, location, mind, w, copy)
            gain += bonus(view, rules, worker, location, mind, w)
            mood = view.mood[worker] + rules.visit_mood[location, worker]
            score = before + mine * gain - stakes[worker] * int(mood_worth(view, rules, worker))
            scores[i] = score + raised[worker] * worth_at(rules, mood)
            host = rules.host[location]
            if host >= 0 and host != worker:
                scores[i] += stakes[host] * step_worth(view, rules, host, rules.host_mood[location])

    @rule
    def raise_stakes(view, mind, w, copy, stakes, raised):
        """The stakes in all workers' moods, now and with a disk of the seat to decide."""
        try_out(copy, view)
        disks = min(1, copy.reserve[copy.seat])
        for worker in range(WORKERS):
            stakes[worker] = stake(copy, worker, mind, w)
            copy.infl[copy.seat, worker] += disks
            raised[worker] = stake(copy, worker, mind, w)
            copy.infl[copy.seat, worker] -= disks

    return weigh_moves


@rule
def is_specialist(worker, location):
    """Whether a visit makes what it does not make with another worker (RO-5.6, RO-5.8)."""
    if location == Location.mine:
        return worker == Worker.miner
    return location == Location.administration and worker == Worker.bureaucrat


@cache
def making(measure):
    """The function that says what the production of a visit is worth, in V."""
    goods, more = measure.goods, measure.more

    @rule
    def made(view, rules, worker, location, mind, w, copy):
        try_out(copy, view)
        copy.cur_w, copy.cur_loc = worker, location
        make(copy, rules)
        gained = goods(copy, rules, view.seat, mind, w) - goods(view, rules, view.seat, mind, w)
        return gained + more(copy)

    return made


@rule
def is_among_best(scores, i, few):
    """Whether a score is one of the best few, the first among equals."""
    better = 0
    for other in range(scores.size):
        better += scores[other] > scores[i] or (scores[other] == scores[i] and other < i)
    return better < few
