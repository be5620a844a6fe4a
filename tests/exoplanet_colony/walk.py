"""Whole games of Exoplanet Colony, stepped through from outside with compiled rules.

`Walk` plays one game by a policy; `look` gives a state as plain Python numbers and lists, so that what tests
work out from it owes nothing to the rules.
"""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from simkit import catalogue
from simkit.chance import open_streams, purposes
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import DATA, Decision
from simkit.kernel import Table
from simkit.steps import driver
from simkit.strategy import parse_lineup

RESOURCES, COLOURS = DATA["resources"]["order"], DATA["resources"]["colours"]
MODULES = {card: row for row in DATA["modules"] for card in row["card_ids"]}
ITEMS = {row["card_ids"][0]: row["design"] for row in DATA["items"]}
PLANS = {row["card_ids"][0]: row["design"] for row in DATA["plans"]}
EVENTS = [*DATA["normal_events"], *DATA["critical_events"]]
ISSUES = [row["design"] for row in DATA["health_issues"]]
CHARACTERS = [row["design"] for row in DATA["characters"]]
STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0)]  # N, E, S, W

Policy = Callable[["Walk", str, list[int]], int]
FIELDS = [name for name in game.state_dtype.names if name not in ("log", "rank", "score")]


def look(state: Any) -> SimpleNamespace:
    """A state as plain Python: numbers, lists; `kind` the decision by name."""
    found = SimpleNamespace(**{name: state[name].tolist() for name in FIELDS})
    found.kind = Decision(found.decision).name
    return found


def copied(states: np.ndarray) -> np.ndarray:
    return np.frombuffer(bytearray(states.tobytes()), game.state_dtype)


@cache
def _rules(options: tuple[tuple[str, Any], ...]) -> np.ndarray:
    return game.rules(dict(options))


def rules_of(options: dict[str, Any] | None = None) -> np.ndarray:
    """The rules in force, made once for each setting."""
    return _rules(tuple(sorted((options or {}).items())))


def cards_of(cards: int) -> list[int]:
    """The members of a set."""
    return [card for card in range(64) if cards >> card & 1]


def uniform(walk: "Walk", kind: str, ids: list[int]) -> int:
    """EX-11.4 `random`."""
    return walk.luck.choice(ids)


class Walk:
    """A game on its way; `now` is the state as it is, in plain Python."""

    def __init__(
        self, options: dict[str, Any] | None = None, seats: int = 2, deal: int = 0, policy: Policy = uniform
    ) -> None:
        self.options, self.seats, self.deal, self.policy = options or {}, seats, deal, policy
        self.rules, self.drive = rules_of(self.options), driver(game)
        self.chosen = game.resolve(self.options)
        self.states, self.rng = np.zeros(1, game.state_dtype), np.zeros(1, game.rng_dtype)
        open_streams(self.rng.view(np.uint64), 1, deal, purposes(game.purposes))
        self.drive.start(self.states, self.rules, self.rng, seats)
        self.s, self.ids = self.states[0], np.zeros(game.max_actions, np.int64)
        self.luck, self.trail, self.decisions = Random(deal), list[int](), 0
        self.now = look(self.s)

    @property
    def over(self) -> bool:
        return self.now.seat < 0

    def legal(self) -> list[int]:
        return self.ids[: self.drive.legal(self.states, self.rules, self.ids)].tolist()

    def apply(self, action: int) -> None:
        self.drive.step(self.states, self.rules, self.rng, action)
        self.trail.append(action)
        self.now = look(self.s)

    def steps(self) -> Iterator[tuple[SimpleNamespace, int, SimpleNamespace]]:
        """Every action: the state before it, its id, the state after it."""
        while not self.over:
            ids, before = self.legal(), self.now
            assert ids and ids == sorted(set(ids)) and ids[-1] < 112, f"{before.kind}: {ids}"
            self.decisions += len(ids) > 1
            action = ids[0] if len(ids) == 1 else self.policy(self, before.kind, ids)
            self.apply(action)
            yield before, action, self.now

    def to_the_end(self) -> "Walk":
        for _ in self.steps():
            pass
        return self

    def until(self, *kinds: str, turn: int = 0) -> "Walk":
        """Go on to the first decision of one of these kinds in that turn or later."""
        steps = self.steps()
        while not self.over and not (self.now.kind in kinds and self.now.turn_no >= turn):
            next(steps)
        return self

    def problems(self) -> list[str]:
        return game.problems(self.s, self.rules[0])


def walk_of(names: str, options: dict[str, Any], deal: int) -> Walk:
    """A game that strategies play in the kernel, walked along their actions."""
    lineup = [catalogue.player(game, one) for one in parse_lineup(names)]
    table, trail = Table(game, game.rules(options)), np.full(game.max_steps, -1, np.int64)
    table.play(lineup, 1, np.array([deal]), np.zeros(1, np.int64), trail)
    return Walk(options, len(lineup), deal, lambda walk, kind, ids: int(trail[len(walk.trail)]))
