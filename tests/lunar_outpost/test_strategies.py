"""Strategies: the reference player against a plain second one, and what the others do in given positions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from simkit import catalogue
from simkit.games.lunar_outpost import game
from simkit.steps import driver

from .plain_greedy import plain_greedy
from .positions import Position

SLOW = pytest.mark.slow
FIGHT = {
    "barracks_cost": 1, "troop_cost": 1, "tower_cost": 1, "starting_resources": 2, "starting_troops": 3,
    "dome_output": 2, "troop_limit": 10, "dome_defence": 2,
}  # fmt: skip
FALL = FIGHT | {
    "dome_defence": 1, "silo_defence": 0, "excavator_defence": 0, "barracks_defence": 0, "tower_defence": 0,
    "barricade_defence": 1, "silo_tokens": 1, "excavator_tokens": 1, "barracks_tokens": 1, "tower_tokens": 2,
}  # fmt: skip
CHOOSY = {"tile_choice": 3, "unplaceable": "redraw", "starting_intel": 3, "starting_intel_extra": 2}
ROOMY = {"excavator_storage": 2, "tower_storage": 1, "barricade_storage": 4, "silo_storage": 0}
ROUGH = {"extract_needs_passable": False, "domes_anywhere": False, "recruit_per_barracks": 1, "troop_cost": 1}
LEAN = {"intel_cost": 1, "intel_limit": 1, "deposit_delta": -2, "tiles_trim": 20, "siege_spend": False}
BLOCKED = FIGHT | {"siege_blocks": True, "tower_stack": False, "tower_bonus": 2, "siege_spend": False}
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {}, "fight": FIGHT, "fall": FALL, "choosy": CHOOSY, "roomy": ROOMY, "rough": ROUGH, "lean": LEAN,
    "blocked": BLOCKED,
}  # fmt: skip


def views(position: Position) -> Any:
    """The position as the seat to decide may see it."""
    found = np.zeros(1, game.state_dtype)
    driver(game).observe(position.states, position.rules_array, position.s.seat, found)
    return found[0]


def answer(position: Position, name: str = "reference_greedy", luck: int = 1, **weights: str) -> int:
    """What a strategy decides here."""
    player = catalogue.strategy(game, name).player(game, weights)
    ids, numbers = np.array(position.legal()), player.weights.copy()
    ids.flags.writeable = numbers.flags.writeable = False
    scratch, memo = np.zeros(game.scratch, game.state_dtype), np.zeros(game.memo, np.int64)
    words = np.full(1, luck, np.uint64)
    return int(player.decide(views(position), position.rules, ids, numbers, words, scratch, memo))


def compare(seats: int, deal: int, options: dict[str, Any], follow: float) -> Counter[str]:
    """Along a game in which a share `follow` of the decisions are the reference player's, the others random."""
    position, luck, seen = Position(options, seats, deal), np.random.default_rng(deal), Counter[str]()
    while not position.over:
        ids = position.legal()
        action = int(luck.choice(ids))
        relocates = position.phase == "reloc_src" or (position.phase == "target" and position.s.buy_kind == 3)
        if len(ids) > 1 and not relocates:  # the reference never relocates
            seen[position.phase] += 1
            plain = plain_greedy(views(position), ids, options)
            assert answer(position) == plain, (seats, deal, position.phase, ids)
            action = plain if luck.random() < follow else action
        driver(game).step(position.states, position.rules_array, position.rng, action)
    return seen


@pytest.mark.parametrize("name", SETTINGS)
def test_the_reference_player_is_that_of_the_specification(name):
    for seats, follow in ((2, 0.7), (3, 1), (4, 0.97)):
        compare(seats, seats, SETTINGS[name], follow)


@SLOW
@pytest.mark.parametrize("name", SETTINGS)
def test_it_is_so_in_many_games(name):
    for deal in range(4):
        for seats in (2, 3, 4):
            compare(seats, deal, SETTINGS[name], (0.9, 0.97, 1, 0.5)[deal])


@SLOW
def test_every_phase_is_compared():
    seen = Counter[str]()
    for deal in range(5):
        for seats in (2, 3, 4):
            for options in (FALL | CHOOSY, BLOCKED):
                seen += compare(seats, deal, options, 0.9)
    assert len(seen) == 15 and min(seen.values()) > 10, seen
