"""Outpost Seven driven from Python: its own functions behind array arguments, compiled once and kept on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba.core import types
from of_games.driver import driver

from simkit.engine.compile import jit
from simkit.engine.rng import below, open_streams, purposes
from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.facts import Decision

ANY_DECISION = -9
TO_THE_END = 100_000
DRIVE = driver(game)


@cache
def reach() -> jit.EntryPoint:
    """Compile what plays at random up to a step or a decision, or load it from the cache; see `reached`."""
    setup, legal, apply = game.setup, game.legal, game.apply

    def reach(states, rules, rng, words, names, choices, choice_names, ids, seed, deals, steps, decision):  # type: ignore[no-untyped-def]
        for i in range(deals.size):
            s = states[i]
            open_streams(words, seed, deals[i], names)
            open_streams(choices, seed, deals[i], choice_names)
            s.seats = 2
            setup(s, rules[0], rng[0])
            taken = 0
            while s.seat >= 0 and taken < steps[i] and s.decision != decision:
                n = legal(s, rules[0], ids)
                apply(s, rules[0], ids[below(choices, n)], rng[0])
                taken += 1
            steps[i] = taken

    state, rules, rng = (numba.from_dtype(d) for d in (game.state_dtype, game.rules_dtype, game.rng_dtype))
    states, rules, rng = (
        types.Array(state, 1, "C"),
        types.Array(rules, 1, "C", readonly=True),
        types.Array(rng, 1, "C"),
    )
    ids, words = types.Array(types.int64, 1, "C"), types.Array(types.uint64, 1, "C")
    number = types.int64
    signature = types.void(states, rules, rng, words, words, words, words, ids, number, ids, ids, number)
    return jit.EntryPoint(reach, signature, "test reach")


@cache
def _rules(options: tuple[tuple[str, Any], ...]) -> np.ndarray:
    return game.rules(dict(options))


def rules_of(options: Mapping[str, Any] | None = None) -> np.ndarray:
    """The rules record for these options over the defaults, array of length 1."""
    return _rules(tuple(sorted((options or {}).items())))


NAMES = purposes(game.purposes)
CHOICE = purposes(["test/choice"])


def luck(seed: int, deal: int) -> np.ndarray:
    """The streams of one deal, array of length 1."""
    rng = np.zeros(1, game.rng_dtype)
    open_streams(rng.view(np.uint64), seed, deal, NAMES)
    return rng


def reached(
    options: Mapping[str, Any],
    deals: int,
    steps: Any = TO_THE_END,
    decision: int = ANY_DECISION,
    seed: int = 1,
) -> np.ndarray:
    """States after `steps` uniformly random actions (fewer if the decision is met or the game ends first),
    one per deal.
    """
    rules, rng = rules_of(options), np.zeros(1, game.rng_dtype)
    states = np.zeros(deals, game.state_dtype)
    limits = np.broadcast_to(np.asarray(steps, np.int64), deals).copy()
    reach()(
        states, rules, rng, rng.view(np.uint64), NAMES, np.zeros(1, np.uint64), CHOICE, np.zeros(game.max_actions, np.int64),
        seed, np.arange(deals), limits, decision,
    )  # fmt: skip
    return states


def dealt(options: Mapping[str, Any], deals: int, seed: int = 1) -> np.ndarray:
    """States directly after setup, one per deal."""
    return reached(options, deals, 0, seed=seed)


class Facts(SimpleNamespace):
    """The fields of a record as plain attributes."""

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


def facts(array: np.ndarray) -> Any:
    """The first record of an array as plain attributes: fifty times faster to read again and again than a
    record.
    """
    if array.dtype.names is None:
        return array[0] if array.ndim > 1 else array[0].item()
    if array.ndim > 1:
        return [facts(array[:, i]) for i in range(array.shape[1])]
    return Facts(**{name: facts(array[name]) for name in array.dtype.names})


class Play:
    """One game, stepped by hand; `s` and `rules` are its records."""

    def __init__(self, states: np.ndarray, rules: np.ndarray, rng: np.ndarray | None = None) -> None:
        self.states, self.rules_array = states, rules
        self.rng = luck(1, 1) if rng is None else rng
        self.ids = np.zeros(game.max_actions, np.int64)
        self.rule_facts = facts(rules)

    @classmethod
    def begin(cls, options: Mapping[str, Any], seed: int = 1, deal: int = 0) -> Play:
        """A game directly after setup."""
        play = cls(np.zeros(1, game.state_dtype), rules_of(options), luck(seed, deal))
        DRIVE.start(play.states, play.rules_array, play.rng, 2)
        return play

    @property
    def s(self) -> Any:
        return self.states[0]

    @property
    def rules(self) -> Any:
        return self.rules_array[0]

    @property
    def decision(self) -> Decision:
        return Decision(int(self.s.decision))

    def legal(self) -> list[int]:
        """The legal action ids."""
        n = DRIVE.legal(self.states, self.rules_array, self.ids)
        return [int(a) for a in self.ids[:n]]

    def apply(self, action: int) -> None:
        DRIVE.step(self.states, self.rules_array, self.rng, action)

    def copy(self) -> Play:
        return Play(self.states.copy(), self.rules_array, self.rng.copy())

    def view(self, seat: int) -> np.ndarray:
        """What a seat sees, array of length 1, at its first look."""
        views = np.zeros(1, game.state_dtype)
        DRIVE.observe(self.states, self.rules_array, seat, views)
        return views

    def redealt(self, seat: int, stream: int) -> Play:
        """The game as the seat might imagine it."""
        views = self.view(seat)
        DRIVE.redeal(views, self.rules_array, seat, np.array([stream], np.uint64))
        return Play(views, self.rules_array, self.rng.copy())

    def steps(self, generator: np.random.Generator) -> Iterator[tuple[np.ndarray, int]]:
        """Play on at random to the end; yields the state before and the action, after the action was carried
        out.
        """
        while self.s.seat >= 0:
            before = self.states.copy()
            ids = self.legal()
            assert ids, f"no legal action in decision {self.decision.name}"
            assert ids == sorted(set(ids)), f"legal ids are not ascending: {ids}"
            action = ids[int(generator.integers(len(ids)))]
            self.apply(action)
            yield before, action

    @property
    def facts(self) -> Any:
        """The state, to read."""
        return facts(self.states)

    def problems(self) -> list[str]:
        return game.problems(self.facts, self.rule_facts)
