"""A repair is worth what trying it out says, where it is counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from simkit.content.strategies.outpost_seven.counting import counted
from simkit.content.strategies.outpost_seven.greedy import cautious, cautious_gain, cautious_line
from simkit.content.strategies.outpost_seven.oneply import BY_E
from simkit.content.strategies.outpost_seven.whatif import OWN

from simkit.engine.compile.jit import lowest_bit
from simkit.engine.kernel import WORK
from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.facts import Decision

from .engine import reached, rules_of
from .sampling import settings

CAUTIOUS = counted(cautious_line, cautious_gain)
SETTLED = {"cube_supply": 0, "bonus_origin": "played"}
SETS = ["v42", "no_bonus", "removal_heavy", "population_heavy"]  # a cube on the highest space is locked


class Weights:
    """Those of the greedy player."""

    sign, margin_cap, card, pair, caution = 10, 4, 60, 2, 0.3


def cases(count: int) -> list[dict[str, Any]]:
    """Random options under which repairs are counted."""
    return [
        setting | SETTLED | {"card_set": SETS[i % len(SETS)]} for i, setting in enumerate(settings(count, 3))
    ]


def unsettled(rules: np.ndarray) -> np.ndarray:
    """The same rules, but every repair is tried."""
    other = rules.copy()
    other["settled"] = 0
    return other


def worths(
    weigher: Any, states: np.ndarray, rules: np.ndarray, mind: Any
) -> list[tuple[int, int, int, float]]:
    """Card, cubes, cell and worth of every repair with a card of the hand and any number of cubes."""
    s, copy, text = states[0], states.copy()[0], []
    own = OWN(np.full(WORK, -1))
    weigher.prepare(s, rules[0], mind, Weights, own)
    for card in s.hand[s.seat, : s.hand_n[s.seat]]:
        for n in range(int(rules[0].value[card]) + 1):
            weigher.weigh(s, rules[0], s.frontier, mind, Weights, copy, card, n, own)
            cells = int(s.frontier)
            while cells:
                cell = lowest_bit(cells)
                cells &= cells - 1
                text.append((int(card), n, cell, float(own.worths[cell])))
    return text


@pytest.mark.parametrize("count", [6, pytest.param(25, marks=pytest.mark.slow)])
@pytest.mark.proof("games.outpost_seven", "strategies.outpost_seven")
def test_a_repair_is_worth_the_same_counted_and_tried_in_every_cell(count: int) -> None:
    compared = 0
    for number, options in enumerate(cases(count)):
        rules = rules_of(options)
        assert rules[0].settled
        for position in _positions(options, number):
            for weigher, mind in ((BY_E, 0), (CAUTIOUS, cautious(position[0], rules[0], Weights))):
                text = worths(weigher, position, rules, mind)
                assert text == worths(weigher, position, unsettled(rules), mind), options
                compared += sum(worth != 0 for *_, worth in text)
    assert compared > 100 * count


def _positions(options: dict[str, Any], seed: int) -> Iterator[np.ndarray]:
    """Where a turn begins or a module is about to be connected, after 20 and more random actions."""
    states = reached(options, 3, 20 + 17 * np.arange(3), seed=seed)
    for i in range(len(states)):
        if states[i].decision in (Decision.main, Decision.cell) and states[i].frontier:
            yield states[i : i + 1]


@pytest.mark.parametrize(
    ("options", "is_settled"),
    [
        ({}, True),
        ({"card_set": "no_bonus"}, True),
        ({"card_set": "plain_top"}, False),  # a cube on a plain top space may go, and the card with it
        ({"bonus_origin": "bonus_card"}, False),
        ({"cube_supply": 40}, False),
        ({"removal_rule": "skip", "place_on_neutral": False, "rows": 6}, True),
    ],
)
def test_repairs_are_counted_only_where_the_order_of_bonuses_decides_nothing(
    options: dict[str, Any], is_settled: bool
) -> None:
    """O7-6.7"""
    assert bool(game.rules(options)[0].settled) is is_settled
