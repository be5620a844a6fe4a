"""Checks of views: observing changes nothing, and what `redeal` may vary is hidden from the seat."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any

import numpy as np

from simkit.engine.game import OVER, Game, redeal_nothing
from simkit.engine.kernel import Player
from simkit.errors import PlayError
from simkit.verify.check.walking import FIRST, GARBAGE, Array, Walk, calling, copied, locked, place, tracing

CURE = 'observe may copy what stands before it: clone_before(view, s, "log")'
REDEALS = 4  # of each view
LINES = 20_000  # most lines of Python that a redeal of an impossible view may run


def faults(walk: Walk, ids: Array, stream: Array) -> list[str]:
    """Return the problems of the functions that observe a position without changing it."""
    game, s, rules = walk.game, walk.s, walk.table.rules[0]
    before, notes, problems = s.tobytes(), np.zeros(1, game.turn_dtype), list[str]()
    if (np.diff(ids) <= 0).any():
        problems.append(f"legal actions are not ascending: {ids.tolist()}{place(game.legal)}")
    for seat in range(s.seats):
        problems += _view_faults(walk, seat, stream)
        if game.log.note is not None:
            with calling("note"):
                game.log.note(s, rules, seat, notes[0])
    problems += _count_faults(game, s, rules)
    if s.tobytes() != before:
        problems.append(f"observe changes the state, which it may only read{place(game.observe)}")
    return problems


def _view_faults(walk: Walk, seat: int, stream: Array) -> Iterator[str]:
    """Yield the problems of the view of a seat, and of states redealt from it."""
    game, rules, view = walk.game, walk.table.rules, walk.view(walk.states, seat)
    if any(view["log"].tobytes()):
        yield f"seat {seat} sees the log: {CURE}{place(game.observe)}"
    for _ in range(REDEALS):
        copy = copied(view)
        walk.call("redeal", copy, rules, seat, stream)
        view_again = walk.view(copy, seat)
        if view_again.tobytes() != view.tobytes():
            field = difference(view[0], view_again[0])
            yield f"seat {seat} sees {field}, which redeal changes: observe must hide it{place(game.observe)}"
            return
        if copy[0].seat != OVER:
            walk.legal(copy)


def difference(record: Any, other: Any) -> str:
    """Return the first place at which two records differ, such as `hand[1][3]`."""
    for name in record.dtype.names:
        a, b = record[name], other[name]
        if a.tobytes() == b.tobytes():
            continue
        if a.dtype.names and not a.shape:
            return f"{name}.{difference(a, b)}"
        first = np.argwhere(np.asarray(a != b))
        return f"{name}{''.join(f'[{i}]' for i in first[0])}"
    return ""


def _count_faults(game: Game, s: Any, rules: Any) -> list[str]:
    """Return the problems of the counts of pieces."""
    if game.pieces is None:
        return []
    with calling("count"):
        kinds = len(game.pieces.names(rules))
        offer, used, held = (np.zeros(shape, np.int64) for shape in (kinds, kinds, (int(s.seats), kinds)))
        game.pieces.count(s, rules, offer, used, held)
    least = min(int(counts.min(initial=0)) for counts in (offer, used, held))
    return [f"a count of pieces is {least}{place(game.pieces.count)}"] if least < 0 else []


def writes(walk: Walk, ids: Array, player: Player) -> bool:
    """Return whether a strategy that decides at a position changes its view."""
    table, view = walk.table, walk.view(walk.states, int(walk.s.seat))
    stream, memo, before = np.array([7], np.uint64), np.zeros(walk.game.memo, np.int64), view.tobytes()
    with calling(f"{player.label}, asked in a random game,"):
        player.decide(view[0], table.rules[0], ids, player.weights, stream, table.lent[1:], memo, table.work)
    return view.tobytes() != before


class ViewWrites:
    """Tracker of the fields that `observe` writes.

    A view is zero when a game begins, and each observation overwrites the one before. So each field must be
    written always or never, and the fields common to all games always.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.own = game, {field.name for field in game.state}
        self.names = game.unlogged
        self.written, self.left, self.partly = set[str](), set[str](), set[str]()

    def look(self, walk: Walk) -> None:
        """Record which fields are written in the view of each seat."""
        for seat in range(walk.s.seats):
            first, over = (walk.view(walk.states, seat, fill) for fill in (FIRST, GARBAGE))
            for name in self.names:
                content = over[name].tobytes()
                if content == first[name].tobytes():
                    self.written.add(name)
                elif name in self.own and content == bytes([GARBAGE]) * len(content):
                    self.left.add(name)
                else:
                    self.partly.add(name)

    def faults(self) -> list[str]:
        """Return the problems, after all positions have been observed."""
        where, partly = place(self.game.observe), [name for name in self.names if name in self.partly]
        problems = [f"observe leaves {name} of the view as it was{where}" for name in partly[:1]]
        mixed = [name for name in self.names if name in self.written & self.left]
        return problems + [f"observe writes {name} of the view at times only{where}" for name in mixed[:1]]


