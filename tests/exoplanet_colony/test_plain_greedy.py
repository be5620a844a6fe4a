"""The reference player against a second one in plain Python, at every decision of games stepped through."""

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from simkit import catalogue
from simkit.chance import open_streams, purposes
from simkit.errors import UsageError
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import DATA, Decision
from simkit.kernel import Player
from simkit.steps import driver

from .plain_greedy import choose

SLOW = pytest.mark.slow
KINDS = {one.name for one in Decision} - {"none"}
PATIENT = {"ruleset": "patient"}
LONG = {"ruleset": "endurance", "initial_choice": 3}


@cache
def player(name: str, **weights: str) -> Player:
    return catalogue.strategy(game, name).player(game, weights)


class Walk:
    """A game stepped through; `answer` is what a strategy decides in its present position."""

    def __init__(self, options: dict[str, Any], seats: int, deal: int) -> None:
        self.rules, self.drive = game.rules(options), driver(game)
        self.states, self.views = np.zeros(1, game.state_dtype), np.zeros(1, game.state_dtype)
        self.rng, self.ids = np.zeros(1, game.rng_dtype), np.zeros(game.max_actions, np.int64)
        self.scratch = np.zeros(game.scratch, game.state_dtype)
        open_streams(self.rng.view(np.uint64), 1, deal, purposes(game.purposes))
        self.drive.start(self.states, self.rules, self.rng, seats)

    @property
    def seat(self) -> int:
        """Who decides, -1 nobody any more."""
        return int(self.states["seat"][0])

    @property
    def kind(self) -> str:
        return Decision(self.states["decision"][0]).name

    def legal(self) -> list[int]:
        return self.ids[: self.drive.legal(self.states, self.rules, self.ids)].tolist()

    def view(self) -> Any:
        self.drive.observe(self.states, self.rules, self.seat, self.views)
        return self.views[0]

    def answer(self, name: str, luck: int = 1, **weights: str) -> int:
        its, ids = player(name, **weights), np.array(self.legal())
        ids.flags.writeable = False
        words, memo = np.full(1, luck, np.uint64), np.zeros(game.memo, np.int64)
        numbers = its.weights.copy()
        numbers.flags.writeable = False
        return int(its.decide(self.view(), self.rules[0], ids, numbers, words, self.scratch, memo))

    def apply(self, action: int) -> None:
        self.drive.step(self.states, self.rules, self.rng, action)


def some_options(luck: Random, share: float, **given: Any) -> dict[str, Any]:
    """A share of the options at any value that they may have."""
    while True:
        found: dict[str, Any] = {}
        for name, row in DATA["options"].items():
            if luck.random() < share:
                whole = range(row.get("min", 0), row.get("max", 0) + 1)
                values = {"flag": [False, True], "choice": row.get("choices"), "int": whole}[row["type"]]
                found[name] = luck.choice(values)
        found |= {"scenario": luck.randint(1, 4)} | given
        try:
            game.rules(found)
        except UsageError:
            continue
        return found


def compare(options: dict[str, Any], seats: int, deal: int, follow: list[float]) -> Counter[str]:
    """Along a game; `follow`: how often each seat does what the reference player would, else anything."""
    walk, luck, seen = Walk(options, seats, deal), Random(deal), Counter[str]()
    while walk.seat >= 0:
        ids = walk.legal()
        action = luck.choice(ids[-2:] if luck.random() < 0.2 else ids)  # rare choices have high ids
        if len(ids) > 1:
            plain = choose(walk.view(), walk.rules[0], ids)
            answer = walk.answer("reference_greedy")
            assert answer == plain, (options, seats, deal, walk.kind, ids, answer, plain)
            seen[walk.kind] += 1
            action = plain if luck.random() < follow[walk.seat] else action
        walk.apply(action)
    return seen


@pytest.mark.parametrize("scenario", range(1, 5))
def test_the_reference_player_is_that_of_the_specification(scenario):
    for seats in range(2, 6):
        compare({"scenario": scenario}, seats, seats, [1.0] * seats)


def test_it_is_so_whatever_the_others_do():
    seen = Counter[str]()
    for deal in range(2):
        for seats in range(2, 6):
            seen += compare(PATIENT, seats, deal, [0.0] * seats)
            seen += compare(LONG, seats, deal, [0.0, 0.9, 0.9, 0.9, 0.0])
    assert len(seen) > 25, seen


def test_it_is_so_with_any_options():
    luck = Random(1)
    for deal in range(12):
        compare(some_options(luck, 0.3), luck.randint(2, 5), deal, [luck.choice([0.0, 0.5, 0.95, 1.0])] * 5)


def wide(games: int, first: int = 0) -> Counter[str]:
    """Many games of the reference player, of random ones and of mixes, most with options at random."""
    seen = Counter[str]()
    for deal in range(first, first + games):
        luck = Random(f"wide {deal}")
        ruleset = ["patient", "rulebook", "endurance", "introductory", "rulebook"][deal % 5]
        options = some_options(luck, luck.choice([0.0, 0.1, 0.3, 0.6]), ruleset=ruleset)
        follow = [luck.choice([0.0, 0.5, 0.95, 1.0]) for _ in range(5)]
        follow = luck.choice([follow, [1.0] * 5, [0.0] * 5, [1.0, 0.0] * 3])
        seen += compare(options, luck.randint(2, 5), deal, follow)
    return seen


@SLOW
def test_every_kind_of_decision_is_compared_often():
    seen = wide(400)
    assert seen.keys() == KINDS and min(seen.values()) > 20, seen
