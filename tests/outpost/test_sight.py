"""What is dealt again is possible and uniform."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from simkit.games.outpost.facts import REAL

from .positions import Position, given


def test_redeal_is_uniform():
    """Every way to draw the other's cards from those unseen is as likely as its copies say."""
    position = given(["O1 O1", "O1 W10"])
    counts: Counter[tuple[int, int]] = Counter()
    for number in range(6000):
        hand = position.redealt(0, number * 7919 + 1)[0].hand[1]
        ore, water = (int(np.flatnonzero(hand[a:b])[0]) for a, b in ((0, 5), (5, 12)))
        counts[(ore, water)] += 1
    copies = [int(c) for c in position.rules.copies[:12]]
    copies[0] -= 2
    chi = 0.0
    for ore in range(5):
        for water in range(7):
            expected = 6000 * copies[ore] / 24 * copies[5 + water] / 38
            chi += (counts[(ore, water)] - expected) ** 2 / expected
    assert chi < 65  # 34 degrees of freedom: 99.9 % are below


def test_high_bidder_can_pay_in_every_redeal():
    """The hand of the high bidder covers its bid, also where hardly any draw does (made to fit)."""
    position = given(
        ["T13 T13", "W10 W10 W10 O5 O5 O5", "W9 W9 W9 W9 W9"],
        market={"warehouse": 1},
        seat=1,
        order=[1, 2, 0],
    )
    position.when(1, "open warehouse", "jump", "0", "10").when(2, "bid").when(1, "jump", "0", "7").then(
        decision="bid", seat=2, bid=44
    )
    for number in range(200):
        view = position.redealt(2, number)[0]
        assert int(view.wealth[1]) >= 44


def test_redeal_of_a_payment():
    """The payer of somebody else's view can pay the rest."""
    position = given(["O1", "MO60 MO55", "W9"], options={"payment": "explicit"}, seat=1, order=[1, 0, 2])
    position.when(1, "buy ore", "11").then(decision="pay", seat=1)
    for number in range(100):
        view = position.redealt(0, number)[0]
        assert int(view.wealth[1]) >= 110


FLOOR = {"start_hand": "floor", "start_hand_floor": 13}


@pytest.mark.parametrize("seats", [2, 6])
def test_redealt_opening_hands_reach_the_floor(seats):
    """OP-4.5 nobody holds less than the floor before the first purchase; who has bought may hold less."""
    for deal in range(20):
        position = Position(FLOOR, seats, deal)
        wealths = np.array([position.redealt(0, number)[0].wealth[1:seats] for number in range(20)])
        assert wealths.min() >= 13
        position.s.bought[1] = 1
        assert min(int(position.redealt(0, number)[0].wealth[1]) for number in range(60)) < 13


def test_redealt_opening_hand_is_uniform_over_those_that_reach_the_floor():
    """OP-4.5 two ore and one water card worth 13 or more, each set as likely as its copies say."""
    position = Position(FLOOR, 2)
    rules, own = position.rules, position.s.hand[0, :REAL]
    left = np.array(rules.copies) - own
    cards = [np.repeat(np.arange(*range_), left[slice(*range_)]) for range_ in ((0, 5), (5, 12))]
    counts: Counter[tuple[int, ...]] = Counter()
    for first, second in combinations(cards[0].tolist(), 2):
        for water in cards[1].tolist():
            if rules.value[[first, second, water]].sum() >= 13:
                counts[(first, second, water)] += 1
    redealt: Counter[tuple[int, ...]] = Counter()
    for number in range(6000):
        hand = position.redealt(0, number * 7919 + 1)[0].hand[1, :REAL]
        redealt[tuple(np.repeat(np.arange(REAL), hand).tolist())] += 1
    assert set(redealt) <= set(counts)
    likely = [kinds for kinds, n in counts.items() if n * 6000 >= 5 * counts.total()]
    expected = np.array([counts[kinds] * 6000 / counts.total() for kinds in likely])
    observed = np.array([redealt[kinds] for kinds in likely])
    chi = ((observed - expected) ** 2 / expected).sum()
    assert chi < stats.chi2.ppf(0.999, len(likely) - 1)
