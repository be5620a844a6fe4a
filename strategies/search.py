"""Search for every game: plays on from each candidate many times and takes the best."""

from dataclasses import replace

import numpy as np

from simkit.engine.compile.jit import clone, rule, view_as
from simkit.engine.learned.actions import expectation, open_sums, valuing, whole_mix
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
from simkit.engine.rule_helpers import OVER
from simkit.engine.strategy import NO_PLAYER, Policy, Trained, Weight, record_of, searching

MARGINS, SQUARES = range(2)  # sums of the margins after the policy's own choice
OWN = 0  # index of the policy's own choice among the candidates


def memory(game):
    """Return the type of the memory of a search: sums by candidate, and the candidates in order of merit."""
    n = game.max_actions
    by_candidate = {"actions": (int, n), "order": (int, n), "gains": (float, n), "sums": (float, n, SUMS)}
    return record_of(ids=(int, n), usual=(float, 2), merits=(float, n), **by_candidate)


def size_of(game):
    """Return the numbers of `work` that the memory takes; the sums of a net follow."""
    return -(-memory(game).itemsize // 8)


def flat(game):
    """Return what decides without a leaf: candidates at random, play-outs judged by their results."""
    play_on, judge = playing_on(game), judging(game)

    @rule
    def rank(view, rules, legal, w, scratch, sums, net, lent, key, merits):
        for i in range(legal.size):
            merits[i] = priority(key, legal[i])

    @rule
    def result(s, rules, view, w, sums, net, lent, own, key, sample):
        play_on(s, rules, lent, own.ids, key, sample, w.horizon)
        return judge(s, view.seat)

    return halving(game, rank, result)


@searching(
    room=lambda game, w: size_of(game),
    at_default=("leaf", flat),
    policy=Policy("Plays on in all seats, and decides unless another choice is surely better"),
    leaf=Trained(
        "Learned player that says which choices to compare, and what the horizon is worth", "leaf", NO_PLAYER
    ),
    budget=Weight(50, 2, 1_000_000, "Play-outs at each decision"),
    caution=Weight(1.5, 0.0, 5.0, "Standard errors by which a choice must be better than the policy's own"),
    mix=Weight(0.6, 0.0, 1.0, "Worth of winning; the rest is the worth of the margin of scores"),
    horizon=Weight(0, 0, 10_000, "Turns after which a play-out is stopped, 0 for never"),
    top=Weight(0, 0, 10_000, "Most choices to compare beside the policy's own, 0 for all"),
)
def search(game):
    """Plays on with a policy after each candidate, many times, and takes the best (slow).

    The candidates are the policy's own choice and others at random. Sequential halving (Karnin, Koren,
    Somekh: "Almost optimal exploration in multi-armed bandits", ICML 2013) shares the budget among them; all
    meet the same redeals and luck, so that only differences count. With a leaf the candidates are those after
    which a learned player expects most, and it also says what positions at the horizon are worth.
    """
    play_on, judge, observe, add_worths = playing_on(game), judging(game), game.observe, valuing(game)

    @rule
    def rank(view, rules, legal, w, scratch, sums, net, lent, key, merits):
        merits[:] = 0.0
        open_sums(view, rules, net, lent.seen, sums)
        add_worths(view, rules, legal, key, 0, net, whole_mix(w.mix), lent, scratch, sums, merits)

    @rule
    def result(s, rules, view, w, sums, net, lent, own, key, sample):
        play_on(s, rules, lent, own.ids, key, sample, w.horizon)
        if s.seat == OVER:
            return judge(s, view.seat)
        observe(s, rules, view.seat, lent.seen)
        return expectation(net, lent.seen, rules, view.seat, sums)

    return halving(game, rank, result)


strong = replace(
    search,
    name="strong",
    label="strong player",
    meaning="The strongest search of about 5 ms a decision: by the learned player if there is one (slow).",
)


def halving(game, rank, result):
    """Return what decides with rules for the merit of choices and for the result of a play-out.

    rank(view, rules, legal, w, scratch, sums, net, lent, key, merits) writes the merits; result(s, rules,
    view, w, sums, net, lent, own, key, sample) plays on from `s` and returns win and margin.
    """
    redealt, step, own_memory, size = redealing(game), game.step, view_as(memory(game)), size_of(game)

    @rule
    def decide(view, rules, legal, w, rng, scratch, work, net, lent, ply):
        own, sums, key = own_memory(work), work[size:].view(np.int32), keyed(rng, ply, 0)
        usual = usual_choice(view, rules, legal, lent, key)
        rank(view, rules, legal, w, scratch, sums, net, lent, key, own.merits)
        n = candidates(own, legal, usual, w)
        rounds, samples = rounds_of(n), 0
        for _ in range(rounds):
            more = max(1, w.budget // (rounds * n))
            for sample in range(samples, samples + more):
                compare(view, rules, w, scratch, sums, net, lent, own, n, key, sample)
            samples += more
            n = halve(own, n, samples, w)
        return chosen(own, samples, w)

    @rule
    def compare(view, rules, w, scratch, sums, net, lent, own, n, key, sample):
        root, s = scratch[0], scratch[1]
        redealt(root, view, rules, key, sample, lent.streams[:1])
        usual_win = usual_margin = 0.0
        for i in range(n):
            clone(s, root)
            open_luck(lent, key, sample, 0)
            step(s, rules, own.actions[own.order[i]], lent.luck)
            win, margin = result(s, rules, view, w, sums, net, lent, own, key, sample)
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
def candidates(own, legal, usual, w):
    """Write the candidates, the policy's own first, then others by merit; return how many are compared.

    These are as many as the budget can compare at least once in each round, and at most `top` others.
    """
    own.usual[:] = 0.0
    own.sums[:] = 0.0
    own.actions[OWN], n, most = usual, 1, 2
    for i in range(legal.size):
        if legal[i] != usual:
            own.actions[n], own.gains[n] = legal[i], own.merits[i]
            n += 1
    for i in range(n):
        own.order[i] = i
    sort(own, n)
    limit = min(n, w.top + 1) if w.top > 0 else n
    while most < limit and (most + 1) * rounds_of(most + 1) <= w.budget:
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
