"""A game stepped through outside the kernel: along its trail, traced turn by turn, or from Python."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core import types

from simkit.engine import piece_events
from simkit.engine.compile import jit, traceback
from simkit.engine.game import OVER, Game
from simkit.engine.kernel import NUMBERS, WORDS, Player, Table, arrays
from simkit.engine.rng import open_streams
from simkit.engine.tasks import Task
from simkit.errors import Crash, PlayError

Array = np.ndarray
TRAIL = 1 << 17  # actions in memory at one time: some thousand games of some dozens
GAMES, ROWS, ACTIONS, EVENTS = 0, 1, 2, 3  # the tracer has done: whole games; of these rows, actions, events
DECISIONS, CHOICES, MOST, STEPS = 0, 1, 2, 3  # what a seat had to do in a turn, load[seat, .]


class Traced(NamedTuple):
    """Games that were played and stepped through again."""

    part: slice  # their place among the games asked for
    states: Array  # final
    rows: Array  # one per turn and seat, Game.turn_dtype; `game` counts from the start of the part
    events: Array  # what became of the pieces, Game.piece_dtype


def traced(table: Table, lineup: list[Player], seed: int, deals: Array, shifts: Array) -> Iterator[Traced]:
    """Play as `Table.play` does, some games at a time, and trace them; the next part takes their rows."""
    game, seats, trace = table.game, len(lineup), tracer(table.game)
    trail = np.empty(max(TRAIL, game.max_steps), np.int64)  # the longest game fits
    rows, done = np.empty(0, game.turn_dtype), np.zeros(4, np.int64)
    counts, events = piece_events.room(game, table.rules, seats)
    again, load = np.zeros(1, game.state_dtype), np.zeros((seats, 4), np.int64)
    first, size = 0, max(1, TRAIL // game.max_steps)
    while first < len(deals):
        part = slice(first, first + size)
        states = table.play(lineup, seed, deals[part], shifts[part], trail)
        most = (len(trail) + len(states)) * seats  # a turn takes one action at least
        rows = rows if len(rows) >= most else np.empty(most, game.turn_dtype)
        try:
            given = (
                seed, deals[part], seats, table.rules, again, table.rng, table.rng.view(np.uint64),
                table.names, trail, table.ids, load, rows, counts, events, done,
            )  # fmt: skip
            Task(partial(trace, *given)).result()
        except Exception as error:
            deal, shift = (int(one[part][done[GAMES]]) for one in (deals, shifts))
            said = f"{game.name}: seed {seed}, deal {deal}, rotation {shift}: the trace failed"
            if isinstance(error, Crash):
                raise Crash(f"{said}: {error}", deal, shift) from error
            raise PlayError(f"{said}: {traceback.told(error)}", deal, shift) from error
        games = int(done[GAMES])
        if not games:
            events = piece_events.room(game, table.rules, seats, 2 * len(events))[1]
        yield Traced(slice(first, first + games), states[:games], rows[: done[ROWS]], events[: done[EVENTS]])
        first += games
        size = max(1, min(4 * size, games * TRAIL // (2 * max(1, int(done[ACTIONS])))))


class Driver(NamedTuple):
    """The functions of a game behind arrays of length 1, which Python hands over a hundred times faster."""

    start: jit.Entry  # start(states, rules, rng, seats)
    step: jit.Entry  # step(states, rules, rng, action)
    legal: jit.Entry  # legal(states, rules, ids) -> n
    observe: jit.Entry  # observe(states, rules, seat, views)
    redeal: jit.Entry  # redeal(views, rules, seat, stream)


@cache
def driver(game: Game) -> Driver:
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
    return Driver(*(jit.Entry(one, of, f"{one.__name__} {game.name}", bounds=True) for one, of in functions))


@jit.rule
def _clear(s, seats, load):  # type: ignore[no-untyped-def]
    """As before the setup of a game."""
    jit.wipe(s)
    s.seats = seats
    load[:] = 0


@jit.rule
def _count(load, seat, n):  # type: ignore[no-untyped-def]
    """One more action of a seat, chosen from n legal ones."""
    load[seat, STEPS] += 1
    if n > 1:
        load[seat, DECISIONS] += 1
        load[seat, CHOICES] += n
        load[seat, MOST] = max(load[seat, MOST], n)


@jit.rule
def _note_nothing(s, rules, seat, row):  # type: ignore[no-untyped-def]
    """The trace of a game that has nothing but scores to show."""


@cache
def _noter(game: Game) -> Any:
    """Writes a row per seat at the end of a turn, from row n on; returns the next free row."""
    trace = game.log.note or _note_nothing

    @jit.rule
    def note(s, rules, i, turn, load, rows, n):  # type: ignore[no-untyped-def]
        for seat in range(s.seats):
            row = rows[n + seat]
            jit.wipe(row)
            row.game, row.turn, row.seat, row.score = i, turn, seat, s.score[seat]
            trace(s, rules, seat, row)
            if s.seat == OVER:
                row.score = s.score[seat]
            row.decisions, row.choices = load[seat, DECISIONS], load[seat, CHOICES]
            row.most_choices, row.steps = load[seat, MOST], load[seat, STEPS]
        load[:] = 0
        return n + s.seats

    return note


def noted(game: Game, s: Any, rules: Any) -> list[dict[str, Any]]:
    """What the trace says of each seat if a turn ends now, but for what the seat had to decide."""
    rows, load = np.zeros(game.max_seats, game.turn_dtype), np.zeros((game.max_seats, 4), np.int64)
    _noter(game)(s, rules, 0, 0, load, rows, 0)
    names = ["score", *(f.name for f in game.log.trace)]
    return [{name: row[name].tolist() for name in names} for row in rows[: s.seats]]


@cache
def tracer(game: Game) -> jit.Entry:
    """Steps through games along their trail, as far as it goes, and writes rows at the end of each turn.

    A turn ends when the count of turns changes, the last one with the game. Before each step the game is
    asked for the legal actions, to count what each seat had to decide. A game's `note` may put another number
    in the place of `s.score` during play; at the end the final score stands.
    """
    setup, legal, apply, note = game.setup, game.legal, game.step, _noter(game)
    watch, settle, has_room = piece_events.watcher(game), piece_events.settle, piece_events.has_room

    def trace(seed, deals, seats, rules_array, states, rng_array,  # type: ignore[no-untyped-def]
              words, names, trail, ids, load, rows, counts, events, done):  # fmt: skip
        s, rules, rng = states[0], rules_array[0], rng_array[0]
        n = at = m = 0
        done[:] = 0
        for i in range(deals.size):
            open_streams(words, seed, deals[i], names)
            _clear(s, seats, load)
            setup(s, rules, rng)
            turn = 0
            if not has_room(counts, events, m):
                return
            m = watch(s, rules, i, 0, 1, s.seat, counts, events, m)
            while s.seat != OVER:
                if at == trail.size or not has_room(counts, events, m):
                    return
                turns, who, began = s.log.game.turns, s.seat, turn + 1
                _count(load, who, legal(s, rules, ids))
                apply(s, rules, trail[at], rng)
                at += 1
                if s.seat == OVER or s.log.game.turns != turns:
                    turn += 1
                    n = note(s, rules, i, turn, load, rows, n)
                m = watch(s, rules, i, began, turn + 1, who, counts, events, m)
            if turn == 0:
                n = note(s, rules, i, 1, load, rows, n)
            m = settle(s, i, max(1, turn), counts, events, m)
            done[0], done[1], done[2], done[3] = i + 1, n, at, m

    return jit.Entry(trace, _tracer_signature(game), f"trace {game.name}", allocates=False)


def _tracer_signature(game: Game) -> Any:
    (states, rules, rng), number = arrays(game), types.int64
    rows, load = types.Array(numba.from_dtype(game.turn_dtype), 1, "C"), types.Array(number, 2, "C")
    records, buffers = (rules, states, rng), (WORDS, WORDS, NUMBERS, NUMBERS)
    counts, events = types.Array(number, 3, "C"), types.Array(numba.from_dtype(game.piece_dtype), 1, "C")
    return types.void(number, NUMBERS, number, *records, *buffers, load, rows, counts, events, NUMBERS)
