"""Traces of games: turns and events, along the trail of played games."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core import types

from simkit.engine import piece_events
from simkit.engine.compile import jit, traceback
from simkit.engine.game import OVER, Game
from simkit.engine.kernel import NUMBERS, WORDS, arrays
from simkit.engine.rng import open_streams
from simkit.engine.table import Player, Table
from simkit.engine.tasks import Task
from simkit.errors import Crash, PlayError

Array = np.ndarray
TRAIL = 1 << 17  # actions in memory at one time: a few thousand games of a few dozen actions
GAMES, ROWS, ACTIONS, EVENTS = 0, 1, 2, 3  # done[.]: games traced whole, and their rows, actions and events
DECISIONS, CHOICES, MOST, STEPS = 0, 1, 2, 3  # load[seat, .]: work of a seat in a turn, as in TURN_FIELDS


class Traced(NamedTuple):
    """Games that were played and then traced."""

    part: slice  # of the games requested
    states: Array  # final states
    rows: Array  # one per turn and seat, Game.turn_dtype; `game` counts from the start of the part
    events: Array  # events of the pieces, Game.piece_dtype


def traced(table: Table, lineup: list[Player], seed: int, deals: Array, shifts: Array) -> Iterator[Traced]:
    """Play as `Table.play` does and trace the games; yield them in parts.

    The arrays of a part are overwritten by the next one.
    """
    game, seats, trace = table.game, len(lineup), tracer(table.game)
    trail = np.empty(max(TRAIL, game.max_steps), np.int64)  # the longest game fits
    rows, done = np.empty(0, game.turn_dtype), np.zeros(4, np.int64)
    counts, events = piece_events.room(game, table.rules, seats)
    replayed, load = np.zeros(1, game.state_dtype), np.zeros((seats, 4), np.int64)
    first, size = 0, max(1, TRAIL // game.max_steps)
    while first < len(deals):
        part = slice(first, first + size)
        states = table.play(lineup, seed, deals[part], shifts[part], trail)
        max_rows = (len(trail) + len(states)) * seats  # a turn takes one action at least
        rows = rows if len(rows) >= max_rows else np.empty(max_rows, game.turn_dtype)
        try:
            arguments = (
                seed, deals[part], seats, table.rules, replayed, table.rng, table.rng.view(np.uint64),
                table.names, trail, table.ids, load, rows, counts, events, done,
            )  # fmt: skip
            Task(partial(trace, *arguments)).result()
        except Exception as error:
            deal, shift = (int(array[part][done[GAMES]]) for array in (deals, shifts))
            message = f"{game.name}: seed {seed}, deal {deal}, rotation {shift}: the trace failed"
            if isinstance(error, Crash):
                raise Crash(f"{message}: {error}", deal, shift) from error
            raise PlayError(f"{message}: {traceback.describe(error)}", deal, shift) from error
        games = int(done[GAMES])
        if not games:
            events = piece_events.room(game, table.rules, seats, 2 * len(events))[1]
        yield Traced(slice(first, first + games), states[:games], rows[: done[ROWS]], events[: done[EVENTS]])
        first += games
        size = max(1, min(4 * size, games * TRAIL // (2 * max(1, int(done[ACTIONS])))))


@jit.rule
def _clear(s, seats, load):  # type: ignore[no-untyped-def]
    """Reset state and load to what they are before the setup of a game."""
    jit.wipe(s)
    s.seats = seats
    load[:] = 0


@jit.rule
def _count(load, seat, n):  # type: ignore[no-untyped-def]
    """Count an action of a seat, chosen from n legal ones."""
    load[seat, STEPS] += 1
    if n > 1:
        load[seat, DECISIONS] += 1
        load[seat, CHOICES] += n
        load[seat, MOST] = max(load[seat, MOST], n)


@jit.rule
def _note_nothing(s, rules, seat, row):  # type: ignore[no-untyped-def]
    """Add nothing to the row: the trace of a game that has only scores to show."""


@cache
def _noter(game: Game) -> Any:
    """Return the rule that writes a row per seat at the end of a turn, from row n on."""
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
    """Return the trace of each seat, by column, as if a turn ended now; without counts of decisions."""
    rows, load = np.zeros(game.max_seats, game.turn_dtype), np.zeros((game.max_seats, 4), np.int64)
    _noter(game)(s, rules, 0, 0, load, rows, 0)
    names = ["score", *(f.name for f in game.log.trace)]
    return [{name: row[name].tolist() for name in names} for row in rows[: s.seats]]


@cache
def tracer(game: Game) -> jit.Entry:
    """Return the function that steps through games along their trail and writes rows at the end of each turn.

    It stops where the trail or the room for events ends. A turn ends when the count of turns changes, the
    last turn with the game. The legal actions are listed before each step, to count the decisions of each
    seat. A game's `note` may replace `s.score` during play; the last row of a game holds the final score.
    """
    setup, legal, apply, note = game.setup, game.legal, game.step, _noter(game)
    watch, settle, has_room = piece_events.watcher(game), piece_events.settle, piece_events.has_room

    def trace(seed, deals, seats, rules_array, states, rng_array,  # type: ignore[no-untyped-def]
              words, names, trail, ids, load, rows, counts, events, done):  # fmt: skip
        s, rules, rng = states[0], rules_array[0], rng_array[0]
        row_count = action_count = event_count = 0
        done[:] = 0
        for i in range(deals.size):
            open_streams(words, seed, deals[i], names)
            _clear(s, seats, load)
            setup(s, rules, rng)
            turn = 0
            if not has_room(counts, events, event_count):
                return
            event_count = watch(s, rules, i, 0, 1, s.seat, counts, events, event_count)
            while s.seat != OVER:
                if action_count == trail.size or not has_room(counts, events, event_count):
                    return
                turns, mover, began = s.log.game.turns, s.seat, turn + 1
                _count(load, mover, legal(s, rules, ids))
                apply(s, rules, trail[action_count], rng)
                action_count += 1
                if s.seat == OVER or s.log.game.turns != turns:
                    turn += 1
                    row_count = note(s, rules, i, turn, load, rows, row_count)
                event_count = watch(s, rules, i, began, turn + 1, mover, counts, events, event_count)
            if turn == 0:
                row_count = note(s, rules, i, 1, load, rows, row_count)
            event_count = settle(s, i, max(1, turn), counts, events, event_count)
            done[0], done[1], done[2], done[3] = i + 1, row_count, action_count, event_count

    return jit.Entry(trace, _tracer_signature(game), f"trace {game.name}", allocates=False)


def _tracer_signature(game: Game) -> Any:
    (states, rules, rng), number = arrays(game), types.int64
    rows, load = types.Array(numba.from_dtype(game.turn_dtype), 1, "C"), types.Array(number, 2, "C")
    records, buffers = (rules, states, rng), (WORDS, WORDS, NUMBERS, NUMBERS)
    counts, events = types.Array(number, 3, "C"), types.Array(numba.from_dtype(game.piece_dtype), 1, "C")
    return types.void(number, NUMBERS, number, *records, *buffers, load, rows, counts, events, NUMBERS)
