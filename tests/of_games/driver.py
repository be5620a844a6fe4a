"""Compiled functions of a game for stepping through it from a test."""

from functools import cache
from typing import Any, NamedTuple

from numba import types

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import NUMBERS, WORDS, arrays


class Driver(NamedTuple):
    """Compiled functions of a game that take arrays of length 1.

    Python passes such arrays to compiled code a hundred times faster than records.
    """

    start: jit.Entry  # start(states, rules, rng, seats)
    step: jit.Entry  # step(states, rules, rng, action)
    legal: jit.Entry  # legal(states, rules, ids) -> n
    observe: jit.Entry  # observe(states, rules, seat, views)
    redeal: jit.Entry  # redeal(views, rules, seat, stream)


@cache
def driver(game: Game) -> Driver:
    """Return the compiled functions of a game."""
    setup, apply, legal_rule = game.setup, game.step, game.legal
    observe_rule, redeal_rule = game.observe, game.redeal

    def start(states, rules, rng, seats):  # type: ignore[no-untyped-def]
        states[0].seats = seats
        setup(states[0], rules[0], rng[0])

    def step(states, rules, rng, action):  # type: ignore[no-untyped-def]
        apply(states[0], rules[0], action, rng[0])

    def legal(states, rules, ids):  # type: ignore[no-untyped-def]
        return legal_rule(states[0], rules[0], ids)

    def observe(states, rules, seat, views):  # type: ignore[no-untyped-def]
        observe_rule(states[0], rules[0], seat, views[0])

    def redeal(views, rules, seat, stream):  # type: ignore[no-untyped-def]
        redeal_rule(views[0], rules[0], seat, stream)

    (states, rules, rng), number = arrays(game), types.int64
    signatures: dict[Any, Any] = {
        start: types.void(states, rules, rng, number),
        step: types.void(states, rules, rng, number),
        legal: number(states, rules, NUMBERS),
        observe: types.void(states, rules, number, states),
        redeal: types.void(states, rules, number, WORDS),
    }
    functions = signatures.items()
    return Driver(*(jit.Entry(f, kind, f"{f.__name__} {game.name}", bounds=True) for f, kind in functions))
