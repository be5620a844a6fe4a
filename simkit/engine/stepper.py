"""Traces of games: turns and events, along the trail of played games."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Annotated, Any, NamedTuple

import numpy as np
from numba import types

from simkit.engine import piece_events
from simkit.engine.compile import jit, traceback
from simkit.engine.game import OVER, Game
from simkit.engine.kernel import Ints, IntTable, Number, Rules, States, Streams, Words, argument_type
from simkit.engine.rng import open_streams
from simkit.engine.table import Player, Table
from simkit.engine.tasks import Task
from simkit.errors import Crash, PlayError

Array = np.ndarray
TRAIL = 1 << 17  # actions in memory at one time: a few thousand games of a few dozen actions
GAMES, ROWS, ACTIONS, EVENTS = 0, 1, 2, 3  # places in `Trails.done`
DECISIONS, CHOICES, MOST, STEPS = 0, 1, 2, 3  # places in `Trails.load`, as in TURN_FIELDS


class Traced(NamedTuple):
    """Games that were played and then traced."""

    part: slice  # of the games requested
    states: Array  # final states
    rows: Array  # one per turn and seat, Game.turn_dtype; `game` counts from the start of the part
    events: Array  # events of the pieces, Game.piece_dtype


class Trails(NamedTuple):
    """Trails of played games for the tracer, its memory and the arrays that it fills.

    Declared once for all who call it, as `kernel.Batch` is.
    """

    seed: Number
    deals: Ints  # deal number of each game
    seats: Number
    rules: Rules
    states: States  # room for one state: that of the last step
    rng: Streams
    words: Words  # the same memory as `rng`
    names: Words  # purposes of the streams of the game
    trail: Ints  # the actions of one game after the other
    ids: Ints  # room for the legal actions
    load: IntTable  # load[seat, .]: work of each seat in the turn
    rows: Annotated[Array, "turn", 1]  # filled with a row per turn and seat
    counts: Annotated[Array, types.int64, 3]  # of the pieces, see `piece_events`
    events: Annotated[Array, "piece", 1]  # filled with the events of the pieces
    done: Ints  # done[.]: games traced whole, and their rows, actions and events


def trails_for(table: Table, seats: int, seed: int, deals: Array, trail: Array) -> Trails:
    """Return what the tracer takes to step through the games of a trail, with memory for their rows."""
    game = table.game
    counts, events = piece_events.room(game, table.rules, seats)
    return Trails(
        seed=seed, deals=deals, seats=seats, rules=table.rules, states=np.zeros(1, game.state_dtype),
        rng=table.rng, words=table.rng.view(np.uint64), names=table.names, trail=trail, ids=table.ids,
        load=np.zeros((seats, 4), np.int64),
        rows=np.empty(_most_rows(len(trail), len(deals), seats), game.turn_dtype),
        counts=counts, events=events, done=np.zeros(4, np.int64),
    )  # fmt: skip


def _most_rows(actions: int, games: int, seats: int) -> int:
    """Return the most rows that the games of a trail have: a turn takes one action at least."""
    return (actions + games) * seats


def traced(table: Table, lineup: list[Player], seed: int, deals: Array, shifts: Array) -> Iterator[Traced]:
    """Play as `Table.play` does and trace the games; yield them in parts.

    The arrays of a part are overwritten by the next one.
    """
    game, seats, trace = table.game, len(lineup), tracer(table.game)
    first, size = 0, max(1, TRAIL // game.max_steps)
    trail = np.empty(max(TRAIL, game.max_steps), np.int64)  # the longest game fits
    trails = trails_for(table, seats, seed, deals[:size], trail)
    while first < len(deals):
        part = slice(first, first + size)
        states = table.play(lineup, seed, deals[part], shifts[part], trail)
        max_rows = _most_rows(len(trail), len(states), seats)
        rows = trails.rows if len(trails.rows) >= max_rows else np.empty(max_rows, game.turn_dtype)
        trails = trails._replace(deals=deals[part], rows=rows)
        done = trails.done
        try:
            Task(partial(trace, trails)).result()
        except Exception as error:
            deal, shift = (int(array[part][done[GAMES]]) for array in (deals, shifts))
            message = f"{game.name}: seed {seed}, deal {deal}, rotation {shift}: the trace failed"
            if isinstance(error, Crash):
                raise Crash(f"{message}: {error}", deal, shift) from error
            raise PlayError(f"{message}: {traceback.describe(error)}", deal, shift) from error
        games = int(done[GAMES])
        if not games:
            events = piece_events.room(game, table.rules, seats, 2 * len(trails.events))[1]
            trails = trails._replace(events=events)
        part, events = slice(first, first + games), trails.events[: done[EVENTS]]
        yield Traced(part, states[:games], rows[: done[ROWS]], events)
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

    def trace(trails):  # type: ignore[no-untyped-def]
        s, rules, rng, seats = trails.states[0], trails.rules[0], trails.rng[0], trails.seats
        trail, load, rows = trails.trail, trails.load, trails.rows
        counts, events, done = trails.counts, trails.events, trails.done
        row_count = action_count = event_count = 0
        done[:] = 0
        for i in range(trails.deals.size):
            open_streams(trails.words, trails.seed, trails.deals[i], trails.names)
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
                _count(load, mover, legal(s, rules, trails.ids))
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

    signature = types.void(argument_type(game, Trails))
    return jit.Entry(trace, signature, f"trace {game.name}", allocates=False)
