"""Whole games, stepped through from outside with compiled rules.

`Walk` plays one game by a policy; a game says how it looks at a state as plain Python numbers and lists, so
that what tests work out from it owes nothing to the rules.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any, Self

import numpy as np

from of_games.driver import driver
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable

from .stepping import luck, rules_of

Policy = Callable[[Any, str, list[int]], int]


def uniform(walk: Any, kind: str, ids: list[int]) -> int:
    """Every legal id is as likely."""
    return walk.luck.choice(ids)


@cache
def _fields(game: Game) -> list[str]:
    return [name for name in game.state_dtype.names or () if name not in ("log", "rank", "score")]


def plain(game: Game, state: Any) -> SimpleNamespace:
    """A state as plain Python: numbers, lists."""
    return SimpleNamespace(**{name: state[name].tolist() for name in _fields(game)})


class Walk:
    """A game on its way; `now` is the state as it is, in plain Python."""

    game: Game
    asks: str  # what in `now` is the decision by name
    ids_below = 2**31

    @staticmethod
    @abstractmethod
    def look(state: Any) -> SimpleNamespace:
        """A state as plain Python, with the decision by name."""

    def __init__(
        self, options: dict[str, Any] | None = None, seats: int = 2, deal: int = 0, policy: Policy = uniform
    ) -> None:
        game = self.game
        self.options, self.seats, self.deal, self.policy = options or {}, seats, deal, policy
        self.rules, self.drive = rules_of(game, self.options), driver(game)
        self.chosen = game.resolve(self.options)
        self.states, self.rng = np.zeros(1, game.state_dtype), luck(game, 1, deal)
        self.drive.start(self.states, self.rules, self.rng, seats)
        self.s, self.ids = self.states[0], np.zeros(game.max_actions, np.int64)
        self.luck, self.trail, self.decisions = Random(deal), list[int](), 0
        self.now = self.look(self.s)

    @classmethod
    def of(cls, names: str, options: dict[str, Any], deal: int) -> Self:
        """A game that strategies play in the kernel, walked along their actions.

        Players that warm.py does not compile play as plain Python, as compiling one takes longer than a game.
        """
        lineup = registry.players(cls.game, parse_lineup(names))
        table, trail = GameTable(cls.game, cls.game.rules(options)), np.full(cls.game.max_steps, -1, np.int64)
        compiled = {first.name for first in parse_lineup(names)} <= {"random", "reference_greedy"}
        table.play(lineup, 1, np.array([deal]), np.zeros(1, np.int64), trail, compiled=compiled)
        return cls(options, len(lineup), deal, lambda walk, kind, ids: int(trail[len(walk.trail)]))

    @property
    def over(self) -> bool:
        return self.now.seat < 0

    @property
    def decided(self) -> str:
        """The decision by name."""
        return getattr(self.now, self.asks)

    def legal(self) -> list[int]:
        return self.ids[: self.drive.legal(self.states, self.rules, self.ids)].tolist()

    def apply(self, action: int) -> None:
        self.drive.step(self.states, self.rules, self.rng, action)
        self.trail.append(action)
        self.now = self.look(self.s)

    def steps(self) -> Iterator[tuple[SimpleNamespace, int, SimpleNamespace]]:
        """Every action: the state before it, its id, the state after it."""
        while not self.over:
            ids, before, decided = self.legal(), self.now, self.decided
            assert ids and ids == sorted(set(ids)) and ids[-1] < self.ids_below, f"{decided}: {ids}"
            self.decisions += len(ids) > 1
            action = ids[0] if len(ids) == 1 else self.policy(self, decided, ids)
            self.apply(action)
            yield before, action, self.now

    def to_the_end(self) -> Self:
        for _ in self.steps():
            pass
        return self

    def until(self, *request: str, turn: int = 0) -> Self:
        """Go on to the first decision of one of these kinds in that turn or later."""
        steps = self.steps()
        while not self.over and not (self.decided in request and self.now.turn_no >= turn):
            next(steps)
        return self

    def problems(self) -> list[str]:
        return self.game.problems(self.s, self.rules[0])
