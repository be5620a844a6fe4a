"""Traces of games, along the trail of played games: turns, and events of the pieces.

A piece is offered, taken, given, played, kept, unsold: see `fields.Event`.
"""

from collections.abc import Iterator
from functools import cache, partial
from typing import Annotated, Any, NamedTuple

import numpy as np
from numba import types

from simkit.engine.compile import jit
from simkit.engine.compile.messages import describe_error
from simkit.engine.fields import Event
from simkit.engine.game import Game
from simkit.engine.kernel import Ints, IntTable, Number, Rules, States, Streams, Words, argument_type
from simkit.engine.rng import open_streams
from simkit.engine.rule_helpers import OVER
from simkit.engine.table import GameTable, Player
from simkit.engine.tasks import Task
from simkit.errors import Crash, PlayError

Array = np.ndarray
TRAIL = 1 << 17  # actions in memory at one time: a few thousand games of a few dozen actions
GAMES, ROWS, ACTIONS, EVENTS = 0, 1, 2, 3  # places in `Trails.done`
DECISIONS, CHOICES, MOST, STEPS = 0, 1, 2, 3  # places in `Trails.load`, as in TURN_FIELDS
ROOM = 1 << 16  # events in memory at one time; a game with more gets more room
WAS, NOW, SINCE = 0, 1, 2  # counts[., row, piece]; rows: on offer, played, held by each seat
OFFERED, TAKEN, GIVEN, PLAYED, HELD, UNSOLD = map(int, Event)
NONE = -1  # no seat


class TracedGames(NamedTuple):
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
    shifts: Ints  # rotation of each game
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
    counts: Annotated[Array, types.int64, 3]  # of the pieces, see `room_for_pieces`
    events: Annotated[Array, "piece", 1]  # filled with the events of the pieces
    done: Ints  # done[.]: games traced whole, and their rows, actions and events


def trails_for(table: GameTable, seats: int, seed: int, deals: Array, shifts: Array, trail: Array) -> Trails:
    """Return what the tracer takes to step through the games of a trail, with memory for their rows."""
    game = table.game
    counts, events = room_for_pieces(game, table.rules, seats)
    return Trails(
        seed=seed, deals=deals, shifts=shifts, seats=seats, rules=table.rules,
        states=np.zeros(1, game.state_dtype), rng=table.rng, words=table.rng.view(np.uint64),
        names=table.names, trail=trail, ids=table.ids,
        load=np.zeros((seats, 4), np.int64),
        rows=np.empty(_most_rows(len(trail), len(deals), seats), game.turn_dtype),
        counts=counts, events=events, done=np.zeros(4, np.int64),
    )  # fmt: skip


def _most_rows(actions: int, games: int, seats: int) -> int:
    """Return the most rows that the games of a trail have: a turn takes one action at least."""
    return (actions + games) * seats


