"""Keyed choices: uniform among what is equal, independent of each other, and the same under other rules."""

import itertools

import numpy as np
import pytest
from numba import types
from scipy import stats

from simkit.engine import rng as chance
from simkit.engine.compile import jit
from simkit.engine.strategy import any_of, best_of

WORDS, NUMBERS = types.Array(types.uint64, 1, "C"), types.Array(types.int64, 1, "C")
FLOATS, KEYS = types.Array(types.float64, 1, "C"), types.Array(types.int64, 2, "C")
SEED, NAME = 5, chance.purposes(["choice/0"])[0]


def winners(words, name, keys, legal, scores, any_one, chosen):  # type: ignore[no-untyped-def]
    """What is chosen under the key of each (deal, turn, step); every stream stays where it was."""
    for i in range(chosen.size):
        words[0] = chance.start(SEED, keys[i, 0], name)
        before, key = words[0], chance.keyed(words, keys[i, 1], keys[i, 2])
        chosen[i] = any_of(legal, key) if any_one else best_of(legal, scores, key)
        if words[0] != before:
            chosen[i] = -1


WINNERS = jit.EntryPoint(
    winners,
    types.void(WORDS, types.uint64, KEYS, NUMBERS, FLOATS, types.boolean, NUMBERS),
    "winners",
    allocates=False,
)


def chosen(keys, legal, scores=None, any_one=False):
    ids, result = np.array(legal, np.int64), np.zeros(len(keys), np.int64)
    scores = np.zeros(ids.size) if scores is None else np.array(scores, float)
    WINNERS(np.zeros(1, np.uint64), NAME, np.ascontiguousarray(keys), ids, scores, any_one, result)
    return result


def crossed(deals, turns=1, steps=1):
    return np.array(list(itertools.product(range(deals), range(turns), range(steps))), np.int64)


KEYS_OF_TURNS = crossed(2_000, turns=60)
SETS = [[0, 1], [3, 4, 5], [0, 64, 128, 192], list(range(13)), [7, 256, 258, 263, 301], [-1, 0, 2**40]]


@pytest.mark.parametrize("any_one", [False, True])
@pytest.mark.parametrize("legal", SETS, ids=str)
def test_each_of_equal_actions_is_as_likely_as_the_others(legal, any_one):
    counts = np.array([np.sum(chosen(KEYS_OF_TURNS, legal, any_one=any_one) == first) for first in legal])
    assert counts.sum() == len(KEYS_OF_TURNS), "a legal action, and the stream has not moved"
    assert stats.chisquare(counts).pvalue > 1e-4


def test_the_highest_score_wins_and_only_ties_are_drawn():
    result = chosen(KEYS_OF_TURNS, [2, 3, 5, 7, 11], [1.0, 4.0, 4.0, -1.0, 4.0])
    counts = [np.sum(result == first) for first in (3, 5, 11)]
    assert sum(counts) == len(result) and stats.chisquare(counts).pvalue > 1e-4


NEIGHBOURS = {
    "two turns": lambda keys: keys + np.array([0, 1, 0]),
    "two turns of the same seat": lambda keys: keys + np.array([0, 2, 0]),
    "two steps of a turn": lambda keys: keys + np.array([0, 0, 1]),
    "the next step and the turn before": lambda keys: keys + np.array([0, -1, 1]),
    "turn and step the other way round": lambda keys: np.stack([keys[:, 0], keys[:, 2], keys[:, 1] + 1], 1),
    "two deals": lambda keys: keys + np.array([1, 0, 0]),
}


@pytest.mark.parametrize("other", NEIGHBOURS.values(), ids=list(NEIGHBOURS))
def test_two_choices_are_independent(other):
    """Whether among the same actions or where one joins in the place of another."""
    keys = crossed(1_000, turns=60) + np.array([0, 1, 0])
    for legal in ([0, 1, 2, 3], [2, 3, 4, 5]):
        table = stats.contingency.crosstab(chosen(keys, [0, 1, 2, 3]), chosen(other(keys), legal)).count
        assert stats.chi2_contingency(table).pvalue > 1e-4


def test_seats_are_independent():
    keys = KEYS_OF_TURNS
    first, ids = chosen(keys, [0, 1, 2]), np.array([0, 1, 2])
    second = np.zeros(len(keys), np.int64)
    WINNERS(np.zeros(1, np.uint64), chance.purposes(["choice/1"])[0], keys, ids, np.zeros(3), False, second)
    assert stats.chi2_contingency(stats.contingency.crosstab(first, second).count).pvalue > 1e-4


def test_an_action_that_joins_or_leaves_the_equal_ones_changes_nothing_but_itself():
    few, more = chosen(KEYS_OF_TURNS, [4, 9, 20]), chosen(KEYS_OF_TURNS, [4, 9, 11, 20])
    assert np.all((more == few) | (more == 11))
    assert np.mean(more == 11) == pytest.approx(1 / 4, abs=0.006)  # 4.8 standard errors
    worse = chosen(KEYS_OF_TURNS, [4, 9, 11, 20], [1.0, 1.0, 0.5, 1.0])
    assert np.array_equal(worse, few), "what is worse has no say"


def test_the_order_of_the_actions_does_not_matter():
    assert np.array_equal(chosen(KEYS_OF_TURNS, [4, 9, 11]), chosen(KEYS_OF_TURNS, [11, 4, 9]))


def finaliser(word):
    """The finaliser of SplitMix64, as it was published: what a stream draws at the place `word`."""
    return int(chance.draw(np.array([(word - chance.GAMMA) % 2**64], np.uint64)))


def test_keys_and_priorities_are_mixed_words():
    rng = np.array([12345], np.uint64)
    key = chance.keyed(rng, 7, 3)
    assert int(key) == finaliser(finaliser(12345 ^ 7) ^ 3) and rng[0] == 12345
    assert chance.priority(key, 40) == finaliser(int(key) ^ 40) >> 1
    assert chance.uniform_of(key, 40) == (finaliser(int(key) ^ 40) >> 11) / 2**53


def test_compiled_and_plain_python_choose_the_same():
    legal, scores = np.array([0, 5, 256, 2**40]), np.array([1.0, 2.0, 2.0, 2.0])
    keys = np.array([[0, 0, 0], [3, -1, 2], [9, 30_000, 255]], np.int64)
    result = chosen(keys, legal, scores)
    for (deal, turn, step), action in zip(keys, result, strict=True):
        key = chance.keyed(np.array([chance.start(SEED, deal, NAME)], np.uint64), turn, step)
        plain = max(legal[1:], key=lambda first: chance.priority(key, first))
        assert action == plain == best_of(legal, scores, key) == any_of(legal[1:], key)


def test_numbers_of_things_are_uniform():
    key, things = chance.keyed(np.array([1], np.uint64), 0, 0), range(4_000)
    assert stats.kstest([chance.uniform_of(key, first) for first in things], "uniform").pvalue > 1e-4
