"""Compiled functions of a game for stepping through it from a test."""

from functools import cache
from typing import Any

import numpy as np
from numba import types

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import NUMBERS, WORDS, arrays

START, STEP, LEGAL, OBSERVE, REDEAL = range(5)
NO_IDS, NO_STREAM = np.zeros(0, np.int64), np.zeros(0, np.uint64)


class Driver:
    """Compiled functions of a game that take arrays of length 1.

    Python passes such arrays to compiled code a hundred times faster than records. The functions are one
    entry, so that the rules are compiled once.
    """

    def __init__(self, game: Game) -> None:
        self.entry = _entry(game)
        self._no_rng = np.zeros(1, game.rng_dtype)

    def start(self, states: Any, rules: Any, rng: Any, seats: int) -> None:
        """Set up a game."""
        self.entry(START, states, rules, rng, seats, states, NO_IDS, NO_STREAM)

    def step(self, states: Any, rules: Any, rng: Any, action: int) -> None:
        """Apply an action."""
        self.entry(STEP, states, rules, rng, action, states, NO_IDS, NO_STREAM)

    def legal(self, states: Any, rules: Any, ids: Any) -> int:
        """Write the legal actions into `ids`; return their number."""
        return int(self.entry(LEGAL, states, rules, self._no_rng, 0, states, ids, NO_STREAM))

    def observe(self, states: Any, rules: Any, seat: int, views: Any) -> None:
        """Write the view of a seat into `views`."""
        self.entry(OBSERVE, states, rules, self._no_rng, seat, views, NO_IDS, NO_STREAM)

    def redeal(self, views: Any, rules: Any, seat: int, stream: Any) -> None:
        """Deal anew what a seat does not see."""
        self.entry(REDEAL, views, rules, self._no_rng, seat, views, NO_IDS, stream)


@cache
def driver(game: Game) -> Driver:
    """Return the compiled functions of a game."""
    return Driver(game)


def _entry(game: Game) -> jit.EntryPoint:
    setup, apply, legal = game.setup, game.step, game.legal
    observe, redeal = game.observe, game.redeal

    def drive(what, states, rules, rng, number, views, ids, stream):  # type: ignore[no-untyped-def]
        if what == START:
            states[0].seats = number
            setup(states[0], rules[0], rng[0])
        elif what == STEP:
            apply(states[0], rules[0], number, rng[0])
        elif what == LEGAL:
            return legal(states[0], rules[0], ids)
        elif what == OBSERVE:
            observe(states[0], rules[0], number, views[0])
        else:
            redeal(views[0], rules[0], number, stream)
        return 0

    (states, rules, rng), number = arrays(game), types.int64
    kind = number(number, states, rules, rng, number, states, NUMBERS, WORDS)
    return jit.EntryPoint(drive, kind, f"drive {game.name}", bounds=True)
