"""Known answers: the reachability table of O7-2.10, recomputed exactly through the game."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest

from .chances import mean, share
from .engine import DRIVE, Play, dealt, rules_of

# target: no exact subset (percent), mean total kept (closest_below), mean number of legal subsets, mean
# largest number of cards
TABLE = {
    8: (12.28, 7.77, 3.4, 1.90),
    9: (3.65, 8.91, 5.3, 2.06),
    10: (3.08, 9.96, 5.6, 2.27),
    11: (4.22, 10.95, 5.9, 2.54),
    12: (1.91, 11.98, 5.9, 2.75),
    13: (13.78, 12.86, 6.5, 2.95),
    14: (5.93, 13.90, 7.8, 3.15),
    15: (1.87, 14.97, 8.5, 3.33),
    16: (3.54, 15.96, 8.0, 3.54),
    17: (5.44, 16.94, 7.8, 3.75),
    18: (2.21, 17.97, 6.9, 3.92),
    19: (9.58, 18.90, 7.5, 4.11),
    20: (5.01, 19.92, 7.6, 4.28),
    24: (6.29, 23.93, 4.3, 4.99),
}
COPIES = {3: 9, 4: 12, 5: 15, 6: 18}  # cards of each value among the 54


def hands() -> dict[tuple[int, ...], float]:
    """Probability of every combination of values in seven dealt cards (hypergeometric)."""
    results = {}
    for threes in range(8):
        for fours in range(8 - threes):
            for fives in range(8 - threes - fours):
                numbers = dict(zip(COPIES, (threes, fours, fives, 7 - threes - fours - fives), strict=True))
                ways = np.prod([float(comb(COPIES[v], n)) for v, n in numbers.items()])
                results[tuple(v for v, n in numbers.items() for _ in range(n))] = ways / comb(54, 7)
    return results


def cards_of(values: tuple[int, ...]) -> list[int]:
    """Card ids with these values."""
    rules = rules_of()[0]
    ids = {v: iter([c for c in range(54) if rules.value[c] == v]) for v in COPIES}
    return [next(ids[v]) for v in values]


def test_there_are_120_combinations() -> None:
    """The combinations of values are all there."""
    assert len(hands()) == 120 and sum(hands().values()) == pytest.approx(1)


@pytest.mark.parametrize("target", TABLE)
def test_reachability(target: int) -> None:
    """O7-2.10 share without exact subset, mean total, number of legal subsets and most cards: exactly, over
    all hands.
    """
    start = Play.begin({"start_choice": "player0_chooses", "start_total_first": target})
    sums = np.zeros(4)
    for values, probability in hands().items():
        play = start.copy()
        play.s.dealt[0, :7] = cards_of(values)
        play.apply(0)
        masks, total = play.legal(), int(play.s.keep_total)
        sums += probability * np.array(
            [100 * (total != target), total, len(masks), max(m.bit_count() for m in masks)]
        )
    assert [round(x, digits) for x, digits in zip(sums, (2, 2, 1, 2), strict=True)] == list(TABLE[target])


@pytest.mark.parametrize("target", [12, 16, 13])
def test_reachability_of_dealt_hands(target: int) -> None:
    """O7-2.10 the same through the shuffle of the game: hands are dealt as often as they should be."""
    options = {"start_total_first": target}
    states = dealt(options, 12_000, seed=target)
    totals = np.array([s.keep_total for s in states])
    share(totals != target, TABLE[target][0] / 100)
    mean(totals, TABLE[target][1], rounding=0.005)
    ids = np.zeros(512, np.int64)
    numbers = [DRIVE.legal(states[i : i + 1], rules_of(options), ids) for i in range(4000)]
    mean(numbers, TABLE[target][2], rounding=0.05)


def test_values_are_dealt_as_often_as_there_are_cards() -> None:
    """O7-1.1 of the cards dealt a sixth are 3s, two ninths 4s, five eighteenths 5s, a third 6s."""
    rules = rules_of()[0]
    counts = Counter(int(rules.value[c]) for s in dealt({}, 4000) for c in s.dealt[0, :7])
    for value, copies in COPIES.items():
        assert counts[value] / 28_000 == pytest.approx(copies / 54, abs=0.012)
