"""Strategies asked at every decision of games that are stepped through, beside those in plain Python."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
from of_games.driver import driver

from simkit.engine import registry
from simkit.engine.kernel import WORK
from simkit.engine.table import Player
from simkit.errors import UsageError
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import DATA

from .walk import Walk

Plain = Callable[[Any, Any, list[int]], int]


@cache
def player(name: str, **weights: str) -> Player:
    return registry.strategy(game, name).player(game, weights)


def view_of(states: np.ndarray, rules: np.ndarray) -> Any:
    """What the seat to decide sees."""
    views = np.zeros(1, game.state_dtype)
    driver(game).observe(states, rules, int(states["seat"][0]), views)
    return views[0]


def answer(
    view: Any,
    rules: np.ndarray,
    legal: list[int],
    name: str,
    luck: int = 1,
    compiled: bool = False,
    **weights: str,
) -> int:
    """What a strategy decides; all but the reference player run as plain Python unless `compiled`."""
    its, ids = player(name, **weights), np.array(legal)
    numbers, words = its.weights.copy(), np.full(1, luck, np.uint64)
    ids.flags.writeable = numbers.flags.writeable = False
    scratch, memo = np.zeros(game.scratch, game.state_dtype), np.zeros(game.memo, np.int64)
    work = np.zeros(WORK, np.int64)
    decide = its.decide.compiled if compiled or name == "reference_greedy" else its.decide.function
    return int(decide(view, rules[0], ids, numbers, words, scratch, memo, work))


def some_options(luck: Random, share: float, **given: Any) -> dict[str, Any]:
    """A share of the options at any value that they may have."""
    while True:
        results: dict[str, Any] = {}
        for name, row in DATA["options"].items():
            if luck.random() < share:
                whole = range(row.get("min", 0), row.get("max", 0) + 1)
                values = {"flag": [False, True], "choice": row.get("choices"), "int": whole}[row["type"]]
                results[name] = luck.choice(values)
        results |= {"scenario": luck.randint(1, 4)} | given
        try:
            game.rules(results)
        except UsageError:
            continue
        return results


def compare(
    plain: Plain,
    name: str,
    options: dict[str, Any],
    seats: int,
    deal: int,
    follow: list[float],
    **weights: str,
) -> Counter[str]:
    """Along a game; `follow`: how often each seat does what the plain player would, else anything."""
    walk, luck, seen = Walk(options, seats, deal), Random(deal), Counter[str]()
    while not walk.over:
        ids = walk.legal()
        action = luck.choice(ids[-2:] if luck.random() < 0.2 else ids)  # rare choices have high ids
        if len(ids) > 1:
            view = view_of(walk.states, walk.rules)
            expected, result = plain(view, walk.rules[0], ids), answer(view, walk.rules, ids, name, **weights)
            assert result == expected, (options, seats, deal, walk.now.kind, ids, result, expected)
            seen[walk.now.kind] += 1
            action = expected if luck.random() < follow[walk.now.seat] else action
        walk.apply(action)
    return seen


def wide(plain: Plain, name: str, games: int, first: int = 0, **weights: str) -> Counter[str]:
    """Many games: of players who follow, of random ones and of mixes, most with options at random."""
    seen = Counter[str]()
    for deal in range(first, first + games):
        luck = Random(f"wide {deal}")
        ruleset = ["patient", "rulebook", "endurance", "introductory", "rulebook"][deal % 5]
        options = some_options(luck, luck.choice([0.0, 0.1, 0.3, 0.6]), ruleset=ruleset)
        follow = [luck.choice([0.0, 0.5, 0.95, 1.0]) for _ in range(5)]
        follow = luck.choice([follow, [1.0] * 5, [0.0] * 5, [1.0, 0.0] * 3])
        seen += compare(plain, name, options, luck.randint(2, 5), deal, follow, **weights)
    return seen
