"""What becomes of the pieces of a traced game: on offer, with whom, played and left."""

from typing import Any

import numpy as np

from simkit.engine.compile import jit
from simkit.engine.game import Event, Game

Array = np.ndarray
EVENTS = 1 << 16  # events in memory at one time; a game that has more gets more room
WAS, NOW, SINCE = 0, 1, 2  # counts[., row, piece]; rows: on offer, played, held by each seat
OFFERED, TAKEN, GIVEN, PLAYED, KEPT, UNSOLD = map(int, Event)
NONE = -1  # no seat


def room(game: Game, rules: Array, seats: int, events: int = EVENTS) -> tuple[Array, Array]:
    """Memory for the counts of the pieces and for events; none where a game has no pieces."""
    many = len(game.pieces.names(rules[0])) if game.pieces else 0
    most = max(2 * _most_at_once(seats, many), events if many else 0)
    return np.zeros((3, 2 + seats, many), np.int64), np.empty(most, game.piece_dtype)


@jit.rule
def _most_at_once(seats, pieces):  # type: ignore[no-untyped-def]
    """Events of one step, the last one of a game included."""
    return pieces * 2 * (seats + 2)


@jit.rule
def has_room(counts, events, n):  # type: ignore[no-untyped-def]
    return n + _most_at_once(counts.shape[1] - 2, counts.shape[2]) <= events.size


@jit.rule
def _count_nothing(s, rules, offer, held, used):  # type: ignore[no-untyped-def]
    """A game without pieces."""


@jit.rule
def _write(events, n, game, piece, kind, seat, turn, last, copies):  # type: ignore[no-untyped-def]
    event = events[n]
    event.game, event.piece, event.event, event.seat = game, piece, kind, seat
    event.turn, event.last, event.copies = turn, last, copies
    return n + 1


def watcher(game: Game) -> Any:
    """watch(s, rules, i, turn, after, who, counts, events, n) -> n: what a step of a seat does to the pieces.

    turn: in which it was made, 0 after the setup; after: from which on seats may take what is on offer now.
    """
    count = game.pieces.count if game.pieces else _count_nothing

    @jit.rule
    def watch(s, rules, i, turn, after, who, counts, events, n):  # type: ignore[no-untyped-def]
        was, now, since = counts[WAS], counts[NOW], counts[SINCE, 0]
        if turn == 0:
            counts[:] = 0
        now[:] = 0
        count(s, rules, now[0], now[1], now[2:])
        for piece in range(since.size):
            for seat in range(s.seats):
                more = now[2 + seat, piece] - was[2 + seat, piece]
                if more > 0:
                    kind = TAKEN if was[0, piece] > 0 else GIVEN
                    n = _write(events, n, i, piece, kind, seat, turn, turn, more)
            played = now[1, piece] - was[1, piece]
            if played > 0:
                n = _write(events, n, i, piece, PLAYED, who, turn, turn, played)
            if now[0, piece] > 0 and since[piece] == 0:
                since[piece] = after
            elif now[0, piece] == 0 and since[piece] > 0:
                n = _write(events, n, i, piece, OFFERED, NONE, since[piece], turn, was[0, piece])
                since[piece] = 0
        for row in range(was.shape[0]):
            for piece in range(since.size):
                was[row, piece] = now[row, piece]  # of whole arrays Numba would make a copy first
        return n

    return watch


@jit.rule
def settle(s, i, turn, counts, events, n):  # type: ignore[no-untyped-def]
    """What is left at the end of a game: on offer, and with whom."""
    was, since = counts[WAS], counts[SINCE, 0]
    for piece in range(since.size):
        if since[piece] > 0:
            n = _write(events, n, i, piece, UNSOLD, NONE, turn, turn, was[0, piece])
            if since[piece] <= turn:
                n = _write(events, n, i, piece, OFFERED, NONE, since[piece], turn, was[0, piece])
        for seat in range(s.seats):
            if was[2 + seat, piece] > 0 and was[1, piece] == 0:
                n = _write(events, n, i, piece, KEPT, seat, turn, turn, was[2 + seat, piece])
    return n