class Leaks:
    """Tracker of fields that `observe` always shows a seat, but `redeal` draws at random if blank."""

    def __init__(self, game: Game, probes: int) -> None:
        self.game, self.left = game, 0 if game.redeal is redeal_nothing else probes
        self.names = [f.name for f in game.state if game.state_dtype[f.name].base.kind == "i"]
        self.hidden: set[tuple[str, int, int]] = set()  # field, seats, seat: hidden at least at times
        self.drawn: set[tuple[str, int, int]] = set()

    def look(self, walk: Walk, stream: Array) -> None:
        """Blank the view of the seat to decide, field by field, and redeal."""
        seats, seat = int(walk.s.seats), int(walk.s.seat)
        if seat == OVER or self.left <= 0:
            return
        view = walk.view(walk.states, seat)
        seen = [walk.states, *self._redealt(walk, view, seat, stream)]
        for name in self.names:
            key = (name, seats, seat)
            if len({state[name].tobytes() for state in [view, *seen]}) > 1:
                self.hidden.add(key)
            if key not in self.hidden | self.drawn:
                self.left -= 1
                if any(self._draws(walk, view, seat, name, blank, stream) for blank in (-1, 0)):
                    self.drawn.add(key)

    def _draws(self, walk: Walk, view: Array, seat: int, name: str, blank: int, stream: Array) -> bool:
        """Return whether `redeal` puts different values into a field that is blank for all other seats."""
        blanked = copied(view)
        blanked[name] = blank
        if blanked[name].shape[1:2] == (self.game.max_seats,):
            blanked[name][0, seat] = view[name][0, seat]
        if blanked[name].tobytes() == view[name].tobytes():
            return False
        with suppress(Exception), lines_at_most(LINES):  # redeal may fail on an impossible view
            return len({copy[name].tobytes() for copy in self._redealt(walk, blanked, seat, stream)}) > 1
        return False

    def _redealt(self, walk: Walk, view: Array, seat: int, stream: Array) -> list[Array]:
        """Return several states redealt from a view."""
        copies = [copied(view) for _ in range(REDEALS)]
        for copy in copies:
            walk.plain.redeal(copy, locked(walk.table.rules), seat, stream)
        return copies

    def faults(self) -> list[str]:
        """Return the problems, after all positions have been observed."""
        fault = "which redeal draws at random where it is blank: observe must hide it"
        leaks = {name: seat for name, _, seat in sorted(self.drawn - self.hidden, reverse=True)}
        return [f"seat {seat} sees {name}, {fault}{place(self.game.observe)}" for name, seat in leaks.items()]


def lines_at_most(limit: int) -> AbstractContextManager[None]:
    """Stop Python code with a PlayError after so many lines."""
    remaining = limit

    def count(frame: Any, event: str, argument: Any) -> Any:
        nonlocal remaining
        remaining -= 1
        if remaining < 0:
            raise PlayError("does not end")
        return count

    return tracing(count)
