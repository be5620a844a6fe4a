"""Learned players for every game: they take the action after which a net expects most (`simkit learn`)."""

import numpy as np

from simkit.engine.compile.jit import rule, view_as
from simkit.engine.learned.actions import SEEN, Luck, digesting, open_sums, valuing, whole_mix
from simkit.engine.learned.net import CAUTION, SAMPLES, head
from simkit.engine.rng import keyed
from simkit.engine.strategy import Trained, Weight, best_of, record_of, strategy

SURE = 1 << 25  # score of a sure win, for each sample
PARTS = 1024  # of a net's caution
LOWEST = -(1 << 62)


def memory(game):
    """Return the type of the memory beside the sums: streams of the game and of redeals, and the scores."""
    words = game.rng_dtype.itemsize // 8
    return record_of(words=(np.uint64, words), streams=(np.uint64, 1), scores=(int, game.max_actions))


@strategy(
    None,
    makes=True,
    allocates=False,
    work=lambda game, w: memory(game).itemsize // 8,
    name=Trained("Player that simkit learn trained"),
    samples=Weight(0, 0, 1_000, "Redeals over which the worth of an action is averaged, 0 as trained"),
    caution=Weight(-1.0, -1.0, 2.0, "Worth by which an action must beat that of the base, -1 as trained"),
    mix=Weight(0.6, 0.0, 1.0, "Worth of winning; the rest is the worth of the margin of scores"),
)
def learned(game, base):
    """Takes the action after which a net that was trained for the game expects most.

    A player that improves on a base strategy takes its action unless another one is better by `caution`.
    """
    add_worths, own_memory, luck_of = valuing(game), view_as(memory(game)), view_as(game.rng_dtype)
    size, digest = memory(game).itemsize // 8, digesting(game)

    @rule
    def score(view, rules, legal, w, rng, scratch, work, net):
        """Write the scores of all actions; return the key of the choice."""
        own, mix, sums = own_memory(work), whole_mix(w.mix), work[size:].view(np.int32)
        luck, key = Luck(luck_of(work), own.words, own.streams), keyed(rng, digest(view), 0)
        own.scores[:] = 0
        open_sums(view, rules, net, scratch[SEEN], sums)
        for sample in range(samples_of(net, w)):
            add_worths(view, rules, legal, key, sample, net, mix, luck, scratch, sums, own.scores)
        return key

    @rule
    def choose(view, rules, legal, w, rng, scratch, work, net):
        key = score(view, rules, legal, w, rng, scratch, work, net)
        return best_of(legal, own_memory(work).scores, key)

    @rule
    def improve(view, rules, legal, w, rng, scratch, memo, work, net, lent):
        usual = base(view, rules, legal, lent.weights, rng, scratch, memo, lent.work)
        best, scores = choose(view, rules, legal, w, rng, scratch, work, net), own_memory(work).scores
        gain = score_of(best, legal, scores) - score_of(usual, legal, scores)
        return best if gain > least_gain(net, w) * samples_of(net, w) else usual

    return improve if base else choose


@rule
def samples_of(net, w):
    """Return the number of redeals."""
    return w.samples if w.samples > 0 else head(net, SAMPLES)


@rule
def least_gain(net, w):
    """Return the score of each sample by which an action must be better than that of the base."""
    return int(SURE * w.caution) if w.caution >= 0.0 else SURE // PARTS * head(net, CAUTION)


@rule
def score_of(action, legal, scores):
    """Return the score of an action, the lowest number if it is not legal."""
    score = LOWEST
    for i in range(legal.size):
        if legal[i] == action:
            score = scores[i]
    return score
