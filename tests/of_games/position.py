"""Positions for given / when / then rows: a game stepped by hand, uncompiled, and what is said of it."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from enum import IntEnum
from random import Random
from typing import Any, Self

import numpy as np

from simkit.engine.game import Game

from . import stepping
from .stepping import copied, numbers, rules_of


class Position:
    """A game stepped by hand; without more it stands at the first decision of a game."""

    game: Game
    decisions: type[IntEnum]  # kinds of decision
    asks = "decision"  # the field of the state that holds one of them

    def __init__(
        self,
        options: dict[str, Any] | None = None,
        seats: int = 2,
        deal: int = 0,
        files: dict[str, Any] | None = None,
        start: Callable[..., tuple[np.ndarray, np.ndarray]] = stepping.start,
    ) -> None:
        self.rules_array = copied(rules_of(self.game, options, files))
        self.states, self.rng = start(self.game, options, seats, deal, files)
        self.s, self.rules = self.states[0], self.rules_array[0]
        self.ids = np.zeros(self.game.max_actions, np.int64)
        self.note()

    def note(self) -> None:
        """From here on the log is counted, and who was asked what."""
        self.noted = copied(self.states)
        self.decided: list[tuple[int, str]] = []  # decisions with more than one legal id: seat, decision
        self.forced: list[tuple[int, str, int]] = []  # decisions with one: seat, decision, the id

    @property
    def seats(self) -> int:
        return int(self.s.seats)

    @property
    def decision(self) -> str:
        return self.decisions(int(self.s[self.asks])).name

    @property
    def over(self) -> bool:
        return int(self.s.seat) < 0

    def game_log(self) -> dict[str, int]:
        return numbers(self.game.game_fields, self.s.log.game)

    def seat_log(self, seat: int) -> dict[str, int]:
        return numbers(self.game.log.seat, self.s.log.seat[seat])

    def logged(self) -> dict[str, int]:
        """What the log of the game has counted since the position was given."""
        before = numbers(self.game.game_fields, self.noted[0].log.game)
        return {name: n - before[name] for name, n in self.game_log().items()}

    def seat_logged(self, seat: int) -> dict[str, int]:
        before = numbers(self.game.log.seat, self.noted[0].log.seat[seat])
        return {name: n - before[name] for name, n in self.seat_log(seat).items()}

    def legal(self) -> list[int]:
        """The legal ids, which are to be ascending."""
        self.ids[:] = -7
        n = self.game.legal(self.s, self.rules, self.ids)
        results = [int(a) for a in self.ids[:n]]
        assert results == sorted(set(results)) and results, f"{self.decision}: {results}"
        return results

    def apply(self, action: int) -> None:
        """One action."""
        ids = self.legal()
        assert action in ids, f"{action} is not legal ({self.decision}): {ids}"
        if len(ids) > 1:
            self.decided.append((int(self.s.seat), self.decision))
        else:
            self.forced.append((int(self.s.seat), self.decision, action))
        self.game.apply(self.s, self.rules, action, self.rng[0])

    def skip(self) -> Self:
        """Apply decisions with one legal id until somebody is really asked."""
        while not self.over and len(self.legal()) == 1:
            self.apply(self.legal()[0])
        return self

    def problems(self) -> list[str]:
        return self.game.problems(self.s, self.rules)

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Facts that are compared as a whole."""

    @abstractmethod
    def named_facts(self) -> dict[str, Callable[[Any], Any]]:
        """Facts that are looked at in part: of each thing that is named."""

    def then(self, **expected: Any) -> Self:
        """Compare what is expected; no invariant may be broken."""
        facts = self.facts()
        results = [
            f"{text}: expected {want!r}, is {now!r}"
            for name, value in expected.items()
            for text, want, now in self.compared(name, value, facts)
            if want != now
        ]
        results += self.problems()
        assert not results, "\n".join(results)
        return self

    def compared(self, name: str, value: Any, facts: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        """Of an expectation: what is compared, what is expected, what is found."""
        if name == "legal":
            yield name, value, self.legal()
        elif name == "log":
            now = self.logged()
            yield from ((f"log {k}", v, now[k]) for k, v in value.items())
        elif name == "seat_log":
            for seat, some in value.items():
                own = self.seat_logged(seat)
                yield from ((f"log {k} of seat {seat}", v, own[k]) for k, v in some.items())
        elif name in self.named_facts():
            first = self.named_facts()[name]
            yield from ((f"{name} of {k}", v, first(k)) for k, v in value.items())
        else:
            yield name, value, facts[name]


class RandomSteps(Position):
    """A random game, stepped through; goes before the positions of the game."""

    def __init__(self, options: dict[str, Any] | None = None, seats: int = 2, deal: int = 0) -> None:
        super().__init__(options, seats, deal)
        self.luck = Random(deal)

    def steps(self) -> Iterator[tuple[str, int, list[int], int]]:
        """Every decision, before it is applied: what, seat, legal ids, the id that will be chosen."""
        while not self.over:
            ids = self.legal()
            action = self.luck.choice(ids)
            yield self.decision, int(self.s.seat), ids, action
            self.game.apply(self.s, self.rules, action, self.rng[0])

    def to_the_end(self) -> Self:
        for _ in self.steps():
            pass
        return self
