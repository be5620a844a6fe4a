"""A game stepped through again outside the kernel, along its trail of actions: to be told in words, or traced turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core import types

from simkit import jit
from simkit.chance import open_streams
from simkit.game import OVER, Game
from simkit.kernel import Player, Table

TRAIL = 1 << 17  # actions in memory at one time: some thousand games of some dozens
GAMES, ROWS, ACTIONS = 0, 1, 2  # what the tracer has done: whole games, the rows and the actions of these
DECISIONS, CHOICES, MOST, STEPS = 0, 1, 2, 3  # what a seat had to do in a turn, load[seat, .]


class Traced(NamedTuple):
    """Games that were played and stepped through again: their place in what was asked for, final states, a row per turn and seat."""

    part: slice
    states: np.ndarray
    rows: np.ndarray  # Game.turn_dtype; `game` counts from the start of the part


def traced(
    table: Table, lineup: list[Player], seed: int, deals: np.ndarray, shifts: np.ndarray
) -> Iterator[Traced]:
    """Play as `Table.play` does, some games at a time, and trace them; the rows of a part are overwritten by the next."""
    game, seats = table.game, len(lineup)
    trail = np.empty(max(TRAIL, game.max_steps), np.int64)  # the longest game fits
    rows, done = np.empty(0, game.turn_dtype), np.zeros(3, np.int64)
    first, size = 0, max(1, TRAIL // game.max_steps)
    while first < len(deals):
        part = slice(first, first + size)
        states = table.play(lineup, seed, deals[part], shifts[part], trail)
        most = (len(trail) + len(states)) * seats  # a turn takes one action at least
        rows = rows if len(rows) >= most else np.empty(most, game.turn_dtype)
        _trace(table, seats, seed, deals[part], trail, rows, done)
        games = int(done[GAMES])
        yield Traced(slice(first, first + games), states[:games], rows[: done[ROWS]])
        first += games
        size = max(1, min(4 * size, games * TRAIL // (2 * max(1, int(done[ACTIONS])))))


def _trace(
    table: Table,
    seats: int,
    seed: int,
    deals: np.ndarray,
    trail: np.ndarray,
    rows: np.ndarray,
    done: np.ndarray,
) -> None:
    game = table.game
    states = np.zeros(1, game.state_dtype)
    words, load = table.rng.view(np.uint64), np.zeros((seats, 4), np.int64)
    _tracer(game)(
        seed,
        deals,
        seats,
        table.rules,
        states,
        table.rng,
        words,
        table.names,
        trail,
        table.ids,
        load,
        rows,
        done,
    )


@cache
def stepper(game: Game) -> tuple[Any, Any]:
    """Two functions of arrays of length 1: start(states, rules, rng, seats), and step(states, rules, rng, action) -> whether it ended a turn.

    Compiled once and kept on disk.
    """
    start_rule, step_rule = _rules(game)

    def start(states, rules, rng, seats):  # type: ignore[no-untyped-def]
        start_rule(states[0], rules[0], rng[0], seats)

    def step(states, rules, rng, action):  # type: ignore[no-untyped-def]
        return step_rule(states[0], rules[0], rng[0], action)

    arrays = _arrays(game)
    begun = jit.entry(start, types.void(*arrays, types.int64), f"start {game.name}")
    return begun, jit.entry(step, types.boolean(*arrays, types.int64), f"step {game.name}")


class Driver(NamedTuple):
    """The functions of a game behind arrays of length 1: called from Python a hundred times faster than with records."""

    start: Any  # start(states, rules, rng, seats)
    step: Any  # step(states, rules, rng, action) -> whether it ended a turn
    legal: Any  # legal(states, rules, ids) -> n
    observe: Any  # observe(states, rules, seat, views)
    redeal: Any  # redeal(views, rules, seat, stream)


@cache
def driver(game: Game) -> Driver:
    """The functions of a game to be called from Python, compiled once and kept on disk."""
    legal_rule, observe_rule, redeal_rule = game.legal, game.observe, game.redeal

    def legal(states, rules, ids):  # type: ignore[no-untyped-def]
        return legal_rule(states[0], rules[0], ids)

    def observe(states, rules, seat, views):  # type: ignore[no-untyped-def]
        observe_rule(states[0], rules[0], seat, views[0])

    def redeal(views, rules, seat, stream):  # type: ignore[no-untyped-def]
        redeal_rule(views[0], rules[0], seat, stream)

    states, rules, _ = _arrays(game)
    ids, words = types.Array(types.int64, 1, "C"), types.Array(types.uint64, 1, "C")
    return Driver(
        *stepper(game),
        jit.entry(legal, types.int64(states, rules, ids), f"legal {game.name}"),
        jit.entry(observe, types.void(states, rules, types.int64, states), f"observe {game.name}"),
        jit.entry(redeal, types.void(states, rules, types.int64, words), f"redeal {game.name}"),
    )


@cache
def _rules(game: Game) -> tuple[Any, Any]:
    """How a game starts and goes on; a turn ends when the count of turns changes, the last one with the game."""
    setup, apply = game.setup, game.apply

    @jit.rule
    def start(s, rules, rng, seats):  # type: ignore[no-untyped-def]
        s.seats = seats
        setup(s, rules, rng)

    @jit.rule
    def step(s, rules, rng, action):  # type: ignore[no-untyped-def]
        before = s.log.game.turns
        apply(s, rules, action, rng)
        return s.seat == OVER or s.log.game.turns != before

    return start, step


@jit.rule
def _count(load, seat, n):  # type: ignore[no-untyped-def]
    """One more action of a seat, chosen from n legal ones."""
    load[seat, STEPS] += 1
    if n > 1:
        load[seat, DECISIONS] += 1
        load[seat, CHOICES] += n
        load[seat, MOST] = max(load[seat, MOST], n)


@jit.rule
def _put_load(row, load, seat):  # type: ignore[no-untyped-def]
    """What a seat had to do, into its row of the turn."""
    row.decisions, row.choices = load[seat, DECISIONS], load[seat, CHOICES]
    row.most_choices, row.steps = load[seat, MOST], load[seat, STEPS]


@jit.rule
def _note_nothing(s, rules, seat, row):  # type: ignore[no-untyped-def]
    """The trace of a game that has nothing but scores to show."""


@cache
def _tracer(game: Game) -> Any:
    """Steps through games along their trail and writes a row per seat at the end of each turn; stops where the trail stops.

    It asks the game for the legal actions before each step, to count what each seat had to decide.
    A game's `trace` may put another number in the place of `s.score` during play; at the end the final score stands.
    """
    start, step = _rules(game)
    legal, trace = game.legal, game.log.note or _note_nothing

    @jit.rule
    def note(s, rules, i, turn, load, rows, n):  # type: ignore[no-untyped-def]
        for seat in range(s.seats):
            row = rows[n]
            jit.wipe(row)
            row.game, row.turn, row.seat, row.score = i, turn, seat, s.score[seat]
            trace(s, rules, np.int64(seat), row)
            if s.seat == OVER:
                row.score = s.score[seat]
            _put_load(row, load, seat)
            n += 1
        load[:] = 0
        return n

    def tracer(
        seed, deals, seats, rules_array, states, rng_array, words, names, trail, ids, load, rows, done
    ):  # type: ignore[no-untyped-def]
        s, rules, rng = states[0], rules_array[0], rng_array[0]
        n = at = 0
        done[:] = 0
        for i in range(deals.size):
            open_streams(words, seed, deals[i], names)
            jit.wipe(s)
            start(s, rules, rng, seats)
            load[:] = 0
            turn = 0
            while s.seat != OVER:
                if at == trail.size:
                    return
                _count(load, s.seat, legal(s, rules, ids))
                turn_over = step(s, rules, rng, trail[at])
                at += 1
                if turn_over:
                    turn += 1
                    n = note(s, rules, i, turn, load, rows, n)
            if turn == 0:
                n = note(s, rules, i, 1, load, rows, n)
            done[0], done[1], done[2] = i + 1, n, at

    return jit.entry(tracer, _tracer_signature(game), f"trace {game.name}", allocates=False)


def _arrays(game: Game) -> tuple[Any, Any, Any]:
    """The compiled types of state, rules and luck, as arrays."""
    state, rules, rng = (numba.from_dtype(d) for d in (game.state_dtype, game.rules_dtype, game.rng_dtype))
    return types.Array(state, 1, "C"), types.Array(rules, 1, "C", readonly=True), types.Array(rng, 1, "C")


def _tracer_signature(game: Game) -> Any:
    states, rules, rng = _arrays(game)
    int64, words = types.Array(types.int64, 1, "C"), types.Array(types.uint64, 1, "C")
    rows = types.Array(numba.from_dtype(game.turn_dtype), 1, "C")
    load = types.Array(types.int64, 2, "C")
    return types.void(
        types.int64, int64, types.int64, rules, states, rng, words, words, int64, int64, load, rows, int64
    )
