"""Search for every game: plays on from each candidate many times and takes the best."""

import numpy as np

from simkit.engine.compile.jit import clone, rule, view_as
from simkit.engine.kernel import WORK
from simkit.engine.playout import (
    MARGIN,
    SUMS,
    WIN,
    judging,
    mean_worth,
    note,
    open_luck,
    playing_on,
    redealing,
    squared_error,
    usual_choice,
    worths,
)
from simkit.engine.rng import keyed, priority
from simkit.engine.strategy import Policy, Weight, record_of, searching

MARGINS, SQUARES = range(2)  # sums of the margins after the policy's own choice
OWN = 0  # index of the policy's own choice among the candidates


def memory(game):
    """Return the type of the memory of a search: sums by candidate, and the candidates in order of merit."""
    n = game.max_actions
    by_candidate = {"actions": (int, n), "order": (int, n), "gains": (float, n), "sums": (float, n, SUMS)}
    return record_of(ids=(int, n), usual=(float, 2), **by_candidate)


@searching(
    room=lambda game, w: WORK + -(-memory(game).itemsize // 8),
    policy=Policy("Plays on in all seats, and decides unless another choice is surely better"),
    budget=Weight(50, 2, 1_000_000, "Play-outs at each decision"),
    caution=Weight(1.5, 0.0, 5.0, "Standard errors by which a choice must be better than the policy's own"),
    mix=Weight(0.6, 0.0, 1.0, "Worth of winning; the rest is the worth of the margin of scores"),
    horizon=Weight(0, 0, 10_000, "Turns after which a play-out is stopped, 0 for never"),
)
def search(game):
    """Plays on with a policy after each candidate, many times, and takes the best (slow).

    The candidates are the policy's own choice and others at random. Sequential halving (Karnin, Koren,
    Somekh: "Almost optimal exploration in multi-armed bandits", ICML 2013) shares the budget among them; all
    meet the same redeals and luck, so that only differences count.
    """
    redealt, play_on, result = redealing(game), playing_on(game), judging(game)
    step, own_memory = game.step, view_as(memory(game))

    @rule
    def decide(view, rules, legal, w, rng, scratch, work, lent, ply):
        own, key = own_memory(work[WORK:]), keyed(rng, ply, 0)
        n = candidates(own, legal, usual_choice(view, rules, legal, lent, key), key, w.budget)
        rounds, samples = rounds_of(n), 0
        for _ in range(rounds):
            more = max(1, w.budget // (rounds * n))
            for sample in range(samples, samples + more):
                compare(view, rules, w, scratch, lent, own, n, key, sample)
            samples += more
            n = halve(own, n, samples, w)
        return chosen(own, samples, w)

    @rule
    def compare(view, rules, w, scratch, lent, own, n, key, sample):
        root, s, seat = scratch[0], scratch[1], view.seat
        redealt(root, view, rules, key, sample, lent.streams[:1])
        usual_win = usual_margin = 0.0
        for i in range(n):
            clone(s, root)
            open_luck(lent, key, sample, 0)
            step(s, rules, own.actions[own.order[i]], lent.luck)
            play_on(s, rules, lent, own.ids, key, sample, w.horizon)
            win, margin = result(s, seat)
            if i == OWN:
                usual_win, usual_margin = win, margin
                own.usual[MARGINS] += margin
                own.usual[SQUARES] += margin * margin
            note(own.sums[own.order[i]], win - usual_win, margin - usual_margin)

    return decide


@rule
def rounds_of(n):
    """Return the rounds of halving that leave one of n candidates beside the policy's own, at least one."""
    rounds = 1
    while n > 2:
        n = (n + 1) // 2
        rounds += 1
    return rounds


@rule
def candidates(own, legal, usual, key, budget):
    """Write the candidates, the policy's own first, others at random; return how many are compared.

    These are as many as the budget can compare at least once in each round.
    """
    own.usual[:] = 0.0
    own.sums[:] = 0.0
    own.actions[OWN], n, most = usual, 1, 2
    for i in range(legal.size):
        if legal[i] != usual:
            own.actions[n], own.gains[n] = legal[i], priority(key, legal[i])
            n += 1
    for i in range(n):
        own.order[i] = i
    sort(own, n)
    while most < n and (most + 1) * rounds_of(most + 1) <= budget:
        most += 1
    return most


@rule
def sort(own, n):
    """Sort the first n candidates but the policy's own by gain, the highest first."""
    for i in range(OWN + 2, n):
        candidate, place = own.order[i], i
        while place > OWN + 1 and own.gains[own.order[place - 1]] < own.gains[candidate]:
            own.order[place] = own.order[place - 1]
            place -= 1
        own.order[place] = candidate


@rule
def halve(own, n, samples, w):
    """Keep the policy's own choice and the better half of the n candidates; return how many are left."""
    win, margin = worths_of(own, samples, w)
    for i in range(OWN + 1, n):
        c = own.order[i]
        own.gains[c] = win * own.sums[c, WIN] + margin * own.sums[c, MARGIN]
    sort(own, n)
    return max(2, (n + 1) // 2)


@rule
def worths_of(own, samples, w):
    """Return the worth of a win and of a point, by the margins after the policy's own choice."""
    return worths(own.usual[MARGINS], own.usual[SQUARES], samples, w.mix)


@rule
def chosen(own, samples, w):
    """Return the best candidate if it is better than the policy's own choice by enough, else this."""
    best, (win, margin) = own.order[OWN + 1], worths_of(own, samples, w)
    gain = mean_worth(own.sums[best], samples, win, margin)
    error = np.sqrt(squared_error(own.sums[best], samples, win, margin))
    return own.actions[best] if gain > w.caution * error else own.actions[OWN]