def trace_games(
    table: GameTable, lineup: list[Player], seed: int, deals: Array, shifts: Array
) -> Iterator[TracedGames]:
    """Play as `GameTable.play` does and trace the games; yield them in parts.

    The arrays of a part are overwritten by the next one.
    """
    game, seats, trace = table.game, len(lineup), tracer(table.game)
    first, size = 0, max(1, TRAIL // game.max_steps)
    trail = np.empty(max(TRAIL, game.max_steps), np.int64)  # the longest game fits
    trails = trails_for(table, seats, seed, deals[:size], shifts[:size], trail)
    while first < len(deals):
        part = slice(first, first + size)
        states = table.play(lineup, seed, deals[part], shifts[part], trail)
        max_rows = _most_rows(len(trail), len(states), seats)
        rows = trails.rows if len(trails.rows) >= max_rows else np.empty(max_rows, game.turn_dtype)
        trails = trails._replace(deals=deals[part], shifts=shifts[part], rows=rows)
        done = trails.done
        try:
            Task(partial(trace, trails)).result()
        except Exception as error:
            deal, shift = (int(array[part][done[GAMES]]) for array in (deals, shifts))
            message = f"{game.name}: seed {seed}, deal {deal}, rotation {shift}: the trace failed"
            if isinstance(error, Crash):
                raise Crash(f"{message}: {error}", deal, shift) from error
            raise PlayError(f"{message}: {describe_error(error)}", deal, shift) from error
        games = int(done[GAMES])
        if not games:
            events = room_for_pieces(game, table.rules, seats, 2 * len(trails.events))[1]
            trails = trails._replace(events=events)
        part, events = slice(first, first + games), trails.events[: done[EVENTS]]
        yield TracedGames(part, states[:games], rows[: done[ROWS]], events)
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


def current_trace(game: Game, s: Any, rules: Any) -> list[dict[str, Any]]:
    """Return the trace of each seat, by column, as if a turn ended now; without counts of decisions."""
    rows, load = np.zeros(game.max_seats, game.turn_dtype), np.zeros((game.max_seats, 4), np.int64)
    _noter(game)(s, rules, 0, 0, load, rows, 0)
    names = ["score", *(f.name for f in game.log.trace)]
    return [{name: row[name].tolist() for name in names} for row in rows[: s.seats]]


@cache
def tracer(game: Game) -> jit.EntryPoint:
    """Return the function that steps through games along their trail and writes rows at the end of each turn.

    It stops where the trail or the room for events ends. A turn ends when the count of turns changes, the
    last turn with the game. The legal actions are listed before each step, to count the decisions of each
    seat. A game's `note` may replace `s.score` during play; the last row of a game holds the final score.
    """
    begin, legal, apply, note = game.begin, game.legal, game.step, _noter(game)
    watch = _watcher(game)

    def trace(trails):  # type: ignore[no-untyped-def]
        s, rules, rng, seats = trails.states[0], trails.rules[0], trails.rng[0], trails.seats
        trail, load, rows = trails.trail, trails.load, trails.rows
        counts, events, done = trails.counts, trails.events, trails.done
        row_count = action_count = event_count = 0
        done[:] = 0
        for i in range(trails.deals.size):
            open_streams(trails.words, trails.seed, trails.deals[i], trails.names)
            _clear(s, seats, load)
            begin(s, rules, rng, trails.shifts[i])
            turn = 0
            if not _has_room(counts, events, event_count):
                return
            event_count = watch(s, rules, i, 0, 1, s.seat, counts, events, event_count)
            while s.seat != OVER:
                if action_count == trail.size or not _has_room(counts, events, event_count):
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
            event_count = _settle(s, i, max(1, turn), counts, events, event_count)
            done[0], done[1], done[2], done[3] = i + 1, row_count, action_count, event_count

    signature = types.void(argument_type(game, Trails))
    return jit.EntryPoint(trace, signature, f"trace {game.name}", allocates=False)


def room_for_pieces(game: Game, rules: Array, seats: int, events: int = ROOM) -> tuple[Array, Array]:
    """Return arrays for the counts of the pieces and for events, both empty if the game has no pieces."""
    piece_count = len(game.pieces.names(rules[0])) if game.pieces else 0
    event_count = max(2 * _most_at_once(seats, piece_count), events if piece_count else 0)
    return np.zeros((3, 2 + seats, piece_count), np.int64), np.empty(event_count, game.piece_dtype)


@jit.rule
def _most_at_once(seats, pieces):  # type: ignore[no-untyped-def]
    """Return the most events of one step, including the last step of a game."""
    return pieces * 2 * (seats + 2)


@jit.rule
def _has_room(counts, events, n):  # type: ignore[no-untyped-def]
    """Return whether `events` has room for one more step after n events."""
    return n + _most_at_once(counts.shape[1] - 2, counts.shape[2]) <= events.size


@jit.rule
def _count_nothing(s, rules, offer, used, held):  # type: ignore[no-untyped-def]
    """Count nothing, for a game without pieces."""


@jit.rule
def _write(events, n, game, piece, kind, seat, turn, last, copies):  # type: ignore[no-untyped-def]
    """Write event n and return n + 1."""
    event = events[n]
    event.game, event.piece, event.event, event.seat = game, piece, kind, seat
    event.turn, event.last, event.copies = turn, last, copies
    return n + 1


def _watcher(game: Game) -> Any:
    """Return a rule that writes the events of one step and returns their number so far.

    Its arguments are (s, rules, i, turn, after, mover, counts, events, n). `turn` is the turn of the step, 0
    after the setup; `after` is the turn from which on seats may take what is on offer now; `mover` is the
    seat that made the step. If `counts` is empty, it writes no events.
    """
    count = game.pieces.count if game.pieces else _count_nothing

    @jit.rule
    def watch(s, rules, i, turn, after, mover, counts, events, n):  # type: ignore[no-untyped-def]
        if counts.size == 0:
            return n
        was, now, since = counts[WAS], counts[NOW], counts[SINCE, 0]
        if turn == 0:
            counts[:] = 0
        now[:] = 0
        count(s, rules, now[0], now[1], now[2:])
        for piece in range(since.size):
            for seat in range(s.seats):
                gained = now[2 + seat, piece] - was[2 + seat, piece]
                if gained > 0:
                    kind = TAKEN if was[0, piece] > 0 else GIVEN
                    n = _write(events, n, i, piece, kind, seat, turn, turn, gained)
            played = now[1, piece] - was[1, piece]
            if played > 0:
                n = _write(events, n, i, piece, PLAYED, mover, turn, turn, played)
            if now[0, piece] > 0 and since[piece] == 0:
                since[piece] = after
            elif now[0, piece] == 0 and since[piece] > 0:
                n = _write(events, n, i, piece, OFFERED, NONE, since[piece], turn, was[0, piece])
                since[piece] = 0
        for row in range(was.shape[0]):
            for piece in range(since.size):
                was[row, piece] = now[row, piece]  # for whole arrays Numba would make a copy first
        return n

    return watch


@jit.rule
def _settle(s, i, turn, counts, events, n):  # type: ignore[no-untyped-def]
    """Write the events at the end of a game, of pieces on offer and of pieces that seats hold."""
    was, since = counts[WAS], counts[SINCE, 0]
    for piece in range(since.size):
        if since[piece] > 0:
            n = _write(events, n, i, piece, UNSOLD, NONE, turn, turn, was[0, piece])
            if since[piece] <= turn:
                n = _write(events, n, i, piece, OFFERED, NONE, since[piece], turn, was[0, piece])
        for seat in range(s.seats):
            if was[2 + seat, piece] > 0 and was[1, piece] == 0:
                n = _write(events, n, i, piece, HELD, seat, turn, turn, was[2 + seat, piece])
    return n
