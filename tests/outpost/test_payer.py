"""The automatic payer against all subsets of the hand (OP-5.12)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numba.core import types

from simkit.engine.compile import jit
from simkit.engine.kernel import arrays
from simkit.games.outpost import game
from simkit.games.outpost.facts import IOU, KINDS, PRODUCTS, REAL, Product
from simkit.games.outpost.payer import WORD, pick

from .positions import counts, rules_of


@cache
def payer() -> Any:
    """The payer behind arrays, from the cache."""

    def pay(states, rules, due, research, chosen):  # type: ignore[no-untyped-def]
        cards, first, n = pick(states[0], rules[0], 0, due, research)
        for i in range(first, n):
            chosen[cards[i]] += 1

    states, rules, _ = arrays(game)
    words, number = types.Array(types.int64, 1, "C"), types.int64
    return jit.EntryPoint(pay, types.void(states, rules, number, number, words), "test payer")


def paid(options: dict[str, Any], hand: np.ndarray, due: int, research: int = 0) -> list[int]:
    rules, chosen, states = rules_of(options), np.zeros(KINDS, np.int64), np.zeros(1, game.state_dtype)
    states[0].hand[0], states[0].wealth[0] = hand, hand @ np.array(rules[0].value, np.int64)
    states[0].cards[0] = np.bincount(np.array(rules[0].product_of), hand, PRODUCTS)
    payer()(states, rules, due, research, chosen)
    return chosen.tolist()


def by_sums(options: dict[str, Any], hand: np.ndarray, due: int, research: int) -> list[int]:
    """The best set by the words of the rule, found kind by kind: of each sum the best one."""
    rules = rules_of(options)[0]
    value, product, units = ([int(x) for x in rules[name]] for name in ("value", "product_of", "units"))
    best: dict[tuple[int, int], Any] = {
        (0, 0): (0, 0, 0, ())
    }  # sum, research cards -> key, highest kind first
    for k in range(KINDS):
        stored, more = product[k] in (Product.research, Product.microbiotics), dict[tuple[int, int], Any]()
        for (total, have), (size, some, rest, counted) in best.items():
            for n in range(int(hand[k]) + 1):
                key = (
                    size - units[k] * n,
                    some + stored * n,
                    rest + n * (2 * product[k] + (k >= IOU)),
                    (n, *counted),
                )
                at = (total + value[k] * n, min(research, have + n * (product[k] == Product.research)))
                more[at] = min(key, more.get(at, key))
        best = more
    enough = min(total for total, have in best if total >= due and have == research)
    return list(best[enough, research][3][::-1])


@pytest.mark.proof("games.outpost", "strategies.outpost")
@pytest.mark.parametrize("ruleset", ["basic", "expert"])
@pytest.mark.parametrize("hands", [40, pytest.param(200, marks=pytest.mark.slow)])
def test_OP_5_12_the_automatic_payer_finds_the_best_of_all_sets(ruleset, hands):
    """What is paid, what is kept, both or neither is more than the bits of a number can tell."""
    generator, options, far = np.random.default_rng(5), {"ruleset": ruleset}, set()
    rules = rules_of(options)[0]
    for _ in range(hands):
        hand = np.bincount(generator.choice(KINDS, int(generator.integers(3, 20))), minlength=KINDS)
        total = int(hand @ np.array(rules.value, np.int64))
        have = int(hand[np.array(rules.product_of) == Product.research].sum())
        due, research = int(generator.integers(1, total + 1)), int(generator.integers(0, min(have, 3) + 1))
        assert paid(options, hand, due, research) == by_sums(options, hand, due, research)
        far.add((due > WORD, total - due > WORD))
    assert len(far) == 4


ROWS = [
    ("T13 T13 T12 T7", 32, 0, "T13 T12 T7", "basic"),
    ("T13 T13 T12 T7", 33, 0, "T13 T13 T7", "basic"),
    ("T13 T13 T12 T7", 34, 0, "T13 T13 T12", "basic"),
    ("R13 T13", 13, 0, "T13", "expert"),
    ("OM40 OM40 OM35 OM35 R13", 60, 1, "R13 OM35 OM35", "basic"),
]


@pytest.mark.parametrize(("hand", "due", "research", "expected", "ruleset"), ROWS)
def test_OP_12_X7_X16_X17(hand, due, research, expected, ruleset):
    assert paid({"ruleset": ruleset}, counts(hand), due, research) == counts(expected).tolist()


def test_OP_5_12_large_hands_are_paid_at_least_overpayment():
    """Whole decks of cheap cards: any amount can be paid to the credit."""
    hand = counts(" ".join(["O1"] * 4 + ["O2"] * 6 + ["W7"] * 9 + ["T10"] * 11 + ["R13"] * 6))
    value = np.array(rules_of()[0].value, np.int64)
    for due in range(1, int(hand @ value), 17):
        assert np.array(paid({}, hand, due)) @ value == due
    assert REAL == 57
