"""Events of the pieces of a traced game: offered, taken, given, played, kept, unsold."""

from typing import Any

import numpy as np

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.trace_rows import Event

Array = np.ndarray
EVENTS = 1 << 16  # events in memory at one time; a game with more gets more room
WAS, NOW, SINCE = 0, 1, 2  # counts[., row, piece]; rows: on offer, played, held by each seat
OFFERED, TAKEN, GIVEN, PLAYED, HELD, UNSOLD = map(int, Event)
NONE = -1  # no seat


def room(game: Game, rules: Array, seats: int, events: int = EVENTS) -> tuple[Array, Array]:
    """Return arrays for the counts of the pieces and for events, both empty if the game has no pieces."""
    piece_count = len(game.pieces.names(rules[0])) if game.pieces else 0
    event_count = max(2 * _most_at_once(seats, piece_count), events if piece_count else 0)
    return np.zeros((3, 2 + seats, piece_count), np.int64), np.empty(event_count, game.piece_dtype)


@jit.rule
def _most_at_once(seats, pieces):  # type: ignore[no-untyped-def]
    """Return the most events of one step, including the last step of a game."""
    return pieces * 2 * (seats + 2)


@jit.rule
def has_room(counts, events, n):  # type: ignore[no-untyped-def]
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


def watcher(game: Game) -> Any:
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
def settle(s, i, turn, counts, events, n):  # type: ignore[no-untyped-def]
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
