"""Broken invariants are told (OP-11): a sound position is damaged in one place, and the problem is named."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from simkit.engine.table import GameTable
from simkit.games.outpost import game
from simkit.games.outpost.facts import Step

from .positions import given, rules_of

HERE = Path(__file__).parent


def sound():
    """Some cards, upgrades and sites, nothing wrong."""
    position = given(
        ["W10 O5 mega:W", "T13 iou:O"], market={"nodule": 1}, supply={"nodule": 1},
        upgrades={0: {"heavy_equipment": 1, "warehouse": 1}},
        factories={0: {"ore": 2, "titanium": 1}}, operated={0: {"ore": 2, "titanium": 1}}, discard="O1",
    )  # fmt: skip
    assert position.problems() == []
    return position


DAMAGE = {
    "OP-11.1": lambda s: s.discard.__setitem__(0, 3),
    "OP-11.2": lambda s: s.mega_out.__setitem__(0, 2),
    "OP-11.3": lambda s: s.supply.__setitem__(3, 2),
    "OP-11.4": lambda s: s.upgrades.__setitem__((0, 5), 1),
    "OP-11.5": lambda s: s.order.__setitem__(0, 1),
    "OP-11.6": lambda s: s.operated.__setitem__((0, 0), 3),
    "OP-11.7": lambda s: s.population.__setitem__(0, 9),
    "OP-11.9": lambda s: s.factories.__setitem__((1, 3), 1),
    "OP-11.12": lambda s: s.score.__setitem__(0, 40),
    "OP-11.13": lambda s: s.__setattr__("turn", 500),
    "OP-11.14": lambda s: s.log.game.__setattr__("defaults", 99),
    "OP-9.12": lambda s: s.cards.__setitem__((1, 2), 2),
    "OP-4 wealth": lambda s: s.wealth.__setitem__(0, 7),
}


@pytest.mark.parametrize("clause", DAMAGE)
def test_damage_is_told(clause):
    position = sound()
    DAMAGE[clause](position.s)
    assert any(problem.startswith(clause) for problem in position.problems()), position.problems()


def test_hand_beyond_its_capacity_is_told():
    """OP-11.8."""
    position = given(["O1 O1 O1 O1 O2 O2 O2"])
    position.s.step, position.s.at = Step.late_discard, 1
    assert any("OP-11.8" in problem for problem in position.problems())


def test_bid_beyond_the_hand_is_told():
    """OP-11.10, .11."""
    position = given(["W10 W10 W5", "W9 W9 W9"], market={"nodule": 1}).when(0, "open nodule", "bid")
    assert position.problems() == []
    position.s.bid = 60
    assert any("OP-11.11" in problem for problem in position.problems())
    paying = given(["W10"], options={"payment": "explicit"}).when(0, "buy ore")
    paying.when(0, "1")
    paying = given(["W5 W6"], options={"payment": "explicit"}).when(0, "buy ore", "1")
    paying.s.payer = 1
    assert any("OP-11.10" in problem for problem in paying.problems())


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("ruleset", ["basic", "expert"])
def test_final_states_are_sound_at_every_number_of_seats(seats, ruleset):
    """Random play, greedy play: no invariant is broken at the end."""
    from simkit.engine import registry

    table = GameTable(game, rules_of({"ruleset": ruleset}))
    players = [registry.strategy(game, name).player(game) for name in ("random", "reference_greedy")]
    states = table.play([players[seat % 2] for seat in range(seats)], 3, np.arange(4), np.zeros(4, np.int64))
    for state in states:
        assert game.problems(state, table.rules[0]) == []


def test_every_worked_example_has_a_test():
    """OP-12: E1 to E17 and X1 to X18 are named in a test."""
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for path in HERE.glob("test_*.py")
        if path.name != "test_invariants.py"
    )
    named = set(re.findall(r"(?<![A-Za-z0-9])([EX]\d+)(?![0-9])", text))
    for first, last in re.findall(r"X(\d+) to X(\d+)", text):
        named |= {f"X{n}" for n in range(int(first), int(last) + 1)}
    missing = [
        name
        for name in [*(f"E{n}" for n in range(1, 18)), *(f"X{n}" for n in range(1, 19))]
        if name not in named
    ]
    assert not missing, f"examples without a test: {missing}"
