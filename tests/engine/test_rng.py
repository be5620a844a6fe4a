"""Luck: known vectors, no collisions, uniform draws and shuffles."""

import itertools

import numpy as np
import pytest
from numba import types
from scipy import stats

from simkit.engine import rng
from simkit.engine.compile import jit

WORDS, NUMBERS = types.Array(types.uint64, 1, "C"), types.Array(types.int64, 1, "C")


def stream(start):
    return np.array([start], np.uint64)


def test_draw_is_splitmix64_as_published():
    words = stream(1234567)
    drawn = [int(rng.draw(words)) for _ in range(5)]
    assert drawn == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_compiled_and_plain_python_draw_the_same():
    below = jit.EntryPoint(lambda w, n: rng.below(w, n), types.int64(WORDS, types.int64), "below")
    uniform = jit.EntryPoint(lambda w: rng.uniform(w), types.float64(WORDS), "uniform")
    start = jit.EntryPoint(
        lambda s, d, n: rng.start(s, d, n), types.uint64(types.int64, types.int64, types.uint64), "start"
    )
    compiled, plain = stream(99), stream(99)
    for n in (1, 2, 3, 6, 54, 1000, 2**31):
        assert below(compiled, n) == rng.below(plain, n)
        assert uniform(compiled) == rng.uniform(plain)
    assert compiled[0] == plain[0]
    assert start(7, 8, 2**63 + 9) == rng.start(7, 8, 2**63 + 9)


def all_starts(seeds, deals, names, out):
    i = 0
    for seed in range(seeds):
        for deal in range(deals):
            for name in names:
                out[i] = rng.start(seed, deal, name)
                i += 1


def test_ten_million_streams_neither_collide_nor_come_near_each_other():
    names = rng.purposes(["deal/deck", "deal/population", "nature/die", "choice/0", "choice/1"])
    starts = np.zeros(20 * 100_000 * len(names), np.uint64)
    compiled = jit.EntryPoint(all_starts, types.void(types.int64, types.int64, WORDS, WORDS), "all starts")
    compiled(20, 100_000, names, starts)
    inverse = np.uint64(pow(int(rng.GAMMA), -1, 2**64))
    places = np.sort(starts * inverse)  # the place of each start on the one cycle of the generator
    assert np.diff(places).min() > 1_000, "two streams overlap within 1,000 draws"


def test_neighbouring_deals_are_not_the_same_stream_shifted():
    name = rng.purposes(["deal/deck"])[0]
    series = [
        [int(rng.draw(words)) for _ in range(200)]
        for words in (stream(rng.start(1, deal, name)) for deal in range(3))
    ]
    assert not set(series[0]) & set(series[1]) and not set(series[1]) & set(series[2])
    for shift in range(-3, 4):
        a, b = (
            np.array(series[0][3:-3], float),
            np.array(series[1][3 + shift : len(series[1]) - 3 + shift], float),
        )
        assert abs(np.corrcoef(a, b)[0, 1]) < 0.3


def many_below(words, n, counts, times):
    for _ in range(times):
        counts[rng.below(words, n)] += 1


@pytest.mark.parametrize("n", [2, 3, 6, 7, 54, 1000])
def test_below_is_uniform(n):
    counts = np.zeros(n, np.int64)
    compiled = jit.EntryPoint(
        many_below, types.void(WORDS, types.int64, NUMBERS, types.int64), "many below", allocates=False
    )
    compiled(stream(5), n, counts, 500_000)
    assert stats.chisquare(counts).pvalue > 1e-4


def many_shuffles(words, size, times, counts):
    cards = np.zeros(size, np.int64)
    for _ in range(times):
        for i in range(size):
            cards[i] = i
        rng.shuffle(words, cards, size)
        key = 0
        for i in range(size):
            key = key * size + cards[i]
        counts[key] += 1


def test_all_orders_of_a_shuffle_are_equally_likely():
    counts = np.zeros(4**4, np.int64)
    compiled = jit.EntryPoint(
        many_shuffles, types.void(WORDS, types.int64, types.int64, NUMBERS), "many shuffles"
    )
    compiled(stream(11), 4, 240_000, counts)
    orders = [
        sum(card * 4 ** (3 - i) for i, card in enumerate(order)) for order in itertools.permutations(range(4))
    ]
    assert counts.sum() == counts[orders].sum() == 240_000
    assert stats.chisquare(counts[orders]).pvalue > 1e-4


def test_purposes_depend_on_their_names_only():
    assert rng.purpose("deal/deck") == rng.purpose("deal/deck") != rng.purpose("deal/deck2")
    assert list(rng.purposes(["b", "a"])) == [rng.purpose("b"), rng.purpose("a")]
